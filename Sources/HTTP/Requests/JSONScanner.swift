import Domain

/// Validates JSON (RFC 8259) as it passes over it, nested values and strings included. It never recurses, so deeply
/// nested brackets cannot use up the stack.
struct JSONScanner {
    let bytes: [UInt8]
    var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    static func isSpace(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): true
        default: false
        }
    }

    /// The byte at the offset; nil at the end.
    var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    mutating func skipSpace() { while let byte = next, Self.isSpace(byte) { offset += 1 } }

    /// Passes the byte if it comes next, and says whether it did.
    mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        offset += 1
        return true
    }

    /// An error about a fault at the offset.
    func fault(_ fault: JSONError.Fault) -> JSONError { JSONError(fault, in: bytes, at: offset) }

    /// Passes white space and one value with everything nested in it.
    /// - Parameter depth: The number of brackets that are open around the value.
    mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        skipSpace()
        let start = offset
        var closers: [UInt8] = []  // of the open brackets, innermost last
        repeat {
            var isComplete = try beginValue(&closers, depth: depth)
            while isComplete, let closer = closers.last {
                if try continues(until: closer) {
                    if closer == UInt8(ascii: "}") { _ = try name() }
                    isComplete = false
                } else {
                    closers.removeLast()
                }
            }
        } while !closers.isEmpty
        return JSONValue(scanned: bytes[start..<offset])
    }

    /// Passes the name of a member and its colon, and returns the name's decoded bytes.
    mutating func name() throws(JSONError) -> ArraySlice<UInt8> {
        skipSpace()
        guard next == UInt8(ascii: "\"") else { throw fault(.missing("a name in double quotes")) }
        let start = offset
        try skipString()
        let name = JSONValue(scanned: bytes[start..<offset]).decodedString
        skipSpace()
        guard take(UInt8(ascii: ":")) else { throw fault(.missing("a colon")) }
        return name
    }

    /// Passes a comma, and returns true, or the closing bracket, and returns false.
    mutating func continues(until closer: UInt8) throws(JSONError) -> Bool {
        skipSpace()
        if take(UInt8(ascii: ",")) { return true }
        guard take(closer) else { throw fault(.missing("a comma or \(Unicode.Scalar(closer))")) }
        return false
    }

    /// - Throws: When anything but white space is left.
    mutating func finish() throws(JSONError) {
        skipSpace()
        guard next == nil else { throw fault(.missing("the end")) }
    }

    /// Passes a scalar or an empty pair of brackets and returns true; otherwise goes to the first value inside a
    /// bracket and returns false.
    private mutating func beginValue(_ closers: inout [UInt8], depth: Int) throws(JSONError) -> Bool {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return try open(closer: UInt8(ascii: "}"), &closers, depth: depth)
        case UInt8(ascii: "["): return try open(closer: UInt8(ascii: "]"), &closers, depth: depth)
        case UInt8(ascii: "\""): try skipString()
        case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): try skipNumber()
        case UInt8(ascii: "t"): try skip("true")
        case UInt8(ascii: "f"): try skip("false")
        case UInt8(ascii: "n"): try skip("null")
        default: throw fault(.missing("a value"))
        }
        return true
    }

    private mutating func open(closer: UInt8, _ closers: inout [UInt8], depth: Int) throws(JSONError) -> Bool {
        guard depth + closers.count < Limits.jsonDepthMax else { throw fault(.tooDeep(max: Limits.jsonDepthMax)) }
        offset += 1
        skipSpace()
        if take(closer) { return true }
        closers.append(closer)
        if closer == UInt8(ascii: "}") { _ = try name() }
        return false
    }
}

extension JSONScanner {
    mutating func skip(_ literal: StaticString) throws(JSONError) {
        for byte in "\(literal)".utf8 { guard take(byte) else { throw fault(.missing("the rest of \(literal)")) } }
    }

    mutating func skipNumber() throws(JSONError) {
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try skipDigits() }
        if take(UInt8(ascii: ".")) { try skipDigits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            _ = take(UInt8(ascii: "+")) || take(UInt8(ascii: "-"))
            try skipDigits()
        }
    }

    private mutating func skipDigits() throws(JSONError) {
        let start = offset
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { offset += 1 }
        guard offset > start else { throw fault(.missing("a digit")) }
    }

    /// Passes a string, from quote to quote.
    mutating func skipString() throws(JSONError) {
        offset += 1
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                offset += 1
                return
            case UInt8(ascii: "\\"): try skipEscape()
            case ..<0x20: throw fault(.controlInString)
            case ..<0x80: offset += 1
            default: try skipCharacter()
            }
        }
        throw fault(.missing("the quote that ends a string"))
    }

    private mutating func skipEscape() throws(JSONError) {
        let start = offset
        offset += 1
        switch next {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            offset += 1
        case UInt8(ascii: "u"):
            let isPair: Bool
            switch try skipUnit() {
            case 0xD800...0xDBFF: isPair = true
            case 0xDC00...0xDFFF: throw JSONError(.halfOfAPair, in: bytes, at: start)
            default: isPair = false
            }
            guard isPair else { return }
            guard next != nil else { throw fault(.missing("the other half of a surrogate pair")) }
            guard take(UInt8(ascii: "\\")) else { throw JSONError(.halfOfAPair, in: bytes, at: start) }
            guard next != nil else { throw fault(.missing("the other half of a surrogate pair")) }
            guard next == UInt8(ascii: "u"), (0xDC00...0xDFFF).contains(try skipUnit()) else {
                throw JSONError(.halfOfAPair, in: bytes, at: start)
            }
        default: throw fault(.missing(#"one of " \ / b f n r t u"#))
        }
    }

    /// Passes the `u` of an escape and its four digits.
    private mutating func skipUnit() throws(JSONError) -> UInt16 {
        offset += 1
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = next.flatMap(Hex.value) else { throw fault(.missing("a hexadecimal digit")) }
            unit = unit << 4 | UInt16(digit)
            offset += 1
        }
        return unit
    }

    /// Passes a character beyond ASCII, by table 3-7 of the Unicode standard.
    private mutating func skipCharacter() throws(JSONError) {
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch bytes[offset] {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: length = 4
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: throw fault(.notUTF8)
        }
        for place in 1..<length {
            guard offset + place < bytes.count else {
                throw JSONError(.missing("the rest of a character"), in: bytes, at: bytes.count)
            }
            guard (place == 1 ? second : 0x80...0xBF).contains(bytes[offset + place]) else { throw fault(.notUTF8) }
        }
        offset += length
    }
}
