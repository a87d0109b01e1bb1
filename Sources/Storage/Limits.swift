package import Domain

// The limits of what is read from the database at once.
extension Limits {
    /// Seconds after which a read whose connection is lost is not done once more.
    package static let lostReadSecondsMax: Int64 = 5
    /// The most answers about callers that each of two generations remembers; one takes about 250 bytes for a write and
    /// 600 for a read.
    package static let knownCallersMax = 100_000
    /// Devices and players that changed within a second and are forgotten again one by one; with more, all callers are.
    static let changedCallersMax = 10_000
    /// Rows that are looked through for a post, beyond which the player's next ones are committed apart: some
    /// milliseconds.
    package static let longHistoryRowsMin: Int64 = 10_000
    /// Players on boards of whom that is remembered.
    package static let longHistoriesMax = 10_000
    /// Seconds for which a new device may not harm the player's older devices. An owner who looks at the list once a
    /// day sees a stranger's device in time.
    package static let newDeviceSeconds: Int64 = 24 * 60 * 60
    /// Players whose e-mail addresses are removed in one transaction.
    static let addressesRemovedAtOnce: Int32 = 1_000
    /// Seconds after the end of a day in which its transactions commit, before its books are closed. They are given up
    /// much sooner.
    package static let bookGraceSeconds: Int64 = 600
    /// Milliseconds that closing may take. The first time it reads both ledgers, and it is the same work again when it
    /// is given up.
    static let bookMillisecondsMax: Int32 = 3_600_000
    /// Players whose plans are decided in one transaction, and runs that are carried out before the next ones are
    /// decided.
    static let planRunsAtOnce: Int32 = 100
    /// Seasons that begin by themselves before the next ones are looked for.
    static let seasonsAtOnce: Int32 = 100
    /// Reports of one player that keep their words.
    static let reportWordsKept: Int32 = 100
    /// Newest donations to a charity that are read to find visible ones, and as many anonymous ones.
    static let donationsLookedAt: Int32 = 500
    /// Donations of a player of which its own profile adds up the anonymous ones. It leaves them out where there are
    /// more.
    static let ownDonationsAddedUp: Int32 = 10_000
    /// Posts of a player that the list of best posts reads beside those that are noted as the player's best. Beyond
    /// that the best are noted again.
    package static let bestPostsUnreadMax: Int32 = 1_000
    /// Posts are not noted as the best for so long, because one that reached its points earlier may be committed later.
    static let bestPostsUnnotedSeconds: Int64 = 600
    /// Challenges that are found at once to be settled, each in a transaction of its own, and stakes that are donated.
    static let challengesSettledAtOnce: Int32 = 500
    static let stakesGivenAtOnce: Int32 = 500
    /// Newest challenges of a player, and newest runs of its plans, that operators see.
    static let activityChallenges: Int32 = 50
    static let activityRuns: Int32 = 20
    /// The count of challenges to settle stops at this number.
    static let challengesCounted: Int32 = 10_000
    /// Challenges that one batch of a sweep deletes. Each has up to 50 answers.
    static let challengesSwept: Int32 = 20
    /// Rows that one batch of a sweep looks at.
    static let sweptRows: Int32 = 500
    /// Players whose rows go to the past ledgers in one transaction, and the rows of either ledger at most.
    package static let pastPlayersAtOnce = 64
    static let pastRows: Int32 = 1_000
    /// Milliseconds that a sweep waits for a lock, because whoever comes after it waits as long.
    static let sweepLockMilliseconds: Int32 = 200
    /// The pauses after which a replica is asked once more whether it has replayed enough. A standby that streams is
    /// behind by a millisecond or a few.
    static let replicaPauses: [Duration] = [.milliseconds(2), .milliseconds(5), .milliseconds(10)]
    /// Milliseconds that a change of one player waits for each lock. It holds a connection meanwhile.
    static let lockMillisecondsMax: Int32 = 2_000
    /// Milliseconds that a batch that was judged from memory waits for each lock. Then it is judged under the locks of
    /// those players whom nobody else has locked.
    static let judgedLockMilliseconds: Int32 = 2
    /// Boards, and as many charities, of which a process knows the rules by which it judges from memory.
    static let judgedBoardsMax = 10_000
    /// Players about whom memory was wrong, as far as that is remembered.
    static let misjudgedPlayersMax = 10_000
    /// Seconds for which rows of such a player are judged under its lock.
    static let misjudgedSeconds: Int64 = 300
    /// Seconds for which a player's rows are judged under its lock when somebody else has held that.
    static let lockedPlayerSeconds: Int64 = 10
    /// Batches by which it is decided whether judging from memory pays: it does unless a third of them breaks.
    static let judgedBatchesCounted = 30
    /// Seconds for which nothing is judged from memory when it does not pay.
    static let judgingPauseSeconds: Int64 = 10
    /// Registrations, saves and changes of devices that wait for a connection, in all and for each client.
    static let playerWritesWaitingMax = 1_024
    static let playerWritesOfClientWaitingMax = 256
    /// Milliseconds that a statement of an operator's action may take. The client waits, and the connection gives up
    /// after five minutes of silence.
    static let actionMillisecondsMax: Int32 = 240_000
    /// Milliseconds that it waits for each lock.
    static let actionLockMillisecondsMax: Int32 = 10_000
    /// Scores, and as many donations, that two players may have together who become one by a code. Each
    /// statement of the merge then takes some seconds, of the ten that it may take.
    package static let historyOfMergedMax: Int32 = 50_000
    /// How often the players are found anew who became one with others while their locks were waited for.
    static let survivorAttemptsMax = 8
    /// The newest `yes` ties to a player that are kept, and read to find received requests. Some belong to friends, or
    /// to players whom the player has declined or blocked.
    static let asksKept: Int64 = friendsMax + friendsMax + refusedAsksMax + blockedMax
    /// The most rollup rows that one commit may change and still be followed. After a larger commit all standings are
    /// loaded again.
    package static let commitRowsMax = 1_000_000

    /// `shared_buffers` below this are advised against. PostgreSQL's manual names a quarter of the memory, and few
    /// database servers have less than four times this.
    static let sharedBuffersAdvisedBytes: Int64 = 1 << 30
    /// `max_wal_size` below this is advised against: a thousand posts a second write it in about an hour.
    static let walAdvisedBytes: Int64 = 4 << 30
    /// `checkpoint_timeout` below this, half of what an embedded database has, is advised against.
    static let checkpointAdvisedMilliseconds: Int64 = 15 * 60_000
    /// Replication slots and sessions that a server process takes: one for the stream, and one for a moment while a
    /// window is copied.
    static let replicationSessionsOfServer: Int64 = 2
}
