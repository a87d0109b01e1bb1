import Domain
import Synchronization

/// Bounds the exports that are sent at the same time, in all and to one address.
///
/// A full server still takes an export: it ends one whose client has stopped reading, or one of the address that has
/// most. So nobody keeps the others out by reading slowly, from a few addresses.
final class ExportSlots: Sendable {
    private struct Export {
        let address: IPAddress?
        /// Since when its client has not taken the piece that it was sent; nil while there is none.
        var waitsSince: ContinuousClock.Instant?
        /// Ends it; nil until it begins.
        var cut: (@Sendable () -> Void)?
    }

    private struct State {
        /// By their numbers, which grow.
        var exports: [UInt64: Export] = [:]
        var last: UInt64 = 0

        /// The export whose client has not read for the longest time, if that is long.
        func stalled(at now: ContinuousClock.Instant) -> UInt64? {
            let since = now - .seconds(Limits.exportStalledSeconds)
            return exports.filter { ($0.value.waitsSince ?? now) <= since }
                .min { ($0.value.waitsSince ?? now) < ($1.value.waitsSince ?? now) }?.key
        }

        /// The oldest export of the address with the most, if these are more than so many.
        func oldestOfMost(above count: Int) -> UInt64? {
            Dictionary(grouping: exports.keys) { exports[$0]?.address }.values
                .filter { $0.count > count }
                .max { ($0.count, $1.min() ?? 0) < ($1.count, $0.min() ?? 0) }?
                .min()
        }
    }

    private let slotsMax: Int
    private let ofAddressMax: Int
    private let state = Mutex(State())

    init(_ slotsMax: Int, ofAddress ofAddressMax: Int = Limits.exportsOfAddress) {
        (self.slotsMax, self.ofAddressMax) = (slotsMax, ofAddressMax)
    }

    /// A slot, which is free again when it is freed or nobody holds it any more.
    final class Slot: Sendable {
        private let slots: ExportSlots
        private let number: UInt64

        fileprivate init(_ slots: ExportSlots, _ number: UInt64) {
            (self.slots, self.number) = (slots, number)
        }

        deinit { free() }

        func free() {
            // What ends the export is released after the lock.
            _ = slots.state.withLock { $0.exports.removeValue(forKey: number) }
        }

        /// The export begins.
        /// - Parameter cut: Ends it, for another one. It is called at once when that had to be before the beginning.
        func begin(_ cut: @escaping @Sendable () -> Void) {
            let isThere = slots.state.withLock { state in
                state.exports[number]?.cut = cut
                return state.exports[number] != nil
            }
            if !isThere { cut() }
        }

        /// Since when the client has not taken what it was sent; nil when it has.
        func isWaiting(since instant: ContinuousClock.Instant?) {
            slots.state.withLock { $0.exports[number]?.waitsSince = instant }
        }
    }

    /// - Parameter address: Whose slot it is; nil where addresses are not bounded.
    /// - Throws: 429 when the address has as many as it may have, 503 when all are taken by others who have few.
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
