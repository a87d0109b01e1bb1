extension Connection {
    /// All rows, in the statement's order. For more than fits in memory there is `forEach`.
    /// - Throws: The server's error; PX001 when a row cannot be decoded, although the statement has been carried out then.
    package func rows<Q: Query>(_ query: Q) async throws(PostgresError) -> [Q.Row] {
        var rows: [Q.Row] = []
        try await lent().run([Statement(query)]) { _, result throws(DecodingFailure) in try result.decode(Q.self, into: &rows) }
        return rows
    }

    /// The one row there is.
    /// - Throws: As `rows`; P0002 when there is none, P0003 when there are more. What the statement did is kept even so.
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
