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

    /// The numbers of a board's seasons, the newest first.
    package func seasons(of board: Slug, in game: Slug) async throws -> [Int32] {
        let (key, version) = ("\(game)/\(board)", pageVersion.boards)
        if standings.areCurrent, let kept = pageReads.seasons.find(key, at: version) { return kept }
        return try await pageReads.seasonReads.value(for: key) {
            let version = pageVersion.boards
            let seasons = try await store.seasons(of: board, in: game).map(\.number)
            if standings.areCurrent { pageReads.seasons.keep(seasons, at: version, for: key) }
            return seasons
        }
    }

    /// How a charity's total came together, and until when that may be shown.
    ///
    /// It is read from every contributor and every donation. So after a change it is read again only when it is
    /// ``Limits/growthRestFactor`` times as old as the read took, and what is shown until then lacks the newest days.
    package func growth(of charity: Slug) async throws -> (growth: CharityGrowth, until: Instant?) {
        let key = charity.description
        let version = pageVersion
        if standings.areCurrent, let (kept, keptVersion) = pageReads.growths.find(key) {
            if keptVersion == version { return (kept.growth, nil) }
            if clock.now < kept.restsUntil { return (kept.growth, kept.restsUntil) }
        }
        return try await pageReads.growthReads.value(for: key) {
            let (version, start) = (pageVersion, clock.now)
            let growth = try await pageReads.growthGate.run { () async throws(StoreError) in
                try await store.growth(of: charity, gamesMax: Limits.growthGamesMax)
            }
            let microseconds = max(0, clock.now.microsecondsSince1970 - start.microsecondsSince1970)
            let rest = Int64(clamping: Int128(microseconds) * Int128(Limits.growthRestFactor) / 1_000_000)
            if standings.areCurrent {
                let restsUntil = clock.now.advanced(bySeconds: min(rest, Limits.growthRestSecondsMax))
                pageReads.growths.keep(.init(growth: growth, restsUntil: restsUntil), at: version, for: key)
            }
            return (growth, nil)
        }
    }

    /// The versions of all that donations, names and boards are shown from.
    private var pageVersion: PageVersion {
        PageVersion(giving: standings.givingVersion, summaries: summaries.version, boards: boardCache.version)
    }
}

/// The versions that a read for pages belongs to.
struct PageVersion: Equatable, Sendable {
    let giving: UInt64
    let summaries: UInt64
    let boards: UInt64
}

/// The last reads of what only pages show.
final class PageReads: Sendable {
    struct Growth: Sendable {
        let growth: CharityGrowth
        /// Until when it is not read again.
        let restsUntil: Instant
    }

    let gameLists = SingleFlight<[ListedGame]>()
    let donationReads = SingleFlight<[PublicDonation]>()
    let seasonReads = SingleFlight<[Int32]>()
    let growthReads = SingleFlight<(growth: CharityGrowth, until: Instant?)>()
    /// Growth is read from many rows, so only one is at a time.
    let growthGate = AdmissionGate(runningMax: 1, waitingMax: Limits.rangesWaitingMax)
    let donations = VersionedReads<[PublicDonation], PageVersion>()
    let seasons = VersionedReads<[Int32], UInt64>()
    let growths = VersionedReads<Growth, PageVersion>()
    private let keptGames = Mutex<(games: [ListedGame], version: UInt64)?>(nil)

    func listedGames(at version: UInt64) -> [ListedGame]? {
        keptGames.withLock { kept in kept?.version == version ? kept?.games : nil }
    }

    func keep(_ games: [ListedGame], at version: UInt64) {
        keptGames.withLock { $0 = (games, version) }
    }
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
