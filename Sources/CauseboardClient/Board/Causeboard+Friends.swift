public import Contract
import Foundation

// Friends. Nothing of this is queued: whether it was done is known when the call returns.
extension Causeboard {
    /// The player's friends, who asks to be one, whom the player asks, and whom the player has blocked.
    /// - Throws: `.giveUp` with `forbidden` when the game has no friends.
    public func friends() async throws(CauseboardError) -> FriendList {
        try await session.send(Call("GET", Addresses.myFriends.path()), as: FriendList.self)
    }

    /// A code of 8 characters that makes whoever types it a friend, for 24 hours and for 20 players. A new one ends the
    /// former one.
    public func makeFriendCode() async throws(CauseboardError) -> FriendCode {
        try await session.send(Call("POST", Addresses.myFriendCodes.path()), as: FriendCode.self)
    }

    /// Makes the player and the maker of a code friends. Friends already is no error.
    /// - Parameter code: As the player typed it: in either case, with spaces and hyphens.
    /// - Throws: `.giveUp` with `codeRefused` when the code is wrong, used up, old or the player's own, and with
    ///   `friendsFull` when the player has as many friends as there may be.
    @discardableResult public func befriend(code: String) async throws(CauseboardError) -> FriendMade {
        let call = try Call("POST", Addresses.myFriends.path(), json: FriendCodeUse(code: code))
        return try await session.send(call, as: FriendMade.self)
    }

    /// Asks a player of the game to be a friend, or accepts what that one has asked.
    /// - Parameter player: The id in a row or a profile.
    /// - Returns: `.friends` when the other has asked, too. `.asking` does not tell whether the other takes it.
    /// - Throws: `.giveUp` with `forbidden` when players of the game become friends by codes alone.
    @discardableResult public func ask(_ player: Int64) async throws(CauseboardError) -> FriendState.State {
        let call = Call("PUT", Addresses.myFriend.path(String(player)))
        return try await session.send(call, as: FriendState.self).state
    }

    /// Ends a friendship, or what one has asked the other. When there is nothing, that is no error.
    public func unfriend(_ player: Int64) async throws(CauseboardError) {
        try await session.sendForNothing(Call("DELETE", Addresses.myFriend.path(String(player))))
    }

    /// Blocks a player, who is no friend any more, and whose asks do not come. The other is not told. Rankings that
    /// everybody sees stay as they are, so a game may leave out whom ``friends()`` lists as blocked.
    public func block(_ player: Int64) async throws(CauseboardError) {
        try await session.sendForNothing(Call("PUT", Addresses.myBlock.path(String(player))))
    }

    /// Ends a block; the two are no friends by that.
    public func unblock(_ player: Int64) async throws(CauseboardError) {
        try await session.sendForNothing(Call("DELETE", Addresses.myBlock.path(String(player))))
    }

    /// A board among the player and its friends, best first. Rows have the rank on the board as `rank`, and that among
    /// friends as `among`.
    /// - Parameters:
    ///   - board: The board's slug.
    ///   - window: `all`, `today`, `yesterday`, `week`, `month`, or one of the others of the contract.
    ///   - limit: 1 to 100 rows.
    ///   - first: The place among friends of the first row; nil for 1.
    public func friendsTop(of board: String, window: String = "all", limit: Int = 10, from first: Int? = nil)
        async throws(CauseboardError) -> Ranking
    {
        try Slug.check(board, "board")
        return try await amongFriends(Addresses.friendsTop.path(game, board, format: "json"), window, limit, first)
    }

    /// Who of the player and its friends donated most to a charity, or to all of them, by donations that are not
    /// anonymous.
    /// - Parameters:
    ///   - charity: The charity's slug; nil for all together.
    ///   - window: As of ``friendsTop(of:window:limit:from:)``.
    ///   - limit: 1 to 100 rows.
    ///   - first: The place among friends of the first row; nil for 1.
    public func friendContributors(
        to charity: String? = nil, window: String = "all", limit: Int = 10, from first: Int? = nil
    ) async throws(CauseboardError) -> Ranking {
        if let charity { try Slug.check(charity, "charity") }
        let path =
            charity.map { Addresses.charityFriends.path($0, format: "json") }
            ?? Addresses.contributorsFriends.path(format: "json")
        return try await amongFriends(path, window, limit, first)
    }

    private func amongFriends(_ path: String, _ window: String, _ limit: Int, _ first: Int?)
        async throws(CauseboardError) -> Ranking
    {
        let query = [("window", window), ("limit", String(limit)), ("from", first.map { String($0) })]
        return try await session.send(Call(path, query: query), as: Ranking.self)
    }
}
