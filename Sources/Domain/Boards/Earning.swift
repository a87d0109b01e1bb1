/// The rule that decides what a score adds to its player's wallet. It is independent of ranking.
package enum Earning: Sendable, Equatable {
    /// Each accepted score earns its own points.
    case points
    /// A score earns what it adds to the player's best; where high is good, the first score counts from 0.
    case improvement
    /// Each accepted score earns the same number of points.
    case fixed(Int64)
    case none

    /// Nil unless the text is `points`, `improvement`, `none` or `fixed:N` with N from 0 to 2^53-1.
    package init?(_ text: String) {
        switch text {
        case "points": self = .points
        case "improvement": self = .improvement
        case "none": self = .none
        default:
            guard text.hasPrefix("fixed:"), let points = Int64(digits: text.dropFirst(6)),
                points <= Limits.walletPointsMax
            else { return nil }
            self = .fixed(points)
        }
    }

    /// The rule of a board as the database holds it; nil when there is no such rule.
    package init?(rule: String, fixedPoints: Int64?) {
        switch (rule, fixedPoints) {
        case ("fixed", let points?): self = .fixed(points)
        case ("fixed", nil): return nil
        default: self.init(rule)
        }
    }

    /// The rule of a board that names none: scores earn their points, but nothing where low is good or only the latest
    /// counts, because playing worse must not pay.
    package static func standard(policy: Board.Policy, lowestFirst: Bool) -> Earning {
        lowestFirst || policy == .latest ? .none : .points
    }

    /// The name of the rule: `points`, `improvement`, `fixed` or `none`.
    package var rule: String {
        switch self {
        case .points: "points"
        case .improvement: "improvement"
        case .fixed: "fixed"
        case .none: "none"
        }
    }

    package var fixedPoints: Int64? { if case .fixed(let points) = self { points } else { nil } }
}

extension Earning: CustomStringConvertible {
    /// The text from which it is made, such as `fixed:5`.
    package var description: String { rule + (fixedPoints.map { ":\($0)" } ?? "") }
}
