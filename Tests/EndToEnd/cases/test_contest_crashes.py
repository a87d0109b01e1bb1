"""Three processes settle stakes of challenges and run plans at the same moment, and each is killed again and again.
Each donation is made once, and no player gives more than it has."""
import contextlib
import datetime
import random
import threading
import time
import unittest
from collections import Counter

import client
import v1
from contest_model import DUMP, World, allot
from joined import Joined
from psql import Psql
from seeds import SEED, rounds
from server import Server, until
from stepping_clock import SteppedCase

ROUNDS = rounds(3, nightly=8)         # each is a day
PLAYERS, CHALLENGES = 24, 40
KILL_SECONDS = 1
DONE_SECONDS_MAX = 120
ANSWER_SECONDS_MAX = 60
DAY = 86_400
BOARDS = "/v1/games/quiz/boards/{}/challenges/{}"
CHARITIES = ("a", "b", "c")


class Crashes(SteppedCase):
    maxDiff = 3000

    def setUp(self):
        super().setUp()
        self.dice = random.Random(SEED)
        # Start at noon some days ago: the database's own clock, which is not set, also closes books.
        self.pass_time(int(DAY / 2 - time.time() % DAY) - (ROUNDS + 2) * DAY)
        self.first = self.begin(Server("crashes", start=False))
        self.furnish(self.first)
        self.processes = [self.first, *(self.begin(Joined(f"crashes-{n}", self.first, start=False)) for n in (2, 3))]
        self.psql = Psql(self.first.conninfo())
        self.addCleanup(self.psql.close)
        self.players = [v1.Player(self.first, "quiz", f"Player {number}") for number in range(PLAYERS)]
        self.psql.run("insert into tie (player_id, other_id, says, at) select a.id, b.id, 'yes', now() "
                      "from player a, player b where a.id <> b.id")
        for player in self.players:
            shares = [{"charity": slug, "share": self.dice.randint(1, 9)} for slug in CHARITIES]
            self.ask(player, "PUT", "/v1/players/me/plan",
                     {"shares": shares, "every": "day", "keep": self.dice.choice((0, 5, 30))},
                     headers=[("If-None-Match", "*")])
        self.stopped, self.midway = threading.Event(), 0      # processes that were killed while something was due

    def furnish(self, server):
        server.verb("game", "add", "quiz", "--name", "Quiz")
        server.verb("game", "set", "quiz", "--friends", "codes", "--challenges", "friends", "--stake-max", "20",
                    "--plans", "on")
        for slug, ties in (("one", "first"), ("many", "shared")):
            server.verb("board", "add", "--game", "quiz", slug, "--ties", ties, "--earns", "points")
        for charity in CHARITIES:
            server.verb("charity", "add", charity, "--name", f"Charity {charity}")

    def to_time(self, hour, minute):
        """Sets the clock to that time of day in UTC, today or tomorrow."""
        now = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=self.ahead)
        wanted = now.replace(hour=hour, minute=minute, second=1, microsecond=0)
        self.pass_time(round((wanted - now).total_seconds() % DAY))

    def ask(self, player, method, path, body, **more):
        """Asks one process after another until one answers."""
        end = time.monotonic() + ANSWER_SECONDS_MAX
        while time.monotonic() < end:
            with contextlib.suppress(OSError, client.Broken):
                answer = v1.call(self.dice.choice(self.processes), method, path, body, who=player.token, **more)
                if answer.status < 500:
                    self.assertIn(answer.status, (200, 201), answer)
                    return
            time.sleep(0.05)
        raise AssertionError("nobody answers")

    def kill(self):
        dice = random.Random(SEED + 1)
        while not self.stopped.wait(KILL_SECONDS * dice.random()):
            process = dice.choice(self.processes)
            self.midway += not self.is_done()
            process.kill9()
            process.start()

    def world(self):
        return World(self.psql.value(DUMP))

    def test_every_donation_is_made_once(self):
        killer = threading.Thread(target=self.kill, daemon=True)
        killer.start()
        try:
            for _ in range(ROUNDS):
                self.play()
                # Books are closed, and challenges are settled, ten minutes after midnight.
                self.to_time(0, 10)
                until(self.is_done, DONE_SECONDS_MAX, "everything is donated")
                self.to_time(12, 0)
            # Challenges have two days.
            self.to_time(0, 10)
            until(self.is_done, DONE_SECONDS_MAX, "the last challenges are settled")
        finally:
            self.stopped.set()
            killer.join(90)
        for process in self.processes:
            process.wait_ready()
        self.assertGreater(self.midway, 0)
        self.check(self.world())
        self.assertEqual(self.psql.run("select count(*) from wallet where unspent(wallet) < 0"), [["0"]])
        self.first.audit()

    def play(self):
        """Players promise their few points in several challenges."""
        for player in self.players:
            for board in ("one", "many"):
                self.ask(player, "PUT", f"/v1/games/quiz/boards/{board}/scores/{v1.new_id()}",
                         {"points": self.dice.randint(1, 12)})
        for _ in range(CHALLENGES):
            maker, *others = self.dice.sample(self.players, self.dice.randint(2, 5))
            path = BOARDS.format(self.dice.choice(("one", "many")), v1.new_id())
            self.ask(maker, "PUT", path, {"days": 1, "players": [other.id for other in others],
                                          "stake": self.dice.randint(1, 20), "charity": self.dice.choice(CHARITIES)})
            for other in others:
                self.ask(other, "PUT", f"{path}/entry", {"charity": self.dice.choice(CHARITIES)})

    def is_done(self):
        """Whether nothing is due by the clock of the servers."""
        now = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=self.ahead)
        [[count]] = self.psql.patient(
            "select (select count(*) from challenge c join board b on b.id = c.board_id where c.settled_at is null "
            f"and challenge_until(c, b) + challenge_wait(b) <= '{now}') "
            "+ (select count(*) from stake_share where gave is null) "
            "+ (select count(*) from plan_run where done_at is null) + (select count(*) from plan p where "
            f"p.until is null and p.next_day + interval '10 minutes 1 day' <= '{now}')")
        return count == "0"

    def check(self, world):
        donations = {id: (player, charity, points)
                     for player, id, charity, points, *_ in world.dump["donations"]}
        self.assertEqual(len(donations), len(world.dump["donations"]))
        wanted, refused = {}, 0
        for player, challenge, charity, points, id, gave in world.dump["shares"]:
            self.assertIn(gave, (0, points))
            refused += gave == 0
            if gave:
                wanted[id] = (player, charity, points)
        charities = {row[0]: row[2] for row in world.dump["plans"]}
        for player, _, _, points, ids in world.dump["runs"]:
            wanted |= {id: (player, charity, some)
                       for id, charity, some in zip(ids, charities[player], points) if some}
        self.assertEqual(donations, wanted)
        self.assertGreater(len(world.dump["runs"]), PLAYERS)
        states = Counter(row[5] for row in world.dump["challenges"])
        self.assertEqual(states, {"settled": ROUNDS * CHALLENGES})
        self.assertLess(refused, len(world.dump["shares"]))
        for challenge in world.dump["challenges"]:
            self.check_challenge(world, challenge)

    def check_challenge(self, world, challenge):
        """No score was corrected, so the result is still the same, as far as its players had points."""
        promised = {player.id: challenge[4] for player in self.players}
        _, winners, _ = world.settlement(challenge, dict(promised))
        won = {player for player, contest, _, _, has_won in world.dump["entries"]
               if contest == challenge[0] and has_won}
        self.assertEqual(won, winners)
        shares = [row for row in world.dump["shares"] if row[1] == challenge[0]]
        for giver in {row[0] for row in shares}:
            given = {row[2]: row[3] for row in shares if row[0] == giver}
            total = sum(given.values())
            self.assertLessEqual(total, challenge[4])
            named = [world.entrants(challenge[0])[player][2]
                     for rank, _, player, _ in world.ranks(challenge) if rank == 1]
            parts = Counter()
            for charity, part in zip(named, allot(total, [total] * len(named), len(named))):
                parts[charity] += part
            self.assertEqual(given, {charity: part for charity, part in parts.items() if part})


if __name__ == "__main__":
    unittest.main()
