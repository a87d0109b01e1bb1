import Domain

extension JSONScanner {
    mutating func skip(_ literal: StaticString) throws(JSONError) {
        for byte in "\(literal)".utf8 {
            guard take(byte) else { throw fault(.missing("the rest of \(literal)")) }
        }
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

    /// From quote to quote.
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
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
            UInt8(ascii: "r"), UInt8(ascii: "t"):
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

    /// The `u` of an escape and its four digits.
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

    /// A character beyond ASCII, by table 3-7 of the Unicode standard.
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
