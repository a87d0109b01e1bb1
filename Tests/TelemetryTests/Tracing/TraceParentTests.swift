import Testing

@testable import Telemetry

@Suite struct TraceParentTests {
    @Test("a traceparent is read as it is written, and anything else is none") func form() {
        let text = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        let parent = TraceParent(text)
        #expect(parent?.trace == TraceParent.TraceID(high: 0x0af7_6519_16cd_43dd, low: 0x8448_eb21_1c80_319c))
        #expect(parent?.span == 0xb7ad_6b71_6920_3331 && parent?.isSampled == true)
        #expect(parent?.text == text)
        #expect(TraceParent(String(text.dropLast()) + "2")?.isSampled == false)
        #expect(TraceParent("01" + text.dropFirst(2) + "-later") != nil)
        for wrong in [
            "", "00", text + "-later", text.uppercased(), "ff" + text.dropFirst(2),
            "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01", String(repeating: "0", count: 100_000),
            "01" + text.dropFirst(2) + "-" + String(repeating: "x", count: 300),
        ] { #expect(TraceParent(wrong) == nil, "\(wrong.prefix(80))") }
    }
}
