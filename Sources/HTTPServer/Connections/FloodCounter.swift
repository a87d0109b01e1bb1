import Domain
import HTTPTypes

/// Decides when a connection ends because its client sends more and more requests that are answered with 429, or that
/// count in no limit. Such answers cost the server more than the requests cost the client. To go on, the client needs
/// a new connection, and these are limited.
struct FloodCounter {
    /// False where everybody may be behind the connection.
    let isOn: Bool
    private var count = 0

    /// - Parameters:
    ///   - peer: The other end of the connection.
    ///   - isProxy: Whether that is a trusted proxy.
    init(from peer: Peer, isProxy: Bool) { isOn = peer.listener == .open && !isProxy }

    /// - Returns: Whether this response is the connection's last one.
    mutating func isLast(_ response: Response) -> Bool {
        guard response.endsFloods else {
            count = 0
            return false
        }
        count += 1
        return isOn && count >= Limits.refusalsInRowMax
    }
}

extension Response {
    /// Whether it counts in a row of responses that ends the connection.
    fileprivate var endsFloods: Bool { status == .tooManyRequests || countsNowhere }
}
