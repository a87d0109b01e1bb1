import Domain
import Glibc
import HTTPServer
import NIOCore
import NIOPosix
import Synchronization

/// Looks up host names on its own threads, because the system's lookup blocks and cannot be cancelled.
final class NameLookup: Sendable {
    typealias Addresses = @Sendable (_ host: String) throws(OutgoingError) -> [IPAddress]

    private let threads = NIOThreadPool(numberOfThreads: Limits.outgoingLookupThreads)
    private let addresses: Addresses
    /// The lookups that have not ended, by host. Who asks for one of these hosts waits for the same lookup, so that a
    /// name that cannot be found takes one thread at most.
    private let pending = Mutex<[String: EventLoopFuture<[IPAddress]>]>([:])

    /// - Parameter addresses: Returns the addresses of a name, the preferred one first. It may block.
    init(_ addresses: @escaping Addresses = NameLookup.system) { self.addresses = addresses }

    deinit { threads.shutdownGracefully { _ in } }

    func addresses(of host: String, on loop: any EventLoop) -> EventLoopFuture<[IPAddress]> {
        // Threads start with the first lookup and then stay.
        threads.start()
        let (found, isNew) = pending.withLock { pending in
            if let found = pending[host] { return (found, false) }
            let found = threads.runIfActive(eventLoop: loop) { [addresses] in try addresses(host) }
            pending[host] = found
            return (found, true)
        }
        if isNew { found.whenComplete { [self] _ in pending.withLock { $0[host] = nil } } }
        return found.hop(to: loop)
    }

    /// The addresses of a name, in the order of RFC 6724.
    @Sendable private static func system(_ host: String) throws(OutgoingError) -> [IPAddress] {
        var hints = addrinfo()
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_ADDRCONFIG
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &found) == 0 else { throw .unknownName }
        defer { freeaddrinfo(found) }
        var addresses: [IPAddress] = []
        var next = found
        while let info = next?.pointee {
            // An address that cannot be parsed cannot be checked, so the name is refused.
            guard let address = numeric(info).flatMap({ IPAddress($0) }) else { throw .unknownName }
            addresses.append(address)
            next = info.ai_next
        }
        return addresses
    }

    private static func numeric(_ info: addrinfo) -> String? {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard getnameinfo(info.ai_addr, info.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
        else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
