import Contract
import Foundation

/// What the queue does after an answer.
enum Verdict: Sendable, Equatable {
    case settled(Settlement)
    /// The same is sent again, not before the server's time if it named one.
    case again(after: Duration?)
    /// The server has a fault, which may be about this item: the same is sent again, and after ``Limits/faultsMax``
    /// times the item is set aside.
    case fault(after: Duration?)
    /// The receipt says whether it was sent.
    case lookUp
    /// The signature is not good. The key may be an old one: a registration brings the server's, and the same is sent
    /// once more; then it is refused.
    case signAnew(RequestRefusal)
    /// A donation is kept back; posts may pass it.
    case hold(Duration?)
    /// Nothing is sent until the player has signed in again or chosen another name.
    case stop(CauseboardError)
}

/// The rules by which the queue reads answers. They only look at what they are given, and change nothing.
enum SendingRules {
    static func verdict(on outcome: Outcome, of write: PendingWrite) -> Verdict {
        guard case .answer(let answer) = outcome else { return .again(after: nil) }
        if answer.isSuccess {
            // What is no receipt of this very write comes from somebody else, such as a hotel's sign-in page: it is no
            // answer, however often it comes.
            return settlement(answer, of: write).map { .settled($0) } ?? .again(after: nil)
        }
        switch answer.status {
        case 500: return .fault(after: answer.retryAfter)
        case 408, 429, 501...599: return .again(after: answer.retryAfter)
        default: break
        }
        guard let problem = answer.problem else { return .again(after: answer.retryAfter) }
        switch (answer.status, problem.name) {
        case (401, .clockSkew): return .again(after: answer.retryAfter)
        case (401, .badSignature): return .signAnew(RequestRefusal(problem))
        case (401, _), (403, .banned), (409, .labelTaken), (410, _): return .stop(CauseboardError(answer, now: Date()))
        case (409, .idReused): return .lookUp
        // Only donations are kept back; a post that is answered so is refused.
        case (422, .pointsSettling) where !write.isScore: return .hold(answer.retryAfter)
        case (422, .capReached) where !write.isScore:
            guard let againAt = problem.againAt, let date = answer.date else {
                return problem.againAt == nil ? .settled(.refused(RequestRefusal(problem))) : .hold(nil)
            }
            let wait = againAt.microsecondsSince1970 - date.microsecondsSince1970
            return .hold(min(.microseconds(max(0, wait)), Limits.waitMax))
        default: return .settled(.refused(RequestRefusal(problem)))
        }
    }

    /// What a receipt says after 409 `id-reused`: equal points were sent, by this device or by one it was copied from.
    static func verdict(onReceipt outcome: Outcome, of write: PendingWrite) -> Verdict {
        let reused = RequestRefusal(.idReused, "This id was used for something else.", status: 409)
        guard case .answer(let answer) = outcome else { return .again(after: nil) }
        if answer.isSuccess {
            guard answer.decoded(as: AnyPoints.self) != nil else { return .again(after: nil) }
            return .settled(settlement(answer, of: write) ?? .refused(reused))
        }
        guard answer.status == 404, answer.problem != nil else { return verdict(on: outcome, of: write) }
        return .settled(.refused(reused))
    }

    private struct AnyPoints: Decodable { let points: Int64 }

    private static func settlement(_ answer: Answer, of write: PendingWrite) -> Settlement? {
        switch write.kind {
        case .score:
            guard let receipt = answer.decoded(as: ScoreReceipt.self), receipt.points == write.points else {
                return nil
            }
            return .score(receipt)
        case .donation(let charity):
            guard let receipt = answer.decoded(as: DonationReceipt.self), receipt.points == write.points,
                receipt.charity == charity
            else { return nil }
            return .donation(receipt)
        }
    }

    /// What the answer to a registration means to the queue behind it.
    static func verdict(onRegistration outcome: Outcome) -> Verdict {
        guard case .answer(let answer) = outcome else { return .again(after: nil) }
        guard let problem = answer.problem else { return .again(after: answer.retryAfter) }
        switch (answer.status, problem.name) {
        case (408, _), (429, _), (500..., _): return .again(after: answer.retryAfter)
        default: return .stop(CauseboardError(answer, now: Date()))
        }
    }
}

/// How long to wait before the same is sent again: 1 s, doubling to 5 min, with full jitter, so that devices that lost
/// their server together do not come back together.
struct Backoff: Sendable {
    private var attempts = 0
    /// Picks a number from 0 to 1.
    var random: @Sendable () -> Double = { Double.random(in: 0...1) }

    init() {}

    mutating func next() -> Duration {
        let seconds = min(Double(1 << min(attempts, 9)), 300)
        attempts += 1
        return .seconds(seconds * random())
    }

    mutating func reset() { attempts = 0 }

    /// How long to wait by what the server asked for. A time that is over, or none to speak of, is at least a second
    /// and ever more, so that no server makes its clients ask without a pause.
    mutating func next(asked: Duration?) -> Duration {
        guard let asked else { return next() }
        return asked >= .seconds(1) ? asked : .seconds(1) + next()
    }

    /// A time around this one, from half of it to half as much again.
    func spread(_ duration: Duration) -> Duration { .seconds(duration.inSeconds * (0.5 + random())) }
}

/// One try to send an item: the requests that it takes, and what the queue does then.
struct Delivery {
    let session: Session

    func verdict(on write: PendingWrite) async -> Verdict {
        do {
            if let outcome = try await session.ensureRegistered() {
                return SendingRules.verdict(onRegistration: outcome)
            }
            var verdict = await put(write)
            if case .signAnew(let refusal) = verdict {
                if let outcome = try await session.renewSignKey() {
                    return SendingRules.verdict(onRegistration: outcome)
                }
                verdict = await put(write)
                if case .signAnew = verdict { return .settled(.refused(refusal)) }
            }
            guard verdict == .lookUp else { return verdict }
            let receipt = await session.send(Call("GET", write.path), isSigned: false)
            return SendingRules.verdict(onReceipt: receipt, of: write)
        } catch { return .stop(error) }
    }

    private func put(_ write: PendingWrite) async -> Verdict {
        SendingRules.verdict(on: await session.send(write.call, isSigned: write.isScore), of: write)
    }
}
