import Domain
import OrderStatistics
import Storage
import TestDatabases
import Testing

@testable import Leaderboard

@Suite struct WindowRegistryTests {
    private static let today = Day.sample

    private static func rows(_ count: Int) -> RankedSet {
        .of((0..<Int64(count)).map { RankedRow(orderKey: $0, reachedAt: 0, row: $0) })
    }

    /// A registry with one season that is played, in memory.
    private static func registry() -> WindowRegistry {
        var registry = WindowRegistry()
        registry.begin(hidden: [])
        _ = registry.prepare(.sample(1)).install(rows(10), readAt: 0)
        return registry
    }

    /// Asks for a window, twice if need be, and loads it.
    private static func load(
        _ id: InMemoryWindow.ID,
        of board: Board,
        rowsCount: Int,
        in registry: inout WindowRegistry,
        at seconds: Int64
    ) {
        if !registry.wish(for: id, of: board, at: seconds) { _ = registry.wish(for: id, of: board, at: seconds) }
        for window in registry.takeWishes(1, at: seconds)
        where registry.makeRoom(for: window, rowsCount: rowsCount, at: seconds) {
            _ = window.install(rows(rowsCount), readAt: 0)
        }
    }

    private static let live = InMemoryWindow.ID(board: Board.ID(rawValue: 1), days: nil)

    @Test("whoever walks through seasons and windows fills no more than the bound, and never moves out what is played")
    func walk() {
        var registry = Self.registry()
        for step in 0..<1_000 {
            let season = Board.sample(Int32(2 + step), endedAt: .noon)
            Self.load(
                .init(board: season.id, days: nil),
                of: season,
                rowsCount: 1,
                in: &registry,
                at: Int64(step / 100)
            )
            let day = Day(daysSince1970: Int32(step))
            let played = Board.sample(1)
            Self.load(.init(board: played.id, days: day...day), of: played, rowsCount: 1, in: &registry, at: 0)
            registry.tidy(at: Int64(step / 100))
            #expect(registry.windows.count <= Limits.windowsMax + 1)
            #expect(registry.datedWindows.values.reduce(0) { $0 + $1.count } <= Limits.windowsMax)
        }
        #expect(registry.windows.count == Limits.windowsMax + 1)
        #expect(registry.windows[Self.live]?.rowsCount == 10)
    }

    @Test("a season that ends stays only while it is read, and one that is played stays although nobody reads it")
    func seasonEnds() {
        var registry = Self.registry()
        _ = registry.prepare(.sample(2))
        registry.end(Board.ID(rawValue: 1), at: 100)
        registry.tidy(at: 100 + Limits.windowSecondsMax)
        #expect(registry.windows.count == 2)
        registry.tidy(at: 101 + Limits.windowSecondsMax)
        #expect(registry.windows.keys.map(\.board.rawValue) == [2])
    }

    @Test("an ended season is loaded when it is asked for again, and a window is asked for once") func wishes() {
        var registry = Self.registry()
        let season = Board.sample(2, endedAt: .noon)
        let id = InMemoryWindow.ID(board: season.id, days: nil)
        let asked = (0..<3).map { _ in registry.wish(for: id, of: season, at: 0) }
        #expect(asked == [false, true, false])
        let day = InMemoryWindow.ID(board: Self.live.board, days: Self.today...Self.today)
        let askedOfToday = registry.wish(for: day, of: .sample(1), at: 0)
        #expect(askedOfToday)
        let taken = [registry.takeWishes(1, at: 0), registry.takeWishes(9, at: 0)]
        #expect(taken.map { $0.map(\.id) } == [[id], [day]])
    }

    @Test("no more windows wait to be loaded than may be in memory, and they hold no changes while they wait")
    func manyWishes() {
        var registry = Self.registry()
        for day in Int32(0)..<1_000 {
            let days = Day(daysSince1970: 20_000 - day)...Self.today
            _ = registry.wish(for: .init(board: Self.live.board, days: days), of: .sample(1), at: 0)
        }
        #expect(registry.windows.count == 1 && registry.datedWindows.isEmpty)
        let taken = registry.takeWishes(.max, at: 0)
        #expect(taken.count == Limits.windowsMax)
    }

    @Test("what was not read for the longest time makes room for more rows") func rowsBound() throws {
        var registry = Self.registry()
        let played = Board.sample(1)
        let ids = (0..<3).map { InMemoryWindow.ID(board: played.id, days: Day(daysSince1970: $0)...Self.today) }
        for (index, id) in ids.enumerated() {
            Self.load(id, of: played, rowsCount: 1_000, in: &registry, at: Int64(index))
        }
        let last = try #require(registry.windows[ids[2]])
        let hasRoom = registry.makeRoom(for: last, rowsCount: Limits.windowRowsMax - 1_500, at: 3)
        #expect(hasRoom && registry.windows[ids[0]] == nil && registry.windows[ids[1]] != nil)
        // It alone is too large, so it goes, and is not asked for again so soon.
        let isTooLarge = !registry.makeRoom(for: last, rowsCount: Limits.windowRowsMax + 1, at: 4)
        #expect(isTooLarge && registry.windows[ids[2]] == nil && registry.windows[ids[1]] != nil)
        let asked = [5, 5 + Limits.windowSecondsMax].map { registry.wish(for: ids[2], of: played, at: $0) }
        #expect(asked == [false, true])
        #expect(registry.windows[Self.live]?.rowsCount == 10)
    }

    @Test("a window that failed to load does not take away the one that has come in its place") func successor() throws
    {
        var registry = Self.registry()
        let days = InMemoryWindow.ID(board: Self.live.board, days: Self.today...Self.today)
        let isWanted = registry.wish(for: days, of: .sample(1), at: 0)
        let taken = registry.takeWishes(1, at: 0)
        let failed = try #require(taken.first)
        #expect(isWanted)
        registry.remove(failed)
        Self.load(days, of: .sample(1), rowsCount: 5, in: &registry, at: 0)
        registry.remove(failed)
        #expect(registry.windows[days]?.rowsCount == 5 && registry.datedWindows[days.board]?.count == 1)
    }

    @Test("standings drop a window that could not apply its backlog, so that the next reader asks for it again")
    func brokenInstall() throws {
        let standings = InMemoryStandings()
        standings.freshness.set(isCurrent: true, freshUntil: .now + .seconds(3_600))
        standings.begin(hidden: [])
        let (board, days) = (Board.sample(1), Self.today...Self.today)
        _ = standings.prepare(.sample(1))
        #expect(standings.window(of: board, days: Day(daysSince1970: 19_999)...Self.today) == nil)
        let window = try #require(standings.takeWanted(1).first)
        let value = PointsReached(points: 1, reachedAt: .noon)
        standings.apply([RollupChange(board: board.id, day: Self.today, row: 3, old: value, new: nil)], committedAt: 10)
        standings.install(Self.rows(5), in: window, readAt: 5)
        #expect(standings.window(of: board, days: Day(daysSince1970: 19_999)...days.upperBound) == nil)
        #expect(standings.takeWanted(1).map(\.id) == [window.id])
    }

    @Test("the charities are outdated again a moment after a donation came through the stream") func donations() {
        let standings = InMemoryStandings()
        standings.begin(hidden: [])
        _ = standings.prepare(
            FollowedBoard(id: Board.ID(rawValue: 9), policy: .sum, lowestFirst: false, isDonationBoard: true)
        )
        standings.apply(
            [RollupChange(board: Board.ID(rawValue: 9), day: nil, row: 3, old: nil, new: nil)],
            committedAt: 10
        )
        standings.tidy(at: 1)
        let version = standings.donationVersion
        standings.tidy(at: 2)
        #expect(standings.donationVersion > version)
        standings.tidy(at: 3)
        #expect(standings.donationVersion == version + 1)
    }
}
