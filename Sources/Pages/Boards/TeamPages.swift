package import Domain

/// The page of a ranking of teams.
package struct TeamsPage: Sendable, Equatable {
    private let game: String
    private let teams: TeamRanking
    /// The position of the first row shown, from 1.
    private let from: Int64

    package static let rowsMax = 50

    package init(game: String, _ teams: TeamRanking, from: Int64) {
        (self.game, self.teams, self.from) = (game, teams, from)
    }

    package func html(in context: PageContext) -> [UInt8] {
        let language = context.language
        let ranking = teams.ranking
        let path = PagePath.teams(game, ranking.board.slug)
        let heading = language.text("teams.heading", ["board": ranking.board.name])
        let query = ranking.window == .all ? [] : [(name: "window", value: ranking.window.name)]
        var head = PageHead(title: heading, path: path, query: query, section: .boards)
        head.feed = (PagePath.teamsFeed(game, ranking.board.slug), query)
        let rows = RankingRows(context, of: ranking.board)
        let shown = ranking.rows.map { rows.points($0.points) }
        let next = from + Int64(ranking.rows.count)
        return context.page(
            "teams", head,
            [
                "parent": .text(ranking.board.name),
                "parent-href": .markup(context.href(PagePath.board(game, ranking.board.slug))),
                "heading": .text(heading), "caption": .text(heading), "tabs": .list(tabs(path, context)),
                "has-rows": .flag(!ranking.rows.isEmpty), "points-head": .text(rows.heading),
                "width": NumberWidth.fill(shown),
                "rows": .list(ranking.rows.indices.map { row($0, shown[$0], context) }),
                "next": ranking.hasNext
                    ? .scope([
                        "href": .markup(context.href(path, query + [("from", "\(next)")])),
                        "label": .text(
                            language.text(
                                "page.link",
                                [
                                    "first": language.numbers.text(next),
                                    "last": language.numbers.text(
                                        min(next + Int64(Self.rowsMax) - 1, max(ranking.size ?? next, next))),
                                ])),
                    ]) : false,
            ])
    }

    private func row(_ index: Int, _ points: String, _ context: PageContext) -> Scope {
        let (team, rank) = (teams.ranking.rows[index], teams.ranking.ranks[index])
        let numbers = context.language.numbers
        let hasMedal = rank.number <= 3
        return [
            "id": .text("t\(team.sortKey.row)"), "classes": hasMedal ? .text("lead") : false,
            "rank": .text(numbers.text(rank.number)), "medal": hasMedal ? .text("\(rank.number)") : false,
            "is-shared": .flag(rank.isTied && teams.ranking.board.ties == .shared),
            "href": .markup(context.href(PagePath.team(game, Team.ID(rawValue: team.sortKey.row)))),
            "name": .text(team.name), "points": .text(points), "members": .text(numbers.text(teams.members[index])),
            "reached": .text(teams.shownTime(of: team).rfc3339(.seconds)),
            "day": .text(context.language.dates.short(team.reachedAt.dayInUTC)),
        ]
    }

    private func tabs(_ path: String, _ context: PageContext) -> [Scope] {
        let ranking = teams.ranking
        let windows: [Window] = ranking.board.endedAt == nil ? [.today, .week, .month, .all] : [.all]
        return windows.map { window in
            Scope(
                href: context.href(path, window == .all ? [] : [("window", window.name)]),
                label: WindowName(window, context.language).tab, isCurrent: window == ranking.window)
        }
    }
}

/// The page of a team.
package struct TeamPage: Sendable, Equatable {
    private let gameName: String
    private let team: Team
    /// Who is in it, where everybody may see that.
    private let roster: [TeamMember]
    private let game: String

    package init(game: String, gameName: String, _ team: Team, roster: [TeamMember]) {
        (self.game, self.gameName, self.team, self.roster) = (game, gameName, team, roster)
    }

    package func html(in context: PageContext) -> [UInt8] {
        let language = context.language
        let count = language.text("players", count: Int128(team.membersCount))
        var head = PageHead(title: team.name, path: PagePath.team(game, team.id), section: .boards)
        head.description = "\(team.name), \(gameName): \(count)"
        return context.page(
            "team", head,
            [
                "parent": .text(gameName), "parent-href": .markup(context.href(PagePath.game(game))),
                "name": .text(team.name), "summary": .text(team.closedAt == nil ? count : language.text("team.closed")),
                "is-open": .flag(team.closedAt == nil), "has-members": .flag(!roster.isEmpty),
                "members": .list(
                    roster.map { member in
                        let player = member.player
                        return [
                            "picture": .text(RankingRows.picture(player.id, player.avatar)),
                            "country": .text(ifAny: player.flag?.description),
                            "href": .markup(context.href(PagePath.player(player.id))), "name": .text(player.name),
                            "is-captain": .flag(member.isCaptain),
                        ]
                    }),
            ])
    }
}
