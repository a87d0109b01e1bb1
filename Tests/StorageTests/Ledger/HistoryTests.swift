import Domain
import Foundation
import TestDatabases
import TestDice
import Testing

@testable import Storage

@Suite struct HistoryTests {
    @Test(
        "whatever the history, receipts, tops, windows, ranks, sizes and the audit agree with a model by hand",
        arguments: Dice.seeds(1, 2, 3)
    )
    func random(seed: UInt64) async throws {
        try await withTestDatabase { database in
            var history = try await History(database, seed: seed)
            var outcomes: Set<String> = []
            for _ in 0..<40 {
                if history.percent(65) {
                    try await post(history.scores(), &history.model, database, &outcomes)
                } else {
                    try await give(history.donations(), &history.model, database, &outcomes)
                }
            }
            #expect(
                outcomes.count == 7 + 7 - 4,
                "the same words for scores and gifts: recorded, retry, conflict, no-player"
            )
            #expect(try await database.auditComplaints() == [])

            history.model.hidden = Set(history.players.prefix(3))
            let hidden = history.model.hidden.map { "\($0.rawValue)" }.joined(separator: ", ")
            try await database.owner.script("update player set hidden = true where id in (\(hidden))")
            let now = history.now()
            for slug in history.model.boards.keys.sorted() {
                let board = try #require(try await database.store.findBoard(.of(slug), in: .defaultGame, now: now))
                let rules = try #require(history.model.boards[slug])
                #expect(board.today == rules.day(now))
                let model = history.model
                try await compare(board, database) { model.ranking(slug, days: $0) }
                guard board.policy == .best else { continue }
                let posts = try await database.store.bestPosts(of: board.id, limitRows: 10)
                let expected = history.model.bestPosts(slug, limit: 10)
                #expect(
                    posts
                        == expected.map {
                            BestPost(name: $0.name, points: Int64($0.place.points), reachedAt: $0.place.at)
                        }
                )
            }
            try await compareGiving(history.model, database, now: now)
        }
    }

    @Test("eight writers at once leave books that balance, and none of them waits for ever") func concurrent()
        async throws
    {
        try await withTestDatabase { database in
            let first = try await History(database, seed: 4, playersCount: 20)
            let recorded = try await withThrowingTaskGroup(of: Int.self) { writers in
                for writer in 0..<8 {
                    writers.addTask {
                        var history = first.with(seed: UInt64(100 + writer))
                        var recorded = 0
                        for _ in 0..<25 {
                            if history.percent(60) {
                                recorded += try await database.store.record(history.scores(), now: .noon).filter {
                                    $0.outcome == .recorded
                                }
                                .count
                            } else if history.percent(80) {
                                recorded += try await database.store.give(history.donations(), now: .noon).filter {
                                    $0.outcome == .recorded
                                }
                                .count
                            } else {
                                _ = try await database.store.register(
                                    Registration(name: PlayerName("writer \(writer)", field: "name"), source: "test"),
                                    device: database.device(of: "player 7"),
                                    in: database.game.slug,
                                    now: .noon
                                )
                            }
                        }
                        return recorded
                    }
                }
                return try await writers.reduce(0, +)
            }
            #expect(recorded > 500)
            #expect(
                try await database.owner.ask("select (select count(*) from score) + (select count(*) from donation)")
                    == ["\(recorded)"]
            )
            #expect(try await database.auditComplaints() == [])
        }
    }

    private func post(
        _ batch: [NewScore],
        _ model: inout Model,
        _ database: TestDatabase,
        _ outcomes: inout Set<String>
    ) async throws {
        let receipts = try await database.store.record(batch, now: .noon)
        for (score, receipt) in zip(batch, receipts) {
            let expected = model.judge(score)
            #expect(receipt.outcome == expected.outcome, "\(score)")
            #expect(
                receipt.id == expected.id && receipt.points == expected.points && receipt.earned == expected.earned,
                "\(score) \(receipt)"
            )
            #expect(receipt.best == expected.best && receipt.balance == expected.balance, "\(score) \(receipt)")
            outcomes.insert(receipt.outcome.rawValue)
        }
    }

    private func give(
        _ batch: [NewDonation],
        _ model: inout Model,
        _ database: TestDatabase,
        _ outcomes: inout Set<String>
    ) async throws {
        let receipts = try await database.store.give(batch, now: .noon)
        for (donation, receipt) in zip(batch, receipts) {
            let expected = model.judge(donation)
            #expect(receipt.outcome == expected.outcome, "\(donation)")
            #expect(
                receipt.id == expected.id && receipt.points == expected.points && receipt.balance == expected.balance,
                "\(donation) \(receipt)"
            )
            outcomes.insert(receipt.outcome.rawValue)
        }
    }

    /// Compares the first rows and the size of every window, and all ranks of all time.
    private func compare(_ board: Board, _ database: TestDatabase, with ranking: (ClosedRange<Day>?) -> [Model.Entry])
        async throws
    {
        for name in [
            "all", "today", "yesterday", "week", "month", "2026-10-25..2026-10-25", "2026-03-01..2026-12-31",
            "2026-W44",
        ] {
            let days = try #require(Window(name)).days(today: board.today)
            let expected = ranking(days)
            let comment: Comment = "\(board.slug) \(board.policy) \(name) of \(board.today)"
            for limit in [7, 101] {
                let top = try await database.store.top(of: board, days: days, limitRows: limit)
                #expect(top.map(\.modelEntry) == Array(expected.prefix(limit)), comment)
            }
            #expect(try await database.store.size(of: board.id, days: days) == Int64(expected.count), comment)
        }
        let all = ranking(nil)
        for (index, place) in all.enumerated() {
            let shared = all.firstIndex { $0.points == place.points } ?? index
            let found = try await database.store.rankPositions(of: [place.row], on: board.id, days: nil).first
            #expect(
                found?.rankPosition.rank(board.ties).number == Int64(board.ties == .shared ? shared : index) + 1,
                "\(board.slug) \(place)"
            )
        }
    }

    private func compareGiving(_ model: Model, _ database: TestDatabase, now: Instant) async throws {
        for slug in ["overall", "trees", "seas", "shut"] {
            let giving = slug == "overall" ? Slug.overall : .of(slug)
            let board = try #require(try await database.store.findGivingBoard(giving, now: now))
            let most = Limits.walletPointsMax
            let settings = NewBoard(
                game: .defaultGame,
                slug: giving,
                name: .of(slug),
                policy: .sum,
                lowestFirst: false,
                bounds: 1...most,
                zone: board.zone,
                ties: .first,
                earning: .none,
                earnMax: nil,
                earnDay: nil,
                opensAt: nil,
                closesAt: nil
            )
            let rules = Model.Rules(settings: settings, zone: try History.zone(board.zone))
            try await compare(board, database) { model.giving(slug, rules, days: $0) }
        }
        // Charities count donations of hidden players too.
        let received = model.charities.keys.map { slug in
            let donations = model.donations.filter { $0.place == slug }
            return (slug, donations.reduce(0) { $0 + Int128($1.points) }, Int64(Set(donations.map(\.player)).count))
        }
        let charities = try await database.store.charities(now: now)
        #expect(charities.map(\.slug).sorted() == received.map(\.0).sorted())
        for (slug, points, contributors) in received {
            let charity = try #require(charities.first { $0.slug == slug })
            #expect(charity.points == points && charity.contributors == contributors)
        }
        #expect(charities.map(\.points) == charities.map(\.points).sorted(by: >))
    }
}
