import Credentials
import Domain
import Foundation
import Postgres
import TestDatabases
import Testing

@testable import Storage

/// Actions on players with a long history. What an action costs grows with the history, and not with its square, which
/// would take many minutes here.
@Suite struct LongActionTests {
    private static let rows = 20_000

    /// Gives a player so many scores that earned 100 points each, and as many donations of ten, every other one
    /// anonymous, on three hundred days.
    private static func lengthen(_ player: Player.ID, on board: Board, _ database: TestDatabase) async throws {
        try await database.owner.script(
            """
            insert into score (
              player_id, id, board_id, points, earned, no_client_id, reached_at, recorded_at, improved, day)
            select \(player.rawValue), gen_random_uuid(), \(board.id.rawValue), n, 100, false, t.at, t.at, true,
                   (t.at at time zone 'UTC')::date
              from generate_series(1, \(rows)) n
             cross join lateral (select '2026-01-01T00:00:00Z'::timestamptz + n * interval '20 min' as at) t;
            insert into donation (
              player_id, id, charity_id, points, anonymous, no_client_id, reached_at, recorded_at, day, row_id,
              day_began_at)
            select \(player.rawValue), gen_random_uuid(), (select id from charity), 10, n % 2 = 0, false, t.at, t.at,
                   (t.at at time zone 'UTC')::date,
                   case when n % 2 = 0 then anonymous_row_id(gen_random_uuid()) end,
                   case when n % 2 = 0 then date_trunc('day', t.at, 'UTC') end
              from generate_series(1, \(rows)) n
             cross join lateral (select '2026-01-01T00:00:01Z'::timestamptz + n * interval '20 min' as at) t;
            """)
        _ = try await database.store.admin.repairRollups(by: "a test", now: .noon)
        try await database.owner.script("analyze score, donation, standing, tally, player, wallet")
    }

    /// Runs the statements of actions, so that the session has plans for tables that PostgreSQL knows to be empty.
    private static func plan(_ database: TestDatabase) async throws {
        try await database.owner.script("analyze score_state, donation_state, held_score, correction, merge")
        let eve = try await database.addPlayer("Eve", points: 10)
        _ = try await database.donate(5, by: eve, to: "trees")
        try await database.moderate(.undo(database.moderate(.voidAll(eve, heldOnly: false))))
    }

    @Test("a player with 20,000 scores and donations is voided, and gets them back", .timeLimit(.minutes(3)))
    func void() async throws {
        try await withTestDatabase { database in
            let board = try await database.addBoard("lap")
            try await database.addCharity("trees")
            let ada = try await database.addPlayer("Ada")
            try await Self.plan(database)
            try await Self.lengthen(ada, on: board, database)
            let action = try await database.moderate(.voidAll(ada, heldOnly: false))
            let states = try await database.owner.ask(
                "select (select count(*) from score_state) || ' ' || (select sum(unfunded) from donation_state)")
            #expect(states == ["\(Self.rows) \(Self.rows * 10)"])
            #expect(try await database.auditComplaints() == [])
            try await database.moderate(.undo(action))
            #expect(try await database.owner.ask("select count(*) from score_state") == ["0"])
            #expect(try await database.owner.ask("select count(*) from donation_state") == ["0"])
            #expect(try await database.auditComplaints() == [])
            let own = try await database.store.ownProfile(of: ada, now: .noon).profile
            #expect(own.balance == Int64(Self.rows * 90))
        }
    }

    @Test("a code makes such a player one with another one, and an operator parts them", .timeLimit(.minutes(3)))
    func merge() async throws {
        try await withTestDatabase { database in
            let board = try await database.addBoard("lap")
            try await database.addCharity("trees")
            let (token, others) = (Token.generated(.device).hash, Token.generated(.device).hash)
            let ada = try await database.owner("Ada", token)
            let bob = try await database.owner("Bob", others)
            try await Self.plan(database)
            try await Self.lengthen(ada, on: board, database)
            try await database.post(5, by: bob, on: "lap")
            guard case .joined = try await Self.join("Bob", others, by: database.joinCode(of: token), database) else {
                Issue.record("Bob was not merged")
                return
            }
            #expect(try await database.auditComplaints() == [])
            let action = try #require(try await database.owner.ask("select action from merge").first)
            try await database.moderate(.undo(try #require(UUID(uuidString: action))))
            #expect(try await database.owner.ask("select count(*) from merge") == ["0"])
            #expect(try await database.auditComplaints() == [])
            #expect(try await database.store.ownProfile(of: bob, now: .noon).profile.earned == 5)
        }
    }

    @Test("a code merges no players who have too many scores together, and stays; an operator merges them")
    func tooLong() async throws {
        try await withTestDatabase { database in
            let board = try await database.addBoard("lap")
            let (token, others) = (Token.generated(.device).hash, Token.generated(.device).hash)
            let ada = try await database.owner("Ada", token)
            let bob = try await database.owner("Bob", others)
            try await database.post(5, by: bob, on: "lap")
            try await database.owner.script(
                """
                insert into score (
                  player_id, id, board_id, points, earned, no_client_id, reached_at, recorded_at, improved, day)
                select \(ada.rawValue), gen_random_uuid(), \(board.id.rawValue), 1, 0, false, '2026-11-20T10:00:00Z',
                       '2026-11-20T10:00:00Z', false, '2026-11-20'
                  from generate_series(1, \(Limits.historyOfMergedMax)) n
                """)
            _ = try await database.store.admin.repairRollups(by: "a test", now: .noon)
            let code = try await database.joinCode(of: token)
            #expect(try await Self.join("Bob", others, by: code, database).word == "history-too-long")
            #expect(try await database.owner.ask("select count(*) from merge") == ["0"])
            #expect(try await database.join("pad", by: code) == "joined")
            try await database.moderate(.merge(bob, into: ada))
            #expect(try await database.auditComplaints() == [])
        }
    }

    /// The device of a token joins the player of a code, and merges its own player into that one.
    private static func join(_ device: String, _ token: TokenHash, by code: CodeHash, _ database: TestDatabase)
        async throws -> JoinOutcome
    {
        let joining = Joining(
            try database.hash(device, as: .classic), in: .defaultGame, access: .token(token), by: .code(code),
            number: "pad", name: nil, now: .noon)
        return try await database.store.joinMerging(joining, as: UUID(), marker: nil)
    }
}
