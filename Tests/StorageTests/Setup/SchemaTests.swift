import Domain
import Foundation
import Logging
import Postgres
import TestDatabases
import Testing

@testable import Storage

@Suite struct SchemaTests {
    private static let path = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../../SQL/schema.sql"
    )

    @Test("SQL/schema.sql is what the migrations make; RECORD_SCHEMA=1 writes it anew") func record() async throws {
        try await withTestDatabase { database in
            let programs = try await database.owner.ask("select setting from pg_config where name = 'BINDIR'")
            let schema = try await Self.dump(database.owner.conninfo, pgDump: "\(programs[0])/pg_dump")
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

    /// The dump without what differs between runs and versions of PostgreSQL: comments, session settings, restrict
    /// keys, names of NOT NULL constraints, runs of blank lines.
    static func normalized(_ dump: String) -> String {
        let noise = ["--", "SET ", "SELECT pg_catalog.set_config", "\\restrict", "\\unrestrict"]
        var lines = [
            """
            -- What the migrations make, as pg_dump writes it; \
            recorded by RECORD_SCHEMA=1 swift test --filter SchemaTests.
            """
        ]
        for line in dump.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        where !noise.contains(where: line.hasPrefix) && !(line.isEmpty && lines.last?.isEmpty == true) {
            lines.append(line.replacing(/CONSTRAINT \w+ NOT NULL/, with: "NOT NULL"))
        }
        return lines.joined(separator: "\n").trimmingCharacters(in: .newlines) + "\n"
    }

    @Test("the dumps of two versions of PostgreSQL are one schema") func versions() {
        let older = """
            --
            -- Dumped by pg_dump version 15.18
            --
            \\restrict abc
            SET statement_timeout = 0;

            CREATE TABLE public.game (
                id integer NOT NULL
            );
            """
        let newer = """
            -- Dumped by pg_dump version 18.1
            \\restrict def
            SET statement_timeout = 0;
            SET transaction_timeout = 0;


            CREATE TABLE public.game (
                id integer CONSTRAINT game_number_not_null NOT NULL
            );
            """
        #expect(Self.normalized(older) == Self.normalized(newer))
        #expect(Self.normalized(older) != Self.normalized(older.replacing("integer", with: "bigint")))
    }
}
