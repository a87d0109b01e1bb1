import Domain
import Foundation
import TestDatabases
import Testing

@testable import Storage

/// Campaigns of operators, and when their milestones were reached.
@Suite struct CampaignTests {
    private static func add(
        _ database: TestDatabase, _ subject: NewCampaign.Subject, milestones: [Milestone] = [],
        from first: String = "2026-11-20", to last: String = "2026-11-22"
    ) async throws -> CampaignOutcome {
        let new = try NewCampaign(
            slug: .of("winter"), name: nil, text: nil, subject: subject, firstDay: Day(text: first),
            lastDay: Day(text: last), goal: nil, milestones: milestones)
        return try await database.store.admin.addCampaign(new, now: .noon)
    }

    /// Points and, of the milestones, minutes after noon.
    private static func shown(_ database: TestDatabase) async throws -> String {
        let progress = try await database.store.campaignProgress(of: .of("winter"))
        let noon = Instant.noon.microsecondsSince1970
        let minutes = progress.milestones.map { milestone in
            milestone.reachedAt.map { "\(($0.microsecondsSince1970 - noon) / 60_000_000)" } ?? "-"
        }
        return "\(progress.points) \(progress.contributors): \(minutes.joined(separator: " "))"
    }

    @Test("a milestone is reached at the first moment at which what counts had its points") func milestones()
        async throws
    {
        try await withTestDatabase { database in
            try await database.addCharity("water")
            try await database.addCharity("books")
            let marks = [10, 20, 30].map { Milestone(points: $0, name: "\($0)") }
            #expect(try await Self.add(database, .charity(.of("none"))) == .noCharity)
            #expect(try await Self.add(database, .charity(.of("water")), milestones: marks) == .added)
            #expect(try await Self.add(database, .charity(.of("water"))) == .exists)
            #expect(try await Self.shown(database) == "0 0: - - -")
            let ada = try await database.addPlayer("Ada", points: 100)
            let bob = try await database.addPlayer("Bob", points: 100)
            func at(_ minutes: Int64) -> Instant { Instant.noon.advanced(bySeconds: minutes * 60) }
            let first = UUID()
            try await database.donate(8, by: ada, to: "water", id: first, at: at(1))
            try await database.donate(5, by: bob, to: "water", at: at(2))
            try await database.donate(50, by: bob, to: "books", at: at(3))
            #expect(try await Self.shown(database) == "13 2: 2 - -")
            try await database.donate(7, by: bob, to: "water", at: at(1_441))
            #expect(try await Self.shown(database) == "20 2: 2 1441 -")
            // Beyond the last day it counts no more.
            try await database.donate(30, by: ada, to: "water", at: at(3 * 1_440))
            #expect(try await Self.shown(database) == "20 2: 2 1441 -")
            let reverse = try await database.moderate(.reverse(ada, donation: first, forfeits: false), at: at(1_450))
            #expect(try await Self.shown(database) == "12 1: 1441 - -")
            try await database.donate(9, by: ada, to: "water", at: at(1_460))
            #expect(try await Self.shown(database) == "21 2: 1441 1460 -")
            try await database.moderate(.undo(reverse), at: at(1_470))
            #expect(try await Self.shown(database) == "29 2: 2 1441 -")
            // An anonymous donation counts from 00:00 of its day.
            try await database.donate(1, by: ada, to: "water", isAnonymous: true, at: at(1_480))
            #expect(try await Self.shown(database) == "30 2: 2 1441 1460")
        }
    }

    @Test("a campaign over all charities counts what each received") func all() async throws {
        try await withTestDatabase { database in
            try await database.addCharity("water")
            try await database.addCharity("books", zone: "Pacific/Auckland")
            let marks = [Milestone(points: 10, name: "Ten")]
            #expect(try await Self.add(database, .charity(.overall), milestones: marks) == .added)
            let ada = try await database.addPlayer("Ada", points: 100)
            try await database.donate(8, by: ada, to: "water", at: Instant.noon.advanced(bySeconds: 60))
            try await database.donate(2, by: ada, to: "books", at: Instant.noon.advanced(bySeconds: 120))
            #expect(try await Self.shown(database) == "10 1: 2")
        }
    }

    @Test("what has begun and what is over is fixed") func changes() async throws {
        try await withTestDatabase { database in
            try await database.addBoard("maze")
            let admin = database.store.admin
            let board = NewCampaign.Subject.board(game: .defaultGame, board: .of("maze"))
            #expect(try await Self.add(database, board, from: "2026-11-21") == .added)
            func set(_ now: String, version: String? = nil, _ build: (inout CampaignChange) -> Void) async throws
                -> CampaignOutcome
            {
                var change = CampaignChange()
                build(&change)
                return try await admin.setCampaign(.of("winter"), change, at: version, now: .at(now))
            }
            #expect(try await set("2026-11-20T12:00:00Z") { $0.goal = .set(5) } == .noGoal)
            #expect(try await set("2026-11-20T12:00:00Z") { $0.firstDay = Day(text: "2026-11-20") } == .begun)
            #expect(try await set("2026-11-20T12:00:00Z") { $0.firstDay = Day(text: "2026-11-23") } == .badDays)
            #expect(try await set("2026-11-20T12:00:00Z", version: "0") { $0.name = .of("W") } == .stale)
            #expect(try await set("2026-11-20T12:00:00Z") { $0.firstDay = Day(text: "2026-11-22") } == .set)
            #expect(try await set("2026-11-22T00:00:00Z") { $0.firstDay = Day(text: "2026-11-23") } == .begun)
            #expect(try await set("2026-11-22T00:00:00Z") { $0.lastDay = Day(text: "2026-11-30") } == .set)
            #expect(try await set("2026-11-25T00:00:00Z") { $0.lastDay = Day(text: "2026-11-24") } == .over)
            #expect(try await set("2026-12-01T00:00:00Z") { $0.lastDay = Day(text: "2026-12-02") } == .over)
            #expect(try await set("2026-12-01T00:00:00Z") { $0.name = .of("Past") } == .set)
            let found = try await database.store.findCampaign(.of("winter"))
            #expect(found?.subject == .board(game: .defaultGame, board: .of("maze"), season: 1))
            #expect(found?.days.lowerBound.isoDate == "2026-11-22" && found?.days.upperBound.isoDate == "2026-11-30")
            #expect(found?.name == "Past")
        }
    }
}
