import Domain
package import Logging
package import Storage
import Synchronization

/// Whether the server can do its work, by the last look at its database. Looks are taken in the background, so a
/// request that asks costs no query, however many ask.
package final class Readiness: Sendable {
    /// Why the server is not ready.
    package enum Cause: String, Sendable {
        case starting
        case stopping
        case databaseAway = "database-away"
        /// Only a former primary answers: a newer timeline of its cluster has been seen.
        case formerPrimary = "former-primary"
        case databaseReadOnly = "database-read-only"
        /// The database answers with an error that says nothing about its reach, such as a missing table.
        case databaseBroken = "database-broken"
        /// The last look takes too long.
        case databaseSilent = "database-silent"
    }

    package struct Report: Sendable {
        package let cause: Cause?
        /// What the last successful look found.
        package let database: DatabaseState?
        /// The seconds since the last look that ended, successful or not.
        package let age: Duration?
    }

    private struct State {
        var isStopping = false
        var endedAt: ContinuousClock.Instant?
        var cause: Cause? = .starting
        var database: DatabaseState?
    }

    private let state = Mutex(State())
    private let logger: Logger
    private let look: @Sendable () async throws -> DatabaseState

    /// - Parameter look: Asks the database. It has a connection of its own, so that readers who hold all others do not
    ///   make the server look unready.
    package init(logger: Logger, look: @escaping @Sendable () async throws -> DatabaseState) {
        self.logger = logger
        self.look = look
    }

    package func check(now: @Sendable () -> ContinuousClock.Instant = { .now }) async {
        var found: DatabaseState?
        var cause: Cause?
        do {
            let database = try await look()
            found = database
            if database.isReadOnly { cause = .databaseReadOnly }
        } catch StoreError.bug { cause = .databaseBroken } catch StoreError.formerPrimary {
            cause = .formerPrimary
        } catch { cause = .databaseAway }
        // A look that was broken off says nothing about the database.
        if Task.isCancelled { return }
        let endedAt = now()
        let before = state.withLock { state -> Cause? in
            let before = state.cause
            state.cause = cause
            state.endedAt = endedAt
            if let found { state.database = found }
            return before
        }
        if let cause, cause != before {
            logger.warning("the server is not ready", metadata: ["cause": "\(cause.rawValue)"])
        } else if cause == nil, before != nil, before != .starting {
            logger.info("the server is ready again")
        }
    }

    /// From now on the server is not ready, because it ends.
    package func stop() { state.withLock { $0.isStopping = true } }

    package func report(at now: ContinuousClock.Instant = .now) -> Report {
        let state = state.withLock { $0 }
        let age = state.endedAt.map { now - $0 }
        var cause = state.cause
        if cause == nil, let age, age > .seconds(Limits.readinessSecondsMax) { cause = .databaseSilent }
        if state.isStopping { cause = .stopping }
        return Report(cause: cause, database: state.database, age: age)
    }
}

extension Readiness {
    /// What `/readyz` of an admin listener answers, as a command reads it.
    package struct Answer: Sendable, Equatable {
        package let isReady: Bool
        package let causes: [String]

        /// - Parameter body: The body of the response.
        /// - Returns: Nil for anything else, such as an answer of another program on that port.
        package init?(_ body: String) {
            guard let object = try? JSONObject(Array(body.utf8)), let ready = object["ready"]?.kind,
                [.true, .false].contains(ready), let causes = object["causes"]?.texts(countMax: 16)
            else { return nil }
            isReady = ready == .true
            self.causes = causes
        }
    }
}
