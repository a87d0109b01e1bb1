import Foundation
import Postgres
import Testing

@Suite(.server) struct StreamTests {
    private struct Stop: Error {}

    private struct Filled: Query {
        static let sql: StaticString = "select generate_series(1, $1), repeat('x', 100)"
        let last: Int
        var binds: Binds { [last] }
        static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Int { try row.next() }
    }

    private func residentBytes() throws -> Int {
        let statm = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        return (statm.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
    }

    @Test("five million rows pass through a few megabytes") func large() async throws {
        let connection = try await connect()
        let before = try residentBytes()
        var count = 0, sum = 0
        var growths: [Int] = []
        try await connection.forEach(Filled(last: 5_000_000)) { n in
            count += 1
            sum += n
            if n % 500_000 == 0 { growths.append(try residentBytes() - before) }
        }
        #expect(count == 5_000_000)
        #expect(sum == 12_500_002_500_000)
        // The rows are 600 MB. What other tests take meanwhile they give back.
        #expect(growths.suffix(5).min() ?? .max < 300_000_000)
    }

    @Test("a body that throws midway leaves the connection usable, at once") func throwing() async throws {
        let connection = try await connect()
        let took = try await elapsed {
            await #expect(throws: Stop.self) {
                try await connection.forEach(Filled(last: 1_000_000_000)) { n in if n == 1_000 { throw Stop() } }
            }
            let five = try await connection.row(Number(value: 5))
            #expect(five == 5)
        }
        #expect(took < .seconds(20))
    }

    @Test("an error after some rows is thrown after them") func lateError() async throws {
        let connection = try await connect()
        var seen: [Int] = []
        let error = await failure { try await connection.forEach(Late()) { seen.append($0) } }
        #expect(error?.state.class == .dataException)
        #expect(seen == [1, 1, 2, 4].prefix(seen.count).map { $0 } && !seen.isEmpty)
        #expect(try await connection.row(Number(value: 5)) == 5)
    }

    private struct Late: Query {
        static let sql: StaticString = "select 4 / (5 - n) from generate_series(1, $1) n"
        var binds: Binds { [9] }
        static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Int { try row.next() }
    }

    @Test("a statement that cannot be prepared, or a row that cannot be decoded, leaves the connection usable")
    func broken() async throws {
        let connection = try await connect()
        #expect(await failure { try await connection.forEach(Unknown()) { _ in } }?.state.rawValue == "42P01")
        #expect(await failure { try await connection.forEach(Undecodable()) { _ in } }?.state == .undecodable)
        #expect(try await connection.row(Number(value: 5)) == 5)
    }

    private struct Unknown: Query {
        static let sql: StaticString = "select 1 from nowhere"
        typealias Row = Void
    }

    private struct Undecodable: Query {
        static let sql: StaticString = "select n::text from generate_series(1, 100000) n"
        static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Int { try row.next() }
    }

    @Test("a statement within a streaming body is an error, not a mess") func reentrancy() async throws {
        let connection = try await connect()
        let error = await failure {
            try await connection.forEach(Series(last: 10)) { _ in _ = try await connection.rows(Items()) }
        }
        #expect(error?.state == .misuse)
        #expect(try await connection.row(Number(value: 5)) == 5)
    }

    @Test("streaming inside a transaction goes on where it was") func inTransaction() async throws {
        let connection = try await connect()
        let total = try await connection.transaction(.repeatableReadReadOnly) { c in
            var total = 0
            try await c.forEach(Series(last: 100)) { total += $0 }
            return try await total + c.row(Number(value: 1))
        }
        #expect(total == 5051)
    }
}
