import CauseboardClient
import Contract
import Foundation

extension ExampleGame {
    /// Calls everything once against a server with the game maze, its boards lap (lowest first, each post earns 10,
    /// ranks teams and countries by their best player) and sprint (signed posts only), the award first-lap for a lap of
    /// at most 60,000, the charity tree-fund, and two campaigns of all donations: winter, which is open, and past.
    static func tour(_ board: Causeboard) async throws {
        tell("player", try await board.signIn(as: "Ada").name)
        let post = try await board.post(61_500, to: "lap")
        if case .score(let receipt)? = await board.settlement(of: post) { tell("earned", receipt.earned) }
        let signed = try await board.post(900, to: "sprint")
        if case .score(let receipt)? = await board.settlement(of: signed) { tell("signed_rank", receipt.rank ?? 0) }
        let donation = try await board.donate(4, to: "tree-fund")
        if case .donation(let receipt)? = await board.settlement(of: donation) { tell("left", receipt.left) }
        let greedy = try await board.donate(4_000_000_000_000, to: "tree-fund")
        if case .refused(let refusal)? = await board.settlement(of: greedy) {
            tell("refused", refusal.problem?.rawValue ?? "unknown")
        }

        tell("top", try await board.top(of: "lap").rows.map(\.name))
        tell("around", try await board.around(of: "lap").rows.map(\.rank))
        tell("better_rank", try await board.rank(of: 50_000, on: "lap").rank)
        tell("order", try await board.settings(of: "lap").order.rawValue)
        tell("charity_points", try await board.charities().rows.map(\.points))
        tell("contributors", try await board.contributors(to: "tree-fund").rows.map(\.points))
        tell("contributors_of_all", try await board.contributors().rows.map(\.name))
        tell("local", try await board.localBoard("lap").entries.map { $0.state.rawValue })
        var rows: [String] = []
        for try await row in try board.topRows(of: "lap") { rows.append("\(row.rank) \(row.name) \(row.points)") }
        tell("top_rows", rows)

        var change = ProfileChange()
        change.country = "NZ"
        tell("country", try await board.changeProfile(change).country ?? "none")
        tell("given", try await board.profile().given)
        if let picture = FileManager.default.contents(atPath: ProcessInfo.processInfo.environment["PICTURE"] ?? "") {
            let avatar = try await board.setPicture(picture).avatar ?? ""
            tell("picture", try await board.picture(at: avatar).count > 100)
            for try await row in board.topScoresRows() { tell("picture_in_feed", row.picture != nil) }
            tell("picture_gone", try await board.removePicture().avatar == nil)
        }
        tell("scores", try await board.scores(limit: 1).rows.map(\.points))
        tell("scores_before", try await board.scores(after: try await board.scores(limit: 1).next).rows.map(\.points))
        tell("donations", try await board.donations().rows.map(\.points))

        tell("code", try await board.makeDeviceCode().code.count)
        tell("recovery", try await board.makeRecoveryCode().code.count)
        try await board.rotateToken()
        let again = try await board.post(800, to: "sprint")
        if case .score(let receipt)? = await board.settlement(of: again) { tell("signed_anew", receipt.best ?? 0) }
        try await teams(board)
        try await flags(board)
        try await challenges(board)
        try await plans(board)
        try await awards(board)
        try await campaigns(board)
        try await devices(board)
    }

    /// A player makes a team, changes it and leaves.
    private static func teams(_ board: Causeboard) async throws {
        tell("no_team", try await board.myTeam() == nil)
        let team = try await board.makeTeam(named: "Red").id
        tell("team", try await board.myTeam().map { "\($0.name) \($0.role) \($0.code?.count ?? 0)" } ?? "none")
        do { try await board.makeTeam(named: "Blue") } catch { tell("second_team", problem(error)) }
        do { try await board.joinTeam(code: "WRONGCDE") } catch { tell("wrong_team_code", problem(error)) }
        tell("team_renamed", try await board.changeTeam(name: "Redder", makesNewCode: true).name)
        tell("team_members", try await board.team(team).members)
        try await board.reportTeam(team)
        tell("teams", try await soon { try await board.teamsTop(of: "lap").rows.map { "\($0.name) \($0.points)" } })
        tell("team_top", try await soon { try await board.myTeamTop(of: "lap").rows.compactMap(\.among) })
        tell("any_team_top", try await soon { try await board.top(of: "lap", team: team).rows.map(\.rank) })
        tell("donor_teams", try await soon { try await board.contributorTeams(to: "tree-fund").rows.map(\.points) })
        try await board.leaveTeam()
        tell("left_team", try await board.myTeam() == nil)
    }

    /// A player shows a flag.
    private static func flags(_ board: Causeboard) async throws {
        tell("flag", try await board.setFlag("DE-BE").flag ?? "none")
        do { try await board.setFlag("FR") } catch { tell("second_flag", problem(error)) }
        tell("countries", try await soon { try await board.countriesTop(of: "lap").rows.map(\.country) })
        tell("regions", try await soon { try await board.countriesTop(of: "lap", in: "DE").rows.map(\.country) })
        tell("of_country", try await soon { try await board.top(of: "lap", country: "DE").rows.compactMap(\.flag) })
        tell("no_flag", try await board.setFlag(nil).flag == nil)
    }

    /// Two players befriend, and one challenges the other.
    private static func challenges(_ board: Causeboard) async throws {
        var options = Options()
        options.directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let other = try await Causeboard(server: board.server, game: board.game, options: options)
        let bob = try await other.signIn(as: "Bob").id
        let terms = (players: [bob], id: UUID())
        do { try await board.challenge(terms.players, on: "lap", days: 1) } catch { tell("no_friend", problem(error)) }
        try await other.befriend(code: try await board.makeFriendCode().code)
        for _ in 1...2 {
            let made = try await board.challenge(
                terms.players, on: "lap", days: 1, stake: 2, charity: "tree-fund", id: terms.id)
            tell("challenge", "\(made.state) \(made.stake) \(made.answer)")
        }
        tell("told", try await other.profile().challenges.map { "\($0.state) \($0.answer)" })
        let listed = try await other.challenges(in: .open).rows
        tell("challenges", listed.count)
        if let challenge = listed.first {
            do { try await other.enter(challenge) } catch { tell("no_charity", problem(error)) }
            let entered = try await other.enter(challenge, charity: "tree-fund")
            tell("entrants", (entered.entrants ?? []).map { "\($0.name) \($0.rank ?? 0)" })
            try await other.decline(challenge)
            let standings = try await board.standings(of: challenge)
            tell("standings", (standings.entrants ?? []).map { "\($0.name) \($0.state)" })
        }
        await other.close()
    }

    /// A player makes a plan, changes it and ends it.
    private static func plans(_ board: Causeboard) async throws {
        tell("no_plan", try await board.plan() == nil)
        let shares = [PlanShare(charity: "tree-fund", share: 1)]
        let first = try await board.setPlan(shares, every: .week, keep: 1_000)
        tell("plan", try await board.plan() == first)
        tell("plan_in_profile", try await board.profile().plan?.nextOn == first.nextOn)
        tell("preview", try await board.preview(7).gifts.map { "\($0.charity) \($0.points)" })
        do { try await board.setPlan(shares, every: .day) } catch { tell("unseen_plan", problem(error)) }
        let second = try await board.setPlan(shares, every: .month, anonymously: true, replacing: first)
        tell("changed_plan", "\(second.every) \(second.keep) \(second.anonymous)")
        do { try await board.endPlan(first) } catch { tell("stale_plan", problem(error)) }
        try await board.endPlan(second)
        tell("ended_plan", try await board.plan() == nil)
    }

    /// A player sees what it has done for an award.
    private static func awards(_ board: Causeboard) async throws {
        tell("awards", try await board.awards().map { "\($0.name) \($0.times) \($0.have ?? 0) \($0.need ?? 0)" })
        tell("game_awards", try await board.gameAwards().map { "\($0.award) \($0.givenTo)" })
        tell("award_count", try await board.profile().awards.count)
    }

    /// A player finds a campaign of the donations, and enters it.
    private static func campaigns(_ board: Causeboard) async throws {
        tell("campaigns", try await board.campaigns().rows.map { "\($0.slug) \($0.state) \($0.points ?? 0)" })
        tell("no_campaigns", try await board.campaigns(from: 3).rows.count)
        let campaign = try await board.campaign("winter")
        tell("campaign", "\(campaign.points ?? 0) \(campaign.progress ?? 0) \(campaign.toNext ?? 0)")
        tell("milestones", (campaign.milestones ?? []).map { "\($0.name) \($0.points)" })
        tell("campaign_top", try await board.campaignTop("winter").rows.map { "\($0.name) \($0.points)" })
        tell("campaign_teams", try await board.campaignTeams("winter").rows.map(\.points))
        do { _ = try await board.cohort(of: "winter") } catch { tell("no_cohort", problem(error)) }
        for _ in 1...2 { tell("entered", try await board.enterCampaign("winter") == Cohort(cohort: 1, of: 20)) }
        let rows = try await soon { try await board.cohort(of: "winter").rows }
        tell("cohort", rows.map { "\($0.rank) \($0.among ?? 0) \($0.name)" })
        do { try await board.enterCampaign("past") } catch { tell("past_campaign", problem(error)) }
        do { _ = try await board.campaign("summer") } catch { tell("no_campaign", problem(error)) }
    }

    /// Rows of a ranking that shows a change as soon as it would show a score.
    private static func soon<Row>(_ read: () async throws -> [Row]) async throws -> [Row] {
        for _ in 0..<200 {
            let rows = try await read()
            if !rows.isEmpty { return rows }
            try await Task.sleep(for: .milliseconds(100))
        }
        return []
    }

    /// Calls everything of the classic protocol against a server with the salt 999888999 and a charity Tree Fund.
    static func classic(_ server: URL) async throws {
        let client = ClassicCauseboard(server: server, phone: "2bef0b11cff51cbb2e0730235f566409", salt: "999888999")
        var customer = ClassicCauseboard.Customer(name: "Tom & Jerry + 100%")
        customer.sendsUpdates = true
        customer.image = FileManager.default.contents(atPath: ProcessInfo.processInfo.environment["PICTURE"] ?? "")
        let registered = try await client.register(customer)
        tell("classic_name", registered.name)
        tell("classic_updates", registered.sendsUpdates)
        let id = UUID()
        for _ in 1...2 { tell("classic_best", try await client.post(1_500, id: id).best ?? 0) }
        tell("classic_balance", try await client.donate(500, to: "Tree Fund").balance ?? 0)
        try await client.postHighScore(2_000, name: "Ada")
        for try await row in client.topScores() {
            tell("classic_donated", "\(row.name) \(row.points) \(row.picture != nil)")
        }
        var posts: [String] = []
        for try await row in client.highScores() { posts.append("\(row.name) \(row.score)") }
        tell("classic_posts", posts)
    }

    /// A second device joins, is listed and is cut off.
    private static func devices(_ board: Causeboard) async throws {
        var options = Options()
        options.directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let other = try await Causeboard(server: board.server, game: board.game, options: options)
        do { try await other.join(code: "WRONGCDE") } catch { tell("wrong_code", problem(error)) }
        let player = try await other.join(code: try await board.makeDeviceCode().code, deviceName: "Tablet")
        tell("joined", player.name)
        let devices = try await board.devices()
        tell("devices", devices.map { $0.name ?? "-" })
        if let tablet = devices.first(where: { !$0.this }) { try await board.cutOff(tablet) }
        do { _ = try await other.profile() } catch { tell("cut_off", problem(error)) }
        if let own = try await board.devices().first {
            do { try await board.cutOff(own) } catch { tell("last", problem(error)) }
        }
        try await leaving(board, other)
    }

    /// A player has what is kept of it, reports another one, and that one leaves.
    private static func leaving(_ board: Causeboard, _ other: Causeboard) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try await board.exportData(to: file)
        let document = try JSONDecoder().decode([String: ExportedValue].self, from: Data(contentsOf: file))
        tell("exported", document["name"]?.text ?? "none")
        try FileManager.default.removeItem(at: file)
        try await other.signOut()
        try await board.report(try await other.signIn(as: "Bob").id, for: .cheating, text: "A lap in one second")
        do { try await other.erase(confirming: "bob") } catch { tell("not_erased", problem(error)) }
        tell("erased", try await other.erase(confirming: "Bob").count)
        do { _ = try await other.profile() } catch { tell("after", problem(error)) }
    }

    /// A member of the export, of which only texts are looked at.
    private struct ExportedValue: Decodable {
        let text: String?

        init(from decoder: any Decoder) throws { text = try? decoder.singleValueContainer().decode(String.self) }
    }

    private static func problem(_ error: CauseboardError) -> String {
        switch error {
        case .giveUp(let refusal): refusal.problem?.rawValue ?? "unknown"
        case .signInAgain(let reason): "\(reason)"
        default: "\(error)"
        }
    }
}
