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
    /// Bytes of pipelined requests that are parsed at once. Parts of requests take up to twenty times the room of their
    /// bytes, so the others wait as bytes.
    package static let parsedBytesMax = 8 * 1024
    /// Bytes of one connection that wait to be parsed. A read brings 64 KiB at most; only a client that ends its input
    /// can have sent more.
    package static let unparsedBytesMax = 256 * 1024
    /// Open client connections. The next one takes the place of the one that has been idle longest.
    package static let clientConnectionsMax = 8_192
    /// Fewest connections that a server is started for.
    package static let clientConnectionsMin = 128
    /// Open connections of one address by default.
    package static let connectionsOfAddress = 256
    /// Connections over the most that may be open for a moment, until those that make room for them have closed.
    package static let closingConnectionsMax = 256
    /// Files that a server has open beside its connections: logs, event queues, listening sockets, pipes.
    package static let otherFilesMax = 128
    /// Seconds that a request's head may take, from its first byte or from the opening of the connection.
    package static let headSecondsMax: Int64 = 10
    /// Seconds without traffic after which a client connection is closed, also when its client does not read.
    package static let idleSeconds: Int64 = 75
    /// Seconds that a body may take to arrive once its head has been read.
    package static let bodySecondsMax: Int64 = 30
    /// Seconds that running requests have to finish when the server stops.
    package static let drainSeconds: Int64 = 5
    /// Bytes of rendered feeds that the feed cache keeps in memory.
    package static let feedsBytesMax = 64 * 1024 * 1024
    /// Seconds in `Retry-After`, when the server is busy or the database is unavailable.
    package static let retryAfterSeconds = 2
}
