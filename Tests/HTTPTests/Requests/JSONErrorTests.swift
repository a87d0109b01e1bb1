import Domain
import Testing

@testable import HTTP

@Suite struct JSONErrorTests {
    private func error(_ bytes: [UInt8]) throws -> JSONError {
        try #require(throws: JSONError.self) { try JSONObject(bytes) }
    }

    @Test(
        "an error says where it is and what belongs there",
        arguments: [
            ("{\"points\": 10; \"a\": 1}", "line 1, column 14 has ';' where a comma or } belongs. Correct it there."),
            (
                "{\n  \"points\": 10,\n}",
                "line 3, column 1 has '}' where a name in double quotes belongs. Correct it there."
            ), ("{\r\n \"é\u{1F600}\": x}", "line 2, column 8 has 'x' where a value belongs. Correct it there."),
            (
                "{'a': 1}",
                "line 1, column 2 has a single quote where a name in double quotes belongs. Correct it there."
            ),
            (
                "{\u{201C}a\u{201D}: 1}",
                "line 1, column 2 has U+201C where a name in double quotes belongs. Correct it there."
            ), ("{\"a\" 1}", "line 1, column 6 has '1' where a colon belongs. Correct it there."),
            ("{\"a\": 1. }", "line 1, column 9 has a space where a digit belongs. Correct it there."),
            ("{\"a\": nul}", "line 1, column 10 has '}' where the rest of null belongs. Correct it there."),
            ("{\"a\": [1 \"b\"]}", "line 1, column 10 has a quote where a comma or ] belongs. Correct it there."),
            (
                "{\"a\": \"\\x\"}",
                "line 1, column 9 has 'x' where one of \" \\ / b f n r t u belongs. Correct it there."
            ),
            ("{\"a\": \"\\u00g0\"}", "line 1, column 12 has 'g' where a hexadecimal digit belongs. Correct it there."),
            ("{\"a\": \"\nb\"}", "line 1, column 8 has U+000A inside a string. Escape it, such as \\n."),
            (
                "{\"a\": \"x\\ude00\"}",
                "line 1, column 9 has one half of a surrogate pair. Send both, such as \\ud83d\\ude00."
            ), ("{\"a\": 1} {", "line 1, column 10 has '{' where the end belongs. Correct it there."),
            ("[1]", "line 1, column 1 has '[' where an object in { } belongs. Correct it there."),
            ("points=1", "line 1, column 1 has 'p' where an object in { } belongs. Correct it there."),
            ("{\0", "line 1, column 2 has U+0000 where a name in double quotes belongs. Correct it there."),
            (
                "",
                "it ends at line 1, column 1, where an object in { } belongs. Send it whole, with its length in bytes."
            ),
            (
                "{\"a\": 1\n",
                "it ends at line 2, column 1, where a comma or } belongs. Send it whole, with its length in bytes."
            ),
            (
                "{\"a\": \"b",
                """
                it ends at line 1, column 9, where the quote that ends a string belongs. \
                Send it whole, with its length in bytes.
                """
            ),
        ]) func sentences(body: String, sentence: String) throws
    { #expect(try error(Array(body.utf8)).description == "The body is no JSON: \(sentence)") }

    @Test("a byte that is no UTF-8 and a character that is cut have sentences of their own") func notUTF8() throws {
        let start = Array("{\"a\":\"é".utf8)
        #expect(
            try error(start + [0xFF, 0x22]).description
                == "The body is no JSON: line 1, column 8 has a byte that is no UTF-8. Send it in UTF-8.")
        #expect(
            try error(start.dropLast()).description.contains(
                "it ends at line 1, column 8, where the rest of a character belongs."))
        #expect(
            try error([0xFF, 0xFE, 0x7B, 0]).description.contains("line 1, column 1 has a byte that is no UTF-8 where"))
    }

    @Test("a hundred thousand brackets are refused at the 33rd", arguments: ["[", "{\"a\":", "[{\"a\":"]) func bomb(
        bracket: String
    ) throws {
        let error = try error(Array(("{\"a\":" + String(repeating: bracket, count: 100_000)).utf8))
        #expect(error.description.contains("opens more than 32 brackets inside each other. Nest it less."))
        #expect(try self.error(Array(String(repeating: bracket, count: 100_000).utf8)).line == 1)
    }

    @Test("an object of 1,024 members is taken, repeated names counted, and a larger one is refused where it goes on")
    func members() throws {
        func body(_ count: Int) -> [UInt8] {
            Array(("{" + Array(repeating: "\"a\":1", count: count).joined(separator: ",") + "}").utf8)
        }
        #expect(try JSONObject(body(Limits.fieldsMax))["a"]?.whole == 1)
        let error = try error(body(Limits.fieldsMax + 1))
        #expect(error.column == 2 + 6 * Limits.fieldsMax)
        #expect(error.description.contains("goes on after 1024 members"))
    }
}
