import Domain
import HTTPTypes

/// The hops that proxies appended to a request, read from the last one backwards. The end of the header is what the
/// nearest proxy wrote; what is before that may be anything, and is looked at only when its reader has a reason to
/// believe who wrote it.
struct ForwardedHops {
    struct Hop {
        /// Nil when the hop names no address: it is unknown, a pseudonym or nonsense.
        let address: IPAddress?
        /// The scheme of the hop's own request; nil when the hop does not tell.
        var scheme: String?
    }

    private let header: TrustedProxies.Header
    /// The values of the header that are not read yet, in order.
    private var values: [Substring]

    init(_ headers: RequestHeaders, _ header: TrustedProxies.Header) {
        self.header = header
        values = headers.values(of: header == .forwarded ? .forwarded : .xForwardedFor).map { $0[...] }
    }

    /// - Returns: The hop before the one that was returned last; nil when there is none.
    mutating func next() -> Hop? {
        guard let value = values.popLast() else { return nil }
        guard let element = Self.lastElement(of: value, isQuoted: header == .forwarded) else {
            return Hop(address: nil)
        }
        if element.startIndex > value.startIndex {
            values.append(value[..<value.utf8.index(before: element.startIndex)])
        }
        switch header {
        case .xForwardedFor: return Hop(address: Self.address(Self.trimmed(element)))
        case .forwarded: return Self.hop(element)
        }
    }

    /// What the nearest proxy wrote to `X-Forwarded-Proto`.
    static func lastScheme(of headers: RequestHeaders) -> String? {
        guard let value = headers.values(of: .xForwardedProto).last else { return nil }
        return lastElement(of: value[...], isQuoted: false).map { String(trimmed($0)) }
    }

    /// - Parameter isQuoted: Whether a comma between quotation marks belongs to the element.
    /// - Returns: The text after the last comma; nil when it has more than ``Limits/proxyHopBytesMax`` bytes, or a
    ///   quotation that does not end.
    private static func lastElement(of value: Substring, isQuoted: Bool) -> Substring? {
        let bytes = value.utf8
        var start = bytes.endIndex
        var isInQuotes = false
        var bytesCount = 0
        while start > bytes.startIndex {
            let before = bytes.index(before: start)
            if bytes[before] == UInt8(ascii: ","), !isInQuotes { break }
            bytesCount += 1
            guard bytesCount <= Limits.proxyHopBytesMax else { return nil }
            if isQuoted, bytes[before] == UInt8(ascii: "\"") {
                // A mark after an odd number of backslashes is part of the quoted text. Outside one there is none.
                let backslashes = bytes[..<before].suffix(Limits.proxyHopBytesMax).reversed().prefix {
                    $0 == UInt8(ascii: "\\")
                }
                if backslashes.count.isMultiple(of: 2) { isInQuotes.toggle() } else if !isInQuotes { return nil }
            }
            start = before
        }
        return isInQuotes ? nil : value[start...]
    }

    /// Reads an element of `Forwarded` (RFC 7239, section 4), such as `for="[2001:db8::1]:4711";proto=https`.
    private static func hop(_ element: Substring) -> Hop {
        var parameters: [String: String] = [:]
        for pair in separated(element) {
            let pair = trimmed(pair)
            guard let equals = pair.firstIndex(of: "="), let value = unquoted(pair[pair.index(after: equals)...]) else {
                return Hop(address: nil)
            }
            guard parameters.updateValue(value, forKey: pair[..<equals].lowercased()) == nil else {
                return Hop(address: nil)
            }
        }
        return Hop(address: parameters["for"].flatMap { address($0[...]) }, scheme: parameters["proto"])
    }

    /// The parts of an element between semicolons outside of quotation marks.
    private static func separated(_ element: Substring) -> [Substring] {
        var (isInQuotes, isEscaped) = (false, false)
        return element.split(omittingEmptySubsequences: false) { character in
            if isEscaped {
                isEscaped = false
            } else if character == "\\" {
                isEscaped = isInQuotes
            } else if character == "\"" {
                isInQuotes.toggle()
            }
            return character == ";" && !isInQuotes
        }
    }

    /// The text of a token or of a quoted string; nil when a quotation mark stands where none may.
    private static func unquoted(_ text: Substring) -> String? {
        guard text.first == "\"" else { return text.contains("\"") ? nil : String(text) }
        guard text.count >= 2, text.last == "\"" else { return nil }
        var plain = ""
        var isEscaped = false
        for character in text.dropFirst().dropLast() {
            if !isEscaped, character == "\\" {
                isEscaped = true
                continue
            }
            guard isEscaped || character != "\"" else { return nil }
            plain.append(character)
            isEscaped = false
        }
        return isEscaped ? nil : plain
    }

    /// The address of a node, which may have brackets and a port: `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`,
    /// `[2001:db8::1]` or `[2001:db8::1]:80`.
    private static func address(_ node: Substring) -> IPAddress? {
        if node.first == "[" {
            guard let end = node.firstIndex(of: "]") else { return nil }
            let port = node[node.index(after: end)...]
            guard port.isEmpty || isPort(port), let address = IPAddress(node[node.index(after: node.startIndex)..<end]),
                node[..<end].contains(":")
            else { return nil }
            return address
        }
        if let address = IPAddress(node) { return address }
        guard let colon = node.firstIndex(of: ":"), isPort(node[colon...]) else { return nil }
        return IPAddress(node[..<colon])
    }

    /// Whether the text is a colon and a port, or the pseudonym of one, such as `:_secret`.
    private static func isPort(_ text: Substring) -> Bool {
        guard text.first == ":", (2...32).contains(text.utf8.count) else { return false }
        return text.dropFirst().utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        func isSpace(_ character: Character) -> Bool { character == " " || character == "\t" }
        var text = text.drop(while: isSpace)
        while let last = text.last, isSpace(last) { text.removeLast() }
        return text
    }
}

extension HTTPField.Name {
    fileprivate static let forwarded = standard("Forwarded")
    fileprivate static let xForwardedFor = standard("X-Forwarded-For")
    fileprivate static let xForwardedProto = standard("X-Forwarded-Proto")
}
