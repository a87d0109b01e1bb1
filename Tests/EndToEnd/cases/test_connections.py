"""How a client's connection behaves: requests one after the other, however they come, and answers in their order."""
import socket
import unittest

from server import Server

SECONDS_MAX = 30
server = None


def setUpModule():
    global server
    server = Server("connections")


def tearDownModule():
    server.stop()


class Connections(unittest.TestCase):
    def setUp(self):
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=SECONDS_MAX)
        self.addCleanup(self.socket.close)
        self.file = self.socket.makefile("rb")
        self.addCleanup(self.file.close)

    def send(self, text):
        self.socket.sendall(text if isinstance(text, bytes) else text.encode())

    def answer(self, has_body=True):
        """Status, headers and body of the next answer; nil when the server has closed."""
        line = self.file.readline()
        if not line:
            return None
        headers = {}
        while (header := self.file.readline()) not in (b"\r\n", b""):
            name, value = header.decode().split(":", 1)
            headers[name.lower()] = value.strip()
        length = int(headers.get("content-length", 0)) if has_body else 0
        return int(line.split()[1]), headers, self.file.read(length)

    def test_pipelined_requests_are_answered_in_their_order(self):
        paths = ["/healthz", "/TopScores.xml", "/nowhere", "/v1/games", "/healthz", "/v1/charities.json"] * 20
        self.send("".join(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n" for path in paths))
        expected = {
            "/healthz": (200, b"ok"), "/TopScores.xml": (200, b"<?xml"), "/nowhere": (404, b'{"type'),
            "/v1/games": (200, b"{"), "/v1/charities.json": (200, b"{")
        }
        for number, path in enumerate(paths):
            status, _, body = self.answer()
            self.assertEqual(status, expected[path][0], f"{number} {path}")
            self.assertTrue(body.startswith(expected[path][1]), f"{number} {path}: {body[:40]}")

    def test_a_request_that_comes_byte_by_byte_and_in_chunks(self):
        for byte in (b"PUT /customers HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: "
                     b"chunked\r\n\r\n4\r\nname\r\n6\r\n=Ada&p\r\n7\r\nhone=ab\r\n1\r\nc\r\n0\r\n\r\n"):
            self.send(bytes([byte]))
        self.assertEqual(self.answer()[0], 201)
        self.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        self.assertEqual(self.answer()[0], 200)

    def test_head_has_the_length_and_no_body(self):
        self.send("HEAD /TopScores.xml HTTP/1.1\r\nHost: x\r\n\r\nGET /TopScores.xml HTTP/1.1\r\nHost: x\r\n\r\n")
        _, head, _ = self.answer(has_body=False)
        _, headers, body = self.answer()
        self.assertEqual(head["content-length"], str(len(body)))
        self.assertEqual(head["etag"], headers["etag"])

    def test_who_asks_before_sending_is_told_to_go_on(self):
        self.send("PUT /customers HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 18\r\n\r\n")
        self.assertEqual(self.answer()[0], 100)
        self.send("name=Bea&phone=xyz")
        self.assertEqual(self.answer()[0], 201)

    def test_a_body_too_large_is_refused_at_once_and_the_connection_goes_on(self):
        size = 300_000
        self.send(f"PUT /customers HTTP/1.1\r\nHost: x\r\nContent-Length: {size}\r\n\r\n")
        status, headers, _ = self.answer()
        self.assertEqual((status, headers["content-type"]), (413, "application/xml; charset=utf-8"))
        self.send(b"x" * size + b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        self.assertEqual(self.answer()[0], 200)
        # One that does not say its length is refused when it has become too large.
        self.send("PUT /customers HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        self.send(b"".join(b"8000\r\n" + b"y" * 0x8000 + b"\r\n"
                           for _ in range(10)) + b"0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        self.assertEqual([self.answer()[0], self.answer()[0]], [413, 200])

    def test_who_has_said_goodbye_is_answered_and_let_go(self):
        self.send(
            "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        status, headers, _ = self.answer()
        self.assertEqual((status, headers["connection"], self.answer()), (200, "close", None))

    def test_http_1_0_has_one_request(self):
        self.send("GET /TopScores.json HTTP/1.0\r\n\r\n")
        self.assertEqual(self.answer()[0], 200)
        self.assertIsNone(self.answer())

    def test_a_body_that_another_reader_may_end_elsewhere_is_refused_and_nothing_behind_it_is_read(self):
        hidden = "0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
        for version, headers, status in (
                ("1.0", "Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n", 400),
                ("1.0", "Connection: keep-alive\r\nTransfer-Encoding: gzip, chunked\r\n", 400),
                ("1.1", "Transfer-Encoding: gzip, chunked\r\n", 501),
                ("1.1", "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", 501),
                ("1.1", "Transfer-Encoding: deflate,chunked\r\nExpect: 100-continue\r\n", 501),
                ("1.1", "Transfer-Encoding: gzip\r\n", 400), ("1.1", "Transfer-Encoding: chunked, chunked\r\n", 400)):
            with self.subTest(headers=headers):
                self.setUp()
                self.send(f"PUT /scores HTTP/{version}\r\nHost: x\r\n{headers}\r\n{hidden}")
                answered, said, _ = self.answer()
                self.assertEqual((answered, said["connection"], self.answer()), (status, "close", None))

    def test_who_sends_no_more_is_still_answered(self):
        self.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n" * 3)
        self.socket.shutdown(socket.SHUT_WR)
        self.assertEqual([self.answer()[0] for _ in range(3)], [200] * 3)
        self.assertIsNone(self.answer())

    def test_a_body_that_ends_early_is_told_so(self):
        self.send("PUT /customers HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nname=Cid")
        self.socket.shutdown(socket.SHUT_WR)
        status, _, body = self.answer()
        self.assertEqual(status, 400)
        self.assertIn(b"ended early", body)
        self.assertIsNone(self.answer())

    def test_what_is_no_http_is_refused_after_all_that_came_before_is_answered(self):
        # The first request waits for the database, so the others and the error wait for it.
        paths = ["/readyz", "/healthz", "/v1/games", "/healthz"]
        self.send("".join(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n" for path in paths) + "no http at all\r\n\r\n")
        self.assertEqual([self.answer()[0] for _ in paths], [200] * len(paths))
        status, headers, body = self.answer()
        self.assertEqual((status, headers["connection"]), (400, "close"))
        self.assertIn(b"request line", body)
        self.assertIsNone(self.answer())

    def test_a_protocol_that_is_offered_is_ignored(self):
        offers = {
            # What Java's HttpClient and `curl --http2` send.
            "GET": "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAAB\r\n\r\n",
            "POST": "Connection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 5\r\n\r\nhello",
            "PUT": "Connection: upgrade\r\nUpgrade: h2c\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        }
        for _ in range(3):
            for method, offer in offers.items():
                self.send(f"{method} /healthz HTTP/1.1\r\nHost: x\r\n{offer}")
                status, headers, _ = self.answer()
                self.assertEqual((status, "connection" in headers), (200 if method == "GET" else 405, False), method)
        self.send("".join(f"{method} /healthz HTTP/1.1\r\nHost: x\r\n{offer}" for method, offer in offers.items()))
        self.assertEqual([self.answer()[0] for _ in offers], [200, 405, 405])

    def test_connect_is_refused_and_what_follows_is_not_kept(self):
        self.send("CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n")
        status, headers, body = self.answer()
        self.assertEqual((status, headers["connection"]), (405, "close"))
        self.assertIn("GET", headers["allow"])
        self.assertIn(b"no proxy", body)
        self.assertIsNone(self.answer())

    def test_http_1_0_may_keep_its_connection(self):
        for _ in range(3):
            self.send("GET /healthz HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n")
            status, headers, _ = self.answer()
            self.assertEqual((status, headers["connection"]), (200, "keep-alive"))

    def test_options_of_the_server(self):
        self.send("OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        status, headers, _ = self.answer()
        self.assertEqual(status, 204)
        for method in ("GET", "PUT", "POST", "OPTIONS"):
            self.assertIn(method, headers["allow"])
        self.assertEqual(self.answer()[0], 200)

    def test_a_request_names_one_host(self):
        for hosts in ("", "Host: x\r\nHost: x\r\n", "Host: a b\r\n", "Host: user@x\r\n"):
            with self.subTest(hosts=hosts), socket.create_connection(("127.0.0.1", server.port), SECONDS_MAX) as s:
                s.sendall(f"GET /healthz HTTP/1.1\r\n{hosts}\r\n".encode())
                said = b""
                while chunk := s.recv(4096):
                    said += chunk
                self.assertTrue(said.startswith(b"HTTP/1.1 400 "), said)
                self.assertIn(b"Host header", said)

    def test_dates_are_http_dates(self):
        self.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        self.assertRegex(self.answer()[1]["date"],
                         r"^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$")


if __name__ == "__main__":
    unittest.main()
