import Concurrency
import Domain
import OrderStatistics
import Storage

/// The numbers of ranked rows. While a board is not in memory its number comes from a count that reads every row, so
/// concurrent callers share it.
struct BoardSizes: Sendable {
    private let store: Store
    private let standings: InMemoryStandings
    private let ranges: FairGate<ClientKey>
    private let reads = SingleFlight<Int64>()

    /// - Parameter ranges: Bounds how many windows are counted at the same time.
    init(store: Store, standings: InMemoryStandings, ranges: FairGate<ClientKey>) {
        self.store = store
        self.standings = standings
        self.ranges = ranges
    }

    /// - Parameter days: Nil for all time of the season.
    func size(of board: Board, days: ClosedRange<Day>?) async throws -> Int64 {
        if let count = standings.readAlong(board, days: days, { set, _ in set.count }) { return Int64(count) }
        return try await count(board.id, days: days)
    }

    /// How many of the rows of a donation board are anonymous donations.
    func anonymousSize(of board: Board, days: ClosedRange<Day>?) async throws -> Int64 {
        if let count = standings.readAlong(board, days: days, { set, _ in set.negativeCount }) { return Int64(count) }
        let range = days.map { "\($0.lowerBound.daysSince1970) \($0.upperBound.daysSince1970)" } ?? "all"
        return try await reads.value(for: "\(board.id.rawValue) anonymous \(range)") {
            guard days != nil else { return try await store.anonymousSize(of: board.id, days: nil) }
            return try await ranges.run { () async throws(StoreError) in
                try await store.anonymousSize(of: board.id, days: days)
            }
        }
    }

    /// Counts with SQL.
    /// - Parameter days: Nil for all time of the season.
    func count(_ board: Board.ID, days: ClosedRange<Day>? = nil) async throws -> Int64 {
        guard let days else {
            return try await reads.value(for: "\(board.rawValue) all") { try await store.size(of: board, days: nil) }
        }
        return try await reads.value(
            for: "\(board.rawValue) \(days.lowerBound.daysSince1970) \(days.upperBound.daysSince1970)"
        ) { try await ranges.run { () async throws(StoreError) in try await store.size(of: board, days: days) } }
    }
}
