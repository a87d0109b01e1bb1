import Logging
import Synchronization
import TestDatabases
import Testing

@testable import Postgres

extension ConnectionSettings {
    static var test: ConnectionSettings { ConnectionSettings(conninfo: SharedServer.current.conninfo()) }

    static func test(_ session: [String: String]) -> ConnectionSettings {
        ConnectionSettings(conninfo: SharedServer.current.conninfo(), session: session)
    }
}

func connect(_ settings: ConnectionSettings = .test) async throws(PostgresError) -> sending Connection {
    try await Connection.open(settings, logger: .none)
}

/// The error that `body` throws; the test fails when it throws none.
func failure(_ body: () async throws -> Void, at location: SourceLocation = #_sourceLocation) async -> PostgresError? {
    do { try await body() } catch let error as PostgresError { return error } catch {
        Issue.record("another error: \(error)", sourceLocation: location)
        return nil
    }
    Issue.record("no error", sourceLocation: location)
    return nil
}

func elapsed<E: Error>(_ body: () async throws(E) -> Void) async throws(E) -> Duration {
    let start = ContinuousClock.now
    try await body()
    return ContinuousClock.now - start
}

/// Sends a value and reads it back.
struct Echo<Value: PostgresValue>: Query {
    static var sql: StaticString { "select $1" }
    let value: Value?
    var binds: Binds { [value] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Value? { try row.next() }
}

struct Number: Query {
    static let sql: StaticString = "select $1::int8"
    let value: Int
    var binds: Binds { [value] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Int { try row.next() }
}

struct Series: Query {
    static let sql: StaticString = "select n from generate_series(1, $1) n"
    let last: Int
    var binds: Binds { [last] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Int { try row.next() }
}

struct Sleep: Query {
    static let sql: StaticString = "select 1 from pg_sleep($1)"
    let seconds: Double
    var binds: Binds { [seconds] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) {}
}

struct DivideByZero: Query {
    static let sql: StaticString = "select 1 / ($1::int8 - $1)"
    var binds: Binds { [4711] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) {}
}

struct BackendPID: Query {
    static let sql: StaticString = "select pg_backend_pid()"
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Int32 { try row.next() }
}

struct Terminate: Query {
    static let sql: StaticString = "select pg_terminate_backend($1, 5000)"
    let pid: Int32
    var binds: Binds { [pid] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Bool { try row.next() }
}

struct Insert: Query {
    static let sql: StaticString = "insert into item (id) values ($1)"
    typealias Row = Void
    let id: Int
    var binds: Binds { [id] }
}

struct Items: Query {
    static let sql: StaticString = "select id from item order by id"
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Int { try row.next() }
}

/// A connection with an empty temporary table `item`, which vanishes with the connection.
func connectWithItems() async throws(PostgresError) -> sending Connection {
    let connection = try await connect()
    try await connection.script("create temporary table item (id int8 primary key deferrable initially deferred)")
    return connection
}

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
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await SharedServer.start()
        try await function()
    }
}

extension Trait where Self == ServerTrait { static var server: Self { ServerTrait() } }

// Gauges that only tests read.
extension Pool {
    /// Connections that are open, lent or being made.
    var connectionsCount: Int { state.withLock { $0.connectionsCount } }

    /// Tasks that wait for a connection.
    var waitersCount: Int { state.withLock { $0.waitersCount } }
}
