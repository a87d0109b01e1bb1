import Concurrency
import Domain
import Storage
import Synchronization

/// Caches the settings of campaigns, and the times at which milestones were reached, while the stream reports changes.
final class CampaignCache: Sendable {
    /// When the milestones of a campaign were reached.
    private struct Reached {
        let version: String
        let board: Board.ID
        var times: [Int64: Instant]
        /// When the read of these times began.
        var readAt: ContinuousClock.Instant
        /// When they may be read again, so that reading takes a small part of the time.
        var nextReadAt: ContinuousClock.Instant
        /// When the first read that found these times began.
        var foundAt: ContinuousClock.Instant
        /// Whether a response used times that may be outdated.
        var isAwaited = false

        /// Whether no later commit can move the times. The stream reports a commit just before other transactions see
        /// it, and a little later than the moments that it records.
        /// - Parameter changedAt: When the stream last reported a change that may move them.
        func isCurrent(_ points: [Int64], changedAt: ContinuousClock.Instant?) -> Bool {
            let changedAt = max(changedAt ?? foundAt, foundAt)
            return readAt - changedAt >= .milliseconds(Limits.milestoneSettlingMilliseconds)
                && points.allSatisfy { times[$0] != nil }
        }
    }

    private struct State {
        var isFollowing = false
        var settings: (campaigns: Campaigns, version: UInt64)?
        var reached: [Slug: Reached] = [:]
        /// When the stream last reported a change that may move milestones: of each board, and of all boards.
        var changedAt: [Board.ID: ContinuousClock.Instant] = [:]
        var allChangedAt: ContinuousClock.Instant?
        /// How often times of each campaign that responses used had to be read again.
        var versions: [Slug: UInt64] = [:]

        func changedAt(_ board: Board.ID) -> ContinuousClock.Instant? {
            [changedAt[board], allChangedAt].compactMap(\.self).max()
        }
    }

    private let state = Mutex(State())
    /// Changes with the settings.
    let settings = LedgerVersion()
    /// Whether there is a campaign, and when that was read. It is kept even while no stream is followed.
    private let existence = Mutex<(haveAny: Bool, readAt: ContinuousClock.Instant)?>(nil)
    let existenceReads = SingleFlight<Bool>()
    private let now: @Sendable () -> ContinuousClock.Instant
    let settingReads = SingleFlight<Campaigns>()
    let reads = SingleFlight<CampaignProgress>()
    let timeReads = SingleFlight<[Int64: Instant]>()

    /// - Parameter now: The clock; tests have their own.
    init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) { self.now = now }

    /// Whether the stream reports changes of campaigns.
    var isFollowing: Bool { state.withLock { $0.isFollowing } }

    /// Increases when times of a campaign that responses used must be read again.
    func timesVersion(of campaign: Slug) -> UInt64 { state.withLock { $0.versions[campaign] ?? 0 } }

    // MARK: - Readers

    /// Nil until they are read.
    var campaigns: Campaigns? {
        let version = settings.number
        return state.withLock { state in state.settings?.version == version ? state.settings?.campaigns : nil }
    }

    /// - Parameter version: The number of ``settings`` from before they were read.
    func keep(_ campaigns: Campaigns, version: UInt64) {
        let former = state.withLock { state -> Any? in
            guard state.isFollowing, version == settings.number else { return nil }
            defer { state.settings = (campaigns, version) }
            return state.settings
        }
        // Freeing a thousand campaigns takes a while, so it happens outside the lock.
        withExtendedLifetime(former) {}
    }

    /// The known times at which milestones of a campaign were reached.
    /// - Parameter points: The milestones whose points are there.
    /// - Returns: The times, and whether to read them now.
    func times(of campaign: Campaign, on board: Board.ID, reaching points: [Int64]) -> (
        times: [Int64: Instant], isDue: Bool
    ) {
        let now = now()
        return state.withLock { state in
            guard state.isFollowing, let reached = state.reached[campaign.slug], reached.version == campaign.version,
                reached.board == board
            else { return ([:], true) }
            if reached.isCurrent(points, changedAt: state.changedAt(board)) { return (reached.times, false) }
            if reached.nextReadAt <= now { return (reached.times, true) }
            state.reached[campaign.slug]?.isAwaited = true
            return (reached.times, false)
        }
    }

    /// Keeps the times of a campaign's milestones.
    /// - Parameter began: When their read began.
    func keep(
        _ times: [Int64: Instant], of campaign: Campaign, on board: Board.ID, reaching points: [Int64],
        since began: ContinuousClock.Instant, keepingFormer: Bool = false
    ) {
        let now = now()
        state.withLock { state in
            guard state.isFollowing else { return }
            let former = state.reached[campaign.slug]
            let isOfSameDays = former?.version == campaign.version && former?.board == board
            let times = keepingFormer && isOfSameDays ? former?.times ?? [:] : times
            let isSame = isOfSameDays && former?.times == times
            let pause = max(
                .milliseconds(Limits.milestonePauseMilliseconds), (now - began) * Limits.milestonePauseFactor)
            var reached = Reached(
                version: campaign.version, board: board, times: times, readAt: began, nextReadAt: now + pause,
                foundAt: isSame ? former?.foundAt ?? began : began)
            reached.isAwaited = keepingFormer || !reached.isCurrent(points, changedAt: state.changedAt(board))
            state.reached[campaign.slug] = reached
        }
    }

    /// A response was made without some of the times, or with times that may change.
    func awaitTimes(of campaign: Slug) { state.withLock { $0.reached[campaign]?.isAwaited = true } }

    /// The times could not be read. The next read waits as after one that succeeded.
    /// - Parameter began: When the read began.
    func postpone(_ campaign: Campaign, on board: Board.ID, since began: ContinuousClock.Instant) {
        keep([:], of: campaign, on: board, reaching: [], since: began, keepingFormer: true)
    }

    // MARK: - Whether there are any

    /// Nil when it has to be read.
    var haveAny: Bool? {
        if let campaigns { return !campaigns.all.isEmpty }
        let now = now()
        return existence.withLock { known in
            known.flatMap { now - $0.readAt < .seconds(Limits.campaignSettingSeconds) ? $0.haveAny : nil }
        }
    }

    /// This process has changed a campaign.
    func forget() {
        settings.changed()
        existence.withLock { $0 = nil }
    }

    func keep(haveAny: Bool) {
        let now = now()
        existence.withLock { $0 = (haveAny, now) }
    }

    // MARK: - The follower

    /// Starts or stops caching when the stream starts or stops reporting changes.
    func setFollowing(_ isFollowing: Bool) {
        settings.acknowledged()
        let former = state.withLock { state in
            defer {
                state = State()
                state.isFollowing = isFollowing
            }
            return state
        }
        withExtendedLifetime(former) {}
    }

    /// Notes what a commit changes. An anonymous donation counts from 00:00 of its day, so like a correction it may
    /// move milestones of that day.
    func note(_ changes: CommittedChanges) {
        // A campaign's days are those of the board's time zone, and it ends with the season.
        if changes.changesCampaigns || changes.invalidatesBoards { settings.changed() }
        let now = now()
        state.withLock { state in
            if state.reached.isEmpty { return }
            if changes.isRepair { state.allChangedAt = now }
            for change in changes.rollups where change.day != nil {
                let isLess = change.new?.points ?? 0 < change.old?.points ?? 0
                if change.row < 0 || isLess || !changes.donors.isEmpty { state.changedAt[change.board] = now }
            }
        }
    }

    /// Called about once a second. Outdated times that a response used are read again once that is due.
    func tidy() {
        settings.changedAgain()
        let now = now()
        state.withLock { state in
            for (slug, reached) in state.reached where reached.isAwaited && reached.nextReadAt <= now {
                state.reached[slug]?.isAwaited = false
                state.versions[slug, default: 0] += 1
            }
        }
    }
}

/// The campaigns of an installation.
struct Campaigns: Sendable {
    /// The latest last day comes first.
    let all: [Campaign]
    private let places: [Slug: Int]

    init(_ all: [Campaign]) {
        self.all = all
        places = Dictionary(all.enumerated().map { ($1.slug, $0) }) { first, _ in first }
    }

    subscript(slug: Slug) -> Campaign? { places[slug].map { all[$0] } }
}
