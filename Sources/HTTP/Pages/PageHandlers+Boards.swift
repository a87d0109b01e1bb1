import Domain
import HTTPServer
import HTTPTypes
import Leaderboard
import Pages
import Storage

// The pages of games and boards, and of who donated.
extension PageHandlers {
    /// `GET /`
    func homePage(_ request: Request) async throws -> Response {
        let query = try PageQuery(request)
        return try await pages.serve(request, Routes.pages.home, path: Routes.pages.home.path(), query) {
            let versions = rankings.versions
            var validators = [rankings.donationValidator(since: versions)]
            var tables: [LeaderTable] = []
            for game in try await rankings.listedGames() {
                for board in game.boards where tables.count < Limits.homeBoardsRead {
                    let (table, validator) = try await leaders(of: board.slug, in: game, since: versions)
                    guard let table else { continue }
                    tables.append(table)
                    validators.append(validator)
                }
            }
            let (charities, validator) = try await rankings.allCharities()
            let overall = try await rankings.board(.contributors)
            validators += [
                validator, try await rankings.validator(of: overall, window: .all, days: nil, since: versions),
            ]
            let anonymous = try await rankings.anonymousSize(of: overall, window: .all)
            let open = try await campaigns.open(countMax: HomePage.campaignsMax, withPoints: true)
            let home = HomePage(
                boards: tables.sorted { ($0.ranking.size ?? 0) > ($1.ranking.size ?? 0) }.first(HomePage.boardsMax),
                charities: charities, contributors: try await rankings.size(of: overall, window: .all) - anonymous,
                anonymous: anonymous,
                newest: try await rankings.newestDonations(to: nil, limitRows: HomePage.donationsMax),
                hasPlay: play.isServed(where: try await rankings.listedGames()), campaigns: open.campaigns)
            return FeedReading(home, CacheValidator.all(of: validators)?.until(open.until))
        } render: { home, context in
            home.html(in: context)
        }
    }

    /// `GET /games/{game}`
    func gamePage(_ request: Request, _ slug: Slug) async throws -> Response {
        let query = try PageQuery(request)
        return try await pages.serve(request, Routes.pages.gamePage, path: Routes.pages.gamePage.path(slug), query) {
            let versions = rankings.versions
            guard let game = try await rankings.listedGames().first(where: { $0.slug == slug }) else {
                throw Problem.noGame
            }
            // Without boards nothing but the list of games was read, and boards are among what every version covers.
            var validators = [rankings.donationValidator(since: versions), rankings.awardValidator]
            var tables: [LeaderTable] = []
            for board in game.boards.prefix(Limits.gameBoardsRead) {
                let (table, validator) = try await leaders(of: board.slug, in: game, since: versions)
                guard let table else { continue }
                tables.append(table)
                validators.append(validator)
            }
            let page = GamePage(
                game: slug.description, name: game.name, boards: tables, hasAwards: try await rankings.hasAwards(slug))
            return FeedReading(page, CacheValidator.all(of: validators))
        } render: { page, context in
            page.html(in: context)
        }
    }

    /// The first rows of a board; nil when its season has just ended.
    func leaders(of slug: Slug, in game: ListedGame, since versions: ReadVersions) async throws -> (
        LeaderTable?, CacheValidator?
    ) {
        let subject = Rankings.Subject.score(game: game.slug, board: slug, season: nil)
        guard let board = try await rankings.findBoard(subject) else { return (nil, nil) }
        let validator = try await rankings.validator(of: board, window: .all, days: nil, since: versions)
        let ranking = try await rankings.ranking(
            of: board, window: .all, days: nil, pageRequest: .top, limitRows: LeaderTable.rowsMax, includesTotal: true)
        return (LeaderTable(game: game.slug.description, gameName: game.name, ranking: ranking), validator)
    }

    /// `GET /games/{game}/boards/{board}`
    func boardPage(_ request: Request, in game: Slug, _ slug: Slug) async throws -> Response {
        let query = try PageQuery(request, .board)
        let ranked = Ranked.board(game: game.description, board: slug.description)
        let path = Routes.pages.boardPage.path(game, slug)
        let subject = Rankings.Subject.score(game: game, board: slug, season: query.season)
        if let name = query.name,
            let found = try await pages.feeds.cache.uncached({ try await find(name, on: subject, query, in: game) })
        {
            return redirection(to: found, path, query)
        }
        return try await pages.serve(request, Routes.pages.boardPage, path: path, query) {
            var (page, validator) = try await ranking(ranked, subject, query)
            page.parent = try await rankings.listedGames().first { $0.slug == game }?.name
            page.seasons = try await rankings.seasons(of: slug, in: game)
            if let name = query.name { page.search = .nobody(name.description) }
            let open = try await campaigns.open(countMax: Limits.campaignLinksMax) { campaign in
                guard case .board(game, slug, _) = campaign.subject else { return false }
                return true
            }
            page.campaigns = open.campaigns
            return FeedReading(page, validator?.until(open.until))
        } render: { page, context in
            page.html(in: context)
        }
    }

    /// `GET /games/{game}/boards/{board}/winners`
    func winnersPage(_ request: Request, in game: Slug, _ slug: Slug) async throws -> Response {
        let query = try PageQuery(request, .winners)
        let path = Routes.pages.winnersPage.path(game, slug)
        return try await pages.serve(request, Routes.pages.winnersPage, path: path, query) {
            guard
                let (past, validator) = try await rankings.pastSeasons(
                    of: slug, in: game, from: query.season, seasonsMax: WinnersPage.seasonsMax)
            else { throw Problem.noBoard }
            return FeedReading(WinnersPage(past, game: game.description), validator)
        } render: { page, context in
            page.html(in: context)
        }
    }

    /// `GET /games/{game}/boards/{board}/countries`
    func countriesPage(_ request: Request, in game: Slug, _ slug: Slug) async throws -> Response {
        let query = try PageQuery(request, .countries)
        let path = Routes.pages.countriesPage.path(game, slug)
        return try await pages.serve(request, Routes.pages.countriesPage, path: path, query) {
            let versions = rankings.versions
            let board = try await rankings.board(.score(game: game, board: slug, season: nil))
            guard board.showsFlags, board.countries.best != nil else { throw Problem.noCountries }
            let validator = try await rankings.validator(
                of: board, window: query.window, days: nil, byFlags: true, since: versions)
            let (countries, isFromMemory) = try await rankings.countries(
                on: board, in: query.country, window: query.window, days: nil, pageRequest: .top,
                limitRows: CountriesPage.rowsMax)
            let page = CountriesPage(countries, game: game.description)
            return FeedReading(page, isFromMemory ? validator : nil)
        } render: { page, context in
            page.html(in: context)
        }
    }

    /// `GET /contributors`
    func contributorsPage(_ request: Request) async throws -> Response {
        let query = try PageQuery(request, .contributors)
        return try await pages.serve(
            request, Routes.pages.contributorsPage, path: Routes.pages.contributorsPage.path(), query
        ) {
            let (page, validator) = try await ranking(.contributors, .contributors, query)
            return FeedReading(page, validator)
        } render: { page, context in
            page.html(in: context)
        }
    }

    /// `GET /charities/{charity}/contributors`
    func charityContributorsPage(_ request: Request, _ slug: Slug) async throws -> Response {
        let query = try PageQuery(request, .contributors)
        let path = Routes.pages.charityContributorsPage.path(slug)
        return try await pages.serve(request, Routes.pages.charityContributorsPage, path: path, query) {
            let ranked = Ranked.contributorsOfCharity(slug.description)
            var (page, validator) = try await ranking(ranked, .charity(slug), query)
            page.parent = page.ranking.board.name
            if query.window == .all {
                let (charity, _, _, total) = try await rankings.charity(slug)
                page.contributors = charity.contributors
                return FeedReading(page, CacheValidator.all(of: [validator, total]))
            }
            return FeedReading(page, validator)
        } render: { page, context in
            page.html(in: context)
        }
    }

    /// The rows that a page shows, from the position that its query names or around the player that it names.
    private func ranking(_ ranked: Ranked, _ subject: Rankings.Subject, _ query: PageQuery) async throws -> (
        BoardPage, CacheValidator?
    ) {
        let versions = rankings.versions
        let board = try await rankings.board(subject)
        let validator = try await rankings.validator(of: board, window: query.window, days: nil, since: versions)
        var from = query.from
        var search: BoardPage.Search?
        if let named = query.player {
            let player = try await rankings.survivor(of: named)
            let position = try await rankings.findRankPosition(of: player, on: board, window: query.window)
            search = position == nil ? .absent(player) : .found(player)
            if let position { from = max(1, position.position - Int64(BoardPage.rowsMax / 2)) }
        }
        if from > 1, query.player == nil {
            // Beyond the end there is nothing to see, and the first page is more use than an empty one.
            let size = try await rankings.size(of: board, window: query.window)
            if from > size { from = 1 }
        }
        // The row above tells how far the first one is from the next rank.
        let above = from > 1
        let shown = try await rankings.ranking(
            of: board, window: query.window, days: nil, pageRequest: .from(above ? from - 1 : from),
            limitRows: BoardPage.rowsMax + (above ? 1 : 0), includesTotal: true)
        var leader = shown.rows.first?.points
        if above {
            leader = try await rankings.ranking(
                of: board, window: query.window, days: nil, pageRequest: .top, limitRows: 1, includesTotal: false
            ).rows.first?.points
        }
        var page = BoardPage(
            ranked: ranked, parent: nil, ranking: above ? shown.withoutFirst : shown, from: from,
            before: above ? shown.rows.first?.points : nil, leader: leader, season: query.season, search: search)
        page.anonymous = try await rankings.anonymousSize(of: board, window: query.window)
        page.isAwaited = board.isAwaited(at: clock.now)
        return (page, validator)
    }

    /// Finds a player by name: the best ranked one of those who stand on the board.
    private func find(_ name: PlayerName, on subject: Rankings.Subject, _ query: PageQuery, in game: Slug) async throws
        -> Player.ID?
    {
        let board = try await rankings.board(subject)
        let players = try await store.players(
            named: name.description, in: game, on: board.id, limitRows: Limits.playersFoundMax)
        let ranking = try await rankings.ranking(
            of: board, window: query.window, players: players, includesTotal: false)
        return ranking.rows.first?.player
    }

    /// Sends a browser to the page where a player stands.
    private func redirection(to player: Player.ID, _ path: String, _ query: PageQuery) -> Response {
        var parts: [String] = []
        if query.window != .all { parts.append("window=" + query.window.name) }
        if let season = query.season { parts.append("season=\(season)") }
        if let language = query.language { parts.append("lang=" + language.code) }
        parts.append("player=\(player.rawValue)")
        let target = path + "?" + parts.joined(separator: "&") + "#p\(player.rawValue)"
        return Response(status: .seeOther, headers: [.location: target, .cacheControl: "no-store"])
    }
}

extension Ranking {
    /// The same without its first row.
    fileprivate var withoutFirst: Ranking {
        Ranking(
            board: board, window: window, days: days, span: span, isFinal: isFinal, size: size,
            rows: Array(rows.dropFirst()), ranks: Array(ranks.dropFirst()), hasNext: hasNext, hasPrevious: !rows.isEmpty
        )
    }
}

extension Array {
    /// At most so many of the first elements.
    fileprivate func first(_ countMax: Int) -> [Element] { Array(prefix(countMax)) }
}

extension Board {
    /// Whether it opens later.
    func isAwaited(at now: Instant) -> Bool { opensAt.map { $0 > now } ?? false }
}
