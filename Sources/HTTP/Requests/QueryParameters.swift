import Domain

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
        let target = target.utf8.prefix { $0 != UInt8(ascii: "#") }
        guard let mark = target.firstIndex(of: UInt8(ascii: "?")) else { return }
        let query = target[target.index(after: mark)...]
        guard query.count(where: { $0 == UInt8(ascii: "&") }) < Limits.parametersMax else {
            throw Problem.tooManyParameters
        }
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
}
