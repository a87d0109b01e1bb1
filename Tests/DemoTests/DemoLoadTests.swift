import Domain
import Postgres
import Storage
import TestDatabases
import Testing

@testable import Demo

@Suite struct DemoLoadTests {
    private func load(players: Int, seed: UInt64 = 1, lanes: Int = 2, into database: TestDatabase) async throws
        -> DemoCounts
    {
        let data = DemoData(players: players, seed: seed, until: .noon)
        return try await DemoLoad(data, into: DemoLoader(database.store)).run(lanes: lanes) { _ in }
    }

    /// A hash of each table's rows, in order.
    private func fingerprint(_ database: TestDatabase) async throws -> [String] {
        var lines: [String] = []
        let tables =
            "game board charity player device avatar score score_note donation wallet tally standing tie team member "
            + "award award_given award_total campaign milestone plan challenge entry stake_share"
        for table in tables.split(separator: " ") {
            lines += try await database.owner.ask(
                "select '\(table) ' || md5(coalesce(string_agg(t::text, ';' order by t::text), '')) from \(table) t")
        }
        return lines
    }

    @Test(
        """
        the books balance, everybody is on the first board, \
        and no transaction is larger than the stream's readers may wait for
        """) func books() async throws
    {
        try await withTestDatabase { database in
            let counts = try await load(players: 3_000, into: database)
            #expect(try await database.auditComplaints() == [])
            let asked = try await database.owner.ask(
                """
                select count(*) from player union all select count(*) from score union all select count(*) from donation
                """)
            #expect(asked.sorted() == ["\(counts.players)", "\(counts.scores)", "\(counts.donations)"].sorted())
            #expect(
                try await database.owner.ask(
                    "select count(*) from standing s join board b on b.id = s.board_id where b.slug = 'high-scores'")
                    == ["3000"])
            let largest = try await database.owner.ask(
                """
                select max(n) from (select count(*) as n from (
                  select xmin::text as x from player union all select xmin::text from tally
                  union all select xmin::text from standing) r group by x) s
                """)
            #expect((largest.first.flatMap { Int($0) }).map { (2_000...10_000).contains($0) } == true)
            #expect(
                try await database.owner.ask(
                    "select count(*) from player p where avatar <> all (select sha256 from avatar)") == ["0"])
            #expect(
                try await database.owner.ask(
                    """
                    select b.slug
                      from score_note n join score s using (player_id, id) join board b on b.id = s.board_id
                     where n.detail::json ->> 'build' like '1.4._'
                     group by 1 having count(*) > 50
                    """) == ["lap-times"])
            let laps = try await database.store.findBoard(.of("lap-times"), in: .of("kestrel-run"), now: .noon)
            let board = try #require(laps)
            let top = try await database.store.top(of: board, days: nil, limitRows: 50)
            let details = try await database.store.details(of: top, on: board.id, asking: nil)
            #expect(board.details == .public && details.count == 50)
            #expect(details.values.contains(nil) && details.values.contains { $0 != nil }, "some scores have one")
            #expect(try await database.owner.ask("select round(count(avatar) * 10.0 / count(*)) from player") == ["7"])
        }
    }

    @Test("friends are friends of both, since a day when both were there, and only where the game has them")
    func friends() async throws {
        try await withTestDatabase { database in
            let counts = try await load(players: 3_000, into: database)
            let owner = database.owner
            #expect(
                try await owner.ask(
                    """
                    select count(*) / 2 from tie t join tie o on (o.player_id, o.other_id) = (t.other_id, t.player_id)
                     where t.says = 'yes' and o.says = 'yes'
                    """) == ["\(counts.friendships)"])
            #expect((1_500..<3_000).contains(counts.friendships), "\(counts.friendships)")
            #expect(
                try await owner.ask(
                    """
                    select count(*) from tie t join player p on p.id = t.player_id join player o on o.id = t.other_id
                     where t.at < p.registered_at or t.at < o.registered_at or t.at >= '\(Instant.noon.rfc3339(.seconds))'
                        or p.game_id <> o.game_id
                    """) == ["0"])
            #expect(
                try await owner.ask(
                    """
                    select g.friends || ' ' || coalesce(string_agg(distinct t.says, ' ' order by t.says), 'nothing')
                      from game g
                      join player p on p.game_id = g.id
                      left join tie t on t.player_id = p.id
                     where g.slug <> 'kestrel-run'
                     group by g.id, g.friends order by g.id
                    """) == ["requests block no yes", "codes yes", "off nothing"])
            let most = try await owner.ask("select max(n) from (select count(*) as n from tie group by player_id) t")
            #expect((most.first.flatMap { Int($0) }).map { (5...11).contains($0) } == true)
        }
    }

    @Test("a third of the players of games with teams are or were in one, on days when it and they were there")
    func teams() async throws {
        try await withTestDatabase { database in
            let counts = try await load(players: 3_000, into: database)
            let owner = database.owner
            func number(_ sql: String) async throws -> Int { Int(try await owner.ask(sql).first ?? "") ?? -1 }
            #expect(try await number("select count(*) from team") == counts.teams)
            #expect((100..<300).contains(counts.teams), "\(counts.teams)")
            let kinds = try await owner.ask(
                """
                select distinct g.slug || (case when t.external is null then ' by players' else ' by the game' end)
                  from team t join game g on g.id = t.game_id order by 1
                """)
            #expect(kinds == ["default by players", "kestrel-run by players", "letter-harbour by the game"])
            let share = try await number(
                "select count(distinct player_id) * 100 / 3000 from member where player_id > 0")
            #expect((30...40).contains(share), "\(share)")
            let sizes = "select count(*) as n from member where last_day is null group by team_id"
            #expect((10...30).contains(try await number("select max(n) from (\(sizes)) s")))
            // A team that players make has one captain, who is in it from its first day on.
            #expect(
                try await number(
                    """
                    select count(*) from team t
                     where (select count(*) from member m
                             where m.team_id = t.id and m.captain and m.first_day = (t.made_at at time zone 'UTC')::date)
                           <> (t.external is null and t.closed_at is null)::int
                    """) == 0)
            #expect(
                try await number(
                    """
                    select count(*) from member m join player p on p.id = m.player_id join team t on t.id = m.team_id
                     where m.first_day < (greatest(p.registered_at, t.made_at) at time zone 'UTC')::date
                        or m.last_day > date '2026-11-21' or p.game_id <> t.game_id
                        or t.closed_at < (m.last_day::timestamp at time zone 'UTC')
                        or exists (select from member o where o.player_id = m.player_id and o.first_day > m.first_day
                                                          and o.first_day <= coalesce(m.last_day, 'infinity'))
                    """) == 0)
            #expect(
                try await number(
                    """
                    select count(*) from team t
                     where (t.closed_at is null) <> exists (select from member m where m.team_id = t.id and m.last_day is null)
                    """) == 0)
            #expect(try await number("select count(*) from team where closed_at is not null") > 0)
            #expect(
                try await number("select count(*) from (select from member group by player_id having count(*) > 1) m")
                    > 10)
            let laps = try #require(
                try await database.store.findBoard(.of("lap-times"), in: .of("kestrel-run"), now: .noon))
            #expect(laps.teams == .best(3) && laps.countries.best == 3 && laps.showsFlags)
            let scores = try #require(try await database.store.findBoard(.highScores, in: .defaultGame, now: .noon))
            #expect(scores.teams == .best(5) && scores.countries.best == 10)
        }
    }

    @Test("the demo has open and settled challenges, plans, awards, and campaigns of all states") func contests()
        async throws
    {
        try await withTestDatabase { database in
            let counts = try await load(players: 3_000, into: database)
            func ask(_ sql: String) async throws -> [String] { try await database.owner.ask(sql) }
            #expect(
                try await ask("select count(*) from challenge union all select count(*) from plan") == [
                    "\(counts.challenges)", "\(counts.plans)",
                ])
            #expect((60...DemoContests.challengesMax + 1).contains(counts.challenges), "\(counts.challenges)")
            #expect((100...200).contains(counts.plans), "\(counts.plans)")
            #expect(
                try await ask("select state from challenge group by state having count(*) > 20 order by state") == [
                    "open", "settled",
                ])
            // Each was invited by a friend, and named a charity if there is a stake.
            let wrong = try await ask(
                """
                select count(*)
                  from entry e join challenge c on c.id = e.contest join player p on p.id = e.player_id
                 where p.registered_at >= c.made_at or e.at < c.made_at
                    or (e.charity_id is not null) <> (c.stake > 0 and e.state = 'entered')
                    or e.player_id <> c.made_by
                       and not exists (select from tie_said(c.made_by, e.player_id) t where t.says = 'yes')
                """)
            #expect(wrong == ["0"])
            #expect(try await ask("select count(*) > 20 from stake_share where gave > 0") == ["true"])
            #expect(try await ask("select count(*) from stake_share where gave is null") == ["0"])
            #expect(try await ask("select count(*) from challenge where state = 'settled' and winners > 0") != ["0"])
            let none = try await ask(
                """
                select a.slug from award a
                 where not exists (select from award_total t where t.award_id = a.id and t.given > 0)
                """)
            // Only in a larger world has somebody of the small game donated to two charities.
            #expect(Set(none).isSubset(of: ["wide-heart"]))
            let campaigns = try await database.store.campaigns()
            #expect(
                Set(campaigns.map { "\($0.slug) \($0.state(at: .noon).rawValue)" }) == [
                    "open-hands open", "tree-month over", "winter-wells coming", "flying-week open",
                ])
            for (slug, reached) in [("open-hands", 2), ("tree-month", 2), ("winter-wells", 0)] {
                let progress = try await database.store.campaignProgress(of: .of(slug))
                #expect(progress.milestones.count { $0.reachedAt != nil } == reached, "\(slug): \(progress)")
            }
        }
    }

    @Test("a larger world has no more challenges and plans") func boundedContests() {
        func counts(_ players: Int) -> [Int] {
            let data = DemoData(players: players, seed: 7, until: .noon)
            var rows = DemoContestRows()
            let charities = data.charities.indices.map { Int32($0) }
            DemoContests(data).addChallenges(on: Board.ID(rawValue: 1), charities: charities, to: &rows)
            DemoContests(data).addPlans(charities: charities, to: &rows)
            return [rows.challengesCount, rows.plansCount]
        }
        #expect(counts(1) == [0, 0] || counts(1) == [0, 1])
        #expect(zip(counts(1_000_000), [DemoContests.challengesMax + 1, 200]).allSatisfy { $0 <= $1 })
    }

    @Test("a quarter of the players of games with flags show one, nearly all the one of where they are from")
    func flags() async throws {
        try await withTestDatabase { database in
            _ = try await load(players: 3_000, into: database)
            let owner = database.owner
            let shares = try await owner.ask(
                """
                select g.slug || ' ' || g.flags || ' ' || count(p.flag) * 100 / count(*)
                  from game g join player p on p.game_id = g.id group by g.id order by g.id
                """
            ).map { $0.split(separator: " ") }
            #expect(shares.count == 4)
            for share in shares {
                let (hasFlags, percent) = (share[1] == "true", Int(share[2]) ?? -1)
                #expect(hasFlags ? (15...33).contains(percent) : percent == 0, "\(share)")
            }
            let codes = try await owner.ask("select distinct flag from player where flag is not null")
            #expect(codes.allSatisfy { CountryFlag($0) != nil } && codes.count > 40)
            #expect(codes.contains { $0.contains("-") })
            #expect(
                try await owner.ask(
                    """
                    select count(*) filter (where left(flag, 2) = country) * 10 / count(*) from player
                     where flag is not null and country is not null
                    """) == ["9"])
        }
    }

    @Test("what a score earned and whether it improved its player's standing is what the board's rules say")
    func rules() async throws {
        try await withTestDatabase { database in
            _ = try await load(players: 600, into: database)
            let wrong = try await database.owner.ask(
                """
                select count(*) from (
                  select s.*, b.policy, b.earns, b.earns_fixed, b.sign, count(*) over w as before,
                         max(s.points * b.sign) over w as best,
                         (array_agg(s.points * b.sign) over w)[count(*) over w] as latest
                    from score s join board b on b.id = s.board_id
                  window w as (partition by s.board_id, s.player_id order by s.reached_at
                               rows between unbounded preceding and 1 preceding)) s
                 where improved <> case when before = 0 then true when policy = 'best' then points * sign > best
                                        when policy = 'latest' then points * sign > latest
                                        else points * sign > 0 end
                    or earned <> case earns when 'points' then points when 'fixed' then earns_fixed else 0 end
                """)
            #expect(wrong == ["0"])
            #expect(try await database.owner.ask("select count(distinct board_id) from score") == ["9"])
            #expect(try await database.owner.ask("select count(*) > 0 from standing where player_id < 0") == ["true"])
        }
    }

    @Test("the same seed, end and number of players make the same rows in every table, however many lanes there are")
    func sameRows() async throws {
        var fingerprints: [[String]] = []
        for (seed, lanes) in [(UInt64(4), 1), (4, 3), (5, 2)] {
            try await withTestDatabase { database in
                _ = try await load(players: 700, seed: seed, lanes: lanes, into: database)
                fingerprints.append(try await fingerprint(database))
            }
        }
        #expect(fingerprints[0] == fingerprints[1])
        #expect(fingerprints[0] != fingerprints[2])
    }

    @Test("one player is enough for sample data") func smallest() async throws {
        try await withTestDatabase { database in
            let counts = try await load(players: 1, into: database)
            #expect(counts.players == 19)
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("no lane waits for a connection that another one has, or that keeps the books open") func connections()
        async throws
    {
        try await withTestDatabase { database in
            var settings = database.server
            settings.session = SessionPresets.loading
            // Whoever had to wait for a connection would be turned away at once.
            let pool = Pool(settings, limits: PoolLimits(connectionsMax: 2, waitMax: .zero), logger: .none)
            var crowded = database
            crowded.store = Store(general: pool, ledger: pool, logger: .none)
            let counts = try await load(players: 1_500, lanes: 4, into: crowded)
            #expect(counts.players > 1_500)
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("a database with players is refused and stays as it is") func refusal() async throws {
        try await withTestDatabase { database in
            _ = try await database.addPlayer("Ada", points: 5)
            let before = try await fingerprint(database)
            await #expect(throws: DemoError.inUse) { try await load(players: 5, into: database) }
            #expect(try await fingerprint(database) == before)
        }
    }

    @Test("so is one whose first board earns otherwise, or where a charity has the name of one of the demo's")
    func otherFixtures() async throws {
        try await withTestDatabase { database in
            try await database.addCharity("sundrel-wells")
            let before = try await fingerprint(database)
            await #expect(throws: DemoError.taken("charity sundrel-wells")) {
                try await load(players: 5, into: database)
            }
            #expect(try await fingerprint(database) == before)
            try await database.owner.script("update board set earn_day = 5 where slug = 'high-scores'")
            await #expect(throws: DemoError.boardChanged) { try await load(players: 5, into: database) }
        }
    }
}
