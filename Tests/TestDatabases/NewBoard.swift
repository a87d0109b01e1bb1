package import Domain
package import Storage

/// A score board of a test, as plain values.
package struct NewBoard: Sendable {
    package var game: Slug
    package var slug: Slug
    package var name: DisplayName
    package var policy: Board.Policy
    package var lowestFirst: Bool
    package var bounds: ClosedRange<Int64>
    package var zone: String
    package var ties: Board.Ties
    package var earning: Earning
    package var earnMax: Int64?
    package var earnDay: Int64?
    package var opensAt: Instant?
    package var closesAt: Instant?
    package var display = PointsDisplay.Form.number
    package var unit: PointsUnit?
    package var trust = Board.Trust.open
    package var holds = HoldSettings()
    package var details = Board.Details.private

    package init(
        game: Slug, slug: Slug, name: DisplayName, policy: Board.Policy, lowestFirst: Bool, bounds: ClosedRange<Int64>,
        zone: String, ties: Board.Ties, earning: Earning, earnMax: Int64?, earnDay: Int64?, opensAt: Instant?,
        closesAt: Instant?, display: PointsDisplay.Form = .number, unit: PointsUnit? = nil, trust: Board.Trust = .open,
        holds: HoldSettings = HoldSettings(), details: Board.Details = .private
    ) {
        self.game = game
        self.slug = slug
        self.name = name
        self.policy = policy
        self.lowestFirst = lowestFirst
        self.bounds = bounds
        self.zone = zone
        self.ties = ties
        self.earning = earning
        self.earnMax = earnMax
        self.earnDay = earnDay
        self.opensAt = opensAt
        self.closesAt = closesAt
        self.display = display
        self.unit = unit
        self.trust = trust
        self.holds = holds
        self.details = details
    }
}

extension NewBoard {
    /// Its settings, of which those that are nil are not set.
    package var settings: BoardChange {
        var change = BoardChange()
        change.name = name
        change.policy = policy
        change.lowestFirst = lowestFirst
        change.pointsMin = bounds.lowerBound
        change.pointsMax = bounds.upperBound
        change.zone = zone
        change.ties = ties
        change.earning = earning
        change.earnMax = Patch(ifAny: earnMax)
        change.earnDay = Patch(ifAny: earnDay)
        change.opensAt = Patch(ifAny: opensAt)
        change.closesAt = Patch(ifAny: closesAt)
        change.display = display
        change.unit = Patch(ifAny: unit)
        change.trust = trust
        change.details = details
        change.holds.above = Patch(ifAny: holds.above)
        change.holds.rate = Patch(ifAny: holds.rate)
        change.holds.pace = Patch(ifAny: holds.pace)
        change.holds.judgeMinutes = Patch(ifAny: holds.judgeMinutes)
        change.holds.settleMinutes = Patch(ifAny: holds.settleMinutes)
        return change
    }
}

extension Patch { fileprivate init(ifAny value: Value?) { self = value.map { .set($0) } ?? .keep } }

extension Administration {
    package func addBoard(_ board: NewBoard, now: Instant) async throws(StoreError) -> AdminOutcome {
        try await addBoard(board.slug, in: board.game, board.settings, now: now)
    }
}
