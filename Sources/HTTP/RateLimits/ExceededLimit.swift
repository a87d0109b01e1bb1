/// A limit of rates that a request was over.
struct ExceededLimit: Equatable {
    let limit: RateLimit
    /// Seconds until the request would pass, if its caller sends nothing else; at least 1.
    let seconds: Int

    /// - Parameter wait: Nanoseconds, which are rounded up: less waiting would be refused again.
    init(_ limit: RateLimit, wait: UInt64) {
        self.limit = limit
        let second = Rate.Unit.second.nanoseconds
        seconds = Int(max(1, (wait &+ (second - 1)) / second))
    }

    /// What the client is told.
    var sentence: String {
        let reason =
            switch limit.subject {
            case .address: "Too many requests come from this address."
            case .player: "This player does this too often."
            case .credentials: "Too many tokens and keys from this address were wrong. Check this one."
            case .key: "Too many requests come with this key."
            }
        return "\(reason) Nothing was recorded. Send the same again in \(seconds) s."
    }
}
