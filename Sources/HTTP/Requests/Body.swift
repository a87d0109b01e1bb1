import Domain
import HTTPServer
import HTTPTypes
import NIOCore

/// Decides how a v1 body is read.
enum Body {
    enum Kind {
        /// An empty body, which is read as an object without members.
        case empty
        case form
        case json
    }

    /// The kind of a body. It is JSON when the type says so, and also when the body begins with `{` and has a type that
    /// game engines send with any body.
    /// - Parameters:
    ///   - contentType: The header's value. Case and parameters are ignored, and the first type of a list counts.
    ///   - firstByte: The first byte that is no white space; see ``firstByte(of:)``.
    /// - Returns: Nil for a type that is neither JSON nor a form, which is a 415 even without a body.
    static func kind(contentType: String?, firstByte: UInt8?) -> Kind? {
        let bytes = (contentType ?? "").utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") }
        let type = String(decoding: bytes.prefix(typeBytesMax).filter { !JSONScanner.isSpace($0) }, as: UTF8.self)
            .lowercased()
        let isJSON = type.hasSuffix("/json") || type.contains("/") && type.hasSuffix("+json")
        guard isJSON || formTypes.contains(type) else { return nil }
        guard let firstByte else { return .empty }
        return isJSON || firstByte == UInt8(ascii: "{") ? .json : .form
    }

    /// Whether a body is sent as it is: nothing here decodes gzip or any other coding, and a save that is kept coded
    /// would come back without its header.
    /// - Parameter contentEncoding: The header's value.
    static func isPlain(contentEncoding: String?) -> Bool {
        let codings = (contentEncoding ?? "").utf8.split(separator: UInt8(ascii: ","))
        return codings.allSatisfy { coding in
            let word = coding.filter { !JSONScanner.isSpace($0) }
            let text = String(decoding: word, as: UTF8.self)
            // Some name the charset here. It is no coding, and changes nothing.
            return text.isEmpty || text.isEqual(toLowercased: "identity") || text.isEqual(toLowercased: "utf-8")
        }
    }

    /// The first byte after a byte order mark and white space; nil when there is none.
    static func firstByte(of bytes: [UInt8]) -> UInt8? {
        bytes.dropFirst(TextLines.byteOrderMarkLength(of: bytes)).first { !JSONScanner.isSpace($0) }
    }

    private static let formTypes: Set<String> = [
        "", "application/octet-stream", "application/x-www-form-urlencoded", "text/plain",
    ]
    /// Each side of the `/` has at most 127 bytes (RFC 6838, section 4.2).
    private static let typeBytesMax = 255
}

extension Request {
    /// The form in the body; the query string plays no part in a write.
    /// - Throws: 415 for a content type that surely is no form, 400 for malformed UTF-8.
    func form(_ known: Set<String>) throws(Problem) -> FormBody {
        // Clients of 2009, and hand-written ones, send forms with all sorts of content types or none.
        let type = String(decoding: (headers[.contentType] ?? "").utf8.prefix(64), as: UTF8.self).lowercased()
        if Self.otherTypes.contains(where: type.hasPrefix) { throw Problem.noForm }
        return try FormBody(Array(body.readableBytesView), known: known)
    }

    /// The fields of a v1 request, as JSON or as a form.
    /// - Throws: 415 for a type that is neither JSON nor a form, 400 for a malformed body.
    func fields(_ known: Set<String>) throws(Problem) -> Fields {
        try Fields(Array(body.readableBytesView), contentType: headers[.contentType], known: known)
    }

    /// Content types that surely are no form.
    private static let otherTypes = ["multipart/", "application/json", "application/xml", "text/xml"]
}
