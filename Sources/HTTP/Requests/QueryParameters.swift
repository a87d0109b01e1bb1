import Domain
import HTTPServer

/// The parameters of a target's query, in their order. Names count as they are sent; values are percent-decoded. Of a
/// name that comes twice the last value counts, as in a body.
struct QueryParameters {
    struct Parameter {
        let name: String
        let value: String
    }

    private(set) var all: [Parameter] = []
    /// Whether the target is a path and a query without escapes, empty parts and a fragment, so that no other text
    /// means the same parameters in the same order.
    private(set) var isPlain: Bool

    /// - Parameters:
    ///   - target: The target of a request within ``Limits/targetBytesMax``.
    ///   - plusIsSpace: Whether a browser's form may have written it (URL Standard, section 5.2).
    /// - Throws: 400 for more parameters than ``Limits/parametersMax``, before any of them is decoded.
    init(_ target: String, plusIsSpace: Bool = false) throws(Problem) {
        isPlain = target.utf8.first == UInt8(ascii: "/") && !target.utf8.contains(UInt8(ascii: "#"))
        guard let query = Self.query(of: target) else { return }
        if Self.hasTooManyParts(query) { throw Problem.tooManyParameters }
        for part in query.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
            guard let equals = part.firstIndex(of: UInt8(ascii: "=")), equals > part.startIndex else {
                isPlain = false
                continue
            }
            let name = String(Substring(part[..<equals]))
            let sent = part[part.index(after: equals)...]
            guard sent.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
                all.append(Parameter(name: name, value: String(Substring(sent))))
                continue
            }
            isPlain = false
            let decoded = FormBody.unescaped(Array(sent), plusIsSpace: plusIsSpace)
            let value = String(validating: decoded, as: UTF8.self) ?? String(Substring(sent))
            all.append(Parameter(name: name, value: value))
        }
    }

    subscript(_ name: String) -> String? { all.last { $0.name == name }?.value }

    /// Whether a target has more parameters than ``Limits/parametersMax``. Decodes nothing.
    static func areTooMany(in target: String) -> Bool { query(of: target).map(hasTooManyParts) ?? false }

    /// The query without its question mark; nil if there is none.
    private static func query(of target: String) -> Substring.UTF8View? {
        let target = target.utf8.prefix { $0 != UInt8(ascii: "#") }
        return target.firstIndex(of: UInt8(ascii: "?")).map { target[target.index(after: $0)...] }
    }

    private static func hasTooManyParts(_ query: Substring.UTF8View) -> Bool {
        query.count { $0 == UInt8(ascii: "&") } >= Limits.parametersMax
    }
}

extension Request {
    /// The decoded parameters of the query.
    /// - Throws: 400 for too many.
    func parameters() throws(Problem) -> QueryParameters { try QueryParameters(target) }
}
