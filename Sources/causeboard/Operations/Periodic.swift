import ServiceLifecycle

/// Does a job again and again until the server stops. A job does what it can: what fails waits for the next time.
struct Periodic: Service {
    private let job: @Sendable () async -> Duration

    /// - Parameter job: Returns how long to wait before the next time.
    init(_ job: @escaping @Sendable () async -> Duration) { self.job = job }

    /// - Parameter pause: How long to wait after each time.
    init(every pause: Duration, _ job: @escaping @Sendable () async -> Void) {
        self.init {
            await job()
            return pause
        }
    }

    func run() async throws {
        // The end of the server ends a pause by an error, which would cancel all other services.
        try? await cancelWhenGracefulShutdown { while !Task.isCancelled { try await Task.sleep(for: await job()) } }
    }
}
