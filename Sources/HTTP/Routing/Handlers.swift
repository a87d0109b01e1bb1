import Credentials
import Leaderboard
import SignIn
import Storage

/// The handlers of one area of routes, with what they depend on. It is a class because each request holds it: to copy a
/// struct, a thread would count the references of all its dependencies, which all threads share.
protocol RouteHandlers: AnyObject, Sendable {
    /// Picks this area's handlers from those of a server.
    static func of(_ handlers: Handlers) -> Self
}

/// The handlers of all areas.
final class Handlers: Sendable {
    let operations: OperationHandlers
    let classic: ClassicHandlers
    let devices: DeviceHandlers
    let signIn: SignInHandlers
    let friends: FriendHandlers
    let teams: TeamHandlers
    let plans: PlanHandlers
    let challenges: ChallengeHandlers
    let awards: AwardHandlers
    let campaigns: CampaignHandlers
    let cohorts: CohortHandlers
    let profiles: ProfileHandlers
    let ownData: OwnDataHandlers
    let saves: SaveHandlers
    let ledger: LedgerHandlers
    let rankings: RankingHandlers
    let live: LiveHandlers
    let pages: PageHandlers
    let pictures: PictureHandlers
    let embeds: EmbedHandlers
    let adminSettings: AdminSettingHandlers
    let adminPlayers: AdminPlayerHandlers
    let moderation: ModerationHandlers
    let reports: AdminReportHandlers
    let sessions: ConsoleSessions
    let console: ConsoleHandlers
    let consoleSettings: ConsoleSettingHandlers
    let consolePlayers: ConsolePlayerHandlers

    init(
        store: Store, writeBatcher: WriteBatcher, rankings: Rankings, operations: Operations, secret: Secret,
        clock: ServerClock, feeds: FeedServer, live liveHub: LiveHub, audits: AuditRuns, play: PlayAvailability,
        callers: Callers, identities: IdentityReader, issuers: IssuerKeys, rates: RequestRates, operators: OperatorKeys,
        sessions: ConsoleSessions, pages: PageServer
    ) {
        let replies = Replies(links: feeds.links, secret: secret)
        let avatars = AvatarReader()
        let registrations = RegistrationReader(avatars: avatars, rates: rates)
        self.operations = OperationHandlers(
            operations: operations, secret: secret, live: liveHub, feeds: feeds, rates: rates, replies: replies,
            issuers: issuers)
        classic = ClassicHandlers(
            store: store, writeBatcher: writeBatcher, rankings: rankings, secret: secret, clock: clock,
            links: feeds.links, feeds: feeds, callers: callers, rates: rates, avatars: avatars)
        devices = DeviceHandlers(
            store: store, writeBatcher: writeBatcher, rankings: rankings, secret: secret, clock: clock,
            callers: callers, rates: rates, replies: replies, registrations: registrations, identities: identities)
        signIn = SignInHandlers(
            store: store, secret: secret, clock: clock, callers: callers, rates: rates, replies: replies,
            identities: identities)
        friends = FriendHandlers(
            store: store, rankings: rankings, secret: secret, clock: clock, callers: callers, rates: rates,
            replies: replies)
        teams = TeamHandlers(
            store: store, rankings: rankings, secret: secret, clock: clock, callers: callers, rates: rates,
            replies: replies)
        plans = PlanHandlers(store: store, clock: clock, callers: callers, rates: rates, replies: replies)
        challenges = ChallengeHandlers(
            store: store, secret: secret, clock: clock, callers: callers, rates: rates, rankings: rankings,
            replies: replies)
        awards = AwardHandlers(
            store: store, rankings: rankings, secret: secret, clock: clock, callers: callers, replies: replies)
        profiles = ProfileHandlers(
            store: store, rankings: rankings, secret: secret, clock: clock, callers: callers, rates: rates,
            replies: replies, registrations: registrations)
        ownData = OwnDataHandlers(
            store: store, writeBatcher: writeBatcher, rankings: rankings, secret: secret, clock: clock,
            callers: callers, rates: rates, replies: replies)
        saves = SaveHandlers(store: store, clock: clock, callers: callers, rates: rates, replies: replies)
        ledger = LedgerHandlers(
            store: store, writeBatcher: writeBatcher, rankings: rankings, clock: clock, operations: operations,
            callers: callers, rates: rates, replies: replies)
        self.rankings = RankingHandlers(
            store: store, rankings: rankings, secret: secret, clock: clock, callers: callers, feeds: feeds,
            replies: replies)
        campaigns = CampaignHandlers(
            rankings: rankings, boards: self.rankings, clock: clock, feeds: feeds, replies: replies)
        cohorts = CohortHandlers(store: store, campaigns: campaigns, clock: clock, callers: callers, rates: rates)
        live = LiveHandlers(
            store: store, clock: clock, secret: secret, live: liveHub, feeds: feeds, callers: callers, rates: rates,
            rankings: self.rankings, campaigns: campaigns, profiles: profiles)
        self.pages = PageHandlers(
            store: store, rankings: rankings, secret: secret, clock: clock, pages: pages, play: play)
        pictures = PictureHandlers(store: store, rankings: rankings, pages: pages, shown: self.pages)
        embeds = EmbedHandlers(rankings: rankings, clock: clock, pages: pages, pictures: pictures)
        adminSettings = AdminSettingHandlers(
            store: store, rankings: rankings, clock: clock, operators: operators, replies: replies)
        adminPlayers = AdminPlayerHandlers(
            store: store, secret: secret, clock: clock, operators: operators, replies: replies)
        moderation = ModerationHandlers(
            store: store, rankings: rankings, writeBatcher: writeBatcher, operators: operators, replies: replies)
        reports = AdminReportHandlers(
            store: store, secret: secret, clock: clock, audits: audits, operators: operators, replies: replies)
        self.sessions = sessions
        let subjects = ConsoleSubjects(store: store, rankings: rankings)
        consoleSettings = ConsoleSettingHandlers(
            store: store, clock: clock, sessions: sessions, replies: replies, subjects: subjects, admin: adminSettings)
        consolePlayers = ConsolePlayerHandlers(
            store: store, sessions: sessions, replies: replies, subjects: subjects, players: adminPlayers,
            moderation: moderation, profiles: profiles)
        console = ConsoleHandlers(
            clock: clock, operations: operations, sessions: sessions, replies: replies, reports: reports,
            moderation: moderation, players: consolePlayers)
    }
}
