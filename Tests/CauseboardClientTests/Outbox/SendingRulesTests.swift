import Contract
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@testable import CauseboardClient

@Suite struct SendingRulesTests {
    private let post = try? PendingWrite.score(
        10, game: "maze", board: "lap", playedAt: Timestamp(microsecondsSince1970: 0))
    private let donation = try? PendingWrite.donation(10, charity: "red-cross", anonymous: false)

    @Test(
        "each answer means what the contract's table says",
        arguments: [
            (408, "too-slow", Verdict.again(after: .seconds(7))), (429, "rate-limited", .again(after: .seconds(7))),
            (503, "overloaded", .again(after: .seconds(7))), (503, "database-away", .again(after: .seconds(7))),
            (500, "bug", .fault(after: .seconds(7))), (401, "clock-skew", .again(after: .seconds(7))),
            (401, "unauthorized", .stop(.signInAgain(.tokenRefused))), (403, "banned", .stop(.signInAgain(.banned))),
            (410, "gone", .stop(.signInAgain(.erased))), (409, "id-reused", .lookUp),
            (409, "label-taken", .stop(.signInAgain(.tokenRefused))), (422, "points-settling", .hold(.seconds(7))),
        ]) func table(status: Int, name: String, expected: Verdict) throws
    {
        let write = try #require(status == 422 ? donation : post)
        #expect(SendingRules.verdict(on: try answer(status, problem(name, status)), of: write) == expected)
    }

    @Test(
        "any other 4xx refuses the item",
        arguments: [
            (400, ProblemName.malformed), (403, .forbidden), (403, .serverOnly), (404, .notFound), (413, .tooLarge),
            (422, .outOfBounds), (422, .boardClosed), (422, .overspent), (422, .capReached),
        ]) func refused(status: Int, name: ProblemName) throws
    {
        let verdict = SendingRules.verdict(
            on: try answer(status, problem(name.rawValue, status)), of: try #require(donation))
        #expect(verdict == .settled(.refused(RequestRefusal(name, "No.", status: status))))
    }

    @Test("an answer that is not the server's is none, and never sets an item aside") func strangers() throws {
        let post = try #require(post)
        #expect(SendingRules.verdict(on: .silence, of: post) == .again(after: nil))
        for (status, body) in [(200, "<html>"), (201, "{}"), (200, receipt(11)), (302, ""), (404, "<html>"), (403, "")]
        {
            let verdict = SendingRules.verdict(on: try answer(status, body, type: "text/html", wait: nil), of: post)
            #expect(verdict == .again(after: nil), "\(status) \(body)")
            guard status >= 300 else { continue }
            let lookedUp = SendingRules.verdict(onReceipt: try answer(status, body, type: "text/html"), of: post)
            #expect(lookedUp == .again(after: .seconds(7)), "\(status) \(body)")
        }
        let page = try answer(200, "<html>", type: "text/html")
        #expect(SendingRules.verdict(onReceipt: page, of: post) == .again(after: nil))
    }

    @Test("a cap that ends at a time of the server keeps the donation until then, whatever the device's clock shows")
    func cap() throws {
        let body = problem("cap-reached", 422, more: #","room":0,"again_at":"2026-11-22T00:00:00.000000Z""#)
        let verdict = SendingRules.verdict(on: try answer(422, body), of: try #require(donation))
        #expect(verdict == .hold(.seconds(43_200)))
    }

    @Test("without the server's time a cap is asked about again, and not by the device's clock") func noDate() throws {
        let body = problem("cap-reached", 422, more: #","again_at":"9999-01-01T00:00:00.000000Z""#)
        #expect(SendingRules.verdict(on: try answer(422, body, date: nil), of: try #require(donation)) == .hold(nil))
    }

    @Test("the receipt of another donation is none") func otherDonation() throws {
        let donation = try #require(donation)
        func verdict(_ charity: String, _ points: Int) throws -> Verdict {
            let receipt = #"{"charity":"\#(charity)","points":\#(points),"left":0,"rank":1}"#
            return SendingRules.verdict(on: try answer(201, receipt, wait: nil), of: donation)
        }
        guard case .settled(.donation) = try verdict("red-cross", 10) else {
            Issue.record("its own receipt was not taken")
            return
        }
        #expect(try verdict("red-cross", 11) == .again(after: nil))
        #expect(try verdict("tree-fund", 10) == .again(after: nil))
    }

    @Test(
        "a registration that is put off is sent again, and one that is refused stops the queue",
        arguments: [
            (408, "too-slow", Verdict.again(after: .seconds(7))), (429, "rate-limited", .again(after: .seconds(7))),
            (500, "bug", .again(after: .seconds(7))), (503, "overloaded", .again(after: .seconds(7))),
            (422, "name-refused", .stop(.chooseAnotherName("No."))), (410, "gone", .stop(.signInAgain(.erased))),
        ]) func registration(status: Int, name: String, expected: Verdict) throws
    {
        let outcome = try answer(status, problem(name, status))
        #expect(SendingRules.verdict(onRegistration: outcome) == expected)
        let page = try answer(status, "<html>", type: "text/html")
        #expect(SendingRules.verdict(onRegistration: page) == .again(after: .seconds(7)))
    }

    @Test("a cap that ended, or ends in a thousand years, is asked about again") func strangeCaps() throws {
        let donation = try #require(donation)
        for (year, wait) in [("1970", 0), ("9999", 86_400)] {
            let body = problem("cap-reached", 422, more: #","again_at":"\#(year)-01-01T00:00:00.000000Z""#)
            #expect(SendingRules.verdict(on: try answer(422, body), of: donation) == .hold(.seconds(wait)))
        }
    }

    @Test("only donations are kept back", arguments: [ProblemName.pointsSettling, .capReached]) func heldPost(
        name: ProblemName
    ) throws {
        let again = try #require(Timestamp("2026-11-22T00:00:00.000000Z"))
        let body = problem(name.rawValue, 422, more: #","again_at":"\#(again.text)""#)
        let verdict = SendingRules.verdict(on: try answer(422, body), of: try #require(post))
        #expect(verdict == .settled(.refused(RequestRefusal(name, "No.", status: 422, againAt: again))))
    }

    @Test("a time to wait that is over is at least a second, and ever more") func noTime() {
        var most = Backoff()
        most.random = { 1 }
        #expect([.zero, .zero, .zero].map { most.next(asked: $0) } == [.seconds(2), .seconds(3), .seconds(5)])
        var least = Backoff()
        least.random = { 0 }
        #expect(least.next(asked: .milliseconds(1)) == .seconds(1))
        #expect(most.next(asked: .seconds(60)) == .seconds(60))
        #expect(most.next(asked: .seconds(1)) == .seconds(1))
    }

    @Test("after id-reused the receipt decides") func lookUp() throws {
        let post = try #require(post)
        let reused = RequestRefusal(.idReused, "This id was used for something else.", status: 409)
        #expect(
            SendingRules.verdict(onReceipt: try answer(200, receipt(11), wait: nil), of: post)
                == .settled(.refused(reused)))
        guard case .settled(.score) = SendingRules.verdict(onReceipt: try answer(200, receipt(10)), of: post) else {
            Issue.record("equal points were not taken for sent")
            return
        }
        let absent = try answer(404, problem("not-found", 404))
        #expect(SendingRules.verdict(onReceipt: absent, of: post) == .settled(.refused(reused)))
        #expect(SendingRules.verdict(onReceipt: .silence, of: post) == .again(after: nil))
    }

    @Test("a donation says that it is anonymous when it is, and nothing of it otherwise", arguments: [true, false])
    func anonymity(isAnonymous: Bool) throws {
        let donation = try PendingWrite.donation(10, charity: "red-cross", anonymous: isAnonymous)
        #expect(donation.body == (isAnonymous ? #"{"anonymous":true,"points":10}"# : #"{"points":10}"#))
    }

    @Test("waits double from a second to five minutes, each picked between nothing and all of it") func backoff() {
        var most = Backoff()
        most.random = { 1 }
        let waits = (0..<12).map { _ in most.next() }
        #expect(waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300].map { .seconds($0) })
        var half = Backoff()
        half.random = { 0.5 }
        _ = half.next()
        #expect(half.next() == .seconds(1))
        half.reset()
        #expect(half.next() == .seconds(0.5))
    }

    private func receipt(_ points: Int) -> String {
        #"{"points":\#(points),"best":1,"improved":true,"earned":1,"left":0}"#
    }

    private func problem(_ name: String, _ status: Int, more: String = "") -> String {
        #"{"type":"/problems/\#(name)","title":"","status":\#(status),"detail":"No."\#(more)}"#
    }

    private func answer(
        _ status: Int, _ body: String, type: String = "application/problem+json", wait: Int? = 7,
        date: String? = "Sat, 21 Nov 2026 12:00:00 GMT"
    ) throws -> Outcome {
        var headers = ["Content-Type": type]
        headers["Date"] = date
        if let wait { headers["Retry-After"] = String(wait) }
        let url = try #require(URL(string: "http://127.0.0.1/"))
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers))
        return .answer(Answer(response, body: Data(body.utf8)))
    }
}
