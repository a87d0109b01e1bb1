package import Domain
import Foundation
import Storage

/// Random actions of players and operators, in a database and in a model of what counts. After each step, the awards of
/// the players in it are decided. Campaigns of the first days are over at ``end``.
package struct AwardHistory<Dice: RandomNumberGenerator & Sendable>: Sendable {
    private struct Score {
        let player: Player.ID
        let id: UUID
        let post: AwardModel.Post
        var counts = true
    }

    private struct Gift {
        let player: Player.ID
        let id: UUID
        let donation: AwardModel.Donation
        var counts = true
    }

    /// When everything is over.
    package static var end: Instant { .noon(after: 90) }

    package let database: TestDatabase
    package private(set) var players: [Player.ID] = []
    private var dice: Dice
    private var now = Instant.noon
    private var scores: [Score] = []
    private var gifts: [Gift] = []
    /// What each player has donated, anonymously too.
    private var donated: [Player.ID: Int64] = [:]
    private var boards: [Slug: (policy: Board.Policy, lowestFirst: Bool)] = [:]
    private var awards: [(slug: String, rule: AwardRule)] = []
    /// The merged player, its survivor, and the action.
    private var merges: [(player: Player.ID, survivor: Player.ID, action: UUID)] = []

    /// Scores that were voided and donations that were reversed: the action, and the place in `scores` or in `gifts`.
    private var undoable: [(action: UUID, score: Int?, gift: Int?)] = []

    private let decides: Bool

    /// - Parameter decides: Whether to decide after each step, as the server does when the stream tells of it.
    package init(_ database: TestDatabase, _ dice: Dice, decides: Bool = true) async throws {
        (self.database, self.dice, self.decides) = (database, dice, decides)
        for (slug, policy, lowestFirst) in [
            ("sums", Board.Policy.sum, false), ("best", .best, false), ("low", .best, true), ("last", .latest, false),
            ("low-sums", .sum, true),
        ] {
            try await database.addBoard(slug) { board in
                (board.policy, board.lowestFirst, board.ties) = (policy, lowestFirst, .shared)
                board.earning = .fixed(1_000)
            }
            boards[.of(slug)] = (policy, lowestFirst)
        }
        for slug in ["books", "water", "trees"] { try await database.addCharity(slug) }
        for (slug, rule) in [
            ("sum", AwardRule.points(board: .of("sums"), season: nil, window: .season, atLeast: 40)),
            ("sum-day", .points(board: .of("sums"), season: nil, window: .day, atLeast: 15)),
            ("low-sum", .points(board: .of("low-sums"), season: nil, window: .season, atLeast: -8)),
            ("low-sum-day", .points(board: .of("low-sums"), season: nil, window: .day, atLeast: -5)),
            ("best", .points(board: .of("best"), season: 1, window: .season, atLeast: 15)),
            ("low", .points(board: .of("low"), season: nil, window: .season, atLeast: -5)),
            ("last", .points(board: .of("last"), season: nil, window: .season, atLeast: 10)),
            ("days", .days(board: nil, atLeast: 4)), ("streak", .streak(board: nil, atLeast: 3)),
            ("sum-days", .days(board: .of("sums"), atLeast: 2)), ("given", .given(atLeast: 20)),
            ("two", .charities(atLeast: 2)), ("three", .charities(atLeast: 3)),
        ] {
            try await database.addAward(slug, rule)
            awards.append((slug, rule))
        }
        for (slug, subject) in [
            ("cup-sums", NewCampaign.Subject.board(game: .defaultGame, board: .of("sums"))),
            ("cup-low", .board(game: .defaultGame, board: .of("low"))),
            ("cup-last", .board(game: .defaultGame, board: .of("last"))), ("cup-all", .charity(.overall)),
        ] {
            try await database.addCampaign(slug, subject, to: lastDay.isoDate)
            try await database.addAward(slug, .contestRank(campaign: .of(slug), atLeast: 1))
        }
        for number in 0..<5 {
            players.append(try await database.addPlayer("P\(number)"))
            try await post(by: players[number])
        }
    }

    private func survivor(of player: Player.ID) -> Player.ID {
        merges.first { $0.player == player }?.survivor ?? player
    }

    /// What a player has by the model, sorted.
    package func expected(of player: Player.ID) -> [String] {
        guard survivor(of: player) == player else { return expected(of: survivor(of: player)) }
        var model = AwardModel()
        model.posts = scores.filter { $0.counts && survivor(of: $0.player) == player }.map(\.post)
        model.donations = gifts.filter { $0.counts && survivor(of: $0.player) == player }.map(\.donation)
        let held = awards.compactMap { slug, rule in
            model.since(rule, boards: boards).map { "\(slug) \($0.rfc3339(.seconds))" }
        }
        return (held + won(by: player)).sorted()
    }

    /// The awards for the first rank in the campaigns.
    private func won(by player: Player.ID) -> [String] {
        var won: [String] = []
        for board in ["sums", "low", "last"] {
            guard let (policy, lowestFirst) = boards[.of(board)] else { continue }
            let counted = scores.filter { $0.counts && $0.post.board == .of(board) && $0.post.day <= lastDay }
            let points = Dictionary(grouping: counted) { survivor(of: $0.player) }.mapValues { scores in
                AwardModel.points(of: scores.map(\.post), policy, lowestFirst)
            }
            guard let own = points[player] else { continue }
            if AwardModel.better(own, among: points.values, lowestFirst: lowestFirst) == 0 { won.append(board) }
        }
        let counted = gifts.filter { $0.counts && $0.donation.at.dayInUTC <= lastDay }
        let sums = Dictionary(grouping: counted) { survivor(of: $0.player) }.mapValues { gifts in
            (points: gifts.reduce(0) { $0 + $1.donation.points }, at: gifts.map(\.donation.at).max() ?? now)
        }
        // The tie of equal sums goes to the one that was reached first.
        let first = sums.min { (-$0.value.points, $0.value.at) < (-$1.value.points, $1.value.at) }
        if first?.key == player { won.append("all") }
        return won.map { "cup-\($0) 2026-11-24T00:00:00Z cup-\($0)" }
    }

    /// The last day of the campaigns.
    private var lastDay: Day { Instant.noon(after: 3).dayInUTC }

    package mutating func step() async throws {
        // Mostly, several scores come on one day.
        let pause = Bool.random(using: &dice) ? 60...900 : 60...40_000 as ClosedRange<Int64>
        now = now.advanced(bySeconds: Int64.random(in: pause, using: &dice))
        let player = players[Int.random(in: players.indices, using: &dice)]
        let other = players[Int.random(in: players.indices, using: &dice)]
        var concerned = [player, other]
        var isPlayed = false
        switch Int.random(in: 0..<100, using: &dice) {
        case ..<50:
            try await post(by: player)
            isPlayed = true
        case ..<68:
            try await donate(by: player)
            isPlayed = true
        case ..<76: try await void()
        case ..<82: try await reverse()
        case ..<89: try await undo()
        case ..<94: try await merge(player, into: other)
        default: try await part()
        }
        guard decides else { return }
        if !isPlayed { concerned = players }
        try await database.decideAwards(of: concerned, onlyMissing: isPlayed)
        try await database.decideRanks(now: Self.end)
    }

    private mutating func post(by player: Player.ID) async throws {
        guard let board = boards.keys.sorted(by: { $0.description < $1.description }).randomElement(using: &dice) else {
            return
        }
        let (id, points) = (UUID(), Int64.random(in: -10...20, using: &dice))
        let at = now
        try await database.post(points, by: survivor(of: player), on: board.description, id: id, at: at)
        let post = AwardModel.Post(board: board, season: 1, day: at.dayInUTC, points: points, at: at)
        scores.append(Score(player: survivor(of: player), id: id, post: post))
    }

    private mutating func donate(by player: Player.ID) async throws {
        guard let charity = ["books", "water", "trees"].randomElement(using: &dice) else { return }
        let (id, points, isAnonymous) = (UUID(), Int64.random(in: 1...8, using: &dice), Bool.random(using: &dice))
        let receipt = try await database.donate(
            points, by: survivor(of: player), to: charity, id: id, isAnonymous: isAnonymous, at: now)
        guard receipt.outcome == .recorded else { return }
        donated[survivor(of: player), default: 0] += points
        if isAnonymous { return }
        let donation = AwardModel.Donation(charity: charity, points: points, at: now)
        gifts.append(Gift(player: survivor(of: player), id: id, donation: donation))
    }

    /// Whether a player has as many points by its own scores as it has donated, so that all of that stays funded.
    private func isFunded(_ player: Player.ID, without score: UUID? = nil) -> Bool {
        let earned = scores.count { $0.counts && $0.player == player && $0.id != score } * 1_000
        return earned >= donated[player] ?? 0
    }

    private mutating func void() async throws {
        guard let index = scores.indices.randomElement(using: &dice), scores[index].counts,
            isFunded(scores[index].player, without: scores[index].id)
        else { return }
        let action = try await database.moderate(.void(scores[index].player, score: scores[index].id), at: now)
        scores[index].counts = false
        undoable.append((action, index, nil))
    }

    private mutating func reverse() async throws {
        guard let index = gifts.indices.randomElement(using: &dice), gifts[index].counts else { return }
        let reverse = ModerationKind.reverse(gifts[index].player, donation: gifts[index].id, forfeits: false)
        let action = try await database.moderate(reverse, at: now)
        gifts[index].counts = false
        undoable.append((action, nil, index))
    }

    private mutating func undo() async throws {
        guard let index = undoable.indices.randomElement(using: &dice) else { return }
        let last = undoable.remove(at: index)
        try await database.moderate(.undo(last.action), at: now)
        if let score = last.score { scores[score].counts = true }
        if let gift = last.gift { gifts[gift].counts = true }
    }

    private mutating func merge(_ player: Player.ID, into other: Player.ID) async throws {
        guard player != other, merges.count < 2, survivor(of: player) == player, survivor(of: other) == other,
            !merges.contains(where: { $0.survivor == player })
        else { return }
        merges.append((player, other, try await database.moderate(.merge(player, into: other), at: now)))
    }

    private mutating func part() async throws {
        guard let last = merges.last, isFunded(last.player), isFunded(last.survivor) else { return }
        try await database.moderate(.undo(last.action), at: now)
        merges.removeLast()
    }
}
