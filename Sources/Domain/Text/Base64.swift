/// Decodes base64 as phones send it: the standard or the URL-safe alphabet (RFC 4648, sections 4 and 5), a space for
/// the `+` that a form turned into one, line breaks anywhere, padding or none, and with or without
/// `data:image/png;base64,` in front.
/// - Returns: Nil for any other character, misplaced padding, or an impossible length.
package func base64Decoded(_ text: some Collection<UInt8>) -> [UInt8]? {
    if let bytes = text.withContiguousStorageIfAvailable({ decode(base64Payload(of: $0)) }) { return bytes }
    return Array(text).withUnsafeBufferPointer { decode(base64Payload(of: $0)) }
}

/// Encodes bytes in the standard alphabet, padded, on one line; the result is ASCII.
package func base64Encoded(_ bytes: [UInt8]) -> [UInt8] {
    let lengthBytes = (bytes.count + 2) / 3 * 4
    return [UInt8](unsafeUninitializedCapacity: lengthBytes) { output, count in
        var index = 0
        while index < bytes.count {
            let second = index + 1 < bytes.count ? bytes[index + 1] : 0
            let third = index + 2 < bytes.count ? bytes[index + 2] : 0
            let group = Int(bytes[index]) << 16 | Int(second) << 8 | Int(third)
            output.initializeElement(at: count, to: alphabet[group >> 18])
            output.initializeElement(at: count + 1, to: alphabet[group >> 12 & 63])
            output.initializeElement(at: count + 2, to: index + 1 < bytes.count ? alphabet[group >> 6 & 63] : padding)
            output.initializeElement(at: count + 3, to: index + 2 < bytes.count ? alphabet[group & 63] : padding)
            count += 4
            index += 3
        }
    }
}

/// Encodes bytes in the URL-safe alphabet without padding (RFC 4648, section 5); the result is ASCII.
package func base64URLEncoded(_ bytes: [UInt8]) -> [UInt8] {
    base64Encoded(bytes).compactMap { byte in
        switch byte {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        case padding: nil
        default: byte
        }
    }
}

/// Decodes the output of ``base64URLEncoded(_:)``. Refuses other spellings of the same bytes, which differ in the
/// unused bits of the last character.
package func base64URLDecoded(_ text: some Collection<UInt8>) -> [UInt8]? {
    guard text.allSatisfy(isOfURLAlphabet), let bytes = base64Decoded(text), text.elementsEqual(base64URLEncoded(bytes))
    else { return nil }
    return bytes
}

private func isOfURLAlphabet(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
    default: false
    }
}

private func decode(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8]? {
    var isValid = true
    let bytes = [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3 + 3) { output, count in
        var group: UInt32 = 0
        var symbols = 0  // in this group, 0...3
        var paddings = 0
        for byte in text {
            let sextet = sextets[Int(byte)]
            switch sextet {
            case 0..<64 where paddings == 0:
                group = group << 6 | UInt32(sextet)
                symbols += 1
                if symbols == 4 {
                    output.initializeElement(at: count, to: UInt8(truncatingIfNeeded: group >> 16))
                    output.initializeElement(at: count + 1, to: UInt8(truncatingIfNeeded: group >> 8))
                    output.initializeElement(at: count + 2, to: UInt8(truncatingIfNeeded: group))
                    count += 3
                    symbols = 0
                }
            case lineBreak: continue
            case paddingMark where symbols >= 2 && symbols + paddings < 4: paddings += 1
            default:
                isValid = false
                return
            }
        }
        switch symbols {
        case 0: break
        case 2:
            output.initializeElement(at: count, to: UInt8(truncatingIfNeeded: group >> 4))
            count += 1
        case 3:
            output.initializeElement(at: count, to: UInt8(truncatingIfNeeded: group >> 10))
            output.initializeElement(at: count + 1, to: UInt8(truncatingIfNeeded: group >> 2))
            count += 2
        default: isValid = false
        }
    }
    return isValid ? bytes : nil
}

/// The text after `data:…;base64,`, or the whole text when there is no such prefix in its first 64 bytes.
private func base64Payload(of text: UnsafeBufferPointer<UInt8>) -> Slice<UnsafeBufferPointer<UInt8>> {
    let prefix = text.prefix(dataPrefixMax)
    guard prefix.starts(with: Array("data:".utf8)), let comma = prefix.firstIndex(of: UInt8(ascii: ",")),
        text[..<comma].suffix(7).elementsEqual(Array(";base64".utf8))
    else { return text[...] }
    return text[(comma + 1)...]
}

private let dataPrefixMax = 64
private let padding = UInt8(ascii: "=")
private let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

private let lineBreak: UInt8 = 64
private let paddingMark: UInt8 = 65
private let refused: UInt8 = 255

/// The meaning of each byte: a sextet 0...63, or one of the three marks above.
private let sextets: [UInt8] = {
    var table = [UInt8](repeating: refused, count: 256)
    for (value, symbol) in alphabet.enumerated() { table[Int(symbol)] = UInt8(value) }
    for (symbol, value) in [("-", 62), ("_", 63), (" ", 62)] as [(Unicode.Scalar, UInt8)] {
        table[Int(symbol.value)] = value
    }
    table[Int(UInt8(ascii: "\r"))] = lineBreak
    table[Int(UInt8(ascii: "\n"))] = lineBreak
    table[Int(padding)] = paddingMark
    return table
}()
