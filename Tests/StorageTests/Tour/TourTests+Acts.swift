import Domain
import Foundation
import Storage
import TestDatabases
import Testing

// What operators put right, and the log of it.
extension TourTests {
    func acts(_ database: TestDatabase, _ player: Player) async throws {
        let store = database.store
        let (score, donation) = (UUID(), UUID())
        try await database.post(40, by: player.id, on: "high-scores", id: score, name: "A. L.")
        try await database.give(5, by: player.id, to: "trees", id: donation)
        func act(_ deed: Deed, id: UUID = UUID(), isDry: Bool = false) async throws -> ActReceipt {
            let act = Act(deed, id: id, reason: try ActReason("the tour"))
            let outcome = try await store.perform(act, by: "cli", isDry: isDry, now: .noon)
            guard case .done(let receipt) = outcome else { throw TestDatabaseError("\(deed): \(outcome)") }
            #expect(receipt.id == id && receipt.deed == deed.name && receipt.actor == "cli" && receipt.at == .noon)
            return receipt
        }

        let tried = try await act(.void(player.id, score: score), isDry: true)
        let void = try await act(.void(player.id, score: score))
        #expect(
            void.before == tried.before && void.after == tried.after,
            "a trial says what would be, and keeps nothing"
        )
        #expect(void.after.voided == void.before.voided + 40 && void.after.earned == void.before.earned)
        #expect(void.subject == "player=\(player.id.rawValue);score=\(score.uuidString.lowercased())")
        let again = Act(.void(player.id, score: score), id: UUID(), reason: try ActReason("again"))
        #expect(try await store.perform(again, by: "cli", now: .noon) == .conflict(void.id))
        let restored = try await act(.undo(void.id))
        #expect(restored.after == void.before && restored.before == void.after)
        let correct = try await act(.correct(player.id, score: score, points: 30, earned: 20))
        #expect(correct.after.earned == void.before.earned + 20)
        let receipt = try #require(
            try await store.findScore(score, of: player.id, on: .highScores, in: .defaultGame, now: .noon)
        )
        #expect(receipt.receipt.state == .voided && receipt.score.state == .voided && receipt.score.points == 40)
        _ = try await act(.hold(player.id, score: correct.id))
        _ = try await act(.clear(player.id, score: correct.id))
        let reverse = try await act(.reverse(player.id, donation: donation, forfeits: true))
        #expect(reverse.after.given == reverse.before.given - 5 && reverse.after.voided == reverse.before.voided + 5)
        let history = try await store.donations(of: player.id, before: nil, limitRows: 10)
        #expect(history.first { $0.id == donation }?.isReversed == true)
        _ = try await act(.undo(reverse.id))

        let ban = try await act(.ban(player.id, until: .noon))
        #expect(try await store.findProfile(player.id, in: nil) == nil)
        #expect(try await database.post(1, by: player.id, on: "high-scores").outcome == .banned)
        #expect(try await database.give(1, by: player.id, to: "trees").outcome == .banned)
        #expect(try await store.bansOver(.noon, rows: 5) == [ban.id])
        _ = try await act(.undo(ban.id))
        #expect(try await store.bansOver(.noon, rows: 5) == [])
        #expect(try await store.findProfile(player.id, in: nil)?.id == player.id)
        let name = try #require(try await store.findProfile(player.id, in: nil)?.name)
        let rename = try await act(.rename(player.id, try PlayerName("Someone", field: "name")))
        #expect(try await store.findProfile(player.id, in: nil)?.name == "Someone")
        let someone = try PlayerName("Someone", field: "name")
        let same = Act(.rename(player.id, someone), id: UUID(), reason: try ActReason("again"))
        #expect(try await store.perform(same, by: "cli", now: .noon) == .conflict(rename.id))
        _ = try await act(.undo(rename.id))
        #expect(try await store.findProfile(player.id, in: nil)?.name == name)
        _ = try await act(.takeDownPicture(player.id))
        #expect(try await store.findProfile(player.id, in: nil)?.avatar == nil)
        _ = try await act(.takeDownNote(player.id, score: score))

        let page = try await store.log(before: nil, rows: 3)
        #expect(page.map(\.entry.deed) == ["take-down", "take-down", "undo"])
        #expect(page.first?.words?.reason == "the tour")
        let first = try #require(page.last)
        #expect(try await store.log(before: first.entry.number, rows: 1).map(\.entry.deed) == ["rename"])

        #expect(
            try await store.acts(on: player.id, before: nil, rows: 1, showsAnonymous: false).first?.entry
                == page.first?.entry
        )
        let read = try #require(try await store.findAct(void.id))
        #expect(read.receipt == void && read.reason == "the tour" && read.undoneBy == restored.id)
        #expect(try await store.findAct(UUID()) == nil)

        // A gift whose points are voided is shown as far as it is funded.
        let all = try await act(.voidAll(player.id, heldOnly: false))
        #expect(all.after.left == 0 && all.after.unfunded == all.after.given && !all.funding.isEmpty)
        let repeated = try await store.perform(
            Act(.voidAll(player.id, heldOnly: false), id: all.id, reason: try ActReason("the tour")),
            by: "another",
            now: .noon
        )
        #expect(repeated == .repeated(all))
        let undone = try await act(.undo(all.id))
        try await merges(database, player, act: { try await act($0) })
        try await leaving(database, player, act: { try await act($0) })
        _ = try await act(.reverse(player.id, donation: donation, forfeits: false))
        let taken = UUID()
        try await database.give(1, by: player.id, to: "trees", id: taken)
        let forfeit = try await act(.reverse(player.id, donation: taken, forfeits: true))
        let refused = Act(.voidAll(player.id, heldOnly: false), id: UUID(), reason: try ActReason("twice"))
        #expect(try await store.perform(refused, by: "cli", now: .noon) == .conflict(forfeit.id))
        #expect(try await store.repairRollups(by: "cli", now: .noon).allSatisfy { $0.rows == 0 })
        #expect(undone.after == all.before && undone.funding.map(\.unfunded) == all.funding.map { -$0.unfunded })
    }
}
