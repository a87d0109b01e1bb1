import Postgres
import TestDatabases
import Testing

@testable import Storage

@Suite struct DurabilityTests {
    private func durability(
        flushes: Bool = true, fullPages: Bool = true, _ commit: String = "on", standbys: Bool = false
    ) -> Durability {
        Durability(
            flushes: flushes, writesFullPages: fullPages, synchronousCommit: commit, hasSynchronousStandbys: standbys)
    }

    @Test("each setting that may lose what was acknowledged is named with what to do") func dangers() {
        #expect(durability().dangers == [])
        #expect(durability(flushes: false).dangers.map { $0.contains("set fsync = on") } == [true])
        #expect(durability(fullPages: false).dangers.map { $0.contains("set full_page_writes = on") } == [true])
        #expect(durability("off").dangers.map { $0.contains("synchronous_commit") } == [true])
        #expect(durability(flushes: false, fullPages: false, "off").dangers.count == 3)
    }

    @Test("what only a fail-over may lose is a warning, and only where there is a synchronous standby") func warnings()
    {
        for commit in ["local", "remote_write"] {
            #expect(durability(commit).dangers == [])
            #expect(durability(commit).warnings == [])
            #expect(durability(commit, standbys: true).dangers == [])
            #expect(durability(commit, standbys: true).warnings.map { $0.contains(commit) } == [true])
        }
        for commit in ["on", "remote_apply"] { #expect(durability(commit, standbys: true).warnings == []) }
    }

    @Test("the settings are read from the database: those of the tests are unsafe, for speed") func read() async throws
    {
        try await withTestDatabase { database in
            let found = try await database.store.durability()
            #expect(found == durability(flushes: false, fullPages: false))
        }
    }
}
