import TestDice
import Testing

@testable import HTTP

@Suite struct JSONObjectTests {
    private func object(_ text: String) throws -> JSONObject { try JSONObject(Array(text.utf8)) }

    private func isRead(_ text: String) -> Bool { (try? object(text)) != nil }

    @Test("members have kinds, texts, and their bytes without white space") func members() throws {
        let object = try object(
            " { \"s\" : \"a\" , \"n\":-1.50E+3,\"t\":true,\"f\" :false, \"z\":null,\n"
                + "\"l\":[ 1 , [ ] , \" [ \\\" ] \" ],\"o\":{ \"x y\" : { } } }\r\n")
        for (name, kind, minified) in [
            ("s", .string, "\"a\""), ("n", .number, "-1.50E+3"), ("t", .true, "true"), ("f", .false, "false"),
            ("z", .null, "null"), ("l", .array, "[1,[],\" [ \\\" ] \"]"), ("o", .object, "{\"x y\":{}}"),
        ] as [(String, JSONValue.Kind, String)] {
            let value = try #require(object[name])
            #expect(value.kind == kind)
            #expect(String(decoding: value.minified, as: UTF8.self) == minified)
            #expect(value.text == (name == "s" ? "a" : nil))
        }
        #expect(object["x y"] == nil)
        #expect(object[""] == nil)
    }

    @Test("of a member that comes twice the last one counts, however its name is escaped") func repeated() throws {
        #expect(try object("{\"a\":1,\"b\":2,\"\\u0061\":\"3\"}")["a"]?.text == "3")
        #expect(try object("{\"a\":{\"a\":1},\"b\":[{\"a\":2}]}")["a"]?.kind == .object)
    }

    @Test("a byte order mark at the start is no part of the body, and moves no column") func byteOrderMark() throws {
        #expect(try object("\u{FEFF} {\"a\":\"b\"}")["a"]?.text == "b")
        #expect(!isRead("\u{FEFF}\u{FEFF}{}"))
        #expect(!isRead("{}\u{FEFF}"))
        #expect(#expect(throws: JSONError.self) { try object("\u{FEFF}{a") }?.column == 2)
    }

    @Test(
        "strings are decoded",
        arguments: [
            ("", ""), ("\\\"\\\\\\/\\b\\f\\n\\r\\t", "\"\\/\u{8}\u{C}\n\r\t"),
            ("\\u0041\\u00e9\\u00E9\\u0000", "Aéé\0"), ("\\ud83d\\ude00", "\u{1F600}"),
            ("\\uD800\\uDC00\\uDBFF\\uDFFF", "\u{10000}\u{10FFFF}"),
            ("\\ud7ff\\ue000\\uffff", "\u{D7FF}\u{E000}\u{FFFF}"),
            ("\u{7F}é中\u{1F600}\u{10FFFF}", "\u{7F}é中\u{1F600}\u{10FFFF}"), ("\\\\u0041", "\\u0041"),
            ("\u{2028}\u{FEFF}", "\u{2028}\u{FEFF}"),
        ]) func strings(written: String, text: String) throws
    {
        let read = try #require(try object("{\"a\":\"\(written)\"}")["a"]?.text)
        #expect(Array(read.unicodeScalars) == Array(text.unicodeScalars))
    }

    @Test(
        "what is no string, number or literal of RFC 8259 is refused",
        arguments: [
            "\"\\ud83d\"", "\"\\ude00\"", "\"\\ud83d\\u0041\"", "\"\\ud83dx\"", "\"\\ud83d\\n\"", "\"\\ude00\\ud83d\"",
            "\"\\ud83d\\ud83d\"", "\"\\x41\"", "\"\\u00g0\"", "\"\\u004\"", "\"\\u+041\"", "\"\\u００４１\"", "\"\\U0041\"",
            "\"\\'\"", "\"a\nb\"", "\"\t\"", "\"\0\"", "'a'", "a", "“a”", "`a`", "01", "-01", "00", "-", "+1", ".5",
            "-.5", "1.", "1.e3", "1e", "1e+", "1e1.5", "0x10", "1_000", "１", "٣", "NaN", "Infinity", "-Infinity", "nan",
            "True", "TRUE", "nul", "nulll", "undefined", "tru", "1 2", "\"a\" \"b\"", "[1,]", "[,1]", "[1 2]", "[", "]",
            "[}", "{]", "{\"a\"}", "{\"a\":}", "{a:1}", "{1:1}", "{\"a\":1,}", "{,}", "{\"a\" 1}", "{\"a\":1 \"b\":2}",
            "/**/1", "1//\n", "1#", "\u{A0}1", "\u{2028}1", "\u{C}1", "\u{B}1", "1;",
        ]) func refused(value: String)
    {
        for text in ["{\"a\":\(value)}", "{\"a\":[\(value)]}", "{\"a\":{\"b\":\(value)}}"] {
            #expect(!isRead(text), "\(text)")
            #expect(!ReferenceJSON.isObject(Array(text.utf8)), "\(text)")
        }
    }

    @Test(
        "a body is one object and nothing more",
        arguments: ["", " ", "[]", "1", "\"a\"", "null", "{}{}", "{} x", "{},", "{", "}", "x=1", "{}\0"])
    func oneObject(text: String) { #expect(!isRead(text)) }

    @Test(
        "invalid UTF-8 is refused, in a string and outside",
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF], [0xE2, 0x82],
            [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF],
            [0xF0, 0x9F, 0x98], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF], [0xC3, 0xC3, 0xA9],
        ] as [[UInt8]]) func invalidUTF8(bytes: [UInt8])
    {
        #expect(throws: JSONError.self) { try JSONObject(Array("{\"a\":\"".utf8) + bytes + Array("\"}".utf8)) }
        #expect(throws: JSONError.self) { try JSONObject(Array("{\"a\":1".utf8) + bytes + Array("}".utf8)) }
        #expect(throws: JSONError.self) { try JSONObject(Array("{\"a\":\"".utf8) + bytes) }
        #expect(throws: JSONError.self) { try JSONObject(bytes) }
    }

    @Test("32 brackets inside each other are read, 33 are refused") func depth() {
        for (open, close) in [("[", "]"), ("{\"b\":", "}")] {
            func nested(_ depth: Int) -> String {
                "{\"a\":" + String(repeating: open, count: depth - 1) + "1" + String(repeating: close, count: depth - 1)
                    + "}"
            }
            #expect(isRead(nested(32)))
            #expect(!isRead(nested(33)))
        }
        #expect(isRead("{\"a\":[" + String(repeating: "[[]],", count: 10_000) + "{}]}"))
    }

    @Test("a document says the same however it is spaced and escaped", arguments: Dice.seeds(8_259)) func roundTrip(
        seed: UInt64
    ) throws {
        var dice = Dice(seed: seed)
        for _ in 0..<2_000 {
            let tree = dice.object()
            guard case .object(let members) = tree else { continue }
            let object = try object(dice.spaced(tree))
            for (index, member) in members.enumerated() {
                let name = try #require(member.name.text)
                let isLast = !members[(index + 1)...].contains {
                    $0.name.text?.unicodeScalars.elementsEqual(name.unicodeScalars) == true
                }
                guard isLast else { continue }
                let value = try #require(object[name])
                #expect(Array(value.minified) == Array(member.value.minified.utf8))
                #expect(value.text.map { Array($0.utf8) } == member.value.text.map { Array($0.utf8) })
            }
        }
    }

    @Test(
        "whatever a byte is changed to, the reader agrees with the grammar and its errors have a place in the body",
        arguments: Dice.seeds(32)) func damaged(seed: UInt64)
    {
        var dice = Dice(seed: seed)
        for _ in 0..<20_000 {
            var bytes = Array(dice.spaced(dice.object()).utf8)
            let alphabet = Array("{}[]\",:\\u0d8e-+.tfn \n".utf8) + [0, 0x1F, 0x80, 0xC3, 0xED, 0xF0, 0xFF]
            for _ in 0...Int.random(in: 0...1, using: &dice) {
                let place = Int.random(in: 0..<bytes.count, using: &dice)
                switch Int.random(in: 0..<4, using: &dice) {
                case 0 where bytes.count > 1: bytes.remove(at: place)
                case 1: bytes.insert(alphabet.randomElement(using: &dice) ?? 0, at: place)
                default: bytes[place] = alphabet.randomElement(using: &dice) ?? 0
                }
            }
            var error: JSONError?
            do { _ = try JSONObject(bytes) } catch let thrown { error = thrown }
            #expect((error == nil) == ReferenceJSON.isObject(bytes), "\(bytes)")
            guard let error else { continue }
            let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            #expect((1...lines.count).contains(error.line))
            #expect((1...lines[error.line - 1].count + 1).contains(error.column))
        }
    }

    private static let sample =
        "\u{FEFF}{\"a\\u00e9\\ud83d\\ude00é\u{1F600}\": [1, -2.5e+3, true, false, null, {\"b\": \"\\n\"}], "
        + "\"c\": {}, \"d\":0}"

    @Test("a body that is cut anywhere is refused, and the place is its end") func pageRequest() throws {
        let bytes = Array(Self.sample.utf8)
        #expect(throws: Never.self) { try JSONObject(bytes) }
        // A part of the byte order mark is another fault.
        for length in 0..<bytes.count where length != 1 && length != 2 {
            let error = #expect(throws: JSONError.self) { try JSONObject(Array(bytes[..<length])) }
            #expect(error?.description.contains("it ends at line 1") == true, "\(length)")
        }
    }

    @Test("every change of a single byte is judged as the grammar does") func everyByte() {
        let bytes = Array(Self.sample.utf8)
        for place in bytes.indices {
            for byte in UInt8.min...UInt8.max {
                var changed = bytes
                changed[place] = byte
                #expect(
                    ((try? JSONObject(changed)) != nil) == ReferenceJSON.isObject(changed), "byte \(place) is \(byte)")
            }
        }
    }
}
