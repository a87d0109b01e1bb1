package import Logging
import Synchronization

/// A history of one PostgreSQL cluster. Each promotion of a standby begins one with a greater number.
package struct Timeline: Hashable, Sendable {
    /// The cluster's system identifier, which a primary and its standbys share.
    package let system: UInt64
    package let number: UInt32

    package init(system: UInt64, number: UInt32) {
        self.system = system
        self.number = number
    }
}

/// Remembers the newest timeline that was seen, so that a former primary is recognised: it still takes writes, on an
/// older timeline, until somebody stops it. What it commits is lost, and what it reads is out of date.
///
/// All connections of a process that lead to the same database share one. It also remembers which of several hosts took
/// writes last, so that the next connection tries that one first.
///
/// It forgets nothing while the process runs. After an older state of a cluster was restored, the log and the refusals
/// say that the process has to be restarted.
package final class TimelineFence: Sendable {
    private struct State {
        /// The newest timeline of each cluster. There is more than one after the database has moved.
        var newest: [UInt64: UInt32] = [:]
        /// Timelines whose refusal was logged.
        var refused: Set<Timeline> = []
        /// By the list of hosts: the stream may have another one than the statements.
        var preferred: [HostList: Host] = [:]
    }

    /// What a timeline is, next to those that were seen before.
    enum Verdict: Equatable {
        case same
        /// The first of its cluster, or newer than the given one.
        case newest(after: UInt32?)
        case former(newest: UInt32)
    }

    /// Clusters, refused timelines and lists of hosts that are remembered at the same time.
    private static let countMax = 8

    private let state = Mutex(State())
    private let logger: Logger?

    /// - Parameter logger: It is told once when another server has become the primary, and when a former one is
    ///   refused.
    package init(logger: Logger? = nil) { self.logger = logger }

    /// Notes that a server is, or was, on a timeline.
    /// - Returns: False when a newer one of the same cluster has been seen.
    @discardableResult package func note(_ timeline: Timeline) -> Bool {
        if case .former = judge(timeline) { false } else { true }
    }

    /// Notes a timeline, and logs what is new about it.
    func judge(_ timeline: Timeline) -> Verdict {
        let verdict = state.withLock { state -> Verdict in
            let newest = state.newest[timeline.system]
            if let newest, timeline.number <= newest {
                return timeline.number == newest ? .same : .former(newest: newest)
            }
            if newest == nil, state.newest.count >= Self.countMax { state.newest = [:] }
            state.newest[timeline.system] = timeline.number
            return .newest(after: newest)
        }
        if case .newest(let before?) = verdict {
            logger?.notice(
                "another server has become the primary; connections to the former one are given up",
                metadata: ["timeline": "\(timeline.number)", "former": "\(before)"])
        }
        return verdict
    }

    /// The error for a server that takes writes on an older timeline than was seen. The log has it once.
    func refusal(of timeline: Timeline, newest: UInt32) -> PostgresError {
        let isNews = state.withLock { state in
            if state.refused.count >= Self.countMax { state.refused = [] }
            return state.refused.insert(timeline).inserted
        }
        if isNews {
            logger?.warning(
                """
                a former primary is refused, because a newer timeline of its cluster was seen; \
                if an older state was restored on purpose, restart this server
                """, metadata: ["timeline": "\(timeline.number)", "newest": "\(newest)"])
        }
        return PostgresError(
            .cannotConnect, safeToRetry: true,
            message: "a former primary, on timeline \(timeline.number); \(newest) was seen", refusal: .formerPrimary)
    }

    /// Whether a newer timeline of the same cluster has been seen.
    func isPast(_ timeline: Timeline) -> Bool { state.withLock { ($0.newest[timeline.system] ?? 0) > timeline.number } }

    /// Which host of a list took writes last.
    func preferred(of list: HostList) -> Host? { state.withLock { $0.preferred[list] } }

    func prefer(_ host: Host, of list: HostList) {
        state.withLock { state in
            if state.preferred[list] == nil, state.preferred.count >= Self.countMax { state.preferred = [:] }
            state.preferred[list] = host
        }
    }
}

/// Where a server is in the history of its cluster.
struct ServerPosition {
    /// Nil when the server did not say.
    let timeline: Timeline?
    let isStandby: Bool
}

/// Asks a server for its position. A standby does not say which timeline it replays, but which one its last restart
/// point and its consistent state belong to; these are never newer.
struct ServerPositionRead: Query {
    static let sql: StaticString = """
        select s.system_identifier,
               pg_is_in_recovery(),
               case when pg_is_in_recovery()
                    then greatest(c.timeline_id::bigint, r.min_recovery_end_timeline::bigint)
                    else ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::bigint
                end
          from pg_control_system() s, pg_control_checkpoint() c, pg_control_recovery() r
        """

    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> ServerPosition {
        let system: Int64 = try row.next()
        let isStandby: Bool = try row.next()
        let number: Int64? = try row.next()
        return ServerPosition(
            timeline: number.map {
                Timeline(system: UInt64(bitPattern: system), number: UInt32(truncatingIfNeeded: $0))
            }, isStandby: isStandby)
    }
}
