import Domain
import NIOCore

/// The channel handler before TLS: it counts the records that a client sends (RFC 8446, section 5.1). Each one costs
/// its decryption, however few bytes it has. A flood of small ones ends the connection before they are decrypted.
final class RecordMeter: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let meter: InputMeter
    private var records = RecordCount()
    private var hasEnded = false

    init(_ meter: InputMeter) { self.meter = meter }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if hasEnded { return }
        let count = records.received(unwrapInboundIn(data).readableBytesView)
        // What the records bring is counted behind TLS.
        meter.count(pieces: count.records, bytes: count.bytes)
        guard meter.isFlooded() else { return context.fireChannelRead(data) }
        hasEnded = true
        context.close(promise: nil)
    }
}

/// Finds the records in the bytes of a client.
struct RecordCount {
    /// The bytes of a header that have come, and how many bytes of a record's payload have not.
    private var headerBytes = 0
    private var payloadBytes = 0

    /// - Returns: The records that begin in the bytes, and the lengths of their payloads.
    mutating func received(_ bytes: ByteBufferView) -> (records: Int, bytes: Int) {
        var (records, total) = (0, 0)
        var rest = bytes[...]
        while let byte = rest.first {
            if headerBytes == Self.headerBytesMax {
                let taken = min(payloadBytes, rest.count)
                rest = rest.dropFirst(taken)
                payloadBytes -= taken
                if payloadBytes == 0 { headerBytes = 0 }
                continue
            }
            rest = rest.dropFirst()
            headerBytes += 1
            switch headerBytes {
            case 4: payloadBytes = Int(byte) << 8
            case Self.headerBytesMax:
                payloadBytes += Int(byte)
                (records, total) = (records + 1, total + payloadBytes)
                if payloadBytes == 0 { headerBytes = 0 }
            default: break
            }
        }
        return (records, total)
    }

    private static let headerBytesMax = 5
}
