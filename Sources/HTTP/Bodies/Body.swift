/// Which reader a v1 body gets.
enum Body {
    enum Kind {
        /// An object without members.
        case empty
        case form
        case json
    }

    /// JSON when the type says so, or when the type is one that engines send with anything and the body starts with `{`.
    /// - Parameters:
    ///   - contentType: The header's value; its letter case and parameters do not matter, and of a list the first type counts.
    ///   - firstByte: The first one that is no white space, see ``firstByte(of:)``.
    /// - Returns: Nil for a type that is neither JSON nor a form, which is a 415 even without a body.
    static func kind(contentType: String?, firstByte: UInt8?) -> Kind? {
        let bytes = (contentType ?? "").utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") }
        let type = String(decoding: bytes.prefix(typeBytesMax).filter { !JSONScanner.isSpace($0) }, as: UTF8.self).lowercased()
        let isJSON = type.hasSuffix("/json") || type.contains("/") && type.hasSuffix("+json")
        guard isJSON || formTypes.contains(type) else { return nil }
        guard let firstByte else { return .empty }
        return isJSON || firstByte == UInt8(ascii: "{") ? .json : .form
    }

    /// The first byte that is neither white space nor of a byte order mark; nil when there is none.
    static func firstByte(of bytes: [UInt8]) -> UInt8? {
        bytes.dropFirst(JSONScanner.bomLength(bytes)).first { !JSONScanner.isSpace($0) }
    }

    private static let formTypes: Set<String> = ["", "application/octet-stream", "application/x-www-form-urlencoded", "text/plain"]
    /// Names of types have at most 127 bytes on either side of the `/` (RFC 6838).
    private static let typeBytesMax = 255
}
