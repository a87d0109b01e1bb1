import Domain
import Pages
import Testing

@testable import HTTP

@Suite struct ModerationFieldsTests {
    private static let id = "0b7c6f0e-3c8e-4c5a-9c1d-2f4b8a6d1e00"

    private static func sample(_ kind: ModerationField.Kind) -> (json: String, typed: String) {
        switch kind {
        case .player, .whole: ("7", "7")
        case .id: ("\"\(id)\"", id)
        case .slug, .text: ("\"maze\"", "maze")
        case .flag: ("true", "true")
        case .instant: ("\"2027-01-01T00:00:00Z\"", "2027-01-01T00:00:00Z")
        }
    }

    private static func json(_ fields: [ModerationField]) -> String {
        fields.map { "\"\($0.name)\": \(sample($0.kind).json)" }.joined(separator: ", ")
    }

    private static func read(_ body: String) throws -> ModerationKind {
        try ModerationFields(.json(JSONObject(Array(body.utf8)))).kind()
    }

    @Test(
        "a form of the console asks for the same action as a body of the admin API",
        arguments: ModerationDescription.all) func same(action: ModerationDescription) throws
    {
        let more = action.fields.isEmpty ? "" : ", \(Self.json(action.fields))"
        let kind = try Self.read("{\"do\": \"\(action.word)\", \"on\": {\(Self.json(action.subjects))}\(more)}")
        func typed(_ fields: [ModerationField]) -> [String: String] {
            Dictionary(uniqueKeysWithValues: fields.map { ($0.name, Self.sample($0.kind).typed) })
        }
        let query = (["do=\(action.word)"] + typed(action.subjects + action.fields).map { "\($0)=\($1)" })
        let sent = Submission(try QueryParameters("/?" + query.joined(separator: "&")), known: ModerationForm.names)
        let form = ModerationForm(sent: sent)
        #expect(try form.read() == kind)
        #expect(form.questions.map(\.name) == action.fields.map(\.name))
        #expect(form.title == action.title && form.isHard == action.isHard)
    }

    @Test(
        "an error in on has the field on",
        arguments: [
            #""on": {"player": 7, "scor": "x"}"#, #""on": {"player": 7, "score": null}"#, #""on": {}"#, #""on": 7"#,
            #""on": {"player": 7, "score": "x"}"#, #""reason": "no on""#,
        ]) func subject(member: String)
    {
        let error = #expect(throws: FieldError.self) { try Self.read("{\"do\": \"void\", \(member)}") }
        #expect(error?.field == "on")
    }

    @Test("only true and false are flags", arguments: ["1", "0", "\"on\"", "\"yes\"", "null"]) func flags(value: String)
    {
        let body = "{\"do\": \"void\", \"on\": {\"player\": 7}, \"held_only\": \(value)}"
        let error = #expect(throws: FieldError.self) { try Self.read(body) }
        #expect(error?.field == "held_only")
    }
}
