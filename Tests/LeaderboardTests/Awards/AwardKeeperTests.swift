import Domain
import Foundation
@testable import Storage
import Synchronization
import TestDatabases
import TestDice
import Testing

@testable import Leaderboard

/// Awards that servers give and withdraw as their streams tell of changes.
@Suite struct AwardKeeperTests {
    private static func keeping(_ live: LiveRankings, _ body: () async throws -> Void) async throws {
        let keeper = AwardKeeper(
            store: live.database.store, memory: live.memory, clock: ServerClock(live.now), logger: .none)
        let work = Task { await keeper.run() }
        defer { work.cancel() }
        try await body()
    }

    @Test("two servers give and withdraw what an independent model says", arguments: Dice.seeds(1, 2)) func history(
        seed: UInt64
    ) async throws {
        try await withTestDatabase { database in
            var history = try await AwardHistory(database, Dice(seed: seed), decides: false)
            // What happened before the servers began is found by their sweeps.
            for _ in 0..<30 { try await history.step() }
            try await withFollower(database, now: { .noon(after: 90) }) { [history] one in
                try await withFollower(database, now: { .noon(after: 90) }) { two in
                    var history = history
                    try await Self.keeping(one) {
                        try await Self.keeping(two) {
                            for step in 0...40 {
                                if step > 0 { try await history.step() }
                                guard step % 8 == 0 else { continue }
                                for player in history.players {
                                    let expected = history.expected(of: player)
                                    try await one.wait("awards of \(player) to be \(expected), seed \(seed)") {
                                        try await database.awards(of: player).sorted() == expected
                                    }
                                }
                            }
                        }
                    }
                }
            }
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("an award is given since another moment when a donation stops counting, and when it counts again")
    func donations() async throws {
        try await withTestDatabase { database in
            try await database.addCharity("trees")
            try await database.addAward("five", .given(atLeast: 5))
            let ada = try await database.addPlayer("Ada", points: 100)
            try await withFollower(database, now: { .noon }) { live in
                try await Self.keeping(live) {
                    let first = UUID()
                    for (second, id) in [(Int64(1), first), (2, UUID())] {
                        try await database.donate(
                            5, by: ada, to: "trees", id: id, at: Instant.noon.advanced(bySeconds: second))
                    }
                    func wait(second: Int) async throws {
                        try await live.wait("the award to be given in second \(second)") {
                            try await database.awards(of: ada) == ["five 2026-11-20T12:00:0\(second)Z"]
                        }
                    }
                    try await wait(second: 1)
                    let reverse = try await database.moderate(.reverse(ada, donation: first, forfeits: false))
                    try await wait(second: 2)
                    try await database.moderate(.undo(reverse))
                    try await wait(second: 1)
                }
            }
        }
    }

    @Test("winners of a season are found when it ends, and again when one of them is hidden") func ranks() async throws
    {
        try await withTestDatabase { database in
            try await database.addBoard("best")
            try await database.addAward("winner", .rank(board: .of("best"), season: nil, atLeast: 1))
            let (ada, bob) = (try await database.addPlayer("Ada"), try await database.addPlayer("Bob"))
            try await withFollower(database, now: { .noon }) { live in
                try await Self.keeping(live) {
                    try await database.post(30, by: ada, on: "best")
                    try await database.post(20, by: bob, on: "best")
                    let end = Instant.noon.advanced(bySeconds: 60)
                    #expect(try await database.store.resetBoard(.of("best"), in: .defaultGame, now: end) == 2)
                    try await live.wait("Ada to have won") { try await !database.awards(of: ada).isEmpty }
                    let hide = try await database.moderate(.hide(ada))
                    try await live.wait("Bob to have won") { try await !database.awards(of: bob).isEmpty }
                    try await live.wait("Ada not to have won") { try await database.awards(of: ada).isEmpty }
                    try await database.moderate(.undo(hide))
                    try await live.wait("Ada to have won again") { try await database.awards(of: bob).isEmpty }
                }
            }
            #expect(try await database.awards(of: ada) == ["winner 2026-11-20T12:01:00Z 1"])
        }
    }

    @Test("winners of a campaign are found when it ends, and again when one is hidden or a donation is reversed")
    func contests() async throws {
        try await withTestDatabase { database in
            try await database.addBoard("best")
            try await database.addCharity("trees")
            try await database.addCampaign("cup", .board(game: .defaultGame, board: .of("best")), to: "2026-11-20")
            try await database.addCampaign("gifts", .charity(.overall), to: "2026-11-20")
            try await database.addAward("winner", .contestRank(campaign: .of("cup"), atLeast: 1))
            try await database.addAward("donor", .contestRank(campaign: .of("gifts"), atLeast: 1))
            try await database.addBoard("old")
            try await database.addAward("swept", .rank(board: .of("old"), season: nil, atLeast: 1))
            let (ada, bob) = (
                try await database.addPlayer("Ada", points: 100), try await database.addPlayer("Bob", points: 100)
            )
            let gift = UUID()
            for (points, player) in [(Int64(30), ada), (20, bob)] {
                try await database.post(points, by: player, on: "best")
                try await database.post(points, by: player, on: "old")
                try await database.donate(points, by: player, to: "trees", id: player == ada ? gift : UUID())
            }
            #expect(try await database.store.resetBoard(.of("old"), in: .defaultGame, now: .noon) == 2)
            let clock = Mutex(Instant.at("2026-11-20T23:59:59Z"))
            try await withFollower(database, now: { clock.withLock { $0 } }) { live in
                try await Self.keeping(live) {
                    func wait(_ what: String, ada adas: Set<Slug>, bob bobs: Set<Slug> = []) async throws {
                        try await live.wait(what) {
                            let found = (
                                try await database.store.shownAwards(of: ada).map(\.award),
                                try await database.store.shownAwards(of: bob).map(\.award)
                            )
                            return Set(found.0) == adas && Set(found.1) == bobs
                        }
                    }
                    let (swept, winner, donor) = (Slug.of("swept"), Slug.of("winner"), Slug.of("donor"))
                    // The sweep comes to this award after those for campaigns, so it does not give these.
                    try await wait("the sweep", ada: [swept])
                    clock.withLock { $0 = .at("2026-11-21T00:00:00Z") }
                    try await wait("Ada to have won", ada: [swept, winner, donor])
                    let reverse = try await database.moderate(.reverse(ada, donation: gift, forfeits: false))
                    try await wait("Bob to be first of the donors", ada: [swept, winner], bob: [donor])
                    try await database.moderate(.undo(reverse))
                    try await wait("Ada to be first again", ada: [swept, winner, donor])
                    let hide = try await database.moderate(.hide(ada))
                    try await wait("Bob to have won all", ada: [], bob: [swept, winner, donor])
                    try await database.moderate(.undo(hide))
                    try await wait("Ada to have won all again", ada: [swept, winner, donor])
                }
            }
            #expect(
                try await database.awards(of: ada).sorted() == [
                    "donor 2026-11-21T00:00:00Z gifts", "swept 2026-11-20T12:00:00Z 1",
                    "winner 2026-11-21T00:00:00Z cup",
                ])
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("a row of a day of a campaign that is over is a candidate, and no other one is") func contestCandidates() {
        let (award, open, board) = (Award.ID(rawValue: 1), Award.ID(rawValue: 2), Board.ID(rawValue: 7))
        let (first, last) = (Instant.noon.dayInUTC, Instant.noon(after: 2).dayInUTC)
        func contest(_ award: Award.ID, endsAt: Instant) -> AwardContest {
            AwardContest(award: award, board: board, firstDay: first, lastDay: last, endsAt: endsAt)
        }
        let all = [contest(award, endsAt: .noon(after: 3)), contest(open, endsAt: .noon(after: 4))]
        let contests = AwardContests(all, now: .noon(after: 3))
        #expect(contests.ended == [award])
        #expect(!contests.hasEnded(by: .noon(after: 3)) && contests.hasEnded(by: .noon(after: 4)))
        func noted(_ board: Board.ID, _ day: Day?) -> Set<Award.ID> {
            var work = AwardCandidates.Work()
            contests.note(RollupChange(board: board, day: day, row: 1, old: nil, new: nil), in: &work)
            return work.contests
        }
        #expect(noted(board, first) == [award] && noted(board, last) == [award])
        #expect(noted(board, nil).isEmpty && noted(board, first.advanced(byDays: -1)).isEmpty)
        #expect(noted(board, last.advanced(byDays: 1)).isEmpty && noted(Board.ID(rawValue: 8), first).isEmpty)
        // What ends is decided when it is read, but not what was over from the start.
        let candidates = AwardCandidates()
        candidates.set(all, now: .noon(after: 3))
        #expect(candidates.count == 0 && candidates.hasEndedContest(by: .noon(after: 4)))
        candidates.set(all, now: .noon(after: 4))
        #expect(candidates.take().contests == [open])
        candidates.set(all, now: .noon(after: 5))
        #expect(candidates.count == 0)
    }

    @Test("a post that crosses no threshold is no candidate, and an overflow asks for a sweep") func candidates()
        async throws
    {
        try await withTestDatabase { database in
            try await database.addBoard("best")
            try await database.addBoard("other")
            try await database.addAward("ten", .points(board: .of("best"), season: nil, window: .season, atLeast: 10))
            let ada = try await database.addPlayer("Ada")
            try await withFollower(database, now: { .noon }) { live in
                let candidates = live.memory.awards
                let (conditions, boards, rules) = try await database.store.awardConditions()
                try await live.catchUp()
                let known = AwardConditions(
                    conditions, on: boards, hasRanks: rules.contains(.rank), areAny: !rules.isEmpty)
                // Until they are known, whoever plays elsewhere is looked at.
                try await database.post(7, by: ada, on: "other")
                try await live.catchUp()
                #expect(candidates.take().players == [ada.rawValue])
                for reads in [2, 1] { candidates.set(known, reads: reads) }
                await candidates.untilSweep()
                for (points, board) in [(Int64(9), "best"), (50, "other"), (8, "best")] {
                    try await database.post(points, by: ada, on: board)
                }
                try await live.catchUp()
                #expect(candidates.count == 0)
                try await database.post(10, by: ada, on: "best")
                try await live.catchUp()
                let work = candidates.take()
                #expect(work.pairs.map(\.player) == [ada] && work.count == 1)
                try await database.post(11, by: ada, on: "best")
                try await live.catchUp()
                #expect(candidates.count == 0)
                candidates.beginSweep()
                candidates.add(AwardCandidates.Work(players: Set(1...Int64(Limits.awardCandidatesMax) + 1)))
                #expect(candidates.count == 0)
                await candidates.untilSweep()
            }
        }
    }
}
