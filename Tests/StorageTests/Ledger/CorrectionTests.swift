import Domain
import Foundation
import Postgres
import TestDatabases
import Testing

@testable import Storage

@Suite struct CorrectionTests {
    @Test("a score may be replaced though points that it earned were forfeited, as long as the wallet has them after")
    func forfeited() async throws {
        try await withTestDatabase { database in
            try await database.addCharity("trees")
            try await database.addBoard("lap")
            let ada = try await database.addPlayer("Ada")
            let score = try await database.post(50, by: ada, on: "lap").id
            let donation = try await database.donate(50, by: ada, to: "trees").id
            let reverse = try await database.moderate(.reverse(ada, donation: donation, forfeits: true))

            // Ten of the fifty that were forfeited would be nobody's.
            let lower = ModerationAction(
                .correct(ada, score: score, points: 40, earned: 40), id: UUID(), reason: try ModerationReason("x"))
            let refused = try await database.store.admin.perform(lower, by: "cli", now: .noon)
            guard case .conflict(let action) = refused, action == reverse else {
                throw TestDatabaseError("\(refused) is no conflict with the donation that was taken back")
            }

            let correct = try await database.moderate(.correct(ada, score: score, points: 60, earned: 60))
            var own = try await database.store.ownProfile(of: ada, now: .noon).profile
            #expect(own.balance == 10 && own.earned == 110)
            #expect(try await database.auditComplaints() == [])

            try await database.moderate(.undo(correct))
            own = try await database.store.ownProfile(of: ada, now: .noon).profile
            #expect(own.balance == 0 && own.earned == 110)
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("a donation that is reversed already is not reversed again, nor one given again that is not reversed")
    func reversedOnce() async throws {
        try await withTestDatabase { database in
            try await database.addCharity("trees")
            let ada = try await database.addPlayer("Ada", points: 10)
            let donation = try await database.donate(4, by: ada, to: "trees").id
            for (isReversed, donated) in [(true, "0 1"), (true, "0 1"), (false, "4 2"), (false, "4 2")] {
                let reverse = DonationReverse(
                    player: ada, donation: LedgerRowID(owner: ada, id: donation), isReversed: isReversed, forfeited: 0,
                    restored: 0, action: nil, now: .noon)
                _ = try await database.store.ledger { connection throws(PostgresError) in
                    try await connection.run(reverse)
                }
                let asked = "select w.donated || ' ' || (select count(*) from correction) from wallet w"
                #expect(try await database.owner.ask(asked) == [donated])
            }
        }
    }
}
