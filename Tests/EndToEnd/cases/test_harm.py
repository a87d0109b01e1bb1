"""What others do to a server: readers who hardly read, transactions that somebody leaves open, a stream that freezes,
no replication slot to be had. Posts go on, and no answer is wrong."""
import os
import random
import signal
import socket
import threading
import time
import unittest

import books
import client
import v1
from joined import Joined
from psql import Psql
from seeds import SEED, load_pause, nightly
from server import Server, until
from traffic import Traffic, Watcher, still_board

SLOW = True

DELAY_SECONDS_MAX = 5.0     # of a post and of a read, whatever the others do
HARM_SECONDS = 8            # for which they do it at least, so that whoever waits for them waits for too long
FIRST_LINE = b"HTTP/1.1 200 OK\r\n"
FROZEN_SECONDS = 15
AGREE_SECONDS_MAX = 5
SLOW_SOCKETS = 12
SLOW_REQUESTS = 300         # on each of them, all sent before the first byte is read
SLOW_GROWTH_MIB_MAX = 50    # what they ask for is more than that (83 MiB); measured: 5 to 10
server = psql = still = None


def setUpModule():
    global server, psql, still
    server = Server("harm")
    server.verb("game", "add", "quiz", "--name", "Quiz")
    server.verb("board", "add", "--game", "quiz", "best", "--ties", "shared", "--earns", "fixed:10", "--zone",
                "Europe/Berlin")
    server.verb("board", "add", "--game", "quiz", "sum", "--policy", "sum", "--earns", "fixed:10")
    server.verb("charity", "add", "whales", "--name", "Whales")
    still = still_board(server, "quiz", "still", rows=100)
    psql = Psql(server.conninfo())


def tearDownModule():
    psql.close()
    server.stop()


def moving(board):
    """Whether posts arrive at a board while the others look at it."""
    return board.slug not in ("still", "high-scores")


class Harm(unittest.TestCase):
    def setUp(self):
        self.dice = random.Random(f"{SEED} {self.id()}")

    def traffic(self, name, servers=None, threads=4):
        return Traffic(servers or server,
                       "quiz", ("best", "sum"), ("whales",),
                       threads=threads,
                       players=3,
                       seed=f"{SEED} {name}",
                       pause=load_pause(0.02),
                       name=name)

    def compare(self, of=None, seconds=0, **more):
        reader = books.Reader(of or server)
        self.addCleanup(reader.close)
        seed = self.dice.random()

        def compared():
            return books.compare(reader, psql, random.Random(seed), window_count=2, people=2, only=moving, **more)
        books.until_same(seconds, f"the {(of or server).name} says what SQL says", compared)

    def unharmed(self, traffic, watcher):
        """Nobody was refused, and nobody waited."""
        traffic.check(self)
        watcher.check(self)
        self.assertEqual(traffic.unavailable, [], "a post was refused")
        self.assertEqual((watcher.lost, watcher.statuses.get(503, 0)), (0, 0), "a read was refused")
        self.assertLess(traffic.seconds_max, DELAY_SECONDS_MAX, "the slowest post")
        self.assertLess(watcher.seconds_max, DELAY_SECONDS_MAX, "the slowest read")
        books.ledger_holds(self, psql, traffic.scores, traffic.donations)

    def test_1_readers_who_read_a_byte_a_second(self):
        request = f"GET {still}/top.html?limit=100 HTTP/1.1\r\nHost: x\r\n\r\n".encode()
        wanted = client.get(server, f"{still}/top.html?limit=100").body
        self.assertGreater(SLOW_SOCKETS * SLOW_REQUESTS * len(wanted) >> 20, SLOW_GROWTH_MIB_MAX,
                           "so many bytes are asked for")
        idle = server.rss_mib()
        slow, stop = [], threading.Event()
        traffic = self.traffic("slow")
        try:
            for _ in range(SLOW_SOCKETS):
                s = socket.socket()
                s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
                s.settimeout(30)
                s.connect(("127.0.0.1", server.port))
                slow.append(s)
                s.sendall(request * SLOW_REQUESTS)
            heads = {s: b"" for s in slow}

            def sip():
                while not stop.wait(1):
                    for s in slow:
                        heads[s] += s.recv(1)
            sipping = threading.Thread(target=sip, daemon=True)
            sipping.start()
            with Watcher(server, still) as watcher, traffic:
                time.sleep(HARM_SECONDS)
                largest = server.rss_mib()
                with traffic.quiet():
                    self.compare()
            stop.set()
            sipping.join(35)
            self.unharmed(traffic, watcher)
            self.assertLess(largest - idle, SLOW_GROWTH_MIB_MAX, f"MiB more than the {idle} of an idle server")
            for s in slow:
                self.assertEqual(heads[s][:len(FIRST_LINE)], FIRST_LINE[:len(heads[s])])
            # One of them drinks up: every answer was kept for it, in order and whole.
            s = slow[0]
            connection = client.Connection(server)
            connection.socket, connection.buffer = s, heads[s]
            for n in range(SLOW_REQUESTS):
                answer = connection.receive("GET")
                self.assertEqual((answer.status, answer.body == wanted), (200, True), f"answer {n} of a slow reader")
        finally:
            stop.set()
            for s in slow:
                s.close()

    def test_2_transactions_that_somebody_leaves_open(self):
        other = psql.url.replace("dbname='causeboard'", "dbname='postgres'")
        self.assertNotEqual(other, psql.url)
        here, there, joined = Psql(psql.url), Psql(other), None
        try:
            here.run(
                "begin; insert into avatar (sha256, png, added_at) values (decode(repeat('ab', 32), 'hex'), 'png', "
                "now())"
            )
            there.run("begin; create table left_open (n int); insert into left_open values (1)")
            traffic = self.traffic("open")
            with Watcher(server, still) as watcher, traffic:
                traffic.flows(150, "posts go on")
                with traffic.quiet():
                    self.compare()
                    # A server that starts meanwhile is right from its first answer on.
                    joined = Joined("joined", server)
                    self.compare(joined)
                both = self.traffic("both", [server, joined])
                with both:
                    both.flows(150, "posts go on through both")
                    with traffic.quiet(), both.quiet():
                        for one in (server, joined):
                            self.compare(one, AGREE_SECONDS_MAX)
                both.check(self)
                self.assertLess(both.seconds_max, DELAY_SECONDS_MAX, "the slowest post")
            self.unharmed(traffic, watcher)
            # The server itself, started anew while they are still open.
            server.kill9()
            server.start()
            self.compare()
            traffic = self.traffic("anew")
            with Watcher(server, still) as watcher, traffic:
                traffic.flows(100, "posts go on")
                with traffic.quiet():
                    self.compare()
                here.run("rollback")
                there.run("commit")
                traffic.flows(100, "posts go on when they have ended")
                with traffic.quiet():
                    self.compare()
                    self.compare(joined, AGREE_SECONDS_MAX)
                time.sleep(1)       # a stream that waited for them may have begun
                traffic.flows(100, "posts go on a second later")
                with traffic.quiet():
                    self.compare()
                    self.compare(joined, AGREE_SECONDS_MAX)
            self.unharmed(traffic, watcher)
            there.run("drop table left_open")
            server.audit()
        finally:
            here.close()
            there.close()
            if joined is not None:
                joined.stop()

    def test_3_whoever_holds_one_player_keeps_only_that_player_waiting(self):
        held = v1.Player(server, "quiz", "held")
        id = v1.new_id()
        self.assertEqual(held.post("best", 5).status, 201)
        hand = Psql(psql.url)
        answers = []

        def post():
            # The server puts it off for 10 s. Where all this takes longer it is refused, and sent again.
            answers.append(client.until_taken(lambda: held.post("best", 10**6 + 1, id)))
        try:
            hand.run(f"begin; select 1 from wallet where player_id = {held.id} for update")
            waits = threading.Thread(target=post, daemon=True)
            waits.start()
            traffic = self.traffic("others")
            with Watcher(server, still) as watcher, traffic:
                time.sleep(HARM_SECONDS)
                self.assertEqual(answers, [], "the one who is held waits")
                with traffic.quiet():
                    self.compare()
                hand.run("rollback")
                waits.join(90)
                self.assertEqual(len(answers), 1, answers)
                answer, is_again = answers[0]
                self.assertIn(answer.status, (200, 201) if is_again else (201,), answer)
                with traffic.quiet():
                    self.compare()
            self.unharmed(traffic, watcher)
        finally:
            hand.close()

    def test_4_a_stream_that_freezes(self):
        def walsenders():
            return [
                int(n) for (n,) in psql.patient(
                    "select pid from pg_stat_activity where backend_type = 'walsender' and datname = current_database()"
                )
            ]
        frozen = until(walsenders, 60, "there is a stream")
        traffic = self.traffic("frozen")
        try:
            with Watcher(server, still) as watcher, traffic:
                traffic.flows(50, "posts arrive")
                for pid in frozen:
                    os.kill(pid, signal.SIGSTOP)
                end = time.monotonic() + FROZEN_SECONDS
                while time.monotonic() < end:
                    time.sleep(2.5)
                    count = traffic.count
                    with traffic.quiet(10):
                        self.compare()
                    traffic.flows(20, f"posts go on after {count}", 25)
                for pid in frozen:
                    os.kill(pid, signal.SIGCONT)
                for pause in (0, 0.2, 1):
                    time.sleep(pause)
                    with traffic.quiet():
                        self.compare()
                    traffic.flows(20, "posts go on")
            self.unharmed(traffic, watcher)
            server.audit()
        finally:
            for pid in frozen:
                try:
                    os.kill(pid, signal.SIGCONT)
                except ProcessLookupError:
                    pass

    @nightly
    def test_5_no_replication_slot_is_free(self):
        server.kill9()
        until(lambda: psql.patient("select count(*) from pg_replication_slots where active") == [["0"]], 60,
              "the dead server's slots are free")
        psql.patient("select pg_drop_replication_slot(slot_name) from pg_replication_slots")
        count = int(psql.patient("show max_replication_slots")[0][0])
        psql.patient(f"select pg_create_physical_replication_slot('filler_' || n) from generate_series(1, {count}) n")
        server.start()
        self.compare()
        traffic = self.traffic("slots")
        with Watcher(server, still) as watcher, traffic:
            for _ in range(3):
                traffic.flows(60, "posts go on")
                with traffic.quiet():
                    self.compare()
                time.sleep(0.3)
            joined = Joined("joined", server)
            try:
                with traffic.quiet():
                    self.compare(joined)
                psql.patient(
                    "select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name like "
                    "'filler%'"
                )
                for _ in range(3):
                    traffic.flows(60, "posts go on when slots are free again")
                    with traffic.quiet():
                        self.compare()
                        self.compare(joined, AGREE_SECONDS_MAX)
                    time.sleep(0.5)
            finally:
                joined.stop()
        self.unharmed(traffic, watcher)
        server.audit()
