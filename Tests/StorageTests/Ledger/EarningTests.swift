import Domain
import Foundation
import TestDatabases
import Testing

@testable import Storage

@Suite struct EarningTests {
    /// The points that each of several posts of one player earns. The posts are a second apart.
    private func earned(_ posts: [Int64], _ settings: (inout NewBoard) -> Void) async throws -> [Int64] {
        var earned: [Int64] = []
        try await withTestDatabase { database in
            try await database.addBoard("ladder", settings)
            let ada = try await database.addPlayer("Ada")
            for (index, points) in posts.enumerated() {
                let receipt = try await database.post(
                    points, by: ada, on: "ladder", at: Instant.noon.advanced(bySeconds: Int64(index)))
                earned.append(receipt.earned)
                #expect(receipt.balance == earned.reduce(0, +))
            }
            #expect(try await database.auditComplaints() == [])
        }
        return earned
    }

    @Test("by `points` each score earns itself, and a negative one nothing") func points() async throws {
        #expect(try await earned([5, 3, -7, 0, 3]) { $0.earning = .points } == [5, 3, 0, 0, 3])
    }

    @Test("by `fixed` each score earns the same, and a negative one nothing") func fixed() async throws {
        #expect(try await earned([5, 3, -7, 0]) { $0.earning = .fixed(4) } == [4, 4, 0, 4])
    }

    @Test("by `none` nothing is earned") func none() async throws {
        #expect(try await earned([5, 3]) { $0.earning = .none } == [0, 0])
    }

    @Test(
        """
        by `improvement` the rise of the best is earned, \
        the first score from 0; where low is good the first one earns nothing
        """) func improvement() async throws
    {
        #expect(try await earned([5, 3, 9, 9, 11]) { $0.earning = .improvement } == [5, 0, 4, 0, 2])
        let low: (inout NewBoard) -> Void = {
            $0.earning = .improvement
            $0.lowestFirst = true
        }
        #expect(try await earned([50, 60, 45, 40, 0], low) == [0, 0, 5, 5, 40])
    }

    @Test(
        "the best is the best post, whatever the board ranks by: playing worse in between does not pay",
        arguments: [Board.Policy.latest, .sum]) func improvementElsewhere(policy: Board.Policy) async throws
    {
        let rise: (inout NewBoard) -> Void = {
            $0.earning = .improvement
            $0.policy = policy
        }
        #expect(try await earned([100, 10, 100, 10, 101], rise) == [100, 0, 0, 0, 1])
    }

    @Test("one post earns at most `earn_max`, and still ranks as it is") func earnMax() async throws {
        #expect(try await earned([5, 9, 10, 11]) { $0.earnMax = 9 } == [5, 9, 9, 9])
        #expect(try await earned([5]) { $0.earnMax = 0 } == [0])
        try await withTestDatabase { database in
            try await database.addBoard("ladder") { $0.earnMax = 9 }
            #expect(try await database.post(100, by: database.addPlayer("Ada"), on: "ladder").best == 100)
        }
    }

    @Test("a player earns at most `earn_day` on a board and a day, and what still fits") func earnDay() async throws {
        #expect(try await earned([6, 3, 9, 1]) { $0.earnDay = 10 } == [6, 3, 1, 0])
        #expect(
            try await earned([6, 9]) {
                $0.earnDay = 10;
                $0.earnMax = 5
            } == [5, 5])
    }

    @Test(
        "the day of `earn_day` is the board's, also when it has 23 or 25 hours",
        arguments: [
            // In Berlin clocks go back, and the day has 25 hours. The instants are the last one before the day, its
            // first and last, and the first one after it.
            (
                "Europe/Berlin",
                [
                    "2026-10-24T21:59:59.999999Z", "2026-10-24T22:00:00Z", "2026-10-25T22:59:59.999999Z",
                    "2026-10-25T23:00:00Z",
                ]
            ),
            // In Berlin clocks go forward, and the day has 23 hours.
            (
                "Europe/Berlin",
                [
                    "2026-03-28T22:59:59.999999Z", "2026-03-28T23:00:00Z", "2026-03-29T21:59:59.999999Z",
                    "2026-03-29T22:00:00Z",
                ]
            ),
            // On the Azores clocks go back from 1:00 to midnight, which comes twice.
            (
                "Atlantic/Azores",
                [
                    "2026-10-24T23:59:59.999999Z", "2026-10-25T00:00:00Z", "2026-10-26T00:59:59.999999Z",
                    "2026-10-26T01:00:00Z",
                ]
            ),
            // In Cairo clocks go forward from midnight to 1:00, when the day begins.
            (
                "Africa/Cairo",
                [
                    "2026-04-23T21:59:59.999999Z", "2026-04-23T22:00:00Z", "2026-04-24T20:59:59.999999Z",
                    "2026-04-24T21:00:00Z",
                ]
            ),
        ]) func days(zone: String, moments: [String]) async throws
    {
        try await withTestDatabase { database in
            let board = try await database.addBoard("ladder") {
                $0.zone = zone
                $0.earnDay = 10
                $0.policy = .sum
            }
            let ada = try await database.addPlayer("Ada")
            var earned: [Int64] = []
            for historyKey in moments {
                earned.append(try await database.post(7, by: ada, on: "ladder", at: .at(historyKey)).earned)
            }
            #expect(earned == [7, 7, 3, 7])

            // The windows begin and end at the same instants, to the microsecond.
            let day = try #require(
                try await database.store.findBoard(.of("ladder"), in: .defaultGame, now: .at(moments[1]))
            ).today
            #expect(try await database.store.top(of: board, days: day...day, limitRows: 9).map(\.points) == [14])
            #expect(try await database.store.span(of: day...day, on: board) == .at(moments[1])..<(.at(moments[3])))
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("other boards and other players have a day of their own") func earnDayApart() async throws {
        try await withTestDatabase { database in
            for board in ["one", "two"] { try await database.addBoard(board) { $0.earnDay = 10 } }
            let (ada, bob) = (try await database.addPlayer("Ada"), try await database.addPlayer("Bob"))
            #expect(try await database.post(10, by: ada, on: "one").earned == 10)
            #expect(try await database.post(10, by: ada, on: "two").earned == 10)
            #expect(try await database.post(10, by: bob, on: "one").earned == 10)
            #expect(try await database.post(1, by: ada, on: "one").earned == 0)
        }
    }

    @Test("a wallet earns 2^53-1 at most, and what is over that still ranks") func walletCap() async throws {
        try await withTestDatabase { database in
            let most = Limits.walletPointsMax
            let ada = try await database.addPlayer("Ada", points: most - 10)
            let first = try await database.post(11, by: ada, on: "high-scores")
            #expect(first.earned == 10 && first.balance == most && first.best == 11)
            let second = try await database.post(.max, by: ada, on: "high-scores")
            #expect(second.earned == 0 && second.balance == most && second.best == .max)
            try await database.addCharity("trees")
            #expect(try await database.donate(most, by: ada, to: "trees").balance == 0)
            #expect(
                try await database.post(5, by: ada, on: "high-scores").earned == 0,
                "giving makes no room: a wallet never earns more")
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("classic: a score that is void earns its equal nothing, until its player is told so") func classicSecret()
        async throws
    {
        try await withTestDatabase { database in
            try await database.addBoard("trials") { ($0.judgeMinutes, $0.settleMinutes) = (5, 10) }
            let ada = try await database.addPlayer("Ada")
            func earned(after seconds: Int64) async throws -> Int64 {
                let at = Instant.noon.advanced(bySeconds: seconds)
                return try await database.post(7, by: ada, on: "trials", isClassic: true, at: at).earned
            }
            #expect(try await earned(after: 0) == 7)
            try await database.moderate(.voidAll(ada, heldOnly: true))
            #expect(try await earned(after: 599) == 0)
            #expect(try await earned(after: 600) == 7)
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("classic: equal scores of a player earn once a UTC day on a board, and still rank") func classicOnce()
        async throws
    {
        try await withTestDatabase { database in
            try await database.addBoard("other") { $0.zone = "Pacific/Auckland" }
            let (ada, bob) = (try await database.addPlayer("Ada"), try await database.addPlayer("Bob"))
            func earned(
                _ points: Int64, by player: Player.ID? = nil, on board: String = "other", isClassic: Bool = true,
                at historyKey: String
            ) async throws -> Int64 {
                try await database.post(points, by: player ?? ada, on: board, isClassic: isClassic, at: .at(historyKey))
                    .earned
            }
            #expect(try await earned(7, at: "2026-11-20T00:00:00Z") == 7)
            #expect(try await earned(7, at: "2026-11-20T23:59:59.999999Z") == 0)
            #expect(try await earned(7, at: "2026-11-19T23:59:59.999999Z") == 7, "the day before, that arrived later")
            #expect(try await earned(7, at: "2026-11-21T00:00:00Z") == 7)
            #expect(try await earned(8, at: "2026-11-20T12:00:00Z") == 8)
            #expect(try await earned(7, on: "high-scores", at: "2026-11-20T12:00:00Z") == 7)
            #expect(try await earned(7, by: bob, at: "2026-11-20T12:00:00Z") == 7)
            #expect(try await earned(7, isClassic: false, at: "2026-11-20T12:00:00Z") == 7)
            #expect(try await database.auditComplaints() == [])
        }
    }
}
