import Domain
import Storage

/// Teams of players who are near each other in the data: of each block of players, about a third.
struct DemoTeams {
    private static let blockPlayers = 90
    private static let sizes = [3, 4, 4, 5, 5, 6, 6, 8, 10, 12, 16, 22, 30]
    private static let membersMin = 3

    private let data: DemoData

    init(_ data: DemoData) { self.data = data }

    /// The number of blocks of a game: none where teams are off. A larger world has no more of them than one with
    /// ``DemoCircles/playersMax`` players.
    func blocksCount(of game: Int) -> Int {
        guard data.games[game].teams != .off else { return 0 }
        return (min(data.playersCounts[game], DemoCircles.playersMax) + Self.blockPlayers - 1) / Self.blockPlayers
    }

    /// Adds the teams of a block.
    /// - Returns: The number of teams.
    func add(_ block: Int, of game: Int, as id: Game.ID, to rows: inout DemoTeamRows) -> Int {
        var chance = Chance(seed: data.seed, subject: 0x7EA3_0000 + UInt64(game), index: UInt64(block))
        let first = block * Self.blockPlayers
        let players = first..<min(first + Self.blockPlayers, data.playersCounts[game])
        var seats = min(max(players.count / 3, Self.membersMin), players.count)
        var next = first
        var former: Team.ID?
        var count = 0
        while seats >= Self.membersMin {
            let size = min(chance.one(of: Self.sizes), seats)
            seats -= size
            let team = Team.ID(rawValue: 1 + chance.below(Limits.newPlayerIDMax))
            add(team, of: next..<next + size, former: former, in: game, as: id, to: &rows, &chance)
            (former, next, count) = (team, next + size, count + 1)
        }
        return count
    }

    /// - Parameter former: Where some of the players were before.
    private func add(
        _ team: Team.ID, of players: Range<Int>, former: Team.ID?, in game: Int, as id: Game.ID,
        to rows: inout DemoTeamRows, _ chance: inout Chance
    ) {
        let isOfServer = data.games[game].teams == .server
        let part = chance.below(DemoRows.parts * 7 / 10)
        rows.addTeam(
            team, in: id, external: isOfServer ? "guild-\(team.rawValue)" : nil, name: NameMaker.team(&chance),
            madeBy: data.id(players.lowerBound, of: game), part: part)
        // Everybody has left a few of them.
        let isLeft = chance.happens(percent: 4)
        for player in players {
            let isFirst = player == players.lowerBound
            let wasElsewhere = !isLeft && !isFirst && chance.happens(percent: 8)
            let leaves = isLeft || !isFirst && !wasElsewhere && chance.happens(percent: 6)
            rows.addMember(
                data.id(player, of: game), of: team, isCaptain: isFirst && !isOfServer && !isLeft,
                former: wasElsewhere ? former : nil, joined: isFirst ? 0 : chance.below(DemoRows.parts),
                stayed: leaves ? chance.below(DemoRows.parts) : nil)
        }
    }
}

/// The flags that players show. Nearly all are those of where they are from.
enum DemoFlags {
    /// How many percent of the players show a flag.
    private static let percent = 26
    /// Regions of countries whose players like to show them.
    private static let regions: [String: [String]] = [
        "AU": ["NSW", "QLD", "VIC", "WA"], "BR": ["BA", "RJ", "SP"], "CA": ["BC", "ON", "QC"],
        "DE": ["BE", "BW", "BY", "HH", "NW", "SN"], "ES": ["AN", "CT", "GA", "PV"], "FR": ["BRE", "COR"],
        "GB": ["ENG", "NIR", "SCT", "WLS"], "JP": ["01", "13", "27"], "US": ["CA", "IL", "NY", "OR", "TX"],
    ]

    static func flag(of index: Int, in game: Int, from country: String, seed: UInt64) -> CountryFlag? {
        var chance = Chance(seed: seed, subject: 0xF1A6_0000 + UInt64(game), index: UInt64(index))
        guard chance.happens(percent: percent) else { return nil }
        // A few live elsewhere than where their heart is.
        let country = chance.happens(percent: 6) ? chance.one(of: elsewhere) : country
        guard let regions = regions[country], chance.happens(percent: 25) else { return CountryFlag(country) }
        return CountryFlag("\(country)-\(chance.one(of: regions))")
    }

    private static let elsewhere = Region.all.flatMap { $0.countries.map(\.code) }
}
