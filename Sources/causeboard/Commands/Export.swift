import ArgumentParser
import Domain
import Feeds
import Storage

struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write data for other tools to standard output.",
        subcommands: [Subscribers.self]
    )

    struct Subscribers: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: """
                CSV of those who asked for updates: game, player, name, e-mail, since when, \
                and the route that carried the wish.
                """
        )
        @OptionGroup var database: DatabaseOptions

        func run() async throws {
            try await Database.withStore(database, session: SessionPresets.auditing) { store in
                var feed = Feed(
                    title: "Subscribers",
                    path: "",
                    names: ElementNames("subscribers", "subscriber"),
                    columns: [
                        Column("game", .text), Column("player", .integer), Column("name", .text),
                        Column("email", .text),
                        Column("since", .instant),
                        Column("source", .text),
                    ],
                    rows: []
                )
                let links = FeedLinks()
                try Output.write(feed.bytes(.csv, links: links))
                try await store.forEachSubscriber { subscriber in
                    feed.rows = [
                        [
                            .text(subscriber.game), .integer(Int128(subscriber.player.rawValue)),
                            .text(subscriber.name),
                            .text(subscriber.email),
                            .instant(subscriber.since), .text(subscriber.source),
                        ]
                    ]
                    try Output.write(feed.csvRows(links: links))
                }
            }
        }
    }
}
