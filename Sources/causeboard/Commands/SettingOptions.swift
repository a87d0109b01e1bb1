import ArgumentParser
import Domain
import Storage

/// The options of commands that set settings: one for each, which is named, explained and read as it is described.
protocol SettingOptions: ParsableArguments, CustomReflectable {
    associatedtype Keys: SettingKeys
    static var settings: [AdminSetting] { get }
    /// By the names of the settings.
    var options: [String: Option<String?>] { get set }
}

/// The settings of something new.
struct NewSettings<Keys: SettingKeys>: SettingOptions {
    static var settings: [AdminSetting] { SettingChange<Keys>.settings }
    var options = Self.declared
}

/// Settings that may be changed.
struct ChangedSettings<Keys: SettingKeys>: SettingOptions {
    static var settings: [AdminSetting] { SettingChange<Keys>.settings.filter { !$0.isFixed } }
    var options = Self.declared
}

extension SettingOptions {
    static var declared: [String: Option<String?>] {
        Dictionary(uniqueKeysWithValues: settings.map { ("\($0.name)", Option($0)) })
    }

    /// The argument parser looks for options among an instance's properties.
    var customMirror: Mirror {
        Mirror(
            self, children: Self.settings.map { ("\($0.name)", options["\($0.name)"] as Any) }, displayStyle: .struct)
    }

    init(from decoder: any Decoder) throws {
        self.init()
        let values = try decoder.container(keyedBy: OptionKey.self)
        for name in options.keys { options[name] = try values.decode(Option<String?>.self, forKey: OptionKey(name)) }
    }

    /// The change that the given options describe.
    /// - Throws: ``FieldError`` for a bad value.
    func change() throws(FieldError) -> SettingChange<Keys> {
        let optional = Self.settings.filter(\.isOptional).names
        let texts = OptionTexts(options.compactMapValues(\.wrappedValue), optional: optional)
        return try SettingChange(of: Self.settings, by: texts).checked()
    }

    func validate() throws { do { _ = try change() } catch { throw ValidationError(error.asOption) } }
}

private struct OptionKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}

extension Option<String?> {
    fileprivate init(_ setting: AdminSetting) {
        self.init(
            name: .customLong("\(setting.name)".replacing("_", with: "-")),
            parsing: setting.kind.isNumber ? .unconditional : .next,
            help: ArgumentHelp(setting.help, valueName: setting.kind.valueName), completion: setting.kind.completion)
    }
}

extension AdminSetting.Kind {
    /// Whether a value may begin with a minus sign.
    fileprivate var isNumber: Bool {
        switch self {
        case .integer, .decimal: true
        case .text, .area, .link, .choice, .instant: false
        }
    }

    fileprivate var completion: CompletionKind? { if case .choice(let words) = self { .list(words) } else { nil } }

    fileprivate var valueName: String {
        switch self {
        case .text, .area: "text"
        case .link: "url"
        case .choice(let words): words.joined(separator: "|")
        case .integer, .decimal: "number"
        case .instant: "time"
        }
    }
}

/// Option values as a source of settings. `none` clears an optional setting.
struct OptionTexts: ModerationSource {
    private let texts: [String: String]
    private let optional: Set<String>

    /// - Parameters:
    ///   - texts: The given options, by the names of the settings.
    ///   - optional: The settings that `none` clears.
    init(_ texts: [String: String], optional: Set<String>) { (self.texts, self.optional) = (texts, optional) }

    /// - Parameters:
    ///   - options: Each property has the name of its setting, in camel case.
    ///   - known: The names of the settings. Other properties are ignored.
    init(of options: some ParsableArguments, known: Set<String>, optional: Set<String> = []) {
        var texts: [String: String] = [:]
        for child in Mirror(reflecting: options).children {
            guard let label = child.label else { continue }
            // The label of a wrapped property begins with an underscore.
            let name = String(label.dropFirst().flatMap { $0.isUppercase ? "_\($0.lowercased())" : "\($0)" })
            guard known.contains(name) else { continue }
            switch child.value {
            case let option as Option<String?>: texts[name] = option.wrappedValue
            case let argument as Argument<String?>: texts[name] = argument.wrappedValue
            case let flag as Flag<Bool>: texts[name] = flag.wrappedValue ? "true" : nil
            default: preconditionFailure("\(label) is not the option of a setting")
            }
        }
        self.texts = texts
        self.optional = optional
    }

    static let clearing = "none"

    func isAbsent(_ field: String) -> Bool { texts[field] == nil }

    /// - Throws: For an empty text, which a shell makes of a variable that is not set.
    func text(_ field: String) throws(FieldError) -> String? {
        guard let text = texts[field] else { return nil }
        if text.isEmpty { throw FieldError(field, "\(field) is empty. Give a value, or leave it out.") }
        return text == Self.clearing && optional.contains(field) ? nil : text
    }

    func integer(_ field: String) throws(FieldError) -> Int64? {
        guard let text = try text(field) else { return nil }
        return try Points.whole(text, field: field)
    }

    func boolean(_ field: String) throws(FieldError) -> Bool? { try text(field).map { $0 == "true" } }

    func aboutSubject(_ error: FieldError) -> FieldError { error }

    func digits(_ field: String) throws(FieldError) -> String? { try text(field) }

    func instant(_ field: String) throws(FieldError) -> Instant? {
        guard let text = try text(field) else { return nil }
        guard let instant = Instant(rfc3339: text) else {
            throw FieldError(field, "\(field) is not an RFC 3339 time. Give one such as 2026-11-21T10:00:00Z.")
        }
        return instant
    }
}
