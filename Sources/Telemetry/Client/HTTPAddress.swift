import Glibc

/// An address of HTTP: scheme, host, port and path.
package struct HTTPAddress: Sendable, Equatable, CustomStringConvertible {
    package let isEncrypted: Bool
    /// Without the brackets of an IPv6 address.
    package let host: String
    package let port: Int
    package let path: String

    /// Reads a URL such as `http://127.0.0.1:4318/v1/traces`, without user, query and fragment.
    /// - Parameter standardPath: The path of a URL that has none.
    package init?(_ url: String, standardPath: String = "/") {
        let rest: Substring
        if url.hasPrefix("http://") {
            (isEncrypted, rest) = (false, url.dropFirst(7))
        } else if url.hasPrefix("https://") {
            (isEncrypted, rest) = (true, url.dropFirst(8))
        } else {
            return nil
        }
        let authority = rest.prefix { $0 != "/" }
        let path = rest[authority.endIndex...]
        guard rest.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !authority.contains("@"), !rest.contains("?"),
            !rest.contains("#")
        else { return nil }
        self.path = path.isEmpty || path == "/" ? standardPath : String(path)
        var name = authority
        var digits: Substring?
        if let end = authority.lastIndex(of: "]") {
            guard authority.first == "[" else { return nil }
            name = authority[authority.index(after: authority.startIndex)..<end]
            let tail = authority[authority.index(after: end)...]
            guard tail.isEmpty || tail.first == ":" else { return nil }
            digits = tail.isEmpty ? nil : tail.dropFirst()
        } else if let colon = authority.lastIndex(of: ":") {
            name = authority[..<colon]
            digits = authority[authority.index(after: colon)...]
            guard !name.contains(":") else { return nil }
        }
        guard !name.isEmpty else { return nil }
        host = String(name)
        guard let digits else {
            port = isEncrypted ? 443 : 80
            return
        }
        guard let number = Int(digits), (1...65_535).contains(number) else { return nil }
        port = number
    }

    /// Whether the host is an IP address, and no name.
    var isNumeric: Bool {
        var address = in6_addr()
        return inet_pton(AF_INET, host, &address) == 1 || inet_pton(AF_INET6, host, &address) == 1
    }

    /// The `Host` header.
    var hostText: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }

    package var description: String { "\(isEncrypted ? "https" : "http")://\(hostText)\(path)" }
}
