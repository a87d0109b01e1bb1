import Domain
import Glibc
import HTTP
import HTTPServer
import Logging
import NIOCore
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
        let acceptor: Acceptor
        do {
            acceptor = try Acceptor(
                host: address.host, port: address.port, backlog: Limits.adminConnectionsMax,
                connectionsMax: Limits.adminConnectionsMax, setup: ClientChannel(responder, listener: .admin))
        } catch let error as IOError where error.errnoCode == EADDRINUSE && !address.isAskedFor {
            logger.warning(
                """
                the standard port of the admin listener is taken, so this server has no /metrics; \
                choose another one with --admin-listen
                """, metadata: ["address": "\(address.host):\(address.port)"])
            opening.finish()
            try? await gracefulShutdown()
            return
        } catch {
            throw Listener.explained(error, host: address.host, "--admin-listen", port: address.port, "--admin-listen")
        }
        opening.yield("http://\(AdminAddress.urlHost(address.host)):\(acceptor.port)")
        await acceptor.run()
    }
}

/// Where the admin listener listens.
struct AdminAddress: Sendable, Equatable {
    /// An address, or a name that resolves to one.
    let host: String
    /// 0 lets the system choose.
    let port: Int
    /// Whether somebody asked for it. The address that nobody asked for may be taken.
    let isAskedFor: Bool

    static let standard = AdminAddress(host: "127.0.0.1", port: 8_081, isAskedFor: false)

    /// Reads `--admin-listen`.
    /// - Returns: Nil for `off`.
    static func parsed(_ text: String?) throws -> AdminAddress? {
        guard let text else { return standard }
        if text == "off" { return nil }
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (0...65_535).contains(port), let host = host(text[..<colon])
        else {
            throw CommandError(
                """
                --admin-listen (CAUSEBOARD_ADMIN_LISTEN) is no address with a port. Give one such as 127.0.0.1:8081 \
                or [::1]:8081, or off.
                """)
        }
        return AdminAddress(host: host, port: port, isAskedFor: true)
    }

    /// The host of a URL of this listener.
    static func urlHost(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }

    private static func host(_ text: Substring) -> String? {
        if text.first == "[", text.last == "]", text.count > 2 { return String(text.dropFirst().dropLast()) }
        // An IPv6 address without brackets could end in a group that looks like a port.
        return text.isEmpty || text.contains(":") ? nil : String(text)
    }
}
