// Causeboard for games in C#: Unity and .NET, one file without dependencies (C# 7, .NET Standard 2.0).
//
//   var board = new Causeboard(new Options { Server = "https://scores.example.org", Game = "maze" });
//   await board.SignIn("Ada");
//   await board.Post("lap", 61500);
//
// The device makes its token itself and keeps it, and keeps what has no answer yet, in files of mode 0600. Posts and
// donations get their UUID and are stored before the call returns. They are sent in their order, one request at a time,
// again and again until the server has said yes or no.
//
// In Unity set Directory to Application.persistentDataPath; PlayerPrefs is no place for this, because it is written
// when the game ends and not when it crashes. In a web build set Transport to one that uses UnityWebRequest. To keep
// the token where the system keeps passwords, as in a Keychain, set Secrets.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading;
using System.Threading.Tasks;

namespace CauseboardClient
{
    /// <summary>A refusal of the server, or of the client itself.</summary>
    public sealed class CauseboardException : Exception
    {
        /// <summary>A problem's name, such as out-of-bounds; of the client's own: unreachable, queue-full, signed-out,
        /// in-use, disposed, not-stored when a file cannot be read, and unusual for an answer that no Causeboard gave.
        /// </summary>
        public string Type { get; }

        /// <summary>The status of the answer; 0 when there was none.</summary>
        public int Status { get; }

        /// <summary>After how long the server takes it again, where it says so.</summary>
        public TimeSpan? RetryAfter { get; }

        /// <summary>All that the server said.</summary>
        public Json Problem { get; }

        public CauseboardException(string type, string message, int status = 0, Json problem = null,
                                   TimeSpan? retryAfter = null) : base(message)
        {
            Type = type;
            Status = status;
            Problem = problem ?? Json.Null;
            RetryAfter = retryAfter;
        }
    }

    public sealed class Options
    {
        /// <summary>The address of the server, such as https://scores.example.org.</summary>
        public string Server;

        /// <summary>The slug of the game.</summary>
        public string Game;

        /// <summary>Where the player and the queue are kept, by one process at a time; else in the user's own folder of
        /// application data.</summary>
        public string Directory;

        /// <summary>Where the token is kept, such as the Keychain or what DPAPI protects; else in a file of mode 0600
        /// in the directory.</summary>
        public ISecretStore Secrets;

        /// <summary>How requests are sent; else by HttpClient. An answer that does not come is an exception. It must
        /// not follow a redirection, because a request carries the player's token.</summary>
        public Func<Request, CancellationToken, Task<Answer>> Transport;

        /// <summary>For tests: the clock, and dice from 0 to 1.</summary>
        public Func<DateTimeOffset> Now = () => DateTimeOffset.UtcNow;
        public Func<double> Random;
    }

    /// <summary>Keeps one text, with the token in it, where only this game and this user find it again. It is asked by
    /// one thread at a time, which need not be Unity's main one. What Write has taken has to be there after a crash;
    /// what it cannot keep is an exception.</summary>
    public interface ISecretStore
    {
        /// <summary>Null or empty when nothing is kept.</summary>
        string Read();

        /// <param name="secret">A text of some hundred characters; empty when the player was forgotten.</param>
        void Write(string secret);
    }

    public sealed class Request
    {
        public string Method, Url, Body;
        public Dictionary<string, string> Headers = new Dictionary<string, string>();
    }

    public sealed class Answer
    {
        public int Status;
        public string ContentType = "", Body = "", Date, RetryAfter, ETag;
    }

    /// <summary>What else a registration may say; null leaves what is known, and an empty text clears it.</summary>
    public sealed class Registration
    {
        public string Name, Image, Email, Country, DeviceName;
        public bool? SendUpdates, Unlisted;

        /// <summary>Whether the player accepts friend requests. For Update alone.</summary>
        public bool? Asks;

        /// <summary>What everybody sees beside the name: DE or, of a region, DE-BE (ISO 3166). For Update alone.
        /// </summary>
        public string Flag;

        internal Json Body()
        {
            return Json.Object(
                ("name", Json.Of(Name)), ("image", Json.Of(Image)), ("email", Json.Of(Email)),
                ("country", Json.Of(Country)), ("device_name", Json.Of(DeviceName)),
                ("send_updates", Json.Of(SendUpdates)), ("unlisted", Json.Of(Unlisted)),
                ("asks", Json.Of(Asks)), ("flag", Json.Of(Flag)));
        }
    }

    public sealed class Player
    {
        public long Id;
        public string Name, Avatar;

        internal static Player From(Json json)
        {
            if (json.IsNull) return null;
            return new Player { Id = json["id"].Long, Name = json["name"].Text, Avatar = json["avatar"].Text };
        }
    }

    /// <summary>A sign-in provider's ID token, with the nonce that it contains.</summary>
    public sealed class IdentityToken
    {
        /// <summary>The provider's slug in the game's settings, such as google.</summary>
        public string Provider;

        /// <summary>The nonce that SignInNonce returned.</summary>
        public string Nonce;

        /// <summary>Three parts separated by dots.</summary>
        public string Token;
    }

    public enum ItemState { Pending, Sent, Refused }

    /// <summary>A post or a donation.</summary>
    public sealed class Item
    {
        /// <summary>Its UUID, under which the server knows it.</summary>
        public string Id { get; internal set; }

        public bool IsDonation { get; internal set; }
        public long Points { get; internal set; }
        public ItemState State { get; internal set; }

        /// <summary>What the server recorded, once it is sent.</summary>
        public Json Receipt { get; internal set; } = Json.Null;

        /// <summary>Why it was refused, or why it still waits.</summary>
        public CauseboardException Problem { get; internal set; }

        /// <summary>Ends when the server has said yes or no, however long that takes; it never fails.</summary>
        public Task<Item> Settled { get { return settling.Task; } }

        internal string Path, Body;
        internal long Order;
        internal int Bugs, Holds;
        internal bool IsParked;
        internal TimeSpan Until = TimeSpan.Zero;
        internal readonly TaskCompletionSource<Item> settling =
            new TaskCompletionSource<Item>(TaskCreationOptions.RunContinuationsAsynchronously);
    }

    /// <summary>A player of one game on this device.</summary>
    public sealed class Causeboard : IDisposable
    {
        const int ItemsMax = 10000, RefusedMax = 100, AttemptsMax = 10;
        static readonly TimeSpan RequestMax = TimeSpan.FromSeconds(30), ExportMax = TimeSpan.FromMinutes(10);
        static readonly TimeSpan RetryMin = TimeSpan.FromSeconds(1), RetryMax = TimeSpan.FromMinutes(5);
        static readonly TimeSpan SleepMax = TimeSpan.FromHours(1), Never = TimeSpan.MaxValue;
        // What a proxy may ask for; a day is the most that is believed.
        static readonly TimeSpan RetryAfterMax = TimeSpan.FromDays(1);
        // How often a sign-in is sent while the server cannot fetch the provider's keys; the wait before a retry if the
        // server names none; and the longest wait.
        const int IdentityAttemptsMax = 3;
        static readonly TimeSpan IssuerPause = TimeSpan.FromSeconds(10), IssuerWaitMax = TimeSpan.FromSeconds(30);

        /// <summary>An item is pending, sent or refused; raised where the client was made, as on Unity's main thread.
        /// </summary>
        public event Action<Item> Changed;

        /// <summary>Nothing is sent any more: the device was cut off, or the player is banned or has left. The queue
        /// stays until SignIn, Join or Retry.</summary>
        public event Action<CauseboardException> Stopped;

        /// <summary>A registration was refused, maybe long after SignIn.</summary>
        public event Action<CauseboardException> SignInRefused;

        readonly Options options;
        readonly string server, game;
        readonly Kept kept;
        readonly Func<Request, CancellationToken, Task<Answer>> transport;
        readonly SynchronizationContext home = SynchronizationContext.Current;
        readonly object gate = new object();
        readonly SemaphoreSlim turn = new SemaphoreSlim(1), wakeups = new SemaphoreSlim(0);
        readonly CancellationTokenSource closing = new CancellationTokenSource();
        readonly Stopwatch watch = Stopwatch.StartNew();
        readonly Random dice = new Random();
        List<Registering> registering = new List<Registering>();        // in the order of the calls
        TimeSpan waitUntil = TimeSpan.Zero, clockOffset = TimeSpan.Zero;
        TimeSpan rotateAt = TimeSpan.Zero;          // the server puts another token off until then
        CauseboardException stopped;
        int failures;
        bool isDisposed;

        // Who waits for what becomes of a registration.
        sealed class Registering
        {
            public string Wanted;
            public readonly TaskCompletionSource<Player> Waiting =
                new TaskCompletionSource<Player>(TaskCreationOptions.RunContinuationsAsynchronously);
        }

        /// <exception cref="CauseboardException">in-use, when the directory is open already; not-stored, when a file is
        /// there and cannot be read now. Nothing is changed then: try again. A file that is damaged is put aside
        /// instead, and named in Damaged.</exception>
        public Causeboard(Options options)
        {
            if (options?.Server == null || !options.Server.StartsWith("http", StringComparison.Ordinal))
                throw new ArgumentException("Set Server to an address such as https://scores.example.org.");
            if (string.IsNullOrEmpty(options.Game)) throw new ArgumentException("Set Game to the slug of the game.");
            this.options = options;
            server = options.Server.TrimEnd('/');
            game = "/v1/games/" + Uri.EscapeDataString(options.Game);
            transport = options.Transport ?? new HttpTransport().Send;
            kept = new Kept(options.Directory ?? StandardDirectory(), options.Secrets);
            Task.Run(Pump);
        }

        /// <summary>Files that were damaged when this was opened, under the names under which they were put aside.
        /// </summary>
        public IReadOnlyList<string> Damaged { get { return kept.Damaged; } }

        /// <summary>Ends sending; what is queued stays on the device.</summary>
        public void Dispose()
        {
            lock (gate) isDisposed = true;
            closing.Cancel();
            Wake();
            Registered(null);
            kept.Dispose();
        }

        // The player

        /// <summary>Registers this device's player. Call it at each start, with the name that was typed here: the name
        /// by which this device signed in before is sent once, and does not take back one that the player got meanwhile
        /// on another device.</summary>
        /// <returns>The player; while the server cannot be reached the one last known, or null. Registering is then
        /// tried again by itself, before anything else is sent.</returns>
        /// <exception cref="CauseboardException">The name or a field is refused; rate-limited, with RetryAfter, for
        /// another name too soon. A player who is known keeps the former name then, and posts go on.</exception>
        public Task<Player> SignIn(string name, Registration more = null)
        {
            return Enter(identity => (more ?? new Registration()).Body().With("name", NewName(identity, name)));
        }

        /// <summary>Gives the player another name.</summary>
        /// <returns>As of SignIn.</returns>
        public Task<Player> Rename(string name) { return Enter(_ => Json.Object(("name", Json.Of(name)))); }

        /// <summary>The player as last known, without asking the server.</summary>
        public Player Player { get { return Player.From(kept.Identity["player"]); } }

        /// <summary>Forgets the player, the token and all that is queued. Without a code on another device the player
        /// is lost.</summary>
        public void Forget()
        {
            kept.Clear();
            lock (gate) stopped = null;
            Registered(null);
        }

        /// <summary>Erases the player for good, on the server and on this device, with all that is queued. Rows of
        /// rankings stay, as those of "A former player". App stores want this in each game that makes players.
        /// </summary>
        /// <param name="name">The player's name, exactly, as who plays has typed it.</param>
        /// <returns>The receipt, by which the operators find that it was done.</returns>
        /// <exception cref="CauseboardException">confirm, when it is not the name.</exception>
        public async Task<string> Erase(string name)
        {
            await turn.WaitAsync().ConfigureAwait(false);
            try
            {
                var body = Json.Object(("confirm", Json.Of(name))).ToString();
                var answer = await Send("POST", "/v1/players/me/erasure", body, Token(),
                                        expects: reply => reply["receipt"].Text != null).ConfigureAwait(false);
                // An answer that was lost is told again.
                var isGone = answer.Type == "gone" && answer.Body["receipt"].Text != null;
                var receipt = (isGone ? answer.Body : Body(answer))["receipt"].Text;
                Forget();
                return receipt;
            }
            finally { turn.Release(); }
        }

        /// <summary>Reports another player's name, picture or play to the operators.</summary>
        /// <param name="why">name, picture, cheating or other.</param>
        /// <param name="text">In the player's own words.</param>
        public Task Report(long player, string why, string text = null)
        {
            return Write("POST", "/v1/players/" + Who(player) + "/report",
                         Json.Object(("why", Json.Of(why)), ("text", Json.Of(text))));
        }

        /// <summary>All that the server keeps of the player, for the player to have. It may be large; once an hour.
        /// </summary>
        public async Task<Json> ExportData()
        {
            return Body(await Send("GET", "/v1/players/me/export", null, Token(), most: ExportMax)
                .ConfigureAwait(false));
        }

        /// <summary>The own profile and wallet, or what everybody sees of another player.</summary>
        public Task<Json> Profile(long? player = null)
        {
            return Read("/v1/players/" + Who(player), isOwn: player == null);
        }

        /// <summary>Changes the player.</summary>
        /// <returns>The own profile.</returns>
        /// <exception cref="CauseboardException">flag-fixed, when the player chose its flag less than 30 days ago:
        /// again_at of the Problem says when it may choose another one. field, for a flag in a game without flags.
        /// </exception>
        public Task<Json> Update(Registration fields)
        {
            return Write("PATCH", "/v1/players/me", fields.Body(), reply => reply["id"].IsNumber);
        }

        /// <summary>Own scores, newest first.</summary>
        public Task<Json> Scores(int limit = 50, string after = null, string before = null)
        {
            return Read("/v1/players/me/scores", true, null, ("limit", limit), ("after", after), ("before", before));
        }

        /// <summary>Own donations, newest first.</summary>
        public Task<Json> Donations(int limit = 50, string after = null, string before = null)
        {
            return Read("/v1/players/me/donations", true, null, ("limit", limit), ("after", after), ("before", before));
        }

        // Devices

        /// <summary>A code of 8 characters that brings another device to this player, for 10 minutes.</summary>
        public async Task<string> MakeCode()
        {
            return (await Write("POST", "/v1/players/me/codes").ConfigureAwait(false))["code"].Text;
        }

        /// <summary>A code of 26 characters to write down. A new one ends the former.</summary>
        public async Task<string> MakeRecoveryCode()
        {
            return (await Write("POST", "/v1/players/me/recovery").ConfigureAwait(false))["code"].Text;
        }

        /// <summary>Joins the player who was shown this code on another device, or wrote it down.</summary>
        /// <param name="merge">Merges this device's own player, if it has scores, donations or saves.</param>
        public Task<Player> Join(string code, bool merge = false, string deviceName = null)
        {
            return Come(_ => Coming(merge, deviceName).With("code", Json.Of(code)), null);
        }

        /// <summary>The devices that speak for the player.</summary>
        public async Task<Json> Devices()
        {
            return (await Read("/v1/players/me/devices", true).ConfigureAwait(false))["devices"];
        }

        /// <summary>Cuts a device off by its id in the list, but not the last one. For 24 hours a new device cannot cut
        /// off an older one: device-too-new.</summary>
        public Task RemoveDevice(string id)
        {
            return Write("DELETE", "/v1/players/me/devices/" + Uri.EscapeDataString(id));
        }

        /// <summary>Replaces this device's token and revokes all codes. The old token is kept until the server has
        /// accepted the new one.</summary>
        public void RotateToken()
        {
            if (Player == null) throw SignedOut();
            kept.Update(now => now["next_token"].IsNull ? now.With("next_token", Json.Of(NewToken())) : now);
            Wake();
        }

        // Signing in at a provider

        /// <summary>Requests a nonce for the provider's ID token. It is valid for 10 minutes, and for this device only.
        /// The device makes its token now if it has none.</summary>
        /// <exception cref="CauseboardException">not-found, when the game has no providers.</exception>
        public async Task<string> SignInNonce()
        {
            var token = kept.Update(WithDevice)["token"].Text;
            var answer = await Send("POST", game + "/sign-ins", null, token,
                                    expects: reply => reply["nonce"].Text != null).ConfigureAwait(false);
            return Body(answer)["nonce"].Text;
        }

        /// <summary>Signs in with an ID token. If a player has linked this identity, the device joins that player, as
        /// with a code. Otherwise the device registers, and the identity is linked to its player. The device keeps its
        /// token, and the queue is sent as the player whom the device then has. The ID token is not stored, so the
        /// queue never repeats a sign-in: after a failure, call this again. While the server cannot fetch the
        /// provider's keys, it retries for at most a minute.</summary>
        /// <param name="name">For a new player. A player who has linked the identity keeps its name.</param>
        /// <param name="merge">Merges this device's own player, if it has scores, donations or saves.</param>
        /// <exception cref="CauseboardException">identity-refused, when the server does not accept the ID token:
        /// request a new nonce, and let the player sign in at the provider again. issuer-away: the same token works
        /// until the nonce expires. has-history, when this device's own player has scores, donations or saves and
        /// merge is false.</exception>
        public Task<Player> SignInWith(IdentityToken identity, string name = null, bool merge = false,
                                       string deviceName = null)
        {
            var proof = Proof(identity).With("provider", Json.Of(identity.Provider));
            var coming = Coming(merge, deviceName).With("identity", proof);
            return Come(now => coming.With("name", NewName(now, name)), name);
        }

        /// <summary>Links an identity to the player: devices that sign in with it join the player.</summary>
        /// <returns>provider, linked_at and used_on.</returns>
        /// <exception cref="CauseboardException">identity-taken, when another player has linked it, or this player has
        /// linked another one of the provider; device-too-new; identity-refused and issuer-away as for
        /// SignInWith.</exception>
        public async Task<Json> Link(IdentityToken identity)
        {
            var (path, body) = (IdentityPath(identity.Provider), Proof(identity).ToString());
            return Body(await AskingAgain(() => Send("PUT", path, body, Token(), expects: reply =>
                reply["provider"].Text == identity.Provider)).ConfigureAwait(false));
        }

        /// <summary>Unlinks the player's identities of a provider. It needs no ID token. The devices stay.
        /// </summary>
        public Task Unlink(string provider) { return Order("DELETE", IdentityPath(provider)); }

        /// <summary>The player's linked identities: provider, linked_at and used_on of each.</summary>
        public async Task<Json> Identities()
        {
            return (await Read("/v1/players/me/identities", true).ConfigureAwait(false))["identities"];
        }

        // Friends. None of these calls is queued: the result is known when the task ends.

        /// <summary>friends, asked (requests received), asking (requests sent) and blocked.</summary>
        public Task<Json> Friends()
        {
            return Read("/v1/players/me/friends", true, reply => reply["friends"].IsList);
        }

        /// <summary>Makes a friend code of 8 characters. Up to 20 players can use it within 24 hours. It replaces the
        /// previous code.</summary>
        public async Task<string> MakeFriendCode()
        {
            var made = await Write("POST", "/v1/players/me/friends/codes", null, reply => reply["code"].Text != null)
                .ConfigureAwait(false);
            return made["code"].Text;
        }

        /// <summary>Makes the player and the maker of a code friends.</summary>
        /// <returns>player and name of the other.</returns>
        /// <exception cref="CauseboardException">code-refused; friends-full.</exception>
        public Task<Json> Befriend(string code)
        {
            return Write("POST", "/v1/players/me/friends", Json.Object(("code", Json.Of(code))),
                         reply => reply["player"].IsNumber);
        }

        /// <summary>Sends a friend request to a player of the game, or accepts the other's.</summary>
        /// <returns>friends or asking, which does not reveal whether the other sees it.</returns>
        /// <exception cref="CauseboardException">forbidden, when the game has no friend requests.
        /// </exception>
        public async Task<string> Ask(long player)
        {
            Func<Json, bool> expects = reply => reply["state"].Text == "friends" || reply["state"].Text == "asking";
            var answer = await Write("PUT", "/v1/players/me/friends/" + Who(player), null, expects)
                .ConfigureAwait(false);
            return answer["state"].Text;
        }

        /// <summary>Ends a friendship, withdraws a request, or declines one.</summary>
        public Task Unfriend(long player) { return Order("DELETE", "/v1/players/me/friends/" + Who(player)); }

        /// <summary>Blocks a player: ends a friendship, and stops the other's friend requests. The other is not told.
        /// Public rankings stay as they are; a game can hide the players whom Friends lists as blocked.</summary>
        public Task Block(long player) { return Order("PUT", "/v1/players/me/blocks/" + Who(player)); }

        /// <summary>Ends a block. It does not make the two friends.</summary>
        public Task Unblock(long player) { return Order("DELETE", "/v1/players/me/blocks/" + Who(player)); }

        /// <summary>A board among the player and its friends. In each row, rank is the rank on the whole board, and
        /// among the rank among friends.</summary>
        /// <param name="from">The position among friends at which the rows begin.</param>
        public Task<Json> FriendsTop(string board, int limit = 50, string window = null, int? season = null,
                                     int? from = null)
        {
            return Read(Place(board) + "/players/me/friends.json", true, HasRows, ("limit", limit), ("window", window),
                        ("season", season), ("from", from));
        }

        /// <summary>The top donors among the player and its friends, to one charity or to all. Anonymous donations do
        /// not count.</summary>
        public Task<Json> FriendContributors(string charity = null, int limit = 50, string window = null,
                                             int? from = null)
        {
            return Read(ContributorsPath(charity) + "/players/me/friends.json", true, HasRows, ("limit", limit),
                        ("window", window), ("from", from));
        }

        // Teams. None of these calls is queued: the result is known when the task ends.

        /// <summary>The player's team: id, name, role, first_day and members, and for the captain the code by which
        /// others join; Json.Null when the player is in no team.</summary>
        public async Task<Json> MyTeam()
        {
            var answer = await Send("GET", TeamPath, null, Token(), expects: IsOwnTeam).ConfigureAwait(false);
            return answer.Type == "not-found" ? Json.Null : Body(answer);
        }

        /// <summary>Makes a team, and the player its captain.</summary>
        /// <param name="name">1 to 32 characters, which everybody sees.</param>
        /// <returns>id, name, role and first_day.</returns>
        /// <exception cref="CauseboardException">name-refused; in-team, when the player is in another team; team-full,
        /// when the game has too many teams; forbidden, when its players make no teams.</exception>
        public Task<Json> MakeTeam(string name)
        {
            return Write("PUT", TeamPath, Json.Object(("make", Json.Of(name))), IsMembership);
        }

        /// <summary>Joins a team by its captain's code. After another team, the first day is tomorrow (UTC).</summary>
        /// <returns>id, name, role and first_day.</returns>
        /// <exception cref="CauseboardException">code-refused; team-full; in-team, when the player is in another team.
        /// </exception>
        public Task<Json> JoinTeam(string code)
        {
            return Write("PUT", TeamPath, Json.Object(("code", Json.Of(code))), IsMembership);
        }

        /// <summary>Changes the team, for its captain: all of it, or nothing.</summary>
        /// <param name="captain">The member who becomes the captain.</param>
        /// <param name="remove">The member who has to leave.</param>
        /// <param name="makesNewCode">Replaces the code.</param>
        /// <returns>As MyTeam, with the new code.</returns>
        /// <exception cref="CauseboardException">forbidden, when the player is not the captain; not-found, when there
        /// is no such member; name-refused.</exception>
        public Task<Json> ChangeTeam(string name = null, long? captain = null, long? remove = null,
                                     bool makesNewCode = false)
        {
            var change = Json.Object(("name", Json.Of(name)), ("captain", Number(captain)), ("remove", Number(remove)),
                                     ("code", Json.Of(makesNewCode ? "new" : null)));
            return Write("PATCH", TeamPath, change, IsOwnTeam);
        }

        /// <summary>Leaves the team at the end of the day (UTC).</summary>
        public Task LeaveTeam() { return Order("DELETE", TeamPath); }

        /// <summary>A team as everybody sees it, by its id in a row or in MyTeam: id, name, members (how many),
        /// made_at, maybe closed_at, and roster where the game shows everybody who is in a team.</summary>
        public Task<Json> Team(long team) { return Read(game + "/teams/" + Who(team), false, IsTeam); }

        /// <summary>Reports the name of a team to the operators.</summary>
        public Task ReportTeam(long team)
        {
            return Write("POST", game + "/teams/" + Who(team) + "/report", Json.Object(("why", Json.Of("name"))));
        }

        /// <summary>Teams by the points of their members. Rows have rank, tied, team (its id), name, points, members
        /// (how many have points) and reached_at.</summary>
        public Task<Json> TeamsTop(string board, int limit = 50, string window = null, int? season = null,
                                   string after = null, string before = null, int? from = null)
        {
            return Read(Place(board) + "/teams/top.json", false, HasRows, ("limit", limit), ("window", window),
                        ("season", season), ("after", after), ("before", before), ("from", from));
        }

        /// <summary>A board among the members of the player's team. In each row, rank is the rank on the whole board,
        /// and among the rank in the team. Top is the same of any team, where the game shows everybody who is in a
        /// team.</summary>
        /// <param name="from">The position in the team at which the rows begin.</param>
        public Task<Json> MyTeamTop(string board, int limit = 50, string window = null, int? season = null,
                                    int? from = null)
        {
            return Read(Place(board) + "/players/me/team.json", true, HasRows, ("limit", limit), ("window", window),
                        ("season", season), ("from", from));
        }

        /// <summary>Teams of all games by what their members donated, to one charity or to all. Anonymous donations do
        /// not count.</summary>
        public Task<Json> ContributorTeams(string charity = null, int limit = 50, string window = null,
                                           string after = null, string before = null, int? from = null)
        {
            return Read(ContributorsPath(charity) + "/teams/top.json", false, HasRows, ("limit", limit),
                        ("window", window), ("after", after), ("before", before), ("from", from));
        }

        // Challenges. None of these calls is queued: the result is known when the task ends.

        /// <summary>Challenges players on a board, for today and the next days in the board's time zone. The player has
        /// entered at once; the others are invited.</summary>
        /// <param name="players">1 to 49 ids: of friends or, where the game allows it, also of players of the team.
        /// </param>
        /// <param name="days">1 to 14.</param>
        /// <param name="stake">The points that everybody who enters gives to the winner's charity.</param>
        /// <param name="charity">With a stake: who gets the points if the player wins.</param>
        /// <param name="id">After a call that came to nothing, another one with the same id makes no second challenge.
        /// </param>
        /// <returns>id, board, state, answer, entrants and more, as the server's openapi.yaml lists them.</returns>
        /// <exception cref="CauseboardException">not-friends, when one of the players may not be invited;
        /// challenges-full; board-closed; charity-closed; forbidden, when challenges are off in the game; field.
        /// </exception>
        public Task<Json> Challenge(string board, IEnumerable<long> players, int days, long stake = 0,
                                    string charity = null, Guid? id = null)
        {
            var body = Json.Object(("days", Json.Of(days)), ("players", Json.List(players.Select(Json.Of))),
                                   ("stake", Json.Of(stake)), ("charity", Json.Of(charity)));
            return Write("PUT", ChallengePath(board, (id ?? Guid.NewGuid()).ToString()), body, IsChallenge);
        }

        /// <summary>The player's challenges, newest first, without their entrants: rows, and the cursor of the next
        /// page as next. They stay for 90 days after they were settled.</summary>
        /// <param name="state">Only those that are open, over, settled or lapsed.</param>
        public Task<Json> Challenges(string state = null, int limit = 50, string after = null)
        {
            return Read("/v1/players/me/challenges", true, HasChallenges, ("state", state), ("limit", limit),
                        ("after", after));
        }

        /// <summary>A challenge as it is now, with its entrants: those who entered, best first. Everybody with rank 1
        /// wins. Its maker also sees who has not entered.</summary>
        /// <param name="challenge">Any answer that has its id and board.</param>
        public Task<Json> Standings(Json challenge) { return Read(ChallengePath(challenge), true, IsChallenge); }

        /// <summary>Enters a challenge, also after declining or leaving it.</summary>
        /// <param name="charity">With a stake: who gets the points if the player wins. It may be changed until the
        /// challenge is over.</param>
        /// <returns>As of Standings.</returns>
        /// <exception cref="CauseboardException">challenge-over; charity-closed; challenges-full; field.</exception>
        public Task<Json> Enter(Json challenge, string charity = null)
        {
            var body = Json.Object(("charity", Json.Of(charity)));
            return Write("PUT", ChallengePath(challenge) + "/entry", body, IsChallenge);
        }

        /// <summary>Declines a challenge, or leaves it. Who leaves gives no stake.</summary>
        /// <exception cref="CauseboardException">challenge-over.</exception>
        public Task Decline(Json challenge) { return Order("DELETE", ChallengePath(challenge) + "/entry"); }

        string ChallengePath(Json challenge) { return ChallengePath(challenge["board"].Text, challenge["id"].Text); }

        string ChallengePath(string board, string id)
        {
            return Place(board) + "/challenges/" + Uri.EscapeDataString(id);
        }

        // Plans. None of these calls is queued: the result is known when the task ends.

        /// <summary>How the server donates for the player: shares, every, keep, anonymous, since, next_on, what it gave
        /// last, and the etag by which it is replaced; Json.Null when the player has no plan.</summary>
        public async Task<Json> Plan()
        {
            var answer = await Send("GET", PlanPath, null, Token(), expects: IsPlan, isTagged: true)
                .ConfigureAwait(false);
            return answer.Type == "not-found" ? Json.Null : Body(answer);
        }

        /// <summary>Makes the player's plan, or replaces it: the server donates what the player has left beyond keep,
        /// after each day in UTC, each Sunday, or the last day of each month. The same plan again changes nothing.
        /// </summary>
        /// <param name="shares">1 to 20 charities, each once. A share is 1 to 10,000, and only the proportions matter.
        /// </param>
        /// <param name="every">day, week or month.</param>
        /// <param name="keep">Points that stay in the wallet.</param>
        /// <param name="etag">That of the plan which is replaced; without one there must be no plan.</param>
        /// <returns>As of Plan.</returns>
        /// <exception cref="CauseboardException">stale, when the plan is another one, such as after a change on another
        /// device: read it again. forbidden, when plans are off in the game; field.</exception>
        public async Task<Json> SetPlan(IEnumerable<(string Charity, int Share)> shares, string every, long keep = 0,
                                        bool isAnonymous = false, string etag = null)
        {
            var lines = shares.Select(line => Json.Object(("charity", Json.Of(line.Charity)),
                                                          ("share", Json.Of(line.Share))));
            var body = Json.Object(("shares", Json.List(lines)), ("every", Json.Of(every)), ("keep", Json.Of(keep)),
                                   ("anonymous", Json.Of(isAnonymous))).ToString();
            return Body(await Send("PUT", PlanPath, body, Token(), expects: IsPlan, isTagged: true,
                                   seen: etag ?? "*").ConfigureAwait(false));
        }

        /// <summary>Ends the player's plan. Donations that the server has already decided are still made.</summary>
        /// <param name="etag">That of the plan.</param>
        /// <exception cref="CauseboardException">stale, when the plan is another one; not-found, when there is none.
        /// </exception>
        public Task EndPlan(string etag) { return Order("DELETE", PlanPath, etag); }

        /// <summary>What the player's plan would give of so many points now: gifts, and maybe skipped.</summary>
        /// <exception cref="CauseboardException">not-found, when the player has no plan.</exception>
        public async Task<Json> Preview(long points)
        {
            return (await Read(PlanPath, true, HasPreview, ("points", points)).ConfigureAwait(false))["preview"];
        }

        // Awards

        /// <summary>The awards of the game, and how far the player is: award (its slug), name, text, secret, picture,
        /// given_at, times, have and need of each. A secret award that the player does not have is without its text and
        /// numbers.</summary>
        public async Task<Json> Awards()
        {
            return (await Read("/v1/players/me/awards", true, HasAwards).ConfigureAwait(false))["awards"];
        }

        /// <summary>The awards of the game, as everybody sees them: award (its slug), name, text, secret, picture and
        /// given_to of each. A secret award is without its text.</summary>
        public async Task<Json> GameAwards()
        {
            return (await Read(game + "/awards", false, HasAwards).ConfigureAwait(false))["awards"];
        }

        // Campaigns. None of these calls is queued: the result is known when the task ends.

        /// <summary>All campaigns, those that end last first, without points: rows, and of (how many there are). Each
        /// has slug, name, first_day, last_day, from, until, state (coming, open or over) and final, and maybe text,
        /// charity or game, board and season, cohort and goal.</summary>
        /// <param name="from">The position at which the rows begin.</param>
        public Task<Json> Campaigns(int limit = 50, int? from = null)
        {
            return Read("/v1/campaigns.json", false, HasCampaigns, ("limit", limit), ("from", from));
        }

        /// <summary>A campaign and how it stands: over donations also with points, contributors and milestones (points,
        /// name and maybe reached_at of each), and maybe progress (percent of the goal) and to_next (what the next
        /// milestone lacks).</summary>
        public Task<Json> Campaign(string campaign) { return Read(CampaignPath(campaign), false, IsCampaign); }

        /// <summary>The ranking of a campaign's days.</summary>
        public Task<Json> CampaignTop(string campaign, int limit = 50, string after = null, string before = null,
                                      int? from = null)
        {
            return Read(CampaignPath(campaign) + "/top.json", false, HasRows, ("limit", limit), ("after", after),
                        ("before", before), ("from", from));
        }

        /// <summary>Teams by what their members did on a campaign's days, with rows as of TeamsTop.</summary>
        /// <exception cref="CauseboardException">not-found, also when the campaign's board ranks no teams.</exception>
        public Task<Json> CampaignTeams(string campaign, int limit = 50, string after = null, string before = null,
                                        int? from = null)
        {
            return Read(CampaignPath(campaign) + "/teams/top.json", false, HasRows, ("limit", limit), ("after", after),
                        ("before", before), ("from", from));
        }

        /// <summary>Enters a campaign that compares its players in cohorts. A player who has entered keeps its place.
        /// </summary>
        /// <returns>cohort (its number, from 1) and of (how many players it has room for).</returns>
        /// <exception cref="CauseboardException">forbidden, when players do not enter the campaign, or it is over a
        /// board of another game; challenge-over, when it is over.</exception>
        public Task<Json> EnterCampaign(string campaign)
        {
            return Write("PUT", CampaignPath(campaign) + "/entry", null,
                         reply => reply["cohort"].IsNumber && reply["of"].IsNumber);
        }

        /// <summary>The ranking of a campaign's days among the player's cohort. In each row, rank is the rank among
        /// all, and among the rank in the cohort.</summary>
        /// <param name="from">The position in the cohort at which the rows begin.</param>
        /// <exception cref="CauseboardException">not-found, when the player has not entered.</exception>
        public Task<Json> Cohort(string campaign, int limit = 50, int? from = null)
        {
            return Read(CampaignPath(campaign) + "/players/me/cohort.json", true, HasRows, ("limit", limit),
                        ("from", from));
        }

        static string CampaignPath(string campaign) { return "/v1/campaigns/" + Uri.EscapeDataString(campaign); }

        const string TeamPath = "/v1/players/me/team";
        const string PlanPath = "/v1/players/me/plan";

        static Json Number(long? number) { return number == null ? Json.Null : Json.Of(number.Value); }

        static Json Proof(IdentityToken identity)
        {
            return Json.Object(("nonce", Json.Of(identity.Nonce)), ("token", Json.Of(identity.Token)));
        }

        static string IdentityPath(string provider)
        {
            return "/v1/players/me/identities/" + Uri.EscapeDataString(provider);
        }

        static Json Coming(bool merge, string deviceName)
        {
            return Json.Object(("merge", Json.Of(merge ? true : (bool?)null)), ("device_name", Json.Of(deviceName)));
        }

        // The name, unless this device signed in under it before.
        static Json NewName(Json identity, string name)
        {
            var isKnown = !identity["player"].IsNull && identity["wanted"]["name"].IsNull;
            return isKnown && identity["asked"].Text == name ? Json.Null : Json.Of(name);
        }

        // Registers the device with a code or an identity. Unlike a name, these are not stored: they expire soon, and
        // whoever has one can join the player.
        async Task<Player> Come(Func<Json, Json> body, string name)
        {
            var identity = kept.Update(WithDevice);
            var answer = await AskingAgain(() => ComeOnce(identity, body(identity), name)).ConfigureAwait(false);
            if (answer.Type == "label-taken" && identity["player"].IsNull)
            {
                identity = Relabelled(identity);
                answer = await AskingAgain(() => ComeOnce(identity, body(identity), name)).ConfigureAwait(false);
            }
            var player = Player.From(Body(answer)["player"]);
            lock (gate) stopped = null;
            GoOn();
            return player;
        }

        async Task<Said> ComeOnce(Json identity, Json body, string name)
        {
            await turn.WaitAsync().ConfigureAwait(false);
            try
            {
                var answer = await PutDevice(identity, body.ToString()).ConfigureAwait(false);
                var isNameless = answer.Type == "field" && answer.Body["field"].Text == "name" && body["name"].IsNull;
                if (isNameless && !identity["asked"].IsNull)
                {
                    // The server no longer knows the device, and makes a new player.
                    body = body.With("name", identity["asked"]);
                    answer = await PutDevice(identity, body.ToString()).ConfigureAwait(false);
                }
                if (answer.IsGood)
                    Change(identity, now =>
                    {
                        var next = WithPlayer(now, answer.Body).With("wanted", Json.Null);
                        return name == null ? next : next.With("asked", Json.Of(name));
                    });
                return answer;
            }
            finally { turn.Release(); }
        }

        // Retries, at the times that the server names, while it cannot fetch the provider's keys.
        async Task<Said> AskingAgain(Func<Task<Said>> send)
        {
            for (var attempt = 1; ; attempt++)
            {
                var answer = await send().ConfigureAwait(false);
                if (answer.Type != "issuer-away" || attempt == IdentityAttemptsMax) return answer;
                var wait = answer.RetryAfter ?? IssuerPause;
                if (wait > IssuerWaitMax) return answer;
                try { await Task.Delay(wait > RetryMin ? wait : RetryMin, closing.Token).ConfigureAwait(false); }
                catch (OperationCanceledException) { return answer; }
            }
        }

        // What is queued

        /// <summary>Queues a score. It is on the device when the task ends, whether or not the server can be reached.
        /// </summary>
        /// <param name="detail">Up to 1 KiB of JSON, as a text.</param>
        /// <param name="playedAt">When it was played; now by the server's clock, unless it is said.</param>
        /// <exception cref="CauseboardException">queue-full, when 10,000 wait already.</exception>
        public Task<Item> Post(string board, long points, string detail = null, DateTimeOffset? playedAt = null)
        {
            var time = (playedAt ?? ServerTime()).UtcDateTime
                .ToString("yyyy-MM-dd'T'HH:mm:ss.fff'Z'", CultureInfo.InvariantCulture);
            var body = Json.Object(("points", Json.Of(points)), ("played_at", Json.Of(time)),
                                   ("detail", detail == null ? Json.Null : Json.Parse(detail)));
            return Queue(false, game + "/boards/" + Uri.EscapeDataString(board) + "/scores/", points, body);
        }

        /// <summary>Queues a donation of points that the player has earned. It is never sent before a post that was
        /// queued earlier.</summary>
        public Task<Item> Donate(string charity, long points, bool isAnonymous = false)
        {
            var anonymous = Json.Of(isAnonymous ? true : (bool?)null);
            var body = Json.Object(("points", Json.Of(points)), ("anonymous", anonymous));
            return Queue(true, "/v1/charities/" + Uri.EscapeDataString(charity) + "/donations/", points, body);
        }

        /// <summary>What has no answer yet, in its order.</summary>
        public IReadOnlyList<Item> Pending { get { return kept.Items(ItemState.Pending); } }

        /// <summary>The newest 100 items that the server refused, until they are dismissed.</summary>
        public IReadOnlyList<Item> Refused { get { return kept.Items(ItemState.Refused); } }

        /// <summary>Forgets a refused item.</summary>
        public Task Dismiss(string id)
        {
            var item = Refused.FirstOrDefault(each => each.Id == id);
            return item == null ? Task.CompletedTask : kept.Remove(item);
        }

        /// <summary>Tries at once what was set aside after ten failures, and what stopped because the device was cut
        /// off.</summary>
        public void Retry()
        {
            lock (gate) stopped = null;
            foreach (var item in Pending)
            {
                item.Bugs = 0;
                item.IsParked = false;
            }
            GoOn();
        }

        async Task<Item> Queue(bool isDonation, string place, long points, Json body)
        {
            var id = Guid.NewGuid().ToString();
            var item = new Item { Id = id, IsDonation = isDonation, Points = points };
            item.Path = place + id;
            item.Body = body.ToString();
            await kept.Add(item, ItemsMax).ConfigureAwait(false);
            Tell(item);
            Wake();
            return item;
        }

        // Rankings

        /// <summary>The boards of this game with their settings.</summary>
        public async Task<Json> Boards() { return (await Read(game + "/boards").ConfigureAwait(false))["boards"]; }

        /// <summary>The settings of a board.</summary>
        public Task<Json> Board(string board) { return Read(Place(board)); }

        /// <summary>The ranking. A row has `detail` where the board's `details` are public. A stranger's game may have
        /// sent anything.</summary>
        /// <param name="players">Ids with commas between them, at most 100.</param>
        /// <param name="country">Only players who show the flag of this country or one of its regions (DE), or of this
        /// region (DE-BE). Each row also has the rank among them.</param>
        /// <param name="team">Only members of this team, where the game shows everybody who is in a team. Each row also
        /// has the rank among them.</param>
        public Task<Json> Top(string board, int limit = 50, string window = null, int? season = null,
                              string after = null, string before = null, int? from = null, string players = null,
                              string country = null, long? team = null)
        {
            return Read(Place(board) + "/top.json", false, null, ("limit", limit), ("window", window),
                        ("season", season), ("after", after), ("before", before), ("from", from), ("players", players),
                        ("country", country), ("team", team));
        }

        /// <summary>Countries by the points of their best players, or the regions of one country. Rows have rank, tied,
        /// country (its code), points, members (how many have points) and reached_at.</summary>
        /// <param name="of">The country whose regions are ranked, such as DE.</param>
        public Task<Json> CountriesTop(string board, string of = null, int limit = 50, string window = null,
                                       int? season = null, string after = null, string before = null, int? from = null)
        {
            return Read(Place(board) + "/countries/top.json", false, HasRows, ("of", of), ("limit", limit),
                        ("window", window), ("season", season), ("after", after), ("before", before), ("from", from));
        }

        /// <summary>The rows around a player, by default the own one.</summary>
        public Task<Json> Around(string board, long? player = null, int limit = 5, string window = null,
                                 int? season = null)
        {
            return Read(Place(board) + "/players/" + Who(player) + "/around.json", player == null, null,
                        ("limit", limit), ("window", window), ("season", season));
        }

        /// <summary>Where a player stands, by default the own one; rank is null without a score.</summary>
        public Task<Json> Rank(string board, long? player = null, string window = null, int? season = null)
        {
            return Read(Place(board) + "/players/" + Who(player), player == null, null, ("window", window),
                        ("season", season));
        }

        /// <summary>The rank that a post made now would get.</summary>
        public Task<Json> RankOf(string board, long points)
        {
            return Read(Place(board) + "/rank", false, null, ("points", points));
        }

        /// <summary>Charities by points received.</summary>
        public Task<Json> Charities(int limit = 100, string after = null)
        {
            return Read("/v1/charities.json", false, null, ("limit", limit), ("after", after));
        }

        /// <summary>A charity, with its goal and progress.</summary>
        public Task<Json> Charity(string charity) { return Read("/v1/charities/" + Uri.EscapeDataString(charity)); }

        /// <summary>Who donated most, to one charity or to all.</summary>
        public Task<Json> Contributors(string charity = null, int limit = 50, string window = null, string after = null)
        {
            return Read(ContributorsPath(charity) + "/top.json", false, null, ("limit", limit), ("window", window),
                        ("after", after));
        }

        static string ContributorsPath(string charity)
        {
            return charity == null ? "/v1/contributors" : "/v1/charities/" + Uri.EscapeDataString(charity);
        }

        string Place(string board) { return game + "/boards/" + Uri.EscapeDataString(board); }
        static string Who(long? player) { return player?.ToString(CultureInfo.InvariantCulture) ?? "me"; }

        async Task<Json> Read(string path, bool isOwn = false, Func<Json, bool> expects = null,
                              params (string Name, object Value)[] query)
        {
            var given = query.Where(pair => pair.Value != null).Select(pair => pair.Name + "=" + Uri.EscapeDataString(
                Convert.ToString(pair.Value, CultureInfo.InvariantCulture))).ToArray();
            if (given.Length > 0) path += "?" + string.Join("&", given);
            return Body(await Send("GET", path, null, isOwn ? Token() : null, expects: expects).ConfigureAwait(false));
        }

        async Task<Json> Write(string method, string path, Json body = null, Func<Json, bool> expects = null)
        {
            return Body(await Send(method, path, body?.ToString(), Token(), expects: expects).ConfigureAwait(false));
        }

        // A write whose answer is 204 without a body.
        async Task Order(string method, string path, string seen = null)
        {
            Body(await Send(method, path, null, Token(), isEmpty: true, seen: seen).ConfigureAwait(false));
        }

        string Token()
        {
            var identity = kept.Identity;
            if (identity["player"].IsNull) throw SignedOut();
            return identity["token"].Text;
        }

        static CauseboardException SignedOut() { return new CauseboardException("signed-out", "Sign in first."); }

        // Sending the queue

        // Registers by what `wants` makes of what is known. Several at once are sent one after the other, and each is
        // answered for itself; the last one is kept through a restart.
        Task<Player> Enter(Func<Json, Json> wants)
        {
            var each = new Registering();
            lock (gate)
            {
                if (isDisposed) throw new CauseboardException("disposed", "This client was disposed. Make another.");
                kept.Update(identity =>
                {
                    var wanted = wants(identity);
                    each.Wanted = wanted.ToString();
                    return WithDevice(identity).With("wanted", wanted);
                });
                registering.Add(each);
                stopped = null;
            }
            GoOn();
            return each.Waiting.Task;
        }

        // Changes what is kept, unless the player was forgotten meanwhile.
        void Change(Json identity, Func<Json, Json> change)
        {
            kept.Update(now => now["device"].Text == identity["device"].Text ? change(now) : now);
        }

        void Wake() { if (wakeups.CurrentCount == 0) wakeups.Release(); }

        void GoOn()
        {
            lock (gate)
            {
                waitUntil = TimeSpan.Zero;
                failures = 0;
            }
            Wake();
        }

        // Sends one thing after the other. `Step` says how long until there may be more to send.
        async Task Pump()
        {
            while (!closing.IsCancellationRequested)
            {
                TimeSpan wait;
                lock (gate) wait = waitUntil - watch.Elapsed;
                if (wait <= TimeSpan.Zero)
                {
                    await turn.WaitAsync().ConfigureAwait(false);
                    try { wait = await Step().ConfigureAwait(false); }
                    catch (Exception) { wait = Later(null, null); }         // the store failed, as on a full disk
                    finally { turn.Release(); }
                }
                if (wait > TimeSpan.Zero && !closing.IsCancellationRequested)
                    await wakeups.WaitAsync(wait > SleepMax ? SleepMax : wait).ConfigureAwait(false);
            }
        }

        async Task<TimeSpan> Step()
        {
            Json identity;
            string wanted;
            lock (gate)
            {
                if (stopped != null) return Never;
                identity = kept.Identity;
                wanted = registering.Count > 0 ? registering[0].Wanted
                    : identity["wanted"].IsNull ? null : identity["wanted"].ToString();
            }
            if (identity["token"].IsNull) return Never;
            var isRotating = !identity["next_token"].IsNull;
            if (isRotating && rotateAt <= watch.Elapsed) return await Rotate(identity).ConfigureAwait(false);
            if (wanted != null) return await Register(identity, wanted).ConfigureAwait(false);
            if (Player == null) return Never;
            var items = kept.Items(ItemState.Pending);
            // One look at the clock: an item that comes due between two would be neither sent nor waited for.
            var now = watch.Elapsed;
            var item = Next(items, now);
            if (item != null) return await Deliver(item, identity).ConfigureAwait(false);
            var held = items.Where(each => !each.IsParked && each.Until > now).Select(each => each.Until).ToList();
            if (isRotating) held.Add(rotateAt);
            return held.Count == 0 ? Never : held.Min() - now;
        }

        // A post may pass a donation that has to wait. A donation passes nothing but donations that were set aside.
        static Item Next(IEnumerable<Item> items, TimeSpan now)
        {
            var mayDonate = true;
            foreach (var item in items)
            {
                if (!item.IsParked && item.Until <= now && (!item.IsDonation || mayDonate)) return item;
                if (!(item.IsParked && item.IsDonation)) mayDonate = false;
            }
            return null;
        }

        Task<Said> PutDevice(Json identity, string body)
        {
            return Send("PUT", game + "/devices/" + identity["device"].Text, body, identity["token"].Text,
                        expects: HasPlayer);
        }

        // What is kept, with another label.
        Json Relabelled(Json identity)
        {
            var device = Json.Of(Guid.NewGuid().ToString());
            Change(identity, now => now.With("device", device));
            return identity.With("device", device);
        }

        async Task<TimeSpan> Register(Json identity, string wanted)
        {
            var body = Json.Parse(wanted);
            var (player, name) = (Player.From(identity["player"]), body["name"]);
            var answer = await PutDevice(identity, wanted).ConfigureAwait(false);
            if (answer.Type == "label-taken" && player == null)
            {
                // Another device has the label, such as one whose files were copied here. A new one is nobody's.
                identity = Relabelled(identity);
                answer = await PutDevice(identity, wanted).ConfigureAwait(false);
            }
            if (answer.Type == "field" && answer.Body["field"].Text == "name" && name.IsNull && player != null)
            {
                // The server no longer knows the device, and makes a new player.
                name = identity["asked"];
                answer = await PutDevice(identity, body.With("name", name).ToString()).ConfigureAwait(false);
            }
            // A player who is known plays on as before, whatever becomes of another name.
            var isPutOff = player != null && answer.IsOurs && (answer.Status == 429 || answer.Status == 500);
            if (answer.IsTransient && !isPutOff)
            {
                Registered(player);
                return Later(answer, null);
            }
            failures = 0;
            if (answer.IsFinal) return Stop(answer);
            Change(identity, now =>
            {
                var next = now["wanted"].ToString() == wanted ? now.With("wanted", Json.Null) : now;
                if (!answer.IsGood) return next;
                next = WithPlayer(next, answer.Body);
                return name.IsNull ? next : next.With("asked", name);
            });
            if (answer.IsGood) return Registered(Player.From(answer.Body["player"]), wanted);
            if (isPutOff && wanted == Json.Object().ToString()) return Registered(player, wanted);
            foreach (var each in TakeRegistering(wanted)) each.Waiting.TrySetException(answer.Problem);
            Post(() => SignInRefused?.Invoke(answer.Problem));
            return TimeSpan.Zero;
        }

        // Tells those who asked for this registration, or all, and says that there may be more to send at once.
        TimeSpan Registered(Player player, string wanted = null)
        {
            foreach (var each in TakeRegistering(wanted)) each.Waiting.TrySetResult(player);
            return wanted == null ? Never : TimeSpan.Zero;
        }

        List<Registering> TakeRegistering(string wanted = null)
        {
            lock (gate)
            {
                var taken = registering.Where(each => wanted == null || each.Wanted == wanted).ToList();
                registering = registering.Except(taken).ToList();
                return taken;
            }
        }

        // The device has an old and a new token, and an answer may have been lost: whichever is good is asked.
        async Task<TimeSpan> Rotate(Json identity)
        {
            const string path = "/v1/players/me/token";
            var body = Json.Object(("token", identity["next_token"])).ToString();
            var answer = await Send("PUT", path, body, identity["token"].Text, expects: HasSignKey)
                .ConfigureAwait(false);
            if (answer.Body["limit"].Text == "player-codes")
            {
                // The old token is good, so that all else goes on by it.
                rotateAt = watch.Elapsed + (answer.RetryAfter ?? RetryMax);
                return TimeSpan.Zero;
            }
            if (answer.IsOurs && answer.Status == 401)
                answer = await Send("PUT", path, body, identity["next_token"].Text, expects: HasSignKey)
                    .ConfigureAwait(false);
            if (answer.IsTransient)
            {
                Registered(Player);
                return Later(answer, null);
            }
            failures = 0;
            Change(identity, now => (answer.IsGood
                ? now.With("token", now["next_token"]).With("sign_key", answer.Body["sign_key"]) : now)
                .With("next_token", Json.Null));
            return answer.IsFinal ? Stop(answer) : TimeSpan.Zero;
        }

        async Task<TimeSpan> Deliver(Item item, Json identity)
        {
            var (token, signKey) = (identity["token"].Text, identity["sign_key"].Text);
            Func<Json, bool> expects = receipt => IsReceipt(receipt, item) && receipt["points"].Long == item.Points;
            Func<string, Task<Said>> send = key => Send("PUT", item.Path, item.Body, token, key, expects);
            var answer = await send(signKey).ConfigureAwait(false);
            if (answer.Type == "clock-skew") answer = await send(signKey).ConfigureAwait(false);
            if (answer.Type == "bad-signature" && signKey != null)
            {
                // The key may be an old one. A registration without anything new brings the server's.
                var renewed = await PutDevice(identity, Json.Object().ToString()).ConfigureAwait(false);
                if (renewed.IsTransient) return Later(renewed, null);
                if (renewed.IsFinal) return Stop(renewed);
                if (renewed.IsGood)
                {
                    Change(identity, now => WithPlayer(now, renewed.Body));
                    answer = await send(renewed.Body["sign_key"].Text ?? signKey).ConfigureAwait(false);
                }
            }
            if (answer.IsTransient) return Later(answer, item);
            failures = 0;
            if (answer.IsGood) return await Settle(item, answer.Body, null).ConfigureAwait(false);
            if (answer.Type == "id-reused") return await Compare(item, token, answer).ConfigureAwait(false);
            var again = item.IsDonation ? AgainIn(answer) : null;
            if (again != null) return Hold(item, answer, again.Value);
            if (answer.IsFinal) return Stop(answer);
            return await Settle(item, null, answer.Problem).ConfigureAwait(false);
        }

        // The id was used: for this very item, when its receipt has the same points.
        async Task<TimeSpan> Compare(Item item, string token, Said refusal)
        {
            var answer = await Send("GET", item.Path, null, token, expects: receipt => IsReceipt(receipt, item))
                .ConfigureAwait(false);
            if (answer.IsTransient) return Later(answer, item);
            if (answer.IsFinal) return Stop(answer);
            var isSame = answer.IsGood && answer.Body["points"].Long == item.Points;
            var problem = isSame ? null : refusal.Problem;
            return await Settle(item, isSame ? answer.Body : null, problem).ConfigureAwait(false);
        }

        async Task<TimeSpan> Settle(Item item, Json receipt, CauseboardException problem)
        {
            if (problem == null) await kept.Remove(item).ConfigureAwait(false);
            else await kept.Refuse(item, problem, RefusedMax).ConfigureAwait(false);
            item.Problem = problem;
            item.Receipt = receipt ?? Json.Null;
            item.State = problem == null ? ItemState.Sent : ItemState.Refused;
            item.settling.TrySetResult(item);
            Tell(item);
            return TimeSpan.Zero;
        }

        // When the server says that a donation fits again; null when it says no such thing.
        TimeSpan? AgainIn(Said answer)
        {
            if (answer.Type == "points-settling") return answer.RetryAfter ?? RetryMax;
            if (answer.Type != "cap-reached" || answer.Body["again_at"].IsNull) return null;
            DateTimeOffset at;
            if (!TryTime(answer.Body["again_at"].Text, out at)) return RetryMax;
            return at - (answer.Date ?? options.Now());
        }

        // Keeps a donation back; posts may pass it.
        TimeSpan Hold(Item item, Said answer, TimeSpan wait)
        {
            if (wait >= RetryMin) item.Holds = 0;
            item.Until = watch.Elapsed + AtLeast(wait, Jitter(item.Holds));
            item.Holds += 1;
            item.Problem = answer.Problem;
            Tell(item);
            return TimeSpan.Zero;
        }

        // How long the server wants to be left alone. Where it says at once, it is asked as seldom as one that says
        // nothing.
        static TimeSpan AtLeast(TimeSpan wait, TimeSpan jitter) { return wait >= RetryMin ? wait : RetryMin + jitter; }

        // How long to wait after so many failures before this one.
        TimeSpan Jitter(int failures)
        {
            var seconds = Math.Min(RetryMax.TotalSeconds, RetryMin.TotalSeconds * Math.Pow(2, Math.Min(failures, 20)));
            lock (gate) return TimeSpan.FromSeconds(seconds * (options.Random?.Invoke() ?? dice.NextDouble()));
        }

        // Sends the same again later. After ten answers that are bugs of the server an item is set aside.
        TimeSpan Later(Said answer, Item item)
        {
            var jitter = Jitter(failures);
            failures += 1;
            var told = answer != null && answer.IsBusy ? answer.RetryAfter : null;
            var wait = told == null ? jitter : AtLeast(told.Value, jitter);
            lock (gate) waitUntil = watch.Elapsed + wait;
            if (item != null && answer.Status == 500 && ++item.Bugs >= AttemptsMax)
            {
                item.IsParked = true;
                item.Problem = answer.Problem;
                failures = 0;
                Tell(item);
            }
            return wait;
        }

        TimeSpan Stop(Said answer)
        {
            lock (gate) stopped = answer.Problem;
            foreach (var each in TakeRegistering()) each.Waiting.TrySetException(answer.Problem);
            Post(() => Stopped?.Invoke(answer.Problem));
            return Never;
        }

        void Tell(Item item) { Post(() => Changed?.Invoke(item)); }

        void Post(Action action)
        {
            if (home != null)
            {
                home.Post(_ => action(), null);
                return;
            }
            // What a handler throws is no failure of what it was told about.
            try { action(); }
            catch (Exception error) { Trace.TraceError(error.ToString()); }
        }

        // One request

        /// <param name="expects">Whether a good answer's body is what the contract answers; any object, unless said.
        /// </param>
        /// <param name="isEmpty">Whether the answer is 204 without a body, as for each DELETE.</param>
        /// <param name="isTagged">Whether a good answer has an ETag. Its body gets it as etag.</param>
        /// <param name="seen">The ETag of what is replaced or deleted; * when there must be nothing.</param>
        async Task<Said> Send(string method, string path, string body, string token, string signKey = null,
                              Func<Json, bool> expects = null, TimeSpan? most = null, bool isEmpty = false,
                              bool isTagged = false, string seen = null)
        {
            isEmpty = isEmpty || method == "DELETE";
            var request = new Request { Method = method, Url = server + path, Body = body };
            if (token != null) request.Headers["Authorization"] = "Bearer " + token;
            if (seen != null) request.Headers[seen == "*" ? "If-None-Match" : "If-Match"] = seen;
            if (signKey != null)
            {
                var time = ServerTime().ToUnixTimeSeconds();
                request.Headers["Causeboard-Signature"] = Signature(signKey, method, path, time, body ?? "");
            }
            using (var deadline = CancellationTokenSource.CreateLinkedTokenSource(closing.Token))
            {
                deadline.CancelAfter(most ?? RequestMax);
                try
                {
                    var answer = await transport(request, deadline.Token).ConfigureAwait(false);
                    var said = new Said(answer, isEmpty, expects, isTagged);
                    // An answer's `Date` shows whole seconds, so half a second is added.
                    if (said.IsOurs && said.Date != null)
                        lock (gate) clockOffset = said.Date.Value + TimeSpan.FromSeconds(0.5) - options.Now();
                    return said;
                }
                catch (Exception) { return new Said(null, isEmpty, null, isTagged); }
            }
        }

        DateTimeOffset ServerTime() { lock (gate) return options.Now() + clockOffset; }

        // What the contract answers with.
        static bool HasPlayer(Json body) { return body["player"]["id"].IsNumber; }
        static bool IsTeam(Json body) { return HasName(body) && body["members"].IsNumber; }
        static bool IsOwnTeam(Json body) { return IsMembership(body) && body["members"].IsList; }

        static bool IsMembership(Json body)
        {
            return HasName(body) && (body["role"].Text == "captain" || body["role"].Text == "member");
        }

        static bool HasName(Json body) { return body["id"].IsNumber && body["name"].Text != null; }
        static bool HasRows(Json body) { return body["rows"].IsList; }
        static bool HasChallenges(Json body) { return HasRows(body) && body["rows"].Values.All(IsChallenge); }

        static bool HasAwards(Json body)
        {
            return body["awards"].IsList
                && body["awards"].Values.All(each => each["award"].Text != null && each["name"].Text != null);
        }

        static bool IsChallenge(Json body)
        {
            return body["id"].Text != null && body["board"].Text != null
                && new[] { "open", "over", "settled", "lapsed" }.Contains(body["state"].Text)
                && new[] { "invited", "entered", "declined", "left" }.Contains(body["answer"].Text);
        }

        static bool HasCampaigns(Json body) { return HasRows(body) && body["rows"].Values.All(IsCampaign); }

        static bool IsCampaign(Json body)
        {
            var milestones = body["milestones"];
            return body["slug"].Text != null && body["name"].Text != null
                && new[] { "coming", "open", "over" }.Contains(body["state"].Text)
                && (body["points"].IsNull || body["points"].IsNumber)
                && (milestones.IsNull || (milestones.IsList && milestones.Values.All(IsMilestone)));
        }

        static bool IsMilestone(Json body) { return body["points"].IsNumber && body["name"].Text != null; }

        static bool IsPlan(Json body)
        {
            return body["shares"].IsList && new[] { "day", "week", "month" }.Contains(body["every"].Text);
        }

        static bool HasPreview(Json body) { return IsPlan(body) && body["preview"]["gifts"].IsList; }
        static bool HasSignKey(Json body) { return body["sign_key"].Text != null; }

        static bool IsReceipt(Json body, Item item)
        {
            if (!body["points"].IsNumber) return false;
            var charity = Uri.EscapeDataString(body["charity"].Text ?? "");
            return !item.IsDonation || item.Path.StartsWith("/v1/charities/" + charity + "/", StringComparison.Ordinal);
        }

        static Json WithPlayer(Json identity, Json body)
        {
            var known = identity.With("player", body["player"]);
            if (known["asked"].IsNull) known = known.With("asked", body["player"]["name"]);
            return body["sign_key"].Text == null ? known : known.With("sign_key", body["sign_key"]);
        }

        static Json Body(Said answer)
        {
            if (answer.Status == 0) throw new CauseboardException("unreachable", "The server cannot be reached.");
            if (!answer.IsGood) throw answer.Problem;
            return answer.Body;
        }

        /// <summary>What Causeboard-Signature says of one request.</summary>
        /// <param name="signKey">cbs_…, from the registration of the device.</param>
        /// <param name="path">With its query, as sent.</param>
        /// <param name="time">In whole seconds since 1970.</param>
        public static string Signature(string signKey, string method, string path, long time, string body)
        {
            var key = Convert.FromBase64String(signKey.Substring(4).Replace('-', '+').Replace('_', '/') + "=");
            using (var sha = SHA256.Create())
            using (var hmac = new HMACSHA256(key))
            {
                var text = string.Join("\n", "v1", method, path, time.ToString(CultureInfo.InvariantCulture),
                                       Hex(sha.ComputeHash(Encoding.UTF8.GetBytes(body))));
                return "t=" + time.ToString(CultureInfo.InvariantCulture) + ",v1="
                    + Hex(hmac.ComputeHash(Encoding.UTF8.GetBytes(text)));
            }
        }

        static string Hex(byte[] bytes) { return BitConverter.ToString(bytes).Replace("-", "").ToLowerInvariant(); }

        static bool TryTime(string text, out DateTimeOffset time)
        {
            return DateTimeOffset.TryParse(text ?? "", CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal,
                                           out time);
        }

        static string NewToken()
        {
            var bytes = new byte[32];
            using (var source = RandomNumberGenerator.Create()) source.GetBytes(bytes);
            return "cbd_" + Convert.ToBase64String(bytes).Replace('+', '-').Replace('/', '_').TrimEnd('=');
        }

        static Json WithDevice(Json identity)
        {
            if (!identity["token"].IsNull) return identity;
            return Json.Object(("device", Json.Of(Guid.NewGuid().ToString())), ("token", Json.Of(NewToken())));
        }

        string StandardDirectory()
        {
            var letters = (server + " " + options.Game).Select(c => char.IsLetterOrDigit(c) ? c : '_');
            var home = Environment.GetFolderPath(Environment.SpecialFolder.LocalApplicationData);
            return Path.Combine(home, "causeboard", new string(letters.ToArray()));
        }

        // An answer, or none. It is ours when the contract has it for this request. All else, as a hotel's log-in page
        // or what a proxy says while the server is mended, counts as none; so does a redirection.
        sealed class Said
        {
            public readonly int Status;
            public readonly bool IsGood, IsOurs;
            public readonly string Type;
            public readonly Json Body = Json.Null;
            public readonly DateTimeOffset? Date;
            public readonly TimeSpan? RetryAfter;

            public Said(Answer answer, bool isEmpty, Func<Json, bool> expects, bool isTagged)
            {
                if (answer == null) return;
                Status = answer.Status;
                var kind = (answer.ContentType ?? "").Split(';')[0].Trim().ToLowerInvariant();
                var parsed = Json.Null;
                try { if (kind.EndsWith("json")) parsed = Json.Parse(answer.Body ?? ""); }
                catch (FormatException) { }
                if (parsed.IsObject) Body = parsed;
                var isOk = Status >= 200 && Status < 300;
                var isReply = kind == "application/json" && parsed.IsObject && (expects == null || expects(parsed))
                    && (!isTagged || !string.IsNullOrEmpty(answer.ETag));
                IsGood = isEmpty ? Status == 204 : isOk && isReply;
                if (IsGood && isTagged) Body = Body.With("etag", Json.Of(answer.ETag));
                var type = Body["type"].Text ?? "";
                var isProblem = !isOk && kind == "application/problem+json"
                    && type.StartsWith("/problems/", StringComparison.Ordinal);
                IsOurs = IsGood || isProblem;
                if (isProblem) Type = type.Substring("/problems/".Length);
                DateTimeOffset date;
                if (TryTime(answer.Date, out date)) Date = date;
                long seconds;
                if (long.TryParse(answer.RetryAfter, NumberStyles.None, CultureInfo.InvariantCulture, out seconds))
                    RetryAfter = TimeSpan.FromSeconds(Math.Min(seconds, (long)RetryAfterMax.TotalSeconds));
                else if (Date != null && TryTime(answer.RetryAfter, out date))
                    RetryAfter = date - Date.Value < RetryAfterMax ? date - Date.Value : RetryAfterMax;
            }

            public bool IsBusy { get { return Status == 408 || Status == 429 || Status >= 500; } }

            // A clock that is wrong for the second time may be set later.
            public bool IsTransient { get { return !IsOurs || IsBusy || Type == "clock-skew"; } }

            // The caller is cut off: asking again does not help. A signature is about one request, and not about who
            // sends it. A label is taken when the token that had it is another one's now.
            public bool IsFinal
            {
                get
                {
                    var isCutOff = Status == 401 && Type != "bad-signature";
                    return IsOurs && (isCutOff || Type == "banned" || Type == "label-taken" || Status == 410);
                }
            }

            public CauseboardException Problem
            {
                get
                {
                    return IsOurs
                        ? new CauseboardException(Type, Body["detail"].Text, Status, Body, RetryAfter)
                        : new CauseboardException("unusual", "An answer with status " + Status
                                                  + " that is not Causeboard's.", Status);
                }
            }
        }
    }

    sealed class HttpTransport
    {
        readonly HttpClient http =
            new HttpClient(new HttpClientHandler { AllowAutoRedirect = false }) { Timeout = Timeout.InfiniteTimeSpan };

        public async Task<Answer> Send(Request request, CancellationToken cancellation)
        {
            using (var message = new HttpRequestMessage(new HttpMethod(request.Method), request.Url))
            {
                foreach (var header in request.Headers)
                    message.Headers.TryAddWithoutValidation(header.Key, header.Value);
                message.Headers.ExpectContinue = false;
                if (request.Body != null)
                {
                    message.Content = new ByteArrayContent(Encoding.UTF8.GetBytes(request.Body));
                    message.Content.Headers.TryAddWithoutValidation("Content-Type", "application/json");
                }
                using (var response = await http.SendAsync(message, cancellation).ConfigureAwait(false))
                {
                    var body = response.Content == null
                        ? new byte[0] : await response.Content.ReadAsByteArrayAsync().ConfigureAwait(false);
                    return new Answer
                    {
                        Status = (int)response.StatusCode,
                        ContentType = response.Content?.Headers.ContentType?.MediaType ?? "",
                        Body = Encoding.UTF8.GetString(body),
                        Date = First(response, "Date"),
                        RetryAfter = First(response, "Retry-After"),
                        ETag = First(response, "ETag"),
                    };
                }
            }
        }

        static string First(HttpResponseMessage response, string name)
        {
            IEnumerable<string> values;
            return response.Headers.TryGetValues(name, out values) ? values.FirstOrDefault() : null;
        }
    }

    // What is kept: `identity.json`, unless the game has a store for it, and `queue.jsonl`, to which each change is
    // appended; opening writes it anew. Whatever ends here is on the disk, and only that is in memory. What cannot be
    // read is never written over: opening fails, or puts aside what is damaged.
    sealed class Kept : IDisposable
    {
        sealed class Change
        {
            public string Line;
            public Action Apply;
        }

        readonly string identityPath, queuePath;
        readonly ISecretStore secrets;
        readonly FileStream claim;
        readonly object gate = new object();
        readonly SortedDictionary<long, Item> items = new SortedDictionary<long, Item>();
        FileStream queue;                   // null when the file has to be written anew before anything is appended
        List<Change> gathering;             // what the next write takes
        Task last = Task.CompletedTask;
        long orders, linesCount, bytesCount;        // of the lines that are whole
        int adding;
        bool isDisposed;

        public readonly List<string> Damaged = new List<string>();

        public Json Identity { get { lock (gate) return identity; } }
        Json identity = Json.Object();

        public Kept(string folder, ISecretStore secrets)
        {
            this.secrets = secrets;
            Directory.CreateDirectory(folder);
            Files.Restrict(folder, isFolder: true);
            identityPath = Path.Combine(folder, "identity.json");
            queuePath = Path.Combine(folder, "queue.jsonl");
            claim = Files.Claim(Path.Combine(folder, "claim"));
            if (claim == null)
                throw new CauseboardException("in-use", folder + " is open already, here or in another process. "
                                              + "Dispose the other client first.");
            try
            {
                ReadIdentity();
                ReadQueue();
                Rewrite();
            }
            catch (Exception)
            {
                claim.Dispose();
                throw;
            }
        }

        // A game that gets a store for its secrets only now has the player in the file.
        void ReadIdentity()
        {
            var secret = secrets?.Read();
            var isSecret = !string.IsNullOrEmpty(secret);
            var bytes = isSecret ? Encoding.UTF8.GetBytes(secret) : Files.Read(identityPath);
            if (bytes.Length == 0) return;
            var text = Encoding.UTF8.GetString(bytes);
            var found = Parsed(text);
            var isPlayer = found["player"].IsNull || found["player"]["id"].IsNumber;
            var isWanted = found["wanted"].IsNull || found["wanted"].IsObject;
            if (found["device"].Text == null || found["token"].Text == null || !isPlayer || !isWanted)
            {
                PutAside(identityPath, bytes);
                text = "";
            }
            else identity = found;
            if (text == "" || (secrets != null && !isSecret)) WriteIdentity(text);
            if (secrets != null && !isSecret) File.Delete(identityPath);
        }

        // What JSON says; Null when it is none.
        static Json Parsed(string text)
        {
            try { return Json.Parse(text); }
            catch (FormatException) { return Json.Null; }
        }

        void PutAside(string path, byte[] bytes)
        {
            const int damagedMax = 10;
            for (var number = 1; number <= damagedMax; number++)
            {
                var aside = path + ".damaged-" + number;
                if (File.Exists(aside)) continue;
                Files.Replace(aside, bytes);
                Damaged.Add(aside);
                Trace.TraceWarning("Causeboard: " + path + " is damaged, and was put aside as " + aside + ".");
                return;
            }
            throw new CauseboardException("not-stored", path + " is damaged, as " + damagedMax + " files before it. "
                                          + "Take those away.");
        }

        void WriteIdentity(string text)
        {
            if (secrets != null) secrets.Write(text);
            else Files.Replace(identityPath, text);
        }

        void ReadQueue()
        {
            var bytes = Files.Read(queuePath);
            var known = new Dictionary<string, Item>();
            var lines = Encoding.UTF8.GetString(bytes).Split('\n');
            var isDamaged = false;
            // What has no line feed at its end was cut off by a crash, before it was said to be stored.
            foreach (var change in lines.Take(lines.Length - 1).Select(Parsed))
            {
                Item item;
                var put = change["put"];
                if (IsItem(put))
                {
                    if (!known.TryGetValue(put["id"].Text, out item)) item = new Item { Order = ++orders };
                    Fill(item, put);
                    known[item.Id] = item;
                    items[item.Order] = item;
                }
                else if (change["end"].Text == null) isDamaged = true;
                else if (known.TryGetValue(change["end"].Text, out item)) items.Remove(item.Order);
            }
            if (isDamaged) PutAside(queuePath, bytes);
        }

        static bool IsItem(Json put)
        {
            var (kind, state) = (put["kind"].Text, put["state"].Text);
            return put["id"].Text != null && put["path"].Text != null && put["body"].Text != null
                && put["points"].IsNumber && (kind == "score" || kind == "donation")
                && (state == "pending" || (state == "refused" && put["problem"].IsObject));
        }

        public void Dispose()
        {
            Task all;
            lock (gate) all = last;
            try { all.Wait(TimeSpan.FromSeconds(5)); }
            catch (AggregateException) { }
            lock (gate)
            {
                isDisposed = true;
                Leave();
            }
            claim.Dispose();
        }

        public Json Update(Func<Json, Json> change)
        {
            lock (gate)
            {
                var next = change(identity);
                WriteIdentity(next.ToString());
                return identity = next;
            }
        }

        public List<Item> Items(ItemState state)
        {
            lock (gate) return items.Values.Where(item => item.State == state).ToList();
        }

        public async Task Add(Item item, int max)
        {
            lock (gate)
            {
                if (items.Count + adding >= max && Items(ItemState.Pending).Count + adding >= max)
                    throw new CauseboardException(
                        "queue-full", max + " posts and donations wait already. This one was not stored.");
                adding += 1;
                item.Order = ++orders;
            }
            try
            {
                await Append(Put(item, null), () =>
                {
                    items[item.Order] = item;
                    adding -= 1;
                }).ConfigureAwait(false);
            }
            catch (Exception)
            {
                lock (gate) adding -= 1;
                throw;
            }
        }

        public Task Remove(Item item)
        {
            return Append(Json.Object(("end", Json.Of(item.Id))), () => items.Remove(item.Order));
        }

        public async Task Refuse(Item item, CauseboardException problem, int max)
        {
            await Append(Put(item, problem), () =>
            {
                item.Problem = problem;
                item.State = ItemState.Refused;
            }).ConfigureAwait(false);
            var refused = Items(ItemState.Refused);
            foreach (var old in refused.Take(refused.Count - max)) await Remove(old).ConfigureAwait(false);
        }

        public void Clear()
        {
            Task cleared;
            lock (gate)
            {
                WriteIdentity("");
                identity = Json.Object();
                gathering = null;
                cleared = last = After(last, () =>
                {
                    lock (gate)
                    {
                        items.Clear();
                        Leave();
                        Rewrite();
                    }
                });
            }
            cleared.GetAwaiter().GetResult();
        }

        static Json Put(Item item, CauseboardException refusal)
        {
            var problem = refusal == null ? Json.Null : Json.Object(
                ("type", Json.Of(refusal.Type)), ("message", Json.Of(refusal.Message)),
                ("status", Json.Of(refusal.Status)), ("problem", refusal.Problem));
            return Json.Object(("put", Json.Object(
                ("id", Json.Of(item.Id)), ("kind", Json.Of(item.IsDonation ? "donation" : "score")),
                ("path", Json.Of(item.Path)), ("body", Json.Of(item.Body)), ("points", Json.Of(item.Points)),
                ("state", Json.Of(refusal == null ? "pending" : "refused")), ("problem", problem))));
        }

        static void Fill(Item item, Json put)
        {
            item.Id = put["id"].Text;
            item.IsDonation = put["kind"].Text == "donation";
            item.Path = put["path"].Text;
            item.Body = put["body"].Text;
            item.Points = put["points"].Long;
            item.State = put["state"].Text == "refused" ? ItemState.Refused : ItemState.Pending;
            var problem = put["problem"];
            if (!problem.IsNull)
                item.Problem = new CauseboardException(problem["type"].Text, problem["message"].Text,
                                                       (int)problem["status"].Long, problem["problem"]);
        }

        // Changes that come while the disk is busy are written together. They apply, under the gate, once they are on
        // it.
        Task Append(Json change, Action apply)
        {
            lock (gate)
            {
                if (gathering == null)
                {
                    var changes = gathering = new List<Change>();
                    last = After(last, () => Write(changes));
                }
                gathering.Add(new Change { Line = change + "\n", Apply = apply });
                return last;
            }
        }

        static async Task After(Task before, Action work)
        {
            try { await before.ConfigureAwait(false); }
            catch (Exception) { }           // it was told to whoever had asked for it
            await Task.Run(work).ConfigureAwait(false);
        }

        void Write(List<Change> changes)
        {
            lock (gate)
            {
                if (gathering == changes) gathering = null;
                if (queue != null && linesCount > 2 * items.Count + 20000)
                {
                    try { Rewrite(); }
                    catch (IOException) { }         // there may be room for a line all the same
                }
                if (queue == null) Rewrite();
            }
            var bytes = Encoding.UTF8.GetBytes(string.Concat(changes.Select(change => change.Line)));
            try
            {
                queue.Write(bytes, 0, bytes.Length);
                queue.Flush(true);
            }
            catch (Exception)
            {
                CutBack();
                throw;
            }
            lock (gate)
            {
                bytesCount += bytes.Length;
                linesCount += changes.Count;
                foreach (var change in changes) change.Apply();
            }
        }

        // The next line must not stand behind a piece of one that could not be written. Where that piece cannot be
        // taken away the whole file is written anew before anything else.
        void CutBack()
        {
            try
            {
                queue.SetLength(bytesCount);
                queue.Seek(bytesCount, SeekOrigin.Begin);
                queue.Flush(true);
            }
            catch (Exception) { Leave(); }
        }

        // Where this fails the former file is still the one that is appended to.
        void Rewrite()
        {
            if (isDisposed) throw new ObjectDisposedException(nameof(Causeboard));
            var text = string.Concat(items.Values.Select(
                item => Put(item, item.State == ItemState.Refused ? item.Problem : null) + "\n"));
            Files.Replace(queuePath, text);
            Leave();
            // With a buffer of its own it would write once more, when it is closed, what could not be written.
            const int bufferBytes = 1;
            queue = new FileStream(queuePath, FileMode.Open, FileAccess.Write, FileShare.Read, bufferBytes);
            bytesCount = queue.Seek(0, SeekOrigin.End);
            linesCount = items.Count;
        }

        void Leave()
        {
            try { queue?.Dispose(); }
            catch (IOException) { }
            queue = null;
        }
    }

    static class Files
    {
        // Empty when there is no such file.
        public static byte[] Read(string path)
        {
            try { return File.ReadAllBytes(path); }
            catch (FileNotFoundException) { return new byte[0]; }
            catch (Exception error) when (error is IOException || error is UnauthorizedAccessException)
            {
                throw new CauseboardException("not-stored", path + " cannot be read: " + error.Message);
            }
        }

        // The new text is on the disk and under its name, or the old one still is.
        public static void Replace(string path, string text) { Replace(path, Encoding.UTF8.GetBytes(text)); }

        public static void Replace(string path, byte[] bytes)
        {
            var fresh = path + ".new";
            try
            {
                using (var file = new FileStream(fresh, FileMode.Create, FileAccess.Write, FileShare.None))
                {
                    Restrict(fresh);
                    file.Write(bytes, 0, bytes.Length);
                    file.Flush(true);
                }
            }
            catch (Exception)
            {
                try { File.Delete(fresh); }         // a full disk has no room for what is of no use
                catch (IOException) { }
                throw;
            }
            if (IsUnix && rename(fresh, path) == 0)
            {
                SyncFolder(Path.GetDirectoryName(path));
                return;
            }
            if (File.Exists(path)) File.Replace(fresh, path, null);
            else File.Move(fresh, path);
        }

        // Brings the new name itself to the disk. .NET has no call for that. On Linux and Android it is there when this
        // ends. On macOS and iOS it is with the drive, which may lose its last moments with the power, as after Flush.
        // Windows offers nothing of the kind: NTFS has the old name or the new one.
        static void SyncFolder(string folder)
        {
            const int readOnly = 0;
            var file = open(folder, readOnly);
            if (file < 0) return;
            fsync(file);
            close(file);
        }

        // Null while another process has it; the system gives it back when a process ends, however it ends. Mono knows
        // of shares within one process alone.
        public static FileStream Claim(string path)
        {
            FileStream file;
            try { file = new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None); }
            catch (IOException) { return null; }
            Restrict(path);
            const int exclusive = 2, atOnce = 4;
            if (!IsUnix || flock((int)file.SafeFileHandle.DangerousGetHandle(), exclusive | atOnce) == 0) return file;
            file.Dispose();
            return null;
        }

        // Only the owner may read it. On Windows the user's own folders are.
        public static void Restrict(string path, bool isFolder = false)
        {
            if (IsUnix) chmod(path, isFolder ? 0x1C0u : 0x180u);
        }

        static bool IsUnix { get { return Path.DirectorySeparatorChar == '/'; } }

        [DllImport("libc", SetLastError = true)]
        static extern int chmod(string path, uint mode);

        [DllImport("libc", SetLastError = true)]
        static extern int flock(int file, int operation);

        [DllImport("libc", SetLastError = true)]
        static extern int rename(string from, string to);

        [DllImport("libc", SetLastError = true)]
        static extern int open(string path, int flags);

        [DllImport("libc", SetLastError = true)]
        static extern int fsync(int file);

        [DllImport("libc", SetLastError = true)]
        static extern int close(int file);
    }

    /// <summary>A JSON value that is read without asking first: what is not there is Null.</summary>
    public sealed class Json
    {
        public static readonly Json Null = new Json(null);
        readonly object value;          // string, bool, long, double, List<Json>, or pairs in their order

        Json(object value) { this.value = value; }

        public static Json Of(string text) { return text == null ? Null : new Json(text); }
        public static Json Of(long number) { return new Json(number); }
        public static Json Of(bool? flag) { return flag == null ? Null : new Json(flag.Value); }
        public static Json List(IEnumerable<Json> values) { return new Json(values.ToList()); }

        /// <summary>Of the members that are not Null.</summary>
        public static Json Object(params (string Name, Json Value)[] members)
        {
            return new Json(members.Where(member => !member.Value.IsNull)
                .Select(member => new KeyValuePair<string, Json>(member.Name, member.Value)).ToList());
        }

        public bool IsNull { get { return value == null; } }
        public bool IsNumber { get { return value is long || value is double; } }
        public bool IsObject { get { return Members != null; } }
        public bool IsList { get { return value is List<Json>; } }

        /// <summary>Null when it is no text.</summary>
        public string Text { get { return value as string; } }

        /// <summary>The nearest of 64 bits, such as for a charity's total, which may have more; Number is closer then.
        /// </summary>
        public long Long { get { return value is long ? (long)value : value is double ? Nearest((double)value) : 0; } }

        static long Nearest(double number)
        {
            return number >= long.MaxValue ? long.MaxValue : number <= long.MinValue ? long.MinValue : (long)number;
        }

        public double Number { get { return value is double ? (double)value : Long; } }
        public bool Bool { get { return value is bool && (bool)value; } }
        public IReadOnlyList<Json> Values { get { return value as List<Json> ?? new List<Json>(); } }
        List<KeyValuePair<string, Json>> Members { get { return value as List<KeyValuePair<string, Json>>; } }

        public Json this[string name]
        {
            get { return Members?.LastOrDefault(member => member.Key == name).Value ?? Null; }
        }

        public Json this[int index] { get { return index < Values.Count ? Values[index] : Null; } }

        /// <summary>The same with another member; Null takes it away.</summary>
        public Json With(string name, Json member)
        {
            var members = (Members ?? new List<KeyValuePair<string, Json>>()).Where(each => each.Key != name).ToList();
            if (!member.IsNull) members.Add(new KeyValuePair<string, Json>(name, member));
            return new Json(members);
        }

        public override string ToString()
        {
            var text = new StringBuilder();
            Write(text);
            return text.ToString();
        }

        void Write(StringBuilder text)
        {
            if (value == null) text.Append("null");
            else if (value is bool) text.Append(Bool ? "true" : "false");
            else if (value is string) Quote(Text, text);
            else if (value is double) text.Append(double.IsInfinity(Number) ? Number > 0 ? "1e999" : "-1e999"
                                                  : Number.ToString("R", CultureInfo.InvariantCulture));
            else if (value is long) text.Append(Long.ToString(CultureInfo.InvariantCulture));
            else if (Members == null)
            {
                text.Append('[');
                for (var index = 0; index < Values.Count; index++)
                {
                    if (index > 0) text.Append(',');
                    Values[index].Write(text);
                }
                text.Append(']');
            }
            else
            {
                text.Append('{');
                for (var index = 0; index < Members.Count; index++)
                {
                    if (index > 0) text.Append(',');
                    Quote(Members[index].Key, text);
                    text.Append(':');
                    Members[index].Value.Write(text);
                }
                text.Append('}');
            }
        }

        static void Quote(string value, StringBuilder text)
        {
            text.Append('"');
            foreach (var letter in value)
            {
                if (letter == '"' || letter == '\\') text.Append('\\').Append(letter);
                else if (letter < ' ') text.Append("\\u").Append(((int)letter).ToString("x4"));
                else text.Append(letter);
            }
            text.Append('"');
        }

        /// <exception cref="FormatException">The text is no JSON.</exception>
        public static Json Parse(string text)
        {
            var reader = new Reader { Text = text };
            var value = reader.Read(0);
            reader.Skip();
            if (reader.At != text.Length) throw reader.Wrong();
            return value;
        }

        sealed class Reader
        {
            const int DepthMax = 64;
            public string Text;
            public int At;

            public FormatException Wrong() { return new FormatException("No JSON at character " + At); }
            char Here { get { return At < Text.Length ? Text[At] : '\0'; } }
            public void Skip() { while (At < Text.Length && " \t\r\n".IndexOf(Text[At]) >= 0) At++; }

            bool Takes(string word)
            {
                if (string.CompareOrdinal(Text, At, word, 0, word.Length) != 0) return false;
                At += word.Length;
                return true;
            }

            public Json Read(int depth)
            {
                if (depth > DepthMax) throw Wrong();
                Skip();
                if (Takes("null")) return Null;
                if (Takes("true")) return new Json(true);
                if (Takes("false")) return new Json(false);
                if (Here == '"') return new Json(ReadText());
                if (Takes("[")) return ReadList(depth);
                if (Takes("{")) return ReadObject(depth);
                return ReadNumber();
            }

            Json ReadList(int depth)
            {
                var values = new List<Json>();
                Skip();
                if (Takes("]")) return new Json(values);
                while (true)
                {
                    values.Add(Read(depth + 1));
                    Skip();
                    if (Takes("]")) return new Json(values);
                    if (!Takes(",")) throw Wrong();
                }
            }

            Json ReadObject(int depth)
            {
                var members = new List<KeyValuePair<string, Json>>();
                Skip();
                if (Takes("}")) return new Json(members);
                while (true)
                {
                    Skip();
                    if (Here != '"') throw Wrong();
                    var name = ReadText();
                    Skip();
                    if (!Takes(":")) throw Wrong();
                    members.Add(new KeyValuePair<string, Json>(name, Read(depth + 1)));
                    Skip();
                    if (Takes("}")) return new Json(members);
                    if (!Takes(",")) throw Wrong();
                }
            }

            string ReadText()
            {
                var text = new StringBuilder();
                At++;
                while (Here != '"')
                {
                    if (At >= Text.Length || Here < ' ') throw Wrong();
                    var letter = Text[At++];
                    if (letter != '\\')
                    {
                        text.Append(letter);
                        continue;
                    }
                    var escaped = Here;
                    At++;
                    var known = "\"\\/bfnrt".IndexOf(escaped);
                    int code;
                    if (known >= 0) text.Append("\"\\/\b\f\n\r\t"[known]);
                    else if (escaped == 'u' && At + 4 <= Text.Length && int.TryParse(
                        Text.Substring(At, 4), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out code))
                    {
                        text.Append((char)code);
                        At += 4;
                    }
                    else throw Wrong();
                }
                At++;
                return text.ToString();
            }

            Json ReadNumber()
            {
                var start = At;
                while (At < Text.Length && "+-.0123456789eE".IndexOf(Text[At]) >= 0) At++;
                var number = Text.Substring(start, At - start);
                long whole;
                if (long.TryParse(number, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out whole))
                    return new Json(whole);
                double real;
                if (double.TryParse(number, NumberStyles.Float, CultureInfo.InvariantCulture, out real))
                    return new Json(real);
                // Some runtimes refuse a number that a double does not hold, which a detail may have.
                if (!Regex.IsMatch(number, @"^-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$")) throw Wrong();
                return new Json(number[0] == '-' ? double.NegativeInfinity : double.PositiveInfinity);
            }
        }
    }
}
