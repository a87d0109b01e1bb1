import Domain
import Testing

@Suite struct DeviceLabelTests {
    @Test(
        "a label is kept as it is, letter case and all",
        arguments: [
            "a", "Z9", "._:{}-", "{2BEF0B11-CFF5-1CBB-2E07-30235F566409}", "urn:device:7",
            String(repeating: "x", count: 64),
        ]
    ) func taken(text: String) throws { #expect(try DeviceLabel(text, field: "id").text == text) }

    @Test(
        "what is empty, too long or has other characters is refused, and not repeated in the refusal",
        arguments: [
            "", String(repeating: "x", count: 65), "a b", "a/b", "a%2Fb", "a+b", "a=b", "a@b", "ä", "a\u{0}", "a\n",
            "\u{212A}", "a\u{301}", "😀", "[a]", "a,b", "a~b",
        ]
    ) func refused(text: String) {
        let error = #expect(throws: FieldError.self) { try DeviceLabel(text, field: "external") }
        #expect(error?.field == "external" && error?.kind == .field)
        if text.utf8.count > 2 { #expect(error?.description.contains(text) == false) }
    }
}
