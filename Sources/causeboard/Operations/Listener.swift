import Domain
import Glibc
import HTTP
import HTTPServer
import Logging
import NIOCore
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
    /// How many connections are accepted at once. The bounds of `channel` are those of all ports together, and keep the
    /// number of file descriptors; this is a backstop behind them.
    let connectionsMax: Int
    /// Beside it, in the line that says what is served.
    let admin: AdminListener?
    /// The home page at a port, which the log of a new server tells; nil when it has been told.
    let homePage: (@Sendable (Int) -> String)?
    /// What is told that it is listened on.
    let ready: ReadyNotice?
    let logger: Logger

    func run() async throws {
        let acceptor: Acceptor
        do {
            acceptor = try Acceptor(
                host: host, port: port, backlog: Limits.connectionBacklog, connectionsMax: connectionsMax,
                setup: channel)
        } catch { throw Self.explained(error, host: host, "--host", port: port, portOption) }
        var metadata: Logger.Metadata = ["address": "\(scheme)://\(AdminAddress.urlHost(host)):\(acceptor.port)"]
        if let admin { metadata["admin"] = "\(await admin.url() ?? "off")" }
        logger.info("serving", metadata: metadata)
        if let homePage {
            logger.info(
                "this server is new: open its home page; `causeboard game add` adds a game",
                metadata: ["home": "\(homePage(acceptor.port))"])
        }
        ready?.listening()
        await acceptor.run()
    }

    /// Says which option to change when an address cannot be listened on.
    static func explained(_ error: any Error, host: String, _ hostOption: String, port: Int, _ portOption: String)
        -> any Error
    {
        if error is SocketAddressError.UnknownHost {
            return CommandError("\(host) is no address and no known name. Choose another \(hostOption).")
        }
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE:
            return CommandError(
                "Port \(port) of \(host) is taken. Stop what listens there, or choose another one with \(portOption).")
        case EADDRNOTAVAIL:
            return CommandError("\(host) is no address of this machine. Choose another one with \(hostOption).")
        case EACCES: return CommandError("Port \(port) is reserved for root. Choose one above 1023 with \(portOption).")
        default: return error
        }
    }
}

extension Listener {
    /// The ports of clients: one, or with TLS perhaps a plain one beside it.
    /// - Parameter isNew: Whether this is the first server of its database. Then the log says what to do next.
    static func clients(
        _ serving: ServeSettings, certificate: ServerCertificate?, responder: Responder, connections: OpenConnections,
        admin: AdminListener?, isNew: Bool, manager: ServiceManager?, logger: Logger
    ) -> [Listener] {
        let ready = manager.map { ReadyNotice($0, portsCount: serving.transport.plainPort == nil ? 1 : 2) }
        func listener(_ port: Int, _ option: String, _ certificate: ServerCertificate?, isFirst: Bool) -> Listener {
            let scheme = certificate == nil ? "http" : "https"
            var homePage: (@Sendable (Int) -> String)?
            if isFirst, isNew { homePage = { serving.homePage(scheme: scheme, port: $0) } }
            return Listener(
                host: serving.host, port: port, portOption: option, scheme: scheme,
                channel: ClientChannel(
                    responder, certificate: certificate,
                    keepsBrowsersEncrypted: serving.transport.keepsBrowsersEncrypted, connections: connections),
                connectionsMax: connections.bounds.connectionsMax + Limits.closingConnectionsMax,
                admin: isFirst ? admin : nil, homePage: homePage, ready: ready, logger: logger)
        }
        let plain = serving.transport.plainPort.map { listener($0, "--plain-port", nil, isFirst: false) }
        return [listener(serving.port, "--port", certificate, isFirst: true)] + (plain.map { [$0] } ?? [])
    }
}
