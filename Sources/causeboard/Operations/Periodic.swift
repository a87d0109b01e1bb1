import ServiceLifecycle

/// Runs a job repeatedly until the server stops. A job never throws: it leaves failed work for its next run.
struct Periodic: Service {
    private let job: @Sendable () async -> Duration

    /// - Parameter job: Returns how long to wait before its next run.
    init(_ job: @escaping @Sendable () async -> Duration) { self.job = job }

    /// - Parameter pause: How long to wait after each time.
    init(every pause: Duration, _ job: @escaping @Sendable () async -> Void) {
        self.init {
            await job()
            return pause
        }
    }

    func run() async throws {
        // When the server stops, the pause throws. If this method threw too, all other services would be cancelled.
        try? await cancelWhenGracefulShutdown { while !Task.isCancelled { try await Task.sleep(for: await job()) } }
    }
}
