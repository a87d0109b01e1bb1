import Domain
import FoundationEssentials
import Leaderboard
import Logging
import ServiceLifecycle
import Storage

/// Undoes each ban when its end has come. Every process looks; who comes second finds it undone.
struct BanWatch: Service {
    private static let pauseSeconds: Int64 = 15
    private static let bansMax: Int32 = 100

    let store: Store
    let clock: ServerClock
    let logger: Logger

    func run() async throws {
        // The end of the server ends a pause, which is no trouble: an error here would cancel all other services.
        try? await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                // While the database is away, bans wait for the next look.
                try? await endBans()
                try await Task.sleep(for: .seconds(Self.pauseSeconds))
            }
        }
    }

    private func endBans() async throws {
        let reason = try ModerationReason("The ban has come to its end.")
        for ban in try await store.bansOver(clock.now, rows: Self.bansMax) {
            // One that cannot be ended now does not keep the others from their end.
            let action = ModerationAction(.undo(ban), id: UUID(), reason: reason)
            let outcome = try? await store.perform(action, by: "server", now: clock.now)
            if case .done = outcome { logger.info("a ban has ended", metadata: ["act": "\(ban)"]) }
        }
    }
}
