package import Domain

// The bounds of what a process queues and keeps in memory.
extension Limits {
    /// Rows of `high_scores`.
    package static let highScoresRowsMax = 10
    /// Scores and donations that wait for one commit worker to begin their commit; more are refused at once.
    package static let pendingWritesMax = 4_096
    /// Scores and donations that are committed together.
    package static let batchRowsMax = 128
    /// Scores and donations among them that one caller may have, since a caller's writes are committed one after the
    /// other.
    package static let pendingWritesOfCallerMax = 64
    /// Milliseconds that writes may wait for their commit to begin. While one of the caller has waited longer, or any
    /// for want of room in a batch, more are refused at once. All are refused while a commit takes four times as long.
    package static let pendingMillisecondsMax: Int64 = 500
    /// Seconds within which a batch is sent again after its connection was lost, and a write whose player somebody else
    /// has locked is put off again.
    package static let commitSecondsMax: Int64 = 10
    /// Milliseconds that a post waits, at most, for this process's standings to have it.
    package static let commitBarrierMillisecondsMax: Int64 = 50
    /// Ranks of posts that SQL counts at once, while they are not in memory; others are acknowledged without a rank.
    package static let ranksCountedMax = 4
    /// Windows of boards that are kept in memory; the longest unasked makes room for another.
    package static let windowsMax = 64
    /// Rows of all of them together, about 40 bytes each.
    package static let windowRowsMax = 10_000_000
    /// Seconds after which a window that nobody asks for is forgotten.
    package static let windowSecondsMax: Int64 = 600
    /// Addresses of boards, and their windows, of which the meaning is kept in memory.
    package static let boardsKnownMax = 10_000
    /// Neighbours on either side whose names and pictures are read along with those that are asked for.
    package static let summariesReadAheadMax = 50
    /// How often the database is asked for names and pictures before as many are read as there is room for.
    package static let summaryReadsMax = 1_000
    /// As many of them are read at once then.
    package static let summaryPageRows: Int32 = 5_000
    /// Players who changed within a second and are forgotten again one by one; beyond that all are.
    package static let changedPlayersMax = 10_000
    /// MiB that names and pictures of players take in memory for whoever does not say how many: a million players, and
    /// as many that they have replaced.
    package static let summaryMegabytes = 256
    /// Connections on which standings are read at once.
    package static let snapshotCopiesMax = 4
}
