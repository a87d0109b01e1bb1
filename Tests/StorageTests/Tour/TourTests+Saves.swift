import Credentials
import Domain
import TestDatabases
import Testing

@testable import Storage

extension TourTests {
    /// A player saves, goes back to an earlier version, and deletes it.
    func saves(_ database: TestDatabase) async throws {
        let store = database.store
        let token = Token.generated(.device).hash
        guard case .registered(let owner) = try await database.register("Dot", as: .token(token)) else {
            throw TestDatabaseError("not registered")
        }
        let slot = Slug.of("journey")
        let (first, second) = (TestSave("one"), TestSave(""))
        let before = try await store.ownVersions(of: [token], now: .noon, timedBy: 5)
        #expect(
            try await store.save(first.body, first.etag, in: slot, of: token, expected: .nothing, now: .noon)
                == .stored(savedAt: .noon, isNew: true))
        let later = Instant.noon.advanced(bySeconds: 1)
        #expect(
            try await store.save(
                second.body, second.etag, in: slot, of: token, expected: .version(first.etag), now: later)
                == .stored(savedAt: later, isNew: false))
        let versions = try await store.saveVersions(of: owner.id, in: slot)
        #expect(
            versions == [
                SaveVersion(slot: slot, etag: second.etag, bytesCount: 0, savedAt: later),
                SaveVersion(slot: slot, etag: first.etag, bytesCount: 3, savedAt: .noon),
            ])
        #expect(try await store.saves(of: owner.id) == [versions[0]])
        #expect(try await store.findSave(of: owner.id, in: slot, etag: nil)?.body == [])
        let kept = try #require(try await store.findSave(of: owner.id, in: slot, etag: first.etag))
        #expect(kept.body == first.body && kept.savedAt == .noon && kept.etag == first.etag)
        var exported = try await store.exportedSaves(of: owner.id, after: nil, limitRows: 1)
        exported += try await store.exportedSaves(of: owner.id, after: exported.last?.key, limitRows: 9)
        #expect(exported.map(\.save.body) == [first.body, second.body] && exported.allSatisfy { $0.key.slot == slot })
        #expect(try await store.ownVersions(of: [token], now: .noon, timedBy: 5) != before)
        #expect(try await store.deleteSave(in: slot, of: token, expected: first.etag) == .stale(second.etag))
        #expect(try await store.deleteSave(in: slot, of: token, expected: second.etag) == .deleted)
        #expect(try await store.deleteSave(in: slot, of: token, expected: second.etag) == .noSave)
        #expect(try await store.ownVersions(of: [token], now: .noon, timedBy: 5) == before)
    }
}
