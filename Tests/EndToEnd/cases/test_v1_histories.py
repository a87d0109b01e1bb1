"""Random histories through v1 by several clients at once, over boards of every policy, order and ties in several zones
and over weeks of days; at pauses every page, rank and neighbourhood is what a naive model makes of the ledger."""
import datetime
import random
import time
import unittest

import client
import v1
from ranks import Board
from seeds import SEED, rounds, steps
from server import Server

ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Pacific/Kiritimati", "Pacific/Pago_Pago")
CHARITIES = ("red-cross", "whales")
THREADS = 4
PLAYERS = 6         # of each thread
ROUNDS = rounds(3, nightly=4)
STEPS = steps(50, nightly=70)          # of each thread in a round
server = None
boards = {}         # slug -> Board


def setUpModule():
    global server
    server = Server("v1histories")
    server.verb("game", "add", "quiz", "--name", "Quiz")
    number = 0
    for policy in ("best", "latest", "sum"):
        for order in ("highest", "lowest"):
            for ties in ("first", "shared"):
                zone = ZONES[(number + number // 6) % 6]
                server.verb("board", "add", "--game", "quiz", f"b{number}", "--policy", policy, "--order", order,
                            "--ties", ties, "--zone", zone, "--earns", "fixed:10", "--points-min=-1000000",
                            "--points-max", "1000000")
                boards[f"b{number}"] = Board(policy, order, ties, zone)
                number += 1
    for slug in CHARITIES:
        server.verb("charity", "add", slug, "--name", slug.title())


def tearDownModule():
    server.stop()


def instant(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


def days_go_by(count):
    """Everything that has happened so far happened `count` days earlier, at the same hour in each board's zone.
    The books of days that the server has closed meanwhile are closed again."""
    def earlier(column, zone):
        return f"{column} = (({column} at time zone {zone}) - interval '{count} days') at time zone {zone}"
    server.psql(f"""
        begin;
        update score
           set day = score.day - {count}, {earlier("reached_at", "b.zone")}, {earlier("recorded_at", "b.zone")}
          from board b where b.id = score.board_id;
        update donation
           set day = day - {count}, {earlier("reached_at", "'UTC'")}, {earlier("recorded_at", "'UTC'")},
               {earlier("day_began_at", "'UTC'")};
        update standing set {earlier("reached_at", "b.zone")} from board b where b.id = standing.board_id;
        update tally set day = day - 100000, {earlier("reached_at", "b.zone")}
          from board b where b.id = tally.board_id;
        update tally set day = day + (100000 - {count});
        truncate book_day, book_charity, book_game;
        commit;""")


class Histories(unittest.TestCase):
    maxDiff = 3000

    def test_every_page_is_what_the_model_says(self):
        self.dice = random.Random(SEED)
        self.connections = [client.Connection(server) for _ in range(THREADS)]
        self.players = [[v1.Player(c, "quiz", f"p{n}-{m}") for m in range(PLAYERS)]
                        for n, c in enumerate(self.connections)]
        self.everybody = {p.id: p for some in self.players for p in some}
        self.counts = [0] * THREADS
        try:
            for self.round in range(ROUNDS):
                client.in_threads(THREADS, self.play)
                self.read_the_ledgers()
                self.compare()
                if self.round < ROUNDS - 1:
                    days_go_by(self.dice.choice((1, 2, 5, 9)))
        except (AssertionError, client.Broken) as e:
            raise AssertionError(f"round {self.round}: {e}") from e
        server.audit()

    # -- writing

    def play(self, thread):
        dice = random.Random(f"{SEED} {self.round} {thread}")
        sent = []
        for _ in range(STEPS):
            player = dice.choice(self.players[thread])
            kind = dice.random()
            if kind < 0.1 and sent:
                player, board, points, id = dice.choice(sent)
                answer = player.post(board, points, id)
                assert (answer.status, answer["idempotent-replayed"]) == (200, "true"), answer
            elif kind < 0.3:
                answer = player.donate(dice.choice(CHARITIES), dice.randint(1, 12), anonymous=dice.random() < 0.4)
                assert answer.status in (201, 422), answer
                self.counts[thread] += answer.status == 201
            else:
                board = dice.choice(list(boards))
                points = dice.choice([n for n in range(-9, 10) if n] + [dice.randint(1, 10**6)])
                id = v1.new_id()
                answer = player.post(board, points, id)
                assert answer.status == 201, answer
                said = answer.json()
                # A loaded machine leaves the rank out while its memory is behind the books.
                assert "rank" not in said or 1 <= said["rank"] <= said["of"] <= THREADS * PLAYERS, said
                assert boards[board].policy != "latest" or said["best"] == points, said
                assert boards[board].policy != "best" or not boards[board].better(points, said["best"]), said
                sent.append((player, board, points, id))
                self.counts[thread] += 1

    def read_the_ledgers(self):
        """From the players' own histories: what each was told, with the server's clock."""
        self.donation_boards = {slug: Board("sum") for slug in CHARITIES + ("overall",)}
        for board in boards.values():
            board.posts = []
        rows = 0
        for id, player in self.everybody.items():
            for what in ("scores", "donations"):
                query = "?limit=100"
                while True:
                    answer = player.get(f"/v1/players/me/{what}{query}")
                    assert answer.status == 200, answer
                    said = answer.json()
                    for row in said["rows"]:
                        rows += 1
                        at = instant(row["reached_at"])
                        if what == "scores":
                            boards[row["board"]].posts.append((id, row["points"], at, id))
                        else:
                            # An anonymous donation is a row of its own, and tells its day alone.
                            hidden = row["anonymous"]
                            who = (row["id"] if hidden else id, hidden)
                            at = at.replace(hour=0, minute=0, second=0, microsecond=0) if hidden else at
                            for slug in (row["charity"], "overall"):
                                self.donation_boards[slug].posts.append((who, row["points"], at, 0 if hidden else id))
                    if "next" not in said:
                        break
                    query = f"?limit=100&after={said['next']}"
        assert rows == sum(self.counts), f"{rows} rows in all histories, {sum(self.counts)} were acknowledged"

    # -- reading

    def windows(self, board):
        today = board.now()
        early = today - datetime.timedelta(days=self.dice.randint(1, 12))
        late = min(today, early + datetime.timedelta(days=self.dice.randint(0, 9)))
        named = [f"{d.isocalendar().year}-W{d.isocalendar().week:02}"
                 for d in (early, today)] + [early.strftime("%Y-%m"), f"{early}..{late}", f"{early}..{early}"]
        return ["all", "today", *self.dice.sample(["yesterday", "week", "month", *named], 3)]

    def compare(self):
        work = [(f"/v1/games/quiz/boards/{slug}", board, False) for slug, board in boards.items()]
        work += [(f"/v1/charities/{slug}" if slug != "overall" else "/v1/contributors", board, True)
                 for slug, board in self.donation_boards.items()]
        jobs = [(base, board, donation_boards, window, self.dice.getrandbits(32))
                for base, board, donation_boards in work
                for window in self.windows(board)]

        def some(thread):
            for base, board, donation_boards, window, seed in jobs[thread::THREADS]:
                self.compare_one(self.connections[thread], base, board, donation_boards, window, random.Random(seed))
        client.in_threads(THREADS, some)

    def compare_one(self, connection, base, board, donation_boards, window, dice):
        while True:
            today = board.now()
            try:
                self.compare_now(connection, base, board, donation_boards, window, dice, today)
                return
            except AssertionError:
                if board.now() == today:
                    raise                       # else midnight came in between: once more

    def compare_now(self, connection, base, board, donation_boards, window, dice, today):
        here = f"{base} {board.policy} {board.order} {board.ties} {board.zone} {window}"

        def get(path):
            answer = connection.get(f"{base}/{path}{'&' if '?' in path else '?'}window={window}")
            self.assertEqual(answer.status, 200, f"{here} {path}: {answer!r}")
            return answer.json()
        rows = board.rows(window, today)
        wanted = [(r["rank"], r["tied"], *self.shown(r["who"], donation_boards), r["points"], r["reached_at"])
                  for r in rows]
        forward = self.pages(get, here, board, wanted, dice.choice((1, 2, 3, 5, 8, 50)), today, window)
        self.assertEqual(forward, wanted, here)
        if donation_boards:
            return
        for id in dice.sample(sorted(self.everybody), 5):
            said = get(f"players/{id}")
            rank, points, of, percentile, to_next = board.place(rows, id)
            want = {"player": id, "rank": rank, "points": points, "of": of}
            want |= {k: v for k, v in (("percentile", percentile), ("to_next", to_next)) if v is not None}
            self.assertEqual(said, want, f"{here} place")
            limit = dice.randint(1, 9)
            seen = [r["player"] for r in get(f"players/{id}/around.json?limit={limit}")["rows"]]
            order = [r["who"] for r in rows]
            if rank is None:
                self.assertEqual(seen, [], here)
                continue
            at = order.index(id)
            starts = {max(0, min(at - above, len(order) - limit)) for above in {(limit - 1) // 2, limit // 2}}
            self.assertIn(seen, [order[s:s + limit] for s in starts], f"{here} around {id}, limit {limit}")
        for points in (dice.randint(-10, 10), dice.randint(-10**6, 10**6)):
            self.assertEqual(get(f"rank?points={points}"),
                             {"points": points, "rank": board.rank_of(rows, points), "of": len(rows)}, here)
        asked = set(dice.sample(sorted(self.everybody), 7))
        some = [r for r in rows if r["who"] in asked]
        said = get(f"top.json?players={','.join(map(str, asked))}")
        want = [(r["who"], r["rank"], 1 + [s["points"]
                                           for s in some].index(r["points"]) if board.ties == "shared" else n)
                for n, r in enumerate(some, 1)]
        self.assertEqual([(r["player"], r["rank"], r["among"]) for r in said["rows"]], want, f"{here} players=")
        start = dice.randint(1, max(1, len(rows)))
        said = get(f"top.json?from={start}&limit=3")
        self.assertEqual([r["player"] for r in said["rows"]], [r["who"] for r in rows[start - 1:start + 2]],
                         f"{here} from={start}")

    def shown(self, who, donation_boards):
        if not donation_boards:
            return who, self.everybody[who].name
        id, anonymous = who
        return (None, "Anonymous") if anonymous else (id, self.everybody[id].name)

    def pages(self, get, here, board, wanted, limit, today, window):
        """Every page to the end, and back."""
        forward, back = [], []
        query, turn = "", "next"
        while True:
            said = get(f"top.json?limit={limit}{query}")
            bounds = board.bounds(window, today)
            over = bounds is not None and bounds[1] <= datetime.datetime.now(datetime.UTC)
            self.assertEqual((said["of"], said["zone"], said["ties"], said["final"], said["window"]),
                             (len(wanted), board.zone, board.ties, over, window), here)
            self.assertEqual(
                tuple(instant(said[k]) for k in ("from", "until")) if "from" in said else None, bounds, here)
            (forward if turn == "next" else back).append(
                [
                    (r["rank"], r["tied"], r.get("player"), r["name"], r["points"], instant(r["reached_at"]))
                    for r in said["rows"]
                ]
            )
            if turn == "next" and "next" not in said:
                turn = "prev"
                back.append(forward[-1])
            if turn not in said:
                break
            query = f"&{'after' if turn == 'next' else 'before'}={said[turn]}"
            self.assertLessEqual(len(forward) + len(back), 2 * len(wanted) + 2, f"{here}: a walk without an end")
        self.assertEqual(back[::-1], forward, f"{here}: forward and back, limit {limit}")
        return [r for page in forward for r in page]

    # -- reading while others write

    def test_paging_while_posts_arrive(self):
        server.verb("board", "add", "--game", "quiz", "busy", "--ties", "shared")
        dice = random.Random(SEED)
        still = [v1.Player(server, "quiz", f"still {n}") for n in range(40)]
        for n, player in enumerate(still):
            player.place = server
            assert player.post("busy", 1_000 - 10 * (n // 2)).status == 201
        connections = [client.Connection(server) for _ in range(4)]
        movers = [[v1.Player(connections[t], "quiz", f"mover {t}-{n}") for n in range(5)] for t in range(2)]
        for mover in movers[0] + movers[1]:     # so that `of` stays: the walk back begins with the last row
            assert mover.post("busy", dice.randint(1, 1_500)).status == 201
        order = [p.id for p in still]
        end = time.monotonic() + 6
        walks = [0, 0]

        def work(thread):
            if thread < 2:
                mine = random.Random(dice.random() + thread)
                while time.monotonic() < end:
                    answer = mine.choice(movers[thread]).post("busy", mine.randint(1, 1_500))
                    self.assertEqual(answer.status, 201, answer)
                return
            turn, back, limit = ("next", "after", 7) if thread == 2 else ("prev", "before", 6)
            while time.monotonic() < end or not walks[thread - 2]:
                seen, query = [], ""
                if turn == "prev":
                    said = connections[thread].get("/v1/games/quiz/boards/busy/top.json?limit=100").json()
                    last = connections[thread].get(
                        f"/v1/games/quiz/boards/busy/top.json?limit=1&from={said['of']}").json()
                    seen, query = [r["player"] for r in last["rows"]], f"&before={last['prev']}"
                while True:
                    answer = connections[thread].get(f"/v1/games/quiz/boards/busy/top.json?limit={limit}{query}")
                    self.assertEqual(answer.status, 200, answer)
                    said = answer.json()
                    rows = said["rows"]
                    self.assertEqual(sorted(rows, key=lambda r: (-r["points"], r["reached_at"], r["player"])), rows)
                    self.assertLessEqual(len(rows), limit)
                    self.assertEqual(len({r["player"] for r in rows}), len(rows))
                    for above, below in zip(rows, rows[1:]):
                        self.assertTrue(
                            above["rank"] == below["rank"]
                            if above["points"] == below["points"] else above["rank"] < below["rank"], rows)
                    players = [r["player"] for r in rows]
                    seen = seen + players if turn == "next" else players + seen
                    if turn not in said:
                        break
                    query = f"&{back}={said[turn]}"
                self.assertEqual([p for p in seen if p in set(order)], order,
                                 "who does not move is on exactly one page, in order")
                walks[thread - 2] += 1
        client.in_threads(4, work)
        self.assertTrue(all(walks), walks)
        for c in connections:
            c.close()
