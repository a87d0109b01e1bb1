import ArgumentParser
import Configuration

/// One setting: its flag, its name in the environment and in the settings file, its line of `--help`, its default and
/// its error message.
struct Setting<Value: Sendable>: Sendable {
    /// The flag without its hyphens, such as `plain-port`; nil for a setting without one.
    let name: String?
    /// The name in the environment and in the settings file, such as `CAUSEBOARD_PLAIN_PORT`.
    let environment: String
    /// What `--help` says, with the name in the environment and the default.
    let help: ArgumentHelp
    /// The value when nothing is given.
    let standard: Value
    /// What a good value is, for the message about a bad one: "a number from 1 to 365".
    let expected: String
    /// Returns nil for a bad value.
    let parse: @Sendable (String) -> Value?

    /// - Parameters:
    ///   - name: The words in lower case with hyphens between.
    ///   - value: What `--help` calls the value.
    ///   - help: Sentences that say what it is.
    ///   - shown: What `--help` says of the default; empty for nothing.
    init(
        _ name: String, hasFlag: Bool = true, environment: String? = nil, value: String? = nil, _ help: String,
        standard: Value, shown: String, expected: String, parse: @escaping @Sendable (String) -> Value?
    ) {
        self.name = hasFlag ? name : nil
        self.environment = environment ?? "CAUSEBOARD_\(name.uppercased().replacing("-", with: "_"))"
        let origin = shown.isEmpty ? "\(self.environment)." : "\(self.environment); \(shown)."
        self.help = ArgumentHelp("\(help) \(origin)", valueName: value)
        self.standard = standard
        self.expected = expected
        self.parse = parse
    }

    /// How messages name it.
    var label: String { name.map { "--\($0) (\(environment))" } ?? environment }

    /// The key under which it is read from the environment and from the settings file.
    var key: ConfigKey { ConfigKey(environment.lowercased().split(separator: "_").map(String.init)) }
}

extension Setting<Int> {
    init(
        _ name: String, in range: ClosedRange<Int>, value: String? = nil, _ help: String, standard: Int,
        shown: String? = nil
    ) {
        self.init(name, value: value, help, standard: standard, shown: shown ?? "\(standard)", expected: range.inWords)
        { text in Int(text).flatMap { range.contains($0) ? $0 : nil } }
    }
}

extension Setting<Int?> {
    /// A number that may be absent.
    init(_ name: String, in range: ClosedRange<Int>, value: String? = nil, _ help: String, shown: String = "none") {
        self.init(name, value: value, help, standard: nil, shown: shown, expected: range.inWords) { text in
            Int(text).flatMap { range.contains($0) ? .some($0) : nil }
        }
    }

    /// A number of days after which something is done. 0 means never and becomes nil.
    init(_ name: String, daysFrom least: Int, _ help: String, standard: Int?, shown: String) {
        self.init(
            name, value: "days", help, standard: standard, shown: shown,
            expected: "\(least) days or more, up to 36500, or 0 for never"
        ) { text in
            guard let days = Int(text), days == 0 || (least...36_500).contains(days) else { return nil }
            return .some(days == 0 ? nil : days)
        }
    }
}

extension Setting<String> {
    init(_ name: String, value: String? = nil, _ help: String, standard: String) {
        self.init(name, value: value, help, standard: standard, shown: standard, expected: "a text") { $0 }
    }
}

extension Setting<String?> {
    /// A text that may be absent.
    init(
        _ name: String, hasFlag: Bool = true, environment: String? = nil, value: String? = nil, _ help: String,
        shown: String = "none"
    ) {
        self.init(
            name, hasFlag: hasFlag, environment: environment, value: value, help, standard: nil, shown: shown,
            expected: "a text"
        ) { .some($0) }
    }
}

extension Setting<[String]> {
    /// A list: texts separated by commas, or an option that is given several times.
    init(_ name: String, value: String, _ help: String, shown: String) {
        self.init(name, value: value, help, standard: [], shown: shown, expected: "a list") { text in
            text.isEmpty
                ? nil
                : text.filter { $0 != " " }.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
    }
}

extension Setting<Bool> {
    init(_ name: String, hasFlag: Bool = true, _ help: String) {
        self.init(name, hasFlag: hasFlag, help, standard: false, shown: "", expected: "yes or no") { text in
            switch text.lowercased() {
            case "1", "true", "yes", "on": true
            case "0", "false", "no", "off": false
            default: nil
            }
        }
    }
}

extension Setting where Value: RawRepresentable<String> & CaseIterable {
    /// A setting with a fixed set of words as values.
    init(_ name: String, value: String, _ help: String, standard: Value) {
        let words = Value.allCases.map(\.rawValue)
        self.init(
            name, value: value, help, standard: standard, shown: standard.rawValue,
            expected: words.joined(separator: " or ")
        ) { Value(rawValue: $0.lowercased()) }
    }
}

extension ClosedRange<Int> { fileprivate var inWords: String { "a number from \(lowerBound) to \(upperBound)" } }

extension Option<String?> {
    /// The flag of a setting, for a command that has few of them.
    init(_ path: KeyPath<SettingList, Setting<some Sendable>>) {
        let setting = SettingList.all[keyPath: path]
        self.init(name: .customLong(setting.name ?? ""), help: setting.help)
    }
}

/// What settings with any type of value have in common.
protocol NamedSetting: Sendable {
    var name: String? { get }
    var environment: String { get }
    /// Its flag; nil for a setting without one.
    var flag: (name: String, option: ListedOption)? { get }
    /// What ``Setting/value(_:_:)`` returns.
    func anyValue(_ flags: [String: String], _ config: ConfigReader) throws(CommandError) -> any Sendable
}

extension Setting: NamedSetting {
    /// Reads it. The environment does not replace a flag that was given, even if it is empty.
    /// - Parameter flags: The texts of flags, by their names.
    func value(_ flags: [String: String], _ config: ConfigReader) throws(CommandError) -> Value {
        let flag = name.flatMap { flags[$0] }
        if flag?.isEmpty == true, parse("") == nil {
            throw CommandError("\(label) is empty. Give a value, or leave it out.")
        }
        guard let text = flag ?? config.string(forKey: key), !text.isEmpty else { return standard }
        guard let value = parse(text) else { throw CommandError("\(label) is \(expected), not \(text).") }
        return value
    }

    func anyValue(_ flags: [String: String], _ config: ConfigReader) throws(CommandError) -> any Sendable {
        try value(flags, config)
    }

    var flag: (name: String, option: ListedOption)? {
        guard let name else { return nil }
        let spelling = NameSpecification.customLong(name)
        return switch standard {
        case is Bool: (name, .flag(Flag(wrappedValue: false, name: spelling, help: help)))
        case is [String]: (name, .list(Option(wrappedValue: [], name: spelling, help: help)))
        default: (name, .text(Option(name: spelling, help: help)))
        }
    }
}
