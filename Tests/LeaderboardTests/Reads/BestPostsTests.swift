import Domain
import Foundation
import Storage
import TestDatabases
import Testing

@testable import Leaderboard

@Suite struct BestPostsTests {
    @Test("the list of best posts is current until a post or a shown name changes")
    func validator() async throws {
        try await withTestDatabase { database in
            let (ada, bob) = (try await database.addPlayer("Ada"), try await database.addPlayer("Bob"))
            let (named, best) = (UUID(), UUID())
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
                    try await database.post(20, by: bob, on: "high-scores")
                }
                // It changes no place: the player's best is better.
                try await changes(to: ["Nick 30", "Ada 25", "Bob 20"]) {
                    try await database.post(25, by: ada, on: "high-scores", id: best)
                }
                try await changes(to: ["Ada 30", "Ada 25", "Bob 20"]) {
                    try await database.act(.takeDownNote(ada, score: named))
                }
                try await changes(to: ["Ada 30", "Bob 20"]) {
                    try await database.act(.void(ada, score: best))
                }
                try await changes(to: ["\(Standing.formerName) 30", "Bob 20"]) {
                    try await database.act(.erase(ada, confirming: "Ada"))
                }
                try await changes(to: ["\(Standing.formerName) 30"]) { try await database.act(.hide(bob)) }
            }
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("only a player's ten best posts are stored, and the next one replaces a voided one")
    func kept() async throws {
        try await withTestDatabase { database in
            let ada = try await database.addPlayer("Ada")
            let board = try #require(try await database.store.findBoard(.highScores, in: .defaultGame, now: .noon))
            var ids: [Int64: UUID] = [:]
            for points in (1...25).map({ Int64($0 * 7 % 26) }) {
                let id = UUID()
                ids[points] = id
                try await database.post(points, by: ada, on: "high-scores", id: id)
            }
            func kept() async throws -> [Int64] {
                try await database.owner.ask("select points from best_post order by points desc").compactMap {
                    Int64($0)
                }
            }
            #expect(try await kept() == (16...25).reversed())
            let best = try #require(ids[25])
            try await database.act(.void(ada, score: best))
            #expect(try await kept() == (15...24).reversed())
            #expect(
                try await database.store.bestPosts(of: board.id, limitRows: 10).map(\.points) == (15...24).reversed()
            )
            #expect(try await database.auditComplaints() == [])
        }
    }
}
