package import HTTPTypes
import HummingbirdCore
package import NIOCore
package import NIOHTTP1

/// A complete request: its head and its whole body.
package struct Request: Sendable {
    package let method: HTTPRequest.Method
    /// The path and the query as the request line has them.
    package let target: String
    /// The target's path, without the query and still percent-encoded.
    package let path: String
    package let headers: RequestHeaders
    /// Empty when the request has none.
    package let body: ByteBuffer
    package let peer: Peer

    package init(
        method: HTTPRequest.Method,
        target: String,
        headers: RequestHeaders,
        body: ByteBuffer,
        peer: Peer = .unknown
    ) {
        self.method = method
        self.target = target
        // A proxy may send the absolute form (RFC 9112, section 3.2.2), which the library takes apart.
        path =
            target.utf8.first == UInt8(ascii: "/")
            ? String(target.utf8.prefix { $0 != UInt8(ascii: "?") }) ?? "/" : URI(target).path
        self.headers = headers
        self.body = body
        self.peer = peer
    }

    /// Whether the request is `OPTIONS *`.
    var isForServer: Bool { target == "*" && method == .options }

    /// The decoded parameters of the query.
    var parameters: FlatDictionary<Substring, Substring> { URI(target).queryParameters }
}

/// The headers of a request. A request needs few of them, so they are searched in NIO's form and never converted.
package struct RequestHeaders: Sendable {
    private let headers: HTTPHeaders

    package init(_ headers: HTTPHeaders = [:]) {
        self.headers = headers
    }

    /// The value of a header; nil when the request lacks it. Values of a repeated header are joined with commas (RFC
    /// 9110, section 5.2).
    package subscript(name: HTTPField.Name) -> String? {
        var value: String?
        for header in headers where header.name.isEqual(toLowercased: name.canonicalName) {
            value = value.map { "\($0), \(header.value)" } ?? header.value
        }
        return value
    }
}

extension StringProtocol {
    /// Whether the text equals a name, ignoring ASCII case.
    /// - Parameter lowercased: The name in lower-case ASCII.
    @inline(__always)
    func isEqual(toLowercased lowercased: String) -> Bool {
        guard utf8.count == lowercased.utf8.count else { return false }
        return zip(utf8, lowercased.utf8).allSatisfy { byte, expected in
            byte == expected || (byte | 0x20) == expected && (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        }
    }
}
