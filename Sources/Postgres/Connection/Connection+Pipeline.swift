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
        var statements = [try Statement.control(TransactionMode.readCommitted.begin)]
        for query in repeat each queries { statements.append(try Statement(query)) }
        statements.append(try .control("commit", commits: true))
        let span = beginSpan(Self.name(types(of: repeat each queries)))
        defer { span?.end() }
        return try await preparingAgain { session throws(PostgresError) in
            try session.refuseOpenTransaction()
            let handle = try session.enter()
            do throws(PostgresError) {
                try session.send(statements, to: handle)
                try await session.skipStatement(handle)
                let rows = (repeat try await session.readRows((each Q).self, handle))
                try await session.skipStatement(handle)
                try await session.complete(handle)
                return rows
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
