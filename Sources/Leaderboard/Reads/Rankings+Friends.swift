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

    /// Rows of a member set, best first, with their ranks on the whole board.
    /// - Parameter player: The member that reads them; nil for the rows that everybody sees.
    func ranking(
        of board: Board, window: Window, among set: MemberSet, _ players: Ranking.Among.Players,
        seenBy player: Player.ID?, from first: Int64, limitRows: Int, includesTotal: Bool, includesDetails: Bool
    ) async throws -> Ranking {
        let days = window.days(today: board.today)
        var place: SortKey?
        if let player { place = try await ownPlace(of: player, on: board, days: days) }
        let found = try await placed(
            set, of: player, on: board, days: days, own: place, from: first, limitRows: limitRows)
        let (count, shown) = (found.points.count, found.shown)
        let page = Page(
            rows: try await named(found.rows.map(\.standing)), position: nil, sharedPosition: nil, size: Int64(count))
        return try await ranking(
            of: board, window: window, days: days, page, found.rows.map(\.rank),
            among: Ranking.Among(players: players, places: Array(Ranks.places(found.points, ties: board.ties)[shown])),
            hasNext: shown.upperBound < count, hasPrevious: shown.lowerBound > 0 && !shown.isEmpty,
            includesTotal: includesTotal,
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

    /// The rows of a set that are shown.
    private struct PlacedPage {
        /// The points of all rows of the set, best first.
        let points: [Int128]
        let shown: Range<Int>
        let rows: [PlacedRow]
    }

    /// Some rows of a set, best first. Those from memory have no names yet.
    /// - Parameter own: The place of the player's row that includes held scores; nil for the public row.
    private func placed(
        _ set: MemberSet, of player: Player.ID?, on board: Board, days: ClosedRange<Day>?, own: SortKey?,
        from first: Int64, limitRows: Int
    ) async throws(StoreError) -> PlacedPage {
        let own = own.flatMap { standings.areCurrent && standings.isHidden($0.row) ? nil : $0 }
        let ownRow = own.map { RankedRow($0) }
        let found = standings.read(board, days: days) { rows, _ in
            set.page(of: rows, placing: ownRow, from: first, limitRows: limitRows)
        }
        guard let found else {
            let rows = try await placedBySQL(set, of: player, on: board, days: days, own: own)
            let shown = MemberSet.shown(of: rows.count, from: first, limitRows: limitRows)
            return PlacedPage(points: rows.map(\.standing.points), shown: shown, rows: Array(rows[shown]))
        }
        let rows = found.positions.map { ranked in
            let position = RankPosition(ranked, lowestFirst: board.lowestFirst)
            var rank = position.rank(board.ties)
            if let own, ranked.row.row != own.row {
                rank = position.rank(board.ties, whenMoved: found.replaced?.sortKey, to: own)
            }
            return PlacedRow(standing: ranked.row.standing(nil, lowestFirst: board.lowestFirst), rank: rank)
        }
        let points = found.rows.map { $0.points(lowestFirst: board.lowestFirst) }
        return PlacedPage(points: points, shown: found.shown, rows: rows)
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
