import Synchronization
import TestDatabases
import Testing

/// The server that all suites share that do not stop it. It starts with the first suite that has the trait `.server`.
enum SharedServer {
    private static let starting = Task { try await TestServer(connectionsMax: 200) }
    private static let started = Mutex<TestServer?>(nil)

    static func start() async throws {
        let server = try await starting.value
        started.withLock { $0 = server }
    }

    static var current: TestServer {
        guard let server = started.withLock({ $0 }) else { preconditionFailure("the suite lacks the trait .server") }
        return server
    }
}

/// Starts the shared server before the suite begins.
struct ServerTrait: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await SharedServer.start()
        try await function()
    }
}

extension Trait where Self == ServerTrait { static var server: Self { ServerTrait() } }
