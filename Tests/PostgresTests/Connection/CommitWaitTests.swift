import Postgres
import TestDatabases
import Testing

/// Commits that wait for a synchronous standby which never comes. They are on the server's disk by then, and a
/// fail-over would lose them. The tests have a server of their own, because each commit of it waits.
struct CommitWaitTests {
    private typealias Work = @Sendable (Connection) async throws -> Void

    private struct IsWaiting: Query {
        static let sql: StaticString =
            "select exists (select from pg_stat_activity where pid = $1 and wait_event = 'SyncRep')"
        let pid: Int32
        var binds: Binds { [pid] }
        static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Bool { try row.next() }
    }

    private struct CancelBackend: Query {
        static let sql: StaticString = "select pg_cancel_backend($1)"
        let pid: Int32
        var binds: Binds { [pid] }
        static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Bool { try row.next() }
    }

    private struct StandbyNames: Query {
        static let sql: StaticString = "select current_setting('synchronous_standby_names')"
        static func decode(_ row: inout RowReader) throws(DecodingFailure) -> String { try row.next() }
    }

    /// A server with an empty table `item` whose commits wait for ever, unless their session says otherwise.
    private struct LonelyServer {
        let server: TestServer
        let pool: Pool
        /// Its cancelled statements have time to end.
        let patientPool: Pool

        init() async throws {
            server = try await TestServer(connectionsMax: 30)
            var settings = ConnectionSettings(conninfo: server.conninfo(), cancelMax: .seconds(1))
            let owner = try await connect(settings)
            try await owner.script("create table item (id int8 primary key)")
            try await owner.script("alter system set synchronous_standby_names = 'nobody'")
            try await owner.script("select pg_reload_conf()")
            while try await connect(settings).row(StandbyNames()) != "nobody" {}
            // The checkpointer tells all sessions, and has had the signal by now.
            try await owner.script("checkpoint")
            settings.session = ["statement_timeout": "120s"]
            let limits = PoolLimits(connectionsMax: 1)
            pool = Pool(settings, limits: limits, logger: .none)
            settings.cancelMax = .seconds(60)
            patientPool = Pool(settings, limits: limits, logger: .none)
        }

        func watcher() async throws -> Connection {
            try await connect(ConnectionSettings(conninfo: server.conninfo(), session: ["synchronous_commit": "local"]))
        }

        /// Runs `work` on the only connection of a pool, and `disturb` once its commit waits.
        /// - Parameter patiently: Whether it is the pool whose cancelled statements have time to end.
        /// - Returns: The error of `work`, and whether its backend still waits.
        func failure(
            of work: @escaping Work, patiently: Bool = false,
            disturb: (Connection, Int32, Task<Void, any Error>) async throws -> Void
        ) async throws -> (error: PostgresError?, stillWaits: Bool) {
            let pool = patiently ? patientPool : self.pool
            let pid = try await pool.withConnection { c in try await c.row(BackendPID()) }
            let task = Task<Void, any Error> { try await pool.withConnection { c in try await work(c) } }
            let watcher = try await watcher()
            while try await !watcher.row(IsWaiting(pid: pid)) {}
            try await disturb(watcher, pid, task)
            let error = await PostgresTests.failure { try await task.value }
            return (error, try await watcher.row(IsWaiting(pid: pid)))
        }
    }

    @Test("a commit whose wait for its standby ends early is in doubt, and a cancelled task does not end it")
    func waits() async throws {
        let lonely = try await LonelyServer()
        // A COMMIT is left alone, so that nobody sees what no standby has.
        let commits: [Work] = [
            { c in try await c.transaction { c in _ = try await c.run(Insert(id: 1)) } },
            { c in _ = try await c.transactionPipeline(Insert(id: 2), Number(value: 2)) },
            { c in _ = try await c.transactionInOneTrip(after: [], reading: Number(value: 2), writing: [Insert(id: 8)])
            },
        ]
        for work in commits {
            let (error, stillWaits) = try await lonely.failure(of: work) { _, _, task in task.cancel() }
            #expect(error?.state == .queryCancelled && error?.isRolledBack == false)
            #expect(stillWaits, "nobody has asked the server to cancel")
            #expect(try await lonely.watcher().rows(Items()).isEmpty)
        }
        // Others may cancel it, and a statement that commits by itself may be cancelled before it does.
        let inserts: [Work] = [
            { c in _ = try await c.run(Insert(id: 3)) }, { c in try await c.script("insert into item values (4)") },
            { c in try await c.transaction { c in _ = try await c.run(Insert(id: 5)) } },
        ]
        for insert in inserts {
            let (error, _) = try await lonely.failure(of: insert) { watcher, pid, _ in
                _ = try await watcher.row(CancelBackend(pid: pid))
            }
            #expect(error?.state == .completionUnknown && error?.isRolledBack == false)
        }
        let alone: Work = { c in _ = try await c.run(Insert(id: 6)) }
        let (cancelled, _) = try await lonely.failure(of: alone, patiently: true) { _, _, task in task.cancel() }
        #expect(cancelled?.state == .completionUnknown && cancelled?.safeToRetry == false)
        let last: Work = { c in try await c.transaction { c in _ = try await c.run(Insert(id: 7)) } }
        let (ended, _) = try await lonely.failure(of: last) { watcher, pid, _ in
            _ = try await watcher.row(Terminate(pid: pid))
        }
        #expect(ended?.isRolledBack == false)
        #expect(try await lonely.watcher().rows(Items()) == [3, 4, 5, 6, 7])
        #expect(try await lonely.pool.withConnection { c in try await c.row(Number(value: 7)) } == 7)
    }
}
