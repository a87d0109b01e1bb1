import Domain
import HTTPTypes
import NIOCore

/// Which reader a v1 body gets.
enum Body {
    enum Kind {
        /// An object without members.
        case empty
        case form
        case json
    }

    /// JSON when the type says so, or when the type is one that engines send with anything and the body starts with
    /// `{`.
    /// - Parameters:
    ///   - contentType: The header's value; its letter case and parameters do not matter, and of a list the first type
    ///     counts.
    ///   - firstByte: The first one that is no white space, see ``firstByte(of:)``.
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

    /// The first byte that is neither white space nor of a byte order mark; nil when there is none.
    static func firstByte(of bytes: [UInt8]) -> UInt8? {
        bytes.dropFirst(JSONScanner.bomLength(bytes)).first { !JSONScanner.isSpace($0) }
    }

    private static let formTypes: Set<String> = [
        "", "application/octet-stream", "application/x-www-form-urlencoded", "text/plain",
    ]
    /// Names of types have at most 127 bytes on either side of the `/` (RFC 6838).
    private static let typeBytesMax = 255
}

extension Request {
    /// The form in the body; the query string plays no part in a write.
    /// - Throws: 415 for a body that says it is something else, 400 for malformed UTF-8.
    func form(_ known: Set<String>) throws(Problem) -> FormBody {
        // 2009 clients and hand-written ones say all sorts of things, or nothing, about bodies that are forms.
        if let type = headers[.contentType]?.prefix(64).lowercased(), Self.otherTypes.contains(where: type.hasPrefix) {
            throw Problem.noForm
        }
        return try FormBody(Array(body.readableBytesView), known: known)
    }

    /// The fields of a v1 request, as JSON or as a form.
    /// - Throws: 415, 400 for what is malformed.
    func fields(_ known: Set<String>) throws(Problem) -> Fields {
        try Fields(Array(body.readableBytesView), contentType: headers[.contentType], known: known)
    }

    /// What surely is no form.
    private static let otherTypes = ["multipart/", "application/json", "application/xml", "text/xml"]
}
