import Domain
import HTTPServer
import HTTPTypes
import Leaderboard
import Pages
import Storage

// The pages of charities and of players.
extension PageHandlers {
    /// `GET /charities`
    func charitiesPage(_ request: Request) async throws -> Response {
        let query = try PageQuery(request)
        return try await pages.serve(
            request, Routes.pages.charitiesPage, path: Routes.pages.charitiesPage.path(), query
        ) {
            let (all, validator) = try await rankings.allCharities()
            let ranking = CharityRanking(all: all, pageRequest: .top, limitRows: Limits.charitiesShownMax)
            return FeedReading(CharitiesPage(ranking), validator)
        } render: { page, context in
            page.html(in: context)
        }
    }

    /// `GET /charities/{charity}`
    func charityPage(_ request: Request, _ slug: Slug) async throws -> Response {
        let query = try PageQuery(request)
        return try await pages.serve(
            request, Routes.pages.charityPage, path: Routes.pages.charityPage.path(slug), query
        ) {
            let versions = rankings.versions
            let donations = rankings.donationValidator(since: versions)
            let (charity, rank, size, validator) = try await rankings.charity(slug)
            let board = try await rankings.board(.charity(slug))
            let boardValidator = try await rankings.validator(of: board, window: .all, days: nil, since: versions)
            let top = try await rankings.ranking(
                of: board, window: .all, days: nil, pageRequest: .top, limitRows: CharityPage.rowsMax,
                includesTotal: true)
            let anonymous = try await rankings.anonymousSize(of: board, window: .all)
            let (growth, until) = try await rankings.growth(of: slug)
            let newest = try await rankings.newestDonations(to: slug, limitRows: CharityPage.donationsMax)
            var page = CharityPage(
                charity, rank: rank, of: size, top: top, anonymous: anonymous, growth: growth, newest: newest)
            let open = try await campaigns.open(countMax: Limits.campaignLinksMax) {
                [Campaign.Subject.charity(slug), .charity(.overall)].contains($0.subject)
            }
            page.campaigns = open.campaigns
            return FeedReading(
                page, CacheValidator.all(of: [donations, validator, boardValidator])?.until(until).until(open.until))
        } render: { page, context in
            page.html(in: context)
        }
    }

    /// `GET /players/{player}`
    func playerPage(_ request: Request, _ id: Player.ID) async throws -> Response {
        let query = try PageQuery(request)
        return try await pages.serve(request, Routes.pages.playerPage, path: Routes.pages.playerPage.path(id), query) {
            let (page, validator) = try await playerPage(of: id)
            return FeedReading(page, validator)
        } render: { page, context in
            page.html(in: context)
        }
    }

    func playerPage(of named: Player.ID) async throws -> (PlayerPage, CacheValidator?) {
        let id = try await rankings.survivor(of: named)
        let versions = rankings.versions
        var validators = [rankings.donationValidator(since: versions)]
        guard let (profile, _, donations, awards) = try await store.findPublicProfile(of: id),
            let game = try await store.findGame(of: id)
        else { throw try await store.noPlayer(id) }
        // All boards of the game count, as a first score on one of them changes the page.
        let listing = try await rankings.listedGames().first { $0.slug == game.slug }
        let listed = listing?.boards ?? []
        var places: [PlayerPage.BoardRank] = []
        for entry in listed.prefix(Limits.gameBoardsRead) {
            let subject = Rankings.Subject.score(game: game.slug, board: entry.slug, season: nil)
            guard let board = try await rankings.findBoard(subject) else { continue }
            validators.append(try await rankings.validator(of: board, window: .all, days: nil, since: versions))
            guard let position = try await rankings.findRankPosition(of: id, on: board, window: .all) else { continue }
            let size = try await rankings.size(of: board, window: .all)
            places.append(.init(game: game.slug.description, board: board, position: position, size: size))
        }
        var contributorRank: PlayerPage.BoardRank?
        let overall = try await rankings.board(.contributors)
        if let position = try await rankings.findRankPosition(of: id, on: overall, window: .all) {
            let size = try await rankings.size(of: overall, window: .all)
            contributorRank = .init(game: nil, board: overall, position: position, size: size)
        }
        var around: Ranking?
        if let best = PlayerPage.best(of: places) {
            around = try await rankings.ranking(
                of: best.board, window: .all, around: id, limitRows: PlayerPage.rowsAround, includesTotal: false)
        }
        let names = Dictionary(try await rankings.allCharities().charities.map { ($0.slug, $0.name) }) { first, _ in
            first
        }
        var page = PlayerPage(
            id, name: profile.name, avatar: profile.avatar, gameName: game.name, places: places,
            contributorRank: contributorRank, around: around,
            donatedSums: donations.sorted { $0.points > $1.points }.map { donation in
                .init(
                    charity: donation.charity, charityName: names[donation.charity] ?? donation.charity,
                    points: donation.points)
            })
        page.flag = profile.flag
        page.awards = awards.map { .init(game: game.slug.description, $0) }
        if let listing, listing.teams != .off {
            page.team = try await store.shownTeam(of: id).map {
                .init(game: game.slug.description, id: $0.id, name: $0.name)
            }
        }
        // Nothing tells that a player has joined or left a team, or was given an award.
        let again = clock.now.advanced(bySeconds: Limits.shownTeamSeconds)
        return (page, CacheValidator.all(of: validators)?.until(again))
    }
}
