import Postgres
import Testing

@Suite(.server) struct CopyTests {
    private struct Stop: Error {}

    private struct Sum: Query {
        static let sql: StaticString = "select count(*), coalesce(sum(id), 0)::int8 from copied"
        static func decode(_ row: inout RowReader) throws(DecodingFailure) -> [Int] {
            [try row.next(), try row.next()]
        }
    }

    private func connectWithTable() async throws -> sending Connection {
        let connection = try await connect()
        try await connection.script("create temporary table copied (id int8 check (id < 1000000))")
        return connection
    }

    @Test("copies in, in chunks cut anywhere") func copyIn() async throws {
        let connection = try await connectWithTable()
        let text = (1...200_000).map { "\($0)\n" }.joined()
        var rest = Array(text.utf8)[...]
        let rows = try await connection.copyIn("copy copied from stdin") {
            defer { rest = rest.dropFirst(70_001) }
            return rest.isEmpty ? nil : Array(rest.prefix(70_001))
        }
        #expect(rows == 200_000)
        #expect(try await connection.row(Sum()) == [200_000, 20_000_100_000])
    }

    @Test("a source that throws midway copies nothing") func throwingSource() async throws {
        let connection = try await connectWithTable()
        var given = 0
        await #expect(throws: Stop.self) {
            try await connection.copyIn("copy copied from stdin") {
                given += 1
                if given == 3 { throw Stop() }
                return Array("\(given)\n".utf8)
            }
        }
        #expect(try await connection.row(Sum()) == [0, 0])
    }

    @Test("a row that the server refuses copies nothing and is its error") func refusedRow() async throws {
        let connection = try await connectWithTable()
        var chunks: [[UInt8]?] = ["1\n", "2\n", "1000000\n", "3\n"].map { Array($0.utf8) } + [nil]
        let error = await failure { try await connection.copyIn("copy copied from stdin") { chunks.removeFirst() } }
        #expect(error?.state.rawValue == "23514")
        #expect(try await connection.row(Sum()) == [0, 0])
    }

    @Test("copies out every row") func copyOut() async throws {
        let connection = try await connect()
        var rows = 0, sum = 0
        try await connection.copyRows(
            "copy (select n::int8 from generate_series(1, 300000) n) to stdout (format binary)"
        ) { row throws(DecodingFailure) in
            sum += Int(try row.next(Int64.self))
            rows += 1
        }
        #expect(rows == 300_000)
        #expect(sum == 45_000_150_000)
    }

    @Test("a reader that throws midway leaves the connection usable") func throwingReader() async throws {
        let connection = try await connect()
        var rows = 0
        let error = await failure {
            try await connection.copyRows("copy (select generate_series(1, 1000000000)) to stdout (format binary)") {
                row throws(DecodingFailure) in
                rows += 1
                // A row has one column.
                if rows == 10 { for _ in 0..<2 { _ = try row.next(Int32.self) } }
            }
        }
        #expect(error?.state == .undecodable)
        #expect(rows == 10)
        #expect(try await connection.row(Number(value: 1)) == 1)
    }

    @Test("a server that fails midway is its error") func failingServer() async throws {
        let connection = try await connect()
        var rows = 0
        let error = await failure {
            try await connection.copyRows(
                "copy (select 1 / (50000 - n) from generate_series(1, 60000) n) to stdout (format binary)"
            ) { _ throws(DecodingFailure) in rows += 1 }
        }
        #expect(error?.state.rawValue == "22012")
        #expect(rows > 0)
        #expect(try await connection.row(Number(value: 1)) == 1)
    }

    @Test("a statement that is no such COPY is an error", arguments: [0, 1, 2, 3]) func wrongStatement(which: Int)
        async throws
    {
        let connection = try await connectWithTable()
        let error = await failure {
            switch which {
            case 0: try await connection.copyIn("select 1") { nil }
            case 1: try await connection.copyRows("copy copied from stdin") { _ throws(DecodingFailure) in }
            case 2: try await connection.copyIn("copy copied to stdout") { nil }
            default: try await connection.script("copy copied from stdin; copy copied to stdout")
            }
        }
        #expect(error != nil)
        #expect(try await connection.row(Number(value: 1)) == 1)
    }
}
