package import Domain
import Postgres

package typealias BoardChange = SettingChange<BoardSettings>

/// A board as `causeboard board list` shows it.
package struct BoardListing: SettingListing {
    package let kind: Board.Kind
    package let game: String?
    package let slug: String
    package let season: Int32
    /// The day in the board's zone with which the next season begins; nil where none begins by itself.
    package let nextSeasonOn: Day?
    package let version: String
    package let settings: SettingValues<BoardSettings>
}

extension BoardListing: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        self = try BoardListing(
            kind: row.next(), game: row.next(), slug: row.next(), season: row.next(), nextSeasonOn: row.next(),
            version: row.next(), settings: row.next())
    }
}

package struct BoardSettings: SettingKeys {
    package static let table = SettingTable(BoardSettings())

    package let name = Setting("name", .name(), label: "Name", help: "Its name for people: \(DisplayName.rule).")
    package let policy = Setting(
        "policy", .choice(of: Board.Policy.self), standard: .best, label: "What counts of a player",
        help: "Which of a player's posts counts: best, latest or sum. Fixed after the first post.")
    package let lowestFirst = Setting(
        "order",
        .text(
            .choice(["highest", "lowest"]), rule: "one of highest, lowest", columns: ["lowest_first"],
            parse: { ["highest": false, "lowest": true][$0.utf8.count > 7 ? "" : $0] },
            text: { $0 ? "lowest" : "highest" }, stored: { ["\($0)"] }, decoded: { $0[0].flatMap { Bool($0) } }),
        standard: false, label: "What ranks first",
        help: "Which points are better: highest or lowest. Fixed after the first post.")
    package let pointsMin = Setting(
        "points_min", .integer(in: -Int64.max ... .max, rule: "at least \(-Int64.max)"),
        label: "Fewest points of a score", help: "Least points of a post; 0 where lowest is best, unless said.")
    package let pointsMax = Setting(
        "points_max", .integer(), standard: Limits.walletPointsMax, label: "Most points of a score",
        help: "Most points of a post.")
    package let zone = Setting(
        "zone", .zone, standard: "UTC", label: "Time zone of its days", hint: "Such as Europe/Berlin; UTC when empty.",
        help: "Time zone of its days, such as Europe/Berlin. Fixed after the first post.")
    package let ties = Setting(
        "ties", .choice(of: Board.Ties.self), standard: .first, label: "Equal points",
        help: "Equal points: first (positions 1, 2, 3) or shared (1, 2, 2, 4).")
    package let earning = Setting(
        "earns",
        .text(
            rule: "points, improvement, fixed:N or none", columns: ["earns", "earns_fixed"],
            parse: { $0.utf8.count <= 32 ? Earning($0) : nil }, text: \.description,
            stored: { [$0.rule, $0.fixedPoints.map { "\($0)" }] },
            decoded: { texts in
                texts[0].flatMap { rule in Earning(rule: rule, fixedPoints: texts[1].flatMap { Int64($0) }) }
            }), label: "What a score earns", hint: "points, improvement, fixed:N or none.",
        help: "What a post earns: points, improvement, fixed:N or none.")
    package let earnMax = OptionalSetting(
        "earn_max", .integer(in: 0...Int64.max, rule: "0 or more"), label: "Most earned by a score",
        hint: "Empty means no limit.", help: "Most that one post earns, or none.")
    package let earnDay = OptionalSetting(
        "earn_day", .integer(in: 0...Int64.max, rule: "0 or more"), label: "Most earned a day by a player",
        hint: "Empty means no limit.", help: "Most that a player earns in a day, or none.")
    package let display = Setting(
        "display", .choice(of: PointsDisplay.Form.self), standard: .number, label: "Points are shown as",
        help: "How pages show points: number, seconds (1:23) or milliseconds (0:53.157).")
    package let unit = OptionalSetting(
        "unit",
        .text(
            rule: PointsUnit.rule, isFree: true, parse: { PointsUnit($0) }, text: \.description,
            decoded: { texts in texts[0].map { PointsUnit(stored: $0) } }), label: "Unit",
        help: "The word behind points on pages, or none: \(PointsUnit.rule).")
    package let trust = Setting(
        "trust", .choice(of: Board.Trust.self), standard: .open, label: "Who may post",
        help: "What a player's post needs: open (a token), signed (a signature too) or server (the game's key).")
    /// Times the 99th percentile of the board's points; of the 1st where low is good.
    package let holdAbove = OptionalSetting(
        "hold_above", .decimal(rule: HoldFactor.rule) { HoldFactor($0) }, label: "Holds posts above",
        hint: "Times the 99th percentile, such as 10; a fraction where low is good. Empty means never.",
        help: "Holds a post above so many times the 99th percentile, such as 10, or none. Lowest first: a fraction.")
    /// Posts of a player a minute.
    package let holdRate = OptionalSetting(
        "hold_rate", .integer(in: 1...Limits.holdRateMax, rule: "1 to \(Limits.holdRateMax) posts a minute"),
        label: "Holds more posts a minute than", hint: "Of a player. Empty means never.",
        help: "Holds a player's post beyond so many a minute, or none.")
    /// Points of a player a minute.
    package let holdPace = OptionalSetting(
        "hold_pace", .integer(in: 1...Int64.max, rule: "1 point a minute or more"),
        label: "Holds more points a minute than", hint: "Of a player. Empty means never.",
        help: "Holds a post of more points a minute since the last one, or none.")
    package let judgeMinutes = OptionalSetting(
        "judge", .integer(in: 1...Limits.judgeMinutesMax, rule: "1 to \(Limits.judgeMinutesMax) minutes"),
        label: "The game judges each post within", hint: "Minutes. Empty means that it does not.",
        help: "Minutes in which the game judges each post, or none.")
    package let settleMinutes = OptionalSetting(
        "settle", .integer(in: 0...Limits.settleMinutesMax, rule: "0 to \(Limits.settleMinutesMax) minutes"),
        label: "Points may be donated after", hint: "Minutes. Empty means 10 where posts are held, else at once.",
        help: "Minutes before points may be donated, or none for the standard.")
    package let details = Setting(
        "details", .choice(of: Board.Details.self), standard: .private, label: "Who sees a score's detail",
        help: "Who sees the detail of a score: private (its player) or public (rankings show it). Not with sum.")
    package let teams = Setting(
        "teams",
        .text(
            rule: TeamScoring.rule, columns: ["team_best"], parse: { TeamScoring($0) }, text: \.description,
            stored: { [$0.count.map { "\($0)" }] },
            decoded: { texts in
                guard let text = texts[0] else { return .off }
                return Int32(text).flatMap { TeamScoring(count: $0) }
            }), standard: .off, label: "What counts for a team", hint: "none, sum or best:N.",
        help: "What counts for a team: none, sum (all members, with the policy sum) or best:N (the N best members).")
    package let countries = Setting(
        "countries",
        .text(
            rule: CountryScoring.rule, columns: ["country_best"], parse: { CountryScoring($0) }, text: \.description,
            stored: { [$0.best.map { "\($0)" }] },
            decoded: { texts in
                guard let text = texts[0] else { return .off }
                return Int32(text).map { CountryScoring(best: $0) }
            }), standard: .off, label: "What counts for a country", hint: "none or best:N.",
        help: "How countries rank: none, or best:N, by the points of their N best players, 1 to 100.")
    package let opensAt = OptionalSetting(
        "opens", .instant, label: "Opens",
        help: "Takes posts from this instant on, such as 2026-12-01T00:00:00+01:00, or none.")
    package let closesAt = OptionalSetting(
        "closes", .instant, label: "Closes",
        help: "Takes posts before this instant, such as 2026-12-24T00:00:00+01:00, or none.")

    package let seasonEvery = Setting(
        "season_every", .choice(of: Board.SeasonInterval.self), standard: Board.SeasonInterval.none,
        label: "The next season begins by itself",
        hint: "At midnight in the board's zone: each day, on Mondays, or on the first of each month.",
        help: "When the next season begins by itself: none, day, week (Mondays) or month (the first), at midnight.")

    package static func check(_ change: BoardChange) throws(FieldError) {
        if let low = change.pointsMin, let high = change.pointsMax, low > high {
            throw FieldError("points_min", "points_min is above the most points. Give both.")
        }
        if let opens = change.opensAt.value, let closes = change.closesAt.value, opens >= closes { throw .badOpening }
    }
}

extension BoardChange {
    /// The settings of a new board, with defaults for those that are missing: best, highest, ±(2^53-1), UTC, first,
    /// named by its slug; it earns points, or none where lowest or the latest counts. Where lowest is best, the least
    /// points are 0, or one post with a wrong sign would lead forever.
    package func completed(for slug: Slug) throws(FieldError) -> BoardChange {
        var settings = try checked().withoutCleared().withStandards()
        guard let policy = settings.policy, let lowestFirst = settings.lowestFirst, let high = settings.pointsMax else {
            preconditionFailure("a setting of a new board has no standard")
        }
        settings.pointsMin = settings.pointsMin ?? (lowestFirst && high >= 0 ? 0 : -Limits.walletPointsMax)
        try BoardSettings.check(settings)
        if policy == .sum, settings.details == .public { throw .publicSums }
        if policy != .sum, settings.teams == .sum { throw .teamSums }
        if settings.name == nil { settings.name = try DisplayName.standard(for: slug) }
        settings.earning = settings.earning ?? .standard(policy: policy, lowestFirst: lowestFirst)
        return settings
    }

    /// Whether it sets a rule that compares posts with others.
    var needsMeasure: Bool { self.holdAbove.value != nil || self.holdRate.value != nil || self.holdPace.value != nil }
}

extension FieldError {
    /// A row of a board that sums has no single score, so it has no detail.
    static let publicSums = FieldError(
        "details",
        "details is public only where one score of a player counts. Send private, or the policy best or latest.")
    /// Only sums of players add up to a sum of their team.
    static let teamSums = FieldError("teams", "teams is sum only where the policy is sum. Send best:N, or none.")
    static let badOpening = FieldError("opens", "opens is not before closes.")
}

extension BoardAdd {
    init(_ slug: Slug, in game: Slug, _ settings: BoardChange, now: Instant) {
        let (columns, values) = settings.stored
        self.init(game: game, slug: slug, columns: columns, values: values, now: now)
    }
}
