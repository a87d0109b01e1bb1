import Domain

/// The type of a setting's values: how they are parsed, checked, shown, logged and stored.
struct SettingType<Value: Sendable>: Sendable {
    typealias Columns = @Sendable (_ name: String) -> [String]

    let kind: AdminSetting.Kind
    /// The console's hint if the setting has none of its own.
    var hint: String?
    let columns: Columns
    let read: @Sendable (any SettingSource, _ name: String, _ isOptional: Bool) throws(FieldError) -> Patch<Value>
    /// For an invalid value, the words after "is" in the error message; nil for a valid one.
    var refusal: @Sendable (Value) -> String? = { _ in nil }
    let logged: @Sendable (Value) -> SettingValue
    /// The texts of the columns, as PostgreSQL reads them; nil for NULL.
    let stored: @Sendable (Value) -> [String?]
    /// Nil if the texts are no valid value.
    let decoded: @Sendable ([String?]) -> Value?
    let content: @Sendable (Value) -> SettingContent

    /// A value that is parsed from a text and stored as a text.
    /// - Parameters:
    ///   - rule: What the text may be, as the words after "is" in the error message.
    ///   - isFree: Whether it is free text. The log does not show free text.
    ///   - columns: Nil for one column named like the setting.
    ///   - stored: The texts of the columns; nil if one column holds the text.
    ///   - decoded: Decodes the columns; nil to parse the text as if it was sent.
    static func text(
        _ kind: AdminSetting.Kind = .text, rule: String, isFree: Bool = false, columns: [String]? = nil,
        parse: @escaping @Sendable (String) -> Value?, text: @escaping @Sendable (Value) -> String,
        stored: (@Sendable (Value) -> [String?])? = nil, decoded: (@Sendable ([String?]) -> Value?)? = nil
    ) -> SettingType {
        SettingType(
            kind: kind, columns: { columns ?? [$0] },
            read: { source, name, isOptional throws(FieldError) in
                if isOptional { return try source.patch(name, rule, parse) }
                return try source.value(name, rule, parse).map { .set($0) } ?? .keep
            }, logged: { isFree ? .text(text($0)) : .plain(text($0)) }, stored: stored ?? { [text($0)] },
            decoded: decoded ?? { texts in texts[0].flatMap(parse) }, content: { .text(text($0)) })
    }
}

extension SettingType where Value: RawRepresentable<String> & CaseIterable {
    /// A fixed set of words.
    static func choice(of _: Value.Type) -> SettingType {
        let words = Value.allCases.map(\.rawValue)
        return .text(
            .choice(words), rule: "one of \(words.joined(separator: ", "))", parse: { Value(word: $0) },
            text: { $0.rawValue })
    }
}

extension SettingType where Value: FixedWidthInteger {
    /// A whole number.
    /// - Parameter rule: The range in words, as they follow "is" in the error message.
    static func integer(in range: ClosedRange<Value> = .min ... .max, rule: String = "") -> SettingType {
        SettingType(
            kind: .integer, columns: { [$0] },
            read: { source, name, isOptional throws(FieldError) in
                let patch: Patch<Int64> =
                    if isOptional { try source.wholePatch(name) } else {
                        try source.whole(name).map { .set($0) } ?? .keep
                    }
                // Clamping turns a number that is too large for `Value` into the largest one, which `range` excludes.
                return switch patch {
                case .keep: .keep
                case .clear: .clear
                case .set(let number): .set(Value(clamping: number))
                }
            }, refusal: { range.contains($0) ? nil : rule }, logged: { .plain("\($0)") }, stored: { ["\($0)"] },
            decoded: { texts in texts[0].flatMap { Value($0) } }, content: { .integer(Int64(clamping: $0)) })
    }
}

extension SettingType where Value: CustomStringConvertible {
    /// A number with decimals that may be absent.
    /// - Parameter rule: The range in words, as they follow "is" in the error message.
    static func decimal(rule: String, parse: @escaping @Sendable (String) -> Value?) -> SettingType {
        SettingType(
            kind: .decimal, columns: { [$0] },
            read: { source, name, _ throws(FieldError) in try source.decimalPatch(name, rule, parse) },
            logged: { .plain($0.description) }, stored: { [$0.description] },
            decoded: { texts in texts[0].flatMap(parse) }, content: { .decimal($0.description) })
    }
}

extension SettingType<Instant> {
    /// A time that may be absent, in the column that is named like the setting with `_at` appended.
    static let instant = SettingType(
        kind: .instant, hint: "In UTC, such as 2026-11-21T10:00:00Z. Empty means always.", columns: { ["\($0)_at"] },
        read: { source, name, _ throws(FieldError) in try source.instantPatch(name) },
        logged: { .plain($0.rfc3339(.microseconds)) }, stored: { [$0.rfc3339(.microseconds)] },
        decoded: { texts in texts[0].flatMap { Instant(rfc3339: $0) } }, content: { .instant($0) })
}

extension SettingType<Bool> {
    /// Yes or no.
    /// - Parameter column: Nil for one named like the setting.
    static func boolean(column: String? = nil) -> SettingType {
        SettingType(
            kind: .boolean, columns: { [column ?? $0] },
            read: { source, name, _ throws(FieldError) in try source.boolean(name).map { .set($0) } ?? .keep },
            logged: { .plain("\($0)") }, stored: { ["\($0)"] }, decoded: { texts in texts[0].flatMap { Bool($0) } },
            content: { .boolean($0) })
    }
}

extension SettingType<DisplayName> {
    /// The name of something.
    /// - Parameters:
    ///   - forms: Further columns, with other forms of the name.
    static func name(forms: [(column: String, of: @Sendable (DisplayName) -> String)] = []) -> SettingType {
        .text(
            rule: DisplayName.rule, isFree: true, columns: ["name"] + forms.map(\.column), parse: { DisplayName($0) },
            text: \.description, stored: { name in [name.description] + forms.map { $0.of(name) } },
            decoded: { texts in texts[0].map { DisplayName(stored: $0) } })
    }
}

extension SettingType<String> {
    /// The name of a time zone.
    static let zone = SettingType.text(
        rule: ZoneName.rule, parse: { ZoneName($0)?.text }, text: { $0 }, decoded: { $0[0] })

    /// Any text, which the log does not show.
    static func free(_ kind: AdminSetting.Kind) -> SettingType {
        .text(kind, rule: "a text", isFree: true, parse: { $0 }, text: { $0 })
    }
}
