import CGD

/// A PNG of at most 40x40 pixels by its own header, as the server stores pictures of players.
package struct SmallPicture: Sendable {
    let png: [UInt8]

    /// Nil unless the bytes begin as such a PNG does. Whether they can be decoded shows when they are drawn; what
    /// cannot leaves an empty place.
    package init?(png: [UInt8]) {
        let start: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
        guard png.count <= Self.bytesMax, png.count >= start.count + 8, png.starts(with: start),
            [16, 20].allSatisfy({ at in
                png[at..<at + 3].allSatisfy { $0 == 0 } && (1...Self.sideMax).contains(png[at + 3])
            })
        else { return nil }
        self.png = png
    }

    private static let sideMax: UInt8 = 40
    /// Bytes of the file; 40x40 pixels of 32 bits take 6,440 without compression.
    private static let bytesMax = 16 * 1_024
}
