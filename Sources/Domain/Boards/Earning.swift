/// What a score adds to its player's wallet. Ranking and earning are separate.
package enum Earning: Sendable, Equatable {
    /// Each accepted score earns itself.
    case points
    /// What the player's best rose by; where high is good, the first score counts from 0.
    case improvement
    /// The same for each accepted score.
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

    /// Where high is good a score earns itself; where low is good, or only the latest counts, playing worse must not
    /// pay.
    package static func standard(policy: Board.Policy, lowestFirst: Bool) -> Earning {
        lowestFirst || policy == .latest ? .none : .points
    }

    /// `points`, `improvement`, `fixed` or `none`.
    package var rule: String {
        switch self {
        case .points: "points"
        case .improvement: "improvement"
        case .fixed: "fixed"
        case .none: "none"
        }
    }

    package var fixedPoints: Int64? {
        if case .fixed(let points) = self { points } else { nil }
    }
}
