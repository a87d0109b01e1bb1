package import Domain
package import Postgres
package import Storage

/// A database of its own for one test: migrated, empty but for what the migrations put there, and dropped afterwards.
package struct TestDatabase: Sendable {
    /// Of the owner, who may do anything.
    package let owner: ConnectionSettings
    /// Of the server's login, with ``Sessions/reading``.
    package let server: ConnectionSettings
    /// Through it all helpers work; a test may put another one in its place.
    package var store: Store
    package let secret: Secret
    /// The game `default`.
    package let game: Game
}

/// Lends a migrated database to `body`; at most 16 are lent at once. Its connections are closed before it is dropped.
package func withTestDatabase(_ body: (TestDatabase) async throws -> Void) async throws {
    try await TestCluster.withDatabase(isMigrated: true) { owner, server in
        var writer = server
        writer.session = SessionPresets.ledger
        let limits = PoolLimits(connectionsMax: 8, waitMax: .seconds(60))
        let reads = Pool(server, limits: limits, logger: .none)
        let writes = Pool(writer, limits: limits, logger: .none)
        let store = Store(general: reads, ledger: writes, logger: .none)
        guard let secret = Secret(hex: String(repeating: "5eed", count: 16)) else {
            throw TestDatabaseError("no secret")
        }
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
}

/// Lends a database that nobody has migrated, and what its owner connects with.
package func withEmptyDatabase(_ body: (_ owner: ConnectionSettings, _ server: ConnectionSettings) async throws -> Void)
    async throws
{
    try await TestCluster.withDatabase(isMigrated: false, body)
}
