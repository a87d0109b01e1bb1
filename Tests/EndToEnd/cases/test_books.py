"""The public books: what had been earned and donated by the end of a day in UTC, in every format and as a page."""
import datetime
import hashlib
import unittest

import client
import feeds
import v1
from server import Server, far_from_midnight, until

CLOSED_SECONDS_MAX = 60
FORMATS = ("xml", "json", "plist", "csv", "atom", "html")

SERVER = None
TODAY = None        # in UTC, as the server's clock has it


def day(back):
    return (TODAY - datetime.timedelta(days=back)).isoformat()


def setUpModule():
    """Two games and two charities with rows that were recorded two days ago and today; the books begin two days ago."""
    global SERVER, TODAY
    far_from_midnight()
    SERVER = Server("books")
    unittest.addModuleCleanup(end)
    fresh = client.get(SERVER, "/books.json")
    assert fresh.status == 404, fresh
    TODAY = datetime.datetime.now(datetime.timezone.utc).date()
    for game in ("maze", "quiz"):
        SERVER.verb("game", "add", game, "--name", game.title())
        SERVER.verb("board", "add", "--game", game, "solo")
    for charity in ("trees", "wells"):
        SERVER.verb("charity", "add", charity, "--name", charity.title())
    ada, bob = v1.Player(SERVER, "maze", "Ada"), v1.Player(SERVER, "quiz", "Bob")
    score = v1.new_id()
    assert ada.post("solo", 100).status == 201 and ada.post("solo", 20, id=score).status == 201
    assert bob.post("solo", 50).status == 201
    assert ada.donate("trees", 110).status == 201 and bob.donate("wells", 5).status == 201
    SERVER.verb("act", "void", "--player", str(ada.id), "--score", score, "--reason", "a bot")
    # What follows stands for a clock that was two days back. The ledgers are the owner's.
    SERVER.psql("".join(
        f"update {table} set {column} = {column} - interval '2 days';"
        for table, column in (("score", "recorded_at"), ("donation", "recorded_at"), ("correction", "corrected_at"))))
    assert bob.post("solo", 7).status == 201
    SERVER.terminate()
    SERVER.start()
    SERVER.wait_ready()
    last = 1 if over() else 2
    until(lambda: books(f"/books.json?day={day(last)}").status == 200, CLOSED_SECONDS_MAX, "days are closed")


def over():
    """Whether yesterday is closed by now: in the first ten minutes of a day it is not."""
    now = datetime.datetime.now(datetime.timezone.utc)
    return now - datetime.timedelta(minutes=11) >= datetime.datetime.combine(
        now.date(), datetime.time(), datetime.timezone.utc)


def end():
    try:
        SERVER.audit()
    finally:
        SERVER.stop()


def books(path="/books.json", **headers):
    return client.get(SERVER, path, **headers)


def sums(body, kind):
    return {row["name"]: row["points"] for row in body["rows"] if row["kind"] == kind}


class Books(unittest.TestCase):
    def test_both_identities_hold_and_parts_add_up(self):
        answer = books(f"/books.json?day={day(2)}")
        self.assertEqual(answer.status, 200, answer)
        self.assertEqual(answer["access-control-allow-origin"], "*")
        self.assertTrue(answer["etag"])
        body = answer.json()
        self.assertEqual((body["day"], body["zone"], body["final"]), (day(2), "UTC", True))
        self.assertEqual(body["until"], f"{day(1)}T00:00:00.000000Z")
        total = sums(body, "total")
        self.assertEqual(total, {"earned": 170, "voided": 20, "held": 0, "left": 45, "funded": 105, "given": 115,
                                 "unfunded": 10})
        self.assertEqual(total["earned"], total["voided"] + total["held"] + total["left"] + total["funded"])
        self.assertEqual(total["given"], total["funded"] + total["unfunded"])
        self.assertEqual(sums(body, "charity"), {"trees": 100, "wells": 5})
        self.assertEqual(sums(body, "game"), {"maze": 120, "quiz": 50})
        log = [row for row in body["rows"] if row["kind"] == "log"]
        self.assertEqual(log, [{"kind": "log", "name": "last", "entry": 0, "hash": "0" * 64}],
                         "what was logged today is in no day that is over")

    def test_yesterday_is_what_is_shown_without_a_day(self):
        if not over():
            self.skipTest("yesterday is not closed yet")
        asked, default = books(f"/books.json?day={day(1)}"), books()
        self.assertEqual((asked.status, default.content), (200, asked.content))
        self.assertEqual(asked.json()["rows"], books(f"/books.json?day={day(2)}").json()["rows"])

    def test_every_format_says_the_same(self):
        expected = [(row["kind"], row["name"], str(row.get("points", "")))
                    for row in books(f"/books.json?day={day(2)}").json()["rows"]]
        for suffix in FORMATS:
            with self.subTest(suffix):
                answer = books(f"/books.{suffix}?day={day(2)}")
                self.assertEqual(answer.status, 200, answer)
                if suffix in ("xml", "plist", "atom", "html"):
                    feeds.expat(answer.content)
                for _, name, points in expected:
                    self.assertIn(name, answer.text)
                    self.assertIn(points, answer.text)
                self.assertIn(day(2), answer.text)
                again = books(f"/books.{suffix}?day={day(2)}", If_None_Match=answer["etag"])
                self.assertEqual(again.status, 304)
        rows = [line.split(",") for line in books(f"/books.csv?day={day(2)}").text.splitlines()]
        self.assertEqual(rows[0], ["day", "kind", "name", "points", "entry", "hash"])
        self.assertEqual([(kind, name, points) for _, kind, name, points, *_ in rows[1:]], expected)

    def test_the_bytes_of_a_past_day_stay_when_more_happens(self):
        def digests():
            return [hashlib.sha256(books(f"/books.{suffix}?day={day(2)}").content).hexdigest() for suffix in FORMATS]
        before = digests()
        SERVER.verb("charity", "set", "wells", "--name", "Deep Wells")
        SERVER.verb("charity", "add", "seas", "--name", "Seas")
        player = v1.Player(SERVER, "maze", "Cy")
        self.assertEqual(player.post("solo", 9).status, 201)
        self.assertEqual(player.donate("seas", 4).status, 201)
        SERVER.verb("act", "hide", "--player", str(player.id), "--reason", "a test")
        self.assertEqual(digests(), before)

    def test_days_without_books_are_404_and_no_dates_400(self):
        for asked in (day(0), day(-1), "9999-12-31", day(3), "0001-01-01"):
            answer = books(f"/books.json?day={asked}")
            self.assertEqual((answer.status, answer.media), (404, "application/problem+json"), asked)
            self.assertIn("ask for", answer.json()["detail"].lower())
            self.assertEqual(answer["access-control-allow-origin"], "*")
        for asked in ("", "yesterday", "2026-1-1", "2026-02-30", "2026-11-21T00:00:00Z", "%00", "-001-01-01"):
            answer = books(f"/books.json?day={asked}")
            self.assertEqual((answer.status, answer.json()["field"]), (400, "day"), asked)

    def test_the_page_shows_sums_and_leads_to_days_around(self):
        page = books(f"/books?day={day(2)}&lang=en")
        self.assertEqual((page.status, page.media), (200, "text/html"))
        for text in ("170", "105", "115", "Trees", "Maze"):
            self.assertIn(text, page.text)
        self.assertNotIn(f"day={day(3)}", page.text)
        if over():
            self.assertIn(f"/books?day={day(1)}", page.text)
        refused = books(f"/books?day={day(0)}", Accept="text/html")
        self.assertEqual((refused.status, refused.media), (404, "text/html"))


if __name__ == "__main__":
    unittest.main()
