public import Contract
import Foundation

extension Causeboard {
    /// The awards of the game, and how far the player is, in the order of their slugs. A secret award that the player
    /// does not have is without its text and numbers.
    public func awards() async throws(CauseboardError) -> [OwnAward] {
        try await session.send(Call("GET", Addresses.myAwards.path()), as: OwnAwardList.self).awards
    }

    /// The awards of the game, as everybody sees them. A secret award is without its text.
    public func gameAwards() async throws(CauseboardError) -> [Award] {
        let list: AwardList = try await read(Addresses.gameAwards.path(game), [])
        return list.awards
    }
}
