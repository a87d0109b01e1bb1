import Domain
import Foundation
import Storage
import TestDatabases
import TestDice
import Testing

/// Writes for some of the players, in batches and in the order of time. What each receipt must say is therefore known,
/// however many others write at once.
struct Writer: Sendable {
    private let year: Year
    private let players: [Player.ID]
    private var dice: Dice
    private(set) var entries: [Entry] = []
    /// Scores and donations as they were sent, with the ledger's receipts.
    private(set) var scores: [(sent: NewScore, receipt: ScoreReceipt, season: Int32)] = []
    private(set) var donations: [(sent: NewDonation, receipt: DonationReceipt)] = []

    init(_ year: Year, players: [Player.ID], seed: UInt64) {
        self.year = year
        self.players = players
        dice = Dice(seed: seed)
    }

    /// Posts and donates near each of these instants.
    mutating func write(near anchors: [Instant], season: Int32) async throws {
        for anchor in anchors {
            let boards = year.boards(near: anchor)
            // The few instants are the same for every player, so reached_at is often equal and only the player's id
            // decides.
            for offset in [-1_800_000_000, -1, 0, 1, 1_800_000_000] as [Int64] {
                let moment = anchor.advanced(byMicroseconds: offset)
                let authors = players.filter { _ in dice.percent(30) }
                if authors.isEmpty { continue }
                if dice.percent(75) {
                    try await post(authors, on: boards, at: moment, season: season)
                } else {
                    try await donate(authors, at: moment)
                }
            }
        }
    }

    /// Around anchors near each other the instants go back and forth; a player's entries never do.
    private func isAfterAll(_ player: Player.ID, _ moment: Instant) -> Bool {
        !entries.contains { $0.player == player && $0.at >= moment }
    }

    private func seasonNow(_ slug: String, _ season: Int32) -> Int32 { year.reset.contains(slug) ? season : 1 }

    private mutating func post(_ authors: [Player.ID], on boards: [String], at moment: Instant, season: Int32)
        async throws
    {
        var batch: [NewScore] = []
        for (index, player) in authors.enumerated() where isAfterAll(player, moment) {
            // An arrival is unique in its batch, but not across batches.
            let arrival = moment.advanced(byMicroseconds: Int64(index) * 2)
            let slug = dice.percent(90) ? dice.pick(boards) : dice.pick(year.boards.keys.sorted())
            batch.append(
                NewScore(
                    Int64.random(in: -2...3, using: &dice), by: .player(player), on: .of(slug),
                    in: year.database.game.slug, id: dice.uuid(), reachedAt: arrival))
            // The same player writes once more in the batch: the same again, or something else.
            if dice.percent(10) { batch.append(batch[batch.count - 1]) }
            if dice.percent(10),
                let old = scores.filter({ $0.sent.caller.player == player }).randomElement(using: &dice)
            {
                batch.append(old.sent)
            }
        }
        let closed = batch.filter { score in
            year.boards[score.board.description]?.closesAt.map { score.reachedAt >= $0 } ?? false
        }.map(\.id)
        let receipts = try await twice(batch) { [store = year.database.store] in try await store.record($0, now: moment)
        }
        for (score, (receipt, twin)) in zip(batch, receipts) {
            if let known = scores.first(where: { $0.sent.id == score.id }) {
                #expect(receipt.outcome == .retry && twin?.outcome ?? .retry == .retry)
                for again in [receipt, twin ?? receipt] { expectSame(again, known.receipt) }
                continue
            }
            if closed.contains(score.id) {
                #expect(receipt.outcome == .boardClosed && twin?.outcome ?? .boardClosed == .boardClosed)
                continue
            }
            #expect(Set([receipt.outcome, twin?.outcome ?? .retry]) == [.recorded, .retry])
            let slug = score.board.description
            let number = seasonNow(slug, season)
            let player = try #require(score.caller.player)
            let before = standing(of: player, on: slug, season: number)
            entries.append(
                Entry(board: slug, season: number, player: player, points: score.points, at: score.reachedAt))
            let after = try #require(standing(of: player, on: slug, season: number))
            let rules = try #require(year.boards[slug])
            let isImproved = before.map { rules.isBetter(after.points, $0.points) } ?? true
            for shown in [receipt, twin ?? receipt] {
                #expect(
                    shown.improved == isImproved && shown.points == score.points && shown.id == score.id
                        && shown.player == player)
                #expect(shown.best.map { Int128($0) } == after.points && shown.ties == rules.ties)
            }
            scores.append((score, receipt, number))
        }
    }

    private mutating func donate(_ authors: [Player.ID], at moment: Instant) async throws {
        var batch: [NewDonation] = []
        for (index, player) in authors.enumerated() where isAfterAll(player, moment) {
            let slug = dice.percent(60) ? "trees" : "seas"
            batch.append(
                NewDonation(
                    Int64.random(in: 1...4, using: &dice), by: .player(player), to: CharityName(.of(slug)),
                    id: dice.uuid(), isAnonymous: dice.percent(40),
                    reachedAt: moment.advanced(byMicroseconds: Int64(index) * 2)))
            if dice.percent(10),
                let old = donations.filter({ $0.sent.caller.player == player }).randomElement(using: &dice)
            {
                batch.append(old.sent)
            }
        }
        let receipts = try await twice(batch) { [store = year.database.store] in try await store.donate($0, now: moment)
        }
        for (donation, (receipt, twin)) in zip(batch, receipts) {
            let outcomes = Set([receipt.outcome, twin?.outcome ?? receipt.outcome])
            if donations.contains(where: { $0.sent.id == donation.id }) {
                #expect(outcomes == [.retry])
            } else if let closesAt = year.charities[donation.charity.text]?.closesAt, donation.reachedAt >= closesAt {
                #expect(outcomes == [.charityClosed])
                continue
            } else {
                #expect(outcomes == (twin == nil ? [.recorded] : [.recorded, .retry]))
                let player = try #require(donation.caller.player)
                entries.append(
                    Entry(
                        board: donation.charity.text, season: nil, player: player,
                        anonymousRow: donation.isAnonymous ? receipt.row : nil, points: donation.points,
                        at: donation.reachedAt))
                donations.append((donation, receipt))
            }
            let row = try #require(donations.first { $0.sent.id == donation.id }).receipt.row
            #expect(donation.isAnonymous ? (row ?? 0) < 0 : row == donation.caller.player?.rawValue)
            for shown in [receipt, twin ?? receipt] {
                #expect(shown.row == row && shown.points == donation.points && shown.charity == donation.charity.text)
            }
        }
    }

    /// Sends a batch, now and then twice at once. One of the two records a row, and the other gets a retry.
    private mutating func twice<Row: Sendable, Receipt: Sendable>(
        _ batch: [Row], _ send: @Sendable @escaping ([Row]) async throws -> [Receipt]
    ) async throws -> [(Receipt, twin: Receipt?)] {
        guard dice.percent(25) else { return try await send(batch).map { ($0, nil) } }
        async let first = send(batch)
        async let second = send(batch)
        return try await Array(zip(first, second)).map { ($0, $1) }
    }

    func standing(of player: Player.ID, on slug: String, season: Int32) -> RankingByHand.Line? {
        let mine = entries.filter { $0.player == player && $0.board == slug && $0.season == season }
        guard let rules = year.boards[slug], !mine.isEmpty else { return nil }
        return RankingByHand.line(of: mine, by: rules)
    }

    /// Expects that a retry repeats what was recorded, on the board of the season in which it was recorded.
    private func expectSame(_ again: ScoreReceipt, _ first: ScoreReceipt) {
        #expect(
            again.id == first.id && again.points == first.points && again.earned == first.earned
                && again.improved == first.improved)
        #expect(again.board == first.board && again.player == first.player)
    }
}
