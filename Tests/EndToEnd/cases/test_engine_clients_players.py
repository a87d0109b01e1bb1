"""What the clients of Clients do about players: their names, their tokens, and how they leave."""
import datetime
import json
import os
import shutil
import time
import unittest

import chaos
import server as servers
import test_engine_clients as clients
import v1
from engine_client import EngineClientCase, start
from server import until

WAITS = True

server = None


def setUpModule():
    global server
    server = start("engine-clients-players")
    server.verb("board", "add", "--game", "maze", "lap")
    server.verb("board", "add", "--game", "maze", "signed", "--trust", "signed")


class EngineClient(EngineClientCase):
    """What every client has to do."""

    def other(self):
        return self.open(servers.scratch(f"kept-{v1.new_id()}"))

    def test_a_player_reports_another_one_and_takes_what_is_kept(self):
        played = self.signed_in()
        cheat = self.other().signIn("Bob")["id"]
        played.report(cheat, "cheating", "A lap in one second")
        self.refuses("field", played.report, cheat, "because", None)
        self.assertIn(str(cheat), server.verb("queue", "--kind", "report"))
        played.settled(played.post("lap", 45))
        document = played.exportData()
        self.assertEqual((document["name"], [row["points"] for row in document["scores"]]), ("Ada", [45]))

    def test_a_player_who_leaves_leaves_nothing_on_the_device(self):
        played = self.signed_in()
        self.refuses("confirm", played.erase, "Eve")
        self.assertEqual(played.player()["id"], played.player_id)
        self.proxy.decide = lambda seen: chaos.LOSE_ANSWER
        self.refuses("unreachable", played.erase, "Ada")
        self.proxy.decide = lambda seen: chaos.LOSE_REQUEST if seen.id else chaos.PASS
        waiting = played.post("lap", 46)
        self.assertIn(waiting, played.pending())
        self.assertEqual(len(played.erase("Ada")), 36, "the receipt, which is told again")
        self.assertEqual((played.player(), played.pending()), (None, []))
        for name in os.listdir(self.folder):
            with open(os.path.join(self.folder, name), encoding="utf-8") as f:
                self.assertNotIn("cbd_", f.read())
        self.proxy.decide = lambda seen: chaos.PASS
        self.assertNotEqual(played.signIn("Ada")["id"], played.player_id)
        self.assertEqual(played.settled(played.post("lap", 47))["state"], "sent")

    def test_two_devices_do_not_take_names_back_from_each_other(self):
        """Games sign in at each start, under the name that was typed on each device. A name may change thrice a day."""
        played = self.signed_in()
        tablet = self.other()
        tablet.signIn("Ada L.")
        tablet.join(played.makeCode()["code"])
        tablet.rename("Ada Lovelace")
        for _ in range(5):
            self.assertEqual(tablet.signIn("Ada Lovelace")["name"], "Ada Lovelace")
            self.assertEqual(played.signIn("Ada")["name"], "Ada Lovelace")
        self.assertEqual(played.settled(played.post("lap", 48))["state"], "sent")

    def test_of_overlapping_names_the_last_one_outlives_the_game(self):
        played = self.signed_in()
        self.proxy.decide = lambda seen: chaos.LOSE_REQUEST if b'"Eve"' in (seen.body or b"") else chaos.PASS
        said = played.together(["rename", "Bob"], ["rename", "Eve"])
        self.assertEqual([each["value"]["name"] for each in said], ["Bob", "Bob"])
        played.kill()
        self.proxy.decide = lambda seen: chaos.PASS
        played = self.open()
        until(lambda: played.player()["name"] == "Eve", 30, "the last name is sent at the next start")

    def test_posts_made_without_a_network_say_when_they_were_made(self):
        for ahead in ("0", "86400", "-86400"):
            with self.subTest(ahead=ahead):
                self.folder = servers.scratch(f"kept-{v1.new_id()}")
                self.proxy.target = server.port
                played = self.signed_in(AHEAD=ahead)
                self.proxy.target = None
                times = []
                for points in (1, 2):
                    times.append(time.time())
                    last = played.post("lap", points)
                    until(lambda: time.time() > times[-1] + 2, 30, "the next one is made later")
                self.proxy.target = server.port
                played.settled(last)
                for row, made in zip(self.mine(), times, strict=True):
                    played_at = datetime.datetime.fromisoformat(row["played_at"].replace("Z", "+00:00")).timestamp()
                    self.assertLess(abs(played_at - made), 1.5, row)

    def test_another_token_that_is_put_off_keeps_no_post_waiting(self):
        played = self.signed_in()
        status, headers, body = chaos.problem(429, "rate-limited", **{"Retry-After": "2"})
        limited = status, headers, json.dumps(json.loads(body) | {"limit": "player-codes"}).encode()
        asked = []

        def decide(seen):
            if not seen.path.endswith("/me/token"):
                return chaos.PASS
            asked.append(seen)
            return limited if len(asked) == 1 else chaos.PASS
        self.proxy.decide = decide
        before = self.token()
        played.rotateToken()
        until(lambda: asked, 30, "another token was asked for")
        self.assertEqual(played.settled(played.post("signed", 49))["state"], "sent")
        self.assertEqual((len(asked), self.token()), (1, before))
        until(lambda: self.token() != before, 30, "the server takes it later")
        self.assertEqual(played.settled(played.post("signed", 50))["state"], "sent")


@unittest.skipUnless(shutil.which("node"), "there is no node")
class JavaScript(EngineClient, unittest.TestCase):
    command = clients.JAVASCRIPT


@unittest.skipUnless(clients.HAS_MONO, "there is no mono")
class CSharp(EngineClient, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.command = clients.compile_csharp()
