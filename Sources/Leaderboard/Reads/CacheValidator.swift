package import Domain
package import Storage
import Synchronization

/// What a ranking was read from, by which to see that nothing has changed since.
package struct CacheValidator: Sendable {
    /// Nil for the charities.
    let set: InMemoryWindow?
    /// Of the set, or of all that is given.
    let rows: UInt64
    let summaries: UInt64
    let boardCache: UInt64
    /// When the clock alone makes it another one: a day ends, a board or a charity closes.
    let until: Instant
}

extension Rankings {
    /// To be taken before the ranking is read.
    /// - Returns: Nil while the rows are not in memory.
    package func validator(of board: Board, window: Window, days: ClosedRange<Day>?) async throws -> CacheValidator? {
        let days = days ?? window.days(today: board.today)
        let (boardCacheVersion, summariesVersion) = (boardCache.version, summaries.version)
        guard let set = standings.set(of: board, days: days), let rows = set.version else { return nil }
        let now = clock.now
        var ends = [try await boardCache.span(of: board.today...board.today, on: board).upperBound]
        if let closesAt = board.closesAt { ends.append(closesAt) }
        if let days { ends.append(try await boardCache.span(of: days, on: board).upperBound) }
        // The day's end may have passed since the board was found; then the very next look finds another.
        return CacheValidator(
            set: set,
            rows: rows,
            summaries: summariesVersion,
            boardCache: boardCacheVersion,
            until: ends.filter { $0 > now }.min() ?? now
        )
    }

    /// All charities by points received, and by what to see that they are still so; that is nil while donations are not
    /// followed.
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
            set: nil,
            rows: rows,
            summaries: summariesVersion,
            boardCache: boardCacheVersion,
            until: closing ?? Instant(microsecondsSince1970: .max)
        )
        charityCache.keep(charities, validator)
        return (charities, validator)
    }

    /// Whether a ranking that was read then would be the same now.
    package func isCurrent(_ validator: CacheValidator) -> Bool {
        guard standings.areCurrent, validator.summaries == summaries.version,
            validator.boardCache == boardCache.version,
            clock.now < validator.until
        else { return false }
        return validator.rows == (validator.set.map { $0.version } ?? standings.givingVersion)
    }
}

/// The charities as they were read last.
final class CharityCache: Sendable {
    private let kept = Mutex<([Charity], CacheValidator)?>(nil)

    var value: ([Charity], CacheValidator)? { kept.withLock { $0 } }

    func keep(_ charities: [Charity], _ validator: CacheValidator) {
        kept.withLock { $0 = (charities, validator) }
    }
}
