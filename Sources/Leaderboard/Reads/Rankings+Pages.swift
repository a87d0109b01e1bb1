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
        try await pageReads.donations.value(for: "\(charity?.description ?? "") \(limitRows)") {
            try await store.newestDonations(to: charity, limitRows: limitRows)
        }
    }

    /// How a charity's total came together, and until when that may be shown.
    ///
    /// It is read from every contributor and every donation. So after a change it is read again only when it is
    /// ``Limits/growthRestFactor`` times as old as the read took, and what is shown until then lacks the newest days.
    package func growth(of charity: Slug) async throws -> (growth: CharityGrowth, until: Instant?) {
        let version = standings.givingVersion
        if standings.areCurrent, let kept = pageReads.growth(of: charity) {
            if kept.version == version { return (kept.growth, nil) }
            if clock.now < kept.restsUntil { return (kept.growth, kept.restsUntil) }
        }
        return try await pageReads.growths.value(for: charity.description) {
            let (version, start) = (standings.givingVersion, clock.now)
            let growth = try await ranges.run { () async throws(StoreError) in
                try await store.growth(of: charity, gamesMax: Limits.growthGamesMax)
            }
            let microseconds = max(0, clock.now.microsecondsSince1970 - start.microsecondsSince1970)
            let rest = Int64(clamping: Int128(microseconds) * Int128(Limits.growthRestFactor) / 1_000_000)
            if standings.areCurrent {
                let restsUntil = clock.now.advanced(bySeconds: min(rest, Limits.growthRestSecondsMax))
                pageReads.keep(.init(growth: growth, version: version, restsUntil: restsUntil), of: charity)
            }
            return (growth, nil)
        }
    }
}

/// The last reads of what only pages show.
final class PageReads: Sendable {
    struct Growth: Sendable {
        let growth: CharityGrowth
        /// The version of all donations before it was read.
        let version: UInt64
        /// Until when it is not read again.
        let restsUntil: Instant
    }

    let gameLists = SingleFlight<[ListedGame]>()
    let donations = SingleFlight<[PublicDonation]>()
    let growths = SingleFlight<(growth: CharityGrowth, until: Instant?)>()
    private let keptGames = Mutex<(games: [ListedGame], version: UInt64)?>(nil)
    private let keptGrowths = Mutex<[Slug: Growth]>([:])

    func listedGames(at version: UInt64) -> [ListedGame]? {
        keptGames.withLock { kept in kept?.version == version ? kept?.games : nil }
    }

    func keep(_ games: [ListedGame], at version: UInt64) {
        keptGames.withLock { $0 = (games, version) }
    }

    func growth(of charity: Slug) -> Growth? { keptGrowths.withLock { $0[charity] } }

    func keep(_ growth: Growth, of charity: Slug) {
        keptGrowths.withLock { growths in
            if growths.count >= Limits.growthsMax { growths = [:] }
            growths[charity] = growth
        }
    }
}
