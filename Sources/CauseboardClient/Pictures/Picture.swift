import Contract
import Foundation

#if canImport(ImageIO)
    import CoreGraphics
    import ImageIO
#endif

/// Players' pictures: PNGs of 40x40.
enum Picture {
    static let side = 40

    /// An image as it is sent to the server. Where the system has ImageIO that is a PNG of 40x40, whatever the image
    /// was; elsewhere a PNG or JPEG within the server's bounds goes as it is, because the server scales it too.
    static func prepared(_ image: Data) throws(CauseboardError) -> Data {
        #if canImport(ImageIO)
            guard let small = scaled(image) else { throw unusable("This is no image that this system can read.") }
            return small
        #else
            guard image.count <= Limits.pictureBytesMax else {
                throw unusable("The picture is larger than \(Limits.pictureBytesMax / 1_024) KiB.")
            }
            if isPNG(image) {
                guard let (width, height) = sizeOfPNG(image), width <= Limits.pictureSideMax,
                    height <= Limits.pictureSideMax, width > 0, height > 0
                else { throw unusable("The picture is larger than \(Limits.pictureSideMax) pixels a side.") }
                return image
            }
            guard image.starts(with: [0xFF, 0xD8, 0xFF]) else {
                throw unusable("On this system only PNG and JPEG are supported.")
            }
            return image
        #endif
    }

    static func isPNG(_ data: Data) -> Bool { data.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) }

    /// Width and height in pixels, from the header chunk (PNG 3, 11.2.1); nil when there is none.
    static func sizeOfPNG(_ data: Data) -> (width: Int, height: Int)? {
        let bytes = [UInt8](data.prefix(24))
        guard bytes.count == 24, isPNG(data), bytes[12..<16].elementsEqual("IHDR".utf8) else { return nil }
        func number(_ start: Int) -> Int { bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
        return (number(16), number(20))
    }

    private static func unusable(_ sentence: String) -> CauseboardError { .giveUp(.field, sentence) }

    #if canImport(ImageIO)
        /// The middle square of an image, 40x40, upright as its camera held it; nil when the data is no image.
        private static func scaled(_ image: Data) -> Data? {
            let thumbnail: [CFString: Any] = [
                kCGImageSourceCreateThumbnailFromImageAlways: true, kCGImageSourceCreateThumbnailWithTransform: true,
                kCGImageSourceThumbnailMaxPixelSize: side * 8,
            ]
            guard let source = CGImageSourceCreateWithData(image as CFData, nil),
                let picture = CGImageSourceCreateThumbnailAtIndex(source, 0, thumbnail as CFDictionary),
                let context = CGContext(
                    data: nil, width: side, height: side, bitsPerComponent: 8, bytesPerRow: 0,
                    space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue)
            else { return nil }
            let scale = CGFloat(side) / CGFloat(min(picture.width, picture.height))
            let (width, height) = (CGFloat(picture.width) * scale, CGFloat(picture.height) * scale)
            context.interpolationQuality = .high
            context.draw(
                picture,
                in: CGRect(
                    x: (CGFloat(side) - width) / 2, y: (CGFloat(side) - height) / 2, width: width, height: height))
            let png = NSMutableData()
            guard let small = context.makeImage(),
                let destination = CGImageDestinationCreateWithData(png, "public.png" as CFString, 1, nil)
            else { return nil }
            CGImageDestinationAddImage(destination, small, nil)
            return CGImageDestinationFinalize(destination) ? png as Data : nil
        }
    #endif
}
