import Foundation
import Synchronization

/// What `/v1/players/me` and its stream tell, until the test says otherwise.
final class FakeLive: Sendable {
    private struct State {
        /// What the stream does next; nil ends it.
        var events: [Data?] = []
        var profile = FakeLive.profile()
        var version = 1
    }

    private let state = Mutex(State())
    private let more = DispatchSemaphore(value: 0)

    static func profile(
        left: Int = 0, saves: [(slot: String, etag: String)] = [], challenges: String = "", plan: String? = nil
    ) -> String {
        let slots = saves.map { #"{"slot":"\#($0.slot)","etag":\#(String(reflecting: $0.etag))}"# }.joined(
            separator: ",")
        return #"{"id":7,"name":"Ada","send_updates":false,"earned":0,"held":0,"left":\#(left),"settling":0,"given":0,"#
            + #""gifts":[],"devices":1,"unlisted":false,"asks":true,"awards":{"count":0},"saves":[\#(slots)],"#
            + #""challenges":[\#(challenges)]\#(plan.map { #","plan":\#($0)"# } ?? "")}"#
    }

    /// Changes the profile, which the stream tells.
    func tell(_ profile: String, id: String? = nil) {
        state.withLock { state in
            state.version += 1
            state.profile = profile
            let id = id ?? "v\(state.version)"
            state.events.append(Data("event: me\nid: \(id)\ndata: \(profile)\n\n".utf8))
        }
        more.signal()
    }

    /// Ends the stream that is open.
    func end() {
        state.withLock { $0.events.append(nil) }
        more.signal()
    }

    /// The stream: what is told while it is open.
    func stream() -> FakeReply {
        let first = Data("retry: 3000\n\n".utf8)
        return FakeReply(
            headers: ["Content-Type": "text/event-stream"], body: first,
            end: .parts { [self] in
                guard more.wait(timeout: .now() + 20) == .success else { return nil }
                return state.withLock { $0.events.isEmpty ? nil : $0.events.removeFirst() }
            })
    }

    /// The answer to who asks.
    func answer(_ request: FakeRequest) -> FakeReply {
        let (profile, version) = state.withLock { ($0.profile, $0.version) }
        let tag = "\"v\(version)\""
        if request.headers["if-none-match"] == tag { return FakeReply(status: 304, headers: ["ETag": tag]) }
        return .json(profile, headers: ["ETag": tag])
    }
}
