import CPQ

extension Connection {
    /// What a statement takes and gives, without running it: for tests that hold statements to what their headers say.
    /// - Parameter sql: one statement.
    /// - Parameter parameters: the types to declare $1, $2, … with, as binds do; those left out, or `.unspecified`, are inferred.
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
        guard let description else { throw PostgresError(.misuse, safeToRetry: false, message: "the server described nothing") }
        return description
    }
}

extension Session {
    fileprivate func sendDescribe(_ sql: String, _ parameters: [OID], to handle: OpaquePointer) throws(PostgresError) {
        guard parameters.count <= Statement.bindsMax else { throw PostgresError(.tooManyArguments, safeToRetry: true) }
        guard PQenterPipelineMode(handle) == 1, PQsendPrepare(handle, "", sql, Int32(parameters.count), parameters.map(\.rawValue)) == 1,
            PQsendDescribePrepared(handle, "") == 1, PQpipelineSync(handle) == 1
        else { throw lost(handle) }
        steps = [.describe, .describe]
    }
}

extension StatementDescription {
    init(_ result: OpaquePointer) {
        parameters = (0..<PQnparams(result)).map { OID(rawValue: PQparamtype(result, $0)) }
        columns = (0..<PQnfields(result)).map { index in
            Column(name: PQfname(result, index).map { String(cString: $0) } ?? "", type: OID(rawValue: PQftype(result, index)))
        }
    }
}
