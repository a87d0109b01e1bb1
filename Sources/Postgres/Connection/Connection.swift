import CPQ
package import Logging

/// One connection to PostgreSQL, used by one task at a time.
///
/// It is not `Sendable`, so sharing it between two tasks does not compile. A statement begun inside another one's body
/// (of `forEach` or a COPY) is an error, not a wait. When a task is cancelled, its statement is cancelled on the server
/// too and the call throws 57014 (or returns, if the statement was done already); the connection stays usable, unless
/// the server does not answer in `ConnectionSettings.cancelMax`.
package final class Connection {
    private var session: Session?

    init(_ session: sending Session) { self.session = session }

    /// Lends what the pool has parked.
    init(_ parked: ParkedSession) { session = parked.session }

    /// Opens a connection, which closes when it is released.
    /// - Throws: 08001 when no server let us in within `connectTimeout` (its own SQLSTATE, if it gave one, is in
    ///   `refusal`); the server's error when it refuses one of the session's settings.
    package static func open(_ settings: ConnectionSettings, logger: Logger) async throws(PostgresError)
        -> sending Connection
    {
        Connection(try await Session.connect(settings, logger: logger))
    }

    /// Whether another statement can be sent. It asks nobody: a server that has gone since is only found out by using
    /// it.
    package var isUsable: Bool { session?.isUsable ?? false }

    /// Closes the connection; to close twice does nothing. Every later call throws 08003.
    package func close() {
        session?.close()
        session = nil
    }

    /// The session, for as long as the connection is neither closed nor given back.
    func lent() throws(PostgresError) -> Session {
        guard let session else { throw PostgresError(.connectionNotOpen, safeToRetry: true) }
        return session
    }

    /// Ends the lease: whoever kept this connection finds it closed.
    func giveBack() { session = nil }
}

extension Connection {
    /// All rows, in the statement's order. For more than fits in memory there is `forEach`.
    /// - Throws: The server's error; PX001 when a row cannot be decoded, although the statement has been carried out
    ///   then.
    package func rows<Q: Query>(_ query: Q) async throws(PostgresError) -> [Q.Row] {
        var rows: [Q.Row] = []
        try await lent().run([Statement(query)]) { _, result throws(DecodingFailure) in
            try result.decode(Q.self, into: &rows)
        }
        return rows
    }

    /// The one row there is.
    /// - Throws: As `rows`; P0002 when there is none, P0003 when there are more. What the statement did is kept even
    ///   so.
    package func row<Q: Query>(_ query: Q) async throws(PostgresError) -> Q.Row {
        guard let row = try await firstRow(query) else { throw PostgresError(.noData, safeToRetry: false) }
        return row
    }

    /// The one row there is, or nil.
    /// - Throws: As `rows`; P0003 when there are several. What the statement did is kept even so.
    package func firstRow<Q: Query>(_ query: Q) async throws(PostgresError) -> Q.Row? {
        let rows = try await rows(query)
        guard rows.count <= 1 else { throw PostgresError(.tooManyRows, safeToRetry: false) }
        return rows.first
    }

    /// Runs a statement and reads none of its rows.
    /// - Returns: Rows affected (for a select: rows found); 0 for statements that do not count any.
    @discardableResult
    package func run(_ query: some Query) async throws(PostgresError) -> Int {
        try await lent().run([Statement(query)])
    }
}

extension ResultHandle {
    /// Appends every row of the result.
    borrowing func decode<Q: Query>(_: Q.Type, into rows: inout [Q.Row]) throws(DecodingFailure) {
        let count = rowsCount
        guard count > 0 else { return }
        rows.reserveCapacity(rows.count + Int(count))
        var reader = RowReader(pointer, row: 0)
        for row in 0..<count {
            reader.move(to: row)
            rows.append(try Q.decode(&reader))
        }
    }
}

extension Connection {
    /// What a statement takes and gives, without running it: for tests that hold statements to what their headers say.
    /// - Parameter sql: one statement.
    /// - Parameter parameters: the types to declare $1, $2, … with, as binds do; those left out, or `.unspecified`, are
    ///   inferred.
    /// - Throws: The server's error, such as 42P01 for a table that does not exist.
    package func describe(_ sql: String, parameters: [OID] = []) async throws(PostgresError) -> StatementDescription {
        let session = try lent()
        let handle = try session.enter()
        var description: StatementDescription?
        do throws(PostgresError) {
            try session.sendDescribe(sql, parameters, to: handle)
            try await session.readStatement(handle) { _ in }
            try await session.readStatement(handle) { result in description = StatementDescription(result.pointer) }
        } catch {
            await session.finish(handle)
            throw error
        }
        if let error = await session.finish(handle) { throw error }
        guard let description else {
            throw PostgresError(.misuse, safeToRetry: false, message: "the server described nothing")
        }
        return description
    }
}

extension Session {
    fileprivate func sendDescribe(_ sql: String, _ parameters: [OID], to handle: OpaquePointer) throws(PostgresError) {
        guard parameters.count <= Statement.bindsMax else { throw PostgresError(.tooManyArguments, safeToRetry: true) }
        guard PQenterPipelineMode(handle) == 1,
            PQsendPrepare(handle, "", sql, Int32(parameters.count), parameters.map(\.rawValue)) == 1,
            PQsendDescribePrepared(handle, "") == 1, PQpipelineSync(handle) == 1
        else { throw lost(handle) }
        steps = [.describe, .describe]
    }
}

extension StatementDescription {
    init(_ result: OpaquePointer) {
        parameters = (0..<PQnparams(result)).map { OID(rawValue: PQparamtype(result, $0)) }
        columns = (0..<PQnfields(result)).map { index in
            Column(
                name: PQfname(result, index).map { String(cString: $0) } ?? "",
                type: OID(rawValue: PQftype(result, index))
            )
        }
    }
}

extension Connection {
    /// Hands out one row after the other, in the statement's order, and never holds more than a socket's buffer of
    /// them: for results that are larger than memory. While `body` is at work the server waits, holding its snapshot.
    /// - Throws: What `body` throws; the statement is cancelled then and the connection stays usable. The server's
    ///   error, as `E`, also after rows have been handed out.
    package func forEach<Q: Query, E: PostgresErrorConvertible>(_ query: Q, _ body: (Q.Row) async throws(E) -> Void)
        async throws(E)
    {
        do { try await stream(query, body) } catch { throw error.merged }
    }

    /// The same for a body that throws anything.
    package func forEach<Q: Query>(_ query: Q, _ body: (Q.Row) async throws -> Void) async throws {
        do { try await stream(query, body) } catch { throw error.merged }
    }

    private func stream<Q: Query, E: Error>(_ query: Q, _ body: (Q.Row) async throws(E) -> Void)
        async throws(LentFailure<E>)
    {
        let session: Session
        let handle: OpaquePointer
        do throws(PostgresError) {
            session = try lent()
            let statement = try Statement(query)
            handle = try session.enter()
            do throws(PostgresError) {
                try session.send([statement], to: handle)
                try await session.beginSingleRows(handle)
            } catch {
                await session.finish(handle)
                throw error
            }
        } catch { throw .postgres(error) }
        do throws(LentFailure<E>) {
            while true {
                let row: Q.Row?
                do throws(PostgresError) { row = try await session.nextRow(Q.self, handle) } catch {
                    throw .postgres(error)
                }
                guard let row else { break }
                do throws(E) { try await body(row) } catch { throw .body(error) }
            }
        } catch {
            session.cancelRest(handle)
            await session.finish(handle)
            throw error
        }
        if let error = await session.finish(handle) { throw .postgres(error) }
    }
}

extension Connection {
    /// Runs a script of several statements, for migrations: the simple protocol, no binds, no rows. Unless it says
    /// otherwise, it is one transaction.
    /// - Throws: The first error. It is never called safe to retry, because a script may commit on its way.
    package func script(_ sql: String) async throws(PostgresError) {
        let session = try lent()
        let handle = try session.enter()
        do throws(PostgresError) {
            guard PQsendQuery(handle, sql) == 1 else { throw session.lost(handle, nothingSent: true) }
            if let failure = try await session.drainSimple(handle) { throw failure.with(safeToRetry: false) }
            session.leave()
        } catch {
            session.leave()
            throw error
        }
    }
}
