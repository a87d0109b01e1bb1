"""What an operator puts right shows at once, in every process, feed, rank, page and total, and is undone as it was."""
import json
import re
import unittest
import uuid

import client
import v1
from joined import Joined
from server import Server, until

PROCESSES = []
AT_ONCE_SECONDS_MAX = 2


def setUpModule():
    server = Server("acts")
    unittest.addModuleCleanup(server.stop)
    server.verb("game", "add", "maze", "--name", "Maze")
    server.verb("board", "add", "--game", "maze", "lap", "--policy", "best")
    server.verb("board", "add", "--game", "maze", "total", "--policy", "sum")
    for charity in ("trees", "seas"):
        server.verb("charity", "add", charity, "--name", charity.title())
    other = Joined("acts-beside", server)
    unittest.addModuleCleanup(other.stop)
    PROCESSES[:] = [server, other]


class Moderation(unittest.TestCase):
    maxDiff = 4000

    def setUp(self):
        self.server, self.other = PROCESSES

    def moderate(self, *words, reason="a test"):
        """Carries out an action, and returns its id."""
        said = self.server.verb("act", *words, "--reason", reason)
        return re.search(r"act ([0-9a-f-]{36})$", said.splitlines()[0])[1]

    def player(self, name):
        return v1.Player(self.server, "maze", name)

    def post(self, player, points, board="lap"):
        """Posts a score and returns its id."""
        id = str(uuid.uuid4())
        answer = player.call("PUT", f"/v1/games/maze/boards/{board}/scores/{id}", {"points": points})
        self.assertEqual(answer.status, 201, answer)
        return id

    def donate(self, player, points, charity="trees"):
        id = str(uuid.uuid4())
        answer = player.call("PUT", f"/v1/charities/{charity}/donations/{id}", {"points": points})
        self.assertEqual(answer.status, 201, answer)
        return id

    def shown(self, process):
        """Everything that is public of the players here, as one process shows it."""
        def rows(path):
            return [(row["rank"], row["name"], row["points"], row["reached_at"])
                    for row in client.get(process, path).json()["rows"]]
        return {
            "lap": rows("/v1/games/maze/boards/lap/top.json?limit=100"),
            "week": rows("/v1/games/maze/boards/lap/top.json?limit=100&window=week"),
            "total": rows("/v1/games/maze/boards/total/top.json?limit=100"),
            "contributors": rows("/v1/contributors/top.json?limit=100"),
            "trees": rows("/v1/charities/trees/top.json?limit=100"),
            "charities": [(row["slug"], row["points"], row["contributors"])
                          for row in client.get(process, "/v1/charities.json").json()["rows"]],
            "newest": [(row["name"], row["points"])
                       for row in client.get(process, "/v1/donations.json").json()["rows"]],
        }

    def everywhere(self, check, what):
        for process in PROCESSES:
            until(lambda: check(self.shown(process)), AT_ONCE_SECONDS_MAX, f"{what} on {process.name}")

    def names(self, rows):
        return [row[1] for row in rows]

    def test_a_void_takes_scores_ranks_and_donations_and_an_undo_brings_them_back(self):
        ada, bob = self.player("Ada of void"), self.player("Bob of void")
        self.post(ada, 50)
        cheat = self.post(ada, 900)
        self.post(bob, 100)
        self.donate(ada, 40)
        self.donate(ada, 500, "seas")
        self.donate(bob, 10)
        before = self.shown(self.server)
        self.everywhere(lambda shown: shown == before, "the same rankings")

        action = self.moderate("void", "--player", str(ada.id), "--score", cheat, reason="a bot\nsurely")
        self.everywhere(lambda shown: [row[2] for row in shown["lap"] if row[1] == "Ada of void"] == [50]
                        and [row[2] for row in shown["contributors"] if row[1] == "Ada of void"] == [50]
                        and dict((slug, points) for slug, points, _ in shown["charities"]) == {"trees": 50, "seas": 10},
                        "voided")
        receipt = ada.get(f"/v1/games/maze/boards/lap/scores/{cheat}").json()
        self.assertTrue(receipt["voided"])
        again = ada.call("PUT", f"/v1/games/maze/boards/lap/scores/{cheat}", {"points": 900})
        self.assertEqual((again.status, again.json()["voided"]), (200, True), "a retry is told")
        me = ada.get("/v1/players/me").json()
        self.assertEqual((me["earned"], me["left"], me["given"]), (950, 0, 540))
        donations = {row["charity"]: row.get("unfunded") for row in ada.get("/v1/players/me/donations").json()["rows"]}
        self.assertEqual(donations, {"trees": None, "seas": 490}, "the newest donations are unfunded first, in part")

        # Points that come later fund what was donated before anything new can be donated.
        self.post(ada, 60)
        answer = ada.call("PUT", f"/v1/charities/trees/donations/{uuid.uuid4()}", {"points": 1})
        self.assertEqual((answer.status, answer.json()["type"]), (422, "/problems/overspent"))
        self.everywhere(lambda shown: [row[2] for row in shown["contributors"] if row[1] == "Ada of void"] == [110],
                        "funded again")
        self.server.audit()

        self.moderate("undo", action)
        self.everywhere(lambda shown: [row[2] for row in shown["lap"] if row[1] == "Ada of void"] == [900]
                        and [row[2] for row in shown["contributors"] if row[1] == "Ada of void"] == [540], "undone")
        self.assertEqual(ada.get("/v1/players/me").json()["left"], 470)
        self.assertIn("stands in the way", self.refused("undo", action))
        self.server.audit()

    def refused(self, *words):
        done = self.server.run_verb("act", *words, "--reason", "a test")
        self.assertNotEqual(done.returncode, 0)
        return done.stderr

    def test_who_is_banned_is_nowhere_and_may_only_read(self):
        eve = self.player("Eve")
        score = self.post(eve, 70)
        self.donate(eve, 20)
        action = self.moderate("ban", "--player", str(eve.id))
        self.everywhere(lambda shown: "Eve" not in self.names(shown["lap"]) + self.names(shown["contributors"])
                        + [row[0] for row in shown["newest"]], "banned")
        for process in PROCESSES:
            self.assertEqual(client.get(process, f"/v1/players/{eve.id}").status, 404)
            for path, body in ((f"/v1/games/maze/boards/lap/scores/{uuid.uuid4()}", {"points": 5}),
                               (f"/v1/games/maze/boards/lap/scores/{score}", {"points": 70}),
                               (f"/v1/charities/trees/donations/{uuid.uuid4()}", {"points": 5})):
                answer = v1.call(process, "PUT", path, body, who=eve.token)
                self.assertEqual((answer.status, answer.json()["type"]), (403, "/problems/banned"), answer)
            for method, path, body in (("PATCH", "/v1/players/me", {"name": "Eva"}),
                                       ("PUT", f"/v1/games/maze/devices/{eve.device}", {"name": "Eva"}),
                                       ("PUT", f"/v1/games/maze/devices/{eve.device}", {"code": "ABCD1234"}),
                                       ("POST", "/v1/players/me/codes", {}), ("POST", "/v1/players/me/recovery", {}),
                                       ("PUT", "/v1/players/me/token", {"token": v1.token()}),
                                       ("DELETE", "/v1/players/me/devices/x", None),
                                       ("POST", f"/v1/players/{eve.id}/report", {"why": "other"})):
                answer = v1.call(process, method, path, body, who=eve.token)
                self.assertEqual((answer.status, answer.json()["type"]), (403, "/problems/banned"), answer)
        self.assertEqual(eve.get("/v1/players/me").json()["left"], 50)
        self.assertEqual(eve.get(f"/v1/games/maze/boards/lap/scores/{score}").json()["points"], 70)
        self.moderate("undo", action)
        self.everywhere(lambda shown: "Eve" in self.names(shown["lap"]), "unbanned")
        self.post(eve, 71)

    def test_a_ban_ends_by_itself(self):
        mallory = self.player("Mallory")
        self.post(mallory, 7)
        self.moderate("ban", "--player", str(mallory.id), "--until", "2026-01-01T00:00:00Z")
        until(lambda: re.search(r"server +undo", self.server.verb("log")), 90, "the ban has ended")
        self.everywhere(lambda shown: "Mallory" in self.names(shown["lap"]), "the player is shown again")

    def test_what_is_reversed_corrected_held_and_renamed(self):
        zoe = self.player("Zoe")
        score = self.post(zoe, 400)
        donation = self.donate(zoe, 100, "seas")
        reverse = self.moderate("reverse", "--player", str(zoe.id), "--donation", donation)
        self.assertEqual(zoe.get("/v1/players/me").json()["left"], 400)
        self.assertTrue(zoe.get(f"/v1/charities/seas/donations/{donation}").json()["reversed"])
        self.moderate("undo", reverse)
        self.moderate("correct", "--player", str(zoe.id), "--score", score, "--points", "40", "--earned", "120")
        self.everywhere(lambda shown: [row[2] for row in shown["lap"] if row[1] == "Zoe"] == [40], "corrected")
        self.assertEqual(zoe.get("/v1/players/me").json()["left"], 20)
        other = self.post(zoe, 300)
        self.moderate("hold", "--player", str(zoe.id), "--score", other)
        self.everywhere(lambda shown: [row[2] for row in shown["lap"] if row[1] == "Zoe"] == [40], "held")
        self.moderate("clear", "--player", str(zoe.id), "--score", other)
        self.everywhere(lambda shown: [row[2] for row in shown["lap"] if row[1] == "Zoe"] == [300], "cleared")
        self.moderate("rename", "--player", str(zoe.id), "--name", "Zoe the Second")
        self.everywhere(lambda shown: "Zoe the Second" in self.names(shown["lap"]), "renamed")
        self.assertIn("stands in the way", self.refused("clear", "--player", str(zoe.id), "--score", other))
        self.assertIn("no such score", self.refused("void", "--player", str(zoe.id), "--score", str(uuid.uuid4())))
        self.assertIn("no such player", self.refused("hide", "--player", "1"))
        self.server.audit()

    def test_a_picture_that_was_taken_down_is_gone_and_refused_from_anybody(self):
        image = client.base64_text(client.png())
        pam, other = self.player("Pam"), self.player("Other")
        self.post(pam, 3)
        avatar = pam.call("PATCH", "/v1/players/me", {"image": image}).json()["avatar"]
        self.assertEqual(client.get(self.server, avatar).status, 200)
        self.moderate("take-down", "--player", str(pam.id))
        for process in PROCESSES:
            until(lambda: client.get(process, avatar).status == 410, AT_ONCE_SECONDS_MAX, "the picture is gone")
        for player in (pam, other):
            answer = player.call("PATCH", "/v1/players/me", {"image": image})
            self.assertEqual((answer.status, answer.json()["field"]), (422, "image"))
        self.assertNotIn("avatar", pam.get("/v1/players/me").json())

    def test_a_repeat_is_done_once_a_trial_never_and_the_log_has_the_reason(self):
        kim = self.player("Kim")
        score = self.post(kim, 5)
        words = ("void", "--player", str(kim.id), "--score", score, "--id", str(uuid.uuid4()))
        self.assertIn("would be", self.server.verb("act", *words, "--reason", "once", "--dry-run"))
        self.assertEqual(self.server.verb("act", *words, "--reason", "once").split(":")[0], "Done")
        self.assertEqual(self.server.verb("act", *words, "--reason", "once").split(":")[0], "Done before")
        done = self.server.run_verb("act", *words, "--reason", "another")
        self.assertIn("Another action", done.stderr)
        log = [line for line in self.server.verb("log", "--limit", "100").splitlines() if score in line]
        self.assertEqual(len(log), 1)
        self.assertRegex(log[0], r" cli +void .* once$")
