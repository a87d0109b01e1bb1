"""Classic over HTTP: limits of a body, methods and paths that are none, and garbage."""

import classic_case
import client
from classic_case import ClassicCase


def setUpModule():
    classic_case.start("classichttp")


class HTTP(ClassicCase):
    def test_a_body_over_256_KiB_is_413(self):
        self.assertEqual(self.phone.register("fits", image="").status, 201)
        body = b"name=x&phone=" + client.device().encode() + b"&email=" + b"a" * (256 * 1024)
        for attempt in range(3):
            try:
                answer = self.put("/customers", body)
                break
            except (OSError, client.Broken):
                if attempt == 2:
                    raise
        self.assertEqual(answer.status, 413)

    def test_methods_and_paths_that_are_none(self):
        for method, path in (("DELETE", "/scores"), ("POST", "/TopScores.xml"), ("DELETE", "/high_scores.xml"),
                             ("PATCH", "/customers")):
            with self.subTest(method=method, path=path):
                answer = client.request(self.server, method, path, body=b"")
                self.assertEqual(answer.status, 405, answer)
                self.assertTrue(answer["allow"])
        for path in ("/", "/nope", "/TopScores/", "/topscores.xml/x", "/customers/7/8", "/v1/nope", "/%00",
                     "/..%2f..%2fetc/passwd", "/TopScores.xml%00"):
            with self.subTest(path=path):
                self.assertIn(client.get(self.server, path).status, (200, 303, 400, 404) if path == "/" else (400, 404))

    def test_probes(self):
        self.assertEqual(client.get(self.server, "/healthz").status, 200)
        self.assertEqual(client.get(self.server, "/readyz").status, 200)

    def test_garbage_on_the_socket_ends_only_its_own_connection(self):
        for data in (b"\r\n\r\n", b"GET\r\n\r\n", b"\x16\x03\x01\x02\x00",
                     b"PUT /scores HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
                     b"PUT /scores HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n",
                     b"PUT /scores HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n",
                     b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n"):
            with client.Connection(self.server, seconds=3) as c:
                try:
                    c.send(data)
                    self.assertGreaterEqual(c.receive("GET").status, 400)
                except (client.Broken, OSError):
                    pass
        self.assertEqual(client.get(self.server, "/healthz").status, 200)
        self.assertIsNone(self.server.process.poll(), "the self.server ended")
