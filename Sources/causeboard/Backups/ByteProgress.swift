import Glibc
import Synchronization

/// Shows on standard error how many bytes a long copy has written, when nobody knows how many it will be: one line that
/// is redrawn on a terminal, else a line each time it has doubled.
final class ByteProgress: Sendable {
    private struct State {
        var drawnAt: ContinuousClock.Instant?
        var nextLine = 64 << 20
    }

    private let isQuiet: Bool
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let state = Mutex(State())

    init(isQuiet: Bool) { self.isQuiet = isQuiet }

    /// It may be called from any thread and at any rate.
    func show(_ bytes: Int) {
        guard !isQuiet else { return }
        state.withLock { state in
            let text = "\(bytes >> 20) MiB written"
            if isTerminal {
                let now = ContinuousClock.now
                if let drawnAt = state.drawnAt, now - drawnAt < .milliseconds(100) { return }
                state.drawnAt = now
                Output.tell("\r\(text)")
            } else if bytes >= state.nextLine {
                Output.hint(text)
                state.nextLine *= 2
            }
        }
    }

    /// Ends the line on a terminal.
    func end() {
        state.withLock { state in
            if state.drawnAt != nil { Output.tell("\n") }
            state.drawnAt = nil
        }
    }
}
