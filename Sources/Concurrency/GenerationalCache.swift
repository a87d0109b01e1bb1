/// A value whose size a ``GenerationalCache`` counts.
@usableFromInline package protocol CacheSized: Sendable {
    /// About how many bytes the value takes in memory.
    var bytesInCache: Int { get }
}

/// A cache bounded in bytes that drops what was not used lately, each operation in O(1).
///
/// Values enter the young generation. When that is full it becomes the old one, and the former old one is dropped as a
/// whole. A value that is found in the old generation enters the young one again.
@usableFromInline package struct GenerationalCache<Key: Hashable & Sendable, Value: CacheSized>: Sendable {
    /// Values that left the cache. Freeing many takes a while, so the caller does it outside its lock.
    @usableFromInline package typealias Dropped = [Key: Value]

    @usableFromInline let generationBytesMax: Int
    @usableFromInline var young: [Key: Value] = [:]
    @usableFromInline var old: [Key: Value] = [:]
    @usableFromInline var youngBytes = 0
    @usableFromInline var oldBytes = 0

    /// - Parameter bytesMax: The bytes of both generations; a larger value is kept alone in one.
    @inlinable package init(bytesMax: Int) { generationBytesMax = bytesMax / 2 }

    /// Entries of both generations. A value that was found in the old one counts twice.
    package var count: Int { young.count + old.count }

    /// About how many bytes all of them take.
    package var bytesCount: Int { youngBytes + oldBytes }

    /// Whether a value fits into one generation together with all that is cached, so that nothing leaves for it.
    @inlinable package func hasRoom(for value: Value) -> Bool {
        youngBytes + oldBytes + value.bytesInCache <= generationBytesMax
    }

    @inlinable package mutating func find(_ key: Key) -> (value: Value?, dropped: Dropped) {
        if let value = young[key] { return (value, [:]) }
        guard let value = old[key] else { return (nil, [:]) }
        return (value, set(value, for: key))
    }

    @inlinable package mutating func set(_ value: Value, for key: Key) -> Dropped {
        var dropped: Dropped = [:]
        let replacedBytes = young[key]?.bytesInCache ?? 0
        if youngBytes - replacedBytes + value.bytesInCache > generationBytesMax, !young.isEmpty {
            dropped = old
            (old, oldBytes) = (young, youngBytes)
            (young, youngBytes) = ([:], 0)
        }
        if let before = young.updateValue(value, forKey: key) { youngBytes -= before.bytesInCache }
        youngBytes += value.bytesInCache
        return dropped
    }

    @inlinable package mutating func remove(_ key: Key) {
        if let value = young.removeValue(forKey: key) { youngBytes -= value.bytesInCache }
        if let value = old.removeValue(forKey: key) { oldBytes -= value.bytesInCache }
    }
}
