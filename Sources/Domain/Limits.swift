/// Every limit of the wire contract, in one table; README shows the same numbers.
package enum Limits {
    /// Bytes of a request's head.
    package static let headBytesMax = 80 * 1024
    /// Bytes of a request's body, as sent.
    package static let bodyBytesMax = 256 * 1024
    /// Characters of a name as a person counts them (grapheme clusters), at least 1.
    package static let nameCharactersMax = 32
    /// Code points of a name.
    package static let nameCodePointsMax = 256
    /// UTF-8 bytes of a name.
    package static let nameBytesMax = 1_024
    /// Combining marks in a row in a name.
    package static let nameMarksInARowMax = 4
    /// UTF-8 bytes of an e-mail address (RFC 5321: a path of 256 with its angle brackets).
    package static let emailBytesMax = 254
    /// Characters of a classic device id, and of a Facebook id.
    package static let deviceCharactersMax = 64
    /// Brackets inside each other in a JSON body, its own braces included.
    package static let jsonDepthMax = 32
    /// Bytes of a score's detail, as JSON without white space that means nothing.
    package static let detailBytesMax = 1_024
    /// Bytes of a picture as it comes, decoded from base64.
    package static let avatarBytesMax = 128 * 1024
    /// Pixels of a picture as it comes, either way.
    package static let avatarPixelsMax = 1_024
    /// Rows of `TopScores`.
    package static let topScoresRowsMax = 50
    /// Rows of `high_scores`.
    package static let highScoresRowsMax = 10
    /// Rows of a board's feed.
    package static let feedRowsMax = 100
    /// Rows of a board's feed for whoever does not say how many.
    package static let feedRowsStandard = 50
    /// Rows around a player for whoever does not say how many.
    package static let aroundRowsStandard = 5
    /// Players that may be asked for by their ids at once.
    package static let playersInQueryMax = 100
    /// Days of a window that names its first and last day.
    package static let windowDaysMax: Int32 = 366
    /// Points of a donation, and of all that a wallet earns: 2^53-1, exact in every JSON reader.
    package static let walletPointsMax: Int64 = 9_007_199_254_740_991
    /// Ids of players in the `default` game: 2009 clients keep an `int`.
    package static let classicPlayerIDMax: Int64 = 2_147_483_647
    /// Ids of players in other games: 2^53-1.
    package static let playerIDMax: Int64 = 9_007_199_254_740_991
    /// Characters of the name of a game, board or charity, which operators choose.
    package static let displayNameCharactersMax = 100
    /// UTF-8 bytes of a charity's description or URL.
    package static let descriptionBytesMax = 2_000
    /// Open connections of clients; one more waits until another closes.
    package static let clientConnectionsMax = 8_192
    /// Seconds after which a client's connection is closed on which nothing moves.
    package static let idleSeconds: Int64 = 75
    /// Seconds that a body may take to arrive, from its head.
    package static let bodySecondsMax: Int64 = 30
    /// Seconds that requests under way have to end when the server stops.
    package static let drainSeconds: Int64 = 5
    /// Milliseconds that a post waits, at most, for this process's standings to have it.
    package static let commitBarrierMillisecondsMax: Int64 = 50
    /// Windows of boards that are kept in memory; the longest unasked makes room for another.
    package static let windowsMax = 64
    /// Rows of all of them together, about 40 bytes each.
    package static let windowRowsMax = 10_000_000
    /// Rows that one commit may change for standings to follow it; after a larger one they are loaded anew.
    package static let commitRowsMax = 1_000_000
    /// Seconds after which a window that nobody asks for is forgotten.
    package static let windowSecondsMax: Int64 = 600
    /// Addresses of boards, and their windows, of which the meaning is kept in memory.
    package static let boardsKnownMax = 10_000
    /// Bytes of rendered feeds that are kept in memory.
    package static let feedsBytesMax = 64 * 1024 * 1024
    /// Neighbours on either side whose names and pictures are read along with those that are asked for.
    package static let summariesReadAheadMax = 50
    /// How often the database is asked for names and pictures before as many are read as there is room for.
    package static let summaryReadsMax = 1_000
    /// As many of them are read at once then.
    package static let summaryPageRows: Int32 = 5_000
    /// MiB that names and pictures of players take in memory for whoever does not say how many: a million players, and
    /// as many that they have replaced.
    package static let summaryMegabytes = 256
    /// Connections on which standings are read at once.
    package static let snapshotCopiesMax = 4
    /// Seconds after which a request that found the server busy or the database away may come again.
    package static let retryAfterSeconds = 2
}
