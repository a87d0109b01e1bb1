import Postgres
import TestDatabases
import Testing

/// What roles and databases may set for their sessions, and what this module relies on all the same.
@Suite(.server) struct SessionDefaultsTests {
    private struct Isolation: Query {
        static let sql: StaticString =
            "select current_setting('transaction_isolation') || ' ' || current_setting('transaction_read_only')"
        static func decode(_ row: inout RowReader) throws(DecodingFailure) -> String { try row.next() }
    }

    private struct SynchronousCommit: Query {
        static let sql: StaticString = "select current_setting('synchronous_commit')"
        static func decode(_ row: inout RowReader) throws(DecodingFailure) -> String { try row.next() }
    }

    /// Settings of a new login whose sessions begin with a setting of its own.
    private func login(_ name: String, _ setting: String) async throws -> ConnectionSettings {
        try await connect().script("create role \(name) login; alter role \(name) set \(setting)")
        return ConnectionSettings(conninfo: SharedServer.current.conninfo(login: name))
    }

    @Test("a transaction says itself what it sees, and a database that was closed for writes stays closed")
    func transactions() async throws {
        let closed = try await connect(try await login("defaults_read_only", "default_transaction_read_only = on"))
        #expect(try await closed.transactionPipeline(Isolation()) == ["read committed on"])
        let settings = try await login("defaults_isolation", "default_transaction_isolation = serializable")
        let connection = try await connect(settings)
        // Other statements are prepared again after 8 uses, and what does that must not come before BEGIN.
        for _ in 0..<20 { #expect(try await connection.transactionPipeline(Isolation()) == ["read committed off"]) }
        let inside = try await connection.transaction { connection throws(PostgresError) in
            try await connection.row(Isolation())
        }
        #expect(inside == "read committed off")
    }

    @Test(
        "a commit waits for the disk although the role says otherwise; what else it waits for is the operator's choice",
        arguments: [("commits_off", "off", "on"), ("commits_local", "local", "local"), ("commits_on", "on", "on")])
    func synchronousCommit(name: String, role: String, session: String) async throws {
        var settings = try await login(name, "synchronous_commit = \(role)")
        #expect(try await connect(settings).row(SynchronousCommit()) == session)
        settings.session = ["synchronous_commit": "off"]  // whoever asks for it gets it
        #expect(try await connect(settings).row(SynchronousCommit()) == "off")
    }
}
