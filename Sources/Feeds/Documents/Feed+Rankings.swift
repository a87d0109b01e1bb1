package import Domain

extension Feed {
    /// The feed of the top donors. XML and plist show only what the clients of 2009 know: name, image and points; the
    /// other formats show all.
    /// - Parameters:
    ///   - path: The path of the feed without suffix.
    ///   - embedded: The pictures in base64, by hash; nil links to them instead.
    ///   - pictureAt: The path that serves a picture.
    package static func topScores(
        _ ranking: Ranking, path: String, query: String, embedded: [AvatarHash: [UInt8]]?,
        pictureAt: (AvatarHash) -> String
    ) -> Feed {
        Feed(
            title: contributorsTitle(ranking.board), path: path, query: query,
            names: ElementNames("customers", "customer"), head: Head(ranking),
            columns: [
                Column("rank", .integer, role: .rank, for: .modern), Column("tied", .boolean, for: .programs),
                Column("player", .integer, role: .key, for: .programs), Column("name", .text, role: .title),
                Column("image", .picture), Column("points", .integer, role: .points),
                Column("reached_at", .instant, role: .moment, for: .modern), Column("avatar", .link, for: .programs),
                entryColumn,
            ],
            rows: zip(ranking.rows, ranking.ranks).map { row, rank in
                var image = Value.none
                if let hash = row.avatar {
                    image = embedded.map { $0[hash].map(Value.embeddedBase64) ?? .none } ?? .link(pictureAt(hash))
                }
                return [
                    .integer(Int128(rank.number)), .boolean(rank.isTied),
                    row.player.map { .integer(Int128($0.rawValue)) } ?? .none, .text(row.name), image,
                    .integer(row.points), .instant(row.reachedAt), row.avatar.map { .link(pictureAt($0)) } ?? .none,
                    entry(row),
                ]
            })
    }

    /// The feed of a board's rows: players of a game, or donors.
    /// - Parameters:
    ///   - path: The path of the feed without suffix.
    ///   - page: Which page of the feed this is, as the query names it: see ``Feed/page``.
    ///   - cursors: The cursors of the pages after and before this one.
    ///   - pictureAt: The path that serves a picture.
    package static func standings(
        _ ranking: Ranking, path: String, query: String, page: String = "",
        cursors: (next: String?, prev: String?) = (nil, nil), pictureAt: (AvatarHash) -> String
    ) -> Feed {
        let isDonationBoard = ranking.board.kind == .donation
        let showsDetails = ranking.board.details == .public
        let showsFlags = ranking.board.showsFlags
        var columns = standingColumns
        if showsFlags { columns.append(Column("flag", .text)) }
        if showsDetails { columns.append(Column("detail", .text, for: .data)) }
        columns.append(entryColumn)
        if ranking.among != nil { columns.insert(Column("among", .integer), at: 1) }
        return Feed(
            title: isDonationBoard ? contributorsTitle(ranking.board) : ranking.board.name, path: path, query: query,
            page: page,
            names: isDonationBoard
                ? ElementNames("contributors", "contributor") : ElementNames("standings", "standing"),
            head: Head(ranking, cursors: cursors), columns: columns,
            rows: zip(ranking.rows, ranking.ranks).enumerated().map { index, row in
                let (standing, rank) = row
                var values: [Value] = [
                    .integer(Int128(rank.number)), .boolean(rank.isTied),
                    standing.player.map { .integer(Int128($0.rawValue)) } ?? .none, .text(standing.name),
                    .integer(standing.points), .instant(standing.reachedAt),
                    standing.avatar.map { .link(pictureAt($0)) } ?? .none,
                ]
                if showsFlags { values.append(.text(ifAny: standing.flag?.description)) }
                if showsDetails { values.append(.json(ifAny: standing.detail)) }
                values.append(entry(standing))
                if let among = ranking.among {
                    let place = index < among.places.count ? Value.integer(Int128(among.places[index])) : .none
                    values.insert(place, at: 1)
                }
                return values
            })
    }

    /// The feed of teams, by the points of their members.
    /// - Parameters:
    ///   - path: The path of the feed without suffix.
    ///   - page: See ``standings(_:path:query:page:cursors:showsAmong:pictureAt:)``.
    ///   - cursors: The cursors of the pages after and before this one.
    package static func teams(
        _ teams: TeamRanking, path: String, query: String, page: String = "",
        cursors: (next: String?, prev: String?) = (nil, nil)
    ) -> Feed {
        let board = teams.ranking.board
        return Feed(
            title: "Teams: " + (board.kind == .donation ? contributorsTitle(board) : board.name), path: path,
            query: query, page: page, names: ElementNames("teams", "team"), head: Head(teams.ranking, cursors: cursors),
            columns: [
                Column("rank", .integer, role: .rank), Column("tied", .boolean, for: .programs),
                Column("team", .integer, role: .key), Column("name", .text, role: .title),
                Column("points", .integer, role: .points), Column("members", .integer),
                Column("reached_at", .instant, role: .moment),
            ],
            rows: zip(zip(teams.ranking.rows, teams.ranking.ranks), teams.members).map { row, members in
                let (team, rank) = row
                return [
                    .integer(Int128(rank.number)), .boolean(rank.isTied), .integer(Int128(team.sortKey.row)),
                    .text(team.name), .integer(team.points), .integer(Int128(members)),
                    .instant(teams.shownTime(of: team)),
                ]
            })
    }

    /// The feed of countries, or of the regions of one, by the points of their players.
    /// - Parameters:
    ///   - path: The path of the feed without suffix.
    ///   - page: See ``standings(_:path:query:page:cursors:pictureAt:)``.
    ///   - cursors: The cursors of the pages after and before this one.
    package static func countries(
        _ countries: CountryRanking, path: String, query: String, page: String = "",
        cursors: (next: String?, prev: String?) = (nil, nil)
    ) -> Feed {
        let name = countries.ranking.board.name
        return Feed(
            title: countries.country.map { "Regions of \($0): \(name)" } ?? "Countries: \(name)", path: path,
            query: query, page: page, names: ElementNames("countries", "country"),
            head: Head(countries.ranking, cursors: cursors),
            columns: [
                Column("rank", .integer, role: .rank), Column("tied", .boolean, for: .programs),
                Column("country", .text, role: .title), Column("points", .integer, role: .points),
                Column("members", .integer), Column("reached_at", .instant, role: .moment),
                Column("entry", .text, role: .entry, for: .nobody),
            ],
            rows: zip(zip(countries.ranking.rows, countries.ranking.ranks), countries.players).map { row, players in
                let (country, rank) = row
                return [
                    .integer(Int128(rank.number)), .boolean(rank.isTied), .text(country.name), .integer(country.points),
                    .integer(Int128(players)), .instant(country.reachedAt), .text(country.name),
                ]
            })
    }

    /// The feed of who stood first in seasons of a board that have ended, with a row for each player.
    /// - Parameters:
    ///   - path: The path of the feed without suffix.
    ///   - pictureAt: The path that serves a picture.
    package static func winners(_ past: PastSeasons, path: String, query: String, pictureAt: (AvatarHash) -> String)
        -> Feed
    {
        var columns = [
            Column("season", .integer), Column("ended_at", .instant), Column("rank", .integer, role: .rank),
            Column("tied", .boolean, for: .programs), Column("player", .integer), Column("name", .text, role: .title),
            Column("points", .integer, role: .points), Column("reached_at", .instant, role: .moment),
            Column("avatar", .picture),
        ]
        if past.board.showsFlags { columns.append(Column("flag", .text)) }
        columns.append(entryColumn)
        var rows: [[Value]] = []
        for season in past.seasons {
            for (standing, rank) in zip(season.winners, season.ranks) {
                var row: [Value] = [
                    .integer(Int128(season.number)), .instant(season.endedAt), .integer(Int128(rank.number)),
                    .boolean(rank.isTied), standing.player.map { .integer(Int128($0.rawValue)) } ?? .none,
                    .text(standing.name), .integer(standing.points), .instant(standing.reachedAt),
                    standing.avatar.map { .link(pictureAt($0)) } ?? .none,
                ]
                if past.board.showsFlags { row.append(.text(ifAny: standing.flag?.description)) }
                row.append(.text("\(season.number)-\(standing.sortKey.row)"))
                rows.append(row)
            }
        }
        return Feed(
            title: "Winners: \(past.board.name)", path: path, query: query, names: ElementNames("winners", "winner"),
            head: Head(board: past.board.slug, ties: past.board.ties.rawValue), columns: columns, rows: rows)
    }

    private static let standingColumns = [
        Column("rank", .integer, role: .rank), Column("tied", .boolean, for: .programs),
        Column("player", .integer, role: .key), Column("name", .text, role: .title),
        Column("points", .integer, role: .points), Column("reached_at", .instant, role: .moment),
        Column("avatar", .picture),
    ]

    /// What identifies a row without a key. It comes last.
    private static let entryColumn = Column("entry", .text, role: .entry, for: .nobody)

    /// The row id, which nobody sees: that of an anonymous donation is random, and that of a player who was erased is
    /// the former id.
    private static func entry(_ standing: Standing) -> Value { .text("\(standing.sortKey.row)") }

    /// The feed of the best single posts of the classic board, best first, as the plist gem of 2009 wrote it.
    /// - Parameter path: The path of the feed without suffix.
    package static func highScores(_ posts: [BestPost], path: String, ties: Board.Ties) -> Feed {
        let ranks = Ranks.consecutive(posts.map { Int128($0.points) }, limitRows: posts.count, ties: ties)
        return Feed(
            title: "High scores", path: path, names: ElementNames("high-scores", "high-score"),
            head: Head(board: Slug.highScores.description, ties: ties.rawValue),
            columns: [
                Column("rank", .integer, role: .rank, for: .modern), Column("created_at", .instant, role: .moment),
                Column("player_name", .text, role: .title), Column("total_score", .integer, role: .points), entryColumn,
            ],
            rows: zip(posts, ranks).map { post, rank in
                [
                    .integer(Int128(rank.number)), .instant(post.reachedAt), .text(post.name),
                    .integer(Int128(post.points)), .text(post.entry),
                ]
            })
    }

    /// The feed of charities by points received.
    /// - Parameters:
    ///   - path: The path of the feed without suffix.
    ///   - page: See ``standings(_:path:query:page:cursors:pictureAt:)``.
    ///   - cursors: The cursors of the pages after and before this one.
    package static func charities(
        _ ranking: CharityRanking, path: String, query: String, page: String = "",
        cursors: (next: String?, prev: String?) = (nil, nil)
    ) -> Feed {
        Feed(
            title: "Charities", path: path, query: query, page: page, names: ElementNames("charities", "charity"),
            head: Head(board: "charities", of: ranking.size, next: cursors.next, prev: cursors.prev),
            columns: [
                Column("rank", .integer, role: .rank), Column("tied", .boolean, for: .programs),
                Column("slug", .text, role: .key), Column("name", .text, role: .title),
                Column("points", .integer, role: .points), Column("contributors", .integer), Column("goal", .integer),
                Column("progress", .percent), Column("url", .link, for: .data),
                Column("description", .text, for: .data), Column("reached_at", .instant, role: .moment, for: .data),
                Column("final", .boolean, for: .programs),
            ],
            rows: zip(ranking.rows, ranking.ranks).map { charity, rank in
                [
                    .integer(Int128(rank.number)), .boolean(rank.isTied), .text(charity.slug), .text(charity.name),
                    .integer(charity.points), .integer(Int128(charity.contributors)),
                    charity.goal.map { .integer(Int128($0)) } ?? .none,
                    charity.progressTenths.map(Value.tenths) ?? .none, charity.url.map(Value.link) ?? .none,
                    .text(ifAny: charity.description), .instant(ifAny: charity.reachedAt), .boolean(charity.isFinal),
                ]
            })
    }

    /// The feed of campaigns, without points.
    /// - Parameters:
    ///   - path: The path of the feed without suffix.
    ///   - page: See ``standings(_:path:query:page:cursors:pictureAt:)``.
    package static func campaigns(_ list: CampaignList, path: String, query: String, page: String = "") -> Feed {
        Feed(
            title: "Campaigns", path: path, query: query, page: page, names: ElementNames("campaigns", "campaign"),
            head: Head(board: "campaigns", of: list.size),
            columns: [
                Column("slug", .text, role: .key), Column("name", .text, role: .title),
                Column("text", .text, for: .data), Column("charity", .text), Column("game", .text),
                Column("board", .text), Column("season", .integer, for: .data), Column("first_day", .text),
                Column("last_day", .text), Column("from", .instant, role: .moment, for: .data),
                Column("until", .instant, for: .data), Column("state", .text),
                Column("final", .boolean, for: .programs), Column("cohort", .integer, for: .data),
                Column("goal", .integer),
            ],
            rows: zip(list.rows, list.states).map { campaign, state in
                var subject: [Value] = [.text(campaign.charityName), .none, .none, .none]
                if case .board(let game, let board, let season) = campaign.subject {
                    subject = [.none, .text(game.description), .text(board.description), .integer(Int128(season))]
                }
                return [.text(campaign.slug.description), .text(campaign.name), .text(ifAny: campaign.text)] + subject
                    + [
                        .text(campaign.days.lowerBound.isoDate), .text(campaign.days.upperBound.isoDate),
                        .instant(campaign.span.lowerBound), .instant(campaign.span.upperBound), .text(state.rawValue),
                        .boolean(state == .over), campaign.cohortSize.map { .integer(Int128($0)) } ?? .none,
                        campaign.goal.map { .integer(Int128($0)) } ?? .none,
                    ]
            })
    }

    private static func contributorsTitle(_ board: Board) -> String {
        board.slug == Slug.overall.description ? "Top contributors" : "Top contributors to \(board.name)"
    }
}

extension Head {
    init(_ ranking: Ranking, cursors: (next: String?, prev: String?) = (nil, nil)) {
        self.init(
            board: ranking.board.slug, window: ranking.window.name, from: ranking.span?.lowerBound,
            until: ranking.span?.upperBound, zone: ranking.board.zone, final: ranking.isFinal,
            ties: ranking.board.ties.rawValue, among: ranking.among?.players.name, of: ranking.size.map { Int($0) },
            next: cursors.next, prev: cursors.prev)
    }
}

extension Feed {
    /// The feed of the newest donations.
    /// - Parameters:
    ///   - donations: The newest first.
    ///   - path: The path of the feed without suffix.
    package static func donations(_ donations: [PublicDonation], path: String) -> Feed {
        Feed(
            title: "Newest donations", path: path, names: ElementNames("donations", "donation"), head: Head(),
            columns: [
                Column("player", .integer, for: .data), Column("name", .text, role: .title), Column("charity", .text),
                Column("points", .integer, role: .points), Column("reached_at", .instant, role: .moment),
                Column("entry", .text, role: .entry, for: .nobody),
            ],
            rows: donations.map { donation in
                [
                    donation.player.map { .integer(Int128($0.rawValue)) } ?? .none, .text(donation.name),
                    .text(donation.charity), .integer(Int128(donation.points)), .instant(donation.reachedAt),
                    .text(donation.entry),
                ]
            })
    }
}
