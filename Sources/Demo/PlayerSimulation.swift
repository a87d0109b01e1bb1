import Domain
import FoundationEssentials
import Storage

/// Simulates one player's sixty days: sessions of a few posts each, and after some of them a donation.
struct PlayerSimulation {
    private let data: DemoData
    private let game: DemoGame
    private let offsetMinutes: Int
    private let skill: Double
    private let habit: DonationHabit?
    private var chance: Chance
    /// Draws the details of the player's scores; nil for a player whose scores have none.
    private var detailChance: Chance?
    private var player: MadePlayer
    private var last: Instant?
    private var balance: Int64 = 0
    private var held: [(best: Int64, latest: Int64)?]

    init(of index: Int, in game: Int, of data: DemoData, id: Player.ID) {
        var chance = Chance(seed: data.seed, subject: UInt64(game), index: UInt64(index))
        let region = Region.all[chance.place(in: Region.weightSums)]
        let country = chance.one(of: region.countries)
        let name = NameMaker.name(of: region, &chance)
        let picture = chance.happens(percent: 67) ? chance.below(data.picturesCount) : nil
        self.data = data
        self.game = data.games[game]
        offsetMinutes = country.offsetMinutes
        skill = chance.bell()
        habit = chance.happens(percent: 38) ? DonationHabit(&chance) : nil
        held = Array(repeating: nil, count: data.games[game].boards.count)
        player = MadePlayer(
            id: id, name: name, country: chance.happens(percent: 70) ? country.code : nil,
            flag: data.games[game].flags
                ? DemoFlags.flag(of: index, in: game, from: country.code, seed: data.seed) : nil, picture: picture,
            registeredAt: data.playTimes.start)
        self.chance = chance
        if index < DemoData.detailedPlayersMax {
            detailChance = Chance(seed: data.seed, subject: 0xDE7A00 + UInt64(game), index: UInt64(index))
        }
    }

    mutating func played() -> MadePlayer {
        var sessions: [Instant] = []
        for _ in 0..<sessionsCount() { sessions.append(data.playTimes.moment(offsetMinutes: offsetMinutes, &chance)) }
        sessions.sort()
        for start in sessions { sit(down: start) }
        let first = player.scores.first?.reachedAt ?? data.playTimes.start
        // Some players registered long before the sixty days began.
        let wait = chance.happens(percent: 70) ? 20 + chance.below(240 as Int64) : chance.below(30 * secondsPerDay)
        player.registeredAt = max(first.advanced(bySeconds: -wait), data.foundedAt)
        return player
    }

    /// The number of sessions: most players come once or twice, a few very often.
    private mutating func sessionsCount() -> Int {
        let regular = game.hasRegulars ? 20 : 0
        return switch chance.below(1_000) + regular {
        case ..<620: 1
        case ..<880: 2 + chance.below(2)
        case ..<975: 4 + chance.below(6)
        case ..<997: 12 + chance.below(24)
        default: 45 + chance.below(66)
        }
    }

    private mutating func sit(down start: Instant) {
        guard var now = after(start) else { return }
        let postsCount = 1 + chance.one(of: [0, 0, 0, 0, 0, 0, 1, 1, 2, 3])
        for _ in 0..<postsCount {
            post(at: now)
            let pause = Int64(35 + chance.below(365)) * microsecondsPerSecond + chance.below(microsecondsPerSecond)
            guard let next = after(Instant(microsecondsSince1970: now.microsecondsSince1970 + pause)) else { return }
            now = next
        }
        guard let habit, chance.happens(percent: 50) else { return }
        donate(habit, at: now)
    }

    /// The given instant, or the next one after the player's last row; nil from the end of the data on.
    private func after(_ moment: Instant) -> Instant? {
        let free = last.map { max(moment, Instant(microsecondsSince1970: $0.microsecondsSince1970 + 1)) } ?? moment
        return free < data.playTimes.end ? free : nil
    }

    private mutating func post(at now: Instant) {
        let board = chance.below(game.boards.count)
        let (settings, sport) = (game.boards[board].board.settings, game.boards[board].sport)
        let practice = Double(min(player.scores.count, 60)) / 60
        let sign: Int64 = settings.lowestFirst == true ? -1 : 1
        let before = held[board]
        let points = sport.points(skill: skill, practice: practice, last: before?.latest, &chance)
        let earned: Int64 =
            switch settings.earning ?? .none {
            case .points: max(points, 0)
            case .fixed(let points): points
            case .improvement, .none: 0
            }
        let isImprovement: Bool
        switch (settings.policy ?? .best, before) {
        case (_, nil): isImprovement = true
        case (.best, let before?): isImprovement = points * sign > before.best * sign
        case (.latest, let before?): isImprovement = points * sign > before.latest * sign
        case (.sum, _): isImprovement = points * sign > 0
        }
        held[board] = (best: max(points * sign, (before?.best ?? points) * sign) * sign, latest: points)
        balance += earned
        last = now
        player.scores.append(
            MadePlayer.Score(
                id: chance.uuid(), board: board, points: points, earned: earned, isImprovement: isImprovement,
                detail: settings.details == .public ? detailChance?.detail(of: sport) : nil, reachedAt: now))
    }

    private mutating func donate(_ habit: DonationHabit, at now: Instant) {
        let share = balance * Int64(habit.percent) / 100
        let points = share >= 200 ? share / 50 * 50 : share
        guard points >= 1 else { return }
        var charity = chance.happens(percent: 75) ? habit.favourite : chance.place(in: DemoCharity.weightSums)
        if !data.isOpen(charity, at: now) { charity = 0 }
        balance -= points
        last = now
        player.donations.append(
            MadePlayer.Donation(
                id: chance.uuid(), charity: charity, points: points,
                isAnonymous: chance.happens(percent: habit.anonymousPercent), reachedAt: now))
    }
}

/// The habits of a player who donates.
private struct DonationHabit {
    let favourite: Int
    /// Percent of the balance that one donation takes.
    let percent: Int
    let anonymousPercent: Int

    init(_ chance: inout Chance) {
        favourite = chance.place(in: DemoCharity.weightSums)
        percent = chance.one(of: [5, 10, 10, 20, 25, 50, 50, 75, 100])
        anonymousPercent = chance.one(of: [0, 0, 0, 0, 0, 0, 0, 0, 30, 100])
    }
}

extension Chance {
    /// A UUID of version 4, as clients choose them.
    mutating func uuid() -> UUID {
        let high = next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        func byte(_ bits: UInt64, _ place: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: bits >> (56 - 8 * place)) }
        return UUID(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5), byte(high, 6),
                byte(high, 7), byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3), byte(low, 4), byte(low, 5),
                byte(low, 6), byte(low, 7)
            ))
    }
}

/// A player of the demo with all rows.
struct MadePlayer {
    struct Score {
        let id: UUID
        /// An index into the game's boards.
        let board: Int
        let points: Int64
        let earned: Int64
        let isImprovement: Bool
        /// JSON that came with it; nil for none.
        let detail: String?
        let reachedAt: Instant
    }

    struct Donation {
        let id: UUID
        let charity: Int
        let points: Int64
        let isAnonymous: Bool
        let reachedAt: Instant
    }

    let id: Player.ID
    let name: String
    let country: String?
    /// What it shows, in games with flags.
    let flag: CountryFlag?
    /// An index into the data's pictures.
    let picture: Int?
    var registeredAt: Instant
    /// Scores in the order of arrival; no two rows of a player have the same instant.
    var scores: [Score] = []
    var donations: [Donation] = []

    /// An upper bound for the rows of `player`, `tally` and `standing` that the player causes: a score counts on one
    /// board and day, a donation on two donation boards.
    func publishedRowsMax(boards: Int) -> Int { 1 + scores.count + min(boards, scores.count) + 4 * donations.count }
}
