import CPQ
package import Logging
package import Tracing

/// One connection to PostgreSQL, used by one task at a time.
///
/// It is not `Sendable`, so sharing it between two tasks does not compile. A statement begun inside another one's body
/// (of `forEach` or a COPY) is an error, not a wait. When a task is cancelled, its statement is cancelled on the server
/// too and the call throws 57014 (or returns, if the statement was done already); the connection stays usable, unless
/// the server does not answer within `ConnectionSettings.cancelMax`. What was sent together with its COMMIT is given
/// that time to end by itself.
package final class Connection {
    private var session: Session?
    /// In which statements are traced, where that is not the context of the task that sends them.
    package var trace: InstrumentationContext?

    init(_ session: sending Session) { self.session = session }

    /// Lends a session that the pool has parked.
    init(_ parked: ParkedSession) { session = parked.session }

    /// Opens a connection. It closes when it is released.
    /// - Throws: 08001 when no server accepted the connection within `connectTimeout` (its own SQLSTATE, if it gave
    ///   one, is in `refusal`); the server's error when it refuses one of the session's settings.
    package static func open(_ settings: ConnectionSettings, logger: Logger) async throws(PostgresError)
        -> sending Connection
    { Connection(try await Session.connect(settings, logger: logger)) }

    /// Whether another statement can be sent, as far as the client knows. It does not ask the server, so only the next
    /// use shows that the server has gone.
    package var isUsable: Bool { session?.isUsable ?? false }

    /// Closes the connection; a second call does nothing. Every later statement throws 08003.
    package func close() {
        session?.close()
        session = nil
    }

    /// The session of this connection.
    /// - Throws: 08003 once the connection is closed or given back.
    func lent() throws(PostgresError) -> Session {
        guard let session else { throw PostgresError(.connectionNotOpen, safeToRetry: true) }
        return session
    }

    /// Ends the lease: a caller that keeps this object finds it closed.
    func giveBack() { session = nil }
}

extension Connection {
    /// Returns all rows, in the statement's order. Use `forEach` for results that do not fit in memory.
    /// - Throws: The server's error; PX001 when a row cannot be decoded, in which case the statement has been carried
    ///   out all the same.
    package func rows<Q: Query>(_ query: Q) async throws(PostgresError) -> [Q.Row] {
        let statement = try Statement(query)
        let span = beginSpan("\(Q.self)")
        defer { span?.end() }
        return try await preparingAgain { session throws(PostgresError) in
            var rows: [Q.Row] = []
            try await session.run([statement]) { _, result throws(DecodingFailure) in
                try result.decode(Q.self, into: &rows)
            }
            return rows
        }
    }

    /// Returns the only row.
    /// - Throws: As `rows`; P0002 when there is none, P0003 when there are several. The statement has been carried out
    ///   even then.
    package func row<Q: Query>(_ query: Q) async throws(PostgresError) -> Q.Row {
        guard let row = try await firstRow(query) else { throw PostgresError(.noData, safeToRetry: false) }
        return row
    }

    /// Returns the only row, or nil when there is none.
    /// - Throws: As `rows`; P0003 when there are several. The statement has been carried out even then.
    package func firstRow<Q: Query>(_ query: Q) async throws(PostgresError) -> Q.Row? {
        let rows = try await rows(query)
        guard rows.count <= 1 else { throw PostgresError(.tooManyRows, safeToRetry: false) }
        return rows.first
    }

    /// Runs a statement and reads none of its rows.
    /// - Returns: Rows affected (for a select: rows found); 0 for statements that do not count any.
    @discardableResult package func run(_ query: some Query) async throws(PostgresError) -> Int {
        let statement = try Statement(query)
        let span = beginSpan("\(type(of: query))")
        defer { span?.end() }
        return try await preparingAgain { session throws(PostgresError) in try await session.run([statement]) }
    }

    /// Runs an operation of one round trip, and once more when a prepared statement was missing or outdated, as after a
    /// migration. Inside a transaction it cannot: the failure has undone what came before.
    func preparingAgain<T>(_ operation: (Session) async throws(PostgresError) -> T) async throws(PostgresError) -> T {
        let session = try lent()
        do throws(PostgresError) { return try await operation(session) } catch {
            guard error.isStalePlan, session.isIdle else { throw error }
            return try await operation(session)
        }
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
    /// Describes the parameters and columns of a statement without running it. Tests compare them with the statement's
    /// header.
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
                type: OID(rawValue: PQftype(result, index)))
        }
    }
}

extension Connection {
    /// Passes each row to `body`, in the statement's order, and never holds more rows than the socket's buffer does, so
    /// that results may be larger than memory. While `body` runs the server waits and holds its snapshot.
    /// - Throws: What `body` throws; the statement is cancelled then and the connection stays usable. As `E`, the
    ///   server's error, which may also come after some rows have been passed on.
    package func forEach<Q: Query, E: PostgresErrorConvertible>(_ query: Q, _ body: (Q.Row) async throws(E) -> Void)
        async throws(E)
    { do { try await stream(query, body) } catch { throw error.merged } }

    /// Does the same for a body that throws any error.
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
    /// Runs a script of several statements by the simple protocol, without binds and rows. It is one transaction unless
    /// the script itself begins or commits one. Migrations use it.
    /// - Throws: The first error. Once the script was sent it is never safe to retry, because the script may have
    ///   committed before it failed.
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

// Spans of statements. They belong to the request whose task sends them, or to the one that the connection is told; a
// request that is not traced has none.
extension Connection {
    /// - Parameter name: The statements, by their types; made only for a span.
    /// - Returns: A span that the caller ends; nil when nothing is traced.
    func beginSpan(_ name: @autoclosure () -> String) -> (any Span)? {
        guard let context = trace ?? InstrumentationContext.current else { return nil }
        let span = InstrumentationSystem.tracer.startSpan(name(), context: context, ofKind: .client)
        span.attributes["db.system"] = "postgresql"
        return span
    }

    func types<each Q: Query>(of queries: repeat each Q) -> [Any.Type] {
        var types: [Any.Type] = []
        for query in repeat each queries { types.append(type(of: query)) }
        return types
    }

    static func name(_ types: [Any.Type]) -> String { types.map { "\($0)" }.joined(separator: ", ") }
}
