import Domain
import OrderStatistics
import Storage
import TestDice
import Testing

@testable import Leaderboard

@Suite struct WindowRuleTests {
    private static func change(_ old: PointsReached?, _ new: PointsReached?) -> RollupChange {
        RollupChange(board: Board.ID(rawValue: 1), day: Day(daysSince1970: 1), row: 7, old: old, new: new)
    }

    /// A player's row of all its days, by hand.
    private static func row(_ days: [PointsReached], _ rule: WindowRule) -> RankedRow? {
        guard let last = days.map(\.reachedAt).max() else { return nil }
        let rows = days.compactMap { rule.row(7, $0) }
        switch rule.policy {
        case .sum:
            let points = days.reduce(0) { $0 + $1.points }
            return rule.row(7, PointsReached(points: points, reachedAt: last))
        case .latest: return rows.filter { $0.reachedAt == last.microsecondsSince1970 }.min()
        case .best: return rows.min()
        }
    }

    @Test(
        "what a change of a day makes of the window is what all days come to, or is not known",
        arguments: Board.Policy.allCases, [false, true]) func days(policy: Board.Policy, lowestFirst: Bool)
    {
        var dice = Dice(seed: 5)
        let rule = WindowRule(policy: policy, lowestFirst: lowestFirst)
        var known = 0
        for _ in 0..<5_000 {
            func value() -> PointsReached {
                PointsReached(
                    points: Int64.random(in: -3...3, using: &dice),
                    reachedAt: Instant(microsecondsSince1970: Int64.random(in: 0...5, using: &dice)))
            }
            var days: [PointsReached?] = (0..<3).map { _ in dice.percent(60) ? value() : nil }
            let day = Int.random(in: 0..<3, using: &dice)
            let (before, old) = (Self.row(days.compactMap { $0 }, rule), days[day])
            let new = dice.percent(80) ? value() : nil
            days[day] = new
            let after = Self.row(days.compactMap { $0 }, rule)
            let label = "\(String(describing: before)), \(String(describing: old)) to \(String(describing: new))"
            switch rule.outcome(of: Self.change(old, new), current: before, isWhole: false) {
            case .set(let row): #expect(after == row, "\(label)")
            case .remove: #expect(after == nil, "\(label)")
            case .nothing: #expect(after == before, "\(label)")
            case .unknown: continue
            }
            known += 1
        }
        #expect(known > 2_000)
    }

    @Test("what is all that the window has of a player is its row, and goes with it", arguments: Board.Policy.allCases)
    func whole(policy: Board.Policy) throws {
        let rule = WindowRule(policy: policy, lowestFirst: false)
        let (one, other) = (
            PointsReached(points: 5, reachedAt: Instant(microsecondsSince1970: 9)),
            PointsReached(points: 3, reachedAt: Instant(microsecondsSince1970: 4))
        )
        let row = try #require(rule.row(7, one))
        guard case .remove = rule.outcome(of: Self.change(one, nil), current: row, isWhole: true),
            case .set(let set) = rule.outcome(of: Self.change(one, other), current: row, isWhole: true),
            case .nothing = rule.outcome(of: Self.change(one, nil), current: nil, isWhole: true)
        else {
            Issue.record("the row is not what the change says")
            return
        }
        #expect(set == rule.row(7, other))
    }
}
