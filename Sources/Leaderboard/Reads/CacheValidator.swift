package import Domain
import Storage

/// The versions of everything that a ranking was read from, which tell whether it is still current.
package struct CacheValidator: Sendable {
    /// Nil for the ranking of charities.
    let window: InMemoryWindow?
    /// The window's version; for the charities the version of all donations.
    let rows: UInt64
    let before: ReadVersions
    /// When time alone invalidates the ranking: a day ends, or a board or charity closes.
    let until: Instant
}

/// The versions of what every ranking is read from, and the time. They are taken before anything is read, so that a
/// change during the read is noticed.
package struct ReadVersions: Sendable {
    let boardCache: UInt64
    let summaries: UInt64
    let at: Instant
}

extension Rankings {
    /// The versions of now. Take them before the board of a ranking is found.
    package var versions: ReadVersions {
        ReadVersions(boardCache: boardCache.version, summaries: summaries.version, at: clock.now)
    }

    /// The validator of a ranking. It must be taken before the ranking is read.
    /// - Parameter before: The versions from before `board` was found.
    /// - Returns: Nil while the rows are not in memory.
    package func validator(of board: Board, window: Window, days: ClosedRange<Day>?, since before: ReadVersions)
        async throws -> CacheValidator?
    {
        let days = days ?? window.days(today: board.today)
        guard let window = standings.window(of: board, days: days), let rows = window.version else { return nil }
        var ends = [try await boardCache.span(of: board.today...board.today, on: board).upperBound]
        if let closesAt = board.closesAt { ends.append(closesAt) }
        if let days { ends.append(try await boardCache.span(of: days, on: board).upperBound) }
        // What ended before the board was found is over in the ranking, too. What has ended since may be either, so the
        // ranking is outdated at once.
        return CacheValidator(window: window, rows: rows, before: before, until: Self.next(ends, after: before.at))
    }

    /// All charities by points received, with the validator of this ranking; it is nil while no stream is followed or
    /// the standings are not current.
    ///
    /// The statement adds up every contributor, so all who ask at the same time share one read.
    package func allCharities() async throws -> (charities: [Charity], validator: CacheValidator?) {
        if let (charities, validator) = charityCache.value, isCurrent(validator) { return (charities, validator) }
        return try await charityCache.reads.value(for: "") {
            let isFollowed = standings.areCurrent
            let (rows, before) = (standings.givingVersion, versions)
            let charities = try await store.charities(now: before.at)
            guard isFollowed else { return (charities, nil) }
            let until = Self.next(charities.compactMap(\.closesAt), after: before.at)
            let validator = CacheValidator(window: nil, rows: rows, before: before, until: until)
            charityCache.keep(charities, validator)
            return (charities, validator)
        }
    }

    /// Whether a ranking with this validator would be the same if it was read now.
    package func isCurrent(_ validator: CacheValidator) -> Bool {
        guard standings.areCurrent, validator.before.summaries == summaries.version,
            validator.before.boardCache == boardCache.version,
            clock.now < validator.until
        else { return false }
        return validator.rows == (validator.window.map { $0.version } ?? standings.givingVersion)
    }

    private static func next(_ ends: [Instant], after instant: Instant) -> Instant {
        ends.filter { $0 > instant }.min() ?? Instant(microsecondsSince1970: .max)
    }
}
