import Synchronization

/// A number that increases whenever data that SQL reads from the ledgers changes.
///
/// A commit reaches the stream a moment before other transactions see it. A read in between gets old data under the
/// newest version. So the number increases again when the commit is acknowledged, and once more a little later.
final class LedgerVersion: Sendable {
    private let count = Atomic<UInt64>(0)
    /// Whether the stream brought changes since the last call of ``changedAgain()``, and before it.
    private let hasNew = Atomic(false)
    private let hadNew = Atomic(false)

    var number: UInt64 { count.load(ordering: .acquiring) }

    /// The stream has brought a change.
    func changed() {
        hasNew.store(true, ordering: .relaxed)
        acknowledged()
    }

    /// A change is about to be acknowledged.
    func acknowledged() { count.wrappingAdd(1, ordering: .acquiringAndReleasing) }

    /// Called about once a second. Everybody sees by now what the stream brought before the previous call.
    func changedAgain() {
        if hadNew.exchange(hasNew.exchange(false, ordering: .relaxed), ordering: .relaxed) { acknowledged() }
    }
}
