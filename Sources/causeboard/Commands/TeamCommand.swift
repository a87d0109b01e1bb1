import ArgumentParser
import Domain
import Storage

struct TeamCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "team", abstract: "Teams of players.", subcommands: [List.self, Rename.self, Hide.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the teams of a game by id.")
        @OptionGroup var database: DatabaseOptions
        @Option(help: "The slug of the game.") var game: Slug
        @Option(help: "Teams, 1 to 1000.") var limit: Int32 = 100
        @Option(help: "Begin after the team with this id, the last one of a list that went on.") var after: Int64?

        func run() async throws {
            guard (1...1_000).contains(limit) else { throw CommandError("--limit is 1 to 1000.") }
            let teams = try await Database.withStore(database) { [game, limit, after] store in
                guard try await store.admin.findGame(game) != nil else {
                    throw CommandError("There is no game \(game).")
                }
                return try await store.admin.teams(
                    of: game, after: after.map { Team.ID(rawValue: $0) }, limitRows: limit)
            }
            var table = TextTable(
                ["id", "external", "name", "asked name", "members", "made", "closed", "hidden"], alignedRight: [0, 4])
            for team in teams {
                table.add([
                    "\(team.id.rawValue)", team.external ?? "", team.name, team.askedName ?? "", "\(team.membersCount)",
                    team.madeAt.rfc3339(.seconds), team.closedAt?.rfc3339(.seconds) ?? "", team.isHidden ? "yes" : "no",
                ])
            }
            try Output.line(teams.isEmpty ? "No teams." : table.text)
        }
    }

    struct Rename: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give a team another name, as `act rename --team` does.")
        @Argument(help: "The team's id.") var team: Int64
        @Argument(help: "The new name.") var name: String
        @OptionGroup var action: ActOptions

        func run() async throws {
            let name: PlayerName
            do { name = try PlayerName(self.name, field: "name") } catch { throw CommandError(error.asOption) }
            try await action.perform(.renameTeam(Team.ID(rawValue: team), name))
        }
    }

    struct Hide: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take a team out of rankings and pages, as `act hide --team` does.")
        @Argument(help: "The team's id.") var team: Int64
        @OptionGroup var action: ActOptions

        func run() async throws { try await action.perform(.hideTeam(Team.ID(rawValue: team))) }
    }
}
