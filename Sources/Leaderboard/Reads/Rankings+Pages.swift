import Concurrency
package import Domain
import Storage
import Synchronization

// What pages show besides rankings.
extension Rankings {
    /// All games in the order of their slugs, each with the boards that are played now.
    package func listedGames() async throws -> [ListedGame] {
        let version = boardCache.version
        if standings.areCurrent, let games = pageReads.listedGames(at: version) { return games }
        return try await pageReads.gameLists.value(for: "") {
            let version = boardCache.version
            let games = try await store.listedGames()
            if standings.areCurrent { pageReads.keep(games, at: version) }
            return games
        }
    }

    /// The newest donations first.
    /// - Parameters:
    ///   - charity: Nil for all charities.
    ///   - limitRows: 1...50.
    package func newestDonations(to charity: Slug?, limitRows: Int) async throws -> [PublicDonation] {
        let (key, version) = ("\(charity?.description ?? "") \(limitRows)", pageVersion)
        if standings.areCurrent, let kept = pageReads.donations.find(key, at: version) { return kept }
        return try await pageReads.donationReads.value(for: key) {
            let version = pageVersion
            let donations = try await store.newestDonations(to: charity, limitRows: limitRows)
            if standings.areCurrent { pageReads.donations.keep(donations, at: version, for: key) }
            return donations
        }
    }

    /// Whether a game has awards.
    package func hasAwards(_ game: Slug) async throws -> Bool {
        let (key, version) = (game.description, awards.version.number)
        if standings.areCurrent, let kept = pageReads.awards.find(key, at: version) { return kept }
        return try await pageReads.awardReads.value(for: key) {
            let version = awards.version.number
            let hasAwards = try await !store.awards(of: game).isEmpty
            if standings.areCurrent { pageReads.awards.keep(hasAwards, at: version, for: key) }
            return hasAwards
        }
    }

    /// The numbers of a board's newest seasons, the newest first.
    package func seasons(of board: Slug, in game: Slug) async throws -> [Int32] {
        let (key, version) = ("\(game)/\(board)", pageVersion.boards)
        if standings.areCurrent, let kept = pageReads.seasons.find(key, at: version) { return kept }
        return try await pageReads.seasonReads.value(for: key) {
            let version = pageVersion.boards
            let seasons = try await store.seasons(of: board, in: game, countMax: Limits.seasonsListedMax).map(\.number)
            if standings.areCurrent { pageReads.seasons.keep(seasons, at: version, for: key) }
            return seasons
        }
    }

    /// How a charity's total came together, and until when that may be shown.
    ///
    /// The days, the shares of games and the largest donation need a read of every contributor and every donation.
    /// After a change they are read again only once they are ``Limits/growthRestFactor`` times as old as the read took;
    /// until then they lack the newest donations. The largest donation may name a person, so what is shown of it is
    /// read again after every change.
    package func growth(of charity: Slug) async throws -> (growth: CharityGrowth, until: Instant?) {
        var (growth, until) = try await restingGrowth(of: charity)
        var largest = try await shownLargest(growth, of: charity)
        if growth.largest != nil, largest == nil {
            // The largest donation is hidden now, so another one takes its place.
            (growth, until) = (try await readGrowth(of: charity), nil)
            largest = try await shownLargest(growth, of: charity)
        }
        return (CharityGrowth(days: growth.days, games: growth.games, largest: largest), until)
    }

    private func restingGrowth(of charity: Slug) async throws -> (growth: PageReads.Growth, until: Instant?) {
        if standings.areCurrent, let (kept, version) = pageReads.growths.find(charity.description) {
            if version == pageVersion { return (kept, nil) }
            if clock.now < kept.restsUntil { return (kept, kept.restsUntil) }
        }
        return (try await readGrowth(of: charity), nil)
    }

    private func readGrowth(of charity: Slug) async throws -> PageReads.Growth {
        let key = charity.description
        return try await pageReads.growthReads.value(for: key) {
            let (version, start) = (pageVersion, clock.now)
            let read = try await pageReads.growthGate.run { () async throws(StoreError) in
                try await store.growth(of: charity, gamesMax: Limits.growthGamesMax)
            }
            let microseconds = max(0, clock.now.microsecondsSince1970 - start.microsecondsSince1970)
            let rest = Int64(clamping: Int128(microseconds) * Int128(Limits.growthRestFactor) / 1_000_000)
            let growth = PageReads.Growth(
                days: read.days, games: read.games, largest: read.largest,
                restsUntil: clock.now.advanced(bySeconds: min(rest, Limits.growthRestSecondsMax)))
            if standings.areCurrent { pageReads.growths.keep(growth, at: version, for: key) }
            return growth
        }
    }

    /// The largest donation as the public sees it; nil if there is none.
    private func shownLargest(_ growth: PageReads.Growth, of charity: Slug) async throws -> PublicDonation? {
        guard let donation = growth.largest else { return nil }
        let (key, version) = ("\(charity) \(donation.owner) \(donation.id)", pageVersion)
        if standings.areCurrent, let kept = pageReads.largest.find(key, at: version) { return kept }
        return try await pageReads.largestReads.value(for: key) {
            let version = pageVersion
            let shown = try await store.findShown(donation)
            if standings.areCurrent { pageReads.largest.keep(shown, at: version, for: key) }
            return shown
        }
    }

    /// The versions of all that donations, names and boards are shown from.
    private var pageVersion: PageVersion {
        PageVersion(donations: standings.donationVersion, summaries: summaries.version, boards: boardCache.version)
    }
}

/// The versions that a read for pages belongs to.
struct PageVersion: Equatable, Sendable {
    let donations: UInt64
    let summaries: UInt64
    let boards: UInt64
}

/// The last reads of what only pages show.
final class PageReads: Sendable {
    /// What a read of many rows found about a charity. It outlives changes, so it contains nothing about a person.
    struct Growth: Sendable {
        let days: [CharityGrowth.DayTotal]
        let games: [CharityGrowth.GameShare]
        let largest: LedgerRowID?
        /// Until when it is not read again.
        let restsUntil: Instant
    }

    let gameLists = SingleFlight<[ListedGame]>()
    let donationReads = SingleFlight<[PublicDonation]>()
    let awardReads = SingleFlight<Bool>()
    let seasonReads = SingleFlight<[Int32]>()
    let growthReads = SingleFlight<Growth>()
    let largestReads = SingleFlight<PublicDonation?>()
    /// Growth is read from many rows, so only one is at a time.
    let growthGate = FairGate<ClientKey>(
        GateBounds(
            runningMax: 1, runningOfKeyMax: 1, waitingMax: Limits.rangesWaitingMax,
            waitingOfKeyMax: Limits.rangesOfClientWaitingMax))
    let donations = VersionedReads<[PublicDonation], PageVersion>()
    let awards = VersionedReads<Bool, UInt64>()
    let seasons = VersionedReads<[Int32], UInt64>()
    let growths = VersionedReads<Growth, PageVersion>()
    let largest = VersionedReads<PublicDonation?, PageVersion>()
    private let keptGames = Mutex<(games: [ListedGame], version: UInt64)?>(nil)

    func listedGames(at version: UInt64) -> [ListedGame]? {
        keptGames.withLock { kept in kept?.version == version ? kept?.games : nil }
    }

    func keep(_ games: [ListedGame], at version: UInt64) { keptGames.withLock { $0 = (games, version) } }
}

/// Values that were read, each with the version of what it was read from. Where there are too many, one is dropped for
/// each that comes.
final class VersionedReads<Value: Sendable, Version: Equatable & Sendable>: Sendable {
    private let kept = Mutex<[String: (value: Value, version: Version)]>([:])

    func find(_ key: String) -> (value: Value, version: Version)? { kept.withLock { $0[key] } }

    func find(_ key: String, at version: Version) -> Value? {
        guard let (value, keptVersion) = find(key), keptVersion == version else { return nil }
        return value
    }

    func keep(_ value: Value, at version: Version, for key: String) {
        kept.withLock { kept in
            if kept[key] == nil, kept.count >= Limits.pageReadsMax, let other = kept.first?.key { kept[other] = nil }
            kept[key] = (value, version)
        }
    }
}
