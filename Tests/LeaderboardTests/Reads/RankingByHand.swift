import Domain
import Foundation
import TestDatabases

/// Ranks one board in one window by hand from the wire contract. Every question looks at everything again.
struct RankingByHand {
    struct Line: Equatable {
        let row: Int64
        let points: Int128
        let at: Instant
    }

    let rules: Rules
    /// The rows, best first.
    let lines: [Line]

    /// - Parameter entries: The entries of this board and window, without those of hidden players.
    init(_ entries: [Entry], by rules: Rules) {
        self.rules = rules
        lines = Dictionary(grouping: entries, by: \.row).values.map { Self.line(of: $0, by: rules) }.sorted {
            one, other in
            if one.points != other.points { return rules.isBetter(one.points, other.points) }
            return (one.at, one.row) < (other.at, other.row)
        }
    }

    /// The line of one row's entries, of which there is at least one.
    static func line(of entries: [Entry], by rules: Rules) -> Line {
        let inTime = entries.sorted { $0.at < $1.at }
        let first = inTime[0]
        let last = inTime[inTime.count - 1]
        switch rules.policy {
        case .sum:
            let at = first.anonymousRow == nil ? last.at : first.at.midnight(in: rules.zone)
            return Line(row: first.row, points: entries.reduce(0) { $0 + Int128($1.points) }, at: at)
        case .latest: return Line(row: first.row, points: Int128(last.points), at: last.at)
        case .best:
            let best = inTime.reduce(first) { rules.isBetter(Int128($1.points), Int128($0.points)) ? $1 : $0 }
            return Line(row: first.row, points: Int128(best.points), at: best.at)
        }
    }

    private func better(than points: Int128) -> Int { lines.filter { rules.isBetter($0.points, points) }.count }

    func equals(_ points: Int128) -> Int { lines.filter { $0.points == points }.count }

    /// The rank as it is displayed.
    func rank(_ index: Int) -> Int64 { Int64(rules.ties == .shared ? better(than: lines[index].points) : index) + 1 }

    func isTied(_ index: Int) -> Bool { equals(lines[index].points) > 1 }

    /// Tenths of a percent of the others that have a worse rank, halves rounded up; nil where there are none.
    func percentileTenths(_ index: Int) -> Int64? {
        let others = lines.count - 1
        guard others > 0 else { return nil }
        let worse = lines.indices.filter { rank($0) > rank(index) }.count
        // This rounds as on paper: the tenths that fit, and one more if the rest is half of one or more.
        let (tenths, left) = (1_000 * worse).quotientAndRemainder(dividingBy: others)
        return Int64(2 * left >= others ? tenths + 1 : tenths)
    }

    /// The least change after which the row, reached after all others, has a better rank; nil at rank 1. It is found by
    /// trying one point after the other.
    func changeToNext(_ index: Int) -> Int128? {
        let own = rank(index)
        guard own > 1 else { return nil }
        let others = lines.indices.filter { $0 != index }.map { lines[$0].points }
        var change: Int128 = 0
        while true {
            change += rules.lowestFirst ? -1 : 1
            let points = lines[index].points + change
            let ahead = others.filter { rules.isBetter($0, points) || (rules.ties == .first && $0 == points) }.count
            if Int64(ahead) + 1 < own { return change }
        }
    }

    /// The position that a new player would have with these points.
    func position(ofNew points: Int128) -> (position: Int64, shared: Int64) {
        let ahead = better(than: points)
        return (Int64(ahead + equals(points)) + 1, Int64(ahead) + 1)
    }

    /// The range of the rows around one: below and above by turns, as far as there are any.
    func around(_ index: Int, limitRows: Int) -> Range<Int> {
        var shown = index..<(index + 1)
        var isTurnOfBelow = true
        while shown.count < min(limitRows, lines.count) {
            if isTurnOfBelow, shown.upperBound < lines.count {
                shown = shown.lowerBound..<(shown.upperBound + 1)
            } else if !isTurnOfBelow, shown.lowerBound > 0 {
                shown = (shown.lowerBound - 1)..<shown.upperBound
            }
            isTurnOfBelow.toggle()
        }
        return shown
    }

    func sortKey(_ index: Int) -> SortKey {
        let line = lines[index]
        return SortKey(orderKey: rules.lowestFirst ? line.points : -line.points, reachedAt: line.at, row: line.row)
    }
}

/// A recorded post or donation, as a person would write it down.
struct Entry: Sendable {
    /// The slug of a board, or of a charity.
    let board: String
    /// Nil for a donation.
    let season: Int32?
    let player: Player.ID
    /// The row of an anonymous donation.
    var anonymousRow: Int64?
    let points: Int64
    let at: Instant

    /// The id of its row in a ranking.
    var row: Int64 { anonymousRow ?? player.rawValue }

    /// Whether rankings show it while some players are hidden: nobody's hiding hides what was donated anonymously.
    func isShown(hiding hidden: Set<Player.ID>) -> Bool { anonymousRow != nil || !hidden.contains(player) }
}

/// The rules by which a board ranks; its zone is Foundation's.
struct Rules: Sendable {
    let policy: Board.Policy
    let lowestFirst: Bool
    let ties: Board.Ties
    let zone: TimeZone
    var closesAt: Instant?

    /// The rules of a ranking of contributors.
    static func donationBoard(in zone: TimeZone, closesAt: Instant? = nil) -> Rules {
        Rules(policy: .sum, lowestFirst: false, ties: .first, zone: zone, closesAt: closesAt)
    }

    func isBetter(_ one: Int128, _ other: Int128) -> Bool { lowestFirst ? one < other : one > other }
}
