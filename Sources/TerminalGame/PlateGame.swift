/// The game of the page `/play`: plates hang on sixteen hooks for a moment and drop, and whoever takes them before that
/// scores. Time and chance are passed in, so the rules know neither a clock nor a terminal.
struct PlateGame: Equatable {
    /// What hangs on a hook.
    struct Plate: Equatable {
        enum State { case hangs, falls, shines }

        var state = State.hangs
        let worth: Int64
        /// When its state ends, by the game's time.
        var until: Duration
        /// How long it hangs in all.
        let hanging: Duration
    }

    static let columns = 4
    static let rows = 4
    static let length = Duration.seconds(20)
    /// The game stands still while its process does.
    static let frameMax = Duration.milliseconds(100)
    static let streakMax = 10
    /// As much as at `/play`: a perfect game brings about 40,000, as the best of a demo database have.
    private static let worthUnit: Int64 = 80
    private static let fall = Duration.milliseconds(280)
    private static let shine = Duration.milliseconds(320)

    private(set) var time = Duration.zero
    private(set) var score: Int64 = 0
    /// Plates that were taken since the last one dropped.
    private(set) var streak = 0
    /// Row by row; nil where nothing hangs.
    private(set) var hooks = [Plate?](repeating: nil, count: columns * rows)
    private var nextAt = Duration.milliseconds(300)

    var isOver: Bool { time >= Self.length }
    var timeLeft: Duration { max(.zero, Self.length - time) }
    /// From 0 to 1.
    private var progress: Double { min(1, time / Self.length) }

    /// Lets time pass, in which plates drop and are hung up.
    mutating func pass(_ duration: Duration, _ chance: inout some RandomNumberGenerator) {
        time += min(max(duration, .zero), Self.frameMax)
        for index in hooks.indices {
            guard let plate = hooks[index], time >= plate.until else { continue }
            if plate.state == .hangs {
                hooks[index]?.state = .falls
                hooks[index]?.until = time + Self.fall
                streak = 0
            } else {
                hooks[index] = nil
            }
        }
        if !isOver, time >= nextAt { hang(&chance) }
    }

    /// Plates come faster and hang shorter towards the end, and are worth more after a streak.
    private mutating func hang(_ chance: inout some RandomNumberGenerator) {
        nextAt = time + .milliseconds(620) - .milliseconds(240) * progress
        let free = hooks.indices.filter { hooks[$0] == nil }
        guard let index = free.randomElement(using: &chance) else { return }
        let worth = Self.worthUnit * (2 * Int64.random(in: 1...3, using: &chance) + Int64(min(streak, Self.streakMax)))
        let hanging = Duration.milliseconds(1_700) - .milliseconds(600) * progress
        hooks[index] = Plate(worth: worth, until: time + hanging, hanging: hanging)
    }

    /// Takes what hangs on a hook.
    /// - Returns: Whether there was a plate to take.
    @discardableResult mutating func take(_ index: Int) -> Bool {
        guard !isOver, hooks.indices.contains(index), let plate = hooks[index], plate.state == .hangs else {
            return false
        }
        score += plate.worth
        streak += 1
        hooks[index]?.state = .shines
        hooks[index]?.until = time + Self.shine
        return true
    }
}

extension PlateGame.Plate {
    /// Whether it drops soon.
    func isLoose(at time: Duration) -> Bool { state == .hangs && until - time < hanging * 0.35 }
}
