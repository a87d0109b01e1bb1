import Synchronization

/// Single flight: concurrent calls with the same key share one read, and no call gets a value that is older than the
/// call. A call during a read waits for the next read, which begins when this one ends and serves all that wait.
///
/// A shared read waits at gates in the shortest line of the clients that wait for it (``SharedRead``). If the client
/// that reads is refused, calls of other clients are not: one of them reads instead.
package final class SingleFlight<Value: Sendable>: Sendable {
    private struct Waiter {
        let client: ClientKey
        let turn: CheckedContinuation<Turn, Never>
    }

    private enum Turn: Sendable {
        /// The caller reads, for itself and for all that wait with it.
        case lead(SharedRead)
        case done(Result<Value, any Error>)
    }

    private struct Call {
        /// All of its reads, one after the other.
        let shared = SharedRead()
        /// The calls that the current read serves.
        var served: [Waiter] = []
        /// The calls that came after the current read had begun.
        var waiting: [Waiter] = []
    }

    private let calls = Mutex<[String: Call]>([:])

    package init() {}

    /// - Parameters:
    ///   - key: Names what is read; calls with equal keys share a read.
    ///   - read: Runs in the first call, and later in one of the calls that wait.
    package func value(for key: String, _ read: () async throws -> Value) async throws -> Value {
        let shared: SharedRead
        switch await turn(for: key) {
        case .done(let result): return try result.get()
        case .lead(let led): shared = led
        }
        do {
            // Whoever gave up while it waited leads only to pass the turn on.
            try Task.checkCancellation()
            let value = try await Self.passingOn(to: shared) {
                try await SharedRead.$current.withValue(shared) { try await read() }
            }
            finish(key, .success(value))
            return value
        } catch {
            // A cancelled call has read nothing for the others: see `finish`.
            finish(key, .failure(Task.isCancelled ? CancellationError() : error))
            throw error
        }
    }

    private func turn(for key: String) async -> Turn {
        let (shared, isFirst) = call(for: key)
        if isFirst { return .lead(shared) }
        let client = ClientKey.current
        return await Self.passingOn(to: shared) {
            // The read may need the place of a call that waits for it.
            await CorePlaces.givingUp {
                await withCheckedContinuation { turn in
                    let led = calls.withLock { calls -> SharedRead? in
                        // The read may have ended meanwhile.
                        guard calls[key] != nil else {
                            let call = Call()
                            calls[key] = call
                            return call.shared
                        }
                        calls[key]?.waiting.append(Waiter(client: client, turn: turn))
                        return nil
                    }
                    if let led { turn.resume(returning: .lead(led)) } else { shared.join(client) }
                }
            }
        }
    }

    private func call(for key: String) -> (shared: SharedRead, isFirst: Bool) {
        calls.withLock { calls in
            if let call = calls[key] { return (call.shared, false) }
            let call = Call()
            calls[key] = call
            return (call.shared, true)
        }
    }

    /// Performs a read or waits for one. If the caller is part of another shared read, the clients of that read wait
    /// for this one too.
    private static func passingOn<Result>(to shared: SharedRead, _ wait: () async throws -> Result) async rethrows
        -> Result
    {
        guard let outer = SharedRead.current else { return try await wait() }
        let listener = outer.listen { shared.join($0) }
        defer { outer.ignore(listener) }
        return try await wait()
    }

    private func finish(_ key: String, _ result: Result<Value, any Error>) {
        let (served, leader) = calls.withLock { calls -> ([Waiter], (waiter: Waiter, shared: SharedRead)?) in
            guard var call = calls[key] else { return ([], nil) }
            var served = call.served
            var next = call.waiting
            switch result {
            case .failure(is CancellationError):
                // The call that read was cancelled, so one of the waiting calls reads instead.
                next = served + next
                served = []
            case .failure(let error as any GateError) where error.isCrowded:
                let client = ClientKey.current
                next = served.filter { $0.client != client } + next
                served.removeAll { $0.client != client }
            case .success, .failure: break
            }
            guard !next.isEmpty else {
                calls[key] = nil
                return (served, nil)
            }
            let leader = next.removeFirst()
            call.served = next
            call.waiting = []
            calls[key] = call
            call.shared.restart(for: next.map(\.client))
            return (served, (leader, call.shared))
        }
        for waiter in served { waiter.turn.resume(returning: .done(result)) }
        if let (leader, shared) = leader { leader.turn.resume(returning: .lead(shared)) }
    }
}
