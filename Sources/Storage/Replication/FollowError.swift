package import Postgres

/// Why the replication stream cannot be followed, or no longer.
package enum FollowError: Error, Equatable {
    /// `wal_level` is not `logical`.
    case notLogical
    /// The login may not replicate.
    case notAllowed
    /// A pooler is on the way, which takes no replication.
    case pooled
    /// The database has no publication `causeboard`.
    case noPublication
    /// All replication slots or all WAL senders are in use.
    case noSlot
    /// A writing transaction has been open for too long; a new slot has to wait for its end.
    case busy
    /// The stream brings nothing of what this process commits.
    case silent
    /// A table was emptied or one commit changed too many rows, so everything must be loaded again.
    case emptied
    /// The connection failed, or the stream could not be read.
    case lost(SQLState)
}

extension FollowError {
    /// Translates a failure of the store while it reads the stream's snapshot or emits a marker.
    package init(_ error: StoreError) {
        if case .bug(let state) = error { self = .lost(state) } else { self = .lost(.connectionLost) }
    }
}

extension FollowError: PostgresErrorConvertible {
    package init(_ error: PostgresError) {
        switch error.refusal ?? error.state {
        case .notInPrerequisiteState: self = .notLogical
        case .invalidAuthorization, .insufficientPrivilege: self = .notAllowed
        case .protocolViolation, .syntaxError: self = .pooled
        case .undefinedObject: self = .noPublication
        case .configurationLimitExceeded, .tooManyConnections: self = .noSlot
        case .lockNotAvailable: self = .busy
        case let state: self = .lost(state)
        }
    }
}
