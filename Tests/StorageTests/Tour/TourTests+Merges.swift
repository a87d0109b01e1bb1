import Domain
import FoundationEssentials
import TestDatabases
import Testing

@testable import Storage

// The part of the tour on which two players become one, and part again.
extension TourTests {
    func merges(
        _ database: TestDatabase,
        _ player: Player,
        moderate: (ModerationKind) async throws -> ModerationReceipt
    ) async throws {
        let store = database.store
        let other = try await database.addPlayer("second phone", points: 3)
        let before = try #require(try await store.findPlayerRecord(other, withAnonymous: true))
        let merge = try await moderate(.merge(other, into: player.id))
        #expect(merge.after.earned == merge.before.earned + before.sums.earned && before.sums.earned == 3)
        #expect(try await store.survivors(of: [other, player.id]) == [other: player.id, player.id: player.id])
        #expect(try await store.findPlayerRecord(other, withAnonymous: true)?.mergedInto == player.id)
        let part = try await moderate(.undo(merge.id))
        #expect(part.after == merge.before && part.subject.contains("act=\(merge.id.uuidString.lowercased())"))
        #expect(try await store.survivors(of: [other]) == [other: other])
    }
}
