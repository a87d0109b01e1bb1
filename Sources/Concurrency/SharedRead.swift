import Synchronization

/// A read whose result several clients wait for. At a gate it waits in the shortest line of these clients, so a client
/// with many jobs that happens to read first does not keep the others waiting behind its own line.
package final class SharedRead: Sendable {
    private struct State {
        /// Clients that wait for the result, without the one that reads.
        var clients: [ClientKey] = []
        var last = 0
        var listeners: [Int: @Sendable (ClientKey) -> Void] = [:]

        mutating func join(_ client: ClientKey) {
            if clients.count < SharedRead.clientsMax, !clients.contains(client) { clients.append(client) }
        }
    }

    /// Clients whose lines are compared at once.
    private static let clientsMax = 16

    /// The shared read that this task performs.
    @TaskLocal package static var current: SharedRead?

    private let state = Mutex(State())

    package init() {}

    /// A client waits for the result.
    package func join(_ client: ClientKey) {
        let listeners = state.withLock { state in
            state.join(client)
            return Array(state.listeners.values)
        }
        for listener in listeners { listener(client) }
    }

    /// The result has come, and the next read begins.
    /// - Parameter clients: Those that wait for it.
    package func restart(for clients: [ClientKey]) {
        state.withLock { state in
            state.clients = []
            for client in clients { state.join(client) }
        }
    }

    /// Reports each client that waits, now and later.
    /// - Returns: The listener's number, for ``ignore(_:)``.
    package func listen(_ listener: @escaping @Sendable (ClientKey) -> Void) -> Int {
        let (number, clients) = state.withLock { state in
            state.last += 1
            state.listeners[state.last] = listener
            return (state.last, state.clients)
        }
        for client in clients { listener(client) }
        return number
    }

    package func ignore(_ listener: Int) { state.withLock { _ = $0.listeners.removeValue(forKey: listener) } }
}
