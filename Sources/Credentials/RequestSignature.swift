package import Domain

/// The signature of a request as its header has it: `t=<unix seconds>,v1=<64 hex digits>`.
///
/// A time and a code have one spelling each: digits without a sign or leading zeros, and hex in lower case. So a
/// signature has exactly one text, as a token does.
package struct RequestSignature: Sendable {
    /// When it was made by the client's clock: seconds since 1970.
    package let seconds: Int64
    /// The HMAC-SHA256, 32 bytes.
    let code: [UInt8]

    /// Nil unless the text is a signature in exactly this form; a header that comes twice is none.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.bytesMax else { return nil }
        var text = text
        guard let (seconds, code) = text.withUTF8({ Self.parts(of: $0[...]) }) else { return nil }
        (self.seconds, self.code) = (seconds, code)
    }

    private static func parts(of text: Slice<UnsafeBufferPointer<UInt8>>) -> (seconds: Int64, code: [UInt8])? {
        guard text.starts(with: timeMark) else { return nil }
        var rest = text.dropFirst(timeMark.count)
        var (seconds, digitCount): (Int64, Int) = (0, 0)
        while let digit = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) {
            digitCount += 1
            // A leading zero would be another spelling.
            guard digitCount <= digitsMax, digitCount == 1 || seconds > 0 else { return nil }
            seconds = 10 * seconds + Int64(digit - UInt8(ascii: "0"))
            rest.removeFirst()
        }
        guard digitCount > 0, rest.starts(with: codeMark), rest.count == codeMark.count + 64 else { return nil }
        let digits = rest.dropFirst(codeMark.count)
        guard !digits.contains(where: { (UInt8(ascii: "A")...UInt8(ascii: "F")).contains($0) }),
            let code = Hex.bytes(digits)
        else { return nil }
        return (seconds, code)
    }

    /// How many seconds the client's clock was off an instant, either way. Parts of a second do not count, as `Date`
    /// does not show them.
    package func secondsOff(_ now: Instant) -> Int64 {
        let whole = now.microsecondsSince1970 / 1_000_000
        return abs(whole - seconds)
    }

    /// Digits of a time: enough until the year 5138, and far from what 64 bits hold.
    private static let digitsMax = 11
    private static let timeMark = Array("t=".utf8)
    private static let codeMark = Array(",v1=".utf8)
    private static let bytesMax = timeMark.count + digitsMax + codeMark.count + 64
}
