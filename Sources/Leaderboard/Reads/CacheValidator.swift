import Concurrency
package import Domain
import Storage

/// The versions of everything that a document was read from, which tell whether it is still current.
package struct CacheValidator: Sendable {
    /// Something that changes by itself, and its version.
    enum Watched: Sendable {
        case window(InMemoryWindow, UInt64)
        /// The teams of a board.
        case teams(TeamWindow, UInt64)
        /// Rows of a window by the flags of their players.
        case flagged(FlaggedRows, UInt64)
        /// All donations.
        case donations(UInt64)
        /// The posts on the board of classic clients.
        case bestPosts(UInt64)
        /// The details of scores that somebody took down.
        case details(UInt64)
        /// The awards of all games, as their operators set them.
        case awards(UInt64)
        /// The settings of campaigns.
        case campaigns(UInt64)
        /// When milestones of campaigns were reached.
        case milestones(Slug, UInt64)
    }

    private(set) var watched: [Watched]
    private(set) var before: ReadVersions
    /// When time alone invalidates the document: a day ends, or a board or charity closes.
    private(set) var until: Instant

    /// The validator of a document that was read from all of these.
    /// - Returns: Nil when one of them is nil, or when there are none.
    package static func all(of validators: [CacheValidator?]) -> CacheValidator? {
        var all: CacheValidator?
        for validator in validators {
            guard let validator else { return nil }
            guard var sum = all else {
                all = validator
                continue
            }
            sum.watched += validator.watched
            sum.before = ReadVersions(
                boardCache: min(sum.before.boardCache, validator.before.boardCache),
                summaries: min(sum.before.summaries, validator.before.summaries),
                campaigns: min(sum.before.campaigns, validator.before.campaigns),
                at: min(sum.before.at, validator.before.at))
            sum.until = min(sum.until, validator.until)
            all = sum
        }
        return all
    }

    /// The validator of a document that is read again at an instant, and when a board or a name has changed.
    static func timed(since before: ReadVersions, until: Instant) -> CacheValidator {
        CacheValidator(watched: [], before: before, until: until)
    }

    /// The validator of a document that is read again at an instant at the latest.
    package func until(_ instant: Instant?) -> CacheValidator {
        var validator = self
        if let instant { validator.until = min(until, instant) }
        return validator
    }
}

/// The versions of what every ranking is read from, and the time. They are taken before anything is read, so that a
/// change during the read is noticed.
package struct ReadVersions: Sendable {
    let boardCache: UInt64
    let summaries: UInt64
    /// The settings of campaigns.
    let campaigns: UInt64
    package let at: Instant
}

extension Rankings {
    /// The versions of now. Take them before the board of a ranking is found.
    package var versions: ReadVersions {
        ReadVersions(
            boardCache: boardCache.version, summaries: summaries.version, campaigns: campaignCache.settings.number,
            at: clock.now)
    }

    /// The validator of a ranking. It must be taken before the ranking is read.
    /// - Parameters:
    ///   - byFlags: Whether rows by flags are read, too.
    ///   - before: The versions from before `board` was found.
    /// - Returns: Nil while the rows are not in memory.
    package func validator(
        of board: Board, window: Window, days: ClosedRange<Day>?, byFlags: Bool = false, since before: ReadVersions
    ) async throws -> CacheValidator? {
        let days = days ?? window.days(today: board.today)
        guard let window = standings.loadedWindow(of: board, days: days), let rows = window.version else { return nil }
        var ends = [try await boardCache.span(of: board.today...board.today, on: board).upperBound]
        ends += [board.opensAt, board.closesAt].compactMap(\.self)
        if let days { ends.append(try await boardCache.span(of: days, on: board).upperBound) }
        // What ended before the board was found is over in the ranking, too. What has ended since may be either, so the
        // ranking is outdated at once.
        var watched = [CacheValidator.Watched.window(window, rows)]
        if byFlags {
            guard let rows = standings.flaggedRows(of: board, days: days), let version = rows.version else {
                return nil
            }
            watched.append(.flagged(rows, version))
        }
        if board.details == .public { watched.append(.details(standings.details.number)) }
        return CacheValidator(watched: watched, before: before, until: Self.next(ends, after: before.at))
    }

    /// All charities by points received, with the validator of this ranking; it is nil while no stream is followed or
    /// the standings are not current.
    ///
    /// The statement adds up every contributor, so all who ask at the same time share one read.
    package func allCharities() async throws -> (charities: [Charity], validator: CacheValidator?) {
        if let (charities, validator) = charityCache.value, isCurrent(validator) { return (charities, validator) }
        return try await charityCache.reads.value(for: "") {
            let isFollowed = standings.areCurrent
            let (rows, before) = (standings.donationVersion, versions)
            let charities = try await store.charities(now: before.at)
            guard isFollowed else { return (charities, nil) }
            let until = Self.next(charities.compactMap(\.closesAt), after: before.at)
            let validator = CacheValidator(watched: [.donations(rows)], before: before, until: until)
            charityCache.keep(charities, validator)
            return (charities, validator)
        }
    }

    /// Whether a ranking with this validator would be the same if it was read now. If so its windows count as read, so
    /// that those of cached feeds stay in memory.
    package func isCurrent(_ validator: CacheValidator) -> Bool {
        guard standings.areCurrent, validator.before.summaries == summaries.version,
            validator.before.boardCache == boardCache.version, clock.now < validator.until
        else { return false }
        let isSame = validator.watched.allSatisfy { watched in
            switch watched {
            case .window(let window, let version): window.version == version
            case .teams(let window, let version): window.version == version
            case .flagged(let rows, let version): rows.version == version
            case .donations(let version): standings.donationVersion == version
            case .bestPosts(let version): standings.bestPosts.number == version
            case .details(let version): standings.details.number == version
            case .awards(let version): awards.version.number == version
            case .campaigns(let version): campaignCache.settings.number == version
            case .milestones(let campaign, let version): campaignCache.timesVersion(of: campaign) == version
            }
        }
        guard isSame else { return false }
        for watched in validator.watched {
            switch watched {
            case .window(let window, _): standings.touch(window)
            case .teams(let window, _): teams.touch(window)
            case .flagged(let rows, _): standings.touch(rows)
            case .donations, .bestPosts, .details, .awards, .campaigns, .milestones: break
            }
        }
        return true
    }

    /// The validator of what is read of the donations alone. It must be taken before they are read.
    /// - Returns: Nil while no stream is followed or the standings are not current.
    package func donationValidator(since before: ReadVersions) -> CacheValidator? {
        guard standings.areCurrent else { return nil }
        let never = Instant(microsecondsSince1970: .max)
        return CacheValidator(watched: [.donations(standings.donationVersion)], before: before, until: never)
    }

    /// The validator of reads of the best posts. Take it before reading them.
    var bestPostsValidator: CacheValidator? {
        guard standings.areCurrent else { return nil }
        let watched = CacheValidator.Watched.bestPosts(standings.bestPosts.number)
        return CacheValidator(watched: [watched], before: versions, until: Instant(microsecondsSince1970: .max))
    }

    /// The validator of what is read of the awards of games, without who has them. Take it before reading them.
    /// - Returns: Nil while no stream is followed or the standings are not current.
    package var awardValidator: CacheValidator? {
        guard standings.areCurrent else { return nil }
        let watched = CacheValidator.Watched.awards(awards.version.number)
        return CacheValidator(watched: [watched], before: versions, until: Instant(microsecondsSince1970: .max))
    }

    /// The validator of what changes by time alone, such as the books of a day that is over.
    /// - Parameter until: When it changes; nil for never.
    /// - Returns: Nil while no stream is followed or the standings are not current.
    package func timeValidator(until instant: Instant?) -> CacheValidator? {
        guard standings.areCurrent else { return nil }
        return CacheValidator(watched: [], before: versions, until: instant ?? Instant(microsecondsSince1970: .max))
    }

    static func next(_ ends: [Instant], after instant: Instant) -> Instant {
        ends.filter { $0 > instant }.min() ?? Instant(microsecondsSince1970: .max)
    }
}
