package import Domain
import FoundationEssentials
package import Storage

extension Store {
    /// Adds a key of a game, with the scopes that such keys have by default.
    package func addKey(_ hash: TokenHash, name: DisplayName, to game: Slug, now: Instant) async throws(StoreError) -> (
        AdminOutcome, number: Int32?
    ) {
        let key = NewKey(id: UUID(), game: game, hash: hash, name: name, scopes: .ofGames)
        let (outcome, listed) = try await addKey(key, now: now)
        return (outcome, listed?.number)
    }
}
