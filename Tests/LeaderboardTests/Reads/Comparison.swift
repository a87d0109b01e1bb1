import Domain
import Foundation
import Leaderboard
import Storage
import TestDice
import Testing

/// Compares every way to read one board in one window with the ranking by hand.
struct Comparison {
    let rankings: Rankings
    let store: Store
    let board: Board
    let window: Window
    let expected: RankingByHand
    /// The window by Foundation's calendar; nil for all time.
    let span: DateInterval?
    let isFinal: Bool
    let names: [Player.ID: String]
    /// Players of all kinds: visible and hidden, with a row and without.
    let players: [Player.ID]
    var dice: Dice
    /// What is compared, as a failure names it.
    let label: String

    private var count: Int { expected.lines.count }

    /// - Parameter how: The request.
    /// - Returns: Whether all of it was right; a comparison stops at its first failure.
    private func isSame(_ ranking: Ranking, _ shown: Range<Int>, includesTotal: Bool, _ how: String) -> Bool {
        let rows = Array(expected.lines[shown])
        var isSame = expect(ranking.rows.map(\.sortKey) == shown.map(expected.sortKey), "places", how)
        isSame = expect(ranking.rows.map(\.points) == rows.map(\.points), "points", how) && isSame
        isSame = expect(ranking.rows.map(\.reachedAt) == rows.map(\.at), "times", how) && isSame
        isSame =
            expect(
                ranking.rows.map(\.player) == rows.map { $0.row > 0 ? Player.ID(rawValue: $0.row) : nil }, "players",
                how) && isSame
        isSame =
            expect(
                ranking.rows.map(\.name) == rows.map { names[Player.ID(rawValue: $0.row)] ?? "Anonymous" }, "names", how
            ) && isSame
        isSame = expect(ranking.ranks.map(\.number) == shown.map(expected.rank), "ranks", how) && isSame
        isSame = expect(ranking.ranks.map(\.isTied) == shown.map(expected.isTied), "ties", how) && isSame
        isSame =
            expect(
                ranking.span.map { DateInterval(start: $0.lowerBound.date, end: $0.upperBound.date) } == span, "span",
                how) && isSame
        isSame = expect(ranking.isFinal == isFinal, "final", how) && isSame
        return expect(!includesTotal || ranking.size == Int64(count), "size", how) && isSame
    }

    private func isSamePage(_ ranking: Ranking, _ shown: Range<Int>, includesTotal: Bool, _ how: String) -> Bool {
        let isSame = isSame(ranking, shown, includesTotal: includesTotal, how)
        let ends = (previous: shown.lowerBound > 0 && !shown.isEmpty, next: shown.upperBound < count && !shown.isEmpty)
        return expect(ranking.hasPrevious == ends.previous && ranking.hasNext == ends.next, "ends", how) && isSame
    }

    private func expect(_ isRight: Bool, _ what: String, _ how: String) -> Bool {
        if !isRight { Issue.record("\(what) of \(label), \(how)") }
        return isRight
    }

    /// Compares every kind of read.
    mutating func run() async throws {
        guard try await pages(), try await walks(), try await neighbours(), try await places(), try await choices()
        else { return }
        try await newPoints()
    }

    private func page(_ pageRequest: PageRequest, limitRows: Int, includesTotal: Bool) async throws -> Ranking {
        try await rankings.ranking(
            of: board, window: window, days: nil, pageRequest: pageRequest, limitRows: limitRows,
            includesTotal: includesTotal)
    }

    /// Compares pages from every position and beyond the end, and after and before every row and keys without a row.
    private mutating func pages() async throws -> Bool {
        for position in 1...(count + 2) {
            let (limit, includesTotal) = (dice.pick([1, 2, 5, 100]), dice.percent(50))
            let start = min(position - 1, count)
            let ranking = try await page(.from(Int64(position)), limitRows: limit, includesTotal: includesTotal)
            let shown = start..<min(start + limit, count)
            guard isSamePage(ranking, shown, includesTotal: includesTotal, "from \(position) limit \(limit)") else {
                return false
            }
        }
        var cursors = expected.lines.indices.map(expected.sortKey)
        // These keys have no row: an instant earlier or later than a row's, a neighbour's id, and keys before and after
        // all rows.
        for key in cursors.filter({ _ in dice.percent(25) }) {
            cursors += [-1, 1].map {
                SortKey(orderKey: key.orderKey, reachedAt: key.reachedAt.advanced(byMicroseconds: $0), row: key.row)
            }
            cursors.append(SortKey(orderKey: key.orderKey, reachedAt: key.reachedAt, row: key.row + 1))
        }
        for key in [Int128(Int64.min) + 1, Int128(Int64.max)] {
            cursors.append(SortKey(orderKey: key, reachedAt: .noon2000, row: 1))
        }
        let keys = expected.lines.indices.map(expected.sortKey)
        for cursor in cursors {
            let (limit, includesTotal) = (dice.pick([1, 2, 3, 7]), dice.percent(50))
            let start = keys.filter { !cursor.precedes($0) }.count
            let after = try await page(.after(cursor), limitRows: limit, includesTotal: includesTotal)
            guard
                isSamePage(
                    after, start..<min(start + limit, count), includesTotal: includesTotal,
                    "after \(cursor) limit \(limit)")
            else { return false }
            let end = keys.filter { $0.precedes(cursor) }.count
            let before = try await page(.before(cursor), limitRows: limit, includesTotal: includesTotal)
            guard
                isSamePage(
                    before, max(0, end - limit)..<end, includesTotal: includesTotal, "before \(cursor) limit \(limit)")
            else { return false }
        }
        return true
    }

    /// Reads page by page to the end and back.
    private mutating func walks() async throws -> Bool {
        for limit in [2, 7, 100] {
            var seen: [SortKey] = []
            var ranking = try await page(.top, limitRows: limit, includesTotal: dice.percent(50))
            seen += ranking.rows.map(\.sortKey)
            while ranking.hasNext, let last = ranking.rows.last, seen.count <= count {
                ranking = try await page(.after(last.sortKey), limitRows: limit, includesTotal: dice.percent(50))
                seen += ranking.rows.map(\.sortKey)
            }
            guard expect(seen == expected.lines.indices.map(expected.sortKey), "rows", "all pages of \(limit)") else {
                return false
            }
            var back = ranking.rows.map(\.sortKey)
            while ranking.hasPrevious, let first = ranking.rows.first, back.count <= count {
                ranking = try await page(.before(first.sortKey), limitRows: limit, includesTotal: dice.percent(50))
                back = ranking.rows.map(\.sortKey) + back
            }
            guard expect(back == seen, "rows", "all pages of \(limit) backwards") else { return false }
        }
        return true
    }

    /// Compares the neighbours of every player, with even and odd limits.
    private mutating func neighbours() async throws -> Bool {
        for player in players {
            for limit in [dice.pick([1, 3, 5, 9]), dice.pick([2, 4, 8, 100])] {
                let includesTotal = dice.percent(50)
                let ranking = try await rankings.ranking(
                    of: board, window: window, around: player, limitRows: limit, includesTotal: includesTotal)
                guard let index = expected.lines.firstIndex(where: { $0.row == player.rawValue }) else {
                    guard
                        expect(
                            ranking.rows.isEmpty && !ranking.hasNext && !ranking.hasPrevious, "rows", "around nobody")
                    else { return false }
                    continue
                }
                let shown = expected.around(index, limitRows: limit)
                guard
                    isSamePage(
                        ranking, shown, includesTotal: includesTotal && !ranking.rows.isEmpty,
                        "around \(player) limit \(limit)")
                else { return false }
            }
        }
        return true
    }

    /// Compares the position of every player, and of the rows of anonymous donations.
    private func places() async throws -> Bool {
        for player in players {
            let position = try await rankings.findRankPosition(of: player, on: board, window: window)
            guard try isSame(position, expected.lines.firstIndex { $0.row == player.rawValue }, "\(player)") else {
                return false
            }
        }
        let days = window.days(today: board.today)
        for line in expected.lines where line.row < 0 {
            let position = try await store.rankPositions(of: [line.row], on: board.id, days: days).first?.rankPosition
            guard try isSame(position, expected.lines.firstIndex(of: line), "\(line.row)") else { return false }
        }
        return true
    }

    private func isSame(_ position: RankPosition?, _ index: Int?, _ who: String) throws -> Bool {
        guard let index, let position else { return expect(position == nil && index == nil, "row", "place of \(who)") }
        var isSame = expect(position.sortKey == expected.sortKey(index), "row", "place of \(who)")
        isSame = expect(position.position == Int64(index) + 1, "position", "place of \(who)") && isSame
        let rank = position.rank(board.ties)
        isSame =
            expect(
                rank.number == expected.rank(index) && rank.isTied == expected.isTied(index), "rank", "place of \(who)")
            && isSame
        isSame =
            expect(position.equals == Int64(expected.equals(expected.lines[index].points)), "equals", "place of \(who)")
            && isSame
        isSame =
            expect(
                position.percentileTenths(of: Int64(count), board.ties) == expected.percentileTenths(index),
                "percentile", "place of \(who)") && isSame
        return expect(position.changeToNext(board) == expected.changeToNext(index), "change to next", "place of \(who)")
            && isSame
    }

    /// Compares the rows of some players at once, unknown and hidden ones among them.
    private mutating func choices() async throws -> Bool {
        for size in [0, 1, 4, players.count] {
            var chosen = Array(players.shuffled(using: &dice).prefix(size))
            if dice.percent(50) { chosen += [Player.ID(rawValue: Limits.playerIDMax)] + chosen.prefix(1) }
            let shown = expected.lines.indices.filter { index in
                chosen.contains { $0.rawValue == expected.lines[index].row }
            }
            let ranking = try await rankings.ranking(of: board, window: window, players: chosen, includesTotal: true)
            let how = "players \(chosen.map(\.rawValue))"
            var isSame = expect(ranking.rows.map(\.sortKey) == shown.map(expected.sortKey), "places", how)
            isSame = expect(ranking.ranks.map(\.number) == shown.map(expected.rank), "ranks", how) && isSame
            isSame = expect(ranking.ranks.map(\.isTied) == shown.map(expected.isTied), "ties", how) && isSame
            isSame =
                expect(ranking.size == Int64(count) && !ranking.hasNext && !ranking.hasPrevious, "size and ends", how)
                && isSame
            let rowIDs = chosen.map(\.rawValue) + expected.lines.map(\.row).filter { $0 < 0 && dice.percent(30) }
            let positions = try await store.rankPositions(
                of: rowIDs, on: board.id, days: window.days(today: board.today))
            let rows = expected.lines.indices.filter { rowIDs.contains(expected.lines[$0].row) }
            isSame = expect(positions.count == rows.count, "how many", how) && isSame
            for (row, index) in zip(positions, rows) {
                isSame = try self.isSame(row.rankPosition, index, how) && isSame
            }
            guard isSame else { return false }
        }
        let anonymous = board.kind == .donation ? expected.lines.filter { $0.row < 0 }.count : 0
        guard try await rankings.anonymousSize(of: board, window: window) == Int64(anonymous) else {
            return expect(false, "anonymous rows", "asked alone")
        }
        return expect(try await rankings.size(of: board, window: window) == Int64(count), "size", "asked alone")
    }

    /// Compares the position of points that nobody has posted yet, and of the bounds themselves.
    private func newPoints() async throws {
        var asked: Set<Int64> = [board.bounds.lowerBound, board.bounds.upperBound]
        for line in expected.lines { asked.formUnion([-1, 0, 1].map { Int64(line.points) + $0 }) }
        for points in asked {
            let position = try await rankings.pointsPosition(of: points, on: board, window: window)
            let (expectedPosition, shared) = expected.position(ofNew: Int128(points))
            let isSame = position.position == expectedPosition && position.sharedPosition == shared
            guard expect(isSame, "place", "of \(points) points") else { return }
        }
    }
}

extension Instant { fileprivate static let noon2000 = Instant(microsecondsSince1970: 946_728_000_000_000) }
