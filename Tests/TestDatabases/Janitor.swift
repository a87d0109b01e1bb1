import Foundation

/// A shell that outlives this process for a moment. It waits until the process is gone, for whatever reason, and then
/// ends the postmaster of one data directory and removes the directory.
///
/// It notices the end by a pipe: only this process holds the writing end, and the kernel closes that with the process,
/// `kill -9` included. It has a session of its own, so that no Ctrl-C reaches it.
enum Janitor {
    static func watch(_ directory: String) throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw TestDatabaseError("no pipe for the janitor") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }  // the writing end stays open, on purpose, for as long as this process lives

        // Lines 1 and 5 of postmaster.pid are the process and its socket's directory. SIGQUIT is enough, because the
        // data is thrown away.
        let script = """
            cd /; while read -r line; do :; done
            pid=; socket=
            { read -r pid && read -r a && read -r b && read -r c && read -r socket; } \
                < "$0/data/postgres/postmaster.pid"
            [ -n "$pid" ] && kill -QUIT "$pid" && for i in $(seq 100); do kill -0 "$pid" || break; sleep 0.1; done
            [ -n "$socket" ] && rmdir "$socket"
            rm -rf "$0"
            """
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
        for descriptor in Int32(1)...2 {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
        }
        let words = ["/usr/bin/setsid", "/bin/sh", "-c", script, directory]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var pid: pid_t = 0
        guard posix_spawn(&pid, "/usr/bin/setsid", &actions, nil, &arguments, environ) == 0 else {
            throw TestDatabaseError("no janitor")
        }
    }
}
