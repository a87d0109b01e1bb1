package import Domain

// The bounds of what a process queues and keeps in memory.
extension Limits {
    /// Rows of `high_scores`.
    package static let highScoresRowsMax = 10
    /// Scores and donations that wait for one commit worker to begin their commit. Further ones are refused at once.
    package static let pendingWritesMax = 4_096
    /// Bytes of these, texts included. Further ones are refused at once.
    package static let pendingWriteBytesMax = 8 * 1024 * 1024
    /// Bytes that a waiting score or donation is taken to need beside its texts: ids, hashes, slugs, its caller's task.
    package static let pendingWriteOverheadBytes = 1_024
    /// Scores and donations that are committed together.
    package static let batchRowsMax = 128
    /// Scores and donations of one caller among them. The bound is lower because each commit takes only one of a
    /// caller's writes.
    package static let pendingWritesOfCallerMax = 64
    /// Milliseconds that writes may wait for their commit to begin. Further writes are refused at once while one of the
    /// same caller has waited longer, or while any has that found no room in a batch. All writes are refused while a
    /// commit takes four times as long.
    package static let pendingMillisecondsMax: Int64 = 500
    /// Seconds within which a batch is sent again after its connection was lost, and within which a write is put off
    /// again whose player is locked by another transaction.
    package static let commitSecondsMax: Int64 = 10
    /// Milliseconds that an acknowledgement waits, at most, for this process's standings to contain the commit.
    package static let commitBarrierMillisecondsMax: Int64 = 50
    /// Ranks of posts that SQL counts at the same time while they are not in memory; other posts are acknowledged
    /// without a rank.
    package static let ranksCountedMax = 4
    /// Windows of boards that are kept in memory. Beyond the bound, those that were not read for the longest time are
    /// dropped.
    package static let windowsMax = 64
    /// Rows of all these windows together, about 40 bytes each.
    package static let windowRowsMax = 10_000_000
    /// Seconds after which a window that nobody reads is dropped.
    package static let windowSecondsMax: Int64 = 600
    /// Boards that the board cache keeps by address, and as many spans of days.
    package static let boardsKnownMax = 10_000
    /// Rows on either side of a page whose names and pictures are read along with the page's.
    package static let summariesReadAheadMax = 50
    /// Reads of missing names and pictures after which the cache is filled with as many players as fit.
    package static let summaryReadsMax = 1_000
    /// Players that one statement reads while the cache is filled.
    package static let summaryPageRows: Int32 = 5_000
    /// Players who changed within a second and are dropped again one by one; beyond the bound all players are.
    package static let changedPlayersMax = 10_000
    /// MiB that names and pictures of players take in memory by default: enough for a million players, and for as many
    /// that they have replaced.
    package static let summaryMegabytes = 256
    /// Connections on which one snapshot of the standings is read at the same time.
    package static let snapshotCopiesMax = 4
}
