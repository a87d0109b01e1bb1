import Foundation
import Synchronization
import Testing

@testable import EmbeddedPostgres

/// Copies with scripts in place of PostgreSQL's programs.
@Suite struct CopyProgramsTests {
    @Test("a program of another version than the database is not taken") func versions() async throws {
        await #expect(throws: ClusterError.noProgram(name: "pg_dump", major: 11, package: "postgresql-client")) {
            _ = try await CopyPrograms.find(major: 11, in: nil)
        }
    }

    @Test("a copy carries every byte, and tells how many") func everyByte() async throws {
        try await Self.with(dump: "head -c 1000000 /dev/zero", restore: "test $(wc -c) = 1000000") { programs in
            let copied = Mutex(0)
            try await programs.copy(Self.login, snapshot: "x", to: Self.login) { count in copied.withLock { $0 = count }
            }
            #expect(copied.withLock { $0 } == 1_000_000)
        }
    }

    @Test(
        "the program that failed is named with what it said, and the other one is ended",
        arguments: [
            ("echo no rows >&2; exit 1", "cat > /dev/null; sleep 100", "pg_dump"),
            ("sleep 100", "echo no room >&2; exit 1", "pg_restore"),
            ("cat /dev/zero", "echo no room >&2; exit 1", "pg_restore"),
        ]) func failures(_ dump: String, _ restore: String, _ name: String) async throws
    {
        try await Self.with(dump: dump, restore: restore) { programs in
            let began = ContinuousClock.now
            let said = await sentence { try await programs.copy(Self.login, snapshot: "x", to: Self.login) { _ in } }
            #expect(said.contains("\(name) failed") && said.contains("no r"))
            #expect(.now - began < .seconds(60))
        }
    }

    @Test("a copy whose programs are silent can be cancelled") func cancelled() async throws {
        try await Self.with(dump: "sleep 100", restore: "sleep 100") { programs in
            let copy = Task { try await programs.copy(Self.login, snapshot: "x", to: Self.login) { _ in } }
            copy.cancel()
            await #expect(throws: ClusterError.cancelled) { try await copy.value }
        }
    }

    private static let login = ProgramLogin(conninfo: "")

    private static func with(dump: String, restore: String, _ body: (CopyPrograms) async throws -> Void) async throws {
        let directory = NSTemporaryDirectory() + "causeboard-programs-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        for (name, script) in [("pg_dump", dump), ("pg_restore", restore)] {
            let text = "#!/bin/sh\n[ \"$1\" != --version ] || { echo '\(name) (PostgreSQL) 15.1'; exit; }\n\(script)\n"
            try text.write(toFile: "\(directory)/\(name)", atomically: true, encoding: .utf8)
            try #require(chmod("\(directory)/\(name)", 0o755) == 0)
        }
        signal(SIGPIPE, SIG_IGN)
        try await body(CopyPrograms.find(major: 15, in: directory))
    }
}
