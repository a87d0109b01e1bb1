package import Domain
import OrderStatistics
package import Storage

// Where players, rows and points stand.
extension Rankings {
    /// The position of a player.
    /// - Returns: Nil when the player has no row.
    package func findRankPosition(of player: Player.ID, on board: Board, window: Window) async throws(StoreError)
        -> RankPosition?
    {
        let player = try await survivor(of: player)
        if try await isErased(player) { return nil }
        return try await findRankPosition(ofRow: player.rawValue, on: board, days: window.days(today: board.today))
    }

    /// The position that a new player would have with a post of these points now.
    package func pointsPosition(of points: Int64, on board: Board, window: Window) async throws(StoreError)
        -> PointsPosition
    {
        let days = window.days(today: board.today)
        let key = board.orderKey(of: points)
        if let counts = standings.read(board, days: days, { set, _ in set.counts(ofOrderKey: key) }) {
            return PointsPosition(
                position: Int64(counts.better + counts.equal) + 1, sharedPosition: Int64(counts.better) + 1)
        }
        return try await bySQL(days) { () async throws(StoreError) in
            try await store.pointsPosition(ofOrderKey: key, on: board.id, days: days)
        }
    }

    /// - Parameter row: A player's id, or the negative row id of an anonymous donation.
    package func findRankPosition(ofRow row: Int64, on board: Board, days: ClosedRange<Day>?) async throws(StoreError)
        -> RankPosition?
    {
        if let position = standings.read(board, days: days, { set, _ in set.rankedPosition(of: row) }) {
            return position.map { RankPosition($0, lowestFirst: board.lowestFirst) }
        }
        return try await bySQL(days) { () async throws(StoreError) in
            try await store.rankPositions(of: [row], on: board.id, days: days).first?.rankPosition
        }
    }

    /// The rows of players, best first. Players without a row are left out.
    func positioned(_ players: [Player.ID], on board: Board, days: ClosedRange<Day>?) async throws(StoreError)
        -> [PositionedStanding]
    {
        let positions = standings.read(board, days: days) { set, _ in
            Set(players).compactMap { set.rankedPosition(of: $0.rawValue) }.sorted { $0.position < $1.position }
        }
        guard let positions else {
            return try await bySQL(days) { () async throws(StoreError) in
                try await store.rankPositions(of: players.map(\.rawValue), on: board.id, days: days)
            }
        }
        let summaries = try await summaries.summaries(of: positions.map(\.row.row))
        return zip(positions, summaries).map { position, summary in
            PositionedStanding(
                standing: position.row.standing(summary, lowestFirst: board.lowestFirst),
                rankPosition: RankPosition(position, lowestFirst: board.lowestFirst))
        }
    }
}
