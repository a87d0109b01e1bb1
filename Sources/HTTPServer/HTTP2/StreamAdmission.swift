import Domain
import NIOCore

/// Decides which streams of an HTTP/2 connection are answered, the first ones first, and whether there is room for the
/// bytes of their bodies.
struct StreamAdmission<Stream: Equatable> {
    private var queue = CircularBuffer<Stream>()
    private(set) var answeredCount = 0
    private var bodies: MemoryShare

    /// - Parameter budget: The room for the bodies; nil has no bound.
    init(budget: MemoryBudget? = nil) { bodies = MemoryShare(of: budget, free: Limits.bodyBytesFree) }

    /// Bytes that are held now.
    var bodiesBytes: Int { bodies.bytes }

    /// - Returns: False when the connection, or all together, hold too many bytes already; then none is taken.
    mutating func takeRoom(bytes count: Int) -> Bool {
        bodies.bytes + count <= Limits.streamBodiesBytesMax && bodies.take(bytes: count)
    }

    /// - Parameter count: Bytes that were taken before.
    mutating func freeRoom(bytes count: Int) { bodies.giveBack(bytes: count) }

    mutating func enqueue(_ stream: Stream) { queue.append(stream) }

    /// Removes a stream that closed before its turn.
    mutating func withdraw(_ stream: Stream) { queue.removeAll { $0 == stream } }

    /// The stream that is answered now; nil when none waits, or as many as may be are answered already.
    mutating func next() -> Stream? {
        guard answeredCount < Limits.streamsAnsweredMax, let stream = queue.popFirst() else { return nil }
        answeredCount += 1
        return stream
    }

    /// A stream that was answered has let go of everything.
    mutating func ended() { answeredCount -= 1 }
}
