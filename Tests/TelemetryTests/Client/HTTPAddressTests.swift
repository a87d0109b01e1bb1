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
