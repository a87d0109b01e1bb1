"""HTTP/2 without TLS: frames as clients send them, and as those send them who mean harm. A polite client beside them is
always answered, and the server does not grow."""
import http.client
import shutil
import struct
import subprocess
import unittest

import client
import http2
from http2 import DATA, END_HEADERS, END_STREAM, GOAWAY, HEADERS, RST_STREAM, frame, head, literal
from server import Server, until

WAITS = True

SECONDS_MAX = 60
PROTOCOL_ERROR = 1
CALM = 11                   # ENHANCE_YOUR_CALM
GROWTH_MEGABYTES_MAX = 96   # far more than hostile connections may hold, far less than they send

server = None
closed = []         # connections on which the server may send nothing
closed_growth = 0   # MiB that it took for them


def setUpModule():
    global server, closed_growth
    server = Server("http2")
    unittest.addModuleCleanup(server.stop)
    before = server.rss_mib()
    for _ in range(20):
        connection = http2.Connection(server.port, struct.pack(">HI", http2.INITIAL_WINDOW_SIZE, 0),
                                      seconds=SECONDS_MAX)
        unittest.addModuleCleanup(connection.socket.close)
        for stream in range(1, 201, 2):
            connection.request(stream, "GET", "/openapi.yaml")
        connection.send(frame(http2.PING, payload=b"last one"))
        closed.append(connection)
    for connection in closed:
        while (got := connection.next()) is not None and not (got[0] == http2.PING and got[3] == b"last one"):
            pass
    closed_growth = server.rss_mib() - before


class Frames(unittest.TestCase):
    def connect(self, **more):
        connection = http2.Connection(server.port, **more)
        self.addCleanup(connection.socket.close)
        return connection

    def test_streams_side_by_side(self):
        connection = self.connect()
        for number in range(20):
            connection.request(1 + 2 * number, "GET", "/v1/games" if number % 2 else "/TopScores.xml")
        for number in range(20):
            self.assertIn(b'{"games":' if number % 2 else b"<?xml", http2.body(connection.answer(1 + 2 * number)))

    def test_the_preface_byte_by_byte(self):
        connection = self.connect()
        other = self.connect()
        for byte in frame(HEADERS, END_HEADERS | END_STREAM, 1, head("GET", "/healthz")):
            connection.send(bytes([byte]))
        self.assertEqual(http2.body(connection.answer(1)), b"ok\n")
        other.request(1, "GET", "/healthz")
        self.assertEqual(http2.body(other.answer(1)), b"ok\n")
        with http2.Connection(server.port, wrap=Slow) as slow:
            slow.request(1, "GET", "/healthz")
            self.assertEqual(http2.body(slow.answer(1)), b"ok\n")

    def test_a_body_and_a_body_too_large(self):
        connection = self.connect()
        connection.request(1, "PUT", "/customers", b"name=Ada&phone=" + client.device().encode())
        self.assertIn(b"<customer>", http2.body(connection.answer(1)))
        connection.send(frame(HEADERS, END_HEADERS, 3, head("PUT", "/customers", **{"content-length": "300000"})))
        self.assertIn(b"larger than 256 KiB", http2.body(connection.answer(3)))
        connection.request(5, "GET", "/healthz")
        self.assertEqual(http2.body(connection.answer(5)), b"ok\n")

    def test_a_large_response_follows_the_windows(self):
        # A window of 1,000 bytes for each stream, which grows as the client reads.
        connection = self.connect(settings=struct.pack(">HI", http2.INITIAL_WINDOW_SIZE, 1000))
        connection.request(1, "GET", "/openapi.yaml")
        plain = http.client.HTTPConnection("127.0.0.1", server.port, timeout=SECONDS_MAX)
        plain.request("GET", "/openapi.yaml")
        expected = plain.getresponse().read()
        plain.close()
        got = b""
        while len(got) < len(expected):
            kind, flags, stream, payload = connection.next()
            if kind == DATA:
                self.assertLessEqual(len(payload), 1000)
                got += payload
                for number in (0, 1):
                    connection.send(frame(http2.WINDOW_UPDATE, 0, number, struct.pack(">I", len(payload))))
        self.assertEqual(got, expected)

    def test_a_server_that_stops_finishes_its_streams(self):
        own = Server("http2-stop")
        self.addCleanup(own.stop)
        with http2.Connection(own.port) as connection:
            form = b"name=Ada&phone=" + client.device().encode()
            connection.send(frame(HEADERS, END_HEADERS, 1, head("PUT", "/customers")) + frame(DATA, 0, 1, form[:4]))
            connection.request(3, "GET", "/healthz")
            connection.answer(3)
            own.ended_by_us = True
            own.process.terminate()
            while not any(kind == GOAWAY for kind, *_ in connection.frames):
                self.assertIsNotNone(connection.next())
            connection.send(frame(DATA, END_STREAM, 1, form[4:]))
            self.assertIn(b"<customer>", http2.body(connection.answer(1)))
            self.assertEqual(set(connection.end()), {0})
        own.process.wait(SECONDS_MAX)


class Slow:
    """A socket that sends each byte by itself."""

    def __init__(self, plain):
        self.plain = plain
        self.recv, self.close = plain.recv, plain.close

    def sendall(self, data):
        for byte in data:
            self.plain.sendall(bytes([byte]))


class Hostile(unittest.TestCase):
    def setUp(self):
        self.before = server.rss_mib()
        self.addCleanup(self.check_polite_clients)

    def check_polite_clients(self):
        self.assertEqual(server.probe("/healthz"), 200)
        with http2.Connection(server.port) as polite:
            polite.request(1, "GET", "/v1/games")
            self.assertIn(b"{", http2.body(polite.answer(1)))
        self.assertLess(server.rss_mib() - self.before, GROWTH_MEGABYTES_MAX)

    def flood(self, connection, data, times, code=CALM):
        """Sends until the server closes; fails if it never does, or says another reason than `code`."""
        try:
            for _ in range(times):
                connection.send(data() if callable(data) else data)
        except OSError:
            return
        # A reset may have swallowed what the server said last.
        self.assertEqual(set(connection.end()) or {code}, {code})

    def test_rapid_reset(self):
        for _ in range(5):
            connection = http2.Connection(server.port)
            self.addCleanup(connection.socket.close)
            streams = iter(range(1, 2_000_000, 2))

            def burst():
                return b"".join(
                    frame(HEADERS, END_HEADERS | END_STREAM, stream, head("GET", "/nowhere")) +
                    frame(RST_STREAM, 0, stream, struct.pack(">I", 8)) for _, stream in zip(range(100), streams))
            self.flood(connection, burst, 1000)

    def test_continuation_flood(self):
        connection = http2.Connection(server.port)
        self.addCleanup(connection.socket.close)
        connection.send(frame(HEADERS, END_STREAM, 1, head("GET", "/healthz")))
        self.flood(connection, frame(http2.CONTINUATION, 0, 1), 100_000)

    def test_a_head_list_that_is_too_large(self):
        connection = http2.Connection(server.port)
        self.addCleanup(connection.socket.close)
        connection.send(frame(HEADERS, END_STREAM, 1, head("GET", "/healthz")))
        self.flood(connection, frame(http2.CONTINUATION, 0, 1, literal("x", "y" * 16_000)), 3, PROTOCOL_ERROR)

    def test_pings_settings_and_empty_frames(self):
        for data in (frame(http2.PING, payload=b"12345678"), frame(http2.SETTINGS)):
            connection = http2.Connection(server.port)
            self.addCleanup(connection.socket.close)
            self.flood(connection, data * 100, 1000)
        connection = http2.Connection(server.port)
        self.addCleanup(connection.socket.close)
        connection.send(frame(HEADERS, END_HEADERS, 1, head("PUT", "/customers")))
        self.flood(connection, frame(DATA, 0, 1) * 100, 1000)

    def test_bodies_that_never_end(self):
        refused = 0
        for _ in range(10):
            connection = http2.Connection(server.port)
            self.addCleanup(connection.socket.close)
            for stream in range(1, 201, 2):
                connection.send(frame(HEADERS, END_HEADERS, stream, head("PUT", "/customers")))
            # The connection's window is given back as bytes come; a stream's is 64 KiB.
            for stream in range(1, 201, 2):
                for _ in range(3):
                    connection.send(frame(DATA, 0, stream, b"x" * 16_000))
            connection.send(frame(http2.PING, payload=b"last one"))
            while (got := connection.next()) is not None and not (got[0] == http2.PING and got[3] == b"last one"):
                pass
            refused += sum(1 for kind, _, _, payload in connection.frames if kind == DATA and b"busy" in payload)
        # There is room for 21 of 100 streams with 48,000 bytes each in 1 MiB.
        self.assertGreaterEqual(refused, 10 * 70)

    def test_streams_that_count_in_no_limit(self):
        """After a hundred of them in a row the server names the last stream, and closes."""
        connection = http2.Connection(server.port)
        self.addCleanup(connection.socket.close)
        for stream in range(1, 201, 2):
            connection.request(stream, "GET", "/healthz")
        self.assertEqual(connection.end(), [0])
        self.assertEqual([stream for kind, _, stream, _ in connection.frames if kind == HEADERS],
                         list(range(1, 201, 2)))
        last = next(payload for kind, _, _, payload in connection.frames if kind == http2.GOAWAY)[:4]
        self.assertEqual(int.from_bytes(last, "big"), 199)

    def test_windows_that_stay_closed(self):
        """They are there since the module began, as the server waits for them."""
        for connection in closed:
            # The first ones have their heads; a stream that has waited too long is reset with CANCEL.
            self.assertEqual(connection.frames[0][0], http2.SETTINGS)
        self.assertEqual(closed[0].answer(1, seconds=SECONDS_MAX)[-1][0], RST_STREAM)
        self.assertLess(closed_growth, GROWTH_MEGABYTES_MAX)


class Programs(unittest.TestCase):
    @unittest.skipUnless(shutil.which("h2load"), "there is no h2load (nghttp2-client)")
    def test_h2load_with_many_streams(self):
        done = subprocess.run(
            ["h2load", "-n", "2000", "-c", "8", "-m", "32", f"http://127.0.0.1:{server.port}/TopScores.xml"],
            capture_output=True, text=True, timeout=SECONDS_MAX)
        self.assertIn("2000 succeeded, 0 failed, 0 errored", done.stdout)
        until(lambda: server.probe("/healthz") == 200, SECONDS_MAX, "/healthz is 200")


if __name__ == "__main__":
    unittest.main()
