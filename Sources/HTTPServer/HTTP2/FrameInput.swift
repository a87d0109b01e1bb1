import Domain
import NIOCore

/// Cuts the bytes of an HTTP/2 client at the borders of its frames (RFC 9113, section 4.1), so that NIO can be given a
/// few frames at a time.
///
/// Only whole frames leave it, except that the payload of a DATA frame leaves as it comes. NIO's decoder reuses its
/// buffer only when it is empty at the end of a read. If it always had the beginning of another frame, the buffer would
/// keep everything that the client ever sent.
struct FrameInput {
    /// What NIO is given at once.
    struct Portion {
        var bytes = ByteBuffer()
        /// HEADERS frames that have come whole, and their bytes. Each one is a request.
        var heads = 0
        var headBytes = 0
        /// All other frames. A DATA frame counts with its first byte.
        var pieces = 0
        var pieceBytes = 0
    }

    private struct Frame {
        /// Where it ends in what is held; of a DATA frame perhaps beyond it.
        let end: Int
        let isHead: Bool
        /// Whether NIO refuses it for its length. Then only its header counts.
        let isTooLong: Bool
    }

    private var bytes = ByteBuffer()
    /// How many bytes of the preface, and of a DATA frame, have not come.
    private var prefaceBytes = 24
    private var dataBytes = 0
    /// True after a frame that NIO refuses: what follows has no borders, and nothing of it is passed on.
    private var isBroken = false

    var heldBytes: Int { bytes.readableBytes }

    /// Whether there is something to pass on, and not the beginning of a frame only.
    var hasPortion: Bool { heldBytes > 0 && (prefaceBytes + dataBytes > 0 || frame(at: 0) != nil) }

    /// - Returns: False when there is no room for the bytes.
    mutating func hold(_ more: inout ByteBuffer) -> Bool {
        if isBroken { return true }
        guard heldBytes + more.readableBytes <= Limits.unparsedBytesMax else { return false }
        guard heldBytes > 0 else {
            bytes = more
            return true
        }
        bytes.discardReadBytes()
        bytes.writeBuffer(&more)
        return true
    }

    /// Lets go of the memory of a whole read when little of it is held.
    mutating func compact() {
        guard heldBytes > 0, heldBytes < bytes.storageCapacity / 4 else { return }
        bytes = ByteBuffer(bytes: bytes.readableBytesView)
    }

    mutating func removeAll() { bytes = ByteBuffer() }

    /// Takes the next frames, together of about the cost of a turn.
    /// - Returns: Nil when no frame is whole.
    mutating func next() -> Portion? {
        guard heldBytes > 0 else { return nil }
        var portion = Portion()
        var end = min(heldBytes, prefaceBytes)
        prefaceBytes -= end
        let rest = min(heldBytes - end, dataBytes)
        dataBytes -= rest
        end += rest
        while !isBroken, InputMeter.cost(pieces: portion.heads + portion.pieces, bytes: end) < Limits.inputTurnBytes,
            let frame = frame(at: end)
        {
            if frame.isHead {
                portion.heads += 1
                portion.headBytes += frame.end - end
            } else {
                portion.pieces += 1
                // A border is no payload.
                portion.pieceBytes += frame.end - end - Self.headerBytes
            }
            end = min(frame.end, heldBytes)
            dataBytes = frame.end - end
            isBroken = frame.isTooLong
        }
        guard end > 0, let slice = bytes.readSlice(length: end) else { return nil }
        portion.bytes = slice
        if heldBytes == 0 || isBroken { bytes = ByteBuffer() }
        return portion
    }

    /// The frame that begins so many bytes into what is held; nil if it has not come whole. Of DATA the header is
    /// enough.
    private func frame(at offset: Int) -> Frame? {
        guard heldBytes - offset >= Self.headerBytes,
            let start = bytes.getInteger(at: bytes.readerIndex + offset, as: UInt32.self)
        else { return nil }
        let (length, type) = (Int(start >> 8), start & 0xFF)
        let end = offset + Self.headerBytes
        if length > Self.payloadBytesMax { return Frame(end: end, isHead: false, isTooLong: true) }
        guard type == Self.data || end + length <= heldBytes else { return nil }
        return Frame(end: end + length, isHead: type == Self.headers, isTooLong: false)
    }

    private static let headerBytes = 9
    /// The types of frames (RFC 9113, section 6).
    private static let data: UInt32 = 0
    private static let headers: UInt32 = 1
    /// SETTINGS_MAX_FRAME_SIZE, which the server leaves as it is.
    private static let payloadBytesMax = 1 << 14
}
