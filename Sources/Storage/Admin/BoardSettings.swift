import Domain

extension BoardChange {
    /// The settings of a board, in the order in which they are shown.
    package static let settings: [AdminSetting<BoardChange, BoardListing>] = [
        .value(
            "name", \.name, label: "Name", help: "Its name for people: \(DisplayName.rule).", rule: DisplayName.rule,
            isFree: true, parse: { DisplayName($0) }, text: \.description, current: \.name),
        .choice(
            "policy", \.policy, \.policy, label: "What counts of a player",
            help: "Which of a player's posts counts: best, latest or sum. Fixed after the first post."),
        .value(
            "order", \.lowestFirst, kind: .choice(["highest", "lowest"]), label: "What ranks first",
            help: "Which points are better: highest or lowest. Fixed after the first post.",
            rule: "one of highest, lowest", parse: { ["highest": false, "lowest": true][$0.utf8.count > 7 ? "" : $0] },
            text: { $0 ? "lowest" : "highest" }, stored: { [("lowest_first", "\($0)")] },
            current: { $0.lowestFirst ? "lowest" : "highest" }),
        .integer(
            "points_min", \.pointsMin, \.pointsMin, in: -Int64.max ... .max, rule: "at least \(-Int64.max)",
            label: "Fewest points of a score", help: "Least points of a post; 0 where lowest is best, unless said."),
        .integer(
            "points_max", \.pointsMax, \.pointsMax, label: "Most points of a score", help: "Most points of a post."),
        .value(
            "zone", \.zone, label: "Time zone of its days", hint: "Such as Europe/Berlin; UTC when empty.",
            help: "Time zone of its days, such as Europe/Berlin. Fixed after the first post.", rule: ZoneName.rule,
            parse: { ZoneName($0)?.text }, text: { $0 }, current: \.zone),
        .choice(
            "ties", \.ties, \.ties, label: "Equal points",
            help: "Equal points: first (positions 1, 2, 3) or shared (1, 2, 2, 4)."),
        .value(
            "earns", \.earning, label: "What a score earns", hint: "points, improvement, fixed:N or none.",
            help: "What a post earns: points, improvement, fixed:N or none.",
            rule: "points, improvement, fixed:N or none", parse: { $0.utf8.count <= 32 ? Earning($0) : nil },
            text: { $0.rule + ($0.fixedPoints.map { ":\($0)" } ?? "") },
            stored: { [("earns", $0.rule), ("earns_fixed", $0.fixedPoints.map { "\($0)" })] },
            current: { $0.earns + ($0.earnsFixed.map { ":\($0)" } ?? "") }),
        .optionalInteger(
            "earn_max", \.earnMax, \.earnMax, in: 0...Int64.max, rule: "0 or more", label: "Most earned by a score",
            hint: "Empty means no limit.", help: "Most that one post earns, or none."),
        .optionalInteger(
            "earn_day", \.earnDay, \.earnDay, in: 0...Int64.max, rule: "0 or more",
            label: "Most earned a day by a player", hint: "Empty means no limit.",
            help: "Most that a player earns in a day, or none."),
        .choice(
            "display", \.display, \.display.form, label: "Points are shown as",
            help: "How pages show points: number, seconds (1:23) or milliseconds (0:53.157)."),
        .optionalText(
            "unit", \.unit, label: "Unit", help: "The word behind points on pages, or none: \(PointsUnit.rule).",
            rule: PointsUnit.rule, parse: { PointsUnit($0) }, text: \.description, current: \.display.unit),
        .choice(
            "trust", \.trust, \.trust, label: "Who may post",
            help: "What a player's post needs: open (a token), signed (a signature too) or server (the game's key)."),
        .optionalDecimal(
            "hold_above", \.holds.above, \.holds.above, label: "Holds posts above",
            hint: "Times the 99th percentile, such as 10; a fraction where low is good. Empty means never.",
            help:
                "Holds a post above so many times the 99th percentile, such as 10, or none. Lowest first: a fraction.",
            rule: HoldFactor.rule, parse: { HoldFactor($0) }),
        .optionalInteger(
            "hold_rate", \.holds.rate, \.holds.rate, in: 1...Limits.holdRateMax,
            rule: "1 to \(Limits.holdRateMax) posts a minute", label: "Holds more posts a minute than",
            hint: "Of a player. Empty means never.", help: "Holds a player's post beyond so many a minute, or none."),
        .optionalInteger(
            "hold_pace", \.holds.pace, \.holds.pace, in: 1...Int64.max, rule: "1 point a minute or more",
            label: "Holds more points a minute than", hint: "Of a player. Empty means never.",
            help: "Holds a post of more points a minute since the last one, or none."),
        .optionalInteger(
            "judge", \.holds.judgeMinutes, \.holds.judgeMinutes, in: 1...Limits.judgeMinutesMax,
            rule: "1 to \(Limits.judgeMinutesMax) minutes", label: "The game judges each post within",
            hint: "Minutes. Empty means that it does not.", help: "Minutes in which the game judges each post, or none."
        ),
        .optionalInteger(
            "settle", \.holds.settleMinutes, \.holds.settleMinutes, in: 0...Limits.settleMinutesMax,
            rule: "0 to \(Limits.settleMinutesMax) minutes", label: "Points may be donated after",
            hint: "Minutes. Empty means 10 where posts are held, else at once.",
            help: "Minutes before points may be donated, or none for the standard."),
        .choice(
            "details", \.details, \.details, label: "Who sees a score's detail",
            help: "Who sees the detail of a score: private (its player) or public (rankings show it). Not with sum."),
        .optionalInstant(
            "opens", \.opensAt, \.opensAt, label: "Opens",
            help: "Takes posts from this instant on, such as 2026-12-01T00:00:00+01:00, or none."),
        .optionalInstant(
            "closes", \.closesAt, \.closesAt, label: "Closes",
            help: "Takes posts before this instant, such as 2026-12-24T00:00:00+01:00, or none."),
    ]
}

extension CharityChange {
    /// The settings of a charity, in the order in which they are shown.
    package static let settings: [AdminSetting<CharityChange, CharityListing>] = [
        .value(
            "name", \.name, label: "Name",
            help: "Its name for people, \(DisplayName.rule); classic clients may name it so.", rule: DisplayName.rule,
            isFree: true, parse: { DisplayName($0) }, text: \.description,
            stored: { name in
                [
                    ("name", name.description), ("name_folded", CharityName.folded(name)),
                    ("name_skeleton", NameSkeleton(of: name.description).description),
                ]
            }, current: \.name),
        .optionalText(
            "url", \.url, kind: .link, label: "Address of its site", help: "Its web site, or none.", rule: "a text",
            parse: { $0 }, text: { $0 }, current: \.url),
        .optionalText(
            "description", \.description, kind: .area, label: "What it does", help: "What it does, or none.",
            rule: "a text", parse: { $0 }, text: { $0 }, current: \.description),
        .optionalInteger(
            "goal", \.goal, \.goal, in: 1...Int64.max, rule: "1 or more", label: "Goal",
            hint: "Points. Empty means none.", help: "Points it hopes to receive, or none."),
        .optionalInstant(
            "opens", \.opensAt, \.opensAt, label: "Opens",
            help: "Takes donations from this instant on, such as 2026-12-01T00:00:00+01:00, or none."),
        .optionalInstant(
            "closes", \.closesAt, \.closesAt, label: "Closes",
            help: "Takes donations before this instant, such as 2026-12-24T00:00:00+01:00, or none."),
        .value(
            "zone", \.zone, label: "Time zone", hint: "Such as Europe/Berlin; UTC when empty. It stays for good.",
            help: "Time zone of its board's days, such as Europe/Berlin. UTC unless told otherwise; fixed once added.",
            rule: ZoneName.rule, parse: { ZoneName($0)?.text }, text: { $0 }, current: \.zone),
        .integer(
            "cooling_off", \.coolingOffMinutes, \.coolingOffMinutes, in: 0...Limits.coolingOffMinutesMax,
            rule: "0 to \(Limits.coolingOffMinutesMax) minutes", label: "Cooling off",
            hint: "Minutes in which a donation may be taken back.",
            help: "Minutes in which whoever donated may take it back, 0 to \(Limits.coolingOffMinutesMax)."),
        .optionalInteger(
            "cap_day", \.capOfDay, \.caps.day, in: 1...Int64.max, rule: "1 or more", label: "Cap of a day",
            hint: "Points. Empty means none.", help: "Points that it takes on a day of its board, or none."),
        .optionalInteger(
            "cap_all", \.capInAll, \.caps.all, in: 1...Int64.max, rule: "1 or more", label: "Cap in all",
            hint: "Points. Empty means none.", help: "Points that it takes in all, or none."),
    ]
}
