import Domain
import Glibc
import HTTP
import HTTPServer
import Logging
import NIOCore

/// The file descriptors that the system lets this process have open. Each connection of a client takes one.
enum FileDescriptors {
    /// Raises the soft limit to the hard one, which needs no privilege.
    /// - Returns: How many client connections may be open: as many as the server wants, or as many as leave room for
    ///   everything else that the process opens.
    /// - Throws: ``CommandError`` when that is less than `Limits.clientConnectionsMin`.
    static func clientConnections(databaseConnections: Int, logger: Logger) throws -> Int {
        let most = try raised()
        // A connection that is closed to make room has its descriptor for a moment, and a statement that is cancelled
        // takes a second connection to the database.
        let others =
            Limits.otherFilesMax + Limits.eventLoopFiles * System.coreCount + Limits.adminConnectionsMax + 2
            * databaseConnections + Limits.closingConnectionsMax
        let fitting = max(0, most - others)
        let (wanted, least) = (Limits.clientConnectionsMax, Limits.clientConnectionsMin)
        if fitting >= wanted { return wanted }
        guard fitting >= least else {
            throw CommandError(
                """
                This process may have \(most) files open, and serving takes \(others + least) or more. Raise the hard \
                limit: `ulimit -Hn \(others + wanted)` as root, or LimitNOFILE=\(others + wanted) in a systemd unit.
                """)
        }
        logger.warning(
            """
            fewer clients can be connected than usual, because this process may have few files open; \
            raise its hard limit (ulimit -Hn, or LimitNOFILE of systemd)
            """,
            metadata: [
                "connections": "\(fitting)", "usual_connections": "\(wanted)", "files": "\(most)",
                "needed_files": "\(others + wanted)",
            ])
        return fitting
    }

    /// - Returns: The hard limit, to which the soft one was raised.
    private static func raised() throws -> Int {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else {
            let reason = String(cString: strerror(errno))
            throw CommandError("The system does not say how many files may be open: \(reason).")
        }
        if limit.rlim_cur < limit.rlim_max {
            let soft = limit.rlim_cur
            limit.rlim_cur = limit.rlim_max
            // A system that refuses leaves the soft limit in force.
            if setrlimit(resource, &limit) != 0 { limit.rlim_cur = soft }
        }
        return Int(clamping: limit.rlim_cur)
    }
}

extension OpenConnections {
    /// As many connections as the process's file descriptors allow, for the ports of clients together. Trusted proxies
    /// and networks of events have any number of them.
    static func fitting(_ serving: ServeSettings, logger: Logger) throws -> OpenConnections {
        let connectionsMax = try FileDescriptors.clientConnections(
            databaseConnections: serving.connections, logger: logger)
        return OpenConnections(
            Bounds(connectionsMax: connectionsMax, ofAddressMax: serving.connectionsPerAddress),
            proxies: serving.clients.proxies, rates: serving.clients.rates, logger: logger)
    }
}
