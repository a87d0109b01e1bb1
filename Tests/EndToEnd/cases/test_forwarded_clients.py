"""Clients behind a trusted proxy, each with the address that the proxy forwards: what one client holds of the server's
room and connections, nobody else goes without."""
import random
import socket
import time
import unittest

import client
import v1
import v1_case
from server import Server, until

BODY = 256 * 1024           # the largest body
FILLING = 600               # bodies of BODY that exceed the memory for request bodies
SLOW_MAX = 256              # slow requests of one client
PATH = "/v1/games/quiz/devices/slow"
SAVE = 20_000               # bytes of a save, more than always passes


class Slow:
    """Requests whose last byte never comes."""

    def __init__(self, server):
        self.server = server
        self.sockets = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for s in self.sockets:
            s.close()

    def send(self, address, count, bytes, length=None):
        """`count` requests of one forwarded address with `bytes` of a body of `length`."""
        head = (f"PUT {PATH} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: {address}\r\n"
                f"Content-Type: application/json\r\nContent-Length: {length or bytes + 1}\r\n\r\n").encode()
        for _ in range(count):
            s = socket.create_connection(("127.0.0.1", self.server.port), 20)
            self.sockets.append(s)
            s.sendall(head + b"x" * bytes)

    def answers(self):
        """The statuses that have come so far."""
        statuses = []
        for s in self.sockets:
            s.setblocking(False)
            try:
                statuses.append(int(s.recv(4_096).split(b" ")[1]))
            except BlockingIOError:
                pass
        return statuses


class Shares(unittest.TestCase):
    server = None
    dice = random.Random(1)

    @classmethod
    def setUpClass(cls):
        cls.server = Server("forwarded-clients", start=False)
        cls.server.start("--trusted-proxies", "127.0.0.1/32", "--event-network", "198.51.100.0/24", "--limits", "on",
                         "--limit=address-writes=100000/min", "--limit=player-posts=100000/min")
        cls.addClassCleanup(cls.server.stop)
        for command in (("game", "add", "quiz", "--name", "Quiz"), ("board", "add", "--game", "quiz", "solo")):
            cls.server.verb(*command)
        cls.ada = v1.Player(cls.server, "quiz", "Ada")

    def post(self, address):
        return v1.call(self.server, "PUT", v1_case.score(v1.new_id()), {"points": 1}, who=self.ada.token,
                       headers=(("X-Forwarded-For", address),))

    def save(self, address, slot):
        return client.request(self.server, "PUT", f"/v1/players/me/saves/{slot}", (
            ("Authorization", f"Bearer {self.ada.token}"), ("Content-Type", "application/octet-stream"),
            ("If-None-Match", "*"), ("X-Forwarded-For", address)), b"x" * SAVE)

    def posts(self, address):
        for _ in range(10):
            answer = self.post(address)
            self.assertEqual(answer.status, 201, answer)

    def test_a_client_that_sends_unfinished_bodies_stops_nobody_else(self):
        with Slow(self.server) as slow:
            slow.send("203.0.113.1", SLOW_MAX - 1, BODY - 1)
            until(lambda: 503 in slow.answers(), 30, "requests beyond its part are refused")
            self.posts("203.0.113.2")
            self.assertEqual(self.save("203.0.113.2", "one").status, 201)

    def test_posts_pass_when_many_clients_fill_the_room(self):
        with Slow(self.server) as slow:
            for number in range(10, 16):
                slow.send(f"203.0.113.{number}", FILLING // 6, BODY - 1)

            def is_full():
                # A refused body returns its part, so ever smaller bodies take the rest.
                for bytes in (BODY // 2, BODY // 4, BODY // 8, BODY // 16, 8_500, 4_000, 1_000, 300, 100, 30, 10, 1):
                    slow.send(f"203.0.113.{self.dice.randrange(10, 16)}", 2, bytes)
                return self.save("203.0.113.3", "full").status == 503

            until(is_full, 60, "the memory is full")
            self.posts("203.0.113.3")
            self.posts("203.0.113.10")
        until(lambda: self.save("203.0.113.3", "two").status == 201, 30, "the memory is free again")

    def test_a_client_has_as_many_slow_requests_as_connections(self):
        with Slow(self.server) as slow:
            slow.send("203.0.113.4", SLOW_MAX, 1, length=100)

            def is_full():
                # A request is slow once the server has read it. Before that, this one may take its place.
                if self.one_more("203.0.113.4") == 429:
                    return True
                slow.send("203.0.113.4", 1, 1, length=100)

            until(is_full, 30, "the client has all its places")
            self.assertEqual(len(slow.sockets) - len(slow.answers()), SLOW_MAX)
            self.assertIsNone(self.one_more("203.0.113.5"))
            self.posts("203.0.113.4")
        until(lambda: self.one_more("203.0.113.4") is None, 30, "its places are free again")

    def one_more(self, address):
        """The status of one more slow request; None when it waits."""
        with Slow(self.server) as slow:
            slow.send(address, 1, 1, length=100)
            end = time.monotonic() + 0.5
            while time.monotonic() < end:
                answers = slow.answers()
                if answers:
                    return answers[0]
                time.sleep(0.02)
            return None

    def test_one_guest_of_an_event_stops_neither_the_event_nor_anybody_else(self):
        with Slow(self.server) as slow:
            slow.send("198.51.100.7", FILLING, BODY - 1)
            until(lambda: 503 in slow.answers(), 30, "requests beyond the part of events are refused")
            self.posts("198.51.100.8")
            self.posts("203.0.113.6")
            self.assertEqual(self.save("203.0.113.6", "three").status, 201)


if __name__ == "__main__":
    unittest.main()
