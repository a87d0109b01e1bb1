import Domain
import HTTPServer
import Pages
import Storage

// The challenges, plan and awards of a player, for operators who may see what is personal.
extension ConsolePlayerHandlers {
    /// `GET /admin/players/{player}/activity`
    func consoleActivity(_ request: Request, of player: Player.ID) async throws -> Response {
        let session = try await sessions.signedIn(request, .personal)
        let activity = try await players.activity(of: player)
        var page = sessions.page("Challenges, plan and awards", .players, for: session)
        page.path = [
            ConsoleLink("Players", ConsolePath.players),
            ConsoleLink(try await subjects.name(of: player), Routes.console.player.path(player)),
        ]
        page.add("Challenges", id: "challenges", [.table(Self.table(of: activity.challenges))])
        page.add("Plan", id: "plan", Self.blocks(of: activity.plan) + [.table(Self.table(of: activity.runs))])
        page.add("Awards", id: "awards", [.table(Self.table(of: activity.awards))])
        return sessions.reply(page)
    }

    /// The link to that page.
    func activityFact(of player: Player.ID) -> ConsoleCell {
        .link(ConsoleLink("Challenges, plan and awards", Routes.console.activity.path(player)))
    }

    private static func table(of challenges: [Challenge]) -> ConsoleTable {
        ConsoleTable(
            "Newest first",
            ["Board", "Days", "State", "Answer", "Made by"].map { ConsoleTable.Column($0) } + [
                ConsoleTable.Column("Stake", isNumber: true)
            ],
            challenges.map { challenge in
                let board = "\(challenge.game)/\(challenge.board), season \(challenge.season)"
                return [
                    .both(
                        .link(ConsoleLink(board, Routes.console.board.path(challenge.game, challenge.board))),
                        .code(challenge.id.text)),
                    .text("\(challenge.days.lowerBound.isoDate) to \(challenge.days.upperBound.isoDate)"),
                    .tag(challenge.state.rawValue), .tag(challenge.answer.rawValue),
                    challenge.maker.map { .link(ConsoleLink("\($0.rawValue)", Routes.console.player.path($0))) }
                        ?? .none, .number(Int128(challenge.stake)),
                ]
            }, empty: "This player has no challenges.")
    }

    private static func blocks(of plan: Plan?) -> [ConsoleBlock] {
        guard let plan else { return [.text("This player has no plan.")] }
        let shares = plan.terms.shares.map { "\($0.charity): \($0.share)" }.joined(separator: ", ")
        return [
            .facts([
                ("Shares", .text(shares)), ("Donates each", .text(plan.terms.interval.rawValue)),
                ("Keeps", .number(Int128(plan.terms.keep))),
                ("Donations", .text(plan.terms.isAnonymous ? "anonymous" : "named")),
                ("Since (UTC)", .instant(plan.since)), ("Next donation after", .text(plan.nextOn.isoDate)),
            ])
        ]
    }

    private static func table(of runs: [FinishedRun]) -> ConsoleTable {
        ConsoleTable(
            "What plans donated, newest first", ["After (UTC)", "Donated", "Left out"].map { ConsoleTable.Column($0) },
            runs.map { run in [.text(run.day.isoDate), .text(run.donatedText), .text(run.skippedText)] },
            empty: "No plan of this player has donated.")
    }

    private static func table(of awards: [GivenAward]) -> ConsoleTable {
        ConsoleTable(
            "Newest first", ["Award", "Name", "Since (UTC)", "Season"].map { ConsoleTable.Column($0) },
            awards.map { award in
                [
                    .code(award.award.description), .text(award.name), .instant(award.givenAt),
                    award.occasion.map { .text($0) } ?? .none,
                ]
            }, empty: "This player has no awards.")
    }
}
