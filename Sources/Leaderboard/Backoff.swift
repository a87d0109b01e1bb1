/// The pauses between attempts that fail: each is twice as long as the one before, up to a bound (exponential backoff).
struct Backoff: Equatable {
    private let first: Duration
    private let longest: Duration
    private var pause: Duration

    init(first: Duration, longest: Duration) {
        self.first = first
        self.longest = longest
        pause = first
    }

    /// Returns the pause before the next attempt.
    mutating func next() -> Duration {
        defer { pause = min(pause * 2, longest) }
        return pause
    }

    /// An attempt succeeded: the next pause is the first one again.
    mutating func reset() { pause = first }
}
