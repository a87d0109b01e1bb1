import Foundation
import Synchronization
import Testing

@testable import CauseboardClient

/// A directory that is removed when the test ends.
final class ScratchDirectory: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("causeboard-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}

/// A clock whose time passes at once: who sleeps until a moment makes it be that moment, and the test sees how long
/// everybody slept in all.
final class SkippingClock: Sendable {
    private let time = Mutex<Duration>(.zero)

    var slept: Duration { time.withLock { $0 } }

    var clock: MonotonicClock {
        MonotonicClock(
            now: { self.slept },
            sleep: { until in
                // Who waits again and again leaves the processor to others.
                try await Task.sleep(for: .milliseconds(1))
                self.time.withLock { $0 = max($0, until) }
            })
    }
}

extension Options {
    /// Files in a directory of the test, and time that passes at once.
    static func test(_ directory: ScratchDirectory, _ clock: SkippingClock = SkippingClock()) -> Options {
        var options = Options()
        options.directory = directory.url
        options.clock = clock.clock
        options.secrets = SecretFiles(directory: directory.url.appendingPathComponent("secrets"))
        return options
    }
}

extension Causeboard {
    /// Waits until nothing is left to send, or until the queue has stopped.
    /// - Returns: What happened, in its order.
    func drained() async throws -> [OutboxEvent] {
        try await withDeadline {
            var events: [OutboxEvent] = []
            for await event in await self.watchQueue() {
                events.append(event)
                if case .stopped = event { return events }
                if case .status(let status) = event, status.stoppedBy != nil { return events }
                if case .waiting = event { continue }
                if await self.queue.pending.isEmpty { return events }
            }
            return events
        }
    }
}

struct TookTooLong: Error {}

/// Runs something that must end within two minutes.
func withDeadline<Result: Sendable>(_ work: @escaping @Sendable () async throws -> Result) async throws -> Result {
    try await withThrowingTaskGroup(of: Result.self) { group in
        group.addTask { try await work() }
        group.addTask {
            try await Task.sleep(for: .seconds(120))
            throw TookTooLong()
        }
        defer { group.cancelAll() }
        guard let result = try await group.next() else { throw TookTooLong() }
        return result
    }
}
