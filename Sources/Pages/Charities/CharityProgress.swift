import Domain

/// A charity's total and goal in words and as a bar.
struct CharityProgress {
    private let charity: Charity
    private let language: Language

    init(_ charity: Charity, _ language: Language) {
        self.charity = charity
        self.language = language
    }

    /// `91% of 500,000`, or how the goal was passed; without a goal the number of contributors.
    var text: String {
        guard let goal = charity.goal, let tenths = charity.progressTenths else {
            let players = language.donors(charity.contributors)
            return charity.isFinal ? language.text("progress.closed", ["players": players]) : players
        }
        let goalText = language.numbers.text(goal)
        if tenths >= 1_000 {
            return language.text(charity.isFinal ? "progress.passed-closed" : "progress.passed", ["goal": goalText])
        }
        return language.text(
            charity.isFinal ? "progress.of-closed" : "progress.of",
            ["percent": language.numbers.percent(tenths / 10), "goal": goalText])
    }

    var bar: Fill { charity.progressTenths.map { Bar(progressTenths: $0).fill } ?? false }

    /// `of 600,000 points.`
    var ofGoal: String {
        guard let goal = charity.goal else { return language.text("progress.no-goal") }
        return language.text("progress.of-goal", count: Int128(goal))
    }

    /// `260,824 to go.`; nil without a goal, and once it is reached.
    var toGo: String? {
        guard let goal = charity.goal else { return nil }
        let rest = Int128(goal) - charity.points
        if rest <= 0 { return language.text("progress.reached") }
        return charity.isFinal ? nil : language.text("progress.to-go", ["n": language.numbers.text(rest)])
    }
}
