package import HTTPTypes
import HummingbirdCore
package import NIOCore

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
        path = target.utf8.first == UInt8(ascii: "/") ? String(target.utf8.prefix { $0 != UInt8(ascii: "?") }) ?? "/" : URI(target).path
        self.headers = headers
        self.body = body
    }

    /// Of the query, decoded.
    var parameters: FlatDictionary<Substring, Substring> { URI(target).queryParameters }
}
