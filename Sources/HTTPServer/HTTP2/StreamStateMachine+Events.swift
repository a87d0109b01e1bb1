import Domain
import NIOCore
import NIOHTTP2

// What a stream does whose response is an event stream.
extension StreamStateMachine {
    struct Streaming {
        let response: Response
        var hasBegun = false
        /// What waits until the chunk under way has left.
        var queue = CircularBuffer<ByteBuffer>()
        var backlog: EventBacklog
        /// Bytes of the chunk that is under way; nil when none is.
        var chunkBytes: Int?
        /// Whether nothing follows what is in the queue.
        var isEnding = false
        /// Whether its body is whole after each piece.
        var mayEndAnywhere: Bool { response.events?.mayEndAnywhere ?? true }
    }

    /// Whether an event stream takes nothing more.
    var isEnding: Bool { if case .streaming(let streaming) = state { streaming.isEnding } else { false } }
    var isStreaming: Bool { if case .streaming = state { true } else { false } }

    /// Whether everything that was handed over has left.
    var hasSentAll: Bool { if case .streaming(let streaming) = state { streaming.backlog.bytes == 0 } else { false } }

    /// The rest of the body cannot be sent.
    mutating func streamFailed() { if isStreaming { fail(.internalError) } }

    /// There is something to send.
    /// - Returns: False when the client is too far behind, so that the stream fails.
    mutating func published(_ event: EventBytes, at now: NIODeadline) -> Bool {
        guard case .streaming(var streaming) = state, !streaming.isEnding else { return true }
        guard streaming.backlog.add(bytes: event.plain.readableBytes) else {
            fail(.cancel)
            return false
        }
        // A queue that two variables share is copied when it grows.
        state = .closed
        streaming.queue.append(event.plain)
        state = .streaming(streaming)
        if deadline == nil { deadline = now + Self.chunkTime }
        return true
    }

    /// The stream has nothing more to tell, or the server shuts down gracefully. What has been published is sent.
    mutating func endEvents() {
        guard case .streaming(var streaming) = state else { return }
        streaming.isEnding = true
        state = .streaming(streaming)
    }

    /// The next action of an event stream.
    mutating func stream(_ streaming: consuming Streaming) -> Action? {
        if !streaming.hasBegun {
            streaming.hasBegun = true
            let response = streaming.response
            state = .streaming(streaming)
            return .beginEvents(response)
        }
        guard streaming.chunkBytes == nil else { return nil }
        state = .closed
        if var bytes = streaming.queue.popFirst() {
            let chunk = bytes.readSlice(length: min(Limits.streamChunkBytes, bytes.readableBytes)) ?? ByteBuffer()
            if bytes.readableBytes > 0 { streaming.queue.prepend(bytes) }
            streaming.chunkBytes = chunk.readableBytes
            state = .streaming(streaming)
            return .sendChunk(chunk, isLast: false, isReported: true)
        }
        guard streaming.isEnding else {
            state = .streaming(streaming)
            return nil
        }
        state = .sending(
            Outgoing(response: streaming.response, rest: ByteBuffer(), isHeadSent: true, isChunkUnderWay: true))
        return .sendChunk(ByteBuffer(), isLast: true, isReported: !isInputEnded)
    }
}
