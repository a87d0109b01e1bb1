import Domain
import Drawings

@testable import Pages

/// One page of each kind, with a name wherever somebody can choose one.
enum Samples {
    static func pages(name: String, in context: PageContext) -> [String: [UInt8]] {
        let ranking = ranking(name)
        let charity = charity(name)
        let donation = PublicDonation(
            player: Player.ID(rawValue: 7), name: name, avatar: nil, charity: "wells", charityName: name, points: 50,
            reachedAt: instant, entry: "7")
        let table = LeaderTable(game: "maze", gameName: name, ranking: ranking)
        let place = PlayerPage.BoardRank(game: "maze", board: board(name), position: position, size: 50)
        var style = EmbedStyle()
        style.ink = HexColor("00ff00")
        return [
            "home": HomePage(boards: [table], charities: [charity], contributors: 3, anonymous: 2, newest: [donation])
                .html(in: context), "game": GamePage(game: "maze", name: name, boards: [table]).html(in: context),
            "board": boardPage(name, ranking).html(in: context),
            "search": {
                var page = boardPage(name, ranking)
                page.search = .nobody(name)
                return page.html(in: context)
            }(),
            "teams": TeamsPage(game: "maze", TeamRanking(ranking, members: ranking.rows.map { _ in 2 }), from: 1).html(
                in: context),
            "awards": AwardsPage(
                game: "maze", gameName: name,
                [
                    .init(award, name: name, text: name, isSecret: false, givenCount: 2),
                    .init(award, name: name, text: nil, isSecret: true, givenCount: 0),
                ]
            ).html(in: context), "no awards": AwardsPage(game: "maze", gameName: name, []).html(in: context),
            "team": TeamPage(
                game: "maze", gameName: name,
                Team(
                    id: Team.ID(rawValue: 7), name: name, membersCount: 1, madeAt: instant, closedAt: nil,
                    showsRoster: true),
                roster: [
                    TeamMember(
                        player: PublicProfile(id: Player.ID(rawValue: 7), name: name, avatar: nil), isCaptain: true)
                ]
            ).html(in: context), "countries": countriesPage(name, of: nil).html(in: context),
            "regions": countriesPage(name, of: CountryFlag("DE")).html(in: context),
            "winners": winnersPage(name).html(in: context),
            "charities": CharitiesPage(CharityRanking(all: [charity], pageRequest: .top, limitRows: 10)).html(
                in: context),
            "charity": CharityPage(
                charity, rank: ranking.ranks[0], of: 1, top: ranking, anonymous: 2,
                growth: CharityGrowth(
                    days: [.init(day: today.advanced(byDays: -3), points: 10), .init(day: today, points: 40)],
                    games: [.init(game: "maze", gameName: name, points: 50)], largest: donation), newest: [donation]
            ).html(in: context),
            "player": {
                var page = PlayerPage(
                    Player.ID(rawValue: 7), name: name, avatar: nil, gameName: name, places: [place],
                    contributorRank: place, around: ranking,
                    donatedSums: [.init(charity: "wells", charityName: name, points: 50)])
                page.team = .init(game: "maze", id: Team.ID(rawValue: 7), name: name)
                page.flag = CountryFlag("DE-BE")
                page.awards = ["2", nil].map {
                    .init(game: "maze", GivenAward(award: award, name: name, givenAt: instant, occasion: $0))
                }
                return page.html(in: context)
            }(),
            "embed": RankingEmbed(.board(game: "maze", board: "lap"), over: name, ranking, style: style, limitRows: 10)
                .html(in: context), "embed of a charity": CharityEmbed(charity, style: style).html(in: context),
            "overlay of a charity": {
                var overlay = EmbedStyle()
                overlay.isOverlay = true
                return CharityEmbed(charity, style: overlay).html(in: context)
            }(),
            "play": PlayPage(board: table, charities: [charity], hasFriends: true, hasChallenges: true).html(
                in: context), "privacy": PrivacyPage().html(in: context),
            "books": BooksPage(books(name), in: today.advanced(byDays: -1)...today.advanced(byDays: 1), isNewest: false)
                .html(in: context), "no books": BooksPage(nil, in: nil, isNewest: true).html(in: context),
            "unsubscribe": UnsubscribePage(link: "x", isDone: false).html(in: context),
            "unsubscribed": UnsubscribePage(link: "x", isDone: true).html(in: context),
            "error": ErrorPage(status: 400, problem: "malformed", detail: name, request: name).html(in: context),
        ]
    }

    private static let award = Slug.defaultGame
    static let instant = Instant(microsecondsSince1970: 1_795_262_400_000_000)
    static let today = instant.dayInUTC

    static func books(_ name: String) -> DayBooks {
        var books = DayBooks(
            day: today, earned: 100, voided: 10, held: 5, donated: 50, unfunded: 8, logNumber: 3,
            logHash: [UInt8](repeating: 0xA5, count: 32))
        books.charities = [.init(slug: "trees", name: name, points: 40), .init(slug: "wells", name: name, points: 2)]
        books.games = [.init(slug: "maze", name: name, points: 100)]
        return books
    }

    static func board(_ name: String = "Lap", ties: Board.Ties = .shared) -> Board {
        Board(
            id: Board.ID(rawValue: 1), kind: .score, slug: "lap", name: name, policy: .best, lowestFirst: false,
            ties: ties, zone: "UTC", opensAt: nil, closesAt: nil, endedAt: nil, bounds: 0...1_000, today: today)
    }

    static func standing(_ row: Int64, _ name: String, points: Int128) -> Standing {
        Standing(row: row, name: name, avatar: nil, points: points, reachedAt: instant, orderKey: -points)
    }

    private static func ranking(_ name: String) -> Ranking {
        let rows: [Standing] = (1...50).map { (row: Int64) -> Standing in
            standing(row == 9 ? -9 : row, name, points: Int128(1_000 - row / 2))
        }
        let points: [Int128] = rows.map(\.points)
        return Ranking(
            board: board(name), window: .week, days: today...today.advanced(byDays: 6),
            span: instant..<instant.advanced(bySeconds: 7 * 86_400), isFinal: false, size: 63, rows: rows,
            ranks: Ranks.consecutive(points, limitRows: rows.count, ties: .shared), hasNext: true, hasPrevious: false)
    }

    private static func boardPage(_ name: String, _ ranking: Ranking) -> BoardPage {
        BoardPage(
            ranked: .board(game: "maze", board: "lap"), parent: name, ranking: ranking, from: 1, before: nil,
            leader: ranking.rows.first?.points, seasons: [3, 2, 1])
    }

    private static func countriesPage(_ name: String, of country: CountryFlag?) -> CountriesPage {
        let sums = ["DE", "FR"].compactMap { CountryFlag($0) }.map {
            CountrySum(country: $0, points: 50, reachedAt: instant, players: 3)
        }
        return CountriesPage(
            CountryRanking(
                sums, of: country, on: board(name), window: .week, days: nil, span: nil, isFinal: false,
                pageRequest: .top, limitRows: CountriesPage.rowsMax), game: "maze")
    }

    private static func winnersPage(_ name: String) -> WinnersPage {
        let seasons = [3, 2].map { (number: Int32) in
            PastSeasons.Season(
                number: number, endedAt: instant, ties: .shared, display: .number,
                rows: number == 2 ? [] : (1...4).map { standing($0, name, points: 50) })
        }
        return WinnersPage(PastSeasons(board: board(name), newest: 3, seasons: seasons, next: 1), game: "maze")
    }

    private static func charity(_ name: String) -> Charity {
        Charity(
            id: 1, slug: "wells", name: name, points: 50, contributors: 3, reachedAt: instant, goal: 600,
            url: "https://wells.example/?" + name, description: name, opensAt: nil, closesAt: nil, isFinal: false)
    }

    private static let position = RankPosition(
        sortKey: SortKey(orderKey: -50, reachedAt: instant, row: 7), points: 50, position: 18, sharedPosition: 18,
        equals: 1, pointsAbove: 60, betterPoints: 60)
}
