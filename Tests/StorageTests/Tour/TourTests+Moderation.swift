import Domain
import Foundation
import Postgres
import TestDatabases
import Testing

@testable import Storage

// What operators put right, and the log of it.
extension TourTests {
    func actions(_ database: TestDatabase, _ player: Player) async throws {
        let store = database.store
        let (score, donation) = (UUID(), UUID())
        try await database.post(40, by: player.id, on: "high-scores", id: score, name: "A. L.")
        try await database.donate(5, by: player.id, to: "trees", id: donation)
        func moderate(_ kind: ModerationKind, id: UUID = UUID(), isDry: Bool = false) async throws -> ModerationReceipt
        {
            let action = ModerationAction(kind, id: id, reason: try ModerationReason("the tour"))
            let outcome = try await store.admin.perform(action, by: "cli", isDry: isDry, now: .noon)
            guard case .done(let receipt) = outcome else { throw TestDatabaseError("\(kind): \(outcome)") }
            #expect(receipt.id == id && receipt.kind == kind.name && receipt.actor == "cli" && receipt.at == .noon)
            return receipt
        }

        let tried = try await moderate(.void(player.id, score: score), isDry: true)
        let void = try await moderate(.void(player.id, score: score))
        #expect(
            void.before == tried.before && void.after == tried.after, "a trial says what would be, and keeps nothing")
        #expect(void.after.voided == void.before.voided + 40 && void.after.earned == void.before.earned)
        #expect(void.subject == "player=\(player.id.rawValue);score=\(score.uuidString.lowercased())")
        let again = ModerationAction(.void(player.id, score: score), id: UUID(), reason: try ModerationReason("again"))
        #expect(try await store.admin.perform(again, by: "cli", now: .noon) == .conflict(void.id))
        let restored = try await moderate(.undo(void.id))
        #expect(restored.after == void.before && restored.before == void.after)
        let correct = try await moderate(.correct(player.id, score: score, points: 30, earned: 20))
        #expect(correct.after.earned == void.before.earned + 20)
        let receipt = try #require(
            try await store.findScore(score, of: player.id, on: .highScores, in: .defaultGame, now: .noon))
        #expect(receipt.receipt.state == .voided && receipt.score.state == .voided && receipt.score.points == 40)
        _ = try await moderate(.hold(player.id, score: correct.id))
        _ = try await moderate(.clear(player.id, score: correct.id))
        let reverse = try await moderate(.reverse(player.id, donation: donation, forfeits: true))
        #expect(
            reverse.after.donated == reverse.before.donated - 5 && reverse.after.voided == reverse.before.voided + 5)
        let history = try await store.donations(of: player.id, before: nil, limitRows: 10)
        #expect(history.first { $0.id == donation }?.isReversed == true)
        _ = try await moderate(.undo(reverse.id))

        let ban = try await moderate(.ban(player.id, until: .noon))
        #expect(try await store.findProfile(player.id, in: nil) == nil)
        #expect(try await database.post(1, by: player.id, on: "high-scores").outcome == .banned)
        #expect(try await database.donate(1, by: player.id, to: "trees").outcome == .banned)
        #expect(try await store.admin.bansOver(.noon, rows: 5) == [ban.id])
        _ = try await moderate(.undo(ban.id))
        #expect(try await store.admin.bansOver(.noon, rows: 5) == [])
        #expect(try await store.findProfile(player.id, in: nil)?.id == player.id)
        let name = try #require(try await store.findProfile(player.id, in: nil)?.name)
        let rename = try await moderate(.rename(player.id, try PlayerName("Someone", field: "name")))
        #expect(try await store.findProfile(player.id, in: nil)?.name == "Someone")
        let someone = try PlayerName("Someone", field: "name")
        let same = ModerationAction(.rename(player.id, someone), id: UUID(), reason: try ModerationReason("again"))
        #expect(try await store.admin.perform(same, by: "cli", now: .noon) == .conflict(rename.id))
        _ = try await moderate(.undo(rename.id))
        #expect(try await store.findProfile(player.id, in: nil)?.name == name)
        _ = try await moderate(.takeDownPicture(player.id))
        #expect(try await store.findProfile(player.id, in: nil)?.avatar == nil)
        _ = try await moderate(.takeDownNote(player.id, score: score))

        let page = try await store.admin.log(before: nil, rows: 3)
        #expect(page.map(\.entry.kind) == ["take-down", "take-down", "undo"])
        #expect(page.first?.words?.reason == "the tour")
        let first = try #require(page.last)
        #expect(try await store.admin.log(before: first.entry.number, rows: 1).map(\.entry.kind) == ["rename"])

        #expect(
            try await store.admin.actions(on: player.id, before: nil, rows: 1, showsAnonymous: false).first?.entry
                == page.first?.entry)
        let read = try #require(try await store.admin.findAction(void.id))
        #expect(read.receipt == void && read.reason == "the tour" && read.undoneBy == restored.id)
        #expect(try await store.admin.findAction(UUID()) == nil)

        // A donation whose points are voided is shown as far as it is funded.
        let all = try await moderate(.voidAll(player.id, heldOnly: false))
        #expect(all.after.left == 0 && all.after.unfunded == all.after.donated && !all.funding.isEmpty)
        let repeated = try await store.admin.perform(
            ModerationAction(
                .voidAll(player.id, heldOnly: false), id: all.id, reason: try ModerationReason("the tour")),
            by: "another", now: .noon)
        #expect(repeated == .repeated(all))
        let undone = try await moderate(.undo(all.id))
        try await merges(database, player, moderate: { try await moderate($0) })
        try await leaving(database, player, moderate: { try await moderate($0) })
        _ = try await moderate(.reverse(player.id, donation: donation, forfeits: false))
        let taken = UUID()
        try await database.donate(1, by: player.id, to: "trees", id: taken)
        let forfeit = try await moderate(.reverse(player.id, donation: taken, forfeits: true))
        let refused = ModerationAction(
            .voidAll(player.id, heldOnly: false), id: UUID(), reason: try ModerationReason("twice"))
        #expect(try await store.admin.perform(refused, by: "cli", now: .noon) == .conflict(forfeit.id))
        #expect(try await store.admin.repairRollups(by: "cli", now: .noon).allSatisfy { $0.rows == 0 })
        #expect(undone.after == all.before && undone.funding.map(\.unfunded) == all.funding.map { -$0.unfunded })
    }
}

// The part of the tour on which two players become one, and part again.
extension TourTests {
    func merges(
        _ database: TestDatabase, _ player: Player, moderate: (ModerationKind) async throws -> ModerationReceipt
    ) async throws {
        let store = database.store
        let other = try await database.addPlayer("second phone", points: 3)
        let before = try #require(try await store.admin.findPlayerRecord(other, withAnonymous: true))
        for (rows, exceeds) in [(Int32(0), true), (1_000, false)] {
            let found = try await store.ledger { connection throws(PostgresError) in
                try await connection.row(HistoryExceeds(player: other, other: player.id, rows: rows))
            }
            #expect(found == exceeds)
        }
        let merge = try await moderate(.merge(other, into: player.id))
        #expect(merge.after.earned == merge.before.earned + before.sums.earned && before.sums.earned == 3)
        #expect(try await store.survivors(of: [other, player.id]) == [other: player.id, player.id: player.id])
        #expect(try await store.admin.findPlayerRecord(other, withAnonymous: true)?.mergedInto == player.id)
        let part = try await moderate(.undo(merge.id))
        #expect(part.after == merge.before && part.subject.contains("act=\(merge.id.uuidString.lowercased())"))
        #expect(try await store.survivors(of: [other]) == [other: other])
    }
}
