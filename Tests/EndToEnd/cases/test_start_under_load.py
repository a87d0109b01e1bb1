"""A server that starts while hundreds of posts a second arrive through another one, and while players are hidden, rows
deleted by hand and a season ends: from its first answer on nothing it says differs from SQL at a barrier, and no ghost
stays."""
import os
import random
import threading
import time
import unittest

import books
import client
import v1
from joined import Joined
from load import Load
from psql import Psql
from seeds import SEED, rounds
from server import Server, until
from traffic import Traffic, Watcher, still_board

STARTS = rounds(1, nightly=2)
AGREE_SECONDS_MAX = 5       # the new process has not taken these posts: they come to it when they come
PLAYERS = 400
CONNECTIONS = 48            # of the crowd
BOARDS = {
    "best": ("--ties", "shared"), "sum": ("--policy", "sum", "--zone", "Asia/Kathmandu"),
    "latest": ("--policy", "latest", "--order", "lowest", "--points-min=-1000")
}
server = psql = still = players = None


def setUpModule():
    global server, psql, still, players
    server = Server("old")
    server.verb("game", "add", "quiz", "--name", "Quiz")
    for slug, arguments in BOARDS.items():
        server.verb("board", "add", "--game", "quiz", slug, *arguments, "--earns", "fixed:10")
    server.verb("charity", "add", "whales", "--name", "Whales")
    still = still_board(server, "quiz", "still")
    psql = Psql(server.conninfo())
    with client.Connection(server) as c:
        players = [v1.Player(c, "quiz", f"p{n}") for n in range(PLAYERS)]


def tearDownModule():
    psql.close()
    server.stop()


class Hand:
    """An operator who cannot keep his hands off the tables."""

    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.psql = Psql(psql.url)
        self.stop = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.wrong, self.gone, self.edits = [], {}, 0

    def run(self):
        ids = {b.slug: b.id for b in books.boards(self.psql) if b.kind == "score"}
        while not self.stop.wait(0.02):
            whom, board = self.dice.choice(players).id, ids[self.dice.choice(("best", "sum"))]
            try:
                self.psql.run(self.dice.choice((
                    f"update player set hidden = not hidden where id = {whom}",
                    f"update player set name = 'renamed {self.edits}' where id = {whom}",
                    f"delete from standing where board_id = {board} and player_id = {whom}",
                    f"delete from tally where board_id = {board} and player_id = {whom}",
                    f"update standing set points = points - 1 where board_id = {board} and player_id = {whom}")))
                self.edits += 1
            except Exception as e:
                self.wrong.append(str(e))

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stop.set()
        self.thread.join(10)
        self.psql.close()


def moving(board):
    """Whether posts arrive at a board while the others look at it."""
    return board.slug not in ("still", "high-scores")


class StartUnderLoad(unittest.TestCase):
    def setUp(self):
        self.dice = random.Random(f"{SEED} {self.id()}")

    def compare(self, one, seconds, truth="rollup", **more):
        reader = books.Reader(one)
        self.addCleanup(reader.close)
        seed = self.dice.random()

        def compared():
            return books.compare(reader,
                                 psql,
                                 random.Random(seed),
                                 truth=truth,
                                 window_count=2,
                                 people=2,
                                 only=moving,
                                 **more)
        return books.until_same(seconds, f"the {one.name} says what SQL says", compared)

    def test_1_while_hundreds_of_posts_a_second_arrive(self):
        """A crowd posts at full speed for a short while, in which the new one starts; when the crowd has gone, its last
        answers are compared."""
        joined = Joined("new", server, start=False)
        try:
            for turn in range(STARTS):
                with Hand(f"{SEED} {turn}") as hand, Watcher(server, still) as watcher:
                    crowd = Load(server.port, players, ["best", "sum", "latest"], CONNECTIONS, 2.5)
                    self.addCleanup(crowd.close)
                    time.sleep(0.7)
                    joined.launch()
                    # From its first 200 on: a board that nobody posts to is whole, and a board that grows never
                    # shrinks.
                    first = until(lambda: self.first_answer(joined), 30, "the new server answers")
                    self.assertEqual(first.body, watcher.wanted[f"{still}/top.json"], "its very first answer")
                    with Watcher(joined, still) as newer:
                        result = crowd.result()
                        until(lambda: newer.statuses.get(200, 0) > 20 or newer.wrong, 30, "the new one was read")
                if turn == 1:
                    server.verb("board", "reset", "--game", "quiz", "latest")
                told = f"turn {turn}: {len(result['acknowledged'])} posts in {result['took']:.1f} s, {hand.edits} edits"
                if os.environ.get("TELL"):
                    print(told, flush=True)
                self.assertEqual(hand.wrong, [], told)
                self.assertLessEqual(set(result["statuses"]), {"201", "503"}, f"{told}: {result['wrong']}")
                self.assertGreater(len(result["acknowledged"]), 100, told)
                watcher.check(self)
                newer.check(self)
                self.assertEqual((newer.lost, newer.statuses.get(503, 0)), (0, 0),
                                 "after its first answer the new one refused a read")
                try:
                    self.compare(joined, AGREE_SECONDS_MAX)
                    self.compare(server, AGREE_SECONDS_MAX)
                    time.sleep(0.5)
                    self.compare(joined, 0, seasons=True)       # and it stays so: no ghost comes back
                except AssertionError as e:
                    raise AssertionError(f"{told}: {e}") from e
                books.ledger_holds(self, psql, result["acknowledged"], {})
                if turn % 2:
                    joined.kill9()
                else:
                    joined.terminate()
        finally:
            joined.stop()

    def first_answer(self, one):
        if one.process.poll() is not None:
            self.fail(f"it ended: {one.log()[-2000:]}")
        try:
            answer = client.get(one, f"{still}/top.json")
        except (OSError, client.Broken):
            return None
        return answer if answer.status == 200 else None

    def test_2_barriers_right_after_the_first_answer(self):
        """The crowd can be stopped at once here, so the first answers of the new one are compared within moments of its
        start."""
        joined = Joined("newer", server, start=False)
        psql.patient("update player set hidden = false where hidden")
        try:
            for turn in range(STARTS):
                traffic = Traffic(server,
                                  "quiz", ("best", "sum"), ("whales",),
                                  threads=8,
                                  players=5,
                                  seed=f"{SEED} {turn}",
                                  name=f"t{turn}")
                with Watcher(server, still) as watcher, traffic:
                    traffic.flows(100, "posts arrive")
                    joined.launch()
                    until(lambda: self.first_answer(joined), 30, "the new server answers")
                    for pause in (0, 0.1, 0.5):
                        time.sleep(pause)
                        with traffic.quiet():
                            self.compare(joined, AGREE_SECONDS_MAX)
                            # What it takes itself it shows at once, from the first moment.
                            player = v1.Player(joined, "quiz", f"mine {turn} {pause}")
                            for points in (7, 3, 9):
                                answer = player.post("best", points)
                                self.assertEqual(answer.status, 201, answer)
                                said = player.get(f"/v1/games/quiz/boards/best/players/{player.id}").json()
                                self.assertEqual((said["points"], said["rank"], said["of"]),
                                                 (answer.json()["best"], answer.json()["rank"], answer.json()["of"]))
                            self.compare(joined, 0)
                        traffic.flows(50, "posts go on")
                traffic.check(self)
                watcher.check(self)
                self.assertEqual(traffic.unavailable, [], "nobody was refused because another server started")
                joined.kill9()
        finally:
            joined.stop()
