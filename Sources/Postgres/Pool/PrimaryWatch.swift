package import Logging
import ServiceLifecycle

extension TimelineFence {
    /// Makes the fence of a command that connects to one of several hosts, once it has seen them all.
    /// - Returns: Nil for a connection string with one host, of which nothing is to be learned.
    package static func behindSeveralHosts(_ conninfo: String, logger: Logger) async -> TimelineFence? {
        guard HostList(conninfo: conninfo) != nil else { return nil }
        let fence = TimelineFence(logger: logger)
        await PrimaryWatch(ConnectionSettings(conninfo: conninfo, fence: fence), logger: logger).firstLook()
        return fence
    }
}

/// Looks at the hosts of a connection string that is not the one in use, every two seconds, for a newer timeline than
/// this process has seen.
///
/// Without it a process that can reach a former primary would stay with it for as long as that answers, because nothing
/// that a former primary says betrays it.
package struct PrimaryWatch: Service {
    private static let pause = Duration.seconds(2)
    private static let lookMax = Duration.seconds(1)

    private let settings: ConnectionSettings
    private let logger: Logger

    /// - Parameter settings: Where the server's connections go, and their fence. Nothing but the position is asked for.
    package init(_ settings: ConnectionSettings, logger: Logger) {
        var settings = settings
        settings.session = [:]
        settings.silenceMax = Self.lookMax
        settings.cancelMax = Self.lookMax
        self.settings = settings
        self.logger = logger
    }

    /// Looks at all hosts once, so that the first connection is not to a former primary that stands before the primary.
    /// Does nothing where one host is named. It takes about a second at most.
    package func firstLook() async {
        guard let list = HostList(conninfo: settings.conninfo) else { return }
        await look(at: list.hosts, of: list)
    }

    package func run() async throws {
        guard let fence = settings.fence, let list = HostList(conninfo: settings.conninfo) else {
            try await gracefulShutdown()
            return
        }
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                let inUse = fence.preferred(of: list)
                await look(at: list.hosts.filter { $0 != inUse }, of: list)
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    private func look(at hosts: [Host], of list: HostList) async {
        await withTaskGroup { group in for host in hosts { group.addTask { await look(at: host, of: list) } } }
    }

    private func look(at host: Host, of list: HostList) async {
        // A host that does not answer says nothing.
        guard let fence = settings.fence, let position = try? await position(of: host), let timeline = position.timeline
        else { return }
        // The first one of its cluster replaces nothing.
        if case .newest(after: _?) = fence.judge(timeline), !position.isStandby { fence.prefer(host, of: list) }
    }

    private func position(of host: Host) async throws(PostgresError) -> ServerPosition {
        var settings = settings
        settings.fence = nil
        let session = try await Session.open(
            settings, host.options + [("target_session_attrs", "any")], until: .now + Self.lookMax, logger: logger)
        let connection = Connection(session)
        defer { connection.close() }
        return try await connection.row(ServerPositionRead())
    }
}
