import Credentials
import Domain
import Foundation
import TestDatabases
import Testing

@testable import Storage

// The part of the tour that operators' programs take: their keys, and what they see.
extension TourTests {
    func operators(_ database: TestDatabase, _ player: Player) async throws {
        try await keys(database)
        try await changes(database)
        let store = database.store
        let found = try await store.admin.players(.name("BOB"), in: nil, after: Player.ID(rawValue: 0), limitRows: 9)
        #expect(Set(found.map(\.name)) == ["Bob"] && found.count == 2 && found.map(\.id) == found.map(\.id).sorted())
        #expect(
            try await store.admin.players(.name("Bob"), in: .defaultGame, after: Player.ID(rawValue: 0), limitRows: 9)
                .map(\.id) == [player.id])
        #expect(
            try await store.admin.players(
                .email("ADA@Example.org"), in: nil, after: Player.ID(rawValue: 0), limitRows: 9
            ).map(\.id) == [player.id])
        let record = try #require(try await store.admin.findPlayerRecord(player.id, withAnonymous: true))
        #expect(record.game == "default" && record.name == "Bob" && !record.isHidden && record.registeredAt == .noon)
        #expect(
            record.sums.earned - record.sums.donated == record.sums.left && record.sums.voided == 0
                && record.sums.held == 0)
        #expect(record.donationsCount == 2 && record.personal.email == "ada@example.org")
        #expect(record.personal.country == "NZ" && record.personal.facebookID == "77")
        // Who may not know what was donated anonymously cannot find it out by subtracting.
        let shown = try #require(try await store.admin.findPlayerRecord(player.id, withAnonymous: false))
        #expect(record.sums.donated - shown.sums.donated == 2 && shown.sums.left - record.sums.left == 2)
        #expect(
            shown.donationsCount == 1 && shown.sums.earned == record.sums.earned
                && shown.devicesCount == record.devicesCount)
        let all = try await store.admin.ledger(of: player.id, before: nil, limitRows: 100, withAnonymous: true)
        #expect(Int64(all.count) == record.scoresCount + record.donationsCount)
        #expect(all.map(\.reachedAt) == all.map(\.reachedAt).sorted { $1 < $0 })
        #expect(all.filter { $0.isAnonymous == true }.map(\.points) == [2])
        let named = try await store.admin.ledger(of: player.id, before: nil, limitRows: 100, withAnonymous: false)
        #expect(named.map(\.id) == all.filter { $0.isAnonymous != true }.map(\.id))
        let edge = try #require(all.dropFirst().first)
        #expect(
            try await store.admin.ledger(
                of: player.id, before: HistoryKey(reachedAt: edge.reachedAt, id: edge.id), limitRows: 100,
                withAnonymous: true
            ).map(\.id) == all.dropFirst(2).map(\.id))
        let donated = try await store.admin.donations(toCharity: .of("trees"), before: nil, limitRows: 9)
        #expect(donated.map(\.points) == [10, 2] && donated.map(\.player) == [player.id, nil])
        #expect(donated.map(\.game) == ["default", nil] && donated.allSatisfy { $0.state == "funded" })
        #expect(try await store.admin.subscribers(after: Player.ID(rawValue: 0), limitRows: 9).isEmpty)
        let noon = Instant.noon.dayInUTC
        let days = try #require(try await store.admin.stats(of: noon.advanced(byDays: -1)...noon, rowsMax: 100))
        #expect(days.map(\.day) == [noon, noon.advanced(byDays: -1)])
        #expect(
            days[0].posts == Int64(all.count) - 2 && days[0].donations == 2 && days[0].donated == 12
                && days[0].players >= 2 && days[0].earned == Int128(record.sums.earned))
        #expect(days[1] == DayStats(day: days[1].day, posts: 0, donations: 0, players: 0, earned: 0, donated: 0))
        #expect(try await store.admin.stats(of: noon...noon, rowsMax: 3) == nil, "more rows than may be read")
    }

    /// Closes the day of the tour, after which nothing more is recorded on it.
    func closing(_ database: TestDatabase, _ player: Player) async throws {
        let store = database.store
        let noon = Instant.noon.dayInUTC
        let record = try #require(try await store.admin.findPlayerRecord(player.id, withAnonymous: true))
        #expect(try await store.closeBooks(now: Instant.noon.advanced(bySeconds: 86_400)) == 1)
        #expect(try await store.bookSpan() == noon...noon)
        let books = try #require(try await store.findBooks(of: noon))
        #expect(books.earned >= Int128(record.sums.earned) && books.games.map(\.points).reduce(0, +) == books.earned)
        #expect(books.charities.map(\.points).reduce(0, +) == books.funded && books.left >= 0)
    }

    private func keys(_ database: TestDatabase) async throws {
        let store = database.store
        let token = Token.generated(.admin)
        let scopes = try KeyScopes(["read", "operate"], of: .admin, field: "scopes")
        var key = NewKey(id: UUID(), game: nil, hash: token.hash, name: .of("ops"), scopes: scopes)
        key.expiresAt = Instant.noon.advanced(bySeconds: 60)
        let (added, listed) = try await store.admin.addKey(key, now: .noon)
        #expect(added == .added && listed?.id == key.id && listed?.game == nil && listed?.scopes == scopes)
        #expect(try await store.admin.addKey(key, now: .noon).0 == .set)
        var other = key
        other.name = .of("other")
        #expect(try await store.admin.addKey(other, now: .noon).0 == .exists)
        other.id = UUID()
        #expect(try await store.admin.addKey(other, now: .noon).0 == .tokenTaken)
        other.hash = Token.generated(.admin).hash
        other.expiresAt = .noon
        #expect(try await store.admin.addKey(other, now: .noon).0 == .badExpiry)
        let found = try #require(try await store.admin.findAdminKey(token.hash, now: .noon))
        #expect(found.id == key.id && found.scopes == scopes && found.usedOn == nil)
        #expect(try await store.admin.findAdminKey(token.hash, now: Instant.noon.advanced(bySeconds: 60)) == nil)
        let day = Instant.noon.dayInUTC
        for used in [day, day.advanced(byDays: -1)] { try await store.admin.noteUse(of: token.hash, on: used) }
        #expect(try await store.admin.keys(of: .admin).map(\.usedOn) == [day])
        #expect(try await store.admin.revokeKey(key.id, now: .noon).0 == .set)
        #expect(try await store.admin.revokeKey(key.id, now: .noon).0 == .exists)
        #expect(try await store.admin.revokeKey(UUID(), now: .noon).0 == .noKey)
        #expect(try await store.admin.findAdminKey(token.hash, now: .noon) == nil)
        let number = try #require(listed?.number)
        #expect(try await store.admin.revokeKey(numbered: number, of: .defaultGame, now: .noon) == .noKey)
        #expect(try await store.admin.revokeKey(numbered: number, of: nil, now: .noon) == .set)
    }

    /// Two changes of one version are asked for, and one is made.
    private func changes(_ database: TestDatabase) async throws {
        let store = database.store
        let game = try #require(try await store.admin.findGame(.of("maze")))
        func rename(_ slug: String, _ name: String, at version: String) async throws -> (AdminOutcome, GameListing?) {
            var change = GameChange()
            change.name = .of(name)
            return try await store.admin.setGame(.of(slug), change, at: version, now: .noon)
        }
        let (first, renamed) = try await rename("maze", "One", at: game.version)
        #expect(first == .set && renamed?.name == .of("One") && renamed?.version != game.version)
        let (second, kept) = try await rename("maze", "Two", at: game.version)
        #expect(second == .stale && kept?.version == renamed?.version)
        #expect(try await rename("no", "Two", at: "1").0 == .noGame)
        let board = try #require(try await store.admin.findBoardListing(.of("race"), in: .defaultGame))
        var change = BoardChange()
        change.name = .of("Laps")
        #expect(
            try await store.admin.setBoard(.of("race"), in: .defaultGame, change, at: board.version, now: .noon).outcome
                == .set)
        #expect(
            try await store.admin.setBoard(.of("race"), in: .defaultGame, change, at: board.version, now: .noon).outcome
                == .stale)
        let charity = try #require(try await store.admin.findCharityListing(.of("shut")))
        var changed = CharityChange()
        changed.goal = .set(5)
        #expect(try await store.admin.setCharity(.of("shut"), changed, at: charity.version, now: .noon).outcome == .set)
        #expect(
            try await store.admin.setCharity(.of("shut"), changed, at: charity.version, now: .noon).outcome == .stale)
    }
}

// The end of the tour: what nobody needs any more goes, and the ledgers are put aside.
extension TourTests {
    func sweeping(_ database: TestDatabase) async throws {
        let sweeper = Sweeper(
            store: database.store, sweepDays: 1, savesDays: 1, pastDays: 30, pause: .milliseconds(1),
            counts: SweepCounts())
        try await database.owner.script(
            """
            insert into avatar (sha256, png, added_at) values (sha256('nobody'), 'png', '2026-11-20T12:00:00Z');
            insert into save (player_id, slot, revision, etag, body, saved_at)
            select min(player_id), 'old', 1, substr(sha256('x'), 1, 16), 'x', '2026-11-20T12:00:00Z' from wallet;
            """)
        let swept = try await sweeper.pass(now: Instant.noon.advanced(bySeconds: 400 * 86_400))
        #expect((swept[.pictures] ?? 0) >= 1 && (swept[.pastScores] ?? 0) > 5 && (swept[.pastDonations] ?? 0) > 1)
        #expect((swept[.saves] ?? 0) >= 1)
        #expect(try await database.owner.ask("select count(*) from only score") == ["0"])
    }
}
