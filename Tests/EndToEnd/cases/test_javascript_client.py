"""What causeboard.js has beside the queue that all clients of deploy/clients have: types, saves, the stream of its
player."""
import json
import os
import shutil
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


@unittest.skipUnless(shutil.which("node"), "there is no node")
class JavaScript(EngineClientCase, unittest.TestCase):
    command = ("node", os.path.join(PLAYERS, "queue.mjs"), os.path.join(CLIENTS, "causeboard.js"))

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
        until(lambda: other.profiles() and other.profiles()[-1]["saves"] == said, 20, "the other device is told")
        played.settled(played.post("lap", 44))
        until(lambda: other.profiles()[-1]["earned"] == 44, 10, "and of points")
        other.endFollowing()
        self.refuses("stale", played.deleteSave, "journey", first)
        played.deleteSave("journey", third["etag"])
        self.assertIsNone(other.load("journey"))

    def test_where_streams_are_refused_the_player_is_asked_about(self):
        self.proxy.decide = lambda seen: chaos.problem(429, "rate-limited") if seen.path.endswith("/live") \
            else chaos.PASS
        played = self.signed_in()
        played.followMe()
        until(lambda: [profile["name"] for profile in played.profiles()] == ["Ada"], 10, "it asked")

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
                until(lambda: self.proxy.seen, 10, "it asked")
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
