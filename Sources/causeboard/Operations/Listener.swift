import Domain
import Glibc
import HTTP
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// A port that clients connect to, as a service. Its errors name the options that chose the address.
struct Listener: Service {
    let host: String
    /// 0 lets the system choose.
    let port: Int
    /// The option that chose the port, such as `--port`.
    let portOption: String
    /// `http` or `https`.
    let scheme: String
    let channel: ClientChannel
    let logger: Logger

    func run() async throws {
        let server = Server(
            childChannelSetup: channel,
            configuration: ServerConfiguration(
                address: .hostname(host, port: port),
                reuseAddress: true,
                availableConnectionsDelegate: MaximumAvailableConnections(Limits.clientConnectionsMax)
            ),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? port
                logger.info("serving", metadata: ["address": "\(scheme)://\(host):\(port)"])
            },
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
            logger: logger
        )
        do {
            try await server.run()
        } catch {
            throw explained(error)
        }
    }

    private func explained(_ error: any Error) -> any Error {
        if error is SocketAddressError.UnknownHost {
            return CommandError("\(host) is no address and no known name. Choose another --host.")
        }
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE:
            return CommandError(
                "Port \(port) of \(host) is taken. Stop what listens there, or choose another one with \(portOption)."
            )
        case EADDRNOTAVAIL:
            return CommandError("\(host) is no address of this machine. Choose another one with --host.")
        case EACCES:
            return CommandError("Port \(port) is reserved for root. Choose one above 1023 with \(portOption).")
        default: return error
        }
    }
}

extension Listener {
    /// The ports of clients: one, or with TLS perhaps a plain one beside it.
    static func clients(
        _ serving: ServeSettings,
        _ transport: TransportSettings,
        certificate: ServerCertificate?,
        responder: Responder,
        logger: Logger
    ) -> [Listener] {
        var responder = responder
        responder.httpsOnly = transport.httpsOnly
        func listener(_ port: Int, _ option: String, _ certificate: ServerCertificate?) -> Listener {
            Listener(
                host: serving.host,
                port: port,
                portOption: option,
                scheme: certificate == nil ? "http" : "https",
                channel: ClientChannel(responder, certificate: certificate),
                logger: logger
            )
        }
        let plain = transport.plainPort.map { listener($0, "--plain-port", nil) }
        return [listener(serving.port, "--port", certificate)] + (plain.map { [$0] } ?? [])
    }
}
