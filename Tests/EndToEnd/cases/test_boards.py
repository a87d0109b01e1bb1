"""Boards other than the first: policies, orders, bounds, ties, earning and closing, through the classic protocol and
the verbs."""
import unittest
import uuid

import client
import feeds
from server import Server

server = None


def setUpModule():
    global server
    server = Server("boards")
    server.verb("charity", "add", "red-cross", "--name", "Red Cross")


def tearDownModule():
    server.stop()


def add(slug, *options):
    server.verb("board", "add", "--game", "default", slug, *options)


def top(slug, query=""):
    answer = client.get(server, f"/v1/games/default/boards/{slug}/top.json{query}")
    assert answer.status == 200, answer
    return answer.json()


class Boards(unittest.TestCase):
    def player(self, name):
        phone = client.Phone(server)
        self.addCleanup(phone.close)
        self.assertEqual(phone.register(name).status, 201)
        return phone

    def play(self, slug, posts):
        """posts: [(name, points)]; returns the phones by name."""
        phones = {}
        for name, points in posts:
            if name not in phones:
                phones[name] = self.player(name)
            answer = phones[name].post(points, board=slug, id=uuid.uuid4())
            self.assertEqual(answer.status, 201, answer)
            self.assertEqual(answer.number("points"), points)
        return phones

    def shows(self, slug, rows):
        self.assertEqual([(r["name"], r["points"]) for r in top(slug)["rows"]], rows)
        for suffix in feeds.FORMATS:
            feeds.agree(suffix, client.get(server, f"/v1/games/default/boards/{slug}/top.{suffix}").body, rows)

    def left(self, phone):
        """What can be donated: the refused question for one more tells nothing, so give it all, point by power."""
        donated = 0
        step = 2**40
        while step:
            answer = phone.donate("red-cross", step, id=uuid.uuid4())
            if answer.status == 201:
                donated += step
                continue
            self.assertEqual(answer.status, 422, answer)
            step //= 2
        return donated

    def test_best_lowest_first(self):
        add("laps", "--policy", "best", "--order", "lowest", "--points-min", "1", "--points-max", "1000")
        phones = self.play("laps", [("a", 90), ("b", 80), ("a", 70), ("b", 95), ("c", 70)])
        self.shows("laps", [("a", 70), ("c", 70), ("b", 80)])
        self.assertEqual(self.left(phones["a"]), 0, "where low is good nothing is earned")
        for points in (0, 1001, -5):
            self.assertEqual(phones["a"].post(points, board="laps").status, 422)
        answer = phones["b"].post(75, board="laps")
        self.assertEqual((answer.number("best"), answer.number("rank")), (75, 3))

    def test_latest(self):
        add("mood", "--policy", "latest", "--points-min=-100", "--points-max", "100")
        phones = self.play("mood", [("a", 90), ("b", 50), ("a", -10), ("c", 0)])
        self.shows("mood", [("b", 50), ("c", 0), ("a", -10)])
        self.assertEqual(self.left(phones["b"]), 0, "latest earns nothing by default")

    def test_sum(self):
        add("coins", "--policy", "sum")
        phones = self.play("coins", [("a", 5), ("b", 8), ("a", 5), ("c", 10), ("b", -1)])
        self.shows("coins", [("a", 10), ("c", 10), ("b", 7)])
        self.assertEqual(self.left(phones["b"]), 8, "a negative score earns 0")
        self.assertEqual(self.left(phones["a"]), 5, "equal scores of one device earn once a day")
        big = self.player("big")
        for n in range(3):
            self.assertIn(big.post(2**53 - 1, board="coins", id=uuid.uuid4()).status, (201, 422))
        self.assertEqual(top("coins")["rows"][0]["name"], "big")

    def test_ties_shared_and_first(self):
        posts = [("a", 9), ("b", 7), ("c", 7), ("d", 5)]
        add("shared", "--ties", "shared", "--earns", "none")
        self.play("shared", posts)
        self.assertEqual(
            [(r["rank"], r["name"], r["tied"]) for r in top("shared")["rows"]],
            [(1, "a", False), (2, "b", True), (2, "c", True), (4, "d", False)],
        )
        add("first", "--ties", "first", "--earns", "none")
        phones = self.play("first", posts)
        self.assertEqual(
            [(r["rank"], r["name"]) for r in top("first")["rows"]], [(1, "a"), (2, "b"), (3, "c"), (4, "d")]
        )
        self.assertEqual(phones["c"].post(1, board="first").number("rank"), 3)

    def test_earning(self):
        for slug, options, posts, wanted in (
            ("plain", [], [10, 30, 20], 60),
            ("better", ["--earns", "improvement"], [10, 30, 20, 35], 35),
            ("fixed", ["--earns", "fixed:7"], [10, 30, 20], 21),
            ("nothing", ["--earns", "none"], [10], 0),
            ("capped", ["--earn-max", "12"], [10, 30, 20], 34),
            ("daily", ["--earn-day", "45"], [10, 30, 20], 45),
            ("both", ["--earns", "points", "--earn-max", "25", "--earn-day", "40"], [10, 30, 20], 40),
        ):
            with self.subTest(board=slug):
                add(slug, *options)
                phone = self.player(slug)
                for points in posts:
                    self.assertEqual(phone.post(points, board=slug).status, 201)
                self.assertEqual(top(slug)["rows"][0]["points"], max(posts), "what goes over a limit still ranks")
                self.assertEqual(self.left(phone), wanted)

    def test_a_closed_board_takes_no_posts_but_retries(self):
        add("season", "--opens", "2020-01-01T00:00:00Z")
        phone = self.player("late")
        id = uuid.uuid4()
        self.assertEqual(phone.post(5, board="season", id=id).status, 201)
        server.verb("board", "set", "--game", "default", "season", "--closes", "2021-01-01T00:00:00Z")
        self.assertEqual(phone.post(6, board="season").status, 422)
        answer = phone.post(5, board="season", id=id)
        self.assertEqual((answer.status, answer["idempotent-replayed"]), (200, "true"))
        self.assertIs(top("season")["final"], True)
        add("future", "--opens", "2999-01-01T00:00:00Z")
        self.assertEqual(phone.post(6, board="future").status, 422)

    def test_an_id_names_one_row_across_all_boards(self):
        add("one")
        add("two")
        phone = self.player("ids")
        id = uuid.uuid4()
        self.assertEqual(phone.post(5, board="one", id=id).status, 201)
        self.assertEqual(phone.post(5, board="two", id=id).status, 409)
        self.assertEqual(top("two")["rows"], [])

    def test_policy_is_fixed_after_the_first_post(self):
        add("fixed-policy", "--policy", "best")
        server.verb("board", "set", "--game", "default", "fixed-policy", "--name", "Named")
        self.play("fixed-policy", [("a", 5)])
        done = server.run_verb("board", "set", "--game", "default", "fixed-policy", "--policy", "sum")
        self.assertNotEqual(done.returncode, 0)

    def test_days_are_of_the_boards_zone(self):
        add("kiritimati", "--zone", "Pacific/Kiritimati")
        add("pago", "--zone", "Pacific/Pago_Pago")
        for slug in ("kiritimati", "pago"):
            self.play(slug, [("zone", 5)])
            self.assertEqual(len(top(slug, "?window=today")["rows"]), 1)
            self.assertEqual(top(slug, "?window=yesterday")["rows"], [])
            self.assertEqual(len(top(slug, "?window=month")["rows"]), 1)
        self.assertEqual(top("pago")["zone"], "Pacific/Pago_Pago")

    def test_zz_the_books_balance(self):
        server.audit()
