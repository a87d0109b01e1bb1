import Domain
import Foundation
import Storage
import TestDatabases

/// A model of the ledger and the rankings, as a person would keep them by hand from the wire contract: everything is
/// kept, and every question reads all of it.
struct Model {
    /// One board's rules, and the time zone as Foundation knows it.
    struct Rules {
        let settings: NewBoard
        let zone: TimeZone

        func isBetter(_ one: Int128, _ other: Int128) -> Bool { settings.lowestFirst ? one < other : one > other }

        func day(_ instant: Instant) -> Day { Model.day(instant, zone) }
    }

    /// A row of the ledger.
    struct Row {
        /// Under whom it was recorded.
        let player: Player.ID
        let id: UUID
        /// A board's slug, or a charity's.
        let place: String
        var points: Int64
        let at: Instant
        let hasNoClientID: Bool
        var earned: Int64 = 0
        var playedAt: Instant?
        var name: String?
        var isAnonymous = false
        /// Whether it was donated by name, and turned anonymous later.
        var isAnonymised = false
        var state = LedgerState.counted
        /// Points of a donation that were voided after they were donated.
        var unfunded: Int64 = 0
        /// Points of a reversed donation that did not come back to the player.
        var forfeited: Int64 = 0
        var key: DonationKey { DonationKey(player: player, id: id) }
    }

    struct Entry: Equatable {
        /// The player's id, or the random row of an anonymous donation.
        let row: Int64
        let points: Int128
        let at: Instant
    }

    var boards: [String: Rules] = [:]
    /// The charities' slugs, their zones, and when they close.
    var charities: [String: (zone: TimeZone, closesAt: Instant?)] = [:]
    /// The caps of charities that have one.
    var caps: [String: CharityCaps] = [:]
    var coolingOffMinutes: [String: Int64] = [:]
    var names: [Player.ID: String] = [:]
    var hidden: Set<Player.ID> = []
    /// Who was erased: nobody speaks for them any more, and their rows stay.
    var erased: Set<Player.ID> = []
    var scores: [Row] = []
    var donations: [Row] = []
    var actions: [DoneAction] = []
    /// With whom a player became one, and by which action.
    var merged: [Player.ID: (into: Player.ID, action: UUID)] = [:]
    /// Who parted from another player, or is one with somebody who did, and so may have given more than it earned.
    var parted: Set<Player.ID> = []

    /// The rows of anonymous donations, which the model cannot know by itself.
    var anonymousRows: [DonationKey: Int64] = [:]

    /// The key of a score or a donation: players who were one may each have a row under the same id.
    struct DonationKey: Hashable {
        let player: Player.ID
        let id: UUID
    }

    /// The id of a row on a board.
    func rowID(_ row: Row) -> Int64 {
        if row.isAnonymous { return anonymousRows[DonationKey(player: row.player, id: row.id)] ?? 0 }
        return survivor(row.player).rawValue
    }

    static func day(_ instant: Instant, _ zone: TimeZone) -> Day {
        let seconds = Int((Double(instant.microsecondsSince1970) / 1e6).rounded(.down))
        let local = seconds + zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
        return Day(daysSince1970: Int32((Double(local) / 86_400).rounded(.down)))
    }

    func balance(_ player: Player.ID) -> Int64? {
        guard names[player] != nil else { return nil }
        return sums(player).left
    }

    // MARK: Judging

    /// Judges a score as the receipt must, and records it if it is to be recorded.
    mutating func judge(_ score: NewScore) -> (
        outcome: ScoreOutcome, id: UUID, points: Int64, earned: Int64, best: Int64?, balance: Int64?
    ) {
        if erased.contains(survivor(score.author)) { return (.noPlayer, score.id, score.points, 0, nil, nil) }
        let slug = score.board.description
        let name = score.name?.description
        let mine = scores.filter { areOne($0.player, score.author) }
        // The caller's own row comes first: players who were one may each have one under the same id.
        let known = mine.first { $0.id == score.id && $0.player == score.author } ?? mine.first { $0.id == score.id }
        let twin =
            !score.hasNoClientID
            ? nil
            : mine.filter {
                $0.hasNoClientID && $0.place == slug && $0.points == score.points && $0.name == name
                    && abs($0.at.microsecondsSince1970 - score.reachedAt.microsecondsSince1970) <= 60_000_000
            }.max { $0.at < $1.at }
        var outcome = ScoreOutcome.recorded
        var earned: Int64 = 0
        if let known {
            outcome =
                known.place == slug && known.points == score.points && known.playedAt == score.playedAt
                ? .retry : .conflict
        } else if twin != nil {
            outcome = .retry
        } else if names[score.author] == nil {
            outcome = .noPlayer
        } else if let rules = boards[slug] {
            if let opens = rules.settings.opensAt, score.reachedAt < opens { outcome = .boardClosed }
            if let closes = rules.settings.closesAt, score.reachedAt >= closes { outcome = .boardClosed }
            if outcome == .recorded, !rules.settings.bounds.contains(score.points) { outcome = .outOfBounds }
            if outcome == .recorded {
                earned = earning(
                    of: score, by: rules, after: mine.filter { $0.place == slug && $0.state != .voided },
                    inAll: mine.reduce(0) { $0 + $1.earned })
                scores.append(
                    Row(
                        player: survivor(score.author), id: score.id, place: slug, points: score.points,
                        at: score.reachedAt, hasNoClientID: score.hasNoClientID, earned: earned,
                        playedAt: score.playedAt, name: name))
                fund(score.author)
            }
        } else {
            outcome = .noBoard
        }
        // Its player is told of what is held as if it counted.
        let standing = boards[slug].flatMap {
            place(
                of: scores.filter { areOne($0.player, score.author) && $0.place == slug && $0.state != .voided }, by: $0
            )
        }
        let recorded = known ?? twin
        return (
            outcome, recorded?.id ?? score.id, recorded?.points ?? score.points, recorded?.earned ?? earned,
            standing.map { Int64($0.points) }, balance(score.author)
        )
    }

    private func earning(of score: NewScore, by rules: Rules, after before: [Row], inAll earnedBefore: Int64) -> Int64 {
        if score.points < 0 { return 0 }
        let utc = TimeZone.gmt
        let today = Self.day(score.reachedAt, utc)
        if score.isClassic,
            before.contains(where: { $0.points == score.points && $0.earned > 0 && Self.day($0.at, utc) == today })
        {
            return 0
        }
        var earned: Int64
        switch rules.settings.earning {
        case .points: earned = score.points
        case .fixed(let points): earned = points
        case .none: earned = 0
        case .improvement:
            let points = before.map(\.points)
            if let best = rules.settings.lowestFirst ? points.min() : points.max() {
                earned = rules.isBetter(Int128(score.points), Int128(best)) ? abs(score.points - best) : 0
            } else {
                earned = rules.settings.lowestFirst ? 0 : score.points
            }
        }
        if let most = rules.settings.earnMax { earned = min(earned, most) }
        if let most = rules.settings.earnDay {
            let day = rules.day(score.reachedAt)
            earned = min(earned, most - before.filter { rules.day($0.at) == day }.reduce(0) { $0 + $1.earned })
        }
        return max(0, min(earned, Limits.walletPointsMax - earnedBefore))
    }

    /// Judges a donation as the receipt must, and records it if it is to be recorded. The charity is named by its slug.
    mutating func judge(_ donation: NewDonation) -> (outcome: DonationOutcome, id: UUID, points: Int64, balance: Int64?)
    {
        if erased.contains(survivor(donation.author)) { return (.noPlayer, donation.id, donation.points, nil) }
        let slug = donation.charity.text
        let mine = donations.filter { areOne($0.player, donation.author) }
        let known =
            mine.first { $0.id == donation.id && $0.player == donation.author } ?? mine.first { $0.id == donation.id }
        let twin =
            !donation.hasNoClientID
            ? nil
            : mine.filter {
                $0.hasNoClientID && $0.place == slug && $0.points == donation.points
                    && ($0.isAnonymous && !$0.isAnonymised) == donation.isAnonymous
                    && abs($0.at.microsecondsSince1970 - donation.reachedAt.microsecondsSince1970) <= 60_000_000
            }.max { $0.at < $1.at }
        let outcome: DonationOutcome
        if let known {
            outcome =
                known.place == slug && known.points == donation.points
                    && (known.isAnonymous && !known.isAnonymised) == donation.isAnonymous ? .retry : .conflict
        } else if twin != nil {
            outcome = .retry
        } else if let balance = balance(donation.author) {
            if let charity = charities[slug] {
                if let closes = charity.closesAt, donation.reachedAt >= closes {
                    outcome = .charityClosed
                } else {
                    outcome =
                        donation.points > balance
                        ? .overspent : isBeyondCap(donation, charity.zone) ? .capReached : .recorded
                }
            } else {
                outcome = .noCharity
            }
        } else {
            outcome = .noPlayer
        }
        if outcome == .recorded {
            donations.append(
                Row(
                    player: survivor(donation.author), id: donation.id, place: slug, points: donation.points,
                    at: donation.reachedAt, hasNoClientID: donation.hasNoClientID, isAnonymous: donation.isAnonymous))
        }
        return (
            outcome, (known ?? twin)?.id ?? donation.id, (known ?? twin)?.points ?? donation.points,
            balance(donation.author)
        )
    }

    private func isBeyondCap(_ donation: NewDonation, _ zone: TimeZone) -> Bool {
        guard let caps = caps[donation.charity.text] else { return false }
        let kept = donations.filter { $0.place == donation.charity.text && $0.state != .reversed }
        let day = Self.day(donation.reachedAt, zone)
        let onDay = kept.filter { Self.day($0.at, zone) == day }.reduce(donation.points) { $0 + $1.points }
        let inAll = kept.reduce(donation.points) { $0 + $1.points }
        return onDay > caps.day ?? .max || inAll > caps.all ?? .max
    }

    // MARK: Ranking

    /// A player's place by some of its rows; nil when there are none.
    private func place(of rows: [Row], by rules: Rules) -> Entry? {
        guard let first = rows.first else { return nil }
        let chosen: Row
        switch rules.settings.policy {
        case .sum:
            let last = first.isAnonymous ? first.at.midnight(in: rules.zone) : rows.map(\.at).max() ?? first.at
            return Entry(row: rowID(first), points: rows.reduce(0) { $0 + Int128($1.points) }, at: last)
        case .best:
            chosen = rows.reduce(first) { best, row in
                row.points == best.points
                    ? (row.at < best.at ? row : best)
                    : rules.isBetter(Int128(row.points), Int128(best.points)) ? row : best
            }
        case .latest:
            chosen = rows.reduce(first) { latest, row in
                row.at == latest.at
                    ? (rules.isBetter(Int128(row.points), Int128(latest.points)) ? row : latest)
                    : row.at > latest.at ? row : latest
            }
        }
        return Entry(row: rowID(first), points: Int128(chosen.points), at: chosen.at)
    }

    /// All places on a board, best first, without hidden players.
    func ranking(_ slug: String, days: ClosedRange<Day>?) -> [Entry] {
        guard let rules = boards[slug] else { return [] }
        return ranked(scores.filter { $0.place == slug && $0.state == .counted }, by: rules, days: days, hidden: hidden)
    }

    /// All places of the contributors to a charity, or to all charities when `slug` is `overall`.
    func donationRows(_ slug: String, _ rules: Rules, days: ClosedRange<Day>?) -> [Entry] {
        ranked(funded.filter { slug == "overall" || $0.place == slug }, by: rules, days: days, hidden: hidden)
    }

    private func ranked(_ rows: [Row], by rules: Rules, days: ClosedRange<Day>?, hidden: Set<Player.ID>) -> [Entry] {
        let counted = rows.filter { row in
            (row.isAnonymous || !hidden.contains(survivor(row.player)))
                && (days.map { $0.contains(rules.day(row.at)) } ?? true)
        }
        return Dictionary(grouping: counted, by: rowID).values.compactMap { place(of: $0, by: rules) }.sorted {
            one, other in
            if one.points != other.points { return rules.isBetter(one.points, other.points) }
            return (one.at, one.row) < (other.at, other.row)
        }
    }

    /// The best single posts of a board, best first, with the name that each is shown with.
    private func shownName(_ player: Player.ID) -> String {
        erased.contains(player) ? Standing.formerName : names[player] ?? ""
    }

    func bestPosts(_ slug: String, limit: Int) -> [(place: Entry, name: String)] {
        guard let rules = boards[slug] else { return [] }
        return scores.filter { $0.place == slug && $0.state == .counted && !hidden.contains(survivor($0.player)) }
            .sorted { one, other in
                if one.points != other.points { return rules.isBetter(Int128(one.points), Int128(other.points)) }
                return (one.at, survivor(one.player)) < (other.at, survivor(other.player))
            }.prefix(limit).map {
                (Entry(row: rowID($0), points: Int128($0.points), at: $0.at), $0.name ?? shownName(survivor($0.player)))
            }
    }
}

extension NewScore {
    /// The player of a post whose caller names a known player.
    var author: Player.ID { caller.player ?? Player.ID(rawValue: 0) }
}

extension NewDonation {
    /// The player of a donation whose caller names a known player.
    var author: Player.ID { caller.player ?? Player.ID(rawValue: 0) }
}

extension Standing {
    /// The standing as the model has it.
    var modelEntry: Model.Entry { Model.Entry(row: sortKey.row, points: points, at: reachedAt) }
}
