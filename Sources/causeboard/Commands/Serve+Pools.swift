import Domain
import HTTP
import Leaderboard
import Logging
import Postgres
import Storage

/// The connections of a server to its database.
struct ServePools {
    /// Half of the connections, for readers.
    let general: Pool
    /// The other half, for posts and players.
    let ledger: Pool
    /// Connections beside these for heartbeats alone. Behind posts a heartbeat would come back late just when the
    /// database is slow, and reads would go to the database then, too.
    let heartbeat: Pool
    /// One more connection for the audits that operators ask for, which take long. It is opened with the first one.
    let audits: Pool

    /// Connections to a standby for long reads, a quarter as many as the others; nil without one.
    let replica: Pool?

    /// - Parameters:
    ///   - conninfo: The database of the server.
    ///   - fence: What keeps them away from former primaries.
    ///   - replica: A standby of that database; nil for none.
    ///   - connections: How many connections readers and writers have together, at most.
    init(conninfo: String, fence: TimelineFence, replica: String?, connections: Int, logger: Logger) {
        func pool(_ session: [String: String], _ count: Int, for purpose: Poller.Purpose) -> Pool {
            Pool(
                ConnectionSettings(
                    conninfo: conninfo, session: session, connectTimeout: .seconds(5), fence: fence, purpose: purpose),
                limits: PoolLimits(connectionsMax: count, drainMax: .seconds(Limits.connectionDrainSecondsMax)),
                logger: logger)
        }
        general = pool(SessionPresets.general, connections - connections / 2, for: .statements)
        ledger = pool(SessionPresets.ledger, connections / 2, for: .ledgers)
        audits = pool(SessionPresets.auditing, 1, for: .statements)
        // A standby that does not answer may keep no reader waiting for long.
        self.replica = replica.map { conninfo in
            Pool(
                ConnectionSettings(
                    conninfo: conninfo, session: SessionPresets.general, connectTimeout: .seconds(1),
                    silenceMax: .seconds(10)),
                limits: PoolLimits(connectionsMax: max(1, connections / 4), drainMax: .seconds(1)), logger: logger)
        }
        let silenceMax = Duration.seconds(Limits.heartbeatSilenceSecondsMax)
        heartbeat = Pool(
            ConnectionSettings(
                conninfo: conninfo, session: SessionPresets.ledger, connectTimeout: silenceMax, silenceMax: silenceMax,
                cancelMax: .seconds(1), fence: fence),
            limits: PoolLimits(connectionsMax: Limits.heartbeatConnections, drainMax: .seconds(1)), logger: logger)
    }

    /// How the pools are used that readers and writers wait for.
    var use: [(name: String, use: ConnectionUse)] {
        ([("general", general), ("ledger", ledger)] + (replica.map { [("replica", $0)] } ?? [])).map { name, pool in
            let use = pool.use
            return (name, ConnectionUse(open: use.open, lent: use.lent, waiting: use.waiting))
        }
    }
}
