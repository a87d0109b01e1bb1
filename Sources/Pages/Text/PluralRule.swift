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
