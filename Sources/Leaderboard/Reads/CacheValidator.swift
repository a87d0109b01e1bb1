package import Domain
package import Storage
import Synchronization

/// The versions of everything that a ranking was read from, which tell whether it is still current.
package struct CacheValidator: Sendable {
    /// Nil for the ranking of charities.
    let window: InMemoryWindow?
    /// The window's version; for the charities the version of all donations.
    let rows: UInt64
    let summaries: UInt64
    let boardCache: UInt64
    /// When time alone invalidates the ranking: a day ends, or a board or charity closes.
    let until: Instant
}

extension Rankings {
    /// The validator of a ranking. It must be taken before the ranking is read.
    /// - Returns: Nil while the rows are not in memory.
    package func validator(of board: Board, window: Window, days: ClosedRange<Day>?) async throws -> CacheValidator? {
        let days = days ?? window.days(today: board.today)
        let (boardCacheVersion, summariesVersion) = (boardCache.version, summaries.version)
        guard let window = standings.window(of: board, days: days), let rows = window.version else { return nil }
        let now = clock.now
        var ends = [try await boardCache.span(of: board.today...board.today, on: board).upperBound]
        if let closesAt = board.closesAt { ends.append(closesAt) }
        if let days { ends.append(try await boardCache.span(of: days, on: board).upperBound) }
        // All ends may have passed since the board was found; then the ranking is outdated at once, and the next read
        // finds the new day.
        return CacheValidator(
            window: window,
            rows: rows,
            summaries: summariesVersion,
            boardCache: boardCacheVersion,
            until: ends.filter { $0 > now }.min() ?? now
        )
    }

    /// All charities by points received, with the validator of this ranking; it is nil while no stream is followed or
    /// the standings are not current.
    package func allCharities() async throws(StoreError) -> (charities: [Charity], validator: CacheValidator?) {
        if let (charities, validator) = charityCache.value, isCurrent(validator) { return (charities, validator) }
        let isFollowed = standings.areCurrent
        let (rows, boardCacheVersion, summariesVersion) = (
            standings.givingVersion, boardCache.version, summaries.version
        )
        let now = clock.now
        let charities = try await store.charities(now: now)
        guard isFollowed else { return (charities, nil) }
        let closing = charities.compactMap(\.closesAt).filter { $0 > now }.min()
        let validator = CacheValidator(
            window: nil,
            rows: rows,
            summaries: summariesVersion,
            boardCache: boardCacheVersion,
            until: closing ?? Instant(microsecondsSince1970: .max)
        )
        charityCache.keep(charities, validator)
        return (charities, validator)
    }

    /// Whether a ranking with this validator would be the same if it was read now.
    package func isCurrent(_ validator: CacheValidator) -> Bool {
        guard standings.areCurrent, validator.summaries == summaries.version,
            validator.boardCache == boardCache.version,
            clock.now < validator.until
        else { return false }
        return validator.rows == (validator.window.map { $0.version } ?? standings.givingVersion)
    }
}

/// The last ranking of all charities that was read.
final class CharityCache: Sendable {
    private let kept = Mutex<([Charity], CacheValidator)?>(nil)

    var value: ([Charity], CacheValidator)? { kept.withLock { $0 } }

    func keep(_ charities: [Charity], _ validator: CacheValidator) {
        kept.withLock { $0 = (charities, validator) }
    }
}
