package import HTTPTypes
package import NIOCore

/// What a client is told. Content-Length, Date and Connection are the connection's to say.
package struct Response: Sendable {
    package var status: HTTPResponse.Status { didSet { writtenHead = nil } }
    package var headers: HTTPFields { didSet { writtenHead = nil } }
    package var body: ByteBuffer { didSet { writtenHead = nil } }
    /// The head up to what changes from one time to the next, of a response that is sent again and again.
    private var writtenHead: ByteBuffer?

    package init(status: HTTPResponse.Status, headers: HTTPFields = [:], body: ByteBuffer = ByteBuffer()) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

extension Response {
    /// Without its body, to be sent again and again.
    var kept: Kept {
        var head = ByteBuffer()
        writeFields(to: &head)
        return Kept(status: status, headers: headers, writtenHead: head)
    }

    struct Kept: Sendable {
        fileprivate let status: HTTPResponse.Status
        fileprivate let headers: HTTPFields
        fileprivate let writtenHead: ByteBuffer
    }

    /// - Parameter body: The same as before.
    init(_ kept: Kept, body: ByteBuffer) {
        self.init(status: kept.status, headers: kept.headers, body: body)
        writtenHead = kept.writtenHead
    }

    /// The head as it is sent, status line to empty line.
    func writeHead(to buffer: inout ByteBuffer, date: String, closes: Bool) {
        if let writtenHead { buffer.writeImmutableBuffer(writtenHead) } else { writeFields(to: &buffer) }
        buffer.writeStaticString("Date: ")
        buffer.writeString(date)
        buffer.writeStaticString(closes ? "\r\nConnection: close\r\n\r\n" : "\r\n\r\n")
    }

    private func writeFields(to buffer: inout ByteBuffer) {
        buffer.writeStaticString("HTTP/1.1 ")
        buffer.writeString(String(status.code))
        buffer.writeStaticString(" ")
        buffer.writeString(status.reasonPhrase)
        buffer.writeStaticString("\r\n")
        for field in headers {
            buffer.writeString(field.name.rawName)
            buffer.writeStaticString(": ")
            buffer.writeString(field.value)
            buffer.writeStaticString("\r\n")
        }
        // These two have no body, and say nothing of its length (RFC 9110, section 8.6).
        if status != .noContent, status != .notModified {
            buffer.writeStaticString("Content-Length: ")
            buffer.writeString(String(body.readableBytes))
            buffer.writeStaticString("\r\n")
        }
    }
}
