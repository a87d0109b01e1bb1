import ArgumentParser

struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: """
            Check settings, the way to the database, pending migrations and the parameters of every statement. \
            Changes nothing; exits 1 on any trouble.
            """)

    @OptionGroup var database: DatabaseOptions

    @Flag(help: "Only print how another tool, or a second server, connects to this database.") var printDatabaseURL =
        false

    func run() async throws {
        let settings = try await Settings(database)
        try settings.requireDatabase()
        let isSound = try await Database.withDatabase(settings) { [printDatabaseURL] database, logger in
            if printDatabaseURL {
                try Output.line(database.owner)
                return true
            }
            var table = TextTable(["check", "result"])
            var isSound = true
            func add(_ check: String, _ trouble: String?, otherwise: String = "good") {
                table.add([check, trouble ?? otherwise])
                isSound = isSound && trouble == nil
            }
            do {
                let serving = try ServeSettings(settings)
                add(
                    "settings", nil,
                    otherwise:
                        "serve listens on \(serving.host):\(serving.port), links begin with \(serving.publicURL ?? "/")"
                )
            } catch { add("settings", "\(error)") }
            switch settings.location {
            case .embedded(let directory): add("database", nil, otherwise: "embedded in \(directory)")
            case .url: add("database", nil, otherwise: "a server elsewhere")
            }
            for result in try await DatabaseChecks.results(database, settings, logger: logger) {
                add(result.name, result.isGood ? nil : result.says, otherwise: result.says)
            }
            try Output.line(table.text)
            return isSound
        }
        if !isSound { throw ExitCode(1) }
    }
}
