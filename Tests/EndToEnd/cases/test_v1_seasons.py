"""Seasons that begin by themselves: two processes see each midnight, one season begins with it, and the winners of
those before are shown."""
import time
import unittest

import client
import v1
from joined import Joined
from server import Server, until
from stepping_clock import SteppedCase

DAY = 86_400
BOARD = "/v1/games/quiz/boards/solo"
BEGUN_SECONDS_MAX = 30
LANGUAGES = ("en", "de", "es", "fr", "ja", "ar")


class Seasons(SteppedCase):
    maxDiff = 3000

    def setUp(self):
        super().setUp()
        self.pass_time(int(DAY + DAY / 2 - time.time() % DAY))      # to noon
        self.first = self.begin(Server("seasons", start=False))
        self.first.verb("game", "add", "quiz", "--name", "Quiz")
        self.first.verb("board", "add", "--game", "quiz", "solo", "--season-every", "day")
        self.first.verb("board", "add", "--game", "quiz", "other")
        self.second = self.begin(Joined("seasons-beside", self.first, start=False))

    def board(self, path=BOARD):
        answer = client.get(self.second, path)
        self.assertEqual(answer.status, 200, answer)
        return answer.json()

    def begins(self, season):
        until(lambda: self.board()["season"] == season, BEGUN_SECONDS_MAX, f"season {season} begins")

    def winners(self, query=""):
        answer = client.get(self.second, f"{BOARD}/winners.json{query}")
        self.assertEqual(answer.status, 200, answer)
        return [(row["season"], row["rank"], row["name"], row["points"]) for row in answer.json()["rows"]]

    def test_a_season_each_day(self):
        ada, bob = v1.Player(self.first, "quiz", "Ada"), v1.Player(self.first, "quiz", "Bob")
        self.assertEqual(self.winners(), [])
        self.assertEqual([player.post("solo", points).status for player, points in ((ada, 5), (bob, 9))], [201, 201])
        self.assertEqual(ada.post("other", 1).status, 201)
        self.assertEqual((self.board()["season"], self.board()["season_every"]), (1, "day"))
        first_day = self.board()["next_season_on"]
        self.pass_time(DAY)
        self.begins(2)
        self.assertGreater(self.board()["next_season_on"], first_day)
        self.assertEqual(self.winners(), [(1, 1, "Bob", 9), (1, 2, "Ada", 5)])
        self.assertEqual(client.get(self.first, f"{BOARD}/top.json").json()["rows"], [])
        self.assertEqual(ada.post("solo", 3).status, 201)
        # Nobody serves for three days: one season ends.
        for server in (self.second, self.first):
            server.terminate()
        self.pass_time(3 * DAY)
        self.first.start()
        self.second.url = self.first.conninfo()
        self.second.start()
        self.begins(3)
        wanted = [(2, 1, "Ada", 3), (1, 1, "Bob", 9), (1, 2, "Ada", 5)]
        until(lambda: self.winners() == wanted, BEGUN_SECONDS_MAX, "the winners of both seasons")
        self.assertEqual(self.winners("?season=1"), wanted[1:])
        self.assertEqual(self.winners("?limit=1"), wanted[:1])
        self.assertEqual(self.board(f"{BOARD.replace('solo', 'other')}")["season"], 1)
        self.assertEqual(self.board()["season"], 3)
        self.shows()
        self.first.audit()

    def shows(self):
        """Every format, and the page in each language."""
        for format in ("xml", "json", "plist", "csv", "atom", "html"):
            answer = client.get(self.first, f"{BOARD}/winners.{format}")
            self.assertEqual((answer.status, "Bob" in answer.text), (200, True), answer)
        for language in LANGUAGES:
            answer = client.get(self.first, f"/games/quiz/boards/solo/winners?lang={language}")
            self.assertEqual((answer.status, "Bob" in answer.text), (200, True), answer)
        page = client.get(self.first, "/games/quiz/boards/solo")
        self.assertIn("/games/quiz/boards/solo/winners", page.text)
        self.assertEqual(client.get(self.first, f"{BOARD}/winners.json?limit=21").status, 400)
        self.assertEqual(client.get(self.first, "/v1/games/quiz/boards/nope/winners.json").status, 404)
        self.assertEqual(client.get(self.first, "/games/quiz/boards/nope/winners").status, 404)


if __name__ == "__main__":
    unittest.main()
