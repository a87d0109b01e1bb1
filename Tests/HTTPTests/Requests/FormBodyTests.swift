import enum Contract.ProblemName
import Domain
import TestDice
import Testing

@testable import HTTP

@Suite struct FormBodyTests {
    private let known: Set<String> = ["name", "email", "image", "phone", "high_score[player_name]"]

    private func form(_ body: String) throws -> FormBody { try FormBody(Array(body.utf8), known: known) }

    @Test("an escaped body is read as every form encoder writes it") func escaped() throws {
        let form = try form("name=Tom+%26+Jerry&phone=a%2Bb")
        #expect(form["name"] == "Tom & Jerry")
        #expect(form["phone"] == "a+b")
    }

    @Test(
        "in a visibly unescaped body + stays +",
        arguments: [
            "name=C++ x&phone=1", "name=C++&image=ab/cd&phone=1", "name=C++&image=abcd==", "name=C++&email=Zoë",
            "name=C++&phone=100%", "name=C++&phone=a%20b", "name=C++&Jerry&phone=1",
        ]) func unescaped(body: String) throws
    {
        let name = try #require(try form(body)["name"])
        #expect(name.hasPrefix("C++"))
    }

    @Test("a byte order mark is no part of the first field, and elsewhere it is text") func byteOrderMark() throws {
        #expect(try form("\u{FEFF}name=Tom&phone=1")["name"] == "Tom")
        #expect(try form("name=\u{FEFF}Tom&phone=1")["name"] == "\u{FEFF}Tom")
    }

    @Test("a hand-written + with a bare @ is still a space") func handWritten() throws {
        #expect(try form("name=Tom+Smith&email=tom@example.org")["name"] == "Tom Smith")
    }

    @Test("a segment that starts no field belongs to the value before it") func continued() throws {
        #expect(try form("name=Tom & Jerry&phone=1")["name"] == "Tom & Jerry")
        #expect(try form("name=AT&T&phone=1")["name"] == "AT&T")
        #expect(try form("name=a & b = c&phone=1")["name"] == "a & b = c")
        #expect(try form("name=Rock &&phone=1")["name"] == "Rock &")
    }

    @Test("unknown fields are ignored, wherever they stand, and so is what comes before the first field") func unknown()
        throws
    {
        let form = try form("x=1&name=a&high_score[created_at]=2000&y=2&phone=1&")
        #expect(form["name"] == "a")
        #expect(form["phone"] == "1")
        #expect(form["x"] == nil)
        #expect(try self.form("junk&name=a")["name"] == "a")
    }

    @Test("field names may be escaped, and brackets need not be") func escapedNames() throws {
        #expect(try form("high_score%5Bplayer_name%5D=a")["high_score[player_name]"] == "a")
        #expect(try form("high_score[player_name]=a")["high_score[player_name]"] == "a")
    }

    @Test("a stray % stands for itself", arguments: ["100%", "%", "%4", "%zz", "5%-10%"]) func strayPercent(
        name: String
    ) throws { #expect(try form("name=\(name)&phone=1")["name"] == name) }

    @Test("(null) is absent, empty is not, and a repeated field counts with its last value") func absence() throws {
        let form = try form("name=(null)&email=&phone=1&phone=2")
        #expect(form["name"] == nil)
        #expect(form["email"] == "")
        #expect(form["phone"] == "2")
        #expect(throws: FieldMissing.self) { do { _ = try form.required("image") } catch { throw FieldMissing() } }
    }

    @Test("a body has at most 1,024 parts") func parts() throws {
        func body(_ count: Int) -> String { "name=a" + String(repeating: "&x", count: count - 1) }
        #expect(try form(body(Limits.fieldsMax))["name"]?.utf8.count == 2 * Limits.fieldsMax - 1)
        #expect(throws: Problem.tooManyFields) { try form(body(Limits.fieldsMax + 1)) }
    }

    @Test("a character that was cut in the middle is a 400 that speaks of Content-Length") func cutCharacter() throws {
        let pageRequest = Array("name=Zoë".utf8).dropLast()
        let problem = #expect(throws: Problem.self) { try FormBody(Array(pageRequest), known: known) }
        #expect(problem?.name == .malformed)
        #expect(problem?.sentence.contains("Content-Length") == true)
    }

    @Test("no bytes at all make it trap", arguments: Dice.seeds(2_009)) func fuzz(seed: UInt64) {
        var dice = Dice(seed: seed)
        let alphabet = Array("name=&%+[] \0é\u{1F600}4fphone".utf8) + [0xFF, 0xC3]
        for _ in 0..<5_000 {
            let bytes = (0..<Int.random(in: 0...40, using: &dice)).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &dice)]
            }
            if let form = try? FormBody(bytes, known: known) { _ = form["name"] }
        }
    }
}

private struct FieldMissing: Error {}
