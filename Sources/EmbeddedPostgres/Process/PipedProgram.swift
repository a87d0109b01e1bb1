import Dispatch
import Glibc
import Synchronization

/// A program that runs while we read what it writes, or write what it reads. What it writes to standard error is for
/// the message when it fails.
struct PipedProgram: Sendable {
    /// Which of its two ends we have.
    enum Pipe { case none, input, output }

    /// What messages call it.
    let name: String
    let arguments: [String]
    /// What it has beside a clean environment, as `NAME=value`: where passwords go, which arguments would show to all.
    var environment: [String] = []

    /// Runs the program to its end. A cancelled task kills it.
    /// - Parameters:
    ///   - pipe: Which end `body` gets; with `.none` it gets -1.
    ///   - body: Reads or writes, and may block; the descriptor is closed afterwards.
    /// - Throws: What `body` throws; ``ClusterError/programFailed(program:lines:)`` when the program fails.
    func run(_ pipe: Pipe, _ body: @escaping @Sendable (CInt) throws -> Void) async throws {
        let run = try start(pipe)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async { continuation.resume(returning: Result { try run.finish(body) }) }
            }
        } onCancel: {
            run.kill()
        }
        if Task.isCancelled { throw ClusterError.cancelled }
        try result.get()
    }

    /// Starts the program. The caller must finish it.
    func start(_ pipe: Pipe) throws -> Run {
        var ends: [CInt] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { throw ClusterError.file("make a pipe for", arguments[0]) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let ours = pipe == .input ? ends[1] : ends[0]
        let theirs = pipe == .input ? ends[0] : ends[1]
        defer { close(theirs) }
        guard let file = tmpfile() else {
            close(ours)
            throw ClusterError.file("make a file for", arguments[0])
        }
        let errors = fcntl(fileno(file), F_DUPFD_CLOEXEC, 3)
        fclose(file)
        guard errors >= 0 else {
            close(ours)
            throw ClusterError.file("make a file for", arguments[0])
        }
        do {
            let child = try Child.spawn(
                arguments, input: pipe == .input ? theirs : nil, output: pipe == .output ? theirs : errors,
                errors: errors, environment: environment)
            return Run(name: name, pipe: pipe, ours: ours, errors: errors, child: child)
        } catch {
            close(ours)
            close(errors)
            throw error
        }
    }

    /// A program that was started. It may be killed from another thread, and never after it was reaped.
    final class Run: Sendable {
        private struct State {
            var ending: Child.Ending?
            var wasKilled = false
        }

        private let name: String
        private let pipe: Pipe
        private let ours: CInt
        private let errors: CInt
        private let child: Child
        private let state = Mutex(State())

        fileprivate init(name: String, pipe: Pipe, ours: CInt, errors: CInt, child: Child) {
            (self.name, self.pipe, self.ours, self.errors, self.child) = (name, pipe, ours, errors, child)
        }

        /// Lends our end to `body` and waits for the program's end, on this thread.
        func finish(_ body: (CInt) throws -> Void) throws {
            defer { close(errors) }
            let work = Result { try body(pipe == .none ? -1 : ours) }
            // After a failure the program's work is useless. One that has stopped reading ends by itself, and says why.
            if case .failure = work, pipe == .output || !isReaderGone(ours) { kill() }
            close(ours)
            let ending = end()
            if ending == .exit(0) { return try work.get() }
            if case .failure(let error) = work, state.withLock(\.wasKilled) { throw error }
            throw ClusterError.programFailed(program: name, lines: ServerLog.last(lastErrors))
        }

        func kill() {
            state.withLock { state in
                guard state.ending == nil else { return }
                state.wasKilled = true
                Glibc.kill(-child.pid, SIGKILL)
            }
        }

        private func end() -> Child.Ending {
            while true {
                let ending = state.withLock { state in
                    if state.ending == nil { state.ending = child.ending() }
                    return state.ending
                }
                if let ending { return ending }
                usleep(10_000)
            }
        }

        /// The end of what it wrote to standard error.
        private var lastErrors: String {
            let size = lseek(errors, 0, SEEK_END)
            var chunk = [UInt8](repeating: 0, count: Limits.outputBytesMax)
            let count = pread(errors, &chunk, chunk.count, max(0, size - off_t(chunk.count)))
            return String(decoding: chunk[..<max(0, count)], as: UTF8.self)
        }
    }
}

private func isReaderGone(_ descriptor: CInt) -> Bool {
    var look = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&look, 1, 0) > 0 && look.revents & Int16(POLLERR) != 0
}

/// Copies all bytes from a descriptor to a pipe, and blocks until the end.
/// - Parameters:
///   - name: What messages call the bytes.
///   - progress: Gets the number of bytes that have passed so far.
/// - Throws: Also when the pipe's reader has gone while the source is silent.
func pump(_ source: CInt, to pipe: CInt, _ name: String, _ progress: (Int) -> Void = { _ in }) throws(ClusterError) {
    var chunk = [UInt8](repeating: 0, count: 1 << 18)
    var sum = 0
    while true {
        var ends = [pollfd(fd: source, events: Int16(POLLIN), revents: 0), pollfd(fd: pipe, events: 0, revents: 0)]
        guard poll(&ends, 2, -1) > 0 else {
            if errno == EINTR { continue }
            throw .file("read", name)
        }
        if ends[1].revents & Int16(POLLERR) != 0 { throw .file("write", name, code: EPIPE) }
        let count = read(source, &chunk, chunk.count)
        if count == 0 { return }
        guard count > 0 else {
            if errno == EINTR { continue }
            throw .file("read", name)
        }
        guard writeAll(chunk[..<count], to: pipe) else { throw .file("write", name) }
        sum += count
        progress(sum)
    }
}
