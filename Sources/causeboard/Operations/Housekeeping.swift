import Leaderboard
import Logging
import ServiceLifecycle
import Storage

/// Sweeps once a day, and when the server starts. Every process does, one batch at a time; who comes second finds
/// nothing.
struct Housekeeping: Service {
    static let batchPause = Duration.milliseconds(100)
    private static let passPause = Duration.seconds(86_400)
    private static let failurePause = Duration.seconds(600)

    let sweeper: Sweeper
    let clock: ServerClock
    let logger: Logger

    func run() async throws {
        // The pauses end by an error when the server stops, which would end all other services too.
        try? await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    for (what, rows) in try await sweeper.pass(now: clock.now) {
                        logger.info("swept", metadata: ["what": "\(what.rawValue)", "rows": "\(rows)"])
                    }
                } catch {
                    // The store has logged why. The rest waits until the database is back.
                    try await Task.sleep(for: Self.failurePause)
                    continue
                }
                try await Task.sleep(for: Self.passPause)
            }
        }
    }
}
