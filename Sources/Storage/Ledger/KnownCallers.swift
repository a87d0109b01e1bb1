package import Domain
import Synchronization

/// Remembers for whom callers speak, so that most batches need not ask the database.
///
/// It is kept current by the replication stream, which brings every change of devices, keys and games and every player
/// who was erased, and is asked only while the stream is current. So a token or a key that was revoked, by whichever
/// process, is refused within the stream's lag, which is two seconds at most; and one whose device has left the player
/// as soon as it has, because the player's wallet counts that. Refusals are never remembered.
package final class KnownCallers: Sendable {
    /// What `callers_identify.sql` is asked of one row.
    struct Question: Hashable, Sendable {
        /// The caller, without what it claims.
        let caller: Caller
        let game: Slug?
        let isScore: Bool

        init(_ caller: Caller, game: Slug?, isScore: Bool) {
            self.caller = caller.withoutClaims
            self.game = game
            self.isScore = isScore
        }
    }

    struct Known: Sendable {
        let player: Player.ID
        /// The player before a merge, else the same.
        let own: Player.ID
        /// How often somebody had ceased to speak for the player by then.
        let callersLeft: Int32
    }

    /// What an answer depends on, beside keys and games.
    private enum Dependency: Hashable {
        case device(DeviceHash)
        /// The player whom the caller names, which speaks for no device.
        case player(Player.ID)
    }

    private struct Entry {
        let caller: Known
        let dependency: Dependency
        /// When the caller's key ends.
        let expiresAt: Instant?

        func isGood(at now: Instant) -> Bool { expiresAt.map { now < $0 } ?? true }
    }

    /// The entries of a time, by what was asked and by what the answer depends on.
    private struct Generation {
        var entries: [Question: Entry] = [:]
        var dependents: [Dependency: [Question]] = [:]

        mutating func set(_ entry: Entry, for question: Question) {
            guard entries.updateValue(entry, forKey: question) == nil else { return }
            dependents[entry.dependency, default: []].append(question)
        }

        mutating func forget(_ question: Question) {
            guard let dependency = entries.removeValue(forKey: question)?.dependency else { return }
            dependents[dependency]?.removeAll { $0 == question }
            if dependents[dependency]?.isEmpty ?? false { dependents[dependency] = nil }
        }

        mutating func forget(_ dependency: Dependency) {
            for question in dependents.removeValue(forKey: dependency) ?? [] { entries[question] = nil }
        }
    }

    private struct State {
        var isFollowing = false
        /// Counts what was forgotten, so that nothing is remembered that was read before.
        var version: UInt64 = 0
        var young = Generation()
        /// What was asked for before the young generation began; it is dropped when that one is full.
        var old = Generation()
        /// What is kept no longer. It may be 200,000 entries, so it is released after the lock.
        var dropped: [Generation] = []

        mutating func forgetAll() {
            version &+= 1
            dropped += [young, old]
            (young, old) = (Generation(), Generation())
        }
    }

    private let entriesMax: Int
    private let isCurrent: @Sendable () -> Bool
    private let state = Mutex(State())

    /// - Parameters:
    ///   - entriesMax: The most entries of each of two generations.
    ///   - isCurrent: Whether the stream has brought everything that this process has acknowledged, and what others
    ///     have committed until two seconds ago.
    package init(entriesMax: Int = Limits.knownCallersMax, isCurrent: @escaping @Sendable () -> Bool) {
        self.entriesMax = entriesMax
        self.isCurrent = isCurrent
    }

    /// The number of entries.
    package var count: Int { state.withLock { $0.young.entries.count + $0.old.entries.count } }

    /// Begins or ends to follow a stream. Nothing that was read before its beginning is believed.
    package func setFollowing(_ isFollowing: Bool) {
        change { state in
            state.forgetAll()
            state.isFollowing = isFollowing
        }
    }

    /// Forgets what depends on a device, which has changed.
    package func forget(_ device: DeviceHash) { forget(.device(device)) }

    /// Forgets who names a player, which was erased. Its devices are told of as such.
    package func forget(_ player: Player.ID) { forget(.player(player)) }

    /// Forgets who was found to speak for players for whom it does not any more.
    func forget(_ questions: [Question]) {
        state.withLock { state in
            state.version &+= 1
            for question in questions {
                state.young.forget(question)
                state.old.forget(question)
            }
        }
    }

    private func forget(_ dependency: Dependency) {
        state.withLock { state in
            state.version &+= 1
            state.young.forget(dependency)
            state.old.forget(dependency)
        }
    }

    package func forgetAll() { change { $0.forgetAll() } }

    /// - Parameter now: A key that has ended by then is not known any more.
    /// - Returns: For each question the player, or nil when it is not known; and the version to ``remember(_:_:_:)``
    ///   what the database answers to the others.
    func find(_ questions: [Question], now: Instant) -> (callers: [Known?], version: UInt64) {
        let isCurrent = isCurrent()
        return change { state in
            guard isCurrent, state.isFollowing else { return (questions.map { _ in nil }, state.version) }
            let callers = questions.map { question -> Known? in
                if let entry = state.young.entries[question] { return entry.isGood(at: now) ? entry.caller : nil }
                guard let entry = state.old.entries[question], entry.isGood(at: now) else { return nil }
                keep(entry, for: question, in: &state)
                return entry.caller
            }
            return (callers, state.version)
        }
    }

    /// The player for whom a caller speaks, as far as it is known here; nil otherwise. It asks the database nothing.
    /// - Parameters:
    ///   - game: That of a score's board, and nil for a donation.
    ///   - isScore: Whether the caller posts a score; else it donates.
    package func findPlayer(of caller: Caller, in game: Slug?, isScore: Bool, now: Instant) -> Player.ID? {
        find([Question(caller, game: game, isScore: isScore)], now: now).callers.first??.player
    }

    /// Remembers what the database answered, unless something has been forgotten since the version.
    func remember(_ questions: [Question], _ callers: [IdentifiedCaller], since version: UInt64) {
        change { state in
            guard state.isFollowing, state.version == version else { return }
            for (question, caller) in zip(questions, callers) {
                guard let player = caller.player, let own = caller.own, let callersLeft = caller.callersLeft else {
                    continue
                }
                let entry = Entry(
                    caller: Known(player: player, own: own, callersLeft: callersLeft),
                    dependency: caller.device.map { .device($0) } ?? .player(own), expiresAt: caller.expiresAt)
                keep(entry, for: question, in: &state)
            }
        }
    }

    private func keep(_ entry: Entry, for question: Question, in state: inout State) {
        if state.young.entries.count >= entriesMax {
            state.dropped.append(state.old)
            (state.old, state.young) = (state.young, Generation())
        }
        state.young.set(entry, for: question)
    }

    /// Changes the state, and has what it dropped released where nobody who commits or follows waits for it.
    private func change<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
        let (value, dropped) = state.withLock { state in
            let value = body(&state)
            defer { state.dropped = [] }
            return (value, state.dropped)
        }
        if !dropped.isEmpty { Task.detached(priority: .background) { withExtendedLifetime(dropped) {} } }
        return value
    }
}
