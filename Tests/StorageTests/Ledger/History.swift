import Domain
import Foundation
import Storage
import TestDatabases
import TestDice
import Testing

/// Boards of every policy, direction and kind of zone, charities, fifty players, and random batches for them.
struct History {
    let database: TestDatabase
    var model = Model()
    private(set) var players: [Player.ID] = []
    private var dice: Dice
    private var oldScores: [Player.ID: [NewScore]] = [:]
    private var oldDonations: [Player.ID: [NewDonation]] = [:]

    /// Clock changes of Berlin and the Azores, midnights of several zones, and the turn of a month and a week.
    private static let anchors = [
        "2026-03-28T23:00:00Z", "2026-03-29T01:00:00Z", "2026-10-24T22:00:00Z", "2026-10-25T00:00:00Z",
        "2026-10-25T01:00:00Z", "2026-10-25T23:00:00Z", "2026-10-31T11:00:00Z", "2026-11-01T00:00:00Z",
        "2026-11-01T05:00:00Z",
    ].map(Instant.at)

    init(_ database: TestDatabase, seed: UInt64, playersCount: Int = 50) async throws {
        self.database = database
        dice = Dice(seed: seed)
        let earnings: [Earning] = [.points, .improvement, .fixed(4), .improvement, .points, .none]
        let zones = ["UTC", "Europe/Berlin", "Atlantic/Azores", "Pacific/Auckland", "America/Havana", "Asia/Kathmandu"]
        for (index, policy) in (Board.Policy.allCases + Board.Policy.allCases).enumerated() {
            try await addBoard("board-\(index)", zone: zones[index]) {
                $0.policy = policy
                $0.lowestFirst = index >= 3
                $0.ties = index.isMultiple(of: 2) ? .first : .shared
                $0.earning = earnings[(index + Int(seed % 6)) % 6]
                $0.bounds = -4...12
                $0.earnDay = index == 1 || index == 4 ? 15 : nil
                $0.earnMax = index == 2 ? 7 : nil
            }
        }
        try await addBoard("closing", zone: "UTC") { $0.closesAt = .at("2026-10-25T00:30:00Z") }
        for (slug, zone) in [("trees", "Europe/Berlin"), ("seas", "Atlantic/Azores"), ("shut", "UTC")] {
            let closes: Instant? = slug == "shut" ? .at("2026-10-25T00:30:00Z") : nil
            try await database.addCharity(slug, zone: zone) { if let closes { $0.closesAt = .set(closes) } }
            model.charities[slug] = (try Self.zone(zone), closes)
        }
        for index in 0..<playersCount {
            let player = try await database.addPlayer("player \(index)")
            players.append(player)
            model.names[player] = "player \(index)"
        }
    }

    /// The same boards and players with other dice.
    func with(seed: UInt64) -> History {
        var other = self
        other.dice = Dice(seed: seed)
        return other
    }

    static func zone(_ name: String) throws -> TimeZone { try #require(TimeZone(identifier: name)) }

    private mutating func addBoard(_ slug: String, zone: String, _ settings: (inout NewBoard) -> Void) async throws {
        var kept: NewBoard?
        try await database.addBoard(slug) {
            $0.zone = zone
            settings(&$0)
            kept = $0
        }
        model.boards[slug] = Model.Rules(settings: try #require(kept), zone: try Self.zone(zone))
    }

    /// Arrival times near an anchor, out of order and tied across batches, but unique in one batch.
    private mutating func moments(_ count: Int) -> [Instant] {
        var taken: Set<Instant> = []
        return (0..<count).map { _ in
            let seconds = dice.pick([
                -7_200, -3_600, -1_800, -61, -60, -1, 0, 0, 0, 1, 30, 60, 61, 1_800, 3_600, 7_200, 90_000,
            ])
            var historyKey = dice.pick(Self.anchors).advanced(bySeconds: Int64(seconds))
            while !taken.insert(historyKey).inserted {
                historyKey = Instant(microsecondsSince1970: historyKey.microsecondsSince1970 + 1)
            }
            return historyKey
        }
    }

    private mutating func authors() -> [Player.ID] {
        var authors = Array(players.shuffled(using: &dice).prefix(Int.random(in: 1...players.count, using: &dice)))
        if dice.percent(20) { authors.append(Player.ID(rawValue: Limits.playerIDMax)) }  // nobody
        return authors
    }

    mutating func scores() throws -> [NewScore] {
        let authors = authors()
        let places = (0..<6).map { "board-\($0)" } + ["closing", "board-0", "nowhere"]
        var scores: [NewScore] = []
        for (player, historyKey) in zip(authors, moments(authors.count)) {
            var id = dice.uuid()
            var board = dice.pick(places)
            var points = Int64.random(in: -5...13, using: &dice)
            var playedAt = dice.percent(10) ? Instant.noon : nil
            let hasNoClientID = dice.percent(20)
            if !hasNoClientID, dice.percent(35), let old = oldScores[player], !old.isEmpty {
                let again = dice.pick(old)
                (id, board, points, playedAt) = (again.id, again.board.description, again.points, again.playedAt)
                if dice.percent(15) { points += 1 }
                if dice.percent(15) { board = dice.pick(places) }
            }
            let score = NewScore(
                points, by: .player(player), on: .of(board), in: database.game.slug, id: hasNoClientID ? nil : id,
                playedAt: playedAt, name: dice.percent(15) ? try PlayerName("guest", field: "name") : nil,
                isClassic: dice.percent(30), reachedAt: historyKey)
            oldScores[player, default: []].append(score)
            scores.append(score)
        }
        return scores
    }

    mutating func donations() throws -> [NewDonation] {
        let authors = authors()
        var donations: [NewDonation] = []
        for (player, historyKey) in zip(authors, moments(authors.count)) {
            var id = dice.uuid()
            var charity = dice.pick(["trees", "trees", "seas", "shut", "nothing"])
            var points = Int64.random(in: 1...15, using: &dice)
            var isAnonymous = dice.percent(20)
            let hasNoClientID = dice.percent(20)
            if !hasNoClientID, dice.percent(35), let old = oldDonations[player], !old.isEmpty {
                let again = dice.pick(old)
                (id, charity, points, isAnonymous) = (again.id, again.charity.text, again.points, again.isAnonymous)
                if dice.percent(15) { points += 1 }
            }
            let donation = try NewDonation(
                points, by: .player(player), to: CharityName(charity, field: "charity"), id: hasNoClientID ? nil : id,
                isAnonymous: isAnonymous, reachedAt: historyKey)
            oldDonations[player, default: []].append(donation)
            donations.append(donation)
        }
        return donations
    }

    /// A random instant at which the windows are read.
    mutating func now() -> Instant { dice.pick(Self.anchors) }

    mutating func percent(_ chance: Int) -> Bool { dice.percent(chance) }
}
