import Domain
import Storage

/// Scores and donations that are committed together, at most one of each caller.
struct WriteBatch: Sendable {
    let seats: [PendingWrite]
    private let scoreSeats: [PendingWrite.Waiting<NewScore, ScoreReceipt>]
    private let donationSeats: [PendingWrite.Waiting<NewDonation, DonationReceipt>]

    init(_ seats: [PendingWrite]) {
        self.seats = seats
        scoreSeats = seats.compactMap { if case .score(let waiting) = $0 { waiting } else { nil } }
        donationSeats = seats.compactMap { if case .donation(let waiting) = $0 { waiting } else { nil } }
    }

    var scores: [NewScore] { scoreSeats.map(\.row) }
    var donations: [NewDonation] { donationSeats.map(\.row) }

    /// The first half of the rows, and the second.
    var halves: (WriteBatch, WriteBatch) {
        let middle = seats.count / 2
        return (WriteBatch(Array(seats[..<middle])), WriteBatch(Array(seats[middle...])))
    }

    func fail(_ error: StoreError) {
        for seat in seats { seat.fail(error) }
    }

    /// Rows that were not judged yet.
    func later(_ scores: [ScoreReceipt], _ donations: [DonationReceipt]) -> [PendingWrite] {
        zip(scoreSeats, scores).compactMap { $1.outcome == .later ? .score($0) : nil }
            + zip(donationSeats, donations).compactMap { $1.outcome == .later ? .donation($0) : nil }
    }

    /// Tells those whose rows were judged.
    func answer(_ scores: [ScoreReceipt], _ donations: [DonationReceipt]) {
        for (waiting, receipt) in zip(scoreSeats, scores) where receipt.outcome != .later {
            waiting.answer.resume(returning: .success(receipt))
        }
        for (waiting, receipt) in zip(donationSeats, donations) where receipt.outcome != .later {
            waiting.answer.resume(returning: .success(receipt))
        }
    }
}

/// A score or a donation on its way to the books, and who waits to hear what became of it.
enum PendingWrite: Sendable {
    case score(Waiting<NewScore, ScoreReceipt>)
    case donation(Waiting<NewDonation, DonationReceipt>)

    struct Waiting<Row: Sendable, Receipt: Sendable>: Sendable {
        let row: Row
        let cameAt: ContinuousClock.Instant
        let answer: CheckedContinuation<Result<Receipt, StoreError>, Never>
    }

    var caller: Caller {
        switch self {
        case .score(let waiting): waiting.row.caller
        case .donation(let waiting): waiting.row.caller
        }
    }

    var cameAt: ContinuousClock.Instant {
        switch self {
        case .score(let waiting): waiting.cameAt
        case .donation(let waiting): waiting.cameAt
        }
    }

    func fail(_ error: StoreError) {
        switch self {
        case .score(let waiting): waiting.answer.resume(returning: .failure(error))
        case .donation(let waiting): waiting.answer.resume(returning: .failure(error))
        }
    }
}
