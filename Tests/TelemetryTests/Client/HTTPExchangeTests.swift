import Glibc
import Testing

@testable import Telemetry

@Suite struct HTTPExchangeTests {
    @Test("a server that never answers is waited for no longer than the task goes on, or the limit allows")
    func silent() async throws {
        let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 8) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        try #require(isBound)
        let url = try #require(HTTPAddress("http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/"))
        let asking = Task { try await HTTPExchange.send(.get, to: url, within: .seconds(3_600)) }
        asking.cancel()
        await #expect(throws: CancellationError.self) { try await asking.value }
        await #expect(throws: HTTPExchange.Failure.late) {
            try await HTTPExchange.send(.get, to: url, within: .milliseconds(50))
        }
    }
}
