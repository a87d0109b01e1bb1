/// The grammar of RFC 8259 word by word, recursive and slow. The reader is compared with it.
struct ReferenceJSON {
    private var rest: ArraySlice<Unicode.Scalar>

    /// Whether the bytes are one object, at most 32 brackets deep.
    static func isObject(_ bytes: [UInt8]) -> Bool {
        guard let text = String(validating: bytes, as: UTF8.self) else { return false }
        var scalars = Array(text.unicodeScalars)
        if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
        var reference = ReferenceJSON(rest: scalars[...])
        reference.space()
        return reference.rest.first == "{" && reference.value(depth: 1) && reference.rest.isEmpty
    }

    private mutating func take(_ accepted: String) -> Bool {
        guard let first = rest.first, accepted.unicodeScalars.contains(first) else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func space() { while take(" \t\r\n") {} }

    private mutating func value(depth: Int) -> Bool {
        space()
        defer { space() }
        if take("{") { return depth <= 32 && list("}") { $0.member(depth: depth) } }
        if take("[") { return depth <= 32 && list("]") { $0.value(depth: depth + 1) } }
        if rest.first == "\"" { return string() }
        for literal in ["true", "false", "null"] where rest.starts(with: literal.unicodeScalars) {
            rest.removeFirst(literal.unicodeScalars.count)
            return true
        }
        return number()
    }

    private mutating func member(depth: Int) -> Bool {
        space()
        guard string() else { return false }
        space()
        return take(":") && value(depth: depth + 1)
    }

    private mutating func list(_ closer: String, _ item: (inout ReferenceJSON) -> Bool) -> Bool {
        space()
        if take(closer) { return true }
        repeat { guard item(&self) else { return false } } while take(",")
        return take(closer)
    }

    private mutating func digits() -> Bool {
        guard take("0123456789") else { return false }
        while take("0123456789") {}
        return true
    }

    private mutating func number() -> Bool {
        _ = take("-")
        guard take("0") || digits() else { return false }
        if take("."), !digits() { return false }
        guard take("eE") else { return true }
        _ = take("+-")
        return digits()
    }

    private mutating func string() -> Bool {
        guard take("\"") else { return false }
        while let scalar = rest.popFirst() {
            if scalar == "\"" { return true }
            if scalar.value < 0x20 { return false }
            guard scalar == "\\" else { continue }
            guard take("u") else {
                guard take("\"\\/bfnrt") else { return false }
                continue
            }
            guard let unit = unit(), !(0xDC00...0xDFFF).contains(unit) else { return false }
            guard (0xD800...0xDBFF).contains(unit) else { continue }
            guard take("\\"), take("u"), let low = self.unit(), (0xDC00...0xDFFF).contains(low) else { return false }
        }
        return false
    }

    private mutating func unit() -> UInt16? {
        let digits = String(String.UnicodeScalarView(rest.prefix(4)))
        for _ in 0..<4 { guard take("0123456789abcdefABCDEF") else { return nil } }
        return UInt16(digits, radix: 16)
    }
}
