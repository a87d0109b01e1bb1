"""kill -9, of the server and of its PostgreSQL, while posts arrive: what was acknowledged is there, once."""
import os
import signal
import threading
import time
import unittest
import uuid

import client
from processes import alive
from server import Server, until

THREADS = 16
RECOVERY_SECONDS_MAX = 45
server = None


def setUpModule():
    global server
    server = Server("crash")
    server.verb("charity", "add", "whales", "--name", "Whales")


def tearDownModule():
    server.stop()


class Traffic:
    """Sixteen devices that post under ids of their own. An answer that never came is asked for again, under the same
    id, until it comes."""

    def __init__(self):
        self.stop = threading.Event()
        self.restarted = threading.Event()
        self.restarted.set()
        self.acknowledged = {}      # id -> points
        self.donations = {}
        self.refusals = []          # answers that no client should see
        self.unavailable = []       # 503s
        self.lock = threading.Lock()
        self.phones = [client.Phone(server, connection=client.Connection(server, seconds=10)) for _ in range(THREADS)]
        for n, phone in enumerate(self.phones):
            assert phone.register(f"crash {n}").status == 201
        self.threads = [threading.Thread(target=self.play, args=(n,), daemon=True) for n in range(THREADS)]

    def play(self, number):
        phone, points = self.phones[number], 0
        while not self.stop.is_set():
            points += 1
            self.until_acknowledged(lambda id: phone.post(points, id=id), self.acknowledged, points)
            if points % 5 == 0:
                self.until_acknowledged(lambda id: phone.donate("whales", 2, id=id), self.donations, 2)
        phone.close()

    def until_acknowledged(self, send, ledger, points):
        id = str(uuid.uuid4())
        end = time.monotonic() + 2 * RECOVERY_SECONDS_MAX
        while time.monotonic() < end:
            try:
                answer = send(id)
            except (OSError, client.Broken):
                time.sleep(0.05)        # nobody is listening: a phone tries again a little later
                continue
            with self.lock:
                if answer.status in (200, 201):
                    ledger[id] = points
                    return
                (self.unavailable if answer.status == 503 else self.refusals).append(answer)
            if answer.status != 503:
                return
            time.sleep(0.05)
        with self.lock:
            self.refusals.append(f"{id} never acknowledged")

    def __enter__(self):
        for t in self.threads:
            t.start()
        self.flows(100, "posts arrive")
        return self

    def flows(self, more, what):
        count = len(self.acknowledged) + more
        until(lambda: len(self.acknowledged) >= count or self.refusals, RECOVERY_SECONDS_MAX, what)

    def __exit__(self, *_):
        self.stop.set()
        end = time.monotonic() + 2 * RECOVERY_SECONDS_MAX
        for t in self.threads:
            t.join(max(0.01, end - time.monotonic()))


class Crash(unittest.TestCase):
    def check_ledgers(self, traffic):
        self.assertFalse(any(t.is_alive() for t in traffic.threads), "clients still wait")
        self.assertEqual(traffic.refusals, [])
        for table, ledger in (("score", traffic.acknowledged), ("donation", traffic.donations)):
            rows = server.psql(f"select id, points from {table}")
            stored = {}
            for id, points in rows:
                self.assertNotIn(id, stored, f"{table} {id} is there twice")
                stored[id] = int(points)
            lost = [id for id in ledger if stored.get(id) != ledger[id]]
            self.assertEqual(lost, [], f"acknowledged and not in {table}")
            self.assertGreater(len(ledger), 0)
        server.audit()

    def test_1_kill_9_of_the_server(self):
        with Traffic() as traffic:
            for _ in range(2):
                server.kill9()
                server.start()
                traffic.flows(100, "posts go on after the server was started again")
        self.check_ledgers(traffic)

    def test_2_kill_9_of_postgresql(self):
        pid = server.process.pid
        with Traffic() as traffic:
            for _ in range(2):
                postmaster = server.postmaster()
                self.assertIsNotNone(postmaster, "no postmaster.pid in DATA/postgres")
                os.kill(postmaster, signal.SIGKILL)
                until(lambda: not alive(postmaster), 30, "the postmaster is gone")
                self.assertEqual(client.get(server, "/healthz").status, 200, "the server itself lives")
                feed = client.get(server, "/TopScores.xml")
                self.assertIn(feed.status, (200, 503))
                until(server.reaches_database, RECOVERY_SECONDS_MAX, "the database is reached again")
                traffic.flows(100, "posts go on after PostgreSQL came back")
        self.assertIsNone(server.process.poll())
        self.assertEqual(server.process.pid, pid)
        for answer in traffic.unavailable:
            self.assertRegex(answer["retry-after"] or "", r"^\d+$", f"a 503 without Retry-After: {answer!r}")
            for leak in ("postgres", "libpq", "socket", "SQL", "terminat", "/tmp", "/dev/shm"):
                self.assertNotIn(leak, answer.text)
        self.check_ledgers(traffic)

    def test_3_a_database_that_is_away_is_503_and_comes_back(self):
        phone = client.Phone(server)
        self.assertEqual(phone.register("away").status, 201)
        postmaster = server.postmaster()
        os.kill(postmaster, signal.SIGKILL)
        id, seen = str(uuid.uuid4()), []

        def acknowledged():
            answer = phone.post(77, id=id)
            seen.append(answer.status)
            if answer.status == 503:
                self.assertRegex(answer["retry-after"] or "", r"^\d+$")
                self.assertEqual(answer.xml().tag, "errors")
            return answer.status in (200, 201)
        until(acknowledged, RECOVERY_SECONDS_MAX, "the post is acknowledged")
        self.assertLessEqual(set(seen), {200, 201, 503})
        self.assertEqual(server.psql(f"select points from score where id = '{id}'"), [["77"]])
        until(server.reaches_database, RECOVERY_SECONDS_MAX, "the database is reached again")

    def test_4_feeds_are_the_same_bytes_after_a_restart(self):
        paths = [
            "/TopScores.xml", "/high_scores.xml", "/v1/charities.json", "/v1/games/default/boards/high-scores/top.atom"
        ]
        before = [(a.body, a["etag"]) for a in (client.get(server, p) for p in paths)]
        server.kill9()
        server.start()
        self.assertEqual([(a.body, a["etag"]) for a in (client.get(server, p) for p in paths)], before)
        server.audit()
