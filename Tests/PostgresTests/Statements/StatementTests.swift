import Postgres
import Testing

@Suite(.server) struct StatementTests {
    private struct Prepared: Query {
        static let sql: StaticString = "select count(*) from pg_prepared_statements where statement = $1"
        let text: String
        var binds: Binds { [text] }
        static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Int { try row.next() }
    }

    private struct Wide: Query {
        static let sql: StaticString = "select * from wide"
        static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Int32 { try row.next() }
    }

    private struct Many: Query {
        static let sql: StaticString = "select 1"
        typealias Row = Void
        let count: Int
        var binds: Binds { Binds(Array(repeating: 1, count: count)) }
    }

    @Test("a statement is prepared once for each connection") func preparedOnce() async throws {
        let connection = try await connect()
        for value in 1...5 { #expect(try await connection.row(Number(value: value)) == value) }
        #expect(try await connection.row(Prepared(text: "select $1::int8")) == 1)
    }

    private struct Names: Query {
        static let sql: StaticString = "select name from pg_prepared_statements where statement = $1"
        let text: String
        var binds: Binds { [text] }
        static func decode(_ row: inout RowReader) throws(DecodingFailure) -> String { try row.next() }
    }

    @Test("what is used a lot is planned anew as tables grow: after 8, 64, 512 uses; the plan before is given back")
    func outgrown() async throws {
        let connection = try await connect()
        var names: [String] = []
        for use in 1...600 {
            _ = try await connection.row(Number(value: use))
            let now = try await connection.rows(Names(text: "select $1::int8"))
            #expect(now.count == 1, "after use \(use)")
            if names.last != now.last { names += now }
            let expected = use <= 8 ? 1 : use <= 64 ? 2 : use <= 512 ? 3 : 4
            #expect(names.count == expected, "after use \(use)")
        }
    }

    @Test("a NULL first does not decide the type of what comes later") func nullFirst() async throws {
        let connection = try await connect()
        #expect(try await connection.row(Echo<Int>(value: nil)) == nil)
        #expect(try await connection.row(Echo(value: 7)) == 7)
        #expect(try await connection.row(Echo<Int>(value: nil)) == nil)
        #expect(try await connection.row(Prepared(text: "select $1")) == 1)
    }

    @Test("exactly one row means exactly one") func exactlyOne() async throws {
        let connection = try await connect()
        #expect(await failure { _ = try await connection.row(Series(last: 0)) }?.state == .noData)
        #expect(await failure { _ = try await connection.row(Series(last: 2)) }?.state == .tooManyRows)
        #expect(try await connection.row(Series(last: 1)) == 1)
        #expect(try await connection.firstRow(Series(last: 0)) == nil)
        #expect(try await connection.firstRow(Series(last: 1)) == 1)
        #expect(await failure { _ = try await connection.firstRow(Series(last: 2)) }?.state == .tooManyRows)
        #expect(try await connection.rows(Series(last: 1000)).reduce(0, +) == 500_500)
    }

    private struct Tall: Query {
        static let sql: StaticString = "select * from tall"
        static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Int32 { try row.next() }
    }

    @Test("statements that a migration made stale are prepared again, all of a pipeline at once") func stalePlans()
        async throws
    {
        let connection = try await connect()
        try await connection.script("create temporary table wide as select 1::int4 as a")
        try await connection.script("create temporary view tall as select 2::int4 as a")
        for round in 1...3 {
            #expect(try await connection.row(Wide()) == 1)
            let both = try await connection.pipeline(Wide(), Tall())
            #expect(both.0 + both.1 == [1, 2])
            let three = try await connection.transactionPipeline(Tall(), Wide(), Tall())
            #expect(three.0 + three.1 + three.2 == [2, 1, 2])
            try await connection.script("alter table wide add b\(round) text")
            try await connection.script("drop view tall; create temporary view tall as select 2::int4 as a, \(round)")
            if round == 2 {
                let both = try await connection.transactionPipeline(Tall(), Wide())
                #expect(both.0 + both.1 == [2, 1])
            }
        }
        #expect(try await connection.row(Prepared(text: "select * from wide")) == 1)
    }

    @Test("inside a transaction a stale plan fails it, safe to retry, and the next transaction succeeds")
    func stalePlanInTransaction() async throws {
        let connection = try await connect()
        try await connection.script("create temporary table wide as select 1::int4 as a")
        #expect(try await connection.row(Wide()) == 1)
        try await connection.script("alter table wide add b text")
        func read(_ connection: Connection) async throws(PostgresError) -> Int32 {
            try await connection.transaction { connection throws(PostgresError) in try await connection.row(Wide()) }
        }
        let error = await failure { _ = try await read(connection) }
        #expect(error?.state == .featureNotSupported)
        #expect(error?.isStalePlan == true)
        #expect(try await read(connection) == 1)
    }

    @Test("statements that someone deallocated are prepared again") func deallocated() async throws {
        let connection = try await connect()
        for round in 1...2 {
            #expect(try await connection.row(Number(value: round)) == round)
            #expect(try await connection.rows(Series(last: 2)) == [1, 2])
            try await connection.script("deallocate all")
        }
        let both = try await connection.pipeline(Number(value: 7), Series(last: 2))
        #expect(both.0 + both.1 == [7, 1, 2])
    }

    @Test("more binds than the protocol counts are an error") func tooManyBinds() async throws {
        let connection = try await connect()
        #expect(await failure { try await connection.run(Many(count: 65_536)) }?.state == .tooManyArguments)
        #expect(try await connection.row(Number(value: 1)) == 1)
    }

    @Test("a bind of 50 MB goes through a socket that never blocks") func hugeBind() async throws {
        let connection = try await connect()
        let huge = Bytes([UInt8](repeating: 0xA5, count: 50_000_000))
        #expect(try await connection.row(Echo(value: huge)) == huge)
    }

    @Test("describing tells types and names without running anything") func describe() async throws {
        let connection = try await connect()
        let description = try await connection.describe(
            "select $1::date as day, count(*) as n, $2::int8[] as ids from pg_class group by 1")
        #expect(description.parameters == [.date, .int8Array])
        #expect(description.columns.map(\.name) == ["day", "n", "ids"])
        #expect(description.columns.map(\.type) == [.date, .int8, .int8Array])
        #expect(try await connection.describe("select $1", parameters: [.int8]).columns.map(\.type) == [.int8])
        #expect(await failure { _ = try await connection.describe("select * from nowhere") }?.state.rawValue == "42P01")
        #expect(try await connection.row(Number(value: 1)) == 1)
    }

    @Test("the session's settings hold, and a wrong one fails the connect") func settings() async throws {
        let connection = try await connect(.test(["search_path": "pg_catalog", "enable_seqscan": "off"]))
        #expect(try await connection.row(Setting(name: "search_path")) == "pg_catalog")
        #expect(try await connection.row(Setting(name: "enable_seqscan")) == "off")
        #expect(
            await failure { _ = try await connect(.test(["no_such_setting": "1"])) }?.state.class == .syntaxOrAccess)
    }

    private struct Setting: Query {
        static let sql: StaticString = "select current_setting($1)"
        let name: String
        var binds: Binds { [name] }
        static func decode(_ row: inout RowReader) throws(DecodingFailure) -> String { try row.next() }
    }

    @Test("a closed connection says so") func closed() async throws {
        let connection = try await connect()
        connection.close()
        connection.close()
        #expect(!connection.isUsable)
        #expect(await failure { _ = try await connection.row(Number(value: 1)) }?.state == .connectionNotOpen)
    }

    @Test("rows affected are counted") func rowsAffected() async throws {
        let connection = try await connectWithItems()
        #expect(try await connection.run(Insert(id: 1)) == 1)
        #expect(try await connection.run(Series(last: 12)) == 12)
    }
}
