/// Blocks of memory of one size under 32-bit numbers, in chunks that never move: growing copies nothing, and what is given back is used again.
struct BlockPool: ~Copyable {
    /// No block.
    static let none = UInt32.max

    private let blockBytes: Int
    private let shift: UInt32
    private var chunks: UnsafeMutablePointer<UnsafeMutableRawPointer>
    private var chunksCount = 0
    private var chunksCapacity: Int
    /// Numbers below have been handed out at some time.
    private var used: UInt32 = 0
    /// Given back: each has the number of the next in its first four bytes.
    private var free = BlockPool.none

    /// - Parameters:
    ///   - blockBytes: A multiple of 8.
    ///   - chunkShift: Two to its power is how many blocks a chunk has.
    init(blockBytes: Int, chunkShift: UInt32) {
        self.blockBytes = blockBytes
        shift = chunkShift
        chunksCapacity = 4
        chunks = .allocate(capacity: chunksCapacity)
    }

    deinit {
        for index in 0..<chunksCount { chunks[index].deallocate() }
        chunks.deallocate()
    }

    /// A block whose content is anything; nil when all numbers are in use.
    mutating func take() -> UInt32? {
        if free != Self.none {
            let block = free
            free = self[block].load(as: UInt32.self)
            return block
        }
        guard used < Self.none else { return nil }
        if Int(used >> shift) == chunksCount { addChunk() }
        defer { used += 1 }
        return used
    }

    mutating func giveBack(_ block: UInt32) {
        self[block].storeBytes(of: free, as: UInt32.self)
        free = block
    }

    @inline(__always)
    subscript(_ block: UInt32) -> UnsafeMutableRawPointer {
        chunks[Int(block >> shift)] + Int(block & ((1 << shift) - 1)) &* blockBytes
    }

    var allocatedBytes: Int {
        chunksCount * (blockBytes << Int(shift)) + chunksCapacity * MemoryLayout<UnsafeMutableRawPointer>.stride
    }

    private mutating func addChunk() {
        if chunksCount == chunksCapacity {
            let larger = UnsafeMutablePointer<UnsafeMutableRawPointer>.allocate(capacity: chunksCapacity * 2)
            larger.moveInitialize(from: chunks, count: chunksCount)
            chunks.deallocate()
            chunks = larger
            chunksCapacity *= 2
        }
        (chunks + chunksCount).initialize(to: .allocate(byteCount: blockBytes << Int(shift), alignment: 8))
        chunksCount += 1
    }
}
