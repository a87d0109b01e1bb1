import Domain
import Foundation
import Postgres
import TestDatabases
import Testing

@testable import Storage

/// Rows that are sent again because the answer to their commit was lost.
@Suite struct RepeatTests {
    /// Runs `body` while another session holds the lock of a player.
    private static func whileLocked<Receipt>(
        _ player: Player.ID, _ database: TestDatabase, _ body: () async throws -> Receipt
    ) async throws -> Receipt {
        let connection = try await Connection.open(database.owner, logger: .none)
        try await connection.script("begin; select from wallet where player_id = \(player.rawValue) for update")
        let receipt = try await body()
        try await connection.script("rollback")
        connection.close()
        return receipt
    }

    @Test("a score that was committed is recorded once and said to be so, also when it is put off in between")
    func score() async throws {
        try await withTestDatabase { database in
            try await database.addBoard("ladder")
            let player = try await database.addPlayer("Ada")
            func sent(_ id: UUID?, at arrival: Instant, again: Bool = false) async throws -> ScoreReceipt {
                let score = NewScore(
                    7, by: .player(player), on: .of("ladder"), in: .defaultGame, id: id, reachedAt: arrival)
                let receipts = try await database.store.commit(
                    scores: [score], donations: [], isRepeated: again, marker: nil, now: .noon)
                return try #require(receipts.scores.first)
            }
            for (id, first) in [(UUID(), Instant.noon), (nil, Instant.noon.advanced(bySeconds: 100))] {
                #expect(try await sent(id, at: first).outcome == .recorded)
                let locked = try await Self.whileLocked(player, database) { try await sent(id, at: first, again: true) }
                #expect(locked.outcome == .deferred)
                let repeated = try await sent(id, at: first, again: true)
                #expect(repeated.outcome == .recorded && repeated.balance == (id == nil ? 14 : 7))
                #expect(try await sent(id, at: first.advanced(bySeconds: 1)).outcome == .retry, "the client's own")
            }
            #expect(try await database.owner.ask("select count(*) from score") == ["2"])
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("so is a donation") func donation() async throws {
        try await withTestDatabase { database in
            try await database.addCharity("trees")
            let player = try await database.addPlayer("Ada", points: 100)
            func sent(_ id: UUID?, at arrival: Instant, again: Bool = false) async throws -> DonationReceipt {
                let donation = try NewDonation(
                    7, by: .player(player), to: CharityName("trees", field: "charity"), id: id, isAnonymous: false,
                    reachedAt: arrival)
                let receipts = try await database.store.commit(
                    scores: [], donations: [donation], isRepeated: again, marker: nil, now: .noon)
                return try #require(receipts.donations.first)
            }
            for (id, first) in [(UUID(), Instant.noon), (nil, Instant.noon.advanced(bySeconds: 100))] {
                #expect(try await sent(id, at: first).outcome == .recorded)
                let locked = try await Self.whileLocked(player, database) { try await sent(id, at: first, again: true) }
                #expect(locked.outcome == .deferred)
                #expect(try await sent(id, at: first, again: true).outcome == .recorded)
                #expect(try await sent(id, at: first.advanced(bySeconds: 1)).outcome == .retry, "the client's own")
            }
            #expect(try await database.owner.ask("select count(*) from donation") == ["2"])
        }
    }
}
