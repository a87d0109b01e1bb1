import Foundation

/// A private PostgreSQL of this test process, on a Unix socket in a directory of its own.
///
/// A watching shell, in a session of its own so that no Ctrl-C reaches it, waits until this process is gone, however it
/// went; then it stops the server and removes the directory. What blocks runs on threads of its own, so that it does
/// not hold up the tests beside it.
final class TestServer: Sendable {
    /// For all tests that leave it running. It starts with the first test of a suite that has the trait `.server`.
    static let shared = TestServer()

    let directory: String
    private let isReady: Task<Void, Never>

    private static let binaries = "/usr/lib/postgresql/15/bin"

    init() {
        let directory = "/tmp/pgt-" + UUID().uuidString.prefix(8).lowercased()
        self.directory = directory
        isReady = Task {
            let initdb =
                "\(Self.binaries)/initdb -D \(directory)/data -U postgres -A trust --no-sync -E UTF8 --locale=C.UTF-8"
            _ = await Self.spawn("umask 077; mkdir \(directory) && \(initdb) >\(directory)/init.log 2>&1").wait()
            await Self.control(directory, Self.start(directory))
            let stop = "\(Self.binaries)/pg_ctl -D \(directory)/data -m immediate -w stop; rm -rf \(directory)"
            _ = Self.spawn("while [ -e /proc/\(getpid()) ]; do sleep 0.5; done; \(stop)")
        }
    }

    func ready() async { await isReady.value }

    var conninfo: String { "host=\(directory) dbname=postgres user=postgres" }

    func start() async { await Self.control(directory, Self.start(directory)) }

    /// Stops the server at once, as a crash would.
    func stop() async { await Self.control(directory, "-m immediate -w stop") }

    /// Stops the server at once and starts it again.
    func restart() async { await Self.control(directory, "-m immediate -w restart") }

    private static func start(_ directory: String) -> String {
        "-o \"-k \(directory) -c listen_addresses='' -c fsync=off -c max_connections=200\" -w start"
    }

    private static func control(_ directory: String, _ command: String) async {
        let code = await spawn("\(binaries)/pg_ctl -D \(directory)/data -l \(directory)/server.log \(command)").wait()
        precondition(code == 0, "pg_ctl \(command): \(code), see \(directory)/server.log")
    }

    /// Runs a shell script, as `postgres` when this is root, because `initdb` and the server refuse to be that.
    /// (Foundation's `Process` waits for everything that inherits its descriptors, which a server does.)
    private static func spawn(_ script: String) -> Child {
        let shell = ["/usr/bin/setsid", "/bin/sh", "-c", "cd /; " + script]
        let words =
            getuid() == 0
            ? ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] + shell : shell
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        for descriptor in Int32(0)...2 {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        defer { posix_spawn_file_actions_destroy(&actions) }
        var child = Child(pid: 0)
        precondition(
            posix_spawn(&child.pid, words[0], &actions, nil, &arguments, environ) == 0,
            "no shell for the test server"
        )
        return child
    }

    private struct Child {
        var pid: pid_t

        func wait() async -> Int32 {
            await withCheckedContinuation { ended in
                Thread.detachNewThread {
                    var status: Int32 = 0
                    while waitpid(pid, &status, 0) == -1, errno == EINTR {}
                    ended.resume(returning: status)
                }
            }
        }
    }
}
