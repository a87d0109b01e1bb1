import ArgumentParser
import Credentials
import Domain
import FoundationEssentials
import Storage

struct PlayerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "player", abstract: "Players: find them, and see what they do.",
        subcommands: [Find.self, Ledger.self, Friends.self, Activity.self])

    struct Find: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: """
                List players by their whole name in any case, by e-mail address, by id, or by a game's own id of them; \
                hidden ones too.
                """)
        @OptionGroup var database: DatabaseOptions
        @Option(help: "The game's slug; all games without it.") var game: Slug?
        @Option(help: "The whole name, in any case.") var name: String?
        @Option(help: "The e-mail address.") var email: String?
        @Option(help: "The player's id.") var id: Player.ID?
        @Option(help: "The game's own id of the player, as a server of the game names it.") var external: String?
        @Option(help: "Players, 1 to 1000.") var limit = 100
        @Option(help: "Begin after the player with this id, the last one of a list that went on.") var after =
            Player.ID(rawValue: 0)

        func run() async throws {
            guard (1...1_000).contains(limit) else { throw CommandError("--limit is 1 to 1000.") }
            guard [name, email, external, id.map { "\($0)" }].compactMap(\.self).count == 1 else {
                throw CommandError("Give one of --name, --email, --id and --external.")
            }
            let hashed = try await hashed()
            let players = try await Database.withStore(database) {
                [name, email, id, game, after, limit] store -> [FoundPlayer] in
                let search: PlayerSearch
                if let name {
                    search = .name(name)
                } else if let email {
                    search = .email(email)
                } else if let id {
                    search = .id(id)
                } else if let hashed {
                    guard try await store.knows(hashed.secret) != false else { throw CommandError.otherSecret }
                    var games = game.map { [$0] }
                    if games == nil { games = try await store.admin.games().compactMap { Slug($0.slug) } }
                    search = .external((games ?? []).map { hashed.secret.hash(ofExternal: hashed.label, in: $0) })
                } else {
                    return []
                }
                return try await store.admin.players(search, in: game, after: after, limitRows: limit)
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

        /// A game's own id, and the secret with which it is hashed as the database has it; nil without `--external`.
        private func hashed() async throws -> (label: DeviceLabel, secret: Secret)? {
            guard let external else { return nil }
            let label: DeviceLabel
            do { label = try DeviceLabel(external, field: "external") } catch { throw CommandError("\(error)") }
            guard let secret = try SecretSource.findSecret(try await Settings(database)) else {
                throw CommandError(
                    "--external needs the server's secret. Give it in CAUSEBOARD_SECRET or --secret-file.")
            }
            return (label, secret)
        }
    }

    struct Ledger: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List what a player posted and donated, the newest first, and what became of it.")
        @OptionGroup var database: DatabaseOptions
        @Argument(help: "The player's id.") var player: Player.ID
        @Option(help: "Rows, 1 to 1000.") var limit = 100
        @Option(help: "Begin after the row with this id, the last one of a list that went on.") var after: UUIDArgument?

        func run() async throws {
            guard (1...1_000).contains(limit) else { throw CommandError("--limit is 1 to 1000.") }
            let found = try await Database.withStore(database) { [player, limit, after] store in
                let record = try await store.admin.findPlayerRecord(player, withAnonymous: true)
                let start = try await Self.key(of: after?.uuid, player, store)
                let rows = try await store.admin.ledger(
                    of: player, before: start, limitRows: limit, withAnonymous: true)
                return (record, rows)
            }
            guard let record = found.0 else { throw CommandError("There is no such player.") }
            try Output.line(
                "\(record.name): earned \(record.sums.earned), voided \(record.sums.voided), held \(record.sums.held), "
                    + "left \(record.sums.left), given \(record.sums.donated)")
            var table = TextTable(["at", "what", "where", "points", "earned", "state", "id"], alignedRight: [3, 4])
            for row in found.1 {
                let place = row.charity ?? [row.game, row.board].compactMap(\.self).joined(separator: "/")
                table.add([
                    row.reachedAt.rfc3339(.seconds), row.kind, place, "\(row.points)", row.earned.map { "\($0)" } ?? "",
                    row.state, row.id.uuidString.lowercased(),
                ])
            }
            try Output.line(table.text)
        }

        /// Where a row stands in the list; nil for none.
        private static func key(of row: UUID?, _ player: Player.ID, _ store: Store) async throws -> HistoryKey? {
            guard let row else { return nil }
            var last: HistoryKey?
            while true {
                let rows = try await store.admin.ledger(of: player, before: last, limitRows: 1_000, withAnonymous: true)
                if let found = rows.first(where: { $0.id == row }) {
                    return HistoryKey(reachedAt: found.reachedAt, id: found.id)
                }
                guard rows.count == 1_000, let end = rows.last else {
                    throw CommandError("The player has no such row.")
                }
                last = HistoryKey(reachedAt: end.reachedAt, id: end.id)
            }
        }
    }
    struct Friends: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List a player's friends, friend requests and blocked players, each the newest first.",
            discussion: "These are personal: the player sees them, and nobody else but operators.")
        @OptionGroup var database: DatabaseOptions
        @Argument(help: "The player's id.") var player: Player.ID

        func run() async throws {
            let ties = try await Database.withStore(database) { [player] store -> [OwnTie] in
                guard let record = try await store.admin.findPlayerRecord(player, withAnonymous: true) else {
                    throw CommandError("There is no such player.")
                }
                return try await store.ties(of: record.mergedInto ?? player)
            }
            var table = TextTable(["tie", "player", "name", "since"], alignedRight: [1])
            for tie in ties {
                table.add([Self.word(tie.list), "\(tie.other.id.rawValue)", tie.other.name, tie.at.dayInUTC.isoDate])
            }
            try Output.line(ties.isEmpty ? "This player has no friends, no friend requests and no blocks." : table.text)
        }

        private static func word(_ list: OwnTie.List) -> String {
            switch list {
            case .friend: "friend"
            case .asked: "request received"
            case .asking: "request sent"
            case .blocked: "blocked"
            }
        }
    }

    struct Activity: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List a player's newest challenges, its plan and the plan's newest runs, and its newest awards.",
            discussion: "The plan and the list of challenges are personal: only the player and operators see them.")
        @OptionGroup var database: DatabaseOptions
        @Argument(help: "The player's id.") var player: Player.ID

        func run() async throws {
            let activity = try await Database.withStore(database) { [player] store -> PlayerActivity in
                guard let record = try await store.admin.findPlayerRecord(player, withAnonymous: true) else {
                    throw CommandError("There is no such player.")
                }
                return try await store.activity(of: record.mergedInto ?? player, now: .now)
            }
            var challenges = TextTable(
                ["challenge", "board", "first day", "last day", "state", "answer", "stake"], alignedRight: [6])
            for challenge in activity.challenges {
                challenges.add([
                    challenge.id.text, "\(challenge.game)/\(challenge.board)", challenge.days.lowerBound.isoDate,
                    challenge.days.upperBound.isoDate, challenge.state.rawValue, challenge.answer.rawValue,
                    "\(challenge.stake)",
                ])
            }
            try Output.line(activity.challenges.isEmpty ? "This player has no challenges." : challenges.text)
            try Output.line(activity.plan.map(Self.sentence) ?? "This player has no plan.")
            var runs = TextTable(["plan ran after", "donated", "left out"])
            for run in activity.runs { runs.add([run.day.isoDate, run.donatedText, run.skippedText]) }
            if !activity.runs.isEmpty { try Output.line(runs.text) }
            var awards = TextTable(["award", "name", "since", "season"])
            for award in activity.awards {
                awards.add([award.award.description, award.name, award.givenAt.rfc3339(.seconds), award.occasion ?? ""])
            }
            try Output.line(activity.awards.isEmpty ? "This player has no awards." : awards.text)
        }

        private static func sentence(of plan: Plan) -> String {
            let terms = plan.terms
            let shares = terms.shares.map { "\($0.charity) \($0.share)" }.joined(separator: ", ")
            return "The plan donates after each \(terms.interval.rawValue), with the shares \(shares). It keeps "
                + "\(terms.keep) points and donates \(terms.isAnonymous ? "anonymously" : "by name"). Its next donation "
                + "is after \(plan.nextOn.isoDate)."
        }
    }
}
