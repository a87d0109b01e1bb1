package import HTTPTypes
package import NIOCore

/// What a client is told. Content-Length, Date and Connection are the connection's to say.
package struct Response: Sendable {
    package var status: HTTPResponse.Status
    package var headers: HTTPFields
    package var body: ByteBuffer

    package init(status: HTTPResponse.Status, headers: HTTPFields = [:], body: ByteBuffer = ByteBuffer()) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

extension Response {
    /// The head as it is sent, status line to empty line.
    func writeHead(to buffer: inout ByteBuffer, date: String, closes: Bool) {
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
        buffer.writeStaticString("Date: ")
        buffer.writeString(date)
        buffer.writeStaticString(closes ? "\r\nConnection: close\r\n\r\n" : "\r\n\r\n")
    }
}
