import Crypto
package import Domain
import Synchronization

/// Writes a backup: a tar file whose last parts are the manifest, which has the checksum of every other part, and the
/// manifest's own checksum. Nothing is read again, so it can go to a pipe.
package final class BackupWriter: Sendable {
    /// Bytes of a piece of the database.
    package static let pieceBytes = 16 << 20

    private struct State {
        var parts: [BackupManifest.Part] = []
        var pieces = 0
        var bytes = 0
    }

    private let path: String
    private let descriptor: Descriptor
    private let seconds: Int64
    private let state = Mutex(State())

    /// Bytes written so far.
    package var bytes: Int { state.withLock(\.bytes) }

    /// - Parameters:
    ///   - path: What messages call it.
    ///   - secret: What the secret file holds.
    ///   - erasures: The list as `causeboard erasures list` writes it.
    package init(_ descriptor: Descriptor, path: String, now: Instant, secret: [UInt8], erasures: [UInt8])
        throws(BackupError)
    {
        self.descriptor = descriptor
        self.path = path
        seconds = now.microsecondsSince1970 / 1_000_000
        guard erasures.count <= BackupReader.listBytesMax else {
            throw .size(path, name: PartName.erasures, bytes: erasures.count, bytesMax: BackupReader.listBytesMax)
        }
        let format = "\(PartName.formatWords)\(BackupManifest.currentFormat)\n"
        try add(PartName.format, Array(format.utf8))
        try add(PartName.secret, secret)
        try add(PartName.erasures, erasures)
    }

    /// Takes all that comes from a pipe as the database.
    /// - Parameter note: Is told how many bytes are written so far, after each piece.
    package func addDatabase(from pipe: Descriptor, _ note: (Int) -> Void) throws(BackupError) {
        while true {
            let piece = try pipe.read(Self.pieceBytes, of: "what pg_dump writes")
            if piece.isEmpty { return }
            let number = state.withLock { state in
                state.pieces += 1
                return state.pieces
            }
            try add(PartName.database(number), piece)
            note(bytes)
        }
    }

    /// Writes the manifest, and the end.
    package func finish(_ manifest: BackupManifest) throws(BackupError) {
        var manifest = manifest
        manifest.parts = state.withLock(\.parts)
        let text = manifest.encoded()
        try add(PartName.manifest, text)
        try add(PartName.manifestSum, Array("\(hexDigest(text))  \(PartName.manifest)\n".utf8))
        try write([UInt8](repeating: 0, count: 2 * TarHeader.blockBytes))
    }

    private func add(_ name: String, _ content: [UInt8]) throws(BackupError) {
        let header = TarHeader(name: name, bytes: content.count)
        try write(header.encoded(seconds: seconds))
        try write(content)
        try write([UInt8](repeating: 0, count: header.paddingBytes))
        let part = BackupManifest.Part(name: name, bytes: content.count, sha256: hexDigest(content))
        state.withLock { $0.parts.append(part) }
    }

    private func write(_ content: [UInt8]) throws(BackupError) {
        try descriptor.write(content, to: path)
        state.withLock { $0.bytes += content.count }
    }
}

/// SHA-256 in 64 hex digits.
func hexDigest(_ bytes: [UInt8]) -> String { Hex.text(Array(SHA256.hash(data: bytes))) }
