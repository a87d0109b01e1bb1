"""What an operator does when rollups were edited by hand: they are made anew while the server runs."""
import unittest

import client
import v1
from psql import Psql
from server import Server, until

AGREE_SECONDS_MAX = 30


class Repair(unittest.TestCase):
    def test_rollups_are_made_anew_from_the_ledgers(self):
        server = Server("repair")
        self.addCleanup(server.stop)
        server.verb("game", "add", "quiz", "--name", "Quiz")
        for policy in ("best", "latest", "sum"):
            server.verb("board", "add", "--game", "quiz", policy, "--policy", policy, "--earns", "fixed:10")
        server.verb("charity", "add", "trees", "--name", "Trees")
        server.verb("charity", "add", "whales", "--name", "Whales", "--zone", "Pacific/Auckland")
        with client.Connection(server) as connection:
            for name in ("Ada", "Bea"):
                player = v1.Player(connection, "quiz", name)
                for board in ("best", "latest", "sum"):
                    for points in (5, 3):
                        self.assertEqual(player.post(board, points).status, 201)
                for charity, anonymous in (("trees", False), ("trees", True), ("whales", False)):
                    self.assertEqual(player.donate(charity, 7, anonymous=anonymous).status, 201)
        hand = Psql(server.conninfo())
        self.addCleanup(hand.close)
        hand.run("update standing set points = points + 1")
        hand.run("delete from tally")
        hand.run("update charity_total set points = 0")
        self.assertNotEqual(server.run_verb("audit").returncode, 0)

        hand.run("update wallet set voided = 1 where earned > 0")
        repaired = server.verb("audit", "--repair")
        for table in ("wallet", "standing", "tally", "charity_total"):
            self.assertRegex(repaired, rf"(?m)^{table} +[1-9]")
        self.assertIn("The books balance.", repaired)
        self.assertRegex(server.verb("audit", "--repair"), r"(?m)^standing +0$")
        server.audit()

        def rows(path):
            return [(row["name"], row["points"]) for row in client.get(server, path).json()["rows"]]
        for path, wanted in (("/v1/charities.json", [("Trees", 28), ("Whales", 14)]),
                             ("/v1/games/quiz/boards/sum/top.json", [("Ada", 8), ("Bea", 8)]),
                             ("/v1/contributors/top.json", [("Ada", 14), ("Bea", 14), ("Anonymous", 7),
                                                            ("Anonymous", 7)])):
            until(lambda: rows(path) == wanted, AGREE_SECONDS_MAX, f"{path} shows the ledger: {rows(path)}")
