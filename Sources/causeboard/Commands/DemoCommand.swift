import ArgumentParser
import Demo
import Domain
import Postgres
import Storage

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: """
            Fill an empty database with sample data: games, boards, charities, players, \
            what they played and donated, friends, teams, challenges, plans, awards and campaigns.
            """,
        discussion: """
            The same seed, number of players and end make the same rankings. \
            A database that has players is refused and stays as it is. \
            If this is broken off, a part of the data is left behind: throw the data directory away and begin again.
            """)

    @OptionGroup var database: DatabaseOptions

    @Option(
        help: "How many players the game `default` gets; three other games get a few percent of that. 1 to 10000000.")
    var players = 10_000

    @Option(help: "Which data: any number from 0.") var seed: UInt64 = 1

    @Option(
        help: ArgumentHelp(
            "Its last moment, such as 2026-11-21T10:00:00Z; it has 60 days. Now, if nothing is said.",
            valueName: "instant")) var until: InstantArgument?

    func validate() throws {
        guard DemoData.playersRange.contains(players) else {
            throw ValidationError(
                "--players is \(DemoData.playersRange.lowerBound) to \(DemoData.playersRange.upperBound).")
        }
    }

    func run() async throws {
        let data = DemoData(players: players, seed: seed, until: until?.instant ?? .now)
        let settings = try await Settings(database)
        let serving = try ServeSettings(settings)
        let scheme = try settings.value(\.tlsCertificate) == nil ? "http" : "https"
        let homePage = serving.homePage(scheme: scheme, port: serving.port)
        let began = ContinuousClock.now
        let counts = try await Database.withDatabase(settings) { database, logger in
            try await database.prepare(mayMigrate: false, now: .now, logger: logger)
            let lanes = 2
            let loader = DemoLoader(
                database.store(session: SessionPresets.loading, connectionsMax: lanes + 1, logger: logger))
            let progress = ProgressLine("players", of: data.playersCount)
            do {
                let counts = try await DemoLoad(data, into: loader).run(lanes: lanes) { progress.show($0) }
                progress.end()
                try await loader.refreshStatistics(database.owning, logger: logger)
                return counts
            } catch {
                progress.end()
                throw error
            }
        }
        let seconds = (ContinuousClock.now - began).components.seconds
        try Output.line(
            """
            Made \(counts.players) players, \(counts.friendships) friendships, \(counts.teams) teams, \
            \(counts.challenges) challenges, \(counts.plans) plans, \(counts.scores) scores and \
            \(counts.donations) donations in \(seconds) s.
            While `causeboard serve` runs on it, open \(homePage)
            """)
    }
}
