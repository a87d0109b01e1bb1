import ArgumentParser
import Domain
import FoundationEssentials
import Storage

/// What an operator puts right, each with a reason, on record, and to be undone.
struct ActCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "act",
        abstract: "Put something right: each action needs a reason, is logged, and can be undone unless it says so.",
        discussion: """
            An action shows at once in every ranking, page and total. Ledgers keep every row: what is voided stays \
            readable for its player, who is told that it counts no longer.
            """,
        subcommands: [
            Void.self, Correct.self, Hold.self, Clear.self, Reverse.self, Anonymise.self, Hide.self, Ban.self,
            Rename.self, TakeDown.self, Merge.self, Erase.self, Undo.self,
        ])

    struct Void: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let a score, or all of a player's, count nowhere, and take back what it earned.",
            discussion: "Donations that were made of these points are unfunded, the newest first.")
        @OptionGroup var action: ActOptions
        @Option(help: "The player's id.") var player: Player.ID
        @Option(help: "The score's id; all scores without one.") var score: UUIDArgument?
        @Flag(help: "Only scores that are held.") var heldOnly = false

        func run() async throws {
            let kind = score.map { ModerationKind.void(player, score: $0.uuid) } ?? .voidAll(player, heldOnly: heldOnly)
            try await action.perform(kind)
        }
    }

    struct Correct: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Void a score, and record one with other points in its place, at its time.")
        @OptionGroup var action: ActOptions
        @Option(help: "The player's id.") var player: Player.ID
        @Option(help: "The score's id.") var score: UUIDArgument
        @Option(help: "The points it should have.") var points: Int64
        @Option(help: "The points it should earn, 0 or more.") var earned: Int64

        func run() async throws {
            guard (0...Limits.walletPointsMax).contains(earned) else {
                throw CommandError("--earned is 0 to \(Limits.walletPointsMax).")
            }
            try await action.perform(.correct(player, score: score.uuid, points: points, earned: earned))
        }
    }

    struct Hold: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Keep a score out of every ranking until it is cleared or voided.")
        @OptionGroup var action: ActOptions
        @Option(help: "The player's id.") var player: Player.ID
        @Option(help: "The score's id.") var score: UUIDArgument

        func run() async throws { try await action.perform(.hold(player, score: score.uuid)) }
    }

    struct Clear: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let a held score, or all of a player's, count again; or approve or dismiss an item of the queue."
        )
        @OptionGroup var action: ActOptions
        @Option(help: "The player's id.") var player: Player.ID?
        @Option(help: "The score's id; all held scores without one.") var score: UUIDArgument?
        @Option(help: "An item of `causeboard queue`, in place of a player.") var item: UUIDArgument?

        func run() async throws {
            switch (player, score, item) {
            case (nil, nil, let item?): try await action.perform(.clearItem(item.uuid))
            case (let player?, let score?, nil): try await action.perform(.clear(player, score: score.uuid))
            case (let player?, nil, nil): try await action.perform(.clearAll(player))
            default: throw CommandError("Give --player, perhaps with --score, or --item.")
            }
        }
    }

    struct Reverse: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take a donation back: its points can be donated again, or are voided.")
        @OptionGroup var action: ActOptions
        @Option(help: "The player's id.") var player: Player.ID
        @Option(help: "The donation's id.") var donation: UUIDArgument
        @Flag(help: "Void the points too.") var void = false

        func run() async throws { try await action.perform(.reverse(player, donation: donation.uuid, forfeits: void)) }
    }

    struct Anonymise: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let nobody know any more who made a donation; for good.")
        @OptionGroup var action: ActOptions
        @Option(help: "The player's id.") var player: Player.ID
        @Option(help: "The donation's id.") var donation: UUIDArgument

        func run() async throws { try await action.perform(.anonymise(player, donation: donation.uuid)) }
    }

    struct Hide: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take a player out of every ranking and page. What it donated counts in totals.")
        @OptionGroup var action: ActOptions
        @Option(help: "The player's id.") var player: Player.ID

        func run() async throws { try await action.perform(.hide(player)) }
    }

    struct Ban: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Hide a player and refuse its posts and donations.")
        @OptionGroup var action: ActOptions
        @Option(help: "The player's id.") var player: Player.ID
        @Option(help: "When it ends by itself, such as 2027-01-01T00:00:00Z; without it, when it is undone.") var until:
            InstantArgument?

        func run() async throws { try await action.perform(.ban(player, until: until?.instant)) }
    }

    struct Rename: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Give a player another name.")
        @OptionGroup var action: ActOptions
        @Option(help: "The player's id.") var player: Player.ID
        @Option(help: "The new name.") var name: String

        func run() async throws {
            let name = try PlayerName(name, field: "--name")
            try await action.perform(.rename(player, name))
        }
    }

    struct TakeDown: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take a player's picture down, which is refused from then on, or the words of a score; for good.")
        @OptionGroup var action: ActOptions
        @Option(help: "The player's id.") var player: Player.ID
        @Option(help: "The score whose name and detail are taken down, instead of the picture.") var score:
            UUIDArgument?

        func run() async throws {
            try await action.perform(score.map { .takeDownNote(player, score: $0.uuid) } ?? .takeDownPicture(player))
        }
    }

    struct Merge: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a player one with another player of its game, who has the wallet and ranks of both.")
        @OptionGroup var action: ActOptions
        @Option(help: "The player's id.") var player: Player.ID
        @Option(help: "The id of the player with whom it becomes one.") var into: Player.ID

        func run() async throws { try await action.perform(.merge(player, into: into)) }
    }

    struct Erase: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take away everything that tells who a player is, for good. Its sums stay.")
        @OptionGroup var action: ActOptions
        @Option(help: "The player's id.") var player: Player.ID
        @Option(help: "The player's name, as a confirmation.") var confirm: String

        func run() async throws { try await action.perform(.erase(player, confirming: confirm)) }
    }

    struct Undo: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make what an action changed as it was before, the newest action on a score or donation first.")
        @OptionGroup var action: ActOptions
        @Argument(help: "The action's id, from its answer or from `causeboard log`.") var undone: UUIDArgument

        func run() async throws { try await action.perform(.undo(undone.uuid)) }
    }
}
