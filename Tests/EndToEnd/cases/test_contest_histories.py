"""Two processes take random scores, donations, moderation actions, merges and verdicts while days pass. Awards,
campaigns, challenges and plans must match a model that is computed from the rows of the ledgers."""
import contextlib
import datetime
import random
import time
import unittest
from collections import Counter

import admin
import client
import v1
from admin import Operator
from contest_model import DUMP, World, allot
from joined import Joined
from psql import Psql
from seeds import SEED, rounds, steps
from server import Server, until
from stepping_clock import SteppedCase

ROUNDS = rounds(2, nightly=5)         # each is a day
STEPS = steps(45, nightly=60)
PLAYERS, SAVERS = 7, 2                # savers have plans; they enter no challenge, and are not merged
AGREE_SECONDS_MAX = 2                 # after a correction, awards and milestones are right within this time
DONE_SECONDS_MAX = 90                 # until challenges are settled and plans have run
SHOWN_MAX = 16                        # challenges that are compared after each act: open ones, and the last settled
NEVER = 2 ** 62
MINUTE, HOUR, DAY = 60, 3_600, 86_400
API = "/v1/games/maze"
BOARDS = {
    "sums": ("--policy", "sum", "--ties", "shared"), "best": ("--hold-above", "1000"),
    "low": ("--order", "lowest", "--ties", "shared"), "last": ("--policy", "latest", "--zone", "Asia/Kathmandu"),
    "judged": ("--policy", "sum", "--judge", "5"), "daily": ("--policy", "sum", "--season-every", "day"),
}
CHALLENGED = ("sums", "low", "last", "daily")
CHARITIES = {"trees": (), "seas": ("--zone", "Pacific/Auckland", "--cooling-off", "600"), "woods": ("--cap-day", "60")}
STAKED = ("trees", "seas")
AWARDS = {
    "sum": {"rule": "points", "board": "sums", "at_least": 40},
    "sum-day": {"rule": "points", "board": "judged", "at_least": 25, "window": "day"},
    "best": {"rule": "points", "board": "best", "at_least": 17, "season": 1},
    "low": {"rule": "points", "board": "low", "at_least": 2},
    "last": {"rule": "points", "board": "last", "at_least": 16},
    "days": {"rule": "days", "at_least": 2}, "streak": {"rule": "streak", "board": "sums", "at_least": 2},
    "given": {"rule": "given", "at_least": 40}, "two": {"rule": "charities", "at_least": 2},
    "first": {"rule": "rank", "board": "daily", "at_least": 1},
    "second": {"rule": "rank", "board": "sums", "at_least": 2},
    "cup": {"rule": "rank", "contest": "on-daily", "at_least": 2},
    "long-cup": {"rule": "rank", "contest": "on-sums", "at_least": 1},
    "donors": {"rule": "rank", "contest": "of-all", "at_least": 2},
}
MARKS = (5, 20, 40, 60, 80, 100, 130, 160, 200, 250, 300, 400, 500)
CAMPAIGNS = {"of-trees": "trees", "of-seas": "seas", "of-woods": "woods", "of-all": "all"}
ACTS = {
    "post": 30, "donate": 24, "take_back": 6, "void": 6, "reverse": 6, "hold": 3, "clear": 2, "judge": 5, "undo": 9,
    "hide": 1, "ban": 1, "merge": 2, "join": 1, "reset": 1, "challenge": 5, "enter": 8, "leave": 1,
}
FREQUENT = ("post", "donate", "void", "undo", "challenge", "enter")


class Histories(SteppedCase):
    maxDiff = 3000

    def setUp(self):
        super().setUp()
        self.dice = random.Random(SEED)
        # Start at noon some days ago: the database's own clock, which is not set, also closes books.
        self.pass_time(int(DAY / 2 - time.time() % DAY) - (ROUNDS + 2) * DAY)
        self.first = self.begin(Server("contests", start=False))
        self.furnish(self.first)
        self.second = self.begin(Joined("contests-beside", self.first, start=False))
        self.psql = Psql(self.first.conninfo())
        self.addCleanup(self.psql.close)
        self.operator = Operator(self.first.admin(), admin.make_key(self.first))
        self.make_campaigns()
        for slug, settings in AWARDS.items():
            made = self.operator.add(f"games/maze/awards/{slug}", settings)
            self.assertEqual(made.status, 201, made)
        self.players, self.done, self.undoable, self.settled, self.owed = [], Counter(), [], {}, {}
        self.watcher = self.come("Watcher")
        for number in range(PLAYERS):
            self.players.append(self.come(f"Player {number}"))
        self.make_plans()

    def furnish(self, server):
        server.verb("game", "add", "maze", "--name", "Maze")
        server.verb("game", "set", "maze", "--friends", "codes", "--challenges", "friends", "--stake-max", "10",
                    "--plans", "on")
        for slug, settings in BOARDS.items():
            server.verb("board", "add", "--game", "maze", slug, "--earns", "fixed:25", *settings)
        for slug, settings in CHARITIES.items():
            server.verb("charity", "add", slug, "--name", slug.title(), *settings)
        self.judging_key = server.verb("key", "add", "--game", "maze", "--scopes", "judge", "--name", "judge").strip()

    def make_campaigns(self):
        today = self.now().date()
        marks = [{"points": points, "name": str(points)} for points in MARKS]
        days = {"first_day": str(today), "last_day": str(today + datetime.timedelta(days=max(1, ROUNDS - 2)))}
        for slug, charity in CAMPAIGNS.items():
            made = self.operator.add(f"campaigns/{slug}", {"charity": charity, "milestones": marks, **days})
            self.assertEqual(made.status, 201, made)
        for board in ("sums", "last", "daily"):
            made = self.operator.add(f"campaigns/on-{board}", {"game": "maze", "board": board, **days})
            self.assertEqual(made.status, 201, made)

    def come(self, name):
        """A new player, who is everybody's friend."""
        player = v1.Player(self.first, "maze", name)
        others = [*self.players] if name == "Watcher" else [self.watcher, *self.players]
        for other in others:
            code = other.call("POST", "/v1/players/me/friends/codes").json()["code"]
            self.assertEqual(player.call("POST", "/v1/players/me/friends", {"code": code}).status, 201)
        return player

    def make_plans(self):
        for player in self.players[:SAVERS]:
            shares = [{"charity": slug, "share": self.dice.randint(1, 9)} for slug in sorted(STAKED)]
            made = player.call("PUT", "/v1/players/me/plan", {"shares": shares, "every": "day", "keep": 15},
                               headers=[("If-None-Match", "*")])
            self.assertEqual(made.status, 201, made)
            self.owed[player.id] = [0] * len(shares)

    def now(self):
        return datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=self.ahead)

    def to_time(self, hour, minute):
        """Sets the clock to that time of day in UTC, today or tomorrow."""
        now = self.now()
        wanted = now.replace(hour=hour, minute=minute, second=30, microsecond=0)
        self.pass_time(round((wanted - now).total_seconds() % DAY))

    def world(self):
        return World(self.psql.value(DUMP))

    # -- what players, the game's server and operators do

    def some(self):
        return self.dice.choice(self.players)

    def ask(self, player, method, path, body=None, **more):
        """Sends a request to any process. A refused one changes nothing; the ledgers show what was done."""
        place = self.dice.choice((self.first, self.second))
        answer = v1.call(place, method, path, body, who=player if isinstance(player, str) else player.token, **more)
        self.assertLess(answer.status, 500, answer)
        return answer

    def act(self, do, on, **more):
        """Sends an operator's action; returns whether it was done."""
        id = v1.new_id()
        answer = self.operator.call("PUT", f"acts/{id}", {"do": do, "on": on, "reason": "a test", **more})
        self.assertLess(answer.status, 500, answer)
        if answer.status == 201 and do not in ("undo", "reset"):
            self.undoable.append(id)
        return answer.status == 201

    def row(self, table, condition="true"):
        """The player and the id of one of the newest rows of a ledger."""
        rows = self.psql.run(f"select player_id, id from {table} where {condition} order by reached_at desc limit 25")
        return self.dice.choice(rows) if rows else (0, v1.new_id())

    def post(self):
        points, board = self.dice.randrange(20), self.dice.choice(list(BOARDS))
        return self.ask(self.some(), "PUT", f"{API}/boards/{board}/scores/{v1.new_id()}",
                        {"points": points}).status == 201

    def donate(self):
        charity, anonymous = self.dice.choice(list(CHARITIES)), self.dice.random() < .3
        return self.ask(self.some(), "PUT", f"/v1/charities/{charity}/donations/{v1.new_id()}",
                        {"points": self.dice.randint(1, 9), "anonymous": anonymous}).status == 201

    def take_back(self):
        player, id = self.row("donation", "charity_id = (select id from charity where slug = 'seas')")
        owner = next((other for other in self.players if other.id == int(player)), None)
        return owner and self.ask(owner, "DELETE", f"/v1/charities/seas/donations/{id}").status == 200

    def void(self):
        player, id = self.row("score")
        return self.act("void", {"player": int(player), "score": id})

    def hold(self):
        player, id = self.row("score")
        return self.act("hold", {"player": int(player), "score": id})

    def clear(self):
        player, id = self.row("score", "id in (select id from score_state where state = 'held')")
        return self.act("clear", {"player": int(player), "score": id})

    def reverse(self):
        player, id = self.row("donation")
        return self.act("reverse", {"player": int(player), "donation": id}, void=self.dice.random() < .3)

    def judge(self):
        held = self.ask(self.judging_key, "GET", f"{API}/held?limit=100").json()["rows"]
        if not held:
            return False
        path = f"{API}/held/{self.dice.choice(held)['item']}"
        verdict = self.dice.choice(("clear", "void"))
        return self.ask(self.judging_key, "PUT", path, {"verdict": verdict}).status in (200, 201)

    def undo(self):
        if not self.undoable:
            return False
        id = self.undoable.pop(self.dice.randrange(len(self.undoable)))
        return self.act("undo", {"act": id})

    def hide(self):
        return self.act("hide", {"player": self.some().id})

    def ban(self):
        return self.act("ban", {"player": self.some().id})

    def merge(self):
        one, other = self.dice.sample(self.players[SAVERS:], 2)
        merges = self.world().merges
        return len(merges) < 2 and self.act("merge", {"player": one.id}, into=other.id)

    def join(self):
        """A device uses another player's code, which merges the two players."""
        one, other = self.dice.sample(self.players[SAVERS:], 2)
        made = self.ask(other, "POST", "/v1/players/me/codes")
        if len(self.world().merges) >= 2 or made.status != 201:
            return False
        joined = self.ask(one, "PUT", f"{API}/devices/{one.device}", {"code": made.json()["code"], "merge": True})
        if joined.status not in (200, 201):
            return False
        if self.psql.run(f"select id from player where id = {one.id} and name = ''"):
            self.players.remove(one)        # it had no history, so only its number is left
            return True
        rows = self.operator.get(f"players/{one.id}/acts?limit=1").json()["rows"]
        self.undoable += [row["act"] for row in rows]
        return True

    def reset(self):
        """A season ends, and with it the challenges on its board."""
        self.settle("posts are judged", lambda: self.pass_time(6 * MINUTE))
        is_done = self.act("reset", {"game": "maze", "board": self.dice.choice(("sums", "best", "low"))})
        self.settle("a season is over", lambda: self.pass_time(11 * MINUTE))
        return is_done

    def challenge(self):
        maker = self.dice.choice(self.players[SAVERS:])
        others = [self.watcher.id, *(other.id for other in self.players[SAVERS:] if other is not maker)]
        board, stake = self.dice.choice(CHALLENGED), self.dice.choice((0, 3, 7, 10))
        charity = {"charity": self.dice.choice(STAKED)} if stake else {}
        return self.ask(maker, "PUT", f"{API}/boards/{board}/challenges/{v1.new_id()}",
                        {"days": 1, "players": others, "stake": stake, **charity}).status == 201

    def answer(self, method, body=None):
        rows = self.psql.run("select c.id, b.slug from challenge c join board b on b.id = c.board_id "
                             "where c.settled_at is null order by random() limit 1")
        if not rows:
            return False
        [[id, board]] = rows
        player = self.dice.choice(self.players[SAVERS:])
        return self.ask(player, method, f"{API}/boards/{board}/challenges/{id}/entry", body).status in (200, 204)

    def enter(self):
        return self.answer("PUT", {"charity": self.dice.choice(STAKED)})

    def leave(self):
        return self.answer("DELETE")

    # -- the history

    def test_whatever_is_done(self):
        for round in range(ROUNDS):
            acts = self.dice.choices(list(ACTS), list(ACTS.values()), k=STEPS)
            acts[:0] = ["post"] * PLAYERS * 2 + ["challenge"] * 4 + ["enter"] * 16
            acts += ["void", "undo"] * 3 + ["reset"]
            for step, act in enumerate(acts):
                if getattr(self, act)():
                    self.done[act] += 1
                    self.compare(f"round {round}, step {step}, {act}")
                self.pass_time(self.dice.randrange(4 * HOUR // len(acts)))
            # Everything is judged before challenges end at midnight in Kathmandu, which is 18:15.
            self.settle("posts are judged", lambda: self.to_time(17, 50))
            self.settle("challenges of Kathmandu are settled", lambda: self.to_time(18, 26))
            for _ in range(PLAYERS):
                self.post()
                self.donate()
            self.compare(f"round {round}, evening")
            self.settle("posts of the evening are judged", lambda: self.to_time(23, 30))
            self.settle("challenges are settled, and the next daily season begins", lambda: self.to_time(0, 16))
            self.settle("challenges of the daily season are settled", lambda: self.to_time(0, 30))
            self.to_time(12, 0)
        self.assertGreater(min(self.done[act] for act in FREQUENT), 0, self.done)
        self.assertGreater(len(self.settled), ROUNDS, "challenges")
        self.assertGreater(self.done["plan"], 0)
        self.first.audit()

    def restart(self):
        """The second process is killed, and does what is due when it starts again."""
        self.second.kill9()
        self.second.start()

    def settle(self, what, wait):
        """Lets time pass until everything due is done, and compares the results of challenges with those expected."""
        before = self.world()
        wait()
        self.restart()

        def is_done():
            [[count]] = self.psql.run(
                "select (select count(*) from challenge c join board b on b.id = c.board_id where c.settled_at is null "
                f"and challenge_until(c, b) + challenge_wait(b) < '{self.now()}') "
                "+ (select count(*) from stake_share where gave is null) + (select count(*) from score_state s "
                "join held_score h using (player_id, id) where s.state = 'held' and "
                f"h.judge_until < '{self.now()}') + (select count(*) from board where season_ended_at is null and "
                f"day_start(next_season_on, zone) < '{self.now()}') "
                "+ (select count(*) from plan_run where done_at is null) + (select count(*) from plan p where "
                f"p.until is null and p.next_day + interval '15 minutes 1 day' < '{self.now()}')")
            return count == "0"
        until(is_done, DONE_SECONDS_MAX, what)
        self.check_settled(before)
        self.check_plans(before)
        self.compare(what)

    def check_settled(self, before):
        after = self.world()
        left = {player: before.left(player) for player, _ in before.dump["players"]}
        for challenge in sorted(after.dump["challenges"], key=lambda row: row[6] or 0):
            id, *_, state, settled_at = challenge
            if settled_at is None or id in self.settled:
                continue
            expected, winners, shares = before.settlement(challenge, left)
            self.assertEqual(state, expected, id)
            won = {player for player, contest, _, _, has_won in after.dump["entries"] if contest == id and has_won}
            self.assertEqual(won, winners, f"who won {challenge}: {before.ranks(challenge)}")
            given = {(player, charity): points for player, contest, charity, points, _, _ in after.dump["shares"]
                     if contest == id}
            self.assertEqual(given, shares, f"stakes of {id}")
            self.settled[id] = state
            self.done[state] += 1
        donated = {row[1]: (row[0], row[2], row[3]) for row in after.dump["donations"]}
        for player, contest, charity, points, donation, gave in after.dump["shares"]:
            is_banned = after.survivor(player) in before.banned
            if contest not in self.shares_seen(before):
                self.assertEqual(gave, 0 if is_banned else points, f"what {player} gave for {contest}")
            self.assertEqual(donation in donated, gave == points, f"the donation of {player} for {contest}")
            if gave:
                self.assertEqual(donated[donation][1:], (charity, points))

    @staticmethod
    def shares_seen(world):
        return {row[1] for row in world.dump["shares"]}

    def check_plans(self, before):
        """Checks what plans gave after the last closed day, and that each donation was made once."""
        after = self.world()
        runs = {tuple(row[:3]): row[3] for row in after.dump["runs"]}
        for player, version, _, shares, keep, next_day in before.dump["plans"]:
            if [next_day] not in self.psql.run("select day from book_day"):
                continue
            points = max(0, before.left(player) - keep) if player not in before.banned else 0
            targets = [share * points + owed for share, owed in zip(shares, self.owed[player])]
            expected = allot(points, targets, sum(shares))
            given = runs.get((player, version, next_day), [0] * len(shares))
            self.assertEqual(given, expected, f"the plan of {player}, which had {before.left(player)} left")
            self.owed[player] = [target - sum(shares) * part for target, part in zip(targets, expected)]
            self.done["plan"] += sum(given) > 0
        times = Counter(row[1] for row in after.dump["donations"])
        for _, _, _, points, ids in after.dump["runs"]:
            self.assertEqual([times[id] for id in ids], [int(some > 0) for some in points])

    # -- what is answered

    def compare(self, what):
        for server in (self.first, self.second):
            def differences():
                world = self.world()
                with client.Connection(server) as connection:
                    try:
                        return [each for each in self.answers(world, connection) if each[1] != each[2]]
                    except AssertionError as error:
                        return [str(error)]
            with contextlib.suppress(AssertionError):
                until(lambda: not differences(), AGREE_SECONDS_MAX, what)
                continue
            found = differences()
            self.assertEqual(found, [], f"after {what}, by {server.name}")

    def answers(self, world, connection):
        """(name, response, expected response)."""
        def get(path, who=None):
            answer = v1.call(connection, "GET", path, who=who)
            self.assertEqual(answer.status, 200, f"{path}: {answer!r}")
            return answer.json()
        for player in self.players:
            if player.id in world.merges or player.id in world.hidden:
                continue
            seen = {(row["award"], row.get("occasion"), microseconds(row["given_at"]))
                    for row in get(f"/v1/players/{player.id}")["awards"]}
            yield player.name, sorted(seen, key=str), sorted(world.awards(player.id, AWARDS, self.now()), key=str)
        for slug, wanted in world.campaigns():
            path = f"/v1/campaigns/{slug}"
            if isinstance(wanted, list):
                rows = get(f"{path}/top.json?limit=100")["rows"]
                yield slug, [(row["rank"], row["tied"], row["player"], row["points"]) for row in rows], wanted
            else:
                said = get(path)
                reached = [(row["points"], microseconds(row.get("reached_at"))) for row in said["milestones"]]
                yield slug, (said["points"], said["contributors"], reached), wanted
        newest = sorted(world.dump["challenges"], key=lambda row: row[6] or NEVER)[-SHOWN_MAX:]
        for challenge in newest:
            board = world.boards[challenge[1]]
            said = get(f"{API}/boards/{board.slug}/challenges/{challenge[0]}", self.watcher.token)
            ranks = [(row["rank"], row["tied"], row["player"], row["points"])
                     for row in said["entrants"] if row.get("rank")]
            wanted = world.ranks(challenge)
            yield challenge[0], ranks, wanted
            if challenge[5] != "settled":
                continue
            gave = {row["player"]: row["gave"] for row in said["entrants"] if row.get("gave") is not None}
            entrants = world.entrants(challenge[0])
            yield challenge[0] + " gave", gave, {
                player: sum(row[5] for row in shares)
                for player, (owner, state, _, _) in entrants.items() if player not in world.hidden
                for shares in [[row for row in world.dump["shares"] if row[:2] == [owner, challenge[0]]]] if shares}
            yield challenge[0] + " corrected", said.get("corrected", False), (
                {player for rank, _, player, _ in wanted if rank == 1}
                != {player for player, row in entrants.items() if row[3]})


def microseconds(text):
    if text is None:
        return None
    return round(datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() * 1_000_000)


if __name__ == "__main__":
    unittest.main()
