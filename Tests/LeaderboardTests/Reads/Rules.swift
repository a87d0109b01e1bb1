import Domain
import Foundation

/// The rules by which a board ranks; its zone is Foundation's.
struct Rules: Sendable {
    let policy: Board.Policy
    let lowestFirst: Bool
    let ties: Board.Ties
    let zone: TimeZone
    var closesAt: Instant?

    /// The rules of a ranking of contributors.
    static func donationBoard(in zone: TimeZone, closesAt: Instant? = nil) -> Rules {
        Rules(policy: .sum, lowestFirst: false, ties: .first, zone: zone, closesAt: closesAt)
    }

    func isBetter(_ one: Int128, _ other: Int128) -> Bool { lowestFirst ? one < other : one > other }
}
