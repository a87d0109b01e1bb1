import Domain
import Foundation
import TestDatabases
import TestDice
import Testing

@testable import Storage

@Suite struct ModerationHistoryTests {
    @Test(
        "whatever is voided, held, corrected, reversed and undone between posts, books, ranks and the log are right",
        arguments: Dice.slowSeeds(11, 14, 16)) func random(seed: UInt64) async throws
    {
        try await withTestDatabase { database in
            var history = try await History(database, seed: seed, playersCount: 12)
            // Other dice than the history's, or an action would have the id of a score.
            var dice = Dice(seed: ~seed)
            var change = CharityChange()
            change.coolingOffMinutes = 60
            #expect(try await database.store.admin.setCharity(.of("trees"), change, now: .noon) == .set)
            (change.capOfDay, change.capInAll) = (.set(20), .set(80))
            #expect(try await database.store.admin.setCharity(.of("seas"), change, now: .noon) == .set)
            history.model.coolingOffMinutes = ["trees": 60, "seas": 60]
            history.model.caps = ["seas": CharityCaps(day: 20, all: 80)]
            var verdicts: Set<String> = []
            var last: ModerationAction?
            for round in 0..<60 {
                let batch = try history.scores()
                for (score, receipt) in zip(batch, try await database.store.record(batch, now: .noon)) {
                    let expected = history.model.judge(score)
                    #expect(receipt.outcome == expected.outcome && receipt.earned == expected.earned, "\(score)")
                    #expect(receipt.best == expected.best && receipt.balance == expected.balance, "\(score) \(receipt)")
                }
                let donations = try history.donations()
                // One after the other, as the model has them: which of several fills a cap depends on their order.
                for donation in donations {
                    let receipt = try await database.store.donate([donation], now: .noon)[0]
                    let expected = history.model.judge(donation)
                    #expect(receipt.outcome == expected.outcome && receipt.balance == expected.balance, "\(donation)")
                    verdicts.insert("donation \(receipt.outcome)")
                }
                for donation in donations where dice.percent(30) {
                    let change = dice.percent(50) ? DonationChange.anonymise : .takeBack
                    let now = donation.reachedAt.advanced(bySeconds: Int64.random(in: 0...4_000, using: &dice))
                    let expected =
                        history.model.donations.contains { $0.id == donation.id && $0.place == donation.charity.text }
                            && !history.model.erased.contains(history.model.survivor(donation.author))
                        ? history.model.change(donation.id, of: donation.author, change, now: now) : .noDonation
                    let outcome = try await database.store.change(
                        donation.id, to: .of(donation.charity.text), of: donation.author, change, marker: nil, now: now)
                    #expect(outcome == expected, "\(change) \(donation)")
                    verdicts.insert("\(change) \(outcome)")
                }
                for turn in 0..<3 {
                    // Few are erased, or nobody would be left to post.
                    let action =
                        turn == 0 && round % 10 == 9
                        ? erasure(history.model, history.players, &dice)
                        : try moderate(history.model, history.players, &dice)
                    let undone = history.model.actions.first { $0.id == action.kind.subject }
                    var player = undone?.into ?? action.kind.player ?? undone?.player
                    if case .merge(_, let into) = action.kind { player = into }
                    let before = player.map { history.model.sums($0) }
                    let verdict = history.model.judge(action)
                    let outcome = try await database.store.admin.perform(action, by: "cli", now: .noon)
                    #expect(name(of: outcome) == "\(verdict)", "\(action.kind) \(String(describing: undone))")
                    verdicts.insert("\(action.kind.name) \(verdict)")
                    if case .done(let receipt) = outcome, let player {
                        #expect(
                            receipt.before == before && receipt.after == history.model.sums(player), "\(action.kind)")
                        last = action
                    }
                }
                if let last {
                    guard case .repeated = try await database.store.admin.perform(last, by: "cli", now: .noon) else {
                        Issue.record("a repeat is done once")
                        continue
                    }
                }
            }
            for kind in [
                "void", "hold", "clear", "correct", "reverse", "anonymise", "merge", "undo", "takeBack", "erase",
            ] { #expect(verdicts.contains("\(kind) done"), "\(kind)") }
            #expect(verdicts.isSuperset(of: ["donation capReached", "takeBack tooLate", "donation noPlayer"]))
            for kind in ["void", "clear", "merge", "undo"] { #expect(verdicts.contains("\(kind) conflict"), "\(kind)") }
            #expect(try await database.auditComplaints() == [])
            let shown =
                "select (select count(*) from score_note where player_id = any(LEFT)) || ' ' "
                + "|| (select count(*) from player where id = any(LEFT) and name <> '')"
            let left = "'{\(history.model.erased.map { "\($0.rawValue)" }.joined(separator: ","))}'::bigint[]"
            #expect(!history.model.erased.isEmpty)
            #expect(try await database.owner.ask(shown.replacing("LEFT", with: left)) == ["0 0"])
            let now = history.now()
            try await database.compareBoards(history.model, now: now)
            try await database.compareDonations(history.model, now: now)
        }
    }

    private func moderate(_ model: Model, _ players: [Player.ID], _ dice: inout Dice) throws -> ModerationAction {
        let player = dice.pick(players)
        let scores = model.scores.filter { model.areOne($0.player, player) }.map(\.id) + [dice.uuid()]
        let donations = model.donations.filter { model.areOne($0.player, player) }.map(\.id) + [dice.uuid()]
        let kind: ModerationKind
        switch Int.random(in: 0..<14, using: &dice) {
        case 0...2: kind = .void(player, score: dice.pick(scores))
        case 3: kind = .hold(player, score: dice.pick(scores))
        case 4: kind = .clear(player, score: dice.pick(model.scores.filter { $0.state == .held }.map(\.id) + scores))
        case 5: kind = dice.percent(30) ? .voidAll(player, heldOnly: dice.percent(50)) : .clearAll(player)
        case 6, 7:
            kind = .correct(
                player, score: dice.pick(scores), points: Int64.random(in: -5...13, using: &dice),
                earned: Int64.random(in: 0...9, using: &dice))
        case 8: kind = .reverse(player, donation: dice.pick(donations), forfeits: dice.percent(50))
        case 9: kind = .anonymise(player, donation: dice.pick(donations))
        case 10: kind = .merge(player, into: dice.pick(players))
        default:
            guard let other = model.actions.suffix(20).randomElement(using: &dice) else {
                kind = .clearAll(player)
                break
            }
            kind = .undo(other.id)
        }
        return ModerationAction(kind, id: dice.uuid(), reason: try ModerationReason("because"))
    }

    private func erasure(_ model: Model, _ players: [Player.ID], _ dice: inout Dice) -> ModerationAction {
        let player = dice.pick(players)
        let name = dice.percent(70) ? model.names[model.survivor(player)] : "somebody"
        return ModerationAction(.erase(player, confirming: name ?? ""), id: dice.uuid(), reason: .left)
    }

    private func name(of outcome: ModerationOutcome) -> String {
        switch outcome {
        case .done: "done"
        case .conflict: "conflict"
        case .noScore: "noScore"
        case .noDonation: "noDonation"
        case .outOfBounds: "outOfBounds"
        default: "\(outcome)"
        }
    }
}
