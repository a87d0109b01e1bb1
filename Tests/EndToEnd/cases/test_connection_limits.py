"""How many connections there may be, and how long one may take its time: an address cannot take the server from the
others, and neither can many."""
import os
import re
import socket
import time
import unittest

from server import Refused, Server, until

SECONDS_MAX = 60
HEAD_SECONDS_MAX = 10
OF_ADDRESS = 20
FILES_MAX = 700
OTHER_FILES = 416           # of a server with 16 connections to its database, but for its event loops
REQUEST = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"


class Clients(unittest.TestCase):
    """Connections from addresses of the loopback network, closed after each test."""

    def setUp(self):
        self.sockets = []

    def tearDown(self):
        for s in self.sockets:
            s.close()

    def connect(self, server, address="127.0.0.1"):
        s = socket.create_connection(("127.0.0.1", server.port), SECONDS_MAX, (address, 0))
        self.sockets.append(s)
        return s

    def is_served(self, s):
        """Whether a request is answered; false when the connection was closed."""
        try:
            s.sendall(REQUEST)
            return s.recv(4096).startswith(b"HTTP/1.1 200 ")
        except (ConnectionResetError, BrokenPipeError):
            return False

    def is_closed(self, s):
        s.setblocking(False)
        try:
            return s.recv(1) == b""
        except BlockingIOError:
            return False
        except ConnectionResetError:
            return True
        finally:
            s.settimeout(SECONDS_MAX)


class OneAddress(Clients):
    @classmethod
    def setUpClass(cls):
        cls.server = Server("one-address", start=False)
        cls.server.start("--connections-per-address", str(OF_ADDRESS))

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def test_an_address_takes_its_connections_and_no_more(self):
        flood = [self.connect(self.server, "127.0.0.9") for _ in range(3 * OF_ADDRESS)]
        until(lambda: sum(map(self.is_closed, flood)) == 2 * OF_ADDRESS, SECONDS_MAX, "two thirds are closed")
        self.assertTrue(self.is_served(self.connect(self.server, "127.0.0.2")))
        kept = [s for s in flood if not self.is_closed(s)]
        self.assertTrue(all(map(self.is_served, kept)))
        # Who lets one go gets another one.
        kept[0].close()
        until(lambda: self.is_served(self.connect(self.server, "127.0.0.9")), SECONDS_MAX, "a place is free again")
        lines = until(lambda: [line for line in self.server.log().splitlines() if "address_full" in line], SECONDS_MAX,
                      "the refusals are logged")
        self.assertLess(len(lines), OF_ADDRESS, "lines are not logged for each connection")

    def test_a_head_that_comes_too_slowly_is_cut(self):
        began = time.monotonic()
        silent, trickling = self.connect(self.server), self.connect(self.server)
        kept, quick = self.connect(self.server), self.connect(self.server)
        self.assertTrue(self.is_served(kept))
        said = b""
        trickling.settimeout(0.5)
        for byte in REQUEST * 2:
            try:
                trickling.sendall(bytes([byte]))
                said += trickling.recv(4096)
                break
            except TimeoutError:
                continue
            except OSError:
                break
        self.assertTrue(said.startswith(b"HTTP/1.1 408 "), said)
        self.assertIn(b"head took longer", said)
        self.assertEqual(silent.recv(1), b"")
        self.assertGreater(time.monotonic() - began, HEAD_SECONDS_MAX - 1)
        # A connection that was used is idle for longer than that.
        self.assertTrue(self.is_served(kept))
        until(lambda: self.is_closed(quick), SECONDS_MAX, "the unused one is closed")


class FewFiles(Clients):
    def test_a_full_server_closes_who_was_idle_longest(self):
        server = Server("few-files", start=False)
        server.start(files_max=FILES_MAX)
        self.addCleanup(server.stop)
        self.assertIn("fewer clients can be connected", server.log())
        most = int(re.search(r"\bconnections\W+(\d+)", server.log())[1])
        self.assertLess(most, FILES_MAX - OTHER_FILES)
        idle = [self.connect(server, f"127.0.0.{2 + number % 4}") for number in range(most)]
        # Each is accepted, so the last of them has made the server full.
        self.assertTrue(self.is_served(idle[-1]))
        # Each is asked at once, because an unused connection has 10 s for its first head and the machine may be busy.
        late = []
        for _ in range(50):
            late.append(self.connect(server, "127.0.0.9"))
            self.assertTrue(self.is_served(late[-1]))
        closed = [number for number, s in enumerate(idle) if self.is_closed(s)]
        self.assertGreaterEqual(len(closed), 40)
        # Each event loop closes its own longest idle one, so that the order holds but for the loops' shares.
        self.assertLess(max(closed), 4 * len(late) + 2 * (os.cpu_count() or 1))
        self.assertNotIn(most - 1, closed)
        until(lambda: "idle_closed" in server.log(), SECONDS_MAX, "the closed connections are logged")

    def test_too_few_files_are_refused_with_what_to_change(self):
        server = Server("no-files", start=False)
        with self.assertRaises(Refused) as caught:
            server.start(files_max=OTHER_FILES)
        self.assertIn("files open", str(caught.exception))
        self.assertIn("LimitNOFILE", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
