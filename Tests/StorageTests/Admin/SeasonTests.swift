import Domain
import Foundation
import Synchronization
import TestDatabases
import Testing

@testable import Storage

@Suite struct SeasonTests {
    @Test("the next season has the settings of the one that ends, and nobody on it; the old one stays readable")
    func reset() async throws {
        try await withTestDatabase { database in
            let store = database.store
            let old = try await database.addBoard("race") { board in
                board.policy = .sum
                board.lowestFirst = true
                board.bounds = -5...500
                board.zone = "Asia/Tokyo"
                board.ties = .shared
                board.earning = .fixed(3)
                board.earnMax = 4
                board.earnDay = 5
            }
            let ada = try await database.addPlayer("Ada")
            let id = UUID()
            #expect(try await database.post(7, by: ada, on: "race", id: id).board == old.id)
            var change = BoardChange()
            change.trust = .signed
            #expect(try await store.admin.setBoard(.of("race"), in: .defaultGame, change, now: .noon) == .set)
            let before = try #require(try await store.admin.boards(of: .defaultGame).first { $0.slug == "race" })
            let end = Instant.noon.advanced(bySeconds: 60)
            #expect(try await store.resetBoard(.of("race"), in: .defaultGame, now: end) == 2)
            let after = try #require(try await store.admin.boards(of: .defaultGame).first { $0.slug == "race" })
            #expect(before.season == 1 && after.season == 2)
            func settings(_ board: BoardListing) -> [String] {
                BoardChange.settings.map { "\($0.content(of: board.settings))" }
            }
            #expect(settings(before) == settings(after) && before.kind == after.kind && after.trust == .signed)
            change.trust = .open
            #expect(try await store.admin.setBoard(.of("race"), in: .defaultGame, change, now: .noon) == .set)

            let new = try #require(try await store.findBoard(.of("race"), in: .defaultGame, now: end))
            #expect(new.id != old.id && new.endedAt == nil)
            #expect(try await store.size(of: new.id, days: nil) == 0)
            #expect(
                try await store.findPublicProfile(of: ada)?.bests.isEmpty == true,
                "nobody stands on the season that is played")
            let first = try #require(try await store.findBoard(.of("race"), in: .defaultGame, season: 1, now: end))
            #expect(first.id == old.id && first.endedAt == end)
            #expect(try await store.top(of: first, days: nil, limitRows: 9).map(\.points) == [7])

            // A retry belongs to the season in which the score was recorded, and a new post to the current one.
            let retry = try await database.post(7, by: ada, on: "race", id: id, at: end)
            #expect(retry.outcome == .retry && retry.board == old.id && retry.best == 7)
            #expect(try await database.post(8, by: ada, on: "race", at: end).board == new.id)
            #expect(
                try await store.findScore(id, of: ada, on: .of("race"), in: .defaultGame, now: .noon)?.score.season == 1
            )
            #expect(try await store.findPublicProfile(of: ada)?.bests.map(\.points) == [8])
            #expect(try await store.scores(of: ada, before: nil, limitRows: 9, now: .noon).map(\.season) == [2, 1])
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test(
        "a board that has closed is not reset; what opens or closes later is kept, what opened before is not said again"
    ) func times() async throws {
        try await withTestDatabase { database in
            let (early, late) = (Instant.noon.advanced(bySeconds: -60), Instant.noon.advanced(bySeconds: 60))
            try await database.addBoard("closed") { $0.closesAt = .noon }
            try await database.addBoard("open") { ($0.opensAt, $0.closesAt) = (early, late) }
            try await database.addBoard("soon") { $0.opensAt = late }
            func reset(_ slug: String) async throws -> Int32? {
                try await database.store.resetBoard(.of(slug), in: .defaultGame, now: .noon)
            }
            let closed = ModerationAction(
                .reset(game: .defaultGame, board: .of("closed")), id: UUID(), reason: .nextSeason)
            #expect(try await database.store.admin.perform(closed, by: "cli", now: .noon) == .boardClosed)
            #expect(try await database.owner.ask("select count(*) from board where slug = 'closed'") == ["1"])
            var change = BoardChange()
            change.closesAt = .set(late)
            #expect(
                try await database.store.admin.setBoard(.of("closed"), in: .defaultGame, change, now: .noon) == .set)
            for slug in ["closed", "open", "soon"] { #expect(try await reset(slug) == 2) }
            let boards = try await database.store.admin.boards(of: .defaultGame).filter { $0.season == 2 }
            #expect(boards.map(\.slug) == ["closed", "open", "soon"])
            #expect(boards.map(\.opensAt) == [nil, nil, late] && boards.map(\.closesAt) == [late, late, nil])
        }
    }

    @Test("only score boards have seasons, and only of the game that is named") func others() async throws {
        try await withTestDatabase { database in
            _ = try await database.addGame("maze")
            try await database.addCharity("trees")
            for (slug, game) in [
                (Slug.of("trees"), Slug.defaultGame), (.of("charities"), .defaultGame), (.highScores, .of("maze")),
                (.highScores, .of("nowhere")),
            ] { #expect(try await database.store.resetBoard(slug, in: game, now: .noon) == nil) }
            #expect(
                try await database.owner.ask(
                    "select count(*) from board where season > 1 or season_ended_at is not null") == ["0"])
        }
    }

    @Test("a reset waits for a post that is under way") func waits() async throws {
        try await withTestDatabase { database in
            // This holds the table until it commits, as a post does. It fails if no other transaction comes to wait.
            async let post: Void = database.owner.script(
                """
                do $$ begin
                  lock table tally in row exclusive mode;
                  for turn in 1..1000 loop
                    if exists (select from pg_locks
                                where database = (select oid from pg_database
                                                  where datname = current_database())
                                  and relation = 'tally'::regclass and mode = 'ShareRowExclusiveLock'
                                  and not granted) then
                      return;
                    end if;
                    perform pg_sleep(0.01);
                  end loop;
                  raise exception 'the reset did not wait';
                end $$
                """)
            try await database.owner.script(
                """
                do $$ begin
                  for turn in 1..1000 loop
                    if exists (select from pg_locks
                                where database = (select oid from pg_database
                                                  where datname = current_database())
                                  and relation = 'tally'::regclass and mode = 'RowExclusiveLock' and granted) then
                      return;
                    end if;
                    perform pg_sleep(0.01);
                  end loop;
                  raise exception 'there is no post to wait for';
                end $$
                """)
            #expect(try await database.store.resetBoard(.highScores, in: .defaultGame, now: .noon) == 2)
            try await post
        }
    }

    @Test("whoever posts once a season has begun is on it, however many post meanwhile") func racing() async throws {
        try await withTestDatabase { database in
            var players: [Player.ID] = []
            for index in 0..<4 { players.append(try await database.addPlayer("p\(index)")) }
            let begun = Begun()
            let late = try await withThrowingTaskGroup(of: Int.self) { tasks in
                for player in players {
                    tasks.addTask {
                        var late = 0
                        for points in 1...60 as ClosedRange<Int64> {
                            let season = begun.season.withLock { $0 }
                            let id = UUID()
                            let receipt = try await database.post(points, by: player, on: "high-scores", id: id)
                            guard receipt.outcome == .recorded else { throw TestDatabaseError("\(receipt.outcome)") }
                            let kept = try await database.store.findScore(
                                id, of: player, on: .highScores, in: .defaultGame, now: .noon)
                            if (kept?.score.season ?? 0) < season { late += 1 }
                        }
                        return late
                    }
                }
                tasks.addTask {
                    for season in 2...8 as ClosedRange<Int32> {
                        guard try await database.store.resetBoard(.highScores, in: .defaultGame, now: .noon) == season
                        else { throw TestDatabaseError("season \(season)") }
                        begun.season.withLock { $0 = season }
                    }
                    return 0
                }
                return try await tasks.reduce(0, +)
            }
            #expect(late == 0)
            #expect(try await database.owner.ask("select count(*) from score") == ["240"])
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("eight resets at once begin eight seasons, one after the other") func many() async throws {
        try await withTestDatabase { database in
            let seasons = try await together(8) { _ in
                try await database.store.resetBoard(.highScores, in: .defaultGame, now: .noon)
            }
            #expect(seasons.allSatisfy { $0 != nil })
            #expect(
                try await database.owner.ask(
                    "select season from board where slug = 'high-scores' and season_ended_at is null") == ["9"])
        }
    }
}

/// The newest season that is known to have begun.
private final class Begun: Sendable { let season = Mutex<Int32>(1) }
