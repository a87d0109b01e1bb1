import Domain
import Postgres
import TestDatabases
import TestDice
import Testing

@testable import Storage

/// Every batch is judged by the old statements first, in a transaction that is rolled back, and then by Swift: the
/// answers and all tables must be the same.
@Suite struct OracleTests {
    @Test(
        "whatever the batches, Swift judges and writes as the statements that did it within PostgreSQL",
        arguments: Dice.seeds(11, 12, 13)
    )
    func random(seed: UInt64) async throws {
        try await withTestDatabase { database in
            let outcomes = try await compare(History(database, seed: seed), database, batches: 40, mixed: true)
            #expect(outcomes.isSuperset(of: [.recorded, .retry, .conflict, .noPlayer, .noBoard, .boardClosed]))
        }
    }

    @Test("the same with callers of every kind, good ones and others", arguments: Dice.seeds(14, 15))
    func callers(seed: UInt64) async throws {
        try await withTestDatabase { database in
            var history = try await History(database, seed: seed)
            let callers = try await Callers(database, history.players)
            history.caller = { player, dice in callers.one(of: player, &dice) }
            // With the old statements a score that was refused for its caller took its player's turn from a donation of
            // the same batch; now it does not.
            let outcomes = try await compare(history, database, batches: 30, mixed: false)
            #expect(outcomes.isSuperset(of: [.unauthorized, .forbidden, .tokenNeeded, .noPlayer, .recorded, .retry]))
        }
    }

    /// - Parameter mixed: Whether a batch may have scores and donations.
    /// - Returns: What became of the scores.
    private func compare(
        _ history: History,
        _ database: TestDatabase,
        batches: Int,
        mixed: Bool
    ) async throws -> Set<ScoreOutcome> {
        var outcomes: Set<ScoreOutcome> = []
        var (history, batch) = (history, Batch())
        for _ in 0..<batches {
            let isRepeated = batch.isOneToRepeat && history.percent(15)
            if !isRepeated { batch = try Batch(&history, database, mixed: mixed) }
            let oracle = try await batch.asked(database, isRepeated: isRepeated)
            let answer = try await database.store.commit(
                scores: batch.scores,
                donations: batch.donations,
                isRepeated: isRepeated,
                marker: nil,
                now: .noon
            )
            #expect(answer.scores.count == oracle.scores.count && answer.donations.count == oracle.donations.count)
            for (score, (ours, theirs)) in zip(batch.scores, zip(answer.scores, oracle.scores)) {
                #expect(ours.known == theirs.known, "\(score)")
                outcomes.insert(ours.outcome)
            }
            for (donation, (ours, theirs)) in zip(batch.donations, zip(answer.donations, oracle.donations)) {
                #expect(ours.known == theirs.known, "\(donation)")
            }
            #expect(try await Batch.tables(database) == oracle.tables)
        }
        #expect(try await database.auditComplaints() == [])
        return outcomes
    }
}

/// Tokens, keys and devices of a history's players: every second device has a token. There is a key of the game, one of
/// another game, and one that was revoked.
private struct Callers: Sendable {
    let key: TokenHash
    let othersKey: TokenHash
    let revokedKey: TokenHash
    /// The token of each player who has one.
    let tokens: [Player.ID: TokenHash]
    let devices: [Player.ID: DeviceHash]

    init(_ database: TestDatabase, _ players: [Player.ID]) async throws {
        let other = try await database.addGame("other")
        key = try await database.addKey(to: database.game.slug)
        revokedKey = try await database.addKey(to: database.game.slug, number: 2)
        othersKey = try await database.addKey(to: other.slug, number: 3)
        try await database.owner.script(
            "update game_key set revoked_at = now() where hash = '\\x\(Hex.text(revokedKey.bytes))'"
        )
        var (tokens, devices): ([Player.ID: TokenHash], [Player.ID: DeviceHash]) = ([:], [:])
        for (index, player) in players.enumerated() {
            devices[player] = try database.device(of: "player \(index)")
            if index.isMultiple(of: 2) { tokens[player] = Self.token(of: player) }
        }
        for (player, token) in tokens {
            try await database.owner.script(
                "update device set token_hash = '\\x\(Hex.text(token.bytes))' where player_id = \(player.rawValue)"
            )
        }
        (self.tokens, self.devices) = (tokens, devices)
    }

    /// A player that there is not.
    private static let stranger = Player.ID(rawValue: 4_711)

    private static func token(of player: Player.ID) -> TokenHash {
        TokenHash(bytes: (0..<32).map { UInt8(truncatingIfNeeded: player.rawValue >> ($0 % 8 * 8)) ^ UInt8($0) })
    }

    /// A caller of a player's row, who may or may not speak for it.
    func one(of player: Player.ID, _ dice: inout Dice) -> Caller {
        let token = tokens[player] ?? Self.token(of: player)
        let device = devices[player] ?? DeviceHash(bytes: token.bytes)
        let claimed = [nil, nil, player, Self.stranger]
        return switch dice.pick(Array(0..<9)) {
        case 0, 1: .token(token, claims: dice.pick(claimed))
        case 2, 3: .device(device)
        case 4: .key(key, .player(player))
        case 5: .key(key, .external(device))
        case 6: .key(dice.pick([othersKey, revokedKey, token]), .player(player))
        case 7: .key(key, dice.percent(50) ? .player(Self.stranger) : .external(DeviceHash(bytes: token.bytes)))
        default: .player(player)
        }
    }
}

/// Scores and donations, and what the oracles say of them.
private struct Batch {
    var scores: [NewScore] = []
    var donations: [NewDonation] = []

    init() {}

    init(_ history: inout History, _ database: TestDatabase, mixed: Bool) throws {
        if history.percent(70) { scores = try history.scores() }
        if scores.isEmpty || mixed && history.percent(40) { donations = try history.donations() }
    }

    /// Whether the batch may be sent again as if its answer had been lost.
    var isOneToRepeat: Bool { !scores.isEmpty || !donations.isEmpty }

    private struct RolledBack: Error {}

    func asked(_ database: TestDatabase, isRepeated: Bool) async throws -> (
        scores: [ScoreReceipt], donations: [DonationReceipt], tables: [String]
    ) {
        var found: (scores: [ScoreReceipt], donations: [DonationReceipt], tables: [String])?
        try await database.store.ledgerPool.withConnection { connection in
            do {
                try await connection.transaction { connection in
                    let (_, scores, donations) = try await connection.pipeline(
                        CallersResolve(scores: scores, donations: donations, marker: nil),
                        ScoreBatch(scores: scores, now: .noon, isRepeated: isRepeated),
                        DonationBatch(
                            donations: donations,
                            now: .noon,
                            isRepeated: isRepeated,
                            scoresCount: scores.count
                        )
                    )
                    found = (scores, donations, try await connection.rows(Tables()))
                    throw RolledBack()
                }
            } catch is RolledBack {}
        }
        return try #require(found)
    }

    /// Everything that a batch may change, as text. Rows of anonymous donations are random, and so left out.
    static func tables(_ database: TestDatabase) async throws -> [String] {
        try await database.store.ledgerPool.withConnection { connection in try await connection.rows(Tables()) }
    }

    private struct Tables: Query {
        static let sql: StaticString = """
            select 'wallet ' || t::text from wallet t union all select 'score ' || t::text from score t
            union all select 'score_note ' || t::text from score_note t
            union all
            select concat_ws(' ', 'donation', player_id, id, charity_id, points, anonymous, no_client_id, reached_at,
                             recorded_at, day, row_id is null, day_began_at, anonymised)
              from donation
            union all
            select concat_ws(' ', 'tally', board_id, day, greatest(player_id, -1), points, reached_at) from tally
            union all
            select concat_ws(' ', 'standing', board_id, greatest(player_id, -1), points, reached_at, lowest_first)
              from standing
            union all select 'charity_total ' || t::text from charity_total t order by 1
            """
        static func decode(_ row: inout RowReader) throws(DecodingFailure) -> String { try row.next() }
    }
}

extension ScoreReceipt {
    /// What the answer says. A row that was not judged says nothing but its outcome.
    fileprivate var known: ScoreReceipt {
        switch outcome {
        case .recorded, .retry, .conflict, .boardClosed, .outOfBounds, .noBoard: self
        default: unsaid
        }
    }

    private var unsaid: ScoreReceipt {
        ScoreReceipt(
            outcome: outcome,
            player: nil,
            id: id,
            board: nil,
            ties: nil,
            points: 0,
            earned: 0,
            best: nil,
            improved: false,
            balance: nil
        )
    }
}

extension DonationReceipt {
    fileprivate var known: DonationReceipt {
        switch outcome {
        case .recorded, .retry, .conflict, .overspent, .noCharity, .charityClosed:
            DonationReceipt(
                outcome: outcome,
                row: row.map { max($0, -1) },
                id: id,
                charity: charity,
                points: points,
                board: board,
                ties: ties,
                balance: balance
            )
        default:
            DonationReceipt(
                outcome: outcome,
                row: nil,
                id: id,
                charity: nil,
                points: 0,
                board: nil,
                ties: nil,
                balance: nil
            )
        }
    }
}
