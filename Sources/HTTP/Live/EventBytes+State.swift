import Domain
import HTTPServer
import NIOCore

extension EventBytes {
    /// The events that tell a state, each with its document as data. The last one has the id, so that a client which
    /// has missed one of them does not say that it has it.
    init(_ state: LiveState, id: String) {
        var text = ByteBuffer()
        let bytesCount = state.parts.reduce(0) { $0 + $1.entity.body.readableBytes + Self.fieldsBytesExpected }
        text.reserveCapacity(bytesCount)
        for (index, part) in state.parts.enumerated() {
            text.writeStaticString("event: ")
            text.writeStaticString(part.event)
            Self.write(data: part.entity.body, to: &text)
            if index == state.parts.count - 1 {
                text.writeStaticString("\nid: ")
                text.writeString(id)
            }
            text.writeStaticString("\n\n")
        }
        self.init(text)
    }

    /// A line of data begins at each line feed, and clients join them with line feeds again. Documents are JSON, in
    /// which no carriage return stands as it is.
    private static func write(data: ByteBuffer, to text: inout ByteBuffer) {
        var bytes = data.readableBytesView
        if bytes.last == UInt8(ascii: "\n") { bytes = bytes.dropLast() }
        text.writeStaticString("\ndata: ")
        var rest = bytes
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            text.writeBytes(rest[rest.startIndex..<end])
            text.writeStaticString("\ndata: ")
            rest = rest[rest.index(after: end)...]
        }
        text.writeBytes(rest)
    }

    /// What every stream begins with.
    static let opening = EventBytes(ByteBuffer(string: "retry: \(Limits.liveRetryMilliseconds)\n\n"))
    /// A line that clients ignore. It keeps proxies from closing a quiet stream, and shows when a client has gone.
    static let comment = EventBytes(ByteBuffer(string: ":\n\n"))

    /// Bytes of the names of an event's fields, and of the id.
    private static let fieldsBytesExpected = 128
}
