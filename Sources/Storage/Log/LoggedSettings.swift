import Domain

// How the log shows changes of settings. AdminSetting.swift describes those of boards and charities. Each setting of a
// game or a key is a case here: the admin API accepts these fields, and the compiler asks for their log values.

/// The settings of one kind of object, by their names in the admin API.
package protocol LoggedName: CaseIterable, RawRepresentable, Sendable where RawValue == String {}

extension LoggedName { package static var names: Set<String> { Set(allCases.map(\.rawValue)) } }

/// A change of settings, or the settings of a new object.
protocol LoggedChange {
    associatedtype Name: LoggedName
    /// The new value of a setting; nil if it does not change.
    func value(of setting: Name) -> SettingValue?
}

extension LoggedChange {
    /// All values that change, for the log.
    var values: [(String, SettingValue)] {
        Name.allCases.compactMap { setting in value(of: setting).map { (setting.rawValue, $0) } }
    }
}

package enum GameSetting: String, LoggedName {
    case name, classic, salt, names, email
    case refusedWords = "refused_words"
    case removeAddresses = "remove_addresses"
}

/// A change of a game's settings.
struct GameChange: LoggedChange {
    let name: DisplayName?
    let classic: Game.Classic?
    let salt: Patch<String>
    let names: NameSettings

    func value(of setting: GameSetting) -> SettingValue? {
        switch setting {
        case .name: name.map { .text($0.description) }
        case .classic: classic.map { .plain($0.rawValue) }
        case .salt: salt.isGiven ? SettingValue(text: salt) : nil
        case .names: names.rules.map { .plain($0.rawValue) }
        case .email: names.takesEmail.map { .plain(String($0)) }
        case .refusedWords:
            names.refusedWords.map { $0.isEmpty ? .none : .text($0.map(\.text).joined(separator: "\n")) }
        case .removeAddresses: names.removesAddresses ? .plain("true") : nil
        }
    }
}

package enum KeySetting: String, LoggedName {
    case token, kind, game, name, scopes
    case expiresAt = "expires_at"
}

extension NewKey: LoggedChange {
    func value(of setting: KeySetting) -> SettingValue? {
        switch setting {
        case .token: .text(Hex.text(hash.bytes))
        case .kind: .plain(scopes.kind.rawValue)
        case .game: game.map { .plain($0.description) }
        case .name: .text(name.description)
        case .scopes: .plain(scopes.texts.joined(separator: ","))
        case .expiresAt: expiresAt.map { .plain($0.rfc3339(.microseconds)) }
        }
    }
}
