import Concurrency
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
        _ id: InMemoryWindow.ID, of board: Board, rowsCount: Int, in registry: inout WindowRegistry, at seconds: Int64
    ) {
        ask(for: id, of: board, in: &registry, at: seconds)
        for window in registry.takeWishes(1, at: seconds) {
            if registry.makeRoom(for: window, rowsCount: rowsCount, at: seconds) {
                _ = window.install(rows(rowsCount), readAt: 0)
            }
            registry.endLoad(of: window, milliseconds: 0, at: seconds)
        }
    }

    /// Asks for a window, twice if need be.
    private static func ask(
        for id: InMemoryWindow.ID, of board: Board, by client: ClientKey = .server, in registry: inout WindowRegistry,
        at seconds: Int64 = 0
    ) { for _ in 0..<2 { _ = registry.wish(for: id, of: board, by: client, at: seconds) } }

    /// A range of days of the season that is played, which is none of its current windows.
    private static func past(_ step: Int32) -> InMemoryWindow.ID {
        let day = Day(daysSince1970: step)
        return InMemoryWindow.ID(board: live.board, days: day...day)
    }

    private static let live = InMemoryWindow.ID(board: Board.ID(rawValue: 1), days: nil)

    @Test("whoever walks through seasons and windows fills no more than the bound, and never moves out what is played")
    func walk() {
        var registry = Self.registry()
        for step in 0..<1_000 {
            let season = Board.sample(Int32(2 + step), endedAt: .noon)
            Self.load(
                .init(board: season.id, days: nil), of: season, rowsCount: 1, in: &registry, at: Int64(step / 100))
            Self.load(Self.past(Int32(step)), of: .sample(1), rowsCount: 1, in: &registry, at: 0)
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

    @Test("a current window is loaded at once, another one when it is asked for again, and each once") func wishes() {
        var registry = Self.registry()
        let season = Board.sample(2, endedAt: .noon)
        let id = InMemoryWindow.ID(board: season.id, days: nil)
        let asked = (0..<2).map { _ in registry.wish(for: id, of: season, by: .server, at: 0) }
        #expect(asked == [false, true])
        var current: [InMemoryWindow.ID] = []
        for window in [Window.today, .yesterday, .week, .month] {
            let id = InMemoryWindow.ID(board: Self.live.board, days: window.days(today: Self.today))
            let isAsked = registry.wish(for: id, of: .sample(1), by: .server, at: 0)
            #expect(isAsked, "\(window)")
            current.append(id)
        }
        let again = registry.wish(for: id, of: season, by: .server, at: 0)
        #expect(again)
        let taken = [registry.takeWishes(4, at: 0), registry.takeWishes(9, at: 0), registry.takeWishes(9, at: 0)]
        #expect(taken.map { $0.map(\.id) } == [current, [id], []])
    }

    @Test("a bounded number of windows waits to be loaded, and they hold no changes while they wait") func manyWishes()
    {
        var registry = Self.registry()
        for step in Int32(0)..<1_000 { Self.ask(for: Self.past(step), of: .sample(1), in: &registry) }
        #expect(registry.windows.count == 1 && registry.datedWindows.isEmpty)
        var count = 0
        while let window = registry.takeWishes(1, at: 0).first {
            count += 1
            registry.remove(window)
            registry.endLoad(of: window, milliseconds: 0, at: 0)
        }
        #expect(count == Limits.windowsWaitingMax + Limits.windowsOfSnapshotMax / 2)
    }

    @Test("windows that are read now and then stay in memory while strangers load 1,000 others once") func scan() throws
    {
        var registry = Self.registry()
        let played = Board.sample(1)
        let days = [Window.today, .week, .month].map { $0.days(today: Self.today) }
        let lastMonth = Day(daysSince1970: 19_900)...Day(daysSince1970: 19_930)
        let ids = (days + [lastMonth]).map { InMemoryWindow.ID(board: played.id, days: $0) }
        for id in ids { Self.load(id, of: played, rowsCount: 10, in: &registry, at: 0) }
        let windows = try ids.map { try #require(registry.windows[$0]) }
        for second in Int64(1)...10 {
            if second == 1 || second == 6 { for window in windows { window.touch(at: second) } }
            for step in 0..<100 {
                Self.load(
                    Self.past(Int32(second) * 100 + Int32(step)), of: played, rowsCount: 10, in: &registry, at: second)
            }
            registry.tidy(at: second)
            for window in windows { #expect(registry.windows[window.id] === window, "\(window.id), \(second) s") }
        }
        #expect(registry.windows.count <= 1 + days.count + Limits.windowsMax)
    }

    @Test("a window on probation takes no room of those that were read again, and a current one does") func probation()
        throws
    {
        var registry = Self.registry()
        let played = Board.sample(1)
        Self.load(Self.past(1), of: played, rowsCount: 1_000, in: &registry, at: 0)
        let read = try #require(registry.windows[Self.past(1)])
        read.touch(at: 1)
        Self.ask(for: Self.past(2), of: played, in: &registry)
        let newcomer = try #require(registry.takeWishes(1, at: 2).first)
        let hasRoom = registry.makeRoom(for: newcomer, rowsCount: Limits.windowRowsMax - 500, at: 2)
        #expect(!hasRoom && registry.windows[newcomer.id] == nil && registry.windows[read.id] === read)
        let today = InMemoryWindow.ID(board: played.id, days: Self.today...Self.today)
        Self.ask(for: today, of: played, in: &registry)
        let current = try #require(registry.takeWishes(1, at: 3).first)
        let isCurrentKept = registry.makeRoom(for: current, rowsCount: Limits.windowRowsMax - 500, at: 3)
        #expect(isCurrentKept && registry.windows[today] === current && registry.windows[read.id] == nil)
    }

    @Test("windows that were read again go back to probation when they take more than their share") func share() {
        var registry = Self.registry()
        let played = Board.sample(1)
        for step in Int32(0)..<Int32(Limits.windowsMax) {
            Self.load(Self.past(step), of: played, rowsCount: 1, in: &registry, at: 0)
            registry.windows[Self.past(step)]?.touch(at: Int64(step) + 1)
        }
        registry.tidy(at: 100)
        let readCount = registry.windows.values.count { $0.wasReadAgain }
        #expect(readCount == Limits.windowsMax * Limits.windowsReadAgainPercent / 100)
        #expect(registry.windows[Self.past(0)]?.wasReadAgain == false)
        Self.load(Self.past(1_000), of: played, rowsCount: 1, in: &registry, at: 101)
        #expect(registry.windows[Self.past(0)] == nil && registry.windows[Self.past(1_000)] != nil)
    }

    @Test("clients take turns at loads, and current windows come before all others") func turns() throws {
        var registry = Self.registry()
        let played = Board.sample(1)
        let (greedy, polite) = (ClientKey(high: 1, low: 0), ClientKey(high: 2, low: 0))
        let third = ClientKey(high: 3, low: 0)
        for step in Int32(0)..<100 { Self.ask(for: Self.past(step), of: played, by: greedy, in: &registry) }
        // It asks for a window that the greedy client has asked for, and for one of its own.
        Self.ask(for: Self.past(3), of: played, by: polite, in: &registry)
        Self.ask(for: Self.past(200), of: played, by: polite, in: &registry)
        let today = InMemoryWindow.ID(board: played.id, days: Self.today...Self.today)
        Self.ask(for: today, of: played, by: third, in: &registry)
        var order: [InMemoryWindow.ID] = []
        while let window = registry.takeWishes(1, at: 0).first {
            order.append(window.id)
            registry.endLoad(of: window, milliseconds: 0, at: 0)
        }
        #expect(order.first == today && order.count == 1 + 1 + Limits.windowsOfClientWaitingMax + 1)
        #expect(Set(order.prefix(5)) == [today, Self.past(0), Self.past(1), Self.past(3), Self.past(200)])
    }

    @Test("after a long load a client waits before it gets another one, and nobody else waits for it") func rests() {
        var registry = Self.registry()
        let played = Board.sample(1)
        let (greedy, polite) = (ClientKey(high: 1, low: 0), ClientKey(high: 2, low: 0))
        func loads(_ step: Int32, by client: ClientKey, at seconds: Int64) -> Bool {
            Self.ask(for: Self.past(step), of: played, by: client, in: &registry, at: seconds)
            guard let window = registry.takeWishes(1, at: seconds).first else { return false }
            registry.endLoad(of: window, milliseconds: 500, at: seconds)
            return true
        }
        let restSeconds = 500 * Limits.windowLoadRestFactor / 1_000
        #expect(loads(1, by: greedy, at: 10))
        #expect(!loads(2, by: greedy, at: 10))
        #expect(loads(3, by: polite, at: 10))
        #expect(!loads(4, by: greedy, at: 9 + restSeconds))
        #expect(loads(5, by: greedy, at: 10 + restSeconds))
        // Nobody invents current windows, so they are loaded all the same.
        let today = InMemoryWindow.ID(board: played.id, days: Self.today...Self.today)
        let isDue = registry.wish(for: today, of: played, by: greedy, at: 10 + restSeconds)
        #expect(isDue)
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
        let later = 5 + Limits.windowSecondsMax
        let asked = [5, 5, later, later].map { registry.wish(for: ids[2], of: played, by: .server, at: $0) }
        #expect(asked == [false, false, false, true])
        #expect(registry.windows[Self.live]?.rowsCount == 10)
    }

    @Test("a window that failed to load does not take away the one that has come in its place") func successor() throws
    {
        var registry = Self.registry()
        let days = InMemoryWindow.ID(board: Self.live.board, days: Self.today...Self.today)
        let isWanted = registry.wish(for: days, of: .sample(1), by: .server, at: 0)
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
        for _ in 0..<2 { #expect(standings.window(of: board, days: Day(daysSince1970: 19_999)...Self.today) == nil) }
        let window = try #require(standings.takeWanted(1).first)
        let value = PointsReached(points: 1, reachedAt: .noon)
        standings.apply([RollupChange(board: board.id, day: Self.today, row: 3, old: value, new: nil)], committedAt: 10)
        standings.install(Self.rows(5), in: window, readAt: 5)
        #expect(standings.window(of: board, days: Day(daysSince1970: 19_999)...days.upperBound) == nil)
        #expect(standings.takeWanted(1).map(\.id) == [window.id])
    }

    @Test("a player who loses all rows on a board, as by an erasure, leaves its windows, which stay in memory")
    func erasure() throws {
        let standings = InMemoryStandings()
        standings.freshness.set(isCurrent: true, freshUntil: .now + .seconds(3_600))
        standings.begin(hidden: [])
        standings.add(.sample(1))
        let (board, days) = (Board.sample(1), Day(daysSince1970: 19_990)...Self.today)
        for _ in 0..<2 { #expect(standings.window(of: board, days: days) == nil) }
        let window = try #require(standings.takeWanted(1).first)
        standings.install(Self.rows(5), in: window, readAt: 5)
        let value = PointsReached(points: 1, reachedAt: .noon)
        func lost(_ day: Day?) -> RollupChange { RollupChange(board: board.id, day: day, row: 3, old: value, new: nil) }
        standings.apply([lost(Self.today), lost(days.lowerBound), lost(nil)], committedAt: 10)
        #expect(standings.window(of: board, days: days) === window)
        #expect(window.read { rows, _ in [rows.count, rows.find(3) == nil ? 1 : 0] } == [4, 1])
        // One of several days is lost: what is left is in the database alone.
        standings.apply([RollupChange(board: board.id, day: Self.today, row: 2, old: value, new: nil)], committedAt: 11)
        #expect(standings.window(of: board, days: days) == nil)
    }

    @Test("what reads a window beside its rows loads none") func readAlong() {
        let standings = InMemoryStandings()
        standings.freshness.set(isCurrent: true, freshUntil: .now + .seconds(3_600))
        standings.begin(hidden: [])
        standings.add(.sample(1))
        for _ in 0..<9 {
            #expect(standings.readAlong(.sample(1), days: Self.today...Self.today) { _, _ in true } == nil)
            #expect(standings.loadedWindow(of: .sample(1), days: Self.today...Self.today) == nil)
        }
        #expect(standings.takeWanted(1).isEmpty)
    }

    @Test("the charities are outdated again a moment after a donation came through the stream") func donations() {
        let standings = InMemoryStandings()
        standings.begin(hidden: [])
        _ = standings.prepare(
            FollowedBoard(id: Board.ID(rawValue: 9), policy: .sum, lowestFirst: false, isDonationBoard: true))
        standings.apply(
            [RollupChange(board: Board.ID(rawValue: 9), day: nil, row: 3, old: nil, new: nil)], committedAt: 10)
        standings.tidy(at: 1)
        let version = standings.donationVersion
        standings.tidy(at: 2)
        #expect(standings.donationVersion > version)
        standings.tidy(at: 3)
        #expect(standings.donationVersion == version + 1)
    }
}
