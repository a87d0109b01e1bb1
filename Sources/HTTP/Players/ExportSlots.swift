import Domain
import HTTPServer
import Synchronization

/// Limits the number of exports that run at the same time, in all and for each address.
///
/// When all slots are taken, a new export ends another one: one whose client has stopped reading, or one of the address
/// with the most exports. So slow readers at a few addresses cannot block the others.
final class ExportSlots: Sendable {
    private struct Export {
        let address: IPAddress?
        /// When the client stopped taking the last piece; nil while no piece waits for it.
        var waitsSince: ContinuousClock.Instant?
        /// Ends it; nil until it begins.
        var cut: (@Sendable () -> Void)?
    }

    private struct State {
        /// By number, in ascending order.
        var exports: [UInt64: Export] = [:]
        var last: UInt64 = 0

        /// The export whose client has been stalled longest, if that is long enough.
        func stalled(at now: ContinuousClock.Instant) -> UInt64? {
            let since = now - .seconds(Limits.exportStalledSeconds)
            return exports.filter { ($0.value.waitsSince ?? now) <= since }.min {
                ($0.value.waitsSince ?? now) < ($1.value.waitsSince ?? now)
            }?.key
        }

        /// The oldest export of the address with the most exports, if it has more than a given number.
        func oldestOfMost(above count: Int) -> UInt64? {
            Dictionary(grouping: exports.keys) { exports[$0]?.address }.values.filter { $0.count > count }.max {
                ($0.count, $1.min() ?? 0) < ($1.count, $0.min() ?? 0)
            }?.min()
        }
    }

    private let slotsMax: Int
    private let ofAddressMax: Int
    private let state = Mutex(State())

    init(_ slotsMax: Int, ofAddress ofAddressMax: Int = Limits.exportsOfAddress) {
        (self.slotsMax, self.ofAddressMax) = (slotsMax, ofAddressMax)
    }

    /// A slot. It becomes free when it is freed or deallocated.
    final class Slot: Sendable {
        private let slots: ExportSlots
        private let number: UInt64

        fileprivate init(_ slots: ExportSlots, _ number: UInt64) { (self.slots, self.number) = (slots, number) }

        deinit { free() }

        func free() {
            // What ends the export is released after the lock.
            _ = slots.state.withLock { $0.exports.removeValue(forKey: number) }
        }

        /// The export begins.
        /// - Parameter cut: Ends the export to make room for another. It is called at once if that was decided earlier.
        func begin(_ cut: @escaping @Sendable () -> Void) {
            let isThere = slots.state.withLock { state in
                state.exports[number]?.cut = cut
                return state.exports[number] != nil
            }
            if !isThere { cut() }
        }

        /// When the client stopped taking what was sent; nil if it has taken everything.
        func isWaiting(since instant: ContinuousClock.Instant?) {
            slots.state.withLock { $0.exports[number]?.waitsSince = instant }
        }
    }

    /// - Parameter address: The address that uses the slot; nil if its address has no limit.
    /// - Throws: 429 if the address is at its limit; 503 if all slots are taken by other addresses with few exports.
    func take(for address: IPAddress?, at now: ContinuousClock.Instant = .now) throws(Problem) -> Slot {
        let (result, cut) = state.withLock { state -> (Result<UInt64, Problem>, (@Sendable () -> Void)?) in
            let mine = state.exports.values.count { $0.address == address }
            if address != nil, mine >= ofAddressMax { return (.failure(Problem(.exportsOfAddress)), nil) }
            var cut: (@Sendable () -> Void)?
            if state.exports.count >= slotsMax {
                guard let number = state.stalled(at: now) ?? state.oldestOfMost(above: mine + 1) else {
                    return (.failure(.busy), nil)
                }
                cut = state.exports.removeValue(forKey: number)?.cut
            }
            state.last += 1
            state.exports[state.last] = Export(address: address)
            return (.success(state.last), cut)
        }
        cut?()
        return Slot(self, try result.get())
    }
}
