import Domain
import Foundation
import TestDatabases
import Testing

@testable import Storage

/// The days of a contest: in zones with days of 23, 24 or 25 hours, and in a season that ends before the last day.
@Suite struct ContestDayTests {
    /// A zone, a day of it, its first moment, and the first one after it.
    private static let days = [
        ("Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"),
        ("Europe/Berlin", "2026-10-25", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"),
        ("Pacific/Auckland", "2026-09-27", "2026-09-26T12:00:00Z", "2026-09-27T11:00:00Z"),
        ("Pacific/Auckland", "2026-04-05", "2026-04-04T11:00:00Z", "2026-04-05T12:00:00Z"),
        ("Asia/Kathmandu", "2026-11-20", "2026-11-19T18:15:00Z", "2026-11-20T18:15:00Z"),
        ("America/St_Johns", "2026-03-08", "2026-03-08T03:30:00Z", "2026-03-09T02:30:00Z"),
        ("America/St_Johns", "2026-11-01", "2026-11-01T02:30:00Z", "2026-11-02T03:30:00Z"),
    ]

    private static func last(before end: Instant) -> Instant {
        Instant(microsecondsSince1970: end.microsecondsSince1970 - 1)
    }

    private static func campaign(
        _ slug: String, over subject: NewCampaign.Subject, from first: String, to last: String,
        milestones: [Int64] = [], _ database: TestDatabase
    ) async throws -> Campaign {
        let new = try NewCampaign(
            slug: .of(slug), name: nil, text: nil, subject: subject, firstDay: Day(text: first),
            lastDay: Day(text: last), goal: nil, milestones: milestones.map { Milestone(points: $0, name: "\($0)") })
        #expect(try await database.store.admin.addCampaign(new, now: .noon) == .added)
        return try #require(try await database.store.findCampaign(.of(slug)))
    }

    @Test("a campaign counts the donations and scores of its days", arguments: days) func campaigns(
        zone: String, day: String, begins: String, ends: String
    ) async throws {
        try await withTestDatabase { database in
            let (begin, end) = (Instant.at(begins), Instant.at(ends))
            try await database.addCharity("water", zone: zone)
            let derby = try await database.addBoard("derby") { ($0.zone, $0.policy) = (zone, .sum) }
            let campaign = try await Self.campaign(
                "of-water", over: .charity(.of("water")), from: day, to: day, milestones: [1, 18, 19, 22, 23], database)
            #expect(campaign.span == begin..<end)
            let board = NewCampaign.Subject.board(game: .defaultGame, board: .of("derby"))
            let onDerby = try await Self.campaign("on-derby", over: board, from: day, to: day, database)
            #expect(onDerby.span == begin..<end)
            let ada = try await database.addPlayer("Ada", points: 100)
            let (before, last) = (Self.last(before: begin), Self.last(before: end))
            for (points, at) in [(1, before), (2, begin), (4, last), (8, end)] as [(Int64, Instant)] {
                try await database.donate(points, by: ada, to: "water", at: at)
                try await database.post(points, by: ada, on: "derby", at: at)
            }
            // It counts from the first moment of its day.
            try await database.donate(16, by: ada, to: "water", isAnonymous: true, at: last)
            let progress = try await database.store.campaignProgress(of: .of("of-water"))
            #expect(progress.points == 22 && progress.contributors == 1)
            #expect(progress.milestones.map(\.reachedAt) == [begin, begin, last, last, nil])
            #expect(try await database.store.top(of: derby, days: onDerby.days, limitRows: 9).map(\.points) == [6])
            #expect([before, begin, last, end].map { campaign.state(at: $0) } == [.coming, .open, .open, .over])
        }
    }

    @Test("a challenge counts the scores of its days, and is settled after them", arguments: days) func challenges(
        zone: String, day: String, begins: String, ends: String
    ) async throws {
        try await withTestDatabase { database in
            let (begin, end) = (Instant.at(begins), Instant.at(ends))
            _ = try await database.allowChallenges()
            try await database.owner.script("update board set zone = '\(zone)' where slug = 'derby'")
            let people = try await database.friends("Ada", "Bob")
            let (ada, bob) = (people[0], people[1])
            let (until, from, after) = (UUID(), UUID(), UUID())
            let before = Self.last(before: begin)
            for (id, now) in [(until, before), (from, begin), (after, end)] {
                #expect(try await database.challenge([bob], by: ada, id: id, now: now) == .made)
                #expect(try await database.enter(id, bob, now: now) == .entered)
            }
            func span(_ id: UUID) async throws -> Range<Instant>? {
                try await database.findChallenge(id, ada, now: end)?.span
            }
            #expect(try await span(until)?.upperBound == end)
            #expect(try await span(from)?.lowerBound == begin)
            #expect(try await span(after)?.lowerBound == end)
            try await database.post(4, by: bob.player, on: "derby", at: before)
            try await database.post(5, by: ada.player, on: "derby", at: Self.last(before: end))
            try await database.post(9, by: bob.player, on: "derby", at: end)
            func points(_ id: UUID) async throws -> [String] {
                try await database.store.entrants(of: id, asking: nil, now: end).map {
                    "\($0.player.name) \($0.result.map { "\($0.points)" } ?? "-")"
                }
            }
            #expect(try await points(until) == ["Ada 5", "Bob 4"])
            #expect(try await points(from) == ["Bob 9", "Ada 5"])
            #expect(try await points(after) == ["Bob 9", "Ada -"])
            #expect(try await database.settleChallenges(now: end.advanced(bySeconds: 599)) == 0)
            #expect(try await database.settleChallenges(now: end.advanced(bySeconds: 600)) == 1)
            let winners = try await database.store.entrants(of: until, asking: nil, now: end).filter(\.hasWon)
            #expect(winners.map(\.player.name) == ["Ada"])
        }
    }

    @Test("awards count the days of the board's zone", arguments: days) func awards(
        zone: String, day: String, begins: String, ends: String
    ) async throws {
        try await withTestDatabase { database in
            let (begin, end) = (Instant.at(begins), Instant.at(ends))
            try await database.addBoard("derby") { ($0.zone, $0.policy) = (zone, .sum) }
            for points in [10, 11, 12] as [Int64] {
                let rule = AwardRule.points(board: .of("derby"), season: nil, window: .day, atLeast: points)
                try await database.addAward("points-\(points)", rule)
            }
            for count in [2, 3, 4] as [Int64] {
                try await database.addAward("days-\(count)", .streak(board: .of("derby"), atLeast: count))
            }
            let ada = try await database.addPlayer("Ada")
            let last = Self.last(before: end)
            for (points, at) in [(7, Self.last(before: begin)), (5, begin), (6, last), (7, end)] as [(Int64, Instant)] {
                try await database.post(points, by: ada, on: "derby", at: at)
            }
            try await database.decideAwards(of: [ada])
            let (first, late) = (begin.rfc3339(.seconds), last.rfc3339(.seconds))
            #expect(
                try await database.awards(of: ada).sorted() == [
                    "days-2 \(first)", "days-3 \(end.rfc3339(.seconds))", "points-10 \(late)", "points-11 \(late)",
                ])
        }
    }

    @Test("a campaign is over when its board's season ends, on schedule or by hand", arguments: [false, true])
    func seasons(isScheduled: Bool) async throws {
        try await withTestDatabase { database in
            let derby = try await database.addBoard("derby") { $0.seasonEvery = .day }
            let subject = NewCampaign.Subject.board(game: .defaultGame, board: .of("derby"))
            func add(_ slug: String, from first: String) async throws {
                _ = try await Self.campaign(slug, over: subject, from: first, to: "2026-11-25", database)
            }
            try await add("running", from: "2026-11-20")
            try await add("coming", from: "2026-11-23")
            let ada = try await database.addPlayer("Ada")
            try await database.post(5, by: ada, on: "derby", at: Instant.noon.advanced(bySeconds: 60))
            let end = isScheduled ? Instant.at("2026-11-21T00:00:02Z") : Instant.noon.advanced(bySeconds: 3_600)
            if isScheduled {
                let due = try #require(try await database.store.admin.dueSeasons(end).first)
                let reset = ModerationAction(
                    .reset(game: due.game, board: due.slug, season: due.season), id: UUID(), reason: .nextSeason)
                _ = try await database.store.admin.perform(reset, by: "server", now: end)
            } else {
                #expect(try await database.store.resetBoard(.of("derby"), in: .defaultGame, now: end) == 2)
            }
            try await database.post(9, by: ada, on: "derby", at: end.advanced(bySeconds: 60))
            try await add("next", from: "2026-11-20")
            let campaigns = try await database.store.campaigns().reduce(into: [Slug: Campaign]()) { $0[$1.slug] = $1 }
            let (running, coming) = (campaigns[.of("running")], campaigns[.of("coming")])
            #expect(running?.subject == .board(game: .defaultGame, board: .of("derby"), season: 1))
            #expect(running?.span.upperBound == end && running?.state(at: end) == .over)
            #expect(coming?.state(at: end) == .coming && coming?.state(at: .at("2026-11-23T00:00:00Z")) == .over)
            #expect(campaigns[.of("next")]?.state(at: end) == .open)
            let days = try #require(running).days
            #expect(try await database.store.top(of: derby, days: days, limitRows: 9).map(\.points) == [5])
        }
    }
}
