/// Width and height of every avatar, in pixels.
package let avatarSide = 40

/// The picture as an avatar: a PNG of 40x40 pixels, cut to its central square, upright as its EXIF says, transparent where it was, and with no
/// metadata. The same bytes in give the same bytes out. Takes some milliseconds of processor time for the largest pictures.
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
