import Domain
package import HTTPServer
import HTTPTypes

/// Gives each request the id by which an operator finds it again: in its response, in the log and in the access log.
package struct RequestIDs: Sendable {
    /// Makes a new id.
    private let make: @Sendable () -> String
    /// Whether the peer is a proxy whose ids are kept.
    private let isTrusted: @Sendable (Peer) -> Bool

    package init(isTrusted: @escaping @Sendable (Peer) -> Bool = { _ in false }, make: @escaping @Sendable () -> String)
    {
        self.isTrusted = isTrusted
        self.make = make
    }

    /// Random ids. A counter, even a scrambled one, would reveal the number of requests between two ids.
    package static func random(isTrusted: @escaping @Sendable (Peer) -> Bool = { _ in false }) -> RequestIDs {
        RequestIDs(isTrusted: isTrusted, make: randomID)
    }

    /// The id of the request that this task answers; nil for one that comes from a cache.
    @TaskLocal package static var current: String?

    /// Whether what a peer says of the request's way is believed: its id, and that it is traced.
    func trusts(_ peer: Peer) -> Bool { isTrusted(peer) }

    func id(of request: Request) -> String {
        if let current = Self.current { return current }
        if isTrusted(request.peer), let given = request.headers[.requestID], Self.isID(given) { return given }
        return make()
    }

    func id() -> String { make() }

    /// Whether the text is 1 to 64 of `[A-Za-z0-9._-]`.
    static func isID(_ text: String) -> Bool {
        (1...Limits.requestIDBytesMax).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    /// 64 random bits from the system as 13 characters, which a `String` holds without an allocation.
    private static func randomID() -> String {
        let bits = UInt64.random(in: .min ... .max)
        return String(unsafeUninitializedCapacity: 13) { letters in
            for index in 0..<13 {
                let value = UInt8(truncatingIfNeeded: bits >> UInt64(5 * index)) & 31
                letters[index] = value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
            }
            return 13
        }
    }
}

extension HTTPField.Name { static let requestID = standard("Request-Id") }

extension Response {
    /// Whether everybody gets the same bytes and caches may keep them, so that they hold nothing of one request.
    var isPublic: Bool {
        (status == .ok || status == .notModified)
            && headers.contains { $0.name == .cacheControl && $0.value.utf8.starts(with: "public".utf8) }
    }
}
