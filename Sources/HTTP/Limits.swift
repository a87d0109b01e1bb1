package import Domain

// The bounds of what clients send, of what is sent to them, and of their connections.
extension Limits {
    /// Bytes of a request's head.
    package static let headBytesMax = 80 * 1024
    /// Bytes of a request's body, as sent.
    package static let bodyBytesMax = 256 * 1024
    /// Brackets inside each other in a JSON body, its own braces included.
    package static let jsonDepthMax = 32
    /// Bytes of a score's detail, as JSON without white space that means nothing.
    package static let detailBytesMax = 1_024
    /// Pixels of a picture as it comes, either way.
    package static let avatarPixelsMax = 1_024
    /// Rows of `TopScores`.
    package static let topScoresRowsMax = 50
    /// Rows of a board's feed.
    package static let feedRowsMax = 100
    /// Rows of a board's feed for whoever does not say how many.
    package static let feedRowsStandard = 50
    /// Rows around a player for whoever does not say how many.
    package static let aroundRowsStandard = 5
    /// Players that may be asked for by their ids at once.
    package static let playersInQueryMax = 100
    /// Open connections of clients; one more waits until another closes.
    package static let clientConnectionsMax = 8_192
    /// Seconds after which a client's connection is closed on which nothing moves.
    package static let idleSeconds: Int64 = 75
    /// Seconds that a body may take to arrive, from its head.
    package static let bodySecondsMax: Int64 = 30
    /// Seconds that requests under way have to end when the server stops.
    package static let drainSeconds: Int64 = 5
    /// Bytes of rendered feeds that are kept in memory.
    package static let feedsBytesMax = 64 * 1024 * 1024
    /// Seconds after which a request that found the server busy or the database away may come again.
    package static let retryAfterSeconds = 2
}
