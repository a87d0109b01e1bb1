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

    /// A tie of two players of a game, by their indices.
    struct Tie {
        let from: Int
        let to: Int
        let says: DemoTieRows.Says
        /// What the other one says; nil for nothing.
        let answer: DemoTieRows.Says?
        let part: Int64

        var isFriendship: Bool { says == .yes && answer == .yes }
    }

    /// Adds the ties in a circle.
    /// - Returns: The number of friendships among them.
    func add(_ circle: Int, of game: Int, to rows: inout DemoTieRows) -> Int {
        let ties = ties(in: circle, of: game)
        for tie in ties {
            let (from, to) = (data.id(tie.from, of: game), data.id(tie.to, of: game))
            rows.add(from, about: to, says: tie.says, part: tie.part)
            if let answer = tie.answer { rows.add(to, about: from, says: answer, part: tie.part) }
        }
        return ties.count(where: \.isFriendship)
    }

    func ties(in circle: Int, of game: Int) -> [Tie] {
        var chance = Chance(seed: data.seed, subject: 0xF21E_0000 + UInt64(game), index: UInt64(circle))
        let percent = chance.one(of: Self.closeness)
        let first = circle * Self.size
        let people = first..<min(first + Self.size, data.playersCounts[game])
        var ties: [Tie] = []
        for one in people {
            for other in people where other > one && chance.happens(percent: percent) {
                let (from, to) = chance.happens(percent: 50) ? (one, other) : (other, one)
                let says = data.games[game].friends == .requests ? Self.says(&chance) : (.yes, .yes)
                ties.append(Tie(from: from, to: to, says: says.0, answer: says.1, part: chance.below(DemoRows.parts)))
            }
        }
        return ties
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
