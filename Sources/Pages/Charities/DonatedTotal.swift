import Domain

/// The points donated to a charity or in a campaign, and the goal.
struct DonatedTotal: Sendable, Equatable {
    let points: Int128
    /// Players who donated by name.
    let contributors: Int64
    let goal: Int64?
    /// Whether it takes no more donations.
    let isFinal: Bool

    init(_ charity: Charity) {
        (points, contributors) = (charity.points, charity.contributors)
        (goal, isFinal) = (charity.goal, charity.isFinal)
    }

    init(_ campaign: Campaign, _ progress: CampaignProgress, isFinal: Bool) {
        (points, contributors) = (progress.points, progress.contributors)
        (goal, self.isFinal) = (campaign.goal, isFinal)
    }

    /// See ``Charity/progressTenths``.
    var progressTenths: Int128? { Charity.tenths(of: points, goal: goal) }
}

/// A total and its goal in words and as a bar.
struct GoalProgress {
    private let total: DonatedTotal
    private let language: Language

    init(_ total: DonatedTotal, _ language: Language) {
        self.total = total
        self.language = language
    }

    init(_ charity: Charity, _ language: Language) { self.init(DonatedTotal(charity), language) }

    /// `91% of 500,000`, or how the goal was passed; without a goal the number of contributors.
    var text: String {
        guard let goal = total.goal, let tenths = total.progressTenths else {
            let players = language.donors(total.contributors)
            return total.isFinal ? language.text("progress.closed", ["players": players]) : players
        }
        let goalText = language.numbers.text(goal)
        if tenths >= 1_000 {
            return language.text(total.isFinal ? "progress.passed-closed" : "progress.passed", ["goal": goalText])
        }
        return language.text(
            total.isFinal ? "progress.of-closed" : "progress.of",
            ["percent": language.numbers.percent(tenths / 10), "goal": goalText])
    }

    var bar: Fill { total.progressTenths.map { Bar(progressTenths: $0).fill } ?? false }

    /// `of 600,000 points.`
    var ofGoal: String {
        guard let goal = total.goal else { return language.text("progress.no-goal") }
        return language.text("progress.of-goal", count: Int128(goal))
    }

    /// `260,824 to go.`; nil without a goal, and once it is reached.
    var toGo: String? {
        guard let goal = total.goal else { return nil }
        let rest = Int128(goal) - total.points
        if rest <= 0 { return language.text("progress.reached") }
        return total.isFinal ? nil : language.text("progress.to-go", ["n": language.numbers.text(rest)])
    }
}

/// A total in large digits, on the page and the embed of a charity or a campaign.
struct TotalPlates {
    /// The stream that updates it: its path, and the event that has the total.
    struct Stream {
        let path: String
        let event: String
        /// The campaign's state on this page. The page of another state has other parts.
        var state: String?
    }

    private let total: DonatedTotal
    private let stream: Stream?
    private let bar: Fill

    /// - Parameters:
    ///   - stream: Nil if the total no longer changes.
    ///   - bar: Nil for the bar of the goal.
    init(_ total: DonatedTotal, stream: Stream?, bar: Fill? = nil) {
        (self.total, self.stream) = (total, stream)
        self.bar = bar ?? total.progressTenths.map { Bar(progressTenths: $0).fill } ?? false
    }

    init(_ charity: Charity) {
        self.init(DonatedTotal(charity), stream: Stream(path: "/v1/charities/\(charity.slug)/live", event: "charity"))
    }

    func scope(_ context: PageContext) -> Scope {
        let language = context.language
        let numbers = language.numbers
        let progress = GoalProgress(total, language)
        return [
            "stream": .scope(
                ifAny: stream.map {
                    ["path": .text($0.path), "event": .text($0.event), "state": .text(ifAny: $0.state)]
                }), "points": .text("\(total.points)"), "contributors": .text("\(total.contributors)"),
            "plates": Plates(numbers.text(total.points)).fill,
            "total": .text(language.text("points.donated", count: total.points)), "of-goal": .text(progress.ofGoal),
            "to-go": .text(ifAny: progress.toGo), "bar": bar, "big": .scope(["is-big": true]),
            "has-scale": .flag((total.progressTenths ?? .max) <= 1_000), "zero": .text(numbers.text(0)),
            "quarter": .text(numbers.percent(25)), "half": .text(numbers.percent(50)),
            "most": .text(numbers.percent(75)),
        ]
    }
}
