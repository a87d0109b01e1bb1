import CPQ

extension Session {
    /// Sends statements as one pipeline and hands each one's results to `body`, with its place in the list.
    /// - Throws: The first error. Nothing is kept then, unless the statements themselves begin and commit.
    /// - Returns: Rows affected by the last statement.
    @discardableResult
    func run(
        _ statements: [Statement], _ body: (Int, borrowing ResultHandle) throws(DecodingFailure) -> Void = { _, _ in }
    ) async throws(PostgresError) -> Int {
        let handle = try enter()
        var rowsAffected = 0
        do {
            try send(statements, to: handle)
            for index in statements.indices {
                rowsAffected = try await readStatement(handle) { result throws(DecodingFailure) in try body(index, result) }
            }
            try await complete(handle)
            return rowsAffected
        } catch {
            await finish(handle)
            throw error
        }
    }
}
