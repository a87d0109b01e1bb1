import Glibc
package import HTTPTypes
package import NIOCore
import Synchronization

/// A response. Writing its head adds `Content-Length`, `Date` and, where clients would not know it, `Connection`.
package struct Response: Sendable {
    package var status: HTTPResponse.Status { didSet { writtenHead = nil } }
    package var headers: HTTPFields { didSet { writtenHead = nil } }
    package var body: ByteBuffer { didSet { writtenHead = nil } }
    /// Instead of a body; it goes on for as long as both sides like.
    package var events: (any ResponseStream)?
    /// Whether its request counts in no limit.
    package var countsNowhere = false
    /// The status line and the fields before `Date`, `Content-Length` among them, when they were written in advance.
    private var writtenHead: ByteBuffer?

    package init(status: HTTPResponse.Status, headers: HTTPFields = [:], body: ByteBuffer = ByteBuffer()) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

extension Response {
    /// The response's head, written in advance, without the body.
    package var prewritten: Prewritten {
        var head = ByteBuffer()
        writeFields(to: &head)
        return Prewritten(status: status, headers: headers, writtenHead: head)
    }

    /// The head of a response that is sent many times.
    package struct Prewritten: Sendable {
        fileprivate let status: HTTPResponse.Status
        fileprivate let headers: HTTPFields
        fileprivate let writtenHead: ByteBuffer

        package var bytesCount: Int { writtenHead.readableBytes }
    }

    /// - Parameter body: Must have the length of the prewritten response's body, which the head states.
    package init(_ prewritten: Prewritten, body: ByteBuffer) {
        self.init(status: prewritten.status, headers: prewritten.headers, body: body)
        writtenHead = prewritten.writtenHead
    }

    /// Whether the head has `Content-Length`. These two statuses have no body and state no length (RFC 9110, section
    /// 8.6), and nobody knows that of an event stream.
    var statesLength: Bool { status != .noContent && status != .notModified && events == nil }

    /// Writes the head as it is sent, from the status line to the empty line.
    /// Adds the headers that depend on the connection to a head that was written in advance.
    func writeHead(to buffer: inout ByteBuffer, date: String, connection: ConnectionOption?, for peer: Peer) {
        if let writtenHead { buffer.writeImmutableBuffer(writtenHead) } else { writeFields(to: &buffer) }
        if peer.staysEncrypted { buffer.writeStaticString("Strict-Transport-Security: max-age=31536000\r\n") }
        buffer.writeStaticString("Date: ")
        buffer.writeString(date)
        switch connection {
        case .close: buffer.writeStaticString("\r\nConnection: close\r\n\r\n")
        case .keepAlive: buffer.writeStaticString("\r\nConnection: keep-alive\r\n\r\n")
        case nil: buffer.writeStaticString("\r\n\r\n")
        }
    }

    /// The values of the `Connection` header that a response may have.
    enum ConnectionOption {
        case close
        case keepAlive
    }

    private func writeFields(to buffer: inout ByteBuffer) {
        var text = "HTTP/1.1 "
        text.reserveCapacity(Self.fieldsBytesExpected)
        text += String(status.code)
        text += " "
        text += status.reasonPhrase
        text += "\r\n"
        for field in headers {
            text += field.name.rawName
            text += ": "
            text += field.value
            text += "\r\n"
        }
        if statesLength {
            text += "Content-Length: "
            text += String(body.readableBytes)
            text += "\r\n"
        }
        // The buffer checks more for each piece that is written to it than a string does.
        buffer.writeString(text)
    }

    /// Bytes of the fields of most responses.
    private static let fieldsBytesExpected = 512
}

/// The value of the `Date` header (IMF-fixdate of RFC 9110, section 5.6.7), formatted at most once a second.
final class DateHeader: Sendable {
    private let cached = Mutex((second: time_t.min, text: ""))

    var text: String {
        let now = time(nil)
        return cached.withLock { cached in
            if cached.second != now { cached = (now, Self.text(of: now)) }
            return cached.text
        }
    }

    static func text(of second: time_t) -> String {
        var second = second
        var parts = tm()
        gmtime_r(&second, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(days[Int(parts.tm_wday)]), "
            + "\(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(1900 + parts.tm_year) "
            + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
    }

    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
