import Domain
import Logging
import NIOCore
import NIOEmbedded
import NIOHPACK
import NIOHTTP2
import NIOSSL
import TestDatabases

@testable import HTTP
@testable import HTTPServer

/// A client of HTTP/2 and a server without a database, back to back in memory. The client sends whatever frames it is
/// told to.
final class HTTP2Client {
    let server: EmbeddedChannel
    let door: ClientChannel
    private let client = EmbeddedChannel()
    private(set) var frames: [HTTP2Frame] = []
    /// Whether the client takes what the server sends.
    var reads = true

    /// - Parameters:
    ///   - settings: What the client sends with its preface.
    ///   - address: Where the server sees it come from; nil for nowhere.
    ///   - door: The server that another client has connected to, on the same event loop.
    init(
        settings: HTTP2Settings = [], certificate: ServerCertificate? = nil, connections: OpenConnections? = nil,
        from address: String? = nil, loop: EmbeddedEventLoop = EmbeddedEventLoop(), door: ClientChannel? = nil
    ) throws {
        server = EmbeddedChannel(loop: loop)
        if let address { server.remoteAddress = try SocketAddress(ipAddress: address, port: 1) }
        let responder = try Exchange.responderWithSilentDatabase().0
        self.door = door ?? ClientChannel(responder, certificate: certificate, connections: connections)
        self.door.connect(server)
        if certificate != nil {
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.certificateVerification = .none
            configuration.applicationProtocols = ["h2"]
            let context = try NIOSSLContext(configuration: configuration)
            try client.pipeline.syncOperations.addHandler(NIOSSLClientHandler(context: context, serverHostname: nil))
        }
        try client.pipeline.syncOperations.addHandler(
            NIOHTTP2Handler(
                mode: .client, initialSettings: settings, headerBlockValidation: .disabled,
                contentLengthValidation: .disabled))
        try server.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        try client.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 2)).wait()
        try exchange()
    }

    /// The connection's handler on the server.
    func connection() throws -> HTTP2Connection {
        try server.pipeline.syncOperations.handler(type: HTTP2Connection.self)
    }

    /// Sends a head, without a body when it is the last frame.
    func head(
        _ stream: HTTP2StreamID, _ method: String, _ path: String, _ more: HPACKHeaders = [:], isLast: Bool = true
    ) throws {
        var headers: HPACKHeaders = [":method": method, ":path": path, ":scheme": "https", ":authority": "x"]
        headers.add(contentsOf: more.map { ($0.name, $0.value) })
        try send(stream, .headers(.init(headers: headers, endStream: isLast)))
    }

    /// Sends heads that come with one read.
    func heads(_ streams: [HTTP2StreamID], _ method: String, _ path: String) throws {
        let head: HPACKHeaders = [":method": method, ":path": path, ":scheme": "https", ":authority": "x"]
        for stream in streams {
            let frame = HTTP2Frame(streamID: stream, payload: .headers(.init(headers: head, endStream: true)))
            client.writeAndFlush(frame, promise: nil)
        }
        var all = ByteBuffer()
        while var bytes = try client.readOutbound(as: ByteBuffer.self) { all.writeBuffer(&bytes) }
        try server.writeInbound(all)
        try exchange()
    }

    func data(_ stream: HTTP2StreamID, bytes count: Int, isLast: Bool = false) throws {
        let bytes = ByteBuffer(repeating: 0x78, count: count)
        try send(stream, .data(.init(data: .byteBuffer(bytes), endStream: isLast)))
    }

    /// Sends one frame, which takes a moment.
    func send(_ stream: HTTP2StreamID, _ payload: HTTP2Frame.FramePayload) throws {
        client.writeAndFlush(HTTP2Frame(streamID: stream, payload: payload), promise: nil)
        try exchange()
        try wait(milliseconds: Limits.inputShareMilliseconds)
    }

    /// Sends bytes as they are.
    func send(bytes: [UInt8]) throws {
        if server.isActive { try server.writeInbound(ByteBuffer(bytes: bytes)) }
        try exchange()
    }

    /// Lets time pass on the server.
    func wait(seconds: Int64) throws { try wait(milliseconds: 1_000 * seconds) }

    func wait(milliseconds: Int64) throws {
        server.embeddedEventLoop.advanceTime(by: .milliseconds(milliseconds))
        try exchange()
    }

    /// Carries bytes between both until neither has more to say.
    func exchange() throws {
        var isMoving = true
        while isMoving {
            isMoving = false
            server.embeddedEventLoop.run()
            client.embeddedEventLoop.run()
            while let bytes = try client.readOutbound(as: ByteBuffer.self) {
                isMoving = true
                if server.isActive { try server.writeInbound(bytes) }
            }
            while reads, let bytes = try server.readOutbound(as: ByteBuffer.self) {
                isMoving = true
                // What the client makes of the server's last words is nothing to this test.
                if client.isActive { _ = try? client.writeInbound(bytes) }
            }
            while let frame = try client.readInbound(as: HTTP2Frame.self) { frames.append(frame) }
        }
    }

    /// The frames of a stream in words, such as `200 end` or `data 5`; `rootStream` has those of the connection.
    func received(_ stream: HTTP2StreamID) -> [String] {
        frames.filter { $0.streamID == stream }.compactMap { frame in
            switch frame.payload {
            case .headers(let head):
                (head.headers.first(name: ":status") ?? "trailers") + (head.endStream ? " end" : "")
            case .data(let data): "data \(data.data.readableBytes)" + (data.endStream ? " end" : "")
            case .rstStream(let code): "reset \(code.networkCode)"
            case .goAway(let last, let code, _): "go away \(code.networkCode) after \(Int(last))"
            default: nil
            }
        }
    }

    /// The head of the response on a stream.
    func response(_ stream: HTTP2StreamID) -> HPACKHeaders? {
        for frame in frames where frame.streamID == stream {
            if case .headers(let head) = frame.payload { return head.headers }
        }
        return nil
    }
}
