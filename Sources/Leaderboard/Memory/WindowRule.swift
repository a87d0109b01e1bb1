import Domain
import OrderStatistics
import Storage

/// How a player's row in a window follows from the player's days: the rule of `window_standing` in SQL, applied change
/// by change.
struct WindowRule: Sendable {
    let policy: Board.Policy
    let lowestFirst: Bool

    enum Outcome {
        case set(RankedRow)
        case remove
        case nothing
        /// The player's other days are needed to know the row.
        case unknown
    }

    func row(_ id: Int64, _ value: PointsReached) -> RankedRow? {
        // `Int64.min` has no negative. No rollup holds it.
        guard value.points > .min else { return nil }
        return RankedRow(
            orderKey: lowestFirst ? value.points : 0 - value.points, reachedAt: value.reachedAt.microsecondsSince1970,
            row: id)
    }

    /// The outcome of a change of one rollup for a player's row.
    /// - Parameters:
    ///   - current: The player's row in the window before the change.
    ///   - isWhole: Whether the changed rollup is all that the window has of the player, as for all time or one day.
    func outcome(of change: RollupChange, current: RankedRow?, isWhole: Bool) -> Outcome {
        guard let value = change.new else {
            if isWhole { return current == nil ? .nothing : .remove }
            return change.old == nil ? .nothing : .unknown
        }
        guard let new = row(change.row, value) else { return .unknown }
        guard !isWhole, let current else { return change.old == nil || isWhole ? .set(new) : .unknown }
        let old = change.old.flatMap { row(change.row, $0) }
        switch policy {
        case .sum: return sum(current, old, new)
        case .latest:
            // The latest day counts. A later rollup replaces the row, and an earlier one does not matter unless it was
            // the one that counted.
            if new.reachedAt > current.reachedAt { return .set(new) }
            if let old, old.reachedAt == current.reachedAt { return new == current ? .nothing : .unknown }
            return new.reachedAt == current.reachedAt ? .unknown : .nothing
        case .best:
            if (new.orderKey, new.reachedAt) <= (current.orderKey, current.reachedAt) { return .set(new) }
            if let old, (old.orderKey, old.reachedAt) == (current.orderKey, current.reachedAt) { return .unknown }
            return .nothing
        }
    }

    private func sum(_ current: RankedRow, _ old: RankedRow?, _ new: RankedRow) -> Outcome {
        let (without, underflow) = current.orderKey.subtractingReportingOverflow(old?.orderKey ?? 0)
        let (total, overflow) = without.addingReportingOverflow(new.orderKey)
        guard !underflow, !overflow else { return .unknown }
        if new.reachedAt >= current.reachedAt {
            return .set(RankedRow(orderKey: total, reachedAt: new.reachedAt, row: new.row))
        }
        // The day's last point is now earlier than before, and it had been the last of the window.
        if let old, old.reachedAt == current.reachedAt { return .unknown }
        return .set(RankedRow(orderKey: total, reachedAt: current.reachedAt, row: new.row))
    }
}
