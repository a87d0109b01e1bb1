import Logging
import Postgres
import TestDatabases
import Testing

/// Sessions whose server was replaced by another one, which the tests say by noting a newer timeline.
@Suite(.server) struct TimelineFenceTests {
    private struct SystemIdentifier: Query {
        static let sql: StaticString = "select system_identifier from pg_control_system()"
        static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Int64 { try row.next() }
    }

    private func settings(_ fence: TimelineFence) -> ConnectionSettings {
        var settings = ConnectionSettings.test
        settings.fence = fence
        return settings
    }

    /// The timeline of the shared server is 1, since nobody was ever promoted.
    private func successor() async throws -> Timeline {
        let system = try await connect().row(SystemIdentifier())
        return Timeline(system: UInt64(bitPattern: system), number: 2)
    }

    @Test("a server on the newest timeline that was seen is connected, and one on an older one is refused")
    func refused() async throws {
        let fence = TimelineFence()
        let connection = try await connect(settings(fence))
        #expect(try await connection.row(Number(value: 1)) == 1)
        #expect(fence.note(try await successor()))
        let error = await failure { _ = try await connect(settings(fence)) }
        #expect(error?.state == .cannotConnect && error?.refusal == .formerPrimary)
        #expect(error?.safeToRetry == true)
    }

    @Test("whoever finds a newer timeline logs it, and the first refusal says both numbers") func logged() async throws
    {
        let log = CapturedLog(level: .notice)
        let fence = TimelineFence(logger: log.logger)
        fence.note(Timeline(system: 1, number: 9))
        _ = try await connect(settings(fence))
        #expect(log.lines.isEmpty, "another cluster's timeline, and the first of this one, are no news")
        let next = try await successor()
        for _ in 0..<3 {
            fence.note(next)
            _ = await failure { _ = try await connect(settings(fence)) }
        }
        #expect(log.lines.count == 2)
        #expect(log.lines.first?.hasSuffix("former=1 timeline=2") == true)
        #expect(log.lines.last?.hasSuffix("restart this server newest=2 timeline=1") == true)
    }

    @Test("of several hosts all are looked at before the first connection") func firstLook() async throws {
        let one = SharedServer.current.conninfo()
        let directory = SharedServer.current.socketDirectory
        #expect(await TimelineFence.behindSeveralHosts(one, logger: .none) == nil)
        let two = one.replacingHosts("\(SilentServer().directory),\(directory)")
        let now = try await successor()
        var found: TimelineFence?
        // A look has one second, which may be too short for a busy server.
        for _ in 0..<30 where found == nil {
            let fence = try #require(await TimelineFence.behindSeveralHosts(two, logger: .none))
            if !fence.note(Timeline(system: now.system, number: 0)) { found = fence }
        }
        let fence = try #require(found, "timeline 1 was never seen")
        #expect(fence.note(now))
    }

    @Test("the timeline of another cluster says nothing") func otherCluster() async throws {
        let fence = TimelineFence()
        fence.note(Timeline(system: 1, number: 9))
        #expect(try await connect(settings(fence)).row(Number(value: 1)) == 1)
    }

    @Test("what a former primary answers is not told, since it may be lost") func answers() async throws {
        let fence = TimelineFence()
        let connection = try await connect(settings(fence))
        fence.note(try await successor())
        let error = await failure { _ = try await connection.row(Number(value: 1)) }
        #expect(error?.state == .connectionLost)
        #expect(error?.safeToRetry == false)
        #expect(!connection.isUsable)
    }

    @Test("a statement at a former primary that never answers ends") func silent() async throws {
        let fence = TimelineFence()
        let connection = try await connect(settings(fence))
        let next = try await successor()
        let noting = Task { fence.note(next) }
        let began = ContinuousClock.now
        let error = await failure { _ = try await connection.row(Sleep(seconds: 200)) }
        #expect(error?.state == .connectionLost)
        let took = ContinuousClock.now - began
        #expect(await noting.value)
        #expect(took < .seconds(60))
    }

    @Test("a pool lends no session of a former primary") func pool() async throws {
        let fence = TimelineFence()
        let pool = Pool(settings(fence), limits: PoolLimits(connectionsMax: 1), logger: .none)
        try await pool.withConnection { c in _ = try await c.run(Number(value: 1)) }
        fence.note(try await successor())
        let error = await failure { try await pool.withConnection { c in _ = try await c.run(Number(value: 1)) } }
        #expect(error?.state == .cannotConnect)
        #expect(error?.safeToRetry == true)
    }

    @Test("the stream of a former primary is not opened, and one that is followed ends") func stream() async throws {
        let fence = TimelineFence()
        let owner = try await connect()
        try await owner.script("drop publication if exists fenced; create publication fenced")
        let stream = try await ReplicationConnection.open(settings(fence), logger: .none)
        let slot = try await stream.createTemporarySlot()
        fence.note(try await successor())
        let followed = await failure {
            try await stream.stream(slot, publication: "fenced") { _ throws(PostgresError) in }
        }
        #expect(followed?.state == .connectionLost)
        let opened = await failure { _ = try await ReplicationConnection.open(settings(fence), logger: .none) }
        #expect(opened?.state == .cannotConnect)
        try await owner.script("drop publication fenced")
    }

    @Test("a host that never answers leaves time for the next one, and the one that answered is tried first")
    func hosts() async throws {
        let silent = SilentServer()
        let directory = SharedServer.current.socketDirectory
        var settings = settings(TimelineFence())
        settings.conninfo = settings.conninfo.replacingHosts("\(silent.directory),\(directory)")
        settings.connectTimeout = .seconds(14)
        #expect(try await connect(settings).row(Number(value: 1)) == 1)
        // The same server, as another list of hosts calls it, such as that of the stream.
        var others = settings
        others.conninfo = settings.conninfo.replacingHosts("\(directory)/,\(silent.directory)")
        #expect(try await connect(others).row(Number(value: 1)) == 1)
        settings.connectTimeout = .seconds(80)
        let began = ContinuousClock.now
        #expect(try await connect(settings).row(Number(value: 1)) == 1)
        let took = ContinuousClock.now - began
        #expect(took < .seconds(30), "the silent one would have taken half of eighty seconds")
    }

    @Test("a host that takes the connection and then freezes leaves time for the next one") func frozen() async throws {
        let frozen = SilentServer(greets: true)
        var settings = settings(TimelineFence())
        let began = ContinuousClock.now
        settings.connectTimeout = .seconds(14)
        settings.conninfo = settings.conninfo.replacingHosts(
            "\(frozen.directory),\(SharedServer.current.socketDirectory)")
        #expect(try await connect(settings).row(Number(value: 1)) == 1)
        settings.connectTimeout = .milliseconds(300)
        settings.conninfo = frozen.conninfo
        let error = await failure { _ = try await connect(settings) }
        #expect(error?.state == .cannotConnect && error?.safeToRetry == true)
        #expect(.now - began < .seconds(100), "nothing waits for the five minutes that a statement may take")
    }
}

extension String {
    /// A connection string of `key=value` pairs with other hosts.
    fileprivate func replacingHosts(_ hosts: String) -> String {
        split(separator: " ").map { $0.hasPrefix("host=") ? "host=\(hosts)" : String($0) }.joined(separator: " ")
    }
}
