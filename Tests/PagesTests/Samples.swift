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
            "home": HomePage(
                boards: [table], charities: [charity], contributors: 3, anonymous: 2, newest: [donation],
                campaigns: [campaign(name)]
            ).html(in: context),
            "game": GamePage(game: "maze", name: name, boards: [table], hasAwards: true).html(in: context),
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
            "campaigns": CampaignsPage([campaign(name), campaign(name, .over), cup(name)], from: 21, of: 60).html(
                in: context), "no campaigns": CampaignsPage([], from: 1, of: 0).html(in: context),
            "campaign": CampaignPage(campaign(name), top: ranking, anonymous: 2).html(in: context),
            "campaign over a board": CampaignPage(cup(name), top: ranking, anonymous: 0).html(in: context),
            "player": {
                var page = PlayerPage(
                    Player.ID(rawValue: 7), name: name, avatar: nil, gameName: name, places: [place],
                    contributorRank: place, around: ranking,
                    donatedSums: [.init(charity: "wells", charityName: name, points: 50)])
                page.team = .init(game: "maze", id: Team.ID(rawValue: 7), name: name)
                page.flag = CountryFlag("DE-BE")
                page.awards = [("2", nil), ("winter", name), (nil, nil)].map { occasion, campaign in
                    .init(
                        game: "maze",
                        GivenAward(award: award, name: name, givenAt: instant, occasion: occasion, campaign: campaign))
                }
                return page.html(in: context)
            }(),
            "embed": RankingEmbed(.board(game: "maze", board: "lap"), over: name, ranking, style: style, limitRows: 10)
                .html(in: context), "embed of a charity": CharityEmbed(charity, style: style).html(in: context),
            "embed of a campaign": CampaignEmbed(campaign(name), top: nil, style: style, limitRows: 10).html(
                in: context),
            "embed of a board's campaign": CampaignEmbed(cup(name), top: ranking, style: style, limitRows: 10).html(
                in: context),
            "overlay of a campaign": {
                var overlay = EmbedStyle()
                overlay.isOverlay = true
                return CampaignEmbed(campaign(name), top: nil, style: overlay, limitRows: 10).html(in: context)
            }(),
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

    /// A campaign over the donations to a charity, in its days or after them.
    static func campaign(
        _ name: String = "Winter", _ state: Campaign.State = .open, on today: Day = today, from first: Day? = nil,
        until last: Day? = nil, zone: String = "UTC", points: Int128 = 15
    ) -> ShownCampaign {
        shown(
            name, subject: .charity(.defaultGame), state, on: today, from: first, until: last, zone: zone,
            progress: CampaignProgress(
                points: points, contributors: 3,
                milestones: [
                    Milestone(points: 10, name: name, reachedAt: points < 10 ? nil : instant),
                    Milestone(points: 20, name: name), Milestone(points: 30, name: name),
                ]))
    }

    /// A campaign over a score board.
    private static func cup(_ name: String) -> ShownCampaign {
        let subject = Campaign.Subject.board(game: .defaultGame, board: .highScores, season: 1)
        return shown(name, subject: subject, .coming, on: today, from: today.advanced(byDays: 3), progress: nil)
    }

    private static func shown(
        _ name: String, subject: Campaign.Subject, _ state: Campaign.State, on today: Day, from first: Day? = nil,
        until last: Day? = nil, zone: String = "UTC", progress: CampaignProgress?
    ) -> ShownCampaign {
        let first = first ?? today
        let last = last ?? max(first, today.advanced(byDays: 2))
        let campaign = Campaign(
            slug: .defaultGame, name: name, text: name, subject: subject, days: first...last,
            span: instant..<instant.advanced(bySeconds: 86_400), goal: subject.hasGoal ? 40 : nil, cohortSize: nil,
            milestones: [], version: "1")
        let board = Board(
            id: Board.ID(rawValue: 1), kind: .donation, slug: "wells", name: name, policy: .sum, lowestFirst: false,
            ties: .first, zone: zone, opensAt: nil, closesAt: nil, endedAt: nil, bounds: 0...1_000, today: today)
        return ShownCampaign(campaign, board: board, state: state, progress: progress)
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

    /// The page of a board that has these seasons.
    static func seasons(_ seasons: [Int32], shown: Int32) -> BoardPage {
        var page = boardPage("Ada", ranking("Ada"))
        (page.seasons, page.season) = (seasons, shown)
        return page
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
