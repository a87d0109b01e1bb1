import ServiceLifecycle
import Storage

/// Ends the server when somebody has migrated its database to a schema with which it cannot go on. What was begun is
/// finished first, as on SIGTERM.
struct SchemaWatch: Service {
    /// Seconds between two looks at the list of migrations.
    private static let pauseSeconds: Int64 = 10

    let store: Store

    /// The service as a group runs it.
    static func configuration(_ store: Store) -> ServiceGroupConfiguration.ServiceConfiguration {
        .init(service: SchemaWatch(store: store), failureTerminationBehavior: .gracefullyShutdownGroup)
    }

    func run() async throws {
        try await cancelWhenGracefulShutdown { try await store.watchSchema(every: .seconds(Self.pauseSeconds)) }
    }
}
