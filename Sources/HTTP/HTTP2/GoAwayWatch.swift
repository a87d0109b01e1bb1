import NIOCore

/// Closes an HTTP/2 connection on which NIO has reported an error of the whole connection. NIO says GOAWAY then and
/// leaves the rest to others; the error that it fires looks like that of a stream, after which a connection goes on.
/// This handler stands before NIO's and sees the frame.
final class GoAwayWatch: ChannelOutboundHandler {
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private var hasFailed = false

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .byteBuffer(let bytes) = unwrapOutboundIn(data), Self.saysError(bytes) { hasFailed = true }
        context.write(data, promise: promise)
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        guard hasFailed else { return }
        hasFailed = false
        // NIO is in the middle of an event, during which it does not expect to be closed.
        context.eventLoop.execute { [channel = context.channel] in channel.close(promise: nil) }
    }

    /// Whether the bytes are a GOAWAY frame with an error (RFC 9113, section 6.8). NIO writes the head of each frame,
    /// and of each one but DATA the payload too, as a buffer of its own. A response whose bytes look just like it
    /// would close the connection as well, which harms nobody but the client that asked for it.
    static func saysError(_ bytes: ByteBuffer) -> Bool {
        let start = bytes.readerIndex
        guard bytes.readableBytes >= 17, let head = bytes.getInteger(at: start, as: UInt32.self),
            let stream = bytes.getInteger(at: start + 5, as: UInt32.self)
        else { return false }
        guard head & 0xFF == 7, stream == 0, Int(head >> 8) == bytes.readableBytes - 9 else { return false }
        return bytes.getInteger(at: start + 13, as: UInt32.self) != 0
    }
}
