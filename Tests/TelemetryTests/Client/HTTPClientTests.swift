import Glibc
import Testing

@testable import Telemetry

@Suite struct HTTPAddressTests {
    @Test("a URL is taken apart, and what is none is refused") func urls() {
        func parts(_ url: String) -> String? { HTTPAddress(url, standardPath: "/v1/traces")?.description }
        #expect(parts("http://127.0.0.1:4318") == "http://127.0.0.1:4318/v1/traces")
        #expect(parts("http://collector/") == "http://collector:80/v1/traces")
        #expect(parts("https://[::1]:44/x/y") == "https://[::1]:44/x/y")
        #expect(parts("https://[::1]") == "https://[::1]:443/v1/traces")
        #expect(HTTPAddress("http://[::1]:44/x")?.host == "::1")
        for (host, isNumeric) in [("127.0.0.1", true), ("[fe80::1]", true), ("collector1", false), ("10.1", false)] {
            #expect(HTTPAddress("https://\(host)")?.isNumeric == isNumeric, "\(host)")
        }
        for wrong in [
            "", "ftp://x", "http://", "http://:80", "http://x:0", "http://x:99999", "http://x:y", "http://a b/",
            "http://user@x/", "http://x/?a=b", "http://x/#f", "http://::1/", "http://[::1", "http://[::1]x/",
            "http://x/\r\nHost: y",
        ] { #expect(HTTPAddress(wrong) == nil, "\(wrong)") }
    }
}

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
