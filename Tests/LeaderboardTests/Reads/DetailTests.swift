import Domain
import Foundation
import Storage
import TestDatabases
import Testing

@testable import Leaderboard

@Suite struct DetailTests {
    private static let laps = Rankings.Subject.score(game: .defaultGame, board: .of("laps"), season: nil)

    /// The rows that everybody is shown, with their validator.
    private func read(_ live: LiveRankings, _ window: Window = .all) async throws -> (Ranking, CacheValidator?) {
        let versions = live.rankings.versions
        let board = try #require(try await live.rankings.findBoard(Self.laps))
        let validator = try await live.rankings.validator(of: board, window: window, days: nil, since: versions)
        let ranking = try await live.rankings.ranking(
            of: board, window: window, days: nil, pageRequest: .top, limitRows: 50, includesTotal: true,
            includesDetails: true)
        return (ranking, ranking.awaitsDetails ? nil : validator)
    }

    @Test("rows with details are current until a score, a detail or the setting changes", arguments: ["all", "month"])
    func validator(_ name: String) async throws {
        let window = try #require(Window(name))
        try await withTestDatabase { database in
            try await database.addBoard("laps") { ($0.policy, $0.details) = (.latest, .public) }
            let (ada, bob) = (try await database.addPlayer("Ada"), try await database.addPlayer("Bob"))
            let id = UUID()
            try await database.post(9, by: ada, on: "laps", detail: "1")
            try await withFollower(database, now: { .noon }) { live in
                func changes(to details: [String?], _ change: () async throws -> Void) async throws {
                    var validator: CacheValidator?
                    try await live.wait("rows that are current") {
                        try await live.catchUp()
                        validator = try await read(live, window).1
                        return validator.map { live.rankings.isCurrent($0) } ?? false
                    }
                    try await change()
                    try await live.catchUp()
                    let before = try #require(validator)
                    #expect(!live.rankings.isCurrent(before), "\(details)")
                    #expect(try await read(live, window).0.rows.map(\.detail) == details)
                }
                try await changes(to: ["1", "2"]) { try await database.post(5, by: bob, on: "laps", detail: "2") }
                // The same points a moment later are another score.
                try await changes(to: ["3", "2"]) {
                    let later = Instant.noon.advanced(bySeconds: 1)
                    try await database.post(9, by: ada, on: "laps", id: id, detail: "3", at: later)
                }
                try await changes(to: [nil, "2"]) { try await database.moderate(.takeDownNote(ada, score: id)) }
                try await changes(to: ["1", "2"]) { try await database.moderate(.void(ada, score: id)) }
                try await changes(to: [nil, "2"]) { try await database.moderate(.erase(ada, confirming: "Ada")) }
                try await changes(to: [nil, nil]) {
                    var change = BoardChange()
                    change.details = .private
                    let outcome = try await database.store.admin.setBoard(
                        .of("laps"), in: .defaultGame, change, now: .noon)
                    #expect(outcome == .set)
                }
            }
        }
    }

    @Test("rows in memory whose scores SQL does not show yet are not kept") func early() async throws {
        try await withTestDatabase { database in
            try await database.addBoard("laps") { $0.details = .public }
            let ada = try await database.addPlayer("Ada")
            try await database.post(9, by: ada, on: "laps", detail: "1")
            try await withFollower(database, now: { .noon }) { live in
                try await live.catchUp()
                #expect(try await read(live).0.awaitsDetails == false)
                // As if the stream had brought the commit and SQL did not show it yet.
                try await database.owner.script("update standing set points = 10")
                try await live.catchUp()
                let (ranking, validator) = try await read(live)
                #expect(ranking.rows.map(\.points) == [10] && ranking.rows.map(\.detail) == [nil])
                #expect(ranking.awaitsDetails && validator == nil)
            }
        }
    }

    @Test("a moderation action is seen at once, also if a reader took the old detail under the newest version")
    func acknowledged() async throws {
        try await withTestDatabase { database in
            try await database.addBoard("laps") { $0.details = .public }
            try await withFollower(database, now: { .noon }) { live in
                let validator = try await live.wait(for: "a current validator") {
                    try await live.catchUp()
                    let validator = try await read(live).1
                    return validator.flatMap { live.rankings.isCurrent($0) ? $0 : nil }
                }
                live.memory.standings.noteCorrection()
                #expect(!live.rankings.isCurrent(validator))
            }
        }
    }

    @Test("a page has the details of its first rows, as many as fit, and those of a private board have none")
    func bounds() async throws {
        try await withTestDatabase { database in
            let long = "\"\(String(repeating: "x", count: 998))\""
            let fitting = Limits.detailsOfPageBytesMax / long.utf8.count
            try await database.addBoard("laps") { $0.details = .public }
            try await database.addBoard("quiet")
            for n in 0..<(fitting + 2) {
                let player = try await database.addPlayer("P\(n)")
                let detail = n == fitting + 1 ? "1" : long
                for board in ["laps", "quiet"] {
                    try await database.post(Int64(100 - n), by: player, on: board, detail: detail)
                }
            }
            let rankings = Rankings(
                store: database.store, clock: ServerClock { .noon }, memory: LeaderboardMemory(store: database.store))
            func rows(_ slug: String, _ includesDetails: Bool) async throws -> [Standing] {
                let subject = Rankings.Subject.score(game: .defaultGame, board: .of(slug), season: nil)
                let board = try #require(try await rankings.findBoard(subject))
                return try await rankings.ranking(
                    of: board, window: .all, days: nil, pageRequest: .top, limitRows: 100, includesTotal: false,
                    includesDetails: includesDetails
                ).rows
            }
            let details = try await rows("laps", true).map(\.detail)
            #expect(details == Array(repeating: long, count: fitting) + [nil, nil])
            #expect(try await rows("laps", false).allSatisfy { $0.detail == nil })
            #expect(try await rows("quiet", true).allSatisfy { $0.detail == nil })
        }
    }
}
