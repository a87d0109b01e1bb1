import Domain
import Foundation
import Storage
import TestDatabases
import Testing

@Suite struct CapTests {
    @Test("what is donated is judged by the day of the charity's zone, less what was reversed, unfunded or not")
    func days() async throws {
        try await withTestDatabase { database in
            try await database.addCharity("trees", zone: "Europe/Berlin") {
                $0.capOfDay = .set(10)
                $0.capInAll = .set(25)
                $0.coolingOffMinutes = 60
            }
            let ada = try await database.addPlayer("Ada", points: 1_000)
            let first = UUID()
            let evening = Instant.at("2026-11-20T22:30:00Z")
            #expect(try await database.donate(8, by: ada, to: "trees", id: first, at: evening).outcome == .recorded)
            let refused = try await database.donate(3, by: ada, to: "trees", at: evening.advanced(bySeconds: 1))
            #expect(refused.outcome == .capReached && refused.balance == 992)
            #expect(refused.cap == CapReached(room: 2, againAt: .at("2026-11-20T23:00:00Z")))
            let again = try await database.donate(
                8, by: ada, to: "trees", id: first, at: evening.advanced(bySeconds: 2))
            #expect(again.outcome == .retry, "a retry is never refused")
            #expect(try await database.donate(9, by: ada, to: "trees", id: first, at: evening).outcome == .conflict)
            #expect(
                try await database.donate(10, by: ada, to: "trees", at: .at("2026-11-20T23:00:00Z")).outcome
                    == .recorded)
            let tooMuch = try await database.donate(8, by: ada, to: "trees", at: .at("2026-11-22T12:00:00Z"))
            #expect(tooMuch.cap == CapReached(room: 7, againAt: nil))
            let back = try await database.store.change(
                first, to: .of("trees"), of: ada, .takeBack, marker: nil, now: evening.advanced(bySeconds: 60))
            #expect(back == .done)
            #expect(
                try await database.donate(10, by: ada, to: "trees", at: .at("2026-11-22T12:00:00Z")).outcome
                    == .recorded)
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("a donation is taken back within the cooling off, and not once its charity has closed") func coolingOff()
        async throws
    {
        try await withTestDatabase { database in
            try await database.addCharity("trees") { $0.coolingOffMinutes = 60 }
            try await database.addCharity("brief") { charity in
                charity.coolingOffMinutes = 60
                charity.closesAt = .set(Instant.noon.advanced(bySeconds: 600))
            }
            let ada = try await database.addPlayer("Ada", points: 100)
            for (charity, last) in [("trees", Int64(3_600)), ("brief", 600)] {
                let id = UUID()
                try await database.donate(5, by: ada, to: charity, id: id)
                let end = Instant.noon.advanced(bySeconds: last)
                let early = Instant(microsecondsSince1970: end.microsecondsSince1970 - 1)
                for (now, outcome) in [(end, DonationChangeOutcome.tooLate), (early, .done)] {
                    let changed = try await database.store.change(
                        id, to: .of(charity), of: ada, .takeBack, marker: nil, now: now)
                    #expect(changed == outcome, "\(charity)")
                }
            }
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("a cap that comes later knows what was donated before, and one that goes leaves nothing behind")
    func settings() async throws {
        try await withTestDatabase { database in
            try await database.addCharity("trees")
            let ada = try await database.addPlayer("Ada", points: 100)
            try await database.donate(30, by: ada, to: "trees")
            var change = CharityChange()
            change.capInAll = .set(40)
            #expect(try await database.store.admin.setCharity(.of("trees"), change, now: .noon) == .set)
            #expect(try await database.donate(11, by: ada, to: "trees").cap == CapReached(room: 10, againAt: nil))
            #expect(try await database.donate(10, by: ada, to: "trees").outcome == .recorded)
            change.capInAll = .clear
            #expect(try await database.store.admin.setCharity(.of("trees"), change, now: .noon) == .set)
            #expect(try await database.donate(11, by: ada, to: "trees").outcome == .recorded)
            #expect(try await database.owner.ask("select count(*) from charity_donated") == ["0"])
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("donations of one batch are judged one after the other, and others are not kept from their charities")
    func batch() async throws {
        try await withTestDatabase { database in
            try await database.addCharity("trees") { $0.capOfDay = .set(10) }
            try await database.addCharity("wells")
            let first = try await database.addPlayer("First", points: 100)
            try await database.donate(1, by: first, to: "trees")
            var donations: [NewDonation] = []
            for index in 0..<8 {
                let player = try await database.addPlayer("Player \(index)", points: 100)
                donations.append(
                    NewDonation(
                        4, by: .player(player), to: CharityName(.of(index < 4 ? "trees" : "wells")), id: UUID(),
                        reachedAt: .noon))
            }
            let outcomes = try await database.store.donate(donations, now: .noon).map(\.outcome)
            let wells = [DonationOutcome](repeating: .recorded, count: 4)
            #expect(outcomes == [.recorded, .recorded, .capReached, .capReached] + wells)
            let again = try await database.store.donate(donations, now: .noon).map(\.outcome)
            #expect(again.filter { $0 == .retry }.count == 6 && again.filter { $0 == .capReached }.count == 2)
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test(
        "over many connections that give, take back, reverse and undo at once, nothing is above the cap or locked out")
    func race() async throws {
        try await withTestDatabase { database in
            for slug in ["trees", "wells"] {
                try await database.addCharity(slug) {
                    $0.capInAll = .set(60)
                    $0.coolingOffMinutes = 60
                }
            }
            var players: [Player.ID] = []
            for index in 0..<8 { players.append(try await database.addPlayer("Player \(index)", points: 10_000)) }
            let refused = try await withThrowingTaskGroup(of: Int.self) { group in
                for (index, player) in players.enumerated() {
                    group.addTask { try await donate(25, by: player, index, database) }
                }
                return try await group.reduce(0, +)
            }
            #expect(refused > 0)
            for slug in ["trees", "wells"] {
                let donated = try await database.owner.ask(
                    """
                    select sum(points) from charity_donated g join charity c on c.id = g.charity_id
                    where slug = '\(slug)'
                    """)
                let sum = try #require(Int64(donated[0]))
                #expect(sum <= 60)
                // What is left can be donated to the last point.
                if sum < 60 {
                    #expect(try await database.donate(60 - sum, by: players[0], to: slug).outcome == .recorded)
                }
                #expect(try await database.donate(1, by: players[0], to: slug).cap == CapReached(room: 0, againAt: nil))
            }
            #expect(try await database.auditComplaints() == [])
        }
    }

    /// Donates to both charities by turns, and takes every third donation back, as the player or as an operator.
    /// - Returns: How many donations were refused.
    private func donate(_ times: Int, by player: Player.ID, _ index: Int, _ database: TestDatabase) async throws -> Int
    {
        var refused = 0
        for turn in 0..<times {
            let (slug, id) = ((turn + index).isMultiple(of: 2) ? "trees" : "wells", UUID())
            let receipt = try await database.donate(Int64(1 + turn % 3), by: player, to: slug, id: id)
            if receipt.outcome == .capReached {
                refused += 1
                #expect(try #require(receipt.cap).room < receipt.points)
            }
            guard receipt.outcome == .recorded, turn.isMultiple(of: 3) else { continue }
            if index.isMultiple(of: 2) {
                let changed = try await database.store.change(
                    id, to: .of(slug), of: player, .takeBack, marker: nil, now: .noon)
                #expect(changed == .done)
            } else {
                try await database.moderate(.reverse(player, donation: id, forfeits: false))
            }
        }
        return refused
    }
}
