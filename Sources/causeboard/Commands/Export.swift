import ArgumentParser
import Credentials
import Domain
import Feeds
import Pages
import Storage

struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write data for other tools to standard output.", subcommands: [Subscribers.self])

    struct Subscribers: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: """
                CSV of those who asked for updates: game, player, name, e-mail, since when, \
                the route that carried the wish, and the link that ends it.
                """,
            discussion: """
                Put the link into every message, and into its header List-Unsubscribe, together with \
                List-Unsubscribe-Post: List-Unsubscribe=One-Click (RFC 8058).
                """)
        @OptionGroup var database: DatabaseOptions

        @Option(\.publicURL) var publicURL: String?

        func run() async throws {
            let settings = try await Settings(database)
            let links = FeedLinks(publicURL: try PublicURL.checked(settings.value(\.publicURL, publicURL)))
            try await Database.withStore(database, session: SessionPresets.auditing) { store in
                // A link that another secret made would not open.
                let secret = try SecretSource.secret(settings)
                guard try await store.knows(secret) != false else { throw CommandError.otherSecret }
                var feed = Feed(
                    title: "Subscribers", path: "", names: ElementNames("subscribers", "subscriber"),
                    columns: [
                        Column("game", .text), Column("player", .integer), Column("name", .text),
                        Column("email", .text), Column("since", .instant), Column("source", .text),
                        Column("unsubscribe", .link),
                    ], rows: [])
                try Output.write(feed.bytes(.csv, links: links))
                try await store.admin.forEachSubscriber { subscriber in
                    feed.rows = [
                        [
                            .text(subscriber.game), .integer(Int128(subscriber.player.rawValue)),
                            .text(subscriber.name), .text(subscriber.email), .instant(subscriber.since),
                            .text(subscriber.source),
                            secret.unsubscribing(subscriber.player).map { .link(PagePath.unsubscribe($0)) } ?? .none,
                        ]
                    ]
                    try Output.write(feed.csvRows(links: links))
                }
            }
        }
    }
}
