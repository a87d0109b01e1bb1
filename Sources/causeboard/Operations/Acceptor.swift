import CLinux
import Glibc
import HTTP
import HTTPServer
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization

/// What becomes of new connections.
protocol ConnectionSetup: Sendable {
    /// Whether a client may open another connection. It is asked on the thread that accepts.
    func admits(_ address: IPAddress?, on eventLoop: any EventLoop) -> Bool
    /// Sets up the channel of a client that was admitted, on its event loop.
    /// - Returns: False when it is to be closed.
    func setUp(_ channel: any Channel, from address: IPAddress?) -> Bool
}

extension ClientChannel: ConnectionSetup {}

/// A listening socket of clients, and the thread that accepts their connections.
///
/// One client may open and close tens of thousands of connections a second. With event loops that are busy, the
/// kernel's queue of connections would fill, which it shares among all clients. So a thread of its own accepts them,
/// and closes at once those that their address may not open; the event loops only hear of the others.
final class Acceptor: Sendable {
    private struct Channels {
        var open: [ObjectIdentifier: any Channel] = [:]
        /// Those that were accepted and whose event loop has not set them up.
        var beingSetUp = 0
        var isListening = true
        /// Open connections answer what they have begun, and take no other request.
        var isDraining = false
        /// Open connections stop at once.
        var isStopped = false
        /// Who waits until all have ended.
        var waiter: CheckedContinuation<Void, Never>?

        var count: Int { open.count + beingSetUp }
        var haveEnded: Bool { !isListening && count == 0 }
    }

    /// The port that clients connect to, in 1...65535.
    let port: Int
    private let socket: Int32
    /// Becomes readable when the thread shall look whether to go on.
    private let wakeup: Int32
    private let eventLoops: any EventLoopGroup
    private let setup: any ConnectionSetup
    private let connectionsMax: Int
    private let channels = Mutex(Channels())
    private let thread = NIOThreadPool(numberOfThreads: 1)

    /// Connections that are accepted before the thread looks whether to go on.
    private static let acceptedAtOnceMax = 64
    /// How long it waits when no descriptor is left, or too many connections are open.
    private static let pauseMilliseconds: Int32 = 20

    /// Listens. Connections wait until it runs.
    /// - Parameters:
    ///   - host: An address of this machine, or a name that resolves to one.
    ///   - port: 0 lets the system choose.
    ///   - connectionsMax: Connections that are open at once; further ones wait in the kernel.
    /// - Throws: `IOError`, or `SocketAddressError` for an unknown host.
    init(
        host: String, port: Int, backlog: Int, connectionsMax: Int,
        eventLoops: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton, setup: any ConnectionSetup
    ) throws {
        let address = try SocketAddress.makeAddressResolvingHost(host, port: port)
        socket = Glibc.socket(
            address.protocol == .inet6 ? AF_INET6 : AF_INET,
            Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { throw IOError(errnoCode: errno, reason: "socket") }
        wakeup = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        do {
            guard wakeup >= 0 else { throw IOError(errnoCode: errno, reason: "eventfd") }
            self.port = try Self.listen(socket, on: address, backlog: backlog)
        } catch {
            close(socket)
            if wakeup >= 0 { close(wakeup) }
            throw error
        }
        self.eventLoops = eventLoops
        self.setup = setup
        self.connectionsMax = connectionsMax
    }

    deinit {
        if channels.withLock({ $0.isListening }) { close(socket) }
        close(wakeup)
    }

    /// - Returns: The port.
    private static func listen(_ socket: Int32, on address: SocketAddress, backlog: Int) throws -> Int {
        var one: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout.size(ofValue: one)))
        guard address.withSockAddr({ Glibc.bind(socket, $0, socklen_t($1)) }) == 0 else {
            throw IOError(errnoCode: errno, reason: "bind")
        }
        guard Glibc.listen(socket, Int32(backlog)) == 0 else { throw IOError(errnoCode: errno, reason: "listen") }
        var (storage, length) = (sockaddr_storage(), socklen_t(MemoryLayout<sockaddr_storage>.size))
        _ = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
        }
        return Self.address(storage)?.port ?? 0
    }

    /// - Returns: Nil for another family than those of IP.
    private static func address(_ storage: sockaddr_storage) -> SocketAddress? {
        withUnsafePointer(to: storage) { pointer in
            switch Int32(storage.ss_family) {
            case AF_INET: pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { SocketAddress($0.pointee) }
            case AF_INET6: pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { SocketAddress($0.pointee) }
            default: nil
            }
        }
    }

    /// Accepts connections until the service shuts down, and returns when all have ended. Cancellation stops them at
    /// once. Call it once.
    func run() async {
        thread.start()
        thread.submit { _ in self.acceptAll() }
        await withTaskCancellationHandler {
            await withGracefulShutdownHandler {
                await ended()
            } onGracefulShutdown: {
                self.drain()
            }
        } onCancel: {
            stop()
        }
        try? await thread.shutdownGracefully()
    }

    private func ended() async {
        await withCheckedContinuation { continuation in
            let haveEnded = channels.withLock { channels in
                if !channels.haveEnded { channels.waiter = continuation }
                return channels.haveEnded
            }
            if haveEnded { continuation.resume() }
        }
    }

    private func drain() {
        let open = channels.withLock { channels in
            channels.isDraining = true
            return channels.open.values.map { $0 }
        }
        wake()
        for channel in open { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
    }

    private func stop() {
        let open = channels.withLock { channels in
            channels.isDraining = true
            channels.isStopped = true
            return channels.open.values.map { $0 }
        }
        wake()
        for channel in open { ClientChannel.stop(channel) }
    }

    private func wake() {
        var one: UInt64 = 1
        _ = write(wakeup, &one, MemoryLayout<UInt64>.size)
    }

    // MARK: - The thread

    private func acceptAll() {
        var mustPause = false
        while true {
            let (isDraining, isFull) = channels.withLock { ($0.isDraining, $0.count >= connectionsMax) }
            if isDraining { break }
            let pauses = mustPause || isFull
            var polled = [
                pollfd(fd: pauses ? -1 : socket, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wakeup, events: Int16(POLLIN), revents: 0),
            ]
            poll(&polled, 2, pauses ? Self.pauseMilliseconds : -1)
            mustPause = polled[0].revents != 0 && !acceptSome()
        }
        close(socket)
        change { $0.isListening = false }
    }

    /// - Returns: False when the system gives no connection now, and may not for a while.
    private func acceptSome() -> Bool {
        for _ in 0..<Self.acceptedAtOnceMax {
            var (storage, length) = (sockaddr_storage(), socklen_t(MemoryLayout<sockaddr_storage>.size))
            let connection = CLinux_accept4(
                socket, &storage, &length, Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue))
            guard connection >= 0 else {
                switch errno {
                case EAGAIN: return true
                case EINTR, ECONNABORTED, EPROTO: continue  // the client has gone
                default: return false  // as without descriptors or memory
                }
            }
            let address = Self.address(storage).flatMap { IPAddress($0) }
            let eventLoop = eventLoops.next()
            if setup.admits(address, on: eventLoop) {
                take(connection, from: address, on: eventLoop)
            } else {
                close(connection)
            }
        }
        return true
    }

    private func take(_ connection: Int32, from address: IPAddress?, on eventLoop: any EventLoop) {
        channels.withLock { $0.beingSetUp += 1 }
        let bootstrap = ClientBootstrap(group: eventLoop).channelOption(.allowRemoteHalfClosure, value: true)
            .channelInitializer { channel in
                if self.setup.setUp(channel, from: address) {
                    self.opened(channel)
                    return channel.eventLoop.makeSucceededVoidFuture()
                }
                // The bootstrap closes it.
                return channel.eventLoop.makeFailedFuture(ChannelError.eof)
            }
        bootstrap.withConnectedSocket(connection).whenComplete { _ in self.change { $0.beingSetUp -= 1 } }
    }

    private func opened(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        let (isDraining, isStopped) = channels.withLock { channels in
            channels.open[id] = channel
            return (channels.isDraining, channels.isStopped)
        }
        channel.closeFuture.whenComplete { _ in self.change { $0.open[id] = nil } }
        if isStopped {
            channel.eventLoop.execute { ClientChannel.stop(channel) }
        } else if isDraining {
            channel.eventLoop.execute { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
        }
    }

    /// Changes the channels, and lets the waiter go on when all have ended.
    private func change(_ body: (inout Channels) -> Void) {
        let waiter = channels.withLock { channels -> CheckedContinuation<Void, Never>? in
            body(&channels)
            guard channels.haveEnded else { return nil }
            defer { channels.waiter = nil }
            return channels.waiter
        }
        waiter?.resume()
    }
}
