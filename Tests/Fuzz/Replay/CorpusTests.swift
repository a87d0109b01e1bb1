import Foundation
import Testing

/// Replays the inputs from which the fuzzers start, and their beginnings. `deploy/test --nightly` fuzzes.
struct CorpusTests {
    private static let corpora = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Corpus")
    /// At most this many beginnings of each input are replayed.
    private static let beginningsMax = 64

    @Test func everyParserHasACorpus() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.corpora.path)
        #expect(folders.sorted() == parsers.map(\.name).sorted())
    }

    @Test(arguments: parsers.map(\.name)) func inputsKeepTheProperties(of name: String) throws {
        let parser = try #require(parsers.first { $0.name == name })
        let folder = Self.corpora.appending(path: name)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(!files.isEmpty)
        for file in files {
            let input = Array(try Data(contentsOf: folder.appending(path: file)))
            let step = max(1, input.count / Self.beginningsMax)
            for count in Array(stride(from: 0, to: input.count, by: step)) + [input.count] {
                input.prefix(count).withUnsafeBytes(parser.check)
            }
        }
    }
}

/// Fails the test whose input breaks a property.
func require(_ holds: Bool, _ property: @autoclosure () -> String) {
    if !holds { Issue.record("does not hold: \(property())") }
}
