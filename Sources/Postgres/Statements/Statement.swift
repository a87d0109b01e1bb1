/// A statement to be sent, with its binds. Its limits are checked when it is made.
struct Statement {
    let sql: StaticString
    let binds: Binds
    /// Whether this statement commits, so that after a failure it may be unknown what was kept.
    var commits = false
    /// Whether the server makes a plan for it. One that has none never needs another one. What begins a transaction
    /// must also be the first statement of its pipeline: after any other one, such as DEALLOCATE, PostgreSQL refuses to
    /// set the isolation (25001).
    var hasPlan = true

    /// libpq's PQ_QUERY_PARAM_MAX_LIMIT: the protocol counts binds in 16 bits.
    static let bindsMax = 65_535

    init(_ query: some Query) throws(PostgresError) { try self.init(type(of: query).sql, query.binds) }

    /// A statement that begins, commits or rolls back a transaction.
    static func control(_ sql: StaticString, commits: Bool = false) throws(PostgresError) -> Statement {
        var statement = try Statement(sql)
        statement.commits = commits
        statement.hasPlan = false
        return statement
    }

    init(_ sql: StaticString, _ binds: Binds = []) throws(PostgresError) {
        guard sql.hasPointerRepresentation else {
            throw PostgresError(.misuse, safeToRetry: true, message: "one character is not a statement")
        }
        guard binds.slots.count <= Self.bindsMax else {
            throw PostgresError(
                .tooManyArguments, safeToRetry: true, message: "\(binds.slots.count) binds, at most \(Self.bindsMax)")
        }
        // The server's own limit for a message is 1 GB; this one only keeps lengths within the protocol's 32 bits.
        guard binds.bytes.count <= Int(Int32.max) else {
            throw PostgresError(.limitExceeded, safeToRetry: true, message: "\(binds.bytes.count) bytes of binds")
        }
        self.sql = sql
        self.binds = binds
    }

    /// The text as C wants it: a static string's bytes end with a NUL.
    var text: UnsafePointer<CChar> { UnsafeRawPointer(sql.utf8Start).assumingMemoryBound(to: CChar.self) }
}

/// What the server says a statement takes and gives, without running it.
package struct StatementDescription: Sendable, Equatable {
    package struct Column: Sendable, Equatable {
        package let name: String
        package let type: OID
    }

    /// In the order of $1, $2, …
    package let parameters: [OID]
    /// In their order; empty for a statement that returns no rows.
    package let columns: [Column]
}
