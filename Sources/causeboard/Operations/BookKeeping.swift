import Domain
import Leaderboard
import Logging
import ServiceLifecycle
import Storage

/// Closes the books of each day when it is over. Every process looks, and one at a time closes.
struct BookKeeping: Service {
    private static let pauseSeconds: Int64 = 60

    let store: Store
    let clock: ServerClock
    let logger: Logger

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                // While the database is away, days wait for the next look.
                if let days = try? await store.closeBooks(now: clock.now), days > 0 {
                    logger.info("days of the books are closed", metadata: ["days": "\(days)"])
                }
                try await Task.sleep(for: .seconds(Self.pauseSeconds))
            }
        }
    }
}
