import Tracing

// A transaction in as few round trips as its statements depend on each other: BEGIN travels with the first ones, and
// COMMIT with the last.
extension Connection {
    /// Runs `body`, which begins with ``begin(reading:)`` and ends with ``commit(writing:)``, and rolls back when it
    /// throws. It runs again when a prepared statement was missing or outdated, as after a migration.
    /// - Throws: The error of the first statement that failed; nothing is kept then. After a lost connection it is
    ///   unknown whether the transaction was committed. 25001 inside a transaction.
    package func transactionInTrips<Value>(_ body: (Connection) async throws(PostgresError) -> Value)
        async throws(PostgresError) -> Value
    {
        try await preparingAgain { session throws(PostgresError) in
            try session.refuseOpenTransaction()
            do throws(PostgresError) { return try await body(self) } catch {
                await session.rollBack()
                throw error
            }
        }
    }

    /// Sends BEGIN and several statements in one round trip, and leaves the transaction open. Each statement has its
    /// own snapshot, so a later one sees what was committed while an earlier one waited for its locks.
    /// - Returns: The rows of each, in their order.
    package func begin<each Q: Query>(reading queries: repeat each Q) async throws(PostgresError) -> (
        repeat [(each Q).Row]
    ) {
        var statements = [try Statement.control(TransactionMode.readCommitted.begin)]
        for query in repeat each queries { statements.append(try Statement(query)) }
        let span = beginSpan("begin, " + Self.name(types(of: repeat each queries)))
        defer { span?.end() }
        let session = try lent()
        let handle = try session.enter()
        do throws(PostgresError) {
            try session.send(statements, to: handle)
            try await session.skipStatement(handle)
            let rows = (repeat try await session.readRows((each Q).self, handle))
            try await session.complete(handle)
            return rows
        } catch {
            await session.finish(handle)
            throw error
        }
    }

    /// Sends BEGIN, statements and COMMIT in one round trip, and reads the rows of one statement alone.
    /// - Parameters:
    ///   - first: Run before that statement.
    ///   - last: Run after it.
    /// - Returns: Its rows, after the commit.
    /// - Throws: The error of the first statement that failed; nothing is kept then, except after PX001, when the
    ///   transaction has been committed by the time a row cannot be decoded. After a lost connection it is unknown
    ///   whether it was committed. 25001 inside a transaction.
    package func transactionInOneTrip<Q: Query>(after first: [any Query], reading query: Q, writing last: [any Query])
        async throws(PostgresError) -> [Q.Row]
    {
        let statements = try Self.statements(first) + [try Statement(query)] + Self.statements(last)
        let span = beginSpan(Self.name(first.map { type(of: $0) } + [Q.self] + last.map { type(of: $0) }))
        defer { span?.end() }
        return try await transaction(sending: statements) { session, handle throws(PostgresError) in
            for _ in first { try await session.skipStatement(handle) }
            let rows = try await session.readRows(Q.self, handle)
            for _ in last { try await session.skipStatement(handle) }
            return rows
        }
    }

    /// Sends statements and COMMIT in one round trip, and reads none of their rows.
    package func commit(writing queries: [any Query]) async throws(PostgresError) {
        let span = beginSpan(Self.name(queries.map { type(of: $0) }) + ", commit")
        defer { span?.end() }
        try await lent().run(try Self.statements(queries) + [.control("commit", commits: true)])
    }

    /// Sends statements in one round trip, and reads none of their rows.
    package func run(all queries: [any Query]) async throws(PostgresError) {
        let span = beginSpan(Self.name(queries.map { type(of: $0) }))
        defer { span?.end() }
        try await lent().run(try Self.statements(queries))
    }

    private static func statements(_ queries: [any Query]) throws(PostgresError) -> [Statement] {
        var statements: [Statement] = []
        statements.reserveCapacity(queries.count + 1)
        for query in queries { statements.append(try Statement(query)) }
        return statements
    }
}
