package import Domain
package import Storage

// What tests ask most, in short.
extension Store {
    /// The first rows of a board.
    package func top(of board: Board, days: ClosedRange<Day>?, limitRows: Int) async throws(StoreError) -> [Standing] {
        try await page(of: board.id, days: days, cut: .top, limitRows: limitRows).rows
    }

    /// A player's displayed rank, all time of the season; nil without a row.
    package func findRank(of player: Player.ID, on board: Board) async throws(StoreError) -> Int64? {
        try await places(of: [player.rawValue], on: board.id, days: nil).first?.rank(board.ties).number
    }
}
