import Domain
import Storage

/// Who reads the details in a ranking.
enum DetailReaders {
    case everybody
    /// A player whose own row stands where its held scores count.
    case own(Player.ID)
}

// The details that came with the scores behind rows. Memory has none of them, so SQL is asked about the rows of a page.
extension Rankings {
    /// Adds details to rows, from the first one on, as far as `Limits.detailsOfPageBytesMax` allows.
    /// - Returns: Whether a row's score was not found. The stream brings a commit a moment before SQL shows it.
    func addDetails(to rows: inout [Standing], of board: Board, for readers: DetailReaders) async throws(StoreError)
        -> Bool
    {
        guard board.details == .public else { return false }
        let named = rows.filter { $0.player != nil }
        if named.isEmpty { return false }
        let asking: Player.ID? = if case .own(let player) = readers { player } else { nil }
        let details = try await store.details(of: named, on: board.id, asking: asking)
        var bytesLeft = Limits.detailsOfPageBytesMax
        for index in rows.indices where rows[index].player != nil {
            guard let detail = details[rows[index].sortKey.row] ?? nil else { continue }
            bytesLeft -= detail.utf8.count
            if bytesLeft < 0 { break }
            rows[index].detail = detail
        }
        return details.count < named.count
    }
}
