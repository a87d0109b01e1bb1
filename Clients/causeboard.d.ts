// The types of causeboard.js. Answers have the fields of the server's /openapi.yaml; what games use most is named here.

export interface Options {
  /** The address of the server, such as `https://scores.example.org`. */
  server: string;
  /** The slug of the game. */
  game: string;
  /** Tells several players of one device apart; there is one unless it is said. */
  account?: string;
  /** In Node: where identity and queue are kept, for one process at a time; else under `~/.causeboard`. */
  directory?: string;
  /** For tests: other stores, requests, clocks (milliseconds since 1970) and dice (0 to 1). */
  store?: unknown;
  fetch?: typeof fetch;
  now?: () => number;
  random?: () => number;
}

/** What else a registration may say; texts that are empty, and null, clear what is known. */
export interface Registration {
  /** PNG or JPEG in base64, or a `data:` URL. */
  image?: string | null;
  email?: string | null;
  sendUpdates?: boolean;
  /** Two letters (ISO 3166-1). */
  country?: string | null;
  /** What the player calls this device. */
  deviceName?: string;
}

export interface Player { id: number; name: string; avatar?: string }

/** A sign-in provider's ID token, with the nonce that it contains. */
export interface IdentityToken {
  /** The provider's slug in the game's settings, such as `google`. */
  provider: string;
  /** The nonce that `signInNonce` returned. */
  nonce: string;
  /** Three parts separated by dots. */
  token: string;
}

export interface LinkedIdentity {
  provider: string;
  linked_at: string;
  /** The last day in UTC on which a device joined with it, or on which it was linked. */
  used_on: string;
}

export interface Profile extends Player {
  /** The flag that the player shows: `DE` or, of a region, `DE-BE`. */
  flag?: string;
  /** Only of the own profile, as all that follows: the points of the wallet. */
  earned?: number;
  held?: number;
  settling?: number;
  left?: number;
  given?: number;
  devices?: number;
  country?: string;
  unlisted?: boolean;
  /** Whether the player accepts friend requests. */
  asks?: boolean;
  /** What is in the slots, by name. */
  saves?: { slot: string; etag: string }[];
  /**
   * Of the own profile how many awards the player has, and the slug of the newest one. Of another's, the awards, the
   * newest first.
   */
  awards?: { count: number; newest?: string } | GivenAward[];
  /** Challenges that the player has entered or not answered, newest first, until 7 days after they are settled. */
  challenges?: { id: string; state: ChallengeState; answer: ChallengeAnswer }[];
  /** The day in UTC after which the player's plan donates next; absent without a plan. */
  plan?: { next_on: string };
  [field: string]: unknown;
}

/** A friend, or the other player of a friend request. */
export interface Friend {
  player: number; name: string; avatar?: string;
  /** The day in UTC on which it began. */
  since: string;
}

/** Each list has the newest first. */
export interface Friends {
  friends: Friend[];
  /** Friend requests received. */
  asked: Friend[];
  /** Friend requests sent. */
  asking: Friend[];
  blocked: { player: number; name: string; at: string }[];
}

export type TeamRole = "captain" | "member";

/** The team that the player is in. */
export interface TeamMembership {
  id: number; name: string; role: TeamRole;
  /** The first day in UTC that counts: tomorrow after another team. */
  first_day: string;
}

export interface TeamMember { player: number; name: string; avatar?: string; role: TeamRole }

export interface OwnTeam extends TeamMembership {
  members: TeamMember[];
  /** For the captain: by it others join. */
  code?: string;
}

/** A team as everybody sees it. */
export interface Team {
  id: number; name: string;
  /** How many players are in it. */
  members: number;
  made_at: string;
  /** When the last member left. */
  closed_at?: string;
  /** Who is in it, where the game shows that to everybody. */
  roster?: TeamMember[];
}

/** One of the changes, or several. */
export interface TeamChange {
  name?: string;
  /** The member who becomes the captain. */
  captain?: number;
  /** The member who has to leave. */
  remove?: number;
  /** Replaces the code. */
  code?: "new";
}

/** A row of teams. */
export interface TeamRow {
  rank: number; tied: boolean;
  /** The team's id. */
  team: number;
  name: string; points: number;
  /** How many members have points in the window. */
  members: number;
  reached_at: string;
}

/** A row of countries or regions. */
export interface CountryRow {
  rank: number; tied: boolean;
  /** `DE` or, of a region, `DE-BE`. */
  country: string;
  points: number;
  /** How many players with this flag have points in the window. */
  members: number;
  reached_at: string;
}

/**
 * `over`: its days are over, and its points have time to settle. `settled`: who has won is final. `lapsed`: fewer than
 * two players had entered.
 */
export type ChallengeState = "open" | "over" | "settled" | "lapsed";

export type ChallengeAnswer = "invited" | "entered" | "declined" | "left";

/** A challenge, as one of its players sees it. */
export interface Challenge {
  id: string; game: string; board: string; season: number;
  /** Who made it; absent once that player has left for good. */
  by?: number;
  from: string;
  /** The end of its last day, or of the season. */
  until: string;
  /** Days in the board's time zone. */
  first_day: string; last_day: string;
  state: ChallengeState;
  /** The points that each who enters gives to the winner's charity; 0 for none. */
  stake: number;
  /** What the player has answered. */
  answer: ChallengeAnswer;
  /** Ranks have changed since it was settled, so that others would have won. Donations stay. */
  corrected?: true;
  /** Who has entered, best first; the maker sees the others, too. Absent in lists. */
  entrants?: Entrant[];
}

/** A player of a challenge. */
export interface Entrant {
  player: number; name: string; avatar?: string; state: ChallengeAnswer;
  /** From 1, among those who entered; absent without a score. */
  rank?: number;
  /** Whether another player has the same points. */
  tied?: boolean;
  points?: number;
  /** The charity that gets the stakes if the player wins. */
  charity?: string;
  /** The points that the player gave, once that is known. */
  gave?: number;
}

/** An award of a game, as everybody sees it. */
export interface Award {
  /** The award's slug. */
  award: string;
  name: string;
  /** What a player has to do; absent for a secret award. */
  text?: string;
  /** Whether only players who have it see its text. */
  secret: boolean;
  /** The address of its badge, a PNG. */
  picture: string;
  /** How often it was given. */
  given_to: number;
}

/** An award that a player has. */
export interface GivenAward {
  award: string; name: string; given_at: string;
  /** The number of the season, of an award for a rank. */
  occasion?: string;
}

/** An award of the game, with how far the player is. */
export interface OwnAward extends Omit<Award, "given_to"> {
  /** When the player got it, last; absent while it does not have it. */
  given_at?: string;
  /** The number of that season, of an award for a rank. */
  occasion?: string;
  /** How often the player has it. */
  times: number;
  /** How far the player is, and what it needs: points, days, charities; absent where no number says it. */
  have?: number;
  need?: number;
}

/** Some days of donations, with a goal and milestones, or some days of a score board. */
export interface Campaign {
  slug: string; name: string;
  /** What it is about. */
  text?: string;
  /** Whose donations it counts: a slug, or `all`; absent over a score board. */
  charity?: string;
  /** The score board that it reads, in place of a charity. */
  game?: string; board?: string; season?: number;
  /** Days of the board. */
  first_day: string; last_day: string;
  from: string;
  /** The end of its last day. */
  until: string;
  state: "coming" | "open" | "over";
  /** Whether its days are over. */
  final: boolean;
  /** How many players a cohort has room for; absent if players do not enter. */
  cohort?: number;
  goal?: number;
  /** What was donated on its days, anonymous donations too. Absent in lists and over a score board, as all below. */
  points?: number;
  /** Percent of the goal, with one decimal. */
  progress?: number;
  /** How many players have donated by name. */
  contributors?: number;
  milestones?: Milestone[];
  /** Points that the next milestone lacks; absent when all are reached. */
  to_next?: number;
}

/** Points on the way of a campaign. */
export interface Milestone {
  points: number; name: string;
  /** When the donations that count now first had its points; absent while they do not. */
  reached_at?: string;
}

/** The place of a player who has entered a campaign. */
export interface Cohort {
  /** The cohort's number, from 1. */
  cohort: number;
  /** How many players it has room for. */
  of: number;
}

/** What a plan gives one charity, compared with the others. */
export interface PlanShare {
  charity: string;
  /** 1 to 10,000. */
  share: number;
}

/** A charity that a plan leaves out; `why` is such as `charity-closed` or `nothing-left`. */
export interface SkippedShare { charity: string; why: string }

export type PlanInterval = "day" | "week" | "month";

/** How the server donates for the player. */
export interface Plan {
  /** By it the plan is replaced or ended. */
  etag: string;
  /** In the order of the charities' slugs. */
  shares: PlanShare[];
  every: PlanInterval;
  /** Points that stay in the wallet. */
  keep: number;
  anonymous: boolean;
  /** When the player last changed it. */
  since: string;
  /** The day in UTC after whose end it donates next. */
  next_on: string;
  /** What it gave last. */
  last?: { on: string; gifts: { charity: string; points: number; id: string }[]; skipped?: SkippedShare[] };
}

/** What a plan would give. */
export interface PlanPreview {
  points: number; gifts: { charity: string; points: number }[]; skipped?: SkippedShare[];
}

export interface FriendsQuery { window?: string; season?: number; limit?: number; from?: number }

export interface ScoreReceipt {
  points: number; best?: number; improved: boolean; rank?: number | null; of?: number; earned: number; left: number;
  [field: string]: unknown;
}

export interface DonationReceipt {
  charity: string; points: number; left: number; rank?: number | null;
  [field: string]: unknown;
}

export interface Outcome {
  state: "sent" | "refused";
  /** What the server recorded; absent when another tab sent the item and was closed at once. */
  receipt?: ScoreReceipt | DonationReceipt;
  problem?: CauseboardError;
}

/** A post or a donation. */
export interface Item {
  /** Its UUID, under which the server knows it. */
  id: string;
  kind: "score" | "donation";
  path: string;
  points: number;
  state: "pending" | "sent" | "refused";
  /** Why it was refused, or why it still waits. */
  problem?: CauseboardError;
}

export interface QueuedItem extends Item {
  /** Resolves when the server has said yes or no, however long that takes; it never rejects. */
  settled: Promise<Outcome>;
}

export interface Change {
  item?: Item;
  receipt?: ScoreReceipt | DonationReceipt;
  /** The name or a field of a registration was refused, maybe long after `signIn` was called. */
  signIn?: CauseboardError;
  /** Nothing is sent any more: the device was cut off, or the player is banned or has left. */
  stopped?: CauseboardError;
}

export interface Row {
  rank: number;
  /** The rank among the players of a partial ranking, such as friends. */
  among?: number;
  tied?: boolean; player?: number; name: string; points: number; reached_at: string; avatar?: string;
  /** The flag that the player shows: `DE` or, of a region, `DE-BE`. */
  flag?: string;
  /** What came with the score, where the board's `details` are public: whatever a stranger's game sent. */
  detail?: unknown;
  [field: string]: unknown;
}

export interface Ranking<AnyRow = Row> {
  board: string; window: string; zone: string; final: boolean; of: number; rows: AnyRow[]; next?: string; prev?: string;
  /** The players that the ranking covers, if not all: `friends`, `team`, `cohort`, or the code of a country. */
  among?: string;
  [field: string]: unknown;
}

export interface Place {
  player: number; rank: number | null; points?: number; of: number; percentile?: number; to_next?: number;
  [field: string]: unknown;
}

export interface Charity {
  slug: string; name: string; points: number; goal?: number; progress?: number;
  [field: string]: unknown;
}

export interface Save { bytes: Uint8Array; etag: string }

export interface SaveVersion { slot: string; etag: string; bytes: number; saved_at: string }

export interface Page { limit?: number; after?: string; before?: string }

export interface RankingQuery extends Page {
  window?: string; season?: number; from?: number;
  /** Ids with commas between them, at most 100. */
  players?: string;
}

/** The window is the campaign's days. */
export type CampaignQuery = Omit<RankingQuery, "window" | "season">;

/** With `country`, `team` or `players`, each row has its rank `among` them. */
export interface TopQuery extends RankingQuery {
  /** Only players who show the flag of this country or one of its regions (`DE`), or of this region (`DE-BE`). */
  country?: string;
  /** The id of a team: only its members, where the game shows everybody who is in a team. */
  team?: number;
}

export type GroupsQuery = Omit<RankingQuery, "players">;

export class CauseboardError extends Error {
  constructor(type: string, message: string, more?: Partial<CauseboardError>);
  readonly type: string;
  readonly status: number;
  readonly field?: string;
  /** Seconds after which the server takes it again, where it says so. */
  readonly retryAfter?: number;
  readonly problem?: any;
}

/** A player of one game on this device. */
export class Causeboard {
  private constructor();
  static open(options: Options): Promise<Causeboard>;
  readonly isKept: boolean;
  readonly damaged: string[];
  close(): Promise<void>;

  signIn(name: string, fields?: Registration): Promise<Player | undefined>;
  rename(name: string): Promise<Player | undefined>;
  player(): Promise<Player | undefined>;
  forget(): Promise<void>;
  erase(name: string): Promise<string>;
  report(player: number, why: "name" | "picture" | "cheating" | "other", text?: string): Promise<void>;
  exportData(): Promise<{ [field: string]: unknown }>;
  profile(player?: number | "me"): Promise<Profile>;
  update(fields: Registration & { name?: string; unlisted?: boolean; asks?: boolean; flag?: string | null }):
    Promise<Profile>;
  scores(page?: Page): Promise<{ rows: any[]; next?: string; prev?: string }>;
  donations(page?: Page): Promise<{ rows: any[]; next?: string; prev?: string }>;

  makeCode(): Promise<{ code: string; expires_at: string }>;
  makeRecoveryCode(): Promise<{ code: string }>;
  join(code: string, options?: { merge?: boolean; deviceName?: string }): Promise<Player>;
  devices(): Promise<{
    id: string; name?: string; joined_at: string; seen_on: string; this: boolean;
    joined_by?: "code" | "recovery" | "operator" | "sign-in" | "merge";
  }[]>;
  removeDevice(id: string): Promise<void>;
  rotateToken(): Promise<void>;

  signInNonce(): Promise<{ nonce: string; expires_at: string }>;
  signInWith(identity: IdentityToken, options?: { name?: string; merge?: boolean; deviceName?: string }):
    Promise<Player>;
  link(identity: IdentityToken): Promise<LinkedIdentity>;
  unlink(provider: string): Promise<void>;
  identities(): Promise<LinkedIdentity[]>;

  friends(): Promise<Friends>;
  makeFriendCode(): Promise<{ code: string; expires_at: string }>;
  befriend(code: string): Promise<{ player: number; name: string }>;
  ask(player: number): Promise<"friends" | "asking">;
  unfriend(player: number): Promise<void>;
  block(player: number): Promise<void>;
  unblock(player: number): Promise<void>;
  friendsTop(board: string, query?: FriendsQuery): Promise<Ranking>;
  friendContributors(query?: FriendsQuery & { charity?: string }): Promise<Ranking>;

  myTeam(): Promise<OwnTeam | undefined>;
  makeTeam(name: string): Promise<TeamMembership>;
  joinTeam(code: string): Promise<TeamMembership>;
  changeTeam(change: TeamChange): Promise<OwnTeam>;
  leaveTeam(): Promise<void>;
  team(team: number): Promise<Team>;
  reportTeam(team: number): Promise<void>;
  teamsTop(board: string, query?: GroupsQuery): Promise<Ranking<TeamRow>>;
  myTeamTop(board: string, query?: FriendsQuery): Promise<Ranking>;
  contributorTeams(query?: GroupsQuery & { charity?: string }): Promise<Ranking<TeamRow>>;

  challenge(board: string, players: number[],
            terms: { days: number; stake?: number; charity?: string; id?: string }): Promise<Challenge>;
  challenges(query?: { state?: ChallengeState; limit?: number; after?: string }):
    Promise<{ rows: Challenge[]; next?: string }>;
  standings(challenge: Pick<Challenge, "id" | "board">): Promise<Challenge>;
  enter(challenge: Pick<Challenge, "id" | "board">, terms?: { charity?: string }): Promise<Challenge>;
  decline(challenge: Pick<Challenge, "id" | "board">): Promise<void>;

  awards(): Promise<OwnAward[]>;
  gameAwards(): Promise<Award[]>;

  campaigns(query?: { limit?: number; from?: number }): Promise<{ of: number; rows: Campaign[] }>;
  campaign(campaign: string): Promise<Campaign>;
  campaignTop(campaign: string, query?: CampaignQuery): Promise<Ranking>;
  campaignTeams(campaign: string, query?: Omit<CampaignQuery, "players">): Promise<Ranking<TeamRow>>;
  enterCampaign(campaign: string): Promise<Cohort>;
  cohort(campaign: string, query?: { limit?: number; from?: number }): Promise<Ranking>;
  followCampaign(campaign: string, watcher: (campaign: Campaign) => void): () => void;

  plan(): Promise<Plan | undefined>;
  setPlan(shares: PlanShare[], every: PlanInterval, more?: { keep?: number; anonymous?: boolean; etag?: string }):
    Promise<Plan>;
  endPlan(etag: string): Promise<void>;
  preview(points: number): Promise<PlanPreview>;

  post(board: string, points: number, more?: { playedAt?: Date; detail?: unknown }): Promise<QueuedItem>;
  donate(charity: string, points: number, more?: { anonymous?: boolean }): Promise<QueuedItem>;
  pending(): Promise<Item[]>;
  refused(): Promise<Item[]>;
  dismiss(id: string): Promise<void>;
  retry(): void;
  watch(watcher: (change: Change) => void): () => void;

  boards(): Promise<any[]>;
  board(board: string): Promise<any>;
  top(board: string, query?: TopQuery): Promise<Ranking>;
  countriesTop(board: string, query?: GroupsQuery & { of?: string }): Promise<Ranking<CountryRow>>;
  around(board: string, query?: { player?: number | "me"; limit?: number; window?: string; season?: number }):
    Promise<Ranking>;
  rank(board: string, query?: { player?: number | "me"; window?: string; season?: number }): Promise<Place>;
  rankOf(board: string, points: number): Promise<{ points: number; rank: number; of: number }>;
  charities(query?: Page): Promise<{ rows: Charity[]; [field: string]: unknown }>;
  charity(charity: string): Promise<Charity>;
  contributors(query?: RankingQuery & { charity?: string }): Promise<Ranking>;
  saves(): Promise<SaveVersion[]>;
  load(slot: string, version?: { etag?: string }): Promise<Save | undefined>;
  save(slot: string, data: Uint8Array | string, seen?: {
    etag?: string; merge?: (theirs: Uint8Array) => Uint8Array | string;
  }): Promise<{ slot: string; etag: string; saved_at: string }>;
  deleteSave(slot: string, etag: string): Promise<void>;
  followMe(watcher: (profile: Profile) => void): () => void;
  follow(board: string, watcher: (ranking: Ranking) => void, query?: { window?: string; limit?: number }): () => void;
}

export function signature(signKey: string, method: string, path: string, time: number, body: string): Promise<string>;
