import Concurrency
package import Domain
import OrderStatistics
import Storage

// A board among a player and its friends.
extension Rankings {
    /// The rows of a player and its friends, best first, with the ranks of the whole board. Where scores of the player
    /// are held, it is told where it would stand if they counted, and so are its friends' ranks: see `Rankings+Own`.
    /// - Parameters:
    ///   - first: The first place among them that is asked for, from 1.
    ///   - limitRows: 1...100.
    ///   - includesTotal: Whether the ranking says how many of them have a row.
    package func ranking(
        of board: Board, window: Window, amongFriendsOf player: Player.ID, from first: Int64, limitRows: Int,
        includesTotal: Bool, includesDetails: Bool = false
    ) async throws -> Ranking {
        let days = window.days(today: board.today)
        let player = try await survivor(of: player)
        let set = try await friends(of: player)
        let place = try await ownPlace(of: player, on: board, days: days)
        let rows = try await placed(set, of: player, on: board, days: days, own: place)
        let places = Ranks.places(rows.map(\.standing.points), ties: board.ties)
        let start = Int(clamping: min(max(first, 1) - 1, Int64(rows.count)))
        let end = start + min(rows.count - start, max(0, limitRows))
        let page = Page(
            rows: rows[start..<end].map(\.standing), position: nil, sharedPosition: nil, size: Int64(rows.count))
        return try await ranking(
            of: board, window: window, days: days, page, rows[start..<end].map(\.rank),
            among: Ranking.Among(players: .friends, places: Array(places[start..<end])), hasNext: end < rows.count,
            hasPrevious: start > 0 && end > start, includesTotal: includesTotal,
            detailsFor: !includesDetails ? nil : place == nil ? .everybody : .own(player))
    }

    /// A player and its friends. A tie that another process wrote is seen as late as its scores are.
    func friends(of player: Player.ID) async throws(StoreError) -> MemberSet {
        try await ties.friends(of: player, mayKeep: standings.areCurrent) { () async throws(StoreError) in
            try await turn(of: player) { () async throws(StoreError) in try await store.friends(of: player) }
        }
    }

    /// Drops what this process knows of the friends of players, of whom it has just written something. Others learn of
    /// it by the stream.
    package func forgetFriends(of players: [Player.ID]) { ties.forget(players.map(\.rawValue)) }

    private struct PlacedRow {
        let standing: Standing
        let rank: Rank
    }

    /// The rows of a set, best first.
    /// - Parameter own: Where the player stands in its own eyes; nil where everybody sees it.
    private func placed(_ set: MemberSet, of player: Player.ID, on board: Board, days: ClosedRange<Day>?, own: SortKey?)
        async throws(StoreError) -> [PlacedRow]
    {
        let own = own.flatMap { standings.areCurrent && standings.isHidden($0.row) ? nil : $0 }
        let found = standings.read(board, days: days) { rows, _ in
            (set.positions(in: rows), own.map { rows.rankedPosition(placing: RankedRow($0)) })
        }
        guard let (positions, ownPosition) = found else {
            return try await placedBySQL(set, of: player, on: board, days: days, own: own)
        }
        let sorted = positions.sorted { $0.position < $1.position }
        let summaries = try await summaries.summaries(of: sorted.map(\.row.row))
        let others = zip(sorted, summaries).map { position, summary in
            PositionedStanding(
                standing: position.row.standing(summary, lowestFirst: board.lowestFirst),
                rankPosition: RankPosition(position, lowestFirst: board.lowestFirst))
        }
        return try await placed(
            others, own: own, at: ownPosition.map { RankPosition($0, lowestFirst: board.lowestFirst) }, on: board)
    }

    private func placedBySQL(
        _ set: MemberSet, of player: Player.ID, on board: Board, days: ClosedRange<Day>?, own: SortKey?
    ) async throws(StoreError) -> [PlacedRow] {
        let read = { () async throws(StoreError) -> ([PositionedStanding], OwnPosition?) in
            let others = try await self.store.rankPositions(of: set.players, on: board.id, days: days)
            guard let own else { return (others, nil) }
            let position = try await self.store.findOwnPosition(
                of: own, on: board.id, lowestFirst: board.lowestFirst, days: days)
            return (others, position)
        }
        let (others, position) = days == nil ? try await turn(of: player, read) : try await bySQL(days, read)
        return try await placed(others, own: position == nil ? nil : own, at: position?.position, on: board)
    }

    /// Puts the player's own row where the player is told that it stands.
    private func placed(_ others: [PositionedStanding], own: SortKey?, at position: RankPosition?, on board: Board)
        async throws(StoreError) -> [PlacedRow]
    {
        guard let own, let position else {
            return others.map { PlacedRow(standing: $0.standing, rank: $0.rankPosition.rank(board.ties)) }
        }
        let shown = others.first { $0.standing.sortKey.row == own.row }?.standing.sortKey
        var rows = others.filter { $0.standing.sortKey.row != own.row }.map { row in
            PlacedRow(standing: row.standing, rank: row.rankPosition.rank(board.ties, whenMoved: shown, to: own))
        }
        let summary = try await summaries.summaries(of: [own.row]).first ?? nil
        let standing = Standing(
            row: own.row, name: summary?.name ?? "", avatar: summary?.avatar, points: position.points,
            reachedAt: own.reachedAt, orderKey: own.orderKey)
        let index = rows.firstIndex { own.precedes($0.standing.sortKey) } ?? rows.endIndex
        rows.insert(PlacedRow(standing: standing, rank: position.rank(board.ties)), at: index)
        return rows
    }
}
