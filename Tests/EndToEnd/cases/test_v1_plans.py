"""Plans: what players have the server donate for them. Plans that are due in three processes, each of which is killed
again and again, give every donation once."""
import datetime
import json
import random
import threading
import time
import unittest

import client
import v1
import v1_case
from joined import Joined
from live import Stream
from psql import Psql
from seeds import SEED
from server import Refused, Server, until
from stepping_clock import SteppedCase
from v1_case import STAMP, V1Case

PLAN, ME = "/v1/players/me/plan", "/v1/players/me"
NEW = [("If-None-Match", "*")]
DAY = 86_400
GRACE = 900                 # after midnight, until the books of the day are closed
PLAYERS, DAYS = 60, 4
RUN_SECONDS_MAX = 90
SHARES = [{"charity": "oxfam", "share": 40}, {"charity": "red-cross", "share": 60}]


def setUpModule():
    v1_case.start("v1plans")
    V1Case.server.verb("game", "set", "quiz", "--plans", "on")


def seen(etag):
    return [("If-Match", etag)]


def put(player, headers, shares=None, every="day", **fields):
    body = {"shares": SHARES if shares is None else shares, "every": every, **fields}
    return player.call("PUT", PLAN, body, headers=headers)


class Plans(V1Case):
    def test_make_change_end(self):
        ada = self.player()
        self.problem(ada.get(PLAN), 404, "not-found")
        self.problem(put(ada, []), 428, "precondition")
        self.assertNotIn("current", self.problem(put(ada, seen('"1-1"')), 412, "stale"))
        answer = put(ada, NEW, shares=SHARES[::-1], every="week", keep=5)
        made = self.private(answer, 201)
        self.assertRegex(made.pop("since"), STAMP)
        next_on = made.pop("next_on")
        self.assertEqual(datetime.date.fromisoformat(next_on).isoweekday(), 7)
        self.assertEqual(made, {"shares": SHARES, "every": "week", "keep": 5, "anonymous": False})
        etag = answer["etag"]
        self.assertEqual(ada.get(PLAN)["etag"], etag)
        self.assertEqual(ada.get(ME).json()["plan"], {"next_on": next_on})
        again = put(ada, NEW, every="week", keep=5)
        self.assertEqual((again.status, again["idempotent-replayed"], again["etag"]), (200, "true", etag))
        self.assertEqual(self.problem(put(ada, NEW), 412, "stale")["current"], etag)
        changed = put(ada, seen(etag), anonymous=True)
        self.assertEqual((changed.status, changed.json()["anonymous"]), (200, True), changed)
        self.assertNotEqual(changed["etag"], etag)
        self.problem(put(ada, seen(etag), keep=7), 412, "stale")
        self.problem(ada.call("DELETE", PLAN), 428, "precondition")
        self.problem(ada.call("DELETE", PLAN, headers=seen(etag)), 412, "stale")
        self.assertEqual(ada.call("DELETE", PLAN, headers=seen(changed["etag"])).status, 204)
        self.problem(ada.get(PLAN), 404, "not-found")
        self.assertNotIn("plan", ada.get(ME).json())

    def test_preview(self):
        ada = self.player()
        put(ada, NEW)
        preview = self.private(ada.get(f"{PLAN}?points=100"), 200)["preview"]
        gifts = [{"charity": "oxfam", "points": 40}, {"charity": "red-cross", "points": 60}]
        self.assertEqual(preview, {"points": 100, "gifts": gifts})
        one = self.private(ada.get(f"{PLAN}?points=1"), 200)["preview"]
        self.assertEqual(one["gifts"], [{"charity": "red-cross", "points": 1}])
        for points in ("0", "-1", "x", "1.5", str(2**53), str(2**70), ""):
            with self.subTest(points=points):
                self.assertEqual(self.problem(ada.get(f"{PLAN}?points={points}"), 400)["field"], "points")

    def test_what_is_refused(self):
        ada = self.player()
        one = {"charity": "oxfam", "share": 1}
        for shares in ([], None, "oxfam", {}, [1], [one, one], [{"charity": "oxfam"}], [{"share": 1}],
                       [{**one, "share": 0}], [{**one, "share": 10_001}], [{**one, "share": 1.5}],
                       [{**one, "share": 2**40}], [{**one, "more": 1}], [{**one, "charity": "nobody"}],
                       [{**one, "charity": "a" * 5_000}], [{**one, "charity": "no slug"}],
                       [{"charity": f"c{n}", "share": 1} for n in range(21)]):
            with self.subTest(shares=str(shares)[:60]):
                answer = ada.call("PUT", PLAN, {"shares": shares, "every": "day"}, headers=NEW)
                self.assertEqual(self.problem(answer, 422, "field")["field"], "shares")
        for name, value in (("every", "year"), ("every", None), ("every", 1), ("keep", -1), ("keep", 2**53),
                            ("keep", "x"), ("anonymous", "maybe")):
            with self.subTest(name=name, value=value):
                answer = put(ada, NEW, **{"every": "day", name: value})
                self.assertEqual(self.problem(answer, 422, "field")["field"], name)
        self.problem(put(self.player(game="chess"), NEW), 403, "forbidden")
        self.problem(self.call("GET", PLAN), 401, "unauthorized")
        self.problem(self.call("GET", PLAN, who=self.key), 403, "forbidden")

    def test_other_devices_are_told(self):
        ada = self.player()
        with Stream(self.server, f"{ME}/live", [("Authorization", "Bearer " + ada.token)]) as stream:
            self.assertNotIn("plan", json.loads(stream.event()["data"]))
            next_on = put(ada, NEW).json()["next_on"]
            self.assertEqual(json.loads(stream.event()["data"])["plan"], {"next_on": next_on})

    def test_export_has_it(self):
        ada = self.player()
        put(ada, NEW, keep=3)
        exported = self.private(ada.get("/v1/players/me/export"), 200)
        self.assertEqual([(plan["version"], plan["shares"], plan["keep"]) for plan in exported["plans"]],
                         [(1, SHARES, 3)])
        self.assertEqual(exported["plan_runs"], [])


class Limited(unittest.TestCase):
    def test_changes_are_limited(self):
        server = Server("plan-limits", start=False)
        server.furnish("v1", v1_case.furniture)
        self.addCleanup(server.stop)
        server.start("--limits", "on", "--limit=player-plans=2/day")
        server.verb("game", "set", "quiz", "--plans", "on")
        ada = v1.Player(server, "quiz", "Ada")
        first = put(ada, NEW)
        self.assertEqual(first.status, 201, first)
        for _ in range(5):      # what changes nothing does not count
            self.assertEqual(put(ada, NEW).status, 200)
        second = put(ada, seen(first["etag"]), keep=1)
        self.assertEqual(second.status, 200, second)
        third = put(ada, seen(second["etag"]), keep=2)
        self.assertEqual((third.status, third.json()["limit"]), (429, "player-plans"), third)


class Killed(SteppedCase):
    """Days pass while three processes are killed, and each player's plan gives what it has to, once."""
    maxDiff = 3000

    def setUp(self):
        super().setUp()
        self.dice = random.Random(SEED)
        # To noon, some days ago: books are closed by the clock of the database, too, which is not set.
        self.pass_time(int(DAY / 2 - time.time() % DAY) - (DAYS + 1) * DAY)
        self.first = self.begin(Server("plans", start=False))
        self.furnish(self.first)
        joined = [self.begin(Joined(f"plans-{n}", self.first, start=False)) for n in (2, 3)]
        self.processes = [self.first, *joined]
        self.psql = Psql(self.first.conninfo())
        self.addCleanup(self.psql.close)
        self.stopped = threading.Event()

    def furnish(self, server):
        server.verb("game", "add", "quiz", "--name", "Quiz")
        server.verb("game", "set", "quiz", "--plans", "on")
        server.verb("board", "add", "--game", "quiz", "solo", "--policy", "sum")
        for charity in ("a", "b", "c"):
            server.verb("charity", "add", charity, "--name", f"Charity {charity}")

    def kill(self):
        dice = random.Random(SEED + 1)
        while not self.stopped.wait(3 * dice.random()):
            process = dice.choice(self.processes)
            process.kill9()
            process.start()

    def rows(self, sql):
        """What SQL says; the database is away for a moment when the process that embeds it was killed."""
        while True:
            try:
                return self.psql.run(sql)
            except Refused:
                time.sleep(0.2)

    def test_every_donation_is_made_once(self):
        plans = {}
        for number in range(PLAYERS):
            player = v1.Player(self.first, "quiz", f"Player {number}")
            charities = self.dice.sample(("a", "b", "c"), self.dice.randint(1, 3))
            shares = {charity: self.dice.randint(1, 9) for charity in sorted(charities)}
            keep = self.dice.choice((0, 0, 7))
            answer = put(player, NEW, [{"charity": c, "share": s} for c, s in shares.items()], keep=keep)
            self.assertEqual(answer.status, 201, answer)
            plans[player] = (shares, keep)
        earned = {player.id: 0 for player in plans}
        killer = None
        try:
            for day in range(DAYS):
                for player in plans:
                    points = self.dice.randint(1, 20)
                    self.assertEqual(self.post(player, points), 201)
                    earned[player.id] += points
                if killer is None:
                    killer = threading.Thread(target=self.kill, daemon=True)
                    killer.start()
                self.pass_time(DAY - DAY // 2 + GRACE)
                until(lambda: self.all_ran(day + 1), RUN_SECONDS_MAX, f"all plans have run {day + 1} times")
                self.pass_time(DAY // 2 - GRACE)
        finally:
            self.stopped.set()
            if killer:
                killer.join(90)
        for process in self.processes:
            process.wait_ready()
        for player, (shares, keep) in plans.items():
            self.check(player, shares, keep, earned[player.id])
        self.assertEqual(self.rows("select count(*) from wallet where unspent(wallet) < 0"), [["0"]])
        self.first.audit()

    def post(self, player, points):
        """Until it is answered: the process may have been killed."""
        id = v1.new_id()
        while True:
            try:
                answer = player.post("solo", points, id=id)
            except (OSError, client.Broken):
                time.sleep(0.1)
                continue
            if answer.status != 503:
                return 201 if answer.status == 200 else answer.status
            time.sleep(0.1)

    def all_ran(self, count):
        """Whether all plans have run after so many days, and nothing is left to do."""
        [[waiting, due]] = self.rows(
            "select (select count(*) from plan_run where done_at is null), "
            "(select count(*) from plan where next_day < "
            f"(select (min(since) at time zone 'UTC')::date + {count} from plan))")
        return (int(waiting), int(due)) == (0, 0)

    def check(self, player, shares, keep, earned):
        """Everything beyond what it keeps was donated, in its shares, each donation once and none of another kind."""
        given = {charity: int(points) for charity, points in self.rows(
            "select c.slug, sum(d.points) from donation d join charity c on c.id = d.charity_id "
            f"where d.player_id = {player.id} group by c.slug")}
        total = max(0, earned - keep)
        self.assertEqual(sum(given.values()), total, player.name)
        whole = sum(shares.values())
        for charity, share in shares.items():
            off = abs(share * total - whole * given.get(charity, 0))
            self.assertLess(off, 2 * whole, f"{player.name}: {given} of {shares}")
        wrong = self.rows(
            f"select count(*) from donation d where d.player_id = {player.id} and not exists (select from plan_run r "
            "where r.player_id = d.player_id and d.id = any(r.ids))")
        self.assertEqual(wrong, [["0"]])


if __name__ == "__main__":
    unittest.main()
