import Domain
import Foundation
import Leaderboard
import Storage
import TestDatabases
import Testing

@testable import HTTP

@Suite struct AuditRunsTests {
    @Test("one audit runs at a time, it tells of each check, and the last ones are kept") func runs() async throws {
        try await withTestDatabase { database in
            let audits = AuditRuns(Auditor(database.store), clock: ServerClock { .noon })
            let first = UUID()
            #expect(audits.start(first) == .started)
            #expect(audits.start(first) == .known && audits.start(UUID()) == .busy)
            #expect(audits.find(first)?.state == "running" && audits.find(UUID()) == nil)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await audits.run() }
                for id in [first] + (0..<Limits.auditsKept).map({ _ in UUID() }) {
                    if id != first { #expect(audits.start(id) == .started) }
                    while audits.find(id)?.endedAt == nil { try await Task.sleep(for: .milliseconds(2)) }
                    let run = try #require(audits.find(id))
                    #expect(run.state == "balanced" && run.findings.count == Auditor.checksCount)
                }
                group.cancelAll()
            }
            #expect(audits.all.count == Limits.auditsKept && audits.find(first) == nil, "the oldest is forgotten")
        }
    }
}
