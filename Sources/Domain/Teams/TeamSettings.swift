/// How teams of a game come about.
package enum TeamRules: String, Sendable, CaseIterable {
    case off
    /// Players make teams, and others join by codes. The game's server may make some, too.
    case codes
    /// The game's server makes them and says who is in them.
    case server
}

/// Who sees which players are in a team.
package enum TeamRosters: String, Sendable, CaseIterable {
    /// The members.
    case members
    /// Everybody.
    case `public`
}

/// How a board ranks teams by the points of their members.
package enum TeamScoring: Sendable, Equatable, CustomStringConvertible {
    /// Teams have no ranking there.
    case off
    /// The points of all members, on boards that sum.
    case sum
    /// The points of so many members, the best ones.
    case best(Int32)

    /// Reads `none`, `sum` or `best:3`.
    package init?(_ text: String) {
        guard text.utf8.count <= 16 else { return nil }
        switch text {
        case "none": self = .off
        case "sum": self = .sum
        default:
            guard text.hasPrefix("best:"), let count = Int32(text.dropFirst(5)), "best:\(count)" == text,
                Limits.teamBest.contains(count)
            else { return nil }
            self = .best(count)
        }
    }

    /// As it is stored: nil for none, 0 for all members.
    package init?(count: Int32?) {
        switch count {
        case nil: self = .off
        case 0?: self = .sum
        case let count?:
            guard Limits.teamBest.contains(count) else { return nil }
            self = .best(count)
        }
    }

    package var count: Int32? {
        switch self {
        case .off: nil
        case .sum: 0
        case .best(let count): count
        }
    }

    package var description: String {
        switch self {
        case .off: "none"
        case .sum: "sum"
        case .best(let count): "best:\(count)"
        }
    }

    /// The rule in words, for an error message.
    package static let rule = "none, sum or best:N, where N is 1 to \(Limits.teamBest.upperBound)"
}
