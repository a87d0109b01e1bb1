import ArgumentParser
import Domain
import FoundationEssentials
import Storage

struct PlayerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "player",
        abstract: "Players: find them, and see what they posted and gave.",
        subcommands: [Find.self, Ledger.self]
    )

    struct Find: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List players by their whole name in any case, by e-mail address, or by id; hidden ones too."
        )
        @OptionGroup var database: DatabaseOptions
        @Option(help: "The game's slug; all games without it.") var game: Slug?
        @Option(help: "The whole name, in any case.") var name: String?
        @Option(help: "The e-mail address.") var email: String?
        @Option(help: "The player's id.") var id: Player.ID?
        @Option(help: "Players, 1 to 1000.") var limit = 100

        func run() async throws {
            guard (1...1_000).contains(limit) else { throw CommandError("--limit is 1 to 1000.") }
            let search: PlayerSearch
            switch (name, email, id) {
            case (let name?, nil, nil): search = .name(name.nfc)
            case (nil, let email?, nil): search = .email(email)
            case (nil, nil, let id?): search = .id(id)
            default: throw CommandError("Give one of --name, --email and --id.")
            }
            let players = try await Database.withStore(database) { [game, limit] store in
                try await store.players(search, in: game, after: Player.ID(rawValue: 0), limitRows: limit)
            }
            var table = TextTable(["player", "game", "name", "since", "hidden"], alignedRight: [0])
            for player in players {
                table.add([
                    "\(player.id.rawValue)", player.game, player.name, player.registeredAt.rfc3339(.seconds),
                    player.isHidden ? "yes" : "no",
                ])
            }
            try Output.line(players.isEmpty ? "There is no such player." : table.text)
        }
    }

    struct Ledger: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List what a player posted and gave, the newest first, and what became of it."
        )
        @OptionGroup var database: DatabaseOptions
        @Argument(help: "The player's id.") var player: Player.ID
        @Option(help: "Rows, 1 to 1000.") var limit = 100

        func run() async throws {
            guard (1...1_000).contains(limit) else { throw CommandError("--limit is 1 to 1000.") }
            let found = try await Database.withStore(database) { [player, limit] store in
                let record = try await store.findPlayerRecord(player, withAnonymous: true)
                let rows = try await store.ledger(of: player, before: nil, limitRows: limit, withAnonymous: true)
                return (record, rows)
            }
            guard let record = found.0 else { throw CommandError("There is no such player.") }
            try Output.line(
                "\(record.name): earned \(record.sums.earned), voided \(record.sums.voided), held \(record.sums.held), "
                    + "left \(record.sums.left), given \(record.sums.given)"
            )
            var table = TextTable(["at", "what", "where", "points", "earned", "state", "id"], alignedRight: [3, 4])
            for row in found.1 {
                let place = row.charity ?? [row.game, row.board].compactMap(\.self).joined(separator: "/")
                table.add([
                    row.reachedAt.rfc3339(.seconds), row.kind, place, "\(row.points)",
                    row.earned.map { "\($0)" } ?? "", row.state, row.id.uuidString.lowercased(),
                ])
            }
            try Output.line(table.text)
        }
    }
}
