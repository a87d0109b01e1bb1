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
            try await database.owner.script("delete from standing")
            #expect(try await Self.changes(database, rowsMax: 24, after: insert).isReset, "one row too many")
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
                "insert into device (hash, player_id, registered_at) values (sha256('old'), 1, now())")
            let relabel = "update device set hash = sha256('new')"
            #expect(try await Self.changes(database, rowsMax: 3, after: relabel).devices.count == 2)
        }
    }

    @Test(
        "who ceases to speak for players is forgotten, whatever says so",
        arguments: [
            "insert into merge values (7, 8, 8, gen_random_uuid(), now())", "update game_key set revoked_at = now()",
            "update game set classic = 'off'", "delete from player",
        ]) func callers(change: String) async throws
    {
        try await withTestDatabase { database in
            _ = try await database.store.admin.addKey(
                TokenHash(bytes: Array(repeating: 9, count: 32)), name: .of("key"), to: .defaultGame, now: .noon)
            try await database.owner.script(
                "insert into player (id, game_id, name, registered_at) select 7, id, 'Ada', now() from game limit 1")
            #expect(try await Self.changes(database, rowsMax: 9, after: change).invalidatesCallers)
        }
    }

    @Test("of a tie the stream tells whose it is, whatever becomes of it, and not what it says") func ties()
        async throws
    {
        try await withTestDatabase { database in
            let (ada, bob) = (try await database.addPlayer("Ada"), try await database.addPlayer("Bob"))
            let insert = "insert into tie values (\(ada.rawValue), \(bob.rawValue), 'yes', now())"
            for change in [insert, "update tie set says = 'block'", "delete from tie"] {
                let changes = try await Self.changes(database, rowsMax: 9, after: change)
                #expect(changes.ties.map(\.player) == [ada.rawValue], "\(change)")
                #expect(changes.ties.map(\.other) == [bob.rawValue], "\(change)")
            }
        }
    }

    @Test("the stream tells of whom scores are held or voided, each once, however many they are") func held()
        async throws
    {
        try await withTestDatabase { database in
            let ada = try await database.addPlayer("Ada")
            let states = """
                insert into score_state (player_id, id, state)
                select \(ada.rawValue), gen_random_uuid(), 'held' from generate_series(1, 25)
                """
            let hold = """
                insert into held_score (player_id, id, item, why, held_at, game_id, secret_until)
                values (\(ada.rawValue), gen_random_uuid(), gen_random_uuid(), '{above}', now(), 1, now())
                """
            for change in [
                states, "update score_state set state = 'voided'", "delete from score_state", hold,
                "update held_score set secret_until = now() + interval '1 hour'",
            ] {
                let changes = try await Self.changes(database, rowsMax: 9, after: change)
                #expect(changes.heldPlayers == [ada.rawValue] && !changes.isReset, "\(change)")
            }
        }
    }

    @Test("the stream reports players whose donations stop or start counting") func donors() async throws {
        try await withTestDatabase { database in
            let ada = try await database.addPlayer("Ada")
            let states = """
                insert into donation_state (player_id, id, unfunded, reversed)
                select \(ada.rawValue), gen_random_uuid(), 3, false from generate_series(1, 25)
                """
            for change in [states, "update donation_state set unfunded = 2", "delete from donation_state"] {
                let changes = try await Self.changes(database, rowsMax: 9, after: change)
                #expect(changes.donors == [ada.rawValue] && !changes.isReset, "\(change)")
            }
        }
    }

    @Test("players who part are told of as well as those who are merged") func merges() async throws {
        try await withTestDatabase { database in
            let (ada, bob) = (try await database.addPlayer("Ada"), try await database.addPlayer("Bob"))
            let merge = """
                insert into merge values
                  (\(ada.rawValue), \(bob.rawValue), \(bob.rawValue), gen_random_uuid(), now())
                """
            let merged = try await Self.changes(database, rowsMax: 9, after: merge)
            #expect(merged.merges.map(\.player) == [ada.rawValue] && merged.merges.map(\.survivor) == [bob.rawValue])
            let parted = try await Self.changes(database, rowsMax: 9, after: "delete from merge")
            #expect(parted.merges.map(\.player) == [ada.rawValue] && parted.merges.map(\.survivor) == [nil])
        }
    }

    @Test("the end of a season comes through the stream, and the season after it as a new board") func seasons()
        async throws
    {
        try await withTestDatabase { database in
            let board = try await database.addBoard("board")
            let (stream, snapshot) = try await database.snapshot()
            #expect(try await database.store.resetBoard(.of("board"), in: .defaultGame, now: .noon) == 2)
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

extension TestDatabase {
    /// Opens a stream and takes its snapshot, again while the server is busy: transactions of other tests, in other
    /// databases of the cluster, may keep a new slot waiting for longer than it waits.
    /// - Parameter rowsMax: The most rows that one commit may change and still be followed.
    func snapshot(rowsMax: Int = Limits.commitRowsMax, attempts: Int = 300) async throws -> (
        RollupStream, RollupStream.Snapshot
    ) {
        let settings = ConnectionSettings(conninfo: owner.conninfo)
        let stream = try await RollupStream.open(settings, commitRowsMax: rowsMax, logger: .none)
        do { return (stream, try await stream.snapshot(settledBy: store)) } catch FollowError.busy where attempts > 1 {
            stream.close()
            return try await snapshot(rowsMax: rowsMax, attempts: attempts - 1)
        }
    }
}
