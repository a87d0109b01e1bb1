import Domain
import OrderStatistics
import Storage
import Synchronization
import Testing

@testable import Leaderboard

@Suite struct InMemoryWindowTests {
    private static let id = InMemoryWindow.ID(
        board: Board.ID(rawValue: 7), days: Day(daysSince1970: 1)...Day(daysSince1970: 7))

    private static func window(hidden: HiddenPlayers = HiddenPlayers()) -> InMemoryWindow {
        InMemoryWindow(id, rule: WindowRule(policy: .sum, lowestFirst: false), hidden: hidden, askedAt: 0)
    }

    /// A player's points of one day rise.
    private static func change(_ row: Int64, from old: Int64?, to new: Int64) -> RollupChange {
        func value(_ points: Int64) -> PointsReached {
            PointsReached(points: points, reachedAt: Instant(microsecondsSince1970: points))
        }
        return RollupChange(board: id.board, day: Day(daysSince1970: 3), row: row, old: old.map(value), new: value(new))
    }

    /// Installs rows with these points, each reached at as many microseconds.
    private static func installs(_ points: [Int64: Int64], in window: InMemoryWindow, readAt position: UInt64) -> Bool {
        let rows = RankedSet.of(points.map { RankedRow(orderKey: 0 - $1, reachedAt: $1, row: $0) })
        return window.install(rows, readAt: position)
    }

    private static func points(of row: Int64, in window: InMemoryWindow) -> Int64? {
        window.read { rows, _ in rows.find(row).map { 0 - $0.orderKey } } ?? nil
    }

    @Test("commits before the snapshot count once, whether the stream brings them before the rows are there or after")
    func olderCommits() {
        let window = Self.window()
        #expect(window.apply([Self.change(1, from: 2, to: 5)], committedAt: 90))
        #expect(window.apply([Self.change(2, from: nil, to: 4)], committedAt: 100))
        #expect(Self.installs([1: 8], in: window, readAt: 100))
        // The stream was behind the snapshot, and brings what is in it only now.
        #expect(window.apply([Self.change(1, from: 5, to: 8)], committedAt: 95))
        #expect(window.apply([Self.change(1, from: 8, to: 9)], committedAt: 110))
        #expect(Self.points(of: 1, in: window) == 9 && Self.points(of: 2, in: window) == 4)
        // The first commit that is not in the snapshot may come after the rows, too.
        let late = Self.window()
        #expect(Self.installs([1: 8], in: late, readAt: 100))
        #expect(late.apply([Self.change(1, from: 8, to: 9)], committedAt: 100))
        #expect(Self.points(of: 1, in: late) == 9)
    }

    @Test("a window whose backlog it cannot apply says so when it is installed") func brokenBacklog() {
        let window = Self.window()
        // Another day's points of a player who had none before: only the database can tell the sum.
        let unknown = RollupChange(
            board: Self.id.board, day: Day(daysSince1970: 3), row: 1,
            old: PointsReached(points: 3, reachedAt: Instant(microsecondsSince1970: 8)), new: nil)
        #expect(window.apply([unknown], committedAt: 100))
        #expect(!Self.installs([1: 8], in: window, readAt: 50))
        #expect(window.version == nil)
    }

    @Test("a backlog beyond its bound breaks the window instead of growing") func longBacklog() {
        let window = Self.window()
        let changes = [RollupChange](repeating: Self.change(1, from: nil, to: 5), count: 100_000)
        for position in UInt64(0)..<10 { #expect(window.apply(changes, committedAt: position)) }
        #expect(!window.apply([changes[0]], committedAt: 10), "one change too many")
        #expect(!Self.installs([:], in: window, readAt: 0))
    }

    @Test("a player who is hidden while the rows are read is not ranked, and is again once shown") func hidden() throws
    {
        let hidden = HiddenPlayers([1])
        let window = Self.window(hidden: hidden)
        #expect(window.apply([Self.change(1, from: 8, to: 9), Self.change(2, from: 3, to: 4)], committedAt: 100))
        #expect(Self.installs([1: 8, 2: 3], in: window, readAt: 50))
        #expect(Self.points(of: 1, in: window) == nil && Self.points(of: 2, in: window) == 4)
        let version = try #require(window.version)
        #expect(hidden.set(1, false))
        window.setHidden(1, false)
        #expect(Self.points(of: 1, in: window) == 9)
        let later = try #require(window.version)
        #expect(later > version, "what was read before is not shown any more")
        #expect(hidden.set(3, true))
        #expect(window.apply([Self.change(3, from: nil, to: 2)], committedAt: 120))
        #expect(Self.points(of: 3, in: window) == nil)
    }

    @Test("while a large commit is applied, readers have their turn between its changes") func largeCommit() async {
        let count: Int64 = 100_000
        var sawPart = false
        // One round is mostly enough; whether a reader runs meanwhile is up to the system.
        for _ in 0..<50 where !sawPart {
            let window = Self.window()
            #expect(Self.installs([:], in: window, readAt: 0))
            let changes = (1...count).map { Self.change($0, from: nil, to: $0) }
            sawPart = await withTaskGroup { group in
                group.addTask {
                    while true {
                        switch window.rowsCount {
                        case 0: continue
                        case Int(count): return false
                        default: return true
                        }
                    }
                }
                #expect(window.apply(changes, committedAt: 1))
                return await group.next() ?? false
            }
            #expect(window.rowsCount == Int(count))
        }
        #expect(sawPart, "nobody could read before all \(count) changes were applied")
    }

    @Test(
        "a player who is hidden at any moment while the rows are installed is not ranked", arguments: [0, 100, 2_000])
    func hiddenMeanwhile(yields: Int) async {
        let count: Int64 = 50_000
        let hidden = HiddenPlayers()
        let window = Self.window(hidden: hidden)
        #expect(window.apply((1...count).map { Self.change($0, from: nil, to: $0) }, committedAt: 100))
        let hiding = Task {
            for _ in 0..<yields { await Task.yield() }
            if hidden.set(7, true) { window.setHidden(7, true) }
        }
        #expect(Self.installs([7: 3], in: window, readAt: 50))
        await hiding.value
        #expect(Self.points(of: 7, in: window) == nil)
        #expect(window.rowsCount == Int(count) - 1)
    }
}
