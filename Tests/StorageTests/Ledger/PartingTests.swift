import Domain
import TestDatabases
import Testing

@testable import Storage

@Suite struct PartingTests {
    @Test("a score that was held while players were one stays a secret from its owner after they part")
    func secret() async throws {
        try await withTestDatabase { database in
            try await database.addBoard("maze") { $0.holds.settleMinutes = 60 }
            try await database.addCharity("trees")
            let (ada, bob) = (try await database.addPlayer("Ada"), try await database.addPlayer("Bob"))
            let score = try await database.post(50, by: ada, on: "maze").id
            let told = try await database.store.ownProfile(of: ada, now: .noon).profile.balance
            let merge = try await database.act(.merge(ada, into: bob))
            try await database.act(.hold(bob, score: score))
            try await database.act(.undo(merge))
            #expect(try await database.store.ownProfile(of: ada, now: .noon).profile.balance == told)
            #expect(try await database.give(10, by: ada, to: "trees").outcome == .settling)
            let settled = Instant.noon.advanced(bySeconds: 3_600)
            #expect(try await database.store.ownProfile(of: ada, now: settled).profile.balance == 0)
            #expect(try await database.auditComplaints() == [])
        }
    }
}
