import CauseboardClient

/// A save with a field of each rule.
struct Journey: Mergeable {
    var level = Greatest(1)
    var coins = DeviceSum()
    var badges = GrowingSet<String>()
    var colour = Newest("none")

    func merged(with other: Journey) -> Journey {
        Journey(
            level: level.merged(with: other.level),
            coins: coins.merged(with: other.coins),
            badges: badges.merged(with: other.badges),
            colour: colour.merged(with: other.colour)
        )
    }

    var text: String { "\(level.value) \(coins.sum) \(badges.members.sorted().joined(separator: ",")) \(colour.value)" }
}
