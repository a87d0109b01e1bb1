import Concurrency
import Testing

@Suite struct GenerationalCacheTests {
    private struct Sized: CacheSized, Equatable {
        var bytesInCache: Int
        var label = 0
    }

    @Test("a full generation becomes the old one, and the former old one leaves the cache") func turns() {
        var cache = GenerationalCache<Int, Sized>(bytesMax: 8)
        #expect((1...4).allSatisfy { cache.set(Sized(bytesInCache: 1), for: $0).isEmpty })
        #expect((5...8).allSatisfy { cache.set(Sized(bytesInCache: 1), for: $0).isEmpty })
        #expect(cache.count == 8)
        #expect(Set(cache.set(Sized(bytesInCache: 1), for: 9).keys) == [1, 2, 3, 4])
        #expect(cache.find(1).value == nil && cache.find(5).value != nil && cache.find(9).value != nil)
    }

    @Test("what is found in the old generation outlives it") func staysWhileUsed() {
        var cache = GenerationalCache<Int, Sized>(bytesMax: 4)
        for key in 1...2 { _ = cache.set(Sized(bytesInCache: 1), for: key) }
        for key in 3...20 {
            #expect(cache.find(1).value != nil, "before \(key)")
            _ = cache.set(Sized(bytesInCache: 1), for: key)
        }
        #expect(cache.find(2).value == nil)
    }

    @Test("a value that is replaced or removed no longer counts") func counts() {
        var cache = GenerationalCache<Int, Sized>(bytesMax: 8)
        for label in 1...100 { #expect(cache.set(Sized(bytesInCache: 3, label: label), for: 1).isEmpty) }
        #expect(cache.find(1).value?.label == 100 && cache.hasRoom(for: Sized(bytesInCache: 1)))
        #expect(!cache.hasRoom(for: Sized(bytesInCache: 2)))
        cache.remove(1)
        #expect(cache.find(1).value == nil && cache.hasRoom(for: Sized(bytesInCache: 4)))
    }

    @Test("a value larger than a generation is kept alone in one") func large() {
        var cache = GenerationalCache<Int, Sized>(bytesMax: 4)
        _ = cache.set(Sized(bytesInCache: 1), for: 1)
        #expect(cache.set(Sized(bytesInCache: 100), for: 2).isEmpty)
        #expect(cache.find(2).value != nil)
        #expect(Array(cache.set(Sized(bytesInCache: 1), for: 3).keys) == [1])
    }
}
