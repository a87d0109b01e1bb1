import Glibc

/// Runs work on a new thread, for the poller and for calls of libpq that always block: resolving names and cancelling.
/// A blocked call must not occupy a thread of Swift's small pool, and such calls are rare.
enum HelperThread {
    private final class Work {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a detached thread that runs `work` and ends when it returns.
    /// - Throws: 53000 when the system has no thread to give; `work` is then never run.
    static func start(_ work: @escaping @Sendable () -> Void) throws(PostgresError) {
        let box = Unmanaged.passRetained(Work(work))
        var thread = pthread_t()
        let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
            if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run() }
            return nil
        }
        let code = pthread_create(&thread, nil, main, box.toOpaque())
        guard code == 0 else {
            box.release()
            throw PostgresError(.insufficientResources, safeToRetry: true, message: "no thread: errno \(code)")
        }
        pthread_detach(thread)
    }
}
