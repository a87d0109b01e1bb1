import Domain
import Postgres

/// Decides whether what failed is done once more, on a connection that is borrowed anew.
///
/// Only failures that end with the session or the transaction are worth it: the next try may succeed at once. A
/// database that is away or overloaded would only be asked twice.
struct Repetition {
    private let onlyReads: Bool
    private let start = ContinuousClock.now

    /// - Parameter onlyReads: Whether doing it twice does no harm, even if it is unknown what became of the first try.
    init(onlyReads: Bool) { self.onlyReads = onlyReads }

    /// Whether to do it once more, after the first failure.
    func isDue(after error: PostgresError) -> Bool {
        if Task.isCancelled { return false }
        switch error.state {
        case .connectionLost:
            // A server that was silent for long may be so again, and no timeout of its own bounds that.
            return (onlyReads || error.safeToRetry) && ContinuousClock.now - start < .seconds(Limits.lostReadSecondsMax)
        case .adminShutdown, .crashShutdown: return onlyReads || error.safeToRetry
        case .readOnlyTransaction: return error.safeToRetry
        default: return error.safeToRetry && (error.state.class == .transactionRollback || error.isStalePlan)
        }
    }
}

extension Pool {
    /// Lends a connection to `body`, and another one when the first try failed and is to be repeated.
    func withConnection<Value: Sendable>(
        repeatedOnce repetition: Repetition, _ body: (Connection) async throws(PostgresError) -> Value
    ) async throws(PostgresError) -> Value {
        do throws(PostgresError) { return try await withConnection(body) } catch {
            guard repetition.isDue(after: error) else { throw error }
        }
        return try await withConnection(body)
    }
}
