import Contract
import Foundation
import Synchronization
import TestDice
import Testing

@testable import CauseboardClient

@Suite struct FeedRowsTests {
    @Test("rows come while the answer still arrives") func streaming() async throws {
        let part = Mutex(0)
        let gate = DispatchSemaphore(value: 0)
        gate.signal()
        let server = try FakeServer { _ in
            FakeReply(
                end: .parts {
                    // Each row is sent only after the one before was read.
                    guard part.withLock({ $0 < 6 }), gate.wait(timeout: .now() + 20) == .success else { return nil }
                    let number = part.withLock { part in
                        part += 1
                        return part
                    }
                    switch number {
                    case 1...5: return Data(((number == 1 ? "<customers>" : "") + Self.row("Ada", number)).utf8)
                    case 6: return Data("</customers>".utf8)
                    default: return nil
                    }
                })
        }
        let scratch = try ScratchDirectory()
        let board = try await Causeboard(server: server.url, game: "maze", options: .test(scratch))
        let points = try await withDeadline {
            var points: [Int128] = []
            for try await row in board.topScoresRows() {
                #expect(part.withLock { $0 } == Int(row.points))
                points.append(row.points)
                gate.signal()
            }
            return points
        }
        #expect(points == [1, 2, 3, 4, 5])
        await board.close()
    }

    @Test("what a slow reader has not taken waits on disk, and none of it is lost or out of order") func slowReader()
        async throws
    {
        let rowsMax = 20_000
        let sent = Mutex(0)
        let server = try FakeServer { _ in
            FakeReply(
                body: Data("<customers>".utf8),
                end: .parts {
                    let first = sent.withLock { sent in
                        defer { sent += 1_000 }
                        return sent
                    }
                    if first == rowsMax { return Data("</customers>".utf8) }
                    guard first < rowsMax else { return nil }
                    return Data((first..<first + 1_000).map { Self.row("Tom &amp; Jerry", $0) }.joined().utf8)
                })
        }
        let scratch = try ScratchDirectory()
        let board = try await Causeboard(server: server.url, game: "maze", options: .test(scratch))
        var expected: Int128 = 0
        for try await row in board.topScoresRows() {
            // The server is not waited for: it has sent everything long before this is through.
            #expect(row.points == expected && row.name == "Tom & Jerry")
            expected += 1
        }
        #expect(expected == Int128(rowsMax))
        await board.close()
    }

    @Test("a feed that ends early gives its rows and then says so") func early() async throws {
        let text = "<customers>" + Self.row("Ada", 1) + "<customer><name>Bob"
        let (rows, error) = await read(ContributorRow.self, text)
        #expect(rows.map(\.name) == ["Ada"])
        #expect(error == .askAgain(after: nil, .unreachable))
    }

    @Test("an answer that is a problem is told as one") func problem() async throws {
        let server = try FakeServer { _ in .problem("overloaded", status: 503) }
        let scratch = try ScratchDirectory()
        let board = try await Causeboard(server: server.url, game: "maze", options: .test(scratch))
        await #expect(throws: CauseboardError.askAgain(after: nil, .serverTrouble)) {
            for try await _ in board.topScoresRows() {}
        }
        await board.close()
    }

    @Test("pictures are decoded, and what is no picture is none") func pictures() async throws {
        let png = try Data(contentsOf: Golden.url("avatar40.png"))
        let base64 = png.base64EncodedString(options: .lineLength64Characters)
        let text = [base64, "ab+/cd+/ef==", "", "!"].map {
            "<customer><name>Ada</name><image>\($0)</image><points>1</points></customer>"
        }.joined()
        let (rows, error) = await read(ContributorRow.self, "<customers>\(text)</customers>")
        #expect(error == nil)
        #expect(rows.map(\.picture) == [png, nil, nil, nil])
    }

    @Test(
        "a ranking is read whatever strangers sent as details",
        arguments: [
            (#"{"car":"red"}"#, Detail.object(["car": .text("red")])), ("1e999", .null), ("-0.5", .number(-0.5)),
            (String(repeating: "9", count: 400), .null), (#"{"a":[{}]}"#, .object(["a": .list([.object([:])])])),
            (#""\u0000<>""#, .text("\0<>")),
        ]) func strangersDetails(_ text: String, _ detail: Detail) throws
    {
        let row = #""rank":1,"tied":false,"name":"A","points":5,"reached_at":"2026-11-21T06:40:52Z""#
        let json = #"{"board":"lap","rows":[{\#(row),"detail":\#(text)},{\#(row)}]}"#
        let ranking = try JSONDecoder().decode(Ranking.self, from: Data(json.utf8))
        #expect(ranking.rows.map(\.detail) == [detail, nil])
        let again = try JSONDecoder().decode(Ranking.self, from: JSONEncoder().encode(ranking))
        #expect(again == ranking || detail == .null)
        let deep = String(repeating: "[", count: 32) + String(repeating: "]", count: 32)
        #expect(throws: Never.self) {
            try JSONDecoder().decode(Ranking.self, from: Data(json.replacing(text, with: deep).utf8))
        }
    }

    @Test("a charity's total of more than 64 bits is read whole, and its progress closely") func wideTotal() throws {
        let row = #""rank":1,"slug":"trees","name":"Trees","contributors":1024,"goal":1,"final":false"#
        let points: Int128 = 9_223_372_036_854_775_808_000
        let json = #"{"board":"charities","of":1,"rows":[{\#(row),"points":\#(points),"progress":\#(points)00.0}]}"#
        let ranking = try JSONDecoder().decode(CharityRanking.self, from: Data(json.utf8))
        #expect(ranking.rows.map(\.points) == [points])
        #expect(ranking.rows.map(\.progress) == [Double(points) * 100])
    }

    @Test("a board's top and the property list of high scores are read") func otherFeeds() async throws {
        let top = """
            <?xml version="1.0" encoding="UTF-8"?>
            <standings type="array">
              <standing>
                <rank type="integer">1</rank>
                <tied type="boolean">true</tied>
                <player type="integer">7</player>
                <name>Ada</name>
                <points type="integer">170141183460469231731687303715884105727</points>
                <reached-at type="dateTime">2026-11-21T06:40:52.677996Z</reached-at>
                <avatar></avatar>
                <flag>DE-BE</flag>
                <detail>{"car":"&lt;red&gt;","laps":[1,2.5,1e999,null,true]}</detail>
              </standing>
            </standings>
            """
        let (rows, error) = await read(RankedRow.self, top)
        #expect(error == nil)
        let reached = try #require(Timestamp("2026-11-21T06:40:52.677996Z"))
        let laps: [Detail] = [.integer(1), .number(2.5), .null, .null, .boolean(true)]
        let detail = Detail.object(["car": .text("<red>"), "laps": .list(laps)])
        #expect(
            rows == [
                RankedRow(
                    rank: 1, tied: true, player: 7, name: "Ada", points: .max, reachedAt: reached, flag: "DE-BE",
                    detail: detail)
            ])
        #expect(rows.first?.detail?["car"]?.text == "<red>")
        let list = try String(contentsOf: Golden.url("plist300_three_fixtures.xml"), encoding: .utf8)
        let (posts, listError) = await read(HighScoreRow.self, list)
        #expect(listError == nil)
        #expect(posts.count == 3)
        #expect(posts.allSatisfy { $0.createdAt != nil && !$0.name.isEmpty })
        let empty = try String(contentsOf: Golden.url("plist300_empty.xml"), encoding: .utf8)
        #expect(await read(HighScoreRow.self, empty).0.isEmpty)
    }

    private func read<Row: FeedRow>(_ type: Row.Type, _ text: String) async -> ([Row], CauseboardError?) {
        let parts = Mutex(Array(Data(text.utf8)).map { Data([$0]) }[...])
        let feed = FeedRows<Row>(open: { () async throws(CauseboardError) in { parts.withLock { $0.popFirst() } } })
        var rows: [Row] = []
        do throws(CauseboardError) { for try await row in feed { rows.append(row) } } catch { return (rows, error) }
        return (rows, nil)
    }

    private static func row(_ name: String, _ points: Int) -> String {
        "<customer><name>\(name)</name><image></image><points>\(points)</points></customer>\n"
    }
}

/// The captures of another server that lie in the repository.
enum Golden {
    static func url(_ name: String) -> URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Golden").appendingPathComponent(name)
    }
}
