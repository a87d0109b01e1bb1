import Domain
import Storage

/// A score or a gift on its way to the books, and who waits to hear what became of it.
enum IntakeSeat: Sendable {
    case score(Waiting<NewScore, ScoreReceipt>)
    case gift(Waiting<NewGift, GiftReceipt>)

    struct Waiting<Row: Sendable, Receipt: Sendable>: Sendable {
        let row: Row
        let cameAt: ContinuousClock.Instant
        let answer: CheckedContinuation<Result<Receipt, StoreError>, Never>
    }

    var caller: Caller {
        switch self {
        case .score(let waiting): waiting.row.caller
        case .gift(let waiting): waiting.row.caller
        }
    }

    var cameAt: ContinuousClock.Instant {
        switch self {
        case .score(let waiting): waiting.cameAt
        case .gift(let waiting): waiting.cameAt
        }
    }

    func fail(_ error: StoreError) {
        switch self {
        case .score(let waiting): waiting.answer.resume(returning: .failure(error))
        case .gift(let waiting): waiting.answer.resume(returning: .failure(error))
        }
    }
}
