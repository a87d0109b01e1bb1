/// The value of a `Host` header: a name or an address, and perhaps a port (RFC 9110, section 7.2).
package struct HostHeader {
    /// A registered name or an IPv4 address, in the bytes that RFC 3986 has for them (section 3.2.2), or an IPv6
    /// address without its brackets. Empty when the header is, or has a port only.
    package let host: Substring
    private let isBracketed: Bool

    /// - Returns: Nil when the text is no host with an optional port.
    package init?(_ text: String) {
        var rest = text.utf8[...]
        isBracketed = rest.first == UInt8(ascii: "[")
        if isBracketed {
            guard let end = rest.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            host = Substring(rest[..<end].dropFirst())
            // An IPv4 address that is mapped to IPv6 is an IPv6 literal too, so the family does not tell.
            guard host.utf8.contains(UInt8(ascii: ":")), IPAddress(host) != nil else { return nil }
            rest = rest[end...].dropFirst()
        } else {
            let end = rest.firstIndex { !Self.isOfName($0) } ?? rest.endIndex
            host = Substring(rest[..<end])
            rest = rest[end...]
        }
        guard rest.isEmpty || Self.isPort(rest) else { return nil }
    }

    /// The host as an address of ours may repeat it; nil when it is empty, longer than a name may be (253 bytes, RFC
    /// 1035), or has a byte that names of the internet do not have.
    package var ofURL: String? {
        guard !isBracketed else { return "[\(host)]" }
        let isPlain = host.utf8.allSatisfy { byte in
            Self.isAlphanumeric(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
        }
        return isPlain && (1...253).contains(host.utf8.count) ? String(host) : nil
    }

    private static func isPort(_ text: Substring.UTF8View) -> Bool {
        text.first == UInt8(ascii: ":") && text.count <= 6 && text.dropFirst().allSatisfy(isDigit)
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        if isAlphanumeric(byte) { return true }
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "%"),
            UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&")...UInt8(ascii: ","), UInt8(ascii: ";"),
            UInt8(ascii: "="):
            return true
        default: return false
        }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        default: isDigit(byte)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
