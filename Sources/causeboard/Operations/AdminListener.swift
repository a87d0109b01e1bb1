import Domain
import Glibc
import HTTP
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// The listener for operators, beside the one for clients. Without it the server is the same to its clients.
struct AdminListener: Service {
    private let address: AdminAddress
    private let responder: Responder
    private let logger: Logger
    private let opened: AsyncStream<String>
    private let opening: AsyncStream<String>.Continuation

    init(_ address: AdminAddress, responder: Responder, logger: Logger) {
        self.address = address
        self.responder = responder
        self.logger = logger
        (opened, opening) = AsyncStream<String>.makeStream()
    }

    /// The URL at which it listens; nil when it does not. Waits until that is known. Call it once.
    func url() async -> String? {
        for await url in opened { return url }
        return nil
    }

    func run() async throws {
        defer { opening.finish() }
        // When requests of clients take too long to end, all services are cancelled, and this server would log that as
        // an error of its own.
        var quiet = logger
        quiet.logLevel = .critical
        let server = Server(
            childChannelSetup: ClientChannel(responder, listener: .admin),
            configuration: ServerConfiguration(
                address: .hostname(address.host, port: address.port),
                reuseAddress: true,
                availableConnectionsDelegate: MaximumAvailableConnections(Limits.adminConnectionsMax)
            ),
            onServerRunning: { [address, opening] channel in
                let port = channel.localAddress?.port ?? address.port
                opening.yield("http://\(AdminAddress.urlHost(address.host)):\(port)")
            },
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
            logger: quiet
        )
        do { try await server.run() } catch let error as IOError
            where error.errnoCode == EADDRINUSE && !address.isAskedFor
        {
            logger.warning(
                """
                the standard port of the admin listener is taken, so this server has no /metrics; \
                choose another one with --admin-listen
                """,
                metadata: ["address": "\(address.host):\(address.port)"]
            )
            opening.finish()
            try? await gracefulShutdown()
        } catch {
            throw Listener.explained(error, host: address.host, "--admin-listen", port: address.port, "--admin-listen")
        }
    }
}
