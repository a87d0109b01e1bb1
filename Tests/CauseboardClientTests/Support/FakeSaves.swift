import Foundation
import Synchronization

/// The saves of one player as the contract describes them: strong ETags, and no change without one.
final class FakeSaves: Sendable {
    let slots = Mutex<[String: Data]>([:])
    /// What happens before an answer to a PUT; it may change the slot, as another device does.
    private let beforePut: @Sendable (FakeSaves, Int) -> Bool
    private let puts = Mutex(0)

    /// - Parameter beforePut: Gets the number of the PUT from 1, and says whether its answer is lost.
    init(_ beforePut: @escaping @Sendable (FakeSaves, Int) -> Bool = { _, _ in false }) { self.beforePut = beforePut }

    static func etag(_ data: Data) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in data { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return "\"\(hash)\""
    }

    func answer(_ request: FakeRequest) -> FakeReply {
        let words = request.path.split(separator: "/").map(String.init)
        if words.count == 5, words[3] == "devices" {
            return .json(#"{"player":{"id":7,"name":"Ada"},"sign_key":"\#(FakeGame.signKey)"}"#)
        }
        guard words.starts(with: ["v1", "players", "me", "saves"]), words.count == 5 else {
            return .problem("not-found", status: 404)
        }
        let slot = words[4]
        guard request.method == "PUT" else {
            guard let data = slots.withLock({ $0[slot] }) else { return .problem("not-found", status: 404) }
            let tag = Self.etag(data)
            if request.headers["if-none-match"] == tag { return FakeReply(status: 304, headers: ["ETag": tag]) }
            return FakeReply(headers: ["ETag": tag, "Content-Type": "application/octet-stream"], body: data)
        }
        let number = puts.withLock { puts in
            puts += 1
            return puts
        }
        let isLost = beforePut(self, number)
        let reply = put(slot, request)
        return isLost ? .silence : reply
    }

    private func put(_ slot: String, _ request: FakeRequest) -> FakeReply {
        slots.withLock { slots in
            let current = slots[slot].map { Self.etag($0) }
            let wanted = request.headers["if-match"]
            if wanted == nil, request.headers["if-none-match"] != "*" { return .problem("precondition", status: 428) }
            let tag = Self.etag(request.body)
            let isThere = slots[slot] == request.body
            guard isThere || wanted == current else { return .problem("stale", status: 412, more: #","current":"x""#) }
            slots[slot] = request.body
            let text =
                #"{"slot":"\#(slot)","etag":\#(String(reflecting: tag)),"saved_at":"2026-11-21T12:00:00.000000Z"}"#
            return .json(text, status: current == nil ? 201 : 200, headers: ["ETag": tag])
        }
    }
}
