import Domain
import Feeds
import Pages
import Storage

extension Fields: SettingSource {
    static let clearing = "null"
    func isAbsent(_ field: String) -> Bool { presence(of: field) == .absent }
}

extension Fields {
    /// The words that names of a game may not contain, all of them anew.
    func refusedWords() throws(FieldError) -> [RefusedWord]? {
        guard presence(of: "refused_words") != .absent else { return nil }
        let refusal = FieldError(
            "refused_words",
            "refused_words is a list of at most \(Limits.refusedWordsMax) words of \(RefusedWord.rule) each.")
        guard let texts = try texts("refused_words", countMax: Limits.refusedWordsMax),
            texts.count <= Limits.refusedWordsMax
        else { throw refusal }
        var words: [RefusedWord] = []
        for text in texts {
            guard let word = RefusedWord(text) else { throw refusal }
            words.append(word)
        }
        return words
    }
}

extension [AdminSetting] {
    /// The columns of a list that shows these settings.
    func columns() -> [Column] {
        map { setting in
            switch setting.kind {
            case .text, .area, .choice, .decimal: Column(setting.name, .text)
            case .link: Column(setting.name, .link)
            case .integer: Column(setting.name, .integer)
            case .instant: Column(setting.name, .instant)
            }
        }
    }

    /// The values in these columns.
    func cells<Keys>(of values: SettingValues<Keys>) -> [JSONTree] {
        map { setting in
            switch setting.content(of: values) {
            case .none: .value(.none)
            case .text(let text): .value(.text(text))
            case .integer(let number): .value(.integer(Int128(number)))
            case .decimal(let digits): .value(.json(digits))
            case .instant(let instant): .value(.instant(instant))
            }
        }
    }

    /// The fields of a form that asks for these settings.
    func formFields() -> [ConsoleForm.Field] {
        map { setting in
            let kind: ConsoleForm.Field.Kind =
                switch setting.kind {
                case .area: .area
                case .choice(let words): .choice(words.map { ($0, $0) })
                case .text, .link, .integer, .decimal, .instant: .text
                }
            return ConsoleForm.Field("\(setting.name)", setting.label, kind, hint: setting.hint)
        }
    }
}
