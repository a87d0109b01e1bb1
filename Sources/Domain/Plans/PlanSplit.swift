/// One line of a plan when it runs.
package struct PlanLine: Sendable, Equatable {
    /// ``Limits/planShares``.
    package let share: Int32
    /// What the plan owes the line from its former runs, in points times the sum of all shares. It is below 0 for a
    /// line that was rounded up. The lines of a plan owe each other, so the sum is 0.
    package let owed: Int64
    /// Why the charity takes nothing now; nil when it does.
    package let skip: PlanSkip?
    /// Points that the charity may still receive; nil without a cap.
    package let room: Int64?

    package init(share: Int32, owed: Int64 = 0, skip: PlanSkip? = nil, room: Int64? = nil) {
        (self.share, self.owed, self.skip, self.room) = (share, owed, skip, room)
    }
}

/// How a plan splits points among its lines.
///
/// Each line gets its share as exactly as whole points can be, and what is missing with the next run, so that no line
/// is ever two points off. A line whose charity takes nothing, or not so much, is left out: its share stays in the
/// wallet, and what the plan owes stays as it is.
package struct PlanSplit: Sendable, Equatable {
    /// What each line gets.
    package private(set) var points: [Int64]
    /// Why a line is left out; nil for a line that takes part.
    package private(set) var skipped: [PlanSkip?]

    /// - Parameters:
    ///   - points: 0 or more.
    ///   - lines: In the order of their charities' slugs.
    package init(_ points: Int64, among lines: [PlanLine]) {
        skipped = lines.map(\.skip)
        self.points = Self.split(points, among: lines, leavingOut: skipped)
        // Leaving one line out may raise others above their caps.
        while let beyond = lines.indices.filter({ self.points[$0] > lines[$0].room ?? .max }).nonEmpty {
            for index in beyond { skipped[index] = .capReached }
            self.points = Self.split(points, among: lines, leavingOut: skipped)
        }
    }

    /// Nobody gets anything, for the same reason.
    package init(skipping lines: [PlanLine], because skip: PlanSkip) {
        points = lines.map { _ in 0 }
        skipped = lines.map { _ in skip }
    }

    /// A split that was made before.
    package init(points: [Int64], skipped: [PlanSkip?]) { (self.points, self.skipped) = (points, skipped) }

    private static func split(_ points: Int64, among lines: [PlanLine], leavingOut skipped: [PlanSkip?]) -> [Int64] {
        let whole = lines.reduce(0) { $0 + Int64($1.share) }
        if skipped.allSatisfy({ $0 == nil }) {
            let targets = targets(points, lines)
            if let parts = Allotment.split(points, byTargets: targets, over: whole) { return parts }
        }
        let shares = zip(lines, skipped).map { $1 == nil ? Int64($0.share) : 0 }
        let part = Int128(points) * Int128(shares.reduce(0, +)) / Int128(max(whole, 1))
        return Allotment.split(Int64(clamping: part), byShares: shares) ?? lines.map { _ in 0 }
    }

    /// What each line should get, times the sum of all shares.
    private static func targets(_ points: Int64, _ lines: [PlanLine]) -> [Int128] {
        lines.map { Int128($0.share) * Int128(points) + Int128($0.owed) }
    }

    /// What the plan owes each line afterwards: as before, if a line was left out or did not get its points.
    /// - Parameter given: What each line has got in the end.
    package func owed(by lines: [PlanLine], given: [Int64]) -> [Int64] {
        guard skipped.allSatisfy({ $0 == nil }), given == points else { return lines.map(\.owed) }
        let whole = lines.reduce(0) { $0 + Int128($1.share) }
        let targets = Self.targets(points.reduce(0) { $0.addingReportingOverflow($1).partialValue }, lines)
        return zip(targets, given).map { Int64(clamping: $0 - Int128(whole) * Int128($1)) }
    }
}

extension Array { fileprivate var nonEmpty: Self? { isEmpty ? nil : self } }
