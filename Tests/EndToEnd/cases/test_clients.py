"""Clients of the real world, each with its own habits: all get the same answers, over one connection each."""
import http.client
import os
import shutil
import socket
import subprocess
import unittest
import uuid

import client
import packages
import v1
from relay import Relay
from repository import ROOT
from server import Server

CLIENTS = os.path.join(ROOT, "Tests", "EndToEnd", "clients")
SECONDS_MAX = 60

server = None
player = None


def setUpModule():
    global server, player
    server = Server("clients")
    server.verb("game", "add", "maze", "--name", "Maze")
    server.verb("board", "add", "--game", "maze", "lap")
    player = v1.Player(server, "maze", "Ada")


def tearDownModule():
    server.stop()


def steps():
    """Requests of all kinds, and the status that each is answered with."""
    score = f"/v1/games/maze/boards/lap/scores/{uuid.uuid4()}"
    return [
        ("GET", "/healthz", None, 200),
        ("PUT", score, '{"points": 1500}', 201),
        ("PUT", score, '{"points": 1500}', 200),
        ("PUT", score, '{"points": 1501}', 409),
        ("GET", "/v1/games/maze/boards/lap/players/me", None, 200),
        ("PATCH", "/v1/players/me", '{"send_updates": true}', 200),
        ("GET", "/v1/games/maze/boards/lap/top.xml", None, 200),
        ("GET", "/nowhere", None, 404),
        ("PUT", score, "{", 400),
        ("GET", "/TopScores.xml", None, 200),
        ("HEAD", "/v1/games/maze/boards/lap/top.csv", None, 200),
        ("GET", "/v1/players/me", None, 200),
    ]


@unittest.skipUnless(shutil.which("curl"), "there is no curl")
class Curl(unittest.TestCase):
    def curl(self, *arguments, count=4):
        """The versions, the numbers of new connections and the statuses of several requests by one curl."""
        requests = []
        for number in range(count):
            requests += ["--next"] if number else []
            requests += [*arguments, "--silent", "--max-time", str(SECONDS_MAX), "--output", os.devnull,
                         "--write-out", "%{http_version} %{num_connects} %{http_code}\n",
                         f"http://127.0.0.1:{server.port}/v1/games/maze/boards/lap/top.json?limit={number + 1}"]
        done = subprocess.run(["curl", *requests], capture_output=True, text=True, timeout=SECONDS_MAX * 2)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [tuple(line.split()) for line in done.stdout.splitlines()]

    def test_an_offered_upgrade_is_ignored(self):
        self.assertEqual(self.curl("--http2"), [("1.1", "1", "200")] + [("1.1", "0", "200")] * 3)

    def test_http_1_1(self):
        self.assertEqual(self.curl("--http1.1"), [("1.1", "1", "200")] + [("1.1", "0", "200")] * 3)

    def test_http_1_0(self):
        for version, _, status in self.curl("--http1.0"):
            self.assertIn(version, ("1.0", "1.1"))
            self.assertEqual(status, "200")

    def test_http_2_with_prior_knowledge(self):
        # curl 7.88, Debian 12's, fails at its second request on such a connection (16), also with nghttpd. Those over
        # TLS are in test_tls, and h2load below sends many on each connection.
        self.assertEqual(self.curl("--http2-prior-knowledge", count=1), [("2", "1", "200")])


class Programs(unittest.TestCase):
    """Clients that send the steps from a file, and print each status."""

    def play(self, *command, connections=1):
        """Fails unless the client gets the answers that all clients get, over so many connections."""
        played = steps()
        path = os.path.join(server.home, f"steps-{uuid.uuid4()}")
        with open(path, "w") as file:
            for method, target, body, _ in played:
                file.write(" ".join(filter(None, (method, target, body))) + "\n")
        with Relay(server.port) as relay:
            done = subprocess.run([*command, f"http://127.0.0.1:{relay.port}", player.token, path],
                                  capture_output=True, text=True, timeout=SECONDS_MAX * 2)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([int(line) for line in done.stdout.split()], [status for *_, status in played])
        self.assertEqual(relay.connections, connections)

    @unittest.skipUnless(shutil.which("javac"), "there is no Java development kit")
    def test_java_http_client(self):
        self.play("java", os.path.join(CLIENTS, "Client.java"))

    @unittest.skipUnless(shutil.which("node"), "there is no node")
    def test_node_fetch(self):
        # It closes the connection of a HEAD request itself.
        self.play("node", os.path.join(CLIENTS, "fetch.mjs"), connections=2)

    def test_aiohttp(self):
        programs = packages.installed("test-clients", "aiohttp==3.13.2")
        self.play(os.path.join(programs, "python3"), os.path.join(CLIENTS, "aiohttp_client.py"))

    def test_python_http_client(self):
        with Relay(server.port) as relay:
            connection = http.client.HTTPConnection("127.0.0.1", relay.port, timeout=SECONDS_MAX)
            self.addCleanup(connection.close)
            for method, target, body, status in steps():
                connection.request(method, target, body, {
                    "Authorization": f"Bearer {player.token}", "Content-Type": "application/json"})
                answer = connection.getresponse()
                answer.read()
                self.assertEqual(answer.status, status, f"{method} {target}")
            self.assertEqual(relay.connections, 1)


class LoadTools(unittest.TestCase):
    def counts(self, *command):
        with Relay(server.port) as relay:
            command = [part.replace("PORT", str(relay.port)) for part in command]
            done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS_MAX)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout, relay.connections

    @unittest.skipUnless(shutil.which("ab"), "there is no ab (apache2-utils)")
    def test_ab_keeps_its_connections(self):
        text, connections = self.counts("ab", "-q", "-k", "-n", "200", "-c", "4",
                                        "http://127.0.0.1:PORT/v1/games/maze/boards/lap/top.json")
        for line in ("Complete requests:      200", "Failed requests:        0", "Keep-Alive requests:    200"):
            self.assertIn(line, text)
        self.assertEqual(connections, 4)

    @unittest.skipUnless(shutil.which("h2load"), "there is no h2load (nghttp2-client)")
    def test_h2load_over_http_2_and_http_1_1(self):
        for protocol in ([], ["--h1"]):
            text, connections = self.counts("h2load", "-n", "400", "-c", "4", "-m", "10", *protocol,
                                            "http://127.0.0.1:PORT/v1/games/maze/boards/lap/top.json")
            self.assertIn("400 total, 400 started, 400 done, 400 succeeded, 0 failed, 0 errored, 0 timeout", text)
            self.assertEqual(connections, 4)


class SlowAndHalf(unittest.TestCase):
    """Clients with a socket of their own."""

    def connect(self):
        connection = client.Connection(server)
        self.addCleanup(connection.close)
        return connection.open()

    def test_a_modem_that_brings_bytes_one_by_one(self):
        with self.connect() as connection:
            for _ in range(3):
                score = f"/v1/games/maze/boards/lap/scores/{uuid.uuid4()}"
                body = b'{"points": 7}'
                request = (f"PUT {score} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {player.token}\r\n"
                           f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n").encode() + body
                for byte in request:
                    connection.send(bytes([byte]))
                self.assertEqual(connection.receive("PUT").status, 201)

    def test_a_client_that_reads_bytes_one_by_one(self):
        class Slow(client.Connection):
            def more(self):
                byte = self.socket.recv(1)
                if not byte:
                    raise client.Broken("the server closed the connection")
                self.buffer += byte

        with Slow(server) as connection:
            connection.send(b"GET /v1/games/maze/boards/lap/top.xml HTTP/1.1\r\nHost: a\r\n\r\n" * 2)
            first = connection.receive("GET")
            self.assertEqual(first.status, 200)
            self.assertEqual(connection.receive("GET").body, first.body)

    def test_a_client_that_half_closes_reads_all_its_answers(self):
        with self.connect() as connection:
            score = f"/v1/games/maze/boards/lap/scores/{uuid.uuid4()}"
            connection.send(
                b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n" +
                f"PUT {score} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {player.token}\r\nContent-Length: 13\r\n"
                "Content-Type: application/json\r\n\r\n{\"points\": 8}".encode() +
                b"GET /v1/games HTTP/1.1\r\nHost: a\r\n\r\n")
            connection.socket.shutdown(socket.SHUT_WR)
            self.assertEqual([connection.receive(method).status for method in ("GET", "PUT", "GET")], [200, 201, 200])
            self.assertEqual(connection.socket.recv(1), b"")
