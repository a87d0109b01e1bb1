import Domain
import Logging
import Postgres
import Storage

/// What can be said of a database from outside of a server: `causeboard check` shows all of it, and `causeboard status`
/// what is wrong.
struct DatabaseChecks {
    struct Result {
        let name: String
        /// What is good, or what is wrong.
        let says: String
        let isGood: Bool
        /// Whether `status` shows it even if it is good.
        var isNote = false
    }

    private(set) var results: [Result] = []

    /// - Throws: When the database cannot be asked.
    static func results(_ database: Database, _ settings: Settings, logger: Logger) async throws -> [Result] {
        var checks = DatabaseChecks()
        try await checks.run(database, settings, logger: logger)
        return checks.results
    }

    private mutating func add(_ name: String, _ trouble: String?, otherwise: String = "good") {
        results.append(Result(name: name, says: trouble ?? otherwise, isGood: trouble == nil))
    }

    private mutating func checkFiles(_ settings: Settings) throws {
        for file in SecretFiles.files(settings, tlsKey: try settings.value(\.tlsKey)) {
            add(file.name, file.trouble, otherwise: "good: others cannot read \(file.path)")
        }
    }

    private mutating func run(_ database: Database, _ settings: Settings, logger: Logger) async throws {
        try checkFiles(settings)
        if database.cluster == nil {
            let trouble = try await database.poolingTrouble(logger: logger)
            add("sessions", trouble)
            // No other question would get a reliable answer there.
            if trouble != nil { return }
        }
        let owner = ConnectionSettings(conninfo: database.owner, session: SessionPresets.owning, fence: database.fence)
        let pending = try await Migrator(owner, logger: logger).pending()
        add(
            "migrations",
            pending.isEmpty ? nil : "pending: \(pending.joined(separator: ", ")); run `causeboard migrate` as the owner"
        )
        guard pending.isEmpty else { return }
        let store = database.store(logger: logger)
        let version = try await store.serverVersion()
        add(
            "PostgreSQL", version.isReadOnly ? "read-only: use the primary" : nil,
            otherwise: "\(version.number / 10_000).\(version.number % 10_000)")
        let durability = try await store.durability()
        let dangers = durability.dangers
        let isAccepted = try settings.value(\.unsafeDurability)
        add(
            "durability", dangers.isEmpty || isAccepted ? nil : dangers.joined(separator: " "),
            otherwise: dangers.isEmpty ? "what is committed is on the disk" : "unsafe, as the settings accept")
        for warning in durability.warnings { add("durability", nil, otherwise: warning) }
        // The settings of an embedded database are ours. Those elsewhere are advised of, which is no trouble.
        for setting in database.cluster == nil ? try await store.databaseSettings() : [] {
            add(setting.name, nil, otherwise: "\(setting.value): \(setting.advice ?? "good")")
        }
        let role = try await store.serverRole()
        add(
            "role", role.canRewriteLedgers ? "\(role.name) may change ledger rows" : nil,
            otherwise: "\(role.name), append-only on the ledgers")
        let broken = try await StatementContract.violations(owner, logger: logger)
        add(
            "statements", broken.isEmpty ? nil : broken.joined(separator: "; "),
            otherwise: "\(StatementContract.count) as their headers say")
        for board in try await store.admin.boards(of: nil) where ZoneName(board.zone) == nil {
            let says = """
                \(board.game.map { "\($0)/" } ?? "")\(board.slug) counts its days in \(board.zone), which is no \
                place's zone: they may begin an hour early or late. Only a new board can have another one
                """
            results.append(Result(name: "time zone", says: says, isGood: true, isNote: true))
        }
        try await checkSecret(database, store, settings)
        for game in try await store.openGames() {
            results.append(
                Result(name: "classic protocol", says: ClassicNotice.text(of: game), isGood: true, isNote: true))
        }
    }

    private mutating func checkSecret(_ database: Database, _ store: Store, _ settings: Settings) async throws {
        guard let secret = try SecretSource.findSecret(settings) else {
            return add(
                "secret", database.cluster == nil ? "none is given: --secret-file or CAUSEBOARD_SECRET" : nil,
                otherwise: "made at the first start")
        }
        switch try await store.knows(secret) {
        case true?: add("secret", nil)
        case false?: add("secret", "not the one under which this database was set up")
        case nil: add("secret", nil, otherwise: "not tied to the database yet: the first server to start does that")
        }
    }
}
