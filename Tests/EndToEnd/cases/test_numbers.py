"""Many players each give the most that a wallet holds to one charity: together more than 64 bits count."""
import unittest

import client
import feeds
from server import Server

SLOW = True

PLAYERS = 2_100
THREADS = 16
MOST = 2**53 - 1
server = None


def setUpModule():
    global server
    server = Server("numbers")
    server.verb("game", "set", "default", "--salt", client.SALT)
    server.verb("charity", "add", "ocean", "--name", "Ocean", "--goal", "1000")
    server.verb("charity", "add", "forest", "--name", "Forest")


def tearDownModule():
    server.stop()


class Numbers(unittest.TestCase):
    def test_sums_beyond_an_integer_of_64_bits(self):
        def play(thread):
            with client.Connection(server) as connection:
                for n in range(thread, PLAYERS, THREADS):
                    phone = client.Phone(server, connection=connection)
                    if n % 3:
                        answer = phone.high_score(f"p{n}", MOST)
                        assert answer.status == 200, answer
                    else:
                        answer = phone.register(f"p{n}")
                        assert answer.status == 201, answer
                        answer = phone.post(MOST)
                        assert (answer.status, answer.number("best")) == (201, MOST), answer
                    answer = phone.donate("ocean", MOST)
                    assert (answer.status, answer.number("balance")) == (201, 0), answer
        client.in_threads(THREADS, play, seconds=300)
        self.assertIsNone(server.process.poll(), "the server ended")

        charities = client.get(server, "/v1/charities.json")
        self.assertEqual(charities.status, 200)
        rows = feeds.rows_json(charities.body)
        self.assertEqual(rows[0], ("Ocean", PLAYERS * MOST))
        self.assertGreater(PLAYERS * MOST, 2**64)
        for suffix in feeds.FORMATS:
            with self.subTest(charities=suffix):
                answer = client.get(server, f"/v1/charities.{suffix}")
                self.assertEqual(answer.status, 200, answer)
                # No integer of 64 bits holds the percentage of the goal in tenths.
                whole, tenth = divmod(PLAYERS * MOST, 10)
                if suffix in ("json", "xml", "plist", "csv"):
                    self.assertIn(f"{whole}.{tenth}", answer.text)
                if suffix == "plist":
                    feeds.well_formed(answer.body)
                    self.assertIn(f"<real>{PLAYERS * MOST}</real>", answer.text)
                elif suffix == "html" or suffix == "atom":
                    text = answer.text
                    for between in ",.'’\u00a0\u2009\u202f":
                        text = text.replace(between, "")
                    self.assertIn(str(PLAYERS * MOST), text)
                else:
                    self.assertEqual(feeds.READERS[suffix](answer.body)[0], ("Ocean", PLAYERS * MOST))
        for path in ("/TopScores", "/high_scores", "/v1/games/default/boards/high-scores/top", "/TopScores"):
            query = "?charity=ocean" if path == "/TopScores" else ""
            for suffix in feeds.FORMATS:
                with self.subTest(path=path, suffix=suffix):
                    answer = client.get(server, f"{path}.{suffix}{query}")
                    self.assertEqual(answer.status, 200, answer)
                    if suffix in feeds.READERS:
                        rows = feeds.READERS[suffix](answer.body)
                        self.assertEqual({p for _, p in rows}, {MOST})
                        self.assertEqual(len(rows), len({n for n, _ in rows}), "somebody is shown twice")
                        self.assertGreaterEqual(len(rows), 10)
        self.assertEqual(server.psql("select count(*), sum(points) from donation"),
                         [[str(PLAYERS), str(PLAYERS * MOST)]])
        server.audit()
