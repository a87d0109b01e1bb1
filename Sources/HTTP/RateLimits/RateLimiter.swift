import Domain
package import HTTPServer
import NIOCore
import Synchronization

/// What an operator sets about the limits of rates.
package struct RateSettings: Sendable {
    /// Whether rates are limited at all.
    package var areOn = true
    /// Rates instead of the standard ones.
    package var rates: [RateLimit: Rate] = [:]
    /// Networks that `address-*` does not count, such as a hall behind one address.
    package var eventNetworks: [IPNetwork] = []

    package init() {}

    package static let off: RateSettings = {
        var settings = RateSettings()
        settings.areOn = false
        return settings
    }()
}

/// The subject of a count: an address, with every block that contains it, or one bucket.
protocol RateSubject: Sendable {
    func take(_ count: Int, of buckets: TokenBuckets, at now: UInt64) -> UInt64?
    func giveBack(_ count: Int, to buckets: TokenBuckets)
}

extension BucketKey: RateSubject {
    func take(_ count: Int, of buckets: TokenBuckets, at now: UInt64) -> UInt64? {
        buckets.take(self, count: count, at: now)
    }

    func giveBack(_ count: Int, to buckets: TokenBuckets) { buckets.giveBack(self, count: count) }
}

extension IPAddress: RateSubject {
    func take(_ count: Int, of buckets: TokenBuckets, at now: UInt64) -> UInt64? {
        buckets.take(self, count: count, at: now)
    }

    func giveBack(_ count: Int, to buckets: TokenBuckets) { buckets.giveBack(self, count: count) }
}

/// Counts what callers do, in this process alone, and says when they do it too often.
package final class RateLimiter: Sendable {
    private final class Counter: Sendable {
        let buckets: TokenBuckets
        let refusals = Atomic<Int>(0)

        init(_ rate: Rate) { buckets = TokenBuckets(rate) }
    }

    package let isOn: Bool
    /// One for each limit, in the order of its raw values.
    private let counters: [Counter]
    private let knownKeys = KnownKeys()
    /// Addresses that tried wrong codes within the last hour.
    private let guessers = Rate(Limits.guessesBeyondGame, per: .hour, burst: Limits.guessesBeyondGame).map {
        TokenBuckets($0)
    }
    /// What one block of addresses has used up of a game's `game-failed-codes`.
    private let guessShares: TokenBuckets?
    private let eventNetworks: [IPNetwork]
    /// Monotonic nanoseconds.
    private let now: @Sendable () -> UInt64

    package init(
        _ settings: RateSettings = RateSettings(),
        now: @escaping @Sendable () -> UInt64 = { NIODeadline.now().uptimeNanoseconds }
    ) {
        isOn = settings.areOn
        counters = RateLimit.allCases.map { Counter(settings.rates[$0] ?? $0.standard) }
        let game = settings.rates[.gameFailedCodes] ?? RateLimit.gameFailedCodes.standard
        func share(_ count: Int) -> Int { max(1, count / Limits.guessSharesOfGame) }
        guessShares = Rate(share(game.count), per: game.unit, burst: share(game.burst)).map { TokenBuckets($0) }
        eventNetworks = settings.eventNetworks
        self.now = now
    }

    /// Whether an address is in a network of an event, which lifts `address-*`.
    func isEvent(_ address: IPAddress) -> Bool {
        !eventNetworks.isEmpty && eventNetworks.contains { $0.contains(address) }
    }

    /// Counts one request, or a number of bytes.
    /// - Throws: 429 when there are too many; then nothing is counted but the refusal.
    func count(_ subject: some RateSubject, _ count: Int = 1, in limit: RateLimit) throws(Problem) {
        if let wait = take(subject, count, of: limit) { throw refusal(limit, after: wait) }
    }

    /// The same, but the caller decides what a refusal means.
    /// - Returns: Nil when it was counted, else the nanoseconds to wait for it.
    func take(_ subject: some RateSubject, _ count: Int = 1, of limit: RateLimit) -> UInt64? {
        subject.take(count, of: counters[limit.rawValue].buckets, at: now())
    }

    /// Undoes what ``take(_:_:of:)`` or ``count(_:_:in:)`` counted.
    func giveBack(_ subject: some RateSubject, _ count: Int = 1, to limit: RateLimit) {
        subject.giveBack(count, to: counters[limit.rawValue].buckets)
    }

    /// The problem of a request over a limit, which the metrics count.
    /// - Parameter wait: Nanoseconds until it would pass.
    func refusal(_ limit: RateLimit, after wait: UInt64) -> Problem {
        counters[limit.rawValue].refusals.wrappingAdd(1, ordering: .relaxed)
        return Problem(ExceededLimit(limit, wait: wait))
    }

    /// The refusal of a caller whose bucket is empty, for one who is refused for something else that it must not learn.
    func refusal(asIfOver limit: RateLimit) -> Problem {
        refusal(limit, after: counters[limit.rawValue].buckets.rate.interval)
    }

    /// The requests that were refused since the start of the process.
    var refusals: [(limit: RateLimit, count: Int)] {
        RateLimit.allCases.map { ($0, counters[$0.rawValue].refusals.load(ordering: .relaxed)) }
    }
}

// MARK: - Codes that may be guessed

extension RateLimiter {
    /// Takes a guess from the limit of a game, and from the share that the address's largest block has of it.
    /// - Returns: Whether both had one; else neither has lost any.
    func takeGuess(in game: Slug, from address: IPAddress) -> Bool {
        let share = BucketKey(game, from: address)
        guard guessShares?.take(share, at: now()) == nil else { return false }
        if take(BucketKey(game), of: .gameFailedCodes) == nil { return true }
        guessShares?.giveBack(share)
        return false
    }

    /// Returns a guess that ``takeGuess(in:from:)`` took.
    func giveBackGuess(in game: Slug, from address: IPAddress) {
        giveBack(BucketKey(game), to: .gameFailedCodes)
        guessShares?.giveBack(BucketKey(game, from: address))
    }

    /// Records that an address tries a code.
    /// - Returns: Nil if it tried fewer than ``Limits/guessesBeyondGame`` wrong ones within the last hour, else the
    ///   nanoseconds until it may try one.
    func noteGuess(of address: IPAddress) -> UInt64? { guessers?.take(address, at: now()) }

    /// Removes a guess that ``noteGuess(of:)`` recorded.
    func forgetGuess(of address: IPAddress) { guessers?.giveBack(address) }
}

// MARK: - Keys of games and of operators

extension RateLimiter {
    func isKnown(_ key: TokenHash) -> Bool { knownKeys.contains(BucketKey(key), at: now()) }

    func remember(_ key: TokenHash) { knownKeys.insert(BucketKey(key), at: now()) }

    func forget(_ key: TokenHash) { knownKeys.remove(BucketKey(key)) }
}

/// The keys of games and of operators that the database has confirmed not long ago. Only good keys come in, so
/// strangers cannot fill it.
final class KnownKeys: Sendable {
    private let keys = Mutex<[BucketKey: UInt64]>([:])

    /// - Parameter now: Monotonic nanoseconds.
    func contains(_ key: BucketKey, at now: UInt64) -> Bool {
        keys.withLock { keys in
            guard let knownUntil = keys[key] else { return false }
            return now < knownUntil
        }
    }

    /// Remembers a key that the database has just confirmed. One more than ``Limits/knownKeysMax`` drops the others,
    /// which are confirmed again with their next request.
    func insert(_ key: BucketKey, at now: UInt64) {
        keys.withLock { keys in
            if keys[key] == nil, keys.count >= Limits.knownKeysMax { keys.removeAll(keepingCapacity: true) }
            keys[key] = now &+ UInt64(Limits.knownKeySeconds) * Rate.Unit.second.nanoseconds
        }
    }

    func remove(_ key: BucketKey) { keys.withLock { _ = $0.removeValue(forKey: key) } }

    var count: Int { keys.withLock { $0.count } }
}
