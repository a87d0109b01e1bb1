import Domain
import Leaderboard
import Pages

/// Reads campaigns for pages, embeds and pictures.
struct CampaignReader {
    let rankings: Rankings
    let clock: ServerClock

    /// A campaign as it is now, and the first rows of its days.
    /// - Parameter rowsMax: How many rows are read; 0 for none.
    /// - Throws: 404 when there is no such campaign.
    func campaign(_ slug: Slug, rowsMax: (Campaign) -> Int) async throws -> CampaignReading {
        let versions = rankings.versions
        guard let campaign = try await rankings.findCampaign(slug) else { throw Problem.noCampaign }
        let validator = try await rankings.validator(of: campaign, since: versions)
        guard let shown = try await self.shown(campaign, withPoints: true, withTimes: rowsMax(campaign) > 0) else {
            throw Problem.noCampaign
        }
        var reading = CampaignReading(shown: shown, top: nil, anonymous: 0, validator: validator)
        let rowsMax = rowsMax(campaign)
        if rowsMax > 0 {
            reading.top = try await rankings.ranking(
                of: shown.board, window: campaign.window, days: campaign.days, pageRequest: .top, limitRows: rowsMax,
                includesTotal: true)
            reading.anonymous = try await rankings.anonymousSize(of: shown.board, window: campaign.window)
        }
        return reading
    }

    /// A page of all campaigns.
    /// - Parameter from: The position of the first one, from 1. Beyond the end, the first page is returned.
    func page(from: Int64) async throws -> (page: CampaignsPage, validator: CacheValidator?) {
        let versions = rankings.versions
        let validator = rankings.donationValidator(since: versions)
        let all = CampaignsPage.sorted(try await rankings.campaigns(), at: versions.at)
        let first = from > Int64(all.count) ? 1 : from
        var shown: [ShownCampaign] = []
        for campaign in all.dropFirst(Int(clamping: first - 1)).prefix(CampaignsPage.rowsMax) {
            guard let row = try await self.shown(campaign, withPoints: campaign.state(at: clock.now) == .open) else {
                continue
            }
            shown.append(row)
        }
        return (
            CampaignsPage(shown, from: first, of: all.count),
            validator?.until(Self.nextChange(of: all, after: versions.at))
        )
    }

    /// Open campaigns, the next to end first, and when this list changes next.
    /// - Parameters:
    ///   - isWanted: Selects campaigns.
    ///   - withPoints: Whether to read points, which only campaigns over donations have.
    func open(countMax: Int, withPoints: Bool = false, where isWanted: (Campaign) -> Bool = { _ in true }) async throws
        -> (campaigns: [ShownCampaign], until: Instant?)
    {
        let now = clock.now
        let wanted = try await rankings.campaigns().filter(isWanted)
        let found = wanted.filter { $0.state(at: now) == .open }
        var shown: [ShownCampaign] = []
        for campaign in CampaignsPage.sorted(found, at: now).prefix(countMax) {
            guard let line = try await self.shown(campaign, withPoints: withPoints) else { continue }
            shown.append(line)
        }
        return (shown, Self.nextChange(of: wanted, after: now))
    }

    private static func nextChange(of campaigns: [Campaign], after now: Instant) -> Instant? {
        campaigns.compactMap { $0.nextChange(after: now) }.min()
    }

    private func shown(_ campaign: Campaign, withPoints: Bool, withTimes: Bool = false) async throws -> ShownCampaign? {
        guard let board = try await rankings.findBoard(Rankings.Subject(campaign)) else { return nil }
        return ShownCampaign(
            campaign, board: board, state: campaign.state(at: clock.now),
            progress: withPoints ? try await rankings.progress(of: campaign, withTimes: withTimes) : nil)
    }
}

/// A campaign and the rows that a page shows.
struct CampaignReading {
    let shown: ShownCampaign
    /// Nil if no rows were requested.
    var top: Ranking?
    /// How many rows of all are anonymous donations.
    var anonymous: Int64
    let validator: CacheValidator?
}
