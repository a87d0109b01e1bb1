import ArgumentParser
import HTTP

/// The entry point. It parses the command line and runs the subcommand, which puts the modules together.
@main struct Causeboard: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "causeboard",
        abstract: "A leaderboard and charity-ranking server: games post scores, players donate points to charities.",
        version: CommandLine.arguments.contains("--packages") ? Version.withPackages : Version.text,
        subcommands: [
            Serve.self, Migrate.self, Audit.self, Check.self, StatusCommand.self, Healthy.self, GameCommand.self,
            BoardCommand.self, KeyCommand.self, ProviderCommand.self, CharityCommand.self, CampaignCommand.self,
            TeamCommand.self, AwardCommand.self, PlayerCommand.self, ActCommand.self, LogCommand.self,
            QueueCommand.self, ErasuresCommand.self, DemoCommand.self, Export.self, BackupCommand.self,
            RestoreCommand.self, UpgradeCommand.self, MoveCommand.self, ArchiveFile.self, ArchiveFetch.self,
        ])

    @Flag(help: "With --version: list the packages of the build and their versions too.") var packages = false

    func run() throws {
        guard packages else { throw CleanExit.helpRequest(self) }
        throw ValidationError("--packages needs --version: `causeboard --version --packages`.")
    }
}

/// What `causeboard --version` prints. The version has its one place in `info.version` of `openapi.yaml`. `/readyz` of
/// the admin listener shows it, and `deploy/package` reads it. Raise it with each release, in the commit that gives the
/// change log its new heading.
enum Version {
    static let text = OpenAPI.version
    /// The version, then a line for each package of the build: its name and version.
    static var withPackages: String {
        ([text] + Packages.all.map { "\($0.name) \($0.version)" }).joined(separator: "\n")
    }
}
