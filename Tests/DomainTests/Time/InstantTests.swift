import Domain
import Foundation
import TestDice
import Testing

@Suite struct InstantTests {
    private static let firstOfYear1: Int64 = -62_135_596_800_000_000
    private static let lastOfYear9999: Int64 = 253_402_300_799_999_999

    private func micros(_ text: String) -> Int64? { Instant(rfc3339: text)?.microsecondsSince1970 }

    // MARK: the time line

    @Test("moving by seconds is exact, and stops only at the ends of the time line") func advanced() {
        func moved(_ micros: Int64, _ seconds: Int64) -> Int64 {
            Instant(microsecondsSince1970: micros).advanced(bySeconds: seconds).microsecondsSince1970
        }
        #expect(moved(1, -60) == -59_999_999)
        #expect(moved(.max, 1) == .max)
        #expect(moved(.max - 1_000_000, 1) == .max)
        #expect(moved(.min, -1) == .min)
        #expect(moved(0, .max) == .max)
        #expect(moved(0, .min) == .min)
        #expect(
            moved(.min, 9_223_372_036_855) == 224_192,
            "a step wider than 64 bits of microseconds still lands where it lands")
        #expect(moved(.max, -9_223_372_036_855) == -224_193)
    }

    @Test("instants are in the order of time") func order() {
        #expect(
            [3, .min, -1, .max].map(Instant.init(microsecondsSince1970:)).sorted().map(\.microsecondsSince1970) == [
                .min, -1, 3, .max,
            ])
    }

    // MARK: printed

    @Test("an instant prints in UTC, with the rest of the second cut off") func printed() {
        let cases: [(Int64, String, String)] = [
            (0, "1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000000Z"),
            (1_252_749_603_000_250, "2009-09-12T10:00:03Z", "2009-09-12T10:00:03.000250Z"),
            (999_999, "1970-01-01T00:00:00Z", "1970-01-01T00:00:00.999999Z"),
            (-1, "1969-12-31T23:59:59Z", "1969-12-31T23:59:59.999999Z"),
            (-1_000_000, "1969-12-31T23:59:59Z", "1969-12-31T23:59:59.000000Z"),
            (-86_400_000_000, "1969-12-31T00:00:00Z", "1969-12-31T00:00:00.000000Z"),
            (951_782_400_000_000, "2000-02-29T00:00:00Z", "2000-02-29T00:00:00.000000Z"),
            (Self.firstOfYear1, "0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000000Z"),
            (Self.lastOfYear9999, "9999-12-31T23:59:59Z", "9999-12-31T23:59:59.999999Z"),
        ]
        for (micros, seconds, microseconds) in cases {
            let instant = Instant(microsecondsSince1970: micros)
            #expect(instant.rfc3339(.seconds) == seconds)
            #expect(instant.rfc3339(.microseconds) == microseconds)
            #expect(instant.rfc3339Bytes(.seconds) == Array(seconds.utf8))
        }
    }

    @Test("an instant outside the years 0 to 9999 prints as the nearest in them") func extremes() {
        for micros in [.max, .max - 1, Self.lastOfYear9999 + 1] as [Int64] {
            #expect(Instant(microsecondsSince1970: micros).rfc3339(.microseconds) == "9999-12-31T23:59:59.999999Z")
        }
        for micros in [.min, .min + 1, -62_167_219_200_000_001, -62_167_219_200_000_000] as [Int64] {
            #expect(Instant(microsecondsSince1970: micros).rfc3339(.microseconds) == "0000-01-01T00:00:00.000000Z")
        }
    }

    @Test("printing agrees with Foundation's calendar", arguments: Dice.seeds(2)) func foundation(seed: UInt64) {
        var dice = Dice(seed: seed)
        for _ in 0..<2_000 {
            // The instants begin in 1600, because Foundation uses the Julian calendar before 1582.
            let seconds = Int64.random(in: -11_676_096_000...253_402_300_799, using: &dice)
            let text = Instant(microsecondsSince1970: seconds * 1_000_000).rfc3339(.seconds)
            #expect(text == Date(timeIntervalSince1970: Double(seconds)).ISO8601Format())
        }
    }

    @Test("any instant prints without trapping, in the order of time", arguments: Dice.seeds(3)) func anyInstant(
        seed: UInt64
    ) {
        var dice = Dice(seed: seed)
        let instants = (0..<5_000).map { _ in
            Instant(
                microsecondsSince1970: .random(in: .min ... .max, using: &dice)
                    >> Int64.random(in: 0..<40, using: &dice))
        }
        let texts = instants.sorted().map { $0.rfc3339(.microseconds) }
        #expect(texts == texts.sorted())
        #expect(texts.allSatisfy { $0.utf8.count == 27 })
    }

    // MARK: read

    @Test("what is printed is read back", arguments: Dice.seeds(4)) func roundTrip(seed: UInt64) {
        var dice = Dice(seed: seed)
        let random = (0..<5_000).map { _ in Int64.random(in: Self.firstOfYear1...Self.lastOfYear9999, using: &dice) }
        for value in [Self.firstOfYear1, Self.lastOfYear9999, -1, 0, 1] + random {
            #expect(micros(Instant(microsecondsSince1970: value).rfc3339(.microseconds)) == value)
        }
    }

    @Test("an offset is taken off, also over the end of a day or year") func offsets() {
        for text in [
            "2026-11-21T10:00:00Z", "2026-11-21T10:00:00z", "2026-11-21t10:00:00Z", "2026-11-21 10:00:00Z",
            "2026-11-21T10:00:00+00:00", "2026-11-21T10:00:00-00:00", "2026-11-21T11:00:00+01:00",
            "2026-11-21T04:30:00-05:30", "2026-11-22T09:59:00+23:59", "2026-11-20T10:01:00-23:59",
        ] { #expect(micros(text) == 1_795_255_200_000_000, "\(text)") }
        #expect(micros("2027-01-01T00:30:00+01:00") == micros("2026-12-31T23:30:00Z"))
        #expect(micros("9999-12-31T23:59:59.999999-23:59") == Self.lastOfYear9999 + 86_340_000_000)
        #expect(micros("0001-01-01T00:00:00+23:59") == Self.firstOfYear1 - 86_340_000_000)
    }

    @Test("a fraction has any number of digits, and those past the microsecond are cut off") func fractions() {
        for (fraction, micros) in [
            (".5", 500_000), (".000001", 1), (".000000", 0), (".0000009", 0), (".9999999", 999_999),
            (".123456789", 123_456), (".12", 120_000),
        ] as [(String, Int64)] { #expect(self.micros("1970-01-01T00:00:00\(fraction)Z") == micros, "\(fraction)") }
        #expect(micros("1970-01-01T00:00:00.\(String(repeating: "9", count: 100_000))+00:00") == 999_999)
    }

    @Test("a leap second is the second before it, and only where a day of UTC ends") func leapSeconds() {
        let last = micros("2016-12-31T23:59:59Z")
        #expect(last != nil)
        for text in [
            "2016-12-31T23:59:60Z", "2016-12-31T18:59:60-05:00", "2017-01-01T05:29:60+05:30",
            "2017-01-01T23:58:60+23:59",
        ] { #expect(micros(text) == last, "\(text)") }
        #expect(micros("2016-12-31T23:59:60.25Z") == last.map { $0 + 250_000 })
        for text in [
            "2016-12-31T23:59:61Z", "2016-12-31T23:58:60Z", "2026-11-21T10:00:60Z", "2016-12-31T23:59:60+01:00",
        ] { #expect(micros(text) == nil, "\(text)") }
    }

    @Test(
        "what is no RFC 3339 date-time is nil",
        arguments: [
            "", "Z", "now", "2026-11-21", "2026-11-21T10:00:00", "2026-11-21T10:00Z", "2026-11-21T10:00:00.Z",
            "2026-11-21T10:00:00,5Z", "2026-11-21T24:00:00Z", "2026-11-21T10:60:00Z", "2026-02-29T10:00:00Z",
            "2026-13-01T10:00:00Z", "2026-00-01T10:00:00Z", "2026-11-00T10:00:00Z", "0000-01-01T00:00:00Z",
            "2026-11-21T10:00:00+24:00", "2026-11-21T10:00:00+01:60", "2026-11-21T10:00:00+0100",
            "2026-11-21T10:00:00+01", "2026-11-21T10:00:00+", "2026-11-21T10:00:00ZZ", "2026-11-21T10:00:00Z ",
            " 2026-11-21T10:00:00Z", "2026-11-21T10:00:00Z\0", "+2026-11-21T10:00:00Z", "12026-11-21T10:00:00Z",
            "2026-1-21T10:00:00Z", "20261121T100000Z", "2026-11-21T10:00:00\u{2212}01:00", "２０２６-11-21T10:00:00Z",
            "٢٠٢٦-11-21T10:00:00Z", "2026-11-21T10:00:-1Z", "2026-11-21T+1:00:00Z", "2026-11-21\u{301}T10:00:00Z",
            "2026-11-21T10:00:00Z\u{301}",
        ]) func garbage(text: String)
    { #expect(Instant(rfc3339: text) == nil) }

    @Test("damaged date-times are read exactly when RFC 3339 has them", arguments: Dice.seeds(5)) func fuzz(
        seed: UInt64
    ) {
        var dice = Dice(seed: seed)
        var read = 0
        for round in 0..<4_000 {
            let sound = [
                "2016-12-31T23:59:60Z", "2024-02-29T12:34:56.789+01:30", "2026-11-21t00:00:00z",
                "1969-12-31 23:00:00.000001-05:00",
            ][round % 4]
            let text = dice.damaged(sound)
            #expect((micros(text) != nil) == isDateTime(text), "\(text.debugDescription)")
            if micros(text) != nil { read += 1 }
        }
        #expect((100...3_900).contains(read), "both kinds are met")
    }

    /// RFC 3339 checked independently: by a pattern, and then by Foundation's ranges.
    private func isDateTime(_ text: String) -> Bool {
        let pattern =
            #/
            ([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt\x20]
            ([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]+)?
            (?:[Zz]|([+\-])([0-9]{2}):([0-9]{2}))
            /#
        guard let match = text.wholeMatch(of: pattern.matchingSemantics(.unicodeScalar))?.output else { return false }
        let numbers = [match.1, match.2, match.3, match.4, match.5, match.6, match.8 ?? "0", match.9 ?? "0"].map {
            Int($0) ?? -1
        }
        guard (1...9999).contains(numbers[0]), (1...12).contains(numbers[1]), numbers[2] >= 1, numbers[3] < 24,
            numbers[4] < 60, numbers[6] < 24, numbers[7] < 60
        else { return false }
        let isLeap = numbers[0] % 4 == 0 && (numbers[0] % 100 != 0 || numbers[0] % 400 == 0)
        guard numbers[2] <= [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][numbers[1] - 1] else {
            return false
        }
        let minute = numbers[3] * 60 + numbers[4] + (numbers[6] * 60 + numbers[7]) * (match.7 == "-" ? 1 : -1)
        return numbers[5] < 60 || numbers[5] == 60 && (minute + 2 * 1_440) % 1_440 == 1_439
    }
}

extension Dice {
    /// The text with one to three of its bytes replaced, removed or doubled. New bytes are mostly some that such a text
    /// is made of.
    mutating func damaged(_ text: String) -> String {
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 1...3, using: &self) {
            guard let place = bytes.indices.randomElement(using: &self) else { break }
            switch Int.random(in: 0..<8, using: &self) {
            case 0: bytes.remove(at: place)
            case 1: bytes.insert(bytes[place], at: place)
            case 2: bytes[place] = UInt8.random(in: .min ... .max, using: &self)
            default: bytes[place] = Array("0123456789-:.+TtZzW /".utf8).randomElement(using: &self) ?? 0
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
