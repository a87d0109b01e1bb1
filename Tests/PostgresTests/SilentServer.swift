import Foundation

/// A server that accepts connections as PostgreSQL does, and never answers.
final class SilentServer: Sendable {
    let directory: String
    private let listener: Int32

    /// - Parameter greets: Whether it lets a client log in first, as a primary does, and is silent only then.
    init(greets: Bool = false) {
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
        guard greets else { return }
        Thread { [listener] in
            // The connections stay open until the process ends.
            while case let client = accept(listener, nil, nil), client >= 0 {
                var start = [UInt8](repeating: 0, count: 1_024)
                _ = recv(client, &start, start.count, 0)
                let greeting = Self.greeting
                _ = send(client, greeting, greeting.count, Int32(MSG_NOSIGNAL))
            }
        }.start()
    }

    /// AuthenticationOk, what a primary reports of itself, BackendKeyData and ReadyForQuery.
    private static var greeting: [UInt8] {
        func message(_ kind: Character, _ body: [UInt8]) -> [UInt8] {
            Array(String(kind).utf8) + [0, 0, 0, UInt8(body.count + 4)] + body
        }
        let reports = [
            "server_version": "15.0", "in_hot_standby": "off", "default_transaction_read_only": "off",
            "client_encoding": "UTF8",
        ].map { message("S", Array("\($0)\0\($1)\0".utf8)) }
        return message("R", [0, 0, 0, 0]) + reports.joined() + message("K", [0, 0, 0, 1, 0, 0, 0, 2])
            + message("Z", Array("I".utf8))
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
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
