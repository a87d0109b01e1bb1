"""A game for young players: what one setting protects them from, whatever else the game's settings say."""
import unittest

import admin
import client
import v1
import v1_case
from admin import Operator
from v1_case import V1Case

FRIENDS, TEAM = "/v1/players/me/friends", "/v1/players/me/team"
GAME = "/v1/games/tots"


def setUpModule():
    v1_case.start("v1young")
    server = V1Case.server
    server.verb("game", "add", "tots", "--name", "Tots")
    server.verb("game", "set", "tots", "--friends", "requests", "--teams", "codes", "--team-rosters", "public",
                "--flags", "on")
    server.verb("board", "add", "--game", "tots", "lap", "--teams", "best:3", "--countries", "best:3")
    # They came when the game was for all.
    V1Case.ada, V1Case.bob = (v1.Player(server, "tots", name) for name in ("Ada", "Bob"))
    for player, points in ((V1Case.ada, 5), (V1Case.bob, 3)):
        assert player.post("lap", points).status == 201
    assert V1Case.ada.call("PATCH", "/v1/players/me", {"flag": "DE-BE"}).status == 200
    assert V1Case.ada.call("PUT", TEAM, {"make": "Red"}).status == 201
    V1Case.team = V1Case.ada.get(TEAM).json()
    assert V1Case.bob.call("PUT", f"{FRIENDS}/{V1Case.ada.id}").json() == {"state": "asking"}
    server.verb("game", "set", "tots", "--audience", "young")


class YoungPlayers(V1Case):
    def test_friends_come_by_code_alone(self):
        cy, dee = self.player("Cy", game="tots"), self.player("Dee", game="tots")
        self.problem(cy.call("PUT", f"{FRIENDS}/{dee.id}"), 403, "forbidden")
        self.assertEqual(self.private(self.ada.get(FRIENDS), 200)["asked"], [], "nor is a former request shown")
        code = self.private(cy.call("POST", f"{FRIENDS}/codes"), 201)["code"]
        self.private(dee.call("POST", FRIENDS, {"code": code}), 201)
        self.assertEqual([row["name"] for row in self.private(dee.get(FRIENDS), 200)["friends"]], ["Cy"])
        self.assertEqual(dee.post("lap", 4).status, 201)
        among = self.private(cy.get(f"{GAME}/boards/lap/players/me/friends.json"), 200)
        self.assertEqual([row["name"] for row in among["rows"]], ["Dee"])
        self.assertEqual(cy.call("PUT", f"/v1/players/me/blocks/{dee.id}").status, 204)
        self.assertEqual(self.private(dee.get(FRIENDS), 200)["friends"], [])

    def test_the_games_server_alone_makes_teams_whose_members_only_they_see(self):
        eve = self.player("Eve", game="tots")
        self.problem(eve.call("PUT", TEAM, {"make": "Mine"}), 403, "forbidden")
        self.problem(eve.call("PUT", TEAM, {"code": self.team["code"]}), 403, "forbidden")
        path, id = f"{GAME}/teams/{self.team['id']}", self.team["id"]
        self.problem(client.get(self.server, path), 404)
        self.server.verb("game", "set", "tots", "--teams", "server")
        shown = self.public(path)
        self.assertEqual((shown["name"], shown["members"], "roster" in shown), ("Red", 1, False))
        self.problem(client.get(self.server, f"{GAME}/boards/lap/top.json?team={id}"), 404)
        self.assertEqual([row["name"] for row in self.private(self.ada.get(TEAM), 200)["members"]], ["Ada"])
        key = self.server.verb("key", "add", "--game", "tots", "--scopes", "groups,register", "--name", "g").strip()
        for place, status in ((f"{GAME}/players/u-1", 201), (f"{GAME}/teams/guild", 201),
                              (f"{GAME}/teams/guild/members/u-1", 201)):
            self.assertEqual(v1.call(self.server, "PUT", place, {"name": "Guild"}, who=key).status, status, place)
        self.assertEqual(self.private(self.ada.get(f"{GAME}/boards/lap/players/me/team.json"), 200)["of"], 1)
        rows = client.get(self.server, f"{GAME}/boards/lap/teams/top.json").json()["rows"]
        self.assertEqual([(row["team"], row["points"]) for row in rows], [(id, 5)])

    def test_no_flag_and_no_address_is_taken_or_shown(self):
        said = self.problem(self.ada.call("PATCH", "/v1/players/me", {"flag": "FR"}), 422, "field")
        self.assertEqual(said["field"], "flag")
        self.assertEqual(self.ada.call("PATCH", "/v1/players/me", {"email": "ada@example.org"}).status, 200)
        self.assertNotIn("email", self.private(self.ada.get("/v1/players/me/export"), 200))
        board = f"{GAME}/boards/lap"
        for path in (f"{board}/top.json?country=DE", f"{board}/countries/top.json"):
            self.problem(client.get(self.server, path), 404)
        self.assertNotIn("DE-BE", client.get(self.server, f"{board}/top.json").text)

    def test_new_players_are_unlisted(self):
        fay = self.player("Fay", game="tots")
        self.problem(client.get(self.server, f"/v1/players/{fay.id}"), 404)
        self.public(f"/v1/players/{self.ada.id}")
        self.assertFalse(fay.call("PATCH", "/v1/players/me", {"unlisted": False}).json()["unlisted"])
        self.public(f"/v1/players/{fay.id}")

    def test_settings_against_it_are_refused(self):
        operator = Operator(self.server.admin(), admin.make_key(self.server))
        for field, value in (("friends", "requests"), ("teams", "codes"), ("team_rosters", "public"), ("flags", True),
                             ("email", True)):
            etag = operator.get("games/tots")["etag"]
            said = operator.change("games/tots", {field: value}, etag)
            self.assertEqual((said.status, said.json()["type"], said.json()["field"]), (422, "/problems/field", field))
        self.assertEqual(operator.change("games/tots", {"friends": "codes"}, etag).status, 200)
        done = self.server.run_verb("game", "set", "tots", "--flags", "on")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("young", done.stderr)


if __name__ == "__main__":
    unittest.main()
