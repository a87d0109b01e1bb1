import ArgumentParser
import Domain
import Outgoing
import SignIn
import Storage

struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: """
            Check settings, the way to the database, pending migrations, the parameters of every statement and the \
            keys of sign-in providers. Changes nothing; exits 1 on any trouble.
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
            var outgoing = OutgoingClient()
            do {
                let serving = try ServeSettings(settings)
                outgoing = OutgoingClient(allowing: serving.clients.outgoing)
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
            // Without its tables there are no providers.
            if isSound {
                for (issuer, trouble) in try await Self.issuers(database.store(logger: logger), outgoing) {
                    add("keys of \(issuer)", trouble.map { "cannot be fetched: \($0)" })
                }
            }
            try Output.line(table.text)
            return isSound
        }
        if !isSound { throw ExitCode(1) }
    }

    /// Fetches the keys of each sign-in issuer once. Returns why that failed, or nil.
    private static func issuers(_ store: Store, _ outgoing: OutgoingClient) async throws -> [(
        name: String, trouble: String?
    )] {
        var issuers: Set<Issuer> = []
        for game in try await store.admin.games().compactMap({ Slug($0.slug) }) {
            for listing in try await store.admin.providers(of: game) {
                issuers.insert(try Issuer(of: listing.provider))
            }
        }
        var found: [(name: String, trouble: String?)] = []
        for issuer in issuers.sorted(by: { $0.name < $1.name }) {
            found.append((issuer.name, await issuer.trouble(by: outgoing.get)))
        }
        return found
    }
}
