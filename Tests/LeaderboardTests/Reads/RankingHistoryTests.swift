import Domain
import Foundation
import Leaderboard
import Storage
import TestDatabases
import TestDice
import Testing

@Suite struct RankingHistoryTests {
    @Test(
        """
        whatever was posted and donated in a year, every rank, page, \
        neighbour, place and window is that of a ranking by hand
        """, arguments: Dice.slowSeeds(1, 2, 3)) func year(seed: UInt64) async throws
    {
        try await withTestDatabase { database in
            let year = try await Year(database, seed: seed, playersCount: 24)
            let writers = try await history(of: year, seed: seed)
            let entries = writers.flatMap(\.entries)
            let hidden = Set(year.players.prefix(4))
            let ids = hidden.map { "\($0.rawValue)" }.joined(separator: ", ")
            try await database.owner.script("update player set hidden = true where id in (\(ids))")
            #expect(try await database.auditComplaints() == [])

            try await withThrowingTaskGroup(of: Void.self) { comparisons in
                for (index, subject) in year.subjects.enumerated() {
                    comparisons.addTask {
                        var dice = Dice(seed: seed &* 100 &+ UInt64(index))
                        try await compare(
                            subject, of: year, entries.filter { subject.has($0) && $0.isShown(hiding: hidden) }, hidden,
                            &dice)
                    }
                }
                try await comparisons.waitForAll()
            }
            try await compareCharities(year, entries)
            try await compareReceipts(year, writers, entries.filter { $0.isShown(hiding: hidden) }, hidden)
        }
    }

    /// Writes with four writers at once, each for its own players. Two boards begin a second season in between.
    private func history(of year: Year, seed: UInt64) async throws -> [Writer] {
        var writers = (0..<4).map { index in
            Writer(
                year, players: stride(from: index, to: year.players.count, by: 4).map { year.players[$0] },
                seed: seed &* 10 &+ UInt64(index))
        }
        let anchors = year.anchors()
        for season in [Int32(1), 2] {
            let stretch = anchors.filter { ($0 < Year.resetAt) == (season == 1) }
            if season == 2 {
                for slug in year.reset {
                    let begun = try await year.database.store.resetBoard(.of(slug), in: .defaultGame, now: Year.resetAt)
                    #expect(begun == 2)
                }
            }
            writers = try await withThrowingTaskGroup(of: (Int, Writer).self) { group in
                for (index, writer) in writers.enumerated() {
                    group.addTask {
                        var writer = writer
                        try await writer.write(near: stretch, season: season)
                        return (index, writer)
                    }
                }
                return try await group.reduce(into: writers) { $0[$1.0] = $1.1 }
            }
        }
        return writers
    }

    /// Compares all time and some of the windows, as seen at some of the instants at which a clock changes or a day
    /// begins.
    private func compare(
        _ subject: Year.Subject, of year: Year, _ entries: [Entry], _ hidden: Set<Player.ID>, _ dice: inout Dice
    ) async throws {
        let rules = try year.rules(subject)
        let changes = year.changes[rules.zone] ?? []
        var looks: [(name: String, now: Instant)] = []
        let names = [
            "today", "yesterday", "week", "month", "2023-W12", "2023-W13", "2023-W43", "2023-03", "2023-10",
            "2023-03-20..2023-04-02", "2023-10-29..2023-10-29", "2023-01-01..2023-12-31",
        ]
        for name in names.shuffled(using: &dice) + ["today", "yesterday", "week"] {
            let near = dice.pick(changes.isEmpty ? [.at("2023-05-01T00:00:00Z")] : changes)
            let offset: Int64 = dice.pick([
                -86_400_000_000, -3_600_000_000, -1, 0, 1_800_000_000, 3_600_000_000, 86_400_000_000,
            ])
            looks.append((name, near.advanced(byMicroseconds: offset)))
        }
        var left = 4
        for (name, now) in [("all", .at("2023-12-31T12:00:00Z"))] + looks where left > 0 {
            let rankings = Rankings(
                store: year.database.store, clock: ServerClock { now },
                memory: LeaderboardMemory(store: year.database.store))
            let board = try #require(try await rankings.findBoard(subject.asked))
            let byHand = WindowByHand(name, now: now, zone: rules.zone)
            let inWindow = entries.filter { byHand.contains($0.at) }
            // Most windows without entries are skipped, because there is nothing to compare.
            if inWindow.isEmpty, dice.percent(90) { continue }
            left -= 1
            let span = try byHand.span()
            let isEnded = if case .board(let slug, 1) = subject { year.reset.contains(slug) } else { false }
            #expect(
                (board.endedAt == Year.resetAt) == isEnded && board.ties == rules.ties && board.policy == rules.policy)
            var comparison = Comparison(
                rankings: rankings, store: year.database.store, board: board, window: try #require(Window(name)),
                expected: RankingByHand(inWindow, by: rules), span: span,
                isFinal: isEnded || rules.closesAt.map { $0 <= now } ?? false
                    || span.map { Instant($0.end) <= now } ?? false, names: year.names, players: year.players,
                dice: dice, label: "\(subject) \(rules) \(name) at \(now.rfc3339(.microseconds))")
            // Clocks change near many entries, so there is something to compare.
            if name == "all" { #expect(comparison.expected.lines.count >= 8, "\(subject)") }
            try await comparison.run()
            dice = comparison.dice
        }
    }

    /// Compares the charities. They count what hidden players donated too; contributors are those who donated by name.
    private func compareCharities(_ year: Year, _ entries: [Entry]) async throws {
        let rankings = Rankings(
            store: year.database.store, clock: ServerClock { .at("2023-12-31T12:00:00Z") },
            memory: LeaderboardMemory(store: year.database.store))
        let donated = year.charities.keys.map { slug in (slug, entries.filter { $0.season == nil && $0.board == slug })
        }
        let expected = donated.map { slug, donations in
            (
                slug: slug, points: donations.reduce(0) { $0 + Int128($1.points) },
                contributors: Int64(Set(donations.filter { $0.anonymousRow == nil }.map(\.player)).count)
            )
        }.sorted { $0.points > $1.points }
        let ranking = try await rankings.charities(pageRequest: .top, limitRows: 100)
        #expect(
            ranking.rows.map(\.slug) == expected.map(\.slug) && ranking.rows.map(\.points) == expected.map(\.points))
        #expect(ranking.rows.map(\.contributors) == expected.map(\.contributors) && ranking.size == expected.count)
        for (row, (_, donations)) in zip(
            ranking.rows, expected.map { one in donated.first { $0.0 == one.slug } ?? ("", []) })
        {
            #expect(
                row.reachedAt == donations.filter { $0.anonymousRow == nil }.map(\.at).max()
                    && row.isFinal == (row.slug == "seas"))
        }
    }

    /// Compares a retry, the receipt read later and the ranking.
    private func compareReceipts(_ year: Year, _ writers: [Writer], _ entries: [Entry], _ hidden: Set<Player.ID>)
        async throws
    {
        let store = year.database.store
        let writeBatcher = WriteBatcher(
            store: store, clock: ServerClock { .at("2023-12-31T12:00:00Z") }, memory: LeaderboardMemory(store: store),
            workersCount: 2)
        try await withThrowingTaskGroup { group in
            group.addTask { await writeBatcher.run() }
            try await compareReceipts(year, writers, entries, hidden, writeBatcher)
            group.cancelAll()
        }
    }

    private func compareReceipts(
        _ year: Year, _ writers: [Writer], _ entries: [Entry], _ hidden: Set<Player.ID>, _ writeBatcher: WriteBatcher
    ) async throws {
        let store = year.database.store
        var all: [Year.Subject: RankingByHand] = [:]
        for subject in year.subjects {
            all[subject] = RankingByHand(entries.filter(subject.has), by: try year.rules(subject))
        }
        for writer in writers {
            for (sent, receipt, season) in writer.scores.suffix(20) + writer.scores.prefix(20) {
                let player = try #require(sent.caller.player)
                let retry = try await writeBatcher.record(includesTotal: true) { _ in sent }
                let kept = try #require(
                    try await store.findScore(sent.id, of: player, on: sent.board, in: .defaultGame, now: .noon))
                let asked = try await writeBatcher.currentRank(
                    ofRow: player.rawValue, on: kept.receipt.board, ties: kept.receipt.ties, includesTotal: true)
                #expect(retry.receipt == kept.receipt && retry.currentRank == asked)
                #expect(
                    retry.receipt.improved == receipt.improved && retry.receipt.earned == receipt.earned
                        && retry.receipt.outcome == .retry)
                #expect(
                    kept.score.season == season && kept.score.points == sent.points
                        && kept.score.reachedAt == sent.reachedAt)
                let standing = writer.standing(of: player, on: sent.board.description, season: season)
                #expect(retry.receipt.best.map { Int128($0) } == standing?.points)
                let ranking = try #require(all[.board(sent.board.description, season: season)])
                let index = ranking.lines.firstIndex { $0.row == player.rawValue }
                #expect(retry.currentRank?.rank == index.map(ranking.rank) && (index == nil) == hidden.contains(player))
            }
            for (sent, receipt) in writer.donations.suffix(20) {
                let player = try #require(sent.caller.player)
                let retry = try await writeBatcher.donate { _ in sent }
                let kept = try #require(
                    try await store.findDonation(sent.id, of: player, to: .of(sent.charity.text), now: .noon))
                #expect(retry.receipt == kept.receipt && kept.donation.isAnonymous == sent.isAnonymous)
                let ranking = try #require(all[.charity(sent.charity.text)])
                #expect(retry.currentRank?.rank == ranking.lines.firstIndex { $0.row == receipt.row }.map(ranking.rank))
            }
        }
    }
}

extension Year.Subject {
    /// The board as an address names it.
    var asked: Rankings.Subject {
        switch self {
        case .board(let slug, let season): .score(game: .defaultGame, board: .of(slug), season: season)
        case .charity(let slug): .charity(.of(slug))
        case .overall: .contributors
        }
    }
}
