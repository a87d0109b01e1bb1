import Domain

/// The settings in the body of a request, as a JSON merge patch (RFC 7396): what is absent stays, null takes away what
/// may be absent. Each error names its setting.
struct SettingFields {
    let fields: Fields

    /// A setting that everything has.
    /// - Parameters:
    ///   - rule: What it may be, behind "is".
    ///   - read: Nil for a text that it may not be.
    func value<Value>(_ field: String, _ rule: String, _ read: (String) -> Value?) throws(FieldError) -> Value? {
        guard fields.presence(of: field) != .absent else { return nil }
        guard let text = try fields.text(field), let value = read(text) else {
            throw FieldError(field, "\(field) is \(rule).")
        }
        return value
    }

    /// A setting that may be absent; an empty text takes it away, as null does.
    func patch<Value>(_ field: String, _ rule: String, _ read: (String) -> Value?) throws(FieldError) -> Patch<Value> {
        guard fields.presence(of: field) != .absent else { return .keep }
        guard let text = try fields.text(field), !text.isEmpty else { return .clear }
        guard let value = read(text) else { throw FieldError(field, "\(field) is \(rule).") }
        return .set(value)
    }

    func integer(_ field: String) throws(FieldError) -> Int64? {
        guard fields.presence(of: field) != .absent else { return nil }
        guard let value = try fields.integer(field) else { throw FieldError(field, "\(field) is a whole number.") }
        return value
    }

    func integerPatch(_ field: String) throws(FieldError) -> Patch<Int64> {
        guard fields.presence(of: field) != .absent else { return .keep }
        return try fields.integer(field).map(Patch.set) ?? .clear
    }

    /// A small whole number. One that is too large is taken for the largest, which every rule refuses.
    func smallPatch(_ field: String) throws(FieldError) -> Patch<Int32> {
        switch try integerPatch(field) {
        case .keep: .keep
        case .clear: .clear
        case .set(let value): .set(Int32(clamping: value))
        }
    }

    /// A number with decimals, by its digits.
    func decimalPatch<Value>(_ field: String, _ rule: String, _ read: (String) -> Value?) throws(FieldError) -> Patch<
        Value
    > {
        guard fields.presence(of: field) != .absent else { return .keep }
        guard let digits = try fields.digits(field), !digits.isEmpty else { return .clear }
        guard let value = read(digits) else { throw FieldError(field, "\(field) is \(rule).") }
        return .set(value)
    }

    func instantPatch(_ field: String) throws(FieldError) -> Patch<Instant> {
        guard fields.presence(of: field) != .absent else { return .keep }
        return try fields.instant(field).map(Patch.set) ?? .clear
    }
}

extension SettingFields {
    /// The words that names of a game may not contain, all of them anew.
    func refusedWords() throws(FieldError) -> [RefusedWord]? {
        guard fields.presence(of: "refused_words") != .absent else { return nil }
        let refusal = FieldError(
            "refused_words",
            "refused_words is a list of at most \(Limits.refusedWordsMax) words of \(RefusedWord.rule) each.")
        guard let texts = try fields.texts("refused_words", countMax: Limits.refusedWordsMax),
            texts.count <= Limits.refusedWordsMax
        else { throw refusal }
        var words: [RefusedWord] = []
        for text in texts {
            guard let word = RefusedWord(text) else { throw refusal }
            words.append(word)
        }
        return words
    }

    func name() throws(FieldError) -> DisplayName? { try value("name", DisplayName.rule) { DisplayName($0) } }

    func zone() throws(FieldError) -> String? { try value("zone", ZoneName.rule) { ZoneName($0)?.text } }

    /// A value of a few words.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(_ field: String, _: Choice.Type) throws(FieldError)
        -> Choice?
    {
        let words = Choice.allCases.map(\.rawValue)
        return try value(field, "one of \(words.joined(separator: ", "))") { text in
            // A longer text is none of them, and comparing a hostile one takes long.
            text.utf8.count <= 32 ? Choice(rawValue: text) : nil
        }
    }
}
