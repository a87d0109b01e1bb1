import ArgumentParser

/// The only `main`: it reads the command line and the environment, and puts the modules together.
@main
struct Causeboard: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "causeboard",
        abstract: "A leaderboard and charity-ranking server: games post scores, players give the points to charities.",
        subcommands: [
            Serve.self, Migrate.self, Audit.self, Check.self, GameCommand.self, BoardCommand.self, KeyCommand.self,
            CharityCommand.self,
            DemoCommand.self,
            Export.self,
        ]
    )
}
