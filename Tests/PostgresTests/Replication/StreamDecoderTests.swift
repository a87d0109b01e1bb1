import TestDice
import Testing

@testable import Postgres

/// Decodes bytes that no server would send, and some that it would.
@Suite struct StreamDecoderTests {
    private static let relation = Wire().text("R").int(UInt32(16_384)).string("public").string("item").text("d").int(
        Int16(4)
    ).column("id", 20).column("word", 25).column("none", 23).column("large", 25).bytes
    private static let tuple = Wire().int(Int16(4)).text("b").int(Int32(8)).int(Int64(7)).text("b").int(Int32(3)).text(
        "abc"
    ).text("n").text("u").bytes
    /// A change of every kind.
    private static let changes: [[UInt8]] = [
        Wire().text("I").int(UInt32(16_384)).text("N").raw(tuple).bytes,
        Wire().text("U").int(UInt32(16_384)).text("N").raw(tuple).bytes,
        Wire().text("U").int(UInt32(16_384)).text("O").raw(tuple).text("N").raw(tuple).bytes,
        Wire().text("U").int(UInt32(16_384)).text("K").raw(tuple).text("N").raw(tuple).bytes,
        Wire().text("D").int(UInt32(16_384)).text("K").raw(tuple).bytes,
        Wire().text("T").int(Int32(1)).int(UInt8(3)).int(UInt32(16_384)).bytes,
    ]
    private static let others: [[UInt8]] = [
        Wire().text("B").int(UInt64(0x16_B374_D848)).int(Int64(1)).int(UInt32(700)).bytes,
        Wire().text("M").int(UInt8(1)).int(UInt64(9)).string("token").int(Int32(2)).text("xy").bytes,
        Wire().text("Y").int(UInt32(1)).string("public").string("kind").bytes,
        Wire().text("O").int(UInt64(9)).string("elsewhere").bytes,
        Wire().text("C").int(UInt8(0)).int(UInt64(1)).int(UInt64(2)).int(Int64(3)).bytes,
    ]

    /// Reads everything that a message contains.
    /// - Returns: The message in words; nil when the decoder refuses it.
    private static func read(_ bytes: [UInt8], with decoder: inout StreamDecoder) -> String? {
        bytes.withUnsafeBytes { bytes in
            do {
                guard let event = try decoder.event(bytes) else { return "nothing" }
                switch consume event {
                case .begin(let position): return "begin \(position.rawValue)"
                case .commit: return "commit"
                case .insert(let relation, let row): return "insert \(relation.name) \(try text(row))"
                case .update(let relation, let old, let new):
                    let before = if let old { try text(old) } else { "-" }
                    return "update \(relation.name) \(before) \(try text(new))"
                case .delete(let relation, let row): return "delete \(relation.name) \(try text(row))"
                case .truncate(let relations): return "truncate \(relations.map(\.name))"
                case .message(let prefix, let content): return "message \(prefix) \(content)"
                }
            } catch { return nil }
        }
    }

    private static func text(_ row: consuming StreamTuple) throws -> String {
        var columns: [String] = []
        for column in 0..<row.columnsCount {
            if column == 0 {
                columns.append(try row.next(Int64.self).map { "\($0)" } ?? "null")
            } else if column < 4 {
                columns.append(try row.next(String.self) ?? "null")
            } else {
                try row.skip()
            }
        }
        return columns.joined(separator: ",")
    }

    private static func decoder() -> StreamDecoder {
        var decoder = StreamDecoder()
        #expect(read(relation, with: &decoder) == "nothing")
        return decoder
    }

    @Test("every kind of message is understood") func kinds() {
        var decoder = Self.decoder()
        #expect(
            Self.changes.map { Self.read($0, with: &decoder) } == [
                "insert item 7,abc,null,null", "update item - 7,abc,null,null",
                "update item 7,abc,null,null 7,abc,null,null", "update item 7,abc,null,null 7,abc,null,null",
                "delete item 7,abc,null,null", #"truncate ["item"]"#,
            ])
        #expect(
            Self.others.map { Self.read($0, with: &decoder) } == [
                "begin \(0x16_B374_D848)", "message token xy", "nothing", "nothing", "commit",
            ])
    }

    @Test("a change that ends early is refused wherever it ends") func truncated() {
        for message in Self.changes {
            for count in message.indices {
                var decoder = Self.decoder()
                #expect(Self.read(Array(message[..<count]), with: &decoder) == nil, "\(count) bytes of \(message)")
            }
        }
    }

    @Test("a change of a table that was never described is refused") func unknownRelation() {
        for message in Self.changes {
            var decoder = StreamDecoder()
            #expect(Self.read(message, with: &decoder) == nil)
        }
    }

    @Test("a column of another type, or beyond the last, is an error") func wrongColumn() throws {
        var decoder = Self.decoder()
        try Self.changes[0].withUnsafeBytes { bytes in
            guard let event = try decoder.event(bytes), case .insert(_, var row) = consume event else {
                Issue.record("no insert")
                return
            }
            #expect(throws: DecodingFailure.self) { _ = try row.next(Bool.self) }
            for _ in 0..<3 { try row.skip() }
            #expect(throws: DecodingFailure.self) { try row.skip() }
        }
    }

    @Test("no bytes whatever make decoding trap", arguments: Dice.seeds(1...4)) func garbage(seed: UInt64) {
        var dice = Dice(seed: seed)
        let letters: [UInt8] = Array("BCROYIUDTMNOKnutb".utf8) + [0, 1, 0x7F, 0x80, 0xFF]
        var decoder = Self.decoder()
        for _ in 0..<3_000 {
            // Half of the changed bytes become letters that may mean something. The others take any value, so lengths
            // lie.
            var message = (Self.changes + Self.others + [Self.relation]).randomElement(using: &dice) ?? []
            for _ in 0..<Int.random(in: 1...6, using: &dice) {
                let place = Int.random(in: message.indices, using: &dice)
                message[place] =
                    Bool.random(using: &dice)
                    ? letters.randomElement(using: &dice) ?? 0 : .random(in: 0...255, using: &dice)
            }
            _ = Self.read(Array(message.prefix(Int.random(in: 0...message.count, using: &dice))), with: &decoder)
            _ = Self.read(message, with: &decoder)
        }
        // The decoder still understands valid messages.
        #expect(Self.read(Self.relation, with: &decoder) == "nothing")
        #expect(Self.read(Self.changes[0], with: &decoder) == "insert item 7,abc,null,null")
    }
}

/// Builds messages.
private struct Wire {
    var bytes: [UInt8] = []

    func raw(_ more: [UInt8]) -> Wire { Wire(bytes: bytes + more) }
    func text(_ text: String) -> Wire { raw(Array(text.utf8)) }
    func string(_ text: String) -> Wire { raw(Array(text.utf8) + [0]) }
    func int(_ value: some FixedWidthInteger) -> Wire { raw(Swift.withUnsafeBytes(of: value.bigEndian) { Array($0) }) }
    func column(_ name: String, _ type: UInt32) -> Wire { int(UInt8(1)).string(name).int(type).int(Int32(-1)) }
}
