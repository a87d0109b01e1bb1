import Domain
import Foundation
import Postgres
import TestDatabases
import Testing

@testable import Storage

/// What a post reads does not grow with what its player has posted before. Rows are counted, by the database's own
/// statistics of the test's database.
@Suite struct LongHistoryTests {
    private static let rows = 3_000
    /// Rows of these ledgers that one post of a player with a long history may read.
    private static let rowsReadMax = 40

    /// Rows of the ledgers that `body` reads.
    private static func rowsRead(_ database: TestDatabase, _ body: () async throws -> Void) async throws -> Int {
        let before = try await rowsReadSoFar(database)
        try await body()
        return try await rowsReadSoFar(database) - before
    }

    private static func rowsReadSoFar(_ database: TestDatabase) async throws -> Int {
        // A session keeps what it has counted for up to ten seconds.
        _ = try await database.store.ledger { connection throws(PostgresError) in
            try await connection.script("select pg_stat_force_next_flush()")
        }
        guard database.store.ledgerPool.use.open == 1 else { throw TestDatabaseError("more than one session writes") }
        let sum = try await database.owner.ask(
            """
            select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) from pg_stat_user_tables
             where relname in ('score', 'past_score', 'score_state', 'held_score')
            """)
        return sum.first.flatMap { Int($0) } ?? 0
    }

    /// Gives a player scores from before noon, each a point better than the one before, beside what it has.
    private static func lengthen(_ player: Player.ID, on board: Board, _ database: TestDatabase) async throws {
        try await database.owner.script(
            """
            insert into score (
              player_id, id, board_id, points, earned, no_client_id, reached_at, recorded_at, improved, day)
            select \(player.rawValue), gen_random_uuid(), \(board.id.rawValue), n, 0, false,
                   '2026-11-20T10:00:00Z'::timestamptz + n * interval '1 s',
                   '2026-11-20T10:00:00Z'::timestamptz + n * interval '1 s', true, '2026-11-20'
              from generate_series(1, \(rows)) n;
            """)
        try await database.owner.script("analyze score, score_state, held_score; select pg_stat_force_next_flush()")
    }

    @Test("a post under an old id reads that row alone, however the board earns", arguments: [Board.Policy.sum, .best])
    func replay(policy: Board.Policy) async throws {
        try await withTestDatabase { database in
            let board = try await database.addBoard("ladder") { board in
                board.policy = policy
                board.earning = .improvement
                board.earnDay = 1_000
            }
            let ada = try await database.addPlayer("Ada")
            let id = UUID()
            let first = try await database.post(7, by: ada, on: "ladder", id: id, isClassic: true)
            #expect(first.outcome == .recorded && first.earned == 7)
            try await Self.lengthen(ada, on: board, database)
            let read = try await Self.rowsRead(database) {
                let same = try await database.post(7, by: ada, on: "ladder", id: id, isClassic: true)
                let other = try await database.post(8, by: ada, on: "ladder", id: id)
                #expect(same.outcome == .retry && other.outcome == .conflict)
            }
            #expect(read <= Self.rowsReadMax)
        }
    }

    @Test("on a board of best scores a player of whom one is held earns by what it is told, which is no earlier row")
    func improvement() async throws {
        try await withTestDatabase { database in
            let board = try await database.addBoard("peak") { $0.earning = .improvement }
            let ada = try await database.addPlayer("Ada")
            try await database.post(4_000, by: ada, on: "peak")
            let held = try await database.post(5_000, by: ada, on: "peak")
            try await database.moderate(.hold(ada, score: held.id))
            try await Self.lengthen(ada, on: board, database)
            let read = try await Self.rowsRead(database) {
                let receipt = try await database.post(5_001, by: ada, on: "peak")
                #expect(receipt.outcome == .recorded && receipt.earned == 1)
            }
            #expect(read <= Self.rowsReadMax)
        }
    }

    @Test("once many rows were looked through for a player's post, its next ones are put off, and nobody else's are")
    func apart() async throws {
        try await withTestDatabase { database in
            let board = try await database.addBoard("ladder") { board in
                board.policy = .sum
                board.earning = .improvement
            }
            try await database.addBoard("plain")
            let (ada, bob) = (try await database.addPlayer("Ada"), try await database.addPlayer("Bob"))
            try await Self.lengthen(ada, on: board, database)
            let histories = LongHistories(rowsMin: 1_000)
            func score(_ player: Player.ID, on board: Slug, id: UUID = UUID()) -> NewScore {
                NewScore(1, by: .player(player), on: board, in: .defaultGame, id: id, reachedAt: .noon)
            }
            func commit(_ scores: [NewScore], putsOffLong: Bool = true) async throws -> ([ScoreOutcome], long: [Int]) {
                let answer = try await database.store.commit(
                    scores: scores, donations: [], isRepeated: false, putsOffLong: putsOffLong, histories: histories,
                    marker: nil, now: .noon)
                return (answer.scores.map { $0.outcome }, answer.long)
            }
            let first = score(ada, on: .of("ladder"))
            #expect(try await commit([first, score(bob, on: .of("ladder"))]) == ([.recorded, .recorded], []))
            #expect(histories.isLong(of: ada, on: board.id) && !histories.isLong(of: bob, on: board.id))
            let next = [score(ada, on: .of("ladder")), score(bob, on: .of("ladder"))]
            #expect(try await commit(next) == ([.deferred, .recorded], [0]))
            #expect(try await commit([next[0]], putsOffLong: false) == ([.recorded], []))
            // Nothing is looked through for these.
            #expect(try await commit([first]) == ([.retry], []))
            #expect(try await commit([score(ada, on: .of("plain"))]) == ([.recorded], []))
            #expect(histories.isLong(of: ada, on: board.id))
        }
    }

    @Test("players whose history was long are forgotten when it is not any more, and when there are too many of them")
    func remembered() {
        let histories = LongHistories(rowsMin: 1_000, keysMax: 3)
        let board = Board.ID(rawValue: 1)
        func players(_ ids: ClosedRange<Int64>) -> [Bool] {
            ids.map { histories.isLong(of: Player.ID(rawValue: $0), on: board) }
        }
        func note(_ rows: Int64, _ id: Int64, on board: Board.ID) {
            histories.note(rows, readOf: Player.ID(rawValue: id), on: board)
        }
        for id in Int64(1)...3 { note(1_001, id, on: board) }
        #expect(players(1...3) == [true, true, true])
        note(1_000, 2, on: board)
        note(0, 3, on: Board.ID(rawValue: 2))
        #expect(players(1...3) == [true, false, true])
        for id in Int64(3)...4 { note(1_001, id, on: board) }
        #expect(players(1...4) == [true, false, true, true])
        note(1_001, 5, on: board)
        #expect(players(1...5) == [false, false, false, false, true])
    }

    @Test("scores that were voided, of which the player has been told, are not looked at by its posts") func voided()
        async throws
    {
        try await withTestDatabase { database in
            let board = try await database.addBoard("peak")
            let ada = try await database.addPlayer("Ada")
            try await Self.lengthen(ada, on: board, database)
            try await database.owner.script(
                """
                insert into held_score (player_id, id, item, why, held_at, game_id, secret_until)
                select player_id, id, gen_random_uuid(), '{above}', reached_at, 1, reached_at from score;
                insert into score_state (player_id, id, state) select player_id, id, 'voided' from score;
                """)
            try await database.owner.script("analyze score, score_state, held_score; select pg_stat_force_next_flush()")
            let held = try await database.post(5_000, by: ada, on: "peak")
            try await database.moderate(.hold(ada, score: held.id))
            let read = try await Self.rowsRead(database) {
                let receipt = try await database.post(5_001, by: ada, on: "peak")
                #expect(receipt.outcome == .recorded && receipt.best == 5_001)
            }
            #expect(read <= Self.rowsReadMax)
        }
    }
}
