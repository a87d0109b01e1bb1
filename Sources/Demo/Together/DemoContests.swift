import Domain
import FoundationEssentials
import Storage

/// Challenges among friends, plans, and awards that operators have granted, in the default game. Their numbers are
/// bounded, so they take no longer in a larger world.
struct DemoContests {
    static let challengesMax = 120
    static let plansMax = 150
    /// The first players of the game. Some of them are granted awards.
    static let grantedMax = 240
    /// The index of the default game.
    static let game = 0

    private let data: DemoData
    /// The charities that still take donations, in the order of their slugs.
    private let charities: [Int]

    init(_ data: DemoData) {
        self.data = data
        charities = data.charities.indices.filter { data.isOpen($0, at: data.playTimes.end) }.sorted {
            data.charities[$0].slug.description < data.charities[$1].slug.description
        }
    }

    /// Adds challenges. Some are open, and some are over.
    /// - Parameters:
    ///   - board: The board of the challenges.
    ///   - ids: The ids of the charities.
    func addChallenges(on board: Board.ID, charities ids: [Int32], to rows: inout DemoContestRows) {
        let circles = DemoCircles(data)
        for circle in 0..<circles.count(of: Self.game) where rows.challengesCount < Self.challengesMax {
            var chance = Chance(seed: data.seed, subject: 0xC4A1, index: UInt64(circle))
            var friends: [Int: [Int]] = [:]
            for tie in circles.ties(in: circle, of: Self.game) where tie.isFriendship {
                friends[tie.from, default: []].append(tie.to)
                friends[tie.to, default: []].append(tie.from)
            }
            let most = friends.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }
            guard let (maker, others) = most else { continue }
            let people = [maker] + others.sorted().prefix(4)
            // Each circle has an open one and one that is over, if its players registered early enough.
            for isOver in [false, true] {
                addChallenge(of: people, isOver: isOver, on: board, charities: ids, to: &rows, &chance)
            }
        }
    }

    private func addChallenge(
        of people: [Int], isOver: Bool, on board: Board.ID, charities ids: [Int32], to rows: inout DemoContestRows,
        _ chance: inout Chance
    ) {
        let end = data.playTimes.end
        let length = Int32(4 + chance.below(10))
        let endsIn = isOver ? -Int32(2 + chance.below(20)) : length - Int32(chance.below(3))
        let last = end.dayInUTC.advanced(byDays: endsIn)
        let first = last.advanced(byDays: -length)
        let stake: Int64 = chance.one(of: [0, 0, 5, 10])
        let id = chance.uuid()
        let answers = people.indices.map { index in
            index == 0 || chance.happens(percent: 80)
                ? ChallengeAnswer.entered : chance.happens(percent: 30) ? .declined : .invited
        }
        let chosen = people.map { _ in ids[chance.one(of: charities)] }
        let isThere = people.allSatisfy { data.player($0, of: Self.game).registeredAt.dayInUTC < first }
        guard isThere else { return }
        let madeAt = min(first.startInUTC.advanced(bySeconds: 36_000), end.advanced(bySeconds: -3_600))
        rows.addChallenge(
            id, by: data.id(people[0], of: Self.game), on: board, days: first...last, stake: stake, isOver: isOver,
            at: madeAt)
        for (index, player) in people.enumerated() {
            let isStaked = stake > 0 && answers[index] == .entered
            rows.addEntry(
                data.id(player, of: Self.game), answers[index], charity: isStaked ? chosen[index] : nil,
                at: madeAt.advanced(bySeconds: Int64(index) * 300))
        }
    }

    /// Adds plans of players.
    /// - Parameter ids: The ids of the charities.
    func addPlans(charities ids: [Int32], to rows: inout DemoContestRows) {
        let players = min(data.playersCounts[Self.game], Self.plansMax * 10)
        for index in 0..<players {
            var chance = Chance(seed: data.seed, subject: 0x91A4, index: UInt64(index))
            guard chance.happens(percent: 10) else { continue }
            let first = chance.below(charities.count)
            let second = first + 1 + chance.below(charities.count)
            let isShared = second < charities.count && chance.happens(percent: 60)
            rows.addPlan(
                of: data.id(index, of: Self.game), first: ids[charities[first]],
                second: isShared ? ids[charities[second]] : nil, share: chance.one(of: [50, 60, 75]),
                every: chance.one(of: PlanInterval.allCases), keep: chance.one(of: [0, 0, 100, 1_000]),
                part: chance.below(DemoRows.parts))
        }
    }

    /// Adds the awards that operators have granted.
    func addGranted(to rows: inout DemoContestRows) {
        for index in 0..<min(data.playersCounts[Self.game], Self.grantedMax) {
            var chance = Chance(seed: data.seed, subject: 0xA4A2, index: UInt64(index))
            for (award, percent) in [(DemoAward.pioneer, 35), (DemoAward.helper, 6)]
            where chance.happens(percent: percent) {
                rows.addGranted(award.slug, to: data.id(index, of: Self.game), part: chance.below(DemoRows.parts / 10))
            }
        }
    }
}

/// An award of the demo. Only a small game has awards that follow from the ledgers, because each player takes time.
struct DemoAward {
    let slug: Slug
    let game: Slug
    let award: Award

    private init(_ game: Slug, _ slug: String, _ name: String, _ text: String, _ rule: AwardRule, secret: Bool = false)
    {
        self.game = game
        self.slug = .known(slug)
        award = Award(name: .known(name), text: AwardText(stored: text), rule: rule, isSecret: secret)
    }

    static let pioneer = DemoAward(.defaultGame, "pioneer", "Pioneer", "Be one of the first players.", .granted)
    static let helper = DemoAward(
        .defaultGame, "helping-hand", "Helping hand", "Help somebody who has just begun.", .granted, secret: true)
    private static let fairway = DemoGame.fairway

    /// Whether a game has awards that follow from the ledgers.
    static func areComputed(in game: Slug) -> Bool { all.contains { $0.game == game && $0.award.rule != .granted } }

    static let all = [
        pioneer, helper,
        DemoAward(
            fairway, "sharp-shooter", "Sharp shooter", "Play a round with at most 40 strokes.",
            .points(board: .known("strokes"), season: nil, window: .season, atLeast: 40)),
        DemoAward(
            fairway, "hundred-points", "Hundred points", "Collect 100 points in a season.",
            .points(board: .known("points"), season: nil, window: .season, atLeast: 100)),
        DemoAward(fairway, "regular", "Regular", "Play on ten days.", .days(board: nil, atLeast: 10)),
        DemoAward(
            fairway, "three-days", "Three in a row", "Play on three days in a row.", .streak(board: nil, atLeast: 3)),
        DemoAward(fairway, "first-gift", "First gift", "Donate a point by name.", .given(atLeast: 1)),
        DemoAward(fairway, "wide-heart", "Wide heart", "Donate to two charities by name.", .charities(atLeast: 2)),
    ]
}
