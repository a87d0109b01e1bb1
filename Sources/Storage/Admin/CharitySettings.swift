package import Domain
import Postgres

package typealias CharityChange = SettingChange<CharitySettings>

/// A charity as `causeboard charity list` shows it.
package struct CharityListing: SettingListing {
    package let slug: String
    package let version: String
    package let settings: SettingValues<CharitySettings>
}

extension CharityListing: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        self = try CharityListing(slug: row.next(), version: row.next(), settings: row.next())
    }
}

package struct CharitySettings: SettingKeys {
    package static let table = SettingTable(CharitySettings())

    package let name = Setting(
        "name",
        .name(forms: [
            ("name_folded", { @Sendable in CharityName.folded($0) }),
            ("name_skeleton", { @Sendable in NameSkeleton(of: $0.description).description }),
        ]), label: "Name", help: "Its name for people, \(DisplayName.rule); classic clients may name it so.")
    package let url = OptionalSetting("url", .free(.link), label: "Address of its site", help: "Its web site, or none.")
    package let description = OptionalSetting(
        "description", .free(.area), label: "What it does", help: "What it does, or none.")
    package let goal = OptionalSetting(
        "goal", .integer(in: 1...Int64.max, rule: "1 or more"), label: "Goal", hint: "Points. Empty means none.",
        help: "Points it hopes to receive, or none.")
    package let opensAt = OptionalSetting(
        "opens", .instant, label: "Opens",
        help: "Takes donations from this instant on, such as 2026-12-01T00:00:00+01:00, or none.")
    package let closesAt = OptionalSetting(
        "closes", .instant, label: "Closes",
        help: "Takes donations before this instant, such as 2026-12-24T00:00:00+01:00, or none.")
    /// The zone of its board.
    package let zone = Setting(
        "zone", .zone, standard: "UTC", isFixed: true, label: "Time zone",
        hint: "Such as Europe/Berlin; UTC when empty. It stays for good.",
        help: "Time zone of its board's days, such as Europe/Berlin. UTC by default. Fixed once the charity is added.")
    /// Minutes in which a player may take a donation back.
    package let coolingOffMinutes = Setting(
        "cooling_off",
        .integer(in: 0...Limits.coolingOffMinutesMax, rule: "0 to \(Limits.coolingOffMinutesMax) minutes"),
        label: "Cooling off", hint: "Minutes in which a donation may be taken back.",
        help: "Minutes in which a player may take a donation back, 0 to \(Limits.coolingOffMinutesMax).")
    package let capOfDay = OptionalSetting(
        "cap_day", .integer(in: 1...Int64.max, rule: "1 or more"), label: "Cap of a day",
        hint: "Points. Empty means none.", help: "Points that it takes on a day of its board, or none.")
    package let capInAll = OptionalSetting(
        "cap_all", .integer(in: 1...Int64.max, rule: "1 or more"), label: "Cap in all",
        hint: "Points. Empty means none.", help: "Points that it takes in all, or none.")

    package static func check(_ change: CharityChange) throws(FieldError) {
        for (text, field) in [(change.url, "url"), (change.description, "description")] {
            guard let text = text.value else { continue }
            if text.utf8.count > Limits.descriptionBytesMax {
                throw FieldError(field, "\(field) is at most \(Limits.descriptionBytesMax) bytes.")
            }
            // PostgreSQL keeps no NUL in a text.
            if text.utf8.contains(0) { throw FieldError(field, "\(field) has a NUL in it. Send a text without.") }
        }
        if let opens = change.opensAt.value, let closes = change.closesAt.value, opens >= closes { throw .badOpening }
        if let url = change.url.value, !url.hasPrefix("https://"), !url.hasPrefix("http://") {
            throw FieldError("url", "url begins with https:// or http://.")
        }
    }
}

extension CharityChange {
    /// Whether it changes a cap, which no donation may come in between.
    var changesCaps: Bool { self.capOfDay.isGiven || self.capInAll.isGiven }
}

extension CharityListing { package var caps: CharityCaps { CharityCaps(day: self.capOfDay, all: self.capInAll) } }

extension CharityAdd {
    /// - Parameter settings: With a name and a zone.
    init(_ slug: Slug, _ settings: CharityChange, now: Instant) {
        let (columns, values) = settings.stored
        self.init(slug: slug, columns: columns, values: values, now: now)
    }
}
