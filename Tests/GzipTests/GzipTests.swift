import CZlib
import Testing

@testable import Gzip

@Suite struct GzipTests {
    /// The bytes as zlib unpacks them, which checks the checksum and the length; nil when zlib finds an error.
    private func unpacked(_ member: [UInt8], bytesMax: Int) -> [UInt8]? {
        var stream = z_stream()
        guard inflateInit2_(&stream, MAX_WBITS + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            return nil
        }
        defer { inflateEnd(&stream) }
        var member = member
        var output = [UInt8](repeating: 0, count: bytesMax + 1)
        let status = member.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                return inflate(&stream, Z_FINISH)
            }
        }
        return status == Z_STREAM_END && stream.avail_in == 0 ? Array(output.prefix(Int(stream.total_out))) : nil
    }

    private static let texts: [[UInt8]] = [
        [], [0], Array("Causeboard".utf8), [UInt8](repeating: 65, count: 100_000),
        (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) },
    ]

    @Test("what is packed unpacks to the same bytes, at every level", arguments: 1...9) func roundTrip(_ level: Int) {
        for text in Self.texts { #expect(unpacked(gzip(text, level: level), bytesMax: text.count) == text) }
    }

    @Test("the header has no time, no name and no system in it") func header() {
        for text in Self.texts { #expect(gzip(text).prefix(10) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]) }
    }

    @Test("the same bytes give the same bytes") func deterministic() {
        for text in Self.texts { #expect(gzip(text) == gzip(text)) }
    }

    @Test("a level out of range counts as the nearest") func levels() {
        #expect(gzip(Self.texts[4], level: .min) == gzip(Self.texts[4], level: 1))
        #expect(gzip(Self.texts[4], level: .max) == gzip(Self.texts[4], level: 9))
    }

    @Test("what repeats becomes small, what cannot be packed hardly grows") func sizes() {
        #expect(gzip(Self.texts[3]).count < 300)
        var state: UInt64 = 1
        let noise = (0..<100_000).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
        #expect(gzip(noise).count < 100_100)
    }
}
