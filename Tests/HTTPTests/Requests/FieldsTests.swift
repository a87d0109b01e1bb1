import Domain
import Glibc
import Testing

@testable import HTTP

@Suite struct FieldsTests {
    private func json(_ value: String) throws -> Fields { .json(try JSONObject(Array("{\"f\":\(value)}".utf8))) }

    /// A form in which every byte of the value is escaped.
    private func form(_ value: String) throws -> Fields {
        .form(try FormBody(Array("f=".utf8) + value.utf8.flatMap { Array("%\(Hex.text([$0]))".utf8) }, known: ["f"]))
    }

    private let none = Fields.json(JSONObject())

    @Test("absent, null and said are told apart; (null) in a form is absent, and empty is said") func presence() throws
    {
        #expect(none.presence(of: "f") == .absent)
        #expect(try json("null").presence(of: "f") == .null)
        #expect(try json("\"null\"").presence(of: "f") == .value)
        #expect(try json("\"(null)\"").presence(of: "f") == .value)
        #expect(try json("\"\"").presence(of: "f") == .value)
        #expect(try form("(null)").presence(of: "f") == .absent)
        #expect(try form("null").presence(of: "f") == .value)
        #expect(try form("").presence(of: "f") == .value)
        #expect(try form("").presence(of: "g") == .absent)
    }

    @Test("what is absent or null is nil for every reader, but null is a value as JSON") func absent() throws {
        for fields in try [none, json("null"), form("(null)")] {
            #expect(try fields.text("f") == nil)
            #expect(try fields.integer("f") == nil)
            #expect(try fields.boolean("f") == nil)
            #expect(try fields.instant("f") == nil)
        }
        #expect(try none.json("f") == nil)
        #expect(try form("(null)").json("f") == nil)
        #expect(try json("null").json("f") == "null")
    }

    @Test("a text is a string, and nothing else in JSON") func text() throws {
        #expect(try json("\"a\\u00e9\"").text("f") == "aé")
        #expect(try json("\"\"").text("f") == "")
        #expect(try form("10").text("f") == "10")
        #expect(try form("").text("f") == "")
        for value in ["10", "true", "false", "[]", "{}", "[\"a\"]"] {
            let error = #expect(throws: FieldError.self) { try json(value).text("f") }
            #expect(error?.field == "f")
        }
    }

    @Test(
        "an integer is any number that is whole, or digits",
        arguments: [
            ("10", 10), ("10.0", 10), ("1e3", 1_000), ("-0", 0), ("1.5e1", 15), ("100e-2", 1), ("0e999999999", 0),
            ("-9223372036854775808", .min), ("9223372036854775807", .max),
        ] as [(String, Int64)]) func integer(number: String, value: Int64) throws
    {
        #expect(try json(number).integer("f") == value)
        #expect(try form(number).integer("f") == value)
    }

    @Test("a string holds digits alone, with a minus or not") func digits() throws {
        #expect(try json("\"1500\"").integer("f") == 1_500)
        #expect(try json("\"-7\"").integer("f") == -7)
        #expect(try json("\"9223372036854775807\"").integer("f") == .max)
        #expect(try form("007").integer("f") == 7)
        for text in ["10.0", "1e3", "+5", " 5", "", "-", "9223372036854775808", "0x10", "(null)"] {
            #expect(throws: FieldError.self) { try json("\"\(text)\"").integer("f") }
        }
    }

    @Test(
        "what is not whole, beyond 64 bits or no number is refused with the sentence of Points",
        arguments: ["1.5", "1e999999999", "1e-1", "9223372036854775808", "true", "[10]", "{}", "\"ten\""])
    func noInteger(value: String) throws {
        let sentence = "f is no whole number of 64 bits. Send digits only, such as 1500."
        #expect(#expect(throws: FieldError.self) { try json(value).integer("f") } == FieldError("f", sentence))
        #expect(#expect(throws: FieldError.self) { try form(value).integer("f") } == FieldError("f", sentence))
    }

    @Test(
        "in a form a number stands without quotes, plus or white space",
        arguments: ["\"10\"", " 10", "10 ", "+10", "10.", ".5e1", "", "null"]) func formNumbers(value: String) throws
    { #expect(throws: FieldError.self) { try form(value).integer("f") } }

    @Test(
        "yes and no in JSON",
        arguments: [
            ("true", true), ("false", false), ("1", true), ("0", false), ("1.0", true), ("-0", false), ("10e-1", true),
            ("\"yes\"", true), ("\"TRUE\"", true), ("\"on\"", true), ("\"1\"", true), ("\"no\"", false),
            ("\"0\"", false),
        ]) func boolean(value: String, isOn: Bool) throws
    { #expect(try json(value).boolean("f") == isOn) }

    @Test(
        "other numbers, arrays and objects are neither yes nor no",
        arguments: ["2", "-1", "0.5", "1e99", "[]", "[true]", "{}"]) func noBoolean(value: String) throws
    { #expect(#expect(throws: FieldError.self) { try json(value).boolean("f") }?.field == "f") }

    @Test("a form says yes and no as the 2009 clients do, and a misspelt word is neither") func formBoolean() throws {
        for text in ["1", "YES", "true", "on", "y", "t"] { #expect(try form(text).boolean("f") == true) }
        for text in ["0", "no", "N", "f", "False", "OFF"] { #expect(try form(text).boolean("f") == false) }
        for text in ["", "2", "null", "ture", "yes ", " ", "truetrue"] {
            for fields in [try form(text), try json("\"\(text)\"")] {
                let error = #expect(throws: FieldError.self) { try fields.boolean("f") }
                #expect(error?.description == "f is neither true nor false. Send one of them.")
            }
        }
    }

    @Test("a time is RFC 3339") func instant() throws {
        let instant = Instant(microsecondsSince1970: 1_258_797_600_000_000)
        #expect(try json("\"2009-11-21T10:00:00Z\"").instant("f") == instant)
        #expect(try json("\"2009-11-21T11:00:00+01:00\"").instant("f") == instant)
        #expect(try form("2009-11-21T10:00:00Z").instant("f") == instant)
        for value in ["\"\"", "\"2009-11-21\"", "\"yesterday\"", "1258797600", "true", "[]", "{}"] {
            let error = #expect(throws: FieldError.self) { try json(value).instant("f") }
            #expect(error?.description == "f is no time of RFC 3339. Send a string such as 2026-11-21T10:00:00Z.")
        }
        #expect(throws: FieldError.self) { try form("").instant("f") }
    }

    @Test(
        "JSON is any value without white space, in a form as well",
        arguments: [
            ("{ \"level\" : [ 3 , null ] }", "{\"level\":[3,null]}"), ("\" a \"", "\" a \""), ("1.50", "1.50"),
            ("true", "true"), ("[ ]", "[]"), ("\"\\u00e9\\\" \\\\\"", "\"\\u00e9\\\" \\\\\""),
        ]) func anyValue(value: String, minified: String) throws
    {
        #expect(try json(value).json("f") == minified)
        #expect(try form(" \(value)\n").json("f") == minified)
    }

    @Test(
        "what is no JSON in a form is refused", arguments: ["", "level 3", "{", "1 2", "'a'", "NaN", "[\"\\ud800\"]"])
    func noJSON(value: String) throws {
        #expect(#expect(throws: FieldError.self) { try form(value).json("f") }?.field == "f")
    }

    @Test("1,024 bytes of JSON are taken, one more is refused; white space does not count") func size() throws {
        let full = "\"" + String(repeating: "é", count: 511) + "\""
        let spaced = "[" + String(repeating: " ", count: 5_000) + "1]"
        for make in [json, form] {
            #expect(try make(full).json("f")?.utf8.count == 1_024)
            #expect(try make(spaced).json("f") == "[1]")
            #expect(throws: FieldError.self) { try make("\"x" + full.dropFirst()).json("f") }
        }
    }

    @Test("texts of a hundred thousand combining marks take no time that grows with their square") func marks() throws {
        let marks = String(repeating: "\u{301}\u{316}", count: 30_000)
        let before = processorSeconds()
        let fields = Fields.json(try JSONObject(Array("{\"\(marks)\":1,\"f\":\"\(marks)\"}".utf8)))
        #expect(fields.presence(of: "f") == .value)
        #expect(throws: FieldError.self) { try fields.boolean("f") }
        #expect(throws: FieldError.self) { try fields.integer("f") }
        #expect(throws: FieldError.self) { try fields.instant("f") }
        #expect(processorSeconds() - before < 1)
    }

    /// What this thread has had of the processor, which other tests and other programs do not add to.
    private func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
    }
}
