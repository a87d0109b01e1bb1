import Crypto
package import FoundationEssentials

extension UUID {
    /// The UUID of a name (RFC 9562, version 5): each installation makes the same one. The server gives such ids to
    /// donations that it makes for players, so that each is made once however often it is tried.
    package init(name: String) {
        var digest = Array(Insecure.SHA1.hash(data: Self.namespace + Array(name.utf8)).prefix(16))
        digest[6] = 0x50 | digest[6] & 0x0F
        digest[8] = 0x80 | digest[8] & 0x3F
        self = digest.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    /// c0a5eb0a-7d00-5c00-8c00-000000000001
    private static let namespace: [UInt8] = [0xC0, 0xA5, 0xEB, 0x0A, 0x7D, 0, 0x5C, 0, 0x8C, 0, 0, 0, 0, 0, 0, 1]
}
