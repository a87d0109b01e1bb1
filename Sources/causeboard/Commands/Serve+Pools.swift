import Domain
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

    /// - Parameters:
    ///   - conninfo: The database of the server.
    ///   - connections: How many connections readers and writers have together, at most.
    init(conninfo: String, connections: Int, logger: Logger) {
        func pool(_ session: [String: String], _ count: Int, for purpose: Poller.Purpose) -> Pool {
            Pool(
                ConnectionSettings(
                    conninfo: conninfo,
                    session: session,
                    connectTimeout: .seconds(5),
                    purpose: purpose
                ),
                limits: PoolLimits(
                    connectionsMax: count,
                    drainMax: .seconds(Limits.connectionDrainSecondsMax)
                ),
                logger: logger
            )
        }
        general = pool(SessionPresets.general, connections - connections / 2, for: .statements)
        ledger = pool(SessionPresets.ledger, connections / 2, for: .ledgers)
        audits = pool(SessionPresets.auditing, 1, for: .statements)
        let silenceMax = Duration.seconds(Limits.heartbeatSilenceSecondsMax)
        heartbeat = Pool(
            ConnectionSettings(
                conninfo: conninfo,
                session: SessionPresets.ledger,
                connectTimeout: silenceMax,
                silenceMax: silenceMax,
                cancelMax: .seconds(1)
            ),
            limits: PoolLimits(connectionsMax: Limits.heartbeatConnections, drainMax: .seconds(1)),
            logger: logger
        )
    }
}
