import Foundation

/// A server that accepts connections as PostgreSQL does, and never answers.
final class SilentServer: Sendable {
    private let directory: String
    private let listener: Int32

    init() {
        directory = "/tmp/pgs-" + UUID().uuidString.prefix(8).lowercased()
        mkdir(directory, 0o700)
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array((directory + "/.s.PGSQL.5432").utf8)) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, length) }
        }
        precondition(code == 0 && listen(listener, 8) == 0, "no listener: \(errno)")
    }

    deinit {
        close(listener)
        unlink(directory + "/.s.PGSQL.5432")
        rmdir(directory)
    }

    var conninfo: String { "host=\(directory) user=nobody dbname=nothing" }

    /// Returns once a client has connected.
    func called() async {
        while true {
            var watched = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
            if poll(&watched, 1, 0) > 0 { return }
            await Task.yield()
        }
    }
}
