/// Splits a whole number among parties without losing or inventing any of it, by the largest remainder (Hamilton's
/// method).
package enum Allotment {
    /// Splits by shares.
    /// - Parameters:
    ///   - total: 0 or more.
    ///   - shares: 0 or more each, at least one of them above 0. Their sum is within 64 bits.
    /// - Returns: One number for each share, in their order, with the sum `total`; nil for other arguments.
    package static func split(_ total: Int64, byShares shares: [Int64]) -> [Int64]? {
        guard total >= 0 else { return nil }
        var sum: Int64 = 0
        for share in shares {
            let (next, overflows) = sum.addingReportingOverflow(share)
            guard share >= 0, !overflows else { return nil }
            sum = next
        }
        return split(total, byTargets: shares.map { Int128($0) * Int128(total) }, over: sum)
    }

    /// Splits by what each party should get, which may be a fraction, or below 0 for a party that got too much before.
    ///
    /// Each party gets the whole part of its target, or 0. Those with the largest rest get 1 more until everything is
    /// given; if too much is given, those with the smallest rest lose 1 again. Of equal parties the earlier one gains,
    /// and the later one loses.
    /// - Parameters:
    ///   - total: 0 or more.
    ///   - targets: Numerators, each at least `-denominator * targets.count`, with the sum `denominator * total`.
    ///   - denominator: 1 or more.
    /// - Returns: One number for each target, in their order, with the sum `total`; nil for other arguments.
    package static func split(_ total: Int64, byTargets targets: [Int128], over denominator: Int64) -> [Int64]? {
        guard total >= 0, denominator > 0, isSum(targets, of: Int128(total) * Int128(denominator)) else { return nil }
        let lowest = -Int128(denominator) * Int128(targets.count)
        var parts: [(number: Int128, rest: Int128)] = []
        var given: Int128 = 0
        for target in targets {
            guard target >= lowest else { return nil }
            let number = target > 0 ? target / Int128(denominator) : 0
            parts.append((number, target - number * Int128(denominator)))
            given += number
        }
        let order = parts.indices.sorted { (parts[$0].rest, $1) > (parts[$1].rest, $0) }
        // Fewer than `targets.count` are left, as each rest is below 1.
        for index in order.prefix(Int(clamping: max(0, Int128(total) - given))) { parts[index].number += 1 }
        while given > Int128(total) {
            // The later one of equal rests is taken.
            let some = parts.indices.reversed().filter { parts[$0].number > 0 }
            guard let last = some.min(by: { parts[$0].rest < parts[$1].rest }) else { return nil }
            parts[last].number -= 1
            parts[last].rest += Int128(denominator)
            given -= 1
        }
        return parts.map { Int64(clamping: $0.number) }
    }

    private static func isSum(_ numbers: [Int128], of sum: Int128) -> Bool {
        var left = sum
        for number in numbers {
            let (next, overflows) = left.subtractingReportingOverflow(number)
            guard !overflows else { return false }
            left = next
        }
        return left == 0
    }
}
