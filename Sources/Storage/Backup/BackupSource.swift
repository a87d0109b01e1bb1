package import Domain
package import Logging
package import Postgres

/// One state of a database, which `pg_dump` reads too while ``BackupSource/reading(_:)`` lends it.
package struct BackupSnapshot: Sendable {
    /// What `pg_dump --snapshot` takes.
    package let name: String
    /// The position in PostgreSQL's write-ahead log.
    package let position: String
    package let moment: Instant
    /// PostgreSQL's version number, such as 150018.
    package let version: Int32
    package let databaseBytes: Int64
    /// The number of the newest migration; 0 when there is none.
    package let schema: Int32
    /// What identifies the secret; nil when no server has tied the database to one yet.
    package let fingerprint: [UInt8]?
    package let sums: [LedgerSum]
    package let erasures: [Erasure]
}

/// A database as a backup and a restore see it: through a connection of its owner, whatever schema it has.
package struct BackupSource: Sendable {
    private static let erasuresPageRows: Int32 = 10_000

    private let settings: ConnectionSettings
    private let logger: Logger

    /// - Parameters:
    ///   - conninfo: The owner's connection string.
    ///   - fence: What keeps it away from former primaries, where several hosts are named.
    package init(_ conninfo: String, fence: TimelineFence? = nil, logger: Logger) {
        settings = ConnectionSettings(
            conninfo: conninfo, session: SessionPresets.copying, silenceMax: nil, fence: fence)
        self.logger = logger
    }

    /// Lends one state of the database for as long as `body` works. Posts go on meanwhile.
    package func reading<Value>(_ body: (BackupSnapshot) async throws -> Value) async throws -> Value {
        let connection = try await Connection.open(settings, logger: logger)
        defer { connection.close() }
        guard try await connection.row(MigrationsExist()) else { throw Failure.noSchema }
        return try await connection.transaction(.repeatableReadReadOnly) { connection in
            // The rest of the transaction sees what this statement saw first.
            let snapshot = try await connection.row(BackupSnapshotExport())
            let found = BackupSnapshot(
                name: snapshot.name, position: snapshot.position, moment: snapshot.moment, version: snapshot.version,
                databaseBytes: snapshot.databaseBytes, schema: try await connection.row(DatabaseStateRead()).migration,
                fingerprint: try await connection.firstRow(SecretFingerprint())?.bytes,
                sums: try await connection.rows(LedgerSums()), erasures: try await Self.erasures(on: connection))
            return try await body(found)
        }
    }

    /// What there is to compare with another copy.
    package func sums() async throws -> [LedgerSum] {
        let connection = try await Connection.open(settings, logger: logger)
        defer { connection.close() }
        return try await connection.rows(LedgerSums())
    }

    /// Who was erased, the earliest first.
    package func erasures() async throws -> [Erasure] {
        let connection = try await Connection.open(settings, logger: logger)
        defer { connection.close() }
        return try await Self.erasures(on: connection)
    }

    /// PostgreSQL's version number, and the names of tables, views and sequences that are there, 5 at most.
    package func present() async throws -> (version: Int32, names: [String], count: Int64) {
        let connection = try await Connection.open(settings, logger: logger)
        defer { connection.close() }
        let version = try await connection.row(ServerVersion()).number
        let (names, count) = try await connection.row(RelationsPresent())
        return (version, names, count)
    }

    /// What is in each table. It reads everything.
    package func contents() async throws -> [TableContents] {
        let connection = try await Connection.open(settings, logger: logger)
        defer { connection.close() }
        return try await connection.rows(ContentsRead())
    }

    /// Who else is connected to the database.
    package func sessions() async throws -> [PresentSession] {
        let connection = try await Connection.open(settings, logger: logger)
        defer { connection.close() }
        return try await connection.rows(SessionsPresent())
    }

    /// How archiving goes; takes an administrator's login, as the owner of an embedded database has.
    package func archiverState() async throws -> ArchiverState {
        var settings = settings
        settings.silenceMax = .seconds(10)
        let connection = try await Connection.open(settings, logger: logger)
        defer { connection.close() }
        return try await connection.row(ArchiverStateRead())
    }

    private static func erasures(on connection: Connection) async throws(PostgresError) -> [Erasure] {
        var all: [Erasure] = []
        while true {
            let page = ErasuresPage(after: all.last?.key ?? .beginning, limitRows: erasuresPageRows)
            let found = try await connection.rows(page)
            all += found
            if found.count < Int(erasuresPageRows) { return all }
        }
    }

    package enum Failure: Error, CustomStringConvertible {
        case noSchema

        package var description: String {
            "There is no Causeboard in that database yet, so there is nothing to copy. See --data and --database-url."
        }
    }
}
