/// The sums of a player's points. `earned = voided + held + left + funded` and `given = funded + unfunded` hold for
/// every player, and so for all together.
package struct WalletSums: Sendable, Equatable {
    package let earned: Int64
    package let voided: Int64
    package let held: Int64
    /// Without donations that were reversed.
    package let donated: Int64

    package init(earned: Int64, voided: Int64, held: Int64, donated: Int64) {
        self.earned = earned
        self.voided = voided
        self.held = held
        self.donated = donated
    }

    package static let zero = WalletSums(earned: 0, voided: 0, held: 0, donated: 0)

    /// The points that can be behind donations. The database holds that this is 0 or more.
    private var spendable: Int64 { earned - voided - held }
    /// The points that can still be donated.
    package var left: Int64 { max(0, spendable - donated) }
    /// The points that were donated and are no longer behind the donations.
    package var unfunded: Int64 { max(0, donated - spendable) }
    package var funded: Int64 { donated - unfunded }

    /// The sums as they would be if nothing had been donated anonymously: what those may see who may not know it.
    /// - Parameter named: What was donated by name meanwhile.
    package func without(anonymousBeside named: DonatedByName) -> WalletSums {
        WalletSums(earned: earned, voided: max(0, voided - named.forfeited), held: held, donated: named.donated)
    }
}

/// What a player donated by name, and what its anonymous donations did to the wallet beside being donated.
package struct DonatedByName: Sendable, Equatable {
    /// Without donations that were reversed.
    package let donated: Int64
    /// Points of anonymous donations that were reversed and did not come back: they are among the voided ones.
    package let forfeited: Int64

    package static let zero = DonatedByName(donated: 0, forfeited: 0)

    package init(donated: Int64, forfeited: Int64) {
        self.donated = donated
        self.forfeited = forfeited
    }
}
