import Foundation
import Postgres
import Testing

@Suite(.server) struct ValueTests {
    private func expectRoundTrip<V: PostgresValue & Equatable>(
        _ values: [V], at location: SourceLocation = #_sourceLocation
    ) async throws {
        let connection = try await connect()
        for value in values { #expect(try await connection.row(Echo(value: value)) == value, sourceLocation: location) }
        #expect(try await connection.row(Echo<V>(value: nil)) == nil, sourceLocation: location)
    }

    @Test("booleans come back") func bools() async throws { try await expectRoundTrip([true, false]) }

    @Test("integers come back at both ends") func integers() async throws {
        try await expectRoundTrip([Int16.min, 0, .max])
        try await expectRoundTrip([Int32.min, -1, .max])
        try await expectRoundTrip([Int64.min, 1, .max])
        try await expectRoundTrip([Int.min, 42, .max])
    }

    @Test("doubles come back, with their infinities and their zero") func doubles() async throws {
        try await expectRoundTrip([
            0, -0.0, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity, -.infinity, .pi,
        ])
        let nan = try await connect().row(Echo(value: Double.nan))
        #expect(nan?.isNaN == true)
    }

    @Test("strings come back, empty and in any script") func strings() async throws {
        try await expectRoundTrip(["", "a", "Привет 👋🏽 e\u{301}", String(repeating: "x", count: 100_000)])
    }

    @Test("bytes come back, zeros too") func bytes() async throws {
        try await expectRoundTrip([Bytes([]), Bytes([0, 255, 0]), Bytes([UInt8](repeating: 7, count: 70_000))])
    }

    @Test("uuids come back") func uuids() async throws {
        try await expectRoundTrip([UUID(), UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255))])
    }

    @Test("numerics come back as whole numbers of 128 bits") func numerics() async throws {
        try await expectRoundTrip([
            Int128.min, .max, 0, 1, -1, 9_999, 10_000, -10_000, 100_000_000, 123_456_789_012_345_678_901_234_567_890,
        ])
        for power in 0..<39 { try await expectRoundTrip([(0..<power).reduce(Int128(1)) { value, _ in value * 10 }]) }
    }

    @Test("timestamps and days come back to the edges of what both sides hold") func times() async throws {
        // 4714-11-24 BC is PostgreSQL's first day. The last timestamp is the last one that fits into Int64 microseconds
        // since 1970.
        try await expectRoundTrip(
            [0, -1, 1, 946_684_800_000_000, -210_866_803_200_000_000, .max - 1].map {
                Timestamp(microsecondsSince1970: $0)
            })
        try await expectRoundTrip(
            [0, -1, 10_957, -2_440_588, 2_145_042_541 - 1].map { CalendarDay(daysSince1970: $0) })
    }

    private static let impossible: [Int64] = [.min, .min + 1, -210_866_803_200_000_001]

    @Test("a time that PostgreSQL cannot hold is refused, not wrapped round", arguments: impossible)
    func impossibleTimes(microseconds: Int64) async throws {
        let connection = try await connect()
        let error = await failure {
            try await connection.run(Echo(value: Timestamp(microsecondsSince1970: microseconds)))
        }
        #expect(error?.state.class == .dataException)
        let dayError = await failure { try await connection.run(Echo(value: CalendarDay(daysSince1970: .min))) }
        #expect(dayError?.state.class == .dataException)
    }

    @Test("arrays come back, empty, long and with NULLs in them") func arrays() async throws {
        try await expectRoundTrip([[Int]](arrayLiteral: [], [1], Array(-5000...5000)))
        try await expectRoundTrip([[Int?]](arrayLiteral: [nil], [1, nil, .max], []))
        try await expectRoundTrip([[String]](arrayLiteral: ["", "a,b", "{}", "null", "\""]))
        try await expectRoundTrip([[String?]](arrayLiteral: ["NULL", nil]))
        try await expectRoundTrip([[Bool]](arrayLiteral: [true, false]))
        try await expectRoundTrip([[Int16]](arrayLiteral: [.min]))
        try await expectRoundTrip([[Int32]](arrayLiteral: [.max]))
        try await expectRoundTrip([[Double]](arrayLiteral: [1.5, -.infinity]))
        try await expectRoundTrip([[Bytes]](arrayLiteral: [Bytes([]), Bytes([1])]))
        try await expectRoundTrip([[UUID]](arrayLiteral: [UUID(), UUID()]))
        try await expectRoundTrip([[Int128]](arrayLiteral: [.min, 0, .max]))
        try await expectRoundTrip([[Timestamp?]](arrayLiteral: [Timestamp(microsecondsSince1970: 1), nil]))
        try await expectRoundTrip([[CalendarDay]](arrayLiteral: [CalendarDay(daysSince1970: 20_000)]))
    }

    enum Mood: String, PostgresValue { case glad, sad }

    @Test("an enumeration is a value by its raw value, and an unknown one is refused") func rawValues() async throws {
        try await expectRoundTrip([Mood.glad, .sad])
        try await expectRoundTrip([[Mood]](arrayLiteral: [.sad, .sad]))
        let bytes = Array("sulky".utf8)
        #expect(throws: DecodingFailure(.outOfRange, Mood.self, from: .text)) {
            try bytes.withUnsafeBytes { try Mood(decoding: $0, from: .text) }
        }
    }
}
