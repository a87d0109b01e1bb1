"""The recipes of deploy/proxy, with the proxies themselves: what they send on, whom the server takes for the client,
and that events come as they happen. Only names, ports, certificates and folders are changed."""
import http.client
import json
import os
import re
import shutil
import signal
import ssl
import subprocess
import unittest

import certificates
import client
import repository
import server as servers
import v1
from server import Server, until

PATH = os.environ.get("PATH", "") + ":/usr/sbin"
RECIPES = os.path.join(repository.ROOT, "deploy", "proxy")
READS = 6           # of each address; a test takes some
SECONDS_MAX = 60
ODD_PATHS = ("/v1/games/quiz/boards/solo/top.json?limit=1&window=day", "/v1//games", "/v1/games/%71uiz", "/v1/./games",
             "/v1/games/quiz%2Fsolo", "/nothing?a=%00&b=%2e%2e/")


def edited(recipe, *changes):
    """A recipe with its names changed; each has to be in it."""
    with open(os.path.join(RECIPES, recipe)) as f:
        text = f.read()
    for pattern, replacement in changes:
        text, count = re.subn(pattern, replacement, text)
        assert count, f"{recipe} has no {pattern}"
    return text


class Proxy:
    """What both proxies are asked, through a port without TLS and one with it."""
    server = process = None

    @classmethod
    def setUpClass(cls):
        cls.program = shutil.which(cls.name, path=PATH)
        if cls.program is None:
            raise unittest.SkipTest(f"there is no {cls.name}")
        cls.server = Server(f"behind-{cls.name}")
        cls.addClassCleanup(cls.server.stop)
        for command in (("game", "add", "quiz", "--name", "Quiz"), ("board", "add", "--game", "quiz", "solo")):
            cls.server.verb(*command)
        cls.home = servers.scratch(f"proxy-{cls.name}")
        cls.certificate, cls.key = certificates.make(cls.home, "127.0.0.1")
        cls.port, cls.secure_port = servers.free_port(), servers.free_port()
        cls.server.terminate()
        cls.server.start("--trusted-proxies", "127.0.0.1/32", "--limits", "on", f"--limit=address-reads={READS}/h")
        path = os.path.join(cls.home, "settings")
        with open(path, "w") as f:
            f.write(cls.settings())
        cls.log = open(os.path.join(cls.home, "log"), "w+")
        cls.addClassCleanup(cls.log.close)
        environment = {**servers.clean_environment(), "HOME": cls.home, "XDG_DATA_HOME": cls.home}
        cls.process = subprocess.Popen([cls.program, *cls.arguments(path)], stdin=subprocess.DEVNULL, stdout=cls.log,
                                       stderr=cls.log, env=environment, cwd=cls.home)
        cls.addClassCleanup(cls.end)
        until(cls.answers, SECONDS_MAX, f"{cls.name} listens")

    @classmethod
    def end(cls):
        cls.process.send_signal(signal.SIGTERM)
        try:
            cls.process.wait(SECONDS_MAX)
        except subprocess.TimeoutExpired:
            cls.process.kill()

    @classmethod
    def answers(cls):
        if cls.process.poll() is not None:
            cls.log.seek(0)
            raise AssertionError(f"{cls.name} ended\n{cls.log.read()[-2000:]}")
        try:
            return cls.ask("127.0.0.9", "/healthz", secure=True)[0] == 200
        except OSError:
            return False

    @classmethod
    def connection(cls, address, secure):
        if not secure:
            return http.client.HTTPConnection("127.0.0.1", cls.port, SECONDS_MAX, source_address=(address, 0))
        context = ssl.create_default_context(cafile=cls.certificate)
        return http.client.HTTPSConnection("127.0.0.1", cls.secure_port, timeout=SECONDS_MAX,
                                           source_address=(address, 0), context=context)

    @classmethod
    def ask(cls, address, path, secure, method="GET", body=None, **headers):
        connection = cls.connection(address, secure)
        try:
            connection.request(method, path, body, {k.replace("_", "-"): v for k, v in headers.items()})
            answer = connection.getresponse()
            return answer.status, answer.read(), answer
        finally:
            connection.close()

    def test_who_comes_without_tls_is_sent_to_https_but_for_the_clients_of_2009(self):
        status, _, answer = self.ask("127.0.0.20", "/v1/games?x=1", secure=False)
        self.assertEqual(status, 308)
        self.assertRegex(answer.getheader("location"), r"^https://127\.0\.0\.1(:\d+)?/v1/games\?x=1$")
        status, _, _ = self.ask("127.0.0.20", "/v1/games/quiz/devices/d", secure=False, method="PUT", body="{}")
        self.assertEqual(status, 308)
        for path in ("/healthz", "/TopScores.xml"):
            self.assertEqual(self.ask("127.0.0.20", path, secure=False)[0], 200, path)

    def test_paths_and_queries_come_as_they_were_sent(self):
        for number, path in enumerate(ODD_PATHS):
            direct = client.get(self.server, path, X_Forwarded_For=f"203.0.113.{number}")
            status, body, _ = self.ask(f"127.0.0.{30 + number}", path, secure=True)
            self.assertEqual((status, len(body)), (direct.status, len(direct.body)), path)

    def test_the_client_is_known_by_its_address_and_not_by_what_it_says(self):
        lies = {"X_Forwarded_For": "203.0.113.7", "Forwarded": "for=203.0.113.8"}
        for _ in range(READS):
            self.assertEqual(self.ask("127.0.0.50", "/v1/games", secure=True)[0], 200)
        for number in range(3):
            lies["X_Forwarded_For"] = f"203.0.113.{100 + number}"
            self.assertEqual(self.ask("127.0.0.50", "/v1/games", secure=True, **lies)[0], 429)
        self.assertEqual(self.ask("127.0.0.51", "/v1/games", secure=True, X_Forwarded_For="127.0.0.50")[0], 200)

    def test_nobody_chooses_the_id_of_a_request_or_that_it_is_traced(self):
        path, chosen = "/v1/players/me", "chosen0by0me"
        direct = client.get(self.server, path, Request_Id=chosen, X_Forwarded_For="203.0.113.9")
        self.assertEqual(direct["request-id"], chosen, "a proxy is believed")
        self.assertNotEqual(self.ask("127.0.0.55", path, True, Request_Id=chosen)[2].getheader("request-id"), chosen)
        for name in ("nginx.conf", "Caddyfile"):
            with open(os.path.join(RECIPES, name)) as recipe:
                self.assertRegex(recipe.read(), r'(?m)^ *(header_up -|proxy_set_header )Traceparent( "";)?$')

    def test_events_come_as_they_happen(self):
        ada = v1.Player(self.server, "quiz", "Ada")
        connection = self.connection("127.0.0.60", secure=True)
        self.addCleanup(connection.close)
        connection.request("GET", "/v1/games/quiz/boards/solo/live")
        stream = connection.getresponse()
        self.assertEqual((stream.status, stream.getheader("content-type")), (200, "text/event-stream"))

        def rows():
            """The rows of the next event. A line that a proxy kept to itself would end the wait with an error."""
            while not (line := stream.readline()).startswith(b"data:"):
                self.assertTrue(line, "the stream has ended")
            return [row["points"] for row in json.loads(line[5:])["rows"]]
        self.assertEqual(rows(), [])
        for points in (5, 6, 7):
            self.assertEqual(ada.post("solo", points).status, 201)
            while rows() != [points]:
                pass

    def test_a_post_and_a_large_body(self):
        token = v1.token()
        headers = {"Authorization": f"Bearer {token}"}
        status, _, _ = self.ask("127.0.0.70", "/v1/games/quiz/devices/bob", secure=True, method="PUT",
                                body=json.dumps({"name": "Bob"}), **headers)
        self.assertEqual(status, 201)
        status, body, _ = self.ask("127.0.0.70", "/v1/games/quiz/devices/bob", secure=True, method="PUT",
                                   body=json.dumps({"name": "B" * 300_000}), **headers)
        self.assertEqual(status, 413)
        self.assertIn(b"/problems/", body, "the server says so itself")


class Nginx(Proxy, unittest.TestCase):
    name = "nginx"

    @classmethod
    def settings(cls):
        site = edited("nginx.conf", (r"listen \[::\]:\d+[^;]*;", ""), (r"listen 80;", f"listen 127.0.0.1:{cls.port};"),
                      (r"listen 443 ", f"listen 127.0.0.1:{cls.secure_port} "), (r"127\.0\.0\.1:8080",
                                                                                f"127.0.0.1:{cls.server.port}"),
                      (r"server_name scores\.example\.org", "server_name 127.0.0.1"),
                      (r"/etc/letsencrypt\S*fullchain\.pem", cls.certificate),
                      (r"/etc/letsencrypt\S*privkey\.pem", cls.key))
        folders = "".join(f"{what}_temp_path {cls.home}/{what};\n"
                          for what in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        return f"worker_processes 1;\ndaemon off;\npid {cls.home}/pid;\nerror_log stderr;\nevents {{}}\n" \
            f"http {{\naccess_log off;\n{folders}{site}\n}}\n"

    @classmethod
    def arguments(cls, path):
        return ["-c", path, "-p", cls.home]


class Caddy(Proxy, unittest.TestCase):
    name = "caddy"

    @classmethod
    def settings(cls):
        site = edited("Caddyfile", (r"scores\.example\.org:80 ", f"http://127.0.0.1:{cls.port} "),
                      (r"scores\.example\.org \{",
                       f"https://127.0.0.1:{cls.secure_port} {{\n    tls {cls.certificate} {cls.key}"),
                      (r"127\.0\.0\.1:8080", f"127.0.0.1:{cls.server.port}"))
        return "{\n    admin off\n    auto_https off\n}\n" + site

    @classmethod
    def arguments(cls, path):
        return ["run", "--config", path, "--adapter", "caddyfile"]
