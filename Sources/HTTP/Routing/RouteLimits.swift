import HTTPTypes

/// The limits that the requests of a route count in. A route has those of its group, or names others.
/// `RouteLimitsTests` lists all routes that write.
struct RouteLimits: Sendable {
    /// GET, HEAD and OPTIONS, by address; nil counts nowhere.
    let reads: RateLimit?
    /// All other methods, by address; nil counts nowhere.
    let writes: RateLimit?
    /// All other methods, by player.
    private(set) var player: RateLimit?
    /// Whether only some writes count in `player`, such as those that change the player's name. Their handlers know
    /// which these are, and count them.
    private(set) var isCountedByHandlers = false
    /// Whether a game's key is accepted here, so that success confirms it.
    private(set) var takesKeys = false

    /// How a request for operators shows that it has a key, so that success confirms the key; nil elsewhere.
    private(set) var operators: KeyCarrier?

    /// By what an operator's key is known.
    enum KeyCarrier {
        /// The bearer token.
        case token
        /// The session of the console.
        case session
    }

    /// Health and metrics.
    static let nothing = RouteLimits(reads: nil, writes: nil)
    /// The admin API, until the key has proved good.
    static let adminCalls = RouteLimits(reads: .addressReads, writes: .addressWrites, operators: .token)
    /// The pages and forms of the console, until the key of the session has proved good.
    static let consoleCalls = RouteLimits(reads: .addressReads, writes: .addressWrites, operators: .session)
    /// Where operators sign in, and what their pages need before that.
    static let signIns = RouteLimits(reads: .addressReads, writes: .addressWrites)
    /// Everything that only reads, and addresses that are not there.
    static let reads = RouteLimits(reads: .addressReads, writes: .addressWrites)
    /// Registrations of players, which may also rename those that are known.
    static let registrations = RouteLimits(
        reads: .addressReads, writes: .addressRegistrations, player: .playerRenames, isCountedByHandlers: true)
    /// Registrations of players by a game.
    static let registrationsByGames = RouteLimits(reads: .addressReads, writes: .addressWrites, takesKeys: true)
    /// Changes of a known player.
    static let changes = RouteLimits(
        reads: .addressReads, writes: .addressWrites, player: .playerRenames, isCountedByHandlers: true)
    // What a player's device does counts by device and not by token: a token that takes another one's place would have
    // a limit of its own. So handlers count it.

    /// Codes for other devices, and other tokens.
    static let codes = RouteLimits(
        reads: .addressReads, writes: .addressWrites, player: .playerCodes, isCountedByHandlers: true)
    /// Nonces for sign-ins. They cost processor time only.
    static let nonces = RouteLimits(reads: .addressReads, writes: .addressSignIns)
    /// Changes of a player's identities.
    static let identities = RouteLimits(
        reads: .addressReads, writes: .addressWrites, player: .playerIdentities, isCountedByHandlers: true)
    /// Friend requests and friend codes; what ends them counts as `blocks` do.
    static let friends = RouteLimits(
        reads: .addressReads, writes: .addressWrites, player: .playerFriends, isCountedByHandlers: true)
    /// Blocks of a player.
    static let blocks = RouteLimits(
        reads: .addressReads, writes: .addressWrites, player: .playerBlocks, isCountedByHandlers: true)
    /// The team that a player is in.
    static let teams = RouteLimits(
        reads: .addressReads, writes: .addressWrites, player: .playerTeams, isCountedByHandlers: true)
    /// Challenges that a player makes, and campaigns that it enters. Answers to challenges change a row that is there,
    /// and do not count.
    static let challenges = RouteLimits(
        reads: .addressReads, writes: .addressWrites, player: .playerChallenges, isCountedByHandlers: true)
    /// Teams that a game's server makes.
    static let teamsByGames = RouteLimits(reads: .addressReads, writes: .addressWrites, takesKeys: true)
    /// The plan of a player. What changes nothing does not count.
    static let plans = RouteLimits(
        reads: .addressReads, writes: .addressWrites, player: .playerPlans, isCountedByHandlers: true)
    /// Saves of a player. What changes nothing does not count.
    static let saves = RouteLimits(
        reads: .addressReads, writes: .addressWrites, player: .playerSaves, isCountedByHandlers: true)
    /// Reports of players, of which a repeated one does not count.
    static let reports = RouteLimits(
        reads: .addressReads, writes: .addressWrites, player: .playerReports, isCountedByHandlers: true)
    /// The export of everything that is kept of a player, which is read.
    static let exports = RouteLimits(
        reads: .addressReads, writes: .addressWrites, player: .playerExports, isCountedByHandlers: true)
    /// Scores, by a player's token or a game's key.
    static let posts = RouteLimits(reads: .addressReads, writes: .addressWrites, player: .playerPosts, takesKeys: true)
    /// Donations, by a player's token or a game's key.
    static let donations = RouteLimits(
        reads: .addressReads, writes: .addressWrites, player: .playerDonations, takesKeys: true)
    /// Scores of the classic protocol, whose handlers count the device in the form.
    static let classicPosts = RouteLimits(reads: .addressReads, writes: .addressWrites, player: .playerPosts)
    /// Donations of the classic protocol, whose handlers count the device in the form.
    static let classicDonations = RouteLimits(reads: .addressReads, writes: .addressWrites, player: .playerDonations)

    /// The limit by address of a request with this method.
    func address(_ method: HTTPRequest.Method) -> RateLimit? { method.isRead ? reads : writes }

    /// The limit by player that each request with this method counts in.
    func player(_ method: HTTPRequest.Method) -> RateLimit? { method.isRead || isCountedByHandlers ? nil : player }
}

extension HTTPRequest.Method { fileprivate var isRead: Bool { self == .get || self == .head || self == .options } }
