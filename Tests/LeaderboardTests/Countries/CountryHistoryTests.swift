import Credentials
import Domain
import Foundation
import Storage
import TestDatabases
import TestDice
import Testing

@testable import Leaderboard

/// Whatever players post and show, and operators do, the rankings of countries are those of a model, by SQL and from
/// the memory of two servers.
@Suite struct CountryHistoryTests {
    private static let boards: [(slug: String, rules: Rules, best: Int)] = [
        ("high", Rules(policy: .best, lowestFirst: false, ties: .first, zone: .gmt), 2),
        ("low", Rules(policy: .best, lowestFirst: true, ties: .shared, zone: .gmt), 2),
        ("sum", Rules(policy: .sum, lowestFirst: false, ties: .shared, zone: .gmt), 3),
        ("last", Rules(policy: .latest, lowestFirst: false, ties: .first, zone: .gmt), 1),
    ]
    private static let flags = ["DE", "DE-BE", "DE-BY", "FR", "US", "US-CA", "NZ"].compactMap { CountryFlag($0) }
    private static let windows = ["all", "today", "2026-11-18..2026-11-20"]

    private struct Run {
        let database: TestDatabase
        var dice: Dice
        var model = CountryModel()
        var now = Instant.noon

        init(_ database: TestDatabase, seed: UInt64) async throws {
            (self.database, dice) = (database, Dice(seed: seed))
            let outcome = try await database.store.admin.setGame(
                .defaultGame, GameChange { $0.flags = true }, now: .noon)
            #expect(outcome == .set)
            for (slug, rules, best) in CountryHistoryTests.boards {
                try await database.addBoard(slug) { board in
                    (board.policy, board.lowestFirst, board.ties) = (rules.policy, rules.lowestFirst, rules.ties)
                    board.countries = CountryScoring(best: Int32(best))
                }
            }
            for number in 1...16 {
                let player = try await database.addPlayer("P\(number)")
                model.people[player] = CountryModel.Person()
                if dice.percent(75) { try await show(dice.pick(CountryHistoryTests.flags), by: player) }
            }
        }

        mutating func show(_ flag: CountryFlag?, by player: Player.ID) async throws {
            let text = flag.map { "'\($0)'" } ?? "null"
            try await database.owner.script(
                "update player set flag = \(text), flag_at = now() where id = \(player.rawValue)")
            model.people[player]?.flag = flag
        }

        mutating func step() async throws {
            now = now.advanced(bySeconds: Int64.random(in: 0...3, using: &dice))
            guard let player = model.actors.randomElement(using: &dice) else { return }
            switch Int.random(in: 0..<100, using: &dice) {
            case ..<60:
                // It is of the last three days. There are few different points, so many are equal.
                let post = CountryModel.Post(
                    id: dice.uuid(), player: player, board: dice.pick(CountryHistoryTests.boards).slug,
                    points: Int64.random(in: 1...6, using: &dice),
                    at: now.advanced(bySeconds: -86_400 * Int64.random(in: 0...2, using: &dice)))
                // What counts as the latest is what was reached last, and equal times of one player are no case here.
                if model.posts.contains(where: { $0.at == post.at }) { return }
                try await database.post(post.points, by: player, on: post.board, id: post.id, at: post.at)
                model.posts.append(post)
            case ..<80: try await show(dice.percent(80) ? dice.pick(CountryHistoryTests.flags) : nil, by: player)
            case ..<88:
                guard let index = model.posts.indices.filter({ !model.posts[$0].isVoided }).randomElement(using: &dice)
                else { return }
                let post = model.posts[index]
                try await database.moderate(.void(post.player, score: post.id))
                model.posts[index].isVoided = true
            case ..<92:
                try await database.moderate(.hide(player))
                model.people[player]?.isHidden = true
            case ..<96:
                guard let other = model.actors.filter({ $0 != player }).randomElement(using: &dice) else { return }
                try await database.moderate(.merge(player, into: other))
                for member in model.people.keys where member == player || model.people[member]?.survivor == player {
                    model.people[member]?.survivor = other
                }
            default:
                let name = try #require(
                    try await database.owner.ask("select name from player where id = \(player.rawValue)").first)
                try await database.moderate(.erase(player, confirming: name))
                for member in model.people.keys where member == player || model.people[member]?.survivor == player {
                    model.people[member]?.flag = nil
                    model.people[member]?.isErased = true
                }
            }
        }

        /// Compares all boards as some rankings have them with the model.
        /// - Parameter isInMemory: Whether memory must answer.
        func compare(_ rankings: Rankings, isInMemory: Bool, _ label: String) async throws {
            for (slug, rules, best) in CountryHistoryTests.boards {
                let board = try #require(
                    try await rankings.findBoard(.score(game: .defaultGame, board: .of(slug), season: nil)))
                for name in CountryHistoryTests.windows {
                    let window = try #require(Window(name))
                    let byHand = WindowByHand(name, now: .noon, zone: .gmt)
                    let what = "\(label): \(slug) \(name)"
                    let all = model.ranking(slug, by: rules, in: byHand)
                    for flag in CountryHistoryTests.flags {
                        try await compare(
                            rankings, isInMemory, board, window, flag, all,
                            model.ranking(slug, by: rules, in: byHand, of: flag), "\(what) \(flag)")
                    }
                    for country in [nil, CountryFlag("DE"), CountryFlag("US"), CountryFlag("NZ")] {
                        let expected = model.countries(slug, by: rules, in: byHand, of: country, best: best)
                        try await compare(
                            rankings, isInMemory, board, window, country, expected,
                            "\(what) \(country.map { "regions of \($0)" } ?? "countries")")
                    }
                }
            }
        }

        /// Reads until memory has answered, if it must. It has no answer while rows are filled in, or while a heartbeat
        /// of the stream is late.
        private func read<Value>(_ isInMemory: Bool, _ read: () async throws -> (Value, isFromMemory: Bool))
            async throws -> Value
        {
            let end = ContinuousClock.now + .seconds(120)
            while true {
                let (value, isFromMemory) = try await read()
                if isFromMemory == isInMemory { return value }
                guard .now < end else { throw TestDatabaseError("memory did not answer") }
                try await Task.sleep(for: .milliseconds(5))
            }
        }

        private func compare(
            _ rankings: Rankings, _ isInMemory: Bool, _ board: Board, _ window: Window, _ flag: CountryFlag,
            _ all: RankingByHand, _ expected: RankingByHand, _ label: String
        ) async throws {
            func page(_ pageRequest: PageRequest, _ shown: Range<Int>) async throws {
                let found = try await read(isInMemory) {
                    try await rankings.ranking(
                        of: board, window: window, days: nil, country: flag, pageRequest: pageRequest, limitRows: 3,
                        includesTotal: true)
                }
                let lines = expected.lines[shown]
                #expect(found.rows.map(\.sortKey) == shown.map(expected.sortKey), "\(label) \(pageRequest)")
                #expect(found.rows.allSatisfy { $0.flag?.counts(for: flag) ?? false }, "\(label) \(pageRequest)")
                #expect(found.among?.places == shown.map(expected.rank), "\(label) \(pageRequest)")
                let ranks = lines.map { line in
                    all.lines.firstIndex { $0.row == line.row }.map { (all.rank($0), all.isTied($0)) }
                }
                #expect(found.ranks.map(\.number) == ranks.map { $0?.0 ?? 0 }, "\(label) \(pageRequest)")
                #expect(found.ranks.map(\.isTied) == ranks.map { $0?.1 ?? false }, "\(label) \(pageRequest)")
                #expect(found.size == Int64(expected.lines.count), "\(label) \(pageRequest)")
                #expect(found.hasNext == (shown.upperBound < expected.lines.count && !shown.isEmpty), "\(label)")
                #expect(found.hasPrevious == (shown.lowerBound > 0 && !shown.isEmpty), "\(label)")
            }
            let count = expected.lines.count
            try await page(.top, 0..<min(3, count))
            try await page(.from(2), min(1, count)..<min(4, count))
            guard count > 1 else { return }
            try await page(.after(expected.sortKey(0)), 1..<min(4, count))
            try await page(.before(expected.sortKey(count - 1)), max(0, count - 4)..<(count - 1))
        }

        private func compare(
            _ rankings: Rankings, _ isInMemory: Bool, _ board: Board, _ window: Window, _ country: CountryFlag?,
            _ expected: [CountrySum], _ label: String
        ) async throws {
            func sums(_ ranking: CountryRanking) -> [CountrySum] {
                zip(ranking.ranking.rows, ranking.players).compactMap { row, players in
                    CountryFlag(row.name).map {
                        CountrySum(
                            country: $0, points: Int64(clamping: row.points), reachedAt: row.reachedAt, players: players
                        )
                    }
                }
            }
            let whole = try await read(isInMemory) {
                try await rankings.countries(
                    on: board, in: country, window: window, days: nil, pageRequest: .top, limitRows: 100)
            }
            #expect(sums(whole) == expected && whole.ranking.size == Int64(expected.count), "\(label)")
            let ranks = Ranks.consecutive(
                expected.map { Int128($0.points) }, limitRows: expected.count, ties: board.ties)
            #expect(whole.ranking.ranks == ranks, "\(label)")
            guard let first = whole.ranking.rows.first else { return }
            let rest = try await rankings.countries(
                on: board, in: country, window: window, days: nil, pageRequest: .after(first.sortKey), limitRows: 100
            ).ranking
            #expect(sums(rest) == Array(expected.dropFirst()), "\(label) after the first")
        }
    }

    @Test("by SQL and from memory", arguments: Dice.slowSeeds(1, 2, 3)) func anything(seed: UInt64) async throws {
        try await withTestDatabase { database in
            var run = try await Run(database, seed: seed)
            for _ in 0..<40 { try await run.step() }
            let begun = run
            try await withFollower(database, now: { .noon }) { one in
                try await withFollower(database, now: { .noon }) { other in
                    var run = begun
                    for round in 0..<6 {
                        for _ in 0..<12 { try await run.step() }
                        let bySQL = Rankings(
                            store: database.store, clock: ServerClock { .noon },
                            memory: LeaderboardMemory(store: database.store))
                        try await run.compare(bySQL, isInMemory: false, "seed \(seed), round \(round), by SQL")
                        for live in [one, other] {
                            try await live.catchUp()
                            try await run.compare(
                                live.rankings, isInMemory: true, "seed \(seed), round \(round), from memory")
                        }
                    }
                    #expect(try await database.auditComplaints() == [])
                }
            }
        }
    }
}
