import Domain

@testable import Leaderboard

/// A write that tests of the queue tell by its number.
struct NumberedWrite: QueuedWrite, Hashable {
    /// The origin of the tests' times. Its value means nothing.
    static let epoch = ContinuousClock.now

    let number: Int
    let caller: Caller
    let arrivedAt: ContinuousClock.Instant
    let bytesCount: Int

    init(_ number: Int, of caller: Int64, at milliseconds: Int64, bytes: Int = 1) {
        self.number = number
        self.caller = .player(Player.ID(rawValue: caller))
        arrivedAt = Self.epoch + .milliseconds(milliseconds)
        bytesCount = bytes
    }
}

/// The queue's functions with numbers and milliseconds in place of writes and instants.
extension WriteQueue<NumberedWrite> {
    mutating func add(_ number: Int, of caller: Int64, at milliseconds: Int64 = 0, bytes: Int = 1) throws {
        try add(NumberedWrite(number, of: caller, at: milliseconds, bytes: bytes))
    }

    /// Whether a write would be admitted; nothing is added.
    func admits(of caller: Int64, at milliseconds: Int64 = 0) -> Bool {
        var copy = self
        return (try? copy.add(0, of: caller, at: milliseconds)) != nil
    }

    /// The writes of the next batch; nil when there is nothing to commit.
    mutating func batch(at milliseconds: Int64 = 0) -> [NumberedWrite]? {
        let turn = nextTurn(now: NumberedWrite.epoch + .milliseconds(milliseconds))
        return if case .commit(let writes) = turn { writes } else { nil }
    }

    /// The numbers of the next batch's writes; nil when there is nothing to commit.
    mutating func numbers(at milliseconds: Int64 = 0) -> [Int]? { batch(at: milliseconds)?.map(\.number) }

    /// Puts off writes of the last batch, and returns the numbers of those that have waited for too long.
    mutating func postpone(_ writes: [NumberedWrite]?, at milliseconds: Int64, isStopping: Bool = false) -> [Int] {
        let now = NumberedWrite.epoch + .milliseconds(milliseconds)
        return postpone(writes ?? [], now: now, isStopping: isStopping).map(\.number)
    }
}
