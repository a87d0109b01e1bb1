import Leaderboard
import Logging
import ServiceLifecycle
import Storage

extension Serve {
    /// What the server does now and then, without being asked.
    static func chores(
        _ serving: ServeSettings,
        store: Store,
        clock: ServerClock,
        counting swept: SweepCounts,
        logger: Logger
    ) -> [any Service] {
        var services: [any Service] = [
            BanWatch(store: store, clock: clock, logger: logger), HoldWatch(store: store, clock: clock, logger: logger),
            BookKeeping(store: store, clock: clock, logger: logger),
        ]
        let sweeper = Sweeper(
            store: store,
            sweepDays: serving.housekeeping.sweep,
            savesDays: serving.housekeeping.saves,
            pastDays: serving.housekeeping.past,
            pause: Housekeeping.batchPause,
            counts: swept
        )
        services.append(Housekeeping(sweeper: sweeper, clock: clock, logger: logger))
        if let days = serving.housekeeping.purge {
            services.append(Purge(days: days, store: store, clock: clock, logger: logger))
        }
        return services
    }
}
