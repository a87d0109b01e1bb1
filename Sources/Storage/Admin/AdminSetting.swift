package import Domain
import Postgres

/// One setting of a board, a charity or a game, described once. The admin API, the console, the command line, the audit
/// log and the statements all use this description.
///
/// Typed code reads and changes the setting by its key, a ``Setting`` or an ``OptionalSetting``.
package struct AdminSetting: Sendable {
    /// How forms ask for a value and how lists show it.
    package enum Kind: Sendable {
        case text
        /// A text of several lines.
        case area
        case link
        case choice([String])
        /// Yes or no.
        case boolean
        /// A list of texts.
        case texts
        case integer
        case decimal
        case instant
    }

    /// The name in the admin API. The command-line option has hyphens instead of underscores.
    package let name: StaticString
    package let kind: Kind
    /// Whether it may have no value: null in the admin API, an empty field in the console, `none` on the command line.
    package let isOptional: Bool
    /// Whether only something new can be given it.
    package let isFixed: Bool
    /// For a secret that lists do not show: the name of the field that tells whether it is set.
    package let presence: StaticString?
    /// What the console calls it.
    package let label: String
    /// The hint that the console shows next to the field; nil for none.
    package let hint: String?
    /// What `--help` says.
    package let help: String
    /// The columns that hold it, one to three.
    let columns: [String]
    /// The default of a new object; nil if there is none, or it depends on other settings.
    let standard: (any Sendable)?

    let read: @Sendable (any SettingSource) throws(FieldError) -> Patch<any Sendable>
    let check: @Sendable (any Sendable) throws(FieldError) -> Void
    let logged: @Sendable (any Sendable) -> SettingValue
    /// The texts of its columns, as PostgreSQL reads them; nil for NULL.
    let stored: @Sendable (any Sendable) -> [String?]
    /// Nil if the texts are no valid value.
    let decoded: @Sendable ([String?]) -> (any Sendable)?
    fileprivate let content: @Sendable (any Sendable) -> SettingContent

    fileprivate init<Value>(
        _ name: StaticString, _ type: SettingType<Value>, isOptional: Bool, isFixed: Bool, standard: Value?,
        presence: StaticString?, label: String, hint: String?, help: String
    ) {
        (self.name, self.isOptional, self.isFixed, self.presence) = (name, isOptional, isFixed, presence)
        (self.label, self.hint, self.help) = (label, hint ?? type.hint, help)
        (kind, columns, self.standard) = (type.kind, type.columns("\(name)"), standard)
        read = { source throws(FieldError) in
            switch try type.read(source, "\(name)", isOptional) {
            case .keep: .keep
            case .clear: .clear
            case .set(let value): .set(value)
            }
        }
        check = { value throws(FieldError) in
            if let refusal = type.refusal(Self.typed(value, name)) {
                throw FieldError("\(name)", "\(name) is \(refusal).")
            }
        }
        logged = { type.logged(Self.typed($0, name)) }
        stored = { type.stored(Self.typed($0, name)) }
        decoded = { type.decoded($0) }
        content = { type.content(Self.typed($0, name)) }
    }

    static func typed<Value>(_ value: any Sendable, _ name: StaticString) -> Value {
        guard let value = value as? Value else { preconditionFailure("there are two settings \(name)") }
        return value
    }

    /// The default as the admin API shows it; nil if there is none, or it depends on other settings.
    package var standardContent: SettingContent? { standard.map(content) }

    /// The value now.
    package func content<Keys>(of values: SettingValues<Keys>) -> SettingContent { values[self].map(content) ?? .none }
}

/// The value of a setting, as the admin API shows it.
package enum SettingContent: Sendable {
    case none
    case text(String)
    case boolean(Bool)
    case texts([String])
    case integer(Int64)
    /// The digits of a number with decimals.
    case decimal(String)
    case instant(Instant)
}

/// The key of one setting.
package protocol SettingKey: Sendable { var setting: AdminSetting { get } }

/// The key of a setting that always has a value.
package struct Setting<Value: Sendable>: SettingKey {
    package let setting: AdminSetting

    /// - Parameters:
    ///   - name: Its name in the admin API.
    ///   - standard: The default of a new object; nil if it depends on other settings.
    ///   - isFixed: Whether it can be set only when the object is added.
    ///   - label: What the console calls it.
    ///   - hint: The hint that the console shows next to the field.
    ///   - help: What `--help` says.
    init(
        _ name: StaticString, _ type: SettingType<Value>, standard: Value? = nil, isFixed: Bool = false, label: String,
        hint: String? = nil, help: String
    ) {
        setting = AdminSetting(
            name, type, isOptional: false, isFixed: isFixed, standard: standard, presence: nil, label: label,
            hint: hint, help: help)
    }
}

/// The key of a setting that may be absent. It is absent by default.
package struct OptionalSetting<Value: Sendable>: SettingKey {
    package let setting: AdminSetting

    /// - Parameters: As for a ``Setting``.
    ///   - presence: For a secret that lists do not show: the name of the field that tells whether it is set.
    init(
        _ name: StaticString, _ type: SettingType<Value>, presence: StaticString? = nil, label: String,
        hint: String? = nil, help: String
    ) {
        setting = AdminSetting(
            name, type, isOptional: true, isFixed: false, standard: nil, presence: presence, label: label, hint: hint,
            help: help)
    }
}
