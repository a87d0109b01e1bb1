import Domain
import Synchronization

/// Whom a bucket belongs to: 128 bits, which are an address, or the first half of a SHA-256 or of a keyed hash.
package struct BucketKey: Hashable, Sendable {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    /// - Parameter block: Its first 64 bits, its size and its family identify it.
    package init(_ block: AddressBlock) {
        switch block.base.family {
        case .v4: self.init(high: 4, low: block.base.low)
        case .v6: self.init(high: 6 | UInt64(block.bitsCount) << 8, low: block.base.high)
        }
    }
}

/// The token buckets of one limit, at most ``Limits/rateBucketsMax``.
///
/// A bucket is one number: the time at which it will be full again. Taking a token moves that time by the rate's
/// interval, and a token is there as long as that stays within the time that filling takes. This is the generic cell
/// rate algorithm (ITU-T I.371, annex A), which grants exactly what a bucket does that is filled continuously. A bucket
/// that is full again says nothing about its owner, so its place is free.
///
/// Buckets are kept in sets of sixteen. A seeded hash names the set of a key, so nobody can choose whom to share one
/// with. When a new key finds its set without a free place, it takes that of the bucket that is full the soonest. So:
///
/// - Nobody is shut out: a new key is always granted its first token.
/// - Somebody who has spent much is not forgotten for strangers who have spent little: a bucket can be lost only when
///   fifteen others of its set have spent as much or more, in time. Whoever owns the addresses to do that across the
///   table was owed their bursts anyway.
///
/// Nothing is allocated but a shard at its first use: 24 bytes a bucket, 2.4 MB a limit in all.
package final class TokenBuckets: Sendable {
    /// Buckets of one set, which lie side by side in memory.
    static let waysCount = 16
    /// Parts with a lock of their own.
    private static let shardsCount = 16

    private struct Bucket {
        var high: UInt64 = 0
        var low: UInt64 = 0
        /// When it is full, in monotonic nanoseconds. An unused place was full at 0.
        var fullAt: UInt64 = 0
    }

    private final class Shard: Sendable { let buckets = Mutex<[Bucket]>([]) }

    private let shards = (0..<shardsCount).map { _ in Shard() }
    package let rate: Rate
    /// Sets of each shard.
    private let setsCount: Int

    /// - Parameter bucketsMax: At least 256; it is rounded down to whole sets.
    package init(_ rate: Rate, bucketsMax: Int = Limits.rateBucketsMax) {
        self.rate = rate
        setsCount = max(1, bucketsMax / (Self.shardsCount * Self.waysCount))
    }

    /// Takes tokens from a key's bucket, or none if there are too few.
    ///
    /// A full bucket grants even more tokens than it holds. It then takes longer to fill, so the rate still holds, and
    /// a low burst makes no request impossible.
    /// - Parameters:
    ///   - count: 0 takes nothing.
    ///   - factor: The bucket's multiple of the rate. One token then counts as 1/factor, so buckets of all sizes fill
    ///     in the same time.
    ///   - now: Monotonic nanoseconds.
    /// - Returns: Nil if they were taken, else the nanoseconds until they will be available.
    package func take(_ key: BucketKey, count: Int = 1, factor: Int = 1, at now: UInt64) -> UInt64? {
        guard count > 0 else { return nil }
        let time = rate.time(of: count, factor: factor)
        return inSet(of: key) { buckets, set in
            var place = set.lowerBound
            var known: UInt64 = 0
            for index in set {
                let bucket = buckets[index]
                if bucket.high == key.high, bucket.low == key.low {
                    (place, known) = (index, bucket.fullAt)
                    break
                }
                if bucket.fullAt < buckets[place].fullAt { place = index }
            }
            let start = max(known, now)
            let wait = (start &- now) &+ min(time, rate.fillTime)
            guard wait <= rate.fillTime else { return wait &- rate.fillTime }
            buckets[place] = Bucket(high: key.high, low: key.low, fullAt: start &+ time)
            return nil
        }
    }

    /// Returns tokens. A bucket that was removed or has refilled meanwhile stays as it is.
    package func giveBack(_ key: BucketKey, count: Int = 1, factor: Int = 1) {
        let time = rate.time(of: count, factor: factor)
        inSet(of: key) { buckets, set in
            for index in set where buckets[index].high == key.high && buckets[index].low == key.low {
                buckets[index].fullAt -= min(time, buckets[index].fullAt)
            }
        }
    }

    /// Takes tokens of every block that contains the address, or of none.
    /// - Returns: Nil when they were taken, else the nanoseconds to wait.
    package func take(_ address: IPAddress, count: Int = 1, at now: UInt64) -> UInt64? {
        for level in 0..<AddressBlock.count(of: address) {
            let block = AddressBlock(address, level: level)
            guard let wait = take(BucketKey(block), count: count, factor: block.factor, at: now) else { continue }
            for taken in address.blocks.prefix(level) { giveBack(BucketKey(taken), count: count, factor: taken.factor) }
            return wait
        }
        return nil
    }

    /// Returns what ``take(_:count:at:)`` took for an address.
    package func giveBack(_ address: IPAddress, count: Int = 1) {
        for block in address.blocks { giveBack(BucketKey(block), count: count, factor: block.factor) }
    }

    private func inSet<Result>(of key: BucketKey, _ body: (inout [Bucket], Range<Int>) -> Result) -> Result {
        // The standard library seeds its hashes anew in each process.
        let hash = UInt64(truncatingIfNeeded: key.hashValue)
        let shard = shards[Int(hash % UInt64(Self.shardsCount))]
        let set = Int(hash.multipliedFullWidth(by: UInt64(setsCount)).high)
        let start = set * Self.waysCount
        return shard.buckets.withLock { buckets in
            if buckets.isEmpty { buckets = Array(repeating: Bucket(), count: setsCount * Self.waysCount) }
            return body(&buckets, start..<start + Self.waysCount)
        }
    }
}
