/// The server's limits in one namespace: each module adds its own in its `Limits.swift`. ErrorsAndLimits.md lists those
/// that clients meet.
package enum Limits {
    /// Characters of a name as a person counts them (grapheme clusters); the minimum is 1.
    package static let nameCharactersMax = 32
    /// Code points of a name.
    package static let nameCodePointsMax = 256
    /// UTF-8 bytes of a name.
    package static let nameBytesMax = 1_024
    /// Consecutive combining marks in a name.
    package static let nameMarksInARowMax = 4
    /// Words that a game refuses in names.
    package static let refusedWordsMax = 1_000
    /// UTF-8 bytes of the salt of the classic token.
    package static let saltBytesMax = 1_024
    /// UTF-8 bytes of an e-mail address (RFC 5321: a path has at most 256 with its angle brackets).
    package static let emailBytesMax = 254
    /// Characters of a classic device id, and of a Facebook id.
    package static let deviceCharactersMax = 64
    /// Devices of a player.
    package static let devicesOfPlayerMax = 100
    /// Players who may be one with each other, and how often a player may take up another one by a code.
    package static let membersOfPlayerMax = 64
    package static let ownMergesMax: Int32 = 3
    /// Minutes for which a code brings another device to its player.
    package static let joinCodeMinutes: Int64 = 10
    package static let friendCodeHours: Int64 = 24
    package static let friendCodeUses: Int32 = 20
    /// Friends and sent friend requests of a player, together. Also the number of received requests that are shown.
    package static let friendsMax: Int64 = 500
    package static let blockedMax: Int64 = 1_000
    /// Players whose friend requests a player has declined, or whom it has unfriended or unblocked.
    package static let refusedAsksMax: Int64 = 1_000
    /// Members that a team may have, by a setting of its game.
    package static let teamSizes: ClosedRange<Int32> = 2...500
    /// Members whose points count for a team, by a setting of the board.
    package static let teamBest: ClosedRange<Int32> = 1...100
    package static let teamsOfGameMax: Int64 = 100_000
    /// Members of a team that are listed. A merge of a player, and a smaller size, leave more.
    package static let rosterRowsMax: Int64 = 500
    /// Players whose points count for a country, by a setting of the board.
    package static let countryBest: ClosedRange<Int32> = 1...100
    /// Lines of a plan, and the share of each.
    package static let planLinesMax = 20
    package static let planShares: ClosedRange<Int32> = 1...10_000
    /// Days of a challenge after the one on which it is made.
    package static let challengeDays: ClosedRange<Int64> = 1...14
    /// Players that a challenge may invite.
    package static let challengedMax = 49
    /// Points that each player may stake on a challenge, by a setting of the game.
    package static let stakes: ClosedRange<Int32> = 0...1_000
    /// Challenges that are not settled: of their maker, and those that a player has entered or not answered.
    package static let openChallengesMax: Int64 = 10
    package static let openEntriesMax: Int64 = 50
    /// Challenges that a player's own profile lists, and days for which it lists one that is settled.
    package static let challengeNotices: Int32 = 100
    package static let challengeNoticeDays: Int64 = 7
    /// Days after which a settled challenge is deleted.
    package static let challengeKeptDays: Int64 = 90
    /// Campaigns, and milestones of one.
    package static let campaignsMax: Int64 = 1_000
    package static let milestonesMax: Int32 = 20
    /// Players in a campaign's cohort.
    package static let cohortSizes: ClosedRange<Int64> = 2...100
    /// Newest seasons that a board lists. The list of winners has older ones, page by page.
    package static let seasonsListedMax: Int32 = 50
    /// Days for which a player keeps a flag before it may show another one.
    package static let flagDays: Int32 = 30
    /// Characters of what a player reports in its own words, as a person counts them, and their UTF-8 bytes.
    package static let reportCharactersMax = 500
    package static let reportBytesMax = 4_000
    /// Bytes of a submitted picture after base64 decoding.
    package static let avatarBytesMax = 128 * 1024
    /// Days of a window that names its first and last day.
    package static let windowDaysMax: Int32 = 366
    /// Points of one donation, and of all that a wallet earns: 2^53-1, which every JSON reader keeps exact.
    package static let walletPointsMax: Int64 = 9_007_199_254_740_991
    /// Player ids in the `default` game: clients of 2009 store them in an `int`.
    package static let classicPlayerIDMax: Int64 = 2_147_483_647
    /// Player ids in other games: 2^53-1, which every JSON reader keeps exact.
    package static let playerIDMax: Int64 = 9_007_199_254_740_991
    /// New player ids in other games: 15 digits, which spreadsheets keep.
    package static let newPlayerIDMax: Int64 = 999_999_999_999_999
    /// Characters of the name of a game, board or charity, which an administrator chooses.
    package static let displayNameCharactersMax = 100
    /// UTF-8 bytes of such a name, and of the text by which a caller names a charity.
    package static let displayNameBytesMax = 1_600
    /// UTF-8 bytes of a charity's description or URL.
    package static let descriptionBytesMax = 2_000
    /// Characters of the reason for an action.
    package static let reasonCharactersMax = 500
    /// UTF-8 bytes of the reason for an action.
    package static let reasonBytesMax = 4_000
    /// Days for which a token of a player who was erased is told so.
    package static let erasedTokenDays: Int64 = 30
    /// Minutes in which a charity may let whoever donated take it back: 30 days.
    package static let coolingOffMinutesMax: Int32 = 43_200
    /// Posts of a board, from which on its rules compare a post with others.
    package static let holdPostsMin: Int32 = 1_000
    /// Scores of a player that may be held at the same time. What its owner is told is added up from them.
    package static let holdsOfPlayerMax: Int32 = 1_000
    /// Seconds for which the first post of a player to a board may have waited for a network: a day.
    static let firstPostSecondsMax: Int64 = 86_400
    /// Posts a minute that a board may allow a player.
    package static let holdRateMax: Int32 = 600
    /// Minutes for which a post may wait for its game's verdict: a day.
    package static let judgeMinutesMax: Int32 = 1_440
    /// Minutes before points may be donated: 7 days.
    package static let settleMinutesMax: Int32 = 10_080
    /// Slots of a player for saves, bytes of one save, and earlier versions of each that stay.
    package static let saveSlotsMax: Int32 = 16
    package static let saveBytesMax = 65_536
    package static let saveVersionsEarlier: Int32 = 5
    /// Bytes of the only save of a player without a score that counts.
    package static let saveBytesBeforePost: Int32 = 4_096
    /// Scores of a player to check for one that counts.
    package static let countedPostsSought: Int32 = 1_000
}
