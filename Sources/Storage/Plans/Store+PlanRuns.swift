import Credentials
package import Domain
import FoundationEssentials
import Postgres
import Statements

// Plans that are due. What each gives is decided under the lock of its player and stored. Its donations have ids that
// follow from that, so they can be made again after a failure at any moment.
extension Store {
    /// Runs `body` while no other process carries out plans.
    /// - Returns: Nil when another one does.
    package func carryingOutPlans<Value: Sendable>(_ body: () async -> Value) async throws(StoreError) -> Value? {
        do throws(PostgresError) {
            return try await generalPool.withConnection { connection throws(PostgresError) in
                try await connection.transaction { connection throws(PostgresError) in
                    guard try await connection.row(PlanLock()) else { return nil }
                    return await body()
                }
            }
        } catch { throw failure(error) }
    }

    /// Decides what some of the plans give that are due.
    /// - Parameter cursor: The last plan that was looked at; nil for the first ones. It moves on, and is nil at the
    ///   end. Plans of players that another transaction has locked are left for later.
    package func decidePlans(after cursor: inout PlanCursor?, now: Instant) async throws(StoreError) -> PlanDecisions {
        let asked = PlansDue(afterDay: cursor?.day, afterPlayer: cursor?.player)
        let (due, decisions) = try await ledger { connection throws(PostgresError) in
            try await connection.transaction { connection throws(PostgresError) in
                let due = try await connection.rows(asked)
                guard !due.isEmpty else { return (due, PlanDecisions()) }
                // The lock is taken before the statement that reads has its snapshot.
                let locked = try await connection.rows(WalletsLock(players: due.map(\.player).sorted())).map(\.player)
                let plans = try await connection.rows(PlansRead(players: locked, now: now))
                let ids = Set(plans.flatMap(\.charities)).sorted()
                let charities = try await connection.rows(PlanCharities(charities: ids, now: now))
                let runs = plans.map { $0.run(charities, now: now) }
                try await connection.run(all: runs)
                return (due, PlanDecisions(runs))
            }
        }
        cursor =
            due.count == Int(Limits.planRunsAtOnce) ? due.last.map { PlanCursor(day: $0.day, player: $0.player) } : nil
        return decisions
    }

    /// The runs whose donations were decided and may not all have been made, at most ``Limits/planRunsAtOnce``.
    package func openPlanRuns() async throws(StoreError) -> [OpenRun] {
        try await changing { connection throws(PostgresError) in try await connection.rows(PlanRunsOpen()) }
    }

    /// Notes what a run gave, as the ledger says, after all its donations were tried.
    /// - Parameter refused: Why each of its lines was refused, by the charity.
    /// - Returns: Whether anything was donated; nil when somebody else has noted it.
    @discardableResult package func note(_ run: OpenRun, refused: [Slug: PlanSkip], now: Instant)
        async throws(StoreError) -> Bool?
    {
        let asked = PlanRunGiven(player: run.player, version: run.version, day: run.day)
        return try await changing { connection throws(PostgresError) in
            try await connection.transaction { connection throws(PostgresError) in
                guard let found = try await connection.firstRow(asked) else { return nil }
                let refusals = Dictionary(run.lines.map { ($0.place, refused[$0.charity]) }) { first, _ in first }
                let done = found.done { refusals[$0] ?? nil }
                try await connection.run(
                    PlanRunNote(
                        player: run.player, version: run.version, day: run.day, points: done.points,
                        skipped: done.skipped, owed: done.owed, now: now))
                return done.points.contains { $0 > 0 }
            }
        }
    }
}

/// The place of a plan among those that are due.
package struct PlanCursor: Sendable {
    let day: Day
    let player: Player.ID
}

/// How many plans were decided at once.
package struct PlanDecisions: Sendable, Equatable {
    /// Those that give something.
    package let giving: Int
    /// Those that give nothing, and are done.
    package let skipped: Int

    fileprivate init(_ runs: [PlanRunAdd] = []) {
        giving = runs.count { $0.points.contains { $0 > 0 } }
        skipped = runs.count - giving
    }
}

/// The plan that a player has, with its charities by id.
struct HeldPlan: RowDecodable {
    let charities: [Int32]
    let shares: [Int32]
    /// Nil before its first run.
    let owed: [Int64]?

    init(row: inout RowReader) throws(DecodingFailure) {
        (charities, shares, owed) = (try row.next(), try row.next(), try row.next())
    }

    init(charities: [Int32], shares: [Int32], owed: [Int64]?) {
        (self.charities, self.shares, self.owed) = (charities, shares, owed)
    }

    /// The lines, and the slugs of their charities in the same order.
    func lines(_ charities: [PlanCharity]) -> ([PlanLine], [Slug]) {
        let known = Dictionary(charities.map { ($0.id, $0) }) { first, _ in first }
        var (lines, slugs): ([PlanLine], [Slug]) = ([], [])
        for (index, (id, share)) in zip(self.charities, shares).enumerated() {
            guard let charity = known[id] else { continue }
            let owed = owed.flatMap { $0.indices.contains(index) ? $0[index] : nil } ?? 0
            lines.append(
                PlanLine(share: share, owed: owed, skip: charity.isOpen ? nil : .charityClosed, room: charity.room))
            slugs.append(charity.slug)
        }
        return (lines, slugs)
    }
}

extension DuePlan {
    fileprivate func run(_ known: [PlanCharity], now: Instant) -> PlanRunAdd {
        let (lines, slugs) = HeldPlan(charities: charities, shares: shares, owed: owed).lines(known)
        let left = ready.subtractingReportingOverflow(keep)
        var split = PlanSplit(skipping: lines, because: skip ?? .nothingLeft)
        if skip == nil, !left.overflow, left.partialValue >= 1 { split = PlanSplit(left.partialValue, among: lines) }
        let ids = slugs.map { slug in
            UUID(name: "plan|\(player.rawValue)|\(version)|\(day.isoDate)|\(slug.description)")
        }
        return PlanRunAdd(
            player: player, version: version, day: day, points: split.points, ids: ids, skipped: split.skipped,
            owed: lines.map(\.owed), nextDay: nextDay, now: now)
    }
}

extension GivenRun {
    /// - Parameter refusal: Why the line at a place was refused; nil when that is not known.
    fileprivate func done(_ refusal: (Int) -> PlanSkip?) -> (points: [Int64], skipped: [PlanSkip?], owed: [Int64]) {
        let given = zip(points, self.given).map { $0 > 0 ? $1 ?? 0 : 0 }
        let lines = zip(shares, owed).map { PlanLine(share: $0, owed: $1) }
        let why = skipped.indices.map { index in
            points.indices.contains(index) && points[index] > 0 && given[index] == 0
                ? refusal(index) ?? .overspent : skipped[index]
        }
        let split = PlanSplit(points: points, skipped: why)
        return (given, why, split.owed(by: lines, given: given))
    }
}
