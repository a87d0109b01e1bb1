/// A PNG whose chunks have been walked; nothing is decoded (PNG, third edition, section 5).
struct PNGFile {
    /// Pixels, at most those of a side that is allowed.
    let width: Int
    let height: Int
    /// The signature and the chunks that make pixels. Text, time, colour profiles and all other chunks are dropped:
    /// they may be private, and a compressed profile can be a decompression bomb of its own.
    let essentials: [UInt8]
    let orientation: Orientation

    static func hasSignature(_ bytes: [UInt8]) -> Bool { bytes.starts(with: signature) }

    /// - Throws: `.tooManyPixels` by the header alone; `.ofXcode` for Apple's variant; `.broken` when the header is
    ///   wrong, a chunk is cut off or the end chunk is missing.
    init(_ bytes: [UInt8], sideMax: Int) throws(AvatarError) {
        let view = ByteView(bytes[...])
        if view.part(12, lengthBytes: 4)?.elementsEqual(Self.appleHeader) == true { throw .ofXcode }
        guard Self.hasSignature(bytes), view.number(8, lengthBytes: 4) == 13,
            view.part(12, lengthBytes: 4)?.elementsEqual(Self.header) == true,
            let width = view.number(16, lengthBytes: 4), let height = view.number(20, lengthBytes: 4), width > 0,
            height > 0
        else { throw .broken }
        guard width <= sideMax, height <= sideMax else {
            throw .tooManyPixels(width: width, height: height, max: sideMax)
        }
        guard let essentials = Self.essentials(of: view) else { throw .broken }
        (self.width, self.height, self.essentials) = (width, height, essentials)
        orientation =
            Self.chunks(of: view).first { $0.type.elementsEqual(Self.exif) }.flatMap { Orientation(exif: $0.data) }
            ?? .upright
    }

    /// The file without metadata; nil when its chunks do not reach the end chunk.
    static func essentials(of view: ByteView) -> [UInt8]? {
        var kept = signature
        kept.reserveCapacity(view.bytes.count)
        for chunk in chunks(of: view) {
            // A lower-case first letter marks a chunk that a decoder may ignore. Among those only transparency changes
            // pixels.
            let isCritical = chunk.type.first.map { $0 & 0x20 == 0 } ?? false
            if isCritical || chunk.type.elementsEqual(transparency) { kept += chunk.whole }
            if chunk.type.elementsEqual(end) { return kept }
        }
        return nil
    }

    private struct Chunk {
        let type: ArraySlice<UInt8>
        let data: ArraySlice<UInt8>
        /// With its length and its checksum.
        let whole: ArraySlice<UInt8>
    }

    /// The chunks up to the end chunk, or up to one that is cut off.
    private static func chunks(of view: ByteView) -> some Sequence<Chunk> {
        sequence(state: signature.count) { offset in
            guard let dataBytes = view.number(offset, lengthBytes: 4), let type = view.part(offset + 4, lengthBytes: 4),
                let data = view.part(offset + 8, lengthBytes: dataBytes),
                let whole = view.part(offset, lengthBytes: 12 + dataBytes)
            else { return nil }
            offset = type.elementsEqual(end) ? view.bytes.count : offset + whole.count
            return Chunk(type: type, data: data, whole: whole)
        }
    }

    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    private static let header = Array("IHDR".utf8)
    /// The chunk that Xcode's own form of a PNG begins with. No decoder but Apple's reads what follows.
    private static let appleHeader = Array("CgBI".utf8)
    private static let exif = Array("eXIf".utf8)
    private static let transparency = Array("tRNS".utf8)
    private static let end = Array("IEND".utf8)
}

/// Reads numbers from bytes that may end anywhere: a read past the end gives nil and never traps.
struct ByteView {
    let bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// The byte at an offset from the start of this view.
    func byte(_ offset: Int) -> UInt8? { offset >= 0 && offset < bytes.count ? bytes[bytes.startIndex + offset] : nil }

    /// An unsigned number of 1 to 4 bytes.
    func number(_ offset: Int, lengthBytes: Int, isBigEndian: Bool = true) -> Int? {
        guard let part = part(offset, lengthBytes: lengthBytes) else { return nil }
        var value = 0
        for index in part.indices {
            value = value << 8 | Int(part[isBigEndian ? index : part.endIndex - 1 - (index - part.startIndex)])
        }
        return value
    }

    func part(_ offset: Int, lengthBytes: Int) -> ArraySlice<UInt8>? {
        guard offset >= 0, lengthBytes >= 0, offset <= bytes.count, lengthBytes <= bytes.count - offset else {
            return nil
        }
        return bytes[bytes.startIndex + offset..<bytes.startIndex + offset + lengthBytes]
    }
}
