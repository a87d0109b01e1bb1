import Domain
@testable import Storage
import TestDatabases
import Testing

// The end of the tour: what nobody needs any more goes, and the ledgers are put aside.
extension TourTests {
    func sweeping(_ database: TestDatabase) async throws {
        let sweeper = Sweeper(
            store: database.store,
            sweepDays: 1,
            savesDays: 1,
            pastDays: 30,
            pause: .milliseconds(1),
            counts: SweepCounts()
        )
        try await database.owner.script(
            """
            insert into avatar (sha256, png, added_at) values (sha256('nobody'), 'png', '2026-11-20T12:00:00Z');
            insert into save (player_id, slot, revision, etag, body, saved_at)
            select min(player_id), 'old', 1, substr(sha256('x'), 1, 16), 'x', '2026-11-20T12:00:00Z' from wallet;
            """
        )
        let swept = try await sweeper.pass(now: Instant.noon.advanced(bySeconds: 400 * 86_400))
        #expect((swept[.pictures] ?? 0) >= 1 && (swept[.pastScores] ?? 0) > 5 && (swept[.pastDonations] ?? 0) > 1)
        #expect((swept[.saves] ?? 0) >= 1)
        #expect(try await database.owner.ask("select count(*) from only score") == ["0"])
    }
}
