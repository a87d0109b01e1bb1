import CZlib

/// Compresses the bytes into one gzip member (RFC 1952). Equal bytes and level give the same result on every machine
/// with this zlib: the member has no time and no name, and its operating system is "unknown".
/// - Parameter level: 1 (fastest) to 9 (smallest); a level out of range counts as the nearest.
package func gzip(_ bytes: [UInt8], level: Int = 6) -> [UInt8] {
    var stream = z_stream()
    // It fails only for lack of memory, and then allocating the output would end the process as well.
    guard causeboard_deflate_init_gzip(&stream, Int32(min(max(level, 1), 9))) == Z_OK else {
        preconditionFailure("zlib found no memory for a stream")
    }
    defer { deflateEnd(&stream) }
    let bound = Int(deflateBound(&stream, UInt(bytes.count)))
    return [UInt8](unsafeUninitializedCapacity: bound) { output, count in
        bytes.withUnsafeBufferPointer { input in count = deflateAll(&stream, input, into: output) }
        output[operatingSystemOffset] = operatingSystemUnknown
    }
}

/// RFC 1952, section 2.3: the tenth byte names the operating system that made the member; 255 is "unknown".
private let operatingSystemOffset = 9
private let operatingSystemUnknown: UInt8 = 255

/// Compresses all input into `output`, which has room for `deflateBound` bytes. zlib counts in 32 bits, so input and
/// output pass in pieces of at most 4 GiB.
/// - Returns: The number of bytes written.
private func deflateAll(
    _ stream: inout z_stream, _ input: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>
) -> Int {
    var read = 0
    var written = 0
    while true {
        let inputPiece = UInt32(clamping: input.count - read)
        let outputPiece = UInt32(clamping: output.count - written)
        stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress?.advanced(by: read))
        stream.avail_in = inputPiece
        stream.next_out = output.baseAddress?.advanced(by: written)
        stream.avail_out = outputPiece
        let status = deflate(&stream, read + Int(inputPiece) == input.count ? Z_FINISH : Z_NO_FLUSH)
        read += Int(inputPiece - stream.avail_in)
        written += Int(outputPiece - stream.avail_out)
        if status == Z_STREAM_END { return written }
        precondition(status == Z_OK, "zlib's bound on its own output did not hold")
    }
}

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
