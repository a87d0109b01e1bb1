import Concurrency
package import Postgres

/// Why the store could not answer. Expected outcomes are values, not errors.
package enum StoreError: Error, Equatable {
    /// The database cannot be reached, or accepts no writes at present.
    case unavailable
    /// Only a former primary answers, which another server has replaced, so that it is as good as away.
    case formerPrimary
    /// Too many requests use the database at once, or it took too long.
    case overloaded
    /// The queue of a gate is full, for this client or for all. Another client may still get in.
    case crowded
    /// The server and its database do not agree; the SQLSTATE says where to look.
    case bug(SQLState)
}

extension StoreError: GateError {}

extension StoreError: PostgresErrorConvertible {
    /// Translates by SQLSTATE and its class, never by message or constraint name.
    package init(_ error: PostgresError) {
        switch (error.state, error.state.class) {
        case (.cannotConnect, _) where error.refusal == .formerPrimary: self = .formerPrimary
        case (.queryCancelled, _), (.lockNotAvailable, _), (_, .insufficientResources), (_, .transactionRollback):
            self = .overloaded
        case (.readOnlyTransaction, _), (_, .connection), (_, .operatorIntervention): self = .unavailable
        default: self = .bug(error.state)
        }
    }
}

extension StoreError {
    /// A statement returned fewer or more rows than it must.
    package static let wrongRowCount = StoreError.bug(.noData)
}

/// Why rows were not committed, or not certainly.
package struct CommitFailure: Error {
    package let error: StoreError
    /// Whether the connection was lost or the server failed during the commit, so that only the database knows whether
    /// it happened.
    package let mayHaveCommitted: Bool
}
