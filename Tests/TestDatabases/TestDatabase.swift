package import Credentials
package import Domain
package import Postgres
package import Storage
import Synchronization

/// A migrated database for one test. It is empty but for what the migrations put there, and is dropped afterwards.
package struct TestDatabase: Sendable {
    /// Connects as the owner, who may do anything.
    package let owner: ConnectionSettings
    /// Connects with the login of `causeboard serve`, with the session of its reads (`SessionPresets.general`).
    package let server: ConnectionSettings
    /// The store that all helpers use; a test may replace it.
    package var store: Store
    package let secret: Secret
    /// The game `default`.
    package let game: Game
}

/// Lends a migrated database to `body`; at most 16 are lent at once. Its connections are closed before it is dropped.
package func withTestDatabase(_ body: (TestDatabase) async throws -> Void) async throws {
    try await DatabaseLender.withDatabase(isMigrated: true) { owner, server in
        try await withTestDatabase(owner: owner, server: server, body)
    }
}

/// Lends a store on a database that the test itself has migrated.
package func withTestDatabase(
    owner: ConnectionSettings, server: ConnectionSettings, _ body: (TestDatabase) async throws -> Void
) async throws {
    var writer = server
    writer.session = SessionPresets.ledger
    let limits = PoolLimits(connectionsMax: 8, waitMax: .seconds(60))
    let reads = Pool(server, limits: limits, logger: .none)
    let writes = Pool(writer, limits: limits, logger: .none)
    let store = Store(general: reads, ledger: writes, logger: .none)
    guard let secret = Secret(hex: String(repeating: "5eed", count: 16)) else { throw TestDatabaseError("no secret") }
    try await withThrowingTaskGroup(of: Void.self) { services in
        services.addTask { try await reads.run() }
        services.addTask { try await writes.run() }
        defer { services.cancelAll() }
        guard let game = try await store.findClassicCall(from: nil, in: .defaultGame)?.game else {
            throw TestDatabaseError("no game")
        }
        try await body(TestDatabase(owner: owner, server: server, store: store, secret: secret, game: game))
    }
}

/// Lends a database without migrations, with the settings to connect to it.
package func withEmptyDatabase(_ body: (_ owner: ConnectionSettings, _ server: ConnectionSettings) async throws -> Void)
    async throws
{ try await DatabaseLender.withDatabase(isMigrated: false, body) }

/// The data that a test begins with could not be made.
package struct TestDatabaseError: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}

extension ConnectionSettings {
    /// Runs a script on a connection of its own.
    package func script(_ sql: String) async throws {
        let connection = try await Connection.open(self, logger: .none)
        defer { connection.close() }
        try await connection.script(sql)
    }

    /// The first column of a statement's rows, as text, for questions that only a test has.
    /// - Parameter before: A script that runs first, in the same session.
    package func ask(_ sql: String, before: String = "") async throws -> [String] {
        let heard = Heard()
        var settings = self
        settings.onNotice = { notice in heard.lines.withLock { $0.append(notice.details.message) } }
        let connection = try await Connection.open(settings, logger: .none)
        defer { connection.close() }
        if !before.isEmpty { try await connection.script(before) }
        heard.lines.withLock { $0 = [] }
        // Scripts return no rows, but they deliver the server's notices in order.
        try await connection.script(
            """
            do $test$ declare line text; begin
            for line in execute $ask$\(sql)$ask$ loop raise notice '%', line; end loop; end $test$
            """)
        return heard.lines.withLock { $0 }
    }

    private final class Heard: Sendable { let lines = Mutex<[String]>([]) }
}
