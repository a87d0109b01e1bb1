import Domain
import Postgres
import TestDatabases
import Testing

@testable import Storage

@Suite struct RollupStreamTests {
    /// What the stream brings of the first commit after its begin.
    private static func changes(_ database: TestDatabase, rowsMax: Int, after script: String) async throws
        -> CommittedChanges
    {
        let (stream, snapshot) = try await database.snapshot(rowsMax: rowsMax)
        try await database.owner.script(script)
        var received: CommittedChanges?
        do throws(FollowError) {
            try await stream.follow(snapshot) { changes throws(FollowError) in
                received = changes
                throw .emptied
            }
        } catch {}
        try await database.waitUntilNobodyFollows()
        return try #require(received)
    }

    @Test("of a commit that changes too many rows nothing is kept but that everything is to be loaded again")
    func largeCommits() async throws {
        try await withTestDatabase { database in
            let board = try await database.addBoard("board")
            let insert = """
                insert into standing (board_id, player_id, points, reached_at, lowest_first)
                select \(board.id.rawValue), n, n, now(), false from generate_series(1, 25) n
                """
            let large = try await Self.changes(database, rowsMax: 10, after: insert)
            #expect(large.isReset && large.rollups.isEmpty)
            try await database.owner.script("delete from standing")
            let small = try await Self.changes(database, rowsMax: 25, after: insert)
            #expect(!small.isReset && small.rollups.count == 25)
        }
    }

    @Test("players who change count, too") func manyPlayers() async throws {
        try await withTestDatabase { database in
            for name in ["Ada", "Bob", "Cleo"] { _ = try await database.addPlayer(name) }
            let rename = "update player set name = name || '!'"
            let large = try await Self.changes(database, rowsMax: 2, after: rename)
            #expect(large.isReset && large.players.isEmpty)
            let small = try await Self.changes(database, rowsMax: 3, after: rename)
            #expect(!small.isReset && small.players.count == 3)
        }
    }

    @Test("a device that gets another label is forgotten under both") func otherLabel() async throws {
        try await withTestDatabase { database in
            try await database.owner.script(
                "insert into device (hash, player_id, registered_at) values (sha256('old'), 1, now())"
            )
            let relabel = "update device set hash = sha256('new')"
            #expect(try await Self.changes(database, rowsMax: 3, after: relabel).devices.count == 2)
        }
    }

    @Test("the end of a season comes through the stream, and the season after it as a new board") func seasons()
        async throws
    {
        try await withTestDatabase { database in
            let board = try await database.addBoard("board")
            let (stream, snapshot) = try await database.snapshot()
            #expect(try await database.store.resetBoard(.of("board"), in: .defaultGame, now: .noon).0 == .set)
            var received: [CommittedChanges] = []
            do throws(FollowError) {
                try await stream.follow(snapshot) { changes throws(FollowError) in
                    received.append(changes)
                    if changes.invalidatesBoards { throw .emptied }
                }
            } catch {}
            #expect(received.last?.endedBoards == [board.id] && received.last?.boards.count == 1)
            try await database.waitUntilNobodyFollows()
        }
    }
}
