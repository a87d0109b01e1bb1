import Contract
import Foundation
import Synchronization
import Testing

@testable import CauseboardClient

/// The captures of a Rails server, from the client's side: what is sent is what the captured client sent, byte for
/// byte, and what that server answered is understood.
@Suite struct ClassicCauseboardTests {
    private static let phone = "2bef0b11cff51cbb2e0730235f5664094b83b487"

    /// A server that answers one capture, and the client before it.
    private struct Replay {
        let name: String
        let server: FakeServer
        let client: ClassicCauseboard

        init(_ name: String) throws {
            self.name = name
            let capture = try String(decoding: Data(contentsOf: Golden.url(name + ".http")), as: UTF8.self)
            let status = try #require(capture.split(separator: " ").dropFirst().first.flatMap { Int($0) })
            let xml = Golden.url(name + ".xml")
            let body = FileManager.default.fileExists(atPath: xml.path) ? try Data(contentsOf: xml) : Data()
            server = try FakeServer { _ in
                FakeReply(status: status, headers: ["Content-Type": "application/xml; charset=utf-8"], body: body)
            }
            client = ClassicCauseboard(server: server.url, phone: ClassicCauseboardTests.phone, salt: "999888999")
        }

        /// - Parameter changes: What REPLAY.tsv says to change before sending, as texts of the body.
        func expectSent(_ changes: [String: String] = [:]) throws {
            let capture = try Data(contentsOf: Golden.url(name + ".req"))
            let gap = try #require(capture.range(of: Data("\r\n\r\n".utf8)))
            let head = String(decoding: capture[..<gap.lowerBound], as: UTF8.self)
            var body = String(decoding: capture[gap.upperBound...], as: UTF8.self)
            for (old, new) in changes { body = body.replacingOccurrences(of: old, with: new) }
            let sent = try #require(server.requests.first)
            #expect(head.hasPrefix("\(sent.method) \(sent.path) "))
            #expect(sent.headers["content-type"] == "application/x-www-form-urlencoded")
            #expect(sent.headers["content-length"] == String(sent.body.count))
            #expect(sent.text == body)
        }
    }

    @Test(
        "registrations",
        arguments: [
            ("cu_put_ok", "yarri"), ("cu_name_amp", "Tom & Jerry"), ("cu_name_plus", "C++ x"),
            ("cu_name_utf8", "Zoë 日本 😀"), ("cu_send_updates_0", "su"),
        ]) func register(capture: String, name: String) async throws
    {
        let replay = try Replay(capture)
        var customer = ClassicCauseboard.Customer(name: name)
        (customer.email, customer.facebookID) = ("a@b.c", "0")
        customer.sendsUpdates = capture != "cu_send_updates_0"
        let avatar = try Data(contentsOf: Golden.url("avatar40.png"))
        customer.image = avatar
        let registered = try await replay.client.register(customer)
        try replay.expectSent(["ab+/cd+/ef==": avatar.base64EncodedString()])
        // That server cut a name at its &.
        #expect(registered.name == (capture == "cu_name_amp" ? "Tom" : capture == "cu_name_plus" ? "C   x" : name))
        #expect(registered.sendsUpdates == customer.sendsUpdates)
    }

    @Test("a picture goes in base64 with nothing escaped") func picture() async throws {
        let replay = try Replay("cu_put_real_png_unescaped")
        var customer = ClassicCauseboard.Customer(name: "Real PNG")
        (customer.email, customer.sendsUpdates, customer.facebookID) = ("a@b.c", true, "0")
        customer.image = try Self.capturedPicture("cu_put_real_png_unescaped")
        let registered = try await replay.client.register(customer)
        try replay.expectSent()
        #expect(registered.id == 2)
    }

    @Test("scores and donations") func ledgers() async throws {
        let score = try Replay("sc_put_ok")
        #expect(try await score.client.post(1_234) == .init(points: 1_234, best: nil, rank: nil))
        try score.expectSent(["customer_id=1": "phone=\(Self.phone)"])
        let donation = try Replay("do_put_ok")
        let receipt = try await donation.client.donate(50, to: "Red Cross")
        #expect(receipt == .init(charity: "Red Cross", points: 50, balance: nil))
        try donation.expectSent(["customer_id=1": "phone=\(Self.phone)"])
    }

    @Test("what a server of today adds is understood") func today() async throws {
        let text = "<score><id>7</id><points>5</points><best>9</best><rank>3</rank></score>"
        let server = try FakeServer { _ in FakeReply(status: 201, body: Data(text.utf8)) }
        let client = ClassicCauseboard(server: server.url, phone: Self.phone)
        let id = try #require(UUID(uuidString: "0B7C6F0E-3C8E-4C5A-9C1D-2F4B8A6D1E00"))
        #expect(try await client.post(5, to: "lap", id: id) == .init(points: 5, best: 9, rank: 3))
        let sent = "phone=\(Self.phone)&points=5&board=lap&id=0b7c6f0e-3c8e-4c5a-9c1d-2f4b8a6d1e00"
        #expect(server.requests.map(\.text) == [sent])
    }

    @Test(
        "high scores with their tokens",
        arguments: [
            "hs_post_ok_upper_token", "hs_post_ok_lower_token", "hs_post_name_32_emoji", "hs_post_name_33_2byte",
        ]) func highScore(capture: String) async throws
    {
        let replay = try Replay(capture)
        let fields = try Self.fields(capture)
        let name = try #require(fields["high_score[player_name]"])
        let score = try #require(fields["high_score[total_score]"].flatMap { Int64($0) })
        if capture == "hs_post_name_33_2byte" {
            await #expect(throws: CauseboardError.self) { try await replay.client.postHighScore(score, name: name) }
        } else {
            try await replay.client.postHighScore(score, name: name)
        }
        let token = try #require(fields["high_score[auth_token]"])
        try replay.expectSent([token: token.uppercased()])
    }

    @Test("a refusal is told with the server's words, or without any") func refused() async throws {
        let missing = try Replay("cu_put_missing_name")
        let refusal = RequestRefusal(nil, "Name can't be blank", status: 422)
        await #expect(throws: CauseboardError.giveUp(refusal)) { try await missing.client.register(.init(name: "")) }
        let silent = RequestRefusal(nil, "The server refused it without a word.", status: 422)
        let token = try Replay("hs_post_bad_token")
        await #expect(throws: CauseboardError.giveUp(silent)) { try await token.client.postHighScore(50, name: "X") }
    }

    @Test("values that would be taken for other fields are not sent") func injection() async throws {
        let replay = try Replay("cu_put_ok")
        for name in ["Eve&phone=0", "Eve\nx", "(null)"] {
            await #expect(throws: CauseboardError.self) { try await replay.client.register(.init(name: name)) }
        }
        #expect(replay.server.requests.isEmpty)
    }

    @Test("the feeds of that server are read") func feeds() async throws {
        let one = try Replay("ts_one")
        for try await row in one.client.topScores() {
            #expect(row == ContributorRow(fields: ["name": "yarri", "points": "15"]))
        }
        #expect(one.server.requests.map(\.target) == ["/TopScores.xml"])
        let many = try Replay("ts_300_donors_TopScoresFixed")
        var points: [Int128] = []
        for try await row in many.client.topScores() { points.append(row.points) }
        #expect(points == (251...300).reversed())
        let empty = try Replay("ts_empty_TopScoresFixed")
        for try await row in empty.client.topScores() { Issue.record("an empty feed has the row \(row)") }
        let posts = try Replay("hs_index_three_fixtures")
        var names: [String] = []
        for try await row in posts.client.highScores() { names.append("\(row.name) \(row.score)") }
        #expect(names == ["player three 20", "player two 15", "player one 10"])
    }

    /// The fields of a captured body, whose values have no `&`.
    private static func fields(_ capture: String) throws -> [String: String] {
        let request = try String(decoding: Data(contentsOf: Golden.url(capture + ".req")), as: UTF8.self)
        let body = try #require(request.components(separatedBy: "\r\n\r\n").last)
        var fields: [String: String] = [:]
        for pair in body.components(separatedBy: "&") {
            let mark = try #require(pair.firstIndex(of: "="))
            fields[String(pair[..<mark])] = String(pair[pair.index(after: mark)...])
        }
        return fields
    }

    private static func capturedPicture(_ capture: String) throws -> Data {
        let image = try #require(try fields(capture)["image"])
        return try #require(Data(base64Encoded: image))
    }
}
