/// What counts of a score or a donation that is in a ledger.
package enum LedgerState: String, Sendable {
    case counted
    /// A score that is kept out of every ranking until somebody decides about it.
    case held
    /// A score that counts nowhere.
    case voided
    /// A donation that was taken back.
    case reversed
}
