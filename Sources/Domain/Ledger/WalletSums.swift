/// The sums of a player's points. `earned = voided + held + left + funded` and `given = funded + unfunded` hold for
/// every player, and so for all together.
package struct WalletSums: Sendable, Equatable {
    package let earned: Int64
    package let voided: Int64
    package let held: Int64
    /// Without donations that were reversed.
    package let given: Int64

    package init(earned: Int64, voided: Int64, held: Int64, given: Int64) {
        self.earned = earned
        self.voided = voided
        self.held = held
        self.given = given
    }

    package static let zero = WalletSums(earned: 0, voided: 0, held: 0, given: 0)

    /// The points that can be behind donations. The database holds that this is 0 or more.
    private var spendable: Int64 { earned - voided - held }
    /// The points that can still be given.
    package var left: Int64 { max(0, spendable - given) }
    /// The points that were given and are no longer behind the donations.
    package var unfunded: Int64 { max(0, given - spendable) }
    package var funded: Int64 { given - unfunded }

    /// The sums as they would be if nothing had been given anonymously: what those may see who may not know it.
    /// - Parameter named: What was given by name meanwhile.
    package func without(anonymousBeside named: GivenByName) -> WalletSums {
        WalletSums(earned: earned, voided: max(0, voided - named.forfeited), held: held, given: named.given)
    }
}

/// What a player gave by name, and what its anonymous donations did to the wallet beside being given.
package struct GivenByName: Sendable, Equatable {
    /// Without donations that were reversed.
    package let given: Int64
    /// Points of anonymous donations that were reversed and did not come back: they are among the voided ones.
    package let forfeited: Int64

    package static let zero = GivenByName(given: 0, forfeited: 0)

    package init(given: Int64, forfeited: Int64) {
        self.given = given
        self.forfeited = forfeited
    }
}
