import Domain
import Storage

/// The circles of people who know each other. Some of the players in a circle are friends.
struct DemoCircles {
    /// Players of a game who may have friends, so that a larger world needs no more time for them.
    static let playersMax = 200_000
    private static let size = 12
    /// How many percent of the pairs in a circle have ties: none in many circles, most of them in a few.
    private static let closeness = [0, 0, 0, 0, 5, 10, 20, 35, 60]

    private let data: DemoData

    init(_ data: DemoData) { self.data = data }

    /// The number of circles of a game: none where friends are off.
    func count(of game: Int) -> Int {
        guard data.games[game].friends != .off else { return 0 }
        return (min(data.playersCounts[game], Self.playersMax) + Self.size - 1) / Self.size
    }

    /// Adds the ties in a circle.
    /// - Returns: The number of friendships among them.
    func add(_ circle: Int, of game: Int, to ties: inout DemoTieRows) -> Int {
        var chance = Chance(seed: data.seed, subject: 0xF21E_0000 + UInt64(game), index: UInt64(circle))
        let percent = chance.one(of: Self.closeness)
        let first = circle * Self.size
        let people = (first..<min(first + Self.size, data.playersCounts[game])).map { data.id($0, of: game) }
        var friendships = 0
        for (index, one) in people.enumerated() {
            for other in people[(index + 1)...] where chance.happens(percent: percent) {
                let pair = chance.happens(percent: 50) ? (one, other) : (other, one)
                let says = data.games[game].friends == .requests ? Self.says(&chance) : (.yes, .yes)
                let part = chance.below(DemoRows.parts)
                ties.add(pair.0, about: pair.1, says: says.0, part: part)
                if let answer = says.1 { ties.add(pair.1, about: pair.0, says: answer, part: part) }
                if says == (.yes, .yes) { friendships += 1 }
            }
        }
        return friendships
    }

    /// What two who know each other say of each other: nearly all are friends. A few wait, were declined, or are
    /// blocked.
    private static func says(_ chance: inout Chance) -> (DemoTieRows.Says, DemoTieRows.Says?) {
        switch chance.below(100) {
        case ..<88: (.yes, .yes)
        case ..<95: (.yes, nil)
        case ..<98: (.yes, .no)
        default: (.yes, .block)
        }
    }
}
