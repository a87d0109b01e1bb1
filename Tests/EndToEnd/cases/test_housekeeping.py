"""What a server sweeps, and what it puts aside: old rows of the ledgers are read, repeated, voided and copied as
before."""
import os
import re
import tempfile
import unittest

import client
import v1
from server import Server, until

SWEPT_SECONDS_MAX = 60
AGE = "interval '60 days'"


def swept(server):
    """The rows that were swept, by kind; None before everything has been looked at once."""
    text = client.get(server.admin(), "/metrics").text
    if re.search(r"(?m)^causeboard_sweeps_total 0$", text):
        return None
    counts = re.findall(r'(?m)^causeboard_swept_rows_total\{what="(.*)"\} (\d+)$', text)
    return {kind: int(rows) for kind, rows in counts}


def looked(server):
    until(lambda: swept(server) is not None, SWEPT_SECONDS_MAX, "everything is looked at")
    return swept(server)


def best(server):
    return [row["points"] for row in client.get(server, "/v1/games/maze/boards/solo/top.json").json()["rows"]]


class HousekeepingTest(unittest.TestCase):
    def test_old_rows(self):
        """Two players; what they did first was 60 days ago, and was put aside when the server starts again."""
        server = Server("housekeeping")
        self.addCleanup(server.end)
        self.assertEqual(set(looked(server).values()), {0})
        server.verb("game", "add", "maze", "--name", "Maze")
        server.verb("board", "add", "--game", "maze", "solo")
        server.verb("charity", "add", "trees", "--name", "Trees")
        picture = client.base64_text(client.png())
        ada, bob = v1.Player(server, "maze", "Ada", image=picture), v1.Player(server, "maze", "Bob")
        first = ada.get("/v1/players/me").json()["avatar"]
        self.assertEqual(ada.call("PATCH", "/v1/players/me", {"image": None}).status, 200)
        self.assertEqual(client.get(server, first).status, 410)
        scores = [v1.new_id() for _ in range(4)]
        donation = v1.new_id()
        for points, score in enumerate(scores, 10):
            self.assertEqual(ada.post("solo", points, id=score).status, 201)
        self.assertEqual(ada.donate("trees", 5, id=donation).status, 201)
        self.assertEqual(bob.post("solo", 30).status, 201)
        # What follows stands for a clock that was sixty days back. The ledgers are the owner's.
        server.psql(f"update score set reached_at = reached_at - {AGE}, day = day - 60 where player_id = {ada.id};"
                    f"update donation set reached_at = reached_at - {AGE}, day = day - 60;"
                    f"update avatar set added_at = added_at - {AGE};")
        server.verb("audit", "--repair")
        before = [ada.get(f"/v1/players/me/{what}").json() for what in ("scores", "donations")]

        server.terminate()
        server.start("--past-after", "30")
        server.wait_ready()
        found = looked(server)
        self.assertEqual((found["pictures"], found["past-scores"], found["past-donations"]), (1, 4, 1), found)
        self.assertIn("swept", server.log())
        self.assertEqual(client.get(server, first).status, 404)
        self.assertEqual(server.psql("select count(*) from only score"), [["1"]])

        self.assertEqual([ada.get(f"/v1/players/me/{what}").json() for what in ("scores", "donations")], before)
        again = ada.post("solo", 11, id=scores[1])
        self.assertEqual((again.status, again["idempotent-replayed"]), (200, "true"))
        self.assertEqual(ada.post("solo", 12, id=scores[1]).status, 409)
        self.assertEqual(ada.donate("trees", 5, id=donation).status, 200)
        server.verb("act", "void", "--player", str(ada.id), "--score", scores[3], "--reason", "a bot")
        # An action of another process shows within two seconds.
        until(lambda: best(server) == [30, 12], SWEPT_SECONDS_MAX, "the voided score is gone")
        server.audit()

        # A copy has them too, in their tables.
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            path = os.path.join(folder, "housekeeping.backup")
            server.verb("backup", path)
            proved = server.run_verb("backup", "--verify", path)
            self.assertEqual(proved.returncode, 0, proved.stdout + proved.stderr)

    def test_settings(self):
        """Too few days are refused before anything is started."""
        server = Server("housekeeping-settings", start=False)
        self.addCleanup(server.end)
        for words, said in ((("--past-after", "29"), "30 days or more"), (("--saves-after", "29"), "30 days or more"),
                            (("--disk-reserve", "-1"), "--disk-reserve"), (("--database-max", "x"), "database-max"),
                            (("--sweep-after", "-1"), "--sweep-after")):
            run = server.run_verb("serve", "--port", "0", *words)
            self.assertNotEqual(run.returncode, 0, words)
            self.assertIn(said, run.stdout + run.stderr)


if __name__ == "__main__":
    unittest.main()
