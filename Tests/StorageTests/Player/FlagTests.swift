import Credentials
import Domain
import TestDatabases
import Testing

@testable import Storage

/// The flag that a player chooses to show.
@Suite struct FlagTests {
    /// A player with a token, in a game that shows flags.
    private struct Owner {
        let database: TestDatabase
        let token = Token.generated(.device).hash
        let player: Player.ID

        init(_ name: String, _ database: TestDatabase) async throws {
            (self.database, player) = (database, try await database.owner(name, token))
        }

        /// - Parameter flag: Nil shows none.
        func choose(_ flag: String?, after seconds: Int64 = 0) async throws -> String {
            var registration = Registration(source: "test")
            registration.flag = flag.flatMap { CountryFlag($0) }.map { .set($0) } ?? .clear
            let now = Instant.noon.advanced(bySeconds: seconds)
            return try await database.store.change(registration, ofToken: token, now: now).word
        }

        func shown() async throws -> String? {
            let summary = try await database.store.summaries(of: [player]).first?.flag
            #expect(try await database.store.findPublicProfile(of: player)?.profile.flag == summary)
            return summary?.description
        }

        func chosen() async throws -> String? {
            try await database.store.ownProfile(of: player, now: .noon).profile.shown.flag?.description
        }
    }

    private func showFlags(_ flags: Bool = true, in database: TestDatabase) async throws {
        let change = GameChange { $0.flags = flags }
        #expect(try await database.store.admin.setGame(.defaultGame, change, now: .noon) == .set)
    }

    @Test("a player shows a flag for 30 days before it may show another one, and shows none whenever it wants")
    func again() async throws {
        try await withTestDatabase { database in
            try await showFlags(in: database)
            let ada = try await Owner("Ada", database)
            let month: Int64 = 30 * 86_400
            #expect(try await ada.choose("DE-BE") == "known")
            #expect(try await ada.shown() == "DE-BE")
            #expect(try await ada.choose("DE-BE", after: 5) == "known")
            #expect(try await ada.choose("DE", after: 5) == "flag-fixed 2026-12-20T12:00:00Z")
            #expect(try await ada.choose("FR", after: month - 1) == "flag-fixed 2026-12-20T12:00:00Z")
            #expect(try await ada.choose(nil, after: 6) == "known")
            #expect(try await ada.shown() == nil)
            // Without a flag it is no other one either.
            #expect(try await ada.choose("FR", after: 7) == "flag-fixed 2026-12-20T12:00:00Z")
            #expect(try await ada.choose("FR", after: month) == "known")
            #expect(try await ada.choose("DE", after: month + 1) == "flag-fixed 2027-01-19T12:00:00Z")
            #expect(try await ada.shown() == "FR")
        }
    }

    @Test("a game without flags takes and shows none, but whoever has one may put it away") func off() async throws {
        try await withTestDatabase { database in
            let ada = try await Owner("Ada", database)
            #expect(try await ada.choose("DE") == "no-flags")
            try await showFlags(in: database)
            #expect(try await ada.choose("DE") == "known")
            try await database.post(5, by: ada.player, on: "high-scores")
            let board = try #require(try await database.store.findBoard(.highScores, in: .defaultGame, now: .noon))
            func rows() async throws -> [String?] {
                let days = board.today...board.today
                return [
                    try await database.store.page(of: board.id, days: nil, pageRequest: .top, limitRows: 2).rows[0],
                    try await database.store.page(of: board.id, days: days, pageRequest: .top, limitRows: 2).rows[0],
                    try await database.store.rankPositions(of: [ada.player.rawValue], on: board.id, days: nil)[0]
                        .standing,
                ].map { $0.flag?.description }
            }
            #expect(board.showsFlags)
            #expect(try await rows() == ["DE", "DE", "DE"])
            try await showFlags(false, in: database)
            #expect(try await rows() == [nil, nil, nil])
            #expect(try await ada.shown() == nil)
            #expect(try await ada.chosen() == "DE")
            #expect(try await ada.choose("FR", after: 40 * 86_400) == "no-flags")
            #expect(try await ada.choose(nil, after: 1) == "known")
            #expect(try await ada.chosen() == nil)
        }
    }

    @Test("it is exported, stays the survivor's in a merge, comes back with an undo, and ends with the player")
    func life() async throws {
        try await withTestDatabase { database in
            try await showFlags(in: database)
            let (ada, bob) = (try await Owner("Ada", database), try await Owner("Bob", database))
            #expect(try await ada.choose("DE-BE") == "known")
            let exported = try #require(try await database.store.findExported(of: ada.player, now: .noon)?.0)
            #expect(exported.own.shown.flag?.description == "DE-BE" && exported.flagAt == .noon)
            let merge = try await database.moderate(.merge(ada.player, into: bob.player))
            #expect(try await bob.shown() == nil)
            let members = try await database.store.findExported(of: bob.player, now: .noon)?.0.members
            #expect(members?.map { $0.flag?.description } == ["DE-BE"] && members?.first?.flagAt == .noon)
            #expect(try await bob.choose("FR") == "known")
            try await database.moderate(.undo(merge))
            #expect(try await ada.shown() == "DE-BE")
            #expect(try await bob.shown() == "FR")
            try await database.moderate(.erase(ada.player, confirming: "Ada"))
            #expect(
                try await database.owner.ask("select name from player where flag is not null or flag_at is not null")
                    == ["Bob"])
        }
    }

    @Test("a player whom its device leaves behind keeps none") func leftBehind() async throws {
        try await withTestDatabase { database in
            try await showFlags(in: database)
            let (ada, bob) = (try await Owner("Ada", database), try await Owner("Bob", database))
            #expect(try await bob.choose("FR") == "known")
            #expect(try await database.join("Bob", bob.token, by: database.joinCode(of: ada.token)) == "joined")
            #expect(try await database.owner.ask("select count(*) from player where flag_at is not null") == ["0"])
        }
    }
}
