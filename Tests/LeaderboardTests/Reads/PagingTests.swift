import Domain
import Foundation
import Leaderboard
import Storage
import TestDatabases
import TestDice
import Testing

@Suite struct PagingTests {
    private static let playersCount = 40
    private static let moversCount = 12

    /// A board on which all players have played, and the players among them who go on playing while others read pages.
    private func board(_ database: TestDatabase, _ settings: (inout NewBoard) -> Void = { _ in }) async throws -> (
        rankings: Rankings, board: Board, players: [Player.ID]
    ) {
        let board = try await database.addBoard("ladder", settings)
        var players: [Player.ID] = []
        for index in 0..<Self.playersCount {
            let player = try await database.addPlayer("player \(index)")
            players.append(player)
            // Many equal points, some of them reached at the same moment.
            try await database.post(
                Int64(index % 7), by: player, on: "ladder", at: Instant.noon.advanced(bySeconds: Int64(index % 5)))
        }
        return (
            Rankings(
                store: database.store, clock: ServerClock { .noon }, memory: LeaderboardMemory(store: database.store)),
            board, players
        )
    }

    @Test(
        """
        while posts arrive between the pages, \
        whoever did not move is seen exactly once and in order, forwards and backwards
        """, arguments: Board.Policy.allCases, [false, true]) func arrivals(policy: Board.Policy, lowestFirst: Bool)
        async throws
    {
        try await withTestDatabase { database in
            let (rankings, board, players) = try await board(database) {
                ($0.policy, $0.lowestFirst) = (policy, lowestFirst)
            }
            let stayers = Set(players.dropFirst(Self.moversCount))
            var dice = Dice(seed: 11)
            var second: Int64 = 60
            for window in [Window.all, .today] {
                for limitRows in [2, 7] {
                    for isForward in [true, false] {
                        let still = try await pages(rankings, board, window, isForward: isForward, limitRows: 100) {}
                            .filter { $0.player.map(stayers.contains) ?? false }
                        let seen = try await pages(rankings, board, window, isForward: isForward, limitRows: limitRows)
                        {
                            second += 1
                            let mover = players[Int.random(in: 0..<Self.moversCount, using: &dice)]
                            try await database.post(
                                Int64.random(in: -3...9, using: &dice), by: mover, on: "ladder",
                                at: Instant.noon.advanced(bySeconds: second))
                        }
                        #expect(
                            seen.filter { $0.player.map(stayers.contains) ?? false } == still,
                            "\(window.name) \(limitRows) \(isForward)")
                        #expect(still.count == stayers.count)
                    }
                }
            }
        }
    }

    @Test(
        """
        while others write all the time, each page is one state of the board, \
        and whoever does not move is seen exactly once
        """) func writersAtOnce() async throws
    {
        try await withTestDatabase { database in
            let (rankings, board, players) = try await board(database) { $0.policy = .latest }
            let stayers = Set(players.dropFirst(Self.moversCount))
            let isDone = Done()
            try await withThrowingTaskGroup(of: Int.self) { group in
                for writer in 0..<3 {
                    group.addTask {
                        var dice = Dice(seed: UInt64(writer))
                        var posts = 0
                        while !isDone.value {
                            let mover = players[Int.random(in: 0..<Self.moversCount, using: &dice)]
                            posts += 1
                            try await database.post(
                                Int64.random(in: -3...9, using: &dice), by: mover, on: "ladder",
                                at: Instant.noon.advanced(bySeconds: Int64(60 + posts)))
                        }
                        return posts
                    }
                }
                defer { isDone.end() }
                for round in 0..<12 {
                    let window = round.isMultiple(of: 2) ? Window.all : .today
                    let seen = try await pages(rankings, board, window, isForward: round % 4 < 2, limitRows: 4) {}
                    let still = seen.filter { $0.player.map(stayers.contains) ?? false }
                    #expect(still.count == stayers.count && Set(still.map(\.player)).count == stayers.count)
                }
                isDone.end()
                #expect(try await group.reduce(0, +) > 12, "they did write")
            }
        }
    }

    @Test("who turns pages at midnight stays in the day that the first page was of") func midnight() async throws {
        try await withTestDatabase { database in
            let (rankings, board, players) = try await board(database)
            let first = try await rankings.ranking(
                of: board, window: .today, days: nil, pageRequest: .top, limitRows: 15, includesTotal: true)
            let tomorrow = Instant.noon.advanced(bySeconds: 86_400)
            try await database.post(1_000, by: players[0], on: "ladder", at: tomorrow)
            let later = Rankings(
                store: database.store, clock: ServerClock { tomorrow }, memory: LeaderboardMemory(store: database.store)
            )
            let subject = Rankings.Subject.score(game: .defaultGame, board: .of("ladder"), season: nil)
            let boardThen = try #require(try await later.findBoard(subject))
            let last = try #require(first.rows.last)
            let second = try await later.ranking(
                of: boardThen, window: .today, days: first.days, pageRequest: .after(last.sortKey), limitRows: 100,
                includesTotal: true)
            #expect(second.days == first.days && second.span == first.span && second.size == Int64(Self.playersCount))
            #expect(Set((first.rows + second.rows).map(\.player)) == Set(players))
            #expect(first.rows.count + second.rows.count == players.count && !first.isFinal && second.isFinal)
            let anew = try await later.ranking(
                of: boardThen, window: .today, days: nil, pageRequest: .top, limitRows: 100, includesTotal: true)
            #expect(anew.rows.map(\.player) == [players[0]])
        }
    }

    /// Reads all pages from one end to the other, and runs `between` between them.
    /// - Returns: The rows in the order of the walk.
    private func pages(
        _ rankings: Rankings, _ board: Board, _ window: Window, isForward: Bool, limitRows: Int,
        _ between: () async throws -> Void
    ) async throws -> [Standing] {
        // No row comes after this key, so the page before it is the last one.
        let end = SortKey(orderKey: Int128(Int64.max), reachedAt: .noon, row: 0)
        var pageRequest = isForward ? PageRequest.top : .before(end)
        var seen: [Standing] = []
        while seen.count < 10 * Self.playersCount {
            let page = try await rankings.ranking(
                of: board, window: window, days: nil, pageRequest: pageRequest, limitRows: limitRows,
                includesTotal: true)
            #expect(zip(page.rows, page.rows.dropFirst()).allSatisfy { $0.sortKey.precedes($1.sortKey) })
            let numbers = page.ranks.map(\.number)
            #expect(
                numbers == numbers.indices.map { (numbers.first ?? 0) + Int64($0) }, "positions, one after the other")
            #expect(page.size == Int64(Self.playersCount))
            seen += isForward ? page.rows : page.rows.reversed()
            guard isForward ? page.hasNext : page.hasPrevious, let first = page.rows.first, let last = page.rows.last
            else { return seen }
            pageRequest = isForward ? .after(last.sortKey) : .before(first.sortKey)
            try await between()
        }
        Issue.record("the pages never end")
        return seen
    }
}
