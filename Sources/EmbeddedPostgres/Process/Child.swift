import Glibc

/// A child process, which we must reap.
struct Child: Sendable {
    let pid: Int32

    /// How a child ended.
    enum Ending: Equatable {
        case exit(Int32)
        case signal(Int32)
        /// Other code has reaped it.
        case unknown
    }

    /// Starts a program in a session of its own (so that Ctrl-C at our terminal does not reach it), with a clean
    /// environment, every signal at its default, and no inherited descriptor but its input, its outputs, and that of a
    /// lock.
    /// - Parameters:
    ///   - arguments: the program's absolute path, then its arguments.
    ///   - input: its standard input; nil for `/dev/null`.
    ///   - errors: its standard error; nil for `output`.
    ///   - environment: what it has beside the clean environment, as `NAME=value`.
    ///   - lock: a lock that the child and its own children go on holding when this process lets go of it.
    static func spawn(
        _ arguments: [String], input: CInt? = nil, output: CInt, errors: CInt? = nil, environment extra: [String] = [],
        inheriting lock: FileLock? = nil
    ) throws(ClusterError) -> Child {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, errors ?? output, 2)
        for descriptor in inheritableDescriptors() { posix_spawn_file_actions_addclose(&actions, descriptor) }
        // A duplicate does not close on exec, not even one that has the same number.
        if let lock { posix_spawn_file_actions_adddup2(&actions, lock.descriptor, 3) }

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var every = sigset_t()
        var none = sigset_t()
        sigfillset(&every)
        sigemptyset(&none)
        // Our own process ignores SIGINT and SIGTERM to handle them elsewhere; ignored signals would stay ignored in
        // the child.
        posix_spawnattr_setsigdefault(&attributes, &every)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK) | newSession)

        let argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        let environment: [UnsafeMutablePointer<CChar>?] = (cleanEnvironment + extra).map { strdup($0) } + [nil]
        defer { for pointer in argv + environment { free(pointer) } }
        var pid: pid_t = 0
        let code = posix_spawn(&pid, arguments[0], &actions, &attributes, argv, environment)
        guard code == 0 else { throw .file("run", arguments[0], code: code) }
        return Child(pid: pid)
    }

    /// Returns how the child ended, or nil while it runs. It reaps a child that has ended.
    func ending() -> Ending? {
        var status: CInt = 0
        let result = waitpid(pid, &status, WNOHANG)
        if result == 0 || (result < 0 && errno == EINTR) { return nil }
        if result < 0 { return .unknown }
        return status & 0x7f == 0 ? .exit((status >> 8) & 0xff) : .signal(status & 0x7f)
    }

    /// It has no PG* variable, so that only our arguments decide what a program does.
    private static let cleanEnvironment = ["LC_ALL=C", "PATH=/usr/local/bin:/usr/bin:/bin"]

    /// glibc's POSIX_SPAWN_SETSID (since 2.26), which its header defines only under _GNU_SOURCE.
    private static let newSession: Int16 = 0x80

    /// Descriptors above standard error that would stay open in a child, such as a pipe that our own parent left open.
    private static func inheritableDescriptors() -> [CInt] {
        (names(in: "/proc/self/fd") ?? []).compactMap { CInt($0) }.filter { descriptor in
            let flags = fcntl(descriptor, F_GETFD)
            return descriptor > 2 && flags >= 0 && flags & FD_CLOEXEC == 0
        }
    }
}
