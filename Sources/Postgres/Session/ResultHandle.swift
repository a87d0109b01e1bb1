import CPQ

/// Owns one `PGresult`.
struct ResultHandle: ~Copyable {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit { PQclear(pointer) }

    var status: ExecStatusType { PQresultStatus(pointer) }
    var rowsCount: Int32 { PQntuples(pointer) }

    /// Rows that the statement touched; 0 for those that do not say.
    var rowsAffected: Int { PQcmdTuples(pointer).flatMap { Int(String(cString: $0)) } ?? 0 }
}
