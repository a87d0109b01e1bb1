import Domain
import Leaderboard
import Logging
import ServiceLifecycle
import Storage

/// Lets posts count whose games have not judged them in time, and measures the boards that hold posts by what others
/// have. Every process looks; who comes second finds it done.
struct HoldWatch: Service {
    private static let pauseSeconds: Int64 = 5
    private static let measureSeconds: Int64 = 60
    private static let scoresMax: Int32 = 1_000

    let store: Store
    let clock: ServerClock
    let logger: Logger

    func run() async throws {
        // The end of the server ends a pause, which is no trouble: an error here would cancel all other services.
        try? await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                // While the database is away, all this waits for the next look.
                await letOverdue()
                let now = clock.now
                _ = try? await store.measureBoards(before: now.advanced(bySeconds: -Self.measureSeconds), now: now)
                try await Task.sleep(for: .seconds(Self.pauseSeconds))
            }
        }
    }

    private func letOverdue() async {
        var last: HeldScore.Key?
        repeat {
            guard let page = try? await store.letOverdue(after: last, limitRows: Self.scoresMax, now: clock.now) else {
                return
            }
            if page.freed > 0 {
                logger.debug("posts waited too long for their games", metadata: ["posts": "\(page.freed)"])
            }
            last = page.last
        } while last != nil && !Task.isCancelled
    }
}
