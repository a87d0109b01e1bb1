import Domain
import Foundation
import Storage
import TestDatabases
import Testing

@testable import Leaderboard

@Suite struct BestPostsTests {
    @Test("the list of best posts is current until a post or a shown name changes, or a repair finds an error")
    func validator() async throws {
        try await withTestDatabase { database in
            let (ada, bob) = (try await database.addPlayer("Ada"), try await database.addPlayer("Bob"))
            let (named, best, least) = (UUID(), UUID(), UUID())
            try await database.post(30, by: ada, on: "high-scores", id: named, name: "Nick")
            try await withFollower(database) { live in
                func list() async throws -> [String] {
                    try await live.rankings.bestPosts().highScores.posts.map { "\($0.name) \($0.points)" }
                }
                func changes(to rows: [String], _ change: () async throws -> Void) async throws {
                    var validator: CacheValidator?
                    try await live.wait("a list that is current") {
                        try await live.catchUp()
                        validator = try await live.rankings.bestPosts().validator
                        return validator.map { live.rankings.isCurrent($0) } ?? false
                    }
                    try await change()
                    try await live.catchUp()
                    let before = try #require(validator)
                    #expect(!live.rankings.isCurrent(before), "\(rows)")
                    #expect(try await list() == rows)
                }
                try await changes(to: ["Nick 30", "Bob 20"]) {
                    try await database.post(20, by: bob, on: "high-scores", id: least)
                }
                // It changes no place: the player's best is better.
                try await changes(to: ["Nick 30", "Ada 25", "Bob 20"]) {
                    try await database.post(25, by: ada, on: "high-scores", id: best)
                }
                try await changes(to: ["Ada 30", "Ada 25", "Bob 20"]) {
                    try await database.moderate(.takeDownNote(ada, score: named))
                }
                try await changes(to: ["Ada 30", "Bob 20"]) { try await database.moderate(.void(ada, score: best)) }
                try await database.owner.script(
                    "insert into score_state values (\(bob.rawValue), '\(least)', 'voided')")
                try await changes(to: ["Ada 30", "Bob 20"]) {
                    _ = try await database.store.admin.repairRollups(by: "cli", now: .noon)
                }
                try await changes(to: ["\(Standing.formerName) 30", "Bob 20"]) {
                    try await database.moderate(.erase(ada, confirming: "Ada"))
                }
                try await changes(to: ["\(Standing.formerName) 30"]) { try await database.moderate(.hide(bob)) }
            }
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("once many posts are old their ten best are noted, and forgotten when a score no longer counts") func noted()
        async throws
    {
        try await withTestDatabase { database in
            let ada = try await database.addPlayer("Ada")
            let board = try #require(try await database.store.findBoard(.highScores, in: .defaultGame, now: .noon))
            try await database.post(5, by: ada, on: "high-scores")
            try await database.owner.script(
                """
                insert into score (player_id, id, board_id, points, earned, no_client_id, reached_at, recorded_at,
                                   improved, day)
                select s.player_id, gen_random_uuid(), s.board_id, n, 0, false, s.reached_at, s.recorded_at, false,
                       s.day
                  from score s cross join generate_series(100, 1200) n
                """)
            func list(minutes: Int64) async throws -> [Int64] {
                let now = Instant.noon.advanced(bySeconds: minutes * 60)
                return try await database.store.bestPosts(of: board.id, limitRows: 10, now: now).map(\.points)
            }
            func noted() async throws -> [String] {
                try await database.owner.ask(
                    """
                    select string_agg(s.points::text, ' ' order by i.n)
                      from best_posts k cross join unnest(k.ids) with ordinality i(id, n) join score s on s.id = i.id
                     group by k.player_id
                    """)
            }
            let best = (1_191...1_200).reversed().map { Int64($0) }
            #expect(try await list(minutes: 5) == best)
            #expect(try await noted() == [], "a post of these minutes may not be committed yet")
            #expect(try await list(minutes: 30) == best)
            #expect(try await noted() == [best.map(\.description).joined(separator: " ")])
            #expect(try await list(minutes: 30) == best)
            try await database.post(1_195, by: ada, on: "high-scores", at: .noon.advanced(bySeconds: 3_000))
            #expect(try await list(minutes: 60) == [1_200, 1_199, 1_198, 1_197, 1_196, 1_195] + best[5...].dropLast())
            let first = try await database.owner.ask("select id from score where points = 1200").first
            let voided = try #require(first.flatMap { UUID(uuidString: $0) })
            try await database.moderate(.void(ada, score: voided))
            #expect(try await noted() == [])
            #expect(try await list(minutes: 60).first == 1_199)
            #expect(try await database.auditComplaints() == [])
        }
    }
}
