package import Domain
package import Storage

/// How many stand on a board: counting takes a look at every row, so those who ask at the same time share one count.
package struct BoardSizes: Sendable {
    private let store: Store
    private let reads = SharedReads<Int64>()

    package init(store: Store) {
        self.store = store
    }

    /// - Parameter days: Nil for all time of the season.
    package func size(of board: Board.ID, days: ClosedRange<Day>?) async throws -> Int64 {
        let span = days.map { "\($0.lowerBound.daysSince1970) \($0.upperBound.daysSince1970)" } ?? "all"
        return try await reads.value(for: "\(board.rawValue) \(span)") { try await store.size(of: board, days: days) }
    }
}
