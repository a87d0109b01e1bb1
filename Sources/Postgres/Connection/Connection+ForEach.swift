import CPQ

extension Connection {
    /// Hands out one row after the other, in the statement's order, and never holds more than a socket's buffer of them: for results that are
    /// larger than memory. While `body` is at work the server waits, holding its snapshot.
    /// - Throws: What `body` throws; the statement is cancelled then and the connection stays usable. The server's error, as `E`, also after
    ///   rows have been handed out.
    package func forEach<Q: Query, E: PostgresErrorConvertible>(_ query: Q, _ body: (Q.Row) async throws(E) -> Void) async throws(E) {
        do { try await stream(query, body) } catch { throw error.merged }
    }

    /// The same for a body that throws anything.
    package func forEach<Q: Query>(_ query: Q, _ body: (Q.Row) async throws -> Void) async throws {
        do { try await stream(query, body) } catch { throw error.merged }
    }

    private func stream<Q: Query, E: Error>(_ query: Q, _ body: (Q.Row) async throws(E) -> Void) async throws(LentFailure<E>) {
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
                do throws(PostgresError) { row = try await session.nextRow(Q.self, handle) } catch { throw .postgres(error) }
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
