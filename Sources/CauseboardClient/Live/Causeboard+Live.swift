public import Contract
import Foundation

extension Causeboard {
    /// The player's profile now, and again whenever something about it changes on any device: points, donations, saves.
    /// Who is slow gets the newest one alone. However many watch, the server is asked once. It ends when this object is
    /// closed, when the task is cancelled, or when the server takes this device for a player no more.
    public func watchProfile() async -> AsyncStream<Profile> { await live.listen() }
}

extension Save {
    /// Brings the save together with the server's now, and again whenever another device has saved. It ends as
    /// ``Causeboard/watchProfile()`` does.
    /// - Returns: What became of the state each time that it changed by that.
    public nonisolated func changes(on board: Causeboard) -> AsyncStream<State> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                var hasMerged = false
                for await profile in await board.watchProfile() {
                    let tag = profile.saves.first { $0.slot == slot }?.etag
                    if hasMerged, await knownTag == tag { continue }
                    let arrived = await bring(board.clock, board.backoff)
                    hasMerged = hasMerged || arrived != nil
                    if case .changed(let state)? = arrived { continuation.yield(state) }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private enum Arrival { case changed(State), nothing }

    /// Syncs until that succeeds.
    /// - Returns: Whether another device changed the state meanwhile; nil when asking again is no use.
    private func bring(_ clock: MonotonicClock, _ backoff: Backoff) async -> Arrival? {
        var backoff = backoff
        let before = arrivals
        while !Task.isCancelled {
            do throws(CauseboardError) {
                guard let state = try await sync(), arrivals != before else { return .nothing }
                return .changed(state)
            } catch {
                guard case .askAgain(let after, _) = error else { return nil }
                let seconds = min(max(after?.timeIntervalSinceNow ?? 0, 0), 86_400)
                guard (try? await clock.sleep(clock.now() + .seconds(seconds) + backoff.next())) != nil else {
                    return nil
                }
            }
        }
        return nil
    }
}
