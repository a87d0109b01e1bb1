extension PostgresError: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String {
        let refused = refusal.map { " (server said \($0))" } ?? ""
        return "\(state): \(sentence)\(refused)"
    }

    package var debugDescription: String {
        let fields: [(name: String, text: String)] = [
            ("severity", details.severity), ("message", details.message), ("detail", details.detail), ("hint", details.hint),
            ("context", details.context), ("schema", details.schema), ("table", details.table), ("column", details.column),
            ("constraint", details.constraint), ("position", details.position),
        ]
        let told = fields.filter { !$0.text.isEmpty }.map { "\($0.name): \($0.text)" }
        return (["\(description) [\(origin.rawValue), safe to retry: \(safeToRetry)]"] + told).joined(separator: "; ")
    }

    private var sentence: String {
        switch state {
        case .cannotConnect: return "no connection to the database could be made"
        case .connectionLost: return "the connection to the database was lost"
        case .connectionNotOpen: return "the connection is closed or was given back"
        case .queryCancelled: return "the statement was cancelled"
        case .noData: return "a row was expected and there was none"
        case .tooManyRows: return "more rows came than were expected"
        default: break
        }
        switch state.class {
        case .connection: return "the connection to the database failed"
        case .dataException: return "a value was refused"
        case .integrityConstraint: return "a constraint was violated"
        case .transactionRollback: return "the transaction was rolled back"
        case .syntaxOrAccess: return "the statement was refused"
        case .insufficientResources: return "the database or its pool is at its limit"
        case .operatorIntervention: return "the database was stopped or interrupted the statement"
        case .client: return "the program and the database disagree"
        case .other: return "the statement failed"
        }
    }
}
