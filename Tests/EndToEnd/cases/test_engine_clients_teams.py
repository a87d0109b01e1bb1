"""Teams and flags with the clients of Clients: what one player does and others see."""
import shutil
import unittest

import test_engine_clients as clients
from engine_client import SHOWN_SECONDS_MAX, PlayersCase, start
from server import until

server = None


def setUpModule():
    global server
    server = start("engine-clients-teams", "--teams", "codes", "--team-size", "2", "--team-rosters", "public",
                   "--flags", "on")
    server.verb("charity", "add", "tree-fund", "--name", "Tree Fund")
    server.verb("board", "add", "--game", "maze", "plain")


class EngineClient(PlayersCase):
    """What every client has to do."""

    board_settings = ("--teams", "best:2", "--countries", "best:2")

    def shows(self, expected, read):
        """A ranking shows this soon, in memory and in SQL."""
        until(lambda: read() == expected, SHOWN_SECONDS_MAX, f"{read} shows {expected}")

    def among(self, ranking):
        return [(row["rank"], row["among"], row["name"]) for row in ranking["rows"]]

    def test_players_form_a_team(self):
        ada, bob, eve = self.player("Ada", 70), self.player("Bob", 50), self.player("Eve", 60)
        self.assertIsNone(ada.myTeam())
        self.refuses("field", ada.makeTeam, "")
        made = ada.makeTeam("Red")
        self.assertEqual((made["name"], made["role"]), ("Red", "captain"))
        self.assertEqual(ada.makeTeam("Red"), made, "the same again")
        self.refuses("in-team", ada.makeTeam, "Blue")
        own = ada.myTeam()
        self.assertEqual([member["player"] for member in own["members"]], [ada.player_id])
        self.refuses("code-refused", bob.joinTeam, "00000000")
        joined = bob.joinTeam(own["code"])
        self.assertEqual((joined["id"], joined["role"]), (made["id"], "member"))
        self.refuses("team-full", eve.joinTeam, own["code"])
        self.assertIsNone(bob.myTeam().get("code"))
        self.refuses("forbidden", bob.changeTeam, {"name": "Blue"})
        self.assertEqual(eve.team(made["id"])["members"], 2)
        self.refuses("not-found", eve.team, 1)
        eve.reportTeam(made["id"])
        self.refuses("not-found", eve.reportTeam, 1)
        self.assertIn("Red", server.verb("queue", "--kind", "team-report"))

        self.shows([(made["id"], "Red", 120, 2)], lambda: [
            (row["team"], row["name"], row["points"], row["members"]) for row in eve.teamsTop(self.board)["rows"]])
        self.shows([(1, 1, "Ada"), (3, 2, "Bob")], lambda: self.among(bob.myTeamTop(self.board)))
        self.shows([(1, 1, "Ada"), (3, 2, "Bob")], lambda: self.among(eve.top(self.board, {"team": made["id"]})))
        self.refuses("not-found", eve.myTeamTop, self.board)
        self.refuses("not-found", eve.teamsTop, "plain")
        ada.settled(ada.donate("tree-fund", 7))
        for read in ([], [{"charity": "tree-fund"}]):
            self.shows([("Red", 7)], lambda: [(row["name"], row["points"]) for row in
                       eve.contributorTeams(*read)["rows"] if row["team"] == made["id"]])

        changed = ada.changeTeam({"name": "Redder", "code": "new"})
        self.assertEqual(changed["name"], "Redder")
        self.assertNotEqual(changed["code"], own["code"])
        self.assertEqual(ada.changeTeam({"captain": bob.player_id})["role"], "member")
        self.refuses("not-found", bob.changeTeam, {"remove": eve.player_id})
        self.assertEqual(len(bob.changeTeam({"remove": ada.player_id})["members"]), 1)
        self.assertIsNone(ada.myTeam())
        bob.leaveTeam()
        bob.leaveTeam()
        self.assertIn("closed_at", eve.team(made["id"]))

    def test_players_show_flags(self):
        ada, bob, eve = self.player("Ada", 70), self.player("Bob", 50), self.player("Eve", 60)
        self.assertEqual(ada.update({"flag": "DE-BE"})["flag"], "DE-BE")
        bob.update({"flag": "DE"})
        eve.update({"flag": "FR"})
        self.refuses("field", eve.update, {"flag": "XX"})
        self.refuses("flag-fixed", eve.update, {"flag": "DE"})
        self.assertEqual(eve.profile(ada.player_id)["flag"], "DE-BE")
        self.shows([(1, 1, "Ada"), (3, 2, "Bob")], lambda: self.among(eve.top(self.board, {"country": "DE"})))
        self.shows(["DE-BE"], lambda: [row["flag"] for row in eve.top(self.board, {"country": "DE-BE"})["rows"]])

        def sums(query):
            rows = eve.countriesTop(self.board, query)["rows"]
            return [(row["country"], row["points"], row["members"]) for row in rows]
        self.shows([("DE", 120, 2), ("FR", 60, 1)], lambda: sums({}))
        self.shows([("DE-BE", 70, 1)], lambda: sums({"of": "DE"}))
        self.refuses("not-found", eve.countriesTop, "plain", {})
        self.assertNotIn("flag", eve.update({"flag": None}))
        self.shows([("DE", 120, 2)], lambda: sums({}))


@unittest.skipUnless(shutil.which("node"), "there is no node")
class JavaScript(EngineClient, unittest.TestCase):
    command = clients.JAVASCRIPT


@unittest.skipUnless(clients.HAS_MONO, "there is no mono")
class CSharp(EngineClient, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.command = clients.compile_csharp()
