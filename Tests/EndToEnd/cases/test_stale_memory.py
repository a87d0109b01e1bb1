"""Three servers on one database, and players who post through any of them while two of the streams stall again and
again: batches are judged from memory that does not know what the others wrote. Wallets are locked and change callers
meanwhile, and servers are killed. What was acknowledged is there, once, and every ranking is what SQL says."""
import random
import threading
import time
import unittest

import books
import client
import promtool
from joined import Joined
from psql import Psql
from relay import DatabaseRelay
from seeds import SEED, rounds
from server import Refused, Server
from traffic import Traffic

SLOW = True

ROUNDS = rounds(3)          # a kill in each
POSTS = 400                 # of a round, at least
STALL_SECONDS_MAX = 1.5     # less than the two seconds after which memory is not believed any more
AGREE_SECONDS_MAX = 20
BOARDS = {
    "best": ("--policy", "best", "--zone", "America/New_York"),
    "latest": ("--policy", "latest", "--order", "lowest", "--points-min=-1000"),
    "sum": ("--policy", "sum", "--zone", "Pacific/Pago_Pago"),
}
servers = []
relays = []
psql = None


def setUpModule():
    global psql
    first = Server("first")
    servers.append(first)
    first.verb("game", "add", "quiz", "--name", "Quiz")
    for slug, arguments in BOARDS.items():
        first.verb("board", "add", "--game", "quiz", slug, *arguments, "--earns", "fixed:10")
    for slug in ("whales", "trees"):
        first.verb("charity", "add", slug, "--name", slug.title())
    psql = Psql(first.conninfo())
    for name in ("second", "third"):
        relays.append(DatabaseRelay(first.conninfo()))
        servers.append(Joined(name, first, start=False))
        start(servers[-1])


def tearDownModule():
    psql.close()
    for relay in relays:
        relay.close()
    for server in reversed(servers):
        server.stop()


def start(server):
    at = servers.index(server)
    server.start(*(("--stream-url", relays[at - 1].url()) if at else ()))


class Roaming(Traffic):
    """Every post goes through any of the servers."""

    def __init__(self, places, **how):
        super().__init__(places[0], "quiz", BOARDS, ("whales", "trees"), **how)
        self.roads = [[client.Connection(place, seconds=10) for place in places] for _ in self.threads]

    def step(self, number, dice, sent):
        for player in self.players[number]:
            player.place = dice.choice(self.roads[number])
        super().step(number, dice, sent)


class Trouble(threading.Thread):
    """Until it is stopped, one thing after the other that makes memory wrong."""

    def __init__(self, dice):
        super().__init__(daemon=True)
        self.dice, self.ended = dice, threading.Event()
        self.psql = Psql(servers[0].conninfo())
        self.done, self.wrong = 0, []

    def run(self):
        try:
            while not self.ended.is_set():
                self.dice.choice((self.stall, self.lock, self.change_callers))()
                self.ended.wait(self.dice.uniform(0, 0.05))
        except Exception as e:
            self.wrong.append(f"{type(e).__name__}: {e}")
        finally:
            self.psql.close()

    def stall(self):
        relay = self.dice.choice(relays)
        relay.starve()
        self.ended.wait(self.dice.uniform(0.05, STALL_SECONDS_MAX))
        relay.feed()

    def wallets(self):
        return f"player_id % 7 = {self.dice.randrange(7)}"

    def lock(self):
        self.say(f"begin; select from wallet where {self.wallets()} order by player_id for update; "
                 f"select pg_sleep({self.dice.uniform(0, 0.1)}); commit")

    def change_callers(self):
        self.say(f"update wallet set callers_left = callers_left + 1 where {self.wallets()}")

    def say(self, sql):
        try:
            self.psql.run(sql)
            self.done += 1
        except Refused as refused:
            if "deadlock" not in str(refused) and "away" not in str(refused):
                self.wrong.append(str(refused))
            self.psql.close()

    def stop(self):
        self.ended.set()
        self.join(30)
        for relay in relays:
            relay.feed()


class StaleMemory(unittest.TestCase):
    def test_nothing_is_lost_or_counted_twice(self):
        dice = random.Random(f"{SEED} {self.id()}")
        ways, changed = {}, 0
        with Roaming(servers, threads=12, players=3, seed=f"{SEED} stale", name="stale") as traffic:
            for n in range(ROUNDS):
                with self.subTest(round=n):
                    trouble = Trouble(random.Random(f"{SEED} trouble {n}"))
                    trouble.start()
                    try:
                        traffic.flows(POSTS, "posts arrive")
                        victim = servers[n % len(servers)]
                        for way in ("one_trip", "broken", "two_trips"):
                            count = promtool.metric(victim, 'batches_total{way="%s"}' % way) or 0
                            ways[way] = ways.get(way, 0) + count
                        victim.kill9()
                        time.sleep(dice.uniform(0, 0.5))
                        start(victim)
                        traffic.flows(POSTS, "posts arrive again")
                    finally:
                        trouble.stop()
                    changed += trouble.done
                    self.assertEqual(trouble.wrong, [])
                    with traffic.quiet():
                        self.agree(dice)
        traffic.check(self)
        books.ledger_holds(self, psql, traffic.scores, traffic.donations)
        servers[0].audit()
        self.assertGreater(changed, 0, "no wallet was locked or changed")
        self.assertGreater(min(ways.values()), 0, f"batches of all ways: {ways}")
        print(f"note: {len(traffic.scores)} scores, {len(traffic.donations)} donations, batches {ways}")

    def agree(self, dice):
        for server in servers:
            seed = dice.random()
            reader = books.Reader(server)
            self.addCleanup(reader.close)
            books.until_same(AGREE_SECONDS_MAX, f"the {server.name} says what SQL says",
                             lambda: books.compare(reader, psql, random.Random(seed), window_count=2, people=1))
