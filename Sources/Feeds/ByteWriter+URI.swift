extension ByteWriter {
    /// Text inside a URI that stands between tags: what a `tag:` URI cannot hold (RFC 4151, RFC 3986 `pchar / "/" / "?"`) as `%XX`.
    /// - Parameter isEncoded: The text is a part of a URL already, so its percent signs stay.
    mutating func append(percentEncoding text: String, isEncoded: Bool) {
        for byte in text.utf8 {
            if byte == UInt8(ascii: "&") {
                append("&amp;")
            } else if Self.uriSafe.contains(byte) || isEncoded && byte == UInt8(ascii: "%") {
                append(byte)
            } else {
                append("%")
                append(Self.hexDigits[Int(byte >> 4)])
                append(Self.hexDigits[Int(byte & 15)])
            }
        }
    }

    private static let hexDigits = Array("0123456789ABCDEF".utf8)
    private static let uriSafe = ByteSet(
        Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$'()*+,;=:@/?".utf8))
}
