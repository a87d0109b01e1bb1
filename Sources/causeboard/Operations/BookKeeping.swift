import Domain
import Leaderboard
import Logging
import ServiceLifecycle
import Storage

/// Closes the books of each day when it is over. Every process looks, and one at a time closes.
struct BookKeeping: Service {
    private static let pauseSeconds: Int64 = 60
    /// Clocks may differ by as much without a line in the log.
    private static let differenceMicrosecondsMax: UInt64 = 60_000_000

    let store: Store
    let clock: ServerClock
    let logger: Logger

    func run() async throws {
        // The end of the server ends a pause, which is no trouble: an error here would cancel all other services.
        try? await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                // While the database is away, days wait for the next look.
                if let now = try? await agreedTime(), let days = try? await store.closeBooks(now: now), days > 0 {
                    logger.info("days of the books are closed", metadata: ["days": "\(days)"])
                }
                try await Task.sleep(for: .seconds(Self.pauseSeconds))
            }
        }
    }

    /// The earlier one of the server's clock and its database's. A day stays closed for good, so a clock that was set
    /// ahead by mistake must not end it.
    private func agreedTime() async throws -> Instant {
        let database = try await store.databaseClock()
        let now = clock.now
        let ahead = now.microsecondsSince1970.subtractingReportingOverflow(database.microsecondsSince1970)
        if ahead.overflow || ahead.partialValue.magnitude > Self.differenceMicrosecondsMax {
            logger.warning(
                "the clock of this server and that of its database differ: set both by NTP",
                metadata: ["seconds_ahead": "\(ahead.partialValue / 1_000_000)"]
            )
        }
        return min(now, database)
    }
}
