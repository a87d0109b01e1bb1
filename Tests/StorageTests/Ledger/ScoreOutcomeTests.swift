import Domain
import Foundation
import Postgres
import TestDatabases
import Testing

@testable import Storage

@Suite struct ScoreOutcomeTests {
    @Test("one batch may hold every outcome, and no bad row harms its neighbours") func mixed() async throws {
        try await withTestDatabase { database in
            try await database.addBoard("ladder") { $0.bounds = 1...100 }
            try await database.addBoard("sum") {
                $0.policy = .sum;
                $0.bounds = 0...Int64.max;
                $0.earning = .none
            }
            try await database.addBoard("early") { $0.opensAt = .at("2026-11-20T12:01:00Z") }
            try await database.addBoard("late") { $0.closesAt = .noon }
            var batch: [NewScore] = []
            var expected: [ScoreOutcome] = []
            func row(
                _ expectation: ScoreOutcome, _ points: Int64, _ board: String, id: UUID = UUID(),
                by player: Player.ID? = nil
            ) async throws {
                var author = Player.ID(rawValue: 0)
                if let player { author = player } else { author = try await database.addPlayer("p\(batch.count)") }
                batch.append(
                    NewScore(
                        points, by: .player(author), on: .of(board), in: database.game.slug, id: id,
                        reachedAt: Instant(
                            microsecondsSince1970: Instant.noon.microsecondsSince1970 + Int64(batch.count))))
                expected.append(expectation)
            }
            let (ada, bob, eve) = (
                try await database.addPlayer("Ada"), try await database.addPlayer("Bob"),
                try await database.addPlayer("Eve")
            )
            let (first, second) = (UUID(), UUID())
            try await database.post(7, by: ada, on: "ladder", id: first)
            try await database.post(8, by: bob, on: "ladder", id: second)
            try await database.post(.max, by: eve, on: "sum")
            try await row(.recorded, 1, "ladder")
            try await row(.retry, 7, "ladder", id: first, by: ada)
            try await row(.conflict, 9, "ladder", id: second, by: bob)
            try await row(.noPlayer, 5, "ladder", by: Player.ID(rawValue: 4711))
            try await row(.noBoard, 5, "nowhere")
            try await row(.boardClosed, 5, "early")
            try await row(.boardClosed, 5, "late")
            try await row(.outOfBounds, 0, "ladder")
            try await row(.outOfBounds, 101, "ladder")
            try await row(.outOfBounds, .min, "ladder")
            try await row(.outOfBounds, 1, "sum", by: eve)  // over 64 bits in all
            try await row(.recorded, 100, "ladder")
            let receipts = try await database.store.record(batch, now: .noon)
            #expect(receipts.map(\.outcome) == expected)
            for (receipt, score) in zip(receipts, batch) { #expect(receipt.id == score.id) }
            #expect(
                receipts[1].points == 7 && receipts[1].earned == 7 && receipts[1].best == 7 && receipts[1].improved,
                "as it was recorded")
            #expect(receipts[2].points == 8, "a conflict tells what is recorded")
            #expect(receipts[3].balance == nil && receipts[3].board == nil)
            #expect(receipts[4].balance == 0 && receipts[4].board == nil && receipts[4].best == nil)
            #expect(try await database.owner.ask("select count(*) from score") == ["5"])
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("an empty batch is no mistake, and rows of one player in one batch are judged one after the other")
    func shapes() async throws {
        try await withTestDatabase { database in
            #expect(try await database.store.record([], now: .noon).isEmpty)
            #expect(try await database.store.donate([], now: .noon).isEmpty)
            try await database.addCharity("trees")
            let ada = try await database.addPlayer("Ada")
            let id = UUID()
            func score(_ points: Int64, _ id: UUID?, seconds: Int64) -> NewScore {
                NewScore(
                    points, by: .player(ada), on: .highScores, in: .defaultGame, id: id,
                    reachedAt: Instant.noon.advanced(bySeconds: seconds))
            }
            let scores = [
                score(5, id, seconds: 0), score(9, UUID(), seconds: 1), score(5, id, seconds: 2),
                score(6, id, seconds: 3),
            ]
            let receipts = try await database.store.record(scores, now: .noon)
            #expect(receipts.map(\.outcome) == [.recorded, .recorded, .retry, .conflict])
            #expect(receipts.map(\.balance) == [5, 14, 14, 14])
            #expect(receipts.map(\.best) == [5, 9, 9, 9])
            func donation(_ points: Int64, isAnonymous: Bool = false) -> NewDonation {
                NewDonation(
                    points, by: .player(ada), to: CharityName(.of("trees")), id: UUID(), isAnonymous: isAnonymous,
                    reachedAt: .noon)
            }
            let donated = try await database.store.donate(
                [donation(8), donation(7), donation(6, isAnonymous: true)], now: .noon)
            #expect(donated.map(\.outcome) == [.recorded, .overspent, .recorded])
            #expect(donated.prefix(2).map(\.row) == [ada.rawValue, ada.rawValue])
            #expect(try #require(donated[2].row) < 0 && donated[2].row != -ada.rawValue)
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test(
        """
        an id belongs to one score of a player for ever: another board, \
        points or played_at is a conflict, another player's id is free
        """) func identity() async throws
    {
        try await withTestDatabase { database in
            try await database.addBoard("ladder")
            try await database.addBoard("other")
            let (ada, bob) = (try await database.addPlayer("Ada"), try await database.addPlayer("Bob"))
            let id = UUID()
            let played = Instant.at("2026-11-19T12:00:00Z")
            try await database.post(7, by: ada, on: "ladder", id: id, playedAt: played)
            func outcome(
                _ points: Int64 = 7, on board: String = "ladder", by player: Player.ID, playedAt: Instant? = played
            ) async throws -> ScoreOutcome {
                try await database.post(
                    points, by: player, on: board, id: id, playedAt: playedAt, at: Instant.noon.advanced(bySeconds: 9)
                ).outcome
            }
            #expect(try await outcome(by: ada) == .retry)
            #expect(try await outcome(8, by: ada) == .conflict)
            #expect(try await outcome(on: "other", by: ada) == .conflict)
            #expect(try await outcome(on: "nowhere", by: ada) == .conflict)
            #expect(try await outcome(by: ada, playedAt: nil) == .conflict)
            #expect(try await outcome(by: bob) == .recorded)
        }
    }

    @Test("a refusal does not use up its id, and a retry is a retry also when the board has closed since")
    func refusals() async throws {
        try await withTestDatabase { database in
            try await database.addBoard("ladder") { $0.bounds = 1...10 }
            let ada = try await database.addPlayer("Ada")
            let id = UUID()
            #expect(try await database.post(11, by: ada, on: "ladder", id: id).outcome == .outOfBounds)
            #expect(try await database.post(10, by: ada, on: "ladder", id: id).outcome == .recorded)
            var closing = BoardChange()
            closing.closesAt = .set(.noon)
            #expect(
                try await database.store.admin.setBoard(.of("ladder"), in: .defaultGame, closing, now: .noon) == .set)
            #expect(try await database.post(10, by: ada, on: "ladder", id: id).outcome == .retry)
            #expect(try await database.post(10, by: ada, on: "ladder").outcome == .boardClosed)
        }
    }

    @Test("a board is open from its first moment to the one before its last") func opening() async throws {
        try await withTestDatabase { database in
            let (opens, closes) = (Instant.at("2026-11-20T10:00:00Z"), Instant.at("2026-11-20T11:00:00Z"))
            try await database.addBoard("ladder") {
                $0.opensAt = opens
                $0.closesAt = closes
            }
            let ada = try await database.addPlayer("Ada")
            func outcome(_ instant: Instant, _ microseconds: Int64) async throws -> ScoreOutcome {
                let historyKey = Instant(microsecondsSince1970: instant.microsecondsSince1970 + microseconds)
                return try await database.post(1, by: ada, on: "ladder", at: historyKey).outcome
            }
            #expect(try await outcome(opens, -1) == .boardClosed)
            #expect(try await outcome(opens, 0) == .recorded)
            #expect(try await outcome(closes, -1) == .recorded)
            #expect(try await outcome(closes, 0) == .boardClosed)
        }
    }

    @Test(
        """
        without an id equal posts within 60 s are one, \
        in either order of arrival; another name, points or board is another post
        """) func withoutClientID() async throws
    {
        try await withTestDatabase { database in
            try await database.addBoard("ladder")
            try await database.addBoard("other")
            let (ada, bob) = (try await database.addPlayer("Ada"), try await database.addPlayer("Bob"))
            func post(
                _ points: Int64 = 5, by player: Player.ID? = nil, on board: String = "ladder", id: UUID? = nil,
                name: String? = "A", after seconds: Int64
            ) async throws -> ScoreReceipt {
                try await database.post(
                    points, by: player ?? ada, on: board, id: id, name: name,
                    at: Instant.noon.advanced(bySeconds: seconds))
            }
            let first = try await post(after: 0)
            #expect(first.outcome == .recorded)
            for seconds in [0, 60, -60] as [Int64] {
                let again = try await post(after: seconds)
                #expect(again.outcome == .retry && again.id == first.id, "\(seconds) s")
            }
            #expect(try await post(after: 61).outcome == .recorded)
            #expect(try await post(after: -61).outcome == .recorded)
            #expect(try await post(6, after: 0).outcome == .recorded)
            #expect(try await post(name: "B", after: 0).outcome == .recorded)
            #expect(try await post(name: nil, after: 0).outcome == .recorded)
            #expect(try await post(on: "other", after: 0).outcome == .recorded)
            #expect(try await post(by: bob, after: 0).outcome == .recorded)
            #expect(
                try await post(id: UUID(), after: 0).outcome == .recorded,
                "who sends an id says that it is another post")
            let other = try await post(on: "other", name: "Z", after: 0)
            let withID = try await post(9, id: UUID(), after: 0)
            #expect(other.outcome == .recorded && withID.outcome == .recorded)
            #expect(try await post(9, after: 0).outcome == .recorded, "a post with an id is never the one without")
            #expect(try await database.auditComplaints() == [])
        }
    }
}
