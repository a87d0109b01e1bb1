import Testing

@testable import Outgoing

/// Which texts are addresses that the server may ask.
@Suite struct OutgoingURLTests {
    @Test("host, port and target are read") func parts() throws {
        let plain = try #require(OutgoingURL("https://Login.Example.org"))
        #expect((plain.host, plain.port, plain.target) == ("login.example.org", 443, "/"))
        #expect("\(plain)" == "https://login.example.org/")
        let full = try #require(OutgoingURL("https://keys:8443/a/b%20c?p=x&q=1"))
        #expect((full.host, full.port, full.target) == ("keys", 8_443, "/a/b%20c?p=x&q=1"))
        #expect("\(full)" == "https://keys:8443/a/b%20c?p=x&q=1")
        #expect(OutgoingURL("https://a.example?q")?.target == "/?q")
    }

    @Test(
        "other texts are refused",
        arguments: [
            "", "https://", "http://a.example/", "HTTPS://a.example/", "//a.example/", "https:///x",
            "https://u@a.example/", "https://a.example:0/", "https://a.example:65536/", "https://a.example:/",
            "https://a.example:080/", "https://a.example:8 /", "https://a.example/#x", "https://a.example/a b",
            "https://a.example/\u{E4}", "https://a.example\\@b.example/", "https://a.example/\r\nX: y",
            "https://127.0.0.1/", "https://127.1/", "https://2130706433/", "https://0x7f000001/", "https://0x7f.1/",
            "https://[::1]/", "https://a.example./", "https://-a.example/", "https://a-.example/", "https://a..b/",
            "https://.a/", "https://a_b.example/", "https://b\u{FC}cher.example/", "https://a.1x/",
        ]) func refused(text: String)
    { #expect(OutgoingURL(text) == nil) }

    @Test("labels, names and whole addresses have a length") func lengths() {
        let label = String(repeating: "a", count: 63)
        #expect(OutgoingURL("https://\(label).example/") != nil)
        #expect(OutgoingURL("https://\(label)a.example/") == nil)
        #expect(OutgoingURL("https://\([label, label, label, label].joined(separator: "."))/") == nil)
        let start = "https://a.example/"
        let rest = String(repeating: "x", count: 2_048 - start.utf8.count)
        #expect(OutgoingURL(start + rest) != nil)
        #expect(OutgoingURL(start + rest + "x") == nil)
    }
}
