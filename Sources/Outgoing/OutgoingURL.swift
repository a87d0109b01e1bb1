import Domain

/// An https address that an operator or an issuer named: a host name, a port, and a path with its query.
///
/// It has no user and no fragment. Its host is a name, because the certificate is verified for a name.
package struct OutgoingURL: Sendable, Hashable, CustomStringConvertible {
    /// In lower case, without a trailing dot.
    package let host: String
    package let port: Int
    /// The path and the query, as in a request line.
    package let target: String

    /// Completes an error message after "is".
    package static let rule = "an https address with a host name, such as https://login.example.org/keys"

    /// - Returns: Nil if the text is no such address, or longer than ``Limits/outgoingURLBytesMax``.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Limits.outgoingURLBytesMax, bytes.starts(with: Self.scheme) else { return nil }
        let rest = bytes.dropFirst(Self.scheme.count)
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        let target = rest.dropFirst(authority.count)
        guard target.allSatisfy(Self.isOfTarget), let place = Self.place(authority) else { return nil }
        (host, port) = place
        let path = String(decoding: target, as: UTF8.self)
        self.target = target.first == UInt8(ascii: "/") ? path : "/" + path
    }

    package var description: String { "https://\(hostText)\(target)" }

    /// The `Host` header.
    var hostText: String { port == Self.standardPort ? host : "\(host):\(port)" }

    private static let scheme = Array("https://".utf8)
    private static let standardPort = 443

    private static func place(_ authority: ArraySlice<UInt8>) -> (host: String, port: Int)? {
        let parts = authority.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = parts.first.flatMap(hostName) else { return nil }
        guard parts.count == 2 else { return (name, standardPort) }
        let digits = parts[1]
        guard (1...5).contains(digits.count), digits.allSatisfy(isDigit), digits.first != UInt8(ascii: "0"),
            let port = Int(String(decoding: digits, as: UTF8.self)), port <= 65_535
        else { return nil }
        return (name, port)
    }

    /// A name of letters, digits and hyphens (RFC 1123, section 2.1). Its last label begins with a letter, which
    /// excludes all spellings of IPv4 addresses, such as `127.1` or `0x7f000001`.
    private static func hostName(_ bytes: ArraySlice<UInt8>) -> String? {
        guard bytes.count <= 253 else { return nil }
        let lower = bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        let labels = lower.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let hyphen = UInt8(ascii: "-")
        guard let last = labels.last?.first, isLower(last),
            labels.allSatisfy({ label in
                (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
                    && label.allSatisfy { isLower($0) || isDigit($0) || $0 == hyphen }
            })
        else { return nil }
        return String(decoding: lower, as: UTF8.self)
    }

    /// The characters of paths and queries (RFC 3986, sections 3.3 and 3.4).
    private static func isOfTarget(_ byte: UInt8) -> Bool {
        isLower(byte | 0x20) || isDigit(byte) || targetMarks.contains(byte)
    }

    private static let targetMarks = Array("-._~!$&'()*+,;=:@/?%".utf8)

    private static func isLower(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
