import Credentials
import Domain
import HTTPServer
import HTTPTypes
import Leaderboard
import Storage

/// The keys by which operators call the admin API and sign in to the console.
final class OperatorKeys: Sendable {
    let store: Store
    let clock: ServerClock

    init(store: Store, clock: ServerClock) { (self.store, self.clock) = (store, clock) }

    /// The operator's key of a request.
    /// - Parameter scopes: The key has to have one of these; the first is what a refusal asks for.
    /// - Throws: 401 without an operator's key that may be used now, 403 for one without the scope.
    @discardableResult func admin(_ request: Request, _ scopes: KeyScope...) async throws -> AdminKey {
        guard let header = request.headers[.authorization], case .admin(let hash)? = Credential(authorization: header),
            let key = try await usedAdminKey(hash)
        else { throw Problem.notAnAdmin }
        try key.check(scopes)
        return key
    }

    /// An operator's key that may be used now, which is noted once a day; nil for any other.
    func usedAdminKey(_ hash: TokenHash) async throws -> AdminKey? {
        guard let key = try await store.admin.findAdminKey(hash, now: clock.now) else { return nil }
        let today = clock.now.dayInUTC
        if key.usedOn.map({ $0 < today }) ?? true {
            // To read must work where the database only reads.
            try? await store.admin.noteUse(of: hash, on: today)
        }
        return key
    }
}

extension AdminKey {
    /// - Parameter scopes: The key has to have one of these; the first is what a refusal asks for.
    /// - Throws: 403 for a key that has none of them.
    func check(_ scopes: [KeyScope]) throws(Problem) {
        if let scope = scopes.first, !scopes.contains(where: self.scopes.allows) { throw .missing(scope) }
    }
}
