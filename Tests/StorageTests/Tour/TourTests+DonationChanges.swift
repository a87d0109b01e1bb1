import Domain
import Foundation
import Storage
import TestDatabases
import Testing

// What players change of what they donated, and charities that take no more than their caps.
extension TourTests {
    func donations(_ database: TestDatabase, _ player: Player) async throws {
        let (store, trees) = (database.store, Slug.of("trees"))
        try await database.post(60, by: player.id, on: "high-scores")
        var change = CharityChange()
        change.coolingOffMinutes = 10
        change.capOfDay = .set(1_000)
        change.capInAll = .set(2_000)
        #expect(try await store.admin.setCharity(trees, change, now: .noon) == .set)
        let listed = try #require(try await store.admin.findCharityListing(trees))
        #expect(listed.coolingOffMinutes == 10 && listed.caps == CharityCaps(day: 1_000, all: 2_000))
        let shown = try #require(try await store.charities(now: .noon).first { $0.slug == "trees" })
        #expect(shown.coolingOffMinutes == 10 && shown.caps == listed.caps)

        let (kept, taken) = (UUID(), UUID())
        try await database.donate(3, by: player.id, to: "trees", id: kept)
        try await database.donate(4, by: player.id, to: "trees", id: taken)
        func changed(_ id: UUID, _ change: DonationChange, to charity: Slug, after seconds: Int64 = 599) async throws
            -> DonationChangeOutcome
        {
            let now = Instant.noon.advanced(bySeconds: seconds)
            return try await store.change(id, to: charity, of: player.id, change, marker: nil, now: now)
        }
        #expect(try await changed(kept, .anonymise, to: trees) == .done)
        #expect(try await changed(kept, .anonymise, to: trees) == .repeated)
        #expect(try await changed(taken, .takeBack, to: trees, after: 600) == .tooLate)
        #expect(try await changed(taken, .takeBack, to: .of("shut")) == .noDonation)
        #expect(try await changed(taken, .takeBack, to: trees) == .done)
        #expect(try await changed(taken, .takeBack, to: trees, after: 600) == .repeated)
        #expect(try await changed(UUID(), .anonymise, to: trees) == .noDonation)
        let receipt = try #require(try await store.findDonation(kept, of: player.id, to: trees, now: .noon))
        #expect(receipt.donation.isAnonymous && (receipt.receipt.row ?? 0) < 0)
        #expect(try await store.findDonation(taken, of: player.id, to: trees, now: .noon)?.donation.isReversed == true)
    }
}
