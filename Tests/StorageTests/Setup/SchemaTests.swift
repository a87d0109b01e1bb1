import Domain
import Foundation
import Logging
import Postgres
import TestDatabases
import Testing

@testable import Storage

@Suite struct SchemaTests {
    private static let recordedMajor = 15
    private static let path = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../../SQL/schema.sql"
    )

    @Test("SQL/schema.sql is what the migrations make; RECORD_SCHEMA=1 writes it anew") func record() async throws {
        try await withTestDatabase { database in
            let facts = try await database.owner.ask(
                """
                select setting from pg_config where name = 'BINDIR'
                union all select current_setting('server_version_num')
                """
            )
            // The pg_dump of another major version words the same schema differently.
            guard facts[1].hasPrefix("\(Self.recordedMajor)") else { return }
            let schema = try await Self.dump(database.owner.conninfo, pgDump: "\(facts[0])/pg_dump")
            if ProcessInfo.processInfo.environment["RECORD_SCHEMA"] == "1" {
                try Data(schema.utf8).write(to: Self.path)
            }
            #expect(schema.contains("CREATE TABLE public.standing"))
            let recorded = try String(contentsOf: Self.path, encoding: .utf8)
            #expect(
                recorded == schema,
                "Run RECORD_SCHEMA=1 swift test --filter SchemaTests and review what changes in SQL/schema.sql."
            )
        }
    }

    private static func dump(_ conninfo: String, pgDump: String) async throws -> String {
        let output = FileManager.default.temporaryDirectory.appending(path: "schema-\(UUID().uuidString).sql")
        defer { try? FileManager.default.removeItem(at: output) }
        let process = Process()
        process.executableURL = URL(filePath: pgDump)
        process.arguments = ["--schema-only", "--no-owner", "--file=\(output.path)", "--dbname=\(conninfo)"]
        let status = try await withCheckedThrowingContinuation { ended in
            process.terminationHandler = { ended.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { ended.resume(throwing: error) }
        }
        try #require(status == 0, "pg_dump")
        return normalized(try String(contentsOf: output, encoding: .utf8))
    }

    /// The dump without what differs between runs and minor versions: comments, session settings, restrict keys, runs
    /// of blank lines.
    static func normalized(_ dump: String) -> String {
        let noise = ["--", "SET ", "SELECT pg_catalog.set_config", "\\restrict", "\\unrestrict"]
        var lines = [
            """
            -- What the migrations make, as pg_dump \(recordedMajor) writes it; \
            recorded by RECORD_SCHEMA=1 swift test --filter SchemaTests.
            """
        ]
        for line in dump.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        where !noise.contains(where: line.hasPrefix) && !(line.isEmpty && lines.last?.isEmpty == true) {
            lines.append(line)
        }
        return lines.joined(separator: "\n").trimmingCharacters(in: .newlines) + "\n"
    }
}
