import Concurrency
package import Domain
import Storage

// Campaigns, and the progress of those over donations.
extension Rankings {
    /// All campaigns. The latest last day comes first.
    package func campaigns() async throws -> [Campaign] { try await allCampaigns().all }

    package func findCampaign(_ slug: Slug) async throws -> Campaign? {
        // While nothing can be cached, read only this campaign.
        guard canKeepCampaigns else { return try await store.findCampaign(slug) }
        return try await allCampaigns()[slug]
    }

    /// Whether there is a campaign. While nothing can be cached, the answer may be some seconds old.
    package func haveCampaigns() async throws -> Bool {
        if let known = campaignCache.haveAny { return known }
        if canKeepCampaigns { return try await !allCampaigns().all.isEmpty }
        return try await campaignCache.existenceReads.value(for: "") {
            let haveAny = try await store.haveCampaigns()
            campaignCache.keep(haveAny: haveAny)
            return haveAny
        }
    }

    /// Whether the stream reports changes of campaigns, and memory has them all.
    private var canKeepCampaigns: Bool { standings.areCurrent && campaignCache.isFollowing }

    private func allCampaigns() async throws -> Campaigns {
        if canKeepCampaigns, let known = campaignCache.campaigns { return known }
        return try await campaignCache.settingReads.value(for: "") {
            let version = campaignCache.settings.number
            let campaigns = Campaigns(try await store.campaigns())
            if canKeepCampaigns { campaignCache.keep(campaigns, version: version) }
            return campaigns
        }
    }

    /// Drops the cached settings of campaigns, because this process has just changed them. The stream tells other
    /// processes.
    package func forgetCampaigns() { campaignCache.forget() }

    /// The progress of a campaign over donations; nil for one over a score board.
    ///
    /// The points come from the rows of its days. The times of milestones come from the ledger, which is read when
    /// another milestone is reached, after a correction, and after an anonymous donation.
    /// - Parameter withTimes: False leaves the times out, so that the ledger is not read while the rows are in memory.
    package func progress(of campaign: Campaign, withTimes: Bool = true) async throws -> CampaignProgress? {
        guard campaign.subject.hasGoal else { return nil }
        guard campaign.state(at: clock.now) != .coming, let board = try await findBoard(Subject(campaign)) else {
            return CampaignProgress(points: 0, contributors: 0, milestones: campaign.milestones)
        }
        guard let total = standings.window(of: board, days: campaign.days)?.total else {
            return try await progressBySQL(of: campaign)
        }
        let reached = campaign.milestones.map(\.points).filter { Int128($0) <= total.points }
        var times: [Int64: Instant] = [:]
        if withTimes, !reached.isEmpty { times = try await self.times(of: campaign, on: board.id, reaching: reached) }
        let milestones = campaign.milestones.map { milestone in
            let isReached = Int128(milestone.points) <= total.points
            return Milestone(
                points: milestone.points, name: milestone.name, reachedAt: isReached ? times[milestone.points] : nil)
        }
        return CampaignProgress(points: total.points, contributors: Int64(total.playersCount), milestones: milestones)
    }

    private func progressBySQL(of campaign: Campaign) async throws -> CampaignProgress {
        try await campaignCache.reads.value(for: "\(campaign.slug)") {
            try await inTurn { () async throws(StoreError) in try await store.campaignProgress(of: campaign.slug) }
        }
    }

    /// The times of milestones. Those that cannot be read now are left out, and read later.
    private func times(of campaign: Campaign, on board: Board.ID, reaching points: [Int64]) async throws -> [Int64:
        Instant]
    {
        let (known, isDue) = campaignCache.times(of: campaign, on: board, reaching: points)
        guard isDue else { return known }
        let began = ContinuousClock.now
        do {
            let times = try await readTimes(of: campaign, on: board, reaching: points)
            // Another reader, who knew of fewer milestones, may have led this read.
            if points.contains(where: { times[$0] == nil }) { campaignCache.awaitTimes(of: campaign.slug) }
            return times
        } catch let error as CancellationError { throw error } catch {
            campaignCache.postpone(campaign, on: board, since: began)
            return known
        }
    }

    private func readTimes(of campaign: Campaign, on board: Board.ID, reaching points: [Int64]) async throws -> [Int64:
        Instant]
    {
        try await campaignCache.timeReads.value(for: "\(campaign.slug)") {
            let began = ContinuousClock.now
            let milestones = try await inTurn { () async throws(StoreError) in
                try await store.milestones(of: campaign.slug)
            }
            var times: [Int64: Instant] = [:]
            for milestone in milestones { times[milestone.points] = milestone.reachedAt }
            campaignCache.keep(times, of: campaign, on: board, reaching: points, since: began)
            return times
        }
    }

    /// The validator of a campaign's page or document. Take it before reading the points.
    /// - Parameter before: The versions from before the campaign was found.
    /// - Returns: Nil while the rows of its days are not in memory.
    package func validator(of campaign: Campaign, since before: ReadVersions) async throws -> CacheValidator? {
        let settings = campaignValidator(since: before)?.until(campaign.nextChange(after: before.at))
        if campaign.state(at: before.at) == .coming { return settings }
        guard standings.areCurrent, let board = try await findBoard(Subject(campaign)) else { return nil }
        let times = CacheValidator(
            watched: [.milestones(campaign.slug, campaignCache.timesVersion(of: campaign.slug))], before: before,
            until: Instant(microsecondsSince1970: .max))
        let rows = try await validator(of: board, window: campaign.window, days: campaign.days, since: before)
        return CacheValidator.all(of: [settings, times, rows])
    }

    /// The validator of the settings of campaigns.
    /// - Parameter before: The versions from before they were read.
    /// - Returns: Nil while the standings are not current. While no stream reports changes of campaigns, it ends after
    ///   some seconds.
    package func campaignValidator(since before: ReadVersions) -> CacheValidator? {
        guard standings.areCurrent else { return nil }
        if !campaignCache.isFollowing {
            return .timed(since: before, until: before.at.advanced(bySeconds: Limits.campaignSettingSeconds))
        }
        return CacheValidator(
            watched: [.campaigns(before.campaigns)], before: before, until: Instant(microsecondsSince1970: .max))
    }

    /// The rows of a player's cohort in a campaign, best first, each with its rank among all players.
    /// - Parameters:
    ///   - first: The position in the cohort at which the rows begin, from 1.
    ///   - limitRows: 1...100.
    /// - Returns: Nil when the player has not entered the campaign.
    package func ranking(
        of campaign: Campaign, amongCohortOf player: Player.ID, from first: Int64, limitRows: Int, includesTotal: Bool,
        includesDetails: Bool = false
    ) async throws -> Ranking? {
        guard let board = try await findBoard(Subject(campaign)) else { return nil }
        let player = try await survivor(of: player)
        let players = try await turn(of: player) { () async throws(StoreError) in
            try await store.cohort(of: player, in: campaign.slug)
        }
        if players.isEmpty { return nil }
        return try await ranking(
            of: board, window: campaign.window, among: MemberSet(players), .cohort, seenBy: player, from: first,
            limitRows: limitRows, includesTotal: includesTotal, includesDetails: includesDetails)
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
