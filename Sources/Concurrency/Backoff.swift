/// The pauses between attempts that fail: each is twice as long as the one before, up to a bound (exponential backoff).
package struct Backoff: Equatable, Sendable {
    private let first: Duration
    private let longest: Duration
    private var pause: Duration

    package init(first: Duration, longest: Duration) {
        (self.first, self.longest) = (first, longest)
        pause = first
    }

    /// Returns the pause before the next attempt.
    package mutating func next() -> Duration {
        defer { pause = min(pause * 2, longest) }
        return pause
    }

    /// Returns that pause, randomly shortened by up to a half, so that many processes do not retry at the same time.
    package mutating func nextAtRandom() -> Duration { next() * Double.random(in: 0.5...1) }

    /// An attempt succeeded: the next pause is the first one again.
    package mutating func reset() { pause = first }
}
