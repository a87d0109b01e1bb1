/// A token or a key as the database knows it: its SHA-256, 32 bytes.
package struct TokenHash: Sendable, Hashable {
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}
