import Glibc

/// A program that runs to its end while we wait: `initdb`, `psql`, `createdb`, `rm`.
struct Command {
    let arguments: [String]

    /// - Parameter program: an absolute path.
    init(_ program: String, _ arguments: [String], as user: ClusterUser) {
        self.arguments = user.arguments(for: program, arguments)
    }

    /// The result of a program that has ended.
    struct Outcome {
        let succeeded: Bool
        /// The last 16 KiB of what it printed, standard error included.
        let output: String
    }

    /// Runs the program. Kills it and everything in its session's process group when it takes longer than `limit`.
    func run(within limit: Duration) async throws(ClusterError) -> Outcome {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .file("make a pipe for", arguments[0]) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        defer { close(ends[0]) }
        let child: Child
        do throws(ClusterError) {
            child = try Child.spawn(arguments, output: ends[1])
            close(ends[1])
        } catch {
            close(ends[1])
            throw error
        }
        // This does not wait for the end of the output: a daemon that inherited the pipe would keep it open.
        var output: [UInt8] = []
        var ending: Child.Ending?
        let ended = try await wait(upTo: limit) { () throws(ClusterError) in
            ending = child.ending()
            Self.drain(ends[0], into: &output)
            return ending != nil
        }
        if !ended {
            kill(-child.pid, SIGKILL)
            _ = try await wait(upTo: Limits.shortCommand) { () throws(ClusterError) in child.ending() != nil }
            output += Array("\n(stopped after \(limit))".utf8)
        }
        return Outcome(succeeded: ending == .exit(0), output: String(decoding: output, as: UTF8.self))
    }

    private static func drain(_ descriptor: CInt, into output: inout [UInt8]) {
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count <= 0 { return }
            output += chunk[..<count]
            if output.count > Limits.outputBytesMax { output.removeFirst(output.count - Limits.outputBytesMax) }
        }
    }
}

/// Removes a file or a directory with all that is in it; nothing when it is not there.
func removeTree(_ path: String, as user: ClusterUser = .ourselves) async throws(ClusterError) {
    let outcome = try await Command("/usr/bin/rm", ["-rf", "--", path], as: user).run(within: Limits.copying)
    guard outcome.succeeded else { throw .programFailed(program: "rm", lines: ServerLog.last(outcome.output)) }
}
