import Domain
import Foundation
import TestDatabases
import Testing

@testable import Storage

@Suite struct DonationOutcomeTests {
    @Test("one batch may hold every outcome, and no bad row harms its neighbours") func mixed() async throws {
        try await withTestDatabase { database in
            try await database.addCharity("trees")
            try await database.addCharity("early") { $0.opensAt = .set(.at("2026-11-20T12:01:00Z")) }
            try await database.addCharity("late") { $0.closesAt = .set(.noon) }
            let (ada, bob) = (
                try await database.addPlayer("Ada", points: 20), try await database.addPlayer("Bob", points: 20)
            )
            let (first, second) = (UUID(), UUID())
            try await database.donate(5, by: ada, to: "trees", id: first)
            try await database.donate(6, by: bob, to: "trees", id: second)
            var rows:
                [(
                    expected: DonationOutcome, player: Player.ID, id: UUID, charity: String, points: Int64,
                    balance: Int64?
                )] = [
                    (.retry, ada, first, "Trees", 5, 15), (.conflict, bob, second, "trees", 7, 14),
                    (.noPlayer, Player.ID(rawValue: 4711), UUID(), "trees", 1, nil),
                ]
            let fresh: [(DonationOutcome, String, Int64, Int64)] = [
                (.recorded, "trees", 30, 0), (.overspent, "trees", 31, 30), (.overspent, "trees", .max, 30),
                (.noCharity, "weeds", 1, 30), (.charityClosed, "early", 1, 30), (.charityClosed, "late", 1, 30),
                (.recorded, "TREES", 1, 29),
            ]
            for (index, row) in fresh.enumerated() {
                rows.append((row.0, try await database.addPlayer("p\(index)", points: 30), UUID(), row.1, row.2, row.3))
            }
            let receipts = try await database.store.donate(
                rows.map {
                    try NewDonation(
                        $0.points, by: .player($0.player), to: CharityName($0.charity, field: "charity"), id: $0.id,
                        reachedAt: .noon)
                }, now: .noon)
            #expect(receipts.map(\.outcome) == rows.map(\.expected))
            #expect(receipts.map(\.balance) == rows.map(\.balance))
            #expect(receipts.map(\.id) == rows.map(\.id))
            #expect(receipts[1].points == 6, "a conflict tells what is recorded")
            #expect(receipts[6].charity == nil && receipts[6].board == nil)
            #expect(try await database.owner.ask("select sum(points) from donation") == ["42"])
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("an id belongs to one donation of a player for ever: another charity, points or anonymity is a conflict")
    func identity() async throws {
        try await withTestDatabase { database in
            try await database.addCharity("trees")
            try await database.addCharity("seas")
            let (ada, bob) = (
                try await database.addPlayer("Ada", points: 9), try await database.addPlayer("Bob", points: 9)
            )
            let id = UUID()
            #expect(try await database.donate(10, by: ada, to: "trees", id: id).outcome == .overspent)
            #expect(
                try await database.donate(9, by: ada, to: "trees", id: id).outcome == .recorded,
                "a refusal does not use up the id")
            #expect(
                try await database.donate(9, by: ada, to: "trees", id: id).outcome == .retry, "although nothing is left"
            )
            #expect(try await database.donate(8, by: ada, to: "trees", id: id).outcome == .conflict)
            #expect(try await database.donate(9, by: ada, to: "seas", id: id).outcome == .conflict)
            #expect(try await database.donate(9, by: ada, to: "trees", id: id, isAnonymous: true).outcome == .conflict)
            #expect(try await database.donate(9, by: bob, to: "trees", id: id).outcome == .recorded)
        }
    }

    @Test("a charity is found by its slug, and by its name in any case and spacing; no other one may look like either")
    func names() async throws {
        try await withTestDatabase { database in
            try await database.addCharity("trees") { $0.name = .of("Die Straße") }
            for (slug, name) in [
                ("other", "Trees"), ("other", "die strasse"), ("other", "D-i-e Straße"), ("die", "TREES"),
            ] {
                var twin = CharityChange()
                twin.name = .of(name)
                #expect(
                    try await database.store.admin.addCharity(.of(slug), twin, now: .noon) == .nameTaken,
                    "\(slug) \(name)")
            }
            let ada = try await database.addPlayer("Ada", points: 9)
            for name in ["trees", "Die Straße", "  die  STRASSE "] {
                #expect(try await database.donate(1, by: ada, to: name).charity == "trees", "\(name)")
            }
            #expect(try await database.donate(1, by: ada, to: "Die Strase").outcome == .noCharity)
            #expect(try await database.donate(1, by: ada, to: "").outcome == .noCharity)
        }
    }

    @Test("without an id equal donations within 60 s are one") func withoutClientID() async throws {
        try await withTestDatabase { database in
            try await database.addCharity("trees")
            let ada = try await database.addPlayer("Ada", points: 9)
            func donation(_ points: Int64 = 2, isAnonymous: Bool = false, id: UUID? = nil, after seconds: Int64)
                async throws -> DonationReceipt
            {
                try await database.donate(
                    points, by: ada, to: "trees", id: id, isAnonymous: isAnonymous,
                    at: Instant.noon.advanced(bySeconds: seconds))
            }
            let first = try await donation(after: 0)
            for seconds in [0, 60, -60] as [Int64] {
                let again = try await donation(after: seconds)
                #expect(again.outcome == .retry && again.id == first.id && again.balance == 7, "\(seconds) s")
            }
            #expect(try await donation(after: 61).balance == 5)
            #expect(try await donation(isAnonymous: true, after: 0).balance == 3)
            #expect(try await donation(1, after: 0).balance == 2)
            #expect(try await donation(id: UUID(), after: 0).balance == 0)
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("sixty-four tasks spend one wallet and not a point more than it holds") func oneWallet() async throws {
        try await withTestDatabase { database in
            try await database.addCharity("trees")
            try await database.addCharity("seas")
            let ada = try await database.addPlayer("Ada", points: 100)
            let outcomes = try await withThrowingTaskGroup(of: DonationOutcome.self) { donors in
                for index in 0..<64 {
                    donors.addTask {
                        try await database.donate(3, by: ada, to: index.isMultiple(of: 2) ? "trees" : "seas").outcome
                    }
                }
                return try await donors.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.filter { $0 == .recorded }.count == 33)
            #expect(outcomes.filter { $0 == .overspent }.count == 31)
            #expect(try await database.owner.ask("select earned - donated from wallet where donated > 0") == ["1"])
            #expect(try await database.store.charities(now: .noon).reduce(0) { $0 + $1.points } == 99)
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("of concurrent twins one is recorded and all others are retries") func twins() async throws {
        try await withTestDatabase { database in
            try await database.addCharity("trees")
            let ada = try await database.addPlayer("Ada", points: 100)
            let id = UUID()
            let outcomes = try await withThrowingTaskGroup(of: [String].self) { twins in
                for _ in 0..<16 {
                    twins.addTask {
                        async let donation = database.donate(3, by: ada, to: "trees", id: id)
                        async let score = database.post(4, by: ada, on: "high-scores", id: id)
                        return [try await donation.outcome.rawValue, try await score.outcome.rawValue]
                    }
                }
                return try await twins.reduce(into: []) { $0 += $1 }
            }
            #expect(outcomes.filter { $0 == "recorded" }.count == 2)
            #expect(outcomes.filter { $0 == "retry" }.count == 30)
            #expect(try await database.auditComplaints() == [])
        }
    }
}
