import Tracing

extension Connection {
    /// Sends several statements in one round trip. They are one implicit transaction: a failure undoes the statements
    /// before it.
    /// - Returns: The rows of each, in their order.
    /// - Throws: The error of the first that failed. Nothing is kept then, except after PX001: the statements have been
    ///   carried out by the time a row cannot be decoded.
    package func pipeline<each Q: Query>(_ queries: repeat each Q) async throws(PostgresError) -> (
        repeat [(each Q).Row]
    ) {
        var statements: [Statement] = []
        for query in repeat each queries { statements.append(try Statement(query)) }
        let span = beginSpan(Self.name(types(of: repeat each queries)))
        defer { span?.end() }
        return try await preparingAgain { session throws(PostgresError) in
            let handle = try session.enter()
            do throws(PostgresError) {
                try session.send(statements, to: handle)
                let rows = (repeat try await session.readRows((each Q).self, handle))
                try await session.complete(handle)
                return rows
            } catch {
                await session.finish(handle)
                throw error
            }
        }
    }

    /// Sends BEGIN, several statements and COMMIT in one round trip. Each statement has its own snapshot, as in any
    /// transaction, so a later one sees what was committed while an earlier one waited for its locks.
    /// - Returns: The rows of each, in their order, after the commit.
    /// - Throws: The error of the first that failed. Nothing is kept then, except after PX001, when the transaction has
    ///   been committed by the time a row cannot be decoded. After a lost connection it is unknown whether it was
    ///   committed. 25001 inside a transaction.
    package func transactionPipeline<each Q: Query>(_ queries: repeat each Q) async throws(PostgresError) -> (
        repeat [(each Q).Row]
    ) {
        var statements: [Statement] = []
        for query in repeat each queries { statements.append(try Statement(query)) }
        let span = beginSpan(Self.name(types(of: repeat each queries)))
        defer { span?.end() }
        return try await transaction(sending: statements) { session, handle throws(PostgresError) in
            (repeat try await session.readRows((each Q).self, handle))
        }
    }

    /// Sends BEGIN, statements and COMMIT in one round trip.
    /// - Parameter read: Reads the rows of all statements.
    /// - Returns: What `read` returned, after the commit.
    func transaction<Value>(
        sending statements: [Statement], _ read: (Session, OpaquePointer) async throws(PostgresError) -> Value
    ) async throws(PostgresError) -> Value {
        let all =
            [try Statement.control(TransactionMode.readCommitted.begin)] + statements + [
                try .control("commit", commits: true)
            ]
        return try await preparingAgain { session throws(PostgresError) in
            try session.refuseOpenTransaction()
            let handle = try session.enter()
            do throws(PostgresError) {
                try session.send(all, to: handle)
                try await session.skipStatement(handle)
                let value = try await read(session, handle)
                try await session.skipStatement(handle)
                try await session.complete(handle)
                return value
            } catch {
                await session.finish(handle)
                await session.rollBack()
                throw error
            }
        }
    }
}

extension Session {
    func readRows<Q: Query>(_: Q.Type, _ handle: OpaquePointer) async throws(PostgresError) -> [Q.Row] {
        var rows: [Q.Row] = []
        try await readStatement(handle) { result throws(DecodingFailure) in try result.decode(Q.self, into: &rows) }
        return rows
    }
}
