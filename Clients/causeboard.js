// Causeboard for games in JavaScript, in a browser and in Node 20 or newer: one file without dependencies.
//
//   import { Causeboard } from "./causeboard.js";
//   const board = await Causeboard.open({ server: "https://scores.example.org", game: "maze" });
//   await board.signIn("Ada");
//   await board.post("lap", 61500);
//
// The device makes its token itself and keeps it, and keeps what has no answer yet, where they survive a crash: in
// IndexedDB, or in files of mode 0600 in Node. Posts and donations get their UUID and are stored before the call
// returns. They are sent in their order, one request at a time, again and again until the server has said yes or no.
// Tabs of one browser share one queue, and only one of them sends at a time.
/** @import * as Types from "./causeboard.d.ts" */

const requestMilliseconds = 30_000;
const exportMilliseconds = 600_000;         // a long history takes its time
const retryMillisecondsMin = 1_000;
const retryMillisecondsMax = 300_000;
const sleepMillisecondsMax = 3_600_000;     // setTimeout takes 24 days; a sleep that ends early is slept again
const attemptsMax = 10;
const itemsMax = 10_000;
const refusedMax = 100;
const lookAhead = 100;                      // items of the queue that are read at a time
const pollMilliseconds = 15_000;
const streamMilliseconds = 3_000;           // until a stream that has ended is opened again
const silenceMilliseconds = 45_000;         // three comments of a stream that did not come
const eventCharactersMax = 262_144;
const mergesMax = 10;
const retryAfterMillisecondsMax = 86_400_000;       // what a proxy may ask for; a day is the most that is believed
const identityAttemptsMax = 3;              // of a sign-in, while the server cannot fetch the provider's keys
const issuerMilliseconds = 10_000;          // before a retry if the server names no time
const issuerMillisecondsMax = 30_000;       // the longest wait for a retry
const damagedMax = 10;                      // files that are put aside, of each kind
const leaseMilliseconds = 70_000;           // of the right to send, which is renewed while it is used
const renewalMilliseconds = 20_000;

/** A refusal of the server, or of the client itself: `type` is stable, `message` says what to change. */
export class CauseboardError extends Error {
  /**
   * @param {string} type A problem's name, such as `out-of-bounds`; of the client's own `unreachable`, `queue-full`,
   *   `signed-out`, `closed`, `not-stored` when a file cannot be read, and `unusual` for an answer that no Causeboard
   *   gave.
   * @param {string} message
   * @param {Partial<CauseboardError>} [more]
   */
  constructor(type, message, more = {}) {
    super(message);
    this.name = "CauseboardError";
    /** @type {string} */ this.type = type;
    /** The status of the answer; 0 when there was none.
     * @type {number} */ this.status = more.status ?? 0;
    /** The field that was refused, where there is one.
     * @type {string | undefined} */ this.field = more.field;
    /** Seconds after which the server takes it again, where it says so.
     * @type {number | undefined} */ this.retryAfter = more.retryAfter;
    /** All that the server said.
     * @type {any} */ this.problem = more.problem;
  }
}

/** A player of one game on this device. */
export class Causeboard {
  #server; #game; #store; #fetch; #now; #random;
  #clockOffset = 0;                   // the server's clock less ours, in milliseconds
  #isPumping = false;
  #isWoken = false;
  #isClosed = false;
  #hasWarned = false;                 // that posts go unsigned
  /** @type {CauseboardError | null} */ #stopped = null;
  #waitUntil = 0;                     // of the monotonic clock; no request before
  #isWaitForced = false;              // the server said how long, so coming online again does not shorten the wait
  #failures = 0;
  /** Ends the sleep of the pump. */ #endSleep = () => {};
  /** @type {Map<string, {until?: number, holds?: number, attempts: number, isParked: boolean}>} */ #held = new Map();
  #rotateAt = 0;                      // of the monotonic clock; the server puts another token off until then
  /** @type {Map<string, (outcome: Types.Outcome) => void>} */ #waiting = new Map();
  /** Who waits for what becomes of a registration, in their order.
   * @type {{wanted: object, resolve: (player: any) => void, reject: (error: unknown) => void}[]} */ #registering = [];
  /** @type {Set<(change: Types.Change) => void>} */ #watchers = new Set();
  /** @type {Set<() => void>} */ #follows = new Set();
  #cameOnline = () => {
    if (this.#isWaitForced && this.#waitUntil > performance.now()) this.#wake();
    else this.#goOn();
  };

  /**
   * Opens what this device keeps of the game, and begins to send what is still queued.
   * @param {Types.Options} options
   * @returns {Promise<Causeboard>}
   * @throws {CauseboardError} `not-stored` when a file is there and cannot be read now. Nothing is changed then: try
   *   again. A file that is damaged is put aside instead, and named in `damaged`.
   */
  static async open(options) {
    const server = String(options?.server).replace(/\/+$/, "");
    if (!/^https?:\/\//.test(server)) throw new TypeError("server is a URL that begins with https:// or http://");
    if (!options.game || typeof options.game !== "string") throw new TypeError("game is the slug of the game");
    const name = `causeboard ${server} ${options.game}${options.account ? " " + options.account : ""}`;
    const store = options.store ?? await openStore(name, options.directory);
    const board = new Causeboard(server, options, store);
    store.listen((message) => board.#hear(message));
    globalThis.addEventListener?.("online", board.#cameOnline);
    board.#wake();
    return board;
  }

  /** @private Use `Causeboard.open`. */
  constructor(server, options, store) {
    this.#server = server;
    this.#game = `/v1/games/${encodeURIComponent(options.game)}`;
    this.#store = store;
    this.#fetch = options.fetch ?? ((...request) => globalThis.fetch(...request));
    this.#now = options.now ?? (() => Date.now());
    this.#random = options.random ?? Math.random;
  }

  /** False when nothing can be kept, as in some private windows: what is queued then ends with the page. */
  get isKept() { return this.#store.isKept; }

  /** Files that were damaged when this was opened, under the names under which they were put aside. */
  get damaged() { return this.#store.damaged ?? []; }

  /** Ends sending and following; what is queued stays on the device for the next `open`. */
  async close() {
    this.#isClosed = true;
    globalThis.removeEventListener?.("online", this.#cameOnline);
    for (const end of this.#follows) end();
    this.#endSleep();
    this.#registered(undefined);
    await this.#store.close();
  }

  // MARK: the player

  /**
   * Registers this device's player. Call it at each start, with the name that was typed here: the name by which this
   * device signed in before is sent once, and does not take back one that the player got meanwhile on another device.
   * @param {string} name 1 to 32 characters, which everybody sees.
   * @param {Types.Registration} [fields]
   * @returns {Promise<Types.Player | undefined>} The player; while the server cannot be reached the one last known, or
   *   nothing. Registering is then tried again by itself, before anything else is sent.
   * @throws {CauseboardError} When the name or a field is refused; `rate-limited`, with `retryAfter`, for another name
   *   too soon. A player who is known keeps the former name then, and posts go on.
   */
  signIn(name, fields = {}) {
    return this.#enter((identity) => registration(isNewName(identity, name) ? { ...fields, name } : fields));
  }

  /**
   * Gives the player another name.
   * @param {string} name
   * @returns {Promise<Types.Player | undefined>} As of `signIn`.
   */
  rename(name) { return this.#enter(() => ({ name })); }

  /** The player as last known, without asking the server. */
  async player() { return (await this.#store.identity())?.player; }

  /** Forgets the player, the token and all that is queued. Without a code on another device the player is lost. */
  async forget() {
    await this.#store.clear();
    this.#held.clear();
    this.#stopped = null;
    this.#registered(undefined);
    this.#tell();
  }

  /**
   * Erases the player for good, on the server and on this device, with all that is queued. Rows of rankings stay, as
   * those of `A former player`. App stores want this in each game that makes players.
   * @param {string} name The player's name, exactly, as who plays has typed it.
   * @returns {Promise<string>} The receipt, by which the operators find that it was done.
   * @throws {CauseboardError} `confirm` when it is not the name.
   */
  async erase(name) {
    return this.#store.exclusively(async () => {
      const token = await this.#token();
      const body = JSON.stringify({ confirm: name });
      const expects = (reply) => typeof reply.receipt === "string";
      const answer = await this.#send("POST", "/v1/players/me/erasure", body, token, undefined, { expects });
      // An answer that was lost is told again.
      const isGone = answer?.type === "gone" && expects(answer.body);
      const { receipt } = isGone ? answer.body : bodyOf(answer);
      await this.forget();
      return receipt;
    });
  }

  /**
   * Reports another player's name, picture or play to the operators.
   * @param {number} player
   * @param {"name" | "picture" | "cheating" | "other"} why
   * @param {string} [text] In the player's own words.
   */
  async report(player, why, text) { await this.#write("POST", `/v1/players/${player}/report`, { why, text }); }

  /** All that the server keeps of the player, for the player to have. It may be large; once an hour. */
  async exportData() {
    const more = { milliseconds: exportMilliseconds };
    return bodyOf(await this.#send("GET", "/v1/players/me/export", undefined, await this.#token(), undefined, more));
  }

  /** The player's own profile and wallet, or what everybody sees of another one. */
  profile(player = "me") { return this.#read(`/v1/players/${player}`, {}, player === "me"); }

  /**
   * Changes `image`, `email`, `send_updates`, `country`, `unlisted`, `asks` or `flag` of the player. `asks` is whether
   * the player accepts friend requests. `flag` is what everybody sees beside the name: `DE` or, of a region, `DE-BE`
   * (ISO 3166); null shows none.
   * @throws {CauseboardError} `flag-fixed` when the player chose its flag less than 30 days ago: `again_at` of the
   *   `problem` says when it may choose another one. `field` for a flag in a game without flags.
   */
  update(fields) { return this.#write("PATCH", "/v1/players/me", registration(fields), hasID); }

  /** Own scores, newest first: a page of `rows`, and the cursors of other pages. */
  scores(page = {}) { return this.#read("/v1/players/me/scores", page, true); }

  /** Own donations, newest first. */
  donations(page = {}) { return this.#read("/v1/players/me/donations", page, true); }

  // MARK: devices

  /** A code of 8 characters that brings another device to this player, for 10 minutes. */
  makeCode() { return this.#write("POST", "/v1/players/me/codes"); }

  /** A code of 26 characters to write down, for when all devices are lost. A new one ends the former. */
  makeRecoveryCode() { return this.#write("POST", "/v1/players/me/recovery"); }

  /**
   * Joins the player who was shown this code on another device, or wrote it down.
   * @param {string} code
   * @param {{merge?: boolean, deviceName?: string}} [options] `merge` makes one player of both, when this device's has
   *   scores, donations or saves; without it they are refused as `has-history`.
   * @returns {Promise<Types.Player>}
   */
  join(code, { merge, deviceName } = {}) {
    return this.#come(() => registration({ code, merge, device_name: deviceName }));
  }

  /** The devices that speak for the player. */
  async devices() { return (await this.#read("/v1/players/me/devices", {}, true)).devices; }

  /**
   * Cuts a device off by its id in the list, but not the last one. For 24 hours a new device cannot cut off an older
   * one: `device-too-new`.
   */
  async removeDevice(id) { await this.#write("DELETE", `/v1/players/me/devices/${encodeURIComponent(id)}`); }

  /**
   * Replaces this device's token and revokes all codes. The old one is kept until the server has accepted the new one.
   */
  async rotateToken() {
    await this.#store.update((identity) => {
      if (!identity?.player) throw new CauseboardError("signed-out", "Sign in first.");
      return { ...identity, nextToken: identity.nextToken ?? newToken() };
    });
    this.#wake();
  }

  // MARK: signing in at a provider

  /**
   * Requests a nonce for the provider's ID token. It is valid for 10 minutes, and for this device only. The device
   * makes its token now if it has none.
   * @returns {Promise<{nonce: string, expires_at: string}>}
   * @throws {CauseboardError} `not-found` when the game has no providers.
   */
  async signInNonce() {
    const { token } = await this.#store.update((identity) => identity ?? newIdentity());
    const expects = (reply) => isText(reply.nonce);
    return bodyOf(await this.#send("POST", `${this.#game}/sign-ins`, undefined, token, undefined, { expects }));
  }

  /**
   * Signs in with an ID token. If a player has linked this identity, the device joins that player, as with a code.
   * Otherwise the device registers, and the identity is linked to its player. The device keeps its token, and the queue
   * is sent as the player whom the device then has.
   *
   * The ID token is not stored, so the queue never repeats a sign-in: after a failure, call this again. While the
   * server cannot fetch the provider's keys, it retries for at most a minute.
   * @param {Types.IdentityToken} identity
   * @param {{name?: string, merge?: boolean, deviceName?: string}} [options] A new player needs a `name`; a player who
   *   has linked the identity keeps its name. `merge` merges this device's own player, if it has scores, donations or
   *   saves; without it the call throws `has-history`.
   * @returns {Promise<Types.Player>}
   * @throws {CauseboardError} `identity-refused` when the server does not accept the ID token: request a new nonce, and
   *   let the player sign in at the provider again. `issuer-away`: the same token works until the nonce expires.
   */
  signInWith({ provider, nonce, token }, { name, merge, deviceName } = {}) {
    const fields = { merge, device_name: deviceName, identity: { provider, nonce, token } };
    const body = (identity) => registration({ ...fields, name: isNewName(identity, name) ? name : undefined });
    return this.#come(body, name);
  }

  /**
   * Links an identity to the player: devices that sign in with it join the player.
   * @param {Types.IdentityToken} identity
   * @returns {Promise<Types.LinkedIdentity>}
   * @throws {CauseboardError} `identity-taken` when another player has linked it, or this player has linked another one
   *   of the provider; `device-too-new`; `identity-refused` and `issuer-away` as for `signInWith`.
   */
  async link({ provider, nonce, token }) {
    const body = JSON.stringify({ nonce, token });
    const expects = (reply) => reply.provider === provider;
    const send = async () =>
      this.#send("PUT", identityPath(provider), body, await this.#token(), undefined, { expects });
    return bodyOf(await this.#askingAgain(send));
  }

  /** Unlinks the player's identities of a provider. It needs no ID token. The devices stay. */
  unlink(provider) { return this.#order("DELETE", identityPath(provider)); }

  /** The player's linked identities. */
  async identities() { return (await this.#read("/v1/players/me/identities", {}, true)).identities; }

  // MARK: friends. None of these calls is queued: the result is known when the promise resolves.

  /** The player's friends, received and sent friend requests, and blocked players. */
  friends() { return this.#read("/v1/players/me/friends", {}, true, (reply) => Array.isArray(reply.friends)); }

  /**
   * Makes a friend code of 8 characters. Up to 20 players can use it within 24 hours. It replaces the previous code.
   */
  makeFriendCode() { return this.#write("POST", "/v1/players/me/friends/codes", undefined, hasCode); }

  /**
   * Makes the player and the maker of a code friends.
   * @param {string} code
   * @returns {Promise<{player: number, name: string}>}
   * @throws {CauseboardError} `code-refused`; `friends-full`.
   */
  befriend(code) {
    return this.#write("POST", "/v1/players/me/friends", { code }, (reply) => Number.isSafeInteger(reply.player));
  }

  /**
   * Sends a friend request to a player of the game, or accepts the other's.
   * @param {number} player
   * @returns {Promise<"friends" | "asking">} `asking` does not reveal whether the other sees it.
   * @throws {CauseboardError} `forbidden` when the game has no friend requests.
   */
  async ask(player) {
    return (await this.#write("PUT", `/v1/players/me/friends/${player}`, undefined, hasFriendState)).state;
  }

  /** Ends a friendship, withdraws a request, or declines one. */
  unfriend(player) { return this.#order("DELETE", `/v1/players/me/friends/${player}`); }

  /**
   * Blocks a player: ends a friendship, and stops the other's friend requests. The other is not told. Public rankings
   * stay as they are; a game can hide the players whom `friends` lists as blocked.
   */
  block(player) { return this.#order("PUT", `/v1/players/me/blocks/${player}`); }

  /** Ends a block. It does not make the two friends. */
  unblock(player) { return this.#order("DELETE", `/v1/players/me/blocks/${player}`); }

  /**
   * A board among the player and its friends: `window`, `season`, `limit`, `from`. In each row, `rank` is the rank on
   * the whole board, and `among` the rank among friends.
   */
  friendsTop(board, query = {}) {
    return this.#read(`${this.#board(board)}/players/me/friends.json`, query, true, hasRows);
  }

  /** The top donors among the player and its friends, to one charity or to all. Anonymous donations do not count. */
  friendContributors({ charity, ...query } = {}) {
    return this.#read(`${contributorsPath(charity)}/players/me/friends.json`, query, true, hasRows);
  }

  // MARK: teams. None of these calls is queued: the result is known when the promise resolves.

  /**
   * The player's team with its members. The captain also gets the `code` by which others join.
   * @returns {Promise<Types.OwnTeam | undefined>} Nothing when the player is in no team.
   */
  async myTeam() {
    const more = { expects: isOwnTeam };
    const answer = await this.#send("GET", myTeamPath, undefined, await this.#token(), undefined, more);
    return answer?.type === "not-found" ? undefined : bodyOf(answer);
  }

  /**
   * Makes a team, and the player its captain.
   * @param {string} name 1 to 32 characters, which everybody sees.
   * @returns {Promise<Types.TeamMembership>}
   * @throws {CauseboardError} `name-refused`; `in-team` when the player is in another team; `team-full` when the game
   *   has too many teams; `forbidden` when its players make no teams.
   */
  makeTeam(name) { return this.#write("PUT", myTeamPath, { make: name }, isMembership); }

  /**
   * Joins a team by its captain's code. After another team, the first day is tomorrow (UTC).
   * @param {string} code
   * @returns {Promise<Types.TeamMembership>}
   * @throws {CauseboardError} `code-refused`; `team-full`; `in-team` when the player is in another team.
   */
  joinTeam(code) { return this.#write("PUT", myTeamPath, { code }, isMembership); }

  /**
   * Changes the team, for its captain: all of it, or nothing.
   * @param {{name?: string, captain?: number, remove?: number, code?: "new"}} change `captain` is the member who
   *   becomes the captain, `remove` the member who has to leave, and `code: "new"` replaces the code.
   * @returns {Promise<Types.OwnTeam>} The team as it is now, with its new code.
   * @throws {CauseboardError} `forbidden` when the player is not the captain; `not-found` when there is no such member;
   *   `name-refused`.
   */
  changeTeam(change) { return this.#write("PATCH", myTeamPath, change, isOwnTeam); }

  /** Leaves the team at the end of the day (UTC). */
  leaveTeam() { return this.#order("DELETE", myTeamPath); }

  /**
   * A team as everybody sees it, by its id in a row or in `myTeam`.
   * @param {number} team
   * @returns {Promise<Types.Team>}
   */
  team(team) { return this.#read(`${this.#game}/teams/${team}`, {}, false, isTeam); }

  /**
   * Reports the name of a team to the operators.
   * @param {number} team
   */
  async reportTeam(team) { await this.#write("POST", `${this.#game}/teams/${team}/report`, { why: "name" }); }

  /** Teams by the points of their members: `window`, `season`, `limit`, `after`, `before`, `from`. */
  teamsTop(board, query = {}) { return this.#read(`${this.#board(board)}/teams/top.json`, query, false, hasRows); }

  /**
   * A board among the members of the player's team: `window`, `season`, `limit`, `from`. In each row, `rank` is the
   * rank on the whole board, and `among` the rank in the team. `top` with `team` is the same of any team, where the
   * game shows everybody who is in a team.
   */
  myTeamTop(board, query = {}) {
    return this.#read(`${this.#board(board)}/players/me/team.json`, query, true, hasRows);
  }

  /**
   * Teams of all games by what their members donated, to one charity or to all. Anonymous donations do not count.
   */
  contributorTeams({ charity, ...query } = {}) {
    return this.#read(`${contributorsPath(charity)}/teams/top.json`, query, false, hasRows);
  }

  // MARK: challenges. None of these calls is queued: the result is known when the promise resolves.

  /**
   * Challenges players on a board, for today and the next `days` days in the board's time zone. The player has entered
   * at once; the others are invited.
   * @param {string} board
   * @param {number[]} players 1 to 49 ids: of friends or, where the game allows it, also of players of the team.
   * @param {{days: number, stake?: number, charity?: string, id?: string}} terms `days` is 1 to 14. `stake` is how many
   *   points everybody who enters gives to the winner's charity; it needs the `charity` that gets them if the player
   *   wins. `id` is a UUID: after a call that came to nothing, another one with the same id makes no second challenge.
   * @returns {Promise<Types.Challenge>}
   * @throws {CauseboardError} `not-friends` when one of the players may not be invited; `challenges-full`;
   *   `board-closed`; `charity-closed`; `forbidden` when challenges are off in the game; `field`.
   */
  challenge(board, players, { days, stake, charity, id = newID() }) {
    const body = { days, players, stake, charity };
    return this.#write("PUT", this.#challengePath({ id, board }), body, isChallenge);
  }

  /**
   * The player's challenges, newest first, without their entrants: `state`, `limit`, `after`. They stay for 90 days
   * after they were settled.
   * @param {{state?: Types.ChallengeState, limit?: number, after?: string}} [query]
   * @returns {Promise<{rows: Types.Challenge[], next?: string}>}
   */
  challenges(query = {}) { return this.#read("/v1/players/me/challenges", query, true, hasChallenges); }

  /**
   * A challenge as it is now, with its `entrants`: those who entered, best first. Everybody with rank 1 wins. Its maker
   * also sees who has not entered.
   * @param {{id: string, board: string}} challenge
   * @returns {Promise<Types.Challenge>}
   */
  standings(challenge) { return this.#read(this.#challengePath(challenge), {}, true, isChallenge); }

  /**
   * Enters a challenge, also after declining or leaving it.
   * @param {{id: string, board: string}} challenge
   * @param {{charity?: string}} [terms] A challenge with a stake needs the `charity` that gets the points if the player
   *   wins. It may be changed until the challenge is over.
   * @returns {Promise<Types.Challenge>}
   * @throws {CauseboardError} `challenge-over`; `charity-closed`; `challenges-full`; `field`.
   */
  enter(challenge, { charity } = {}) {
    return this.#write("PUT", `${this.#challengePath(challenge)}/entry`, { charity }, isChallenge);
  }

  /**
   * Declines a challenge, or leaves it. Who leaves gives no stake.
   * @param {{id: string, board: string}} challenge
   * @throws {CauseboardError} `challenge-over`.
   */
  decline(challenge) { return this.#order("DELETE", `${this.#challengePath(challenge)}/entry`); }

  #challengePath({ id, board }) { return `${this.#board(board)}/challenges/${encodeURIComponent(id)}`; }

  // MARK: plans. None of these calls is queued: the result is known when the promise resolves.

  /**
   * How the server donates for the player, and what it gave last.
   * @returns {Promise<Types.Plan | undefined>} Nothing when the player has no plan.
   */
  async plan() {
    const more = { expects: isPlan, isTagged: true };
    const answer = await this.#send("GET", myPlanPath, undefined, await this.#token(), undefined, more);
    return answer?.type === "not-found" ? undefined : tagged(answer);
  }

  /**
   * Makes the player's plan, or replaces it: the server donates what the player has left beyond `keep`, after each day
   * in UTC, each Sunday, or the last day of each month. The same plan again changes nothing.
   * @param {{charity: string, share: number}[]} shares 1 to 20 charities, each once. A share is 1 to 10,000, and only
   *   the proportions matter.
   * @param {"day" | "week" | "month"} every
   * @param {{keep?: number, anonymous?: boolean, etag?: string}} [more] `keep` is how many points stay in the wallet; 0
   *   unless it is said. `etag` is that of the plan which is replaced; without one there must be no plan.
   * @returns {Promise<Types.Plan>}
   * @throws {CauseboardError} `stale` when the plan is another one, such as after a change on another device: read it
   *   again. `forbidden` when plans are off in the game; `field`.
   */
  async setPlan(shares, every, { keep, anonymous, etag } = {}) {
    const body = JSON.stringify({ shares, every, keep, anonymous });
    const more = { headers: expecting(etag), expects: isPlan, isTagged: true };
    return tagged(await this.#send("PUT", myPlanPath, body, await this.#token(), undefined, more));
  }

  /**
   * Ends the player's plan. Donations that the server has already decided are still made.
   * @param {string} etag That of the plan.
   * @throws {CauseboardError} `stale` when the plan is another one; `not-found` when there is none.
   */
  endPlan(etag) { return this.#order("DELETE", myPlanPath, { "If-Match": etag }); }

  /**
   * What the player's plan would give of so many points now.
   * @param {number} points At least 1, whatever the player has.
   * @returns {Promise<Types.PlanPreview>}
   * @throws {CauseboardError} `not-found` when the player has no plan.
   */
  async preview(points) {
    return (await this.#read(myPlanPath, { points: whole(points) }, true, hasPreview)).preview;
  }

  // MARK: awards

  /**
   * The awards of the game, and how far the player is. A secret award that the player does not have is without its text
   * and numbers.
   * @returns {Promise<Types.OwnAward[]>}
   */
  async awards() { return (await this.#read("/v1/players/me/awards", {}, true, hasAwards)).awards; }

  /**
   * The awards of the game, as everybody sees them. A secret award is without its text.
   * @returns {Promise<Types.Award[]>}
   */
  async gameAwards() { return (await this.#read(`${this.#game}/awards`, {}, false, hasAwards)).awards; }

  // MARK: campaigns. None of these calls is queued: the result is known when the promise resolves.

  /**
   * All campaigns, those that end last first, without points: `limit`, `from`.
   * @param {{limit?: number, from?: number}} [query]
   * @returns {Promise<{of: number, rows: Types.Campaign[]}>}
   */
  campaigns(query = {}) { return this.#read("/v1/campaigns.json", query, false, hasCampaigns); }

  /**
   * A campaign and how it stands, with its milestones.
   * @param {string} campaign
   * @returns {Promise<Types.Campaign>}
   */
  campaign(campaign) { return this.#read(campaignPath(campaign), {}, false, isCampaign); }

  /** The ranking of a campaign's days: `limit`, `after`, `before`, `from`, `players`. */
  campaignTop(campaign, query = {}) {
    return this.#read(`${campaignPath(campaign)}/top.json`, query, false, hasRows);
  }

  /**
   * Teams by what their members did on a campaign's days: `limit`, `after`, `before`, `from`.
   * @throws {CauseboardError} `not-found` also when the campaign's board ranks no teams.
   */
  campaignTeams(campaign, query = {}) {
    return this.#read(`${campaignPath(campaign)}/teams/top.json`, query, false, hasRows);
  }

  /**
   * Enters a campaign that compares its players in cohorts. A player who has entered keeps its place.
   * @param {string} campaign
   * @returns {Promise<Types.Cohort>}
   * @throws {CauseboardError} `forbidden` when players do not enter the campaign, or it is over a board of another
   *   game; `challenge-over` when it is over.
   */
  enterCampaign(campaign) { return this.#write("PUT", `${campaignPath(campaign)}/entry`, undefined, isCohort); }

  /**
   * The ranking of a campaign's days among the player's cohort: `limit`, `from`. In each row, `rank` is the rank among
   * all, and `among` the rank in the cohort.
   * @throws {CauseboardError} `not-found` when the player has not entered.
   */
  cohort(campaign, query = {}) {
    return this.#read(`${campaignPath(campaign)}/players/me/cohort.json`, query, true, hasRows);
  }

  /**
   * Follows a campaign: calls back with it now and whenever it changes, as `follow` does.
   * @param {string} campaign
   * @param {(campaign: Types.Campaign) => void} watcher
   * @returns {() => void} Ends the calls.
   */
  followCampaign(campaign, watcher) {
    const path = campaignPath(campaign);
    return this.#follow(path, `${path}/live`, "campaign", isCampaign, watcher);
  }

  // Registers the device with a code or an identity. Unlike a name, these are not stored: they expire soon, and whoever
  // has one can join the player.
  async #come(body, name) {
    let identity = await this.#store.update((identity) => identity ?? newIdentity());
    const put = (body) => this.#send("PUT", `${this.#game}/devices/${identity.device}`, JSON.stringify(body),
                                     identity.token, undefined, { expects: hasPlayer });
    const send = () => this.#store.exclusively(async () => {
      let answer = await put(body(identity));
      const isNameless = answer?.type === "field" && answer.body.field === "name" && !body(identity).name;
      // The server no longer knows the device, and makes a new player.
      if (isNameless && identity.asked) answer = await put({ ...body(identity), name: identity.asked });
      const become = (now) => ({ ...joined(now, answer.body, name), wanted: undefined });
      if (answer?.isGood) await this.#change(identity, become);
      return answer;
    });
    let answer = await this.#askingAgain(send);
    if (answer?.type === "label-taken" && !identity.player) {
      identity = (await this.#relabelled(identity)) ?? identity;
      answer = await this.#askingAgain(send);
    }
    const { player } = bodyOf(answer);
    this.#stopped = null;
    this.#goOn();
    return player;
  }

  // Retries, at the times that the server names, while it cannot fetch the provider's keys.
  async #askingAgain(send) {
    for (let attempt = 1; ; attempt++) {
      const answer = await send();
      if (answer?.type !== "issuer-away" || attempt === identityAttemptsMax) return answer;
      const wait = Math.max(retryAfter(answer) ?? issuerMilliseconds, retryMillisecondsMin);
      if (wait > issuerMillisecondsMax) return answer;
      await this.#pause(wait);
      if (this.#isClosed) return answer;
    }
  }

  // `close` ends it.
  #pause(milliseconds) {
    return new Promise((resolve) => {
      const over = this.#following(() => {
        clearTimeout(timer);
        resolve(undefined);
      });
      const timer = setTimeout(over, milliseconds);
    });
  }

  // MARK: what is queued

  /**
   * Queues a score. It is on the device when the promise resolves, whether or not the server can be reached.
   * @param {string} board
   * @param {number} points A whole number.
   * @param {{playedAt?: Date, detail?: any}} [more] When it was played, which is now by the server's clock unless it is
   *   said, and up to 1 KiB of JSON.
   * @returns {Promise<Types.Item>} `settled` of the item resolves to what became of it.
   */
  async post(board, points, { playedAt = new Date(this.#serverTime()), detail } = {}) {
    if (!canSign()) this.#warn();
    const body = { points: whole(points), played_at: playedAt.toISOString(), detail };
    return this.#queue("score", `${this.#game}/boards/${encodeURIComponent(board)}/scores/`, body);
  }

  /**
   * Queues a donation of points that the player has earned. It is never sent before a post that was queued earlier.
   * @param {string} charity
   * @param {number} points At least 1.
   * @param {{anonymous?: boolean}} [more]
   * @returns {Promise<Types.Item>}
   */
  async donate(charity, points, { anonymous } = {}) {
    const body = { points: whole(points), anonymous: anonymous || undefined };
    return this.#queue("donation", `/v1/charities/${encodeURIComponent(charity)}/donations/`, body);
  }

  /** What has no answer yet, in its order. */
  async pending() { return (await this.#store.pending()).map(shown); }

  /** The newest 100 items that the server refused, each with its `problem`, until they are dismissed. */
  async refused() { return (await this.#store.items()).filter((item) => item.state === "refused").map(shown); }

  /** Forgets a refused item. */
  async dismiss(id) { await this.#store.remove(id, "refused"); }

  /** Tries at once what was set aside after ten failures, and what stopped because the device was cut off. */
  retry() {
    this.#stopped = null;
    for (const held of this.#held.values()) Object.assign(held, { attempts: 0, isParked: false });
    this.#goOn();
  }

  /**
   * Calls back at each change: an item is pending, sent or refused, or sending stops because the device was cut off.
   * @param {(change: Types.Change) => void} watcher
   * @returns {() => void} Ends the calls.
   */
  watch(watcher) {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  async #queue(kind, place, body) {
    const id = newID();
    const item = { id, kind, path: place + id, body: JSON.stringify(body), points: body.points, state: "pending" };
    const settled = new Promise((resolve) => this.#waiting.set(id, resolve));
    try {
      await this.#store.add(item, itemsMax);
    } catch (error) {
      this.#waiting.delete(id);
      throw error;
    }
    this.#changed(item);
    this.#wake();
    return { ...shown(item), settled };
  }

  // MARK: rankings

  /** What there is to play in this game: its boards with their settings. */
  async boards() { return (await this.#read(`${this.#game}/boards`)).boards; }

  /** The settings of a board. */
  board(board) { return this.#read(this.#board(board)); }

  /**
   * The ranking: `window`, `season`, `limit`, `after`, `before`, `from`, `players`. With `country` (`DE`, or a region
   * as `DE-BE`) the players who show its flag, and with `team` (an id) the team's members: then each row also has the
   * rank `among` them. A row has `detail` where the board's `details` are public. A stranger's game may have sent
   * anything.
   */
  top(board, query = {}) { return this.#read(`${this.#board(board)}/top.json`, query); }

  /**
   * Countries by the points of their best players, or with `of` (a country, such as `DE`) its regions: `window`,
   * `season`, `limit`, `after`, `before`, `from`.
   */
  countriesTop(board, query = {}) {
    return this.#read(`${this.#board(board)}/countries/top.json`, query, false, hasRows);
  }

  /** The rows around a player, by default the own one. */
  around(board, { player = "me", ...query } = {}) {
    return this.#read(`${this.#board(board)}/players/${player}/around.json`, query, player === "me");
  }

  /** Where a player stands, by default the own one; `rank` is null without a score. */
  rank(board, { player = "me", ...query } = {}) {
    return this.#read(`${this.#board(board)}/players/${player}`, query, player === "me");
  }

  /** The rank that a post made now would get. */
  rankOf(board, points) { return this.#read(`${this.#board(board)}/rank`, { points: whole(points) }); }

  /** Charities by points received. */
  charities(query = {}) { return this.#read("/v1/charities.json", query); }

  /** A charity, with its goal and progress. */
  charity(charity) { return this.#read(`/v1/charities/${encodeURIComponent(charity)}`); }

  /** Who donated most, to one charity or to all. */
  contributors({ charity, ...query } = {}) {
    return this.#read(`${contributorsPath(charity)}/top.json`, query);
  }

  /**
   * Follows a ranking: calls back with it now and whenever it changes, by an event stream, or by asking each 15 s where
   * streams are refused or unknown.
   * @param {string} board
   * @param {(ranking: Types.Ranking) => void} watcher
   * @param {{window?: string, limit?: number}} [query]
   * @returns {() => void} Ends the calls.
   */
  follow(board, watcher, query = {}) {
    const address = (name) => this.#board(board) + name + queryText(query);
    return this.#follow(address("/top.json"), address("/live"), "top", hasRows, watcher);
  }

  // Follows what is at `path`, of which the stream at `live` tells as `name`.
  #follow(path, live, name, expects, watcher) {
    let isOver = false;
    let etag;
    let source;
    let timer;
    let leave = () => {};
    const ask = async () => {
      try {
        const headers = etag ? { "If-None-Match": etag } : {};
        const answer = await this.#fetch(this.#server + path, { headers, redirect: "error", signal: deadline() });
        const { isGood, body } = await said(answer, "GET", { expects });
        if (isOver) return;
        if (isGood) {
          etag = answer.headers.get("ETag");
          called(watcher, body);
          if (body.final) return;
        }
      } catch { /* the next time may do */ }
      if (!isOver) timer = setTimeout(ask, pollMilliseconds);
    };
    const stream = () => {
      source = new EventSource(this.#server + live);
      source.addEventListener(name, (event) => called(watcher, JSON.parse(event.data)));
      // A browser opens a stream again by itself, unless it was refused or is over.
      source.addEventListener("error", () => {
        if (isOver || source.readyState !== EventSource.CLOSED) return;
        leave();
        ask();
      });
    };
    const begin = async () => {
      const left = globalThis.EventSource && await streamPlace(this.#server);
      leave = left ?? leave;
      if (isOver) leave();
      else if (left) stream();
      else ask();
    };
    begin();
    return this.#following(() => {
      isOver = true;
      source?.close();
      clearTimeout(timer);
      leave();
    });
  }

  // MARK: saves

  /** What the player has in its slots, on all its devices. */
  async saves() { return (await this.#read("/v1/players/me/saves", {}, true)).saves; }

  /**
   * The bytes in a slot.
   * @param {string} slot
   * @param {{etag?: string}} [version] An earlier one, of those that the server keeps.
   * @returns {Promise<Types.Save | undefined>} Nothing when the slot is empty.
   */
  async load(slot, version = {}) {
    const token = await this.#token();
    const answer = await this.#send("GET", savePath(slot) + queryText(version), undefined, token, undefined,
                                    { isBytes: true });
    if (answer?.type === "not-found") return undefined;
    return bodyOf(answer);
  }

  /**
   * Puts bytes, or a text, into a slot. Another device may have saved since this one has looked: then `merge` makes one
   * of what is there and what was to be saved, and that is put in its place.
   * @param {string} slot
   * @param {Uint8Array | string} data At most 65,536 bytes.
   * @param {{etag?: string, merge?: (theirs: Uint8Array) => Uint8Array | string}} [seen] `etag` is what the slot had
   *   when it was read last; without one it has to be empty. Without `merge` a slot that has something else is refused.
   * @returns {Promise<{slot: string, etag: string, saved_at: string}>}
   * @throws {CauseboardError} `stale` when another device has saved; `slots-full`; `too-large`;
   *   `post-first` until the player has posted, for more than one slot or 4,096 bytes.
   */
  async save(slot, data, { etag, merge } = {}) {
    const token = await this.#token();
    for (let merges = 0; ; merges++) {
      const body = typeof data === "string" ? new TextEncoder().encode(data) : data;
      const headers = { ...expecting(etag), "Content-Type": "application/octet-stream" };
      const expects = (saved) => saved.slot === slot && typeof saved.etag === "string";
      const answer = await this.#send("PUT", savePath(slot), body, token, undefined, { headers, expects });
      if (answer?.type !== "stale" || !merge || merges === mergesMax) return bodyOf(answer);
      const theirs = await this.load(slot);
      if (theirs) data = merge(theirs.bytes);
      etag = theirs?.etag;
    }
  }

  /** Empties a slot that has what `etag` says, with the versions that the server keeps. */
  async deleteSave(slot, etag) {
    await this.#order("DELETE", savePath(slot), { "If-Match": etag });
  }

  /**
   * Follows the player: calls back with its profile and wallet now and whenever something about it changes, on any of
   * its devices, such as a save; by an event stream, or by asking each 15 s where streams are refused.
   * @param {(profile: Types.Profile) => void} watcher
   * @returns {() => void} Ends the calls.
   */
  followMe(watcher) {
    const path = this.#server + "/v1/players/me";
    let isOver = false;
    let endReading = () => {};
    let endPause = () => {};
    let etag;
    const told = (tag, profile) => {
      if (tag === etag || isOver) return;
      etag = tag;
      called(watcher, profile);
    };
    // Resolves to the milliseconds until it is worth asking again: Infinity for never, nothing where no stream came.
    // What ends this for good has to be the server's own word, and not that of a network's log-in page.
    const stream = async (token) => {
      const leave = await streamPlace(this.#server);
      if (!leave) return undefined;
      const headers = { Authorization: `Bearer ${token}`, ...(etag && { "Last-Event-ID": etag.slice(1, -1) }) };
      const request = new AbortController();
      // Node may have collected the request, and then abort() ends nothing: so what is waited for ends here, too.
      const ended = new Promise((resolve) => {
        endReading = () => { resolve(undefined); request.abort(); };
      });
      let timer;
      const heard = () => {
        clearTimeout(timer);
        timer = setTimeout(() => endReading(), silenceMilliseconds);
      };
      try {
        heard();
        if (isOver) return Infinity;
        const asked = this.#fetch(path + "/live", { headers, redirect: "error", signal: request.signal });
        const answer = await Promise.race([asked, ended]);
        if (!answer) {
          asked.then((late) => late.body?.cancel()).catch(() => {});
          return streamMilliseconds;
        }
        if (answer.status === 204) isOver = true;
        if (answer.status !== 200) return isFinal(await said(answer, "GET")) || isOver ? Infinity : undefined;
        if (mediaType(answer) !== "text/event-stream" || !answer.body) {
          answer.body?.cancel().catch(() => {});
          return undefined;
        }
        const reader = answer.body.getReader();
        endReading = () => { reader.cancel().catch(() => {}); request.abort(); };
        for await (const event of events(reader, heard)) {
          if (event.id && event.data) told(`"${event.id}"`, JSON.parse(event.data));
        }
        return streamMilliseconds;
      } catch {
        return streamMilliseconds;
      } finally {
        clearTimeout(timer);
        leave();
      }
    };
    const poll = async (token) => {
      try {
        const headers = { Authorization: `Bearer ${token}`, ...(etag && { "If-None-Match": etag }) };
        const answer = await this.#fetch(path, { headers, redirect: "error", signal: deadline() });
        const profile = await said(answer, "GET", { expects: hasID });
        if (isFinal(profile)) return Infinity;
        if (profile.isGood) told(answer.headers.get("ETag"), profile.body);
      } catch { /* the next time may do */ }
      return pollMilliseconds;
    };
    const run = async () => {
      while (!isOver) {
        const identity = await this.#store.identity();
        let wait = pollMilliseconds;
        if (identity?.player) wait = await stream(identity.token) ?? await poll(identity.token);
        // A token that was good may have been exchanged meanwhile.
        if (wait === Infinity && (await this.#store.identity())?.token === identity.token) return;
        if (isOver) return;
        await new Promise((resolve) => {
          const timer = setTimeout(resolve, Math.min(wait, pollMilliseconds));
          endPause = () => { clearTimeout(timer); resolve(undefined); };
        });
      }
    };
    run();
    return this.#following(() => {
      isOver = true;
      endReading();
      endPause();
    });
  }

  // What `close` ends, unless the game does before.
  #following(end) {
    const over = () => {
      this.#follows.delete(over);
      end();
    };
    this.#follows.add(over);
    return over;
  }

  #board(board) { return `${this.#game}/boards/${encodeURIComponent(board)}`; }

  async #read(path, query = {}, isOwn = false, expects = undefined) {
    const token = isOwn ? await this.#token() : undefined;
    return bodyOf(await this.#send("GET", path + queryText(query), undefined, token, undefined, { expects }));
  }

  async #write(method, path, body, expects) {
    const text = body && JSON.stringify(body);
    return bodyOf(await this.#send(method, path, text, await this.#token(), undefined, { expects }));
  }

  // A write whose answer is 204 without a body.
  async #order(method, path, headers = {}) {
    bodyOf(await this.#send(method, path, undefined, await this.#token(), undefined, { headers, isEmpty: true }));
  }

  async #token() {
    const identity = await this.#store.identity();
    if (!identity?.player) throw new CauseboardError("signed-out", "Sign in first.");
    return identity.token;
  }

  // MARK: sending the queue

  // Registers by what `wants` makes of what is known. Several at once are sent one after the other, and each is
  // answered for itself; the last one is kept through a restart.
  async #enter(wants) {
    if (this.#isClosed) throw new CauseboardError("closed", "This client was closed. Open another one.");
    const { wanted } = await this.#store.update((identity) =>
      ({ ...(identity ?? newIdentity()), wanted: wants(identity) }));
    this.#stopped = null;
    const player = new Promise((resolve, reject) => this.#registering.push({ wanted, resolve, reject }));
    this.#goOn();
    return player;
  }

  // Changes what is kept, unless the player was forgotten meanwhile.
  #change(identity, change) {
    return this.#store.update((now) => (now?.device === identity.device ? change(now) : now));
  }

  #goOn() {
    this.#waitUntil = 0;
    this.#failures = 0;
    this.#wake();
  }

  #wake() {
    this.#isWoken = true;
    this.#endSleep();
    if (!this.#isPumping) this.#pump();
  }

  // Sends one thing after the other until there is nothing to send; then it ends, until something wakes it.
  async #pump() {
    this.#isPumping = true;
    while (this.#isWoken && !this.#isClosed) {
      this.#isWoken = false;
      let wait = this.#waitUntil - performance.now();
      if (wait <= 0) {
        try {
          wait = await this.#store.exclusively(() => (this.#isClosed ? Infinity : this.#step()));
        } catch {
          wait = this.#later(undefined);    // the store failed, as on a full disk
        }
      }
      if (wait === Infinity) continue;
      if (wait > 0 && !this.#isWoken && !this.#isClosed) await this.#sleep(wait);
      this.#isWoken = true;
    }
    this.#isPumping = false;
  }

  #sleep(milliseconds) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.min(milliseconds, sleepMillisecondsMax));
      this.#endSleep = () => { clearTimeout(timer); resolve(undefined); };
    });
  }

  // Sends what is next. Resolves to the milliseconds until there may be more to send; Infinity: when something happens.
  async #step() {
    const identity = await this.#store.identity();
    if (this.#waitUntil > performance.now()) return 0;      // another tab was told to wait
    if (this.#stopped) return Infinity;
    if (!identity) return Infinity;
    if (globalThis.navigator?.onLine === false) return this.#registered(identity.player);
    if (identity.nextToken && this.#rotateAt <= performance.now()) return this.#rotate(identity);
    const wanted = this.#registering[0]?.wanted ?? identity.wanted;
    if (wanted) return this.#register(identity, wanted);
    if (!identity.player) return Infinity;
    let items = await this.#store.pending(lookAhead);
    let item = this.#next(items);
    if (!item && items.length === lookAhead) item = this.#next(items = await this.#store.pending());
    if (item) return this.#deliver(item, identity);
    if (items.length === 0) await this.#settleMissing();
    const untils = items.map((item) => this.#held.get(item.id)).map((held) => (held?.isParked ? 0 : held?.until ?? 0));
    if (identity.nextToken) untils.push(this.#rotateAt);
    return Math.min(Infinity, ...untils.filter((until) => until > 0).map((until) => until - performance.now()));
  }

  // A post may pass a donation that has to wait. A donation passes nothing but donations that were set aside.
  #next(items) {
    let mayDonate = true;
    for (const item of items) {
      const held = this.#held.get(item.id);
      const isWaiting = (held?.until ?? 0) > performance.now();
      if (!held?.isParked && !isWaiting && (item.kind === "score" || mayDonate)) return item;
      if (!(held?.isParked && item.kind === "donation")) mayDonate = false;
    }
    return undefined;
  }

  async #register(identity, wanted) {
    const send = (body) => this.#send("PUT", `${this.#game}/devices/${identity.device}`, JSON.stringify(body),
                                      identity.token, undefined, { expects: hasPlayer });
    let { name } = wanted;
    let answer = await send(wanted);
    if (answer?.type === "label-taken" && !identity.player) {
      // Another device has the label, such as one whose files were copied here. A new one is nobody's.
      identity = await this.#relabelled(identity);
      if (!identity) return 0;
      answer = await send(wanted);
    }
    if (answer?.type === "field" && answer.body.field === "name" && !name && identity.player) {
      // The server no longer knows the device, and makes a new player.
      name = identity.asked;
      answer = await send({ ...wanted, name });
    }
    // A player who is known plays on as before, whatever becomes of another name.
    const isPutOff = identity.player && answer?.isOurs && (answer.status === 429 || answer.status === 500);
    if (isTransient(answer) && !isPutOff) {
      this.#registered(identity.player);
      return this.#later(answer);
    }
    this.#failures = 0;
    if (isFinal(answer)) return this.#stop(answer);
    const wants = (now) => ({ ...now, wanted: isSame(now.wanted, wanted) ? undefined : now.wanted });
    if (answer.isGood) {
      await this.#change(identity, (now) => ({ ...joined(wants(now), answer.body), asked: name ?? now.asked }));
      this.#registered(answer.body.player, wanted);
      this.#store.tell({ player: answer.body.player, wanted });
      return 0;
    }
    await this.#change(identity, wants);
    if (isPutOff && Object.keys(wanted).length === 0) {
      this.#registered(identity.player, wanted);
      return 0;
    }
    const problem = problemOf(answer);
    for (const { reject } of this.#takeRegistering(wanted)) reject(problem);
    this.#tell({ signIn: problem });
    return 0;
  }

  // Stores the identity with a new label. Returns nothing if the player was forgotten in between.
  async #relabelled(identity) {
    const device = newID();
    const now = await this.#change(identity, (now) => ({ ...now, device }));
    return now?.device === device ? now : undefined;
  }

  // Those who asked for this registration, or all.
  #takeRegistering(wanted) {
    const taken = this.#registering.filter((each) => !wanted || isSame(each.wanted, wanted));
    this.#registering = this.#registering.filter((each) => !taken.includes(each));
    return taken;
  }

  #registered(player, wanted) {
    for (const { resolve } of this.#takeRegistering(wanted)) resolve(player);
    return Infinity;
  }

  // The device has an old and a new token, and an answer may have been lost: whichever is good is asked.
  async #rotate(identity) {
    const body = JSON.stringify({ token: identity.nextToken });
    const send = (token) =>
      this.#send("PUT", "/v1/players/me/token", body, token, undefined, { expects: hasSignKey });
    let answer = await send(identity.token);
    if (answer?.body.limit === "player-codes") {
      // The old token is good, so that all else goes on by it.
      this.#rotateAt = performance.now() + (retryAfter(answer) ?? retryMillisecondsMax);
      return 0;
    }
    if (answer?.isOurs && answer.status === 401) answer = await send(identity.nextToken);
    if (isTransient(answer)) {
      this.#registered(identity.player);
      return this.#later(answer);
    }
    this.#failures = 0;
    const token = answer.isGood ? identity.nextToken : identity.token;
    const signKey = answer.isGood ? answer.body.sign_key : identity.signKey;
    await this.#change(identity, (now) => ({ ...now, token, signKey, nextToken: undefined }));
    return answer.isGood || !isFinal(answer) ? 0 : this.#stop(answer);
  }

  async #deliver(item, identity) {
    const expects = (receipt) => isReceipt(receipt, item) && receipt.points === item.points;
    const send = (key) => this.#send("PUT", item.path, item.body, identity.token, key, { expects });
    let answer = await send(identity.signKey);
    if (answer?.type === "clock-skew") answer = await send(identity.signKey);
    if (answer?.type === "bad-signature" && identity.signKey && canSign()) {
      // The key may be an old one. A registration without anything new brings the server's.
      const renewed = await this.#send("PUT", `${this.#game}/devices/${identity.device}`, "{}", identity.token,
                                       undefined, { expects: hasPlayer });
      if (isTransient(renewed)) return this.#later(renewed);
      if (isFinal(renewed)) return this.#stop(renewed);
      if (renewed.isGood) {
        await this.#change(identity, (now) => joined(now, renewed.body));
        answer = await send(renewed.body.sign_key ?? identity.signKey);
      }
    }
    if (isTransient(answer)) return this.#later(answer, item);
    this.#failures = 0;
    if (answer.isGood) return this.#settle(item, { state: "sent", receipt: answer.body });
    if (answer.type === "id-reused") return this.#compare(item, identity, answer);
    const wait = item.kind === "donation" ? this.#againIn(answer) : undefined;
    if (wait !== undefined) return this.#hold(item, answer, wait);
    if (isFinal(answer)) return this.#stop(answer);
    return this.#settle(item, { state: "refused", problem: problemOf(answer) });
  }

  // The id was used: for this very item, when its receipt has the same points.
  async #compare(item, identity, refusal) {
    const expects = (receipt) => isReceipt(receipt, item);
    const answer = await this.#send("GET", item.path, undefined, identity.token, undefined, { expects });
    if (isTransient(answer)) return this.#later(answer, item);
    if (isFinal(answer)) return this.#stop(answer);
    return this.#settle(item, answer.isGood && answer.body.points === item.points
      ? { state: "sent", receipt: answer.body } : { state: "refused", problem: problemOf(refusal) });
  }

  async #settle(item, outcome) {
    const problem = outcome.problem && plain(outcome.problem);
    if (problem) await this.#store.refuse(item.id, problem, refusedMax);
    else await this.#store.remove(item.id, "pending");
    this.#held.delete(item.id);
    this.#settled(item, outcome);
    this.#store.tell({ item, outcome: { ...outcome, problem } });
    return 0;
  }

  #settled(item, outcome) {
    this.#waiting.get(item.id)?.(outcome);
    this.#waiting.delete(item.id);
    this.#tell({ item: { ...shown(item), state: outcome.state, problem: outcome.problem }, receipt: outcome.receipt });
  }

  // Another tab has sent these, and ended before it could say so.
  async #settleMissing() {
    if (!this.#store.isShared || this.#waiting.size === 0) return;
    const waiting = [...this.#waiting.keys()].filter((id) => !this.#store.isAdding(id));
    const known = new Map((await this.#store.items()).map((item) => [item.id, item]));
    for (const id of waiting) {
      const item = known.get(id);
      if (item?.state === "pending") continue;
      this.#waiting.get(id)?.(item ? { state: "refused", problem: revived(item.problem) } : { state: "sent" });
      this.#waiting.delete(id);
    }
  }

  // The milliseconds until, as the server says, a donation fits again; undefined when it says no such thing.
  #againIn(answer) {
    if (answer.type === "points-settling") return retryAfter(answer) ?? retryMillisecondsMax;
    if (answer.type !== "cap-reached" || !answer.body.again_at) return undefined;
    const wait = Date.parse(answer.body.again_at) - (Date.parse(answer.date) || this.#now());
    return Number.isNaN(wait) ? retryMillisecondsMax : wait;
  }

  // Keeps a donation back; posts may pass it.
  #hold(item, answer, wait) {
    const holds = wait < retryMillisecondsMin ? this.#held.get(item.id)?.holds ?? 0 : 0;
    const until = performance.now() + atLeast(wait, this.#jitter(holds));
    this.#held.set(item.id, { attempts: 0, isParked: false, until, holds: holds + 1 });
    this.#changed(item, problemOf(answer));
    return 0;
  }

  // Milliseconds to wait after so many failures before this one.
  #jitter(failures) {
    return Math.min(retryMillisecondsMax, retryMillisecondsMin * 2 ** Math.min(failures, 20)) * this.#random();
  }

  // Sends the same again later. After ten answers that are bugs of the server an item is set aside.
  #later(answer, item) {
    const told = answer && isBusy(answer) ? retryAfter(answer) : undefined;
    const jitter = this.#jitter(this.#failures++);
    this.#isWaitForced = told !== undefined;
    this.#waitUntil = performance.now() + (told === undefined ? jitter : atLeast(told, jitter));
    if (item && answer?.status === 500) {
      const held = this.#held.get(item.id) ?? { attempts: 0, isParked: false };
      held.attempts += 1;
      this.#held.set(item.id, held);
      if (held.attempts >= attemptsMax) {
        held.isParked = true;
        this.#failures = 0;
        this.#changed(item, problemOf(answer));
      }
    }
    const milliseconds = this.#waitUntil - performance.now();
    this.#store.tell({ wait: milliseconds, isForced: this.#isWaitForced, failures: this.#failures });
    return milliseconds;
  }

  // The device was cut off, the player is banned or has left: all stays queued until `signIn`, `join` or `retry`.
  #stop(answer) {
    this.#stopped = problemOf(answer);
    for (const { reject } of this.#takeRegistering()) reject(this.#stopped);
    this.#tell({ stopped: this.#stopped });
    return Infinity;
  }

  // An answer's `Date` shows whole seconds, so half a second is added.
  #takeClock(answer) {
    const date = Date.parse(answer.date);
    if (!Number.isNaN(date)) this.#clockOffset = date + 500 - this.#now();
  }

  #serverTime() { return this.#now() + this.#clockOffset; }

  #warn() {
    if (!this.#hasWarned) console.warn("Causeboard: posts are not signed, because this page came without https.");
    this.#hasWarned = true;
  }

  // What another tab of this browser did.
  #hear(message) {
    if (this.#isClosed) return;
    if (message.outcome) {
      const problem = message.outcome.problem && revived(message.outcome.problem);
      this.#settled(message.item, { ...message.outcome, problem });
    } else if (message.item) {
      this.#tell({ item: shown(message.item) });
    }
    if (message.player) this.#registered(message.player, message.wanted);
    if (message.wait !== undefined) {
      this.#waitUntil = performance.now() + message.wait;
      this.#isWaitForced = message.isForced;
      this.#failures = message.failures;
    }
    this.#wake();
  }

  #changed(item, problem) {
    this.#store.tell({ item });
    this.#tell({ item: { ...shown(item), problem } });
  }

  #tell(change = {}) {
    for (const watcher of [...this.#watchers]) called(watcher, change);
  }

  // MARK: one request

  // The answer; undefined when none came. A redirection is none: a request carries the player's token.
  async #send(method, path, body, token, signKey, more = {}) {
    const headers = { ...more.headers };
    if (token) headers.Authorization = `Bearer ${token}`;
    if (body !== undefined) headers["Content-Type"] ??= "application/json";
    if (signKey && canSign()) {
      const time = Math.floor(this.#serverTime() / 1000);
      headers["Causeboard-Signature"] = await signature(signKey, method, path, time, body ?? "");
    }
    try {
      const request = { method, headers, body, redirect: "error", signal: deadline(more.milliseconds) };
      const answer = await said(await this.#fetch(this.#server + path, request), method, more);
      if (answer.isOurs) this.#takeClock(answer);
      return answer;
    } catch {
      return undefined;
    }
  }
}

/**
 * What `Causeboard-Signature` says of one request.
 * @param {string} signKey `cbs_…`, from the registration of the device.
 * @param {string} method
 * @param {string} path With its query, as sent.
 * @param {number} time In whole seconds since 1970.
 * @param {string} body
 */
export async function signature(signKey, method, path, time, body) {
  const utf8 = (text) => new TextEncoder().encode(text);
  const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const binary = atob(signKey.slice(4).replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const text = ["v1", method, path, time, hex(await crypto.subtle.digest("SHA-256", utf8(body)))].join("\n");
  return `t=${time},v1=${hex(await crypto.subtle.sign("HMAC", key, utf8(text)))}`;
}

const canSign = () => Boolean(globalThis.crypto?.subtle);

// MARK: streams

// What a game's own function throws is no failure of what it was told about.
function called(watcher, value) {
  try { watcher(value); } catch (error) { (globalThis.reportError ?? console.error)(error); }
}

// A browser has six connections to a server without TLS, over all tabs, and posts need some of them: so three streams
// may be open at a time. Resolves to what gives the place back; to nothing when a page has to ask now and then instead.
async function streamPlace(server) {
  if (server.startsWith("https:") || !globalThis.location) return () => {};
  for (const number of [1, 2, 3]) {
    const leave = await new Promise((resolve) => {
      const work = (lock) => (lock ? new Promise((end) => resolve(() => end(undefined))) : resolve(undefined));
      const locks = globalThis.navigator?.locks;
      if (!locks) return resolve(undefined);
      locks.request(`${server} stream ${number}`, { ifAvailable: true }, work).catch(() => resolve(undefined));
    });
    if (leave) return leave;
  }
  return undefined;
}

// The events of a stream as they come. What is larger than any event of ours ends it.
async function* events(reader, heard) {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      heard();
      text += decoder.decode(value, { stream: true });
      let end;
      while ((end = text.indexOf("\n\n")) >= 0) {
        const event = {};
        for (const line of text.slice(0, end).split("\n")) {
          const colon = line.indexOf(":");
          if (colon > 0) event[line.slice(0, colon)] = line.slice(colon + 1).replace(/^ /, "");
        }
        text = text.slice(end + 2);
        yield event;
      }
      if (text.length > eventCharactersMax) return;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

// MARK: answers

const mediaType = (answer) => (answer.headers.get("Content-Type") ?? "").split(";")[0].trim().toLowerCase();
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

// What JSON says; nothing when it is none.
function parsed(text) {
  try { return JSON.parse(text); } catch { return undefined; }
}

// What an answer says. It `isOurs` when the contract has it for this request, and `expects` tells that of a body. All
// else, as a hotel's log-in page or what a proxy says while the server is mended, counts as no answer.
async function said(answer, method, more = {}) {
  const { expects = (_body) => true, isBytes = false, isTagged = false, isEmpty = method === "DELETE" } = more;
  const { status, headers, ok } = answer;
  const kind = mediaType(answer);
  const etag = headers.get("ETag");
  const about = { status, etag, date: headers.get("Date"), retryAfter: headers.get("Retry-After") };
  if (isBytes && status === 200 && etag && kind === "application/octet-stream") {
    const bytes = new Uint8Array(await answer.arrayBuffer());
    return { ...about, isOurs: true, isGood: true, body: { bytes, etag } };
  }
  const reply = parsed(await answer.text());       // nothing when it was cut off, or is none of ours
  const body = isObject(reply) ? reply : {};
  const hasTag = !isTagged || Boolean(etag);
  const isReply = kind === "application/json" && isObject(reply) && !isBytes && hasTag && expects(body);
  const isGood = isEmpty ? status === 204 : ok && isReply;
  const isProblem = !ok && kind === "application/problem+json" && /^\/problems\//.test(body.type);
  const type = isProblem ? body.type.slice("/problems/".length) : undefined;
  return { ...about, isOurs: isGood || isProblem, isGood, type, body };
}

// What the contract answers with.
const hasID = (body) => Number.isSafeInteger(body.id);
const hasPlayer = (body) => isObject(body.player) && hasID(body.player);
const hasSignKey = (body) => typeof body.sign_key === "string";
const hasCode = (body) => isText(body.code);
const hasFriendState = (body) => body.state === "friends" || body.state === "asking";
const isTeamRole = (value) => value === "captain" || value === "member";
const isMembership = (body) => hasID(body) && isText(body.name) && isTeamRole(body.role);
const isOwnTeam = (body) => isMembership(body) && Array.isArray(body.members);
const isTeam = (body) => hasID(body) && isText(body.name) && Number.isSafeInteger(body.members);
const hasRows = (body) => Array.isArray(body.rows);
const isChallenge = (body) => isText(body.id) && isText(body.board)
  && ["open", "over", "settled", "lapsed"].includes(body.state)
  && ["invited", "entered", "declined", "left"].includes(body.answer);
const hasChallenges = (body) => hasRows(body) && body.rows.every((row) => isObject(row) && isChallenge(row));
const hasAwards = (body) => Array.isArray(body.awards)
  && body.awards.every((each) => isObject(each) && isText(each.award) && isText(each.name));
const isMissing = (value) => value === undefined || value === null;
const isMilestone = (value) => isObject(value) && Number.isSafeInteger(value.points) && isText(value.name);
const isCampaign = (body) => isText(body.slug) && isText(body.name) && ["coming", "open", "over"].includes(body.state)
  && (isMissing(body.points) || Number.isInteger(body.points))
  && (isMissing(body.milestones) || (Array.isArray(body.milestones) && body.milestones.every(isMilestone)));
const hasCampaigns = (body) => hasRows(body) && body.rows.every((row) => isObject(row) && isCampaign(row));
const isCohort = (body) => Number.isSafeInteger(body.cohort) && Number.isSafeInteger(body.of);
const isPlan = (body) => Array.isArray(body.shares) && ["day", "week", "month"].includes(body.every);
const hasPreview = (body) => isPlan(body) && isObject(body.preview) && Array.isArray(body.preview.gifts);
const isReceipt = (body, item) => Number.isSafeInteger(body.points)
  && (item.kind === "score" || item.path.startsWith(`/v1/charities/${encodeURIComponent(body.charity)}/`));

const isBusy = (answer) => answer.status === 408 || answer.status === 429 || answer.status >= 500;

// A clock that is wrong for the second time may be set later.
const isTransient = (answer) => !answer || !answer.isOurs || isBusy(answer) || answer.type === "clock-skew";

// The caller is cut off: asking again does not help. A signature is about one request, and not about who sends it. A
// label is taken when the token that had it is another one's now.
const isFinal = (answer) => answer.isOurs && (answer.type === "banned" || answer.type === "label-taken"
  || answer.status === 410
  || (answer.status === 401 && answer.type !== "bad-signature"));

const problemOf = (answer) => new CauseboardError(
  answer.isOurs ? answer.type : "unusual",
  answer.isOurs ? answer.body.detail : `An answer with status ${answer.status} that is not Causeboard's.`,
  { status: answer.status, field: answer.body.field, problem: answer.body,
    retryAfter: retryAfter(answer) === undefined ? undefined : retryAfter(answer) / 1000 });

const plain = ({ type, message, status, field, problem }) => ({ type, message, status, field, problem });
const revived = (problem) => new CauseboardError(problem.type, problem.message, problem);

// The body of a good answer.
function bodyOf(answer) {
  if (!answer) throw new CauseboardError("unreachable", "The server cannot be reached.");
  if (!answer.isGood) throw problemOf(answer);
  return answer.body;
}

// The same with the ETag by which it may be replaced.
const tagged = (answer) => ({ ...bodyOf(answer), etag: answer.etag });

// What says that something is replaced which has this ETag, or that there is nothing yet.
const expecting = (etag) => (etag ? { "If-Match": etag } : { "If-None-Match": "*" });

// In milliseconds.
function retryAfter(answer) {
  if (!answer.retryAfter) return undefined;
  const wait = /^\s*\d+\s*$/.test(answer.retryAfter)
    ? Number(answer.retryAfter) * 1000 : Date.parse(answer.retryAfter) - Date.parse(answer.date);
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), retryAfterMillisecondsMax);
}

// How long the server wants to be left alone. Where it says at once, it is asked as seldom as one that says nothing.
const atLeast = (wait, jitter) => (wait >= retryMillisecondsMin ? wait : retryMillisecondsMin + jitter);

const identityPath = (provider) => `/v1/players/me/identities/${encodeURIComponent(provider)}`;
const myTeamPath = "/v1/players/me/team";
const myPlanPath = "/v1/players/me/plan";
const campaignPath = (campaign) => `/v1/campaigns/${encodeURIComponent(campaign)}`;
const contributorsPath = (charity) =>
  (charity === undefined ? "/v1/contributors" : `/v1/charities/${encodeURIComponent(charity)}`);
const savePath = (slot) => `/v1/players/me/saves/${encodeURIComponent(slot)}`;
const deadline = (milliseconds = requestMilliseconds) => AbortSignal.timeout(milliseconds);

function queryText(query) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return given.length ? "?" + new URLSearchParams(given.map(([name, value]) => [name, String(value)])) : "";
}

// MARK: what a device makes

function newToken() {
  const text = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))));
  return "cbd_" + text.replaceAll("+", "-").replaceAll("/", "_").replace("=", "");
}

// crypto.randomUUID is for pages that came by https.
function newID() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

const newIdentity = () => ({ device: newID(), token: newToken() });

// What is kept of the player, with what a registration was answered. `asked` is the name by which the device signed in.
const joined = (identity, { player, sign_key }, name = identity.asked) =>
  ({ ...identity, player, signKey: sign_key ?? identity.signKey, asked: name ?? player.name });

// Whether signing in under a name asks for another name than this device signed in under before.
const isNewName = (identity, name) => !identity?.player || Boolean(identity.wanted?.name) || name !== identity.asked;

const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

function whole(points) {
  if (!Number.isSafeInteger(points)) throw new TypeError(`points is a whole number up to 2^53-1, and not ${points}`);
  return points;
}

function registration({ sendUpdates, deviceName, ...fields }) {
  const all = { send_updates: sendUpdates, device_name: deviceName, ...fields };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

// An item without what only the client needs.
const shown = ({ id, kind, path, points, state, problem }) => ({
  id, kind, path, points, state, ...(problem ? { problem: revived(problem) } : {}),
});

// MARK: where things are kept

// A store keeps one identity and the items in their order. `exclusively` runs in one tab at a time, `tell` reaches the
// other tabs. Whatever it resolves is on the disk.
async function openStore(name, directory) {
  if (globalThis.indexedDB) {
    try { return await BrowserStore.open(name); } catch { return new MemoryStore(); }
  }
  if (globalThis.process?.versions?.node) return FileStore.open(name, directory);
  return new MemoryStore();
}

const isText = (value) => typeof value === "string";
const isIdentity = (kept) => isObject(kept) && isText(kept.device) && isText(kept.token)
  && (kept.player === undefined || (isObject(kept.player) && hasID(kept.player)))
  && (kept.wanted === undefined || isObject(kept.wanted));
const isItem = (kept) => isObject(kept) && [kept.id, kept.path, kept.body].every(isText)
  && ["score", "donation"].includes(kept.kind) && Number.isSafeInteger(kept.points)
  && (kept.state === "pending" || (kept.state === "refused" && isObject(kept.problem)));

const queueFull = () =>
  new CauseboardError("queue-full", `${itemsMax} posts and donations wait already. This one was not stored.`);

class MemoryStore {
  isKept = false;
  isShared = false;
  adding = new Set();
  kept = undefined;
  all = new Map();
  turn = Promise.resolve();
  updates = Promise.resolve();

  listen() {}
  tell() {}
  isAdding(id) { return this.adding.has(id); }
  async close() {}
  async save(_identity) {}

  // One after the other, also within one process.
  exclusively(work) {
    const done = this.turn.then(work);
    this.turn = done.catch(() => {});
    return done;
  }

  async identity() { return this.kept; }

  // What could not be saved is not changed either: a token is never used before it is kept.
  update(change) {
    const done = this.updates.then(async () => {
      const identity = change(this.kept);
      await this.save(identity);
      this.kept = identity;
      return identity;
    });
    this.updates = done.catch(() => {});
    return done;
  }

  async write(change) { this.apply(change); }

  apply({ put, end }) {
    if (put) this.all.set(put.id, put);
    else this.all.delete(end);
  }

  async items() { return [...this.all.values()]; }

  async pending(limit = Infinity) {
    const found = [];
    for (const item of this.all.values()) {
      if (item.state === "pending" && found.push(item) >= limit) break;
    }
    return found;
  }

  async add(item, max) {
    const isWaiting = (each) => each.state === "pending" && !this.adding.has(each.id);
    const pending = [...this.all.values()].reduce((count, each) => count + isWaiting(each), 0);
    if (pending + this.adding.size >= max) throw queueFull();
    this.adding.add(item.id);
    try {
      await this.write({ put: item });
    } finally {
      this.adding.delete(item.id);
    }
  }

  async remove(id, state) {
    if (this.all.get(id)?.state === state) await this.write({ end: id });
  }

  async refuse(id, problem, max) {
    const item = this.all.get(id);
    if (!item) return;
    await this.write({ put: { ...item, state: "refused", problem } });
    const old = [...this.all.values()].filter((each) => each.state === "refused").slice(0, -max);
    for (const { id } of old) await this.remove(id, "refused");
  }

  async clear() {
    await this.update(() => undefined);
    this.all.clear();
  }
}

// In Node: `identity.json`, and `queue.jsonl`, to which each change is appended; opening writes it anew. A directory is
// one process's. Only what is on the disk is in memory. What cannot be read is never written over: opening fails, or
// puts aside what is damaged.
class FileStore extends MemoryStore {
  isKept = true;
  isClosed = false;
  damaged = [];
  changes = [];
  written = Promise.resolve();
  bytesCount = 0;                     // of the lines that are whole
  linesCount = 0;

  static async open(name, directory) {
    const [fs, path, os] = await Promise.all([import("node:fs/promises"), import("node:path"), import("node:os")]);
    const store = new FileStore();
    const folder = directory ?? path.join(os.homedir(), ".causeboard", name.replace(/[^A-Za-z0-9.-]+/g, "_"));
    await fs.mkdir(folder, { recursive: true, mode: 0o700 });
    Object.assign(store, { fs, folder, identityPath: path.join(folder, "identity.json"),
      queuePath: path.join(folder, "queue.jsonl") });
    const identity = await store.read(store.identityPath);
    if (isIdentity(parsed(identity))) store.kept = parsed(identity);
    else if (identity) await store.putAside(store.identityPath).then(() => store.save(undefined));
    if (store.applyAll(await store.read(store.queuePath))) await store.putAside(store.queuePath);
    await store.rewrite();
    return store;
  }

  // Empty when there is no such file.
  async read(path) {
    try {
      return await this.fs.readFile(path, "utf8");
    } catch (error) {
      if (error.code === "ENOENT") return "";
      throw new CauseboardError("not-stored", `${path} cannot be read: ${error.message}`);
    }
  }

  // Whether a line is damaged. One without a line feed was cut off by a crash, before it was said to be stored.
  applyAll(text) {
    let isDamaged = false;
    for (const change of text.split("\n").slice(0, -1).map(parsed)) {
      if (isItem(change?.put) || isText(change?.end)) this.apply(change);
      else isDamaged = true;
    }
    return isDamaged;
  }

  async putAside(path) {
    for (let number = 1; number <= damagedMax; number++) {
      const aside = `${path}.damaged-${number}`;
      try {
        await this.fs.copyFile(path, aside, this.fs.constants.COPYFILE_EXCL);
      } catch (error) {
        if (error.code === "EEXIST") continue;
        throw new CauseboardError("not-stored", `${path} is damaged and cannot be put aside: ${error.message}`);
      }
      this.damaged.push(aside);
      console.warn(`Causeboard: ${path} is damaged, and was put aside as ${aside}.`);
      return;
    }
    throw new CauseboardError("not-stored", `${path} is damaged, as ${damagedMax} files before it. Take those away.`);
  }

  // Where this fails the former file is still the one that is appended to.
  async rewrite() {
    const text = [...this.all.values()].map((item) => JSON.stringify({ put: item }) + "\n").join("");
    await this.replace(this.queuePath, text);
    await this.leave();
    this.handle = await this.fs.open(this.queuePath, "a", 0o600);
    this.linesCount = this.all.size;
    this.bytesCount = Buffer.byteLength(text);
  }

  async leave() {
    const handle = this.handle;
    this.handle = undefined;
    await handle?.close().catch(() => {});
  }

  // The new file is on the disk, and under its name, or the old one still is.
  async replace(path, text) {
    const fresh = path + ".new";
    try {
      const handle = await this.fs.open(fresh, "w", 0o600);
      try {
        await handle.writeFile(text);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await this.fs.rename(fresh, path);
    } catch (error) {
      await this.fs.rm(fresh, { force: true }).catch(() => {});     // a full disk has no room for what is of no use
      throw error;
    }
    const folder = await this.fs.open(this.folder, "r").catch(() => undefined);     // not on Windows
    await folder?.sync().catch(() => {});
    await folder?.close();
  }

  // One thing after the other is written.
  chained(work) {
    const done = this.written.then(() => {
      if (this.isClosed) throw new Error("This client was closed.");
      return work();
    });
    this.written = done.catch(() => {});
    return done;
  }

  save(identity) {
    return this.chained(() => this.replace(this.identityPath, identity ? JSON.stringify(identity) : ""));
  }

  // Changes that come while the disk is busy are written together.
  write(change) {
    this.changes.push(change);
    this.next ??= this.chained(() => {
      this.next = undefined;
      return this.append(this.changes.splice(0));
    });
    return this.next;
  }

  async append(changes) {
    const isLong = this.linesCount > 2 * this.all.size + 10_000;
    if (this.handle && isLong) await this.rewrite().catch(() => {});       // there may be room for a line all the same
    if (!this.handle) await this.rewrite();
    const text = changes.map((change) => JSON.stringify(change) + "\n").join("");
    try {
      await this.handle.appendFile(text);
      await this.handle.datasync();
    } catch (error) {
      await this.cutBack();
      throw error;
    }
    this.bytesCount += Buffer.byteLength(text);
    this.linesCount += changes.length;
    for (const change of changes) this.apply(change);
  }

  // The next line must not stand behind a piece of one that could not be written. Where that piece cannot be taken
  // away the whole file is written anew before anything else.
  async cutBack() {
    try {
      await this.handle.truncate(this.bytesCount);
      await this.handle.datasync();
    } catch {
      await this.leave();
    }
  }

  async clear() {
    await this.update(() => undefined);
    await this.chained(async () => {
      this.all.clear();
      await this.leave();
      await this.rewrite();
    });
  }

  async close() {
    await this.turn;
    await this.written;
    this.isClosed = true;
    await this.leave();
  }
}

// In browsers: a database that all tabs share, and a channel by which they tell each other. The right to send is a Web
// Lock; where there are none, as on pages that came without https, a row of the database with an end.
class BrowserStore {
  isKept = true;
  isShared = true;
  hasAsked = false;
  adding = new Set();
  owner = newID();

  static async open(name) {
    const store = new BrowserStore();
    store.name = name;
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("facts");
      const items = request.result.createObjectStore("items", { keyPath: "order", autoIncrement: true });
      items.createIndex("id", "id", { unique: true });
      items.createIndex("state", "state");
    };
    store.database = await answered(request);
    store.channel = globalThis.BroadcastChannel ? new BroadcastChannel(name) : undefined;
    return store;
  }

  listen(hear) { if (this.channel) this.channel.onmessage = (event) => hear(event.data); }
  tell(message) { this.channel?.postMessage(JSON.parse(JSON.stringify(message))); }
  isAdding(id) { return this.adding.has(id); }

  async close() {
    this.channel?.close();
    this.database.close();
  }

  // Runs `work` on both tables in one transaction, and resolves once that is on the disk.
  async transact(mode, work) {
    const transaction = this.database.transaction(["facts", "items"], mode, { durability: "strict" });
    const done = new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(undefined);
      transaction.onabort = () => reject(transaction.error ?? new Error("The transaction was given up."));
    });
    done.catch(() => {});
    let result;
    try {
      result = await work(transaction.objectStore("facts"), transaction.objectStore("items"));
    } catch (error) {
      try { transaction.abort(); } catch { /* it has ended by itself */ }
      throw error;
    }
    await done;
    return result;
  }

  identity() { return this.transact("readonly", (facts) => answered(facts.get("identity"))); }

  update(change) {
    return this.transact("readwrite", async (facts) => {
      const identity = change(await answered(facts.get("identity")));
      if (identity) facts.put(identity, "identity");
      return identity;
    });
  }

  items() { return this.transact("readonly", (_, items) => answered(items.getAll())); }

  // An index has equal keys in the order of their rows.
  pending(limit) {
    return this.transact("readonly", (_, items) => answered(items.index("state").getAll("pending", limit)));
  }

  async add(item, max) {
    this.adding.add(item.id);
    try {
      await this.transact("readwrite", async (_, items) => {
        if (await answered(items.index("state").count("pending")) >= max) throw queueFull();
        items.add(item);
      });
      this.persist();
    } finally {
      this.adding.delete(item.id);
    }
  }

  // Asks the browser, once, not to throw away what is kept when space is short; it may refuse.
  persist() {
    if (this.hasAsked) return;
    this.hasAsked = true;
    try { globalThis.navigator?.storage?.persist?.().catch(() => {}); } catch { /* an old browser */ }
  }

  remove(id, state) {
    return this.transact("readwrite", async (_, items) => {
      const item = await answered(items.index("id").get(id));
      if (item?.state === state) items.delete(item.order);
    });
  }

  refuse(id, problem, max) {
    return this.transact("readwrite", async (_, items) => {
      const item = await answered(items.index("id").get(id));
      if (!item) return;
      items.put({ ...item, state: "refused", problem });
      const refused = await answered(items.index("state").getAllKeys("refused"));
      for (const order of refused.slice(0, -max)) items.delete(order);
    });
  }

  clear() {
    return this.transact("readwrite", async (facts, items) => {
      facts.delete("identity");
      items.clear();
    });
  }

  async exclusively(work) {
    if (globalThis.navigator?.locks) return navigator.locks.request(this.name, work);
    while (!await this.lease(leaseMilliseconds)) await new Promise((resolve) => setTimeout(resolve, 500));
    // Work may be several requests, each of which takes as long as it may: together they are longer than the lease.
    const renewal = setInterval(() => this.lease(leaseMilliseconds).catch(() => {}), renewalMilliseconds);
    try {
      return await work();
    } finally {
      clearInterval(renewal);
      await this.lease(0);
    }
  }

  // Takes the right to send, or keeps it, for so long; false while another tab has it. An end that is further away than
  // any lease is of a clock that was set back since.
  lease(milliseconds) {
    return this.transact("readwrite", async (facts) => {
      const lease = await answered(facts.get("lease"));
      const left = lease ? lease.until - Date.now() : 0;
      if (lease?.owner !== this.owner && left > 0 && left <= leaseMilliseconds) return false;
      facts.put({ owner: this.owner, until: Date.now() + milliseconds }, "lease");
      return true;
    });
  }
}

function answered(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
