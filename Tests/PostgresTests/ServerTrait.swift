import Testing

/// Has the shared server running before the suite begins.
struct ServerTrait: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        await TestServer.shared.ready()
        try await function()
    }
}

extension Trait where Self == ServerTrait {
    static var server: Self { ServerTrait() }
}
