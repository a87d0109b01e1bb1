"""Clients that post, donate, retry and look at what they posted, through every fault; and one that watches a board
which must not change."""
import contextlib
import datetime
import random
import threading
import time

import client
import seeds
import v1
from server import until

PATIENCE_SECONDS = 60       # a post that nobody has acknowledged after this long is a failure
WATCH_SECONDS_MAX = 60
READS_MIN = 20              # without as many answers a watcher has not watched


class Traffic:
    """Threads of writers. Each has a connection and players of its own, and keeps one request under way; an answer that
    never came is asked for again, under the same id, until it comes. `servers` may be one or several: writer n speaks
    to the n-th.

    After `with traffic.quiet():` nobody writes and everything sent is acknowledged."""

    def __init__(self,
                 servers,
                 game,
                 boards,
                 charities,
                 threads=8,
                 players=4,
                 seed=0,
                 pause=0.0,
                 points=10**6,
                 looks=0.15,
                 seconds=10,
                 away=(503,),
                 name="writer",
                 patience=PATIENCE_SECONDS):
        self.servers = servers if isinstance(servers, (list, tuple)) else [servers]
        self.game, self.boards, self.charities = game, list(boards), list(charities)
        self.away = away                        # statuses after which a client tries again; a proxy has its own
        self.seed, self.pause, self.points, self.looks = seed, pause, points, looks
        self.patience = patience
        self.stop, self.go = threading.Event(), threading.Event()
        self.go.set()
        self.lock = threading.Condition()
        self.parked = self.alive = 0
        self.scores, self.donations = {}, {}        # id -> points, acknowledged
        self.receipts = {}                      # id -> what the first acknowledgement said and every other has to say
        self.wrong = []                         # what no client should see
        self.unavailable = []                   # 503s
        self.silent = []                        # requests on whose connection nothing came
        self.replayed = 0                       # acknowledged again, and the same
        self.seconds_max = 0.0                  # the slowest answer of any status
        self.connections = [
            client.Connection(self.servers[n % len(self.servers)], seconds=seconds) for n in range(threads)
        ]
        self.players = [[v1.Player(c, game, f"{name} {n}-{m}") for m in range(players)]
                        for n, c in enumerate(self.connections)]
        self.threads = [threading.Thread(target=self.run, args=(n,), daemon=True) for n in range(threads)]

    # -- one writer

    def run(self, number):
        with self.lock:
            self.alive += 1
        try:
            dice = random.Random(f"{self.seed} writer {number}")
            sent = []
            while not self.stop.is_set():
                if not self.go.is_set():
                    self.park()
                    continue
                self.step(number, dice, sent)
                if self.pause:
                    time.sleep(self.pause)
        except Exception as e:
            self.wrong.append(f"writer {number}: {type(e).__name__}: {e}")
        finally:
            self.connections[number].close()
            with self.lock:
                self.alive -= 1
                self.lock.notify_all()

    def park(self):
        with self.lock:
            self.parked += 1
            self.lock.notify_all()
        while not self.go.wait(0.2) and not self.stop.is_set():
            pass
        with self.lock:
            self.parked -= 1

    def step(self, number, dice, sent):
        player, kind = dice.choice(self.players[number]), dice.random()
        if kind < 0.12 and sent:
            self.acknowledged(dice.choice(sent[-200:]), again=True)
        elif kind < 0.3 and self.charities:
            work = ("donation", player, dice.choice(self.charities), dice.randint(1, 9), v1.new_id(),
                    dice.random() < 0.4)
            if self.acknowledged(work):
                sent.append(work)
        else:
            points = dice.choice((dice.randint(-9, 9), dice.randint(1, self.points)))
            work = ("score", player, dice.choice(self.boards), points, v1.new_id(), None)
            if self.acknowledged(work):
                sent.append(work)
            if dice.random() < self.looks:
                self.look(player, work[2])

    def acknowledged(self, work, again=False):
        """Sends one post until its answer is there. False when it was refused, as a donation may be."""
        kind, player, where, points, id, anonymous = work
        end = time.monotonic() + self.patience
        tried = 0
        while True:
            began = time.monotonic()
            try:
                tried += 1
                answer = player.post(where, points, id) if kind == "score" else player.donate(
                    where, points, id, anonymous=anonymous)
            except (OSError, client.Broken) as e:
                if "no answer within" in str(e):
                    self.silent.append(f"{kind} {id}: {e}")
                if time.monotonic() > end:
                    raise AssertionError(f"{kind} {id} not acknowledged within {self.patience} s: {e}") from None
                time.sleep(0.03)        # nobody is listening: a phone tries again a little later
                continue
            self.seconds_max = max(self.seconds_max, time.monotonic() - began)
            if answer.status in self.away:
                self.unavailable.append(answer)
                if time.monotonic() > end:
                    raise AssertionError(f"{kind} {id}: still {answer!r} after {self.patience} s")
                time.sleep(0.05)
                continue
            break
        if kind == "donation" and answer.status == 422 and not again:
            assert answer.json()["type"] == "/problems/overspent", answer
            return False
        wanted = (200,) if again else (200, 201) if tried > 1 else (201,)
        if answer.status not in wanted or (answer.status == 200) != (answer["idempotent-replayed"] == "true"):
            self.wrong.append(
                f"{kind} {id} of {points} to {where}, try {tried}{', acknowledged before' if again else ''}: {answer!r}"
            )
            return False
        said = answer.json()
        receipt = tuple(
            said.get(k) for k in (("points", "earned", "improved") if kind == "score" else ("charity", "points")))
        if self.receipts.setdefault(id, receipt) != receipt or said["points"] != points:
            self.wrong.append(f"{kind} {id} was acknowledged as {self.receipts[id]}, and then as {receipt}")
        (self.scores if kind == "score" else self.donations)[id] = points
        if again:
            self.replayed += 1
        elif kind == "score":
            player.bests = getattr(player, "bests", {})
            player.bests[where] = said["best"]
        return True

    def look(self, player, board):
        """The process that answered the post shows it at once. Nobody else posts for this player meanwhile."""
        try:
            answer = player.place.get(f"/v1/games/{self.game}/boards/{board}/players/{player.id}")
        except (OSError, client.Broken):
            return
        if answer.status in self.away:
            return
        if answer.status != 200 or answer.json(
        )["points"] != player.bests[board] or not 1 <= answer.json()["rank"] <= answer.json()["of"]:
            self.wrong.append(
                f"posted, best {player.bests[board]} on {board}, and then the player's place is {answer!r}")

    # -- all of them

    @property
    def count(self):
        return len(self.scores) + len(self.donations)

    def __enter__(self):
        for t in self.threads:
            t.start()
        until(lambda: self.alive == len(self.threads), 60, "the writers have begun")
        return self

    def __exit__(self, *_):
        self.stop.set()
        end = time.monotonic() + self.patience + 15
        for t in self.threads:
            t.join(max(0.01, end - time.monotonic()))

    def flows(self, more, what, seconds=None):
        """Waits until so many more were acknowledged."""
        count = self.count + more
        until(lambda: self.count >= count or self.wrong or not self.alive, seconds or self.patience, what)
        assert not self.wrong, f"{what}: {self.wrong[0]}"

    @contextlib.contextmanager
    def quiet(self, seconds=None):
        seconds = seconds or self.patience
        self.go.clear()
        try:
            with self.lock:
                assert self.lock.wait_for(lambda: self.parked >= self.alive,
                                          seconds), f"posts are not answered after {seconds} s"
            assert not self.wrong, self.wrong[0]
            yield
        finally:
            self.go.set()

    def check(self, case):
        """At the end: no writer waits, none saw what it should not."""
        case.assertFalse(any(t.is_alive() for t in self.threads), "writers still wait")
        case.assertEqual(self.wrong[:3], [], f"{len(self.wrong)} wrong answers")
        for answer in self.unavailable:
            case.assertRegex(answer["retry-after"] or "", r"^\d+$", f"a 503 without Retry-After: {answer!r}")
            for leak in ("postgres", "libpq", "socket", "SQL", "terminat", "/tmp", "/dev/shm", "slot", "replication"):
                case.assertNotIn(leak, answer.text)


class Watcher:
    """Reads a board that nobody posts to, all the time, whatever happens: an answer is 503, or it is these bytes. And a
    board on which nobody's rows go away: how many stand on it never falls."""

    def __init__(self, server, base, growing=None):
        self.server, self.base, self.growing, self.pause = server, base, growing, seeds.load_pause(0.01)
        self.stop = threading.Event()
        self.wrong, self.statuses, self.lost, self.size = [], {}, 0, 0
        self.silent = []
        self.seconds_max = 0.0
        rows = self.answered(f"{base}/top.json?limit=100").json()["rows"]
        middle = rows[len(rows) // 2]["player"]
        paths = [
            "top.json", "top.csv?window=today", "top.xml?limit=3", "top.json?window=month&from=3&limit=4",
            f"players/{middle}", f"players/{middle}/around.json?limit=4", f"rank?points={rows[1]['points']}",
            f"top.json?players={middle},{rows[0]['player']}"
        ]
        self.day = datetime.datetime.now(datetime.UTC).date()
        self.wanted = {f"{base}/{p}": self.answered(f"{base}/{p}").body for p in paths}
        self.thread = threading.Thread(target=self.run, daemon=True)

    def answered(self, path):
        """What is right, from a server that may still be busy with what was before."""
        def look():
            try:
                answer = client.get(self.server, path)
            except (OSError, client.Broken):
                return None
            assert answer.status in (200, 503), f"{path}: {answer!r}"
            return answer if answer.status == 200 else None
        return until(look, WATCH_SECONDS_MAX, f"{path} is answered")

    @property
    def has_watched(self):
        return self.statuses.get(200, 0) > READS_MIN

    def run(self):
        connection = client.Connection(self.server, seconds=10)
        paths, turn = list(self.wanted), 0
        while not self.stop.wait(self.pause):
            turn += 1
            path = self.growing if self.growing and turn % 4 == 0 else paths[turn % len(paths)]
            began = time.monotonic()
            try:
                answer = connection.get(path)
            except (OSError, client.Broken) as e:
                if "no answer within" in str(e):
                    self.silent.append(f"{path}: {e}")
                self.lost += 1
                continue
            self.seconds_max = max(self.seconds_max, time.monotonic() - began)
            self.statuses[answer.status] = self.statuses.get(answer.status, 0) + 1
            if answer.status == 503:
                continue
            if answer.status != 200:
                self.wrong.append(f"{path}: {answer!r}")
            elif path == self.growing:
                if answer.json()["of"] < self.size:
                    self.wrong.append(f"{path}: {answer.text} after {self.size} were ranked")
                self.size = answer.json()["of"]
            elif answer.body != self.wanted[path] and ("window" not in path
                                                       or self.day == datetime.datetime.now(datetime.UTC).date()):
                self.wrong.append(
                    f"{path} of a board that nobody touches: {answer.text[:600]}\nshould be "
                    f"{self.wanted[path].decode()[:600]}"
                )
        connection.close()

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, kind, *_):
        try:
            if kind is None:
                until(lambda: self.has_watched or self.wrong or not self.thread.is_alive(), WATCH_SECONDS_MAX,
                      "reads of a board that nobody touches are answered")
        finally:
            self.stop.set()
            self.thread.join(15)

    def check(self, case):
        case.assertEqual(self.wrong[:2], [], f"{len(self.wrong)} wrong answers of a board that nobody touches")
        case.assertTrue(self.has_watched, self.statuses)


def still_board(server, game, slug, rows=25):
    """A board of its own with some posts, two of them equal; returns its address."""
    server.verb("board", "add", "--game", game, slug, "--ties", "shared")
    with client.Connection(server) as c:
        for n in range(rows):
            answer = v1.Player(c, game, f"{slug} {n}").post(slug, 100 * (n - n % 2))
            assert answer.status == 201, answer
    return f"/v1/games/{game}/boards/{slug}"
