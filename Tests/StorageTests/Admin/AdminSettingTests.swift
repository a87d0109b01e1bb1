import Domain
import TestDatabases
import Testing

@testable import Storage

/// Each setting of a board or a charity is stored as it was sent, wherever its column is named.
@Suite struct AdminSettingTests {
    /// One field; nil is null.
    private struct Sent: SettingSource {
        static let clearing = "null"
        let name: String
        let value: String?
        func isAbsent(_ field: String) -> Bool { field != name }
        func text(_ field: String) -> String? { field == name ? value : nil }
        func integer(_ field: String) -> Int64? { text(field).flatMap { Int64($0) } }
        func digits(_ field: String) -> String? { text(field) }
        func boolean(_ field: String) -> Bool? { text(field).map { $0 == "true" } }
        func texts(_ field: String, countMax _: Int) -> [String]? {
            text(field)?.split(separator: " ").map(String.init)
        }
        func instant(_ field: String) -> Instant? { text(field).flatMap { Instant(rfc3339: $0) } }
    }

    /// A value that nothing has that says nothing of the setting.
    private static func sample(_ name: String, _ kind: AdminSetting.Kind) -> String {
        switch (name, kind) {
        case ("zone", _): "Europe/Berlin"
        case ("earns", _): "fixed:3"
        case ("teams", .text), ("countries", _): "best:3"
        case ("url", _): "https://trees.example"
        case ("classic", _): "open"
        // Details are public only where no points are added up.
        case (_, .choice(let words)): words[name == "policy" ? 1 : words.count - 1]
        case (_, .text), (_, .area), (_, .link): "another"
        case (_, .boolean): ["flags", "plans"].contains(name) ? "true" : "false"
        case (_, .texts): "darn he\"c\\k"
        case (_, .integer): "7"
        case (_, .decimal): "2.5"
        case (_, .instant): "2026-12-01T00:00:00.250000Z"
        }
    }

    private static func text(_ content: SettingContent) -> String? {
        switch content {
        case .none: nil
        case .text(let text), .decimal(let text): text
        case .integer(let number): "\(number)"
        case .boolean(let isSo): "\(isSo)"
        case .texts(let texts): texts.joined(separator: " ")
        case .instant(let instant): instant.rfc3339(.microseconds)
        }
    }

    @Test("of a board: on a new one, on a changed one, and in its next season; and null takes it away") func board()
        async throws
    {
        try await withTestDatabase { database in
            let store = database.store
            for (number, setting) in BoardChange.settings.enumerated() {
                let name = "\(setting.name)"
                let value = Self.sample(name, setting.kind)
                func change(_ value: String?) throws -> BoardChange {
                    try BoardChange(of: [setting], by: Sent(name: name, value: value))
                }
                func content(_ slug: Slug) async throws -> String? {
                    let listing = try await store.admin.findBoardListing(slug, in: .defaultGame)
                    return Self.text(setting.content(of: try #require(listing).settings))
                }
                let (made, changed) = (Slug.of("made-\(number)"), Slug.of("changed-\(number)"))
                for (slug, change) in [(made, try change(value)), (changed, BoardChange())] {
                    let settings = try change.completed(for: slug)
                    let outcome = try await store.admin.addBoard(slug, in: .defaultGame, settings, now: .noon)
                    #expect(outcome == .added, "\(name)")
                }
                #expect(try await content(made) == value, "\(name)")
                #expect(try await content(changed) != value, "\(name)")
                #expect(
                    try await store.admin.setBoard(changed, in: .defaultGame, change(value), now: .noon) == .set,
                    "\(name)")
                #expect(try await content(changed) == value, "\(name)")
                _ = try await store.resetBoard(changed, in: .defaultGame, now: .noon)
                #expect(try await content(changed) == value, "\(name)")
                if setting.isOptional {
                    #expect(try await store.admin.setBoard(made, in: .defaultGame, change(nil), now: .noon) == .set)
                    #expect(try await content(made) == nil, "\(name)")
                }
            }
        }
    }

    @Test("of a game: on a new one and on a changed one; and null takes it away") func game() async throws {
        try await withTestDatabase { database in
            let store = database.store
            for (number, setting) in GameChange.settings.enumerated() {
                let name = "\(setting.name)"
                let value = Self.sample(name, setting.kind)
                func change(_ value: String?) throws -> GameChange {
                    try GameChange(of: [setting], by: Sent(name: name, value: value))
                }
                func content(_ slug: Slug) async throws -> String? {
                    Self.text(setting.content(of: try #require(try await store.admin.findGame(slug)).settings))
                }
                // A secret is not read back.
                let shown = setting.presence == nil ? value : ""
                let (made, changed) = (Slug.of("made-\(number)"), Slug.of("changed-\(number)"))
                for (slug, change) in [(made, try change(value)), (changed, GameChange())] {
                    var settings = change
                    settings.name = change.name ?? .of("One")
                    #expect(try await store.admin.addGame(slug, settings, now: .noon) == .added, "\(name)")
                }
                #expect(try await content(made) == shown, "\(name)")
                #expect(try await content(changed) != shown, "\(name)")
                #expect(try await store.admin.setGame(changed, change(value), now: .noon) == .set, "\(name)")
                #expect(try await content(changed) == shown, "\(name)")
                if setting.isOptional {
                    #expect(try await store.admin.setGame(made, change(nil), now: .noon) == .set)
                    #expect(try await content(made) == nil, "\(name)")
                }
            }
        }
    }

    @Test("of a charity: on a new one and on a changed one; and null takes it away") func charity() async throws {
        try await withTestDatabase { database in
            let store = database.store
            for (number, setting) in CharityChange.settings.enumerated() {
                let name = "\(setting.name)"
                let value = Self.sample(name, setting.kind)
                func change(_ value: String?) throws -> CharityChange {
                    try CharityChange(of: [setting], by: Sent(name: name, value: value))
                }
                func content(_ slug: Slug) async throws -> String? {
                    let listing = try await store.admin.findCharityListing(slug)
                    return Self.text(setting.content(of: try #require(listing).settings))
                }
                let (made, changed) = (Slug.of("made-\(number)"), Slug.of("changed-\(number)"))
                for (slug, change) in [(made, try change(value)), (changed, CharityChange())] {
                    #expect(try await store.admin.addCharity(slug, change, now: .noon) == .added, "\(name)")
                }
                #expect(try await content(made) == value, "\(name)")
                #expect(try await content(changed) != value, "\(name)")
                // It is fixed once the charity is there.
                if name == "zone" { continue }
                // Names of charities are unlike each other.
                let other = name == "name" ? "different" : value
                #expect(try await store.admin.setCharity(changed, change(other), now: .noon) == .set, "\(name)")
                #expect(try await content(changed) == other, "\(name)")
                if setting.isOptional {
                    #expect(try await store.admin.setCharity(made, change(nil), now: .noon) == .set)
                    #expect(try await content(made) == nil, "\(name)")
                }
            }
        }
    }
}
