import Logging
import Postgres
import ServiceLifecycle
import Testing

@Suite(.server) struct PoolTests {
    private func pool(_ limits: PoolLimits) -> Pool { Pool(.test, limits: limits, logger: quiet) }

    @Test("a connection is used again, and a broken one is thrown away") func reuse() async throws {
        let pool = pool(PoolLimits(connectionsMax: 1))
        let first = try await pool.withConnection { c in try await c.row(BackendPID()) }
        #expect(try await pool.withConnection { c in try await c.row(BackendPID()) } == first)
        try await pool.withConnection { c in c.close() }
        #expect(try await pool.withConnection { c in try await c.row(BackendPID()) } != first)
    }

    @Test("a transaction that was left open does not reach the next one") func openTransaction() async throws {
        let pool = pool(PoolLimits(connectionsMax: 1))
        try await pool.withConnection { c in try await c.script("begin") }
        let (_, numbers) = try await pool.withConnection { c in
            try await c.transactionPipeline(Number(value: 1), Series(last: 2))
        }
        #expect(numbers == [1, 2])
    }

    @Test("a connection that someone kept is closed to him") func keptConnection() async throws {
        let pool = pool(PoolLimits(connectionsMax: 1))
        var kept: Connection?
        try await pool.withConnection { c in kept = c }
        #expect(await failure { _ = try await kept?.row(Number(value: 1)) }?.state == .connectionNotOpen)
    }

    @Test("an exhausted pool turns away after a bounded time, and at once when too many wait") func exhausted()
        async throws
    {
        let pool = pool(PoolLimits(connectionsMax: 1, waitersMax: 1, waitMax: .milliseconds(500)))
        try await pool.withConnection { c in
            async let waiting = failure { try await pool.withConnection { c in _ = try await c.run(Number(value: 1)) } }
            while pool.waitersCount == 0 { await Task.yield() }
            let start = ContinuousClock.now
            let turnedAway = await failure { try await pool.withConnection { _ in } }
            #expect(turnedAway?.state == .tooManyConnections)
            #expect(start.duration(to: .now) < .seconds(10))
            let waited = await waiting
            #expect(waited?.state == .tooManyConnections)
            #expect(start.duration(to: .now) < .seconds(20))
            _ = try await c.row(Number(value: 1))
        }
        #expect(try await pool.withConnection { c in try await c.row(Number(value: 2)) } == 2)
    }

    @Test("a waiter that is cancelled leaves the queue") func cancelledWaiter() async throws {
        let pool = pool(PoolLimits(connectionsMax: 1, waitersMax: 1, waitMax: .seconds(60)))
        try await pool.withConnection { _ in
            for _ in 0..<10 {
                let task = Task { try await pool.withConnection { _ in } }
                await Task.yield()
                task.cancel()
                #expect(await failure { try await task.value }?.state == .queryCancelled)
            }
        }
        try await pool.withConnection { c in _ = try await c.run(Number(value: 1)) }
    }

    @Test("those who wait are served in the order in which they came") func fifo() async throws {
        let pool = pool(PoolLimits(connectionsMax: 1))
        let (order, served) = AsyncStream<Int>.makeStream()
        try await withThrowingTaskGroup { group in
            try await pool.withConnection { _ in
                for number in 0..<20 {
                    let queued = pool.waitersCount
                    group.addTask { try await pool.withConnection { _ in _ = served.yield(number) } }
                    while pool.waitersCount == queued { await Task.yield() }
                }
            }
            try await group.waitForAll()
        }
        served.finish()
        #expect(await order.reduce(into: []) { $0.append($1) } == Array(0..<20))
    }

    @Test("a connection that died while idle is noticed before it is lent") func idleDeath() async throws {
        let pool = pool(PoolLimits(connectionsMax: 1))
        let killer = try await connect()
        for _ in 0..<5 {
            let pid = try await pool.withConnection { c in try await c.row(BackendPID()) }
            #expect(try await killer.row(Terminate(pid: pid)))
            #expect(try await pool.withConnection { c in try await c.row(BackendPID()) } != pid)
        }
    }

    @Test("a pool that runs closes idle connections, and everything at shutdown") func lifecycle() async throws {
        let pool = pool(PoolLimits(connectionsMax: 2, idleMax: .milliseconds(50)))
        let group = ServiceGroup(configuration: .init(services: [.init(service: pool)], logger: quiet))
        try await withThrowingTaskGroup { tasks in
            tasks.addTask { try await group.run() }
            try await pool.withConnection { c in _ = try await c.run(Number(value: 1)) }
            while pool.connectionsCount > 0 { await Task.yield() }
            try await pool.withConnection { c in _ = try await c.run(Number(value: 1)) }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
        #expect(pool.connectionsCount == 0)
        #expect(await failure { try await pool.withConnection { _ in } }?.state == .cannotConnectNow)
    }
}
