package import Domain

// The bounds of requests, of responses, and of client connections.
extension Limits {
    /// Seasons of which a feed has the winners.
    static let winnersSeasonsStandard = 10
    static let winnersSeasonsMax = 20
    /// Seconds after which the page of the books is read again, for the link to the next day.
    static let bookPageSeconds: Int64 = 30
    /// Bytes of a request's target, which is its path and its query.
    package static let targetBytesMax = 8 * 1024
    /// Bytes of each header that the server reads, its repetitions joined: the joining comma and space count.
    package static let headerBytesMax = 2 * 1024
    /// Parameters of a query, known and unknown.
    package static let parametersMax = 32
    /// Ranges of an `Accept` or `Accept-Encoding` header that are looked at; further ones are ignored.
    package static let acceptRangesMax = 64
    /// Levels of nested brackets in a JSON body; the body's own braces are the first.
    package static let jsonDepthMax = 32
    /// Fields of a body: members of a JSON object, or parts of a form between `&`.
    package static let fieldsMax = 1_024
    /// Texts of a list in a body.
    package static let textsInListMax = 256
    /// Bytes of a score's detail, as JSON without insignificant white space.
    package static let detailBytesMax = 1_024
    /// Bytes of a form of the console, and its fields.
    package static let consoleFormBytesMax = 64 * 1024
    package static let consoleFieldsMax = 128
    /// Seconds after which a session of the console ends, whatever is done in it.
    package static let consoleSessionSeconds: Int64 = 12 * 60 * 60
    /// Operators' keys whose names the log of the console shows; further ones are shown by their ids.
    static let consoleKeysNamed = 1_000
    /// Audits whose results a process keeps; the oldest one is forgotten first.
    package static let auditsKept = 16
    /// Statistics responses that wait for the previous one, in all and for each client. More are refused at once.
    package static let statsWaitingMax = 8
    package static let statsOfClientWaitingMax = 4
    /// Days of one answer of statistics, and rows of each table that are read for it.
    package static let statsDaysMax: Int64 = 366
    package static let statsDaysStandard = 30
    package static let statsRowsMax: Int64 = 5_000_000
    /// Pixels of an uploaded picture's width, and of its height.
    package static let avatarPixelsMax = 1_024
    /// Pictures that wait to be decoded, in all and for each client. More are refused at once.
    package static let picturesWaitingMax = 64
    package static let picturesOfClientWaitingMax = 16
    /// Cards and thermometers drawn at the same time, in all and for each client.
    package static let cardsDrawnMax = 2
    package static let cardsOfClientDrawnMax = 1
    /// Drawings that wait, in all and for each client. More are refused at once.
    package static let cardsWaitingMax = 32
    package static let cardsOfClientWaitingMax = 4
    /// Uncached pages and feeds that are made at the same time, in all and for each client. Most of them wait: for the
    /// database, or at the gates of windows, charities' growth or pictures. So there are more than these gates let
    /// wait.
    package static let feedsMadeMax = 256
    package static let feedsOfClientMadeMax = 4
    /// How many of them run at the same time on each core, and at least in all. One client may use half.
    static let feedsRunningPerCore = 2
    static let feedsRunningMin = 4
    /// Rows around a player that are written at once, because a turn would cost more than these rows.
    static let feedRowsAtOnceMax = 10
    /// Rows among friends that are written at once. Their places come from memory in a fraction of a millisecond.
    static let friendRowsAtOnceMax = 100
    /// Such pages and feeds that wait, in all and for each client. More are refused at once. A school behind one
    /// address has as many readers at the same moment.
    package static let feedsWaitingMax = 1_024
    package static let feedsOfClientWaitingMax = 64
    /// Seconds for which a cache may show a card or thermometer without asking again.
    package static let pictureCacheSeconds = 300
    /// Rows of `TopScores`; also the default.
    package static let topScoresRowsMax = 50
    /// Rows of an export that are read at once.
    package static let exportPageRows = 500
    /// Saves of an export that are read at once; each has 64 KiB at most.
    package static let exportSavesOfPage = 4
    /// Exports that run at the same time. Each has one page in memory. A new one replaces an export whose client has
    /// been stalled for a number of seconds, or one of the address with the most exports; else it gets 503.
    package static let exportsMax = 64
    package static let exportStalledSeconds: Int64 = 20
    /// Exports that are sent to one client address at the same time; the next one is answered 429.
    package static let exportsOfAddress = 4
    /// Seconds in which a client has to take an export.
    package static let exportSecondsMax: Int64 = 600
    /// Seconds after which a client over ``exportsOfAddress`` may try again.
    package static let exportRefusedSeconds = 15
    /// Rows of one page of a feed or of a player's history.
    package static let feedRowsMax = 100
    /// Rows of a page when the query has no `limit`.
    package static let feedRowsStandard = 50
    /// Rows of the newest donations.
    package static let newestDonationsRows = 50
    /// Rows around a player, the player's own included, when the query has no `limit`.
    package static let aroundRowsStandard = 5
    /// Player ids in the `players` parameter of one query.
    package static let playersInQueryMax = 100
    /// Seconds after which the last look at the database no longer counts, so that the server is not ready.
    package static let readinessSecondsMax: Int64 = 3
    /// Bytes of a request's id that a trusted proxy has given.
    package static let requestIDBytesMax = 64
    /// Bytes of access log lines that wait to be written. Further lines are dropped and counted.
    package static let accessLogBytesMax = 4 * 1024 * 1024
    /// Seconds that the server's end waits for access log lines to be written.
    package static let accessLogFlushSeconds: Int64 = 1
    /// Answers of 429 that get a line in the access log, in each minute. They cost their sender nothing.
    static let accessLogRefusalsMax = 600
    /// Games whose slugs the access log shows.
    package static let accessLogGamesMax = 10_000
    /// Boards whose leaders are read for a page that lists boards.
    package static let homeBoardsRead = 24
    /// The page of a player may show a former team for so long, and lack a new award; so may that of awards.
    package static let shownTeamSeconds: Int64 = 10
    /// Open campaigns on the page of a charity or a board.
    static let campaignLinksMax = 3
    /// Boards on the page of their game.
    package static let gameBoardsRead = 100
    /// Charities on the page of all of them.
    package static let charitiesShownMax = 500
    /// Players of one name that a search looks at.
    package static let playersFoundMax = 20
    /// Bytes of feeds that the feed cache keeps in memory, as they are sent and as the rows that they were made from.
    package static let feedsBytesMax = 64 * 1024 * 1024
    /// Bytes of requests whose feeds are known without parsing, together with the heads of their responses.
    package static let feedRequestsBytesMax = 8 * 1024 * 1024
    /// Bytes of the target, `Accept` and `Accept-Encoding` of such a request.
    package static let feedRequestBytesMax = 1_024
    /// Estimated bytes of the rows and indexes of a new player, of a score's detail, of a save and of a report.
    static let playerRowBytes = 512
    static let noteRowBytes = 128
    /// The most bytes that a profile keeps: its texts and a 40x40 PNG picture.
    static let profileBytesMax = 10 * 1024
    /// Seconds in `Retry-After` while the disk is nearly full: an operator has to free space.
    static let fullRetryAfterSeconds = 300
    /// The default reserve for scores and donations: 1/n of each disk, but at most so many bytes. 2 GiB hold eight
    /// million posts.
    static let reservePart: Int64 = 10
    static let reserveBytesMax: Int64 = 2 << 30
    /// Logs of requests stop while less than this many times the reserve is free on their disk.
    static let logStopReserves: Int64 = 2
    /// Wrong codes an hour that an address may try where its game's limit is used up.
    static let guessesBeyondGame = 3
    /// One block of addresses may use up 1/n of a game's limit on wrong codes.
    static let guessSharesOfGame = 10
    /// Games' keys that are remembered as good, and seconds for which they are.
    package static let knownKeysMax = 4_096
    package static let knownKeySeconds = 600
    /// Devices of which is remembered that they were used today.
    static let knownDevicesMax = 100_000
    /// Seconds by which the time of a signature may be off the server's clock, either way.
    package static let signatureSkewSecondsMax: Int64 = 120
    /// Seconds between two looks at PostgreSQL's own statistics, and milliseconds that one may take.
    package static let vitalsSeconds: Int64 = 15
    package static let vitalsMillisecondsMax: Int64 = 1_000
    /// Seconds after which what such a look found is told to nobody any more.
    package static let vitalsAgeSecondsMax: Int64 = 60
    /// Seconds in `Retry-After`, when the server is busy or the database is unavailable.
    package static let retryAfterSeconds = 2
}
