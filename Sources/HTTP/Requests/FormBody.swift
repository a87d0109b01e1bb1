import Domain

/// A form as the clients of 2009 send it: built by string formatting, often without any percent-escaping.
///
/// A client does not say whether it escapes, so three rules read both kinds:
/// - A stray `%` stands for itself.
/// - In a body that is visibly unescaped `+` stays `+`; otherwise it is a space. Two things show that: a byte that
///   every form encoder escapes, or `%20`, because an encoder that writes `%20` does not write `+` for a space.
/// - A segment that starts no field belongs to the value before it, with its `&`, so `name=Tom & Jerry` keeps its end.
///   A segment that looks like an unknown field (`word=`) is ignored.
struct FormBody {
    private let values: [String: String]

    /// - Parameters:
    ///   - bytes: At most ``Limits/bodyBytesMax``.
    ///   - known: The fields of the route.
    /// - Throws: 400 when a value is no UTF-8, and for more fields than ``Limits/fieldsMax``.
    init(_ bytes: [UInt8], known: Set<String>) throws(Problem) {
        var raw: [(field: String, value: [UInt8])] = []
        var isIgnoring = true  // what comes before the first known field belongs to nobody
        guard bytes.count(where: { $0 == UInt8(ascii: "&") }) < Limits.fieldsMax else { throw Problem.tooManyFields }
        let plain = bytes.dropFirst(TextLines.byteOrderMarkLength(of: bytes))
        let segments = plain.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        var isUnescaped = false
        for (index, segment) in segments.enumerated() {
            switch Self.start(of: segment, known: known) {
            case .known(let field, let value):
                raw.append((field, Array(value)))
                isIgnoring = false
                isUnescaped = isUnescaped || Self.isVisiblyUnescaped(value)
            case .unknown: isIgnoring = true
            case .continuation where segment.isEmpty && index == segments.count - 1: break  // a body may end with &
            case .continuation:
                if isIgnoring { continue }
                raw[raw.count - 1].value.append(UInt8(ascii: "&"))
                raw[raw.count - 1].value += segment
                isUnescaped = isUnescaped || !segment.isEmpty
            }
        }
        var values: [String: String] = [:]
        for (field, value) in raw {
            var text = String(validating: Self.unescaped(value, plusIsSpace: !isUnescaped), as: UTF8.self)
            // In an unescaped value such as `100%de x`, `%de` stands for itself too.
            if text == nil, isUnescaped { text = String(validating: value, as: UTF8.self) }
            guard let text else { throw Problem.noUTF8(field) }
            values[field] = text
        }
        self.values = values
    }

    /// A field's text; the last one counts when the field is repeated. It is nil when the field is absent or its text
    /// is `(null)`.
    subscript(_ field: String) -> String? {
        // The comparison is by bytes, because comparing or hashing a hostile String takes time that grows with the
        // square of its length.
        values[field].flatMap { $0.utf8.elementsEqual("(null)".utf8) ? nil : $0 }
    }

    /// A field's text.
    /// - Throws: 422 when it is absent.
    func required(_ field: String) throws(FieldError) -> String {
        guard let text = self[field] else { throw FieldError(field, "\(field) is missing. Send it.") }
        return text
    }

    private enum Start {
        case known(field: String, value: ArraySlice<UInt8>)
        case unknown
        case continuation
    }

    private static func start(of segment: ArraySlice<UInt8>, known: Set<String>) -> Start {
        guard let equals = segment.firstIndex(of: UInt8(ascii: "=")) else { return .continuation }
        let key = unescaped(Array(segment[..<equals]), plusIsSpace: false)
        if let field = known.first(where: { $0.utf8.elementsEqual(key) }) {
            return .known(field: field, value: segment[segment.index(after: equals)...])
        }
        return key.isEmpty || !key.allSatisfy(isOfAWord) ? .continuation : .unknown
    }

    private static func isOfAWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "["),
            UInt8(ascii: "]"):
            true
        default: false
        }
    }

    /// Whether a value holds a byte that every form encoder escapes, or an escaped space. `@ : ! ' ( ) * ~ , ;` and
    /// brackets prove nothing: people type them by hand and mean `+` for a space.
    private static func isVisiblyUnescaped(_ value: ArraySlice<UInt8>) -> Bool {
        for (index, byte) in zip(value.indices, value) {
            switch byte {
            case ...UInt8(ascii: " "), 0x7F..., UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: "\""),
                UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"), UInt8(ascii: "`"),
                UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
                return true
            case UInt8(ascii: "%"):
                guard let escaped = escapedByte(value, at: index) else { return true }
                if escaped == UInt8(ascii: " ") { return true }
            default: break
            }
        }
        return false
    }

    /// Decodes percent-escapes; a stray `%` stands for itself.
    static func unescaped(_ value: [UInt8], plusIsSpace: Bool) -> [UInt8] {
        guard value.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else { return value }
        var out: [UInt8] = []
        out.reserveCapacity(value.count)
        var index = 0
        while index < value.count {
            if value[index] == UInt8(ascii: "%"), let byte = escapedByte(value[...], at: index) {
                out.append(byte)
                index += 3
            } else {
                out.append(plusIsSpace && value[index] == UInt8(ascii: "+") ? UInt8(ascii: " ") : value[index])
                index += 1
            }
        }
        return out
    }

    private static func escapedByte(_ value: ArraySlice<UInt8>, at percent: Int) -> UInt8? {
        guard percent + 2 < value.endIndex, let high = Hex.value(value[percent + 1]),
            let low = Hex.value(value[percent + 2])
        else { return nil }
        return high << 4 | low
    }
}
