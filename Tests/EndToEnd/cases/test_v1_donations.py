"""Donations of v1: donations, retries and refusals, and what the anonymous ones keep to themselves."""
import base64

import client
import v1
import v1_case
from v1_case import STAMP, V1Case, donation


def setUpModule():
    v1_case.start("v1donations")


class Donations(V1Case):
    def setUp(self):
        self.ada = self.player()
        self.ada.post("solo", 100)

    def test_201_200_409(self):
        id = v1.new_id()
        answer = self.ada.donate("red-cross", 10, id)
        said = self.private(answer, 201)
        self.assertEqual(set(said), {"charity", "points", "left", "rank"})
        self.assertEqual((said["charity"], said["points"], said["left"]), ("red-cross", 10, 90))
        self.assertEqual(answer["location"], donation(id))
        self.ada.donate("red-cross", 5)
        again = self.ada.donate("red-cross", 10, id, anonymous=False)
        self.assertEqual((again.status, again["idempotent-replayed"]), (200, "true"))
        self.assertEqual((again.json()["points"], again.json()["left"]), (10, 85))
        for answer in (
            self.ada.donate("red-cross", 11, id),
            self.ada.donate("oxfam", 10, id),
            self.ada.donate("red-cross", 10, id, anonymous=True),
        ):
            self.problem(answer, 409, "id-reused")
        self.assertEqual(self.ada.left(), 85)
        receipt = self.private(self.ada.call("GET", donation(id)), 200)
        self.assertEqual(set(receipt), {"id", "charity", "points", "anonymous", "left", "rank", "reached_at"})
        self.assertEqual((receipt["id"], receipt["points"], receipt["anonymous"]), (id, 10, False))
        eve = self.player("Eve")
        self.problem(eve.call("GET", donation(id)), 404, "not-found")
        self.problem(self.ada.call("GET", donation(id, "oxfam")), 404, "not-found")
        self.problem(self.call("GET", donation(id)), 401)
        self.assertEqual(self.call("GET", f"{donation(id)}?player={self.ada.id}", who=self.key).json()["points"], 10)
        self.problem(self.call("GET", f"{donation(id)}?player={self.ada.id}", who=self.other_key), 404)
        self.problem(self.call("GET", donation(id), who=self.key), 422, "field")

    def test_refusals_use_no_id(self):
        id = v1.new_id()
        for points in (101, 2**53 - 1):
            self.problem(self.ada.donate("red-cross", points, id), 422, "overspent")
        for points in (0, -1, None, "x", 1.5, 2**53, 2**70):
            with self.subTest(points=points):
                self.assertEqual(self.problem(self.ada.donate("red-cross", points, id), 422)["field"], "points")
        self.problem(self.ada.donate("nope", 1, id), 404, "not-found")
        self.problem(self.call("PUT", donation(id), {"points": 1}), 401, "unauthorized")
        self.problem(self.ada.call("PUT", donation("xyz"), {"points": 1}), 400, "malformed")
        self.problem(self.ada.call("GET", donation(id)), 404, "not-found")
        self.assertEqual(self.ada.left(), 100)
        self.assertEqual(self.ada.donate("red-cross", 100, id).status, 201)
        self.problem(self.ada.donate("red-cross", 1), 422, "overspent")

    def test_a_charity_before_and_after(self):
        self.server.verb("charity", "add", "soon", "--name", "Soon", "--opens", "2999-01-01T00:00:00Z")
        self.server.verb("charity", "add", "gone", "--name", "Gone")
        id = v1.new_id()
        self.assertEqual(self.ada.donate("gone", 7, id).status, 201)
        self.server.verb("charity", "close", "gone")
        for slug in ("soon", "gone"):
            self.problem(self.ada.donate(slug, 1), 422, "charity-closed")
        again = self.ada.donate("gone", 7, id)
        self.assertEqual((again.status, again["idempotent-replayed"]), (200, "true"))
        self.assertIs(self.public("/v1/charities/gone/top.json")["final"], True)
        gone, soon = self.public("/v1/charities/gone"), self.public("/v1/charities/soon")
        self.assertIs(gone["final"], True)
        self.assertRegex(gone["closes_at"], STAMP)
        self.assertRegex(soon["opens_at"], r"^2999-01-01T00:00:00(\.0+)?Z$")
        self.assertIs(soon["final"], False)

    def test_64_clients_at_one_wallet(self):
        answers = [None] * 32

        def donate(n):
            answers[n] = self.ada.donate("oxfam", 10)
        client.in_threads(32, donate)
        self.assertEqual(sorted(a.status for a in answers), [201] * 10 + [422] * 22)
        self.assertEqual(self.ada.left(), 0)

    def test_a_charitys_document(self):
        self.ada.donate("red-cross", 3)
        said = self.public("/v1/charities/red-cross")
        row = next(r for r in self.public("/v1/charities.json")["rows"] if r["slug"] == "red-cross")
        self.assertEqual({k: v for k, v in said.items() if k in row}, row)
        self.assertEqual(set(said) - set(row), {"of", "cooling_off"})
        self.assertEqual(said["progress"], round(said["points"] / 10, 1))
        self.problem(client.get(self.server, "/v1/charities/nope"), 404, "not-found")


class Anonymous(V1Case):
    """Nothing that is public tells who donated anonymously."""

    @classmethod
    def setUpClass(cls):
        cls.server.verb("charity", "add", "quiet", "--name", "Quiet")
        cls.players = []
        for n in range(5):
            image = client.base64_text(client.png(colour=(n, 1, 1)))
            ada = v1.Player(cls.server, "quiz", f"Hidden donor {n}", image=image)
            ada.post("solo", 1000)
            ada.donate("quiet", 50 + n)
            ada.donate("quiet", 70 - n, anonymous=True)
            cls.players.append(ada)

    def test_a_row_of_their_own(self):
        ada = self.players[0]
        id = v1.new_id()
        said = ada.donate("quiet", 30, id, anonymous=True).json()
        self.assertEqual(said["rank"], 11, "each anonymous donation is a row of its own")
        self.assertEqual(ada.donate("quiet", 1).json()["rank"], 10, "who reached 51 later is behind")
        self.assertEqual(ada.call("GET", donation(id, "quiet")).json()["anonymous"], True)
        said = self.public("/v1/charities/quiet/top.json")
        self.assertEqual(said["of"], 11)
        self.assertEqual([r["points"] for r in said["rows"]][:2], [70, 69])
        hidden = [r for r in said["rows"] if r["name"] == "Anonymous"]
        self.assertEqual(len(hidden), 6)
        for row in hidden:
            self.assertIn("T00:00:00", row["reached_at"])
            self.assertEqual(set(row), {"rank", "tied", "name", "points", "reached_at"})
        mine = ada.get("/v1/players/me").json()["gifts"]
        self.assertIn({"charity": "quiet", "points": 100, "anonymous": True}, mine)
        self.assertIn({"charity": "quiet", "points": 51, "anonymous": False}, mine)
        self.assertEqual(
            self.public(f"/v1/players/{ada.id}")["gifts"], [{"charity": "quiet", "points": 51}], "named donations only")

    def test_no_format_tells(self):
        secrets = [str(p.id) for p in self.players] + [p.name for p in self.players]
        secrets += [self.public(f"/v1/players/{p.id}")["avatar"] for p in self.players]
        for path in ("/v1/charities/quiet/top", "/v1/contributors/top"):
            rows = self.public(path + ".json?limit=100")["rows"]
            hidden = [n for n, r in enumerate(rows) if r["name"] == "Anonymous"]
            self.assertTrue(hidden)
            for n in hidden:
                for suffix in ("xml", "json", "plist", "csv", "atom", "html"):
                    answer = client.get(self.server, f"{path}.{suffix}?limit=1&from={n + 1}")
                    self.assertEqual(answer.status, 200, answer)
                    self.assertIn("Anonymous", answer.text)
                    self.assertNotIn("/v1/avatars/", answer.text)
                    for secret in secrets:
                        self.assertNotIn(secret, answer.text)

    def test_cursors_tell_nothing(self):
        cursors = []
        path = "/v1/charities/quiet/top.json?limit=1"
        after = ""
        while True:
            said = self.public(path + after)
            cursors += [said[k] for k in ("next", "prev") if k in said]
            if "next" not in said:
                break
            after = "&after=" + said["next"]
        self.assertGreater(len(cursors), 15)
        self.assertEqual(len({len(c) for c in cursors}), 1, "the length tells nothing")
        for cursor in cursors:
            self.assertRegex(cursor, r"^[A-Za-z0-9_-]+$")
            raw = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
            for p in self.players:
                for number in (p.id, -p.id):
                    for size in (7, 8, 16):
                        for order in ("big", "little"):
                            self.assertNotIn(number.to_bytes(size, order, signed=True), raw)
                    self.assertNotIn(str(abs(number)).encode(), raw)
                self.assertNotIn(p.name.encode(), raw)
        for place in range(min(map(len, cursors)) // 8):
            self.assertGreater(len({c[place * 8:place * 8 + 8] for c in cursors[::2]}), 1,
                               f"characters from {place * 8} on never change: they are not sealed")

    def test_a_forged_cursor_is_400(self):
        good = self.public("/v1/charities/quiet/top.json?limit=1")["next"]
        for bad in (good[:-1], good[1:], good + "A", good[:20] + ("A" if good[20] != "A" else "B") + good[21:],
                    "x", "", "%00", good[::-1], "A" * len(good), "%F0%9F%91%8D", "=" * 10, "A" * 5000):
            for key_ in ("after", "before"):
                with self.subTest(bad=bad[:30], key=key_):
                    answer = client.get(self.server, f"/v1/charities/quiet/top.json?{key_}={bad}")
                    self.problem(answer, 400, "bad-cursor")
        for path in ("/v1/contributors/top.json", "/v1/games/quiz/boards/solo/top.json", "/v1/charities.json"):
            self.problem(client.get(self.server, f"{path}?after={good}"), 400, "bad-cursor")
