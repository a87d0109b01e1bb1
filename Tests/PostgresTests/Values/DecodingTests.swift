import Foundation
import Postgres
import TestDice
import Testing

/// Decodes rows that do not fit their query, and bytes that no server would send.
@Suite(.server) struct DecodingTests {
    private struct One<V: PostgresValue>: Query {
        static var sql: StaticString {
            "select case $1 when 0 then null else v end from (values ('x'::text, 1)) t(v, w)"
        }
        typealias Row = V
        var isNull = false
        var binds: Binds { [isNull ? 0 : 1] }
        static func decode(_ row: inout RowReader) throws(DecodingFailure) -> V { try row.next() }
    }

    private struct TooMany: Query {
        static let sql: StaticString = "select 1::int8 as only"
        static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Int {
            try row.next(Int.self) + row.next(Int.self)
        }
    }

    private struct Texts: Query {
        static let sql: StaticString = """
            select 'a'::text, 'b'::varchar(9), 'c'::name, 'd'::char(1), '{"e": 1}'::json, '{"f": 1}'::jsonb,
                   '<g/>'::xml, 'h'
            """
        static func decode(_ row: inout RowReader) throws(DecodingFailure) -> [String] {
            var texts: [String] = []
            for _ in 0..<8 { texts.append(try row.next()) }
            return texts
        }
    }

    private struct Sums: Query {
        static let sql: StaticString = """
            select 7::int2, -8::int4, 9::int8, 1000000.000::numeric, sum(v)
              from (values (9223372036854775807), (9223372036854775807)) t(v)
            """
        static func decode(_ row: inout RowReader) throws(DecodingFailure) -> [Int128] {
            var sums: [Int128] = []
            for _ in 0..<5 { sums.append(try row.next()) }
            return sums
        }
    }

    private struct Unholdable: Query {
        static let sql: StaticString = """
            select case $1 when 0 then 0.5 when 1 then 'NaN' when 2 then 'infinity' when 3 then '-infinity'
                           when 4 then 1e39 when 5 then -1e39 when 6 then 1e1000 when 7 then 10000.0001
                           when 8 then 170141183460469231731687303715884105728 else 0 end::numeric
            """
        let which: Int
        var binds: Binds { [which] }
        static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Int128 { try row.next() }
    }

    private struct Infinities: Query {
        static let sql: StaticString = """
            select 'infinity'::timestamptz, '-infinity'::timestamptz, '294276-12-31'::timestamptz,
                   'infinity'::date, '-infinity'::date
            """
        static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Int {
            var refused = 0
            for _ in 0..<3 {
                do { _ = try row.next(Timestamp.self) } catch { refused += error.reason == .outOfRange ? 1 : 0 }
            }
            for _ in 0..<2 {
                do { _ = try row.next(CalendarDay.self) } catch { refused += error.reason == .outOfRange ? 1 : 0 }
            }
            return refused
        }
    }

    @Test("a column of another type is an error that names the column, and the connection stays usable")
    func wrongType() async throws {
        let connection = try await connect()
        let error = await failure { _ = try await connection.rows(One<Int>()) }
        #expect(error?.state == .undecodable)
        #expect(error?.safeToRetry == false)
        #expect(error?.details.message.contains("column 0 v of type 25 has another type") == true)
        #expect(try await connection.row(One<String>()) == "x")
    }

    @Test("NULL where a value must be is an error") func null() async throws {
        let error = await failure { _ = try await connect().rows(One<String>(isNull: true)) }
        #expect(error?.details.message.contains("is NULL") == true)
    }

    @Test("a column that is not there is an error") func pastTheEnd() async throws {
        let error = await failure { _ = try await connect().row(TooMany()) }
        #expect(error?.details.message.contains("column 1") == true)
    }

    @Test("a string takes every kind of text") func texts() async throws {
        #expect(try await connect().row(Texts()) == ["a", "b", "c", "d", #"{"e": 1}"#, #"{"f": 1}"#, "<g/>", "h"])
    }

    @Test("128 bits take every whole number and the sum of a bigint column") func sums() async throws {
        #expect(try await connect().row(Sums()) == [7, -8, 9, 1_000_000, 18_446_744_073_709_551_614])
    }

    @Test("fractions, NaN, infinities and what passes 128 bits are refused", arguments: 0..<9) func unholdable(
        which: Int
    ) async throws {
        let error = await failure { _ = try await connect().row(Unholdable(which: which)) }
        #expect(error?.state == .undecodable)
    }

    @Test("infinite times are refused") func infinities() async throws {
        #expect(try await connect().row(Infinities()) == 5)
    }

    private static let types: [OID] = [
        .bool, .int2, .int4, .int8, .float4, .float8, .numeric, .text, .jsonb, .uuid, .date, .timestamptz, .int8Array,
        .textArray, .bytea,
    ]

    @Test("no bytes whatever make decoding trap", arguments: types, Dice.seeds(1)) func garbage(
        column: OID, seed: UInt64
    ) {
        func take<V: PostgresValue>(_: V.Type, _ bytes: UnsafeRawBufferPointer) {
            _ = try? V(decoding: bytes, from: column)
        }
        var dice = Dice(seed: seed)
        for _ in 0..<2_000 {
            var bytes = (0..<Int.random(in: 0...40, using: &dice)).map { _ in UInt8.random(in: 0...255, using: &dice) }
            for index in bytes.indices where Bool.random(using: &dice) {
                bytes[index] = dice.pick([0, 0, 0, 1, 255, 20, 25])
            }
            bytes.withUnsafeBytes { bytes in
                take(Bool.self, bytes)
                take(Int16.self, bytes)
                take(Int32.self, bytes)
                take(Int64.self, bytes)
                take(Int.self, bytes)
                take(Int128.self, bytes)
                take(Double.self, bytes)
                take(String.self, bytes)
                take(Bytes.self, bytes)
                take(UUID.self, bytes)
                take(Timestamp.self, bytes)
                take(CalendarDay.self, bytes)
                take([Int].self, bytes)
                take([Int?].self, bytes)
                take([String?].self, bytes)
                take([[Int]].self, bytes)
            }
        }
    }
}
