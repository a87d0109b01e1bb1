import Credentials
import Domain
import Feeds
import Leaderboard
import Logging
import NIOCore
import SignIn
import Storage
import Synchronization
import TestDatabases
import Testing

@testable import HTTP
@testable import HTTPServer
@testable import Postgres

/// Runs the exchange against a database of its own. The clock advances by a second with each look at it.
func withExchange(_ name: String, _ body: @escaping @Sendable (inout Exchange, Store) async throws -> Void) async throws
{
    try await withTestDatabase { database in
        let responder = Exchange.responder(database.store, database.secret)
        try await Exchange.run(responder) { exchange in
            try await body(&exchange, database.store)
            try exchange.matches(name)
        }
    }
}

extension Exchange {
    /// 2009-09-12T10:00:00Z, from which the clock of every exchange starts.
    static let start = Instant(microsecondsSince1970: 1_252_749_600_000_000)

    /// Lets a responder write while the body sends requests.
    static func run(_ responder: Responder, _ body: (inout Exchange) async throws -> Void) async throws {
        let writing = Task { await responder.handlers.ledger.writeBatcher.run() }
        defer { writing.cancel() }
        var exchange = Exchange(responder)
        try await body(&exchange)
    }

    /// A responder whose database cannot be reached: what asks it for anything is a 503.
    static func responderWithoutDatabase(
        proxies: TrustedProxies = TrustedProxies(), rates: RateLimiter = RateLimiter(.off), httpsOnly: HTTPSOnly? = nil,
        isAdminPublic: Bool = false, accessLog: AccessLog? = nil, certificate: ServerCertificate? = nil
    ) throws -> Responder {
        let nowhere = ConnectionSettings(conninfo: "host=/nowhere", connectTimeout: .seconds(5))
        let pool = Pool(nowhere, limits: PoolLimits(connectionsMax: 1), logger: .none)
        return try responder(
            pool, proxies: proxies, rates: rates, httpsOnly: httpsOnly, isAdminPublic: isAdminPublic,
            accessLog: accessLog, certificate: certificate)
    }

    /// A responder whose database never answers: `/healthz` is answered at once, and `/v1/games` waits for a connection
    /// that never comes.
    /// - Returns: The pool in which requests wait, too.
    static func responderWithSilentDatabase(httpsOnly: HTTPSOnly? = nil) throws -> (Responder, Pool) {
        let limits = PoolLimits(connectionsMax: 1, waitMax: .seconds(3_600))
        let pool = Pool(ConnectionSettings(conninfo: ""), limits: limits, logger: .none)
        // The only connection is promised to somebody who never opens it.
        _ = pool.state.withLock { $0.lease(Ticket(), at: .now) }
        return (try responder(pool, httpsOnly: httpsOnly), pool)
    }

    private static func responder(
        _ pool: Pool, proxies: TrustedProxies = TrustedProxies(), rates: RateLimiter = RateLimiter(.off),
        httpsOnly: HTTPSOnly? = nil, isAdminPublic: Bool = false, accessLog: AccessLog? = nil,
        certificate: ServerCertificate? = nil
    ) throws -> Responder {
        responder(
            Store(general: pool, ledger: pool, logger: .none),
            try #require(Secret(hex: String(repeating: "5eed", count: 16))), proxies: proxies, rates: rates,
            httpsOnly: httpsOnly, isAdminPublic: isAdminPublic, accessLog: accessLog, certificate: certificate)
    }

    /// A responder on a store, with a clock that advances by a second with each look at it unless there is another one.
    static func responder(
        _ store: Store, _ secret: Secret, proxies: TrustedProxies = TrustedProxies(),
        rates: RateLimiter = RateLimiter(.off), httpsOnly: HTTPSOnly? = nil, isAdminPublic: Bool = false,
        accessLog: AccessLog? = nil, certificate: ServerCertificate? = nil, reserve: DiskReserve? = nil,
        clock: ServerClock? = nil, issuers: IssuerKeys? = nil, memory: LeaderboardMemory? = nil
    ) -> Responder {
        let ticks = Mutex<Int64>(0)
        let clock =
            clock
            ?? ServerClock {
                ticks.withLock { seconds in
                    seconds += 1
                    return start.advanced(bySeconds: seconds)
                }
            }
        let memory = memory ?? LeaderboardMemory(store: store)
        let writeBatcher = WriteBatcher(store: store, clock: clock, memory: memory, workersCount: 2)
        return Responder(
            store: store, writeBatcher: writeBatcher, rankings: Rankings(store: store, clock: clock, memory: memory),
            operations: Operations(
                health: { Health(memory: memory, writeBatcher: writeBatcher, follower: nil) },
                readiness: Readiness(logger: .none) { try await store.databaseState() },
                requestIDs: RequestIDs { "exchange" }, adminGuard: AdminGuard(host: "127.0.0.1"), accessLog: accessLog,
                certificate: certificate, reserve: reserve), secret: secret, clock: clock,
            links: FeedLinks(entryKey: secret.entryKey), proxies: proxies, rates: rates, httpsOnly: httpsOnly,
            isAdminPublic: isAdminPublic, issuers: issuers, logger: .none)
    }
}

extension ClientChannel {
    /// Sets up a channel in memory as a listener does, and closes one that it does not admit.
    func connect(_ channel: any Channel) {
        let address = channel.remoteAddress.flatMap { IPAddress($0) }
        if !admits(address, on: channel.eventLoop) || !setUp(channel, from: address) { channel.close(promise: nil) }
    }
}
