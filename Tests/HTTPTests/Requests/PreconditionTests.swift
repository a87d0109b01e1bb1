import enum Contract.ProblemName
import Domain
import HTTPTypes
import NIOHTTP1
import Storage
import Testing

@testable import HTTP
@testable import HTTPServer

@Suite struct PreconditionTests {
    private func headers(_ name: String, _ values: [String]) -> RequestHeaders {
        RequestHeaders(HTTPHeaders(values.map { (name, $0) }))
    }

    @Test(
        "If-Match is one strong ETag, and a weak one is no version",
        arguments: [("\"731\"", "731"), (" \"7-8\"\t", "7-8"), ("W/\"731\"", ""), ("\"é\"", ""), ("\"\"", "")])
    func version(header: String, version: String) throws {
        #expect(try Precondition.version(headers("If-Match", [header])) == version)
        #expect(Precondition.etag("731") == "\"731\"")
    }

    @Test(
        "anything else is 428",
        arguments: [[], ["*"], ["731"], ["\""], ["\"1\", \"2\""], ["\"1\"", "\"2\""], ["\"1"], ["1\""], [""]])
    func none(values: [String]) {
        #expect(throws: Problem.noVersion) { try Precondition.version(headers("If-Match", values)) }
        #expect(Problem.noVersion.name.status.code == 428)
    }

    @Test("what is new says If-None-Match: *, and nothing else") func creates() throws {
        try Precondition.creates(headers("If-None-Match", [" * "]))
        for values in [[], ["\"731\""], ["*, \"1\""], ["*", "*"], [""]] {
            #expect(throws: Problem.notSaidToBeNew, "\(values)") {
                try Precondition.creates(headers("If-None-Match", values))
            }
        }
    }

    @Test("a save says that its slot is empty, or which version it has, and not both") func expectation() throws {
        let etag = try #require(SaveETag(hex: String(repeating: "0a", count: 16)))
        #expect(try Precondition.expectation(headers("If-None-Match", ["*"])) == .nothing)
        #expect(try Precondition.expectation(headers("If-Match", ["\"\(etag.hex)\""])) == .version(etag))
        // No slot has these, so they are stale.
        for text in ["\"731\"", "W/\"\(etag.hex)\"", "\"\(etag.hex)00\""] {
            #expect(try Precondition.expectation(headers("If-Match", [text])) == .version(nil), "\(text)")
        }
        let both = RequestHeaders(HTTPHeaders([("If-Match", "\"\(etag.hex)\""), ("If-None-Match", "*")]))
        let refused = [
            both, headers("If-Match", []), headers("If-Match", ["*"]), headers("If-Match", ["\"1\", \"2\""]),
            headers("If-None-Match", ["\"1\""]),
        ]
        for headers in refused { #expect(throws: Problem.noExpectation) { try Precondition.expectation(headers) } }
    }

    @Test("every outcome of a change has its problem, and only success has none") func outcomes() throws {
        let expected: [AdminOutcome: Int] = [
            .exists: 412, .stale: 412, .noGame: 404, .noBoard: 404, .noCharity: 404, .noKey: 404, .noProvider: 404,
        ]
        for outcome in [
            AdminOutcome.added, .set, .exists, .stale, .fixed, .classic, .closed, .noGame, .noBoard, .noCharity, .noKey,
            .noProvider, .full, .badZone, .badBounds, .badTimes, .nameTaken, .tokenTaken, .badExpiry,
        ] {
            do {
                try outcome.check("\"7\"")
                #expect(outcome == .added || outcome == .set)
            } catch let problem as Problem {
                #expect(problem.name.status.code == expected[outcome], "\(outcome)")
                #expect(problem.current == (problem.name == .stale ? "\"7\"" : nil))
            } catch { #expect(error is FieldError && expected[outcome] == nil, "\(outcome)") }
        }
    }
}
