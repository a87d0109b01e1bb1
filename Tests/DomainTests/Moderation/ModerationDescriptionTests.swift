import Testing

@testable import Domain

@Suite struct ModerationDescriptionTests {
    /// Texts by the names of their fields.
    private struct Texts: ModerationSource {
        static let clearing = "none"
        var texts: [String: String]
        func isAbsent(_ field: String) -> Bool { texts[field] == nil }
        func text(_ field: String) -> String? { texts[field] }
        func integer(_ field: String) -> Int64? { texts[field].flatMap { Int64($0) } }
        func digits(_ field: String) -> String? { texts[field] }
        func instant(_ field: String) -> Instant? { texts[field].flatMap { Instant(rfc3339: $0) } }
        func boolean(_ field: String) -> Bool? { texts[field].map { $0 == "true" } }
        func texts(_ field: String, countMax _: Int) -> [String]? { texts[field].map { [$0] } }
        func aboutSubject(_ error: FieldError) -> FieldError { FieldError("on", "on.\(error.description)") }
    }

    private static func sample(_ kind: ModerationField.Kind) -> String {
        switch kind {
        case .player, .whole: "7"
        case .id: "0b7c6f0e-3c8e-4c5a-9c1d-2f4b8a6d1e00"
        case .slug, .text: "maze"
        case .flag: "true"
        case .instant: "2027-01-01T00:00:00Z"
        }
    }

    private static func sample(_ action: ModerationDescription) -> Texts {
        let fields = action.subjects + action.fields
        return Texts(texts: Dictionary(uniqueKeysWithValues: fields.map { ($0.name, sample($0.kind)) }))
    }

    @Test("each action is read by its word, and no two are the same") func read() throws {
        var asked: Set<String> = []
        for action in ModerationDescription.all {
            let kind = try ModerationDescription.kind(action.word, Self.sample(action))
            #expect(kind.name == action.word && kind.scope == action.scope)
            for field in action.subjects { #expect(kind.subjectText.contains("\(field.name)="), "\(kind)") }
            asked.insert(kind.askedText)
        }
        #expect(asked.count == ModerationDescription.all.count)
    }

    @Test("a missing field is refused by its name") func missing() throws {
        for action in ModerationDescription.all {
            let several = ModerationDescription.all.filter { $0.word == action.word }.count > 1
            for field in action.subjects + action.fields {
                var texts = Self.sample(action)
                texts.texts[field.name] = nil
                // Without its last subject it may be another action.
                if several, field.name == action.subjects.last?.name { continue }
                if field.isOptional {
                    _ = try ModerationDescription.kind(action.word, texts)
                } else {
                    let error = #expect(throws: FieldError.self) { try ModerationDescription.kind(action.word, texts) }
                    let isSubject = ModerationField.subjects.contains(field.name)
                    #expect(error?.field == (isSubject ? "on" : field.name))
                    #expect(error?.description.hasPrefix((isSubject ? "on." : "") + field.name) == true)
                }
            }
        }
    }

    @Test("a field that the action does not take is refused") func tooMuch() {
        for action in ModerationDescription.all {
            let named = ModerationDescription.all.filter { $0.word == action.word }
            let taken = Set(named.flatMap { $0.subjects + $0.fields }.map(\.name))
            for field in ModerationField.all where !taken.contains(field.name) {
                var texts = Self.sample(action)
                texts.texts[field.name] = Self.sample(field.kind)
                #expect(throws: FieldError.self) { try ModerationDescription.kind(action.word, texts) }
            }
        }
    }

    @Test("held_only does not go with a score") func both() {
        let texts = Texts(texts: ["player": "7", "score": Self.sample(.id), "held_only": "true"])
        let error = #expect(throws: FieldError.self) { try ModerationDescription.kind("void", texts) }
        #expect(error?.description == "held_only does not go with score. Leave one of them out.")
    }

    @Test("an unknown action is refused with a list of the known ones", arguments: ["", "vanish", "Void"]) func word(
        word: String
    ) {
        let error = #expect(throws: FieldError.self) {
            try ModerationDescription.kind(word, Texts(texts: ["player": "7"]))
        }
        #expect(error?.field == "do" && error?.description.hasSuffix("erase, reset and undo.") == true)
    }
}
