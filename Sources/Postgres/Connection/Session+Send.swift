import CPQ

extension Session {
    /// Sends statements as one pipeline, with a Sync at its end. Statements not yet prepared on this connection are
    /// prepared within it.
    func send(_ statements: [Statement], to handle: OpaquePointer) throws(PostgresError) {
        guard PQenterPipelineMode(handle) == 1 else { throw lost(handle, nothingSent: true) }
        for statement in statements { try send(statement, to: handle) }
        guard PQpipelineSync(handle) == 1 else { throw lost(handle) }
    }

    /// Sends one statement of a pipeline. Its limits have been checked, so only the connection or memory can fail here;
    /// the session is closed then, because half a pipeline cannot be undone.
    private func send(_ statement: Statement, to handle: OpaquePointer) throws(PostgresError) {
        let key = StatementCache.Key(statement.sql)
        let (entry, isNew, replaced) = self.statements.entry(for: statement)
        if let replaced {
            guard PQsendQueryParams(handle, "deallocate \(replaced)", 0, nil, nil, nil, nil, 1) == 1 else {
                throw lost(handle)
            }
            steps.append(.deallocate)
        }
        if isNew {
            let types = entry.types.map(\.rawValue)
            guard PQsendPrepare(handle, entry.name, statement.text, Int32(types.count), types) == 1 else {
                throw lost(handle)
            }
            steps.append(.prepare(key, name: entry.name))
        }
        guard Self.sendExecute(entry.name, statement.binds, to: handle) else { throw lost(handle) }
        steps.append(.execute(key, name: entry.name, wasPrepared: !isNew, commits: statement.commits))
    }

    /// libpq copies the values into its own buffer, so the pointers need to live only for this call.
    private static func sendExecute(_ name: String, _ binds: Binds, to handle: OpaquePointer) -> Bool {
        let count = binds.slots.count
        let empty = UnsafeRawPointer(StaticString("").utf8Start)
        return withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: count) { values in
            withUnsafeTemporaryAllocation(of: Int32.self, capacity: count * 2) { lengthsAndFormats in
                binds.bytes.withUnsafeBytes { bytes in
                    for (index, slot) in binds.slots.enumerated() {
                        // An empty value must not be a null pointer, which would be NULL.
                        let start = bytes.baseAddress.map { $0 + slot.offset } ?? empty
                        values.initializeElement(
                            at: index, to: slot.lengthBytes < 0 ? nil : start.assumingMemoryBound(to: CChar.self))
                        lengthsAndFormats.initializeElement(at: index, to: Int32(truncatingIfNeeded: slot.lengthBytes))
                        lengthsAndFormats.initializeElement(at: count + index, to: 1)
                    }
                    let lengths = lengthsAndFormats.baseAddress
                    return PQsendQueryPrepared(
                        handle, name, Int32(count), values.baseAddress, lengths, lengths.map { $0 + count }, 1) == 1
                }
            }
        }
    }

    /// Closes the session and returns the error that says why.
    func lost(_ handle: OpaquePointer, nothingSent: Bool = false) -> PostgresError {
        let message = PQerrorMessage(handle).map { String(cString: $0) } ?? ""
        close()
        return PostgresError(.connectionLost, safeToRetry: nothingSent, message: message)
    }
}
