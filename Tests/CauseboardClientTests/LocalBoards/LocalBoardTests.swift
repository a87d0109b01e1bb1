import Contract
import Foundation
import TestDice
import Testing

@testable import CauseboardClient

@Suite struct LocalBoardTests {
    @Test("ten scores are kept, only those above zero, and an equal score goes below") func seed() {
        var board = LocalBoard()
        for points in [50, 0, -5, 70, 50, 60] { board.insert(LocalEntry(name: "Ada \(points)", points: Int64(points))) }
        let late = LocalEntry(name: "Late", points: 50)
        #expect(board.insert(late) == 5)
        #expect(board.entries.map(\.points) == [70, 60, 50, 50, 50])
        for points in 1...20 { board.insert(LocalEntry(name: "Bob", points: Int64(points))) }
        #expect(board.entries.map(\.points) == [70, 60, 50, 50, 50, 20, 19, 18, 17, 16])
        #expect(board.insert(LocalEntry(name: "Eve", points: 16)) == nil)
        #expect(board.insert(late) == 5)
    }

    @Test("a board is what sorting all scores would give", arguments: Dice.seeds(1...50)) func model(seed: UInt64) {
        var dice = Dice(seed: seed)
        let order: BoardSettings.Order = dice.percent(50) ? .highest : .lowest
        let most = Int.random(in: 1...12, using: &dice)
        var board = LocalBoard(.init(entriesMax: most, order: order))
        var all: [LocalEntry] = []
        for _ in 0..<40 {
            let entry = LocalEntry(
                id: dice.uuid(), name: "Ada", points: Int64.random(in: -3...9, using: &dice),
                playedAt: Date(timeIntervalSince1970: 0))
            all.append(entry)
            board.insert(entry)
            // The sort of Swift is stable: equal scores stay in the order in which they came.
            let sorted = all.filter { $0.points > 0 }.sorted {
                order == .highest ? $0.points > $1.points : $0.points < $1.points
            }
            #expect(board.entries == Array(sorted.prefix(most)), "seed \(seed)")
        }
    }

    @Test("boards are kept through restarts, each for itself, and a damaged file does not stop the game")
    func restarts() async throws {
        let scratch = try ScratchDirectory()
        func boards() throws -> LocalBoards { try LocalBoards(scratch.url, [:], pending: [], refused: []) }
        let first = try boards()
        let entry = LocalEntry(name: "Ada", points: 5, state: .sent)
        try await first.insert(entry, into: "lap")
        try await first.insert(LocalEntry(name: "Ada", points: 7, state: .sent), into: "sprint")
        #expect(try await boards().board("lap").entries.map(\.id) == [entry.id])
        #expect(try await boards().board("sprint").entries.map(\.points) == [7])
        try Data("{".utf8).write(to: scratch.url.appendingPathComponent("lap.json"))
        #expect(try await boards().board("lap").entries.isEmpty)
    }

    @Test("a board that a crash left behind the journal is set right when it is read") func behind() async throws {
        let scratch = try ScratchDirectory()
        let entries = (1...3).map { LocalEntry(name: "Ada", points: Int64(10 - $0)) }
        let before = try LocalBoards(scratch.url, [:], pending: [], refused: [])
        for entry in entries { try await before.insert(entry, into: "lap") }
        let after = try LocalBoards(scratch.url, [:], pending: [entries[1].id], refused: [entries[2].id])
        #expect(try await after.board("lap").entries.map(\.state) == [.sent, .pending, .refused])
    }

    @Test("what a damaged journal does not know is unknown, and stays so") func unknown() async throws {
        let scratch = try ScratchDirectory()
        let entries = (1...3).map { LocalEntry(name: "Ada", points: Int64(10 - $0)) }
        let before = try LocalBoards(scratch.url, [:], pending: [], refused: [])
        for entry in entries { try await before.insert(entry, into: "lap") }
        let (waiting, refused) = (Set([entries[1].id]), Set([entries[2].id]))
        let damaged = try LocalBoards(scratch.url, [:], pending: waiting, refused: refused, isJournalWhole: false)
        #expect(try await damaged.board("lap").entries.map(\.state) == [.unknown, .pending, .refused])
        let after = try LocalBoards(scratch.url, [:], pending: waiting, refused: [])
        #expect(try await after.board("lap").entries.map(\.state) == [.unknown, .pending, .refused])
    }
}

@Suite struct MergedRankingTests {
    private let page = Ranking(
        board: "lap", of: 3,
        rows: [(1, "FR", "Bob", 90), (2, "DE-BE", "Ada", 50), (3, nil, "Eve", 40)].map { rank, flag, name, points in
            RankedRow(
                rank: rank, tied: false, player: Int64(rank), name: name, points: points,
                reachedAt: Timestamp(microsecondsSince1970: 0), flag: flag)
        })

    @Test("a better score that waits moves its player up, below equal points") func better() {
        let rows = page.merged(with: entries(90), player: 2, order: .highest)
        #expect(rows.map(\.name) == ["Bob", "Ada", "Eve"])
        #expect(rows.map(\.points) == [90, 90, 40])
        #expect(rows.map(\.isPending) == [false, true, false])
        #expect(rows.map(\.flag) == ["FR", "DE-BE", nil])
        #expect(page.merged(with: entries(91, 3), player: 2, order: .highest).map(\.name) == ["Ada", "Bob", "Eve"])
    }

    @Test("a worse score changes nothing, and one that was sent is in the page already") func worse() {
        #expect(page.merged(with: entries(49), player: 2, order: .highest).map(\.points) == [90, 50, 40])
        let equal = page.merged(with: entries(50), player: 2, order: .highest)
        #expect(equal.map(\.points) == [90, 50, 40] && equal.allSatisfy { !$0.isPending })
        var sent = entries(95)
        sent[0].state = .sent
        let rows = page.merged(with: sent, player: 2, order: .highest)
        #expect(rows.map(\.points) == [90, 50, 40])
        #expect(rows.map(\.isMine) == [false, true, false])
        #expect(rows.map(\.flag) == ["FR", "DE-BE", nil])
    }

    @Test("sums add up, and the latest counts as it is") func policies() {
        #expect(
            page.merged(with: entries(10, 31), player: 2, order: .highest, policy: .sum).map(\.points) == [91, 90, 40])
        let latest = page.merged(with: entries(95, 3), player: 2, order: .highest, policy: .latest)
        #expect(latest.map(\.points) == [90, 40, 3])
        #expect(latest.map(\.rank) == [1, 2, 3])
    }

    @Test(
        "ranks and points that are as great as numbers get overflow nothing", arguments: [Ranking.Ties.first, .shared])
    func greatest(ties: Ranking.Ties) {
        func row(_ player: Int64, _ points: Int128) -> RankedRow {
            let never = Timestamp(microsecondsSince1970: 0)
            return RankedRow(rank: .max, tied: false, player: player, name: "Bob", points: points, reachedAt: never)
        }
        let page = Ranking(board: "lap", of: .max, ties: ties, rows: [row(1, .max), row(2, .max), row(3, .min)])
        let rows = page.merged(with: entries(.max, .max), player: 2, order: .highest, policy: .sum)
        #expect(rows.map(\.points) == [.max, .max, .min])
        #expect(rows.allSatisfy { $0.rank == .max })
        let least = page.merged(with: entries(.min, .min), player: 3, order: .highest, policy: .sum)
        #expect(least.last?.points == .min)
    }

    @Test("a player who is not on the page comes onto it, and a page that has more stays as long") func stranger() {
        #expect(page.merged(with: entries(60), player: 9, order: .highest).map(\.rank) == [1, 2, 3, 4])
        let cut = Ranking(board: "lap", of: 9, ties: .shared, rows: page.rows, next: "cursor")
        let rows = cut.merged(with: entries(50), player: nil, order: .highest)
        #expect(rows.map(\.points) == [90, 50, 50])
        #expect(rows.map(\.rank) == [1, 2, 2])
    }

    private func entries(_ points: Int64...) -> [LocalEntry] { points.map { LocalEntry(name: "Ada", points: $0) } }
}
