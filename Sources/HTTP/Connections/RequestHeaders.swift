package import HTTPTypes
package import NIOHTTP1

/// The headers of a request, looked up as they came: few of them are asked for.
package struct RequestHeaders: Sendable {
    private let headers: HTTPHeaders

    package init(_ headers: HTTPHeaders = [:]) {
        self.headers = headers
    }

    /// A header that came more than once is one list (RFC 9110, section 5.2). Nil without one.
    package subscript(name: HTTPField.Name) -> String? {
        var value: String?
        for header in headers where header.name.isEqual(to: name.canonicalName) {
            value = value.map { "\($0), \(header.value)" } ?? header.value
        }
        return value
    }
}

extension String {
    /// Whether it is this name in any case.
    /// - Parameter lowercased: ASCII.
    fileprivate func isEqual(to lowercased: String) -> Bool {
        guard utf8.count == lowercased.utf8.count else { return false }
        return zip(utf8, lowercased.utf8).allSatisfy { byte, expected in
            byte == expected || (byte | 0x20) == expected && (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        }
    }
}
