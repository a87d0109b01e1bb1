import Domain
import Storage

/// Scores and gifts that are committed together, at most one of each caller.
struct IntakeBatch: Sendable {
    let seats: [IntakeSeat]
    private let scoreSeats: [IntakeSeat.Waiting<NewScore, ScoreReceipt>]
    private let giftSeats: [IntakeSeat.Waiting<NewGift, GiftReceipt>]

    init(_ seats: [IntakeSeat]) {
        self.seats = seats
        scoreSeats = seats.compactMap { if case .score(let waiting) = $0 { waiting } else { nil } }
        giftSeats = seats.compactMap { if case .gift(let waiting) = $0 { waiting } else { nil } }
    }

    var scores: [NewScore] { scoreSeats.map(\.row) }
    var gifts: [NewGift] { giftSeats.map(\.row) }

    /// The first half of the rows, and the second.
    var halves: (IntakeBatch, IntakeBatch) {
        let middle = seats.count / 2
        return (IntakeBatch(Array(seats[..<middle])), IntakeBatch(Array(seats[middle...])))
    }

    func fail(_ error: StoreError) {
        for seat in seats { seat.fail(error) }
    }

    /// Rows that were not judged yet.
    func later(_ scores: [ScoreReceipt], _ gifts: [GiftReceipt]) -> [IntakeSeat] {
        zip(scoreSeats, scores).compactMap { $1.outcome == .later ? .score($0) : nil }
            + zip(giftSeats, gifts).compactMap { $1.outcome == .later ? .gift($0) : nil }
    }

    /// Tells those whose rows were judged.
    func answer(_ scores: [ScoreReceipt], _ gifts: [GiftReceipt]) {
        for (waiting, receipt) in zip(scoreSeats, scores) where receipt.outcome != .later {
            waiting.answer.resume(returning: .success(receipt))
        }
        for (waiting, receipt) in zip(giftSeats, gifts) where receipt.outcome != .later {
            waiting.answer.resume(returning: .success(receipt))
        }
    }
}
