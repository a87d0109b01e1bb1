import Concurrency
import Credentials
import Domain
package import Logging
package import Postgres

/// Runs the use cases on the database and turns rows into domain values. Each statement file has one ``Query``.
package struct Store: Sendable {
    /// Lends connections to readers and to admin commands, which change everything but the ledgers.
    let generalPool: Pool
    /// Lends connections to use cases that write players and the ledgers; their sessions plan for index lookups (see
    /// ``SessionPresets/ledger``).
    let ledgerPool: Pool
    /// Saves of one token take turns, and so do clients with many tokens.
    let saving: OwnGate<TokenHash>
    /// Clients take turns with registrations and changes of devices. These use half of the ledgers' connections, so
    /// that posts always find one.
    let registrations: FairGate<ClientKey>
    private let replica: Replica?
    private let log: RateLimitedLog

    /// - Parameter replica: Who answers long reads when it can; nil for the primary.
    package init(general: Pool, ledger: Pool, replica: Replica? = nil, logger: Logger) {
        self.generalPool = general
        self.ledgerPool = ledger
        self.replica = replica
        saving = OwnGate(.playerWrites(on: general))
        registrations = FairGate(.playerWrites(on: ledger))
        log = RateLimitedLog(logger)
    }

    /// How many connections there are for readers, at most.
    package var readConnectionsMax: Int { generalPool.limits.connectionsMax }

    /// Where tasks that write the ledgers run best: see ``Pool/executor``.
    package var ledgerExecutor: (any TaskExecutor)? { ledgerPool.executor }

    /// Lends a connection for a body that only reads, and runs it once more after a failure that may have passed.
    func general<Value: Sendable>(_ body: (Connection) async throws(PostgresError) -> Value) async throws(StoreError)
        -> Value
    { try await lending(generalPool, onlyReads: true, body) }

    /// Does the same for a body that may read many rows, of a ledger or of the tallies of a window. A replica may
    /// answer it, with nothing older than the primary has when it is called.
    func longRead<Value: Sendable>(_ body: (Connection) async throws(PostgresError) -> Value) async throws(StoreError)
        -> Value
    {
        guard let replica else { return try await general(body) }
        return try await CorePlaces.givingUp { () async throws(StoreError) in
            if let value = await replica.answer(insteadOf: generalPool, body) { return value }
            return try await general(body)
        }
    }

    /// Lends a connection for a body that changes something in one transaction, but no ledger. The body runs once more
    /// when the failure may have passed and certainly nothing was kept.
    func changing<Value: Sendable>(_ body: (Connection) async throws(PostgresError) -> Value) async throws(StoreError)
        -> Value
    { try await lending(generalPool, onlyReads: false, body) }

    /// Does the same for a body that uses the ledgers' connections.
    func ledger<Value: Sendable>(_ body: (Connection) async throws(PostgresError) -> Value) async throws(StoreError)
        -> Value
    { try await lending(ledgerPool, onlyReads: false, body) }

    /// Does the same for a body that writes players or devices, when it is the client's turn.
    /// - Parameter attempt: Which one of ``racing(_:)`` it is.
    func registering<Value: Sendable>(
        _ attempt: RaceAttempt = .last, _ body: (Connection) async throws(PostgresError) -> Value
    ) async throws(StoreError) -> Value {
        try await registrations.run { () async throws(StoreError) in
            try await lending(ledgerPool, onlyReads: false, attempt: attempt, body)
        }
    }

    private func lending<Value: Sendable>(
        _ pool: Pool, onlyReads: Bool, attempt: RaceAttempt = .last,
        _ body: (Connection) async throws(PostgresError) -> Value
    ) async throws(StoreError) -> Value {
        do throws(PostgresError) {
            return try await CorePlaces.givingUp { () async throws(PostgresError) in
                try await pool.withConnection(repeatedOnce: Repetition(onlyReads: onlyReads), body)
            }
        } catch { throw failure(error, attempt) }
    }

    /// Runs `body` again, up to three times, when a concurrent transaction was first to use the same random player id,
    /// device or token. Nothing was kept then, and the next attempt sees what that one did.
    func racing<Value>(_ body: (RaceAttempt) async throws(StoreError) -> Value) async throws(StoreError) -> Value {
        for _ in 0..<3 {
            do throws(StoreError) { return try await body(.hasNext) } catch {
                guard error == .bug(.uniqueViolation) else { throw error }
            }
        }
        return try await body(.last)
    }

    /// Whether another attempt follows one that lost a race, which then is no fault to log.
    enum RaceAttempt { case hasNext, last }

    /// Logs an error of PostgreSQL, at most once a second for each SQLSTATE, and turns it into a ``StoreError``. The
    /// log has the SQLSTATE, table and constraint, but not the message, which may quote row values.
    func failure(_ error: PostgresError, _ attempt: RaceAttempt = .last) -> StoreError {
        let failure = StoreError(error)
        if attempt == .hasNext, error.state == .uniqueViolation { return failure }
        // A client that went away cancelled the statement, and any client may do so as often as it likes.
        if error.state == .queryCancelled, Task.isCancelled { return failure }
        switch failure {
        case .unavailable, .overloaded, .crowded, .formerPrimary:
            let state = error.refusal ?? error.state
            log.log(.warning, error.trouble, of: "\(state)", metadata: ["sqlstate": "\(state)"])
        case .bug:
            log.log(
                .error, "the database refused a statement", of: "\(error.state)",
                metadata: [
                    "sqlstate": "\(error.state)", "table": "\(error.details.table)",
                    "constraint": "\(error.details.constraint)",
                ])
        }
        return failure
    }
}

extension TokenHash: GateKey {}
extension Player.ID: GateKey {}

extension GateBounds {
    /// Half of a pool's connections, of which one client may use half.
    fileprivate static func playerWrites(on pool: Pool) -> GateBounds {
        GateBounds(
            runningMax: max(1, pool.limits.connectionsMax / 2), runningOfKeyMax: max(1, pool.limits.connectionsMax / 4),
            waitingMax: Limits.playerWritesWaitingMax, waitingOfKeyMax: Limits.playerWritesOfClientWaitingMax)
    }
}

extension PostgresError {
    /// What keeps the database from answering, in the words of its log line.
    fileprivate var trouble: StaticString {
        switch (origin, state.rawValue) {
        case (.server, "53100"): "the disk of the database is full: posts are refused until it has room"
        case (.server, "53200"): "the database has no memory left for a statement"
        case (.server, "53300"): "the database takes no more connections"
        case (.server, "55P03"): "a lock was waited for too long"
        case (.client, "53300"): "too many requests wait for a connection of this server to the database"
        default: "the database is away or overloaded"
        }
    }
}
