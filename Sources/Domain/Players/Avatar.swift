/// The SHA-256 of a stored 40x40 PNG, which identifies the picture everywhere.
package struct AvatarHash: Sendable, Hashable {
    /// 32 bytes.
    package let bytes: [UInt8]

    /// Nil unless there are exactly 32 bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// Nil unless the text is 64 hex digits, in either case.
    package init?(hex: some StringProtocol) {
        guard let bytes = Hex.bytes(hex) else { return nil }
        self.init(bytes: bytes)
    }

    package var hex: String { Hex.text(bytes) }
}
