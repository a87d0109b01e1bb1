package import Domain
package import Storage

// Campaigns, and how those over donations stand.
extension Rankings {
    /// All campaigns. Those that end last come first.
    package func campaigns() async throws(StoreError) -> [Campaign] { try await store.campaigns() }

    package func findCampaign(_ slug: Slug) async throws(StoreError) -> Campaign? {
        try await store.findCampaign(slug)
    }

    /// How a campaign over donations stands; nil for one over a score board.
    package func progress(of campaign: Campaign) async throws -> CampaignProgress? {
        campaign.subject.hasGoal ? try await store.campaignProgress(campaign.slug) : nil
    }

    /// The validator of a campaign's page or document. It must be taken before anything of it is read.
    /// - Returns: Nil while the rows of its days are not in memory.
    package func validator(of campaign: Campaign, since before: ReadVersions) async throws -> CacheValidator? {
        guard let board = try await findBoard(Subject(campaign)) else { return nil }
        return try await validator(of: board, window: campaign.window, days: campaign.days, since: before)
    }
}

extension Rankings.Subject {
    /// The board that a campaign reads.
    package init(_ campaign: Campaign) {
        switch campaign.subject {
        case .charity(.overall): self = .contributors
        case .charity(let slug): self = .charity(slug)
        case .board(let game, let board, let season): self = .score(game: game, board: board, season: season)
        }
    }
}
