import Crypto
import Postgres
import Statements

/// One step of the schema. `SQL/schema` is the first, and each `SQL/migrations/NAME.sql` is another one.
///
/// A migration expands the schema, so that servers of the previous release keep working beside the new ones; what they
/// need is removed a release later. A line of its header, `-- compatible since: N`, says that servers whose newest
/// migration is N or a later one may stay after it. The list of applied migrations keeps that number.
package struct Migration: Sendable {
    package let number: Int32
    package let name: String
    let text: String

    init(number: Int32, name: String, text: String) {
        self.number = number
        self.name = name
        self.text = text
    }

    /// All that this server has, from 1 without gaps.
    package static let all = Migrations.all.map { Migration(number: $0.number, name: $0.name, text: $0.text) }

    /// The number of the newest migration that this server has.
    package static var known: Int32 { Int32(clamping: all.count) }

    /// The SHA-256 of its text, by which databases recognize it.
    var checksum: [UInt8] { Array(SHA256.hash(data: Array(text.utf8))) }

    /// The number in its header. Without one, no older server may stay.
    var compatibleSince: Int32 {
        let label = "-- compatible since: "
        let line = text.split(separator: "\n").prefix { $0.hasPrefix("--") }.first { $0.hasPrefix(label) }
        return line.flatMap { Int32($0.dropFirst(label.count)) } ?? number
    }
}

/// A session that holds a lock on a table.
package struct LockHolder: Sendable, Equatable, CustomStringConvertible {
    package let process: Int32
    package let role: String?
    package let application: String?
    /// How long its transaction is open; nil when this login may not see that.
    package let seconds: Int64?

    package var description: String {
        let name = application.flatMap { $0.isEmpty ? nil : $0 } ?? "unnamed"
        return "process \(process) (\(name), role \(role ?? "unknown")\(seconds.map { ", for \($0) s" } ?? ""))"
    }
}

extension Migrator {
    package enum Failure: Error, Equatable, CustomStringConvertible {
        /// The database was migrated by a newer server, and this one, which knows fewer migrations, may not use it.
        case databaseIsNewer(number: Int32, compatibleSince: Int32, known: Int32)
        /// An applied migration differs from the one that this server has under that number.
        case changed(number: Int32, name: String)
        /// Others hold locks that a migration needs, and did not end in time.
        case locked(number: Int32, name: String, by: [LockHolder])
        /// Others hold locks that making the publication or rights needs, and did not end in time.
        case rightsLocked(by: [LockHolder])

        package var description: String {
            switch self {
            case .databaseIsNewer(let number, let since, let known):
                """
                The database has migration \(number), with which servers go on that know migration \(since); \
                this one knows \(known). Use the newer causeboard that migrated it.
                """
            case .changed(let number, let name):
                """
                Migration \(number) (\(name)) was applied in another form than this server has. \
                Use the causeboard that applied it.
                """
            case .locked(let number, let name, let holders):
                """
                Migration \(number) (\(name)) needs a table that others have locked: \(Self.named(holders)). \
                It changed nothing. Wait until they have ended, or end one with `select pg_terminate_backend(PROCESS)`.
                """
            case .rightsLocked(let holders):
                """
                The migrations are applied, but roles, rights and the publication need a table that others have \
                locked: \(Self.named(holders)). Wait until they have ended, or end one with \
                `select pg_terminate_backend(PROCESS)`, and migrate again.
                """
            }
        }

        private static func named(_ holders: [LockHolder]) -> String {
            holders.isEmpty ? "they have ended by now" : holders.map(\.description).joined(separator: ", ")
        }
    }
}

extension Store {
    /// Asks whether a server may stay on the database, which changes when somebody migrates it.
    /// - Parameter known: The number of the newest migration that the server has.
    /// - Returns: The failure that says why not; nil when it may.
    package func schemaTrouble(knowing known: Int32 = Migration.known) async throws(StoreError) -> Migrator.Failure? {
        let schema = try await general { connection throws(PostgresError) in
            try await connection.row(SchemaCompatible())
        }
        guard schema.compatibleSince > known else { return nil }
        return .databaseIsNewer(number: schema.newest, compatibleSince: schema.compatibleSince, known: known)
    }

    /// Returns when the task is cancelled.
    /// - Parameter pause: The time between two looks.
    /// - Throws: ``Migrator/Failure`` once somebody has migrated the database to a schema that the server cannot use.
    ///   While the database is away, it waits.
    package func watchSchema(every pause: Duration, knowing known: Int32 = Migration.known) async throws(Migrator
        .Failure)
    {
        while !Task.isCancelled {
            if let trouble = try? await schemaTrouble(knowing: known) { throw trouble }
            try? await Task.sleep(for: pause)
        }
    }
}
