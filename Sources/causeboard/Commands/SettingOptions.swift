import ArgumentParser
import Domain
import Storage

/// The options of commands that change settings: one for each setting, made from its description.
protocol SettingOptions: ListedOptions {
    associatedtype Keys: SettingKeys
    static var settings: [AdminSetting] { get }
}

/// The settings of a new object.
struct NewSettings<Keys: SettingKeys>: SettingOptions {
    static var settings: [AdminSetting] { SettingChange<Keys>.settings }
    var options = Self.undecoded
}

/// Settings that may be changed.
struct ChangedSettings<Keys: SettingKeys>: SettingOptions {
    static var settings: [AdminSetting] { SettingChange<Keys>.settings.filter { !$0.isFixed } }
    var options = Self.undecoded
}

extension SettingOptions {
    static var declared: [(name: String, option: ListedOption)] { settings.map { ("\($0.name)", .text(Option($0))) } }

    /// The change that the given options describe.
    /// - Throws: ``FieldError`` for a bad value.
    func change() throws(FieldError) -> SettingChange<Keys> {
        let optional = Self.settings.filter(\.isOptional).names
        return try SettingChange(of: Self.settings, by: OptionTexts(texts, optional: optional)).checked()
    }

    func validate() throws { do { _ = try change() } catch { throw ValidationError(error.asOption) } }
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
        case .text, .area, .link, .choice, .boolean, .texts, .instant: false
        }
    }

    fileprivate var completion: CompletionKind? {
        switch self {
        case .choice(let words): .list(words)
        case .boolean: .list(["on", "off"])
        case .texts: .file()
        case .text, .area, .link, .integer, .decimal, .instant: nil
        }
    }

    fileprivate var valueName: String {
        switch self {
        case .text, .area: "text"
        case .link: "url"
        case .choice(let words): words.joined(separator: "|")
        case .boolean: "on|off"
        case .texts: "file"
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
    init(_ texts: [String: String], optional: Set<String> = []) { (self.texts, self.optional) = (texts, optional) }

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

    func boolean(_ field: String) throws(FieldError) -> Bool? {
        switch try text(field) {
        case nil: nil
        case "on", "true": true
        case "off": false
        default: throw FieldError(field, "\(field) is on or off.")
        }
    }

    /// The lines of a file, without empty ones.
    func texts(_ field: String, countMax _: Int) throws(FieldError) -> [String]? {
        guard let path = try text(field) else { return nil }
        do throws(CommandError) {
            let lines = try TextFile.lines(path, orSay: "the file \(path) cannot be read. Name another one.")
            return lines.map { TextFile.trimmed($0[...]) }.filter { !$0.isEmpty }
        } catch { throw FieldError(field, "\(field): \(error)") }
    }

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
