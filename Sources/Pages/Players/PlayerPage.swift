package import Domain

/// The page of one player, which the player sends around. It shows what is public: bests, ranks and named donations.
package struct PlayerPage: Sendable, Equatable {
    /// Where the player stands on one board.
    package struct BoardRank: Sendable, Equatable {
        /// The game's slug; nil for the contributors to all charities.
        package let game: String?
        package let board: Board
        package let position: RankPosition
        package let size: Int64

        package init(game: String?, board: Board, position: RankPosition, size: Int64) {
            self.game = game
            self.board = board
            self.position = position
            self.size = size
        }
    }

    /// The team that the player is in.
    package struct ShownTeam: Sendable, Equatable {
        package let game: String
        package let id: Team.ID
        package let name: String

        /// - Parameter game: The game's slug.
        package init(game: String, id: Team.ID, name: String) { (self.game, self.id, self.name) = (game, id, name) }
    }

    /// An award that the player has.
    package struct ShownAward: Sendable, Equatable {
        package let game: String
        package let award: GivenAward

        /// - Parameter game: The game's slug.
        package init(game: String, _ award: GivenAward) { (self.game, self.award) = (game, award) }
    }

    /// What the player donated to one charity by name.
    package struct DonatedSum: Sendable, Equatable {
        package let charity: String
        package let charityName: String
        package let points: Int64

        package init(charity: String, charityName: String, points: Int64) {
            self.charity = charity
            self.charityName = charityName
            self.points = points
        }
    }

    let player: Player.ID
    let name: String
    let avatar: AvatarHash?
    let gameName: String
    let places: [BoardRank]
    private let contributorRank: BoardRank?
    private let around: Ranking?
    let donatedSums: [DonatedSum]
    /// The flag that the player shows.
    package var flag: CountryFlag?
    /// The team that everybody sees the player in.
    package var team: ShownTeam?
    /// The newest first.
    package var awards: [ShownAward] = []

    /// - Parameters:
    ///   - places: On the boards of the player's game.
    ///   - contributorRank: Among all contributors; nil for who donated nothing by name.
    ///   - around: The neighbours on the board of the best place.
    ///   - donatedSums: The most helped charity first.
    package init(
        _ player: Player.ID, name: String, avatar: AvatarHash?, gameName: String, places: [BoardRank],
        contributorRank: BoardRank?, around: Ranking?, donatedSums: [DonatedSum]
    ) {
        self.player = player
        self.name = name
        self.avatar = avatar
        self.gameName = gameName
        self.places = places
        self.contributorRank = contributorRank
        self.around = around
        self.donatedSums = donatedSums
    }

    /// Rows around the player, the player's own included.
    package static let rowsAround = 5

    /// The place that counts most: the best rank, and of equal ones that among more players.
    package static func best(of places: [BoardRank]) -> BoardRank? {
        places.min { first, second in
            let (one, other) = (first.rank.number, second.rank.number)
            return one == other ? first.size > second.size : one < other
        }
    }

    package func html(in context: PageContext) -> [UInt8] {
        let language = context.language
        let best = Self.best(of: places)
        var head = PageHead(
            title: donated == 0
                ? name
                : language.text("player.head", ["name": name, "total": language.text("points", count: donated)]),
            description: description(best, language), path: PagePath.player(player), section: .none)
        head.card = PagePath.card(of: player)
        head.isProfile = true
        head.isIndexed = false
        var scope = heading(context)
        scope.merge(neighbours(best, context)) { $1 }
        scope.merge(lists(context)) { $1 }
        scope["has-facts"] = .flag(best != nil)
        scope["facts"] = .list(best.map { facts($0, context) } ?? [])
        return context.page("player", head, scope)
    }

    var donated: Int128 { donatedSums.reduce(0) { $0 + Int128($1.points) } }

    private func description(_ best: BoardRank?, _ language: Language) -> String {
        guard let best else { return language.text("player.plays", ["game": gameName]) }
        return placeText(best, language)
    }

    /// `Rank 18 of 500, High scores`
    func placeText(_ place: BoardRank, _ language: Language) -> String {
        language.text(
            "player.place",
            [
                "rank": language.numbers.text(place.rank.number), "size": language.numbers.text(place.size),
                "board": boardName(place, language),
            ])
    }

    func boardName(_ place: BoardRank, _ language: Language) -> String {
        place.game == nil ? language.text("contributors.title") : place.board.name
    }

    private func heading(_ context: PageContext) -> Scope {
        let language = context.language
        return [
            "picture": .text(RankingRows.picture(player, avatar)), "name": .text(name),
            "plays": .markup(language.markup("player.plays", ["game": isolated(gameName)])),
            "country": .text(ifAny: flag?.description),
            "team": team.map { team in
                .markup(
                    language.markup(
                        "player.team",
                        ["team": link(context.href(PagePath.team(team.game, team.id)), isolated(team.name))]))
            } ?? false,
            "donated": donated == 0
                ? false
                : .scope([
                    "plates": Plates(language.numbers.text(donated)).fill,
                    "total": .text(language.text("points.donated", count: donated)),
                    "to": .text(language.text("player.donated-to", count: Int128(donatedSums.count))),
                    "place": .text(
                        ifAny: contributorRank.map { place in
                            language.text("player.donations-place", ["rank": language.numbers.text(place.rank.number)])
                        }),
                ]),
        ]
    }

    private func neighbours(_ best: BoardRank?, _ context: PageContext) -> Scope {
        let language = context.language
        guard let around, let best, around.rows.count > 1 else { return ["around": false] }
        var rows = RankingRows(context, of: around.board, found: player)
        rows.saysFound = false
        let heading = language.text("player.around", ["name": name, "board": boardName(best, language)])
        var scope = rows.scope(around.rows, around.ranks, leader: nil)
        scope.merge([
            "heading": .markup(
                language.markup(
                    "player.around", ["name": isolated(name), "board": isolated(boardName(best, language))])),
            "caption": .text(heading), "is-caption-hidden": true, "live": false,
        ]) { $1 }
        return ["around": .scope(scope)]
    }

    private func facts(_ best: BoardRank, _ context: PageContext) -> [Scope] {
        let (language, numbers) = (context.language, context.language.numbers)
        let rows = RankingRows(context, of: best.board)
        var facts: [Scope] = []
        func add(_ key: String, _ value: String, _ note: String? = nil) {
            facts.append(Scope(fact: key, label: language.text("fact." + key), value: value, note: .text(ifAny: note)))
        }
        add(
            "best-rank", numbers.text(best.rank.number),
            language.text("fact.of-board", ["size": numbers.text(best.size), "board": boardName(best, language)]))
        if let percent = Self.topPercent(best.rank.number, of: best.size) {
            add("top", numbers.percent(Int128(percent)), language.text("fact.of-players", count: Int128(best.size)))
        }
        add(
            "best-score", rows.points(best.position.points),
            language.dates.short(best.position.sortKey.reachedAt.dayInUTC))
        if let change = best.position.changeToNext(best.board) {
            add("to-next", rows.points(Int128(clamping: change.magnitude)))
        }
        return facts
    }

    /// Among which part of the best the player is, in whole percent, rounded up: rank 48 of 505 is in the top 10 %.
    /// - Returns: Nil where that says nothing: among few, and in the lower half.
    static func topPercent(_ rank: Int64, of size: Int64) -> Int64? {
        guard size >= 10, rank >= 1, rank <= size else { return nil }
        let percent = (Int128(rank) * 100 + Int128(size) - 1) / Int128(size)
        return percent > 50 ? nil : Int64(percent)
    }

    private func lists(_ context: PageContext) -> Scope {
        let language = context.language
        let all = (contributorRank.map { [$0] } ?? []) + places
        let address = context.absolute(PagePath.player(player))
        return [
            "has-awards": .flag(!awards.isEmpty),
            "awards": .list(awards.prefix(Self.awardsMax).map { award($0, context) }), "has-bests": .flag(!all.isEmpty),
            "bests-caption": .text(language.text("player.bests-caption", ["name": name])),
            "bests": .list(all.map { place($0, context) }),
            "width": NumberWidth.fill(all.map { RankingRows(context, of: $0.board).points($0.position.points) }),
            "donated-sums": .list(
                donatedSums.map { sum in
                    [
                        "href": .markup(context.href(PagePath.charity(sum.charity))), "charity": .text(sum.charityName),
                        "points": .text(language.numbers.text(sum.points)),
                        "bar": Bar(progressTenths: Bar.shareTenths(Int128(sum.points), of: donated)).fill,
                        "is-big": false,
                    ]
                }), "address": .text(address), "card-path": .text(context.picture(PagePath.card(of: player))),
            "card-text": .text(language.text("player.card", ["name": name])),
        ]
    }

    /// Awards that the page shows.
    private static let awardsMax = 24

    private func award(_ shown: ShownAward, _ context: PageContext) -> Scope {
        [
            "href": .markup(context.href(PagePath.awards(shown.game))), "name": .text(shown.award.name),
            "picture": .text(PagePath.badge(shown.game, shown.award.award)),
            "given": .text(shown.award.givenAt.rfc3339(.seconds)),
            "day": .text(context.language.dates.short(shown.award.givenAt.dayInUTC)),
            "occasion": .text(
                ifAny: shown.award.campaign
                    ?? shown.award.occasion.map { context.language.text("award.season", ["season": $0]) }),
        ]
    }

    private func place(_ place: BoardRank, _ context: PageContext) -> Scope {
        let language = context.language
        let number = place.rank.number
        let path = place.game.map { PagePath.board($0, place.board.slug) } ?? PagePath.contributors
        let points = RankingRows(context, of: place.board).points(place.position.points)
        return [
            "rank": .text(language.numbers.text(number)), "medal": number <= 3 ? .text("\(number)") : false,
            "href": .markup(context.href(path, [("player", "\(player.rawValue)")], fragment: "p\(player.rawValue)")),
            "board": .text(boardName(place, language)), "points": .text(points),
            "reached": .text(place.position.sortKey.reachedAt.rfc3339(.seconds)),
            "day": .text(language.dates.short(place.position.sortKey.reachedAt.dayInUTC)),
        ]
    }
}

extension PlayerPage.BoardRank { var rank: Rank { position.rank(board.ties) } }
