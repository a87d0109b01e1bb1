import Glibc
import Synchronization

/// Shows the progress of a long command on standard error: one line that is redrawn on a terminal, else one line for
/// each tenth. Without a known total it has no bar, and one line each time the count has doubled.
final class ProgressLine: Sendable {
    private struct State {
        var drawnAt: ContinuousClock.Instant?
        var steps = 0
        var hasEnded = false
    }

    private static let barWidth = 30
    /// Without a total, counts below 64 have no line.
    private static let firstLineShift = 6

    private let things: String
    private let total: Int?
    private let isQuiet: Bool
    private let isTerminal: Bool
    private let state = Mutex(State())

    /// - Parameters:
    ///   - things: The noun for what is counted, such as "players".
    ///   - total: Nil if unknown.
    ///   - isQuiet: Whether to show nothing.
    init(_ things: String, of total: Int?, isQuiet: Bool = false) {
        self.things = things
        self.total = total.map { max($0, 1) }
        self.isQuiet = isQuiet
        isTerminal = isatty(STDERR_FILENO) == 1
    }

    /// Shows that `count` are done. It may be called from any thread and at any rate; a terminal is redrawn at most ten
    /// times a second.
    func show(_ count: Int) {
        guard !isQuiet else { return }
        state.withLock { state in
            guard !state.hasEnded else { return }
            let steps =
                total.map { min(count, $0) * 10 / $0 } ?? Int.bitWidth
                - (count >> Self.firstLineShift).leadingZeroBitCount
            if isTerminal {
                let now = ContinuousClock.now
                if let drawnAt = state.drawnAt, now - drawnAt < .milliseconds(100), count < total ?? .max { return }
                state.drawnAt = now
                Output.tell("\r\(bar(count))\(text(count))")
            } else if steps > state.steps {
                state.steps = steps
                Output.hint(total == nil ? text(count) : "\(steps * 10) %: \(text(count))")
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

    private func text(_ count: Int) -> String { "\(count) \(total.map { "of \($0) " } ?? "")\(things)" }

    private func bar(_ count: Int) -> String {
        guard let total else { return "" }
        let filled = min(count, total) * Self.barWidth / total
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: Self.barWidth - filled)
        return "[\(bar)] \(min(count, total) * 100 / total) % "
    }
}
