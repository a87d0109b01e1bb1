import Concurrency
package import Domain
import Synchronization

/// Remembers for whom callers speak, so that most batches and most reads of players need not ask the database.
///
/// It is kept current by the replication stream, which brings every change of devices, keys and games and every player
/// who was erased, and is asked only while the stream is current. So a token or a key that was revoked, by whichever
/// process, is refused within the stream's lag, which is two seconds at most; and one whose device has left the player
/// as soon as it has, because the player's wallet counts that. A read sees no wallet: if another process removed the
/// device, the read learns it by the stream. Refusals are never remembered.
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
        case player(Player.ID)
    }

    private enum Key: Hashable {
        /// Who writes.
        case write(Question)
        /// Who reads.
        case read(TokenHash)
    }

    private enum Entry {
        /// The answer depends on a device, or on the player that the caller names.
        case write(Known, Dependency, keyEndsAt: Instant?)
        case read(ReadingDevice)

        var dependencies: [Dependency] {
            switch self {
            case .write(_, let dependency, _): [dependency]
            case .read(let device): [.device(device.hash), .player(device.player)]
            }
        }
    }

    /// The entries of a time, by what was asked and by what the answer depends on.
    private struct Generation {
        var entries: [Key: Entry] = [:]
        var dependents: [Dependency: [Key]] = [:]

        mutating func set(_ entry: Entry, for key: Key) {
            if let former = entries.updateValue(entry, forKey: key) { forget(key, in: former.dependencies) }
            for dependency in entry.dependencies { dependents[dependency, default: []].append(key) }
        }

        mutating func forget(_ key: Key) {
            if let former = entries.removeValue(forKey: key) { forget(key, in: former.dependencies) }
        }

        mutating func forget(_ dependency: Dependency) { for key in dependents[dependency] ?? [] { forget(key) } }

        private mutating func forget(_ key: Key, in dependencies: [Dependency]) {
            for dependency in dependencies {
                dependents[dependency]?.removeAll { $0 == key }
                if dependents[dependency]?.isEmpty ?? false { dependents[dependency] = nil }
            }
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
        var drops = SecondDrops<Dependency>(keysMax: Limits.changedCallersMax)

        mutating func forgetAll() {
            version &+= 1
            dropped += [young, old]
            (young, old) = (Generation(), Generation())
        }

        mutating func forget(_ dependency: Dependency) {
            version &+= 1
            young.forget(dependency)
            old.forget(dependency)
        }

        /// Finds an entry. One that is found in the old generation enters the young one.
        mutating func find(_ key: Key, entriesMax: Int) -> Entry? {
            if let entry = young.entries[key] { return entry }
            guard let entry = old.entries[key] else { return nil }
            keep(entry, for: key, entriesMax: entriesMax)
            return entry
        }

        mutating func keep(_ entry: Entry, for key: Key, entriesMax: Int) {
            if young.entries.count >= entriesMax {
                dropped.append(old)
                (old, young) = (young, Generation())
            }
            young.set(entry, for: key)
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

    /// Forgets what depends on a device, which has changed, now and once more a moment later.
    package func forget(_ device: DeviceHash) { forget(.device(device)) }

    /// Forgets who names a player or reads as one, which was erased, now and once more a moment later.
    package func forget(_ player: Player.ID) { forget(.player(player)) }

    /// Forgets who was found to speak for players for whom it does not any more.
    func forget(_ questions: [Question]) {
        state.withLock { state in
            state.version &+= 1
            for question in questions {
                state.young.forget(.write(question))
                state.old.forget(.write(question))
            }
        }
    }

    private func forget(_ dependency: Dependency) {
        state.withLock { state in
            state.forget(dependency)
            state.drops.note(dependency)
        }
    }

    /// Forgets all callers, now and once more a moment later.
    package func forgetAll() {
        change { state in
            state.forgetAll()
            state.drops.noteAll()
        }
    }

    /// Forgets again what changed between the last two calls. The follower calls it every second.
    package func forgetAgain() {
        change { state in
            switch state.drops.next() {
            case .keys(let dependencies): for dependency in dependencies { state.forget(dependency) }
            case .all: state.forgetAll()
            }
        }
    }

    /// - Parameter now: A key that has ended by then is not known any more.
    /// - Returns: For each question the player, or nil when it is not known; and the version to ``remember(_:_:_:)``
    ///   what the database answers to the others.
    func find(_ questions: [Question], now: Instant) -> (callers: [Known?], version: UInt64) {
        let isCurrent = isCurrent()
        return change { state in
            guard isCurrent, state.isFollowing else { return (questions.map { _ in nil }, state.version) }
            let callers = questions.map { question -> Known? in
                let entry = state.find(.write(question), entriesMax: entriesMax)
                guard case .write(let caller, _, let end)? = entry, end.map({ now < $0 }) ?? true else { return nil }
                return caller
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
                let entry = Entry.write(
                    Known(player: player, own: own, callersLeft: callersLeft),
                    caller.device.map { .device($0) } ?? .player(own), keyEndsAt: caller.expiresAt)
                state.keep(entry, for: .write(question), entriesMax: entriesMax)
            }
        }
    }

    /// The device of a token, as far as a read needs to know it.
    /// - Parameter read: Asks the database, for a token that is not known here.
    /// - Returns: Nil for a token of no device.
    package func device(ofToken token: TokenHash, _ read: () async throws(StoreError) -> ReadingDevice?)
        async throws(StoreError) -> ReadingDevice?
    {
        let isCurrent = isCurrent()
        let (found, version) = change { state -> (Entry?, UInt64) in
            let isKnown = isCurrent && state.isFollowing
            return (isKnown ? state.find(.read(token), entriesMax: entriesMax) : nil, state.version)
        }
        if case .read(let device)? = found { return device }
        guard let device = try await read() else { return nil }
        change { state in
            guard isCurrent, state.isFollowing, state.version == version else { return }
            state.keep(.read(device), for: .read(token), entriesMax: entriesMax)
        }
        return device
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
