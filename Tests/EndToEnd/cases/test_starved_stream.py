"""Two servers on one database, and the stream of the second one stops while its connections stay open: whatever is
older than two seconds is never served as current, and once the stream goes on ranks come from memory again."""
import time
import unittest

import client
import v1
from joined import Joined
from promtool import metric
from relay import DatabaseRelay
from server import Server, until

STALE_SECONDS_MAX = 2       # the contract
RECOVERY_SECONDS_MAX = 45
ROUNDS = 4
first = second = relay = None


def setUpModule():
    global first, second, relay
    first = Server("first")
    first.verb("game", "add", "quiz", "--name", "Quiz")
    first.verb("board", "add", "--game", "quiz", "sum", "--policy", "sum", "--earns", "fixed:10")
    first.verb("board", "add", "--game", "quiz", "ladder", "--policy", "sum")
    first.verb("charity", "add", "trees", "--name", "Trees")
    relay = DatabaseRelay(first.conninfo())
    second = Joined("second", first, start=False)
    second.start("--stream-url", relay.url())


def tearDownModule():
    relay.close()
    second.stop()
    first.stop()


def from_memory(server):
    return metric(server, "standings_loaded") == 1


class StarvedStream(unittest.TestCase):
    def setUp(self):
        relay.feed()
        until(lambda: from_memory(second), RECOVERY_SECONDS_MAX, "the second one ranks from memory")
        self.addCleanup(relay.feed)

    def answers(self, player):
        """What is asked of the second server, with what its answer says of the player's `posts` and `donations`."""
        board = "/v1/games/quiz/boards/sum"

        def points(answer):
            return next((row["points"] for row in answer.json()["rows"] if row.get("player") == player.id), 0)
        return {
            f"{board}/top.json": ("posts", points),
            f"{board}/top.json?window=today": ("posts", points),
            f"{board}/top.json?players={player.id}": ("posts", points),
            f"{board}/players/{player.id}": ("posts", lambda a: a.json()["points"] or 0),
            f"{board}/players/{player.id}/around.json?limit=3": ("posts", points),
            f"/v1/players/{player.id}": ("posts", lambda a: sum(b["points"] for b in a.json()["bests"])),
            "/v1/charities/trees/top.json": ("donations", points),
            "/v1/contributors/top.json": ("donations", points),
            "/v1/charities/trees": ("donations", lambda a: a.json()["points"]),
            "/v1/charities.json": ("donations", lambda a: a.json()["rows"][0]["points"]),
        }

    def seen(self, there, paths, wanted, acknowledged):
        """Reads all through the second server until each shows what was acknowledged; a read that began two seconds
        after that has to."""
        left = dict(paths)
        while left:
            for path, (kind, value) in list(left.items()):
                began = time.monotonic()
                answer = there.get(path)
                self.assertEqual(answer.status, 200, f"{path}: {answer!r}")
                if value(answer) == wanted[kind]:
                    del left[path]
                else:
                    self.assertLess(began - acknowledged, STALE_SECONDS_MAX,
                                    f"{path} shows {value(answer)} and not {wanted[kind]}: {answer.text[:400]}")

    def test_1_nothing_older_than_two_seconds_is_current(self):
        with client.Connection(first) as here, client.Connection(second) as there:
            player = v1.Player(here, "quiz", "Ada")
            wanted = {"posts": 0, "donations": 0}
            paths = self.answers(player)
            for n in range(ROUNDS):
                if n == 1:
                    until(lambda: from_memory(second) and
                          metric(second, "stream_seconds_since_heartbeat") < STALE_SECONDS_MAX,
                          RECOVERY_SECONDS_MAX, "the stream is up to date")
                    relay.starve()
                self.assertEqual(player.post("sum", 5 + n).status, 201)
                self.assertEqual(player.donate("trees", 2).status, 201)
                wanted = {"posts": wanted["posts"] + 5 + n, "donations": wanted["donations"] + 2}
                self.seen(there, paths, wanted, time.monotonic())
            self.assertFalse(from_memory(second), "with a starved stream ranks come from SQL")
            age = metric(second, "stream_seconds_since_heartbeat")
            self.assertTrue(age is None or age > STALE_SECONDS_MAX, age)
            relay.feed()
            until(lambda: from_memory(second), RECOVERY_SECONDS_MAX, "ranks come from memory again")
            self.seen(there, paths, wanted, time.monotonic() - STALE_SECONDS_MAX)

    def test_2_a_new_season_is_seen_without_the_stream(self):
        with client.Connection(first) as here, client.Connection(second) as there:
            player = v1.Player(here, "quiz", "Bea")
            self.assertEqual(player.post("ladder", 7).status, 201)
            top = "/v1/games/quiz/boards/ladder/top.json"
            until(lambda: there.get(top).json()["rows"], STALE_SECONDS_MAX, "the second one shows the post")
            relay.starve()
            first.verb("board", "reset", "--game", "quiz", "ladder")
            done = time.monotonic()
            while True:
                began = time.monotonic()
                answer = there.get(top)
                if not answer.json()["rows"]:
                    break
                self.assertLess(began - done, STALE_SECONDS_MAX, f"the season that has ended: {answer.text[:400]}")
