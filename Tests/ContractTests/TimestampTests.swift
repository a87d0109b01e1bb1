import Contract
import Testing

@Suite struct TimestampTests {
    @Test(
        "texts and moments agree",
        arguments: [
            ("1970-01-01T00:00:00.000000Z", 0), ("2026-11-21T06:40:52.677996Z", 1_795_243_252_677_996),
            ("2000-02-29T23:59:59.999999Z", 951_868_799_999_999), ("1969-12-31T23:59:59.999999Z", -1),
            ("0001-01-01T00:00:00.000000Z", -62_135_596_800_000_000),
            ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999),
        ]) func both(text: String, microseconds: Int64)
    {
        #expect(Timestamp(text)?.microsecondsSince1970 == microseconds)
        #expect(Timestamp(microsecondsSince1970: microseconds).text == text)
    }

    @Test("a fraction may be short or absent") func fractions() {
        #expect(Timestamp("1970-01-01T00:00:01Z")?.microsecondsSince1970 == 1_000_000)
        #expect(Timestamp("1970-01-01T00:00:01.5Z")?.microsecondsSince1970 == 1_500_000)
    }

    @Test(
        "what is no moment is none",
        arguments: [
            "", "Z", "2026-11-21", "2026-02-29T00:00:00Z", "2026-11-21T24:00:00Z", "2026-11-21T06:40:52+00:00",
            "2026-11-21T06:40:52.Z", "2026-11-21T06:40:52.1234567Z", "2026-13-01T00:00:00Z", "0000-01-01T00:00:00Z",
            "2026-1é-01T00:00:0Z",
        ]) func refused(text: String)
    { #expect(Timestamp(text) == nil) }
}

@Suite struct AddressTests {
    @Test("values are escaped, and a suffix takes its place or none") func paths() {
        #expect(Addresses.device.path("maze", "a b/é") == "/v1/games/maze/devices/a%20b%2F%C3%A9")
        #expect(Addresses.boardTop.path("maze", "lap", format: "json") == "/v1/games/maze/boards/lap/top.json")
        #expect(Addresses.topScores.path() == "/TopScores")
    }
}
