import Domain
import Postgres
import Statements
import TestDatabases
import TestDice
import Testing

@testable import Storage

@Suite struct SnapshotReaderTests {
    struct Line: Equatable, Comparable {
        let orderKey: Int64
        let reachedAt: Int64
        let row: Int64

        static func < (one: Line, other: Line) -> Bool {
            (one.orderKey, one.reachedAt, one.row) < (other.orderKey, other.reachedAt, other.row)
        }
    }

    @Test("a season's rows come in the order of their places, as the snapshot has them", arguments: [false, true])
    func season(lowestFirst: Bool) async throws {
        try await withTestDatabase { database in
            let board = try await database.addBoard("board") { $0.lowestFirst = lowestFirst }
            let other = try await database.addBoard("other")
            var dice = Dice(seed: 3)
            var expected: [Line] = []
            var values: [String] = []
            for row in (1...400 as ClosedRange<Int64>).shuffled(using: &dice) {
                let row = row % 5 == 0 ? -row : row
                let points = row == 7 ? Int64.max : Int64.random(in: -9...9, using: &dice)
                let reachedAt = Instant.noon.microsecondsSince1970 + .random(in: 0...3, using: &dice)
                values.append(
                    """
                    (\(board.id.rawValue), \(row), \(points), \
                    timestamptz 'epoch' + interval '\(reachedAt) microseconds', \(lowestFirst))
                    """)
                expected.append(Line(orderKey: lowestFirst ? points : -points, reachedAt: reachedAt, row: row))
            }
            try await database.owner.script(
                """
                insert into standing (board_id, player_id, points, reached_at, lowest_first)
                values \(values.joined(separator: ", "));
                insert into standing (board_id, player_id, points, reached_at, lowest_first)
                values (\(other.id.rawValue), 1, 1, now(), false)
                """)
            let found = try await Self.lines(database, board, days: nil) {
                try await database.owner.script("delete from standing")
            }
            #expect(found == expected.sorted())
        }
    }

    @Test(
        "a window's rows come in the order of their places", arguments: [Board.Policy.best, .sum, .latest],
        [false, true]) func window(policy: Board.Policy, lowestFirst: Bool) async throws
    {
        try await withTestDatabase { database in
            let board = try await database.addBoard("board") {
                $0.policy = policy
                $0.lowestFirst = lowestFirst
            }
            let days = Day(daysSince1970: 20_000)...Day(daysSince1970: 20_001)
            try await database.owner.script(
                """
                insert into player (id, game_id, name, registered_at)
                select n, 1, 'p' || n, now() from generate_series(1, 100) n;
                insert into tally (board_id, day, player_id, points, reached_at)
                select \(board.id.rawValue), date '1970-01-01' + 19999 + d, n * case when n % 7 = 0 then -1 else 1 end,
                       (n * 31 + d * 17) % 11 - 5,
                       timestamptz '2026-01-01' + make_interval(secs => (n * 13 + d * 5) % 4)
                  from generate_series(1, 100) n, generate_series(0, 3) d
                """)
            let found = try await Self.lines(database, board, days: days) {}
            #expect(found.count == 100 && zip(found, found.dropFirst()).allSatisfy { $0 < $1 })
            // SQL ranks the window by the same keys.
            let positions = try await database.store.rankPositions(of: found.map(\.row), on: board.id, days: days)
            #expect(
                positions.map(\.rankPosition.sortKey)
                    == found.map {
                        SortKey(
                            orderKey: Int128($0.orderKey), reachedAt: Instant(microsecondsSince1970: $0.reachedAt),
                            row: $0.row)
                    })
        }
    }

    /// - Parameter meanwhile: Runs between the snapshot and the reading, which does not see it.
    private static func lines(
        _ database: TestDatabase, _ board: Board, days: ClosedRange<Day>?, _ meanwhile: () async throws -> Void
    ) async throws -> [Line] {
        let (stream, snapshot) = try await database.snapshot()
        try await meanwhile()
        var lines: [Line] = []
        try await database.store.reading(snapshot) { reader throws(StoreError) in
            try await reader.rows(of: board.id, days: days) { orderKey, reachedAt, row in
                lines.append(Line(orderKey: orderKey, reachedAt: reachedAt.microsecondsSince1970, row: row))
            }
        }
        stream.close()
        try await database.waitUntilNobodyFollows()
        return lines
    }
}
