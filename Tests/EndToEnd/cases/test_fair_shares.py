"""One client that asks for as much as it can keeps nobody else waiting for long: windows that SQL adds up, pages that
no cache holds, pictures that are drawn, and pictures that are decoded. Clients are told apart as behind a proxy."""
import base64
import itertools
import threading
import time
import unittest
import zlib

import client
import v1
import v1_case
from psql import Psql
from server import until
from v1_case import V1Case

STRANGER, OTHER = "203.0.113.50", "198.51.100.1"
AT_ONCE = 80                # requests of the stranger at the same time
REFUSED_MIN = 10            # of these, because the queue is full
SECONDS_MAX = 60
ROUNDS = 5
AGAIN_SECONDS = 0.1         # after a refusal, so that not the stranger keeps the processors busy
# All rows but the last of a large picture.
ROWS = zlib.compressobj()
FIRST_BYTES = ROWS.compress((b"\0" + bytes(3 * 1024)) * 1023)


def setUpModule():
    v1_case.start("fair-shares")
    V1Case.server.terminate()
    V1Case.server.start("--trusted-proxies", "127.0.0.1/32", "--limits", "off")


def large_picture(seed):
    """A picture of 1024 pixels a side in a few kilobytes, which takes a while to decode."""
    def chunk(kind, data):
        return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")
    rows = ROWS.copy()
    last = b"\0" + bytes([seed % 251, seed // 251 % 251, 7]) * 1024
    head = (1024).to_bytes(4, "big") * 2 + b"\x08\x02\0\0\0"
    body = FIRST_BYTES + rows.compress(last) + rows.flush()
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body)
                            + chunk(b"IEND", b"")).decode()


class Flood:
    """The stranger's calls, a fixed number at the same time, until they are stopped."""

    def __init__(self, server, at_once, call, rounds=None):
        self.statuses, self.isOver, self.lock = [], False, threading.Lock()
        self.numbers = itertools.count()
        self.server, self.call, self.rounds = server, call, rounds
        self.threads = [threading.Thread(target=self.run) for _ in range(at_once)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.isOver = True
        for thread in self.threads:
            thread.join(SECONDS_MAX)

    def run(self):
        with client.Connection(self.server) as connection:
            for number in itertools.count():
                if self.isOver or number == self.rounds:
                    return
                with self.lock:
                    number = next(self.numbers)
                status = self.call(connection, number).status
                with self.lock:
                    self.statuses.append(status)
                if status == 503:
                    time.sleep(AGAIN_SECONDS)

    def count(self, status):
        with self.lock:
            return self.statuses.count(status)


def get(connection, path, address):
    return connection.request("GET", path, [("X-Forwarded-For", address)])


class FairShares(V1Case):
    def test_windows(self):
        """Windows take as long as the test says, because the tallies are locked meanwhile."""
        window = "/v1/games/quiz/boards/solo/top.json?window="
        holder = Psql(self.server.conninfo())
        self.addCleanup(holder.close)

        for round in range(ROUNDS):
            year = 2020 + round     # a window requested twice is loaded into memory

            def ask(connection, number):
                month, day = number // 28 + 1, number % 28 + 1
                return get(connection, f"{window}{year}-01-01..{year}-{month:02}-{day:02}", STRANGER)
            holder.run("begin")
            holder.run("lock table tally in access exclusive mode")
            answers = []
            with Flood(self.server, AT_ONCE, ask, rounds=1) as flood:
                until(lambda: flood.count(503) >= REFUSED_MIN, SECONDS_MAX, "the stranger fills the queue")
                other = threading.Thread(target=lambda: answers.append(
                    get(client.Connection(self.server), f"{window}2024-01-01..2024-01-{round + 1:02}", OTHER)))
                other.start()
                until(lambda: int(holder.run("select count(*) from pg_locks where not granted")[0][0]) >= 2,
                      SECONDS_MAX, "the other client's runs beside the stranger's")
                holder.run("rollback")
                other.join(SECONDS_MAX)
            self.assertEqual([answer.status for answer in answers], [200], answers)
            self.assertGreaterEqual(flood.count(200), 1, "the stranger gets its share too")

    def test_uncached_pages(self):
        """Searches take as long as the test says, because the players are locked meanwhile."""
        page = "/games/quiz/boards/solo"
        self.player("Somebody")
        holder = Psql(self.server.conninfo())
        self.addCleanup(holder.close)
        connection = client.Connection(self.server)
        self.addCleanup(connection.close)
        until(lambda: get(connection, page, OTHER).status == 200, SECONDS_MAX, "the page is in the cache")

        def waiting():
            return int(holder.run("select count(*) from pg_locks where not granted")[0][0])
        holder.run("begin")
        holder.run("lock table player in access exclusive mode")
        answers = []
        with Flood(self.server, AT_ONCE, lambda c, number: get(c, f"{page}?find=Nobody{number}", STRANGER),
                   rounds=1) as flood:
            until(lambda: flood.count(503) >= REFUSED_MIN, SECONDS_MAX, "the stranger fills its line")
            running = waiting()
            self.assertEqual(get(connection, page, STRANGER).status, 200, "what is in the cache waits for no turn")
            other = threading.Thread(target=lambda: answers.append(
                get(client.Connection(self.server), f"{page}?find=Somebody", OTHER)))
            other.start()
            until(lambda: waiting() > running, SECONDS_MAX, "the other client's runs beside the stranger's")
            holder.run("rollback")
            other.join(SECONDS_MAX)
        self.assertEqual(len(answers), 1)
        self.assertIn(answers[0].status, (200, 303), answers)
        self.assertGreaterEqual(flood.count(200), 1, "the stranger gets its share too")

    def test_drawn_pictures(self):
        players = [self.player(f"Card {number}") for number in range(4)]

        def draw(connection, number):
            return get(connection, f"/embed/charities/oxfam.png?ink={number:06x}&lang=ar", STRANGER)
        with Flood(self.server, AT_ONCE, draw) as flood:
            until(lambda: flood.count(503) >= REFUSED_MIN, SECONDS_MAX, "painters are busy")
            with client.Connection(self.server) as connection:
                for player in players:
                    for language in ("en", "de", "ja"):
                        answer = get(connection, f"/cards/players/{player.id}.png?lang={language}", OTHER)
                        self.assertEqual(answer.status, 200, answer)
                for number in range(5):
                    answer = get(connection, f"/embed/charities/red-cross.png?paper={number:06x}", OTHER)
                    self.assertEqual(answer.status, 200, answer)
        self.assertGreaterEqual(flood.count(200), 1)

    def test_decoded_pictures(self):
        def register(connection, address, number):
            return v1.call(connection, "PUT", f"/v1/games/quiz/devices/{client.device()}",
                           {"name": f"Picture {number}", "image": large_picture(number)}, who=v1.token(),
                           headers=[("X-Forwarded-For", address)])
        with Flood(self.server, AT_ONCE, lambda connection, number: register(connection, STRANGER, number)) as flood:
            until(lambda: flood.count(503) >= AT_ONCE // 2, SECONDS_MAX, "decoders are busy")
            with client.Connection(self.server) as connection:
                for number in range(10):
                    answer = register(connection, OTHER, 1_000_000 + number)
                    self.assertEqual(answer.status, 201, answer)
        self.assertGreaterEqual(flood.count(201), 1)


if __name__ == "__main__":
    unittest.main()
