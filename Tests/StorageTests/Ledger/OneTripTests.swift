import Domain
import Foundation
import Postgres
import Synchronization
import TestDatabases
import TestDice
import Testing

@testable import Storage

/// Batches that are judged from memory and written in one round trip.
@Suite struct OneTripTests {
    @Test(
        "batches judged from memory, right or wrong, leave the receipts and tables that they leave under locks",
        arguments: Dice.slowSeeds(1, 2, 3)) func random(seed: UInt64) async throws
    {
        try await withTestDatabase { database in
            try await withTestDatabase { other in
                var history = try await History(database, seed: seed)
                let twins = try await History(other, seed: seed).players
                let twin = Dictionary(uniqueKeysWithValues: zip(history.players, twins))
                let remembered = Remembered(database, seed: seed, mistakes: 10)
                var ways: [LedgerAnswer.OneTrip?: Int] = [:]
                // A row without an id of the client has another one in the other database, where nothing can repeat it.
                var ownIDs: Set<UUID> = []
                for _ in 0..<25 {
                    var rows: [NewLedgerRow] =
                        history.percent(60)
                        ? try history.scores().map { .score($0) } : try history.donations().map { .donation($0) }
                    rows.removeAll { !$0.hasNoClientID && ownIDs.contains($0.id) }
                    for row in rows where row.hasNoClientID { ownIDs.insert(row.id) }
                    for batch in rows.slices(of: history.percent(50) ? 1 : 3) {
                        let answer = try await remembered.commit(batch)
                        let expected = try await other.store.commit(batch.map { $0.of(twin[$0.author]) })
                        #expect(answer.words(batch) == expected.words(batch))
                        for (score, receipt) in zip(batch.scores, answer.scores) {
                            let modelled = history.model.judge(score)
                            #expect(receipt.outcome == modelled.outcome && receipt.earned == modelled.earned)
                            #expect(receipt.best == modelled.best && receipt.balance == modelled.balance)
                        }
                        for (donation, receipt) in zip(batch.donations, answer.donations) {
                            let modelled = history.model.judge(donation)
                            #expect(receipt.outcome == modelled.outcome && receipt.balance == modelled.balance)
                        }
                        ways[answer.oneTrip, default: 0] += 1
                    }
                }
                #expect(ways[.written, default: 0] > 30 && ways[.broken, default: 0] > 10, "\(ways)")
                #expect(try await database.rowsOfAllTables() == other.rowsOfAllTables())
                #expect(try await database.auditComplaints() == [])
            }
        }
    }

    /// What an operator or another process did that memory does not know, by the name of its test, and of what rows it
    /// breaks the batch.
    private static let surprises: [(name: String, script: String, breaks: (score: Bool, donation: Bool))] = [
        ("a ban", "update wallet set banned = true", (true, true)),
        ("a merge", "update wallet set merges = 1", (true, true)),
        ("a score that is held", "update wallet set holds = 1", (true, true)),
        ("a secret", "update wallet set secret_until = '2027-01-01'", (true, true)),
        ("a caller that left", "update wallet set callers_left = callers_left + 1", (false, false)),
        ("points that settle", "update wallet set settles_at = '2027-01-01'", (false, true)),
        ("points that were voided", "update wallet set voided = earned", (true, true)),
        (
            "another place", "update standing set points = points + 1, reached_at = reached_at + interval '1 s'",
            (true, false)
        ), ("a place that is gone", "delete from standing", (true, true)),
        ("a changed rule", "update board set points_max = points_max - 1 where kind = 'score'", (true, false)),
        ("a changed donation board", "update board set name = name where kind = 'donation'", (false, true)),
        ("a changed charity", "update charity set closes_at = '2030-01-01'", (false, true)),
    ]

    @Test("what memory does not know breaks the batch, and the answer is the one under locks", arguments: surprises)
    func surprise(_ surprise: (name: String, script: String, breaks: (score: Bool, donation: Bool))) async throws {
        try await withTestDatabase { database in
            try await database.addBoard("ladder")
            try await database.addCharity("trees")
            let player = try await database.addPlayer("Ada", points: 100)
            let remembered = Remembered(database, seed: 1, mistakes: 0)
            func donation(_ points: Int64) -> NewLedgerRow {
                .donation(
                    NewDonation(
                        points, by: .player(player), to: CharityName(.of("trees")), id: UUID(),
                        reachedAt: .noon.advanced(bySeconds: points)))
            }
            #expect(try await remembered.commit([.score(3, by: player)]).oneTrip == .written)
            for points in Int64(1)...2 { #expect(try await remembered.commit([donation(points)]).oneTrip == .written) }
            try await database.owner.script(surprise.script)
            remembered.readsNothing()
            let score = try await remembered.commit([.score(5, by: player)])
            #expect(score.oneTrip == (surprise.breaks.score ? .broken : .written))
            let donated = try await remembered.commit([donation(3)])
            #expect(donated.oneTrip == (surprise.breaks.donation ? .broken : .written))
        }
    }

    @Test("of two midnights of a day the first one begins it", arguments: ["Atlantic/Azores", "America/Havana"])
    func twoMidnights(zone: String) async throws {
        try await withTestDatabase { database in
            try await database.addBoard("ladder") { $0.zone = zone }
            try await database.addCharity("trees", zone: zone)
            let player = try await database.addPlayer("Ada", points: 100)
            let remembered = Remembered(database, seed: 1, mistakes: 0)
            // Clocks go back to the first midnight an hour later, on 25 October and on 1 November.
            let midnight = Instant.at(zone == "America/Havana" ? "2026-11-01T04:00:00Z" : "2026-10-25T00:00:00Z")
            for minutes in [Int64(-1), 30] {
                let at = midnight.advanced(bySeconds: minutes * 60)
                let rows: [NewLedgerRow] = [
                    .score(
                        NewScore(7, by: .player(player), on: .of("ladder"), in: .defaultGame, id: UUID(), reachedAt: at)
                    ),
                    .donation(
                        NewDonation(1, by: .player(player), to: CharityName(.of("trees")), id: UUID(), reachedAt: at)),
                ]
                for row in rows { _ = try await remembered.commit([row]) }
                remembered.readsNothing()
            }
            let days = "select count(distinct day) || ' ' || max(day) - min(day) from"
            #expect(
                try await database.owner.ask(
                    "\(days) score where board_id in (select id from board where slug = 'ladder')") == ["2 1"])
            #expect(try await database.owner.ask("\(days) donation") == ["2 1"])
        }
    }

    @Test("a wallet that is full breaks one batch, and not the next one") func fullWallet() async throws {
        try await withTestDatabase { database in
            try await database.addBoard("ladder")
            let player = try await database.addPlayer("Ada")
            let remembered = Remembered(database, seed: 1, mistakes: 0, pause: 1)
            #expect(try await remembered.commit([.score(1, by: player)]).oneTrip == .written)
            try await database.owner.script("update wallet set earned = \(Limits.walletPointsMax)")
            let full = try await remembered.commit([.score(2, by: player)])
            #expect(full.oneTrip == .broken && full.scores.map { $0.earned } == [0])
            #expect(try await remembered.commit([.score(3, by: player)]).oneTrip == nil)
        }
    }

    @Test("what memory does not know of is judged under locks: held scores, points that settle, caps, two versions")
    func notJudged() async throws {
        try await withTestDatabase { database in
            try await database.addBoard("held") { $0.judgeMinutes = 5 }
            try await database.addBoard("settling") { $0.settleMinutes = 5 }
            try await database.addCharity("trees")
            try await database.addCharity("capped") { $0.capOfDay = .set(50) }
            let (ada, eve) = try await (database.addPlayer("Ada", points: 100), database.addPlayer("Eve", points: 100))
            let remembered = Remembered(database, seed: 1, mistakes: 0)
            for board in ["held", "settling"] {
                let score = NewScore(
                    5, by: .player(ada), on: .of(board), in: .defaultGame, id: UUID(), reachedAt: .noon)
                #expect(try await remembered.commit([.score(score)]).oneTrip == nil, "\(board)")
            }
            func donation(_ charity: String, by player: Player.ID) throws -> NewLedgerRow {
                .donation(
                    try NewDonation(
                        1, by: .player(player), to: CharityName(charity, field: "charity"), id: UUID(),
                        isAnonymous: true, reachedAt: .noon))
            }
            #expect(try await remembered.commit([donation("capped", by: eve)]).oneTrip == nil)
            // The charity is remembered by its name, and after a change by its slug.
            #expect(try await remembered.commit([donation("TREES", by: eve)]).oneTrip == .written)
            try await database.owner.script("update charity set closes_at = '2030-01-01'")
            #expect(try await remembered.commit([donation("trees", by: eve)]).oneTrip == .written)
            remembered.readsNothing()
            let both = try await remembered.commit([donation("TREES", by: eve), donation("trees", by: ada)])
            #expect(both.oneTrip == nil && both.donations.map { $0.outcome } == [.recorded, .recorded])
        }
    }

    @Test("a caller that was found before it left its player is found again") func leftCaller() async throws {
        try await withTestDatabase { database in
            try await database.addBoard("ladder")
            let player = try await database.addPlayer("Ada")
            let remembered = Remembered(database, seed: 1, mistakes: 0)
            let known = KnownCallers { true }
            known.setFollowing(true)
            func post(_ points: Int64) async throws -> LedgerAnswer {
                try await remembered.commit([.score(points, by: player)], known: known)
            }
            #expect(try await post(1).oneTrip == .written)
            try await database.owner.script("update wallet set callers_left = callers_left + 1")
            let answer = try await post(2)
            #expect(answer.oneTrip == .broken && answer.scores.map(\.outcome) == [.deferred])
            #expect(try await post(2).scores.map(\.outcome) == [.recorded])
        }
    }

    @Test("a retry, a past row and a donation of too much break a batch, and nobody else in it loses anything")
    func neighbours() async throws {
        try await withTestDatabase { database in
            try await database.addBoard("ladder")
            try await database.addCharity("trees")
            let (ada, eve) = try await (database.addPlayer("Ada", points: 10), database.addPlayer("Eve", points: 10))
            let remembered = Remembered(database, seed: 1, mistakes: 0)
            let first = NewLedgerRow.score(1, by: ada)
            #expect(try await remembered.commit([first]).oneTrip == .written)
            let again = try await remembered.commit([first, .score(2, by: eve)])
            #expect(again.oneTrip == .broken && again.scores.map(\.outcome) == [.retry, .recorded])
            try await database.owner.script(
                """
                insert into past_score select * from only score where points = 1;
                delete from only score where points = 1;
                """)
            let past = try await remembered.commit([first, .score(3, by: eve)])
            #expect(past.oneTrip == .broken && past.scores.map(\.outcome) == [.retry, .recorded])
            let donated = NewLedgerRow.donation(
                NewDonation(1, by: .player(eve), to: CharityName(.of("trees")), id: UUID(), reachedAt: .noon))
            #expect(try await remembered.commit([donated]).oneTrip == .written)
            try await database.owner.script(
                "insert into past_donation select * from only donation; delete from only donation")
            let pastDonation = try await remembered.commit([donated])
            #expect(pastDonation.oneTrip == .broken && pastDonation.donations.map { $0.outcome } == [.retry])
            let tooMuch = NewLedgerRow.donation(
                NewDonation(99, by: .player(ada), to: CharityName(.of("trees")), id: UUID(), reachedAt: .noon))
            let overspent = try await remembered.commit([tooMuch, .score(4, by: eve)])
            #expect(overspent.oneTrip == .broken && overspent.donations.map(\.outcome) == [.overspent])
            #expect(overspent.scores.map(\.outcome) == [.recorded])
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("nobody waits for a player whom somebody else has locked, who is judged under locks for a while")
    func locked() async throws {
        try await withTestDatabase { database in
            try await database.addBoard("ladder")
            let player = try await database.addPlayer("Ada")
            let remembered = Remembered(database, seed: 1, mistakes: 0, pause: 1)
            #expect(try await remembered.commit([.score(1, by: player)]).oneTrip == .written)
            let holder = try await Connection.open(database.owner, logger: .none)
            defer { holder.close() }
            try await holder.script("begin; select from wallet for update")
            let locked = try await remembered.commit([.score(2, by: player)])
            #expect(locked.oneTrip == .broken && locked.scores.map(\.outcome) == [.deferred])
            try await holder.script("rollback")
            let later = try await remembered.commit([.score(2, by: player)])
            #expect(later.oneTrip == nil && later.scores.map(\.outcome) == [.recorded])
        }
    }

    @Test("judging pauses when a third of the batches break, and goes on later") func pause() {
        let memory = BatchMemory { _, _ in .unknown }
        func isJudging(_ now: Instant) -> Bool { memory.known(boards: [], charities: [], players: [], now: now) != nil }
        for batch in 0..<Limits.judgedBatchesCounted {
            #expect(isJudging(.noon))
            memory.judged(isWritten: batch % 3 > 0, now: .noon)
        }
        #expect(!isJudging(.noon) && !isJudging(.noon.advanced(bySeconds: Limits.judgingPauseSeconds - 1)))
        #expect(isJudging(.noon.advanced(bySeconds: Limits.judgingPauseSeconds)))
        for batch in 0..<Limits.judgedBatchesCounted { memory.judged(isWritten: batch % 4 > 0, now: .noon) }
        #expect(isJudging(.noon))
    }

    @Test("players about whom memory was wrong are bounded, and judged from memory again later") func misjudged() {
        let memory = BatchMemory { _, _ in .unknown }
        func isJudged(_ player: Int64, _ now: Instant) -> Bool {
            memory.known(boards: [], charities: [], players: [Player.ID(rawValue: player)], now: now) != nil
        }
        memory.misjudged([Player.ID(rawValue: 1)], now: .noon)
        #expect(!isJudged(1, .noon) && isJudged(2, .noon))
        #expect(isJudged(1, .noon.advanced(bySeconds: Limits.misjudgedSeconds)))
        memory.misjudged([Player.ID(rawValue: 1)], now: .noon)
        memory.misjudged((2...Int64(Limits.misjudgedPlayersMax + 1)).map(Player.ID.init), now: .noon)
        #expect(isJudged(1, .noon) && !isJudged(2, .noon), "one more than are remembered")
    }
}

/// A score or a donation of a batch.
enum NewLedgerRow: Sendable {
    case score(NewScore)
    case donation(NewDonation)

    var author: Player.ID {
        switch self {
        case .score(let score): score.author
        case .donation(let donation): donation.author
        }
    }

    var id: UUID {
        switch self {
        case .score(let score): score.id
        case .donation(let donation): donation.id
        }
    }

    var hasNoClientID: Bool {
        switch self {
        case .score(let score): score.hasNoClientID
        case .donation(let donation): donation.hasNoClientID
        }
    }

    /// The same row of another player; nil stays nobody.
    func of(_ player: Player.ID?) -> NewLedgerRow {
        let caller = Caller.player(player ?? author)
        switch self {
        case .score(let row):
            return .score(
                NewScore(
                    row.points, by: caller, on: row.board, in: row.game, id: row.hasNoClientID ? nil : row.id,
                    playedAt: row.playedAt, detail: row.detail, name: row.name, isClassic: row.isClassic,
                    reachedAt: row.reachedAt))
        case .donation(let row):
            return .donation(
                NewDonation(
                    row.points, by: caller, to: row.charity, in: row.game, id: row.hasNoClientID ? nil : row.id,
                    isAnonymous: row.isAnonymous, reachedAt: row.reachedAt))
        }
    }
}

extension Sequence<NewLedgerRow> {
    var scores: [NewScore] { compactMap { if case .score(let score) = $0 { score } else { nil } } }
    var donations: [NewDonation] { compactMap { if case .donation(let donation) = $0 { donation } else { nil } } }
}

extension Array {
    fileprivate func slices(of count: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: self.count, by: count).map { self[$0..<Swift.min($0 + count, self.count)] }
    }
}

extension NewLedgerRow {
    /// A score on the board `ladder`, so many seconds after noon.
    fileprivate static func score(_ points: Int64, by player: Player.ID) -> NewLedgerRow {
        .score(
            NewScore(
                points, by: .player(player), on: .of("ladder"), in: .defaultGame, id: UUID(),
                reachedAt: .noon.advanced(bySeconds: points)))
    }
}

extension Store {
    fileprivate func commit(
        _ rows: some Collection<NewLedgerRow>, memory: BatchMemory? = nil, known: KnownCallers? = nil,
        now: Instant = .noon
    ) async throws -> LedgerAnswer {
        try await commit(
            scores: rows.scores, donations: rows.donations, isRepeated: false, marker: nil, known: known,
            memory: memory, now: now)
    }
}

extension LedgerAnswer {
    /// What callers are told, but for ids that the server makes.
    fileprivate func words(_ rows: some Collection<NewLedgerRow>) -> [String] {
        zip(rows.scores, scores).map { row, receipt in
            let id = row.hasNoClientID ? "" : "\(receipt.id)"
            return
                "\(receipt.outcome) \(id) \(receipt.points) \(receipt.earned) \(receipt.best as Any) \(receipt.improved) \(receipt.balance as Any) \(receipt.board as Any)"
        }
            + zip(rows.donations, donations).map { row, receipt in
                let id = row.hasNoClientID ? "" : "\(receipt.id)"
                return
                    "\(receipt.outcome) \(id) \(receipt.points) \(receipt.balance as Any) \(receipt.charity as Any) \(receipt.row.map { $0 < 0 } as Any)"
            }
    }
}

/// A memory of a database's boards and places that is right, or outdated, or wrong.
private final class Remembered: Sendable {
    private struct PlaceKey: Hashable {
        let board: Board.ID
        let player: Player.ID
    }

    private final class Places: Sendable { let all = Mutex<[PlaceKey: BatchMemory.Place]>([:]) }

    private struct State {
        var dice: Dice
        var batches: Int64 = 0
        var readsNothing = false
    }

    private let database: TestDatabase
    private let mistakes: Int
    private let pause: Int64
    private let places: Places
    private let memory: BatchMemory
    private let state: Mutex<State>

    /// - Parameters:
    ///   - mistakes: How many of a hundred places are not as they are.
    ///   - pause: Seconds between two batches. With the default everybody about whom memory was wrong is judged by it
    ///     again.
    init(_ database: TestDatabase, seed: UInt64, mistakes: Int, pause: Int64 = Limits.misjudgedSeconds + 1) {
        let places = Places()
        self.database = database
        self.mistakes = mistakes
        self.pause = pause
        self.places = places
        memory = BatchMemory { board, player in
            places.all.withLock { $0[PlaceKey(board: board, player: player)] } ?? .none
        }
        state = Mutex(State(dice: Dice(seed: seed)))
    }

    /// From now on it goes on with what it has, so that it is outdated.
    func readsNothing() { state.withLock { $0.readsNothing = true } }

    /// Commits a batch, after it has read what the batch depends on.
    func commit(_ rows: some Collection<NewLedgerRow>, known: KnownCallers? = nil) async throws -> LedgerAnswer {
        let (batches, readsNothing) = state.withLock { state in
            state.batches += 1
            return (state.batches, state.readsNothing)
        }
        if !readsNothing { try await read(rows) }
        return try await database.store.commit(
            rows, memory: memory, known: known, now: .noon.advanced(bySeconds: batches * pause))
    }

    private func read(_ rows: some Collection<NewLedgerRow>) async throws {
        let (scores, donations) = (rows.scores, rows.donations)
        let boards = BatchBoards(scores)
        let now = scores.first?.reachedAt ?? donations.first?.reachedAt ?? .noon
        let found = try await database.store.ledger { connection throws(PostgresError) in
            try await connection.pipeline(
                BoardsRules(boards: boards, now: now),
                DonationsBefore(players: donations.map(\.author), donations: donations))
        }
        memory.remember(
            found.0.map { (boards.names[Int($0.number) - 1], $0.board) },
            zip(donations, found.1).map { donation, row in (donation.charity, row.known) })
        let players = Set(rows.map(\.author)).map { "\($0.rawValue)" }.joined(separator: ", ")
        let lines = try await database.owner.ask(
            """
            select concat_ws('|', p.id, b.id, s.order_key, (extract(epoch from s.reached_at) * 1000000)::bigint)
              from player p cross join board b
              left join standing s on s.board_id = b.id and s.player_id = p.id
             where p.id in (\(players))
            """)
        for line in lines {
            let words = line.split(separator: "|").compactMap { Int64($0) }
            let key = PlaceKey(board: Board.ID(rawValue: Int32(words[1])), player: Player.ID(rawValue: words[0]))
            var place = BatchMemory.Place.none
            if words.count == 4 { place = .at(orderKey: words[2], reachedAt: Instant(microsecondsSince1970: words[3])) }
            let (isOutdated, isUnknown) = state.withLock { state in
                (state.dice.percent(mistakes), state.dice.percent(mistakes / 4))
            }
            if !isOutdated { places.all.withLock { $0[key] = isUnknown ? .unknown : place } }
        }
    }
}

extension TestDatabase {
    /// The rows of all tables that a batch writes, by the names of their players, without ids that the server makes.
    fileprivate func rowsOfAllTables() async throws -> [String] {
        try await owner.ask(
            """
            select concat_ws('|', 'score', p.name, case when s.no_client_id then null else s.id end, s.board_id, s.points,
                             s.earned, s.improved, s.played_at, s.reached_at, s.day) as line
              from score s join player p on p.id = s.player_id
            union all
            select concat_ws('|', 'donation', p.name, case when d.no_client_id then null else d.id end, d.charity_id,
                             d.points, d.anonymous, d.reached_at, d.day, d.row_id < 0, d.day_began_at)
              from donation d join player p on p.id = d.player_id
            union all
            select concat_ws('|', 'wallet', p.name, w.earned, w.voided, w.held, w.donated)
              from wallet w join player p on p.id = w.player_id
            union all
            select concat_ws('|', 'standing', p.name, s.board_id, s.points, s.reached_at)
              from standing s left join player p on p.id = s.player_id
            union all
            select concat_ws('|', 'tally', p.name, t.board_id, t.day, t.points, t.reached_at)
              from tally t left join player p on p.id = t.player_id
            union all
            select concat_ws('|', 'total', c.charity_id, sum(c.points), sum(c.contributors), max(c.reached_at))
              from charity_total c group by c.charity_id
            order by line
            """)
    }
}
