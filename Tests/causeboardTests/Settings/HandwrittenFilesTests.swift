import Credentials
import Domain
import Foundation
import Storage
import Testing

@testable import causeboard

/// Every file that an operator writes, as editors of all systems write it.
@Suite struct HandwrittenFilesTests {
    private func withFile<Value>(_ text: String, _ body: (String) throws -> Value) throws -> Value {
        try withFile(Array(text.utf8), body)
    }

    private func withFile<Value>(_ bytes: [UInt8], _ body: (String) throws -> Value) throws -> Value {
        let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        try Data(bytes).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try body(path)
    }

    /// The same text with each mark and each end of lines.
    private func spellings(_ text: String) -> [String] {
        ["", "\u{FEFF}"].flatMap { mark in ["\n", "\r\n", "\r"].map { mark + text.replacing("\n", with: $0) } }
    }

    @Test("settings are the same, whatever ends their lines") func settings() throws {
        let text = "CAUSEBOARD_DATA=/srv/a b\n# of the arcade\n\nCAUSEBOARD_PORT= 18411 \nCAUSEBOARD_HOST=\n"
        for spelling in spellings(text) + spellings("# first a comment\n" + text) {
            let values = try withFile(spelling) { try SettingsFile($0).values }
            #expect(values == ["CAUSEBOARD_DATA": "/srv/a b", "CAUSEBOARD_PORT": "18411", "CAUSEBOARD_HOST": ""])
        }
        let twice = try withFile("CAUSEBOARD_PORT=1\r\nCAUSEBOARD_PORT=a=b\r\n") { try SettingsFile($0).values }
        #expect(twice == ["CAUSEBOARD_PORT": "a=b"])
    }

    @Test("a line that cannot be read stops the start and is named") func badSettings() throws {
        for (line, words) in [
            ("CAUSEBOARD_PROT=1", "there is no setting CAUSEBOARD_PROT"), ("CAUSEBOARD_PORT", "is no NAME=value"),
            ("CAUSEBOARD_DATA=\"/srv\"", "leave out the quotes"), ("CAUSEBOARD_DATA=  '/srv'", "leave out the quotes"),
            ("export CAUSEBOARD_PORT=1", "there is no setting"), ("=1", "there is no setting"),
            ("CAUSEBOARD_DATA=a\0b", "is not UTF-8 text"),
        ] {
            for spelling in spellings("CAUSEBOARD_HOST=::\n\n\(line)\nCAUSEBOARD_PORT=1\n") {
                try withFile(spelling) { path in
                    let error = #expect(throws: CommandError.self) { try SettingsFile(path) }
                    let description = try #require(error?.description)
                    #expect(description.contains("Line 3 of \(path)") && description.contains(words), "\(description)")
                }
            }
        }
        let utf16: [UInt8] = [0xFF, 0xFE] + "CAUSEBOARD_PORT=1\n".utf8.flatMap { [$0, 0] }
        try withFile(utf16) { path in
            let error = #expect(throws: CommandError.self) { try SettingsFile(path) }
            #expect(error?.description.contains("Line 1 of \(path) is not UTF-8 text") == true)
        }
        #expect(throws: CommandError.self) { try SettingsFile("/nowhere/causeboard.conf") }
    }

    @Test("a secret is read from a file of any editor") func secret() throws {
        let digits = String(repeating: "5eed", count: 16)
        let fingerprint = try withFile(digits) { try SecretSource.read($0).fingerprint }
        for spelling in spellings(digits + "\n") + spellings(" " + digits + "\n\n") {
            #expect(try withFile(spelling) { try SecretSource.read($0).fingerprint } == fingerprint)
        }
    }

    @Test("a list of erasures is read from a file of any editor, and a bad line is named by its number") func erasures()
        throws
    {
        for spelling in spellings("7 0b6ed5a8 2026-11-21\n\n8\n") {
            #expect(try withFile(spelling) { try ErasureList.players(inFile: $0).map(\.rawValue) } == [7, 8])
        }
        for spelling in spellings("7 x\n\n\nAda\n") {
            try withFile(spelling) { path in
                let error = #expect(throws: CommandError.self) { try ErasureList.players(inFile: path) }
                #expect(error?.description.hasPrefix("Line 4 of ") == true)
            }
        }
    }

    @Test("refused words are read from a file of any editor") func words() throws {
        for spelling in spellings("darn\n\n heck \n") {
            let change = try withFile(spelling) { try GameChange(by: OptionTexts(["refused_words": $0], optional: [])) }
            #expect(change.refusedWords?.texts == ["darn", "heck"])
        }
    }
}
