import TestDice
import Testing

@testable import HTTP

@Suite struct JSONValueTests {
    private func whole(_ number: String) throws -> Int64? { try JSONValue(number).whole }

    @Test(
        "a number that is whole is read exactly, in any notation",
        arguments: [
            ("0", 0), ("-0", 0), ("0.0", 0), ("-0e0", 0), ("0e999999999", 0), ("0e99999999999999999999999", 0),
            ("0.000e-99999999999999999999", 0), ("10", 10), ("10.0", 10), ("1e3", 1_000), ("1E+3", 1_000),
            ("1.5e1", 15), ("100e-2", 1), ("-100E-2", -1), ("0.001e3", 1), ("1230.0e-1", 123),
            ("1e00000000000000000000000000003", 1_000), ("5e-0", 5), ("9007199254740993", 9_007_199_254_740_993),
            ("9223372036854775807", .max), ("-9223372036854775808", .min), ("9223372036854775807.000", .max),
            ("-922337203685477580.8e1", .min), ("9.223372036854775807e18", .max), ("922337203685477580700e-2", .max),
            ("1e18", 1_000_000_000_000_000_000),
        ] as [(String, Int64)]) func good(number: String, value: Int64) throws
    { #expect(try whole(number) == value) }

    @Test(
        "a number with a fraction or beyond 64 bits has no whole value",
        arguments: [
            "0.5", "1.5", "-1.0001", "1e-1", "15e-1", "1e-999999999", "1e999999999", "-1e99999999999999999999999",
            "1e19", "9223372036854775808", "-9223372036854775809", "9223372036854775807.1", "18446744073709551616",
            "99999999999999999999", "9223372036854775808e0", "0.1e-5", "1e9223372036854775807",
            "1e-9223372036854775808", "1e18446744073709551616",
        ]) func bad(number: String) throws
    { #expect(try whole(number) == nil) }

    @Test("what is no number has no whole value", arguments: ["\"10\"", "true", "null", "[1]", "{}"]) func noNumber(
        value: String
    ) throws { #expect(try whole(value) == nil) }

    @Test("numbers of 200,000 digits are read or refused at once") func long() throws {
        let zeros = String(repeating: "0", count: 200_000)
        #expect(try whole("1" + zeros + "e-200000") == 1)
        #expect(try whole("0." + zeros + "7e200001") == 7)
        #expect(try whole("12." + zeros) == 12)
        #expect(try whole("12." + zeros + "1") == nil)
        #expect(try whole("1" + zeros) == nil)
        #expect(try whole("1e" + String(repeating: "9", count: 200_000)) == nil)
        #expect(try whole("0e-" + String(repeating: "9", count: 200_000)) == 0)
    }

    @Test("every number of 64 bits is read back from every notation", arguments: Dice.seeds(64)) func notations(
        seed: UInt64
    ) throws {
        var dice = Dice(seed: seed)
        for _ in 0..<5_000 {
            let value = Int64.random(in: .min ... .max, using: &dice) >> Int64.random(in: 0..<64, using: &dice)
            var digits = String(value.magnitude)
            var exponent = value == 0 ? 0 : -Int.random(in: 0...30, using: &dice)
            digits += String(repeating: "0", count: -exponent)
            let places = Int.random(in: 0...40, using: &dice)
            if places > 0 {
                digits = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
                digits.insert(".", at: digits.index(digits.endIndex, offsetBy: -places))
                exponent += places
            }
            let sign = exponent >= 0 && Bool.random(using: &dice) ? "+" : ""
            let number =
                (value < 0 ? "-" : "") + digits
                + (exponent == 0 && Bool.random(using: &dice) ? "" : "e\(sign)\(exponent)")
            #expect(try whole(number) == value, "\(number)")
        }
    }

    @Test("a text is one value with white space around it, and nothing more") func text() throws {
        #expect(try JSONValue(" \"a\" \n").text == "a")
        #expect(try JSONValue("[ 1 ]").minified == Array("[1]".utf8))
        for text in ["", " ", "1 1", "a", "[1", "\u{FEFF}1", "{}x", String(repeating: "[", count: 100_000)] {
            #expect(throws: JSONError.self) { try JSONValue(text) }
        }
    }
}
