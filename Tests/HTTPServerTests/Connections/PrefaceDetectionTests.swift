import NIOCore
import Testing

@testable import HTTPServer

/// Which version of HTTP a connection's first bytes say, however they are split.
@Suite struct PrefaceDetectionTests {
    private static let preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

    @Test("the preface is known wherever it is split, and not before its last byte") func splits() {
        let bytes = Array(Self.preface.utf8)
        for split in 0...bytes.count {
            var detection = PrefaceDetection()
            let first = detection.received(ByteBuffer(bytes: bytes[..<split]))
            #expect(first == (split == bytes.count ? .two : nil), "split at \(split)")
            if first == nil { #expect(detection.received(ByteBuffer(bytes: bytes[split...])) == .two) }
            #expect(Array(detection.bytes.readableBytesView) == bytes)
        }
        var detection = PrefaceDetection()
        let answers = bytes.map { detection.received(ByteBuffer(bytes: [$0])) }
        #expect(answers == Array(repeating: nil, count: bytes.count - 1) + [.two])
    }

    @Test("whatever differs from the preface is HTTP/1.1 with its first other byte") func others() {
        for (request, count) in [
            ("GET / HTTP/1.1\r\n", 1), ("PUT / HTTP/1.1\r\n", 2), ("POST / HTTP/1.1\r\n", 2),
            ("PRI * HTTP/1.1\r\n", 12), ("PRI * HTTP/2.0\r\n\r\nSM\r\n\rX", 24),
        ] {
            var detection = PrefaceDetection()
            for (index, byte) in request.utf8.prefix(count).enumerated() {
                let version = detection.received(ByteBuffer(bytes: [byte]))
                #expect(version == (index == count - 1 ? .one : nil), "\(request) at \(index)")
            }
        }
    }

    @Test("bytes behind the preface are kept for the connection") func more() {
        var detection = PrefaceDetection()
        #expect(detection.received(ByteBuffer(string: Self.preface + "frames")) == .two)
        #expect(String(buffer: detection.bytes) == Self.preface + "frames")
    }
}
