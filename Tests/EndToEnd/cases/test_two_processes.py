"""Two servers on one database, the first of which embeds it, and clients who write to both: at barriers both say the
same bytes, and what SQL says. A post is seen through the other one soon; kill -9 of one never harms the other. With
OTHER_BINARY, another version's program as the second one, it is a rolling upgrade."""
import contextlib
import random
import statistics
import time
import unittest

import books
import client
import v1
from joined import Joined
from psql import Psql
from seeds import SEED, rounds
from server import Server, until
from traffic import Traffic, Watcher, still_board

AGREE_SECONDS_MAX = 5
SEEN_SECONDS_MAX = 2        # a post of one through the other, on an idle machine a few milliseconds
BARRIERS = rounds(3)
BOARDS = {
    "best": ("--policy", "best", "--ties", "shared", "--zone", "America/New_York"),
    "latest": ("--policy", "latest", "--order", "lowest", "--points-min=-1000"),
    "sum": ("--policy", "sum", "--zone", "Pacific/Pago_Pago")
}
first = second = psql = still = None


def setUpModule():
    global first, second, psql, still
    first = Server("first")
    first.verb("game", "add", "quiz", "--name", "Quiz")
    for slug, arguments in BOARDS.items():
        first.verb("board", "add", "--game", "quiz", slug, *arguments, "--earns", "fixed:10")
    for slug in ("whales", "trees"):
        first.verb("charity", "add", slug, "--name", slug.title())
    still = still_board(first, "quiz", "still")
    psql = Psql(first.conninfo())
    second = Joined("second", first)


def tearDownModule():
    psql.close()
    second.stop()
    first.stop()


def shown(board):
    return board.slug not in ("still", "high-scores")


def addresses(dice):
    """What both are asked for, byte for byte."""
    found = []
    for board in books.boards(psql):
        for window in ("all", "today", dice.choice(("week", "month", "yesterday"))):
            for suffix in ("json", dice.choice(("csv", "xml", "plist", "atom", "html"))):
                found.append(f"{board.base}/top.{suffix}?window={window}&limit={dice.choice((3, 20, 100))}")
            if board.kind != "score":
                continue
            ids = [
                int(n) for (n,) in psql.patient(
                    f"select id from player where game_id = (select game_id from board where id = {board.id}) order by "
                    f"id"
                )
            ]
            for id in dice.sample(ids, min(2, len(ids))):
                found += [
                    f"{board.base}/players/{id}?window={window}",
                    f"{board.base}/players/{id}/around.json?window={window}&limit={dice.randint(2, 9)}"
                ]
            if ids:
                some = ",".join(map(str, dice.sample(ids, min(9, len(ids)))))
                found.append(f"{board.base}/top.json?window={window}&players={some}")
            found.append(f"{board.base}/rank?window={window}&points={dice.randint(1, 10**6)}")
    return found + [
        "/v1/charities.json", "/v1/charities.csv", "/v1/charities.html", "/v1/charities/whales", "/TopScores.xml",
        "/high_scores.xml"
    ]


@contextlib.contextmanager
def audited():
    """Tells a difference together with what the audit says, which knows on which side of the rollups it is."""
    try:
        yield
    except AssertionError as difference:
        said = first.run_verb("audit")
        raise AssertionError(f"{difference}\nThe audit: {said.stdout[-3000:]}{said.stderr[-500:]}") from difference


class TwoProcesses(unittest.TestCase):
    def setUp(self):
        self.dice = random.Random(f"{SEED} {self.id()}")

    def agree(self, seconds=AGREE_SECONDS_MAX):
        """Both say what SQL says, and the same bytes under the same ETags."""
        paths = addresses(self.dice)

        def same_bytes():
            with client.Connection(first) as one, client.Connection(second) as two:
                for path in paths:
                    a, b = one.get(path), two.get(path)
                    said = [(x.status, x["etag"], x["content-type"], x["cache-control"], x.body) for x in (a, b)]
                    self.assertEqual(a.status, 200, f"{path}: {a!r}")
                    books.same(said[0][0:4], said[1][0:4],
                               f"{path}: status, ETag, type and caching by the first, and by the second")
                    books.same(a.text, b.text, f"{path}: by the first, and by the second")
        books.until_same(seconds, "both say the same bytes", same_bytes)
        for server in (first, second):
            seed = self.dice.random()
            reader = self.reader(server)
            with audited():
                books.until_same(
                    seconds, f"the {server.name} says what SQL says",
                    lambda: books.compare(reader, psql, random.Random(seed), window_count=2, people=1, only=shown))

    def reader(self, server):
        reader = books.Reader(server)
        self.addCleanup(reader.close)
        return reader

    def test_1_writers_to_both(self):
        traffic = Traffic([first, second],
                          "quiz",
                          BOARDS, ("whales", "trees"),
                          threads=6,
                          players=4,
                          seed=f"{SEED} both",
                          name="both")
        with Watcher(second, still) as watcher, traffic:
            for _ in range(BARRIERS):
                traffic.flows(200, "posts arrive at both")
                with traffic.quiet():
                    self.agree()
        traffic.check(self)
        watcher.check(self)
        self.assertEqual(traffic.unavailable, [], "nobody was refused")
        books.ledger_holds(self, psql, traffic.scores, traffic.donations)
        first.audit()

    def test_2_a_post_is_seen_through_the_other(self):
        took = []
        with client.Connection(first) as one, client.Connection(second) as two:
            player = v1.Player(one, "quiz", "Ada")
            for n in range(1, 41):
                here, there = ((one, two), (two, one))[n % 2]
                player.place = here
                self.assertEqual(player.post("sum", n).status, 201)
                place = f"/v1/games/quiz/boards/sum/players/{player.id}"
                wanted = here.get(place)
                self.assertEqual(wanted.json()["points"], n * (n + 1) // 2, "the one that answered it shows it at once")
                began = time.monotonic()
                until(lambda: there.get(place).body == wanted.body, SEEN_SECONDS_MAX,
                      f"the other one shows {wanted.text}")
                took.append(time.monotonic() - began)
                # Names, pictures and who is hidden come the same way.
                if n % 8 == 0:
                    self.assertEqual(
                        player.call("PATCH",
                                    "/v1/players/me", {"name": f"Ada {n}"},
                                    type="application/merge-patch+json").status, 200)
                    until(lambda: f"Ada {n}" in there.get("/v1/games/quiz/boards/sum/top.csv?limit=100").text,
                          SEEN_SECONDS_MAX, "the other one shows the new name")
                    self.assertIn(f"Ada {n}", here.get("/v1/games/quiz/boards/sum/top.csv?limit=100").text)
        self.assertLess(statistics.median(took), 0.5, took)

    def test_3_a_retry_through_the_other_says_the_same(self):
        with client.Connection(first) as one, client.Connection(second) as two:
            player = v1.Player(one, "quiz", "Bea")
            for n in range(20):
                id = v1.new_id()
                player.place = (one, two)[n % 2]
                said = player.post("best", 1 + n * 7 % 11, id)
                self.assertEqual(said.status, 201, said)
                player.place = (two, one)[n % 2]
                again = player.post("best", 1 + n * 7 % 11, id)
                self.assertEqual((again.status, again["idempotent-replayed"]), (200, "true"), again)
                self.assertEqual(again.json(), said.json(), "nobody else has posted meanwhile")
                self.assertEqual(player.post("best", 12 + n, id).status, 409)

    def test_4_kill_9_of_one_never_harms_the_other(self):
        for victim, other in ((second, first), (first, second), (second, first)):
            name = f"{victim.name}{self.dice.randint(0, 10**6)}"
            unharmed = Traffic(other,
                               "quiz",
                               BOARDS, ("whales",),
                               threads=3,
                               players=3,
                               seed=f"{SEED} {name} other",
                               name=f"o{name}")
            harmed = Traffic(victim,
                             "quiz",
                             BOARDS, ("trees",),
                             threads=3,
                             players=3,
                             seed=f"{SEED} {name}",
                             name=f"v{name}")
            with Watcher(other, still) as watcher, unharmed, harmed:
                harmed.flows(30, "posts arrive")
                victim.kill9()
                unharmed.flows(100, f"posts arrive at the {other.name} while the {victim.name} is dead")
                with unharmed.quiet(), audited():
                    # The dead one's last posts, committed or not, are in both the ledger and the answers, or in
                    # neither.
                    reader = self.reader(other)
                    seed = self.dice.random()
                    books.until_same(
                        AGREE_SECONDS_MAX, "what the one left is what SQL says",
                        lambda: books.compare(reader, psql, random.Random(seed), window_count=2, people=1, only=shown))
                victim.start()
                harmed.flows(30, "posts arrive again")
                with unharmed.quiet(), harmed.quiet():
                    self.agree()
            for traffic in (unharmed, harmed):
                traffic.check(self)
                books.ledger_holds(self, psql, traffic.scores, traffic.donations)
            self.assertEqual(unharmed.unavailable, [], "nobody was refused")
            self.assertEqual((watcher.lost, watcher.statuses.get(503, 0)), (0, 0), "nobody's reading was refused")
            watcher.check(self)
        first.audit()
