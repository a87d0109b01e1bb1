import ArgumentParser
import Domain
import Storage

struct BoardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "board", abstract: "Boards that rank a game's players.",
        subcommands: [Add.self, List.self, Set.self, Reset.self])

    /// The options of both a new board and an existing one.
    struct Shape: ParsableArguments {
        @Option(help: "Its name for people: \(DisplayName.rule).") var name: DisplayName?
        @Option(help: "Which of a player's posts counts: best, latest or sum. Fixed after the first post.") var policy:
            Board.Policy?
        @Option(help: "Which points are better: highest or lowest. Fixed after the first post.") var order: Order?
        @Option(parsing: .unconditional, help: "Least points of a post; 0 where lowest is best, unless said.")
        var pointsMin: Int64?
        @Option(parsing: .unconditional, help: "Most points of a post.") var pointsMax: Int64?
        @Option(
            help: "Time zone of its days, such as Europe/Berlin. Fixed after the first post.",
            transform: ZoneName.argument) var zone: ZoneName?
        @Option(help: "Equal points: first (positions 1, 2, 3) or shared (1, 2, 2, 4).") var ties: Board.Ties?
        @Option(help: "What a post earns: points, improvement, fixed:N or none.") var earns: Earning?
        @Option(parsing: .unconditional, help: "Most that one post earns, or none.") var earnMax: Optionally<Int64>?
        @Option(parsing: .unconditional, help: "Most that a player earns in a day, or none.") var earnDay:
            Optionally<Int64>?
        @Option(help: "How pages show points: number, seconds (1:23) or milliseconds (0:53.157).") var display:
            PointsDisplay.Form?
        @Option(help: "The word behind points on pages, or none: \(PointsUnit.rule).") var unit: Optionally<PointsUnit>?
        @Option(
            help: "What a player's post needs: open (a token), signed (a signature too) or server (the game's key).")
        var trust: Board.Trust?
        @Option(
            help: "Who sees the detail of a score: private (its player) or public (rankings show it). Not with sum.")
        var details: Board.Details?
        @Option(
            parsing: .unconditional,
            help: "Holds a post above so many times the 99th percentile, such as 10, or none. Lowest first: a fraction."
        ) var holdAbove: Optionally<HoldFactor>?
        @Option(parsing: .unconditional, help: "Holds a player's post beyond so many a minute, or none.") var holdRate:
            Optionally<Int32>?
        @Option(parsing: .unconditional, help: "Holds a post of more points a minute since the last one, or none.")
        var holdPace: Optionally<Int64>?
        @Option(parsing: .unconditional, help: "Minutes in which the game judges each post, or none.") var judge:
            Optionally<Int32>?
        @Option(parsing: .unconditional, help: "Minutes before points may be donated, or none for the standard.")
        var settle: Optionally<Int32>?
        @Option(help: "Takes posts from this instant on, such as 2026-12-01T00:00:00+01:00, or none.") var opens:
            Optionally<InstantArgument>?
        @Option(help: "Takes posts before this instant, such as 2026-12-24T00:00:00+01:00, or none.") var closes:
            Optionally<InstantArgument>?

        func validate() throws { do { _ = try change.checked() } catch { throw ValidationError(error.asOption) } }

        var change: BoardChange {
            var change = BoardChange()
            change.name = name
            change.policy = policy
            change.lowestFirst = order.map { $0 == .lowest }
            change.pointsMin = pointsMin
            change.pointsMax = pointsMax
            change.zone = zone?.text
            change.ties = ties
            change.earning = earns
            change.earnMax = earnMax.change()
            change.earnDay = earnDay.change()
            change.opensAt = opens.instantChange()
            change.closesAt = closes.instantChange()
            change.display = display
            change.unit = unit.change()
            change.trust = trust
            change.details = details
            change.holds.above = holdAbove.change()
            change.holds.rate = holdRate.change()
            change.holds.pace = holdPace.change()
            change.holds.judgeMinutes = judge.change()
            change.holds.settleMinutes = settle.change()
            return change
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: """
                Add a score board to a game. Unless told otherwise: best, highest, ±9007199254740991, or from 0 on \
                where lowest is best, UTC, first; it earns points, or none where lowest or the latest counts.
                """)
        @OptionGroup var database: DatabaseOptions
        @Option(help: "The game's slug.") var game: Slug
        @Argument(help: "Its name in paths: \(Slug.rule).") var slug: Slug
        @OptionGroup var shape: Shape

        func run() async throws {
            let board: NewBoard
            do { board = try NewBoard(game: game, slug: slug, shape.change) } catch {
                throw CommandError(error.asOption)
            }
            let outcome = try await Database.withStore(database) { [board] store in
                try await store.addBoard(board, now: .now)
            }
            try outcome.check("board \(slug)")
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Change a score board of a game.")
        @OptionGroup var database: DatabaseOptions
        @Option(help: "The game's slug.") var game: Slug
        @Argument(help: "The board's slug.") var slug: Slug
        @OptionGroup var shape: Shape

        func run() async throws {
            let outcome = try await Database.withStore(database) { [change = shape.change, game, slug] store in
                try await store.setBoard(slug, in: game, change, now: .now)
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
            let boards = try await Database.withStore(database) { [game] store in try await store.boards(of: game) }
            if boards.isEmpty, let game { throw CommandError("There is no game \(game), or it has no boards.") }
            for board in boards {
                table.add([
                    board.kind.rawValue, board.game ?? "", board.slug, "\(board.season)", board.name,
                    board.policy.rawValue, board.lowestFirst ? "lowest" : "highest",
                    "\(board.pointsMin)...\(board.pointsMax)", board.zone, board.ties.rawValue, Self.earning(board),
                    board.trust.rawValue, Self.holds(board.holds), Self.display(board.display), board.details.rawValue,
                    board.opensAt?.rfc3339(.seconds) ?? "", board.closesAt?.rfc3339(.seconds) ?? "",
                ])
            }
            try Output.line(table.text)
        }

        private static func display(_ display: PointsDisplay) -> String {
            display.form.rawValue + (display.unit.map { ", \($0)" } ?? "")
        }

        private static func holds(_ holds: HoldSettings) -> String {
            let texts = [
                holds.above.map { "above \($0)" }, holds.rate.map { "\($0) posts/min" },
                holds.pace.map { "\($0) points/min" }, holds.judgeMinutes.map { "judge \($0) min" },
                holds.settleMinutes.map { "settle \($0) min" },
            ]
            return texts.compactMap(\.self).joined(separator: ", ")
        }

        private static func earning(_ board: BoardListing) -> String {
            var text = board.earnsFixed.map { "fixed:\($0)" } ?? board.earns
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

        func run() async throws {
            let (outcome, season) = try await Database.withStore(database) { [game, slug] store in
                try await store.resetBoard(slug, in: game, now: .now)
            }
            guard outcome == .set, let season else { return try outcome.check("board \(slug)") }
            try Output.line("Season \(season) of board \(slug) has begun.")
        }
    }
}
