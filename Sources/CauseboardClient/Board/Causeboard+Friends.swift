public import Contract
import Foundation

// Friends. None of these calls is queued: the result is known when the call returns.
extension Causeboard {
    /// The player's friends, received and sent friend requests, and blocked players.
    /// - Throws: `.giveUp` with `forbidden` when friends are off in the game.
    public func friends() async throws(CauseboardError) -> FriendList {
        try await session.send(Call("GET", Addresses.myFriends.path()), as: FriendList.self)
    }

    /// Makes a friend code of 8 characters. Up to 20 players can use it within 24 hours. It replaces the previous code.
    public func makeFriendCode() async throws(CauseboardError) -> FriendCode {
        try await session.send(Call("POST", Addresses.myFriendCodes.path()), as: FriendCode.self)
    }

    /// Makes the player and the maker of a code friends. It succeeds if they are friends already.
    /// - Parameter code: As the player typed it: in either case, with spaces and hyphens.
    /// - Throws: `.giveUp` with `codeRefused` when the code is wrong, used up, expired or the player's own, and with
    ///   `friendsFull` when the player has reached the limit of friends.
    @discardableResult public func befriend(code: String) async throws(CauseboardError) -> FriendMade {
        let call = try Call("POST", Addresses.myFriends.path(), json: FriendCodeUse(code: code))
        return try await session.send(call, as: FriendMade.self)
    }

    /// Sends a friend request to a player of the game, or accepts the other's.
    /// - Parameter player: The id in a row or a profile.
    /// - Returns: `.friends` if the other has sent a request too. `.asking` does not reveal whether the other sees it.
    /// - Throws: `.giveUp` with `forbidden` when the game has no friend requests.
    @discardableResult public func ask(_ player: Int64) async throws(CauseboardError) -> FriendState.State {
        let call = Call("PUT", Addresses.myFriend.path(String(player)))
        return try await session.send(call, as: FriendState.self).state
    }

    /// Ends a friendship, withdraws a request, or declines one. It succeeds if there is nothing to end.
    public func unfriend(_ player: Int64) async throws(CauseboardError) {
        try await session.sendForNothing(Call("DELETE", Addresses.myFriend.path(String(player))))
    }

    /// Blocks a player: ends a friendship, and stops the other's friend requests. The other is not told. Public
    /// rankings stay as they are; a game can hide the players whom ``friends()`` lists as blocked.
    public func block(_ player: Int64) async throws(CauseboardError) {
        try await session.sendForNothing(Call("PUT", Addresses.myBlock.path(String(player))))
    }

    /// Ends a block. It does not make the two friends.
    public func unblock(_ player: Int64) async throws(CauseboardError) {
        try await session.sendForNothing(Call("DELETE", Addresses.myBlock.path(String(player))))
    }

    /// A board among the player and its friends, best first. In each row, `rank` is the rank on the whole board, and
    /// `among` the rank among friends.
    /// - Parameters:
    ///   - board: The board's slug.
    ///   - window: `all`, `today`, `yesterday`, `week`, `month`, or another window of the API.
    ///   - limit: 1 to 100 rows.
    ///   - first: The position among friends at which the rows begin; nil for 1.
    public func friendsTop(of board: String, window: String = "all", limit: Int = 10, from first: Int? = nil)
        async throws(CauseboardError) -> Ranking
    {
        try Slug.check(board, "board")
        return try await amongFriends(Addresses.friendsTop.path(game, board, format: "json"), window, limit, first)
    }

    /// The top donors to a charity, or to all, among the player and its friends. Anonymous donations do not count.
    /// - Parameters:
    ///   - charity: The charity's slug; nil for all charities together.
    ///   - window: As of ``friendsTop(of:window:limit:from:)``.
    ///   - limit: 1 to 100 rows.
    ///   - first: The position among friends at which the rows begin; nil for 1.
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
    { try await session.send(Call(path, query: Self.partialQuery(window, limit, first)), as: Ranking.self) }

    /// The query of a ranking among some of the players.
    static func partialQuery(_ window: String, _ limit: Int, _ first: Int?) -> [(String, String?)] {
        [("window", window), ("limit", String(limit)), ("from", first.map { String($0) })]
    }
}
