/// The entries of the console's navigation.
package enum ConsoleEntry: String, Sendable, CaseIterable {
    case overview = "Overview"
    case queue = "Queue"
    case players = "Players"
    case games = "Games and boards"
    case charities = "Charities"
    case campaigns = "Campaigns"
    case keys = "Keys"
    case log = "Log"
    case audit = "Audit"
    case subscribers = "Subscribers"
    /// No entry of the navigation.
    case none = ""

    fileprivate var address: String {
        switch self {
        case .overview, .none: ConsolePath.overview
        case .queue: ConsolePath.queue
        case .players: ConsolePath.players
        case .games: ConsolePath.games
        case .charities: ConsolePath.charities
        case .campaigns: ConsolePath.campaigns
        case .keys: ConsolePath.keys
        case .log: ConsolePath.log
        case .audit: ConsolePath.audit
        case .subscribers: ConsolePath.subscribers
        }
    }
}

/// Whoever is signed in, as pages say it.
package struct ConsoleViewer: Sendable {
    private let name: String
    private let scopes: [String]
    private let entries: [ConsoleEntry]
    private let signOut: [ConsoleForm.Hidden]

    /// - Parameters:
    ///   - name: The key's.
    ///   - entries: The pages that the key may open.
    ///   - signOut: The hidden fields of the form that ends the session.
    package init(name: String, scopes: [String], entries: [ConsoleEntry], signOut: [ConsoleForm.Hidden]) {
        (self.name, self.scopes, self.entries, self.signOut) = (name, scopes, entries, signOut)
    }

    func scope(at current: ConsoleEntry) -> Scope {
        [
            "name": .text(name), "scopes": .text(scopes.joined(separator: ", ")),
            "sign-out": .text(ConsolePath.signOut), "hidden": .list(signOut.map(\.scope)),
            "entries": .list(
                entries.map { entry in
                    [
                        "href": .text(entry.address), "label": .text(entry.rawValue),
                        "is-current": .flag(entry == current),
                    ]
                }),
        ]
    }
}

/// The addresses of the console. A test holds them to the routes that serve them.
package enum ConsolePath {
    package static let overview = "/admin"
    package static let signIn = "/admin/sign-in"
    package static let signOut = "/admin/sign-out"
    package static let queue = "/admin/queue"
    package static let players = "/admin/players"
    package static let games = "/admin/games"
    package static let charities = "/admin/charities"
    package static let campaigns = "/admin/campaigns"
    package static let keys = "/admin/keys"
    package static let log = "/admin/log"
    package static let audit = "/admin/audits"
    package static let subscribers = "/admin/subscribers"
    package static let actions = "/admin/acts"

    /// The console has assets of its own addresses, as the admin listener serves no others.
    static func asset(_ name: String) -> String { "/admin\(PageAsset.named(name).path)" }
}
