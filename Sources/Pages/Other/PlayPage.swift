package import Domain

/// A game of twenty seconds, whose score is posted and whose points are donated, from the page itself.
package struct PlayPage: Sendable, Equatable {
    private let board: LeaderTable
    private let charities: [Charity]
    private let hasFriends: Bool
    private let hasChallenges: Bool

    /// - Parameters:
    ///   - board: The board that is played on.
    ///   - charities: All charities, best first.
    ///   - hasFriends: Whether players of the game may become friends.
    ///   - hasChallenges: Whether friends may challenge each other.
    package init(board: LeaderTable, charities: [Charity], hasFriends: Bool, hasChallenges: Bool) {
        (self.board, self.charities) = (board, charities)
        (self.hasFriends, self.hasChallenges) = (hasFriends, hasFriends && hasChallenges)
    }

    /// How long a game is.
    private static let seconds: Int128 = 20
    /// So many charities can be chosen from.
    package static let charitiesMax = 6

    package func html(in context: PageContext) -> [UInt8] {
        let language = context.language
        let head = PageHead(
            title: language.text("play.head"), description: language.text("play.description"), path: PagePath.play,
            section: .play)
        let open = charities.filter { !$0.isFinal }
        let ahead = open.filter { ($0.progressTenths ?? .max) < 1_000 }
        let shown = (ahead + open.filter { !ahead.contains($0) }).prefix(Self.charitiesMax)
        return context.page(
            "play", head,
            [
                "board": .scope(board.scope(context)), "client": .text("/causeboard.js"),
                "game-script": .text(PageAsset.named("play.js").path), "board-slug": .text(board.ranking.board.slug),
                "game-slug": .text(board.game), "plates": Plates(language.numbers.text(0 as Int128)).fill,
                "score-text": .text(language.text("points", count: 0)),
                "time": .text(language.text("play.time", ["n": language.numbers.text(Self.seconds)])),
                "seconds": .text("\(Self.seconds)"), "said": Self.said(Self.said, "play", language),
                "has-friends": .flag(hasFriends), "friends-script": .text(PageAsset.named("friends.js").path),
                "said-of-friends": Self.said(Self.saidOfFriends, "friends", language),
                "has-challenges": .flag(hasChallenges),
                "challenges-script": .text(PageAsset.named("challenges.js").path),
                "said-of-challenges": Self.said(Self.saidOfChallenges, "challenges", language),
                "has-charities": .flag(!shown.isEmpty),
                "charity-list": .list(
                    shown.enumerated().map { index, charity in
                        [
                            "slug": .text(charity.slug), "name": .text(charity.name), "is-first": .flag(index == 0),
                            "progress": .text(GoalProgress(charity, language).text),
                        ]
                    }),
            ])
    }

    /// Texts for a script, by their names in a part of the language.
    private static func said(_ names: [String], _ part: String, _ language: Language) -> Fill {
        .list(names.map { ["key": .text($0), "text": .text(language.text("\(part).\($0)"))] })
    }

    /// The texts that the script fills and shows.
    static let said = [
        "again", "donated", "hook", "left", "over", "plate", "posted", "post", "rank", "refused", "stopped", "streak",
        "time", "too-many", "waiting",
        // What is said of a refusal, by the problem's name, and by the field where that matters.
        "says-banned", "says-board-closed", "says-busy", "says-cap-reached", "says-challenge-over",
        "says-challenges-full", "says-charity-closed", "says-code-refused", "says-field-name", "says-forbidden",
        "says-friends-full", "says-name-refused", "says-not-friends", "says-out-of-bounds", "says-overspent",
        "says-points-settling", "says-rate-limited",
    ]

    /// The texts that the script of friends fills and shows.
    static let saidOfFriends = [
        "accept", "added", "alone", "asked", "asking", "away", "block", "blocked", "board", "challenge", "challenged",
        "decline", "declined", "is-blocked", "is-unblocked", "list", "make-new", "none", "remove", "removed", "since",
        "unblock", "until", "withdraw", "withdrawn",
    ]

    /// The texts that the script of challenges fills and shows.
    static let saidOfChallenges = [
        "decline", "declined", "enter", "invited", "is-declined", "is-entered", "is-left", "lapsed", "leave", "left",
        "nobody", "over", "until", "won",
    ]
}
