import Postgres
import TestDatabases
import Testing

@testable import Storage

/// PostgreSQL's own statistics, as a login reads them that may see no other's sessions.
@Suite struct VitalsReadTests {
    @Test("the connections of all logins are counted") func connections() async throws {
        // A server of its own has no other connections.
        let server = try await TestServer(connectionsMax: 20)
        let owner = try await Connection.open(ConnectionSettings(conninfo: server.conninfo()), logger: .none)
        try await owner.script("create role seer login")
        let another = try await Connection.open(ConnectionSettings(conninfo: server.conninfo()), logger: .none)
        let seer = try await Connection.open(
            ConnectionSettings(conninfo: server.conninfo(login: "seer")), logger: .none)
        let vitals = try await seer.row(DatabaseVitalsRead())
        #expect(vitals.connections >= 3 && vitals.connectionsMax == 20)
        owner.close()
        another.close()
    }

    @Test("a table that somebody has locked for himself holds up its size alone") func locked() async throws {
        try await withTestDatabase { database in
            let holder = try await Connection.open(database.owner, logger: .none)
            defer { holder.close() }
            try await holder.script("begin; lock table score in access exclusive mode")
            #expect(try await database.store.databaseVitals().tables.count == 8)
            try await holder.script("rollback")
            #expect(try await database.store.tableSizes().contains { $0.bytes > 0 })
        }
    }
}
