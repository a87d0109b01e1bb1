package import NIOCore

/// Bytes of an event stream, written once for all who get them: as a chunk of HTTP/1.1, and as they are for HTTP/1.0
/// and HTTP/2. Both share their memory.
package struct EventBytes: Sendable {
    package let chunk: ByteBuffer
    package let plain: ByteBuffer

    package init(_ text: ByteBuffer) {
        var chunk = ByteBuffer()
        chunk.reserveCapacity(text.readableBytes + Self.framingBytes)
        chunk.writeString(String(text.readableBytes, radix: 16))
        chunk.writeStaticString("\r\n")
        let start = chunk.writerIndex
        chunk.writeImmutableBuffer(text)
        plain = chunk.getSlice(at: start, length: text.readableBytes) ?? text
        chunk.writeStaticString("\r\n")
        self.chunk = chunk
    }

    /// The chunk that ends a body of HTTP/1.1.
    package static let lastChunk = ByteBuffer(string: "0\r\n\r\n")

    /// Bytes of a chunk's length and line ends.
    private static let framingBytes = 24
}
