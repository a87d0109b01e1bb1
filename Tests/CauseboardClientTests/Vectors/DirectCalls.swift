import Contract
import Foundation

@testable import CauseboardClient

/// What a call that is not queued came to, in the vectors' words.
func directlySaid(_ call: [String?], _ board: Causeboard) async -> String {
    let word = call.count > 1 ? call[1] : nil
    do throws(CauseboardError) {
        if let said = try await friendsSaid(call[0], word, board) { return said }
        if let said = try await teamsSaid(call, word, board) { return said }
        if let said = try await flagsSaid(call[0], word, board) { return said }
        if let said = try await challengesSaid(call, word, board) { return said }
        if let said = try await awardsSaid(call[0], board) { return said }
        if let said = try await campaignsSaid(call[0], word, board) { return said }
        if let said = try await plansSaid(call[0], word, board) { return said }
        return try await identitiesSaid(call, board)
    } catch { return refusal(error) }
}

private func identitiesSaid(_ call: [String?], _ board: Causeboard) async throws(CauseboardError) -> String {
    let identity = VectorServer.identity
    switch call[0] {
    case "signInNonce": return try await board.signInNonce().nonce == identity.nonce ? "done" : "another nonce"
    case "signInWith":
        let merges = call.contains("merge")
        return "player \(try await board.signIn(with: identity, as: call[1], merges: merges).name)"
    case "link": return try await board.link(identity).provider == "apple" ? "done" : "another identity"
    case "unlink": try await board.unlink("apple")
    default:
        let providers = try await board.identities().map(\.provider)
        return providers == ["apple", "google"] ? "done" : "\(providers)"
    }
    return "done"
}

private func friendsSaid(_ name: String?, _ word: String?, _ board: Causeboard) async throws(CauseboardError) -> String?
{
    switch name {
    case "friends":
        let list = try await board.friends()
        return list.friends.map(\.since) == ["2026-11-21"] && list.blocked.count == 1 ? "done" : "\(list)"
    case "makeFriendCode": return try await board.makeFriendCode().code == "7K3MP2QX" ? "done" : "another code"
    case "befriend":
        let friend = try await board.befriend(code: word ?? "")
        return friend.player == 12 && friend.name == "Bob" ? "done" : "\(friend)"
    case "ask": return try await board.ask(12).rawValue
    case "unfriend": try await board.unfriend(12)
    case "block": try await board.block(12)
    case "unblock": try await board.unblock(12)
    case "friendsTop": return isAmong("friends", try await board.friendsTop(of: "lap"))
    case "friendContributors": return isAmong("friends", try await board.friendContributors(to: word))
    default: return nil
    }
    return "done"
}

private func teamsSaid(_ call: [String?], _ word: String?, _ board: Causeboard) async throws(CauseboardError) -> String?
{
    switch call[0] {
    case "myTeam": return try await board.myTeam().map(isOwn) ?? "none"
    case "makeTeam": return isMembership(try await board.makeTeam(named: word ?? ""))
    case "joinTeam": return isMembership(try await board.joinTeam(code: word ?? ""))
    case "changeTeam":
        let value = call[2] ?? ""
        let change = try await board.changeTeam(
            name: word == "name" ? value : nil, captain: word == "captain" ? Int64(value) : nil,
            removing: word == "remove" ? Int64(value) : nil, makesNewCode: word == "code")
        return isOwn(change)
    case "leaveTeam": try await board.leaveTeam()
    case "team":
        let team = try await board.team(5)
        return team.id == 5 && team.name == "Red" && team.members == 1 && team.roster == nil ? "done" : "\(team)"
    case "reportTeam": try await board.reportTeam(5)
    case "teamsTop": return isTeams(try await board.teamsTop(of: "lap"))
    case "contributorTeams": return isTeams(try await board.contributorTeams(to: word))
    case "myTeamTop": return isAmong("team", try await board.myTeamTop(of: "lap"))
    case "topOfTeam": return isAmong("5", try await board.top(of: "lap", team: 5))
    default: return nil
    }
    return "done"
}

private func flagsSaid(_ name: String?, _ word: String?, _ board: Causeboard) async throws(CauseboardError) -> String? {
    switch name {
    case "setFlag":
        let shown = try await board.setFlag(word).flag
        return shown == word ? "done" : "\(shown ?? "none")"
    case "countriesTop":
        let ranking = try await board.countriesTop(of: "lap", in: word)
        let rows = ranking.rows.map { "\($0.rank) \($0.country) \($0.points) of \($0.members)" }
        return rows == ["1 DE 9 of 2"] ? "done" : "\(rows)"
    case "topOfCountry": return isAmong(word ?? "", try await board.top(of: "lap", country: word))
    default: return nil
    }
}

private func challengesSaid(_ call: [String?], _ word: String?, _ board: Causeboard) async throws(CauseboardError)
    -> String?
{
    let challenge = DirectAnswer.challenge
    switch call[0] {
    case "challenge":
        let made = try await board.challenge(
            [12], on: "lap", days: 2, stake: word.flatMap { Int64($0) }, charity: call.count > 2 ? call[2] : nil,
            id: UUID(uuidString: challenge.id) ?? UUID())
        return isStanding(made)
    case "challenges":
        let page = try await board.challenges(in: word.flatMap { Challenge.State(rawValue: $0) })
        return page.rows == [challenge] ? "done" : "\(page)"
    case "standings": return isStanding(try await board.standings(of: challenge))
    case "enter": return isStanding(try await board.enter(challenge, charity: word))
    case "decline": try await board.decline(challenge)
    default: return nil
    }
    return "done"
}

private func awardsSaid(_ name: String?, _ board: Causeboard) async throws(CauseboardError) -> String? {
    switch name {
    case "awards":
        let awards = try await board.awards().map { "\($0.award) \($0.have ?? 0) of \($0.need ?? 0)" }
        return awards == ["first-lap 3 of 5"] ? "done" : "\(awards)"
    case "gameAwards":
        let awards = try await board.gameAwards().map { "\($0.award) \($0.givenTo)" }
        return awards == ["first-lap 12"] ? "done" : "\(awards)"
    default: return nil
    }
}

private func campaignsSaid(_ name: String?, _ word: String?, _ board: Causeboard) async throws(CauseboardError)
    -> String?
{
    let first = word.flatMap { Int($0) }
    switch name {
    case "campaigns":
        let page = try await board.campaigns(from: first)
        return page.of == 1 && page.rows == [DirectAnswer.listedCampaign] ? "done" : "\(page)"
    case "campaign":
        let campaign = try await board.campaign("winter")
        return campaign == DirectAnswer.campaign ? "done" : "\(campaign)"
    case "campaignTop":
        let rows = try await board.campaignTop("winter").rows.map { "\($0.rank) \($0.name) \($0.points)" }
        return rows == ["1 Bob 5"] ? "done" : "\(rows)"
    case "campaignTeams": return isTeams(try await board.campaignTeams("winter"))
    case "enterCampaign":
        let cohort = try await board.enterCampaign("winter")
        return cohort == Cohort(cohort: 3, of: 20) ? "done" : "\(cohort)"
    case "cohort": return isAmong("cohort", try await board.cohort(of: "winter", from: first))
    default: return nil
    }
}

private func plansSaid(_ name: String?, _ word: String?, _ board: Causeboard) async throws(CauseboardError) -> String? {
    let seen = CurrentPlan(plan: DirectAnswer.plan, etag: #""7-1""#)
    switch name {
    case "plan": return try await board.plan().map { $0 == seen ? "done" : "\($0)" } ?? "none"
    case "setPlan":
        let shares = [PlanShare(charity: "tree-fund", share: 60), PlanShare(charity: "books", share: 40)]
        let plan = try await board.setPlan(shares, every: .week, keep: 5, replacing: word == nil ? nil : seen)
        return plan == seen && plan.nextOn == "2026-11-22" ? "done" : "\(plan)"
    case "endPlan": try await board.endPlan(seen)
    case "preview":
        let parts = try await board.preview(100).gifts.map { "\($0.charity) \($0.points)" }
        return parts == ["books 40", "tree-fund 60"] ? "done" : "\(parts)"
    default: return nil
    }
    return "done"
}

private func isStanding(_ challenge: Challenge) -> String {
    let entrants = challenge.entrants?.map { "\($0.rank ?? 0) \($0.name) \($0.points ?? 0)" }
    return challenge.id == DirectAnswer.challenge.id && entrants == ["1 Bob 9", "0 Ada 0"] ? "done" : "\(challenge)"
}

private func isAmong(_ players: String, _ ranking: Ranking) -> String {
    let rows = ranking.rows.map { [$0.rank, $0.among] }
    return ranking.among == players && rows == [[9, 1]] && ranking.rows[0].flag == "DE-BE" ? "done" : "\(ranking)"
}

private func isOwn(_ team: OwnTeam) -> String {
    let isDone = team.id == 5 && team.role == .captain && team.members.map(\.player) == [7] && team.code == "7K3MP2QX"
    return isDone ? "done" : "\(team)"
}

private func isMembership(_ team: TeamMembership) -> String {
    team.id == 5 && team.name == "Red" && team.firstDay == "2026-11-21" ? "done" : "\(team)"
}

private func isTeams(_ ranking: TeamRanking) -> String {
    let rows = ranking.rows.map { "\($0.rank) \($0.team) \($0.name) \($0.points) of \($0.members)" }
    return rows == ["1 5 Red 9 of 2"] ? "done" : "\(rows)"
}

/// An error in the vectors' words.
private func refusal(_ error: CauseboardError) -> String {
    switch error {
    case .askAgain(_, .unreachable): "unanswered"
    case .askAgain(_, .rateLimited): "refused rate-limited"
    case .askAgain(_, .issuerAway): "refused issuer-away"
    case .chooseAnotherName: "refused field"
    case .signInAgain(.neverSignedIn): "refused signed-out"
    case .signInAgain(.banned): "refused banned"
    case .giveUp(let refusal):
        "refused \(refusal.problem?.rawValue ?? "")" + (refusal.againAt.map { " until \($0.text)" } ?? "")
    default: "\(error)"
    }
}
