import Synchronization

/// A number that increases with every change of something that is read from the ledgers by SQL.
///
/// A commit is in the stream a moment before other transactions see it, so what is read in between is outdated,
/// although its version is the newest. So the number also increases when the commit is acknowledged, and a little later.
final class LedgerVersion: Sendable {
    private let count = Atomic<UInt64>(0)
    /// The stream has brought changes: since the last call of ``changedAgain()``, and before.
    private let hasNew = Atomic(false)
    private let hadNew = Atomic(false)

    var number: UInt64 { count.load(ordering: .acquiring) }

    /// The stream has brought a change.
    func changed() {
        hasNew.store(true, ordering: .relaxed)
        acknowledged()
    }

    /// A change is about to be acknowledged.
    func acknowledged() {
        count.wrappingAdd(1, ordering: .acquiringAndReleasing)
    }

    /// Called about once a second: what the stream has brought before the last call is seen by everybody now.
    func changedAgain() {
        if hadNew.exchange(hasNew.exchange(false, ordering: .relaxed), ordering: .relaxed) { acknowledged() }
    }
}
