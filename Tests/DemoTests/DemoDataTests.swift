import Domain
import Storage
import TestDatabases
import Testing

@testable import Demo

@Suite struct DemoDataTests {
    private static let data = DemoData(players: 4_000, seed: 7, until: .noon)
    private static let people: [[MadePlayer]] = data.playersCounts.enumerated().map { game, count in
        (0..<count).map { data.player($0, of: game) }
    }

    @Test("every name is one that the server takes as it stands, and none looks like a charity's") func names() throws {
        let charities = Set(DemoCharity.all.map { NameSkeleton(of: $0.name.description) })
        #expect(charities.count == DemoCharity.all.count)
        var names: Set<String> = []
        for player in Self.people.joined() where names.insert(player.name).inserted {
            let name = try PlayerName(player.name, field: "name")
            #expect(name.description.unicodeScalars.elementsEqual(player.name.unicodeScalars))
            #expect(!charities.contains(name.skeleton))
        }
        #expect(names.count > 3_000)
        #expect(names.contains { !$0.allSatisfy(\.isASCII) })
    }

    @Test("ids are unique and within the range of their game") func ids() {
        #expect(Set(Self.people.joined().map(\.id)).count == Self.data.playersCount)
        #expect(Self.people[0].allSatisfy { (1...Limits.classicPlayerIDMax).contains($0.id.rawValue) })
        #expect(Self.people.dropFirst().joined().allSatisfy { (1...Limits.newPlayerIDMax).contains($0.id.rawValue) })
    }

    @Test("ids of ten million players ascend up to the end of their range, so no two are the same", arguments: 0..<4)
    func manyIDs(game: Int) {
        let count = 10_000_000
        let ids = PlayerIDs(game: game, gamesCount: 4, playersCount: count, seed: 3)
        let most = game == 0 ? Limits.classicPlayerIDMax : Limits.newPlayerIDMax
        for first in [0, count / 2, count - 2_000] {
            let some = (first..<first + 2_000).map { ids.id($0).rawValue }
            #expect(some.allSatisfy { (1...most).contains($0) })
            #expect(zip(some, some.dropFirst()).allSatisfy { $0 < $1 })
            #expect(Set(zip(some, some.dropFirst()).map { $1 - $0 }).count > 100)
        }
        #expect(ids.id(count - 1).rawValue > most / 100 * 99)
    }

    @Test("everybody plays, within the sixty days and the bounds of the boards, never two things at once")
    func histories() {
        for (game, players) in Self.people.enumerated() {
            for player in players {
                let moments = (player.scores.map(\.reachedAt) + player.donations.map(\.reachedAt)).sorted()
                #expect(!player.scores.isEmpty)
                #expect(Set(moments).count == moments.count)
                #expect(player.registeredAt < moments[0] && player.registeredAt >= Self.data.foundedAt)
                #expect(moments[0] >= Self.data.playTimes.start && moments[moments.count - 1] < .noon)
                #expect(player.scores.map(\.reachedAt) == player.scores.map(\.reachedAt).sorted())
                for score in player.scores {
                    let settings = Self.data.games[game].boards[score.board].board.settings
                    #expect(score.points >= settings.pointsMin ?? .max && score.points <= settings.pointsMax ?? .min)
                }
            }
        }
    }

    @Test("nobody ever donates more than there is left, nor to a charity that has closed") func donations() {
        for player in Self.people.joined() {
            var donated: Int64 = 0
            for donation in player.donations {
                let earned = player.scores.filter { $0.reachedAt < donation.reachedAt }.reduce(0) { $0 + $1.earned }
                donated += donation.points
                #expect(donation.points >= 1 && donated <= earned)
                #expect(Self.data.isOpen(donation.charity, at: donation.reachedAt))
            }
        }
        let donations = Self.people.joined().flatMap(\.donations)
        #expect(Set(donations.map(\.charity)).count == DemoCharity.all.count)
        #expect(donations.contains(where: \.isAnonymous) && !donations.allSatisfy(\.isAnonymous))
    }

    @Test("scores have small details where everybody sees them, those of a bounded number of players") func details() {
        for (game, players) in Self.people.enumerated() {
            for score in players.flatMap(\.scores) {
                guard let detail = score.detail else { continue }
                #expect(Self.data.games[game].boards[score.board].board.settings.details == .public)
                #expect(detail.utf8.count < 64)
            }
        }
        let laps = Self.people[1].flatMap(\.scores).filter { $0.board == 0 }
        #expect((75..<85).contains(laps.count { $0.detail != nil } * 100 / laps.count))
        let large = DemoData(players: 1_000_000, seed: 7, until: .noon)
        func detailsCount(_ players: Range<Int>) -> Int {
            players.lazy.flatMap { large.player($0, of: 1).scores }.count { $0.detail != nil }
        }
        #expect(detailsCount(DemoData.detailedPlayersMax - 500..<DemoData.detailedPlayersMax) > 300)
        #expect(detailsCount(DemoData.detailedPlayersMax..<DemoData.detailedPlayersMax + 500) == 0)
    }

    @Test("friends do not make a larger world take longer than one of 200,000 players") func circles() {
        func count(_ players: Int) -> Int {
            DemoCircles(DemoData(players: players, seed: 7, until: .noon)).count(of: 0)
        }
        #expect(count(1) == 1 && count(12) == 1 && count(13) == 2)
        #expect(count(200_000) == count(10_000_000))
    }

    @Test("nor do teams, each of which has a name that the server takes") func teams() throws {
        func count(_ players: Int) -> Int {
            DemoTeams(DemoData(players: players, seed: 7, until: .noon)).blocksCount(of: 0)
        }
        #expect(count(1) == 1 && count(90) == 1 && count(91) == 2)
        #expect(count(200_000) == count(10_000_000))
        var chance = Chance(seed: 1, subject: 2)
        for _ in 0..<2_000 {
            let name = NameMaker.team(&chance)
            #expect(try PlayerName(name, field: "name").description.unicodeScalars.elementsEqual(name.unicodeScalars))
        }
    }

    @Test("most play in the evening, more at weekends, and a few play far more than the others") func habits() {
        var chance = Chance(seed: 1, subject: 2)
        let moments = (0..<20_000).map { _ in Self.data.playTimes.moment(offsetMinutes: 0, &chance) }
        let hours = moments.map { $0.microsecondsSince1970 / 3_600_000_000 }
        #expect(hours.filter { 18...22 ~= $0 % 24 }.count > 8_000)
        #expect(hours.filter { Day(daysSince1970: Int32($0 / 24)).isoWeekday >= 6 }.count > 7_000)
        let posts = Self.people[0].map(\.scores.count).sorted()
        #expect(posts[posts.count / 2] <= 3)
        #expect(posts[posts.count - 1] >= 60)
    }

    @Test("boards there are of every policy and order, with both kinds of ties") func boards() {
        let boards = DemoGame.all.flatMap(\.boards).map(\.board.settings)
        #expect(Set(boards.map { [$0.policy?.rawValue, $0.lowestFirst?.description] }).count == 6)
        #expect(Set(boards.map(\.ties)).count == 2)
        #expect(
            Set(boards.compactMap(\.zone)).isSuperset(of: [
                "UTC", "Europe/Berlin", "America/New_York", "Pacific/Auckland",
            ]))
        #expect(DemoCharity.all.count == 8)
    }

    @Test("the same seed makes the same player, another one another", arguments: [1, 5_000, 10_000_000]) func seeds(
        players: Int
    ) {
        func described(_ seed: UInt64) -> String {
            let data = DemoData(players: players, seed: seed, until: .noon)
            return "\(data.player(0, of: 0)) \(data.player(5, of: 3))"
        }
        #expect(described(1) == described(1))
        #expect(described(1) != described(2))
    }

    @Test(
        "the data may end at any moment that can be written",
        arguments: ["0001-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "9999-12-31T23:59:59Z"]) func ends(until: String)
    {
        let data = DemoData(players: 1, seed: 0, until: .at(until))
        #expect(
            data.player(0, of: 0).scores.allSatisfy {
                $0.reachedAt >= data.playTimes.start && $0.reachedAt < .at(until)
            })
    }

    @Test("no two pictures are alike, and each is a small PNG") func pictures() throws {
        let pictures = try Identicon.pictures(512, seed: 1)
        #expect(Set(pictures).count == 512)
        #expect(
            pictures.allSatisfy {
                $0.starts(with: [0x89, 0x50, 0x4E, 0x47]) && Array($0[16..<24]) == [0, 0, 0, 40, 0, 0, 0, 40]
            })
        #expect(pictures.allSatisfy { $0.count < 600 })
    }
}
