import Storage
import Synchronization
import Telemetry
import TestDatabases
import Testing

@testable import HTTP

/// What is told of PostgreSQL when nobody could look at it for long.
@Suite struct VitalsTests {
    private struct Away: Error {}

    private func text(_ watch: VitalsWatch, at now: ContinuousClock.Instant) -> String {
        var text = MetricsText()
        watch.report(at: now).write(to: &text)
        return text.text
    }

    @Test("figures that nobody could read for a minute are absent, and their age is always told") func ages()
        async throws
    {
        try await withTestDatabase { database in
            let isAway = Mutex(true)
            let isLocked = Mutex(false)
            let start = ContinuousClock.now
            let watch = VitalsWatch(now: start) { [store = database.store] in
                if isAway.withLock({ $0 }) { throw Away() }
                return try await store.databaseVitals()
            } sizes: {
                if isLocked.withLock({ $0 }) { throw Away() }
                return [TableSize(name: "sco\"re", bytes: 8_192)]
            } challengesDue: {
                try await database.store.challengesDueCount(now: .noon)
            }
            await watch.check { start + .seconds(90) }
            #expect(text(watch, at: start + .seconds(100)).contains("causeboard_postgres_look_age_seconds 100\n"))
            #expect(!text(watch, at: start).contains("causeboard_postgres_slots"))
            #expect(!text(watch, at: start).contains("causeboard_contests_due"))
            isAway.withLock { $0 = false }
            // A loaded machine may take longer for a look than one is given.
            while !text(watch, at: start).contains("causeboard_postgres_table_bytes") { await watch.check { start } }
            isLocked.withLock { $0 = true }
            while !text(watch, at: start + .seconds(70)).contains("causeboard_postgres_slots") {
                await watch.check { start + .seconds(30) }
            }
            #expect(text(watch, at: start + .seconds(60)).contains(#"table_bytes{table="sco\"re"} 8192"#))
            #expect(text(watch, at: start + .seconds(60)).contains("causeboard_contests_due 0\n"))
            let later = text(watch, at: start + .seconds(70))
            #expect(later.contains("causeboard_postgres_look_age_seconds 40\n"))
            #expect(!later.contains("causeboard_postgres_table_bytes"))
            let late = text(watch, at: start + .seconds(91))
            #expect(
                late.split(separator: "\n").filter { !$0.hasPrefix("#") } == ["causeboard_postgres_look_age_seconds 61"]
            )
        }
    }
}
