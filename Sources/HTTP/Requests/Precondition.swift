import Domain
import HTTPTypes

/// What a write says about the version that it expects (RFC 9110, section 13).
enum Precondition {
    /// - Throws: 428 unless the request says that nothing is there, with `If-None-Match: *`.
    static func creates(_ headers: RequestHeaders) throws(Problem) {
        guard let header = headers[.ifNoneMatch], trimmed(header) == "*" else { throw .notSaidToBeNew }
    }

    /// The version in the one strong ETag of `If-Match`. A weak one names no version, so no version equals it.
    /// - Throws: 428 without the header, for `*`, and for a list.
    static func version(_ headers: RequestHeaders) throws(Problem) -> String {
        guard let header = headers[.ifMatch].map(trimmed) else { throw .noVersion }
        if header.hasPrefix("W/\"") { return "" }
        guard header.utf8.count >= 2, header.first == "\"", header.last == "\"" else { throw .noVersion }
        let version = header.dropFirst().dropLast()
        guard !version.contains("\"") else { throw .noVersion }
        // A version is ASCII; nothing else equals one, and the database takes no NUL.
        return version.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? String(version) : ""
    }

    /// What a caller says that a slot has.
    /// - Throws: 428 unless it is either of `If-None-Match: *` and one ETag in `If-Match`.
    static func expectation(_ headers: RequestHeaders) throws(Problem) -> SaveExpectation {
        switch (headers[.ifNoneMatch].map(trimmed), headers[.ifMatch]) {
        case ("*", nil): return .nothing
        case (nil, .some):
            guard let version = try? version(headers) else { throw .noExpectation }
            return .version(SaveETag(hex: version))
        default: throw .noExpectation
        }
    }

    static func etag(_ version: String) -> String { "\"\(version)\"" }

    private static func trimmed(_ header: String) -> String {
        var text = header[...]
        while let first = text.utf8.first, JSONScanner.isSpace(first) { text = text.dropFirst() }
        while let last = text.utf8.last, JSONScanner.isSpace(last) { text = text.dropLast() }
        return String(text)
    }
}
