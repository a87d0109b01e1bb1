import Domain
import Foundation
import Storage
import TestDatabases

// What actions do to the model's rows, by hand.
extension Model {
    /// An action that was done, with the rows that it moved.
    struct DoneAction {
        let id: UUID
        let player: Player.ID
        let kind: String
        /// The player into whom a merge was.
        var into: Player.ID?
        /// The state of each score or donation before the action, and what the action made of it.
        var moved: [(id: DonationKey, was: LedgerState, became: LedgerState, forfeited: Int64)] = []
        var isUndone = false
    }

    enum Verdict: Equatable { case done, conflict, noScore, noDonation, outOfBounds, notConfirmed }

    /// The donations as far as they are funded.
    var funded: [Row] {
        donations.compactMap { row in
            guard row.state == .counted, row.points > row.unfunded else { return nil }
            var funded = row
            funded.points -= row.unfunded
            return funded
        }
    }

    /// Whom a player is by now.
    func survivor(_ player: Player.ID) -> Player.ID { merged[player].map { survivor($0.into) } ?? player }

    func areOne(_ one: Player.ID, _ other: Player.ID) -> Bool { survivor(one) == survivor(other) }

    /// The sums of a player and of those who are one with it.
    func sums(_ player: Player.ID) -> WalletSums {
        let scores = scores.filter { areOne($0.player, player) }
        let donations = donations.filter { areOne($0.player, player) }
        func sum(_ rows: [Row], _ points: (Row) -> Int64) -> Int64 { rows.reduce(0) { $0 + points($1) } }
        return WalletSums(
            earned: sum(scores) { $0.earned },
            voided: sum(scores.filter { $0.state == .voided }) { $0.earned } + sum(donations) { $0.forfeited },
            held: sum(scores.filter { $0.state == .held }) { $0.earned },
            donated: sum(donations.filter { $0.state == .counted }) { $0.points })
    }

    /// The newest donations are not funded as far as points are missing.
    mutating func fund(_ player: Player.ID) {
        var missing = sums(player).unfunded
        let newestFirst = donations.indices.filter { areOne(donations[$0].player, player) }.sorted { one, other in
            (donations[one].at, donations[one].id.uuidString) > (donations[other].at, donations[other].id.uuidString)
        }
        for index in newestFirst {
            donations[index].unfunded = donations[index].state == .counted ? min(missing, donations[index].points) : 0
            missing -= donations[index].unfunded
        }
    }

    /// Does what the action says, if it may.
    mutating func judge(_ action: ModerationAction) -> Verdict {
        let before = self
        let verdict: Verdict
        switch action.kind {
        case .void(let player, let score):
            verdict = restate(action, player, score, from: [.counted, .held], to: .voided)
        case .voidAll(let player, let heldOnly):
            verdict = restate(action, player, nil, from: heldOnly ? [.held] : [.counted, .held], to: .voided)
        case .hold(let player, let score): verdict = restate(action, player, score, from: [.counted], to: .held)
        case .clear(let player, let score): verdict = restate(action, player, score, from: [.held], to: .counted)
        case .clearAll(let player): verdict = restate(action, player, nil, from: [.held], to: .counted)
        case .correct(let player, let score, let points, let earned):
            verdict = correct(action, player, score, points, earned)
        case .reverse(let player, let donation, let forfeits): verdict = reverse(action, player, donation, forfeits)
        case .anonymise(let player, let donation):
            verdict = change(donation, of: player, .anonymise, now: .noon).verdict
            if verdict == .done { actions.append(DoneAction(id: action.id, player: player, kind: "anonymise")) }
        case .merge(let player, let into): verdict = merge(action, player, into)
        case .erase(let player, let name): verdict = erase(action, player, name)
        case .undo(let other): verdict = undo(action, other)
        default: return .conflict
        }
        if verdict == .done {
            for player in names.keys {
                let sums = sums(player)
                guard sums.voided + sums.held <= sums.earned,
                    sums.donated <= sums.earned || parted.contains(survivor(player))
                else {
                    self = before
                    return .conflict
                }
                fund(player)
            }
        }
        return verdict
    }

    private mutating func restate(
        _ action: ModerationAction, _ player: Player.ID, _ score: UUID?, from: Set<LedgerState>, to: LedgerState
    ) -> Verdict {
        var chosen = scores.indices.filter {
            areOne(scores[$0].player, player) && (score == nil || scores[$0].id == score)
        }
        // Players who were one may each have a row under the same id.
        if score != nil { chosen = Array((chosen.filter { scores[$0].player == player } + chosen).prefix(1)) }
        if score != nil, chosen.isEmpty { return .noScore }
        let moved = chosen.filter { from.contains(scores[$0].state) }
        if moved.isEmpty { return .conflict }
        var done = DoneAction(id: action.id, player: player, kind: action.kind.name)
        for index in moved {
            done.moved.append((scores[index].key, scores[index].state, to, 0))
            scores[index].state = to
        }
        actions.append(done)
        return .done
    }

    private mutating func correct(
        _ action: ModerationAction, _ player: Player.ID, _ score: UUID, _ points: Int64, _ earned: Int64
    ) -> Verdict {
        let mine = scores.filter { areOne($0.player, player) && $0.id == score }
        guard let row = mine.first(where: { $0.player == player }) ?? mine.first else { return .noScore }
        guard boards[row.place]?.settings.bounds.contains(points) ?? false else { return .outOfBounds }
        let verdict = restate(action, player, score, from: [.counted, .held], to: .voided)
        guard verdict == .done else { return verdict }
        scores.append(
            Row(
                player: row.player, id: action.id, place: row.place, points: points, at: row.at, hasNoClientID: false,
                earned: earned, playedAt: row.playedAt))
        return .done
    }

    private mutating func reverse(_ action: ModerationAction, _ player: Player.ID, _ donation: UUID, _ forfeits: Bool)
        -> Verdict
    {
        let mine = donations.indices.filter { areOne(donations[$0].player, player) && donations[$0].id == donation }
        guard let index = mine.first(where: { donations[$0].player == player }) ?? mine.first else {
            return .noDonation
        }
        guard donations[index].state == .counted else { return .conflict }
        let forfeited = forfeits ? donations[index].points - donations[index].unfunded : 0
        donations[index].state = .reversed
        donations[index].forfeited = forfeited
        actions.append(
            DoneAction(
                id: action.id, player: player, kind: "reverse",
                moved: [(donations[index].key, .counted, .reversed, forfeited)]))
        return .done
    }

    /// Changes a donation as its player asks.
    mutating func change(_ donation: UUID, of player: Player.ID, _ change: DonationChange, now: Instant)
        -> DonationChangeOutcome
    {
        let mine = donations.indices.filter { areOne(donations[$0].player, player) && donations[$0].id == donation }
        guard let index = mine.first(where: { donations[$0].player == player }) ?? mine.first else {
            return .noDonation
        }
        switch change {
        case .anonymise:
            if donations[index].isAnonymous { return .repeated }
            (donations[index].isAnonymous, donations[index].isAnonymised) = (true, true)
        case .takeBack:
            let row = donations[index]
            if row.state == .reversed { return .repeated }
            let closesAt = charities[row.place]?.closesAt ?? now.advanced(bySeconds: 1)
            let end = row.at.advanced(bySeconds: 60 * (coolingOffMinutes[row.place] ?? 0))
            guard now < min(end, closesAt) else { return .tooLate }
            donations[index].state = .reversed
            fund(player)
        }
        return .done
    }

    /// Takes the names away of a player and of those who are one with it, and voids what is held.
    private mutating func erase(_ action: ModerationAction, _ player: Player.ID, _ name: String) -> Verdict {
        let survivor = survivor(player)
        guard !erased.contains(survivor) else { return .conflict }
        guard names[survivor] == name else { return .notConfirmed }
        var done = DoneAction(id: action.id, player: player, kind: "erase")
        for index in scores.indices where areOne(scores[index].player, player) {
            scores[index].name = nil
            guard scores[index].state == .held else { continue }
            done.moved.append((scores[index].key, .held, .voided, 0))
            scores[index].state = .voided
        }
        erased.formUnion(names.keys.filter { areOne($0, player) })
        actions.append(done)
        return .done
    }

    private mutating func undo(_ action: ModerationAction, _ other: UUID) -> Verdict {
        guard let index = actions.firstIndex(where: { $0.id == other }) else { return .conflict }
        let undone = actions[index]
        guard !undone.isUndone, !["undo", "anonymise", "erase"].contains(undone.kind) else { return .conflict }
        var done = DoneAction(id: action.id, player: undone.player, kind: "undo", into: undone.into)
        if undone.kind == "merge" {
            // Who was merged once more can part from that one only.
            guard let into = undone.into, merged[undone.player]?.action == other,
                survivor(into) == merged[undone.player]?.into
            else { return .conflict }
            merged[undone.player] = nil
            parted.formUnion([undone.player, survivor(into)])
        }
        // Another action that stands on a row comes first.
        for moved in undone.moved {
            let standing = actions.last { action in
                !action.isUndone && action.kind != "undo" && action.moved.contains { $0.id == moved.id }
            }
            guard standing?.id == other else { return .conflict }
        }
        var (scores, donations) = (scores, donations)
        for moved in undone.moved {
            if let row = scores.firstIndex(where: { $0.key == moved.id }) {
                guard scores[row].state == moved.became else { return .conflict }
                scores[row].state = moved.was
            } else if let row = donations.firstIndex(where: { $0.key == moved.id }) {
                guard donations[row].state == moved.became else { return .conflict }
                donations[row].state = moved.was
                donations[row].forfeited = 0
            }
            done.moved.append((moved.id, moved.became, moved.was, 0))
        }
        if undone.kind == "correct", let row = scores.firstIndex(where: { $0.id == undone.id }) {
            guard scores[row].state == .counted else { return .conflict }
            scores[row].state = .voided
        }
        (self.scores, self.donations) = (scores, donations)
        actions[index].isUndone = true
        actions.append(done)
        return .done
    }

    private mutating func merge(_ action: ModerationAction, _ player: Player.ID, _ into: Player.ID) -> Verdict {
        let survivor = survivor(into)
        guard merged[player] == nil, survivor != player else { return .conflict }
        guard erased.isDisjoint(with: [player, survivor]) else { return .conflict }
        merged[player] = (into: survivor, action: action.id)
        if parted.contains(player) { parted.insert(survivor) }
        actions.append(DoneAction(id: action.id, player: player, kind: "merge", into: survivor))
        return .done
    }
}

extension DonationChangeOutcome {
    /// The same as an operator is told.
    fileprivate var verdict: Model.Verdict {
        switch self {
        case .done: .done
        case .noDonation: .noDonation
        default: .conflict
        }
    }
}
