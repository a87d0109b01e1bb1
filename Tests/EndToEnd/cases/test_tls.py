"""TLS: the versions, the files and their faults, a certificate that is renewed while clients are connected, and the
plain port beside it."""
import http.client
import os
import shutil
import signal
import socket
import ssl
import subprocess
import unittest

import certificates
import client
import http2
import server as servers
from certificates import TLSServer
from server import Server, until

SECONDS_MAX = 60

server = None
pair = None


def setUpModule():
    global server, pair
    if not certificates.have_openssl():
        raise unittest.SkipTest("there is no openssl")
    server = TLSServer("tls")
    pair = certificates.make(server.home, "first")
    server.install(pair)
    server.start("--tls-redirect")


def tearDownModule():
    if server is not None:
        server.stop()


def https(certificate):
    return http.client.HTTPSConnection("127.0.0.1", server.port, timeout=SECONDS_MAX,
                                       context=certificates.trusting(certificate))


def get(connection, path):
    connection.request("GET", path)
    answer = connection.getresponse()
    return answer.status, answer.read()


class Connections(unittest.TestCase):
    def setUp(self):
        server.install(pair)

    def test_python_speaks_http_1_1_over_one_connection(self):
        connection = https(pair[0])
        self.addCleanup(connection.close)
        for path in ("/healthz", "/v1/games", "/TopScores.xml"):
            self.assertEqual(get(connection, path)[0], 200)
        self.assertEqual(connection.sock.selected_alpn_protocol(), "http/1.1")

    @unittest.skipUnless(shutil.which("curl"), "there is no curl")
    def test_curl_chooses_the_version(self):
        for options, version in ((["--http2"], "2"), (["--http1.1"], "1.1"), (["--http2", "--tls-max", "1.2"], "2")):
            done = subprocess.run(
                ["curl", "--silent", "--cacert", pair[0], *options, "--output", os.devnull, "--max-time", "20",
                 "--write-out", "%{http_version} %{http_code}", f"https://127.0.0.1:{server.port}/v1/games"],
                capture_output=True, text=True, timeout=SECONDS_MAX)
            self.assertEqual((done.returncode, done.stdout), (0, f"{version} 200"), f"{options} {done.stderr}")

    def test_versions_before_1_2_are_refused(self):
        context = certificates.trusting(pair[0])
        context.minimum_version = ssl.TLSVersion.TLSv1_1
        context.maximum_version = ssl.TLSVersion.TLSv1_1
        context.set_ciphers("ALL:@SECLEVEL=0")
        with socket.create_connection(("127.0.0.1", server.port), timeout=SECONDS_MAX) as plain:
            with self.assertRaises((ssl.SSLError, ConnectionError)):
                context.wrap_socket(plain, server_hostname="127.0.0.1").close()

    def test_who_speaks_no_tls_is_let_go(self):
        with socket.create_connection(("127.0.0.1", server.port), timeout=SECONDS_MAX) as plain:
            plain.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            try:
                while plain.recv(4096):
                    pass
            except ConnectionResetError:
                pass
        self.assertEqual(get(https(pair[0]), "/healthz")[0], 200)


class Renewal(unittest.TestCase):
    def setUp(self):
        server.install(pair)

    def hang_up(self, says):
        before = server.log().count(says)
        server.process.send_signal(signal.SIGHUP)
        until(lambda: server.log().count(says) > before, SECONDS_MAX, f"the log says {says}")

    def test_a_new_certificate_disturbs_nobody(self):
        kept = https(pair[0])
        self.addCleanup(kept.close)
        self.assertEqual(get(kept, "/healthz")[0], 200)
        context = certificates.trusting(pair[0], protocols=("h2",))
        with http2.Connection(server.port, wrap=lambda s: context.wrap_socket(s, server_hostname="127.0.0.1")) as long:
            # This stream has begun before the renewal and ends after it.
            form = b"name=Bea&phone=" + client.device().encode()
            long.send(http2.frame(http2.HEADERS, http2.END_HEADERS, 1, http2.head("PUT", "/customers")))
            long.send(http2.frame(http2.DATA, 0, 1, form[:4]))

            new = certificates.make(server.home, "second")
            server.install(new)
            self.hang_up("new connections use the certificate that was read now")
            self.assertEqual(get(https(new[0]), "/healthz")[0], 200)
            with self.assertRaises(ssl.SSLCertVerificationError):
                get(https(pair[0]), "/healthz")

            long.send(http2.frame(http2.DATA, http2.END_STREAM, 1, form[4:]))
            self.assertIn(b"<customer>", http2.body(long.answer(1)))
        self.assertEqual(get(kept, "/healthz")[0], 200)
        server.install(pair)
        self.hang_up("new connections use the certificate that was read now")

    def test_a_broken_certificate_is_said_once_and_changes_nothing(self):
        shown = certificates.shown(server.port)
        other = certificates.make(server.home, "other")
        expired = certificates.make(server.home, "expired", days=-1)
        for wrong in ((pair[0], other[1]), expired, (pair[1], pair[1])):
            server.install(wrong)
            before = server.log().count("the certificate stays as it was")
            self.hang_up("the certificate stays as it was")
            self.assertEqual(server.log().count("the certificate stays as it was"), before + 1)
            self.assertEqual(certificates.shown(server.port), shown)


class Faults(unittest.TestCase):
    """What `serve` says of files that it cannot use."""

    def refusal(self, *arguments, **environment):
        done = subprocess.run([servers.binary(), "serve", "--data", os.path.join(server.home, "none"), *arguments],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS_MAX,
                              env=servers.clean_environment(**environment))
        self.assertNotEqual(done.returncode, 0)
        return done.stderr

    def files(self, certificate, key):
        return self.refusal("--tls-certificate", certificate, "--tls-key", key)

    def test_each_fault_says_what_to_change(self):
        other = certificates.make(server.home, "fault")
        expired = certificates.make(server.home, "old", days=-1)
        locked = os.path.join(server.home, "locked.pem")
        certificates.openssl("pkey", "-in", pair[1], "-aes128", "-passout", "pass:x", "-out", locked)
        for said, certificate, key in (
                ("There is no file /nowhere.pem", "/nowhere.pem", pair[1]),
                ("There is no file /nowhere.pem", pair[0], "/nowhere.pem"),
                ("is a directory", server.home, pair[1]),
                ("does not belong to the first certificate", pair[0], other[1]),
                ("has no certificate in PEM", pair[1], pair[1]),
                ("has no private key in PEM", pair[0], pair[0]),
                ("is encrypted. Decrypt it with", pair[0], locked),
                ("has expired at", *expired)):
            with self.subTest(said):
                self.assertIn(said, self.files(certificate, key))

    def test_settings_that_do_not_fit_together(self):
        tls = ("--tls-certificate", pair[0], "--tls-key", pair[1])
        self.assertIn("--tls-key", self.refusal("--tls-certificate", pair[0]))
        self.assertIn("--tls-certificate", self.refusal(CAUSEBOARD_TLS_KEY=pair[1]))
        self.assertIn("--plain-port", self.refusal("--plain-port", "8090"))
        self.assertIn("two different ports", self.refusal(*tls, "--port", "8090", "--plain-port", "8090"))
        self.assertIn("--plain-port", self.refusal(*tls, "--tls-redirect"))
        self.assertIn("--tls-certificate", self.refusal("--tls-redirect"))

    def test_a_taken_port_names_its_option(self):
        second = TLSServer("tls-taken")
        self.addCleanup(second.stop)
        second.install(pair)
        second.plain_port = server.plain_port
        with self.assertRaises(servers.Refused) as refused:
            second.start()
        self.assertIn("choose another one with --plain-port", str(refused.exception))


class PlainPort(unittest.TestCase):
    class Port:
        """The plain port, as the client sees a server."""

        @property
        def port(self):
            return server.plain_port

    def call(self, method, path, body=None, **headers):
        return client.request(self.Port(), method, path, [(k, v) for k, v in headers.items()], body)

    def test_who_reads_is_sent_to_https_and_who_writes_is_refused(self):
        for method in ("GET", "HEAD"):
            answer = self.call(method, "/v1/games?limit=2")
            self.assertEqual(answer.status, 308)
            self.assertEqual(answer["location"], f"https://127.0.0.1:{server.port}/v1/games?limit=2")
        answer = self.call("PUT", "/v1/games/default/devices/d", b"{}")
        self.assertEqual(answer.status, 403)
        self.assertEqual(answer.json()["type"], "/problems/https-only")

    def test_the_classic_protocol_and_health_stay_plain(self):
        self.assertEqual(self.call("GET", "/healthz").status, 200)
        self.assertEqual(self.call("GET", "/readyz").status, 200)
        self.assertEqual(self.call("GET", "/TopScores.xml").status, 200)
        self.assertEqual(client.Phone(self.Port()).register("Ada").status, 201)


class StayingWithTLS(unittest.TestCase):
    """`Strict-Transport-Security`, for browsers."""
    PATHS = ("/healthz", "/v1/games", "/v1/games", "/TopScores.xml", "/nowhere", "/v1/players/me")
    VALUE = "max-age=31536000"

    def start(self, *arguments):
        strict = TLSServer("tls-strict")
        self.addCleanup(strict.stop)
        strict.install(pair)
        strict.start(*arguments)
        return strict

    def said(self, strict, path, port=None):
        """The header of an answer in HTTP/1.1, over TLS or at the plain port."""
        connection = http.client.HTTPSConnection(
            "127.0.0.1", strict.port, timeout=SECONDS_MAX, context=certificates.trusting(pair[0])) if port is None \
            else http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS_MAX)
        self.addCleanup(connection.close)
        connection.request("GET", path)
        answer = connection.getresponse()
        if answer.getheader("content-type") != "text/event-stream":
            answer.read()
        return answer.headers.get_all("strict-transport-security")

    def test_browsers_are_told_so_by_tls_alone(self):
        strict = self.start("--public-url", "https://scores.example.org", "--tls-redirect")
        for path in (*self.PATHS, "/v1/games/default/boards/high-scores/live"):
            self.assertEqual(self.said(strict, path), [self.VALUE], path)
            self.assertIsNone(self.said(strict, path, strict.plain_port), path)
        admin = http.client.HTTPConnection("127.0.0.1", strict.admin().port, timeout=SECONDS_MAX)
        self.addCleanup(admin.close)
        admin.request("GET", "/readyz")
        self.assertIsNone(admin.getresponse().getheader("strict-transport-security"))

    @unittest.skipUnless(shutil.which("curl"), "there is no curl")
    def test_browsers_are_told_so_in_http_2(self):
        strict = self.start("--public-url", "https://scores.example.org")
        done = subprocess.run(
            ["curl", "--silent", "--cacert", pair[0], "--http2", "--max-time", "20", "--dump-header", "-",
             *(word for path in self.PATHS for word in ("--output", os.devnull,
                                                        f"https://127.0.0.1:{strict.port}{path}"))],
            capture_output=True, text=True, timeout=SECONDS_MAX)
        self.assertEqual(done.returncode, 0, done.stderr)
        heads = [head for head in done.stdout.replace("\r", "").split("\n\n") if head]
        self.assertEqual(len(heads), len(self.PATHS), done.stdout)
        for head in heads:
            self.assertTrue(head.startswith("HTTP/2 "), head)
            self.assertEqual(head.split("\n").count(f"strict-transport-security: {self.VALUE}"), 1, head)

    def test_at_another_port_than_the_standard_one_they_would_lose_their_way(self):
        for path in self.PATHS:
            self.assertIsNone(self.said(server, path), path)
        self.assertIsNone(self.said(self.start("--public-url", "https://scores.example.org:8443"), "/v1/games"))


class WithoutTLS(unittest.TestCase):
    def test_hanging_up_without_a_certificate_ends_nothing(self):
        plain = Server("plain")
        self.addCleanup(plain.stop)
        plain.process.send_signal(signal.SIGHUP)
        until(lambda: "SIGHUP reloads" in plain.log(), SECONDS_MAX, "the log says so")
        self.assertEqual(plain.probe("/healthz"), 200)

    def test_hanging_up_before_it_serves_does_not_end_it(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            silent.settimeout(SECONDS_MAX)
            url = f"postgres://x@127.0.0.1:{silent.getsockname()[1]}/x"
            starting = subprocess.Popen([servers.binary(), "serve", "--port", "0", "--database-url", url],
                                        env=servers.clean_environment(), stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
            self.addCleanup(starting.wait)
            self.addCleanup(starting.kill)
            connection, _ = silent.accept()     # It waits for its database from here on.
            with connection:
                starting.send_signal(signal.SIGHUP)
                starting.send_signal(signal.SIGTERM)
                self.assertEqual(starting.wait(SECONDS_MAX), 128 + signal.SIGTERM)


if __name__ == "__main__":
    unittest.main()
