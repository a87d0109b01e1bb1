"""Teams: making, joining, leaving, what a captain and a game's server do, and the rankings of teams, also as another
process shows them."""
import unittest

import client
import v1
import v1_case
from joined import Joined
from server import until
from v1_case import V1Case

TEAM, TEAMS = "/v1/players/me/team", "/v1/games/quiz/teams"
BOARD = "/v1/games/quiz/boards/solo"
SHOWN_SECONDS_MAX = 2       # another process shows the points of a team within this time


def setUpModule():
    v1_case.start("v1teams")
    for game, rules in (("quiz", "codes"), ("chess", "server")):
        V1Case.server.verb("game", "set", game, "--teams", rules, "--team-size", "3", "--team-rosters", "public")
    V1Case.server.verb("board", "set", "--game", "quiz", "solo", "--teams", "best:3")
    V1Case.groups_key = V1Case.server.verb("key", "add", "--game", "chess", "--scopes", "groups", "--name", "g").strip()


class Teams(V1Case):
    def make(self, captain, name):
        made = self.private(captain.call("PUT", TEAM, {"make": name}), 201)
        self.assertEqual((made["name"], made["role"]), (name, "captain"))
        return made["id"], self.own(captain)["code"]

    def own(self, player):
        return self.private(player.get(TEAM), 200)

    def join(self, player, code):
        return player.call("PUT", TEAM, {"code": code})

    def teams(self, place=None, path=f"{BOARD}/teams/top.json"):
        answer = client.get(place or self.server, path)
        self.assertEqual(answer.status, 200, answer)
        return {row["team"]: (row["points"], row["members"]) for row in answer.json()["rows"]}

    def test_make_join_leave(self):
        ada, bob, eve, cy = (self.player(name) for name in ("Ada", "Bob", "Eve", "Cy"))
        team, code = self.make(ada, "Red")
        self.problem(ada.call("PUT", TEAM, {"make": "Blue"}), 409, "in-team")
        self.assertEqual(self.private(self.join(bob, code), 201)["role"], "member")
        self.assertEqual(self.private(self.join(bob, code), 200)["id"], team)
        self.assertEqual(self.join(eve, code).status, 201)
        self.problem(self.join(cy, code), 422, "team-full")
        self.assertEqual([row["name"] for row in self.own(eve)["members"]], ["Ada", "Bob", "Eve"])
        self.assertNotIn("code", self.own(eve))
        shown = self.public(f"{TEAMS}/{team}")
        self.assertEqual((shown["members"], [row["name"] for row in shown["roster"]]), (3, ["Ada", "Bob", "Eve"]))
        self.assertEqual(ada.call("DELETE", TEAM).status, 204)
        self.problem(ada.get(TEAM), 404)
        self.assertEqual(self.own(bob)["role"], "captain")
        self.problem(self.join(cy, code), 422, "code-refused")
        self.assertEqual(bob.call("DELETE", TEAM).status, 204)
        self.assertEqual(eve.call("DELETE", TEAM).status, 204)
        self.assertIn("closed_at", self.public(f"{TEAMS}/{team}"))

    def test_a_captain(self):
        ada, bob, eve = self.player("Ada"), self.player("Bob"), self.player("Eve")
        team, code = self.make(ada, "Green")
        for player in (bob, eve):
            self.assertEqual(self.join(player, code).status, 201)
        self.problem(bob.call("PATCH", TEAM, {"name": "Mine"}), 403, "forbidden")
        self.assertEqual(self.private(ada.call("PATCH", TEAM, {"name": "Greener"}), 200)["name"], "Greener")
        self.assertNotEqual(self.private(ada.call("PATCH", TEAM, {"code": "new"}), 200)["code"], code)
        self.private(ada.call("PATCH", TEAM, {"remove": eve.id}), 200)
        self.problem(eve.get(TEAM), 404)
        self.assertEqual(self.private(ada.call("PATCH", TEAM, {"captain": bob.id}), 200)["role"], "member")
        self.assertEqual(self.own(bob)["role"], "captain")
        self.assertEqual([row["team"] for row in self.private(ada.get("/v1/players/me/export"), 200)["teams"]], [team])

    def test_rankings(self):
        ada, bob, eve = self.player("Ada"), self.player("Bob"), self.player("Eve")
        team, code = self.make(ada, "Gold")
        self.assertEqual(self.join(bob, code).status, 201)
        for player, points in ((ada, 5), (bob, 9), (eve, 7)):
            self.assertEqual(player.post("solo", points).status, 201)
        self.assertEqual(self.teams()[team], (14, 2))
        self.assertEqual(self.teams(path=f"{BOARD}/teams/top.json?window=today")[team], (14, 2))
        among = self.private(bob.get(f"{BOARD}/players/me/team.json"), 200)
        self.assertEqual([row["name"] for row in among["rows"]], ["Bob", "Ada"])
        everybody = client.get(self.server, f"{BOARD}/top.json?team={team}")
        self.assertEqual([row["name"] for row in everybody.json()["rows"]], ["Bob", "Ada"], everybody)
        self.problem(eve.get(f"{BOARD}/players/me/team.json"), 404)
        self.assertEqual(ada.donate("red-cross", 2).status, 201)
        for path in ("/v1/charities/red-cross", "/v1/contributors"):
            self.assertEqual(self.teams(path=f"{path}/teams/top.json")[team], (2, 1), path)
        page = client.get(self.server, f"/games/quiz/teams/{team}")
        self.assertEqual((page.status, "Gold" in page.text), (200, True), page)

    def test_moderation(self):
        ada = self.player("Ada")
        team, _ = self.make(ada, "Silver")
        self.assertEqual(ada.post("solo", 3).status, 201)
        self.assertIn(team, self.teams())
        self.server.verb("team", "rename", str(team), "Bronze", "--reason", "a test")
        self.assertEqual(self.public(f"{TEAMS}/{team}")["name"], "Bronze")
        self.server.verb("team", "hide", str(team), "--reason", "a test")
        until(lambda: team not in self.teams(), SHOWN_SECONDS_MAX, "hidden")
        self.assertEqual(client.get(self.server, f"{TEAMS}/{team}").status, 404)
        self.assertIn("Bronze", self.server.verb("team", "list", "--game", "quiz"))

    def test_a_games_server(self):
        path = "/v1/games/chess/teams/guild-1"
        key = self.groups_key
        made = self.call("PUT", path, {"name": "Guild"}, who=key)
        self.assertEqual(made.status, 201, made)
        self.assertEqual(self.call("PUT", path, {"name": "Guild"}, who=key).status, 200)
        player = self.player("Ada", game="chess")
        self.problem(player.call("PUT", TEAM, {"make": "Own"}), 403, "forbidden")
        self.problem(self.call("PUT", path, {"name": "Guild"}, who=self.other_key), 403, "scope")
        self.problem(self.call("PUT", f"{path}/members/nobody", who=key), 404, "not-found")
        mine = self.call("PUT", "/v1/games/chess/players/u-1", {"name": "Ann"}, who=self.other_key)
        self.assertEqual(mine.status, 201, mine)
        placed = self.call("PUT", f"{path}/members/u-1", who=key)
        self.assertEqual((placed.status, placed.json()["id"]), (201, made.json()["id"]), placed)
        self.assertEqual(self.call("PUT", f"{path}/members/u-1", who=key).status, 200)
        self.assertEqual(self.public(f"/v1/games/chess/teams/{placed.json()['id']}")["members"], 1)
        self.assertEqual(self.call("DELETE", f"{path}/members/u-1", who=key).status, 204)


class OtherProcess(Teams):
    @classmethod
    def setUpClass(cls):
        cls.second = Joined("v1teams-second", cls.server)
        cls.addClassCleanup(cls.second.stop)

    test_make_join_leave = test_a_captain = test_rankings = test_moderation = test_a_games_server = None

    def test_it_shows_what_this_one_has_written(self):
        ada, bob = self.player("Ada"), self.player("Bob")
        team, code = self.make(ada, "Iron")

        def shows(points):
            until(lambda: self.teams(self.second).get(team) == points, SHOWN_SECONDS_MAX, f"{points} in the other")

        shows(None)
        self.assertEqual(ada.post("solo", 4).status, 201)
        shows((4, 1))
        self.assertEqual(bob.post("solo", 3).status, 201)
        self.assertEqual(self.join(bob, code).status, 201)
        shows((7, 2))
        self.assertEqual(bob.post("solo", 5).status, 201)
        shows((9, 2))
        self.server.verb("team", "hide", str(team), "--reason", "a test")
        shows(None)


if __name__ == "__main__":
    unittest.main()
