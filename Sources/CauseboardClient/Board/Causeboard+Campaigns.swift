public import Contract
import Foundation

// Campaigns. None of these calls is queued: the result is known when the call returns.
extension Causeboard {
    /// All campaigns, those that end last first, without points.
    /// - Parameters:
    ///   - limit: 1 to 100 rows.
    ///   - first: The position at which the rows begin; nil for 1.
    public func campaigns(limit: Int = 50, from first: Int? = nil) async throws(CauseboardError) -> CampaignPage {
        let query = [("limit", String(limit)), ("from", first.map { String($0) })]
        return try await read(Addresses.campaigns.path(format: "json"), query)
    }

    /// A campaign and how it stands, with its milestones.
    /// - Parameter campaign: The campaign's slug.
    /// - Throws: `.giveUp` with `notFound` when there is no such campaign.
    public func campaign(_ campaign: String) async throws(CauseboardError) -> Campaign {
        try Slug.check(campaign, "campaign")
        return try await read(Addresses.campaign.path(campaign), [])
    }

    /// The ranking of a campaign's days, best first.
    /// - Parameters:
    ///   - campaign: The campaign's slug.
    ///   - limit: 1 to 100 rows.
    ///   - cursor: The `next` of the page before; nil for the first.
    public func campaignTop(_ campaign: String, limit: Int = 10, after cursor: String? = nil)
        async throws(CauseboardError) -> Ranking
    {
        try Slug.check(campaign, "campaign")
        let path = Addresses.campaignTop.path(campaign, format: "json")
        return try await read(path, [("limit", String(limit)), ("after", cursor)])
    }

    /// Teams by what their members did on a campaign's days, best first.
    /// - Parameters:
    ///   - campaign: The campaign's slug.
    ///   - limit: 1 to 100 rows.
    ///   - cursor: The `next` of the page before; nil for the first.
    /// - Throws: `.giveUp` with `notFound` also when the campaign's board ranks no teams.
    public func campaignTeams(_ campaign: String, limit: Int = 10, after cursor: String? = nil)
        async throws(CauseboardError) -> TeamRanking
    {
        try Slug.check(campaign, "campaign")
        let path = Addresses.campaignTeams.path(campaign, format: "json")
        return try await read(path, [("limit", String(limit)), ("after", cursor)])
    }

    /// Enters a campaign that compares its players in cohorts. A player who has entered keeps its place.
    /// - Parameter campaign: The campaign's slug.
    /// - Throws: `.giveUp` with `forbidden` when players do not enter the campaign, or it is over a board of another
    ///   game; with `challengeOver` when it is over.
    @discardableResult public func enterCampaign(_ campaign: String) async throws(CauseboardError) -> Cohort {
        try Slug.check(campaign, "campaign")
        return try await session.send(Call("PUT", Addresses.campaignEntry.path(campaign)), as: Cohort.self)
    }

    /// The ranking of a campaign's days among the player's cohort, best first. In each row, `rank` is the rank among
    /// all, and `among` the rank in the cohort.
    /// - Parameters:
    ///   - campaign: The campaign's slug.
    ///   - limit: 1 to 100 rows.
    ///   - first: The position in the cohort at which the rows begin; nil for 1.
    /// - Throws: `.giveUp` with `notFound` when the player has not entered.
    public func cohort(of campaign: String, limit: Int = 10, from first: Int? = nil) async throws(CauseboardError)
        -> Ranking
    {
        try Slug.check(campaign, "campaign")
        let query = [("limit", String(limit)), ("from", first.map { String($0) })]
        let path = Addresses.cohort.path(campaign, format: "json")
        return try await session.send(Call(path, query: query), as: Ranking.self)
    }
}
