import Domain
import Testing

@Suite struct DeviceIDTests {
    private func isGood(_ text: String) -> Bool { (try? DeviceID(text, field: "phone"))?.text == text }

    @Test(
        "1 to 64 characters are a device id, as they are",
        arguments: [
            "x", "2b6f0cc904d137be2e1730235f5664094b831186", "{0-1:_.}", " a b ", "é", "📱", "(null)",
            String(repeating: "f", count: 64),
        ]) func good(text: String)
    { #expect(isGood(text)) }

    @Test(
        "none, too many, or a control is refused",
        arguments: ["", "a\0", "\n", "a\u{7F}", "a\u{9F}b", String(repeating: "f", count: 65)]) func bad(text: String)
    { #expect(throws: FieldError.self) { try DeviceID(text, field: "phone") } }

    @Test("64 characters have at most 256 bytes") func bytes() {
        #expect(isGood(String(repeating: "📱", count: 64)))
        #expect(!isGood("a" + String(repeating: "\u{301}", count: 128)))
        #expect(!isGood(String(repeating: "👩‍👩‍👧‍👦", count: 11)))
    }

    @Test("the error names the field and does not repeat the id") func error() throws {
        let error = try #require(throws: FieldError.self) { try DeviceID("secret\0", field: "iphone_udid") }
        #expect(error.field == "iphone_udid")
        #expect(!error.description.contains("secret"))
    }
}

@Suite struct DeviceLabelTests {
    @Test(
        "a label is kept as it is, letter case and all",
        arguments: [
            "a", "Z9", "._:{}-", "{2BEF0B11-CFF5-1CBB-2E07-30235F566409}", "urn:device:7",
            String(repeating: "x", count: 64),
        ]) func taken(text: String) throws
    { #expect(try DeviceLabel(text, field: "id").text == text) }

    @Test(
        "what is empty, too long or has other characters is refused, and not repeated in the refusal",
        arguments: [
            "", String(repeating: "x", count: 65), "a b", "a/b", "a%2Fb", "a+b", "a=b", "a@b", "ä", "a\u{0}", "a\n",
            "\u{212A}", "a\u{301}", "😀", "[a]", "a,b", "a~b",
        ]) func refused(text: String)
    {
        let error = #expect(throws: FieldError.self) { try DeviceLabel(text, field: "external") }
        #expect(error?.field == "external" && error?.kind == .field)
        if text.utf8.count > 2 { #expect(error?.description.contains(text) == false) }
    }
}

@Suite struct CountryCodeTests {
    @Test("two letters are kept in upper case", arguments: ["NZ", "nz", "Nz", "nZ"]) func taken(text: String) throws {
        #expect(try CountryCode(text, field: "country").text == "NZ")
    }

    @Test(
        "anything else is refused",
        arguments: [
            "", "N", "NZL", "N1", "1", "64", "  ", "n ", "@@", "[[", "``", "{{", "é", "ß", "ÅÄ", "\u{212A}", "A\0",
        ]) func refused(text: String)
    {
        let error = #expect(throws: FieldError.self) { try CountryCode(text, field: "country") }
        #expect(error?.field == "country")
    }
}

@Suite struct AvatarHashTests {
    private let hex = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

    @Test("64 hex digits of any case are a hash, written in lower case") func good() throws {
        let hash = try #require(AvatarHash(hex: hex.uppercased()))
        #expect(hash.hex == hex)
        #expect(hash == AvatarHash(hex: hex))
        #expect(hash.bytes.count == 32 && hash.bytes[1] == 0x11)
        #expect(AvatarHash(bytes: hash.bytes) == hash)
        #expect(AvatarHash(hex: hex.dropFirst(0)) == hash)
    }

    @Test("any other number of bytes is no hash") func bad() {
        for count in [0, 1, 31, 33, 64] { #expect(AvatarHash(bytes: Array(repeating: 7, count: count)) == nil) }
        for text in [
            "", String(hex.dropLast()), String(hex.dropLast(2)), hex + "00", "g" + hex.dropFirst(), hex + "\n",
            hex + ".png",
        ] { #expect(AvatarHash(hex: text) == nil) }
    }
}

@Suite struct ReportTests {
    @Test("words keep line feeds, come in NFC, and may be 500 characters") func words() throws {
        #expect(try ReportWords("e\u{301}\n\tb", field: "text").description == "\u{e9}\n\tb")
        #expect(try ReportWords(String(repeating: "ö", count: 500), field: "text").description.count == 500)
    }

    @Test(
        "words that are none, too many, or hold controls are refused",
        arguments: [
            "", String(repeating: "a", count: 501), "a\0b", "a\u{1b}[2J", "a\u{202e}b", "a\u{fffe}",
            String(repeating: "\u{1F468}\u{200D}\u{1F469}", count: 400), String(repeating: "a\u{301}", count: 1 << 18),
        ]) func refused(text: String)
    { #expect(throws: FieldError.self) { try ReportWords(text, field: "text") } }
}
