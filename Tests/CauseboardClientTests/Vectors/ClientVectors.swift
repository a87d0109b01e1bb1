import Contract
import Foundation
import Synchronization
import Testing

@testable import CauseboardClient

/// `Tests/Vectors/clients.json`, whose head says what each member is.
struct ClientVectors: Decodable, Sendable {
    struct Registration: Decodable, Sendable, CustomTestStringConvertible {
        let about: String
        let known: Bool
        let call: [String]
        let answers: [VectorAnswer]
        let repeats: Bool?
        let requests: [String]?
        let comesTo: String
        let post: String
        let name: String?

        var testDescription: String { "\(about): \(call)" }
    }

    struct Post: Decodable, Sendable, CustomTestStringConvertible {
        let about: String
        let kind: String
        let behind: Bool?
        let answers: [VectorAnswer]
        let requests: [String]?
        let comesTo: String

        var testDescription: String { "\(about): \(comesTo)" }
    }

    struct SignIns: Decodable, Sendable, CustomTestStringConvertible {
        let about: String
        let known: Bool
        let calls: [[String]]
        let answers: [String: VectorAnswer]
        let requests: [String]
        let comeTo: [String]
        let name: String

        var testDescription: String { about }
    }

    /// A call that is not queued, beside a score that is.
    struct DirectCall: Decodable, Sendable, CustomTestStringConvertible {
        let about: String
        let known: Bool
        let call: [String?]
        let answers: [VectorAnswer]
        let repeats: Bool?
        let requests: [String]
        let comesTo: String
        let post: String
        let name: String?

        var testDescription: String { "\(about): \(call)" }
    }

    struct File: Decodable, Sendable, CustomTestStringConvertible {
        let about: String
        let file: String
        let damage: String
        let text: String?
        let opens: Bool
        let player: String?
        let pending: [Int64]?

        var testDescription: String { "\(about): \(text ?? damage)" }
    }

    var registrations: [Registration] = []
    var posts: [Post] = []
    var signIns: [SignIns] = []
    var identities: [DirectCall] = []
    var friends: [DirectCall] = []
    var teams: [DirectCall] = []
    var flags: [DirectCall] = []
    var challenges: [DirectCall] = []
    var plans: [DirectCall] = []
    var awards: [DirectCall] = []
    var campaigns: [DirectCall] = []
    var files: [File] = []

    var directCalls: [DirectCall] { identities + friends + teams + flags + challenges + plans + awards + campaigns }

    /// Empty when the file cannot be read, which a test sees.
    static let all: ClientVectors = {
        let here = "CauseboardClientTests/Vectors/ClientVectors.swift"
        let path = #filePath.replacing(here, with: "Vectors/clients.json")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard let data = FileManager.default.contents(atPath: path),
            let vectors = try? decoder.decode(ClientVectors.self, from: data)
        else { return ClientVectors() }
        return vectors
    }()
}

/// What the server answers in a vector.
struct VectorAnswer: Decodable, Sendable {
    private enum CodingKeys: CodingKey { case status, problem, more, headers, type, text }

    static let good = VectorAnswer(nil)
    static let silence = VectorAnswer(.silence)

    /// Nil for what the contract answers.
    let reply: FakeReply?
    /// Whether that is the player Eve, who has linked the identity.
    let isJoined: Bool

    private init(_ reply: FakeReply?) { (self.reply, isJoined) = (reply, false) }

    init(from decoder: any Decoder) throws {
        if let word = try? decoder.singleValueContainer().decode(String.self) {
            (reply, isJoined) = (word == "silence" ? .silence : nil, word == "joined")
            return
        }
        isJoined = false
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let status = try container.decode(Int.self, forKey: .status)
        var headers = try container.decodeIfPresent([String: String].self, forKey: .headers) ?? [:]
        if let problem = try container.decodeIfPresent(String.self, forKey: .problem) {
            let more = try container.decodeIfPresent([String: String].self, forKey: .more) ?? [:]
            let members = more.map { #","\#($0)":"\#($1)""# }.joined()
            reply = .problem(problem, status: status, more: members, headers: headers)
        } else {
            headers["Content-Type"] = try container.decode(String.self, forKey: .type)
            let text = try container.decode(String.self, forKey: .text)
            reply = FakeReply(status: status, headers: headers, body: Data(text.utf8))
        }
    }
}

/// A server that answers as a vector has it, and notes what was asked.
final class VectorServer: Sendable {
    private struct State {
        var name = "Ada"
        var key = ""
        var points: [String: Int64] = [:]
        var asked: [String] = []
        var faults: [String] = []
        var answers: [VectorAnswer] = []
        var repeats = false
        var byName: [String: VectorAnswer]?
        /// By which a post may be signed that was under way when another key came.
        var formerKey = ""
        var tokens: Set<String> = []
        /// Posts get no answer, and registrations are not noted.
        var isHolding = false

        /// The answer whose turn it is.
        mutating func next() -> VectorAnswer {
            if repeats, answers.count == 1 { return answers[0] }
            return answers.isEmpty ? .good : answers.removeFirst()
        }
    }

    static let identity = IdentityToken(
        provider: "apple", nonce: "AAAAAGsBh8DSVloN7iZHdyH8RdtA8Ol_", token: "eyJhbGciOiJSUzI1NiJ9.e30.c2ln")
    static let linked = [linkedIdentity("apple"), linkedIdentity("google")]

    private static func linkedIdentity(_ provider: String) -> String {
        #"{"provider":"\#(provider)","linked_at":"2026-11-21T10:00:00.000000Z","used_on":"2026-11-21"}"#
    }

    private let state = Mutex(State())
    /// Holds the first answer back until it is signalled.
    private let held = Mutex<DispatchSemaphore?>(nil)

    var asked: [String] { state.withLock { $0.asked } }
    /// What a client must never do.
    var faults: [String] { state.withLock { $0.faults } }

    func begin(_ answers: [VectorAnswer], repeats: Bool = false) {
        state.withLock { state in
            (state.answers, state.repeats, state.byName, state.asked) = (answers, repeats, nil, [])
            state.isHolding = false
        }
    }

    /// Answers requests of a sign-in alone, until ``begin(_:repeats:)`` is called without holding.
    func begin(holding answers: [VectorAnswer], repeats: Bool) {
        state.withLock { state in
            (state.answers, state.repeats, state.isHolding, state.asked) = (answers, repeats, true, [])
            state.formerKey = state.key
        }
    }

    func begin(byName answers: [String: VectorAnswer], holding first: DispatchSemaphore) {
        state.withLock { ($0.answers, $0.byName, $0.asked) = ([], answers, []) }
        held.withLock { $0 = first }
    }

    func answer(_ request: FakeRequest) -> FakeReply {
        let reply = state.withLock { Self.answer(request, &$0) }
        let held = held.withLock { held in
            defer { held = nil }
            return held
        }
        _ = held?.wait(timeout: .now() + 20)
        return reply
    }

    private static func answer(_ request: FakeRequest, _ state: inout State) -> FakeReply {
        let words = request.path.split(separator: "/").map(String.init)
        let registration = try? JSONDecoder().decode(DeviceRegistration.self, from: request.body)
        let name = registration?.name
        let isPublic =
            request.method == "GET"
            && (words.last == "top.json" || words.dropLast().last == "teams"
                || words == ["v1", "games", "maze", "awards"] || words == ["v1", "campaigns.json"]
                || words == ["v1", "campaigns", "winter"])
        if !isPublic {
            state.tokens.insert(request.token ?? "none")
        } else if request.token != nil {
            state.faults.append("what everybody sees is asked for with a token")
        }
        if state.tokens.count != 1 { state.faults.append("the device has another token") }
        if words.last == "sign-ins" || words.contains("identities") || registration?.identity != nil {
            return answerIdentity(request, words, registration, &state)
        }
        if let (what, good) = DirectAnswer.to(request) {
            state.asked.append(what)
            return state.next().reply ?? good
        }
        if state.isHolding { return .silence }
        if words[words.count - 2] == "devices" {
            state.asked.append(name.map { "registration \($0)" } ?? "registration")
        } else if request.method == "GET" {
            state.asked.append("receipt")
        } else {
            state.asked.append(words[words.count - 2] == "scores" ? "score" : "donation")
            state.points[words[words.count - 1]] =
                (try? JSONDecoder().decode(Donation.self, from: request.body))?.points
            check(request, &state)
        }
        let answer: VectorAnswer
        if let byName = state.byName { answer = name.flatMap { byName[$0] } ?? .good } else { answer = state.next() }
        return answer.reply ?? good(words, name, &state)
    }

    private static func answerIdentity(
        _ request: FakeRequest, _ words: [String], _ registration: DeviceRegistration?, _ state: inout State
    ) -> FakeReply {
        var good: FakeReply?
        if words.last == "sign-ins" {
            state.asked.append("nonce")
            good = .json(#"{"nonce":"\#(identity.nonce)","expires_at":"2026-11-21T12:10:00.000000Z"}"#)
        } else if words.last == "identities" {
            state.asked.append("identities")
            good = .json(#"{"identities":[\#(linked.joined(separator: ","))]}"#)
        } else if request.method == "DELETE" {
            state.asked.append("unlink")
            good = FakeReply(status: 204)
        } else if words.contains("identities") {
            state.asked.append("link")
            good = .json(linked[0], status: 201)
            let proof = #"{"nonce":"\#(identity.nonce)","token":"\#(identity.token)"}"#
            if request.text != proof { state.faults.append("the identity is \(request.text)") }
        } else {
            let merge = registration?.merge == true ? "merge" : nil
            state.asked.append(["sign-in", registration?.name, merge].compactMap(\.self).joined(separator: " "))
            let proof = IdentityProof(provider: identity.provider, nonce: identity.nonce, token: identity.token)
            if registration?.identity != proof { state.faults.append("the identity is \(request.text)") }
        }
        let answer = state.next()
        if answer.isJoined { return Self.good(words, "Eve", id: 8, &state) }
        return answer.reply ?? good ?? Self.good(words, registration?.name, &state)
    }

    /// A score says when it was played, and is signed by the newest key.
    private static func check(_ request: FakeRequest, _ state: inout State) {
        guard state.asked.last == "score" else { return }
        let signature = request.headers["causeboard-signature"] ?? ""
        let time = Int64(signature.prefix { $0 != "," }.dropFirst(2)) ?? 0
        let call = Call("PUT", request.target, body: request.body)
        let keys = [state.key, state.formerKey]
        if !keys.contains(where: { RequestSigner($0)?.signature(of: call, seconds: time) == signature }) {
            state.faults.append("a score is not signed by the newest key")
        }
        if (try? JSONDecoder().decode(ScorePost.self, from: request.body))?.playedAt == nil {
            state.faults.append("a score does not say when it was played")
        }
    }

    private static func good(_ words: [String], _ name: String?, id: Int = 7, _ state: inout State) -> FakeReply {
        if words[words.count - 2] == "devices" {
            state.name = name ?? state.name
            state.key = "cbs_" + Identity.makeToken().dropFirst(4)
            return .json(#"{"player":{"id":\#(id),"name":"\#(state.name)"},"sign_key":"\#(state.key)"}"#)
        }
        let points = state.points[words[words.count - 1]] ?? 0
        if words[words.count - 2] == "scores" {
            let rest = #""improved":true,"rank":1,"of":1,"earned":0,"left":0"#
            return .json(#"{"points":\#(points),"best":\#(points),\#(rest)}"#, status: 201)
        }
        return .json(#"{"charity":"\#(words[2])","points":\#(points),"left":0,"rank":1}"#, status: 201)
    }
}
