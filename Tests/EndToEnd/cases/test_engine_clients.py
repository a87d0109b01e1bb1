"""The clients in Clients/, each in its own process, behind a proxy that drops and repeats messages."""
import os
import random
import shutil
import stat
import subprocess
import time
import unittest

import chaos
import client
import seeds
import server as servers
import v1
from engine_client import CLIENTS, PLAYERS, EngineClientCase, start
from server import until

SEED = seeds.SEED

server = None


def setUpModule():
    global server
    server = start("engine-clients")
    server.verb("board", "add", "--game", "maze", "lap")
    server.verb("board", "add", "--game", "maze", "signed", "--trust", "signed")
    server.verb("charity", "add", "tree-fund", "--name", "Tree Fund", "--goal", "1000000")


class EngineClient(EngineClientCase):
    """What every client has to do."""

    def kill(self, played):
        """Returns when the proxy is done with what the client has sent, which else it may see after what follows."""
        played.kill()
        until(self.proxy.is_idle, 30, "the proxy is done with the killed one")

    def test_three_lines_to_be_on_the_board(self):
        played = self.open()
        player = played.signIn("Ada")
        self.assertEqual(player["name"], "Ada")
        sent = played.settled(played.post("lap", 61500))
        self.assertEqual((sent["state"], sent["receipt"]["points"]), ("sent", 61500))
        rows = client.get(server, "/v1/games/maze/boards/lap/top.json?limit=100").json()["rows"]
        self.assertIn((player["id"], 61500), [(row["player"], row["points"]) for row in rows])

    def test_details_of_strangers_are_in_the_rows_and_break_none(self):
        cars = f"cars-{type(self).__name__.lower()}"        # of this client alone
        server.verb("board", "add", "--game", "maze", cars, "--details", "public")
        played = self.signed_in()
        details = [b'{"car":"red"}', b'[[[["\\u0000"]]]]', b"1e999", b"-" + b"9" * 400, b'{"__proto__":{"a":1}}']
        for n, detail in enumerate(details):
            other = v1.Player(server, "maze", f"Eve {n}")
            path = f"/v1/games/maze/boards/{cars}/scores/{v1.new_id()}"
            answer = other.call("PUT", path, b'{"points":%d,"detail":%s}' % (100 - n, detail))
            self.assertEqual(answer.status, 201, answer)
        rows = played.top(cars)["rows"]
        self.assertEqual([row["points"] for row in rows], [100, 99, 98, 97, 96])
        self.assertEqual([row["detail"] for row in rows][:2], [{"car": "red"}, [[[["\0"]]]]])
        self.assertEqual(rows[4]["detail"], {"__proto__": {"a": 1}})

    def test_donating_and_reading(self):
        played = self.signed_in()
        played.settled(played.post("lap", 700))
        donated = played.settled(played.donate("tree-fund", 300))
        self.assertEqual((donated["receipt"]["points"], donated["receipt"]["left"]), (300, 400))
        self.assertEqual(played.settled(played.donate("tree-fund", 100, True))["state"], "sent")
        self.assertIn("lap", [row["board"] for row in played.scores()["rows"]])
        self.assertEqual([row["anonymous"] for row in played.donations()["rows"]], [True, False])
        self.assertEqual(played.profile()["left"], 300)
        self.assertEqual(played.profile(played.player_id)["name"], "Ada")
        self.assertEqual(played.rank("lap")["points"], 700)
        self.assertIn(played.player_id, [row["player"] for row in played.around("lap")["rows"]])
        self.assertGreaterEqual(played.top("lap")["rows"][0]["points"], 700)
        self.assertEqual(played.rankOf("lap", 2**53 - 1)["rank"], 1)
        self.assertIn("tree-fund", [row["slug"] for row in played.charities()["rows"]])
        self.assertGreaterEqual(played.charity("tree-fund")["points"], 300)
        self.assertIn("Ada", [row["name"] for row in played.contributors()["rows"]])
        self.assertIn("lap", [board["slug"] for board in played.boards()])
        self.assertEqual(played.board("signed")["trust"], "signed")

    def test_what_is_kept_is_for_its_owner_alone(self):
        self.signed_in().post("lap", 1)
        names = os.listdir(self.folder)
        self.assertIn("identity.json", names)
        for name in names:
            mode = os.stat(os.path.join(self.folder, name)).st_mode
            self.assertEqual(stat.S_IMODE(mode) & 0o077, 0, name)

    def test_the_queue_outlives_a_kill(self):
        played = self.signed_in()
        self.proxy.decide = lambda seen: chaos.LOSE_REQUEST
        ids = [played.post("lap", 100), played.donate("tree-fund", 150), played.post("lap", 80)]
        self.kill(played)
        self.assertEqual(self.mine(), [])
        self.proxy.decide = lambda seen: chaos.PASS
        del self.proxy.seen[:]
        played = self.open()
        until(lambda: played.pending() == [], 30, "all is sent")
        # 150 is more than the first post earned, so the donation was refused and the second post went on.
        self.assertEqual([row["id"] for row in self.mine()], [ids[0], ids[2]])
        self.assertEqual([seen.id for seen in self.proxy.writes()], ids)
        self.assertEqual(played.refused(), [{"id": ids[1], "problem": "overspent"}])
        played.kill()
        self.assertEqual(self.open().refused(), [{"id": ids[1], "problem": "overspent"}])

    def test_a_queue_whose_last_line_was_cut_off_is_read_up_to_there(self):
        self.proxy.target = None
        played = self.open()
        self.assertIsNone(played.signIn("Ada"))
        first, second = played.post("lap", 5), played.post("lap", 6)
        played.kill()
        path = os.path.join(self.folder, "queue.jsonl")
        os.truncate(path, os.path.getsize(path) - 3)
        played = self.open()
        self.assertEqual(played.pending(), [first])
        third = played.post("lap", 7)
        played.kill()
        self.assertEqual(self.open().pending(), [first, third])
        self.assertNotEqual(first, second)

    def test_signing_in_and_playing_without_a_server(self):
        self.proxy.target = None
        played = self.open()
        self.assertIsNone(played.signIn("Ada"))
        ids = [played.post("lap", 9), played.donate("tree-fund", 9)]
        self.assertEqual(played.pending(), ids)
        self.refuses("unreachable", played.top, "lap")
        self.proxy.target = server.port
        self.assertEqual([played.settled(id)["state"] for id in ids], ["sent", "sent"])
        self.assertEqual(played.player()["name"], "Ada")

    def test_a_name_that_is_refused_late_is_told_and_keeps_the_queue(self):
        self.proxy.target = None
        played = self.open()
        self.assertIsNone(played.signIn("Anonymous"))
        id = played.post("lap", 9)
        self.proxy.target = server.port
        told = {"id": None, "state": "signIn", "problem": "name-refused"}
        until(lambda: told in played.changes(), 30, "the name is refused")
        self.assertEqual(played.pending(), [id])
        played.signIn("Ada")
        self.assertEqual(played.settled(id)["state"], "sent")

    def test_a_server_that_goes_down_and_comes_back(self):
        played = self.signed_in()
        server.terminate()
        try:
            ids = [played.post("lap", n) for n in (10, 20)] + [played.donate("tree-fund", 30)]
            until(lambda: len(self.proxy.writes()) >= 3, 30, "it was tried")
            self.assertEqual(played.pending(), ids)
        finally:
            server.start()
        self.proxy.target = server.port
        self.assertEqual([played.settled(id)["state"] for id in ids], ["sent"] * 3)
        self.assertEqual([row["points"] for row in self.mine()], [10, 20])

    def test_nothing_is_lost_or_doubled_or_out_of_order(self):
        """By chance a third of all requests or answers are lost or doubled, and the client is killed now and then."""
        dice = random.Random(SEED)
        words = [chaos.PASS] * 5 + [chaos.LOSE_REQUEST, chaos.LOSE_ANSWER, chaos.LOSE_ANSWER, chaos.TWICE]
        self.proxy.decide = lambda seen: dice.choice(words) if seen.method == "PUT" else chaos.PASS
        played, posts, donations, order = self.open(), [], [], []
        played.signIn("Ada")
        for step in range(40):
            if step % 10 == 9:
                self.kill(played)
                played = self.open()
                played.signIn("Ada")
            if step % 4 == 3:
                donations.append(played.donate("tree-fund", 30))
                order.append(donations[-1])
            else:
                posts.append(played.post("lap", 10))
                order.append(posts[-1])
        until(lambda: played.pending() == [], 60, "all is sent")
        self.assertEqual(played.refused(), [])
        self.assertEqual([row["id"] for row in self.mine()], posts)
        self.assertEqual([row["id"] for row in self.mine("donations")], donations)
        first_seen = list(dict.fromkeys(seen.id for seen in self.proxy.writes()))
        self.assertEqual(first_seen, order)
        self.assertEqual(self.proxy.most_at_once, 1, "one request in flight")
        self.assertEqual(played.profile()["left"], 0)

    def test_waits_double(self):
        played = self.signed_in()
        del self.proxy.seen[:]
        self.proxy.decide = lambda seen: chaos.LOSE_REQUEST if len(self.proxy.writes()) < 8 else chaos.PASS
        played.settled(played.post("lap", 3))
        times = [seen.at for seen in self.proxy.writes()]
        self.assertEqual(len(times), 8)
        for number, (before, after) in enumerate(zip(times, times[1:])):
            self.assertGreaterEqual(after - before, 0.02 * 2**number * 0.9, f"after failure {number + 1}")
        self.assertLess(times[-1] - times[0], 20, "by the jitter's dice they come to 2.54 s")

    def test_a_refused_item_lets_the_next_one_go_on(self):
        played = self.signed_in()
        refused = played.settled(played.post("nowhere", 5))
        self.assertEqual((refused["state"], refused["problem"]["type"]), ("refused", "not-found"))
        self.assertEqual(played.settled(played.post("lap", 5))["state"], "sent")
        self.assertEqual([each["problem"] for each in played.refused()], ["not-found"])
        played.dismiss(played.refused()[0]["id"])
        self.assertEqual(played.refused(), [])
        self.refuses("name-refused", played.signIn, "Anonymous")

    def test_ten_bugs_of_the_server_set_an_item_aside(self):
        played = self.signed_in()
        bad = set()
        self.proxy.decide = lambda seen: chaos.problem(500, "bug") if seen.id in bad else chaos.PASS
        self.proxy.target = None
        aside, donation, after = played.post("lap", 11), played.donate("tree-fund", 5), played.post("lap", 12)
        bad.add(aside)
        self.proxy.target = server.port
        self.assertEqual(played.settled(after)["state"], "sent")
        self.assertEqual(played.pending(), [aside, donation], "the donation passes no earlier post")
        answers = [seen for seen in self.proxy.writes() if seen.id == aside and seen.status == 500]
        self.assertEqual(len(answers), 10)
        bad.clear()
        played.retry()
        self.assertEqual([played.settled(id)["state"] for id in (aside, donation)], ["sent", "sent"])

    def test_a_device_that_was_cut_off_keeps_its_queue_and_says_so(self):
        for status, name in ((401, "unauthorized"), (403, "banned"), (410, "gone")):
            with self.subTest(name):
                self.proxy.decide = lambda seen: chaos.PASS
                self.folder = servers.scratch(f"kept-{v1.new_id()}")
                played = self.signed_in()
                self.proxy.decide = lambda seen: chaos.problem(status, name) if seen.id else chaos.PASS
                del self.proxy.seen[:]
                id = played.post("lap", 33)
                until(lambda: {"id": None, "state": "stopped", "problem": name} in played.changes(), 30, "it stops")
                other = played.post("lap", 34)
                time.sleep(0.3)
                self.assertEqual([seen.id for seen in self.proxy.writes()], [id])
                self.assertEqual(played.pending(), [id, other])
                self.proxy.decide = lambda seen: chaos.PASS
                played.retry()
                self.assertEqual([played.settled(each)["state"] for each in (id, other)], ["sent", "sent"])

    def test_a_token_is_changed_though_the_answer_is_lost(self):
        played = self.signed_in()
        before, lost = self.token(), []

        def decide(seen):
            if seen.path.endswith("/me/token") and not lost:
                lost.append(seen)
                return chaos.LOSE_ANSWER
            return chaos.PASS
        self.proxy.decide = decide
        played.rotateToken()
        self.assertEqual(played.settled(played.post("signed", 21))["state"], "sent")
        until(lambda: lost and self.token() != before, 30, "the device has another token")
        self.assertEqual(v1.call(server, "GET", "/v1/players/me", who=before).status, 401)
        self.assertEqual(v1.call(server, "GET", "/v1/players/me", who=self.token()).status, 200)

    def test_a_code_brings_another_device(self):
        played = self.signed_in()
        played.settled(played.post("lap", 40))
        other = self.open(servers.scratch(f"kept-{v1.new_id()}"))
        self.assertNotEqual(other.signIn("Bob")["id"], played.player_id)
        other.settled(other.post("lap", 50))
        code = played.makeCode()["code"]
        self.refuses("has-history", other.join, code)
        self.assertEqual(other.join(code, {"merge": True, "deviceName": "Tablet"})["id"], played.player_id)
        self.assertEqual(other.settled(other.post("signed", 41))["state"], "sent")
        self.assertEqual(played.rank("lap")["points"], 50)
        listed = {bool(device["this"]): device for device in played.devices()}
        played.removeDevice(listed[False]["id"])
        self.refuses("unauthorized", other.profile)
        self.assertEqual(len(played.makeRecoveryCode()["code"]), 26)

    def test_posts_are_signed(self):
        vector = ("cbs_OspMc2FwjfqXOSBEI8WIg8T3rh1Q8N3zWyz0hNAXK_0", "PUT",
                  "/v1/games/maze/boards/lap/scores/0b7c6f0e-3c8e-4c5a-9c1d-2f4b8a6d1e00", 1795262400,
                  '{"points":61500}')
        code = "bf434b8fbe0a9eebff54d0c4354c05328028050761b829d31ea8f3c5c624b6c0"
        played = self.signed_in()
        self.assertEqual(played.signature(*vector), f"t=1795262400,v1={code}")
        self.assertEqual(played.settled(played.post("signed", 22))["state"], "sent")

    def test_a_wrong_clock_is_set_once_and_for_all(self):
        for ahead in ("86400", "-4000"):
            with self.subTest(ahead=ahead):
                self.folder = servers.scratch(f"kept-{v1.new_id()}")
                played = self.signed_in(AHEAD=ahead)
                del self.proxy.seen[:]
                ids = [played.post("signed", n) for n in (23, 24)]
                self.assertEqual([played.settled(id)["state"] for id in ids], ["sent", "sent"])
                # The registration has told what the server's clock shows.
                self.assertEqual([seen.status for seen in self.proxy.writes()], [201, 201])

    def test_ten_thousand_wait_and_no_more(self):
        self.proxy.target = None
        played = self.open()
        self.assertIsNone(played.signIn("Ada"))
        self.assertEqual(played.fill("lap", 10_003), {"stored": 10_000, "queue-full": 3})
        self.refuses("queue-full", played.donate, "tree-fund", 1)
        kept = played.pending()
        self.assertEqual(len(set(kept)), 10_000)
        played.kill()
        played = self.open()
        self.assertEqual(played.pending(), kept)
        self.refuses("queue-full", played.post, "lap", 1)
        self.proxy.target = server.port
        until(lambda: len(played.pending()) < 10_000, 30, "there is room again")
        played.post("lap", 1)


JAVASCRIPT = ("node", os.path.join(PLAYERS, "queue.mjs"), os.path.join(CLIENTS, "causeboard.js"))
HAS_MONO = bool(shutil.which("mcs") and shutil.which("mono"))


def compile_csharp():
    """How to start the client in C#."""
    program = os.path.join(servers.scratch("csharp-client"), "Queue.exe")
    subprocess.run(["mcs", "-warn:4", "-warnaserror", "-r:System.Net.Http", f"-out:{program}",
                    os.path.join(CLIENTS, "Causeboard.cs"), os.path.join(PLAYERS, "Queue.cs")], check=True)
    # A file that may not become longer is an error to the program, and not its end. Mono says so where the program
    # prints its answers, which therefore have a place of their own.
    script = "trap '' XFSZ && ANSWERS=/dev/fd/3 exec mono \"$@\" 3>&1 >&2"
    return "sh", "-c", script, "mono", program


@unittest.skipUnless(shutil.which("node"), "there is no node")
class JavaScript(EngineClient, unittest.TestCase):
    command = JAVASCRIPT


@unittest.skipUnless(HAS_MONO, "there is no mono")
class CSharp(EngineClient, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.command = compile_csharp()

    def test_one_process_at_a_time_has_the_folder(self):
        self.signed_in()
        self.refuses("in-use", self.open().player)

    def test_a_client_that_was_disposed_says_so(self):
        played = self.signed_in()
        played.dispose()
        self.refuses("disposed", played.signIn, "Ada")

    def test_what_is_missing_is_said_in_a_sentence(self):
        for arguments, word in ((("", "maze"), "Server"), (("http://127.0.0.1:1", ""), "Game")):
            done = subprocess.run([*self.command, *arguments, self.folder], stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, timeout=30)
            self.assertIn(f"Set {word} to", done.stderr)
