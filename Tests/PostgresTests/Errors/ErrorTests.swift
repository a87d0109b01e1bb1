import Postgres
import TestDatabases
import Testing

/// Breaks the key of a table that has this row.
private struct Again: Query {
    typealias Row = Void
    static let sql: StaticString = "insert into one values (1)"
}

@Suite(.server) struct ErrorTests {
    @Test("an error shows its SQLSTATE and never a row's values") func redaction() async throws {
        let connection = try await connect()
        try await connection.script("create temporary table secret (word text unique, check (word <> 'bad-hunter2'))")
        try await connection.script("insert into secret values ('hunter2')")
        let statements = [
            "insert into secret values ('hunter2')", "insert into secret values ('bad-hunter2')",
            "select 'hunter2'::int",
        ]
        for sql in statements {
            let error = try #require(await failure { try await connection.script(sql) })
            #expect(error.debugDescription.contains("hunter2"))
            for text in [error.description, "\(error)", "\(error as any Error)", String(describing: error)] {
                #expect(!text.contains("hunter2"))
                #expect(text.contains(error.state.rawValue))
            }
        }
    }

    @Test("the constraint is known to whoever asks") func constraint() async throws {
        let connection = try await connect()
        try await connection.script("create temporary table pair (a int constraint pair_a_check check (a > 0))")
        let error = await failure { try await connection.script("insert into pair values (-1)") }
        #expect(error?.state.rawValue == "23514")
        #expect(error?.state.class == .integrityConstraint)
        #expect(error?.details.constraint == "pair_a_check")
        #expect(error?.details.table == "pair")
        #expect(error?.origin == .server)
        #expect(error?.safeToRetry == false && error?.isRolledBack == false, "a script may commit in between")
    }

    @Test("a transaction that fails is known to be rolled back, also where it would only fail again") func rolledBack()
        async throws
    {
        let connection = try await connect(.test(["statement_timeout": "2s"]))
        try await connection.script("create temporary table one (a int primary key); insert into one values (1)")
        let failures: [(SQLState, (Connection) async throws -> Void)] = [
            (.uniqueViolation, { c in try await c.transaction { c in _ = try await c.run(Again()) } }),
            (.uniqueViolation, { c in _ = try await c.transactionPipeline(Again(), Number(value: 1)) }),
            (
                .uniqueViolation,
                { c in
                    _ = try await c.transactionInOneTrip(
                        after: [Number(value: 1)], reading: Number(value: 2), writing: [Again()])
                }
            ), (.queryCancelled, { c in try await c.transaction { c in _ = try await c.run(Sleep(seconds: 10)) } }),
        ]
        for (state, work) in failures {
            let error = await failure { try await work(connection) }
            #expect(error?.state == state && error?.safeToRetry == false && error?.isRolledBack == true)
            #expect(try await connection.row(Number(value: 1)) == 1)
        }
    }

    @Test("only five digits and capitals are a SQLSTATE") func sqlStates() {
        for text in ["", "4001", "400011", "4000a", "40-01", "4000é"] { #expect(SQLState(rawValue: text) == nil) }
        #expect(SQLState(rawValue: "40P01")?.class == .transactionRollback)
        #expect(SQLState.tooManyConnections.class == .insufficientResources)
        #expect(SQLState.misuse.class == .client)
        #expect(SQLState.noData.class == .other)
    }

    @Test("a refused connect is class 08, says what the server said, and is safe to retry") func refusedConnect()
        async throws
    {
        var settings = ConnectionSettings.test
        settings.conninfo += " dbname=nowhere"
        let error = await failure { _ = try await connect(settings) }
        #expect(error?.state == .cannotConnect)
        #expect(error?.refusal?.rawValue == "3D000")
        #expect(error?.safeToRetry == true)
        #expect(error?.description.contains("3D000") == true)
    }

    private static let nowhere = [
        "host=/nonexistent", "host=127.0.0.1 port=1", "host=no-such-host.invalid", "nonsense", "port=99999 host=/tmp",
    ]

    @Test("no server, no name and no sense in the connection string are class 08", arguments: nowhere) func unreachable(
        conninfo: String
    ) async {
        let error = await failure {
            _ = try await connect(ConnectionSettings(conninfo: conninfo, connectTimeout: .seconds(3)))
        }
        #expect(error?.state == .cannotConnect)
    }

    @Test("the second of several hosts is tried") func severalHosts() async throws {
        let hosts = "/nonexistent,\(SharedServer.current.socketDirectory)"
        let settings = ConnectionSettings(conninfo: "host=\(hosts) user=causeboard_owner dbname=postgres")
        #expect(try await connect(settings).row(Number(value: 1)) == 1)
    }

    @Test("notices reach the handler") func notices() async throws {
        let (stream, continuation) = AsyncStream<Notice>.makeStream()
        var settings = ConnectionSettings.test
        settings.onNotice = { continuation.yield($0) }
        let connection = try await connect(settings)
        try await connection.script("do $$ begin raise warning using message = 'look out', errcode = '01ABC'; end $$")
        var notices = stream.makeAsyncIterator()
        let notice = await notices.next()
        #expect(notice?.state?.rawValue == "01ABC")
        #expect(notice?.details.message == "look out")
        #expect(notice.map { "\($0)" } == "01ABC")
    }

    @Test("a statement over the server's time limit fails and the connection stays usable") func statementTimeout()
        async throws
    {
        let connection = try await connect(.test(["statement_timeout": "2s"]))
        let error = await failure { try await connection.run(Sleep(seconds: 10)) }
        #expect(error?.state == .queryCancelled)
        #expect(error?.origin == .server)
        #expect(try await connection.row(Number(value: 1)) == 1)
    }

    @Test("a server that says nothing for too long is given up") func silence() async throws {
        var settings = ConnectionSettings.test
        // It also bounds the statements of connecting, which a busy server answers late.
        settings.silenceMax = .seconds(4)
        let connection = try await connect(settings)
        let error = await failure { try await connection.run(Sleep(seconds: 20)) }
        #expect(error?.state == .connectionLost)
        #expect(error?.safeToRetry == false)
        #expect(!connection.isUsable)
    }
}
