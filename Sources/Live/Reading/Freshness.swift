package import Domain
package import Storage
import Synchronization

/// What a ranking was read from, by which to see that nothing has changed since.
package struct Freshness: Sendable {
    /// Nil for the charities.
    let set: LiveSet?
    /// Of the set, or of all that is given.
    let rows: UInt64
    let faces: UInt64
    let catalogue: UInt64
    /// When the clock alone makes it another one: a day ends, a board or a charity closes.
    let until: Instant
}

extension Rankings {
    /// To be taken before the ranking is read.
    /// - Returns: Nil while the rows are not in memory.
    package func freshness(of board: Board, window: Window, days: ClosedRange<Day>?) async throws -> Freshness? {
        let days = days ?? window.days(today: board.today)
        let (catalogueVersion, facesVersion) = (catalogue.version, faces.version)
        guard let set = standings.set(of: board, days: days), let rows = set.version else { return nil }
        let now = clock.now
        var ends = [try await catalogue.span(of: board.today...board.today, on: board).upperBound]
        if let closesAt = board.closesAt { ends.append(closesAt) }
        if let days { ends.append(try await catalogue.span(of: days, on: board).upperBound) }
        // The day's end may have passed since the board was found; then the very next look finds another.
        return Freshness(
            set: set, rows: rows, faces: facesVersion, catalogue: catalogueVersion, until: ends.filter { $0 > now }.min() ?? now)
    }

    /// All charities by points received, and by what to see that they are still so; that is nil while gifts are not followed.
    package func allCharities() async throws(StoreError) -> (charities: [Charity], freshness: Freshness?) {
        if let (charities, freshness) = keptCharities.value, isFresh(freshness) { return (charities, freshness) }
        let isFollowed = standings.areCurrent
        let (rows, catalogueVersion, facesVersion) = (standings.givingVersion, catalogue.version, faces.version)
        let now = clock.now
        let charities = try await store.charities(now: now)
        guard isFollowed else { return (charities, nil) }
        let closing = charities.compactMap(\.closesAt).filter { $0 > now }.min()
        let freshness = Freshness(
            set: nil, rows: rows, faces: facesVersion, catalogue: catalogueVersion,
            until: closing ?? Instant(microsecondsSince1970: .max))
        keptCharities.keep(charities, freshness)
        return (charities, freshness)
    }

    /// Whether a ranking that was read then would be the same now.
    package func isFresh(_ freshness: Freshness) -> Bool {
        guard standings.areCurrent, freshness.faces == faces.version, freshness.catalogue == catalogue.version,
            clock.now < freshness.until
        else { return false }
        return freshness.rows == (freshness.set.map { $0.version } ?? standings.givingVersion)
    }
}

/// The charities as they were read last.
final class KeptCharities: Sendable {
    private let kept = Mutex<([Charity], Freshness)?>(nil)

    var value: ([Charity], Freshness)? { kept.withLock { $0 } }

    func keep(_ charities: [Charity], _ freshness: Freshness) {
        kept.withLock { $0 = (charities, freshness) }
    }
}
