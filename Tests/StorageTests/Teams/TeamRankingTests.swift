import Domain
import Foundation
import TestDatabases
import TestDice
import Testing

@testable import Storage

/// The points of teams, by SQL.
@Suite struct TeamRankingTests {
    @Test("the best members count, and where low is good a team needs as many") func vectors() async throws {
        try await withTestDatabase { database in
            try await database.setTeams()
            let high = try await database.addBoard("high") { $0.teams = .best(3) }
            let low = try await database.addBoard("low") { board in
                board.lowestFirst = true
                board.teams = .best(3)
                board.bounds = 0...Limits.walletPointsMax
            }
            var players: [TeamPlayer] = []
            for name in ["A", "B", "C", "D", "E"] { players.append(try await database.teamPlayer(name)) }
            try await database.makeTeam("Red", by: players[0])
            try await database.makeTeam("Blue", by: players[4])
            for player in players[1...3] { try await database.join(player, teamOf: players[0]) }
            for (player, points) in zip(players, [Int64(900), 800, 700, 50, 900]) {
                try await database.post(points, by: player.id, on: "high")
            }
            #expect(try await database.teamRows(high).map(\.points) == [2_400, 900])
            #expect(try await database.teamRows(high).map(\.members) == [4, 1])
            for (player, points) in zip(players, [Int64(61_500), 60_900]) {
                try await database.post(points, by: player.id, on: "low")
            }
            #expect(try await database.teamRows(low).isEmpty)
            for (player, points) in zip(players[2...], [Int64(64_000), 70_000]) {
                try await database.post(points, by: player.id, on: "low")
            }
            #expect(try await database.teamRows(low).map(\.points) == [186_400])
        }
    }

    @Test("what a member earned stays with the team of that day") func changing() async throws {
        try await withTestDatabase { database in
            try await database.setTeams()
            let board = try await database.addBoard("sums") { board in
                board.policy = .sum
                board.teams = .sum
            }
            var players: [TeamPlayer] = []
            for name in ["Ada", "Red", "Blue"] { players.append(try await database.teamPlayer(name)) }
            try await database.makeTeam("Red", by: players[1])
            try await database.makeTeam("Blue", by: players[2])
            let ada = players[0]
            try await database.join(ada, teamOf: players[1])
            // She leaves on the 26th, and is in Blue from the 27th on.
            try await database.post(100, by: ada.id, on: "sums", at: .noon(after: 6))
            try await database.store.leaveTeam(ada.id, now: .noon(after: 6))
            #expect(try await database.join(ada, teamOf: players[2], now: .noon(after: 6)) == .joined)
            try await database.post(40, by: ada.id, on: "sums", at: .noon(after: 7))
            let red = try #require(try await database.store.team(of: players[1].id)).id
            let blue = try #require(try await database.store.team(of: players[2].id)).id
            for _ in 0..<2 {
                let rows = try await database.teamRows(board)
                #expect(rows.map(\.team) == [red, blue] && rows.map(\.points) == [100, 40])
                let day = Instant.noon(after: 7).dayInUTC
                let later = try await database.teamRows(board, day...day)
                #expect(later.map(\.team) == [blue] && later.map(\.points) == [40])
                try await database.store.leaveTeam(ada.id, now: .noon(after: 7))
            }
        }
    }

    @Test("gifts by name count for the teams of all games, and sums stop at 64 bits") func donationsAndSums()
        async throws
    {
        try await withTestDatabase { database in
            try await database.setTeams()
            let charity = try await database.addCharity("trees")
            let board = try await database.addBoard("huge") { board in
                board.teams = .best(2)
                board.bounds = -Int64.max ... .max
                board.earning = .none
            }
            let (ada, bob) = (try await database.teamPlayer("Ada"), try await database.teamPlayer("Bob"))
            try await database.makeTeam("Red", by: ada)
            try await database.join(bob, teamOf: ada)
            for player in [ada, bob] { try await database.post(.max, by: player.id, on: "huge") }
            #expect(try await database.teamRows(board).map(\.points) == [Int128(Int64.max)])
            try await database.addBoard("purse")
            for player in [ada, bob] { try await database.post(50, by: player.id, on: "purse") }
            try await database.donate(10, by: ada.id, to: "trees")
            try await database.donate(20, by: bob.id, to: "trees", isAnonymous: true)
            #expect(try await database.teamRows(charity).map(\.points) == [10])
            let overall = try #require(try await database.store.findDonationBoard(.overall, now: .noon))
            #expect(try await database.teamRows(overall).map(\.members) == [1])
        }
    }

    @Test("pages neither skip nor repeat a team") func pages() async throws {
        try await withTestDatabase { database in
            try await database.setTeams()
            let board = try await database.addBoard("sums") { board in
                board.policy = .sum
                board.teams = .sum
                board.ties = .shared
            }
            for number in 0..<7 {
                let player = try await database.teamPlayer("P\(number)")
                try await database.makeTeam("T\(number)", by: player)
                try await database.post(Int64(number / 2), by: player.id, on: "sums")
            }
            let all = try await database.teamRows(board).map(\.team.rawValue)
            #expect(all.count == 7)
            func page(_ request: PageRequest, _ rows: Int) async throws -> Page {
                try await database.store.teamPage(of: board.id, days: nil, pageRequest: request, limitRows: rows).page
            }
            var found: [Int64] = []
            var request = PageRequest.top
            while true {
                let page = try await page(request, 2)
                guard let last = page.rows.last else { break }
                found += page.rows.map(\.sortKey.row)
                #expect(page.position == Int64(found.count - page.rows.count) + 1 && page.size == 7)
                request = .after(last.sortKey)
            }
            #expect(found == all)
            let last = try #require(try await page(.from(7), 2).rows.last)
            #expect(try await page(.before(last.sortKey), 2).rows.map(\.sortKey.row) == Array(all[4...6]))
            let fifth = try await page(.from(5), 1)
            #expect(fifth.position == 5 && fifth.sharedPosition == 4, "4 and 5 have equal points")
        }
    }

    @Test(
        "every ranking is that of a simple model, through joins, leaves, merges, hides and voids",
        arguments: Dice.seeds(1, 2, 3)) func history(seed: UInt64) async throws
    {
        try await withTestDatabase { database in
            var history = try await TeamHistory(database, Dice(seed: seed))
            for step in 0..<150 {
                try await history.step()
                guard step % 10 == 9 else { continue }
                for board in history.boards {
                    for days in history.windows {
                        let expected = history.model.ranking(board.slug, days)
                        #expect(
                            try await database.teamRows(board, days) == expected,
                            "seed \(seed), step \(step), \(board.slug)")
                        let all = try await database.store.teamStandings(on: board.id, days: days, limitRows: 1_000)
                        let tallies = try await database.store.teamTallies(
                            of: all.map(\.team), on: board.id, days: days, lastDay: history.now.dayInUTC)
                        let computed = TeamPoints.of(
                            tallies, policy: board.policy, lowestFirst: board.lowestFirst, scoring: board.teams)
                        #expect(
                            computed.sorted { $0.team < $1.team } == all.sorted { $0.team < $1.team },
                            "seed \(seed), step \(step), \(board.slug)")
                    }
                }
            }
            #expect(try await database.auditComplaints() == [])
        }
    }
}
