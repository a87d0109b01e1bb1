import Glibc

/// A backup that has been read from its first byte to its last and is whole.
package struct BackupReader: Sendable {
    package let path: String
    package let manifest: BackupManifest
    /// What the secret file held.
    package let secret: [UInt8]
    package let erasures: [UInt8]
    /// The file's size.
    package let bytes: Int
    private let descriptor: Descriptor
    /// Where the content of each piece of the database begins.
    private let pieces: [(offset: Int, part: BackupManifest.Part)]

    /// Reads the whole file and compares every part with its checksum.
    /// - Parameter note: Is told how many bytes are read so far.
    /// - Throws: ``BackupError`` that names what is wrong.
    package init(_ path: String, _ note: (Int) -> Void = { _ in }) throws(BackupError) {
        let descriptor = try Descriptor(reading: path)
        var scan = Scan(path: path, descriptor: descriptor)
        try scan.begin()
        let secret = try scan.part(PartName.secret, bytesMax: Self.smallBytesMax)
        let erasures = try scan.part(PartName.erasures, bytesMax: Self.listBytesMax)
        var pieces: [(offset: Int, part: BackupManifest.Part)] = []
        var header = try scan.header()
        while header.name != PartName.manifest {
            let name = PartName.database(pieces.count + 1)
            guard header.name == name else { throw .order(path, expected: name, got: header.name) }
            let offset = scan.offset
            _ = try scan.content(header, bytesMax: BackupWriter.pieceBytes)
            if let part = scan.parts.last { pieces.append((offset, part)) }
            note(scan.offset)
            header = try scan.header()
        }
        let text = try scan.content(header, bytesMax: Self.listBytesMax)
        let parts = scan.parts.dropLast()
        let sum = try scan.part(PartName.manifestSum, bytesMax: Self.smallBytesMax)
        let got = hexDigest(text)
        let expected = String(decoding: sum, as: UTF8.self)
        guard expected == "\(got)  \(PartName.manifest)\n" else {
            throw .part(path, name: PartName.manifest, expected: String(expected.prefix(64)), got: got)
        }
        try scan.end()
        if let format = BackupManifest.format(of: text), format != BackupManifest.currentFormat {
            throw .otherFormat(path, format: format)
        }
        guard let manifest = BackupManifest(text) else { throw .manifest(path) }
        try Self.compare(Array(parts), with: manifest, path)
        (self.path, self.descriptor, self.manifest) = (path, descriptor, manifest)
        (self.secret, self.erasures, self.pieces, bytes) = (secret, erasures, pieces, scan.offset)
    }

    /// Writes what `pg_dump` has written. Each piece is compared again, because the file may have changed since.
    package func writeDatabase(to pipe: Descriptor, _ note: (Int) -> Void = { _ in }) throws(BackupError) {
        for (offset, part) in pieces {
            guard lseek(descriptor.number, off_t(offset), SEEK_SET) >= 0 else { throw .failed("read", path) }
            let piece = try descriptor.read(part.bytes, of: path)
            let got = hexDigest(piece)
            guard got == part.sha256 else { throw .part(path, name: part.name, expected: part.sha256, got: got) }
            try pipe.write(piece, to: "pg_restore")
            note(offset + part.bytes)
        }
    }

    /// Bytes of the secret and of a checksum, at most.
    private static let smallBytesMax = 4_096
    /// Bytes of the list of erasures, and of the manifest, at most.
    static let listBytesMax = 256 << 20

    private static func compare(_ parts: [BackupManifest.Part], with manifest: BackupManifest, _ path: String)
        throws(BackupError)
    {
        for (promised, found) in zip(manifest.parts, parts) {
            guard promised.name == found.name else { throw .order(path, expected: promised.name, got: found.name) }
            guard promised == found else {
                throw .part(path, name: found.name, expected: promised.sha256, got: found.sha256)
            }
        }
        if manifest.parts.count > parts.count {
            throw .order(path, expected: manifest.parts[parts.count].name, got: PartName.manifest)
        }
        if parts.count > manifest.parts.count {
            throw .order(path, expected: PartName.manifest, got: parts[manifest.parts.count].name)
        }
    }
}

/// Reads a backup from its beginning on, one part after the other.
private struct Scan {
    let path: String
    let descriptor: Descriptor
    private(set) var offset = 0
    private(set) var parts: [BackupManifest.Part] = []

    init(path: String, descriptor: Descriptor) { (self.path, self.descriptor) = (path, descriptor) }

    private var place: String { parts.last.map { "after its part \($0.name)" } ?? "at its beginning" }

    mutating func begin() throws(BackupError) {
        let block = try take(TarHeader.blockBytes, "in its first header")
        guard let header = TarHeader(block), header.name == PartName.format, header.bytes <= 64 else {
            throw .notABackup(path)
        }
        let text = String(decoding: try content(header, bytesMax: 64), as: UTF8.self)
        guard text.hasPrefix(PartName.formatWords), text.hasSuffix("\n"),
            let format = Int(text.dropFirst(PartName.formatWords.count).dropLast())
        else { throw .notABackup(path) }
        guard format == BackupManifest.currentFormat else { throw .otherFormat(path, format: format) }
    }

    mutating func part(_ name: String, bytesMax: Int) throws(BackupError) -> [UInt8] {
        let header = try header()
        guard header.name == name else { throw .order(path, expected: name, got: header.name) }
        return try content(header, bytesMax: bytesMax)
    }

    mutating func header() throws(BackupError) -> TarHeader {
        let at = offset
        let block = try take(TarHeader.blockBytes, "\(place), and has no \(PartName.manifest) and its checksum")
        if block.allSatisfy({ $0 == 0 }) { throw .noManifest(path, after: place) }
        guard let header = TarHeader(block) else { throw .header(path, after: "\(place), in a header", offset: at) }
        return header
    }

    mutating func content(_ header: TarHeader, bytesMax: Int) throws(BackupError) -> [UInt8] {
        guard header.bytes <= bytesMax else {
            throw .size(path, name: header.name, bytes: header.bytes, bytesMax: bytesMax)
        }
        let content = try take(header.bytes, "within its part \(header.name)")
        parts.append(BackupManifest.Part(name: header.name, bytes: content.count, sha256: hexDigest(content)))
        let at = offset
        let padding = try take(header.paddingBytes, "within its part \(header.name)")
        guard padding.allSatisfy({ $0 == 0 }) else { throw .header(path, after: place, offset: at) }
        return content
    }

    /// The two empty blocks that end a tar file, and nothing after them.
    mutating func end() throws(BackupError) {
        let at = offset
        let blocks = try take(2 * TarHeader.blockBytes, "before its end")
        guard blocks.allSatisfy({ $0 == 0 }) else { throw .header(path, after: "before its end", offset: at) }
        let more = try descriptor.read(TarHeader.blockBytes, of: path)
        guard more.isEmpty else { throw .tail(path, bytes: more.count) }
    }

    private mutating func take(_ count: Int, _ place: String) throws(BackupError) -> [UInt8] {
        let bytes = try descriptor.read(count, of: path)
        offset += bytes.count
        guard bytes.count == count else { throw .cut(path, bytes: offset, within: place) }
        return bytes
    }
}
