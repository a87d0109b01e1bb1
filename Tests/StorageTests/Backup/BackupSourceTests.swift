import Credentials
import Domain
import Postgres
import TestDatabases
import Testing

@testable import Storage

@Suite struct BackupSourceTests {
    @Test("a snapshot has what was there when it was taken, and its name lends that to others") func snapshot()
        async throws
    {
        try await withTestDatabase { database async throws in
            let player = try await database.addPlayer("Ada", points: 50)
            let source = BackupSource(database.owner.conninfo, logger: .none)
            #expect(try await database.store.accepts(database.secret, now: .noon))
            try await source.reading { snapshot in
                let later = try await database.addPlayer("Bea", points: 7)
                #expect(later != player)
                #expect(snapshot.schema == Migration.known && snapshot.version >= 150_000)
                #expect(snapshot.fingerprint == database.secret.fingerprint && snapshot.erasures.isEmpty)
                #expect(snapshot.position.contains("/") && snapshot.databaseBytes > 0 && !snapshot.name.isEmpty)
                let counted = snapshot.sums.map { "\($0.subject) \($0.rows) \($0.points)" }
                #expect(counted.contains("players 1 0") && counted.contains("wallets 1 50"))
                let now = try await source.sums().map { "\($0.subject) \($0.rows) \($0.points)" }
                #expect(now.contains("players 2 0") && now.contains("wallets 2 57") && now.count == counted.count)
                let question = "select count(*) from player"
                let lent = "begin isolation level repeatable read; set transaction snapshot '\(snapshot.name)'"
                #expect(try await database.owner.ask(question, before: lent) == ["1"])
            }
        }
    }

    @Test("who was erased is listed, page by page") func erasures() async throws {
        try await withTestDatabase { database async throws in
            try await database.owner.script(
                """
                insert into erasure (player_id, receipt, erased_at)
                select n, gen_random_uuid(), timestamptz '2026-11-20T12:00:00Z' + n / 3 * interval '1 s'
                  from generate_series(1, 10001) n
                """)
            let erasures = try await BackupSource(database.owner.conninfo, logger: .none).erasures()
            #expect(erasures.map(\.player.rawValue) == Array(1...10_001))
        }
    }

    @Test("an empty database is known as such, and one that is not by the names of what is there") func present()
        async throws
    {
        try await withEmptyDatabase { owner, _ async throws in
            let source = BackupSource(owner.conninfo, logger: .none)
            #expect(try await source.present().count == 0)
            await #expect(throws: BackupSource.Failure.self) { try await source.reading { _ in } }
            try await owner.script("create table own (id int); create schema other; create view other.own as select 1")
            let present = try await source.present()
            #expect(present.names == ["other.own", "public.own"] && present.count == 2 && present.version >= 150_000)
        }
    }

    @Test("PostgreSQL says how its archiving goes") func archiver() async throws {
        try await withTestDatabase { database async throws in
            let state = try await BackupSource(database.owner.conninfo, logger: .none).archiverState()
            #expect(UInt64(state.system) != nil && state.waitingFiles == 0 && state.waitingSince == nil)
            #expect(state.archived == 0 && state.lastFailed == nil && state.failedFile == nil)
        }
    }
}
