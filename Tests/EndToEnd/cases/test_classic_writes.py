"""What classic writes count: replays, forgeries, donations, customers and ids."""
import plistlib
import uuid

import classic_case
import client
from classic_case import ClassicCase
from client import escaped, unescaped


def setUpModule():
    classic_case.start("classicwrites")


class Writes(ClassicCase):
    # -- replays, forgeries

    def test_a_replayed_high_score_is_one_post(self):
        for _ in range(5):
            self.assertEqual(self.phone.high_score("replayed", 7_000_007).status, 200)
        rows = plistlib.loads(client.get(self.server, "/high_scores.xml").body)
        self.assertEqual([r["total_score"] for r in rows].count(7_000_007), 1)

    def test_a_replayed_score_is_one_post(self):
        self.known()
        first = self.phone.post(41)
        again = self.phone.post(41)
        self.assertEqual(first.status, 201)
        self.assertIn(again.status, (200, 201))
        self.assertEqual(first.field("id"), again.field("id"), "the replay is not the post that was recorded")
        self.refused(self.phone.donate("red-cross", 42))
        self.assertEqual(self.phone.donate("red-cross", 41).status, 201)

    def test_a_replayed_donation_is_one_donation(self):
        self.known(100)
        self.assertEqual(self.phone.donate("red-cross", 30).number("balance"), 70)
        again = self.phone.donate("red-cross", 30)
        self.assertIn(again.status, (200, 201))
        self.assertEqual(again.number("balance"), 70)

    def test_twin_replays_at_once_are_one_post(self):
        self.known()
        client.in_threads(8, lambda _: client.Phone(self.server, self.phone.udid).post(50_321))
        self.refused(self.phone.donate("red-cross", 50_322))
        self.assertEqual(self.phone.donate("red-cross", 50_321).status, 201)
        rows = self.server.psql("select count(*) from score where points = 50321")
        self.assertEqual(rows, [["1"]])

    def test_equal_scores_earn_once_a_day_and_rank_all_the_same(self):
        self.known()
        for _ in range(3):
            self.assertEqual(self.phone.post(60, id=uuid.uuid4()).status, 201)
        self.refused(self.phone.donate("red-cross", 61))
        self.assertEqual(self.phone.donate("red-cross", 60).status, 201)

    def test_the_servers_clock_decides(self):
        forged = ("high_score[created_at]", "2001-01-01T00:00:00Z")
        auth = client.token(6_000_001, self.phone.udid)
        fields = [("high_score[auth_token]", auth), ("high_score[player_name]", "clock"),
                  ("high_score[total_score]", 6_000_001), ("high_score[iphone_udid]", self.phone.udid)]
        self.assertEqual(self.phone.write("POST", "/high_scores", [forged, *fields]).status, 200)
        rows = plistlib.loads(client.get(self.server, "/high_scores.xml").body)
        row = next(r for r in rows if r["total_score"] == 6_000_001)
        self.assertEqual(row["player_name"], "clock")
        self.assertGreater(row["created_at"].year, 2020)

    def test_a_forged_field_between_the_others_is_ignored(self):
        for points, encode in ((6_000_002, escaped), (6_000_003, unescaped)):
            with self.subTest(encode=encode.__name__):
                fields = [("high_score[auth_token]", client.token(points, self.phone.udid)),
                          ("high_score[player_name]", "clock"), ("high_score[created_at]", "2001-01-01"),
                          ("high_score[total_score]", points), ("high_score[iphone_udid]", self.phone.udid)]
                self.assertEqual(self.phone.write("POST", "/high_scores", fields, encode).status, 200)
                rows = plistlib.loads(client.get(self.server, "/high_scores.xml").body)
                row = next(r for r in rows if r["total_score"] == points)
                self.assertEqual((row["player_name"], row["created_at"].year > 2020), ("clock", True))

    def test_the_query_string_is_ignored_on_writes(self):
        answer = self.put(f"/customers?name=Evil&phone={client.device()}", f"name=Good&phone={self.phone.udid}")
        self.assertEqual((answer.status, answer.field("name")), (201, "Good"))
        answer = self.put("/scores?points=999&id=nonsense", f"phone={self.phone.udid}&points=5")
        self.assertEqual((answer.status, answer.number("points")), (201, 5))
        self.refused(self.put("/scores?points=999", f"phone={self.phone.udid}"))
        self.refused(self.put("/donations?donated_points=1&charity=red-cross", f"phone={self.phone.udid}"))

    # -- donations

    def test_donations_that_are_refused_leave_every_feed_as_it_was(self):
        self.known(100)
        unknown = client.Phone(self.server)

        def bad_donations():
            self.refused(unknown.donate("red-cross", 1))
            for points in (0, -1, -100, 101, 2**63, -2**63, 10**30, "", "abc", "1.5"):
                with self.subTest(points=points):
                    self.refused(self.phone.donate("red-cross", points))
            for charity in ("nobody", "", "(null)", "me", "red cross!", "x" * 300, "red-cross\x00"):
                with self.subTest(charity=charity):
                    self.refused(self.phone.donate(charity, 1))
            self.refused(self.put("/donations", f"phone={self.phone.udid}&donated_points=1"))
            self.refused(self.put("/donations", f"phone={self.phone.udid}&charity=red-cross"))
            self.refused(self.put("/donations", "charity=red-cross&donated_points=1"))
        self.stays_the_same(bad_donations)
        self.assertEqual(self.phone.donate("red-cross", 100).number("balance"), 0)
        self.refused(self.phone.donate("whales", 1))

    def test_an_anonymous_donation_is_never_shown_with_a_name(self):
        name = f"N{client.device()[:12]}"
        self.known(100, name)
        for points, word in enumerate(("true", "1", "YES", "on"), 1):
            self.assertEqual(self.phone.donate("whales", points, anonymous=word).status, 201)

        def misspelt():
            for word in ("ture", "2", "ja", "anonymous", "true "):
                with self.subTest(word):
                    self.refused(self.phone.donate("whales", 9, anonymous=word))
        self.stays_the_same(misspelt)
        feeds = ("/TopScores.xml", "/TopScores.json?charity=whales", "/v1/charities/whales/top.json",
                 "/v1/charities/whales/donations.json", "/v1/donations.json", "/charities/whales")
        for path in feeds:
            self.assertNotIn(name, client.get(self.server, path).text, path)
        self.assertIn("Anonymous", client.get(self.server, feeds[1]).text)
        self.assertEqual(self.phone.donate("whales", 20, anonymous="no").number("balance"), 70)
        self.assertIn(name, client.get(self.server, feeds[1]).text)

    def test_a_charity_goes_by_slug_or_by_name_in_any_case(self):
        self.known(100)
        for left, charity in zip((99, 97, 94, 90), ("red-cross", "Red Cross", "RED CROSS", "red cross")):
            self.assertEqual(self.phone.donate(charity, {99: 1, 97: 2, 94: 3, 90: 4}[left]).number("balance"), left)
        self.assertEqual(self.phone.donate("SAVE THE WHALES", 5).status, 201)

    # -- customers

    def test_customer_by_number(self):
        answer = self.phone.register("seven")
        where = answer["location"]
        renamed = self.put(where, f"name=eight&phone={self.phone.udid}")
        self.assertEqual((renamed.status, renamed.field("name")), (200, "eight"))
        self.assertEqual(client.get(self.server, where).field("name"), "eight")
        wrong = self.put(where, f"name=thief&phone={client.device()}")
        unknown = self.put("/customers/1", f"name=thief&phone={client.device()}")
        another = client.Phone(self.server)
        another.register("another")
        known_but_wrong = self.put(where, f"name=thief&phone={another.udid}")
        self.refused(wrong)
        self.assertEqual(wrong.status, unknown.status)
        self.assertEqual(wrong.body, unknown.body, "the answers tell a known id from an unknown one")
        self.assertEqual((known_but_wrong.status, known_but_wrong.body), (wrong.status, wrong.body))
        self.refused(self.put(where, "name=thief"))
        self.assertEqual(client.get(self.server, where).field("name"), "eight")

    def test_a_customer_nobody_knows(self):
        for number in ("1", "0", "-1", "2147483647", "9007199254740993", "99999999999999999999999", "abc", "1.5"):
            with self.subTest(number=number):
                self.assertEqual(client.get(self.server, f"/customers/{number}").status, 404)

    def test_post_is_put_and_json_is_answered_to_the_suffix(self):
        answer = self.put("/customers.json", f"name=jay&phone={self.phone.udid}", method="POST")
        self.assertEqual((answer.status, answer.media), (201, "application/json"))
        self.assertIn("jay", str(answer.json()))
        answer = self.put("/scores.json", f"phone={self.phone.udid}&points=17", method="POST")
        self.assertEqual((answer.status, answer.media), (201, "application/json"))
        self.assertIn("17", answer.text)
        donation = f"phone={self.phone.udid}&charity=red-cross&donated_points="
        answer = self.put("/donations.json", donation + "18", method="POST")
        self.assertEqual((answer.status, answer.media), (422, "application/problem+json"))
        problem = answer.json()
        self.assertEqual(problem["type"], "/problems/overspent")
        answer = self.put("/donations.xml", donation + "17", method="POST")
        self.assertEqual((answer.status, answer.xml().tag), (201, "donation"))

    # -- ids

    def test_a_retry_is_200_and_another_body_409(self):
        self.known()
        id = str(uuid.uuid4())
        first = self.phone.post(500, id=id)
        self.assertEqual(first.status, 201, first)
        self.assertEqual(first.field("id").lower(), id)
        self.assertIsNone(first["idempotent-replayed"])
        again = self.phone.post(500, id=id.upper())
        self.assertEqual(again.status, 200, again)
        self.assertEqual(again["idempotent-replayed"], "true")
        self.assertEqual([again.field("id").lower(), again.number("points")], [id, 500])
        self.refused(self.phone.post(501, id=id), 409)
        other = client.Phone(self.server)
        other.register("other")
        self.assertEqual(other.post(501, id=id).status, 201, "an id names a row of one player, not of the world")
        donation = str(uuid.uuid4())
        self.assertEqual(self.phone.donate("red-cross", 5, id=donation).status, 201)
        again = self.phone.donate("red-cross", 5, id=donation)
        self.assertEqual((again.status, again["idempotent-replayed"], again.number("balance")), (200, "true", 495))
        self.refused(self.phone.donate("red-cross", 6, id=donation), 409)
        self.refused(self.phone.donate("whales", 5, id=donation), 409)
        over = str(uuid.uuid4())
        self.refused(self.phone.donate("red-cross", 496, id=over))
        self.assertEqual(self.phone.donate("red-cross", 495, id=over).status, 201, "a refusal used up the id")
        refused = str(uuid.uuid4())
        self.refused(self.phone.post(0, id=refused))
        self.assertEqual(self.phone.post(9, id=refused).status, 201, "a refusal used up the id")

    def test_a_malformed_uuid_is_400(self):
        self.known(10)
        for id in ("x", "123", "zzzzzzzz-0000-4000-8000-000000000000", str(uuid.uuid4()) + "0",
                   "{" + str(uuid.uuid4()) + "}"):
            self.refused(self.phone.post(5, id=id), 400)
            self.refused(self.phone.donate("red-cross", 5, id=id), 400)
        for id in ("00000000-0000-0000-0000-000000000001", str(uuid.uuid1()), "ffffffff-ffff-ffff-ffff-fffffffffffe"):
            self.assertEqual(self.phone.post(5, id=id).status, 201, "UUIDs of any version")

    def test_a_score_of_an_unknown_device_or_board(self):
        self.refused(self.phone.post(5))
        self.known()
        for board in ("nope", "me", "HIGH SCORES", "x" * 200):
            self.refused(self.phone.post(5, board=board))
        self.assertEqual(self.phone.post(5, board="high-scores").status, 201)
