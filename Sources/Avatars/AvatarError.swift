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
