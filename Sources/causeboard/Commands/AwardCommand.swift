import ArgumentParser
import Domain
import Storage

struct AwardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "award", abstract: "Awards of a game.", subcommands: [Add.self, List.self, Set.self])

    /// What an award is for.
    struct Condition: ParsableArguments {
        @Option(help: "points, days, streak, given, charities, rank or granted.") var rule: AwardRule.Kind?
        @Option(help: "Points, days, charities, or a rank. On a board where low is good, points are at most that.")
        var atLeast: Int64?
        @Option(help: "The slug of a board, for points and rank; days and streak count all boards without it.")
        var board: Optionally<Slug>?
        @Option(help: "For points and rank: the number of a season. By default, all count.") var season:
            Optionally<Int32>?
        @Option(help: "For rank, in place of a board: the slug of a campaign.") var contest: Optionally<Slug>?
        @Option(help: "For points: season or day. By default, the points of the season count.") var window: AwardWindow?

        /// The condition that these options change another one to.
        /// - Parameter before: Nil for a new award.
        /// - Returns: Nil if no option is given.
        func rule(after before: AwardRule?) throws -> AwardRule? {
            guard rule != nil || atLeast != nil || board != nil || season != nil || contest != nil || window != nil
            else { return nil }
            do {
                var fields = try AwardRule.Fields(changing: before, to: rule)
                if let atLeast { fields.atLeast = atLeast }
                if let board { fields.board = board.change.value }
                if let season { fields.season = season.change.value }
                if let contest { fields.contest = contest.change.value }
                if let window { fields.window = window }
                return try AwardRule(fields)
            } catch { throw CommandError(error.asOption) }
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Add an award.")
        @OptionGroup var database: DatabaseOptions
        @Option(help: "The slug of the game.") var game: Slug
        @Argument(help: "Its name in paths: \(Slug.rule).") var slug: Slug
        @Option(help: "What players see, \(DisplayName.rule); the slug if nothing is said.") var name: DisplayName?
        @Option(help: "What a player has to do, in words.") var text: String?
        @OptionGroup var condition: Condition
        @Flag(help: "Show its text only to players who have it.") var secret = false

        func run() async throws {
            guard let rule = try condition.rule(after: nil) else { throw CommandError("Give the award a --rule.") }
            let award = try CommandError.checked {
                Award(
                    name: try name ?? DisplayName.standard(for: slug), text: try text.map { try AwardText($0) },
                    rule: rule, isSecret: secret)
            }
            let outcome = try await Database.withStore(database) { [game, slug] store in
                try await store.admin.addAward(slug, award, in: game, now: .now)
            }
            try outcome.check("award \(slug)")
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change an award. What it is for is fixed once somebody has it.")
        @OptionGroup var database: DatabaseOptions
        @Option(help: "The slug of the game.") var game: Slug
        @Argument(help: "The award's slug.") var slug: Slug
        @Option(help: "What players see, \(DisplayName.rule).") var name: DisplayName?
        @Option(help: "What a player has to do, in words, or none.") var text: Optionally<String>?
        @OptionGroup var condition: Condition
        @Option(help: "Whether its text is shown only to players who have it: true or false.") var secret: Bool?

        func run() async throws {
            let text: Patch<AwardText> = try CommandError.checked {
                switch self.text.change() {
                case .keep: .keep
                case .clear: .clear
                case .set(let text): .set(try AwardText(text))
                }
            }
            let outcome = try await Database.withStore(database) { [game, slug, name, condition, secret] store in
                guard let before = try await store.findAward(slug, in: game) else { return AdminOutcome.noAward }
                var change = AwardChange()
                (change.name, change.text, change.isSecret) = (name, text, secret)
                change.rule = try condition.rule(after: before.award.rule)
                return try await store.admin.setAward(slug, in: game, change, now: .now).outcome
            }
            try outcome.check("award \(slug)")
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the awards of a game.")
        @OptionGroup var database: DatabaseOptions
        @Option(help: "The slug of the game.") var game: Slug

        func run() async throws {
            let found = try await Database.withStore(database) { [game] store in
                guard try await store.admin.findGame(game) != nil else {
                    throw CommandError("There is no game \(game). Add it with: causeboard game add")
                }
                return try await store.awards(of: game)
            }
            var table = TextTable(
                ["award", "name", "rule", "at least", "board", "season", "contest", "window", "secret", "given"],
                alignedRight: [3, 5, 9])
            for listing in found {
                let fields = listing.award.rule.fields
                table.add([
                    listing.slug.description, listing.award.name.description, fields.kind.rawValue,
                    fields.atLeast.map(String.init) ?? "", fields.board?.description ?? "",
                    fields.season.map(String.init) ?? "", fields.contest?.description ?? "",
                    fields.window?.rawValue ?? "", listing.award.isSecret ? "yes" : "no", "\(listing.givenCount)",
                ])
            }
            try Output.line(found.isEmpty ? "No awards. Add one with: causeboard award add" : table.text)
        }
    }
}
