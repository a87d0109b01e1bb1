/// Settings as sent in a JSON merge patch (RFC 7396), a form or options. An absent field keeps its setting; null clears
/// an optional one.
package protocol SettingSource {
    func isAbsent(_ field: String) -> Bool
    /// The word for "no value" in error messages: "null" or "none".
    static var clearing: String { get }
    /// These return nil for an absent field and for null, and throw if the value is of the wrong kind.
    func text(_ field: String) throws(FieldError) -> String?
    func integer(_ field: String) throws(FieldError) -> Int64?
    /// The digits of a number, as they were written.
    func digits(_ field: String) throws(FieldError) -> String?
    func instant(_ field: String) throws(FieldError) -> Instant?
    func boolean(_ field: String) throws(FieldError) -> Bool?
    func texts(_ field: String, countMax: Int) throws(FieldError) -> [String]?
}

extension SettingSource {
    /// A setting that everything has.
    /// - Parameters:
    ///   - rule: What it may be, behind "is".
    ///   - read: Nil for a text that it may not be.
    package func value<Value>(_ field: String, _ rule: String, _ read: (String) -> Value?) throws(FieldError) -> Value?
    {
        guard !isAbsent(field) else { return nil }
        guard let text = try text(field), let value = read(text) else {
            throw FieldError(field, "\(field) is \(rule).")
        }
        return value
    }

    /// A setting that may be absent; an empty text takes it away, as null does.
    package func patch<Value>(_ field: String, _ rule: String, _ read: (String) -> Value?) throws(FieldError) -> Patch<
        Value
    > {
        guard !isAbsent(field) else { return .keep }
        guard let text = try text(field), !text.isEmpty else { return .clear }
        guard let value = read(text) else { throw FieldError(field, "\(field) is \(rule), or \(Self.clearing).") }
        return .set(value)
    }

    package func whole(_ field: String) throws(FieldError) -> Int64? {
        guard !isAbsent(field) else { return nil }
        guard let value = try integer(field) else { throw FieldError(field, "\(field) is a whole number.") }
        return value
    }

    package func wholePatch(_ field: String) throws(FieldError) -> Patch<Int64> {
        guard !isAbsent(field) else { return .keep }
        return try integer(field).map(Patch.set) ?? .clear
    }

    /// A number with decimals, by its digits.
    package func decimalPatch<Value>(_ field: String, _ rule: String, _ read: (String) -> Value?) throws(FieldError)
        -> Patch<Value>
    {
        guard !isAbsent(field) else { return .keep }
        guard let digits = try digits(field), !digits.isEmpty else { return .clear }
        guard let value = read(digits) else { throw FieldError(field, "\(field) is \(rule), or \(Self.clearing).") }
        return .set(value)
    }

    /// PostgreSQL reads the text that the log shows, which has a year of four digits.
    package func instantPatch(_ field: String) throws(FieldError) -> Patch<Instant> {
        guard !isAbsent(field) else { return .keep }
        guard let instant = try instant(field) else { return .clear }
        guard Instant(rfc3339: instant.rfc3339(.microseconds)) == instant else {
            throw FieldError(field, "\(field) is a time of the years 1 to 9999 in UTC.")
        }
        return .set(instant)
    }

    package func name() throws(FieldError) -> DisplayName? { try value("name", DisplayName.rule) { DisplayName($0) } }

    /// A value of a few words.
    package func choice<Choice: RawRepresentable<String> & CaseIterable>(_ field: String, _: Choice.Type)
        throws(FieldError) -> Choice?
    {
        let words = Choice.allCases.map(\.rawValue)
        return try value(field, "one of \(words.joined(separator: ", "))") { Choice(word: $0) }
    }
}

extension RawRepresentable<String> {
    /// Nil for a text of more than 32 bytes: it is no known word, and comparing a hostile one takes long.
    package init?(word: String) {
        guard word.utf8.count <= 32 else { return nil }
        self.init(rawValue: word)
    }
}
