"""Scores of v1: posts, retries, refusals and receipts."""
import uuid

import client
import v1
import v1_case
from v1_case import STAMP, V1Case, score


def setUpModule():
    v1_case.start("v1scores")


class Scores(V1Case):
    def test_201_200_409(self):
        ada, id = self.player(), v1.new_id()
        fields = {"points": 10, "played_at": "2026-11-20T10:00:00Z", "detail": {"level": [1, 2], "a b": "c d"}}
        answer = ada.call("PUT", score(id), fields)
        first = self.private(answer, 201)
        self.assertEqual(set(first), {"points", "best", "improved", "rank", "of", "earned", "left"})
        self.assertEqual((first["points"], first["best"], first["improved"], first["earned"], first["left"]),
                         (10, 10, True, 10, 10))
        self.assertEqual(answer["location"], score(id))
        self.assertIsNone(answer["idempotent-replayed"])
        self.assertEqual(ada.post("solo", 30).json()["best"], 30)
        for retry in (fields, {**fields, "points": "10"}, {**fields, "points": 10.0},
                      {**fields, "played_at": "2026-11-20T11:00:00+01:00"}, {**fields, "junk": 1}):
            with self.subTest(retry=retry):
                again = ada.call("PUT", score(id), retry)
                said = self.private(again, 200)
                self.assertEqual(again["idempotent-replayed"], "true")
                self.assertEqual((said["points"], said["best"], said["earned"], said["left"]), (10, 30, 10, 40),
                                 "as recorded; balances as now")
        for body in (
                b'{"points":10,"played_at":"2026-11-20T10:00:00Z","detail":{"level":[1,2],"a b":"c d"}}',
                b' {\n"detail" : {\t"level" : [ 1 , 2 ] ,\r\n "a b": "c d" } , "played_at":"2026-11-20T10:00:00Z", '
                b'"points":10 } '
        ):
            self.assertEqual(ada.call("PUT", score(id), body).status, 200, body)
        self.assertEqual(ada.call("PUT", score(id.upper()), fields).status, 200, "UUIDs of any case")
        for other in ({**fields, "points": 11}, {**fields, "played_at": "2026-11-20T10:00:01Z"},
                      {**fields, "detail": {"level": [2, 1]}}, {**fields, "detail": {"level": [1, 2], "a b": "cd"}},
                      {"points": 10}, {"points": 10,
                                       "detail": fields["detail"]}, {"points": 10, "played_at": fields["played_at"]}):
            with self.subTest(other=other):
                self.problem(ada.call("PUT", score(id), other), 409, "id-reused")
        self.server.verb("board", "add", "--game", "quiz", "other-path")
        self.problem(ada.call("PUT", score(id, board="other-path"), fields), 409, "id-reused")
        self.assertEqual(self.public("/v1/games/quiz/boards/other-path/top.json")["rows"], [])
        eve = self.player("Eve")
        self.assertEqual(eve.call("PUT", score(id), {"points": 3}).status, 201, "an id is one player's")
        self.assertEqual(ada.left(), 40)

    def test_of_concurrent_twins_one_is_201(self):
        ada, id = self.player(), v1.new_id()
        answers = [None] * 16

        def twin(n):
            answers[n] = ada.post("solo", 9, id)
        client.in_threads(16, twin)
        self.assertEqual(sorted(a.status for a in answers), [200] * 15 + [201])
        self.assertEqual([a["idempotent-replayed"] for a in answers].count("true"), 15)
        self.assertEqual(ada.left(), 9)
        ids = v1.new_id()

        def different(n):
            answers[n] = ada.post("solo", 100 + n, ids)
        client.in_threads(16, different)
        self.assertEqual(sorted(a.status for a in answers), [201] + [409] * 15)

    def test_a_refusal_uses_no_id(self):
        self.server.verb("board", "add", "--game", "quiz", "bounded", "--points-min=-5", "--points-max", "5")
        ada, id = self.player(), v1.new_id()
        for points in (6, -6, 2**62, -2**63):
            self.problem(ada.post("bounded", points, id), 422, "out-of-bounds")
        for bad in ({"points": 2**64}, {"points": 10**400}, {"points": -10**30}, {"points": "99999999999999999999"}):
            self.assertIn(
                self.problem(ada.call("PUT", score(id, board="bounded"), bad), 422)["type"],
                ("/problems/field", "/problems/out-of-bounds"), bad)
        for bad in ({}, {"points": None}, {"points": 1.5}, {"points": "x"}, {"points": ""}, {"points": True},
                    {"points": [1]}, {"points": {}}, {"points": "1.5"}, {"points": "0x5"}, {"points": "٣"}):
            with self.subTest(bad=bad):
                self.assertEqual(
                    self.problem(ada.call("PUT", score(id, board="bounded"), bad), 422, "field")["field"], "points")
        for field, values in (
            ("played_at", ("yesterday", 5, "2026-13-01T00:00:00Z", "2026-11-20", {}, "2026-11-20T10:00:00")),
            ("detail", ("x" * 1023, list(range(500)))),
        ):
            for value in values:
                with self.subTest(field=field, value=str(value)[:40]):
                    self.assertEqual(
                        self.problem(ada.call("PUT", score(id, board="bounded"), {"points": 1, field: value}), 422,
                                     "field")["field"], field)
        self.problem(ada.call("PUT", score(id, board="bounded"), b"{"), 400, "malformed")
        self.problem(self.call("PUT", score(id, board="bounded"), {"points": 1}), 401, "unauthorized")
        self.problem(ada.post("nope", 1, id), 404, "not-found")
        self.problem(ada.call("GET", score(id)), 404, "not-found")
        self.assertEqual(ada.left(), 0)
        for points, status in ((5, 201), (5, 200)):
            self.assertEqual(ada.post("bounded", points, id).status, status)
        self.assertEqual(ada.post("bounded", -5).status, 201)
        self.assertEqual(ada.left(), 5, "a negative score earns 0")

    def test_detail(self):
        ada = self.player()
        for detail in ("x" * 1022, [1, [2, {"a": None}]], {"é": "👍\\\"\n"}, 5, "text", True, False, {}, [], 1.5e300,
                       "\u2028"):
            with self.subTest(detail=str(detail)[:30]):
                id = v1.new_id()
                self.assertEqual(ada.post("solo", 1, id, detail=detail).status, 201)
                self.assertEqual(ada.post("solo", 1, id, detail=detail).status, 200)
                self.assertEqual(ada.call("GET", score(id)).json()["detail"], detail)
        id = v1.new_id()
        self.assertEqual(
            ada.call("PUT", score(id), b'{"points":1,"detail":[' + b" " * 5000 + b"1]}").status, 201,
            "white space does not count")
        self.assertEqual(ada.post("solo", 1, id, detail=[1]).status, 200)
        id = v1.new_id()
        self.assertEqual(ada.post("solo", 1, id, detail=None).status, 201)
        self.assertEqual(ada.post("solo", 1, id).status, 200, "null is none")

    def test_paths(self):
        ada = self.player()
        for bad in ("xyz", "", "0b6ed5a8-6a2c-4a44-9c5f-7f8a1d4f1f0", "0b6ed5a86a2c4a449c5f7f8a1d4f1f0e0",
                    "%7B0b6ed5a8-6a2c-4a44-9c5f-7f8a1d4f1f0e%7D"):
            self.problem(ada.call("PUT", score(bad), {"points": 1}), 400, "malformed")
        for number in (uuid.UUID(int=0), uuid.UUID(int=2**128 - 1), uuid.uuid1(), uuid.uuid5(uuid.NAMESPACE_DNS, "x")):
            self.assertEqual(ada.post("solo", 1, number).status, 201, number)
        self.problem(ada.call("PUT", "/v1/games/nope/boards/solo/scores/" + v1.new_id(), {"points": 1}), 404,
                     "not-found")
        for method in ("POST", "DELETE", "PATCH"):
            answer = ada.call(method, score(v1.new_id()), {"points": 1})
            self.problem(answer, 405)
            self.assertIn("PUT", answer["allow"])

    def test_bounds_of_64_bits(self):
        self.server.verb("board", "add", "--game", "quiz", "wide", "--points-min=-9223372036854775807", "--points-max",
                         "9223372036854775807", "--earns", "none")
        self.server.verb("board", "add", "--game", "quiz", "wide-sum", "--policy", "sum",
                         "--points-min=-9223372036854775807", "--points-max", "9223372036854775807", "--earns", "none")
        ada, bob = self.player(), self.player("Bob")
        for board in ("wide", "wide-sum"):
            self.assertEqual(ada.post(board, 2**63 - 1).status, 201)
            self.assertEqual(bob.post(board, -2**63 + 1).status, 201)
            self.assertEqual(ada.post(board, 2**63).status, 422)
            self.assertEqual(ada.post(board, -2**63).status, 422)
            self.assertEqual([r["points"] for r in self.public(f"/v1/games/quiz/boards/{board}/top.json")["rows"]],
                             [2**63 - 1, -2**63 + 1])
            place = self.public(f"/v1/games/quiz/boards/{board}/players/{bob.id}")
            self.assertEqual((place["rank"], place["to_next"]), (2, 2**64 - 1), place)
        # These points are within the bounds, but the sum is not.
        refusal = self.problem(ada.post("wide-sum", 1), 422, "out-of-bounds")
        self.assertIn("64 bits", refusal["detail"])
        self.assertIn(ada.post("wide-sum", 2**63 - 1).status, (201, 422), "a sum beyond 64 bits")
        self.assertEqual(client.get(self.server, "/v1/games/quiz/boards/wide-sum/top.json").status, 200)
        self.assertEqual(client.get(self.server, f"/v1/games/quiz/boards/wide-sum/players/{ada.id}").status, 200)

    def test_receipts(self):
        ada, eve = self.player(), self.player("Eve")
        bob = self.call("PUT", "/v1/games/quiz/players/receipts", {"name": "Bob"}, who=self.key).json()["player"]["id"]
        id, bobs = v1.new_id(), v1.new_id()
        ada.post("solo", 12, id, played_at="2026-11-20T10:00:00.5+02:00", detail={"a": [1]})
        said = self.private(ada.call("GET", score(id)), 200)
        self.assertEqual(
            set(said), {
                "id", "board", "season", "points", "best", "improved", "rank", "of", "earned", "left", "played_at",
                "detail", "reached_at"
            })
        self.assertEqual((said["id"], said["board"], said["season"], said["points"], said["detail"]),
                         (id, "solo", 1, 12, {"a": [1]}))
        self.assertRegex(said["played_at"], r"^2026-11-20T08:00:00\.50*Z$")
        self.assertRegex(said["reached_at"], STAMP)
        self.assertEqual(self.call("PUT", score(bobs), {"points": 4, "external": "receipts"}, who=self.key).status, 201)
        for query in ("external=receipts", f"player={bob}"):
            answer = self.call("GET", f"{score(bobs)}?{query}", who=self.key)
            self.assertEqual(self.private(answer, 200)["points"], 4)
            self.problem(self.call("GET", f"{score(v1.new_id())}?{query}", who=self.key), 404, "not-found")
        answer = self.call("GET", f"{score(id)}?player={ada.id}", who=self.key)
        self.assertEqual(self.private(answer, 200)["points"], 12)
        self.problem(self.call("GET", score(bobs), who=self.key), 422, "field")
        self.problem(self.call("GET", f"{score(bobs)}?external=receipts&player={bob}", who=self.key), 422, "field")
        self.problem(self.call("GET", f"{score(bobs)}?external=nobody", who=self.key), 404, "not-found")
        for who, where in ((eve, score(id)), (ada, score(v1.new_id())), (ada, score(id, board="bounded2"))):
            self.problem(who.call("GET", where), 404, "not-found")
        self.problem(self.call("GET", score(id)), 401, "unauthorized")
        self.assertIn(ada.call("GET", f"{score(id)}?player={eve.id}").status, (200, 403), "never Eve's")
        self.problem(ada.call("GET", score("xyz")), 400, "malformed")
        self.server.verb("board", "add", "--game", "quiz", "receipts2")
        self.problem(ada.call("GET", score(id, board="receipts2")), 404, "not-found")
        head = ada.call("HEAD", score(id))
        self.assertEqual((head.status, head.body, head["cache-control"]), (200, b"", v1.PRIVATE))

    def test_a_closed_board(self):
        self.server.verb("board", "add", "--game", "quiz", "past")
        self.server.verb("board", "add", "--game", "quiz", "future", "--opens", "2999-01-01T00:00:00Z")
        ada, id = self.player(), v1.new_id()
        first = ada.post("past", 5, id).json()
        self.server.verb("board", "set", "--game", "quiz", "past", "--closes", "2021-01-01T00:00:00Z")
        self.problem(ada.post("past", 6), 422, "board-closed")
        self.problem(ada.post("future", 6), 422, "board-closed")
        again = ada.post("past", 5, id)
        self.assertEqual((again.status, again["idempotent-replayed"]), (200, "true"))
        self.assertEqual(again.json()["points"], first["points"])
        self.assertIs(self.public("/v1/games/quiz/boards/past/top.json")["final"], True)
        self.assertIs(self.public("/v1/games/quiz/boards/past")["final"], True)
        self.assertRegex(self.public("/v1/games/quiz/boards/past")["closes_at"], r"^2021-01-01T00:00:00(\.0+)?Z$")
        self.assertIs(self.public("/v1/games/quiz/boards/future")["final"], False)
        self.assertRegex(self.public("/v1/games/quiz/boards/future")["opens_at"], r"^2999-01-01T00:00:00(\.0+)?Z$")
        self.server.verb("board", "set", "--game", "quiz", "past", "--closes", "none")
        self.assertEqual(ada.post("past", 6).status, 201)

    def test_improved(self):
        ada = self.player()
        self.server.verb("board", "add", "--game", "quiz", "low", "--order", "lowest")
        self.problem(ada.post("low", -1), 422, "out-of-bounds")
        self.assertEqual([ada.post("low", p).json()["improved"] for p in (9, 12, 9, 3)], [True, False, False, True])
        self.server.verb("board", "add", "--game", "quiz", "latest", "--policy", "latest")
        said = [ada.post("latest", p).json() for p in (9, 3)]
        self.assertEqual([s["best"] for s in said], [9, 3])
        self.server.verb("board", "add", "--game", "quiz", "added", "--policy", "sum")
        self.assertEqual([ada.post("added", p).json()["best"] for p in (9, 3, -2)], [9, 12, 10])
