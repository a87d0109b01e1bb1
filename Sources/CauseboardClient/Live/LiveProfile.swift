import Contract
import Foundation

/// The player's profile as the server tells it, for all in the game who want to know: they share one stream, because a
/// server has few for each player, and each takes a connection from the queue.
actor LiveProfile {
    private let watch: ProfileWatch
    private var listeners: [UUID: AsyncStream<Profile>.Continuation] = [:]
    private var latest: Profile?
    private var following: Task<Void, Never>?
    /// Which task follows: what an earlier one still says does not count.
    private var turn = 0
    private var isClosed = false

    init(_ watch: ProfileWatch) { self.watch = watch }

    deinit {
        following?.cancel()
        for listener in listeners.values { listener.finish() }
    }

    func listen() -> AsyncStream<Profile> {
        let (profiles, listener) = AsyncStream.makeStream(of: Profile.self, bufferingPolicy: .bufferingNewest(1))
        guard !isClosed else {
            listener.finish()
            return profiles
        }
        let id = UUID()
        listener.onTermination = { [weak self] _ in Task { await self?.leave(id) } }
        listeners[id] = listener
        if let latest { listener.yield(latest) }
        if following == nil { follow() }
        return profiles
    }

    /// Asks anew, as after the player has signed in or has become another one.
    func restart() {
        guard following != nil else { return }
        follow()
    }

    func close() {
        isClosed = true
        stop()
        finish()
    }

    private func leave(_ id: UUID) {
        listeners[id] = nil
        if listeners.isEmpty { stop() }
    }

    private func follow() {
        stop()
        let turn = turn
        let tell: @Sendable (Profile) async -> Void = { [weak self] in await self?.tell($0, turn) }
        following = Task { [watch, weak self] in
            await watch.run(tell)
            await self?.end(turn)
        }
    }

    private func stop() {
        following?.cancel()
        (following, latest) = (nil, nil)
        turn += 1
    }

    private func tell(_ profile: Profile, _ turn: Int) {
        guard turn == self.turn, profile != latest else { return }
        latest = profile
        for listener in listeners.values { listener.yield(profile) }
    }

    /// The server has nothing more to say to this device.
    private func end(_ turn: Int) {
        guard turn == self.turn else { return }
        stop()
        finish()
    }

    private func finish() {
        for listener in listeners.values { listener.finish() }
        listeners = [:]
    }
}
