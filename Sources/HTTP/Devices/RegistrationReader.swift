import enum Contract.Keys
import Domain
import HTTPServer
import Storage

/// Reads what a body says of a player and its device.
final class RegistrationReader: Sendable {
    let avatars: AvatarReader
    let rates: RequestRates

    init(avatars: AvatarReader, rates: RequestRates) { (self.avatars, self.rates) = (avatars, rates) }

    /// What a body may say of a player and its device.
    static let fields = Keys.DeviceRegistration.names.union(Keys.ProfileChange.names)

    /// Reads a player's fields.
    /// - Parameter authorize: Throws unless the caller may register. It is called before a picture is decoded, which
    ///   takes milliseconds of processor time; the statement that registers judges every caller again.
    func read(_ fields: Fields, source: String, authorize: () async throws -> Void) async throws -> Registration {
        var registration = Registration(source: source)
        if fields.presence(of: Keys.DeviceRegistration.name.rawValue) == .null {
            throw FieldError(Keys.DeviceRegistration.name.rawValue, "A player has a name. Leave name out to keep it.")
        }
        if let name = try fields.text(Keys.DeviceRegistration.name.rawValue) {
            registration.name = try PlayerName(name, field: Keys.DeviceRegistration.name.rawValue)
        }
        registration.email = try patch(fields, Keys.DeviceRegistration.email.rawValue) { text throws(FieldError) in
            try EmailAddress(text, field: Keys.DeviceRegistration.email.rawValue)
        }
        registration.country = try patch(fields, Keys.DeviceRegistration.country.rawValue) { text throws(FieldError) in
            try CountryCode(text, field: Keys.DeviceRegistration.country.rawValue)
        }
        registration.wantsUpdates = try fields.boolean(Keys.DeviceRegistration.sendUpdates.rawValue)
        if fields.presence(of: Keys.DeviceRegistration.image.rawValue) != .absent {
            let image = try fields.text(Keys.DeviceRegistration.image.rawValue) ?? ""
            if !image.isEmpty {
                try rates.requireRoom()
                try await authorize()
            }
            registration.avatar = image.isEmpty ? .clear : .set(try await avatars.avatar(fromBase64: image))
        }
        return registration
    }

    /// Reads the flag that a player chooses to show.
    func flag(_ fields: Fields) throws(FieldError) -> Patch<CountryFlag> {
        let field = Keys.ProfileChange.flag.rawValue
        return try patch(fields, field) { text throws(FieldError) in
            guard let flag = CountryFlag(text) else {
                throw FieldError(field, "\(field) is no country or region. Send \(CountryFlag.rule).")
            }
            return flag
        }
    }

    /// Reads a field of a JSON merge patch; null and an empty text clear the value.
    private func patch<Value>(_ fields: Fields, _ field: String, _ parse: (String) throws(FieldError) -> Value)
        throws(FieldError) -> Patch<Value>
    {
        guard fields.presence(of: field) != .absent else { return .keep }
        guard let text = try fields.text(field), !text.isEmpty else { return .clear }
        return .set(try parse(text))
    }
}

extension Registration {
    /// Whether a registration stores anything new. A picture always counts, because nobody knows whether it was already
    /// stored.
    func stays(_ outcome: RegistrationOutcome) -> Bool {
        if case .known = outcome, case .set = avatar { return true }
        if case .known = outcome { return false }
        return true
    }
}
