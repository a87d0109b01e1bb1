package import Postgres

/// Why the stream of changes cannot be followed, or not any more.
package enum FollowError: Error, Equatable {
    /// `wal_level` is not `logical`.
    case notLogical
    /// The login may not replicate.
    case notAllowed
    /// The database has no publication `causeboard`.
    case noPublication
    /// All slots, or all senders, are taken.
    case noSlot
    /// A transaction that has written something has gone on for too long: a slot waits for its end.
    case busy
    /// A table was emptied, or more was changed at once than is worth telling: everything is read again.
    case emptied
    /// The connection, for whatever reason.
    case lost(SQLState)
}

extension FollowError {
    /// What was to be read with the stream could not be read.
    package init(_ error: StoreError) {
        if case .bug(let state) = error { self = .lost(state) } else { self = .lost(.connectionLost) }
    }
}

extension FollowError: PostgresErrorConvertible {
    package init(_ error: PostgresError) {
        switch error.refusal ?? error.state {
        case .notInPrerequisiteState: self = .notLogical
        case .invalidAuthorization, .insufficientPrivilege: self = .notAllowed
        case .undefinedObject: self = .noPublication
        case .configurationLimitExceeded, .tooManyConnections: self = .noSlot
        case .lockNotAvailable: self = .busy
        case let state: self = .lost(state)
        }
    }
}
