public import Contract

/// One row of the server's ranking with what this device has not sent yet.
public struct MergedRow: Sendable, Hashable {
    /// As it will probably be when everything is sent.
    public let rank: Int
    public let name: String
    public let points: Int128
    /// Nil for an anonymous donor, and for a player who has not registered yet.
    public let player: Int64?
    public let avatar: String?
    /// The flag that the player shows: `DE` or, of a region, `DE-BE`.
    public let flag: String?
    /// What came with the score, where the board shows it; nil while the score has not been sent.
    public let detail: Detail?
    /// Whether the row is this device's player's.
    public let isMine: Bool
    /// Whether its points have not been sent yet.
    public let isPending: Bool
}

extension Ranking {
    /// This page as it will probably be when the player's pending scores are sent. Equal points go below those that the
    /// server has, because they will come later.
    /// - Parameters:
    ///   - pending: The player's scores that the server has not answered yet, in the order in which they were played.
    ///   - player: The player's id; nil before registering.
    ///   - order: Which points are better on this board.
    ///   - policy: Which of a player's scores counts on this board.
    /// - Returns: As many rows as the page has, or one more when it has all and the player was not among them.
    public func merged(
        with pending: [LocalEntry], player: Int64?, order: BoardSettings.Order, policy: BoardSettings.Policy = .best
    ) -> [MergedRow] {
        let own = player.flatMap { id in rows.first { $0.player == id } }
        var merged = rows.filter { own == nil || $0.player != player }.map { MergedRow($0, isMine: false) }
        if let mine = Self.pendingRow(pending, own, player, order, policy) {
            let place = merged.firstIndex { order.isBetter(mine.points, than: $0.points) } ?? merged.count
            merged.insert(mine, at: place)
        } else if let own, let place = rows.firstIndex(of: own) {
            merged.insert(MergedRow(own, isMine: true), at: place)
        }
        let rowsMax = next == nil ? rows.count + 1 : rows.count
        return Self.ranked(Array(merged.prefix(rowsMax)), from: rows.first?.rank ?? 1, ties ?? .first)
    }

    /// The player's row with what is pending; nil when that changes nothing.
    private static func pendingRow(
        _ pending: [LocalEntry], _ own: RankedRow?, _ player: Int64?, _ order: BoardSettings.Order,
        _ policy: BoardSettings.Policy
    ) -> MergedRow? {
        let counted = pending.filter { $0.state == .pending }
        guard let latest = counted.last else { return nil }
        let points: Int128
        switch policy {
        case .latest: points = Int128(latest.points)
        case .sum: points = counted.reduce(own?.points ?? 0) { saturated($0, plus: Int128($1.points)) }
        case .best:
            let best = counted.map(\.points).reduce(latest.points) { order.isBetter($1, than: $0) ? $1 : $0 }
            if let own, !order.isBetter(Int128(best), than: own.points) { return nil }
            points = Int128(best)
        }
        return MergedRow(
            rank: 0, name: own?.name ?? latest.name, points: points, player: player, avatar: own?.avatar,
            flag: own?.flag, detail: nil, isMine: true, isPending: true)
    }

    private static func ranked(_ rows: [MergedRow], from first: Int, _ ties: Ties) -> [MergedRow] {
        var ranked: [MergedRow] = []
        for (place, row) in rows.enumerated() {
            let shares = ties == .shared && ranked.last?.points == row.points
            ranked.append(MergedRow(row, rank: shares ? ranked.last?.rank ?? first : saturated(first, plus: place)))
        }
        return ranked
    }

    /// What a server says may be as much as a number holds.
    private static func saturated<Number: FixedWidthInteger>(_ one: Number, plus other: Number) -> Number {
        let (sum, overflow) = one.addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }
}

extension MergedRow {
    fileprivate init(_ row: RankedRow, isMine: Bool) {
        self.init(
            rank: row.rank, name: row.name, points: row.points, player: row.player, avatar: row.avatar, flag: row.flag,
            detail: row.detail, isMine: isMine, isPending: false)
    }

    fileprivate init(_ row: MergedRow, rank: Int) {
        self.init(
            rank: rank, name: row.name, points: row.points, player: row.player, avatar: row.avatar, flag: row.flag,
            detail: row.detail, isMine: row.isMine, isPending: row.isPending)
    }
}
