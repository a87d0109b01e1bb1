import Postgres
import Statements

/// Which schemas this server works with.
///
/// A migration expands the schema, so that servers of before go on beside the new ones; what they need is taken away a
/// release later. Each says in a line of its header, `-- compatible since: N`, that servers whose newest migration is N
/// or a later one may go on after it. The list of applied migrations keeps that number.
package enum SchemaVersion {
    /// The newest migration that this server has.
    package static var known: Int32 { Int32(clamping: Migrations.all.count) }

    /// The number in a migration's header. Without one, servers of before may not go on.
    static func compatibleSince(_ number: Int32, header text: String) -> Int32 {
        value(of: "compatible since", header: text).flatMap { Int32($0) } ?? number
    }

    /// What a migration's header says about one thing, in a line `-- label: value`.
    static func value(of label: String, header text: String) -> Substring? {
        let beginning = "-- \(label): "
        return text.split(separator: "\n").prefix { $0.hasPrefix("--") }
            .first { $0.hasPrefix(beginning) }?
            .dropFirst(beginning.count)
    }
}

extension Store {
    /// Asks whether this server may go on with the database, which changes when somebody migrates it.
    /// - Returns: The failure that says why not; nil when it may.
    package func schemaTrouble() async throws(StoreError) -> Migrator.Failure? {
        let schema = try await general { connection throws(PostgresError) in
            try await connection.row(SchemaCompatible())
        }
        guard schema.compatibleSince > SchemaVersion.known else { return nil }
        return .databaseIsNewer(number: schema.newest, compatibleSince: schema.compatibleSince)
    }

    /// Returns when the task is cancelled.
    /// - Parameter pause: The time between two looks.
    /// - Throws: ``Migrator/Failure`` once somebody has migrated the database to a schema with which this server cannot
    ///   go on. While the database is away, it waits.
    package func watchSchema(every pause: Duration) async throws(Migrator.Failure) {
        while !Task.isCancelled {
            if let trouble = try? await schemaTrouble() { throw trouble }
            try? await Task.sleep(for: pause)
        }
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
        /// The database was migrated by a newer server, and this one may not go on with it.
        case databaseIsNewer(number: Int32, compatibleSince: Int32)
        /// An applied migration differs from the one that this server has under that number.
        case changed(number: Int32, name: String)
        /// Others hold locks that a migration needs, and did not end in time.
        case locked(number: Int32, name: String, by: [LockHolder])
        /// Others hold locks that making the publication or rights needs, and did not end in time.
        case rightsLocked(by: [LockHolder])

        package var description: String {
            switch self {
            case .databaseIsNewer(let number, let since):
                """
                The database has migration \(number), with which servers go on that know migration \(since); \
                this one knows \(SchemaVersion.known). Use the newer causeboard that migrated it.
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
