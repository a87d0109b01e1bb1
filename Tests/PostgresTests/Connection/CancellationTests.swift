import CPQ
import Logging
import TestDatabases
import TestDice
import Testing

@testable import Postgres

@Suite(.server) struct CancellationTests {
    private struct IsSleeping: Query {
        static let sql: StaticString =
            "select exists (select from pg_stat_activity where pid = $1 and wait_event = 'PgSleep')"
        let pid: Int32
        var binds: Binds { [pid] }
        static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Bool { try row.next() }
    }

    private let pool = Pool(.test, limits: PoolLimits(connectionsMax: 1), logger: .none)

    /// Runs `work` on the pool's only connection and cancels it while the server sleeps. The same connection must then
    /// be back in the pool and answer.
    private func cancelled(_ work: @escaping @Sendable (Connection) async throws -> Void) async throws -> PostgresError?
    {
        let pid = try await pool.withConnection { c in try await c.row(BackendPID()) }
        let task = Task<Void, any Error> { [pool] in try await pool.withConnection { c in try await work(c) } }
        let watcher = try await connect()
        while try await !watcher.row(IsSleeping(pid: pid)) {}
        var error: PostgresError?
        let took = try await elapsed {
            task.cancel()
            error = await failure { try await task.value }
            let next = try await pool.withConnection { c in try await c.row(BackendPID()) }
            #expect(next == pid)
        }
        #expect(took < .seconds(50))  // a loaded machine's bound; unloaded it is milliseconds
        return error
    }

    @Test("cancelling a task cancels its statement, and the connection goes back to the pool") func statement()
        async throws
    {
        let error = try await cancelled { c in _ = try await c.run(Sleep(seconds: 60)) }
        #expect(error?.state == .queryCancelled)
        #expect(error?.origin == .client)
    }

    @Test("cancelling ends a script, a pipeline and a transaction") func others() async throws {
        #expect(try await cancelled { c in try await c.script("select pg_sleep(60)") }?.state == .queryCancelled)
        let sleep = Sleep(seconds: 60)
        #expect(try await cancelled { c in _ = try await c.pipeline(Series(last: 1), sleep) }?.state == .queryCancelled)
        #expect(
            try await cancelled { c in try await c.transaction { c in _ = try await c.run(sleep) } }?.state
                == .queryCancelled)
    }

    @Test("cancelling ends a stream and a COPY out") func streams() async throws {
        #expect(try await cancelled { c in try await c.forEach(Sleep(seconds: 60)) { _ in } }?.state == .queryCancelled)
        #expect(
            try await cancelled { c in
                try await c.copyRows("copy (select pg_sleep(60)) to stdout (format binary)") { _ in }
            }?.state == .queryCancelled)
    }

    @Test("libpq cancels by encrypted requests from version 17 on") func library() {
        #expect((EncryptedCancelling.ofLibrary != nil) == (PQlibVersion() >= 170_000))
    }

    @Test("a task that is cancelled already sends nothing") func cancelledBefore() async throws {
        let task = Task<Void, any Error> { [pool] in
            withUnsafeCurrentTask { $0?.cancel() }
            try await pool.withConnection { c in _ = try await c.run(Sleep(seconds: 60)) }
        }
        let error = await failure { try await task.value }
        #expect(error?.state == .queryCancelled)
        #expect(error?.safeToRetry == true)
    }

    @Test("a server that never answers costs no more than the connect's time limit") func silentServer() async throws {
        let server = SilentServer()
        let settings = ConnectionSettings(conninfo: server.conninfo, connectTimeout: .milliseconds(200))
        let took = await elapsed {
            let error = await failure { _ = try await connect(settings) }
            #expect(error?.state == .cannotConnect)
            #expect(error?.safeToRetry == true)
        }
        #expect(took < .seconds(50))
    }

    @Test("cancelling a connect that hangs ends it") func connecting() async throws {
        let server = SilentServer()
        let settings = ConnectionSettings(conninfo: server.conninfo, connectTimeout: .seconds(600))
        let task = Task<Void, any Error> { _ = try await connect(settings) }
        await server.called()
        task.cancel()
        let error = await failure { try await task.value }
        #expect(error?.state == .queryCancelled)
    }

    @Test("sixty-four tasks on eight connections, with random cancellations, never get each other's answers")
    func hammer() async throws {
        let pool = Pool(.test, limits: PoolLimits(connectionsMax: 8, waitMax: .seconds(60)), logger: .none)
        let answered = await withTaskGroup(of: Int.self) { group in
            for worker in 0..<64 {
                group.addTask {
                    var answered = 0
                    for round in 0..<60 { answered += await Self.ask(pool, worker * 1_000_000 + round) ? 1 : 0 }
                    return answered
                }
            }
            return await group.reduce(0, +)
        }
        #expect(answered > 64 * 30)
    }

    /// Asks for a number in one of three ways, in a task that may be cancelled at any moment.
    /// - Returns: Whether there was an answer, which must be right.
    private static func ask(_ pool: Pool, _ own: Int) async -> Bool {
        let task = Task<[Int], any Error> {
            try await pool.withConnection { c in
                if own % 3 == 0 {
                    let (first, second) = try await c.transactionPipeline(Number(value: own), Number(value: -own))
                    return first + second
                }
                if own % 3 == 1 { try await c.run(Sleep(seconds: 0.002)) }
                return [try await c.row(Number(value: own)), -own]
            }
        }
        var dice = Dice(seed: UInt64(own))
        if Int.random(in: 0..<4, using: &dice) == 0 {
            for _ in 0..<Int.random(in: 0..<20, using: &dice) { await Task.yield() }
            task.cancel()
        }
        do {
            let answer = try await task.value
            #expect(answer == [own, -own])
            return true
        } catch {
            #expect((error as? PostgresError)?.state == .queryCancelled)
            return false
        }
    }
}
