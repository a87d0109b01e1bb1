import Domain
import Postgres
import TestDatabases
import TestDice
import Testing

@testable import Storage

/// What a post of a random player touches is bounded, because with many players every page that it looks at may have
/// to be read from the disk, and every page that it changes to be written. Nothing is timed here: `deploy/bench` does.
@Suite struct PostCostTests {
    private static let players = 50_000
    /// The most points that a player has before it posts.
    private static let pointsMax = 9973
    /// As many as a busy server has in a batch.
    private static let batchRows = 16
    private static let batches = 20
    private static let batchesForOne = 4

    /// What a post may cost each table and index: a tenth more than it does now, when it reads 55 pages, changes 6.5
    /// and logs 910 bytes in all. What is not named may not be touched. An index costs a page of each level whenever it
    /// is asked, two or three of them here. With an empty budget the test prints all figures.
    private static let budget: [String: PostCost] = [
        // The caller, by its token.
        "device": PostCost(pagesRead: 1.1), "device_token_hash_key": PostCost(pagesRead: 3.3),
        "player": PostCost(pagesRead: 1.1), "player_pkey": PostCost(pagesRead: 2.2),
        // What a batch asks once, twice or three times: sixteenths of a page a post.
        "board_measure_pkey": PostCost(pagesRead: 0.08), "board_measure": PostCost(pagesRead: 0.08),
        "board": PostCost(pagesRead: 0.16), "board_kind_game_id_slug_idx": PostCost(pagesRead: 0.16),
        "game": PostCost(pagesRead: 0.21), "game_pkey": PostCost(pagesRead: 0.15),
        "game_slug_key": PostCost(pagesRead: 0.14), "game_key_hash_key": PostCost(pagesRead: 0.075),
        "merge_pkey": PostCost(pagesRead: 0.075),
        // What was read before the posts, which PostgreSQL counts late.
        "log_entry_pkey": PostCost(pagesRead: 0.02),
        // The ledger: the rows of a batch share a page, and each has a page of either index for itself.
        "score": PostCost(pagesRead: 1.2, pagesChanged: 0.09, logBytes: 157),
        "score_pkey": PostCost(pagesRead: 4.4, pagesChanged: 1.1, logBytes: 88),
        // It says for each megabyte of scores from when they are, and is looked at for each one.
        "score_recorded_at_idx": PostCost(pagesRead: 2.2),
        "score_player_id_reached_at_idx": PostCost(pagesRead: 2.2, pagesChanged: 1.1, logBytes: 79),
        // The past rows: the post may repeat one of them.
        "past_score_pkey": PostCost(pagesRead: 2.2),
        // The standing: these posts improve points by so much that the new version mostly belongs to another bucket,
        // so that it goes into both indexes.
        "standing": PostCost(pagesRead: 6.2, pagesChanged: 1.1, logBytes: 131),
        "standing_pkey": PostCost(pagesRead: 6.7, pagesChanged: 1.1, logBytes: 79),
        "standing_order_bucket_idx": PostCost(pagesRead: 2.3, pagesChanged: 0.65, logBytes: 110),
        // The day and the wallet: new versions find room on the page of the old one, so that their indexes stay as they
        // are. The log has the day's old row too, because that is its table's replica identity, and the
        // lock of the wallet before its update.
        "tally": PostCost(pagesRead: 5.6, pagesChanged: 1.16, logBytes: 167), "tally_pkey": PostCost(pagesRead: 4.4),
        "wallet": PostCost(pagesRead: 8.8, pagesChanged: 1.16, logBytes: 223), "wallet_pkey": PostCost(pagesRead: 6.7),
        // The commit of a batch and its marker.
        PostMeter.transactions: PostCost(logBytes: 7.8),
    ]
    /// What differs for a batch that is judged from memory, by which a post reads 41 pages and logs 840 bytes. It looks
    /// for no row of the player before it writes, and for no rules of the board. Nil may not be touched.
    private static let budgetOfOneTrip: [String: PostCost?] = [
        "board": PostCost(pagesRead: 0.09), "board_pkey": PostCost(pagesRead: 0.09), "board_measure": nil,
        "board_measure_pkey": nil, "board_kind_game_id_slug_idx": nil, "game": PostCost(pagesRead: 0.09),
        "game_pkey": nil, "game_slug_key": PostCost(pagesRead: 0.09),
        "score_pkey": PostCost(pagesRead: 2.2, pagesChanged: 1.1, logBytes: 88),
        "standing": PostCost(pagesRead: 4.9, pagesChanged: 1.1, logBytes: 131),
        "standing_pkey": PostCost(pagesRead: 4.4, pagesChanged: 1.1, logBytes: 79),
        "tally": PostCost(pagesRead: 3.7, pagesChanged: 1.16, logBytes: 155), "tally_pkey": PostCost(pagesRead: 2.2),
        "wallet": PostCost(pagesRead: 5, pagesChanged: 1.16, logBytes: 154), "wallet_pkey": PostCost(pagesRead: 4.4),
    ]
    /// A session reads the first page of each index when it plans, which is once in all these posts.
    private static let pagesReadOnce = 0.01

    @Test("what a random post reads, changes and logs stays within a budget, and one index or wider row more does not")
    func budget() async throws {
        let server = try await TestServer(connectionsMax: 20)
        let owner = ConnectionSettings(conninfo: server.conninfo(), session: SessionPresets.owning, silenceMax: nil)
        let login = ConnectionSettings(
            conninfo: server.conninfo(login: SessionPresets.serverRole), session: SessionPresets.general)
        _ = try await Migrator(owner, logger: .none).migrate(now: .noon)
        try await withTestDatabase(owner: owner, server: login) { database in
            let board = try await database.addBoard("board")
            try await owner.script(Self.load(board.id.rawValue))
            // It cannot be in one script with other statements.
            try await owner.script("vacuum (analyze)")
            var dice = Dice(seed: 1)
            var players = (1...Self.players).shuffled(using: &dice)[...]

            let costs = try await Self.costs(database, &players, &dice, batches: Self.batches)
            #expect(Self.excesses(of: costs) == [], "\(Self.table(costs))")

            // A post that improves points by little changes no index of the standing.
            let small = try await Self.costs(database, &players, &dice, batches: Self.batches, pointsMore: 1...1)
            for index in ["standing_pkey", "standing_order_bucket_idx"] {
                #expect(small[index].map { $0.pagesChanged < 0.1 } ?? true, "\(Self.table(small))")
            }

            // Where posts are weighed by when they were, the wallet has that, and nothing else is read or written.
            try await owner.script(
                """
                update board set hold_above = 1000, hold_rate = 60, hold_pace = 1000000000
                 where id = \(board.id.rawValue);
                insert into board_measure (board_id, posts, percentile, measured_at)
                values (\(board.id.rawValue), 1000, \(Self.pointsMax), '2026-11-20T12:00:00Z');
                """)
            var timed = try await Self.costs(database, &players, &dice, batches: Self.batchesForOne)
            if !Self.excesses(of: timed).allSatisfy({ $0.hasPrefix("wallet: log bytes") }) {
                // On a busy machine another session may have been opened, which reads indexes to plan.
                timed = try await Self.costs(database, &players, &dice, batches: Self.batchesForOne)
            }
            let more = Self.excesses(of: timed)
            #expect(more.allSatisfy { $0.hasPrefix("wallet: log bytes") }, "\(more)\n\(Self.table(timed))")
            #expect(timed["wallet"].map { 223 < $0.logBytes && $0.logBytes < 323 } == true, "\(Self.table(timed))")
            try await owner.script(
                "update board set hold_above = null, hold_rate = null, hold_pace = null where id = \(board.id.rawValue)"
            )

            let judged = try await Self.costs(
                database, &players, &dice, batches: Self.batches, memory: Self.memory(of: board.id))
            let budget = Self.budget.mapValues(Optional.some).merging(Self.budgetOfOneTrip) { $1 }.compactMapValues {
                $0
            }
            #expect(Self.excesses(of: judged, over: budget) == [], "\(Self.table(judged))")

            try await owner.script("create index one_more on score (board_id, points)")
            let withIndex = try await Self.costs(database, &players, &dice, batches: Self.batchesForOne)
            #expect(Self.excesses(of: withIndex).contains { $0.hasPrefix("one_more:") }, "\(Self.table(withIndex))")
            try await owner.script(
                """
                drop index one_more;
                alter table score add wider text not null default 'twenty-four bytes of it';
                """)
            let wider = try await Self.costs(database, &players, &dice, batches: Self.batchesForOne)
            #expect(Self.excesses(of: wider).contains { $0.hasPrefix("score: log bytes") }, "\(Self.table(wider))")
        }
    }

    /// Posts batches of random players who have not posted yet, the first one uncounted.
    private static func costs(
        _ database: TestDatabase, _ players: inout ArraySlice<Int>, _ dice: inout Dice, batches: Int,
        pointsMore: ClosedRange<Int> = 1...pointsMax, memory: BatchMemory? = nil
    ) async throws -> [String: PostCost] {
        // Memory learns the board by the first batch.
        try await post(players.prefix(batchRows), database, &dice, pointsMore, memory, isJudged: false)
        var meter = try await PostMeter(database)
        for _ in 0..<batches {
            players = players.dropFirst(batchRows)
            try await meter.count(posts: batchRows) {
                try await post(players.prefix(batchRows), database, &dice, pointsMore, memory, isJudged: memory != nil)
            }
        }
        players = players.dropFirst(batchRows)
        return try await meter.costs()
    }

    /// Each post is its player's best, so it changes all that a post can change, and its rank is anywhere.
    private static func post(
        _ players: ArraySlice<Int>, _ database: TestDatabase, _ dice: inout Dice, _ pointsMore: ClosedRange<Int>,
        _ memory: BatchMemory?, isJudged: Bool
    ) async throws {
        var scores: [NewScore] = []
        for (place, player) in players.enumerated() {
            let token = [UInt8](repeating: 0, count: 28) + withUnsafeBytes(of: Int32(player).bigEndian) { [UInt8]($0) }
            scores.append(
                NewScore(
                    Int64(player % pointsMax + .random(in: pointsMore, using: &dice)),
                    by: .token(TokenHash(bytes: token), claims: nil), on: .of("board"), in: .defaultGame,
                    id: dice.uuid(), reachedAt: .noon.advanced(bySeconds: Int64(place))))
        }
        let answer = try await database.store.commit(
            scores: scores, donations: [], isRepeated: false, marker: "marker", memory: memory, now: .noon)
        guard answer.scores.allSatisfy({ $0.outcome == .recorded && $0.improved }),
            answer.oneTrip == (isJudged ? .written : nil)
        else { throw TestDatabaseError("not recorded: \(answer)") }
    }

    /// What a process knows of players who have not posted since ``load(_:)``.
    private static func memory(of ladder: Board.ID) -> BatchMemory {
        BatchMemory { board, player in
            guard board == ladder else { return .unknown }
            let (n, before) = (player.rawValue, Instant.at("2026-11-20T11:00:00Z"))
            return .at(
                orderKey: -(n % Int64(pointsMax)),
                reachedAt: Instant(microsecondsSince1970: before.microsecondsSince1970 + n * 1_000))
        }
    }

    /// A sentence for each figure that is over the budget.
    private static func excesses(of costs: [String: PostCost], over budget: [String: PostCost] = budget) -> [String] {
        costs.sorted { $0.key < $1.key }.flatMap { name, cost in
            let most = budget[name] ?? PostCost(pagesRead: pagesReadOnce)
            return [
                ("pages read", cost.pagesRead, most.pagesRead), ("pages changed", cost.pagesChanged, most.pagesChanged),
                ("log bytes", cost.logBytes, most.logBytes),
            ].filter { $1 > $2 }.map { "\(name): \($0) \($1), at most \($2)" }
        }
    }

    /// All figures, in the form of the budget.
    private static func table(_ costs: [String: PostCost]) -> String {
        costs.sorted { $0.key < $1.key }.map { #""\#($0)": \#($1),"# }.joined(separator: "\n")
    }

    /// Loads players with tokens, a row of the ledger each, and a standing and a day on the board. Every fourth row of
    /// what posts update has been updated and its old version removed, so that pages have room, as in a table that has
    /// been written to for long.
    private static func load(_ board: Int32) -> String {
        """
        create extension pg_walinspect;
        insert into player (id, game_id, name, registered_at)
        select n, 1, 'player ' || n, now() from generate_series(1, \(players)) n;
        insert into wallet (player_id, earned) select n, 10000 from generate_series(1, \(players)) n;
        insert into device (hash, player_id, token_hash, registered_at)
        select sha256(n::text::bytea), n, decode(lpad(to_hex(n), 64, '0'), 'hex'), now()
          from generate_series(1, \(players)) n;
        insert into standing (board_id, player_id, points, reached_at, lowest_first)
        select \(board), n, n % \(pointsMax), '2026-11-20T11:00:00Z'::timestamptz + n * interval '1 ms', false
          from generate_series(1, \(players)) n;
        insert into tally (board_id, day, player_id, points, reached_at)
        select board_id, '2026-11-20', player_id, points, reached_at from standing;
        insert into score (
          player_id, id, board_id, points, earned, improved, no_client_id, reached_at, recorded_at, day)
        select player_id, gen_random_uuid(), board_id, points, 0, true, false, reached_at, reached_at, '2026-11-20'
          from standing;
        insert into past_score (
          player_id, id, board_id, points, earned, improved, no_client_id, reached_at, recorded_at, day)
        select player_id, gen_random_uuid(), board_id, points, 0, true, false, reached_at - interval '99 days',
               reached_at - interval '99 days', '2026-08-13'
          from standing;
        update wallet set donated = donated where player_id % 4 = 0;
        update tally set points = points where player_id % 4 = 0;
        update standing set points = points where player_id % 4 = 0;
        """
    }
}
