"""What causeboard.js has beside the queue that all clients of Clients have: types, saves, the stream of its
player."""
import contextlib
import http.server
import json
import os
import shutil
import threading
import subprocess
import time
import unittest

import chaos
import server as servers
import v1
from engine_client import CLIENTS, PLAYERS, EngineClientCase, Played
from server import Server, until


def setUpModule():
    server = EngineClientCase.server = Server("javascript-client")
    unittest.addModuleCleanup(server.stop)
    server.verb("game", "add", "maze", "--name", "Maze")
    server.verb("board", "add", "--game", "maze", "lap")


class Silent(http.server.BaseHTTPRequestHandler):
    """A server whose streams say one event and then nothing, while a game is there."""

    protocol_version = "HTTP/1.1"
    streams = []

    def answer(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        player = b'{"player":{"id":7,"name":"Ada"},"id":7,"name":"Ada"}'
        is_stream = self.path.endswith("/live")
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream" if is_stream else "application/json")
        self.send_header(*(("Connection", "close") if is_stream else ("Content-Length", str(len(player)))))
        self.end_headers()
        self.wfile.write(b"id: 1\nevent: me\ndata: " + player + b"\n\n" if is_stream else player)
        self.wfile.flush()
        if is_stream:
            self.streams.append(self)
            with contextlib.suppress(ConnectionError):
                self.connection.recv(1)     # until the game ends it
            self.streams.remove(self)
            self.close_connection = True

    do_GET = do_PUT = answer

    def log_message(self, *_):
        pass


@unittest.skipUnless(shutil.which("node"), "there is no node")
class JavaScript(EngineClientCase, unittest.TestCase):
    command = ("node", "--expose-gc", os.path.join(PLAYERS, "queue.mjs"), os.path.join(CLIENTS, "causeboard.js"))

    def silent(self, **environment):
        """A game that follows its player on a server that falls silent. What it has no more use for is collected."""
        silent = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Silent)
        silent.daemon_threads = True
        threading.Thread(target=silent.serve_forever, args=(0.02,), daemon=True).start()
        self.addCleanup(silent.server_close)
        self.addCleanup(silent.shutdown)
        self.proxy.port = silent.server_address[1]
        played = self.signed_in(**environment)
        played.followMe()
        until(played.profiles, 30, "the stream has begun")
        until(lambda: len(Silent.streams) == 1, 30, "the server has one stream")
        for _ in range(2):
            played.collect()
        return played

    def test_the_end_of_a_stream_ends_it(self):
        played = self.silent(LINGER="yes")
        played.endFollowing()
        until(lambda: not Silent.streams, 30, "the server sees that the stream has ended")
        played.close()
        played.process.stdin.close()
        self.assertEqual(played.process.wait(20), 0, "nothing is left to do")

    def test_the_end_of_the_client_ends_its_streams(self):
        played = self.silent(LINGER="yes")
        played.close()
        played.process.stdin.close()
        self.assertEqual(played.process.wait(20), 0, "nothing is left to do")

    def test_a_stream_that_falls_silent_is_opened_again(self):
        self.silent(SILENCE="1")
        first = Silent.streams[0]
        until(lambda: Silent.streams and Silent.streams[0] is not first, 30, "another stream has taken its place")

    def test_what_a_games_own_function_throws_is_told_and_ends_nothing(self):
        self.proxy.port = self.server.port          # the proxy waits for the end of what it hands on
        played = self.signed_in()
        played.followMe(True)
        until(played.profiles, 30, "it is told")
        played.settled(played.post("lap", 5))
        until(lambda: played.profiles()[-1]["earned"] == 5, 30, "and told again")
        played.process.kill()
        self.assertIn("the game's own fault", played.process.stderr.read())

    def test_a_game_that_is_not_named_is_said(self):
        code = ("import('file://' + process.argv[1]).then(({ Causeboard }) => "
                "Causeboard.open({ server: 'http://127.0.0.1:1' })).catch(({ message }) => console.log(message))")
        done = subprocess.run(["node", "-e", code, os.path.join(CLIENTS, "causeboard.js")], capture_output=True,
                              text=True, check=True)
        self.assertEqual(done.stdout, "game is the slug of the game\n")

    def test_a_client_that_was_closed_says_so(self):
        played = self.signed_in(LINGER="yes")
        played.close()
        self.refuses("closed", played.signIn, "Ada")

    def test_without_web_crypto_posts_go_unsigned_and_a_signed_board_refuses_them_alone(self):
        self.server.verb("board", "add", "--game", "maze", "signed", "--trust", "signed")
        played = self.signed_in(UNSIGNED="yes")
        refused = played.settled(played.post("signed", 5))
        self.assertEqual((refused["state"], refused["problem"]["type"]), ("refused", "bad-signature"))
        self.assertEqual(played.settled(played.post("lap", 6))["state"], "sent")
        played.process.kill()
        self.assertEqual(played.process.stderr.read().count("posts are not signed"), 1)

    def test_its_types_name_what_it_has(self):
        code = ("import('file://' + process.argv[1]).then(({ Causeboard, ...others }) => console.log(JSON.stringify("
                "[...Object.keys(others), ...Object.getOwnPropertyNames(Causeboard.prototype)])))")
        done = subprocess.run(["node", "-e", code, os.path.join(CLIENTS, "causeboard.js")], capture_output=True,
                              text=True, check=True)
        names = json.loads(done.stdout)
        with open(os.path.join(CLIENTS, "causeboard.d.ts"), encoding="utf-8") as f:
            types = f.read()
        for name in names:
            self.assertRegex(types, rf"\b{name}\b")
        self.assertGreater(len(names), 30)

    def test_saves_go_between_devices(self):
        played = self.signed_in()
        other = Played(self.command, servers.scratch(f"kept-{v1.new_id()}"), self.server.port, {})
        self.addCleanup(other.kill)
        other.followMe()
        other.signIn("Bob")
        other.join(played.makeCode()["code"])
        self.assertIsNone(played.load("journey"))
        first = played.save("journey", "one")["etag"]
        self.assertEqual(other.load("journey"), {"text": "one", "etag": first})
        self.refuses("stale", other.save, "journey", "two")
        # Each adds its word, and both words are there whoever was first.
        second = other.merging("journey", "two", None)["etag"]
        self.assertEqual(played.load("journey"), {"text": "one two", "etag": second})
        self.assertEqual(played.merging("journey", "three", first)["slot"], "journey")
        third = played.load("journey")
        self.assertEqual(third["text"], "one two three")
        self.assertEqual([save["bytes"] for save in other.saves()], [len("one two three")])
        said = [{"slot": "journey", "etag": third["etag"]}]
        until(lambda: other.profiles() and other.profiles()[-1]["saves"] == said, 30, "the other device is told")
        played.settled(played.post("lap", 44))
        until(lambda: other.profiles()[-1]["earned"] == 44, 30, "and of points")
        other.endFollowing()
        self.refuses("stale", played.deleteSave, "journey", first)
        played.deleteSave("journey", third["etag"])
        self.assertIsNone(other.load("journey"))

    def test_where_streams_are_refused_the_player_is_asked_about(self):
        self.proxy.decide = lambda seen: chaos.problem(429, "rate-limited") if seen.path.endswith("/live") \
            else chaos.PASS
        played = self.signed_in()
        played.followMe()
        until(lambda: [profile["name"] for profile in played.profiles()] == ["Ada"], 30, "it asked")

    def test_only_the_server_itself_ends_following_the_player(self):
        """A network's log-in page may answer with any status, and with JSON."""
        played = self.signed_in(POLL="0.05")
        page = {"Content-Type": "application/json"}
        answers = [(401, {"Content-Type": "text/html"}, b"<h1>Log in first</h1>"), (410, page, b'{"type": "gone"}'),
                   (200, page, b'{"status": "maintenance"}')]

        def decide(seen):
            """Each answer comes to the stream, and to the question in its place; then the server itself has none."""
            if seen.path.endswith("/me/live"):
                return answers[0] if answers else chaos.problem(429, "rate-limited")
            return answers.pop(0) if seen.path.endswith("/me") and answers else chaos.PASS
        self.proxy.decide = decide
        played.followMe()
        until(lambda: [profile["name"] for profile in played.profiles()] == ["Ada"], 30, "it went on")
        self.assertEqual(answers, [])

    def test_the_servers_word_ends_following_the_player(self):
        for last in ((204, {}, b""), chaos.problem(401, "unauthorized"), chaos.problem(410, "gone")):
            with self.subTest(last[0]):
                self.folder = servers.scratch(f"kept-{v1.new_id()}")
                self.proxy.decide = lambda seen: chaos.PASS
                played = self.signed_in(POLL="0.05")
                del self.proxy.seen[:]
                self.proxy.decide = lambda seen: last
                played.followMe()
                until(lambda: self.proxy.seen, 30, "it asked")
                time.sleep(0.5)
                self.assertEqual([seen.path for seen in self.proxy.seen], ["/v1/players/me/live"])

    def test_bytes_that_are_no_save_are_none(self):
        played = self.signed_in()
        etag = played.save("journey", "one")["etag"]
        page = (200, {"Content-Type": "text/html", "ETag": '"x"'}, b"<h1>Welcome to the hotel</h1>")
        said = (200, {"Content-Type": "application/json"}, b'{"status": "maintenance"}')
        for answer, call in ((page, lambda: played.load("journey")), (said, lambda: played.load("journey")),
                             (said, lambda: played.save("journey", "two", {"etag": etag})),
                             (said, lambda: played.deleteSave("journey", etag))):
            self.proxy.decide = lambda seen: answer
            self.refuses("unusual", call)
        self.proxy.decide = lambda seen: chaos.PASS
        self.assertEqual(played.load("journey"), {"text": "one", "etag": etag})
