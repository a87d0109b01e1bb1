import CPQ

/// Owns one chunk that libpq allocated.
struct CopyChunk: ~Copyable {
    private let start: UnsafeMutablePointer<CChar>
    private let countBytes: Int

    init(_ start: UnsafeMutablePointer<CChar>, countBytes: Int) {
        self.start = start
        self.countBytes = countBytes
    }

    deinit { PQfreemem(start) }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: countBytes) }
}
