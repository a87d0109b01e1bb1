import Domain
import OrderStatistics
import Postgres
import Storage
import TestDatabases
import Testing

@testable import Leaderboard

/// Standings that follow a database, and the questions that are compared.
struct LiveRankings: Sendable {
    let database: TestDatabase
    let memory: LeaderboardMemory
    let follower: Follower
    let rankings: Rankings
    let now: @Sendable () -> Instant

    /// Waits until memory has all that is committed.
    func catchUp() async throws {
        try await wait("the standings to catch up") {
            guard let marker = memory.commitBarrier.issue() else { return false }
            try await database.store.emit(marker.text)
            await withCheckedContinuation { waiting in
                memory.commitBarrier.whenSeen(marker, within: .seconds(10)) { waiting.resume() }
            }
            return memory.standings.areCurrent
        }
    }

    /// Compares every kind of read of every board, in windows that have to be loaded too.
    /// - Parameter subjects: Nil for all.
    func compare(
        _ year: Year, _ label: String, _ subjects: ArraySlice<Year.Subject>? = nil,
        windows: [String] = ["all", "today", "2023-03", "2023-03-20..2023-04-02"]
    ) async throws {
        let bySQL = Rankings(
            store: database.store, clock: ServerClock { now() }, memory: LeaderboardMemory(store: database.store))
        for subject in subjects ?? year.subjects[...] {
            // Seasons that have not begun are no boards yet.
            guard let board = try await bySQL.findBoard(subject.asked) else { continue }
            for name in windows {
                let window = try #require(Window(name))
                try await wait(for: board, window.days(today: board.today))
                for pageRequest in [PageRequest.top, .from(3), .from(100)] {
                    let expected = try await bySQL.ranking(
                        of: board, window: window, days: nil, pageRequest: pageRequest, limitRows: 7,
                        includesTotal: true)
                    let found = try await rankings.ranking(
                        of: board, window: window, days: nil, pageRequest: pageRequest, limitRows: 7,
                        includesTotal: true)
                    guard found == expected else {
                        Issue.record(
                            "\(label): \(subject) \(name) \(pageRequest): \(found.rows) instead of \(expected.rows)")
                        return
                    }
                }
                for (player, limitRows) in zip(year.players, [5, 1, 2, 100, 3, 4, 6, 24]) {
                    let expected = try await bySQL.ranking(
                        of: board, window: window, around: player, limitRows: limitRows, includesTotal: true)
                    let found = try await rankings.ranking(
                        of: board, window: window, around: player, limitRows: limitRows, includesTotal: true)
                    #expect(found == expected, "\(label): \(subject) \(name) around \(player), \(limitRows)")
                    let position = try await rankings.findRankPosition(of: player, on: board, window: window)
                    let positions = try await database.store.rankPositions(
                        of: [player.rawValue], on: board.id, days: window.days(today: board.today))
                    #expect(
                        position == positions.first?.rankPosition, "\(label): \(subject) \(name) place of \(player)")
                }
            }
        }
    }

    /// Waits until the rows of a window are in memory.
    private func wait(for board: Board, _ days: ClosedRange<Day>?) async throws {
        try await wait("\(board.slug) \(String(describing: days)) to be loaded") {
            try await catchUp()
            return memory.standings.read(board, days: days) { _, _ in true } == true
        }
    }

    /// Polls until other tasks or the server have brought about a condition.
    func wait(_ what: String, _ isDone: () async throws -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(300)
        while try await !isDone() {
            guard .now < end else { throw TestDatabaseError("waited too long for \(what)") }
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    /// Polls until there is a value. The standings have none while a heartbeat of the stream is late.
    func wait<Value>(for what: String, _ find: () async throws -> Value?) async throws -> Value {
        var found: Value?
        try await wait(what) {
            found = try await find()
            return found != nil
        }
        return try #require(found)
    }
}

/// Follows a database while `body` runs.
func withFollower(
    _ database: TestDatabase, now: @escaping @Sendable () -> Instant = { .at("2023-03-27T12:00:00Z") },
    _ body: @escaping (LiveRankings) async throws -> Void
) async throws {
    let memory = LeaderboardMemory(store: database.store)
    let follower = Follower(
        store: database.store, heartbeats: database.store, memory: memory, logger: .none, now: now, copies: 2
    ) { () async throws(FollowError) in
        try await RollupStream.open(ConnectionSettings(conninfo: database.owner.conninfo), logger: .none)
    }
    let rankings = Rankings(store: database.store, clock: ServerClock { now() }, memory: memory)
    try await withThrowingTaskGroup { group in
        group.addTask { await follower.run() }
        try await body(
            LiveRankings(database: database, memory: memory, follower: follower, rankings: rankings, now: now))
        group.cancelAll()
    }
    try await database.waitUntilNobodyFollows()
}
