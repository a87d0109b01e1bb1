"""Three times each, ten times nightly, or ROUNDS times: kill -9 of the server, of PostgreSQL or one of its processes,
and the end of the replication stream, all under load. What was acknowledged is there once, a retry says what was said,
and at once after each recovery every rank is what SQL makes of the ledger."""
import os
import random
import signal
import unittest

import books
from processes import alive
from psql import Psql
from seeds import SEED, rounds
from server import Server, until
from traffic import Traffic, Watcher, still_board

TIMES = rounds(2, nightly=10)
# The others are kills of a backend, after which PostgreSQL restarts itself; `serve` waits longer before each restart of
# its own
POSTMASTER_EVERY = 5
RECOVERY_SECONDS_MAX = 60
BOARDS = {
    "best": ("--policy", "best", "--zone", "Asia/Kathmandu"), "latest": ("--policy", "latest", "--ties", "shared"),
    "sum": ("--policy", "sum", "--order", "lowest", "--points-min=-1000", "--zone", "Pacific/Kiritimati")
}
server = psql = still = None


def setUpModule():
    global server, psql, still
    server = Server("faults", environment={"CAUSEBOARD_UNSAFE_DURABILITY": "yes"})
    server.verb("game", "add", "quiz", "--name", "Quiz")
    for slug, arguments in BOARDS.items():
        server.verb("board", "add", "--game", "quiz", slug, *arguments, "--earns", "fixed:10")
    for slug in ("whales", "trees"):
        server.verb("charity", "add", slug, "--name", slug.title())
    still = still_board(server, "quiz", "still")
    psql = Psql(server.conninfo())
    # No power cut happens here, and what was committed outlasts kill -9 without it. With it PostgreSQL syncs its whole
    # directory at each recovery: 0.1 s on an idle disk, 5 s beside a build.
    psql.run("alter system set fsync = off")
    psql.run("select pg_reload_conf()")


def tearDownModule():
    psql.close()
    server.stop()


def walsenders():
    return [
        int(pid) for (pid,) in psql.patient(
            "select pid from pg_stat_activity where backend_type = 'walsender' and datname = current_database()")
    ]


class Faults(unittest.TestCase):
    def begin(self, name):
        self.dice = random.Random(f"{SEED} {name}")
        self.compared = set(BOARDS)
        traffic = Traffic(server,
                          "quiz",
                          BOARDS, ("whales", "trees"),
                          threads=6,
                          players=3,
                          seed=f"{SEED} {name}",
                          name=name)
        return traffic, Watcher(server, still, growing="/v1/games/quiz/boards/best/rank?points=0")

    def same(self, traffic, windows=2):
        """Everything is acknowledged and nobody writes: every answer is what SQL makes of the ledger. The boards take
        turns."""
        self.compared = {self.dice.choice(list(BOARDS)), self.dice.choice(("whales", "trees", "overall"))}
        with traffic.quiet(RECOVERY_SECONDS_MAX):
            self.compare(windows)

    def compare(self, windows):
        reader = books.Reader(server)
        try:
            return books.compare(reader,
                                 psql,
                                 self.dice,
                                 window_count=windows,
                                 people=1,
                                 only=lambda b: b.slug in self.compared)
        finally:
            reader.close()

    def end(self, traffic, watcher):
        traffic.check(self)
        watcher.check(self)
        books.ledger_holds(self, psql, traffic.scores, traffic.donations)
        self.assertGreater(traffic.replayed, TIMES)
        reader = books.Reader(server)
        books.compare(reader, psql, self.dice)
        reader.close()
        server.audit()

    def test_1_kill_9_of_the_server(self):
        traffic, watcher = self.begin("server")
        with watcher, traffic:
            for _ in range(TIMES):
                traffic.flows(self.dice.randint(20, 60), "posts arrive")
                server.kill9()
                server.start()
                self.same(traffic)
        self.end(traffic, watcher)

    def test_2_kill_9_of_postgresql(self):
        pid = server.process.pid
        traffic, watcher = self.begin("postgres")
        with watcher, traffic:
            for n in range(TIMES):
                traffic.flows(self.dice.randint(20, 60), "posts arrive")
                if n % POSTMASTER_EVERY == 0:
                    victim = until(server.postmaster, 30, "postmaster.pid in DATA/postgres")
                else:
                    backends = psql.patient(
                        "select pid from pg_stat_activity where backend_type = 'client backend' and application_name = "
                        "'causeboard'"
                    )
                    victim = int(self.dice.choice(backends)[0])
                psql.close()
                os.kill(victim, signal.SIGKILL)
                until(lambda: not alive(victim), 30, "it is gone")
                until(lambda: server.probe("/healthz") == 200, RECOVERY_SECONDS_MAX, "the server itself lives")
                until(server.reaches_database, RECOVERY_SECONDS_MAX, "the database is reached again")
                self.same(traffic)
        self.assertIsNone(server.process.poll())
        self.assertEqual(server.process.pid, pid)
        self.end(traffic, watcher)

    def test_3_the_end_of_the_stream(self):
        until(walsenders, RECOVERY_SECONDS_MAX, "there is a stream")
        traffic, watcher = self.begin("stream")
        with watcher, traffic:
            for n in range(TIMES):
                traffic.flows(self.dice.randint(20, 60), "posts arrive")
                old = until(walsenders, RECOVERY_SECONDS_MAX, "there is a stream again")
                if n % 3 == 1:
                    self.same(traffic)      # at once after it has come back
                # While nobody writes: the answers of the moment right after, and not one of them waits for the stream
                if n % 3 == 0:
                    with traffic.quiet(RECOVERY_SECONDS_MAX):
                        for victim in old:
                            psql.patient(f"select pg_terminate_backend({victim})")
                        self.compare(2)
                else:
                    for victim in old:
                        psql.patient(f"select pg_terminate_backend({victim})")
                    self.same(traffic)
        self.assertEqual([a for a in traffic.unavailable], [], "the stream is no reason to refuse a post")
        self.assertEqual(watcher.statuses.get(503, 0), 0, "the stream is no reason to refuse a read")
        self.end(traffic, watcher)
