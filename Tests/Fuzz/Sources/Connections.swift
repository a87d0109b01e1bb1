import Domain
import Feeds
@testable import HTTP
@testable import HTTPServer

import Leaderboard
import Logging
import NIOCore
import NIOEmbedded
@testable import Postgres
import Storage
import Synchronization

/// What a client sends on a connection, HTTP/1.1 or HTTP/2, in reads of the length that the input's first byte gives.
/// What asks the database waits until the connection closes, because there is none.
@Sendable func checkConnection(_ input: UnsafeRawBufferPointer) {
    guard let first = input.first else { return }
    let step = max(1, Int(first))
    let channel = EmbeddedChannel()
    _ = setup.setUp(channel, from: nil)
    var rest = input.dropFirst()
    var sent = 0
    do {
        while !rest.isEmpty, channel.isActive || sent == 0 {
            try channel.writeInbound(ByteBuffer(bytes: rest.prefix(step)))
            rest = rest.dropFirst(step)
            sent += 1
            while try channel.readOutbound(as: ByteBuffer.self) != nil {}
        }
    } catch {}
    _ = try? channel.finish(acceptAlreadyClosed: true)
    channel.embeddedEventLoop.run()
}

private let quiet: Logger = {
    var logger = Logger(label: "fuzz")
    logger.logLevel = .critical
    return logger
}()

private let setup: ClientChannel = {
    let nowhere = ConnectionSettings(conninfo: "host=/nowhere", connectTimeout: .seconds(5))
    let pool = Pool(nowhere, limits: PoolLimits(connectionsMax: 1, waitMax: .seconds(3_600)), logger: quiet)
    // The only connection is promised to somebody who never opens it.
    _ = pool.state.withLock { $0.lease(Ticket(), at: .now) }
    let store = Store(general: pool, ledger: pool, logger: quiet)
    let clock = ServerClock { Instant(microsecondsSince1970: 1_252_749_600_000_000) }
    let memory = LeaderboardMemory(store: store)
    let writeBatcher = WriteBatcher(store: store, clock: clock, memory: memory, workersCount: 1)
    return ClientChannel(
        Responder(
            store: store, writeBatcher: writeBatcher, rankings: Rankings(store: store, clock: clock, memory: memory),
            operations: Operations(
                health: { Health(memory: memory, writeBatcher: writeBatcher, follower: nil) },
                readiness: Readiness(logger: quiet) { try await store.databaseState() },
                adminGuard: AdminGuard(host: "127.0.0.1")), secret: secret, clock: clock, links: FeedLinks(),
            proxies: TrustedProxies(), rates: RateLimiter(.off), logger: quiet))
}()
