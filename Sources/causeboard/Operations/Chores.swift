import Credentials
import Domain
import FoundationEssentials
import Leaderboard
import Logging
import ServiceLifecycle
import Storage

extension Serve {
    /// What the server does now and then, without being asked.
    static func chores(
        _ serving: ServeSettings, store: Store, writeBatcher: WriteBatcher, clock: ServerClock, plans: PlanRunner,
        counting swept: SweepCounts, logger: Logger
    ) -> [any Service] {
        let bans = BanWatch(store: store, clock: clock, logger: logger)
        let seasons = SeasonWatch(store: store, clock: clock, logger: logger)
        let holds = HoldWatch(store: store, clock: clock, logger: logger)
        let contests = ContestWatch(writeBatcher: writeBatcher, logger: logger)
        let books = BookKeeping(store: store, clock: clock, logger: logger)
        let sweeper = Sweeper(
            store: store, sweepDays: serving.sweepAfter, savesDays: serving.savesAfter, pastDays: serving.pastAfter,
            pause: Housekeeping.batchPause, counts: swept)
        let housekeeping = Housekeeping(sweeper: sweeper, clock: clock, logger: logger)
        var services = [
            Periodic(every: .seconds(15)) { await bans.endBans() }, Periodic(every: .seconds(5)) { await holds.look() },
            Periodic(every: .seconds(15)) { await contests.settle() },
            Periodic(every: .seconds(60)) { await books.close() }, Periodic(every: .seconds(10)) { await plans.pass() },
            Periodic { await seasons.look() }, Periodic { await housekeeping.pass() },
        ]
        if let days = serving.purgeAfter {
            let purge = Purge(days: days, store: store, clock: clock, logger: logger)
            services.append(Periodic(every: .seconds(86_400)) { await purge.pass() })
        }
        return services
    }
}

/// Undoes each ban when its end has come. Every process looks; who comes second finds it undone.
struct BanWatch {
    private static let bansMax: Int32 = 100

    let store: Store
    let clock: ServerClock
    let logger: Logger

    func endBans() async {
        guard let reason = try? ModerationReason("The ban has come to its end."),
            let bans = try? await store.admin.bansOver(clock.now, rows: Self.bansMax)
        else { return }
        for ban in bans {
            // One that cannot be ended now does not keep the others from their end.
            let action = ModerationAction(.undo(ban), id: UUID(), reason: reason)
            let outcome = try? await store.admin.perform(action, by: "server", now: clock.now)
            if case .done = outcome { logger.info("a ban has ended", metadata: ["act": "\(ban)"]) }
        }
    }
}

/// Lets posts count whose games have not judged them in time, and measures the boards that hold posts by what others
/// have. Every process looks; who comes second finds it done.
struct HoldWatch {
    private static let measureSeconds: Int64 = 60
    private static let scoresMax: Int32 = 1_000

    let store: Store
    let clock: ServerClock
    let logger: Logger

    func look() async {
        await letOverdue()
        let now = clock.now
        _ = try? await store.admin.measureBoards(before: now.advanced(bySeconds: -Self.measureSeconds), now: now)
    }

    private func letOverdue() async {
        var last: HeldScore.Key?
        repeat {
            guard let page = try? await store.admin.letOverdue(after: last, limitRows: Self.scoresMax, now: clock.now)
            else { return }
            if page.freed > 0 {
                logger.debug("posts waited too long for their games", metadata: ["posts": "\(page.freed)"])
            }
            last = page.last
        } while last != nil && !Task.isCancelled
    }
}

/// Settles challenges that are over. Every process looks; who comes second finds it done.
struct ContestWatch {
    let writeBatcher: WriteBatcher
    let logger: Logger

    func settle() async {
        guard let (settled, donated) = try? await writeBatcher.settleChallenges(), settled + donated > 0 else { return }
        logger.info("challenges are settled", metadata: ["challenges": "\(settled)", "stakes": "\(donated)"])
    }
}

/// Begins the next season of each board whose day for that has come. Every process looks; who comes second finds the
/// season ended. A season that should have ended while no server ran ends when one does.
struct SeasonWatch {
    private static let pauseMicroseconds: Int64 = 5_000_000
    /// Midnights of all zones are whole quarters of an hour of UTC.
    private static let quarterMicroseconds: Int64 = 900_000_000

    let store: Store
    let clock: ServerClock
    let logger: Logger

    /// - Returns: How long to wait before the next look: never beyond the next midnight of a zone.
    func look() async -> Duration {
        while let due = try? await store.admin.dueSeasons(clock.now), !due.isEmpty, !Task.isCancelled {
            var begun = 0
            for season in due where await begin(after: season) { begun += 1 }
            if begun == 0 { break }
        }
        let left = Self.quarterMicroseconds - clock.now.microsecondsSince1970 % Self.quarterMicroseconds
        return .microseconds(min(left, Self.pauseMicroseconds))
    }

    private func begin(after season: DueSeason) async -> Bool {
        guard let reason = try? ModerationReason("The season had come to its end.") else { return false }
        // Its id is the same for every process.
        let action = ModerationAction(
            .reset(game: season.game, board: season.slug, season: season.season),
            id: UUID(name: "season|\(season.board.rawValue)"), reason: reason)
        let outcome = try? await store.admin.perform(action, by: "server", now: clock.now)
        guard case .done = outcome else { return false }
        logger.info(
            "a season has begun",
            metadata: ["game": "\(season.game)", "board": "\(season.slug)", "season": "\(season.season + 1)"])
        return true
    }
}

/// Closes the books of each day when it is over. Every process looks, and one at a time closes.
struct BookKeeping {
    /// Clocks may differ by as much without a line in the log.
    private static let differenceMicrosecondsMax: UInt64 = 60_000_000

    let store: Store
    let clock: ServerClock
    let logger: Logger

    func close() async {
        guard let now = try? await agreedTime(), let days = try? await store.closeBooks(now: now), days > 0 else {
            return
        }
        logger.info("days of the books are closed", metadata: ["days": "\(days)"])
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
struct Housekeeping {
    static let batchPause = Duration.milliseconds(100)
    private static let passPause = Duration.seconds(86_400)
    private static let failurePause = Duration.seconds(600)

    let sweeper: Sweeper
    let clock: ServerClock
    let logger: Logger

    /// - Returns: How long to wait before the next pass. If the pass failed, the store has logged why.
    func pass() async -> Duration {
        guard let swept = try? await sweeper.pass(now: clock.now) else { return Self.failurePause }
        for (what, rows) in swept { logger.info("swept", metadata: ["what": "\(what.rawValue)", "rows": "\(rows)"]) }
        return Self.passPause
    }
}
