import Domain
import HTTPServer
import HTTPTypes

/// What a write says about the version that it expects (RFC 9110, section 13).
enum Precondition {
    /// - Throws: 428 unless the request says that nothing is there, with `If-None-Match: *`.
    static func creates(_ headers: RequestHeaders) throws(Problem) {
        guard headers[.ifNoneMatch].map(saysNothingIsThere) == true else { throw .notSaidToBeNew }
    }

    /// The version in the one strong ETag of `If-Match`. A weak one names no version, so no version equals it.
    /// - Throws: 428 without the header, for `*`, and for a list.
    static func version(_ headers: RequestHeaders) throws(Problem) -> String {
        guard let text = headers[.ifMatch] else { throw .noVersion }
        // The bytes are looked at, because comparing a hostile String takes time that grows with the square of its
        // length.
        let header = trimmed(text)
        if header.starts(with: "W/\"".utf8) { return "" }
        let quote = UInt8(ascii: "\"")
        guard header.count >= 2, header.first == quote, header.last == quote else { throw .noVersion }
        let version = header.dropFirst().dropLast()
        guard !version.contains(quote) else { throw .noVersion }
        // A version is ASCII; nothing else equals one, and the database takes no NUL.
        return version.allSatisfy { (0x21...0x7E).contains($0) } ? String(Substring(version)) : ""
    }

    /// What a caller says that a slot has.
    /// - Throws: 428 unless it is either of `If-None-Match: *` and one ETag in `If-Match`.
    static func expectation(_ headers: RequestHeaders) throws(Problem) -> SaveExpectation {
        guard let version = try expectedVersion(headers, orThrow: .noExpectation) else { return .nothing }
        return .version(SaveETag(hex: version))
    }

    /// The version that a caller says is there; nil for nothing.
    /// - Throws: The problem unless the request has either of `If-None-Match: *` and one ETag in `If-Match`.
    static func expectedVersion(_ headers: RequestHeaders, orThrow problem: Problem) throws(Problem) -> String? {
        switch (headers[.ifNoneMatch].map(saysNothingIsThere), headers[.ifMatch]) {
        case (true, nil): return nil
        case (nil, .some):
            guard let version = try? version(headers) else { throw problem }
            return version
        default: throw problem
        }
    }

    static func etag(_ version: String) -> String { "\"\(version)\"" }

    private static func saysNothingIsThere(_ header: String) -> Bool { trimmed(header).elementsEqual("*".utf8) }

    private static func trimmed(_ header: String) -> Substring.UTF8View {
        var text = header[...].utf8
        while let first = text.first, JSONScanner.isSpace(first) { text = text.dropFirst() }
        while let last = text.last, JSONScanner.isSpace(last) { text = text.dropLast() }
        return text
    }
}
