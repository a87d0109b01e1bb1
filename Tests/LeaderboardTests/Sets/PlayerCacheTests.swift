import Domain
import Storage
import Testing

@testable import Leaderboard

@Suite struct PlayerCacheTests {
    private static let ada = Player.ID(rawValue: 1)

    /// A cache, and how often it has read.
    private final class Reads {
        let cache: PlayerCache<MemberSet>
        var count = 0

        init(bytes: Int = 1 << 20, isFollowing: Bool = true) {
            cache = PlayerCache(bytes: bytes)
            cache.setFollowing(isFollowing)
        }

        @discardableResult func friends(
            of player: Player.ID = ada, _ ids: [Int64] = [9, 5], mayKeep: Bool = true, during change: () -> Void = {}
        ) async throws -> [Int64] {
            try await cache.value(of: player, mayKeep: mayKeep) { () async throws(StoreError) in
                count += 1
                change()
                return MemberSet(ids.map(Player.ID.init) + [player])
            }.players
        }
    }

    @Test("a set has the player and its friends, each once, and is read once") func kept() async throws {
        let reads = Reads()
        #expect(try await reads.friends([9, 5, 9, 1]) == [1, 5, 9])
        #expect(try await reads.friends([2]) == [1, 5, 9])
        #expect(reads.count == 1 && reads.cache.bytesCount > 0)
    }

    @Test("nothing is kept without a stream, or while memory is not current") func notKept() async throws {
        for reads in [Reads(isFollowing: false), Reads()] {
            for _ in 0..<2 { try await reads.friends(mayKeep: false) }
            #expect(reads.count == 2 && reads.cache.bytesCount == 0)
        }
        let reads = Reads(isFollowing: false)
        for _ in 0..<2 { try await reads.friends() }
        #expect(reads.count == 2)
    }

    @Test("who changes is forgotten, and once more a little later") func forgotten() async throws {
        let reads = Reads()
        let other = Player.ID(rawValue: 2)
        for player in [Self.ada, other] { try await reads.friends(of: player) }
        reads.cache.forget([Self.ada.rawValue])
        for player in [Self.ada, other] { try await reads.friends(of: player) }
        #expect(reads.count == 3)
        for expected in [3, 4, 4] {
            reads.cache.forgetAgain()
            try await reads.friends()
            #expect(reads.count == expected)
        }
    }

    @Test("a set that was read before a change is not kept after it") func racing() async throws {
        let reads = Reads()
        try await reads.friends { reads.cache.forget([Self.ada.rawValue]) }
        try await reads.friends()
        #expect(reads.count == 2)
        reads.cache.forgetAgain()
        reads.cache.forgetAgain()
        try await reads.friends { reads.cache.forgetAll() }
        try await reads.friends()
        #expect(reads.count == 4)
    }

    @Test("a merge drops all sets, and once more a little later") func merges() async throws {
        let reads = Reads()
        let other = Player.ID(rawValue: 2)
        for player in [Self.ada, other] { try await reads.friends(of: player) }
        reads.cache.forgetAll()
        for player in [Self.ada, other] { try await reads.friends(of: player) }
        #expect(reads.count == 4)
        for expected in [4, 5, 5] {
            reads.cache.forgetAgain()
            try await reads.friends()
            #expect(reads.count == expected)
        }
    }

    @Test("the sets take no more bytes than they may") func bounds() async throws {
        let reads = Reads(bytes: 64 * 4_096)
        for id in 1...5_000 { try await reads.friends(of: Player.ID(rawValue: Int64(id)), (1...50).map { $0 }) }
        #expect(reads.cache.bytesCount <= 64 * 4_096 && reads.cache.bytesCount > 64 * 1_024)
        reads.cache.setFollowing(false)
        #expect(reads.cache.bytesCount == 0)
    }
}
