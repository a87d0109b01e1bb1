import Domain

/// Writes the rows of a ranking for templates.
struct RankingRows {
    let context: PageContext
    private let board: Board
    /// The player whose row is marked as found.
    var found: Player.ID?
    /// Whether the marked row says that it was found, as it does where somebody looked for it.
    var saysFound = true
    /// Whether links open outside of the frame that shows the rows.
    var isOutside = false

    init(_ context: PageContext, of board: Board, found: Player.ID? = nil, isOutside: Bool = false) {
        self.context = context
        self.board = board
        self.found = found
        self.isOutside = isOutside
    }

    /// The rows with what their table needs.
    /// - Parameters:
    ///   - leader: The points of the board's first row, which decide how far the others' rules reach; nil draws none.
    ///   - before: The points of the row above the first one; nil when there is none or it is not known.
    func scope(_ standings: [Standing], _ ranks: [Rank], leader: Int128?, before: Int128? = nil) -> Scope {
        var above = before
        var better = before
        var numbers: [String] = []
        let rows = zip(standings, ranks).enumerated().map { index, row in
            let (standing, rank) = row
            if let above, above != standing.points { better = above }
            // The rows above the page may have the same points as its first one, and then the next better are unknown.
            let isKnown = board.ties == .first || better != standing.points
            let change = isKnown ? board.changeToNext(from: standing.points, above: above, better: better) : nil
            above = standing.points
            let toNext = rank.number > 1 ? change.map { points(Int128(clamping: $0.magnitude)) } ?? "" : ""
            let shown = points(standing.points)
            numbers += [shown, toNext]
            return scope(
                standing, rank, points: shown, toNext: toNext,
                run: leader.map { run(standing.points, of: $0) } ?? "0.0", isLazy: index >= Self.rowsSeenAtOnce)
        }
        return ["rows": .list(rows), "width": NumberWidth.fill(numbers), "points-head": .text(heading)]
    }

    /// Points with the board's unit, if it has one. Both stay on one line unless that would be very long.
    func points(_ points: Int128) -> String { Self.points(points, as: board.display, in: context.language) }

    static func points(_ points: Int128, as display: PointsDisplay, in language: Language) -> String {
        let number = language.numbers.text(points, display.form)
        guard let unit = display.unit else { return number }
        return number + (NumberWidth.isLong(number + unit) ? " " : "\u{A0}") + unit
    }

    /// The heading of the column of points.
    var heading: String {
        switch board.display.form {
        case .number: context.language.text("col.points")
        case .seconds, .milliseconds: context.language.text("col.time")
        }
    }

    private func scope(_ standing: Standing, _ rank: Rank, points: String, toNext: String, run: String, isLazy: Bool)
        -> Scope
    {
        let language = context.language
        let isMe = standing.player != nil && standing.player == found
        let hasMedal = rank.number <= 3
        let classes = [hasMedal ? "lead" : nil, isMe ? "is-me" : nil].compactMap(\.self).joined(separator: " ")
        let day = standing.reachedAt.dayInUTC
        return [
            "id": .text(ifAny: standing.player.map { "p\($0.rawValue)" }),
            "classes": classes.isEmpty ? false : .text(classes), "rank": .text(language.numbers.text(rank.number)),
            "medal": hasMedal ? .text("\(rank.number)") : false,
            "is-shared": .flag(rank.isTied && board.ties == .shared), "is-me": .flag(isMe && saysFound),
            "is-lazy": .flag(isLazy), "is-outside": .flag(isOutside), "picture": .text(Self.picture(of: standing)),
            "href": standing.player.map { .markup(context.href(PagePath.player($0))) } ?? false,
            "country": .text(ifAny: board.showsFlags ? standing.flag?.description : nil),
            "name": .text(Self.name(of: standing, in: language)), "run": .text(run), "points": .text(points),
            "to-next": .text(toNext),
            // An anonymous row tells its day alone.
            "reached": .text(standing.isAnonymous ? day.isoDate : standing.reachedAt.rfc3339(.seconds)),
            "day": .text(language.dates.short(day)),
            "time": standing.isAnonymous ? false : .text(language.dates.time(standing.reachedAt)),
        ]
    }

    /// How far the rule under a row reaches, in percent of the leader's points. There is none for zero, for negative
    /// points, and where low is good.
    private func run(_ points: Int128, of leader: Int128) -> String {
        board.lowestFirst ? "0.0" : Bar.percent(tenths: Bar.shareTenths(points, of: leader))
    }

    /// The player's name, or in the page's language what stands for one.
    static func name(of standing: Standing, in language: Language) -> String {
        if standing.player != nil { return standing.name }
        return language.text(standing.isAnonymous ? "anonymous" : "former")
    }

    static func picture(of standing: Standing) -> String { picture(standing.player, standing.avatar) }

    /// The path of a player's picture: the uploaded one, or else the flag made from the id.
    static func picture(_ player: Player.ID?, _ avatar: AvatarHash?) -> String {
        guard let player else { return PageAsset.named("anonymous.svg").path }
        return avatar.map(PagePath.avatar) ?? PagePath.flag(player)
    }

    /// Rows whose pictures load at once.
    private static let rowsSeenAtOnce = 12
}
