import HTTPTypes
import NIOCore
import NIOHPACK
import NIOHTTP2
import Testing

@testable import HTTPServer

/// How requests and responses look in HTTP/2.
@Suite struct HTTP2MessageTests {
    @Test("a request has its path, and the authority as its Host") func request() {
        let head: HPACKHeaders = [
            ":method": "GET", ":scheme": "https", ":authority": "a.example", ":path": "/x?y", "host": "b.example",
            "accept": "text/html",
        ]
        let request = Request(head, body: ByteBuffer(), peer: .unknown)
        #expect(request.method == .get)
        #expect(request.target == "/x?y")
        #expect(request.path == "/x")
        #expect(request.headers[HTTPField.Name("Host") ?? .accept] == "a.example")
        #expect(request.headers[.accept] == "text/html")
        let connect: HPACKHeaders = [":method": "CONNECT", ":authority": "a:1"]
        #expect(Request(connect, body: ByteBuffer(), peer: .unknown).target == "a:1")
    }

    @Test("a response has the same headers as in HTTP/1.1, without those of a connection") func response() {
        let headers: HTTPFields = [.eTag: "x", .connection: "close"]
        var response = Response(status: .ok, headers: headers, body: ByteBuffer(string: "12"))
        #expect(
            response.http2Head(date: "D").map { "\($0.name): \($0.value)" } == [
                ":status: 200", "etag: x", "content-length: 2", "date: D",
            ])
        for status: HTTPResponse.Status in [.noContent, .notModified] {
            response.status = status
            #expect(!response.http2Head(date: "D").contains(name: "content-length"))
        }
    }

    @Test("the connection decides on Strict-Transport-Security, also in heads written in advance") func staysEncrypted()
    {
        let response = Response(status: .ok, headers: [.eTag: "x"], body: ByteBuffer(string: "12"))
        for response in [response, Response(response.prewritten, body: response.body)] {
            for (isEncrypted, line) in [(true, "Strict-Transport-Security: max-age=31536000\r\n"), (false, "")] {
                let peer = Peer(address: nil, isEncrypted: isEncrypted, staysEncrypted: isEncrypted)
                var bytes = ByteBuffer()
                response.writeHead(to: &bytes, date: "D", connection: nil, for: peer)
                let expected = "HTTP/1.1 200 OK\r\nETag: x\r\nContent-Length: 2\r\n\(line)Date: D\r\n\r\n"
                #expect(String(buffer: bytes) == expected)
                let head = response.http2Head(date: "D", for: peer)
                #expect(head["strict-transport-security"] == (isEncrypted ? ["max-age=31536000"] : []))
            }
        }
    }

    @Test("no header with many values enters the compressor's table, whose size the client chooses") func compression()
        throws
    {
        var encoder = HPACKEncoder(allocator: ByteBufferAllocator())
        try encoder.setDynamicTableSize(1 << 30)
        for number in 0..<1_000 {
            let headers: HTTPFields = [
                .eTag: "\(number)", .location: "/\(number)", .allow: "\(number)", .contentType: "text/plain",
            ]
            let body = ByteBuffer(repeating: 0, count: number)
            let response = Response(status: .ok, headers: headers, body: body)
            var bytes = ByteBuffer()
            try encoder.encode(headers: response.http2Head(date: "\(number)"), to: &bytes)
        }
        #expect(encoder.dynamicTableSize < 1_024)
    }

    @Test("GOAWAY is known when it says an error, and nothing else is taken for it") func goAway() {
        func frame(type: UInt8, stream: UInt8, code: UInt8) -> ByteBuffer {
            ByteBuffer(bytes: [0, 0, 8, type, 0, 0, 0, 0, stream, 0, 0, 0, 0, 0, 0, 0, code])
        }
        #expect(GoAwayWatch.saysError(frame(type: 7, stream: 0, code: 1)))
        #expect(!GoAwayWatch.saysError(frame(type: 7, stream: 0, code: 0)))
        #expect(!GoAwayWatch.saysError(frame(type: 7, stream: 1, code: 1)))
        #expect(!GoAwayWatch.saysError(frame(type: 6, stream: 0, code: 1)))
        #expect(!GoAwayWatch.saysError(ByteBuffer(bytes: [0, 0, 8, 7])))
    }
}
