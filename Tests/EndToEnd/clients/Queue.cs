// Queue.exe SERVER GAME DIRECTORY: plays what standard input says with Causeboard.cs, as queue.mjs does with
// causeboard.js. SECRETS names a file in which the token is kept, and ANSWERS where to print in place of standard output.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Threading.Tasks;
using CauseboardClient;

static class Queue
{
    static readonly Dictionary<string, Item> Items = new Dictionary<string, Item>();
    static readonly List<Json> Changes = new List<Json>();
    static Causeboard board;
    static CauseboardException unopened;        // why it cannot be opened, which each call is told

    static int Main(string[] arguments)
    {
        var ahead = TimeSpan.FromSeconds(Number("AHEAD") ?? 0);
        var dice = Number("DICE");
        var secrets = Environment.GetEnvironmentVariable("SECRETS");
        var options = new Options
        {
            Server = arguments[0], Game = arguments[1], Directory = arguments[2],
            Now = () => DateTimeOffset.UtcNow + ahead,
            Random = dice == null ? (Func<double>)null : () => dice.Value,
            Secrets = secrets == null ? null : new Chest { Path = secrets },
        };
        try { Open(options); }
        catch (CauseboardException error) { unopened = error; }
        var answers = Environment.GetEnvironmentVariable("ANSWERS");
        if (answers != null)
            Console.SetOut(new StreamWriter(new FileStream(answers, FileMode.Open, FileAccess.Write)) { AutoFlush = true });
        string line;
        while ((line = Console.ReadLine()) != null)
            Console.WriteLine(Play(Json.Parse(line)).GetAwaiter().GetResult());
        return 0;
    }

    static void Open(Options options)
    {
        board = new Causeboard(options);
        board.Changed += item => Note(item.Id, item.State.ToString().ToLowerInvariant(), item.Problem);
        board.Stopped += problem => Note(null, "stopped", problem);
        board.SignInRefused += problem => Note(null, "signIn", problem);
    }

    // What a game's own store of secrets may be: a file elsewhere, in which nothing can be read.
    sealed class Chest : ISecretStore
    {
        public string Path;

        public string Read()
        {
            return File.Exists(Path) ? Encoding.UTF8.GetString(Convert.FromBase64String(File.ReadAllText(Path))) : null;
        }

        public void Write(string secret)
        {
            File.WriteAllText(Path, Convert.ToBase64String(Encoding.UTF8.GetBytes(secret)));
        }
    }

    static double? Number(string name)
    {
        var text = Environment.GetEnvironmentVariable(name);
        return text == null ? (double?)null : double.Parse(text, System.Globalization.CultureInfo.InvariantCulture);
    }

    static void Note(string id, string state, CauseboardException problem)
    {
        var change = "{\"id\":" + Json.Of(id) + ",\"state\":" + Json.Of(state) + ",\"problem\":" + Json.Of(problem?.Type)
            + "}";
        lock (Changes) Changes.Add(Json.Parse(change));
    }

    static async Task<string> Play(Json call)
    {
        try
        {
            if (unopened != null) throw unopened;
            return "{\"value\":" + await Value(call[0].Text, call) + "}";
        }
        catch (CauseboardException error) { return "{\"error\":" + Refusal(error) + "}"; }
        catch (IOException error)
        {
            return "{\"error\":" + Refusal(new CauseboardException("not-stored", error.Message)) + "}";
        }
    }

    static Json Refusal(CauseboardException error)
    {
        if (error == null) return Json.Null;
        return Json.Object(("type", Json.Of(error.Type)), ("status", Json.Of(error.Status)),
                           ("message", Json.Of(error.Message)), ("again_at", error.Problem["again_at"]));
    }

    static Json Shown(Player player)
    {
        return player == null ? Json.Null : Json.Object(("id", Json.Of(player.Id)), ("name", Json.Of(player.Name)));
    }

    static IdentityToken Proof(Json json)
    {
        return new IdentityToken
        {
            Provider = json["provider"].Text, Nonce = json["nonce"].Text, Token = json["token"].Text,
        };
    }

    static Json Nonce(string nonce) { return Json.Object(("nonce", Json.Of(nonce))); }
    static long? Id(Json id) { return id.IsNull ? (long?)null : id.Long; }
    static Guid? Uuid(Json id) { return id.IsNull ? (Guid?)null : Guid.Parse(id.Text); }
    static (string, int) Share(Json line) { return (line["charity"].Text, (int)line["share"].Long); }
    static Json Code(string code) { return Json.Object(("code", Json.Of(code))); }

    static Json Queued(Item item)
    {
        Items[item.Id] = item;
        return Json.Of(item.Id);
    }

    static async Task<string> Settled(string id)
    {
        var item = await Items[id].Settled;
        return "{\"state\":" + Json.Of(item.State.ToString().ToLowerInvariant()) + ",\"receipt\":" + item.Receipt
            + ",\"problem\":" + Refusal(item.Problem) + "}";
    }

    // Calls that do not wait for one another, and what each came to.
    static async Task<Json> Together(Json calls)
    {
        var all = calls.Values.Skip(1).Select(call => Play(call)).ToList();
        return Json.List((await Task.WhenAll(all)).Select(Json.Parse));
    }

    static async Task<Json> Fill(string name, long count)
    {
        var stored = 0L;
        var full = 0L;
        var posts = new List<Task<Item>>();
        for (var points = 1L; points <= count; points++) posts.Add(board.Post(name, points));
        foreach (var post in posts)
        {
            try
            {
                await post;
                stored++;
            }
            catch (CauseboardException) { full++; }
        }
        return Json.Object(("stored", Json.Of(stored)), ("queue-full", Json.Of(full)));
    }

    static async Task<object> Value(string name, Json call)
    {
        var (text, number) = (call[1].Text, call[2].Long);
        switch (name)
        {
            case "together": return await Together(call);
            case "damaged": return Json.List(board.Damaged.Select(Json.Of));
            case "signIn": return Shown(await board.SignIn(text));
            case "rename": return Shown(await board.Rename(text));
            case "erase": return Json.Of(await board.Erase(text));
            case "report":
                await board.Report(call[1].Long, call[2].Text, call[3].Text);
                return Json.Null;
            case "exportData": return await board.ExportData();
            case "forget":
                board.Forget();
                return Json.Null;
            case "dispose":
                board.Dispose();
                return Json.Null;
            case "player": return Shown(board.Player);
            case "post": return Queued(await board.Post(text, number));
            case "donate": return Queued(await board.Donate(text, number, call[3].Bool));
            case "fill": return await Fill(text, number);
            case "settled": return await Settled(text);
            case "pending": return Json.List(board.Pending.Select(item => Json.Of(item.Id)));
            case "refused":
                return Json.List(board.Refused.Select(item => Json.Object(
                    ("id", Json.Of(item.Id)), ("problem", Json.Of(item.Problem.Type)))));
            case "dismiss":
                await board.Dismiss(text);
                return Json.Null;
            case "changes": lock (Changes) return Json.List(Changes);
            case "retry":
                board.Retry();
                return Json.Null;
            case "rotateToken":
                board.RotateToken();
                return Json.Null;
            case "join": return Shown(await board.Join(text, call[2]["merge"].Bool, call[2]["deviceName"].Text));
            case "signInNonce": return Nonce(await board.SignInNonce());
            case "signInWith":
                return Shown(await board.SignInWith(Proof(call[1]), call[2]["name"].Text, call[2]["merge"].Bool));
            case "link": return await board.Link(Proof(call[1]));
            case "unlink":
                await board.Unlink(text);
                return Json.Null;
            case "identities": return await board.Identities();
            case "friends": return await board.Friends();
            case "makeFriendCode": return Code(await board.MakeFriendCode());
            case "befriend": return await board.Befriend(text);
            case "ask": return Json.Of(await board.Ask(call[1].Long));
            case "unfriend":
                await board.Unfriend(call[1].Long);
                return Json.Null;
            case "block":
                await board.Block(call[1].Long);
                return Json.Null;
            case "unblock":
                await board.Unblock(call[1].Long);
                return Json.Null;
            case "friendsTop": return await board.FriendsTop(text);
            case "friendContributors": return await board.FriendContributors(call[1]["charity"].Text);
            case "makeCode": return Code(await board.MakeCode());
            case "makeRecoveryCode": return Code(await board.MakeRecoveryCode());
            case "devices": return await board.Devices();
            case "removeDevice":
                await board.RemoveDevice(text);
                return Json.Null;
            case "profile": return await board.Profile(call[1].IsNull ? (long?)null : call[1].Long);
            case "scores": return await board.Scores();
            case "donations": return await board.Donations();
            case "rank": return await board.Rank(text);
            case "around": return await board.Around(text);
            case "top":
                return await board.Top(text, 5, country: call[2]["country"].Text, team: Id(call[2]["team"]));
            case "update": return await board.Update(new Registration { Flag = call[1]["flag"].Text ?? "" });
            case "countriesTop": return await board.CountriesTop(text, call[2]["of"].Text);
            case "myTeam": return await board.MyTeam();
            case "makeTeam": return await board.MakeTeam(text);
            case "joinTeam": return await board.JoinTeam(text);
            case "changeTeam":
                return await board.ChangeTeam(call[1]["name"].Text, Id(call[1]["captain"]), Id(call[1]["remove"]),
                                              call[1]["code"].Text == "new");
            case "leaveTeam":
                await board.LeaveTeam();
                return Json.Null;
            case "team": return await board.Team(call[1].Long);
            case "reportTeam":
                await board.ReportTeam(call[1].Long);
                return Json.Null;
            case "teamsTop": return await board.TeamsTop(text);
            case "myTeamTop": return await board.MyTeamTop(text);
            case "contributorTeams": return await board.ContributorTeams(call[1]["charity"].Text);
            case "challenge":
                return await board.Challenge(text, call[2].Values.Select(each => each.Long), (int)call[3]["days"].Long,
                                             call[3]["stake"].Long, call[3]["charity"].Text, Uuid(call[3]["id"]));
            case "challenges": return await board.Challenges(call[1]["state"].Text);
            case "standings": return await board.Standings(call[1]);
            case "enter": return await board.Enter(call[1], call[2]["charity"].Text);
            case "decline":
                await board.Decline(call[1]);
                return Json.Null;
            case "awards": return await board.Awards();
            case "gameAwards": return await board.GameAwards();
            case "campaigns": return await board.Campaigns(from: (int?)Id(call[1]["from"]));
            case "campaign": return await board.Campaign(text);
            case "campaignTop": return await board.CampaignTop(text);
            case "campaignTeams": return await board.CampaignTeams(text);
            case "enterCampaign": return await board.EnterCampaign(text);
            case "cohort": return await board.Cohort(text, from: (int?)Id(call[2]["from"]));
            case "plan": return await board.Plan();
            case "setPlan":
                return await board.SetPlan(call[1].Values.Select(Share), call[2].Text, call[3]["keep"].Long,
                                           call[3]["anonymous"].Bool, call[3]["etag"].Text);
            case "endPlan":
                await board.EndPlan(text);
                return Json.Null;
            case "preview": return await board.Preview(call[1].Long);
            case "rankOf": return await board.RankOf(text, number);
            case "charities": return await board.Charities();
            case "charity": return await board.Charity(text);
            case "pointsOfCharity": return Json.Of((await board.Charity(text))["points"].Long);
            case "contributors": return await board.Contributors();
            case "boards": return await board.Boards();
            case "board": return await board.Board(text);
            case "signature":
                return Json.Of(Causeboard.Signature(text, call[2].Text, call[3].Text, call[4].Long, call[5].Text));
            default: throw new ArgumentException(name);
        }
    }
}
