import Domain
import OrderStatistics
import Storage

/// The numbers of ranked rows. While a board is not in memory its number comes from a count that reads every row, so
/// concurrent callers share it.
struct BoardSizes: Sendable {
    private let store: Store
    private let standings: InMemoryStandings
    private let reads = SingleFlight<Int64>()

    init(store: Store, standings: InMemoryStandings) {
        self.store = store
        self.standings = standings
    }

    /// - Parameter days: Nil for all time of the season.
    func size(of board: Board, days: ClosedRange<Day>?) async throws -> Int64 {
        if let count = standings.read(board, days: days, { set, _ in set.count }) { return Int64(count) }
        return try await count(board.id, days: days)
    }

    /// Counts with SQL.
    /// - Parameter days: Nil for all time of the season.
    func count(_ board: Board.ID, days: ClosedRange<Day>? = nil) async throws -> Int64 {
        let span = days.map { "\($0.lowerBound.daysSince1970) \($0.upperBound.daysSince1970)" } ?? "all"
        return try await reads.value(for: "\(board.rawValue) \(span)") { try await store.size(of: board, days: days) }
    }
}
