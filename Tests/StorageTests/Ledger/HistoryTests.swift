import Domain
import Foundation
import TestDatabases
import TestDice
import Testing

@testable import Storage

@Suite struct HistoryTests {
    @Test(
        "whatever the history, receipts, tops, windows, ranks, sizes and the audit agree with a model by hand",
        arguments: Dice.slowSeeds(1, 2, 3)) func random(seed: UInt64) async throws
    {
        try await withTestDatabase { database in
            var history = try await History(database, seed: seed)
            var outcomes: Set<String> = []
            for _ in 0..<40 {
                if history.percent(65) {
                    try await post(history.scores(), &history.model, database, &outcomes)
                } else {
                    try await donate(history.donations(), &history.model, database, &outcomes)
                }
            }
            #expect(
                outcomes.count == 7 + 7 - 4,
                "the same words for scores and donations: recorded, retry, conflict, no-player")
            #expect(try await database.auditComplaints() == [])

            history.model.hidden = Set(history.players.prefix(3))
            let hidden = history.model.hidden.map { "\($0.rawValue)" }.joined(separator: ", ")
            try await database.owner.script("update player set hidden = true where id in (\(hidden))")
            let now = history.now()
            try await database.compareBoards(history.model, now: now)
            try await database.compareDonations(history.model, now: now)
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
                                }.count
                            } else if history.percent(80) {
                                recorded += try await database.store.donate(history.donations(), now: .noon).filter {
                                    $0.outcome == .recorded
                                }.count
                            } else {
                                _ = try await database.store.register(
                                    Registration(name: PlayerName("writer \(writer)", field: "name"), source: "test"),
                                    device: database.device(of: "player 7"), in: database.game.slug, now: .noon)
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
                    == ["\(recorded)"])
            #expect(try await database.auditComplaints() == [])
        }
    }

    private func post(
        _ batch: [NewScore], _ model: inout Model, _ database: TestDatabase, _ outcomes: inout Set<String>
    ) async throws {
        let receipts = try await database.store.record(batch, now: .noon)
        for (score, receipt) in zip(batch, receipts) {
            let expected = model.judge(score)
            #expect(receipt.outcome == expected.outcome, "\(score)")
            #expect(
                receipt.id == expected.id && receipt.points == expected.points && receipt.earned == expected.earned,
                "\(score) \(receipt)")
            #expect(receipt.best == expected.best && receipt.balance == expected.balance, "\(score) \(receipt)")
            outcomes.insert(receipt.outcome.rawValue)
        }
    }

    private func donate(
        _ batch: [NewDonation], _ model: inout Model, _ database: TestDatabase, _ outcomes: inout Set<String>
    ) async throws {
        let receipts = try await database.store.donate(batch, now: .noon)
        for (donation, receipt) in zip(batch, receipts) {
            let expected = model.judge(donation)
            #expect(receipt.outcome == expected.outcome, "\(donation)")
            #expect(
                receipt.id == expected.id && receipt.points == expected.points && receipt.balance == expected.balance,
                "\(donation) \(receipt)")
            outcomes.insert(receipt.outcome.rawValue)
        }
    }
}
