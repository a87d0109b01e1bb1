package import Domain

// The bounds of what a process queues and keeps in memory.
extension Limits {
    /// Seconds for which the winners of seasons that have ended are shown before they are read again.
    static let pastSeasonsShownSeconds: Int64 = 5
    /// Rows of `high_scores`.
    package static let highScoresRowsMax = 10
    /// Bytes of details in the rows of one page. Later rows have none. JSON writes up to six bytes for one, and an
    /// event with such a page still fits into an eighth of a megabyte.
    package static let detailsOfPageBytesMax = 16_384
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
    /// One row in so many of a batch may be one that was put off.
    package static let batchDeferredDivisor = 4
    /// Writes of one commit worker that are put off at the same time, because their players are locked by other
    /// transactions. Further ones are refused.
    package static let deferredWritesMax = 1_024
    /// Milliseconds for which a write waits when it was put off twice, and at most when it was put off more often.
    package static let deferredMillisecondsFirst: Int64 = 5
    package static let deferredMillisecondsMax: Int64 = 320
    /// Milliseconds that writes may wait for their commit to begin. Further writes are refused at once while one of the
    /// same caller has waited longer, or while any has that found no room in a batch. All writes are refused while a
    /// commit takes four times as long.
    package static let pendingMillisecondsMax: Int64 = 500
    /// Posts of one caller that wait to be committed apart, because they take long. Further ones are refused at once.
    package static let longWritesOfCallerMax = 4
    /// How long posts may wait that are committed apart, before further ones are refused.
    package static let longWritesSecondsMax: Int64 = 5
    /// Seconds within which a batch is sent again after its connection was lost, and within which a write is put off
    /// again whose player is locked by another transaction.
    package static let commitSecondsMax: Int64 = 10
    /// Moderation actions and verdicts of games that wait for a connection, in all and for each client. As many changes
    /// by players may wait. More are refused at once.
    package static let changesWaitingMax = 256
    package static let changesOfClientWaitingMax = 64
    /// Milliseconds that an acknowledgement waits, at most, for this process's standings to contain the commit.
    package static let commitBarrierMillisecondsMax: Int64 = 50
    /// Microseconds by which the system's clock may go back while arrivals go on increasing.
    package static let clockStepMicrosecondsMax: Int64 = 1_000_000
    /// Milliseconds between two heartbeats in the WAL.
    package static let heartbeatMilliseconds: Int64 = 500
    /// Milliseconds since the latest heartbeat that came back was made, after which ranks come from SQL.
    package static let stalenessMillisecondsMax: Int64 = 2_000
    /// Heartbeats that are remembered until they come back.
    package static let heartbeatsMax = 1_024
    /// Connections for heartbeats alone, and so heartbeats that are written at the same time. The second one is opened
    /// when the first one is slow, so that a connection that hangs does not hold up the next heartbeat.
    package static let heartbeatConnections = 2
    /// Seconds after which a connection on which a heartbeat has had no answer is given up.
    package static let heartbeatSilenceSecondsMax: Int64 = 3
    /// Seconds after which a stream that brings back no heartbeat is given up, and another one is followed.
    package static let streamSilentSecondsMax: Int64 = 60
    /// Ranks of posts that SQL counts at the same time while they are not in memory; other posts are acknowledged
    /// without a rank.
    package static let ranksCountedMax = 4
    /// Those of one client among them.
    package static let ranksOfClientCountedMax = 2
    /// Ranges of days and ended seasons that are kept in memory. Beyond the bound, those that were read only once and
    /// not for the longest time are dropped.
    package static let windowsMax = 64
    /// The share of these windows and of their rows that windows may take which were read again.
    package static let windowsReadAgainPercent = 80
    /// Current days, weeks and months, and days before, that are kept in memory.
    package static let currentWindowsMax = 1_024
    /// Windows whose latest readers are remembered while they are not in memory. As many again may be.
    package static let windowAsksMax = 4_096
    /// Current windows that wait to be loaded, and as many others.
    package static let windowsWaitingMax = 64
    /// Current windows among them that wait in the turn of one client, and others.
    package static let currentWindowsOfClientWaitingMax = 16
    package static let windowsOfClientWaitingMax = 4
    /// After a load of a window that is not current, its client may ask for no other one for so many times as long,
    /// at most for ``windowSecondsMax``.
    package static let windowLoadRestFactor: Int64 = 20
    /// Clients whose rests are remembered.
    package static let windowRestsMax = 4_096
    /// Rows of all these windows together, about 40 bytes each. A window with more rows is read by SQL.
    package static let windowRowsMax = 10_000_000
    /// Windows that are loaded one after the other from one snapshot. Half of them may be of one client, and half may
    /// be other than the current ones.
    package static let windowsOfSnapshotMax = 4
    /// As so many rows counts the ranking of a country or region that has fewer, because its tree has one leaf.
    package static let rowsOfGroupMin = 80
    /// Rows that are read of a window before room is made for more.
    package static let windowRowsStep = 65_536
    /// Changes that a window keeps while it is loaded. With more it is loaded again.
    package static let windowBacklogRowsMax = 1_000_000
    /// Changes of a window under one hold of its lock, so about a millisecond. A batch of posts has fewer.
    package static let windowChangesMax = 1_024
    /// Seconds after which a window that nobody reads is dropped.
    package static let windowSecondsMax: Int64 = 600
    /// Rankings of teams that are kept in memory, about 100 bytes a team. One with more teams is read by SQL.
    static let teamWindowsMax = 16
    static let teamRowsMax = 100_000
    /// Seconds after which one that nobody reads is dropped.
    static let teamWindowSecondsMax: Int64 = 60
    /// Teams of a ranking that are read again one by one, and at the same time. Of more, all are read again.
    static let teamMarksMax = 256
    static let teamsReadMax = 32
    /// Rows that one statement looks up for such teams, one for each member and day, and those of all teams together.
    /// Where it is more, all teams are read again, which reads each row of the window once.
    static let teamLookupsMax = 50_000
    static let teamLookupsInAllMax = 500_000
    /// Windows that SQL computes at the same time, in all and for each client.
    package static let rangesMax = 4
    package static let rangesOfClientMax = 1
    /// Windows that wait for SQL, in all and for each client. More are refused at once.
    package static let rangesWaitingMax = 64
    package static let rangesOfClientWaitingMax = 4
    /// Players' reads of their own data that wait: at most as many as may wait for a connection, and those of one
    /// client.
    package static let ownReadsWaitingMax = 1_024
    package static let ownReadsOfClientWaitingMax = 64
    /// How long such a read may wait.
    package static let ownReadsWaitSecondsMax: Int64 = 5
    /// Boards that the board cache keeps by address, and as many spans of days.
    package static let boardsKnownMax = 10_000
    /// Rows on either side of a page whose names and pictures are read along with the page's.
    package static let summariesReadAheadMax = 50
    /// Reads of missing names and pictures after which the cache is filled with as many players as fit.
    package static let summaryReadsMax = 1_000
    /// Players that one statement reads while the cache is filled.
    package static let summaryPageRows: Int32 = 5_000
    /// Milliseconds after the last change that may move a campaign's milestones. A later read of them is final.
    static let milestoneSettlingMilliseconds: Int64 = 5_000
    /// Least milliseconds between two reads of a campaign's milestones. After a slow read the pause is longer: its
    /// duration times the factor.
    static let milestonePauseMilliseconds: Int64 = 1_000
    static let milestonePauseFactor = 20
    /// Seconds for which former settings of a campaign may be shown while no stream reports changes of them.
    static let campaignSettingSeconds: Int64 = 5
    /// Players who changed within a second and are dropped again one by one; beyond the bound all players are.
    package static let changedPlayersMax = 10_000
    /// MiB that names and pictures of players take in memory by default: enough for a million players, and for as many
    /// that they have replaced.
    package static let summaryMegabytes = 256
    /// Default memory for players' friends.
    package static let tieMegabytes = 64
    /// MiB in which it is remembered of whom no scores are held: about 250,000 players.
    static let heldScoresMegabytes = 16
    /// A charity's days and shares are read again after so many times the time that the read took, at most after so
    /// many seconds. So many games are told of.
    package static let growthRestFactor: Int64 = 20
    package static let growthRestSecondsMax: Int64 = 600
    package static let growthGamesMax = 12
    /// Charities, and boards, whose reads for pages are kept.
    package static let pageReadsMax = 512
    /// Connections on which one snapshot of the standings is read at the same time.
    package static let snapshotCopiesMax = 4
    /// Pairs of awards and players, and players, about which it is to be decided. With more, a sweep looks at all.
    static let awardCandidatesMax = 10_000
    /// Players about whose awards one statement asks.
    static let awardPlayersAtOnce = 50
    /// Milliseconds for which candidates are collected, and after which they are looked at once more.
    static let awardPauseMilliseconds: Int64 = 100
    static let awardAgainMilliseconds: Int64 = 1_500
    /// Seconds after which campaigns with awards for ranks are read again.
    static let awardContestSeconds = 60
    /// Seconds between two sweeps while no stream is followed, and in how many of these turns one comes otherwise,
    /// which is daily. One that failed comes again sooner. A sweep pauses between two batches.
    static let awardSweepSecondsWithoutStream: Int64 = 600
    static let awardSweepDivisor = 144
    static let awardSweepRetrySeconds: Int64 = 60
    static let awardSweepPauseMilliseconds: Int64 = 20
}
