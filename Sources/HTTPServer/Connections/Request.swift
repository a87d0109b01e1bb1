package import Domain
package import HTTPTypes
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
    /// Who sent it, once that has been found.
    package var client: Client?
    /// The token or key of the `Authorization` header, once it has been read.
    package var credential: Credential?

    package init(
        method: HTTPRequest.Method, target: String, headers: RequestHeaders, body: ByteBuffer, peer: Peer = .unknown
    ) {
        self.method = method
        self.target = target
        path = Self.path(of: target)
        self.headers = headers
        self.body = body
        self.peer = peer
    }

    private static func path(of target: String) -> String {
        var rest = Substring(target).utf8
        // A proxy may send the absolute form, with scheme and host before the path (RFC 9112, section 3.2.2).
        if rest.first != UInt8(ascii: "/"), let colon = rest.firstIndex(of: UInt8(ascii: ":")),
            rest[colon...].starts(with: "://".utf8)
        {
            rest = rest[rest.index(colon, offsetBy: 3)...]
            let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
            rest = rest[end...]
        }
        let path = rest.prefix { $0 != UInt8(ascii: "?") }
        return path.isEmpty ? "/" : String(Substring(path))
    }

    /// Whether the request is `OPTIONS *`.
    package var isForServer: Bool { target == "*" && method == .options }
}

/// The headers of a request. A request needs few of them, so they are searched in NIO's form and never converted.
package struct RequestHeaders: Sendable {
    private let headers: HTTPHeaders

    package init(_ headers: HTTPHeaders = [:]) { self.headers = headers }

    /// The value of a header; nil when the request lacks it. Values of a repeated header are joined with commas (RFC
    /// 9110, section 5.2).
    package subscript(name: HTTPField.Name) -> String? {
        var value: String?
        for header in headers where header.name.isEqual(toLowercased: name.canonicalName) {
            if value == nil {
                value = header.value.withoutOuterSpace
            } else {
                value?.append(", ")
                value?.append(header.value.withoutOuterSpace)
            }
        }
        return value
    }

    /// The bytes of a header's values, joined; with nil those of all headers.
    package func bytesCount(of name: HTTPField.Name?) -> Int {
        var count = 0
        for header in headers where name.map({ header.name.isEqual(toLowercased: $0.canonicalName) }) ?? true {
            count += header.value.utf8.count + 2
        }
        return count
    }

    /// Whether a value of a header has a byte beyond ASCII; with nil a value of any header.
    package func hasValueBeyondASCII(of name: HTTPField.Name?) -> Bool {
        headers.contains { header in
            !header.value.withBytes { $0.allSatisfy { $0 < 0x80 } }
                && name.map { header.name.isEqual(toLowercased: $0.canonicalName) } ?? true
        }
    }

    /// The values of a header, one for each line that has it, in their order.
    package func values(of name: HTTPField.Name) -> [String] {
        headers.lazy.filter { $0.name.isEqual(toLowercased: name.canonicalName) }.map(\.value.withoutOuterSpace)
    }
}

extension String {
    /// The value of a header without spaces and tabs at its ends, which are no part of it (RFC 9110, section 5.5). NIO
    /// leaves them at its end.
    package var withoutOuterSpace: String {
        func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        guard let first = utf8.first, let last = utf8.last, isSpace(first) || isSpace(last) else { return self }
        guard let end = utf8.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(self[...end].utf8.drop(while: isSpace)) ?? self
    }
}

extension StringProtocol {
    /// Whether the text equals a name, ignoring ASCII case.
    /// - Parameter lowercased: The name in lower-case ASCII.
    @inline(__always) package func isEqual(toLowercased lowercased: String) -> Bool {
        guard utf8.count == lowercased.utf8.count else { return false }
        return zip(utf8, lowercased.utf8).allSatisfy { byte, expected in
            byte == expected || (byte | 0x20) == expected && (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        }
    }
}
