/// The ETag of a save: the first 128 bits of the SHA-256 of its bytes, so that equal bytes have equal ETags.
package struct SaveETag: Sendable, Hashable {
    /// 16 bytes.
    package let bytes: [UInt8]

    /// Nil unless there are exactly 16 bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.bytesCount else { return nil }
        self.bytes = bytes
    }

    /// Nil unless the text is 32 hex digits, in either case.
    package init?(hex: some StringProtocol) {
        guard let bytes = Hex.bytes(hex) else { return nil }
        self.init(bytes: bytes)
    }

    package var hex: String { Hex.text(bytes) }

    package static let bytesCount = 16
}

/// What a slot has, or had, without its bytes.
package struct SaveVersion: Sendable, Equatable {
    package let slot: Slug
    package let etag: SaveETag
    /// 0 to ``Limits/saveBytesMax``.
    package let bytesCount: Int32
    package let savedAt: Instant

    package init(slot: Slug, etag: SaveETag, bytesCount: Int32, savedAt: Instant) {
        (self.slot, self.etag, self.bytesCount, self.savedAt) = (slot, etag, bytesCount, savedAt)
    }
}

/// What a caller says that a slot has, so that nobody overwrites what somebody else has saved meanwhile.
package enum SaveExpectation: Sendable, Equatable {
    case nothing
    /// - Parameter etag: Nil for a text that is no ETag of a save, which no slot has.
    case version(SaveETag?)
}
