import Domain
import NIOCore

/// Decides which streams of an HTTP/2 connection are answered, the first ones first, and whether there is room for the
/// bytes of their bodies.
struct StreamAdmission<Stream: Equatable> {
    private var queue = CircularBuffer<Stream>()
    private(set) var answeredCount = 0
    private(set) var bodiesBytes = 0

    /// - Returns: False when the connection holds too many bytes already; then none is taken.
    mutating func takeRoom(bytes count: Int) -> Bool {
        guard bodiesBytes + count <= Limits.streamBodiesBytesMax else { return false }
        bodiesBytes += count
        return true
    }

    /// - Parameter count: Bytes that were taken before.
    mutating func freeRoom(bytes count: Int) {
        bodiesBytes -= count
    }

    mutating func enqueue(_ stream: Stream) {
        queue.append(stream)
    }

    /// Removes a stream that closed before its turn.
    mutating func withdraw(_ stream: Stream) {
        queue.removeAll { $0 == stream }
    }

    /// The stream that is answered now; nil when none waits, or as many as may be are answered already.
    mutating func next() -> Stream? {
        guard answeredCount < Limits.streamsAnsweredMax, let stream = queue.popFirst() else { return nil }
        answeredCount += 1
        return stream
    }

    /// A stream that was answered has let go of everything.
    mutating func ended() {
        answeredCount -= 1
    }
}
