import Domain
import Storage
import Testing

@testable import HTTP

/// The schemas of boards and charities in the OpenAPI document, compared with the descriptions of their settings.
@Suite struct SettingSchemaTests {
    @Test("the document has the settings of a board as they are described") func boards() throws {
        try compare(BoardSettings.self, "BoardSettings", "AdminBoard", besides: ["game", "slug", "season"])
    }

    @Test("the document has the settings of a charity as they are described") func charities() throws {
        try compare(CharitySettings.self, "CharitySettings", "AdminCharity", besides: ["slug"])
    }

    @Test("the document has the settings of a game as they are described") func games() throws {
        try compare(
            GameSettings.self, "GameSettings", "AdminGame", sentBesides: ["remove_addresses"],
            besides: ["slug", "addresses", "updates"])
    }

    /// - Parameters:
    ///   - body: The name of the schema of a change.
    ///   - reply: The name of the schema of what is answered.
    ///   - wishes: What may be sent besides settings.
    ///   - others: What the answer has besides its settings.
    private func compare<Keys: SettingKeys>(
        _: Keys.Type, _ body: String, _ reply: String, sentBesides wishes: Set<String> = [], besides others: Set<String>
    ) throws {
        let settings = SettingChange<Keys>.settings
        let sent = try #require(ServedDocument.schema(body))
        let shown = try #require(ServedDocument.schema(reply))
        let names = settings.names
        let shownNames = Set(settings.map { "\($0.presence ?? $0.name)" })
        #expect(Set(sent.properties.map(\.key)) == names.union(wishes))
        #expect(Set(shown.properties.map(\.key)) == shownNames.union(others))
        let required = Set((shown["required"]?.list ?? []).compactMap(\.text)).subtracting(others)
        for setting in settings {
            let name = "\(setting.name)"
            let change = try #require(sent["properties", name]?.resolved)
            if let presence = setting.presence {
                #expect(shown["properties", "\(presence)"]?["type"]?.text == "boolean", "\(name)")
                continue
            }
            let answer = try #require(shown["properties", name]?.resolved)
            let type = change["type"]?.text ?? change["type", "0"]?.text
            #expect(answer["type"]?.text == setting.kind.type, "\(name)")
            // A boolean may be sent in several ways.
            if case .boolean = setting.kind { continue }
            #expect(type == setting.kind.type, "\(name)")
            #expect((change["type", "1"]?.text == "null") == setting.isOptional, "\(name) may be null")
            for schema in [change, answer] {
                #expect((schema["format"]?.text == "date-time") == setting.kind.isInstant, "\(name)")
                #expect(schema["enum"]?.list.compactMap(\.text) == setting.kind.words, "\(name)")
            }
            #expect(!setting.isOptional || !required.contains(name), "\(name) may be absent")
            for key in ["minimum", "maximum", "exclusiveMinimum", "enum"] {
                #expect(change[key] == answer[key], "\(key) of \(name)")
            }
            try checkBounds(of: name, change, Keys.self)
        }
    }

    /// The values at the bounds of a schema are read, and those beyond them are refused.
    private func checkBounds<Keys: SettingKeys>(of name: String, _ schema: ServedDocument, _: Keys.Type) throws {
        func sending(_ json: String) throws -> SettingChange<Keys> {
            try SettingChange(by: Fields.json(JSONObject(Array("{\"\(name)\":\(json)}".utf8)))).checked()
        }
        var (good, bad): ([String], [String]) = ([], [])
        for (bound, step) in [("minimum", -1), ("maximum", 1)] {
            guard let text = schema[bound]?.text else { continue }
            let number = try #require(Int64(text))
            good.append(text)
            bad.append("\(number + Int64(step))")
        }
        if let bound = schema["exclusiveMinimum"]?.text { bad.append(bound) }
        for (bound, step) in [("minLength", -1), ("maxLength", 1)] {
            guard let length = schema[bound]?.text.flatMap({ Int($0) }) else { continue }
            good.append("\"\(String(repeating: "x", count: length))\"")
            bad.append("\"\(String(repeating: "x", count: length + step))\"")
        }
        for word in schema["enum"]?.list.compactMap(\.text) ?? [] { good.append("\"\(word)\"") }
        if schema["type", "1"]?.text == "null" { good.append("null") } else { bad.append("null") }
        for json in good { #expect(throws: Never.self, "\(name): \(json)") { try sending(json) } }
        for json in bad { #expect(throws: FieldError.self, "\(name): \(json)") { try sending(json) } }
    }
}

extension AdminSetting.Kind {
    /// The type of JSON Schema.
    fileprivate var type: String {
        switch self {
        case .text, .area, .link, .choice, .instant: "string"
        case .integer: "integer"
        case .boolean: "boolean"
        case .texts: "array"
        case .decimal: "number"
        }
    }

    fileprivate var isInstant: Bool { if case .instant = self { true } else { false } }
    fileprivate var words: [String]? { if case .choice(let words) = self { words } else { nil } }
}
