"""What operators use: the admin listener, readiness, request ids and the access log."""
import contextlib
import ipaddress
import json
import os
import re
import signal
import socket
import time
import unittest
import uuid

import client
import server as servers
import v1
from server import Server, until

ID = r"^[A-Za-z0-9._-]{1,64}$"
MEMBERS = ["time", "request", "method", "route", "status", "bytes", "microseconds", "caller", "game", "address"]
server = None


def setUpModule():
    global server
    server = Server("operations")
    unittest.addModuleCleanup(server.stop)
    server.verb("game", "add", "quiz", "--name", "Quiz")
    server.verb("board", "add", "--game", "quiz", "solo")


@contextlib.contextmanager
def stopped(server):
    """The server's PostgreSQL stands still, as behind a network that swallows everything."""
    pids = [int(pid) for (pid,) in server.psql("select pid from pg_stat_activity where pid <> pg_backend_pid()")]
    for pid in pids + [server.postmaster()]:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids + [server.postmaster()]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)


class Listeners(unittest.TestCase):
    def test_metrics_are_on_the_admin_listener_alone(self):
        admin = client.get(server.admin(), "/metrics")
        self.assertEqual(admin.status, 200, admin)
        self.assertRegex(admin.text, r"(?m)^causeboard_standings_loaded [01]$")
        self.assertRegex(admin.text, r'(?m)^causeboard_requests_total\{route="health",status="2xx"\} [1-9]')
        self.assertRegex(admin.text, r'(?m)^causeboard_database_connections\{pool="ledger",state="open"\} \d+$')
        unknown = client.get(server, "/metricsx")
        for method in ("GET", "OPTIONS", "DELETE"):
            answer = client.request(server, method, "/metrics")
            self.assertEqual((answer.status, answer["allow"]), (404, None))
            self.assertEqual(answer.json()["detail"], unknown.json()["detail"])
        self.assertEqual(client.get(server.admin(), "/v1/games").status, 404)
        self.assertEqual(client.get(server.admin(), "/healthz").text, "ok\n")

    def test_pages_of_other_sites_do_not_reach_it(self):
        port = server.admin().port
        for headers, status in [((f"localhost:{port}", ), 200), ((f"rebound.example:{port}", ), 403),
                                (("localhost", "Origin: https://evil.example"), 403),
                                (("localhost", "Sec-Fetch-Site: cross-site"), 403)]:
            head = "\r\n".join(("Host: " + headers[0], ) + headers[1:])
            answer = client.raw(server.admin(), f"GET /metrics HTTP/1.1\r\n{head}\r\n\r\n".encode())
            self.assertEqual((answer.status, answer["access-control-allow-origin"]), (status, None), headers)

    def test_the_standard_port_may_be_taken_and_one_that_was_asked_for_may_not(self):
        with socket.socket() as taken:
            taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with contextlib.suppress(OSError):      # then somebody else has it, which is as good
                taken.bind(("127.0.0.1", 8081))
                taken.listen()
            quiet = Server("standard-port-taken", start=False)
            self.addCleanup(quiet.stop)
            quiet.start("--admin-listen", "")       # an empty setting is none; the last one of two counts
            said = [line for line in quiet.log().splitlines() if "--admin-listen" in line]
            self.assertEqual(len(said), 1, quiet.log())
            self.assertIn("8081", said[0])
            self.assertIn("admin=off", quiet.log())
            self.assertEqual(client.get(quiet, "/healthz").status, 200)
        other = Server("admin-port-taken", start=False)
        self.addCleanup(other.stop)
        listen = f"127.0.0.1:{server.port}"
        done = other.run_verb("serve", "--port", str(servers.free_port()), "--admin-listen", listen, seconds=40)
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stderr, rf"Port {server.port} of 127\.0\.0\.1 is taken.*--admin-listen")
        self.assertNotIn("Fatal error", done.stderr)
        self.assertIsNone(other.postmaster(), "its PostgreSQL was left behind")
        for wrong in ("8081", "localhost", "127.0.0.1:70000", "::1:8081", ":8081"):
            done = other.run_verb("serve", "--admin-listen", wrong, seconds=10)
            self.assertNotEqual(done.returncode, 0, wrong)
            self.assertIn("--admin-listen", done.stderr)


class Readiness(unittest.TestCase):
    def test_it_is_false_while_the_database_stands_still(self):
        self.assertEqual((client.get(server, "/readyz").status, client.get(server, "/readyz").text), (200, "ok\n"))
        told = client.get(server.admin(), "/readyz").json()
        self.assertEqual((told["ready"], told["causes"], told["database"]["read_only"]), (True, [], False))
        self.assertGreater(told["database"]["migration"], 0)
        with stopped(server):
            answer = until(lambda: (a := client.get(server, "/readyz")).status == 503 and a, 60, "/readyz is 503")
            self.assertEqual(answer.text, "wait\n")
            told = client.get(server.admin(), "/readyz")
            self.assertEqual((told.status, told.json()["ready"]), (503, False))
            self.assertIn(told.json()["causes"][0], ("database-silent", "database-away"))
            self.assertEqual(client.get(server, "/healthz").status, 200)
        until(lambda: client.get(server, "/readyz").status == 200, 30, "/readyz is 200 again")

    def test_readers_who_hold_every_connection_do_not_make_it_false(self):
        """The tables are locked, so that each read keeps its connection, and the next ones wait."""
        busy = Server("busy", start=False)
        self.addCleanup(busy.stop)
        busy.start("--connections", "2")
        held = busy.psql("select pg_backend_pid()")     # the database can be asked
        self.assertEqual(len(held), 1)
        import psql
        hand = psql.Psql(busy.conninfo())
        connections = []
        try:
            hand.run("begin")
            hand.run("lock table game in access exclusive mode")
            for _ in range(3):
                connection = client.Connection(busy)
                connection.send(b"GET /v1/games HTTP/1.1\r\nHost: x\r\n\r\n")
                connections.append(connection)
            waiting = r'(?m)^causeboard_database_waiting\{pool="general"\} [1-9]'
            until(lambda: re.search(waiting, client.get(busy.admin(), "/metrics").text), 60, "readers wait")

            def is_checked():
                checked = client.get(busy.admin(), "/readyz").json()["database"]
                return checked["seconds_since_check"] <= 3 and client.get(busy, "/readyz").status == 200
            until(is_checked, 60, "the database is looked at, and found well")
        finally:
            hand.run("rollback")
            hand.close()
            for connection in connections:
                connection.receive("GET")
                connection.close()

    def test_it_is_false_at_once_when_the_server_is_told_to_end(self):
        ending = Server("ending")
        self.addCleanup(ending.stop)
        admin = ending.admin()
        with client.Connection(ending) as slow:
            # The request is under way once the server asks for its body.
            slow.send(b"PUT /scores HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\n")
            self.assertEqual(slow.socket.recv(1_000), b"HTTP/1.1 100 Continue\r\n\r\n")
            ending.ended_by_us = True
            began = time.monotonic()
            ending.process.send_signal(signal.SIGTERM)
            answer = until(lambda: (a := client.get(admin, "/readyz")).status == 503 and a, 4, "/readyz is 503")
            self.assertEqual(answer.json()["causes"], ["stopping"])
            slow.send(b"phone=abcd")
            self.assertEqual(slow.receive("PUT").status, 422, "the running request is answered")
        ending.wait_end(began)


class RequestIDs(unittest.TestCase):
    def test_all_but_public_answers_have_one_and_problems_name_it(self):
        player = v1.Player(server, "quiz", "Ada")
        path = f"/v1/games/quiz/boards/solo/scores/{uuid.uuid4()}"
        seen = []
        for answer in (player.call("PUT", path, {"points": 5}), player.call("PUT", path, {"points": 5}),
                       player.call("GET", "/v1/players/me"), client.get(server, "/v1/nowhere"),
                       client.get(server, "/scores"), client.request(server, "OPTIONS", "/v1/games"),
                       client.get(server, "/v1/players/1"), client.raw(server, b"nonsense\r\n\r\n")):
            self.assertRegex(answer["request-id"] or "", ID, answer)
            seen.append(answer["request-id"])
            if answer.media == "application/problem+json":
                self.assertEqual(answer.json()["request"], answer["request-id"])
        self.assertEqual(len(set(seen)), len(seen))
        top = "/v1/games/quiz/boards/solo/top.json"
        for headers in ({}, {}, {"If-None-Match": "*"}):
            self.assertIsNone(client.get(server, top, **headers)["request-id"])
        self.assertIn("Request-Id", client.get(server, "/v1/nowhere")["access-control-expose-headers"])

    def test_a_strangers_id_is_not_taken_over(self):
        self.assertNotEqual(client.get(server, "/v1/nowhere", Request_Id="mine")["request-id"], "mine")


class AccessLog(unittest.TestCase):
    def test_it_has_each_request_and_nothing_of_anybody(self):
        logged = Server("logged", start=False)
        self.addCleanup(logged.stop)
        path = os.path.join(logged.home, "access.log")
        logged.start("--access-log", path)
        logged.verb("game", "add", "quiz", "--name", "Quiz")
        logged.verb("board", "add", "--game", "quiz", "solo")
        player = v1.Player(logged, "quiz", "Zelda-Zq")
        for _ in range(3):
            self.assertEqual(client.get(logged, "/v1/games/quiz/boards/solo/top.csv?limit=7").status, 200)
        refused = client.get(logged, "/v1/games/zqgame/boards/zqboard?zqkey=zqvalue", Authorization="Bearer zqtoken")
        self.assertEqual(refused.status, 404)
        client.raw(logged, b"PUT /scores HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999\r\nConnection: close\r\n\r\n")

        def lines(path):
            with open(path, encoding="ascii") as f:
                return [json.loads(line) for line in f]
        said = until(lambda: (a := lines(path)) and a[-1]["status"] == 413 and a, 30, "the last line")
        for line in said:
            self.assertEqual(list(line), MEMBERS)
            self.assertEqual(ipaddress.ip_network(line["address"]), ipaddress.ip_network("127.0.0.0/24"))
        tops = [a for a in said if a["route"] == "/v1/games/{game}/boards/{board}/top{.format}"]
        self.assertEqual([(a["status"], a["game"], a["caller"]) for a in tops], [(200, "quiz", "none")] * 3)
        self.assertGreater(min(a["bytes"] for a in tops), 10)
        made = [a for a in said if a["method"] == "PUT" and a["status"] == 201]
        self.assertEqual([(a["route"], a["caller"]) for a in made], [("/v1/games/{game}/devices/{device}", "player")])
        self.assertIn(refused["request-id"], [a["request"] for a in said])
        with open(path, encoding="ascii") as f:
            text = f.read().lower()
        for secret in ("zq", "zelda", player.token.lower(), "limit=7"):
            self.assertNotIn(secret, text)

        os.rename(path, path + ".1")
        logged.process.send_signal(signal.SIGHUP)
        until(lambda: os.path.exists(path), 30, "the log is opened again")
        self.assertEqual(client.get(logged, "/v1/players/7").status, 404)
        until(lambda: any(a["route"] == "/v1/players/{player}" for a in lines(path)), 30,
              "the line is in the new file")
        self.assertFalse(any(a["route"] == "/v1/players/{player}" for a in lines(path + ".1")))
        self.assertIn("causeboard_access_log_dropped_lines_total 0", client.get(logged.admin(), "/metrics").text)

        for number in range(50):
            client.get(logged, f"/v1/players/{number + 8}")
        logged.terminate()
        asked = [a for a in lines(path) if a["route"] == "/v1/players/{player}"]
        self.assertEqual(len(asked), 51, "all is written at the end")

    def test_a_file_that_cannot_be_opened_ends_the_start(self):
        other = Server("no-access-log", start=False)
        self.addCleanup(other.stop)
        done = other.run_verb("serve", "--access-log", "/nowhere/log", seconds=20)
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r"/nowhere/log cannot be opened: No such file.*--access-log")
