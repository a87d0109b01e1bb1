import Credentials
package import Domain
package import Foundation
package import Storage

extension Instant {
    /// 2026-11-20T12:00:00Z, a Friday in winter on which no clock changes.
    package static let noon = at("2026-11-20T12:00:00Z")

    /// The instant of an RFC 3339 text in a test's source.
    package static func at(_ text: String) -> Instant {
        guard let instant = Instant(rfc3339: text) else { preconditionFailure("\(text) is no RFC 3339 date-time") }
        return instant
    }
}

extension Slug {
    /// The slug of a text in a test's source.
    package static func of(_ text: String) -> Slug {
        guard let slug = Slug(text) else { preconditionFailure("\(text) is no slug") }
        return slug
    }
}

extension DisplayName {
    /// The name of a text in a test's source.
    package static func of(_ text: String) -> DisplayName {
        guard let name = DisplayName(text) else { preconditionFailure("\(text) is no name") }
        return name
    }
}

extension Store {
    /// Begins a board's next season.
    /// - Returns: Its number; nil when it has not begun.
    package func resetBoard(_ slug: Slug, in game: Slug, now: Instant) async throws -> Int32? {
        let action = ModerationAction(.reset(game: game, board: slug), id: UUID(), reason: .nextSeason)
        guard case .done = try await admin.perform(action, by: "cli", now: now) else { return nil }
        return try await admin.findBoardListing(slug, in: game)?.season
    }
}

// The data that a test begins with, in the game `default` unless a test says otherwise. A helper throws when it cannot
// make what it is asked for.
extension TestDatabase {
    package func addGame(_ slug: String) async throws -> Game {
        let outcome = try await store.admin.addGame(.of(slug), name: .of(slug), now: .noon)
        guard outcome == .added, let game = try await store.findClassicCall(from: nil, in: .of(slug))?.game else {
            throw TestDatabaseError("game \(slug): \(outcome)")
        }
        return game
    }

    /// Adds a score board with the standard settings, which `settings` may change.
    @discardableResult package func addBoard(
        _ slug: String, in game: Slug = .defaultGame, _ settings: (inout NewBoard) -> Void = { _ in }
    ) async throws -> Board {
        var board = NewBoard(.of(slug), in: game)
        settings(&board)
        let outcome = try await store.admin.addBoard(board, now: .noon)
        guard outcome == .added, let board = try await store.findBoard(.of(slug), in: game, now: .noon) else {
            throw TestDatabaseError("board \(slug): \(outcome)")
        }
        return board
    }

    /// Adds a charity that is named like its slug in upper case.
    /// - Returns: Its donation board.
    @discardableResult package func addCharity(
        _ slug: String, zone: String = "UTC", _ settings: (inout CharityChange) -> Void = { _ in }
    ) async throws -> Board {
        var charity = CharityChange()
        (charity.name, charity.zone) = (.of(slug.uppercased()), zone)
        settings(&charity)
        let outcome = try await store.admin.addCharity(.of(slug), charity, now: .noon)
        guard outcome == .added, let board = try await store.findDonationBoard(.of(slug), now: .noon) else {
            throw TestDatabaseError("charity \(slug): \(outcome)")
        }
        return board
    }

    /// The keyed hash of the device that ``addPlayer(_:in:points:)`` registers, called `phone of NAME`.
    package func device(of name: String, in game: Game? = nil) throws -> DeviceHash {
        secret.hash(of: try DeviceID("phone of \(name)", field: "phone"), in: (game ?? self.game).slug)
    }

    /// Registers a player.
    /// - Parameter points: The points that the player may donate. It earns them by one post on the game's board
    ///   `purse`, which this adds.
    package func addPlayer(_ name: String, in game: Game? = nil, points: Int64 = 0) async throws -> Player.ID {
        let game = game ?? self.game
        let registration = Registration(name: try PlayerName(name, field: "name"), source: "test")
        guard
            case .registered(let player) = try await store.register(
                registration, device: device(of: name, in: game), in: game.slug, now: .noon)
        else { throw TestDatabaseError("player \(name) was not registered") }
        if points > 0 {
            if try await store.findBoard(.of("purse"), in: game.slug, now: .noon) == nil {
                try await addBoard("purse", in: game.slug)
            }
            let receipt = try await post(points, by: player.id, on: "purse", in: game)
            guard receipt.balance == points else { throw TestDatabaseError("player \(name) earned \(receipt.earned)") }
        }
        return player.id
    }

    /// Posts one score.
    @discardableResult package func post(
        _ points: Int64, by player: Player.ID, on board: String, in game: Game? = nil, id: UUID? = UUID(),
        playedAt: Instant? = nil, name: String? = nil, detail: String? = nil, isClassic: Bool = false,
        at reachedAt: Instant = .noon
    ) async throws -> ScoreReceipt {
        let name = try name.map { try PlayerName($0, field: "name") }
        let score = NewScore(
            points, by: .player(player), on: .of(board), in: (game ?? self.game).slug, id: id, playedAt: playedAt,
            detail: detail, name: name, isClassic: isClassic, reachedAt: reachedAt)
        return try await store.record([score], now: reachedAt)[0]
    }

    /// Records one donation.
    @discardableResult package func donate(
        _ points: Int64, by player: Player.ID, to charity: String, id: UUID? = UUID(), isAnonymous: Bool = false,
        at reachedAt: Instant = .noon
    ) async throws -> DonationReceipt {
        let donation = try NewDonation(
            points, by: .player(player), to: CharityName(charity, field: "charity"), id: id, isAnonymous: isAnonymous,
            reachedAt: reachedAt)
        return try await store.donate([donation], now: reachedAt)[0]
    }

    /// Carries out an action as an operator.
    /// - Returns: The action's id.
    @discardableResult package func moderate(_ kind: ModerationKind, at now: Instant = .noon) async throws -> UUID {
        let action = ModerationAction(kind, id: UUID(), reason: try ModerationReason("a test"))
        let outcome = try await store.admin.perform(action, by: "cli", now: now)
        guard case .done(let receipt) = outcome else { throw TestDatabaseError("\(kind): \(outcome)") }
        return receipt.id
    }

    /// One sentence for each failed check of the audit; empty when the books balance.
    package func auditComplaints() async throws -> [String] {
        try await Auditor(store).findings().filter { $0.differing > 0 }.map {
            "\($0.subject): \($0.differing), \($0.example ?? "no example")"
        }
    }

    /// Waits until the server has noticed that a stream is gone. Until then the database cannot be dropped.
    package func waitUntilNobodyFollows() async throws {
        try await owner.script(
            """
            do $$ begin
              for n in 1..500 loop
                exit when not exists (select from pg_replication_slots where database = current_database());
                perform pg_sleep(0.02);
              end loop;
            end $$
            """)
    }
}

extension Instant {
    /// When the day of this instant began in a time zone, as Foundation knows it. Of two midnights it is the later one;
    /// a day without a midnight begins where clocks would show it had they not been changed.
    package func midnight(in zone: TimeZone) -> Instant {
        func offset(_ seconds: Int) -> Int { zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))) }
        let seconds = Int((Double(microsecondsSince1970) / 1e6).rounded(.down))
        let local = seconds + offset(seconds)
        let midnight = local - ((local % 86_400) + 86_400) % 86_400
        let offsets = [offset(midnight - 86_400), offset(midnight + 86_400)]
        let candidates = offsets.map { midnight - $0 }.filter { $0 + offset($0) == midnight }
        return Instant(microsecondsSince1970: Int64(candidates.max() ?? midnight - offsets[0]) * 1_000_000)
    }
}
