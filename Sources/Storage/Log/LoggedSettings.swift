import Domain

// Every setting that operators can change, once: its name in the API, and how the log shows its value. The admin API
// accepts the fields that are cases here. So a new setting needs a case, and the compiler then asks for its log value.

/// The settings of one kind of object, by their names in the admin API.
package protocol Setting: CaseIterable, RawRepresentable, Sendable where RawValue == String {}

extension Setting { package static var names: Set<String> { Set(allCases.map(\.rawValue)) } }

/// A change of settings, or the settings of a new object.
protocol LoggedChange {
    associatedtype Name: Setting
    /// The new value of a setting; nil if it does not change.
    func value(of setting: Name) -> SettingValue?
}

extension LoggedChange {
    /// All values that change, for the log.
    var values: [(String, SettingValue)] {
        Name.allCases.compactMap { setting in value(of: setting).map { (setting.rawValue, $0) } }
    }
}

package enum GameSetting: String, Setting {
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

package enum BoardSetting: String, Setting {
    case name, policy, order, zone, ties, earns, display, unit, trust, details, judge, settle, opens, closes
    case pointsMin = "points_min"
    case pointsMax = "points_max"
    case earnMax = "earn_max"
    case earnDay = "earn_day"
    case holdAbove = "hold_above"
    case holdRate = "hold_rate"
    case holdPace = "hold_pace"
}

extension BoardChange: LoggedChange {
    func value(of setting: BoardSetting) -> SettingValue? {
        switch setting {
        case .name: name.map { .text($0.description) }
        case .policy: policy.map { .plain($0.rawValue) }
        case .order: lowestFirst.map { .plain($0 ? "lowest" : "highest") }
        case .zone: zone.map { .plain($0) }
        case .ties: ties.map { .plain($0.rawValue) }
        case .earns: earning.map { .plain($0.rule + ($0.fixedPoints.map { ":\($0)" } ?? "")) }
        case .display: display.map { .plain($0.rawValue) }
        case .unit: unit.isGiven ? SettingValue(text: unit) : nil
        case .trust: trust.map { .plain($0.rawValue) }
        case .details: details.map { .plain($0.rawValue) }
        case .judge: holds.judgeMinutes.isGiven ? SettingValue(holds.judgeMinutes) : nil
        case .settle: holds.settleMinutes.isGiven ? SettingValue(holds.settleMinutes) : nil
        case .opens: opensAt.isGiven ? SettingValue(opensAt) : nil
        case .closes: closesAt.isGiven ? SettingValue(closesAt) : nil
        case .pointsMin: pointsMin.map { .plain(String($0)) }
        case .pointsMax: pointsMax.map { .plain(String($0)) }
        case .earnMax: earnMax.isGiven ? SettingValue(earnMax) : nil
        case .earnDay: earnDay.isGiven ? SettingValue(earnDay) : nil
        case .holdAbove: holds.above.isGiven ? SettingValue(holds.above) : nil
        case .holdRate: holds.rate.isGiven ? SettingValue(holds.rate) : nil
        case .holdPace: holds.pace.isGiven ? SettingValue(holds.pace) : nil
        }
    }
}

extension NewBoard {
    /// All initial settings, as a change. Missing ones are not set.
    var asChange: BoardChange {
        var change = BoardChange()
        change.name = name
        change.policy = policy
        change.lowestFirst = lowestFirst
        change.pointsMin = bounds.lowerBound
        change.pointsMax = bounds.upperBound
        change.zone = zone
        change.ties = ties
        change.earning = earning
        change.earnMax = Patch(ifAny: earnMax)
        change.earnDay = Patch(ifAny: earnDay)
        change.opensAt = Patch(ifAny: opensAt)
        change.closesAt = Patch(ifAny: closesAt)
        change.display = display
        change.unit = Patch(ifAny: unit)
        change.trust = trust
        change.details = details
        change.holds.above = Patch(ifAny: holds.above)
        change.holds.rate = Patch(ifAny: holds.rate)
        change.holds.pace = Patch(ifAny: holds.pace)
        change.holds.judgeMinutes = Patch(ifAny: holds.judgeMinutes)
        change.holds.settleMinutes = Patch(ifAny: holds.settleMinutes)
        return change
    }
}

extension Patch { fileprivate init(ifAny value: Value?) { self = value.map { .set($0) } ?? .keep } }

package enum CharitySetting: String, Setting {
    case name, url, description, goal, opens, closes, zone
    case coolingOff = "cooling_off"
    case capDay = "cap_day"
    case capAll = "cap_all"
}

extension CharityChange: LoggedChange {
    func value(of setting: CharitySetting) -> SettingValue? {
        switch setting {
        case .name: name.map { .text($0.description) }
        case .url: url.isGiven ? SettingValue(text: url) : nil
        case .description: description.isGiven ? SettingValue(text: description) : nil
        case .goal: goal.isGiven ? SettingValue(goal) : nil
        case .opens: opensAt.isGiven ? SettingValue(opensAt) : nil
        case .closes: closesAt.isGiven ? SettingValue(closesAt) : nil
        case .zone: zone.map { .plain($0) }
        case .coolingOff: coolingOffMinutes.map { .plain(String($0)) }
        case .capDay: capOfDay.isGiven ? SettingValue(capOfDay) : nil
        case .capAll: capInAll.isGiven ? SettingValue(capInAll) : nil
        }
    }
}

package enum KeySetting: String, Setting {
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
