import Postgres
import Testing

@Suite(.server) struct PipelineTests {
    @Test("a pipeline gives each statement's rows, in order and with their types") func rows() async throws {
        let connection = try await connectWithItems()
        for _ in 0..<3 {
            let (text, numbers, nothing) = try await connection.pipeline(Echo(value: "a"), Series(last: 3), Items())
            #expect(text == ["a"])
            #expect(numbers == [1, 2, 3])
            #expect(nothing.isEmpty)
        }
        #expect(try await connection.pipeline(Series(last: 2)) == [1, 2])
    }

    @Test("a failing pipeline keeps nothing and leaves the connection usable") func failingPipeline() async throws {
        let connection = try await connectWithItems()
        let error = await failure { _ = try await connection.pipeline(Insert(id: 1), DivideByZero(), Insert(id: 2)) }
        #expect(error?.state.rawValue == "22012")
        #expect(try await connection.rows(Items()) == [])
        _ = try await connection.pipeline(Insert(id: 1), Insert(id: 2))
        #expect(try await connection.rows(Items()) == [1, 2])
    }

    @Test("a constraint that is checked at commit fails the pipeline") func deferredConstraint() async throws {
        let connection = try await connectWithItems()
        #expect(
            await failure { _ = try await connection.pipeline(Insert(id: 1), Insert(id: 1)) }?.state == .uniqueViolation
        )
        #expect(
            await failure { _ = try await connection.transactionPipeline(Insert(id: 1), Insert(id: 1)) }?.state
                == .uniqueViolation)
        let error = await failure {
            try await connection.transaction { c in
                try await c.run(Insert(id: 1))
                try await c.run(Insert(id: 1))
            }
        }
        #expect(error?.state == .uniqueViolation)
        #expect(try await connection.rows(Items()) == [])
    }

    @Test("a transaction in one pipeline commits, and its statements are prepared on the way")
    func transactionPipeline() async throws {
        let connection = try await connectWithItems()
        for id in 1...3 {
            let (_, items) = try await connection.transactionPipeline(Insert(id: id), Items())
            #expect(items == Array(1...id))
        }
        #expect(try await connection.rows(Items()) == [1, 2, 3])
    }

    @Test("a transaction in one pipeline that fails in the middle keeps nothing, and works the next time")
    func failingTransaction() async throws {
        let connection = try await connectWithItems()
        for _ in 0..<2 {
            let error = await failure {
                _ = try await connection.transactionPipeline(Insert(id: 1), DivideByZero(), Items())
            }
            #expect(error?.state.rawValue == "22012")
            #expect(connection.isUsable)
        }
        #expect(try await connection.rows(Items()) == [])
        let (_, items) = try await connection.transactionPipeline(Insert(id: 1), Items())
        #expect(items == [1])
    }

    private struct Broken: Query {
        static let sql: StaticString = "select nonsense from nowhere"
        typealias Row = Void
    }

    @Test("a statement that cannot be prepared fails alone") func unpreparable() async throws {
        let connection = try await connectWithItems()
        for _ in 0..<2 {
            let error = await failure { _ = try await connection.transactionPipeline(Insert(id: 1), Broken(), Items()) }
            #expect(error?.state.rawValue == "42P01")
        }
        #expect(try await connection.rows(Items()) == [])
    }

    @Test("a transaction commits what its body did, and rolls back when it throws") func transaction() async throws {
        struct Stop: Error {}
        let connection = try await connectWithItems()
        try await connection.transaction { c in _ = try await c.run(Insert(id: 1)) }
        await #expect(throws: Stop.self) {
            try await connection.transaction { c in
                try await c.run(Insert(id: 2))
                throw Stop()
            }
        }
        #expect(try await connection.rows(Items()) == [1])
    }

    @Test("errors keep their type through a transaction") func typed() async throws {
        let connection = try await connectWithItems()
        do throws(PostgresError) {
            try await connection.transaction { c throws(PostgresError) in _ = try await c.run(DivideByZero()) }
        } catch { #expect(error.state.class == .dataException) }
    }

    @Test("a body that swallows an error does not get a quiet rollback for a commit") func swallowedError() async throws
    {
        let connection = try await connectWithItems()
        let error = await failure {
            try await connection.transaction { c in
                try await c.run(Insert(id: 1))
                _ = try? await c.run(DivideByZero())
            }
        }
        #expect(error?.state == .failedTransaction)
        #expect(try await connection.rows(Items()) == [])
    }

    @Test("transactions do not nest") func nesting() async throws {
        let connection = try await connectWithItems()
        let error = await failure {
            try await connection.transaction { c in _ = try await c.transactionPipeline(Insert(id: 1)) }
        }
        #expect(error?.state == .activeTransaction)
        #expect(try await connection.rows(Items()) == [])
    }

    @Test("a repeatable-read transaction sees one moment and writes nothing") func readOnly() async throws {
        let connection = try await connect()
        let error = await failure {
            try await connection.transaction(.repeatableReadReadOnly) { c in
                try await c.script("create table never (a int)")
            }
        }
        #expect(error?.state.rawValue == "25006")
    }
}
