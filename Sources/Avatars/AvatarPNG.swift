/// Width and height of every avatar, in pixels.
package let avatarSide = 40

/// The picture as an avatar: a PNG of 40x40 pixels, cut to its central square, upright as its EXIF says, transparent
/// where it was, and with no metadata. The same bytes in give the same bytes out. Takes some milliseconds of processor
/// time for the largest pictures.
/// - Parameter bytes: A PNG or a JPEG, whatever it was called.
/// - Throws: ``AvatarError``. Size in bytes and in pixels is judged before anything is decoded.
package func avatarPNG(from bytes: [UInt8], limits: AvatarLimits) throws(AvatarError) -> [UInt8] {
    guard bytes.count <= limits.bytesMax else { throw .tooManyBytes(bytes.count, max: limits.bytesMax) }
    if PNGFile.hasSignature(bytes) {
        let file = try PNGFile(bytes, sideMax: limits.sideMax)
        return try Picture(file).avatar(orientation: .upright).png()
    }
    if JPEGFile.hasSignature(bytes) {
        let file = try JPEGFile(bytes, sideMax: limits.sideMax)
        return try Picture(file).avatar(orientation: file.orientation).png()
    }
    throw .notPicture
}

/// Why a picture was refused. ``description`` is a sentence for the sender.
package enum AvatarError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Neither the first bytes of a PNG nor those of a JPEG.
    case notPicture
    case tooManyBytes(Int, max: Int)
    /// By what the header says; nothing was decoded.
    case tooManyPixels(width: Int, height: Int, max: Int)
    /// Cut off, damaged, or made to keep the decoder busy.
    case broken

    package var description: String {
        switch self {
        case .notPicture: "The image is no PNG or JPEG."
        case .tooManyBytes(let count, let max): "The image is \(count) bytes, at most \(max)."
        case .tooManyPixels(let width, let height, let max): "The image is \(width)x\(height), at most \(max)x\(max)."
        case .broken: "The image is broken or incomplete."
        }
    }
}

/// How large a picture may come in. The numbers live with all other limits of the server.
package struct AvatarLimits: Sendable, Hashable {
    /// Of the file as it came, base64 taken off.
    package var bytesMax: Int
    /// Of width and of height each, in pixels.
    package var sideMax: Int

    package init(bytesMax: Int, sideMax: Int) {
        self.bytesMax = bytesMax
        self.sideMax = sideMax
    }
}
