import Foundation
import Testing

/// The article about the game in a terminal prints code of the game, which the build compiles and an end-to-end test
/// plays.
@Suite struct TerminalGameArticleTests {
    private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources")

    @Test("the article's code is the game's own") func printed() throws {
        let article = Self.sources.appendingPathComponent("CauseboardClient/CauseboardClient.docc/TerminalGame.md")
        let folder = Self.sources.appendingPathComponent("TerminalGame")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).filter {
            $0.pathExtension == "swift"
        }.map { lines(try String(contentsOf: $0, encoding: .utf8)) }
        let blocks = try String(contentsOf: article, encoding: .utf8).components(separatedBy: "```").filter {
            $0.hasPrefix("swift\n")
        }
        #expect(blocks.count >= 9)
        for block in blocks {
            let wanted = lines(String(block.dropFirst("swift\n".count)))
            let isThere = files.contains { file in file.indices.contains { file[$0...].starts(with: wanted) } }
            #expect(isThere, "\(block)")
        }
    }

    @Test("each file of the game that it names is there") func named() throws {
        let article = Self.sources.appendingPathComponent("CauseboardClient/CauseboardClient.docc/TerminalGame.md")
        let names = try String(contentsOf: article, encoding: .utf8).matches(of: /`(\w+\.swift)`/).map { $0.output.1 }
        #expect(names.count >= 4)
        for name in names {
            let file = Self.sources.appendingPathComponent("TerminalGame/\(name)")
            #expect(FileManager.default.fileExists(atPath: file.path), "\(name)")
        }
    }

    private func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
