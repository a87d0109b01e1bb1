import ArgumentParser
import Configuration

/// The options of `serve` about what is deleted, or put aside, after a while.
struct HousekeepingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Erase players who have not called for so many days, 30 or more; 0, as without it, for never. \
            CAUSEBOARD_PURGE_AFTER.
            """, valueName: "days")) var purgeAfter: Int?

    @Option(
        help: ArgumentHelp(
            """
            Delete pictures that nobody has, and codes that have run out, after so many days, 1 or more; 0 for never. \
            CAUSEBOARD_SWEEP_AFTER; 30.
            """, valueName: "days")) var sweepAfter: Int?

    @Option(
        help: ArgumentHelp(
            """
            Delete the saves of players who have been inactive for so many days, 30 or more; 0 for never. \
            CAUSEBOARD_SAVES_AFTER; 400.
            """, valueName: "days")) var savesAfter: Int?

    @Option(
        help: ArgumentHelp(
            """
            Put scores and donations aside after so many days, 30 or more, where they are read as before; 0, as \
            without it, for never. CAUSEBOARD_PAST_AFTER.
            """, valueName: "days")) var pastAfter: Int?
}

/// Days after which something is deleted, or put aside; nil for never.
struct HousekeepingDays: Sendable {
    let purge: Int?
    let sweep: Int?
    let saves: Int?
    let past: Int?

    init(_ settings: Settings, _ options: HousekeepingOptions?) throws {
        func days(_ flag: Int?, _ name: ConfigKey, _ label: String, least: Int, standard: Int) throws -> Int? {
            let days = try settings.number(flag, name, named: label, in: 0...36_500, standard: standard)
            guard days == 0 || days >= least else {
                throw CommandError("\(label) is \(least) days or more, or 0 for never.")
            }
            return days == 0 ? nil : days
        }
        let (purge, sweep, past) = (options?.purgeAfter, options?.sweepAfter, options?.pastAfter)
        let savesLabel = "--saves-after (CAUSEBOARD_SAVES_AFTER)"
        let labels = (
            "--purge-after (CAUSEBOARD_PURGE_AFTER)", "--sweep-after (CAUSEBOARD_SWEEP_AFTER)",
            "--past-after (CAUSEBOARD_PAST_AFTER)"
        )
        self.purge = try days(purge, "causeboard.purge.after", labels.0, least: 30, standard: 0)
        self.sweep = try days(sweep, "causeboard.sweep.after", labels.1, least: 1, standard: 30)
        saves = try days(options?.savesAfter, "causeboard.saves.after", savesLabel, least: 30, standard: 400)
        self.past = try days(past, "causeboard.past.after", labels.2, least: 30, standard: 0)
    }
}
