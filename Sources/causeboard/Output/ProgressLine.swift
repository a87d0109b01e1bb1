import Glibc
import Synchronization

/// Shows the progress of a long command on standard error: one line that is redrawn on a terminal, else one line for
/// each tenth.
final class ProgressLine: Sendable {
    private struct State {
        var drawnAt: ContinuousClock.Instant?
        var tenths = 0
        var hasEnded = false
    }

    private static let barWidth = 30

    private let things: String
    private let total: Int
    private let isTerminal: Bool
    private let state = Mutex(State())

    /// - Parameter things: The noun for what is counted, such as "players".
    init(_ things: String, of total: Int) {
        self.things = things
        self.total = max(total, 1)
        isTerminal = isatty(STDERR_FILENO) == 1
    }

    /// Shows that `count` are done. It may be called from any thread and at any rate; a terminal is redrawn at most ten
    /// times a second.
    func show(_ count: Int) {
        let tenths = min(count, total) * 10 / total
        state.withLock { state in
            guard !state.hasEnded else { return }
            if isTerminal {
                let now = ContinuousClock.now
                if let drawnAt = state.drawnAt, now - drawnAt < .milliseconds(100), count < total { return }
                state.drawnAt = now
                draw(count)
            } else if tenths > state.tenths {
                state.tenths = tenths
                Output.hint("\(tenths * 10) %: \(count) of \(total) \(things)")
            }
        }
    }

    /// Ends the line on a terminal. Nothing is drawn any more.
    func end() {
        state.withLock { state in
            if isTerminal, state.drawnAt != nil, !state.hasEnded { Output.tell("\n") }
            state.hasEnded = true
        }
    }

    private func draw(_ count: Int) {
        let filled = min(count, total) * Self.barWidth / total
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: Self.barWidth - filled)
        Output.tell("\r[\(bar)] \(min(count, total) * 100 / total) % \(count) of \(total) \(things)")
    }
}
