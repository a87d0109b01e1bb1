import ArgumentParser
import Domain
import Postgres
import Storage

struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: """
            Check settings, the way to the database, pending migrations and the parameters of every statement. \
            Changes nothing; exits 1 on any trouble.
            """
    )

    @OptionGroup var database: DatabaseOptions

    @Flag(help: "Only print how another tool, or a second server, connects to this database.")
    var printDatabaseURL = false

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
                    "settings",
                    nil,
                    otherwise:
                        "serve listens on \(serving.host):\(serving.port), links begin with \(serving.publicURL ?? "/")"
                )
            } catch {
                add("settings", "\(error)")
            }
            switch settings.location {
            case .embedded(let directory): add("database", nil, otherwise: "embedded in \(directory)")
            case .url: add("database", nil, otherwise: "a server elsewhere")
            }
            let owner = ConnectionSettings(conninfo: database.owner, session: SessionPresets.owning)
            let pending = try await Migrator(owner, logger: logger).pending()
            add(
                "migrations",
                pending.isEmpty
                    ? nil : "pending: \(pending.joined(separator: ", ")); run `causeboard migrate` as the owner"
            )
            if pending.isEmpty {
                let store = database.store(logger: logger)
                let version = try await store.serverVersion()
                add(
                    "PostgreSQL",
                    version.isReadOnly ? "read-only: use the primary" : nil,
                    otherwise: "\(version.number / 10_000).\(version.number % 10_000)"
                )
                let durability = try await store.durability()
                let dangers = durability.dangers
                let isAccepted = try settings.acceptsUnsafeDurability
                add(
                    "durability",
                    dangers.isEmpty || isAccepted ? nil : dangers.joined(separator: " "),
                    otherwise: dangers.isEmpty ? "what is committed is on the disk" : "unsafe, as the settings accept"
                )
                for warning in durability.warnings { add("durability", nil, otherwise: warning) }
                // The settings of an embedded database are ours. Those elsewhere are advised of, which is no trouble.
                for setting in database.cluster == nil ? try await store.databaseSettings() : [] {
                    add(setting.name, nil, otherwise: "\(setting.value): \(setting.advice ?? "good")")
                }
                let role = try await store.serverRole()
                add(
                    "role",
                    role.canRewriteLedgers ? "\(role.name) may change ledger rows" : nil,
                    otherwise: "\(role.name), append-only on the ledgers"
                )
                let broken = try await StatementContract.violations(owner, logger: logger)
                add(
                    "statements",
                    broken.isEmpty ? nil : broken.joined(separator: "; "),
                    otherwise: "\(StatementContract.count) as their headers say"
                )
                if let secret = try SecretSource.findSecret(settings) {
                    switch try await store.knows(secret) {
                    case true?: add("secret", nil)
                    case false?: add("secret", "not the one under which this database was set up")
                    case nil:
                        add(
                            "secret",
                            nil,
                            otherwise: "not tied to the database yet: the first server to start does that"
                        )
                    }
                } else {
                    add(
                        "secret",
                        database.cluster == nil ? "none is given: --secret-file or CAUSEBOARD_SECRET" : nil,
                        otherwise: "made at the first start"
                    )
                }
            }
            try Output.line(table.text)
            return isSound
        }
        if !isSound { throw ExitCode(1) }
    }
}
