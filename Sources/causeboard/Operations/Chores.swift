import Domain
import FoundationEssentials
import Leaderboard
import Logging
import ServiceLifecycle
import Storage

extension Serve {
    /// What the server does now and then, without being asked.
    static func chores(
        _ serving: ServeSettings, store: Store, clock: ServerClock, counting swept: SweepCounts, logger: Logger
    ) -> [any Service] {
        var services: [any Service] = [
            BanWatch(store: store, clock: clock, logger: logger), HoldWatch(store: store, clock: clock, logger: logger),
            BookKeeping(store: store, clock: clock, logger: logger),
        ]
        let sweeper = Sweeper(
            store: store, sweepDays: serving.housekeeping.sweep, savesDays: serving.housekeeping.saves,
            pastDays: serving.housekeeping.past, pause: Housekeeping.batchPause, counts: swept)
        services.append(Housekeeping(sweeper: sweeper, clock: clock, logger: logger))
        if let days = serving.housekeeping.purge {
            services.append(Purge(days: days, store: store, clock: clock, logger: logger))
        }
        return services
    }
}

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
                metadata: ["seconds_ahead": "\(ahead.partialValue / 1_000_000)"])
        }
        return min(now, database)
    }
}

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
