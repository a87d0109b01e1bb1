import Glibc
import Synchronization

/// The service manager that started this process, such as systemd, and what it is told: sd_notify(3), without its
/// library. Each notice is one datagram to the socket in `NOTIFY_SOCKET`.
struct ServiceManager: Sendable {
    /// Everything that a service manager is told.
    enum Notice: Equatable, Sendable {
        /// The server serves, or has read its files again.
        case ready
        /// SIGHUP has come. The time is that of the monotonic clock, which systemd compares with its own.
        case reloading(microseconds: UInt64)
        case stopping
        /// The process is well. Without this for `WatchdogSec` it is killed and started again.
        case alive

        var text: String {
            switch self {
            case .ready: "READY=1"
            case .reloading(let microseconds): "RELOADING=1\nMONOTONIC_USEC=\(microseconds)"
            case .stopping: "STOPPING=1"
            case .alive: "WATCHDOG=1"
            }
        }
    }

    /// How long the service manager waits for `.alive`; nil when it watches nobody.
    let patience: Duration?
    private let address: SocketAddress
    private let reported = Reported()

    /// What all copies of a manager have told it.
    private final class Reported: Sendable { let isReady = Atomic(false) }

    /// Whether it was told that the server serves.
    var hasReportedReady: Bool { reported.isReady.load(ordering: .acquiring) }

    /// - Parameters:
    ///   - socket: `NOTIFY_SOCKET`: an absolute path, or `@` and a name in the abstract space.
    ///   - watchdogMicroseconds: `WATCHDOG_USEC`.
    ///   - watchdogProcess: `WATCHDOG_PID`, the process that is watched; nil for any.
    /// - Returns: Nil when nobody is to be told, or the address is none.
    init?(
        socket: String?, watchdogMicroseconds: String? = nil, watchdogProcess: String? = nil, process: Int32 = getpid()
    ) {
        guard let socket, let address = SocketAddress(socket) else { return nil }
        self.address = address
        let isWatched = watchdogProcess.map { Int32($0) == process } ?? true
        patience = watchdogMicroseconds.flatMap(Int64.init).flatMap { microseconds in
            isWatched && microseconds > 0 ? .microseconds(microseconds) : nil
        }
    }

    /// Sends a notice. While the service manager does not read, `.alive` is left out, because more of them follow; the
    /// others wait for a second, because a start without `.ready` never ends.
    /// - Returns: Whether it was sent.
    @discardableResult func tell(_ notice: Notice) -> Bool {
        if notice == .ready { reported.isReady.store(true, ordering: .releasing) }
        let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var second = timeval(tv_sec: 1, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &second, socklen_t(MemoryLayout<timeval>.size))
        let flags = CInt(MSG_NOSIGNAL) | (notice == .alive ? CInt(MSG_DONTWAIT) : 0)
        let bytes = Array(notice.text.utf8)
        return address.withPointer { pointer, length in sendto(descriptor, bytes, bytes.count, flags, pointer, length) }
            == bytes.count
    }
}

extension ServiceManager.Notice {
    /// `.reloading` at this moment.
    static var reloadingNow: Self {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .reloading(microseconds: UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000)
    }
}

/// The address of a Unix socket: a path, or a name in Linux's abstract space, which begins with a zero byte.
private struct SocketAddress: Sendable {
    private let bytes: [UInt8]
    private let isAbstract: Bool

    init?(_ text: String) {
        isAbstract = text.hasPrefix("@")
        guard isAbstract || text.hasPrefix("/") else { return nil }
        bytes = (isAbstract ? [0] : []) + text.utf8.dropFirst(isAbstract ? 1 : 0)
        // A path ends with a zero byte; an abstract name has its length.
        let most = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - (isAbstract ? 0 : 1)
        guard bytes.count > 1, bytes.count <= most else { return nil }
    }

    func withPointer<Value>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Value) -> Value {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let before = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? MemoryLayout<sa_family_t>.size
        let length = socklen_t(before + bytes.count + (isAbstract ? 0 : 1))
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}
