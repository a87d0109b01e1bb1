import Domain
import TestDice
import Testing

@testable import HTTP
@testable import HTTPServer

@Suite("token buckets") struct TokenBucketsTests {
    /// A bucket as one thinks of it: a level that time fills, in nanoseconds of filling.
    private struct Model {
        let rate: Rate
        var level: UInt64
        var seenAt: UInt64

        init(_ rate: Rate, at now: UInt64) { (self.rate, level, seenAt) = (rate, rate.fillTime, now) }

        mutating func fill(until now: UInt64) {
            level = min(rate.fillTime, level + (now - seenAt))
            seenAt = now
        }

        /// - Returns: The nanoseconds to wait; nil when there was a token.
        mutating func take(_ count: Int, at now: UInt64) -> UInt64? {
            fill(until: now)
            let time = rate.interval * UInt64(count)
            guard level >= time else { return time - level }
            level -= time
            return nil
        }

        mutating func giveBack(_ count: Int, at now: UInt64) {
            fill(until: now)
            level = min(rate.fillTime, level + rate.interval * UInt64(count))
        }
    }

    @Test("buckets grant, refuse and tell to wait exactly as a level that time fills", arguments: Dice.seeds(1...20))
    func model(seed: UInt64) throws {
        var dice = Dice(seed: seed)
        let rates = ["1/s:1", "3/s:2", "60/min:5", "7/min:3", "20/h:20", "3/day:3", "1000000/s:9", "999983/s:1000"]
        let rate = try #require(Rate(rates[Int.random(in: rates.indices, using: &dice)]))
        let buckets = TokenBuckets(rate)
        var now = UInt64.random(in: 0...1 << 60, using: &dice)
        let keys = (0..<4).map { Self.key($0) }
        var models = keys.map { _ in Model(rate, at: now) }
        for _ in 0..<4_000 {
            let longest: [UInt64] = [1, rate.interval / 3, rate.interval, rate.fillTime * 2]
            now += UInt64.random(in: 0...longest[Int.random(in: longest.indices, using: &dice)], using: &dice)
            let index = Int.random(in: keys.indices, using: &dice)
            let count = Bool.random(using: &dice) ? 1 : Int.random(in: 1...rate.burst, using: &dice)
            if Int.random(in: 0..<10, using: &dice) == 0 {
                buckets.giveBack(keys[index], count: count)
                models[index].giveBack(count, at: now)
            } else {
                #expect(buckets.take(keys[index], count: count, at: now) == models[index].take(count, at: now))
            }
        }
    }

    @Test("in no stretch of time more pass than the burst and what the rate adds", arguments: Dice.seeds(1...10))
    func windows(seed: UInt64) throws {
        var dice = Dice(seed: seed)
        let rate = try #require(
            Rate(Int.random(in: 1...1_000, using: &dice), per: .minute, burst: Int.random(in: 1...20, using: &dice)))
        let buckets = TokenBuckets(rate)
        var now: UInt64 = 5_000_000_000
        var granted: [UInt64] = []
        for _ in 0..<1_500 {
            now += UInt64.random(in: 0...rate.interval, using: &dice)
            if buckets.take(Self.key(1), at: now) == nil { granted.append(now) }
        }
        try #require(granted.count > rate.burst)
        for first in granted.indices {
            for last in first..<min(first + 200, granted.count) {
                let passed = (granted[last] - granted[first]) * UInt64(rate.count) / Rate.Unit.minute.nanoseconds
                #expect(UInt64(last - first + 1) <= UInt64(rate.burst) + passed)
            }
        }
    }

    @Test("a full bucket grants more than it holds, and then nothing until it has refilled") func moreThanTheBurst()
        throws
    {
        let rate = try #require(Rate("10/s:20"))
        let buckets = TokenBuckets(rate)
        let (now, second): (UInt64, UInt64) = (5_000_000_000, 1_000_000_000)
        #expect(buckets.take(Self.key(1), count: 1, at: now) == nil)
        #expect(buckets.take(Self.key(1), count: 100, at: now) == rate.interval, "it waits until the bucket is full")
        #expect(buckets.take(Self.key(1), count: 100, at: now + rate.interval) == nil)
        let emptyUntil = now + rate.interval + 8 * second
        #expect(buckets.take(Self.key(1), at: emptyUntil) == rate.interval)
        #expect(buckets.take(Self.key(1), at: emptyUntil + rate.interval) == nil)
        buckets.giveBack(Self.key(1), count: 100)
        #expect(buckets.take(Self.key(1), count: 20, at: emptyUntil + rate.interval) == nil)
    }

    @Test("no count traps, and none empties a bucket for longer than the slowest rate fills it") func hugeCounts()
        throws
    {
        for text in ["1/day:1", "1000000/s:1000000", "3600000000/h:1073741824"] {
            let rate = try #require(Rate(text))
            let buckets = TokenBuckets(rate)
            let now: UInt64 = 1 << 60
            #expect(buckets.take(Self.key(1), count: 0, at: now) == nil)
            #expect(buckets.take(Self.key(1), count: .min, at: now) == nil)
            #expect(buckets.take(Self.key(1), count: .max, at: now) == nil)
            let wait = try #require(buckets.take(Self.key(1), count: .max, at: now))
            #expect(wait <= UInt64(Limits.rateFillDaysMax) * 86_400_000_000_000, "\(text)")
            #expect(ExceededLimit(.addressStoredBytes, wait: wait).seconds > 0)
            buckets.giveBack(Self.key(1), count: .max)
            buckets.giveBack(Self.key(1), count: .max)
            buckets.giveBack(Self.key(1), count: .min)
            #expect(buckets.take(Self.key(1), count: 1, at: now) == nil)
        }
    }

    @Test("who waits for as long as Retry-After says passes, and who comes a second earlier does not") func retryAfter()
        throws
    {
        for text in ["60/min:3", "7/min:1", "20/h:20", "3/day:3", "10/s:5"] {
            let rate = try #require(Rate(text))
            let buckets = TokenBuckets(rate)
            let now: UInt64 = 123_456_789
            for _ in 0..<rate.burst { #expect(buckets.take(Self.key(1), at: now) == nil) }
            let wait = try #require(buckets.take(Self.key(1), at: now))
            let seconds = UInt64(ExceededLimit(.addressReads, wait: wait).seconds)
            #expect(seconds >= 1)
            if seconds > 1 {
                #expect(buckets.take(Self.key(1), at: now + (seconds - 1) * 1_000_000_000) != nil, "\(text)")
            }
            #expect(buckets.take(Self.key(1), at: now + seconds * 1_000_000_000) == nil, "\(text)")
        }
    }

    @Test("a flood of strangers neither frees who has spent much, nor shuts anybody out") func eviction() throws {
        let rate = try #require(Rate("1/min:10"))
        let buckets = TokenBuckets(rate, bucketsMax: 256)
        let now: UInt64 = 1_000
        let heavy = (0..<10).map { Self.key($0) }
        for key in heavy { for _ in 0..<10 { #expect(buckets.take(key, at: now) == nil) } }
        for stranger in 1_000..<21_000 { #expect(buckets.take(Self.key(stranger), at: now) == nil) }
        for key in heavy { #expect(buckets.take(key, at: now) != nil, "it has spent its burst, and is still known") }
    }

    @Test("a bucket that is full again gives its place away, before any other one") func full() throws {
        let rate = try #require(Rate("1/s:2"))
        let buckets = TokenBuckets(rate, bucketsMax: 256)
        let minute: UInt64 = 60_000_000_000
        for stranger in 0..<256 { _ = buckets.take(Self.key(stranger), at: 1) }
        let key = Self.key(1_000)
        #expect(buckets.take(key, at: minute) == nil)
        #expect(buckets.take(key, at: minute) == nil)
        // At most fifteen more fit beside it in its set, wherever they fall.
        for stranger in 2_000..<2_015 { #expect(buckets.take(Self.key(stranger), at: minute) == nil) }
        #expect(buckets.take(key, at: minute) != nil)
    }

    @Test("a clock that another thread has read earlier neither traps nor fills") func earlier() throws {
        let buckets = TokenBuckets(try #require(Rate("1/s:1")))
        #expect(buckets.take(Self.key(1), at: 5_000_000_000) == nil)
        #expect(buckets.take(Self.key(1), at: 4_999_999_999) == 1_000_000_001)
        #expect(buckets.take(Self.key(1), at: 0) == 6_000_000_000)
        buckets.giveBack(Self.key(2))
    }

    @Test("a /56 has 8 times the rate of one address, a /48 has 32 times, and a refusal takes nothing") func blocks()
        throws
    {
        let rate = try #require(Rate("60/min:3"))
        func address(_ network: Int) throws -> IPAddress {
            try #require(IPAddress("2001:db8:0:\(String(network, radix: 16))::1"))
        }
        func taken(_ networks: some Sequence<Int>, _ buckets: TokenBuckets, at now: UInt64) throws -> Int {
            try networks.filter { try buckets.take(address($0), at: now) == nil }.count
        }
        for (networks, factor) in [(Array(0..<256), 8), (Array(stride(from: 0, to: 65_536, by: 256)), 32)] {
            let buckets = TokenBuckets(rate)
            #expect(try taken(networks, buckets, at: 0) == 3 * factor)
            #expect(try taken(networks.reversed(), buckets, at: 0) == 0)
            buckets.giveBack(try address(networks[0]))
            #expect(try taken(networks.reversed(), buckets, at: 0) == 1)
            #expect(try taken(networks, buckets, at: 1_000_000_000) == factor)
        }
        let buckets = TokenBuckets(rate)
        #expect(try taken(Array(repeating: 7, count: 9), buckets, at: 0) == 3)
        #expect(try taken([8, 7, 7], buckets, at: 1_000_000_000) == 2)
        // A network that is refused for its neighbours has all of its own still.
        let shared = TokenBuckets(rate)
        #expect(try taken((0..<24).map { $0 / 3 }, shared, at: 0) == 24)
        #expect(try taken([9, 9, 9], shared, at: 0) == 0)
        #expect(try taken([9, 9, 9], shared, at: 1_000_000_000) == 3)
        // IPv4 addresses are counted one by one.
        let v4 = try (1...100).map { try #require(IPAddress("192.0.2.\($0)")) }
        #expect(v4.allSatisfy { buckets.take($0, at: 0) == nil })
    }

    @Test("addresses, tokens and devices have buckets of their own") func keys() throws {
        let v4 = try #require(IPAddress("0.0.0.6"))
        let v6 = try #require(IPAddress("0:0:0:6::1"))
        let device = DeviceHash(bytes: Array(repeating: 7, count: 32))
        let keys = [
            BucketKey(AddressBlock(v4)), BucketKey(AddressBlock(v6)),
            BucketKey(TokenHash(bytes: Array(repeating: 7, count: 32))), BucketKey(device, from: v4),
            BucketKey(device, from: v6), BucketKey(TokenHash(bytes: [])), BucketKey(AddressBlock(v6, level: 1)),
            BucketKey(AddressBlock(v6, level: 2)),
        ]
        #expect(Set(keys).count == keys.count)
        #expect(BucketKey(device, from: nil) == keys[2], "the limits of players have no bucket of both kinds")
    }

    private static func key(_ number: Int) -> BucketKey {
        BucketKey(TokenHash(bytes: (0..<16).map { UInt8(truncatingIfNeeded: number >> (8 * min($0, 7))) }))
    }
}
