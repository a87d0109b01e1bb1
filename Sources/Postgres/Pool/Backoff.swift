/// The back-off before the next attempt to reach a server: 50 ms, doubled with each failure up to 2 s. Each pause is
/// shortened by up to a half at random, so that many processes do not come back at the same time.
struct Backoff {
    private static let first = Duration.milliseconds(50)
    private static let longest = Duration.seconds(2)

    private(set) var lastError: PostgresError?
    private(set) var notBefore: ContinuousClock.Instant?
    private var pause = Backoff.first

    /// Whether the last attempt failed. The pool then makes only one attempt at a time.
    var isFailing: Bool { lastError != nil }

    func allows(at now: ContinuousClock.Instant) -> Bool { notBefore.map { $0 <= now } ?? true }

    mutating func failed(_ error: PostgresError, at now: ContinuousClock.Instant) {
        lastError = error
        // Attempts that started together fail together and count as one.
        guard allows(at: now) else { return }
        notBefore = now + pause * Double.random(in: 0.5...1)
        pause = min(pause * 2, Self.longest)
    }

    mutating func succeeded() { self = Backoff() }
}
