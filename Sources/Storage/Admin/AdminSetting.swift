package import Domain

/// One setting of a board or a charity, described once. The admin API reads it and shows it, the console asks for it,
/// the command line has an option for it, and the audit log says how it changed.
package struct AdminSetting<Change: Sendable, Listing: Sendable>: Sendable {
    /// How forms ask for a value and how lists show it.
    package enum Kind: Sendable {
        case text
        /// A text of several lines.
        case area
        case link
        case choice([String])
        case integer
        case decimal
        case instant
    }

    /// The name in the admin API. The command-line option has hyphens instead of underscores.
    package let name: StaticString
    package let kind: Kind
    /// Whether it may have no value: null in the admin API, an empty field in the console, `none` on the command line.
    package let isOptional: Bool
    /// What the console calls it.
    package let label: String
    /// The hint that the console shows next to the field; nil for none.
    package let hint: String?
    /// What `--help` says.
    package let help: String
    fileprivate let read: @Sendable (any SettingSource, inout Change) throws(FieldError) -> Void
    fileprivate let check: @Sendable (Change) throws(FieldError) -> Void
    fileprivate let logged: @Sendable (Change) -> SettingValue?
    /// The columns that change, and their new values as PostgreSQL reads them; nil for NULL.
    fileprivate let stored: @Sendable (Change) -> [(column: String, value: String?)]
    fileprivate let current: @Sendable (Listing) -> SettingContent

    /// The value now.
    package func content(of listing: Listing) -> SettingContent { current(listing) }
}

/// The value of a setting, as the admin API shows it.
package enum SettingContent: Sendable {
    case none
    case text(String)
    case integer(Int64)
    /// The digits of a number with decimals.
    case decimal(String)
    case instant(Instant)
}

extension Array {
    /// Their names in the admin API.
    package func names<Change, Listing>() -> Set<String> where Element == AdminSetting<Change, Listing> {
        Set(map { "\($0.name)" })
    }

    /// Reads a change. Each error names its setting.
    package func change<Change, Listing>(_ change: Change, by source: some SettingSource) throws(FieldError) -> Change
    where Element == AdminSetting<Change, Listing> {
        var change = change
        for setting in self { try setting.read(source, &change) }
        return change
    }

    /// - Throws: For a value out of its range.
    func check<Change, Listing>(_ change: Change) throws(FieldError) where Element == AdminSetting<Change, Listing> {
        for setting in self { try setting.check(change) }
    }

    /// The new values, for the log.
    func logged<Change, Listing>(_ change: Change) -> [(String, SettingValue)]
    where Element == AdminSetting<Change, Listing> {
        compactMap { setting in setting.logged(change).map { ("\(setting.name)", $0) } }
    }

    /// The columns that change, and their new values as PostgreSQL reads them; nil for NULL.
    func stored<Change, Listing>(_ change: Change) -> (columns: [String], values: [String?])
    where Element == AdminSetting<Change, Listing> {
        let columns = flatMap { $0.stored(change) }
        return (columns.map(\.column), columns.map(\.value))
    }
}

extension AdminSetting {
    /// The key path of a setting in a change.
    typealias Path<Value> = any WritableKeyPath<Change, Value> & Sendable
    /// The key path of a setting in a listing.
    typealias Current<Value> = any KeyPath<Listing, Value> & Sendable

    /// A setting that always has a value, which is read from a text.
    /// - Parameters:
    ///   - path: The property of the change; its value is nil if the setting stays as it is.
    ///   - rule: What the text may be, as the words after "is" in the error message.
    ///   - isFree: Whether it is free text, which the log does not show.
    ///   - stored: The columns and their values; nil if one column, named like the setting, holds the text.
    static func value<Value: Sendable>(
        _ name: StaticString, _ path: Path<Value?>, kind: Kind = .text, label: String, hint: String? = nil,
        help: String, rule: String, isFree: Bool = false, parse: @escaping @Sendable (String) -> Value?,
        text: @escaping @Sendable (Value) -> String,
        stored: (@Sendable (Value) -> [(column: String, value: String?)])? = nil,
        current: @escaping @Sendable (Listing) -> String
    ) -> AdminSetting {
        AdminSetting(
            name: name, kind: kind, isOptional: false, label: label, hint: hint, help: help,
            read: { source, change throws(FieldError) in
                if let value = try source.value("\(name)", rule, parse) { change[keyPath: path] = value }
            }, check: { _ throws(FieldError) in },
            logged: { change in change[keyPath: path].map { isFree ? .text(text($0)) : .plain(text($0)) } },
            stored: { change in
                change[keyPath: path].map { value in stored?(value) ?? [("\(name)", text(value))] } ?? []
            }, current: { .text(current($0)) })
    }

    /// A setting with a fixed set of words as values.
    static func choice<Value: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: StaticString, _ path: Path<Value?>, _ current: Current<Value>, label: String, hint: String? = nil,
        help: String
    ) -> AdminSetting {
        let words = Value.allCases.map(\.rawValue)
        return .value(
            name, path, kind: .choice(words), label: label, hint: hint, help: help,
            rule: "one of \(words.joined(separator: ", "))", parse: { Value(word: $0) }, text: { $0.rawValue },
            current: { $0[keyPath: current].rawValue })
    }

    /// A text that may be absent.
    static func optionalText<Value: Sendable>(
        _ name: StaticString, _ path: Path<Patch<Value>>, kind: Kind = .text, label: String, hint: String? = nil,
        help: String, rule: String, parse: @escaping @Sendable (String) -> Value?,
        text: @escaping @Sendable (Value) -> String, current: @escaping @Sendable (Listing) -> String?
    ) -> AdminSetting {
        AdminSetting(
            name: name, kind: kind, isOptional: true, label: label, hint: hint, help: help,
            read: { source, change throws(FieldError) in
                let patch = try source.patch("\(name)", rule, parse)
                if patch.isGiven { change[keyPath: path] = patch }
            }, check: { _ throws(FieldError) in },
            logged: { change in
                let patch = change[keyPath: path]
                return patch.isGiven ? patch.value.map { .text(text($0)) } ?? SettingValue.none : nil
            }, stored: { $0[keyPath: path].stored(in: "\(name)", as: text) },
            current: { current($0).map { .text($0) } ?? .none })
    }

    /// A whole number.
    /// - Parameter rule: The range in words, as they follow "is" in the error message.
    static func integer<Number: FixedWidthInteger & Sendable>(
        _ name: StaticString, _ path: Path<Number?>, _ current: Current<Number>,
        in range: ClosedRange<Number> = .min ... .max, rule: String = "", label: String, hint: String? = nil,
        help: String
    ) -> AdminSetting {
        AdminSetting(
            name: name, kind: .integer, isOptional: false, label: label, hint: hint, help: help,
            read: { source, change throws(FieldError) in
                if let value = try source.whole("\(name)") { change[keyPath: path] = Number(clamping: value) }
            },
            check: { change throws(FieldError) in
                if let value = change[keyPath: path], !range.contains(value) {
                    throw FieldError("\(name)", "\(name) is \(rule).")
                }
            }, logged: { $0[keyPath: path].map { .plain("\($0)") } },
            stored: { $0[keyPath: path].map { [("\(name)", "\($0)")] } ?? [] },
            current: { .integer(Int64(clamping: $0[keyPath: current])) })
    }

    /// A whole number that may be absent.
    /// - Parameter rule: The range in words, as they follow "is" in the error message.
    static func optionalInteger<Number: FixedWidthInteger & Sendable>(
        _ name: StaticString, _ path: Path<Patch<Number>>, _ current: Current<Number?>, in range: ClosedRange<Number>,
        rule: String, label: String, hint: String? = nil, help: String
    ) -> AdminSetting {
        AdminSetting(
            name: name, kind: .integer, isOptional: true, label: label, hint: hint, help: help,
            read: { source, change throws(FieldError) in
                switch try source.wholePatch("\(name)") {
                case .keep: break
                case .clear: change[keyPath: path] = .clear
                // Clamping turns a number that is too large for `Number` into the largest one, which `range` excludes.
                case .set(let value): change[keyPath: path] = .set(Number(clamping: value))
                }
            },
            check: { change throws(FieldError) in
                if let value = change[keyPath: path].value, !range.contains(value) {
                    throw FieldError("\(name)", "\(name) is \(rule).")
                }
            }, logged: { $0[keyPath: path].isGiven ? SettingValue($0[keyPath: path]) : nil },
            stored: { $0[keyPath: path].stored(in: "\(name)") { "\($0)" } },
            current: { $0[keyPath: current].map { .integer(Int64(clamping: $0)) } ?? .none })
    }

    /// An optional time, in the column that is named like the setting with `_at` appended.
    static func optionalInstant(
        _ name: StaticString, _ path: Path<Patch<Instant>>, _ current: Current<Instant?>, label: String, help: String
    ) -> AdminSetting {
        AdminSetting(
            name: name, kind: .instant, isOptional: true, label: label,
            hint: "In UTC, such as 2026-11-21T10:00:00Z. Empty means always.", help: help,
            read: { source, change throws(FieldError) in
                let patch = try source.instantPatch("\(name)")
                if patch.isGiven { change[keyPath: path] = patch }
            }, check: { _ throws(FieldError) in },
            logged: { $0[keyPath: path].isGiven ? SettingValue($0[keyPath: path]) : nil },
            stored: { $0[keyPath: path].stored(in: "\(name)_at") { $0.rfc3339(.microseconds) } },
            current: { $0[keyPath: current].map { .instant($0) } ?? .none })
    }

    /// A number with decimals that may be absent.
    static func optionalDecimal<Value: CustomStringConvertible & Sendable>(
        _ name: StaticString, _ path: Path<Patch<Value>>, _ current: Current<Value?>, label: String, hint: String?,
        help: String, rule: String, parse: @escaping @Sendable (String) -> Value?
    ) -> AdminSetting {
        AdminSetting(
            name: name, kind: .decimal, isOptional: true, label: label, hint: hint, help: help,
            read: { source, change throws(FieldError) in
                let patch = try source.decimalPatch("\(name)", rule, parse)
                if patch.isGiven { change[keyPath: path] = patch }
            }, check: { _ throws(FieldError) in },
            logged: { $0[keyPath: path].isGiven ? SettingValue($0[keyPath: path]) : nil },
            stored: { $0[keyPath: path].stored(in: "\(name)") { $0.description } },
            current: { $0[keyPath: current].map { .decimal($0.description) } ?? .none })
    }
}

extension Patch {
    fileprivate func stored(in column: String, as text: (Value) -> String) -> [(column: String, value: String?)] {
        isGiven ? [(column, value.map(text))] : []
    }
}
