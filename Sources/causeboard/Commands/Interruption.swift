import ArgumentParser
import UnixSignals

/// Cancels work on SIGINT or SIGTERM, so that nothing is left running that was not running before.
enum Interruption {
    /// Runs `body`. A signal cancels it, and once it has cleaned up this throws the exit code that shells expect, 128
    /// plus the signal's number.
    static func heeded<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        return try await withThrowingTaskGroup(of: Outcome<Value>.self) { group in
            group.addTask { .done(try await body()) }
            group.addTask {
                for await signal in signals { return .interrupted(by: signal) }
                return .ended
            }
            defer { group.cancelAll() }
            while let outcome = try await group.next() {
                switch outcome {
                case .done(let value): return value
                case .interrupted(let signal):
                    group.cancelAll()
                    _ = try? await group.next()
                    throw ExitCode(128 + signal.rawValue)
                case .ended: continue
                }
            }
            throw CancellationError()
        }
    }

    private enum Outcome<Value: Sendable>: Sendable {
        case done(Value)
        case interrupted(by: UnixSignal)
        case ended
    }
}
