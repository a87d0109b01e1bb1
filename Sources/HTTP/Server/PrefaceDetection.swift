import NIOCore

/// The versions of HTTP that a connection may speak.
enum HTTPVersion: Equatable, Sendable {
    case one
    case two

    /// The name in the TLS handshake (RFC 7301).
    var alpnName: String {
        switch self {
        case .one: "http/1.1"
        case .two: "h2"
        }
    }
}

/// Tells from a connection's first bytes which version of HTTP its client speaks: HTTP/2 begins with a fixed preface
/// (RFC 9113, section 3.4), with which no request of HTTP/1.1 begins. At most the preface's length of bytes is needed.
struct PrefaceDetection {
    /// Everything that came so far.
    private(set) var bytes = ByteBuffer()

    /// - Returns: Nil while the bytes are a part of the preface.
    mutating func received(_ more: ByteBuffer) -> HTTPVersion? {
        if bytes.readableBytes == 0 { bytes = more } else { bytes.writeImmutableBuffer(more) }
        let count = min(bytes.readableBytes, Self.preface.count)
        guard bytes.readableBytesView.prefix(count).elementsEqual(Self.preface.prefix(count)) else { return .one }
        return count == Self.preface.count ? .two : nil
    }

    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
}
