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
        var rest = Array(text.utf8)[...]
        guard rest.starts(with: Self.timeMark) else { return nil }
        rest = rest.dropFirst(Self.timeMark.count)
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        rest = rest.dropFirst(digits.count)
        guard (1...Self.digitsMax).contains(digits.count), digits.first != UInt8(ascii: "0") || digits.count == 1,
            rest.starts(with: Self.codeMark),
            let seconds = Int64(String(decoding: digits, as: UTF8.self))
        else { return nil }
        let hex = String(decoding: rest.dropFirst(Self.codeMark.count), as: UTF8.self)
        guard hex.utf8.count == 64, let code = Hex.bytes(hex), Hex.text(code) == hex else { return nil }
        (self.seconds, self.code) = (seconds, code)
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
