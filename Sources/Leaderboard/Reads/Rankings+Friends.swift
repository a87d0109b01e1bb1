import Concurrency
package import Domain
import OrderStatistics
import Storage

// A board among a player and its friends.
extension Rankings {
    /// The rows of a player and its friends, best first, with their ranks on the whole board. While scores of the
    /// player are held, its own row and its friends' ranks count them: see `Rankings+Own`.
    /// - Parameters:
    ///   - first: The position among them at which the rows begin, from 1.
    ///   - limitRows: 1...100.
    ///   - includesTotal: Whether to count the rows.
    package func ranking(
        of board: Board, window: Window, amongFriendsOf player: Player.ID, from first: Int64, limitRows: Int,
        includesTotal: Bool, includesDetails: Bool = false
    ) async throws -> Ranking {
        let player = try await survivor(of: player)
        return try await ranking(
            of: board, window: window, among: try await friends(of: player), .friends, seenBy: player, from: first,
            limitRows: limitRows, includesTotal: includesTotal, includesDetails: includesDetails)
    }

    /// The rows of some players, best first, with the ranks of the whole board.
    /// - Parameter player: Who asks, one of them; nil for what everybody sees.
    func ranking(
        of board: Board, window: Window, among set: MemberSet, _ players: Ranking.Among.Players,
        seenBy player: Player.ID?, from first: Int64, limitRows: Int, includesTotal: Bool, includesDetails: Bool
    ) async throws -> Ranking {
        let days = window.days(today: board.today)
        var place: SortKey?
        if let player { place = try await ownPlace(of: player, on: board, days: days) }
        let rows = try await placed(set, of: player, on: board, days: days, own: place)
        let places = Ranks.places(rows.map(\.standing.points), ties: board.ties)
        let start = Int(clamping: min(max(first, 1) - 1, Int64(rows.count)))
        let end = start + min(rows.count - start, max(0, limitRows))
        let page = Page(
            rows: try await named(rows[start..<end].map(\.standing)), position: nil, sharedPosition: nil,
            size: Int64(rows.count))
        return try await ranking(
            of: board, window: window, days: days, page, rows[start..<end].map(\.rank),
            among: Ranking.Among(players: players, places: Array(places[start..<end])), hasNext: end < rows.count,
            hasPrevious: start > 0 && end > start, includesTotal: includesTotal,
            detailsFor: !includesDetails ? nil : place == nil ? .everybody : player.map { .own($0) })
    }

    /// A player and its friends. Ties that other processes write arrive with the same delay as their scores.
    func friends(of player: Player.ID) async throws(StoreError) -> MemberSet {
        try await ties.value(of: player, mayKeep: standings.areCurrent) { () async throws(StoreError) in
            MemberSet(
                try await turn(of: player) { () async throws(StoreError) in try await store.friends(of: player) } + [
                    player
                ])
        }
    }

    /// Drops the cached friends of players whose ties this process has just changed. Other processes learn of the
    /// change from the stream.
    package func forgetFriends(of players: [Player.ID]) { ties.forget(players.map(\.rawValue)) }

    /// Reads the names and pictures of the rows that are shown. Most of a set is not.
    private func named(_ rows: [Standing]) async throws(StoreError) -> [Standing] {
        let summaries = try await summaries.summaries(of: rows.map(\.sortKey.row))
        return zip(rows, summaries).map { standing, summary in
            Standing(
                row: standing.sortKey.row, name: summary?.name ?? "", avatar: summary?.avatar, flag: summary?.flag,
                points: standing.points, reachedAt: standing.reachedAt, orderKey: standing.sortKey.orderKey)
        }
    }

    private struct PlacedRow {
        let standing: Standing
        let rank: Rank
    }

    /// The rows of a set, best first. Those from memory have no names yet.
    /// - Parameter own: The place of the player's row that includes held scores; nil for the public row.
    private func placed(
        _ set: MemberSet, of player: Player.ID?, on board: Board, days: ClosedRange<Day>?, own: SortKey?
    ) async throws(StoreError) -> [PlacedRow] {
        let own = own.flatMap { standings.areCurrent && standings.isHidden($0.row) ? nil : $0 }
        let found = standings.read(board, days: days) { rows, _ in
            (set.positions(in: rows), own.map { rows.rankedPosition(placing: RankedRow($0)) })
        }
        guard let (positions, ownPosition) = found else {
            return try await placedBySQL(set, of: player, on: board, days: days, own: own)
        }
        let sorted = positions.sorted { $0.position < $1.position }
        let others = sorted.map { position in
            PositionedStanding(
                standing: position.row.standing(nil, lowestFirst: board.lowestFirst),
                rankPosition: RankPosition(position, lowestFirst: board.lowestFirst))
        }
        return placed(
            others, own: own, at: ownPosition.map { RankPosition($0, lowestFirst: board.lowestFirst) }, on: board)
    }

    private func placedBySQL(
        _ set: MemberSet, of player: Player.ID?, on board: Board, days: ClosedRange<Day>?, own: SortKey?
    ) async throws(StoreError) -> [PlacedRow] {
        let read = { () async throws(StoreError) -> ([PositionedStanding], OwnPosition?) in
            let others = try await self.store.rankPositions(of: set.players, on: board.id, days: days)
            guard let own else { return (others, nil) }
            let position = try await self.store.findOwnPosition(
                of: own, on: board.id, lowestFirst: board.lowestFirst, days: days)
            return (others, position)
        }
        let (others, position): ([PositionedStanding], OwnPosition?)
        if days == nil, let player {
            (others, position) = try await turn(of: player, read)
        } else {
            (others, position) = try await inTurn(read)
        }
        return placed(others, own: position == nil ? nil : own, at: position?.position, on: board)
    }

    /// Inserts the player's own row at the place that includes held scores.
    private func placed(_ others: [PositionedStanding], own: SortKey?, at position: RankPosition?, on board: Board)
        -> [PlacedRow]
    {
        guard let own, let position else {
            return others.map { PlacedRow(standing: $0.standing, rank: $0.rankPosition.rank(board.ties)) }
        }
        let shown = others.first { $0.standing.sortKey.row == own.row }?.standing.sortKey
        var rows = others.filter { $0.standing.sortKey.row != own.row }.map { row in
            PlacedRow(standing: row.standing, rank: row.rankPosition.rank(board.ties, whenMoved: shown, to: own))
        }
        let standing = Standing(
            row: own.row, name: "", avatar: nil, points: position.points, reachedAt: own.reachedAt,
            orderKey: own.orderKey)
        let index = rows.firstIndex { own.precedes($0.standing.sortKey) } ?? rows.endIndex
        rows.insert(PlacedRow(standing: standing, rank: position.rank(board.ties)), at: index)
        return rows
    }
}
