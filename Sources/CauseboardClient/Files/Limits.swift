/// Every bound of the library, with its unit.
enum Limits {
    /// Posts and donations that wait in the queue. Those that were refused do not count.
    static let pendingWritesMax = 10_000
    /// Bytes of a score's detail in JSON, as the server takes them.
    static let detailBytesMax = 1_024
    /// Refused posts and donations that are kept for the game to see; the oldest go first.
    static let refusedWritesMax = 1_000
    /// Answers that are remembered for who asks what became of an item.
    static let settlementsMax = 1_000
    /// Bytes of a problem's sentence that are kept. In JSON a byte may take six, and a line of the journal holds them.
    static let sentenceBytesMax = 2_000
    /// Bytes of a request's id that are kept.
    static let requestIDBytesMax = 64
    /// Bytes of one line of the journal.
    static let journalLineBytesMax = 16_384
    /// Lines of the journal about what is over, beyond which it is written anew.
    static let journalStaleLinesMax = 2_000
    /// Answers with 500 after which an item is set aside.
    static let faultsMax = 10
    /// Bytes of an answer that is read whole.
    static let answerBytesMax = 4 << 20
    /// Bytes of an answer that wait in memory for whoever parses them; what goes beyond waits on disk.
    static let readAheadBytesMax = 1 << 18
    /// Bytes of an answer that wait on disk.
    static let spilledBytesMax = 1 << 30
    /// Seconds without a byte, after which a request has failed.
    static let requestSecondsMax = 30
    /// From a request to the end of an answer that is read whole, however steadily its bytes come.
    static let answerTimeMax = Duration.seconds(120)
    /// The longest that a server's word makes the queue or a donation wait, before it asks again.
    static let waitMax = Duration.seconds(86_400)
    /// Until a registration is sent again that was put off, where the server named no time.
    static let registrationPause = Duration.seconds(60)
    /// How often a sign-in is sent while the server cannot fetch the provider's keys.
    static let identityAttemptsMax = 3
    /// The wait before a retry if the server names no time; and the longest wait.
    static let issuerPause = Duration.seconds(10)
    static let issuerWaitMax = Duration.seconds(30)
    /// From the request to the end of an export.
    static let exportTimeMax = Duration.seconds(600)
    /// Bytes of an export.
    static let exportBytesMax = 1 << 30
    /// Bytes of a file of this library that is read back.
    static let fileBytesMax = 64 << 20
    /// Damaged files of one name that are put aside.
    static let damagedFilesMax = 10
    /// Directories that are made at once, one in the other.
    static let directoryDepthMax = 64
    /// Events that wait for a watcher who does not take them; the oldest go first.
    static let eventsMax = 1_000
    /// Bytes of a picture that the server takes.
    static let pictureBytesMax = 131_072
    /// Pixels of a picture's side that the server takes.
    static let pictureSideMax = 1_024
}

/// Bounds of a document that is read while it arrives; what is beyond them is no feed.
extension Limits {
    /// Bytes of one text, of which a picture in base64 is the longest.
    static let feedTextBytesMax = 262_144
    /// Bytes between `<` and `>`.
    static let feedTagBytesMax = 4_096
    static let feedDepthMax = 8
    /// Fields of one row.
    static let feedFieldsMax = 32
}

extension Limits {
    /// Bytes of a save, as the server takes them.
    static let saveBytesMax = 65_536
    /// Times that a save is merged with what another device wrote meanwhile, before the game is told to ask again.
    static let mergesMax = 10
}

extension Limits {
    /// Bytes of one event of a stream.
    static let eventBytesMax = 262_144
    /// Bytes of an ETag, or of an event's id, that is sent back.
    static let tagBytesMax = 256
    /// Until a stream that has ended is opened again.
    static let streamPause = Duration.seconds(3)
    /// Between two questions, where streams are refused.
    static let pollPause = Duration.seconds(15)
    /// Questions until a refused stream is asked for again.
    static let pollsWithoutStream = 20
}
