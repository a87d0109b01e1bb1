import Concurrency
package import Domain
import OrderStatistics
package import Storage

/// Reads every ranking, from memory while it is current and from SQL otherwise; all formats and addresses share these
/// reads.
package final class Rankings: Sendable {
    /// A board as an address names it.
    package enum Subject: Sendable, Hashable {
        /// - Parameter season: Nil for the season that is being played.
        case score(game: Slug, board: Slug, season: Int32?)
        /// The contributors of a charity.
        case charity(Slug)
        /// The contributors of all charities together, players of all games.
        case contributors
    }

    let store: Store
    let clock: ServerClock
    private let sizes: BoardSizes
    let standings: InMemoryStandings
    let summaries: PlayerSummaryCache
    let boardCache: BoardCache
    let charityCache: CharityCache
    let pageReads: PageReads
    let highScores: SingleFlight<(highScores: HighScores, validator: CacheValidator?)>
    private let ranges: FairGate<ClientKey>
    let ownReads: OwnGate<Player.ID>
    let callers: KnownCallers
    let merged: MergedPlayers
    let erased: ErasedPlayers
    let ties: PlayerCache<MemberSet>
    let holds: PlayerCache<HeldScores>
    let teams: TeamStandings
    let awards: AwardCandidates
    let campaignCache: CampaignCache

    package init(store: Store, clock: ServerClock, memory: LeaderboardMemory) {
        self.store = store
        self.clock = clock
        sizes = memory.sizes
        standings = memory.standings
        summaries = memory.summaries
        boardCache = memory.boardCache
        charityCache = memory.charities
        pageReads = memory.pageReads
        highScores = memory.highScores
        ranges = memory.ranges
        ownReads = memory.ownReads
        callers = memory.callers
        merged = memory.merged
        erased = memory.erased
        ties = memory.ties
        teams = memory.teams
        awards = memory.awards
        campaignCache = memory.campaigns
        holds = memory.holds
    }

    /// - Returns: Nil when there is no such game, board, season or charity.
    package func findBoard(_ subject: Subject) async throws(StoreError) -> Board? {
        try await boardCache.findBoard(subject, now: clock.now)
    }

    /// Consecutive rows of a board, best first.
    /// - Parameters:
    ///   - days: The window's days if a cursor has fixed them; nil resolves the window now.
    ///   - limitRows: 1...100.
    ///   - includesTotal: Whether the ranking says how many rows are ranked in all, which may cost a count.
    ///   - includesDetails: Whether rows have the details of their scores, if the board shows them.
    package func ranking(
        of board: Board, window: Window, days: ClosedRange<Day>?, pageRequest: PageRequest, limitRows: Int,
        includesTotal: Bool, includesDetails: Bool = false
    ) async throws -> Ranking {
        let days = days ?? window.days(today: board.today)
        var page = try await page(of: board, days: days, pageRequest: pageRequest, limitRows: limitRows + 1)
        var ranks = Self.ranks(page, ties: board.ties)
        let shown = page.trim(to: limitRows, for: pageRequest)
        ranks.keep(shown.rows)
        return try await ranking(
            of: board, window: window, days: days, page, ranks, hasNext: shown.hasNext, hasPrevious: shown.hasPrevious,
            includesTotal: includesTotal, detailsFor: includesDetails ? .everybody : nil)
    }

    /// A player's row and its neighbours, with the player in the middle; empty when the player has no row.
    /// - Parameters:
    ///   - isOwn: Whether the player itself asks, who is told of scores that are held.
    ///   - limitRows: 1...100, the player's row included.
    package func ranking(
        of board: Board, window: Window, around player: Player.ID, isOwn: Bool = false, limitRows: Int,
        includesTotal: Bool, includesDetails: Bool = false
    ) async throws -> Ranking {
        let days = window.days(today: board.today)
        var player = try await survivor(of: player)
        // Nobody has this id, so the page is empty.
        if try await isErased(player) { player = Player.ID(rawValue: 0) }
        let place = isOwn ? try await ownPlace(of: player, on: board, days: days) : nil
        var page =
            if let place { try await page(of: board, days: days, around: place, limitRows: limitRows) } else {
                try await page(of: board, days: days, around: player, limitRows: limitRows)
            }
        var ranks = Self.ranks(page, ties: board.ties)
        let mine = page.rows.firstIndex { $0.player == player } ?? 0
        let start = InMemoryPage.start(around: mine, count: page.rows.count, limitRows: limitRows)
        let shown = start..<min(start + limitRows, page.rows.count)
        let hasNext = shown.upperBound < page.rows.count
        let hasPrevious = (page.position ?? 1) + Int64(start) > 1 && !shown.isEmpty
        page.rows.keep(shown)
        ranks.keep(shown)
        return try await ranking(
            of: board, window: window, days: days, page, ranks, hasNext: hasNext, hasPrevious: hasPrevious,
            includesTotal: includesTotal, detailsFor: !includesDetails ? nil : place == nil ? .everybody : .own(player))
    }

    /// The rows of some players, best first. Players without a row are left out.
    /// - Parameter players: At most 100.
    package func ranking(
        of board: Board, window: Window, players: [Player.ID], includesTotal: Bool, includesDetails: Bool = false
    ) async throws -> Ranking {
        let days = window.days(today: board.today)
        let positioned = try await positioned(survivors(of: players), on: board, days: days)
        let page = Page(rows: positioned.map(\.standing), position: nil, sharedPosition: nil, size: nil)
        return try await ranking(
            of: board, window: window, days: days, page, positioned.map { $0.rankPosition.rank(board.ties) },
            among: Ranking.Among(players: .chosen, places: Ranks.places(page.rows.map(\.points), ties: board.ties)),
            hasNext: false, hasPrevious: false, includesTotal: includesTotal,
            detailsFor: includesDetails ? .everybody : nil)
    }

    /// The number of ranked rows in all.
    package func size(of board: Board, window: Window) async throws -> Int64 {
        try await sizes.size(of: board, days: window.days(today: board.today))
    }

    /// How many of the ranked rows are anonymous donations, of which each has a row of its own.
    package func anonymousSize(of board: Board, window: Window) async throws -> Int64 {
        guard board.kind == .donation else { return 0 }
        return try await sizes.anonymousSize(of: board, days: window.days(today: board.today))
    }

    /// The pictures of a ranking's rows in base64, by hash.
    package func pictures(of ranking: Ranking) async throws(StoreError) -> [AvatarHash: [UInt8]] {
        try await store.avatars(Set(ranking.rows.compactMap(\.avatar))).mapValues { base64Encoded($0) }
    }

    func page(of board: Board, days: ClosedRange<Day>?, pageRequest: PageRequest, limitRows: Int)
        async throws(StoreError) -> Page
    {
        if let rows = standings.read(
            board, days: days, { set, _ in InMemoryPage(set, pageRequest: pageRequest, limitRows: limitRows) })
        {
            return try await page(rows, of: board, days: days)
        }
        return try await bySQL(days) { () async throws(StoreError) in
            try await store.page(of: board.id, days: days, pageRequest: pageRequest, limitRows: limitRows)
        }
    }

    /// The neighbours that are shown, or more of them, and the row after them.
    private func page(of board: Board, days: ClosedRange<Day>?, around player: Player.ID, limitRows: Int)
        async throws(StoreError) -> Page
    {
        let rows = standings.read(board, days: days) { set, _ in
            InMemoryPage(set, around: player.rawValue, limitRows: limitRows)
        }
        guard let rows else {
            return try await bySQL(days) { () async throws(StoreError) in
                try await store.page(of: board.id, days: days, around: player, sideRows: limitRows)
            }
        }
        return if let rows { try await page(rows, of: board, days: days) } else {
            Page(rows: [], position: nil, sharedPosition: nil, size: nil)
        }
    }

    private func page(_ page: InMemoryPage, of board: Board, days: ClosedRange<Day>?) async throws(StoreError) -> Page {
        var rows = cachedStandings(page.rows, lowestFirst: board.lowestFirst)
        if rows == nil {
            let summaries = try await summaries.summaries(of: page.rows.map(\.row)) {
                // A client that reads one page probably reads the next, so the rows on either side are read along.
                let start = max(0, page.start - Limits.summariesReadAheadMax)
                let end = page.start + page.rows.count + Limits.summariesReadAheadMax
                return standings.readAlong(board, days: days) { set, _ in set.rows(from: start, limit: end - start) }?
                    .map(\.row) ?? []
            }
            rows = zip(page.rows, summaries).map { $0.standing($1, lowestFirst: board.lowestFirst) }
        }
        return Page(
            rows: rows ?? [], position: page.rows.isEmpty ? nil : Int64(page.start) + 1,
            sharedPosition: page.rows.isEmpty ? nil : Int64(page.better) + 1, size: Int64(page.size))
    }

    /// The ranking's rows while all of their players are in the cache; nil otherwise.
    private func cachedStandings(_ rows: [RankedRow], lowestFirst: Bool) -> [Standing]? {
        var standings: [Standing] = []
        standings.reserveCapacity(rows.count)
        for row in rows {
            guard let summary = summaries.find(row.row) else { return nil }
            standings.append(row.standing(summary, lowestFirst: lowestFirst))
        }
        return standings
    }

    /// Runs statements. Those that add up a window of days have to wait for their turn.
    func bySQL<Value>(_ days: ClosedRange<Day>?, _ read: () async throws(StoreError) -> Value) async throws(StoreError)
        -> Value
    { if days == nil { try await read() } else { try await inTurn(read) } }

    /// Runs statements that add up many rows when it is their turn.
    func inTurn<Value>(_ read: () async throws(StoreError) -> Value) async throws(StoreError) -> Value {
        try await ranges.run(read)
    }

    static func ranks(_ page: Page, ties: Board.Ties) -> [Rank] {
        Ranks.consecutive(
            page.rows.map(\.points), from: page.position ?? 1, sharedFrom: page.sharedPosition ?? 1,
            limitRows: page.rows.count, ties: ties)
    }

    func ranking(
        of board: Board, window: Window, days: ClosedRange<Day>?, _ page: Page, _ ranks: [Rank],
        among: Ranking.Among? = nil, hasNext: Bool, hasPrevious: Bool, includesTotal: Bool,
        detailsFor readers: DetailReaders?
    ) async throws -> Ranking {
        var size = page.size
        if includesTotal, size == nil { size = try await sizes.size(of: board, days: days) }
        var span: Range<Instant>?
        if let days { span = try await boardCache.span(of: days, on: board) }
        var (rows, awaitsDetails) = (page.rows, false)
        if let readers { awaitsDetails = try await addDetails(to: &rows, of: board, for: readers) }
        return Ranking(
            board: board, window: window, days: days, span: span,
            isFinal: Self.isFinal(board, span: span, now: clock.now), size: includesTotal ? size : nil, rows: rows,
            ranks: ranks, among: among, hasNext: hasNext, hasPrevious: hasPrevious, awaitsDetails: awaitsDetails)
    }

    /// Whether the ranking cannot change any more: the season or the window is over, or the board has closed.
    static func isFinal(_ board: Board, span: Range<Instant>?, now: Instant) -> Bool {
        if board.endedAt != nil { return true }
        if let closesAt = board.closesAt, closesAt <= now { return true }
        return span.map { $0.upperBound <= now } ?? false
    }
}

extension Array {
    /// Removes the elements before and after a range, in place.
    mutating func keep(_ range: Range<Int>) {
        removeLast(count - range.upperBound)
        removeFirst(range.lowerBound)
    }
}

extension Page {
    /// Removes the rows that are not shown. The rows beyond those tell whether more follow or precede, and whether the
    /// last shown row is tied, so take the ranks before.
    /// - Returns: Which rows stay, and whether the ranking has more after or before them.
    mutating func trim(to limitRows: Int, for pageRequest: PageRequest) -> (
        rows: Range<Int>, hasNext: Bool, hasPrevious: Bool
    ) {
        var shown = 0..<min(rows.count, limitRows)
        if case .before(let sortKey) = pageRequest {
            let end = rows.firstIndex { !$0.sortKey.precedes(sortKey) } ?? rows.count
            shown = max(0, end - limitRows)..<end
        }
        let hasNext = shown.upperBound < rows.count && !shown.isEmpty
        let hasPrevious = (position ?? 1) + Int64(shown.lowerBound) > 1 && !shown.isEmpty
        rows.keep(shown)
        return (shown, hasNext, hasPrevious)
    }
}

/// Who reads the details in a ranking.
enum DetailReaders {
    case everybody
    /// A player whose own row stands where its held scores count.
    case own(Player.ID)
}

// The details that came with the scores behind rows. Memory has none of them, so SQL is asked about the rows of a page.
extension Rankings {
    /// Adds details to rows, from the first one on, as far as `Limits.detailsOfPageBytesMax` allows.
    /// - Returns: Whether a row's score was not found. The stream brings a commit a moment before SQL shows it.
    func addDetails(to rows: inout [Standing], of board: Board, for readers: DetailReaders) async throws(StoreError)
        -> Bool
    {
        guard board.details == .public else { return false }
        let named = rows.filter { $0.player != nil }
        if named.isEmpty { return false }
        let asking: Player.ID? = if case .own(let player) = readers { player } else { nil }
        let details = try await store.details(of: named, on: board.id, asking: asking)
        var bytesLeft = Limits.detailsOfPageBytesMax
        for index in rows.indices where rows[index].player != nil {
            guard let detail = details[rows[index].sortKey.row] ?? nil else { continue }
            bytesLeft -= detail.utf8.count
            if bytesLeft < 0 { break }
            rows[index].detail = detail
        }
        return details.count < named.count
    }
}
