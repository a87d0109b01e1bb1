import Credentials
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

    @Test(
        "the next season begins with the first moment of a day of the zone, also where clocks change",
        arguments: [
            ("UTC", "2026-11-20T12:00:00Z"), ("Europe/Berlin", "2026-10-24T06:00:00Z"),
            ("Europe/Berlin", "2026-03-28T06:00:00Z"), ("America/Havana", "2026-10-31T06:00:00Z"),
            ("America/Havana", "2026-03-07T06:00:00Z"), ("Asia/Beirut", "2026-03-28T06:00:00Z"),
            ("Pacific/Kiritimati", "2026-11-28T06:00:00Z"), ("Pacific/Pago_Pago", "2026-11-28T06:00:00Z"),
            ("Australia/Lord_Howe", "2026-10-03T06:00:00Z"), ("Asia/Kathmandu", "2026-11-28T06:00:00Z"),
            ("America/St_Johns", "2026-10-31T06:00:00Z"), ("Pacific/Auckland", "2026-04-04T06:00:00Z"),
        ]) func midnights(_ name: String, _ start: String) async throws
    {
        try await withTestDatabase { database in
            let (zone, begin) = (try #require(TimeZone(identifier: name)), Instant.at(start))
            for every in Board.SeasonInterval.allCases {
                try await database.addBoard(every.rawValue) { board in
                    board.zone = name
                    board.seasonEvery = every
                }
            }
            // The boards were added at noon of another day, so each begins at this moment.
            for every in Board.SeasonInterval.allCases {
                var change = BoardChange()
                change.seasonEvery = Board.SeasonInterval.none
                let slug = Slug.of(every.rawValue)
                #expect(try await database.store.admin.setBoard(slug, in: .defaultGame, change, now: begin) == .set)
                change.seasonEvery = every
                #expect(try await database.store.admin.setBoard(slug, in: .defaultGame, change, now: begin) == .set)
            }
            var calendar = Calendar(identifier: .iso8601)
            calendar.timeZone = zone
            func date(_ instant: Instant) -> DateComponents {
                calendar.dateComponents(
                    [.year, .month, .day, .weekday],
                    from: Date(timeIntervalSince1970: Double(instant.microsecondsSince1970) / 1e6))
            }
            var newest = date(begin).day
            for quarter in 1...(4 * 24 * 3) as ClosedRange<Int64> {
                let now = begin.advanced(bySeconds: quarter * 900)
                let due = try await database.store.admin.dueSeasons(now)
                let today = date(now)
                // Where clocks go back over midnight, its day has begun before.
                let hasBegun = today.day != newest && (today.day ?? 0) != (newest ?? 0) - 1
                var wanted: [String] = []
                if hasBegun {
                    newest = today.day
                    wanted = ["day"]
                    if today.weekday == 2 { wanted.append("week") }
                    if today.day == 1 { wanted.append("month") }
                }
                #expect(due.map(\.slug.description).sorted() == wanted.sorted(), "\(now.rfc3339(.seconds))")
                for season in due { try await Self.begin(after: season, database, now: now) }
                #expect(try await database.store.admin.dueSeasons(now).isEmpty)
            }
        }
    }

    @Test(
        "seasons that should have ended while no server ran end once, and no season that somebody began ends with them")
    func away() async throws {
        try await withTestDatabase { database in
            try await database.addBoard("daily") { $0.seasonEvery = .day }
            try await database.addBoard("closed") {
                ($0.seasonEvery, $0.closesAt) = (.day, Instant.noon.advanced(bySeconds: 60))
            }
            try await database.addBoard("soon") {
                ($0.seasonEvery, $0.opensAt) = (.day, Instant.noon.advanced(bySeconds: 30 * 86_400))
            }
            let later = Instant.noon.advanced(bySeconds: 5 * 86_400)
            let due = try await database.store.admin.dueSeasons(later)
            #expect(due.map(\.slug) == [.of("daily")] && due.map(\.season) == [1])
            // Four processes see the same.
            let outcomes = try await together(4) { _ in try await Self.begin(after: due[0], database, now: later) }
            #expect(outcomes.count { if case .done = $0 { true } else { false } } == 1)
            #expect(try await database.store.admin.dueSeasons(later).isEmpty)
            let listing = try #require(
                try await database.store.admin.boards(of: .defaultGame).first { $0.slug == "daily" })
            #expect(listing.season == 2 && listing.nextSeasonOn == later.dayInUTC.advanced(byDays: 1))
            // Somebody else began a season after the process had looked.
            let tomorrow = later.advanced(bySeconds: 86_400)
            let stale = try await database.store.admin.dueSeasons(tomorrow)
            #expect(try await database.store.resetBoard(.of("daily"), in: .defaultGame, now: tomorrow) == 3)
            guard case .noBoard = try await Self.begin(after: try #require(stale.first), database, now: tomorrow) else {
                Issue.record("another season has ended")
                return
            }
        }
    }

    @Test("of each season that has ended the first three are shown, ties are seen, and hidden players are not")
    func winners() async throws {
        try await withTestDatabase { database in
            try await database.addBoard("race") { $0.ties = .shared }
            var players: [Player.ID] = []
            for name in ["Ada", "Bob", "Cy", "Di", "Eve"] { players.append(try await database.addPlayer(name)) }
            for (index, points) in [9, 7, 7, 7, 10].enumerated() {
                try await database.post(
                    Int64(points), by: players[index], on: "race", at: .noon.advanced(bySeconds: Int64(index)))
            }
            try await database.moderate(.hide(players[4]))
            for season in 2...4 as ClosedRange<Int32> {
                let now = Instant.noon.advanced(bySeconds: Int64(season) * 60)
                #expect(try await database.store.resetBoard(.of("race"), in: .defaultGame, now: now) == season)
            }
            let all = try await database.store.pastSeasons(of: .of("race"), in: .defaultGame, from: nil, seasonsMax: 5)
            #expect(all.seasons.map(\.number) == [3, 2, 1] && all.next == nil)
            #expect(all.seasons[0].winners.isEmpty && all.seasons[2].winners.map(\.name) == ["Ada", "Bob", "Cy"])
            #expect(all.seasons[2].ranks.map(\.number) == [1, 2, 2] && all.seasons[2].ranks[2].isTied)
            let page = try await database.store.pastSeasons(of: .of("race"), in: .defaultGame, from: 2, seasonsMax: 1)
            #expect(page.seasons.map(\.number) == [2] && page.next == 1)
        }
    }

    @discardableResult private static func begin(after season: DueSeason, _ database: TestDatabase, now: Instant)
        async throws -> ModerationOutcome
    {
        let action = ModerationAction(
            .reset(game: season.game, board: season.slug, season: season.season),
            id: UUID(name: "season|\(season.board.rawValue)"), reason: .nextSeason)
        return try await database.store.admin.perform(action, by: "server", now: now)
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
