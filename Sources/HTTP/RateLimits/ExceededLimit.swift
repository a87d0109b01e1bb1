import Domain
import HTTPServer

/// The limit that a request exceeded: a rate, or a number of streams or connections.
struct ExceededLimit: Equatable {
    /// As clients are told it.
    let name: String
    /// Seconds until the request would pass, if its caller sends nothing else; at least 1.
    let seconds: Int
    private let reason: String

    /// - Parameter wait: Nanoseconds, which are rounded up: less waiting would be refused again.
    init(_ limit: RateLimit, wait: UInt64) {
        name = limit.name
        let second = Rate.Unit.second.nanoseconds
        seconds = Int(max(1, (wait &+ (second - 1)) / second))
        reason =
            switch limit.subject {
            case .address: "Too many requests come from this address."
            case .addressBytes: "This address has sent too much data to store."
            case .player: "This player does this too often."
            case .playerBytes: "This player has sent too much data to store."
            case .credentials: "Too many wrong tokens or keys from this address. Check this one."
            case .codes: "Too many wrong codes from this address, so the server did not check this one."
            case .gameCodes: "Too many wrong codes for this game, so the server did not check this one."
            case .key: "Too many requests come with this key."
            }
    }

    private init(_ name: String, seconds: Int, _ reason: String) {
        (self.name, self.seconds, self.reason) = (name, seconds, reason)
    }

    /// Nobody knows when a stream ends; the feed itself may be polled meanwhile.
    static let streamsOfAddress = ExceededLimit(
        "address-streams", seconds: Limits.liveRefusedSeconds,
        "This address has \(Limits.liveStreamsOfAddress) streams open. Close one, or ask for the feed itself.")

    static let streamsOfPlayer = ExceededLimit(
        "player-streams", seconds: Limits.liveRefusedSeconds,
        "This player has \(Limits.liveStreamsOfPlayer) streams open. Close one, or ask for the profile itself.")

    /// Nobody knows when a client has sent its requests.
    static let connectionsOfAddress = ExceededLimit(
        "address-connections", seconds: Limits.retryAfterSeconds,
        "This address has too many open connections. Close some first.")

    /// Nobody knows when a client has taken an export.
    static let exportsOfAddress = ExceededLimit(
        "address-exports", seconds: Limits.exportRefusedSeconds,
        "This address has \(Limits.exportsOfAddress) exports under way. Take one whole first.")

    /// What the client is told.
    var sentence: String { "\(reason) Nothing was recorded. Send the same again in \(seconds) s." }
}
