import CZlib

/// Expands one gzip member (RFC 1952), whose checksum and length have to be those of what comes out.
/// - Parameter bytesMax: The most that may come out.
/// - Returns: Nil when the bytes are cut or changed, when more follows the member, or when more would come out.
package func gunzip(_ bytes: [UInt8], bytesMax: Int) -> [UInt8]? {
    var stream = z_stream()
    guard causeboard_inflate_init_gzip(&stream) == Z_OK else {
        preconditionFailure("zlib found no memory for a stream")
    }
    defer { inflateEnd(&stream) }
    var expanded: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: min(1 << 20, max(1_024, 4 * bytes.count)))
    var read = 0
    while true {
        let inputPiece = UInt32(clamping: bytes.count - read)
        let (status, written, left) = bytes.withUnsafeBufferPointer { input in
            piece.withUnsafeMutableBufferPointer { output in
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress?.advanced(by: read))
                stream.avail_in = inputPiece
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(clamping: output.count)
                let status = inflate(&stream, Z_NO_FLUSH)
                return (status, output.count - Int(stream.avail_out), stream.avail_in)
            }
        }
        let taken = Int(inputPiece - left)
        read += taken
        guard expanded.count + written <= bytesMax else { return nil }
        expanded += piece[..<written]
        if status == Z_STREAM_END { return read == bytes.count ? expanded : nil }
        // Without progress the member is cut.
        guard status == Z_OK, taken > 0 || written > 0 else { return nil }
    }
}
