import Domain

/// A language of the pages: the texts of one file in `Languages`, and how it writes numbers and dates.
///
/// A line of the file is `key = text`; one that begins with `#` is a comment. `{word}` is a placeholder. A text with a
/// number has one line for each form that the language's ``PluralRule`` needs, such as `players.one` and
/// `players.other`. `{space}` and `{narrow-space}` are spaces at the end of
/// a text.
package struct Language: Sendable {
    /// The language tag in addresses and in `lang`, such as `en`.
    package let code: String
    let texts: [String: String]
    let numbers: NumberStyle
    let dates: DateStyle
    let plurals: PluralRule
    /// All texts, escaped once, as templates find them: those of `a.b` under `a-b`.
    let scope: Fill

    private init(code: String, file: String) {
        self.code = code
        var texts: [String: String] = [:]
        for line in file.split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { preconditionFailure("\(code).lang: '\(line)' is not 'key = text'") }
            texts[Self.trimmed(parts[0])] = Self.trimmed(parts[1]).replacing("{space}", with: " ").replacing(
                "{narrow-space}", with: "\u{202F}")
        }
        self.texts = texts
        numbers = NumberStyle(texts)
        dates = DateStyle(texts)
        plurals = texts["plurals"].flatMap(PluralRule.init) ?? .one
        scope = .scope(
            texts.reduce(into: [:]) { scope, text in
                scope[text.key.replacing(".", with: "-")] = .markup(Markup(text.value))
            })
    }

    /// The name of the language in itself, such as `Deutsch`.
    var name: String { text("language") }
    var isRightToLeft: Bool { text("direction") == "rtl" }
    /// The locale by which a browser writes numbers and dates as this language does.
    var locale: String { text("locale") }

    /// All languages by code; English first.
    package static let all: [Language] = {
        let languages = PageFiles.languages.map { Language(code: $0.name, file: $0.text) }
        return languages.filter { $0.code == "en" } + languages.filter { $0.code != "en" }
    }()

    package static let english: Language = {
        guard let english = all.first else { preconditionFailure("there is no language") }
        return english
    }()

    /// - Returns: Nil when there is no such language.
    package static func find(_ code: some StringProtocol) -> Language? {
        guard code.utf8.count <= 3 else { return nil }
        return all.first { $0.code == code }
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.first == " " { text = text.dropFirst() }
        while text.last == " " { text = text.dropLast() }
        return String(text)
    }
}

// MARK: - Texts

extension Language {
    /// - Returns: The key itself where a file lacks the text, which a test rules out.
    func text(_ key: String) -> String { texts[key] ?? key }

    func text(_ key: String, _ values: [String: String]) -> String { Self.fill(text(key)) { values[$0] ?? "" } }

    /// The text for a number, which stands for `{n}`.
    func text(_ key: String, count: Int128, _ values: [String: String] = [:]) -> String {
        Self.fill(counted(key, count)) { $0 == "n" ? numbers.text(count) : values[$0] ?? "" }
    }

    /// A whole number.
    package func written(_ number: Int64) -> String { numbers.text(number) }

    /// Such as `34 contributors and 5 anonymous gifts`. Several anonymous donations may come from one player.
    func donors(_ contributors: Int64, anonymous: Int64 = 0) -> String {
        let named = text("donors", count: Int128(contributors))
        guard anonymous > 0 else { return named }
        return text(
            "donors.and", ["donors": named, "donations": text("donations.anonymous", count: Int128(anonymous))])
    }

    /// The text as markup, with markup in its placeholders.
    func markup(_ key: String, _ values: [String: Markup] = [:]) -> Markup { filled(text(key), values) }

    func markup(_ key: String, count: Int128, _ values: [String: Markup] = [:]) -> Markup {
        filled(counted(key, count), values.merging(["n": Markup(numbers.text(count))]) { value, _ in value })
    }

    private func counted(_ key: String, _ count: Int128) -> String { text("\(key).\(plurals.form(of: count))") }

    private func filled(_ text: String, _ values: [String: Markup]) -> Markup {
        // Placeholders have no special characters, so they are the same in escaped text.
        Markup(html: Self.fill(Markup(text).html) { values[$0]?.html ?? "" })
    }

    static func fill(_ text: String, _ value: (String) -> String) -> String {
        var filled = ""
        var rest = Substring(text)
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            filled += rest[..<start]
            filled += value(String(rest[rest.index(after: start)..<end]))
            rest = rest[rest.index(after: end)...]
        }
        return filled + rest
    }
}

/// The rule by which a language chooses the form of a word for a number, as Unicode's CLDR has it for cardinals.
enum PluralRule: String {
    /// One form for all numbers, as in Japanese.
    case none
    /// 1, and all others, as in English, German and Spanish.
    case one
    /// 0 and 1, and all others, as in French.
    case zeroAndOne = "zero-and-one"
    /// The six forms of Arabic.
    case arabic

    /// The name of the form, as it ends the key of a text.
    func form(of number: Int128) -> String {
        switch self {
        case .none: return "other"
        case .one: return number == 1 ? "one" : "other"
        case .zeroAndOne: return number == 0 || number == 1 ? "one" : "other"
        case .arabic:
            switch (number, (number % 100).magnitude) {
            case (0, _): return "zero"
            case (1, _): return "one"
            case (2, _): return "two"
            case (_, 3...10): return "few"
            case (_, 11...99): return "many"
            default: return "other"
            }
        }
    }

    /// The forms that a language needs for each counted text.
    var forms: [String] {
        switch self {
        case .none: ["other"]
        case .one, .zeroAndOne: ["one", "other"]
        case .arabic: ["zero", "one", "two", "few", "many", "other"]
        }
    }
}
