import Contract
import Foundation
import Synchronization

@testable import CauseboardClient

/// A fake server that keeps books as the real one does: a row for each id, once. Faults come before or after the row.
final class FakeGame: Sendable {
    struct Row: Sendable, Equatable {
        let target: String
        let body: String
    }

    struct State: Sendable {
        var rows: [String: Row] = [:]
        /// Ids in the order in which their rows came.
        var order: [String] = []
        var tokens: [String: String] = [:]
        /// Every device is the same player's, whose name this is.
        var name = "Ada"
        /// How many rows an id tried to make beyond the first.
        var twice = 0
    }

    /// What the server does in place of, or after, its work.
    enum Fault: Sendable {
        case none
        /// This is answered, and nothing done.
        case instead(FakeReply)
        /// The work is done, and this is answered.
        case after(FakeReply)
    }

    let state = Mutex(State())
    private let fault: @Sendable (FakeRequest) -> Fault

    init(_ fault: @escaping @Sendable (FakeRequest) -> Fault = { _ in .none }) { self.fault = fault }

    static let signKey = "cbs_OspMc2FwjfqXOSBEI8WIg8T3rh1Q8N3zWyz0hNAXK_0"

    func answer(_ request: FakeRequest) -> FakeReply {
        switch fault(request) {
        case .none: return work(request)
        case .instead(let reply): return reply
        case .after(let reply):
            _ = work(request)
            return reply
        }
    }

    private func work(_ request: FakeRequest) -> FakeReply {
        let words = request.path.split(separator: "/").map(String.init)
        if words.count == 5, words[3] == "devices" { return register(words[4], request) }
        guard let token = request.token, state.withLock({ $0.tokens.values.contains(token) }) else {
            return .problem("unauthorized", status: 401)
        }
        if words.count == 7 { return record(words[6], request, receipt) }
        if words.count == 5, words[3] == "donations" {
            return record(words[4], request) { #"{"charity":"\#(words[2])","points":\#($0),"left":0,"rank":1}"# }
        }
        return .problem("not-found", status: 404)
    }

    private func register(_ device: String, _ request: FakeRequest) -> FakeReply {
        guard let token = request.token else { return .problem("unauthorized", status: 401) }
        let registration = try? JSONDecoder().decode(DeviceRegistration.self, from: request.body)
        let known = state.withLock { state -> String in
            defer { if state.tokens[device] == nil { state.tokens[device] = token } }
            return state.tokens[device] ?? token
        }
        guard known == token else { return .problem("unauthorized", status: 401) }
        let name = state.withLock { state in
            if let name = registration?.name { state.name = name }
            return state.name
        }
        return .json(#"{"player":{"id":7,"name":"\#(name)"},"sign_key":"\#(Self.signKey)"}"#)
    }

    private func record(_ id: String, _ request: FakeRequest, _ receipt: (Int64) -> String) -> FakeReply {
        guard request.method == "PUT" else {
            guard let row = state.withLock({ $0.rows[id] }) else { return .problem("not-found", status: 404) }
            return .json(receipt(Self.points(row.body)))
        }
        let row = Row(target: request.target, body: request.text)
        let (isNew, known) = state.withLock { state -> (Bool, Row) in
            if let known = state.rows[id] {
                state.twice += 1
                return (false, known)
            }
            state.rows[id] = row
            state.order.append(id)
            return (true, row)
        }
        guard known == row else { return .problem("id-reused", status: 409) }
        return .json(receipt(Self.points(row.body)), status: isNew ? 201 : 200)
    }

    private func receipt(_ points: Int64) -> String {
        #"{"points":\#(points),"best":\#(points),"improved":true,"rank":1,"of":1,"earned":\#(points),"left":0}"#
    }

    private static func points(_ body: String) -> Int64 {
        (try? JSONDecoder().decode(Donation.self, from: Data(body.utf8)))?.points ?? 0
    }
}
