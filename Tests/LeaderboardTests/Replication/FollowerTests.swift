import Domain
import Postgres
import OrderStatistics
import Storage
import Synchronization
import TestDatabases
import TestDice
import Testing

@testable import Leaderboard

/// Compares the standings in memory with SQL, whose own tests compare it with rankings made by hand.
@Suite struct FollowerTests {
    @Test("whatever is written, hidden or edited by hand, memory and SQL say the same", arguments: Dice.slowSeeds(1, 2))
    func follows(seed: UInt64) async throws {
        try await withTestDatabase { database in
            let year = try await Year(database, seed: seed, playersCount: 24)
            var writers = (0..<4).map { index in
                Writer(
                    year, players: stride(from: index, to: 24, by: 4).map { year.players[$0] },
                    seed: seed &* 10 &+ UInt64(index))
            }
            let all = year.anchors().filter { $0 < Year.resetAt }
            let (anchors, laterAnchors) = (Array(all.prefix(all.count / 2)), Array(all.suffix(all.count / 4)))
            writers[0] = try await Self.written(writers[0], near: anchors)
            try await withFollower(database) { live in
                // The other writers write while the first load is under way.
                writers = try await withThrowingTaskGroup(of: Writer.self) { group in
                    for writer in writers[1...] { group.addTask { try await Self.written(writer, near: anchors) } }
                    return try await group.reduce(into: [writers[0]]) { $0.append($1) }
                }
                try await live.compare(year, "after a year of posts")
                var dice = Dice(seed: seed)
                for change in Self.changes {
                    let player = dice.pick(year.players).rawValue
                    try await database.owner.script(change.replacing("PLAYER", with: "\(player)"))
                    try await live.compare(year, "after \(change)", year.subjects.shuffled(using: &dice).prefix(4))
                }
                for (index, player) in year.players.enumerated() {
                    let board = try #require(year.boards.keys.sorted().dropFirst(index % 12).first)
                    let at = dice.pick(laterAnchors).advanced(byMicroseconds: Int64(index))
                    try await database.post(Int64.random(in: -2...3, using: &dice), by: player, on: board, at: at)
                }
                try await live.compare(year, "after more posts")
            }
        }
    }

    @Test(
        "as days, weeks and months begin in every board's zone, memory and SQL go on saying the same",
        arguments: Dice.slowSeeds(5, 6)) func rollsOver(seed: UInt64) async throws
    {
        try await withTestDatabase { database in
            let year = try await Year(database, seed: seed, playersCount: 12)
            var dice = Dice(seed: seed)
            var writer = Writer(year, players: year.players, seed: seed)
            let anchors = year.anchors().filter { $0 < Year.resetAt }.sorted()
            let stretches = stride(from: 0, to: anchors.count, by: max(1, anchors.count / 6)).map {
                Array(anchors[$0..<min($0 + 4, anchors.count)])
            }
            let clock = Mutex(try #require(anchors.first))
            try await withFollower(database, now: { clock.withLock { $0 } }) { live in
                for stretch in stretches {
                    let last = try #require(stretch.last)
                    writer = try await Self.written(writer, near: stretch)
                    // The instants are before and after some midnights, and then weeks and months later.
                    for days in [0, 1, 7, 31] {
                        let hour = Int64.random(in: 0..<24, using: &dice) * 3_600_000_000
                        clock.withLock { $0 = last.advanced(byMicroseconds: Int64(days) * 86_400_000_000 + hour) }
                        try await live.compare(
                            year, "\(days) days after \(last)", year.subjects.shuffled(using: &dice).prefix(3),
                            windows: ["today", "yesterday", "week", "month"])
                    }
                }
            }
        }
    }

    @Test("a stream that is cut is followed again, and what was missed is there") func reconnects() async throws {
        try await withTestDatabase { database in
            let year = try await Year(database, seed: 3, playersCount: 8)
            try await withFollower(database) { live in
                var writer = Writer(year, players: year.players, seed: 1)
                let anchors = year.anchors().filter { $0 < Year.resetAt }
                for round in 0..<3 {
                    try await database.owner.script(
                        """
                        select pg_terminate_backend(active_pid) from pg_replication_slots
                         where active_pid is not null and database = current_database()
                        """)
                    writer = try await Self.written(writer, near: Array(anchors[(round * 4)..<(round * 4 + 4)]))
                    try await live.compare(year, "after cut \(round)")
                }
            }
        }
    }

    @Test("a new board and a new season are followed from their first post on") func boards() async throws {
        try await withTestDatabase { database in
            let year = try await Year(database, seed: 4, playersCount: 4)
            try await withFollower(database) { live in
                let fresh = try await database.addBoard("fresh")
                let player = try #require(year.players.first)
                try await database.post(40, by: player, on: "fresh")
                try await live.catchUp()
                #expect(
                    try await live.rankings.findRankPosition(ofRow: player.rawValue, on: fresh, days: nil)?.points == 40
                )
                let firstCount = try await live.wait(for: "the rows of the new board") {
                    live.memory.standings.read(fresh, days: nil) { set, _ in set.count }
                }
                #expect(firstCount == 1)
                #expect(try await database.store.resetBoard(.of("fresh"), in: .defaultGame, now: .noon) == 2)
                try await database.post(30, by: player, on: "fresh")
                try await live.catchUp()
                let second = try #require(
                    try await live.rankings.findBoard(.score(game: .defaultGame, board: .of("fresh"), season: nil)))
                let secondCount = try await live.wait(for: "the rows of the new season") {
                    live.memory.standings.read(second, days: nil) { set, _ in set.count }
                }
                #expect(second.id != fresh.id && secondCount == 1)
                #expect(
                    try await live.rankings.findRankPosition(ofRow: player.rawValue, on: second, days: nil)?.points
                        == 30)
                #expect(
                    try await live.rankings.findRankPosition(ofRow: player.rawValue, on: fresh, days: nil)?.points == 40
                )
            }
        }
    }

    @Test("a renamed player is called by the new name, and a changed board is another, once that is committed")
    func renames() async throws {
        try await withTestDatabase { database in
            let player = try await database.addPlayer("Ada")
            try await database.post(5, by: player, on: "high-scores")
            let board = Rankings.Subject.score(game: .defaultGame, board: .highScores, season: nil)
            try await withFollower(database) { live in
                for name in ["Ada", "Bea", "Cleo"] {
                    try await database.owner.script("update player set name = '\(name)' where id = \(player.rawValue)")
                    try await database.owner.script(
                        "update board set name = 'board of \(name)' where slug = 'high-scores'")
                    try await live.catchUp()
                    for _ in 0..<2 {
                        let found = try #require(try await live.rankings.findBoard(board))
                        let ranking = try await live.rankings.ranking(
                            of: found, window: .all, days: nil, pageRequest: .top, limitRows: 5, includesTotal: true)
                        #expect(ranking.rows.map(\.name) == [name] && found.name == "board of \(name)")
                    }
                }
            }
        }
    }

    /// Statements that an administrator sometimes runs by hand.
    private static let changes = [
        "update player set hidden = true where id = PLAYER",
        "update player set hidden = true where id in (select id from player order by id limit 3)",
        "update standing set points = points + 1 where player_id = PLAYER",
        "update player set hidden = false where id = PLAYER", "delete from tally where player_id = PLAYER",
        "delete from standing where player_id = PLAYER",
        "update tally set points = points - 3 where player_id = PLAYER", "update player set hidden = false",
        "update tally set reached_at = reached_at - interval '1 second' where abs(player_id) = PLAYER",
        """
        update tally set player_id = - player_id
         where player_id = -PLAYER and not exists (select from tally o where o.player_id = PLAYER)
        """,
        """
        insert into standing (board_id, player_id, points, reached_at, lowest_first)
        select id, PLAYER, 7, now(), lowest_first from board where kind = 'score' on conflict do nothing
        """, "truncate tally", "truncate standing",
    ]

    private static func written(_ writer: Writer, near anchors: [Instant]) async throws -> Writer {
        var writer = writer
        try await writer.write(near: anchors, season: 1)
        return writer
    }
}
