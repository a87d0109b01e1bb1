package import HTTPTypes
import HummingbirdCore
package import NIOCore
package import NIOHTTP1

/// A request that has come whole.
package struct Request: Sendable {
    package let method: HTTPRequest.Method
    /// Path and query, as they stand in the request line.
    package let target: String
    /// Without the query, as it stands there.
    package let path: String
    package let headers: RequestHeaders
    /// Empty without one.
    package let body: ByteBuffer

    package init(method: HTTPRequest.Method, target: String, headers: RequestHeaders, body: ByteBuffer) {
        self.method = method
        self.target = target
        // A proxy's absolute form (RFC 9112, section 3.2.2) is for the library.
        path =
            target.utf8.first == UInt8(ascii: "/")
            ? String(target.utf8.prefix { $0 != UInt8(ascii: "?") }) ?? "/" : URI(target).path
        self.headers = headers
        self.body = body
    }

    /// Of the query, decoded.
    var parameters: FlatDictionary<Substring, Substring> { URI(target).queryParameters }
}

/// The headers of a request, looked up as they came: few of them are asked for.
package struct RequestHeaders: Sendable {
    private let headers: HTTPHeaders

    package init(_ headers: HTTPHeaders = [:]) {
        self.headers = headers
    }

    /// A header that came more than once is one list (RFC 9110, section 5.2). Nil without one.
    package subscript(name: HTTPField.Name) -> String? {
        var value: String?
        for header in headers where header.name.isEqual(to: name.canonicalName) {
            value = value.map { "\($0), \(header.value)" } ?? header.value
        }
        return value
    }
}

extension String {
    /// Whether it is this name in any case.
    /// - Parameter lowercased: ASCII.
    fileprivate func isEqual(to lowercased: String) -> Bool {
        guard utf8.count == lowercased.utf8.count else { return false }
        return zip(utf8, lowercased.utf8).allSatisfy { byte, expected in
            byte == expected || (byte | 0x20) == expected && (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        }
    }
}
