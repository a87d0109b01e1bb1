import ArgumentParser
import Domain
import FoundationEssentials
import Storage

struct BoardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "board", abstract: "Boards that rank a game's players.",
        subcommands: [Add.self, List.self, Set.self, Reset.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: """
                Add a score board to a game. Unless told otherwise: best, highest, ±9007199254740991, or from 0 on \
                where lowest is best, UTC, first; it earns points, or none where lowest or the latest counts.
                """)
        @OptionGroup var database: DatabaseOptions
        @Option(help: "The game's slug.") var game: Slug
        @Argument(help: "Its name in paths: \(Slug.rule).") var slug: Slug
        @OptionGroup var shape: NewSettings<BoardSettings>

        func run() async throws {
            let settings: BoardChange
            do throws(FieldError) { settings = try shape.change().completed(for: slug) } catch {
                throw CommandError(error.asOption)
            }
            let outcome = try await Database.withStore(database) { [game, slug] store in
                try await store.admin.addBoard(slug, in: game, settings, now: .now)
            }
            try outcome.check("board \(slug)")
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Change a score board of a game.")
        @OptionGroup var database: DatabaseOptions
        @Option(help: "The game's slug.") var game: Slug
        @Argument(help: "The board's slug.") var slug: Slug
        @OptionGroup var shape: ChangedSettings<BoardSettings>

        func run() async throws {
            let change = try shape.change()
            let outcome = try await Database.withStore(database) { [game, slug] store in
                try await store.admin.setBoard(slug, in: game, change, now: .now)
            }
            try outcome.check("board \(slug)")
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List boards, those of donations too.")
        @OptionGroup var database: DatabaseOptions
        @Option(help: "Only this game's.") var game: Slug?

        func run() async throws {
            var table = TextTable([
                "kind", "game", "board", "season", "name", "policy", "order", "points", "zone", "ties", "earns",
                "trust", "holds", "display", "details", "opens", "closes",
            ])
            let boards = try await Database.withStore(database) { [game] store in try await store.admin.boards(of: game)
            }
            if boards.isEmpty, let game { throw CommandError("There is no game \(game), or it has no boards.") }
            for board in boards {
                table.add([
                    board.kind.rawValue, board.game ?? "", board.slug, "\(board.season)", board.name.description,
                    board.policy.rawValue, board.lowestFirst ? "lowest" : "highest",
                    "\(board.pointsMin)...\(board.pointsMax)", board.zone, board.ties.rawValue, Self.earning(board),
                    board.trust.rawValue, Self.holds(board), Self.display(board), board.details.rawValue,
                    board.opensAt?.rfc3339(.seconds) ?? "", board.closesAt?.rfc3339(.seconds) ?? "",
                ])
            }
            try Output.line(table.text)
        }

        private static func display(_ board: BoardListing) -> String {
            board.display.rawValue + (board.unit.map { ", \($0)" } ?? "")
        }

        private static func holds(_ board: BoardListing) -> String {
            let texts = [
                board.holdAbove.map { "above \($0)" }, board.holdRate.map { "\($0) posts/min" },
                board.holdPace.map { "\($0) points/min" }, board.judgeMinutes.map { "judge \($0) min" },
                board.settleMinutes.map { "settle \($0) min" },
            ]
            return texts.compactMap(\.self).joined(separator: ", ")
        }

        private static func earning(_ board: BoardListing) -> String {
            var text = board.earning.description
            if let most = board.earnMax { text += ", \(most) a post" }
            if let most = board.earnDay { text += ", \(most) a day" }
            return text
        }
    }

    struct Reset: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: """
                End a board's season and begin the next, with the same settings and nobody on it. \
                Old seasons stay readable.
                """)
        @OptionGroup var database: DatabaseOptions
        @Option(help: "The game's slug.") var game: Slug
        @Argument(help: "The board's slug.") var slug: Slug
        @Option(help: "Why it begins, \(Limits.reasonCharactersMax) characters at most; for the log.") var reason:
            String?

        func run() async throws {
            let reason = if let reason { try ModerationReason(reason) } else { ModerationReason.nextSeason }
            let action = ModerationAction(.reset(game: game, board: slug), id: UUID(), reason: reason)
            let (outcome, board) = try await Database.withStore(database, session: SessionPresets.ledger) {
                [game, slug] store in
                let outcome = try await store.admin.perform(action, by: "cli", now: .now)
                return (outcome, try await store.admin.findBoardListing(slug, in: game))
            }
            _ = try outcome.checked()
            try Output.line("Season \(board?.season ?? 1) of board \(slug) has begun.")
        }
    }
}
