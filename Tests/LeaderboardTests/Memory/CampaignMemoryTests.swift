import Domain
import Foundation
import Synchronization
import TestDatabases
import TestDice
import Testing

@testable import Leaderboard
@testable import Storage

/// Compares campaigns from memory with SQL over the ledger.
@Suite struct CampaignMemoryTests {
    private static func add(
        _ database: TestDatabase, _ slug: String, _ charity: Slug, from first: String, to last: String,
        milestones: [Int64]
    ) async throws {
        let new = try NewCampaign(
            slug: .of(slug), name: nil, text: nil, subject: .charity(charity), firstDay: Day(text: first),
            lastDay: Day(text: last), goal: 50, milestones: milestones.map { Milestone(points: $0, name: "\($0)") })
        let outcome = try await database.store.admin.addCampaign(new, now: .noon)
        #expect(outcome == .added)
    }

    /// Waits until memory answers the same as SQL.
    private static func compare(_ live: LiveRankings, _ label: String) async throws {
        let store = live.database.store
        for campaign in try await store.campaigns() {
            let expected = "\(try await store.campaignProgress(of: campaign.slug))"
            let board = try #require(try await live.rankings.findBoard(Rankings.Subject(campaign)))
            try await live.wait("\(label): \(campaign.slug) to be \(expected)") {
                try await live.catchUp()
                let found = "\(try #require(try await live.rankings.progress(of: campaign)))"
                return live.memory.standings.loadedWindow(of: board, days: campaign.days) != nil && found == expected
            }
        }
    }

    @Test("points and milestones match the ledger after donations, corrections and undos", arguments: Dice.seeds(1, 2))
    func history(seed: UInt64) async throws {
        try await withTestDatabase { database in
            for charity in ["water", "books"] { try await database.addCharity(charity) }
            try await Self.add(
                database, "winter", .of("water"), from: "2026-11-19", to: "2026-11-22", milestones: [5, 20, 60])
            try await Self.add(database, "all", .overall, from: "2026-11-20", to: "2026-11-20", milestones: [10, 40])
            var players: [Player.ID] = []
            for number in 0..<4 { players.append(try await database.addPlayer("P\(number)", points: 1_000)) }
            let donors = players
            try await withFollower(database, now: { Instant.noon.advanced(bySeconds: 3 * 86_400) }) { live in
                var dice = Dice(seed: seed)
                var donations: [(player: Player.ID, id: UUID)] = []
                var undoable: [UUID] = []
                var hidden: Set<Player.ID> = []
                for step in 0..<24 {
                    let at = Instant.noon.advanced(bySeconds: Int64(step) * 7_200)
                    let player = dice.pick(donors)
                    switch Int.random(in: 0..<6, using: &dice) {
                    case 0 where !donations.isEmpty:
                        let gone = donations.remove(at: Int.random(in: 0..<donations.count, using: &dice))
                        undoable.append(
                            try await database.moderate(
                                .reverse(gone.player, donation: gone.id, forfeits: false), at: at))
                    case 1 where !undoable.isEmpty:
                        try await database.moderate(
                            .undo(undoable.remove(at: Int.random(in: 0..<undoable.count, using: &dice))), at: at)
                    case 2:
                        try await database.donate(
                            .random(in: 1...9, using: &dice), by: player, to: "water", isAnonymous: true, at: at)
                    case 3 where hidden.insert(player).inserted: try await database.moderate(.hide(player), at: at)
                    default:
                        let id = UUID()
                        try await database.donate(
                            .random(in: 1...9, using: &dice), by: player, to: dice.percent(30) ? "books" : "water",
                            id: id, at: at)
                        donations.append((player, id))
                    }
                    if step % 8 == 7 { try await Self.compare(live, "seed \(seed), step \(step)") }
                }
            }
        }
    }

    @Test("changed settings show at once in this process, and in others once streamed") func settings() async throws {
        try await withTestDatabase { database in
            try await database.addCharity("water")
            try await Self.add(database, "winter", .of("water"), from: "2026-11-20", to: "2026-11-22", milestones: [])
            try await withFollower(database, now: { .noon }) { live in
                try await live.wait("the campaign to be kept") {
                    try await live.catchUp()
                    _ = try await live.rankings.findCampaign(.of("winter"))
                    return live.memory.campaigns.campaigns != nil
                }
                var change = CampaignChange()
                change.goal = .set(7)
                #expect(try await database.store.admin.setCampaign(.of("winter"), change, now: .noon) == .set)
                try await live.wait("another goal") { try await live.rankings.findCampaign(.of("winter"))?.goal == 7 }
                change.goal = .set(8)
                #expect(try await database.store.admin.setCampaign(.of("winter"), change, now: .noon) == .set)
                live.rankings.forgetCampaigns()
                #expect(try await live.rankings.findCampaign(.of("winter"))?.goal == 8)
                #expect(try await live.rankings.findCampaign(.of("summer")) == nil)
                #expect(try await live.rankings.campaigns().map(\.slug) == [.of("winter")])
            }
        }
    }

    @Test("cached times of milestones are final only if read well after the last change") func settling() throws {
        let time = Mutex(ContinuousClock.now)
        let cache = CampaignCache { time.withLock { $0 } }
        func now() -> ContinuousClock.Instant { time.withLock { $0 } }
        func wait(_ seconds: Int) {
            time.withLock { $0 += .seconds(seconds) }
            cache.tidy()
        }
        cache.setFollowing(true)
        let campaign = Campaign(
            slug: .of("winter"), name: "", text: nil, subject: .charity(.of("water")),
            days: try #require(Day(text: "2026-11-20"))...(try #require(Day(text: "2026-11-22"))),
            span: .noon..<Instant.noon.advanced(bySeconds: 60), goal: nil, cohortSize: nil, milestones: [], version: "1"
        )
        let (board, other) = (Board.ID(rawValue: 7), Board.ID(rawValue: 8))
        func isDue(_ points: [Int64] = [5]) -> Bool { cache.times(of: campaign, on: board, reaching: points).isDue }
        func read() { cache.keep([5: .noon], of: campaign, on: board, reaching: [5], since: now()) }
        func readUntilFinal() {
            for _ in 0..<7 {
                read()
                wait(1)
            }
        }
        func version() -> UInt64 { cache.timesVersion(of: campaign.slug) }
        #expect(isDue())
        read()
        // A donation that another process records may still come. So the times are read again, but not at once.
        #expect(!isDue())
        let first = version()
        wait(1)
        #expect(isDue() && version() == first + 1)
        readUntilFinal()
        let final = version()
        wait(60)
        #expect(!isDue() && version() == final)
        // A milestone without a time is missing.
        #expect(isDue([5, 9]))
        func change(_ board: Board.ID, row: Int64, donors: Set<Int64>) {
            var changes = CommittedChanges(position: 1, rowsMax: 10)
            changes.rollups = [RollupChange(board: board, day: campaign.days.lowerBound, row: row, old: nil, new: nil)]
            changes.donors = donors
            cache.note(changes)
        }
        change(board, row: 3, donors: [])
        change(other, row: 3, donors: [3])
        #expect(!isDue())
        change(board, row: 3, donors: [3])
        #expect(isDue())
        readUntilFinal()
        #expect(!isDue())
        change(board, row: -3, donors: [])
        #expect(isDue())
        // A read that failed waits like one that succeeded.
        cache.postpone(campaign, on: board, since: now())
        #expect(!isDue() && cache.times(of: campaign, on: board, reaching: [5]).times == [5: .noon])
        wait(1)
        #expect(isDue())
    }

    @Test("a validator of a campaign ends with its settings, its rows and the zone of a board") func validators()
        async throws
    {
        try await withTestDatabase { database in
            try await database.addCharity("water")
            try await database.addBoard("lap")
            let donor = try await database.addPlayer("Ada", points: 9)
            try await Self.add(database, "winter", .of("water"), from: "2026-11-20", to: "2026-11-22", milestones: [5])
            try await withFollower(database, now: { .noon }) { live in
                let rankings = live.rankings
                func validator() async throws -> CacheValidator {
                    try await live.wait(for: "a validator") {
                        try await live.catchUp()
                        let versions = rankings.versions
                        guard let campaign = try await rankings.findCampaign(.of("winter")) else { return nil }
                        _ = try await rankings.progress(of: campaign)
                        guard let found = try await rankings.validator(of: campaign, since: versions) else {
                            return nil
                        }
                        return rankings.isCurrent(found) ? found : nil
                    }
                }
                func expectEnd(_ what: String, of validator: CacheValidator) async throws {
                    try await live.wait("\(what) to end the validator") {
                        try await live.catchUp()
                        return !rankings.isCurrent(validator)
                    }
                }
                var last = try await validator()
                try await database.donate(3, by: donor, to: "water")
                try await expectEnd("a donation", of: last)
                last = try await validator()
                var change = CampaignChange()
                change.lastDay = Day(text: "2026-11-25")
                #expect(try await database.store.admin.setCampaign(.of("winter"), change, now: .noon) == .set)
                try await expectEnd("another last day", of: last)
                last = try await validator()
                try await database.owner.script("update board set zone = 'Pacific/Auckland' where slug = 'water'")
                try await expectEnd("the zone of its board", of: last)
                // 2026-11-20 begins there at 11:00 UTC of the day before.
                try await live.wait("the days of the other zone") {
                    try await live.rankings.findCampaign(.of("winter"))?.span.lowerBound == .at("2026-11-19T11:00:00Z")
                }
            }
        }
    }
}
