/// What one plays for on a board, and how skill and practice show in it.
enum Sport: Sendable {
    case arcade, lapMilliseconds, metres, penaltySeconds, wordPoints, rating, holePoints, handicapTenths, strokes

    /// - Parameters:
    ///   - skill: A standard normal deviate.
    ///   - practice: 0 for the first post, towards 1 with the sixtieth.
    ///   - last: What the player had here before.
    func points(skill: Double, practice: Double, last: Int64?, _ chance: inout Chance) -> Int64 {
        switch self {
        case .arcade: 10 * Int64(grown(5.9 + 0.55 * skill + 0.8 * practice + 0.5 * chance.bell()))
        case .lapMilliseconds: 41_000 + Int64(30_000 * grown(-0.45 * skill - 0.5 * practice + 0.25 * chance.bell()))
        case .metres: 800 + Int64(2_400 * grown(0.4 * skill + 0.3 * chance.bell()))
        case .penaltySeconds: chance.happens(percent: 60) ? 0 : 5 * (1 + chance.below(4 as Int64))
        case .wordPoints: 14 + Int64(30 * grown(0.35 * skill + 0.35 * chance.bell()))
        case .rating: min(max((last ?? Int64(1_200 + 180 * skill)) + chance.below(49 as Int64) - 24 + Int64(4 * skill), 100), 3_000)
        case .holePoints: 4 + chance.below(14 as Int64) + Int64(max(0, 4 * skill))
        case .handicapTenths: min(max((last ?? Int64(300 - 60 * skill)) + chance.below(15 as Int64) - 9, 0), 540)
        case .strokes: 24 + Int64(20 * grown(-0.3 * skill - 0.3 * practice + 0.15 * chance.bell()))
        }
    }
}
