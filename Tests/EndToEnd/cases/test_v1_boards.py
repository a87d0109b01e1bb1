"""Boards of v1: games and boards as documents, and what a reset leaves of a season."""

import client
import server as servers
import v1
import v1_case
from v1_case import STAMP, V1Case, score


def setUpModule():
    v1_case.start("v1boards")


class Documents(V1Case):
    def test_games_and_boards(self):
        self.server.verb("board", "add", "--game", "chess", "lap", "--name", "Lap <1>", "--order", "lowest", "--ties",
                         "shared", "--zone", "Europe/Berlin", "--points-min", "1", "--points-max", "999", "--earns",
                         "fixed:5", "--earn-max", "9", "--earn-day", "50", "--opens", "2026-01-01T00:00:00+01:00",
                         "--closes", "2999-01-01T00:00:00Z")
        games = self.public("/v1/games")
        self.assertEqual(set(games), {"games"})
        chess = {"slug": "chess", "name": "Chess", "friends": "off", "teams": "off", "flags": False,
                 "plans": False, "challenges": "off", "stake_max": 0}
        self.assertEqual([g for g in games["games"] if g["slug"] == "chess"], [chess])
        self.assertEqual({g["slug"] for g in games["games"]}, {"default", "quiz", "chess"})
        lap = self.public("/v1/games/chess/boards/lap")
        for stamp, instant in (("opens_at", "2025-12-31T23:00:00"), ("closes_at", "2999-01-01T00:00:00")):
            self.assertRegex(lap[stamp], STAMP)
            self.assertTrue(lap[stamp].startswith(instant), lap)
        self.assertEqual(
            lap, {
                "game": "chess", "slug": "lap", "name": "Lap <1>", "season": 1, "order": "lowest", "policy": "best",
                "points_min": 1, "points_max": 999, "zone": "Europe/Berlin", "ties": "shared", "earns": "fixed:5",
                "earn_max": 9, "earn_day": 50, "display": "number", "trust": "open", "details": "private",
                "teams": "none", "countries": "none", "season_every": "none",
                "opens_at": lap["opens_at"],
                "closes_at": lap["closes_at"],
                "final": False, "seasons": [{"season": 1}]
            })
        bare = {k: v for k, v in lap.items() if k != "seasons"}
        boards = self.public("/v1/games/chess/boards")
        self.assertEqual(set(boards), {"boards"})
        self.assertIn(bare, boards["boards"])
        game = self.public("/v1/games/chess")
        self.assertEqual(game, {**chess, "boards": boards["boards"]})
        offers = {"friends": "requests", "teams": "codes", "flags": True}
        self.server.verb("game", "set", "chess", "--friends", "requests", "--teams", "codes", "--flags", "on")
        self.assertEqual(self.public("/v1/games/chess"), {**game, **offers})
        # What a game for young players does not have is not offered.
        self.server.verb("game", "set", "chess", "--friends", "codes", "--teams", "server", "--flags", "off",
                         "--audience", "young")
        self.assertEqual(self.public("/v1/games/chess"), {**game, "friends": "codes", "teams": "server"})
        for path in ("/v1/games/nope", "/v1/games/nope/boards", "/v1/games/quiz/boards/nope",
                     "/v1/games/nope/boards/solo", "/v1/games/QUIZ", "/v1/games/", "/v1/games/quiz/", "/v1/",
                     "/v1/nope", "/v1/games/quiz/boards/me", "/v1/games/quiz/boards/solo/nope", "/v1/games.json"):
            self.problem(client.get(self.server, path), 404, "not-found")

    def test_health(self):
        self.assertEqual(client.get(self.server, "/healthz").text.strip(), "ok")
        self.assertEqual(client.get(self.server, "/readyz").status, 200)
        answer = client.get(self.server, "/openapi.yaml")
        self.assertEqual((answer.status, answer.media), (200, "application/yaml"))
        self.assertRegex(answer.text, r"^openapi: ['\"]?3\.")


class Seasons(V1Case):
    def test_reset(self):
        self.server.verb("board", "add", "--game", "quiz", "seasonal")
        ada, bob = self.player(), self.player("Bob")
        id = v1.new_id()
        ada.post("seasonal", 30, id)
        bob.post("seasonal", 20)
        left = ada.left()
        old = self.public("/v1/games/quiz/boards/seasonal/top.json")
        self.server.verb("board", "reset", "--game", "quiz", "seasonal")
        # The server follows what another process has written within two seconds.
        servers.until(lambda: self.public("/v1/games/quiz/boards/seasonal/top.json")["rows"] == [], 2, "a new season")
        self.assertEqual(ada.left(), left, "a reset takes no points")
        first = self.public("/v1/games/quiz/boards/seasonal/top.json?season=1")
        self.assertEqual(first["rows"], old["rows"])
        self.assertIs(first["final"], True)
        self.assertIs(self.public("/v1/games/quiz/boards/seasonal/top.json?season=2")["final"], False)
        board = self.public("/v1/games/quiz/boards/seasonal")
        self.assertEqual((board["season"], [s["season"] for s in board["seasons"]]), (2, [2, 1]))
        self.assertRegex(board["seasons"][1]["ended_at"], STAMP)
        self.assertNotIn("ended_at", board["seasons"][0])
        again = ada.post("seasonal", 30, id)
        self.assertEqual((again.status, again["idempotent-replayed"]), (200, "true"), "an id names one row for ever")
        self.assertEqual(ada.call("GET", score(id, board="seasonal")).json()["season"], 1)
        self.assertEqual(self.public("/v1/games/quiz/boards/seasonal/top.json")["of"], 0)
        said = bob.post("seasonal", 5).json()
        self.assertEqual((said["best"], said["rank"], said["of"], said["improved"]), (5, 1, 1, True))
        self.assertEqual([r["points"] for r in self.public("/v1/games/quiz/boards/seasonal/top.json")["rows"]], [5])
        base = "/v1/games/quiz/boards/seasonal"
        self.assertEqual(self.public(f"{base}/players/{bob.id}?season=1")["points"], 20)
        self.assertEqual(self.public(f"{base}/players/{bob.id}")["points"], 5)
        self.assertEqual(self.public(f"{base}/players/{ada.id}")["rank"], None)
        self.assertEqual(len(self.public(f"{base}/players/{bob.id}/around.json?season=1")["rows"]), 2)
        self.assertEqual(self.public(f"{base}/rank?points=25&season=1"), {"points": 25, "rank": 2, "of": 2})
        self.assertEqual(
            [b["points"] for b in self.public(f"/v1/players/{bob.id}")["bests"] if b["board"] == "seasonal"], [5],
            "seasons played now")
        self.assertEqual([b for b in self.public(f"/v1/players/{ada.id}")["bests"] if b["board"] == "seasonal"], [])
        self.assertEqual([(r["season"], r["points"]) for r in bob.get("/v1/players/me/scores").json()["rows"]],
                         [(2, 5), (1, 20)])
        page = self.public(f"{base}/top.json?season=1&limit=1")
        self.assertEqual(self.public(f"{base}/top.json?season=1&limit=1&after={page['next']}")["rows"][0]["points"], 20)
        self.problem(client.get(self.server, f"{base}/top.json?limit=1&after={page['next']}"), 400, "bad-cursor")
        for season in ("3", "0", "-1", "x", "", "99999999999999"):
            with self.subTest(season=season):
                answer = client.get(self.server, f"{base}/top.json?season={season}")
                self.assertIn(answer.status, (400, 404), answer)
                self.problem(answer, answer.status)
        for suffix in ("xml", "plist", "csv", "atom", "html"):
            self.assertEqual(client.get(self.server, f"{base}/top.{suffix}?season=1").status, 200)
