/// How much of a world there is.
package struct WorldCounts: Sendable, Equatable {
    package var players = 0
    package var scores = 0
    package var gifts = 0

    static func += (sum: inout WorldCounts, more: WorldCounts) {
        sum.players += more.players
        sum.scores += more.scores
        sum.gifts += more.gifts
    }
}
