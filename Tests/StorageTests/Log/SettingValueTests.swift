import Domain
import FoundationEssentials
import TestDatabases
import Testing

@testable import Storage

@Suite struct SettingValueTests {
    private let key = LogKey(Array(0..<32))

    @Test("the log shows words, numbers and times in plain text, and a text as its keyed hash") func forms() {
        #expect(SettingValue.plain("fixed:10").logged(as: "earns", key) == "fixed:10")
        #expect(SettingValue(Patch.set(Int64(-5))).logged(as: "goal", key) == "-5")
        #expect(SettingValue(Patch.set(Instant.noon)).logged(as: "opens", key).hasPrefix("20"))
        #expect(SettingValue(Patch<Int64>.clear).logged(as: "goal", key) == "-")
        let hash = SettingValue.text("Maze").logged(as: "name", key)
        #expect(hash.wholeMatch(of: /#[0-9a-f]{16}/) != nil)
        #expect(SettingValue.text("Maze").logged(as: "name", key) == hash)
        #expect(SettingValue.text("maze").logged(as: "name", key) != hash)
        #expect(SettingValue.text("Maze").logged(as: "unit", key) != hash)
        #expect(SettingValue.text("Maze").logged(as: "name", LogKey(Array(1...32))) != hash)
    }

    @Test(
        "a value that could be read as another setting is hashed",
        arguments: ["", "a;trust=open", "a=b", "a\nb", "#00", "a b", "ä", "\u{7F}"]) func separators(text: String)
    { #expect(SettingValue.plain(text).logged(as: "zone", key).wholeMatch(of: /#[0-9a-f]{16}/) != nil) }

    @Test("equal texts have equal hashes, and the log contains no text") func traces() async throws {
        try await withTestDatabase { database in
            for name in ["One", "Two", "One"] {
                let name = try #require(DisplayName(name))
                let outcome = try await database.store.admin.setGame(
                    .defaultGame, name: name, classic: nil, salt: .keep, now: .noon)
                #expect(outcome == .set)
            }
            let shown = try await database.store.admin.log(before: nil, rows: 3).map(\.entry.values)
            #expect(shown[0] == shown[2] && shown[0] != shown[1] && shown[0].hasPrefix("name=#"))
            #expect(try await database.auditComplaints() == [])
        }
    }
}
