"""Random histories while the server serves: posts, retries, donations, renames, players who are hidden and shown again,
rows of the rollups that somebody edits by hand, new seasons and new boards. At barriers every answer of every board and
window is what SQL makes of the ledger, or, once a rollup was edited by hand, of the rollup.
"""
import random
import time
import unittest

import books
import client
import v1
from psql import Psql
from seeds import SEED, rounds, steps
from server import Server

SLOW = True

ROUNDS = rounds(2, nightly=3)
STEPS = steps(30, nightly=40)          # of each thread in a round
THREADS = 4
PLAYERS = 7         # of each thread
AGREE_SECONDS_MAX = 5       # after a hand edit, which nobody who posts can wait for
ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Pacific/Kiritimati", "Pacific/Pago_Pago")
CHARITIES = ("red-cross", "whales", "trees")
server = psql = None


def setUpModule():
    global server, psql
    server = Server("live")
    server.verb("game", "add", "quiz", "--name", "Quiz")
    psql = Psql(server.conninfo())
    number = 0
    for policy in ("best", "latest", "sum"):
        for order in ("highest", "lowest"):
            add_board(f"b{number}", policy, order, ("first", "shared")[number % 2], ZONES[number])
            number += 1
    add_board("b6", "best", "highest", "shared", "Europe/Berlin")
    for slug in CHARITIES:
        server.verb("charity", "add", slug, "--name", slug.title())


def tearDownModule():
    psql.close()
    server.stop()


def add_board(slug, policy, order, ties, zone):
    server.verb("board", "add", "--game", "quiz", slug, "--policy", policy, "--order", order, "--ties", ties, "--zone",
                zone, "--earns", "fixed:10", "--points-min=-1000000", "--points-max", "1000000")


class Histories(unittest.TestCase):
    def begin(self, name):
        self.dice = random.Random(f"{SEED} {name}")
        self.connections = [client.Connection(server) for _ in range(THREADS)]
        self.players = [[v1.Player(c, "quiz", f"{name} {n}-{m}") for m in range(PLAYERS)]
                        for n, c in enumerate(self.connections)]
        self.slugs = [b.slug for b in books.boards(psql) if b.base.startswith("/v1/games/quiz/")]
        self.sent = [[] for _ in range(THREADS)]
        self.scores, self.donations = {}, {}
        # One for all rounds: what it keeps by ETag must not be believed too long
        self.reader = books.Reader(server)
        self.reads = 0
        self.addCleanup(self.reader.close)
        for c in self.connections:
            self.addCleanup(c.close)

    def explained(self, round, edits, e):
        return AssertionError(f"round {round}, edited: {edits[-4:]}: {e}")

    # -- what happens

    def play(self, thread):
        dice = random.Random(f"{SEED} {self.id()} {self.round} {thread}")
        for _ in range(STEPS):
            player, kind = dice.choice(self.players[thread]), dice.random()
            if kind < 0.1 and self.sent[thread]:
                again, board, points, id, fields = dice.choice(self.sent[thread])
                answer = again.post(board, points, id) if fields is None else again.donate(board, points, id, **fields)
                assert (answer.status, answer["idempotent-replayed"]) == (200, "true"), f"a retry: {answer!r}"
            elif kind < 0.3:
                id, fields = v1.new_id(), {"anonymous": dice.random() < 0.4}
                charity, points = dice.choice(CHARITIES), dice.randint(1, 12)
                answer = player.donate(charity, points, id, **fields)
                assert answer.status in (201, 422), answer
                if answer.status == 201:
                    self.donations[id] = points
                    self.sent[thread].append((player, charity, points, id, fields))
            elif kind < 0.34:
                self.names = getattr(self, "names", 0) + 1
                answer = player.call(
                    "PATCH",
                    "/v1/players/me",
                    {"name": f"{dice.choice(('Ada', 'Tom & Jerry', 'Zoë, 3rd', '<b>'))} {thread}-{self.names}"},
                    type="application/merge-patch+json")
                assert answer.status == 200, answer
            else:
                id, board = v1.new_id(), dice.choice(self.slugs)
                points = dice.choice([n for n in range(-9, 10)] + [dice.randint(1, 10**6)] * 3)
                answer = player.post(board, points, id)
                assert answer.status == 201, f"{points} to {board}: {answer!r}"
                self.scores[id] = points
                self.sent[thread].append((player, board, points, id, None))
        assert thread != 0 or self.sent[0]

    def hide_some(self):
        """In SQL, as an operator does it."""
        some = ",".join(str(p.id) for n in range(THREADS) for p in self.dice.sample(self.players[n], 2))
        psql.run(f"update player set hidden = not hidden where id in ({some})")
        return f"hidden is the other way round: {some}"

    def edit_a_rollup(self, board):
        """By hand, behind everybody's back. Afterwards the rollup is right, whatever the ledger says."""
        dice = self.dice
        ids = [
            int(i)
            for (i,) in psql.run(f"select player_id from standing where board_id = {board.id} order by player_id")
        ]
        kind = dice.choice(
            ("delete", "delete tally", "points", "points", "tally points", "insert", "insert tally", "when"))
        whom = dice.choice(ids) if ids else None
        absent = [p.id for some in self.players for p in some if p.id not in ids]
        points = dice.randint(1, 10**6)
        today = board.today()
        if kind.startswith("insert"):
            if not absent:
                kind, whom = "points", whom
            else:
                whom = dice.choice(absent)
        if whom is None and not kind.startswith("insert"):
            return None
        sql = {
            "delete": f"delete from standing where board_id = {board.id} and player_id = {whom}",
            "delete tally": f"delete from tally where board_id = {board.id} and player_id = {whom}",
            "points": f"update standing set points = {points} where board_id = {board.id} and player_id = {whom}",
            "tally points": f"update tally set points = {points} where board_id = {board.id} and player_id = {whom}",
            "insert": f"insert into standing (board_id, player_id, points, reached_at, lowest_first) values "
                      f"({board.id}, {whom}, {points}, now(), {board.lowest_first})",
            "insert tally": f"insert into tally (board_id, day, player_id, points, reached_at) values ({board.id}, "
                            f"date '{today}' - {dice.randint(0, 9)}, {whom}, {points}, now() - interval '1 hour') "
            "on conflict (board_id, day, player_id) do update set points = excluded.points",
            "when": f"update standing set reached_at = reached_at - interval '1 hour' where board_id = {board.id} and "
                    f"player_id = {whom}",
        }[kind]
        psql.run(sql)
        return sql

    # -- the barriers

    def compare(self, truth, seconds=0, window_count=None, only=None, seasons=False):
        seed = self.dice.random()

        def once():
            self.reads += books.compare(self.reader,
                                        psql,
                                        random.Random(seed),
                                        truth=truth,
                                        window_count=window_count,
                                        only=only,
                                        seasons=seasons,
                                        people=2)
        books.until_same(seconds, f"by {truth}", once)

    def test_1_by_the_ledger(self):
        """Nobody edits a rollup: a post, a donation and a new name are seen at once, so nothing is asked twice; only
        who was hidden may take a moment."""
        self.begin("ledger")
        edits = []
        for self.round in range(ROUNDS):
            try:
                client.in_threads(THREADS, self.play)
                self.compare("ledger", window_count=None if self.round == 1 else 3)
                what = self.round % 3
                if what == 0:
                    edits.append(self.hide_some())
                    self.compare("ledger", AGREE_SECONDS_MAX, window_count=2)
                elif what == 1:
                    slug = self.dice.choice(self.slugs)
                    server.verb("board", "reset", "--game", "quiz", slug)
                    edits.append(f"{slug} was reset")
                    # At once: the operator's verb has ended, and the next who posts stands in the new season.
                    player = self.players[0][0]
                    answer = player.post(slug, 5)
                    self.assertEqual((answer.status, answer.json()["best"]), (201, 5), answer)
                    hidden = psql.run(f"select hidden from player where id = {player.id}") == [["t"]]
                    self.assertEqual((answer.json().get("rank"), answer.json()["of"]), (None, 0) if hidden else (1, 1),
                                     answer)
                    self.compare("ledger",
                                 AGREE_SECONDS_MAX,
                                 window_count=2,
                                 only=lambda b: b.slug == slug,
                                 seasons=True)
                else:
                    slug = f"new{self.round}"
                    add_board(slug, self.dice.choice(("best", "latest", "sum")), self.dice.choice(
                        ("highest", "lowest")), self.dice.choice(("first", "shared")), self.dice.choice(ZONES))
                    self.slugs.append(slug)
                    edits.append(f"{slug} was added")
                    self.assertEqual(self.reader.json(f"/v1/games/quiz/boards/{slug}/top.json")["of"], 0)
                    self.assertEqual(self.players[1][1].post(slug, 7).status, 201)
                    self.compare("ledger", window_count=2, only=lambda b: b.slug == slug)
            except (AssertionError, client.Broken) as e:
                raise self.explained(self.round, edits, e) from e
        try:
            self.compare("ledger", seasons=True, window_count=3)
        except AssertionError as e:
            raise self.explained("last", edits, e) from e
        books.ledger_holds(self, psql, self.scores, self.donations)
        server.audit()

    def test_2_by_the_rollups_that_somebody_edits(self):
        self.begin("rollup")
        edits = []
        for self.round in range(ROUNDS):
            try:
                client.in_threads(THREADS, self.play)
                self.compare("rollup", window_count=2)
                for _ in range(8):
                    board = self.dice.choice(
                        [b for b in books.boards(psql) if b.kind == "score" and b.slug in self.slugs])
                    edits.append(self.edit_a_rollup(board))
                if self.round % 2:
                    edits.append(self.hide_some())
                self.compare("rollup", AGREE_SECONDS_MAX, window_count=3)
                # Whoever was edited posts again: what the batch makes of the edited row is what is shown, at once.
                for n in range(8):
                    player = self.dice.choice(self.players[n % THREADS])
                    self.assertEqual(player.post(self.dice.choice(self.slugs), self.dice.randint(1, 10**6)).status, 201)
                self.compare("rollup", window_count=2)
            except (AssertionError, client.Broken) as e:
                raise self.explained(self.round, edits, e) from e

    def test_3_hand_edits_while_others_post(self):
        """No ghost: what was deleted, hidden or changed while posts arrived stays so."""
        self.begin("both")
        edits = []
        for self.round in range(2):
            try:
                def work(thread):
                    if thread < THREADS:
                        return self.play(thread)
                    end = time.monotonic() + 1.2
                    hand = Psql(server.conninfo())
                    dice = random.Random(f"{SEED} hand {self.round}")
                    found = [b for b in books.boards(hand) if b.kind == "score" and b.slug in self.slugs]
                    everybody = [p.id for some in self.players for p in some]
                    while time.monotonic() < end:
                        board, whom = dice.choice(found), dice.choice(everybody)
                        hand.run(
                            dice.choice((
                                f"delete from standing where board_id = {board.id} and player_id = {whom}",
                                f"update standing set points = points + 1 where board_id = {board.id} and player_id = "
                                f"{whom}",
                                f"delete from tally where board_id = {board.id} and player_id = {whom}",
                                f"update player set hidden = not hidden where id = {whom}",
                                f"begin; delete from standing where board_id = {board.id} and player_id = {whom}; "
                                f"rollback"
                            )))
                        time.sleep(0.01)
                    hand.close()
                client.in_threads(THREADS + 1, work)
                self.compare("rollup", AGREE_SECONDS_MAX, window_count=2)
                time.sleep(0.3)
                self.compare("rollup", window_count=2)
            except (AssertionError, client.Broken) as e:
                raise self.explained(self.round, edits, e) from e
        # All three rollups: what charities received is added up in one of its own.
        psql.run("truncate tally, standing, charity_total")
        self.compare("rollup", AGREE_SECONDS_MAX, window_count=2)
        self.assertEqual(self.reader.json("/v1/games/quiz/boards/b0/top.json")["of"], 0, "truncate leaves nobody")
