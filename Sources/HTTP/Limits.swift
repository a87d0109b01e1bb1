package import Domain

// The bounds of requests, of responses, and of client connections.
extension Limits {
    /// Bytes of a request's head.
    package static let headBytesMax = 80 * 1024
    /// Bytes of a request's body as it is sent, before percent-decoding.
    package static let bodyBytesMax = 256 * 1024
    /// Levels of nested brackets in a JSON body; the body's own braces are the first.
    package static let jsonDepthMax = 32
    /// Bytes of a score's detail, as JSON without insignificant white space.
    package static let detailBytesMax = 1_024
    /// Pixels of an uploaded picture's width, and of its height.
    package static let avatarPixelsMax = 1_024
    /// Rows of `TopScores`; also the default.
    package static let topScoresRowsMax = 50
    /// Rows of one page of a feed or of a player's history.
    package static let feedRowsMax = 100
    /// Rows of a page when the query has no `limit`.
    package static let feedRowsStandard = 50
    /// Rows around a player, the player's own included, when the query has no `limit`.
    package static let aroundRowsStandard = 5
    /// Player ids in the `players` parameter of one query.
    package static let playersInQueryMax = 100
    /// Open client connections; the next one waits until another closes.
    package static let clientConnectionsMax = 8_192
    /// Seconds without traffic after which a client connection is closed.
    package static let idleSeconds: Int64 = 75
    /// Seconds that a body may take to arrive once its head has been read.
    package static let bodySecondsMax: Int64 = 30
    /// Seconds that running requests have to finish when the server stops.
    package static let drainSeconds: Int64 = 5
    /// Bytes of rendered feeds that the feed cache keeps in memory.
    package static let feedsBytesMax = 64 * 1024 * 1024
    /// Buckets of one limit of rates: callers that are remembered at once.
    package static let rateBucketsMax = 100_000
    /// The count and the burst of a rate that an operator may set.
    package static let rateCountMax = 1_000_000
    /// Days in which a rate's bucket must be full again.
    package static let rateFillDaysMax = 366
    /// Games' keys that are remembered as good, and seconds for which they are.
    package static let knownKeysMax = 4_096
    package static let knownKeySeconds = 600
    /// Proxies that one request may have come through, and bytes in which each may name its client.
    package static let proxyHopsMax = 16
    package static let proxyHopBytesMax = 256
    /// Networks of events that an operator may name.
    package static let eventNetworksMax = 8
    /// Networks of trusted proxies that an operator may name.
    package static let trustedProxiesMax = 64
    /// Seconds in `Retry-After`, when the server is busy or the database is unavailable.
    package static let retryAfterSeconds = 2
}
