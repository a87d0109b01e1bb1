import ArgumentParser
import Domain
import Storage

struct CampaignCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "campaign", abstract: "Campaigns: some days of donations, or of a score board.",
        subcommands: [Add.self, List.self, Set.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Add a campaign.")
        @OptionGroup var database: DatabaseOptions
        @Argument(help: "Its name in paths: \(Slug.rule).") var slug: Slug
        @Option(help: "Its name for people; the slug if none is given.") var name: DisplayName?
        @Option(help: "What it is about.") var text: String?
        @Option(help: "Counts the donations to this charity, or all.") var charity: Slug?
        @Option(help: "With --board: counts the scores of a board of this game.") var game: Slug?
        @Option(help: "The score board.") var board: Slug?
        @Option(help: "Its first day, such as 2026-12-01.") var firstDay: String
        @Option(help: "Its last day.") var lastDay: String
        @Option(help: "Points to collect.") var goal: Int64?
        @Option(help: "Players in a cohort, 2 to 100. Without it, players cannot enter.") var cohort: Int64?
        @Option(name: .customLong("milestone"), help: "Points and a name, such as 1000:Wells. May be given again.")
        var milestones: [String] = []

        func run() async throws {
            let subject: NewCampaign.Subject
            switch (charity, game, board) {
            case (let charity?, nil, nil): subject = .charity(charity.description == "all" ? .overall : charity)
            case (nil, let game?, let board?): subject = .board(game: game, board: board)
            default: throw CommandError("Give --charity, or --game and --board.")
            }
            let new = try CommandError.checked {
                try NewCampaign(
                    slug: slug, name: name, text: text, subject: subject, firstDay: Day(text: firstDay),
                    lastDay: Day(text: lastDay), goal: goal, cohort: NewCampaign.checked(cohort: cohort),
                    milestones: CampaignCommand.milestones(milestones))
            }
            let outcome = try await Database.withStore(database) { store in
                try await store.admin.addCampaign(new, now: .now)
            }
            try outcome.check("campaign \(slug)")
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Change a campaign. What it counts is fixed.")
        @OptionGroup var database: DatabaseOptions
        @Argument(help: "The campaign's slug.") var slug: Slug
        @Option(help: "Its name for people.") var name: DisplayName?
        @Option(help: "What it is about; an empty text takes it away.") var text: String?
        @Option(help: "Its first day, until that has begun.") var firstDay: String?
        @Option(help: "Its last day, while that is not over.") var lastDay: String?
        @Option(help: "Points to collect; 0 removes the goal.") var goal: Int64?
        @Option(help: "Players in a cohort from now on, 2 to 100; 0 lets no more players enter.") var cohort: Int64?
        @Option(name: .customLong("milestone"), help: "Another milestone: points and a name, such as 1000:Wells.")
        var milestones: [String] = []

        func run() async throws {
            var change = CampaignChange()
            change.name = name
            if let text { change.text = text.isEmpty ? .clear : .set(text) }
            if let goal { change.goal = goal == 0 ? .clear : .set(goal) }
            if let cohort {
                let size = try CommandError.checked { try NewCampaign.checked(cohort: cohort == 0 ? nil : cohort) }
                change.cohort = size.map { .set($0) } ?? .clear
            }
            change.milestones = try CommandError.checked { try CampaignCommand.milestones(milestones) }
            for (text, path, field) in [
                (firstDay, \CampaignChange.firstDay, "first_day"), (lastDay, \.lastDay, "last_day"),
            ] {
                guard let text else { continue }
                guard let day = Day(text: text) else { throw CommandError(FieldError.campaignDay(field).asOption) }
                change[keyPath: path] = day
            }
            let outcome = try await Database.withStore(database) { [change, slug] store in
                try await store.admin.setCampaign(slug, change, now: .now)
            }
            try outcome.check("campaign \(slug)")
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the campaigns.")
        @OptionGroup var database: DatabaseOptions

        func run() async throws {
            let found = try await Database.withStore(database) { store in try await store.campaigns() }
            if found.isEmpty { throw CommandError("There are no campaigns. Add one with: causeboard campaign add") }
            var table = TextTable(["campaign", "counts", "first day", "last day", "goal", "name"])
            for campaign in found {
                let counts =
                    switch campaign.subject {
                    case .charity(let charity): charity == .overall ? "all" : charity.description
                    case .board(let game, let board, let season): "\(game)/\(board), season \(season)"
                    }
                table.add([
                    campaign.slug.description, counts, campaign.days.lowerBound.isoDate,
                    campaign.days.upperBound.isoDate, campaign.goal.map(String.init) ?? "", campaign.name,
                ])
            }
            try Output.line(table.text)
        }
    }

    private static func milestones(_ texts: [String]) throws(FieldError) -> [Milestone] {
        try NewCampaign.checked(texts.map { text throws(FieldError) in try Milestone(typed: text) })
    }
}

extension CampaignOutcome {
    /// - Throws: Unless the settings are as was asked for.
    fileprivate func check(_ what: String) throws {
        switch self {
        case .added, .set: return
        case .exists: throw CommandError("There is already such a \(what), or such a milestone.")
        case .noCampaign, .stale: throw CommandError("There is no \(what).")
        case .noCharity: throw CommandError("There is no such charity.")
        case .noBoard: throw CommandError("There is no such game or board.")
        default: if let refusal { throw CommandError(refusal.asOption) }
        }
    }
}
