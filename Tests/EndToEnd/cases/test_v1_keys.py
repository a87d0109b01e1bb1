"""Keys of v1: what a game's own server may do for its players, and what nobody else may."""

import client
import v1
import v1_case
from v1 import call
from v1_case import V1Case, donation, score


def setUpModule():
    v1_case.start("v1keys")


class Keys(V1Case):
    def put(self, id, who=None, game="quiz", **fields):
        return self.call("PUT", f"/v1/games/{game}/players/{id}", {"name": "Bob", **fields}, who=who or self.key)

    def test_players_under_the_games_own_id(self):
        answer = self.put("u-7", country="de")
        made = self.private(answer, 201)
        self.assertEqual(set(made), {"player"})
        self.assertEqual(answer["location"], f"/v1/players/{made['player']['id']}")
        again = self.private(self.put("u-7", name="Bobby"), 200)
        self.assertEqual(again["player"], {"id": made["player"]["id"], "name": "Bobby"})
        self.assertEqual(self.private(self.put("u%2D7"), 200)["player"]["id"], made["player"]["id"])
        other = self.put("u-7", self.other_key, game="chess")
        self.assertEqual(other.status, 201)
        self.assertNotEqual(other.json()["player"]["id"], made["player"]["id"])
        self.problem(self.put("a%20b"), 400)
        self.problem(self.call("PUT", "/v1/games/quiz/players/fresh", {}, who=self.key), 422, "field")

    def test_who_may(self):
        ada = self.player()
        self.assertIn(self.put("k1", v1.token()).status, (401, 403), "of the wrong kind, and unknown")
        self.problem(self.call("PUT", "/v1/games/quiz/players/k1", {"name": "x"}), 401, "unauthorized")
        self.problem(self.put("k1", "cbk_" + v1.token()[4:]), 401, "unauthorized")
        self.problem(self.put("k1", self.other_key), 403, "forbidden")
        self.assertIn(self.put("k1", ada.token).status, (401, 403))
        self.problem(self.put("k1", game="nope"), 404, "not-found")
        self.assertIn(self.call("GET", "/v1/players/me", who=self.key).status, (401, 403))

    def test_a_revoked_key_is_refused_at_once(self):
        with client.Connection(self.server) as c:
            mine = v1.make_key(self.server, "quiz", "short-lived")
            self.assertEqual(call(c, "PUT", "/v1/games/quiz/players/r1", {"name": "R"}, who=mine).status, 201)
            number = next(line.split()[0] for line in self.server.verb("key", "list", "--game", "quiz").splitlines()
                          if "short-lived" in line)
            self.server.verb("key", "revoke", "--game", "quiz", number)
            for path in ("/v1/games/quiz/players/r1", score(v1.new_id()), donation(v1.new_id())):
                self.problem(call(c, "PUT", path, {"name": "R", "points": 1, "external": "r1"}, who=mine), 401,
                             "unauthorized")
            self.assertEqual(self.put("r1").status, 200, "the other key goes on")
        self.assertNotIn(mine[4:20], self.server.verb("key", "list", "--game", "quiz"))

    def test_a_key_posts_and_donates_for_its_players(self):
        made = self.put("poster").json()["player"]["id"]
        ada = self.player()
        id = v1.new_id()
        self.assertEqual(
            self.private(self.call("PUT", score(id), {"points": "25", "external": "poster"}, who=self.key),
                         201)["earned"], 25)
        answer = self.call("PUT", score(id), {"points": 25, "player": made}, who=self.key)
        self.assertEqual((answer.status, answer["idempotent-replayed"]), (200, "true"))
        self.assertEqual(
            self.call("PUT", score(v1.new_id()), {"points": 7, "player": ada.id}, who=self.key).json()["earned"], 7)
        self.assertEqual(
            self.call("PUT", donation(v1.new_id()), {"points": 5, "external": "poster"}, who=self.key).json()["left"],
            20)
        self.assertEqual(
            self.call("PUT", donation(v1.new_id()), {"points": 5, "player": ada.id}, who=self.key).json()["left"], 2)
        for path in (score(v1.new_id()), donation(v1.new_id())):
            self.assertEqual(
                self.problem(self.call("PUT", path, {"points": 1}, who=self.key), 422, "field")["field"], "player")
            self.problem(self.call("PUT", path, {"points": 1, "player": made, "external": "poster"}, who=self.key), 422,
                         "field")
            self.problem(self.call("PUT", path, {"points": 1, "player": 12345}, who=self.key), 404, "not-found")
            self.problem(self.call("PUT", path, {"points": 1, "external": "nobody"}, who=self.key), 404, "not-found")
            chess = self.player(game="chess")
            self.problem(self.call("PUT", path, {"points": 1, "player": chess.id}, who=self.key), 404, "not-found")

    def test_a_key_of_another_game(self):
        self.put("x1")
        self.problem(self.call("PUT", score(v1.new_id()), {"points": 1, "external": "x1"}, who=self.other_key), 403,
                     "forbidden")
        self.problem(self.call("GET", score(v1.new_id()) + "?external=x1", who=self.other_key), 403, "forbidden")
        self.problem(
            self.call("PUT",
                      score(v1.new_id(), game="default", board="high-scores"), {"points": 1, "external": "x1"},
                      who=self.key), 403, "forbidden")
        self.problem(self.call("PUT", donation(v1.new_id()), {"points": 1, "external": "x1"}, who=self.other_key), 404)

    def test_a_player_speaks_for_nobody_else(self):
        ada, eve = self.player(), self.player("Eve")
        ada.post("solo", 10)
        for fields in ({"player": eve.id}, {"external": "u-7"}, {"external": ada.device}):
            for path in (score(v1.new_id()), donation(v1.new_id())):
                with self.subTest(fields=fields, path=path):
                    self.problem(ada.call("PUT", path, {"points": 1, **fields}), 403, "forbidden")
        self.assertEqual(ada.call("PUT", score(v1.new_id()), {"points": 1, "player": ada.id}).status, 201)

    def test_a_token_of_another_game(self):
        chess = self.player(game="chess")
        for method, path, body in (("PUT", score(v1.new_id()), {"points": 1}), ("GET", score(v1.new_id()), None),
                                   ("GET", "/v1/games/quiz/boards/solo/players/me",
                                    None), ("GET", "/v1/games/quiz/boards/solo/players/me/around.json", None)):
            self.problem(chess.call(method, path, body), 401, "unauthorized")
