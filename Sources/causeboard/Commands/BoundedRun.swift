import ArgumentParser
import Domain
import HTTP
import HTTPServer
import Logging
import ServiceLifecycle
import UnixSignals

/// Runs the services of the server until SIGTERM or SIGINT. It returns within a bound of the signal, whatever the
/// database does.
enum BoundedRun {
    private enum Event: Sendable {
        case stopBegan
        case overdue
        case ended((any Error)?)
    }

    /// - Parameters:
    ///   - services: They shut down in reverse order.
    ///   - others: They shut down before these, and say themselves what their end means.
    /// - Throws: What a service throws; ``CommandError`` when services still run after the bound. The process can only
    ///   exit then.
    static func run(
        _ services: [any Service], and others: [ServiceGroupConfiguration.ServiceConfiguration] = [], logger: Logger
    ) async throws {
        let (events, sink) = AsyncStream<Event>.makeStream()
        // It is the last one, so it is told first.
        let watch = StopWatch { sink.yield(.stopBegan) }
        var configuration = ServiceGroupConfiguration(
            services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        configuration.services += others
        configuration.services.append(.init(service: watch))
        configuration.maximumGracefulShutdownDuration = .seconds(Limits.drainSeconds)
        // The group's own bound for what comes after that is a trap, so the bound is here.
        let group = ServiceGroup(configuration: configuration)
        Task {
            do {
                try await group.run()
                sink.yield(.ended(nil))
            } catch { sink.yield(.ended(error)) }
        }
        var isStopping = false
        for await event in events {
            switch event {
            case .stopBegan:
                isStopping = true
                Task {
                    try? await Task.sleep(for: .seconds(Limits.drainSeconds + Limits.cancelledSecondsMax))
                    sink.yield(.overdue)
                }
            case .overdue:
                logger.error("requests do not end; stopping without them")
                throw CommandError(
                    """
                    Requests or the database did not end within \(Limits.drainSeconds + Limits.cancelledSecondsMax) s \
                    of the signal, so the server stopped without waiting for them. What was acknowledged is committed.
                    """)
            case .ended(let error?):
                guard isStopping, error is CancellationError else { throw error }
                return logger.warning("requests that were not done in time were cancelled")
            case .ended(nil): return
            }
        }
    }

    /// Notices when the services begin to stop.
    private struct StopWatch: Service {
        let stopBegan: @Sendable () -> Void

        func run() async throws {
            try? await gracefulShutdown()
            stopBegan()
        }
    }
}

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
