import Dispatch
import Glibc
import Synchronization

/// A program that runs while we read what it writes, or write what it reads. What it writes to standard error is for
/// the message when it fails.
struct PipedProgram: Sendable {
    enum Pipe { case none, input, output }

    /// What messages call it.
    let name: String
    let arguments: [String]
    /// What it has beside a clean environment, as `NAME=value`: where passwords go, which arguments would show to all.
    let environment: [String]

    /// Runs the program to its end. A cancelled task kills it.
    /// - Parameters:
    ///   - pipe: Which of its two ends `body` gets; with `.none` it gets -1.
    ///   - body: Reads or writes, and may block; the descriptor is closed afterwards.
    /// - Throws: What `body` throws; ``ClusterError/programFailed(program:lines:)`` when the program fails.
    func run(_ pipe: Pipe, _ body: @escaping @Sendable (CInt) throws -> Void) async throws {
        var ends: [CInt] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { throw ClusterError.file("make a pipe for", arguments[0]) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let ours = pipe == .input ? ends[1] : ends[0]
        let theirs = pipe == .input ? ends[0] : ends[1]
        guard let errors = tmpfile() else {
            for end in ends { close(end) }
            throw ClusterError.file("make a file for", arguments[0])
        }
        defer { fclose(errors) }
        _ = fcntl(fileno(errors), F_SETFD, FD_CLOEXEC)
        let child: Child
        do {
            child = try Child.spawn(
                arguments, input: pipe == .input ? theirs : nil, output: pipe == .output ? theirs : fileno(errors),
                errors: fileno(errors), environment: environment)
            close(theirs)
        } catch {
            for end in ends { close(end) }
            throw error
        }
        let run = Run(child)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    let result = Result { try body(pipe == .none ? -1 : ours) }
                    // A program whose work cannot be used any more need not end it; one that has stopped reading says
                    // itself why.
                    if case .failure = result, pipe == .output || !Self.isReaderGone(ours) { run.kill() }
                    close(ours)
                    continuation.resume(returning: (result, run.end()))
                }
            }
        } onCancel: {
            run.kill()
        }
        if Task.isCancelled { throw ClusterError.cancelled }
        let (work, ending) = result
        if ending == .exit(0) { return try work.get() }
        if case .failure(let error) = work, run.wasKilled { throw error }
        throw ClusterError.programFailed(program: name, lines: ServerLog.last(Self.text(of: fileno(errors))))
    }

    private static func isReaderGone(_ descriptor: CInt) -> Bool {
        var look = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&look, 1, 0) > 0 && look.revents & Int16(POLLERR) != 0
    }

    /// The end of a file.
    private static func text(of descriptor: CInt) -> String {
        let size = lseek(descriptor, 0, SEEK_END)
        var chunk = [UInt8](repeating: 0, count: Limits.outputBytesMax)
        let count = pread(descriptor, &chunk, chunk.count, max(0, size - off_t(chunk.count)))
        return String(decoding: chunk[..<max(0, count)], as: UTF8.self)
    }

    /// The child of a run, which is killed from another thread and never after it was reaped.
    private final class Run: Sendable {
        private struct State {
            var ending: Child.Ending?
            var wasKilled = false
        }

        private let child: Child
        private let state = Mutex(State())

        init(_ child: Child) { self.child = child }

        var wasKilled: Bool { state.withLock(\.wasKilled) }

        func kill() {
            state.withLock { state in
                guard state.ending == nil else { return }
                state.wasKilled = true
                Glibc.kill(-child.pid, SIGKILL)
            }
        }

        /// Waits for the child, blocking this thread.
        func end() -> Child.Ending {
            while true {
                let ending = state.withLock { state in
                    if state.ending == nil { state.ending = child.ending() }
                    return state.ending
                }
                if let ending { return ending }
                usleep(10_000)
            }
        }
    }
}
