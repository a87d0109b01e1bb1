"""What causeboard.js has beside the queue that all clients of deploy/clients have: types, saves, the stream of its
player."""
import json
import os
import shutil
import subprocess
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
