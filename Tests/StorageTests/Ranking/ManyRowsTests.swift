import Domain
import Postgres
import Statements
import TestDatabases
import Testing

@testable import Storage

/// Public reads cost no more if one player has very many rows.
@Suite struct ManyRowsTests {
    private static let scores = 400_000
    private static let donations = 100_000

    @Test("public reads touch few pages, with a player of 400,000 scores and a hidden one of 100,000 donations")
    func bounded() async throws {
        try await withTestDatabase { database in
            try await database.addCharity("trees")
            let (ada, bob) = (try await database.addPlayer("Ada"), try await database.addPlayer("Bob", points: 100))
            try await database.donate(5, by: bob, to: "trees")
            try await database.post(7, by: bob, on: "high-scores")
            let board = try #require(try await database.store.findBoard(.highScores, in: .defaultGame, now: .noon))
            try await database.owner.script(Self.load(board.id.rawValue, ada.rawValue))
            try await database.owner.script("vacuum (analyze)")
            for _ in 1...2 {  // The first call notes the best posts.
                let best = try await database.store.bestPosts(of: board.id, limitRows: 10, now: .noon)
                #expect(best.map(\.points) == (0..<10).map { Int64(Self.scores + 1_000 - $0) })
            }
            let post = try #require(
                try await database.owner.ask("select id from score where player_id = \(ada.rawValue) limit 1").first)
            let reads: [(sql: StaticString, arguments: String, pagesMax: Int)] = [
                (SQL.bestPosts, "\(board.id.rawValue), 10", 500),
                (SQL.bestPostsUnread, "\(board.id.rawValue), 10, 1000, now()", 200),
                (SQL.donationsNewest, "'trees', 50, \(Limits.donationsLookedAt)", 20_000),
                (SQL.donationsNewest, "null, 50, \(Limits.donationsLookedAt)", 20_000),
                (SQL.donationShown, "\(ada.rawValue), '\(post)'", 100),
                (SQL.playerDonationTotals, "\(ada.rawValue), false, \(Limits.ownDonationsAddedUp)", 100),
                (SQL.playerDonationTotals, "77, true, \(Limits.ownDonationsAddedUp)", 20_000),
                (SQL.playerProfile, "\(ada.rawValue), null, false", 100), (SQL.playerBests, "\(ada.rawValue)", 100),
                (SQL.playerScores, "\(ada.rawValue), false, null, null, 101, now()", 2_000),
                (SQL.playerDonations, "\(ada.rawValue), false, null, null, 101", 2_000),
                (SQL.boardPage, "\(board.id.rawValue), null, -9223372036854775808, now(), 0, 0, 0, 101", 500),
                (SQL.charitiesTop, "now()", 100),
                (SQL.scoreDetails, "\(board.id.rawValue), \(Self.rows(1, of: ada)), null", 100),
                (SQL.scoreDetails, "\(board.id.rawValue), \(Self.rows(100, of: ada)), null", 2_500),
            ]
            for read in reads {
                for mode in PlanMode.allCases {
                    let lines = try await database.plan(
                        of: read.sql, read.arguments, in: SessionPresets.general, mode, isRun: true)
                    let pages = Self.pages(lines)
                    #expect(
                        pages <= read.pagesMax,
                        "\(pages): \(read.sql.description.prefix(40)) \(mode)\n\(lines.joined(separator: "\n"))")
                }
            }
            // A hidden player's donations hide those of others only for a short time.
            #expect(try await database.store.newestDonations(to: .of("trees"), limitRows: 50) == [])
            try await database.donate(6, by: bob, to: "trees", at: Instant.noon.advanced(bySeconds: 200_000))
            #expect(try await database.store.newestDonations(to: nil, limitRows: 50).map(\.points) == [6])
        }
    }

    /// The player's best score as many rows of a page, as `score_details.sql` takes them.
    private static func rows(_ count: Int, of player: Player.ID) -> String {
        let reached = "timestamptz '2026-11-20T00:00:00Z' + \(scores) * interval '1 ms'"
        return ["\(player.rawValue)::bigint", "\(1_000 + scores)::bigint", reached].map {
            "array_fill(\($0), array[\(count)])"
        }.joined(separator: ", ")
    }

    /// The pages that a statement touched, from EXPLAIN.
    private static func pages(_ lines: [String]) -> Int {
        guard let line = lines.first(where: { $0.contains("Buffers: shared") }) else { return .max }
        return line.matches(of: /(?:hit|read)=(\d+)/).reduce(0) { $0 + (Int($1.1) ?? 0) }
    }

    private static func load(_ board: Int32, _ player: Int64) -> String {
        """
        insert into score (
          player_id, id, board_id, points, earned, no_client_id, reached_at, recorded_at, improved, day)
        select \(player), gen_random_uuid(), \(board), 1000 + n, 0, false, w.t, w.t, true, '2026-11-20'
          from generate_series(1, \(scores)) n
         cross join lateral (select timestamptz '2026-11-20T00:00:00Z' + n * interval '1 ms') w(t);
        insert into standing (board_id, player_id, points, reached_at, lowest_first)
        values (\(board), \(player), \(1_000 + scores), '2026-11-20T00:10:00Z', false);
        with hidden as (
          insert into player (id, game_id, name, registered_at, hidden)
          select 77, p.game_id, 'Hidden', p.registered_at, true from player p where p.id = \(player)
          returning id
        )
        insert into donation (player_id, id, charity_id, points, anonymous, no_client_id, reached_at, recorded_at, day)
        select h.id, gen_random_uuid(), c.id, 1, false, false, w.t, w.t, '2026-11-20'
          from hidden h cross join charity c cross join generate_series(1, \(donations)) n
         cross join lateral (select timestamptz '2026-11-20T12:00:00Z' + n * interval '1 second') w(t);
        """
    }
}
