import Concurrency
import Domain
import Storage

/// Which windows are to be loaded, and in what order. A plain value, part of the ``WindowRegistry``.
///
/// The current windows of boards come first. Among them, and among the others, the clients that ask take turns (see
/// `FairQueue`), so a client that asks for many windows delays its own alone. After a load of another window its client
/// may ask for no more of them for ``Limits/windowLoadRestFactor`` times as long as the load took.
struct WindowLoads {
    struct Wish {
        let id: InMemoryWindow.ID
        let rule: WindowRule
        let isCurrent: Bool
        let number: UInt64
        /// The client in whose turn the window is loaded.
        var client: ClientKey
    }

    private var currentQueue = FairQueue<ClientKey, InMemoryWindow.ID>(
        GateBounds(
            runningMax: Limits.windowsOfSnapshotMax, runningOfKeyMax: Limits.windowsOfSnapshotMax / 2,
            waitingMax: Limits.windowsWaitingMax, waitingOfKeyMax: Limits.currentWindowsOfClientWaitingMax))
    private var otherQueue = FairQueue<ClientKey, InMemoryWindow.ID>(
        GateBounds(
            runningMax: Limits.windowsOfSnapshotMax / 2, runningOfKeyMax: 1, waitingMax: Limits.windowsWaitingMax,
            waitingOfKeyMax: Limits.windowsOfClientWaitingMax))
    /// What waits in the queues, or is due.
    private var wishes: [InMemoryWindow.ID: Wish] = [:]
    /// What may be loaded now.
    private var due: [InMemoryWindow.ID] = []
    private var running: [ObjectIdentifier: Wish] = [:]
    private var last: UInt64 = 0
    /// Until when clients get no other windows loaded, in milliseconds.
    private var rests: [ClientKey: Int64] = [:]

    var areDue: Bool { !due.isEmpty }

    /// - Returns: Whether the window may be loaded now.
    mutating func wish(
        for id: InMemoryWindow.ID, _ rule: WindowRule, isCurrent: Bool, by client: ClientKey, at seconds: Int64
    ) -> Bool {
        if let wish = wishes[id] { return move(wish, to: client) }
        if !isCurrent, let until = rests[client] {
            if until > seconds * 1_000 { return false }
            rests[client] = nil
        }
        last += 1
        switch isCurrent ? currentQueue.enter(client, last, id) : otherQueue.enter(client, last, id) {
        case .refused: return false
        case .runs: due.append(id)
        case .waits(let evicted): if let evicted { wishes[evicted] = nil }
        }
        wishes[id] = Wish(id: id, rule: rule, isCurrent: isCurrent, number: last, client: client)
        return areDue
    }

    /// Takes windows that may be loaded now, the current windows of boards first.
    mutating func take(_ countMax: Int) -> [Wish] {
        let all = due.compactMap { wishes[$0] }
        let taken = (all.filter(\.isCurrent) + all.filter { !$0.isCurrent }).prefix(countMax)
        for wish in taken { wishes[wish.id] = nil }
        due.removeAll { wishes[$0] == nil }
        return Array(taken)
    }

    mutating func begin(_ window: InMemoryWindow, _ wish: Wish) { running[ObjectIdentifier(window)] = wish }

    /// A load has ended, so the next one gets its turn.
    mutating func end(_ window: InMemoryWindow, milliseconds: Int64, at seconds: Int64) {
        guard let wish = running.removeValue(forKey: ObjectIdentifier(window)) else { return }
        let next = wish.isCurrent ? currentQueue.leave(wish.client) : otherQueue.leave(wish.client)
        if let next { due.append(next) }
        if !wish.isCurrent { rest(wish.client, after: milliseconds, at: seconds) }
    }

    /// A second client waits for a window, whose turn then comes when the first of the two has its turn.
    private mutating func move(_ wish: Wish, to client: ClientKey) -> Bool {
        let move =
            wish.isCurrent
            ? currentQueue.move(wish.number, from: wish.client, to: client)
            : otherQueue.move(wish.number, from: wish.client, to: client)
        switch move {
        case .stays: break
        case .waits: wishes[wish.id]?.client = client
        case .runs(let id):
            wishes[id]?.client = client
            due.append(id)
        }
        return areDue
    }

    /// A crowd is many people, who are not counted as one client.
    private mutating func rest(_ client: ClientKey, after milliseconds: Int64, at seconds: Int64) {
        if client.isCrowd { return }
        let now = seconds * 1_000
        if rests[client] == nil, rests.count >= Limits.windowRestsMax {
            rests = rests.filter { $0.value > now }
            if rests.count >= Limits.windowRestsMax { rests = [:] }
        }
        let longest = Limits.windowSecondsMax * 1_000
        let rest = min(milliseconds, longest) * Limits.windowLoadRestFactor
        rests[client] = min(max(now, rests[client] ?? now) + rest, now + longest)
    }
}
