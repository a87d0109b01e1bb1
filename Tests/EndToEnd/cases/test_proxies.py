"""The configurations in deploy/proxy, and HAProxy's in deploy/cluster, with the real proxies: what they forward, which
client the server sees, that events arrive as they happen, and how much one client can use. The tests change only
names, ports, certificates, folders, and the timeout of bodies, which is long."""
import contextlib
import http.client
import json
import os
import re
import shutil
import signal
import socket
import ssl
import struct
import subprocess
import sys
import unittest

import attacks
import certificates
import client
import http2
import repository
import server as servers
import v1
from server import Server, until

sys.path.insert(0, os.path.join(repository.ROOT, "deploy", "cluster"))

from kit import files  # noqa: E402

WAITS = True

PATH = os.environ.get("PATH", "") + ":/usr/sbin"
RECIPES = os.path.join(repository.ROOT, "deploy", "proxy")
READS = 6           # of each address; a test takes some
SECONDS_MAX = 60
CONNECTIONS_MAX = 256       # of one client
STREAMS_MAX = 32            # of one connection
REQUESTS_AT_ONCE = 1_000    # of one client: 20 players open a page with 50 pictures
BATCH = 50                  # requests in one write; nginx does not begin more than 64
HSTS = "max-age=31536000"
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


def first_bytes(connection):
    """The bytes received on a non-blocking socket: None if there are none yet, and empty at its end."""
    try:
        return connection.recv(4096)
    except BlockingIOError:
        return None
    except OSError:
        return b""


class Proxy:
    """Tests of all proxies, through a port without TLS and one with it."""
    server = process = None

    @classmethod
    def setUpClass(cls):
        cls.find_program()
        cls.server = Server(f"behind-{cls.name}")
        cls.addClassCleanup(cls.server.stop)
        for command in (("game", "add", "quiz", "--name", "Quiz"), ("board", "add", "--game", "quiz", "solo")):
            cls.server.verb(*command)
        cls.server.terminate()
        cls.server.start("--trusted-proxies", "127.0.0.1/32", "--limits", "on", f"--limit=address-reads={READS}/h")
        cls.begin()
        cls.addClassCleanup(cls.end)

    @classmethod
    def find_program(cls):
        cls.program = shutil.which(cls.name, path=PATH)
        if cls.program is None:
            raise unittest.SkipTest(f"there is no {cls.name}")

    @classmethod
    @contextlib.contextmanager
    def in_front_of(cls, server):
        """The proxy in front of another server, which trusts it."""
        cls.find_program()
        cls.server = server
        cls.begin()
        try:
            yield
        finally:
            cls.end()

    @classmethod
    def begin(cls):
        cls.home = servers.scratch(f"proxy-{cls.name}")
        cls.certificate, cls.key = certificates.make(cls.home, "localhost")
        cls.port, cls.secure_port = servers.free_port(), servers.free_port()
        path = os.path.join(cls.home, "settings")
        with open(path, "w") as f:
            f.write(cls.settings())
        cls.log = open(os.path.join(cls.home, "log"), "w+")
        environment = {**servers.clean_environment(), "HOME": cls.home, "XDG_DATA_HOME": cls.home}
        cls.process = subprocess.Popen([cls.program, *cls.arguments(path)], stdin=subprocess.DEVNULL, stdout=cls.log,
                                       stderr=cls.log, env=environment, cwd=cls.home)
        until(cls.answers, SECONDS_MAX, f"{cls.name} listens")

    @classmethod
    def end(cls):
        cls.process.send_signal(signal.SIGTERM)
        try:
            cls.process.wait(SECONDS_MAX)
        except subprocess.TimeoutExpired:
            cls.process.kill()
        cls.log.close()

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
            return http.client.HTTPConnection("localhost", cls.port, SECONDS_MAX, source_address=(address, 0))
        context = ssl.create_default_context(cafile=cls.certificate)
        return http.client.HTTPSConnection("localhost", cls.secure_port, timeout=SECONDS_MAX,
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
        with open(os.path.join(self.home, "settings")) as recipe:
            self.assertRegex(recipe.read(),
                             r'(?m)^ *(header_up -|proxy_set_header |http-request del-header )Traceparent( "";)?$')

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


    # -- what one client can take

    def test_browsers_are_told_to_stay_with_tls_by_tls_alone(self):
        for path in ("/healthz", "/v1/games/quiz", "/nowhere"):
            self.assertEqual(self.ask("127.0.0.75", path, True)[2].headers.get_all("strict-transport-security"), [HSTS])
            self.assertIsNone(self.ask("127.0.0.75", path, False)[2].getheader("strict-transport-security"), path)

    def hold(self, address, count, sent):
        """Connections of one address that have sent these bytes; they close with the test."""
        held = []
        for _ in range(count):
            held.append(socket.socket())
            self.addCleanup(held[-1].close)
            held[-1].bind((address, 0))
            held[-1].connect(("127.0.0.1", self.port))
            held[-1].setblocking(False)
            with contextlib.suppress(OSError):
                held[-1].send(sent)
        return held

    def test_connections_that_send_a_byte_keep_nobody_out_and_end_by_themselves(self):
        held = self.hold("127.0.0.80", 300, b"G")
        for _ in range(3):
            self.assertEqual(self.ask("127.0.0.81", "/healthz", secure=False)[0], 200)
            self.assertEqual(self.ask("127.0.0.82", "/healthz", secure=True)[0], 200)
        self.assertEqual(self.ask_again("127.0.0.80"), self.is_served_beyond)
        open_now = [connection for connection in held if first_bytes(connection) is None]
        self.assertLessEqual(len(open_now), 300 if self.is_served_beyond else CONNECTIONS_MAX)
        self.assertGreater(len(open_now), CONNECTIONS_MAX - 20, "they were open at the same time")
        # A byte now and then does not keep one open.
        left = open_now

        def are_closed():
            nonlocal left
            for connection in left:
                with contextlib.suppress(OSError):
                    connection.send(b"E")
            left = [connection for connection in left if first_bytes(connection) is None]
            return not left
        until(are_closed, SECONDS_MAX, "a head has 10 s")
        self.assertTrue(self.ask_again("127.0.0.80"))

    def ask_again(self, address):
        """Whether an address is answered."""
        try:
            return self.ask(address, "/healthz", secure=False)[0] == 200
        except (OSError, http.client.HTTPException):
            return False

    def test_a_body_that_does_not_come_ends_its_connection(self):
        slow = self.hold("127.0.0.85", 5, b"PUT /scores HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nphone=")
        for connection in slow:
            connection.settimeout(2 * SECONDS_MAX)
            try:
                answer = connection.recv(4096)
            except ConnectionResetError:
                continue
            self.assertRegex(answer, rb"^(|HTTP/1\.[01] (400|408|504) .*)", answer)


class Site(Proxy):
    """Tests of the proxies that serve browsers directly."""

    def test_who_comes_without_tls_is_sent_to_https_but_for_the_clients_of_2009(self):
        status, _, answer = self.ask("127.0.0.20", "/v1/games?x=1", secure=False)
        self.assertEqual(status, 308)
        self.assertRegex(answer.getheader("location"), r"^https://localhost(:\d+)?/v1/games\?x=1$")
        status, _, _ = self.ask("127.0.0.20", "/v1/games/quiz/devices/d", secure=False, method="PUT", body="{}")
        self.assertEqual(status, 308)
        for path in ("/healthz", "/TopScores.xml"):
            self.assertEqual(self.ask("127.0.0.20", path, secure=False)[0], 200, path)


    def test_a_head_may_be_as_large_as_the_server_takes(self):
        for secure in (False, True):
            status, _, _ = self.ask("127.0.0.74", "/healthz", secure, Cookie="x" * 60_000)
            self.assertEqual(status, 200)


class RequestRate:
    """Tests of the proxies that limit how many requests a client begins in a time."""

    def cancel(self, address, count):
        """Sends requests of one client on one connection and cancels all but each fiftieth at once.
        :returns: whether the last one was refused
        """
        door = attacks.Door(self.name, self.secure_port, self.certificate)
        request = http2.END_HEADERS | http2.END_STREAM
        head = http2.head("GET", "/healthz", **{":authority": "localhost"})
        with door.http2(address) as connection:
            for begin in range(1, 2 * count, 2 * BATCH):
                last = begin + 2 * (BATCH - 1)
                connection.send(b"".join(
                    http2.frame(http2.HEADERS, request, stream, head)
                    + http2.frame(http2.RST_STREAM, 0, stream, struct.pack(">I", http2.CANCEL))
                    for stream in range(begin, last, 2)) + http2.frame(http2.HEADERS, request, last, head))
                # Neither proxy compresses this status.
                is_refused = b"429" in connection.answer(last, SECONDS_MAX)[0][3]
        return is_refused

    def test_a_client_that_cancels_its_requests_is_refused_and_nobody_else(self):
        self.assertFalse(self.cancel("127.0.0.91", REQUESTS_AT_ONCE - 100), "a crowd behind one address is served")
        until(lambda: self.cancel("127.0.0.91", 500), SECONDS_MAX, "requests count although they were cancelled")
        self.assertFalse(self.cancel("127.0.0.92", BATCH))
        until(lambda: self.ask("127.0.0.91", "/healthz", True)[0] == 200, SECONDS_MAX, "it may ask again")


class Nginx(RequestRate, Site, unittest.TestCase):
    name = "nginx"
    # It counts no connections that send nothing; see Nftables.
    is_served_beyond = True
    EVENT = "127.0.0.94"

    @classmethod
    def settings(cls):
        site = edited("nginx.conf", (r"# 203\.0\.113\.0/24 1;", f"{cls.EVENT} 1;"),
                      (r"listen \[::\]:\d+[^;]*;", ""), (r"listen 80", f"listen 127.0.0.1:{cls.port}"),
                      (r"listen 443 ", f"listen 127.0.0.1:{cls.secure_port} "), (r"127\.0\.0\.1:8080",
                                                                                f"127.0.0.1:{cls.server.port}"),
                      (r"server_name scores\.example\.org", "server_name localhost"),
                      (r"client_body_timeout 30s", "client_body_timeout 3s"),
                      (r"/etc/letsencrypt\S*fullchain\.pem", cls.certificate),
                      (r"/etc/letsencrypt\S*privkey\.pem", cls.key))
        folders = "".join(f"{what}_temp_path {cls.home}/{what};\n"
                          for what in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        # The settings that its first lines require in the main file.
        main = "".join(re.findall(r"(?m)^# +((?:worker_rlimit_nofile|events) .*\n)", site))
        return f"worker_processes 1;\ndaemon off;\npid {cls.home}/pid;\nerror_log stderr;\n{main}" \
            f"http {{\naccess_log off;\n{folders}{site}\n}}\n"

    @classmethod
    def arguments(cls, path):
        return ["-c", path, "-p", cls.home]

    def test_whoever_asks_for_another_name_gets_nothing(self):
        for secure in (False, True):
            status, _, answer = self.ask("127.0.0.90", "/v1/games", secure, Host="evil.example")
            self.assertEqual((status, answer.getheader("location")), (421, None))
        context = ssl._create_unverified_context()
        with socket.create_connection(("127.0.0.1", self.secure_port), SECONDS_MAX) as plain:
            with self.assertRaises(ssl.SSLError):
                context.wrap_socket(plain, server_hostname="evil.example").close()

    def test_the_requests_of_a_client_are_counted_but_not_those_of_an_event(self):
        for address in (self.EVENT, "127.0.0.95"):
            self.hold(address, CONNECTIONS_MAX,
                      b"PUT /scores HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nphone=")
        until(lambda: self.ask("127.0.0.95", "/healthz", secure=False)[0] == 429, 2, "the next one is refused")
        self.assertEqual(self.ask("127.0.0.95", "/healthz", False)[2].headers.get_all("retry-after"), ["1"])
        for address in (self.EVENT, "127.0.0.96"):
            self.assertEqual(self.ask(address, "/healthz", secure=False)[0], 200)

    def test_a_refusal_of_the_server_keeps_its_own_time_to_retry(self):
        for _ in range(READS):
            self.assertEqual(self.ask("127.0.0.93", "/v1/games", secure=True)[0], 200)
        status, _, answer = self.ask("127.0.0.93", "/v1/games", secure=True)
        self.assertEqual((status, len(answer.headers.get_all("retry-after"))), (429, 1))

    def test_the_rate_of_an_event_is_not_limited(self):
        for _ in range(4):
            self.assertFalse(self.cancel(self.EVENT, 500))


class Caddy(Site, unittest.TestCase):
    name = "caddy"
    is_served_beyond = True

    @classmethod
    def settings(cls):
        return edited("Caddyfile", (r"scores\.example\.org:80 ", f"http://localhost:{cls.port} "),
                      (r"scores\.example\.org \{",
                       f"https://localhost:{cls.secure_port} {{\n    tls {cls.certificate} {cls.key}"),
                      (r"127\.0\.0\.1:8080", f"127.0.0.1:{cls.server.port}"), (r"read_body 30s", "read_body 3s"),
                      (r"(?m)^\{$", "{\n    admin off\n    auto_https off"))

    @classmethod
    def arguments(cls, path):
        return ["run", "--config", path, "--adapter", "caddyfile"]

    def test_browsers_speak_http_1(self):
        """HTTP/2 of Debian 12's Caddy takes gigabytes for a client that cancels its requests."""
        context = ssl.create_default_context(cafile=self.certificate)
        context.set_alpn_protocols(["h2", "http/1.1"])
        with socket.create_connection(("127.0.0.1", self.secure_port), SECONDS_MAX) as plain:
            with context.wrap_socket(plain, server_hostname="localhost") as secure:
                self.assertEqual(secure.selected_alpn_protocol(), "http/1.1")

    def test_events_go_on_beyond_the_time_of_a_body(self):
        connection = self.connection("127.0.0.97", secure=True)
        self.addCleanup(connection.close)
        connection.request("GET", "/v1/games/quiz/boards/solo/live")
        stream = connection.getresponse()
        # The server sends something every 15 s, five times the timeout of a body here.
        for beginning in (b"data:", b":"):
            while not (line := stream.readline()).startswith(beginning):
                self.assertTrue(line, "the stream has ended")


class HAProxy(RequestRate, Proxy, unittest.TestCase):
    name = "haproxy"
    is_served_beyond = False

    @classmethod
    def settings(cls):
        pem = os.path.join(cls.home, "both.pem")
        with open(pem, "w") as both:
            for path in (cls.certificate, cls.key):
                with open(path) as part:
                    both.write(part.read())
        base = files.REAL | {"bind": "127.0.0.1"}
        text = files.fill("haproxy.cfg", files.values({"one": "127.0.0.1"}, "one", base, files.passwords()))
        secure = f"    bind 127.0.0.1:{cls.secure_port} ssl crt {pem} alpn h2,http/1.1\n"
        for old, new in ((":8000\n", f":{cls.port}\n{secure}"),
                         ("127.0.0.1:8080 check", f"127.0.0.1:{cls.server.port} check"),
                         (":5000\n", f":{servers.free_port()}\n")):
            assert old in text, old
            text = text.replace(old, new)
        return text

    @classmethod
    def arguments(cls, path):
        return ["-db", "-f", path]

    def test_all_addresses_of_a_network_of_ipv6_are_one_client(self):
        with open(os.path.join(self.home, "settings")) as settings:
            text = settings.read()
        for tracked in ("track-sc0 src,ipmask(32,64)\n", "track-sc1 src,ipmask(32,48) table blocks\n",
                        "track-sc2 src,ipmask(32,64) table requests\n"):
            self.assertIn(tracked, text)

    def test_the_requests_of_a_client_are_counted(self):
        door = attacks.Door(self.name, self.secure_port, self.certificate)
        held = []

        def hold():
            # The client lets HAProxy send no body, so its requests stay open.
            held.append(door.http2("127.0.0.95", struct.pack(">HI", http2.INITIAL_WINDOW_SIZE, 0)))
            self.addCleanup(held[-1].socket.close)
            for stream in range(1, 2 * STREAMS_MAX, 2):
                held[-1].request(stream, "GET", "/healthz")

        def is_refused():
            # On a busy machine the server may answer checks late. HAProxy ends its requests then, so more are held.
            hold()
            return self.ask("127.0.0.95", "/healthz", True)[0] == 429

        for _ in range(CONNECTIONS_MAX // STREAMS_MAX):
            hold()
        until(is_refused, SECONDS_MAX, "the next one is refused")
        self.assertEqual(self.ask("127.0.0.95", "/healthz", False)[2].getheader("retry-after"), "1")
        self.assertEqual(self.ask("127.0.0.96", "/healthz", True)[0], 200)
        for connection in held:
            connection.socket.close()
        until(lambda: self.ask("127.0.0.95", "/healthz", True)[0] == 200, SECONDS_MAX, "it may ask again")


@unittest.skipUnless(shutil.which("nft", path=PATH), "there is no nft")
class Nftables(unittest.TestCase):
    """The limits of connections that nginx and Caddy lack, in their own network namespace."""
    BEGIN = """
import socket, sys, time
V4, V6 = socket.AF_INET, socket.AF_INET6
def listener(family, to):
    s = socket.socket(family)
    s.bind((to, 80))
    s.listen(4096)
    return s
def open_one(family, address, to, seconds=10):
    s = socket.socket(family)
    s.bind((address, 0))
    s.settimeout(seconds)
    s.connect((to, 80))
    return s
"""
    # Counts how many connections each address gets until one is refused.
    COUNT = BEGIN + """
kept = []
for family, to, *addresses in ((V4, "127.0.0.1", "127.0.0.2", "127.0.0.3"),
                               (V6, "fd00:1::5", "fd00:1::5", "fd00:1::6", "fd00:2::6",
                                *(f"fd00:9:0:{number}::5" for number in range(1, 10)))):
    with listener(family, to):
        for address in addresses:
            taken = 0
            try:
                while taken < 300:
                    kept.append(open_one(family, address, to))
                    taken += 1
            except ConnectionRefusedError:
                pass
            print(address, taken)
"""
    # Opens and closes connections until one gets no answer, and then one of another client. A connection of loopback
    # is open at once, or its first packet was dropped.
    RATE = BEGIN + """
for family, to, burst, rate, flood, others in (
        (V4, "127.0.0.1", 300, 100, ["127.0.0.2"], ["127.0.0.3"]),
        (V6, "fd00:1::5", 300, 100, ["fd00:1::5", "fd00:1::6"], ["fd00:2::6"]),
        (V6, "fd00:1::5", 2400, 800, [f"fd00:9:0:{number}::5" for number in range(1, 10)], ["fd00:2::6"])):
    with listener(family, to) as accepting:
        begun, taken = time.monotonic(), 0
        try:
            while taken < 10_000:
                open_one(family, flood[taken % len(flood)], to, 0.5).close()
                accepting.accept()[0].close()
                taken += 1
            print(flood[0], "is not limited")
        except TimeoutError:
            most = burst + rate * (time.monotonic() - begun) + 1
            print(flood[0], burst if burst <= taken <= most else f"{taken} of {burst} to {most}")
        for address in others:
            open_one(family, address, to).close()
        # Its packet is repeated after a second, and then there is room.
        open_one(family, flood[0], to).close()
"""

    def lines(self, program):
        """What a program prints in a network with the recipe's rules."""
        recipe = os.path.join(RECIPES, "nftables.conf")
        script = "ulimit -n 8192 && ip link set lo up && " \
            "for a in fd00:1::5 fd00:1::6 fd00:2::6 $(seq -f fd00:9:0:%g::5 1 9); do " \
            "ip -6 addr add $a/64 dev lo nodad; done && " \
            f"nft -f {recipe} && exec {sys.executable} -c \"$0\""
        environment = {**servers.clean_environment(), "PATH": PATH}
        if subprocess.run(["unshare", "--net", "sh", "-c", f"nft -f {recipe}"], capture_output=True,
                          env=environment, timeout=SECONDS_MAX).returncode != 0:
            self.skipTest("this machine cannot make network namespaces or rules")
        done = subprocess.run(["unshare", "--net", "sh", "-c", script, program], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, env=environment, timeout=2 * SECONDS_MAX)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.splitlines()

    def test_one_client_has_256_connections_and_a_48_has_2048(self):
        self.assertEqual(self.lines(self.COUNT), [
            "127.0.0.2 256", "127.0.0.3 256", "fd00:1::5 256", "fd00:1::6 0", "fd00:2::6 256",
            *(f"fd00:9:0:{number}::5 256" for number in range(1, 9)), "fd00:9:0:9::5 0"])

    def test_one_client_opens_100_connections_a_second_and_a_48_opens_800(self):
        self.assertEqual(self.lines(self.RATE), ["127.0.0.2 300", "fd00:1::5 300", "fd00:9:0:1::5 2400"])


if __name__ == "__main__":
    unittest.main()
