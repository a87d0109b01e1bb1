import CPQ

extension PostgresError {
    /// Reads the error out of a failed result.
    /// - Parameter mayHaveCommitted: whether a commit was what failed; if the server died of it, nobody knows whether it happened.
    init(result: OpaquePointer, mayHaveCommitted: Bool) {
        let details = Details(result: result)
        // libpq makes results of its own when the connection breaks; those have no SQLSTATE.
        guard let state = SQLState(field: CPQ_DIAG_SQLSTATE, of: result) else {
            self.init(.connectionLost, origin: .client, safeToRetry: false, details: details)
            return
        }
        let sessionEnded = details.severity == "FATAL" || details.severity == "PANIC"
        self.init(state, origin: .server, safeToRetry: state.provesRollback && !(sessionEnded && mayHaveCommitted), details: details)
    }

    func with(safeToRetry: Bool) -> PostgresError {
        PostgresError(state, origin: origin, safeToRetry: safeToRetry, refusal: refusal, details: details)
    }

    /// The same error, but told as ours because we asked for it.
    var asOurs: PostgresError { PostgresError(state, origin: .client, safeToRetry: safeToRetry, refusal: refusal, details: details) }
}

extension PostgresError.Details {
    init(result: OpaquePointer) {
        func field(_ code: Int32) -> String { PQresultErrorField(result, code).map { String(cString: $0) } ?? "" }
        self.init(message: field(CPQ_DIAG_MESSAGE))
        if message.isEmpty, let text = PQresultErrorMessage(result) { message = String(cString: text) }
        severity = field(CPQ_DIAG_SEVERITY)
        detail = field(CPQ_DIAG_DETAIL)
        hint = field(CPQ_DIAG_HINT)
        context = field(CPQ_DIAG_CONTEXT)
        schema = field(CPQ_DIAG_SCHEMA)
        table = field(CPQ_DIAG_TABLE)
        column = field(CPQ_DIAG_COLUMN)
        constraint = field(CPQ_DIAG_CONSTRAINT)
        position = field(CPQ_DIAG_POSITION)
    }
}

extension SQLState {
    init?(field code: Int32, of result: OpaquePointer) {
        guard let text = PQresultErrorField(result, code) else { return nil }
        self.init(rawValue: String(cString: text))
    }

    /// Whether a statement that failed this way has left nothing behind and may well succeed when it is sent again.
    fileprivate var provesRollback: Bool {
        switch self {
        case .completionUnknown: false
        case .adminShutdown, .crashShutdown, .cannotConnectNow: true
        default: self.class == .transactionRollback || self.class == .insufficientResources
        }
    }
}
