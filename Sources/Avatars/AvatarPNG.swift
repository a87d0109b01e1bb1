/// Width and height of every avatar in pixels.
package let avatarSide = 40

/// Converts a picture to an avatar: a PNG of 40x40 pixels of its central square, upright as its EXIF says, with
/// transparency kept and without metadata. Equal input gives equal output. The largest pictures take some milliseconds
/// of processor time.
/// - Parameter bytes: A PNG or a JPEG; the content decides which, not a name or type that was sent with it.
/// - Throws: ``AvatarError``. Size in bytes and in pixels is checked before anything is decoded.
package func avatarPNG(from bytes: [UInt8], limits: AvatarLimits) throws(AvatarError) -> [UInt8] {
    try UndecodedPicture(bytes, limits: limits).avatarPNG()
}

/// A picture whose size in bytes and in pixels is within the limits, and whose file is whole. Making one is cheap, so
/// most of what is no picture is refused before it waits for a decoder.
package struct UndecodedPicture: Sendable {
    private enum File {
        case png(PNGFile)
        case jpeg(JPEGFile)
    }

    private let file: File

    /// - Throws: ``AvatarError``; nothing is decoded.
    package init(_ bytes: [UInt8], limits: AvatarLimits) throws(AvatarError) {
        guard bytes.count <= limits.bytesMax else { throw .tooManyBytes(bytes.count, max: limits.bytesMax) }
        if PNGFile.hasSignature(bytes) {
            file = .png(try PNGFile(bytes, sideMax: limits.sideMax))
        } else if JPEGFile.hasSignature(bytes) {
            file = .jpeg(try JPEGFile(bytes, sideMax: limits.sideMax))
        } else {
            throw .notPicture
        }
    }

    /// Decodes the picture; see ``avatarPNG(from:limits:)``.
    package func avatarPNG() throws(AvatarError) -> [UInt8] {
        switch file {
        case .png(let file): try Picture(file).avatar(orientation: file.orientation).png()
        case .jpeg(let file): try Picture(file).avatar(orientation: file.orientation).png()
        }
    }
}

/// Why a picture is refused. ``description`` is a sentence for the sender.
package enum AvatarError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The bytes begin neither like a PNG nor like a JPEG.
    case notPicture
    case tooManyBytes(Int, max: Int)
    /// The size comes from the header; nothing was decoded.
    case tooManyPixels(width: Int, height: Int, max: Int)
    /// The file is cut off, damaged, or made to keep the decoder busy.
    case broken
    /// A PNG as Xcode packs it into an app (CgBI).
    case ofXcode

    package var description: String {
        switch self {
        case .notPicture: "The image is no PNG or JPEG."
        case .tooManyBytes(let count, let max): "The image is \(count) bytes, at most \(max)."
        case .tooManyPixels(let width, let height, let max): "The image is \(width)x\(height), at most \(max)x\(max)."
        case .broken: "The image is broken or incomplete."
        case .ofXcode: "The image is a PNG as Xcode packs it into an app (CgBI). Send the original, or pngData()."
        }
    }
}

/// How large a submitted picture may be. The server's values stand in `Limits`.
package struct AvatarLimits: Sendable, Hashable {
    /// Bytes of the file after base64 decoding.
    package var bytesMax: Int
    /// Pixels of width and of height each.
    package var sideMax: Int

    package init(bytesMax: Int, sideMax: Int) {
        self.bytesMax = bytesMax
        self.sideMax = sideMax
    }
}
