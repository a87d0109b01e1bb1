import Foundation
import Synchronization

/// A request as the fake server got it.
struct FakeRequest: Sendable {
    let method: String
    let target: String
    /// Names in lower case.
    let headers: [String: String]
    let body: Data

    var path: String { String(target.prefix { $0 != "?" }) }
    var text: String { String(decoding: body, as: UTF8.self) }
    var token: String? { headers["authorization"].map { String($0.dropFirst("Bearer ".count)) } }
}

/// What the fake server answers.
struct FakeReply: Sendable {
    enum End: Sendable {
        /// The whole body is sent.
        case whole
        /// The connection is closed without any answer.
        case silence
        /// The parts follow one another as the closure gives them, until nil.
        case parts(@Sendable () -> Data?)
    }

    var status = 200
    var headers: [String: String] = [:]
    var body = Data()
    var end = End.whole

    static func json(_ text: String, status: Int = 200, headers: [String: String] = [:]) -> FakeReply {
        FakeReply(
            status: status, headers: ["Content-Type": "application/json"].merging(headers) { $1 }, body: Data(text.utf8)
        )
    }

    static func problem(_ name: String, status: Int, more: String = "", headers: [String: String] = [:]) -> FakeReply {
        let text = #"{"type":"/problems/\#(name)","title":"","status":\#(status),"detail":"The \#(name)."\#(more)}"#
        return FakeReply(
            status: status, headers: ["Content-Type": "application/problem+json"].merging(headers) { $1 },
            body: Data(text.utf8))
    }

    static let silence = FakeReply(end: .silence)
}

/// A small HTTP/1.1 server on the loopback, a thread for each connection, one request a connection.
final class FakeServer: Sendable {
    private let listener: Int32
    let url: URL
    private let answer: @Sendable (FakeRequest) -> FakeReply
    private let log = Mutex<[FakeRequest]>([])

    init(_ answer: @escaping @Sendable (FakeRequest) -> FakeReply) throws {
        self.answer = answer
        let listener = socket(AF_INET, Self.stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> UInt16? in
                guard bind(listener, address, length) == 0, listen(listener, 64) == 0,
                    getsockname(listener, address, &length) == 0
                else { return nil }
                return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    UInt16(bigEndian: $0.pointee.sin_port)
                }
            }
        }
        guard let port, let url = URL(string: "http://127.0.0.1:\(port)") else { throw POSIXError(.EADDRINUSE) }
        (self.listener, self.url) = (listener, url)
        Thread.detachNewThread { [weak self] in
            while true {
                let connection = accept(listener, nil, nil)
                if connection < 0 { return }
                Thread.detachNewThread { [weak self] in
                    self?.serve(connection)
                    close(connection)
                }
            }
        }
    }

    deinit { stop() }

    /// Nobody is answered any more.
    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    /// What was asked so far.
    var requests: [FakeRequest] { log.withLock { $0 } }

    private func serve(_ connection: Int32) {
        guard let request = Self.read(connection) else { return }
        log.withLock { $0.append(request) }
        let reply = answer(request)
        if case .silence = reply.end { return }
        var headers = ["Connection": "close", "Date": "Sat, 21 Nov 2026 12:00:00 GMT"].merging(reply.headers) { $1 }
        if case .whole = reply.end { headers["Content-Length"] = String(reply.body.count) }
        let lines = ["HTTP/1.1 \(reply.status) Fake"] + headers.map { "\($0): \($1)" } + ["", ""]
        guard Self.write(Data(lines.joined(separator: "\r\n").utf8) + reply.body, connection) else { return }
        if case .parts(let next) = reply.end { while let part = next(), Self.write(part, connection) {} }
        shutdown(connection, Int32(SHUT_WR))
    }

    private static func read(_ connection: Int32) -> FakeRequest? {
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        func more() -> Bool {
            let count = recv(connection, &buffer, buffer.count, 0)
            if count > 0 { data.append(contentsOf: buffer[..<count]) }
            return count > 0
        }
        let gap = Data("\r\n\r\n".utf8)
        while data.range(of: gap) == nil { guard more() else { return nil } }
        guard let head = data.range(of: gap) else { return nil }
        let lines = String(decoding: data[..<head.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        let length = headers["content-length"].flatMap { Int($0) } ?? 0
        while data.count - head.upperBound < length { guard more() else { return nil } }
        let body = data[head.upperBound...].prefix(length)
        return FakeRequest(method: String(words[0]), target: String(words[1]), headers: headers, body: Data(body))
    }

    private static func write(_ data: Data, _ connection: Int32) -> Bool {
        data.withUnsafeBytes { bytes in
            var written = 0
            while written < bytes.count {
                let rest = bytes.baseAddress?.advanced(by: written)
                let count = send(connection, rest, bytes.count - written, noSignal)
                guard count > 0 else { return false }
                written += count
            }
            return true
        }
    }

    #if canImport(Darwin)
        private static let stream = SOCK_STREAM
        private static let noSignal: Int32 = 0
    #else
        private static let stream = Int32(SOCK_STREAM.rawValue)
        private static let noSignal = Int32(MSG_NOSIGNAL)
    #endif
}
