"""Every route of v1, and every status that the contract knows for it."""
import base64
import gzip
import json
import re
import unicodedata
import unittest
import uuid

import client
import v1
from server import Server
from v1 import call

server = None
key = None          # of quiz
other_key = None    # of chess
STAMP = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$"


def setUpModule():
    global server, key, other_key
    server = Server("v1")
    for game in ("quiz", "chess"):
        server.verb("game", "add", game, "--name", game.title())
        server.verb("board", "add", "--game", game, "solo")
    server.verb("charity", "add", "red-cross", "--name", "Red Cross", "--goal", "1000")
    server.verb("charity", "add", "oxfam", "--name", "Oxfam")
    key, other_key = v1.make_key(server, "quiz"), v1.make_key(server, "chess")


def tearDownModule():
    server.stop()


def score(id, game="quiz", board="solo"):
    return f"/v1/games/{game}/boards/{board}/scores/{id}"


def gift(id, charity="red-cross"):
    return f"/v1/charities/{charity}/donations/{id}"


class Case(unittest.TestCase):
    maxDiff = 3000

    def player(self, name="Ada", game="quiz", **fields):
        return v1.Player(server, game, name, **fields)

    def problem(self, answer, status, type=None):
        self.assertEqual(answer.status, status, answer)
        self.assertEqual(answer.media, "application/problem+json")
        body = answer.json()
        self.assertEqual(body["status"], status)
        self.assertGreater(len(body["detail"]), 10, body)
        self.assertTrue(body["type"].startswith("/problems/"), body)
        self.assertEqual(answer["access-control-allow-origin"], "*")
        self.assertNotRegex(answer.text, r"(?i)select |postgres|sqlstate|\.swift|constraint")
        self.assertNotIn("public", answer["cache-control"] or "", "an error that a cache would keep")
        if type:
            self.assertEqual(body["type"], "/problems/" + type, body)
        if status == 401:
            self.assertRegex(answer["www-authenticate"] or "", r"^Bearer\b")
        return body

    def private(self, answer, status):
        self.assertEqual(answer.status, status, answer)
        self.assertEqual(answer["cache-control"], v1.PRIVATE)
        return answer.json()

    def public(self, path, status=200):
        answer = client.get(server, path)
        self.assertEqual(answer.status, status, f"{path}: {answer!r}")
        self.assertEqual(answer["cache-control"], v1.PUBLIC)
        return answer.json()


class Devices(Case):
    def put(self, device, who=None, game="quiz", **fields):
        return call(server, "PUT", f"/v1/games/{game}/devices/{device}", {"name": "Ada", **fields}, who=who)

    def test_the_first_token_binds(self):
        device, token = client.device(), v1.token()
        answer = self.put(device, token, country="nz")
        made = self.private(answer, 201)
        self.assertEqual(set(made), {"player"}, "a token that was sent is not sent back")
        self.assertEqual(made["player"], {"id": made["player"]["id"], "name": "Ada"})
        self.assertEqual(answer["location"], f"/v1/players/{made['player']['id']}")
        again = self.put(device, token, name="Ada L")
        self.assertEqual(self.private(again, 200), {"player": {"id": made["player"]["id"], "name": "Ada L"}})
        for stranger in (None, v1.token()):
            self.problem(self.put(device, stranger, name="Eve"), 401, "unauthorized")
        self.problem(self.put(device, key, name="Eve"), 403, "forbidden")
        for scheme in ("Basic eA==", "Bearer", "Bearer x", token, f"Bearer {token}x", f"Bearer {token[:-1]}",
                       "Bearer cbd_" + "!" * 43):
            answer = call(server,
                          "PUT",
                          f"/v1/games/quiz/devices/{device}", {"name": "Eve"},
                          headers=[("Authorization", scheme)])
            self.problem(answer, 401, "unauthorized")
        self.assertEqual(
            call(server, "GET", "/v1/players/me", who=token).json()["name"], "Ada L", "a refusal changes nothing")
        answer = call(server,
                      "PUT",
                      f"/v1/games/quiz/devices/{device}", {},
                      headers=[("Authorization", "bearer   " + token)])
        self.assertEqual(answer.status, 200, "the scheme's case does not matter, and a known player needs no name")

    def test_a_token_made_by_the_server_is_in_the_201_only(self):
        device = client.device()
        made = self.private(self.put(device), 201)
        self.assertRegex(made["token"], r"^cbd_[A-Za-z0-9_-]{43}$")
        again = self.private(self.put(device, made["token"]), 200)
        self.assertNotIn("token", again)
        self.assertEqual(again["player"]["id"], made["player"]["id"])
        self.problem(self.put(device), 401)

    def test_a_token_is_of_one_device_only(self):
        token = v1.token()
        self.assertEqual(self.put(client.device(), token).status, 201)
        other = client.device()
        self.problem(self.put(other, token), 401, "unauthorized")
        self.problem(self.put(other, token, game="chess"), 401, "unauthorized")
        self.assertEqual(self.put(other, v1.token()).status, 201, "the refusal did not take the device")

    def test_a_device_is_of_one_game(self):
        device = client.device()
        here, there = self.put(device), self.put(device, game="chess")
        self.assertEqual((here.status, there.status), (201, 201))
        self.assertNotEqual(here.json()["player"]["id"], there.json()["player"]["id"])

    def test_of_twenty_first_puts_exactly_one_binds(self):
        for shape in ("own tokens", "no tokens", "one token"):
            with self.subTest(shape=shape):
                device = client.device()
                tokens = [v1.token()] * 20 if shape == "one token" else [v1.token() for _ in range(20)]
                answers = [None] * 20

                def first(n):
                    answers[n] = self.put(device, None if shape == "no tokens" else tokens[n], name=f"n{n}")
                client.in_threads(20, first)
                made = [a for a in answers if a.status == 201]
                self.assertEqual(len(made), 1, [a.status for a in answers])
                others = {a.status for a in answers} - {201}
                self.assertEqual(others, {200} if shape == "one token" else {401})
                winner = made[0].json().get("token") or tokens[answers.index(made[0])]
                self.assertEqual(call(server, "GET", "/v1/players/me", who=winner).status, 200)
                for n, token in enumerate(tokens):
                    if token != winner:
                        self.problem(call(server, "GET", "/v1/players/me", who=token), 401)

    def test_a_classic_device_takes_up_a_token(self):
        phone = client.Phone(server)
        self.addCleanup(phone.close)
        self.assertEqual(phone.register("Old").status, 201)
        self.assertEqual(phone.post(50).status, 201)
        token = v1.token()
        bound = self.put(phone.udid, token, game="default", name="New")
        self.assertEqual(bound.status, 200, bound)
        mine = call(server, "GET", "/v1/players/me", who=token).json()
        self.assertEqual((mine["name"], mine["earned"]), ("New", 50))
        for answer in (phone.register("Thief"), phone.post(60), phone.give("red-cross", 1),
                       phone.write("PUT", f"/customers/{mine['id']}", {"name": "x", "phone": phone.udid})):
            self.assertEqual(answer.status, 403, answer)
        self.problem(self.put(phone.udid, v1.token(), game="default"), 401)
        self.problem(self.put(phone.udid, game="default"), 401)
        self.assertEqual(call(server, "GET", "/v1/players/me", who=token).json(), mine)
        self.assertLessEqual(mine["id"], 2**31 - 1, "2009 clients keep an int")

    def test_a_classic_device_is_given_no_token(self):
        """Only a new device gets one made: else whoever knows a device id could lock its player out."""
        phone = client.Phone(server)
        self.addCleanup(phone.close)
        self.assertEqual(phone.register("Old").status, 201)
        self.assertEqual(self.put(phone.udid, game="default").status, 401)
        self.assertEqual(phone.post(5).status, 201)

    def test_a_classic_device_is_not_taken_up_while_classic_is_not_open(self):
        phone = client.Phone(server)
        self.addCleanup(phone.close)
        self.assertEqual(phone.register("Old").status, 201)
        for mode in ("token", "off"):
            server.verb("game", "set", "default", "--classic", mode)
            try:
                self.problem(self.put(phone.udid, v1.token(), game="default"), 401)
                self.problem(self.put(phone.udid, game="default"), 401)
            finally:
                server.verb("game", "set", "default", "--classic", "open")
        self.assertEqual(phone.post(5).status, 201)
        self.assertEqual(self.put(phone.udid, v1.token(), game="default").status, 200)

    def test_refusals(self):
        self.problem(self.put(client.device(), game="nope"), 404, "not-found")
        for label in ("a" * 65, "a%20b", "%C3%A9", "a%2Fb", "%00"):
            self.problem(self.put(label), 400)
        for label in ("a" * 64, "A.z_0-9:{}", "%41b%7Bc%7D", client.device()):
            self.assertEqual(self.put(label).status, 201, label)
        self.assertEqual(self.put("%61bc").status, 201)
        self.problem(self.put("abc"), 401)
        device = client.device()
        for fields in (
            {"name": None},
            {"name": ""},
            {"name": 5},
            {"name": "a\nb"},
            {"name": "x" * 33},
            {"name": ["a"]},
            {"name": "a\u202eb"},
            {"name": "\u200b"},
            {"image": "nonsense"},
            {"image": "aGVsbG8="},
            {"email": "x" * 300},
            {"country": "Germany"},
            {"country": "1"},
            {"image": 7},
            {"email": {"a": 1}},
        ):
            with self.subTest(fields=fields):
                body = self.problem(self.put(device, **fields), 422)
                self.assertIn(body["type"], ("/problems/field", "/problems/name-refused"))
                self.assertEqual(body.get("field"), list(fields)[0], body)
        for name in ("Anonymous", "ANONYMOUS", "A former player", "Red Cross"):
            self.problem(self.put(device, name=name), 422, "name-refused")
        self.problem(call(server, "PUT", f"/v1/games/quiz/devices/{device}", {}), 422, "field")
        self.assertEqual(self.put(device).status, 201, "a refusal takes no device")

    def test_fields(self):
        device, token = client.device(), v1.token()
        picture = client.base64_text(client.png())
        made = self.put(device,
                        token,
                        name="e\u0301",
                        image=picture,
                        email="ada@example.org",
                        send_updates=True,
                        country="nz",
                        unknown=[1]).json()["player"]
        self.assertEqual(made["name"], unicodedata.normalize("NFC", "e\u0301"))
        face = client.get(server, made["avatar"])
        self.assertEqual((face.status, face.media), (200, "image/png"))
        self.assertEqual(client.png_size(face.body), (40, 40))
        self.assertIn("max-age=86400", face["cache-control"])
        mine = call(server, "GET", "/v1/players/me", who=token).json()
        self.assertEqual((mine["country"], mine["send_updates"], mine["avatar"]), ("NZ", True, made["avatar"]))
        self.assertEqual(self.put(device, token).json()["player"]["avatar"], made["avatar"], "absent keeps")
        url = "data:image/jpeg;base64," + client.base64_text(client.JPEG)
        changed = self.put(device, token, image=url).json()["player"]
        self.assertNotEqual(changed["avatar"], made["avatar"])
        self.assertEqual(client.get(server, made["avatar"]).status, 410, "when no visible player uses it")
        for clear in (None, ""):
            self.put(device, token, image=url, country="DE")
            self.assertNotIn("avatar",
                             self.put(device, token, image=clear, country=clear, email=clear).json()["player"])
            self.assertNotIn("country", call(server, "GET", "/v1/players/me", who=token).json())
        self.assertEqual(client.get(server, f"/v1/avatars/{'0' * 64}.png").status, 404)


class Keys(Case):
    def put(self, id, who=None, game="quiz", **fields):
        return call(server, "PUT", f"/v1/games/{game}/players/{id}", {"name": "Bob", **fields}, who=who or key)

    def test_players_under_the_games_own_id(self):
        answer = self.put("u-7", country="de")
        made = self.private(answer, 201)
        self.assertEqual(set(made), {"player"})
        self.assertEqual(answer["location"], f"/v1/players/{made['player']['id']}")
        again = self.private(self.put("u-7", name="Bobby"), 200)
        self.assertEqual(again["player"], {"id": made["player"]["id"], "name": "Bobby"})
        self.assertEqual(self.private(self.put("u%2D7"), 200)["player"]["id"], made["player"]["id"])
        other = self.put("u-7", other_key, game="chess")
        self.assertEqual(other.status, 201)
        self.assertNotEqual(other.json()["player"]["id"], made["player"]["id"])
        self.problem(self.put("a%20b"), 400)
        self.problem(call(server, "PUT", "/v1/games/quiz/players/fresh", {}, who=key), 422, "field")

    def test_who_may(self):
        ada = self.player()
        self.assertIn(self.put("k1", v1.token()).status, (401, 403), "of the wrong kind, and unknown")
        self.problem(call(server, "PUT", "/v1/games/quiz/players/k1", {"name": "x"}), 401, "unauthorized")
        self.problem(self.put("k1", "cbk_" + v1.token()[4:]), 401, "unauthorized")
        self.problem(self.put("k1", other_key), 403, "forbidden")
        self.assertIn(self.put("k1", ada.token).status, (401, 403))
        self.problem(self.put("k1", game="nope"), 404, "not-found")
        self.assertIn(call(server, "GET", "/v1/players/me", who=key).status, (401, 403))

    def test_a_revoked_key_is_refused_at_once(self):
        with client.Connection(server) as c:
            mine = v1.make_key(server, "quiz", "short-lived")
            self.assertEqual(call(c, "PUT", "/v1/games/quiz/players/r1", {"name": "R"}, who=mine).status, 201)
            number = next(line.split()[0] for line in server.verb("key", "list", "--game", "quiz").splitlines()
                          if "short-lived" in line)
            server.verb("key", "revoke", "--game", "quiz", number)
            for path in ("/v1/games/quiz/players/r1", score(v1.new_id()), gift(v1.new_id())):
                self.problem(call(c, "PUT", path, {"name": "R", "points": 1, "external": "r1"}, who=mine), 401,
                             "unauthorized")
            self.assertEqual(self.put("r1").status, 200, "the other key goes on")
        self.assertNotIn(mine[4:20], server.verb("key", "list", "--game", "quiz"))

    def test_a_key_posts_and_gives_for_its_players(self):
        made = self.put("poster").json()["player"]["id"]
        ada = self.player()
        id = v1.new_id()
        self.assertEqual(
            self.private(call(server, "PUT", score(id), {"points": "25", "external": "poster"}, who=key),
                         201)["earned"], 25)
        answer = call(server, "PUT", score(id), {"points": 25, "player": made}, who=key)
        self.assertEqual((answer.status, answer["idempotent-replayed"]), (200, "true"))
        self.assertEqual(
            call(server, "PUT", score(v1.new_id()), {"points": 7, "player": ada.id}, who=key).json()["earned"], 7)
        self.assertEqual(
            call(server, "PUT", gift(v1.new_id()), {"points": 5, "external": "poster"}, who=key).json()["left"], 20)
        self.assertEqual(
            call(server, "PUT", gift(v1.new_id()), {"points": 5, "player": ada.id}, who=key).json()["left"], 2)
        for path in (score(v1.new_id()), gift(v1.new_id())):
            self.assertEqual(
                self.problem(call(server, "PUT", path, {"points": 1}, who=key), 422, "field")["field"], "player")
            self.problem(call(server, "PUT", path, {"points": 1, "player": made, "external": "poster"}, who=key), 422,
                         "field")
            self.problem(call(server, "PUT", path, {"points": 1, "player": 12345}, who=key), 404, "not-found")
            self.problem(call(server, "PUT", path, {"points": 1, "external": "nobody"}, who=key), 404, "not-found")
            chess = self.player(game="chess")
            self.problem(call(server, "PUT", path, {"points": 1, "player": chess.id}, who=key), 404, "not-found")

    def test_a_key_of_another_game(self):
        self.put("x1")
        self.problem(call(server, "PUT", score(v1.new_id()), {"points": 1, "external": "x1"}, who=other_key), 403,
                     "forbidden")
        self.problem(call(server, "GET", score(v1.new_id()) + "?external=x1", who=other_key), 403, "forbidden")
        self.problem(
            call(server,
                 "PUT",
                 score(v1.new_id(), game="default", board="high-scores"), {"points": 1, "external": "x1"},
                 who=key), 403, "forbidden")
        self.problem(call(server, "PUT", gift(v1.new_id()), {"points": 1, "external": "x1"}, who=other_key), 404)

    def test_a_player_speaks_for_nobody_else(self):
        ada, eve = self.player(), self.player("Eve")
        ada.post("solo", 10)
        for fields in ({"player": eve.id}, {"external": "u-7"}, {"external": ada.device}):
            for path in (score(v1.new_id()), gift(v1.new_id())):
                with self.subTest(fields=fields, path=path):
                    self.problem(ada.call("PUT", path, {"points": 1, **fields}), 403, "forbidden")
        self.assertEqual(ada.call("PUT", score(v1.new_id()), {"points": 1, "player": ada.id}).status, 201)

    def test_a_token_of_another_game(self):
        chess = self.player(game="chess")
        for method, path, body in (("PUT", score(v1.new_id()), {"points": 1}), ("GET", score(v1.new_id()), None),
                                   ("GET", "/v1/games/quiz/boards/solo/players/me",
                                    None), ("GET", "/v1/games/quiz/boards/solo/players/me/around.json", None)):
            self.problem(chess.call(method, path, body), 401, "unauthorized")


class Scores(Case):
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
        server.verb("board", "add", "--game", "quiz", "other-path")
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
        server.verb("board", "add", "--game", "quiz", "bounded", "--points-min=-5", "--points-max", "5")
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
        self.problem(call(server, "PUT", score(id, board="bounded"), {"points": 1}), 401, "unauthorized")
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
        server.verb("board", "add", "--game", "quiz", "wide", "--points-min=-9223372036854775807", "--points-max",
                    "9223372036854775807", "--earns", "none")
        server.verb("board", "add", "--game", "quiz", "wide-sum", "--policy", "sum",
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
        self.assertIn(ada.post("wide-sum", 2**63 - 1).status, (201, 422), "a sum beyond 64 bits")
        self.assertEqual(client.get(server, "/v1/games/quiz/boards/wide-sum/top.json").status, 200)
        self.assertEqual(client.get(server, f"/v1/games/quiz/boards/wide-sum/players/{ada.id}").status, 200)

    def test_receipts(self):
        ada, eve = self.player(), self.player("Eve")
        bob = call(server, "PUT", "/v1/games/quiz/players/receipts", {"name": "Bob"}, who=key).json()["player"]["id"]
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
        self.assertEqual(call(server, "PUT", score(bobs), {"points": 4, "external": "receipts"}, who=key).status, 201)
        for query in ("external=receipts", f"player={bob}"):
            answer = call(server, "GET", f"{score(bobs)}?{query}", who=key)
            self.assertEqual(self.private(answer, 200)["points"], 4)
            self.problem(call(server, "GET", f"{score(v1.new_id())}?{query}", who=key), 404, "not-found")
        self.assertEqual(self.private(call(server, "GET", f"{score(id)}?player={ada.id}", who=key), 200)["points"], 12)
        self.problem(call(server, "GET", score(bobs), who=key), 422, "field")
        self.problem(call(server, "GET", f"{score(bobs)}?external=receipts&player={bob}", who=key), 422, "field")
        self.problem(call(server, "GET", f"{score(bobs)}?external=nobody", who=key), 404, "not-found")
        for who, where in ((eve, score(id)), (ada, score(v1.new_id())), (ada, score(id, board="bounded2"))):
            self.problem(who.call("GET", where), 404, "not-found")
        self.problem(call(server, "GET", score(id)), 401, "unauthorized")
        self.assertIn(ada.call("GET", f"{score(id)}?player={eve.id}").status, (200, 403), "never Eve's")
        self.problem(ada.call("GET", score("xyz")), 400, "malformed")
        server.verb("board", "add", "--game", "quiz", "receipts2")
        self.problem(ada.call("GET", score(id, board="receipts2")), 404, "not-found")
        head = ada.call("HEAD", score(id))
        self.assertEqual((head.status, head.body, head["cache-control"]), (200, b"", v1.PRIVATE))

    def test_a_closed_board(self):
        server.verb("board", "add", "--game", "quiz", "past")
        server.verb("board", "add", "--game", "quiz", "future", "--opens", "2999-01-01T00:00:00Z")
        ada, id = self.player(), v1.new_id()
        first = ada.post("past", 5, id).json()
        server.verb("board", "set", "--game", "quiz", "past", "--closes", "2021-01-01T00:00:00Z")
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
        server.verb("board", "set", "--game", "quiz", "past", "--closes", "none")
        self.assertEqual(ada.post("past", 6).status, 201)

    def test_improved(self):
        ada = self.player()
        server.verb("board", "add", "--game", "quiz", "low", "--order", "lowest")
        self.assertEqual([ada.post("low", p).json()["improved"] for p in (9, 12, 9, 3)], [True, False, False, True])
        server.verb("board", "add", "--game", "quiz", "latest", "--policy", "latest")
        said = [ada.post("latest", p).json() for p in (9, 3)]
        self.assertEqual([s["best"] for s in said], [9, 3])
        server.verb("board", "add", "--game", "quiz", "added", "--policy", "sum")
        self.assertEqual([ada.post("added", p).json()["best"] for p in (9, 3, -2)], [9, 12, 10])


class Donations(Case):
    def setUp(self):
        self.ada = self.player()
        self.ada.post("solo", 100)

    def test_201_200_409(self):
        id = v1.new_id()
        answer = self.ada.give("red-cross", 10, id)
        said = self.private(answer, 201)
        self.assertEqual(set(said), {"charity", "points", "left", "rank"})
        self.assertEqual((said["charity"], said["points"], said["left"]), ("red-cross", 10, 90))
        self.assertEqual(answer["location"], gift(id))
        self.ada.give("red-cross", 5)
        again = self.ada.give("red-cross", 10, id, anonymous=False)
        self.assertEqual((again.status, again["idempotent-replayed"]), (200, "true"))
        self.assertEqual((again.json()["points"], again.json()["left"]), (10, 85))
        for answer in (
            self.ada.give("red-cross", 11, id),
            self.ada.give("oxfam", 10, id),
            self.ada.give("red-cross", 10, id, anonymous=True),
        ):
            self.problem(answer, 409, "id-reused")
        self.assertEqual(self.ada.left(), 85)
        receipt = self.private(self.ada.call("GET", gift(id)), 200)
        self.assertEqual(set(receipt), {"id", "charity", "points", "anonymous", "left", "rank", "reached_at"})
        self.assertEqual((receipt["id"], receipt["points"], receipt["anonymous"]), (id, 10, False))
        eve = self.player("Eve")
        self.problem(eve.call("GET", gift(id)), 404, "not-found")
        self.problem(self.ada.call("GET", gift(id, "oxfam")), 404, "not-found")
        self.problem(call(server, "GET", gift(id)), 401)
        self.assertEqual(call(server, "GET", f"{gift(id)}?player={self.ada.id}", who=key).json()["points"], 10)
        self.problem(call(server, "GET", f"{gift(id)}?player={self.ada.id}", who=other_key), 404)
        self.problem(call(server, "GET", gift(id), who=key), 422, "field")

    def test_refusals_use_no_id(self):
        id = v1.new_id()
        for points in (101, 2**53 - 1):
            self.problem(self.ada.give("red-cross", points, id), 422, "overspent")
        for points in (0, -1, None, "x", 1.5, 2**53, 2**70):
            with self.subTest(points=points):
                self.assertEqual(self.problem(self.ada.give("red-cross", points, id), 422)["field"], "points")
        self.problem(self.ada.give("nope", 1, id), 404, "not-found")
        self.problem(call(server, "PUT", gift(id), {"points": 1}), 401, "unauthorized")
        self.problem(self.ada.call("PUT", gift("xyz"), {"points": 1}), 400, "malformed")
        self.problem(self.ada.call("GET", gift(id)), 404, "not-found")
        self.assertEqual(self.ada.left(), 100)
        self.assertEqual(self.ada.give("red-cross", 100, id).status, 201)
        self.problem(self.ada.give("red-cross", 1), 422, "overspent")

    def test_a_charity_before_and_after(self):
        server.verb("charity", "add", "soon", "--name", "Soon", "--opens", "2999-01-01T00:00:00Z")
        server.verb("charity", "add", "gone", "--name", "Gone")
        id = v1.new_id()
        self.assertEqual(self.ada.give("gone", 7, id).status, 201)
        server.verb("charity", "close", "gone")
        for slug in ("soon", "gone"):
            self.problem(self.ada.give(slug, 1), 422, "charity-closed")
        again = self.ada.give("gone", 7, id)
        self.assertEqual((again.status, again["idempotent-replayed"]), (200, "true"))
        self.assertIs(self.public("/v1/charities/gone/top.json")["final"], True)
        gone, soon = self.public("/v1/charities/gone"), self.public("/v1/charities/soon")
        self.assertIs(gone["final"], True)
        self.assertRegex(gone["closes_at"], STAMP)
        self.assertRegex(soon["opens_at"], r"^2999-01-01T00:00:00(\.0+)?Z$")
        self.assertIs(soon["final"], False)

    def test_64_clients_at_one_wallet(self):
        answers = [None] * 32

        def give(n):
            answers[n] = self.ada.give("oxfam", 10)
        client.in_threads(32, give)
        self.assertEqual(sorted(a.status for a in answers), [201] * 10 + [422] * 22)
        self.assertEqual(self.ada.left(), 0)

    def test_a_charitys_document(self):
        self.ada.give("red-cross", 3)
        said = self.public("/v1/charities/red-cross")
        row = next(r for r in self.public("/v1/charities.json")["rows"] if r["slug"] == "red-cross")
        self.assertEqual({k: v for k, v in said.items() if k in row}, row)
        self.assertEqual(set(said) - set(row), {"of"})
        self.assertEqual(said["progress"], round(said["points"] / 10, 1))
        self.problem(client.get(server, "/v1/charities/nope"), 404, "not-found")


class Anonymous(Case):
    """Nothing that is public tells who gave anonymously."""

    @classmethod
    def setUpClass(cls):
        server.verb("charity", "add", "quiet", "--name", "Quiet")
        cls.players = []
        for n in range(5):
            ada = v1.Player(server, "quiz", f"Hidden giver {n}", image=client.base64_text(client.png(colour=(n, 1, 1))))
            ada.post("solo", 1000)
            ada.give("quiet", 50 + n)
            ada.give("quiet", 70 - n, anonymous=True)
            cls.players.append(ada)

    def test_a_row_of_their_own(self):
        ada = self.players[0]
        id = v1.new_id()
        said = ada.give("quiet", 30, id, anonymous=True).json()
        self.assertEqual(said["rank"], 1, "70 + 30 given anonymously is most")
        self.assertEqual(ada.give("quiet", 1).json()["rank"], 10, "who reached 51 later is behind")
        self.assertEqual(ada.call("GET", gift(id, "quiet")).json()["anonymous"], True)
        said = self.public("/v1/charities/quiet/top.json")
        self.assertEqual(said["of"], 10)
        self.assertEqual([r["points"] for r in said["rows"]][:2], [100, 69])
        hidden = [r for r in said["rows"] if r["name"] == "Anonymous"]
        self.assertEqual(len(hidden), 5)
        for row in hidden:
            self.assertEqual(set(row), {"rank", "tied", "name", "points", "reached_at"})
        mine = ada.get("/v1/players/me").json()["gifts"]
        self.assertIn({"charity": "quiet", "points": 100, "anonymous": True}, mine)
        self.assertIn({"charity": "quiet", "points": 51, "anonymous": False}, mine)
        self.assertEqual(
            self.public(f"/v1/players/{ada.id}")["gifts"], [{"charity": "quiet", "points": 51}], "named gifts only")

    def test_no_format_tells(self):
        secrets = [str(p.id) for p in self.players] + [p.name for p in self.players]
        secrets += [self.public(f"/v1/players/{p.id}")["avatar"] for p in self.players]
        for path in ("/v1/charities/quiet/top", "/v1/contributors/top"):
            rows = self.public(path + ".json?limit=100")["rows"]
            hidden = [n for n, r in enumerate(rows) if r["name"] == "Anonymous"]
            self.assertTrue(hidden)
            for n in hidden:
                for suffix in ("xml", "json", "plist", "csv", "atom", "html"):
                    answer = client.get(server, f"{path}.{suffix}?limit=1&from={n + 1}")
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
                    self.problem(client.get(server, f"/v1/charities/quiet/top.json?{key_}={bad}"), 400, "bad-cursor")
        for path in ("/v1/contributors/top.json", "/v1/games/quiz/boards/solo/top.json", "/v1/charities.json"):
            self.problem(client.get(server, f"{path}?after={good}"), 400, "bad-cursor")


class Me(Case):
    def test_profile_and_patch(self):
        ada = self.player(country="nz", email="a@example.org")
        said = self.private(ada.get("/v1/players/me"), 200)
        self.assertEqual(
            said, {
                "id": ada.id, "name": "Ada", "country": "NZ", "send_updates": False, "earned": 0, "held": 0, "left": 0,
                "given": 0, "gifts": []
            })
        patch = lambda body, type="application/merge-patch+json": ada.call("PATCH", "/v1/players/me", body, type=type)
        said = self.private(patch({"name": "Ada L", "country": None, "send_updates": True}), 200)
        self.assertEqual((said["name"], said["send_updates"], "country" in said), ("Ada L", True, False))
        self.assertEqual(self.private(patch({}), 200), said, "what is absent stays")
        self.assertIn("avatar", patch({"image": client.base64_text(client.png())}).json())
        self.assertNotIn("avatar", patch({"image": None}).json())
        self.assertEqual(patch({"country": "de"}, "application/json").json()["country"], "DE")
        self.assertEqual(
            patch(b"name=Form+Name&country=fr", "application/x-www-form-urlencoded").json()["name"], "Form Name")
        for bad in ({"name": None}, {"name": ""}, {"name": "Anonymous"}, {"country": "xyz"}, {"image": "AAAA"},
                    {"name": 1}):
            body = self.problem(patch(bad), 422)
            self.assertEqual(body.get("field"), list(bad)[0])
        self.problem(patch(b"[1]"), 400)
        self.problem(patch(b"<a/>", "application/xml"), 415)
        self.assertEqual(ada.get("/v1/players/me").json()["name"], "Form Name")
        for method, path in (("GET", "/v1/players/me"), ("PATCH", "/v1/players/me"), ("GET", "/v1/players/me/scores"),
                             ("GET", "/v1/players/me/donations")):
            self.problem(call(server, method, path, {"name": "x"} if method == "PATCH" else None), 401, "unauthorized")
            self.problem(call(server, method, path, {"name": "x"} if method == "PATCH" else None, who=v1.token()), 401,
                         "unauthorized")
        self.problem(ada.call("PUT", "/v1/players/me", {"name": "x"}), 405)

    def test_a_new_name_is_everywhere(self):
        ada = self.player("Before")
        server.verb("board", "add", "--game", "quiz", "names")
        ada.post("names", 10)
        ada.give("oxfam", 1)
        ada.call("PATCH", "/v1/players/me", {"name": "After"})
        self.assertEqual(self.public("/v1/games/quiz/boards/names/top.json")["rows"][0]["name"], "After")
        self.assertEqual(self.public(f"/v1/players/{ada.id}")["name"], "After")
        self.assertIn("After", [r["name"] for r in self.public("/v1/charities/oxfam/top.json?limit=100")["rows"]])

    def pages(self, ada, path, limit):
        """All rows, newest first, forward and then back; fails unless both agree."""
        said = self.private(ada.get(f"{path}?limit={limit}"), 200)
        self.assertNotIn("prev", said)
        forward = [said["rows"]]
        while "next" in said:
            said = self.private(ada.get(f"{path}?limit={limit}&after={said['next']}"), 200)
            self.assertIn("prev", said)
            self.assertTrue(said["rows"], "an empty page after a `next`")
            forward.append(said["rows"])
            self.assertLess(len(forward), 100)
        back = [said["rows"]]
        while "prev" in said:
            said = self.private(ada.get(f"{path}?limit={limit}&before={said['prev']}"), 200)
            self.assertTrue(said["rows"])
            back.append(said["rows"])
            self.assertLess(len(back), 100)
        self.assertEqual(back[::-1], forward)
        self.assertTrue(all(len(p) == limit for p in forward[:-1]))
        return [r for page in forward for r in page]

    def test_history(self):
        ada, eve = self.player(), self.player("Eve")
        eve.post("solo", 5)
        posts, gifts = [], []
        for n in range(1, 24):
            id = v1.new_id()
            more = {"played_at": f"2026-11-01T00:00:{n:02}Z", "detail": {"n": n}} if n % 2 else {}
            self.assertEqual(ada.post("solo", n, id, **more).status, 201)
            posts.insert(0, (id, n))
            id = v1.new_id()
            self.assertEqual(ada.give("red-cross", 1, id, anonymous=n % 3 == 0).status, 201)
            gifts.insert(0, (id, n % 3 == 0))
        for limit in (1, 5, 7, 23, 100):
            rows = self.pages(ada, "/v1/players/me/scores", limit)
            self.assertEqual([(r["id"], r["points"]) for r in rows], posts)
            rows = self.pages(ada, "/v1/players/me/donations", limit)
            self.assertEqual([(r["id"], r["anonymous"]) for r in rows], gifts)
        rows = ada.get("/v1/players/me/scores").json()["rows"]
        self.assertEqual(set(rows[0]),
                         {"id", "game", "board", "season", "points", "earned", "played_at", "detail", "reached_at"})
        self.assertEqual((rows[0]["game"], rows[0]["board"], rows[0]["detail"]), ("quiz", "solo", {"n": 23}))
        self.assertEqual(set(rows[1]), {"id", "game", "board", "season", "points", "earned", "reached_at"})
        stamps = [r["reached_at"] for r in rows]
        self.assertEqual(stamps, sorted(stamps, reverse=True))
        self.assertEqual(set(ada.get("/v1/players/me/donations").json()["rows"][0]),
                         {"id", "charity", "points", "anonymous", "reached_at"})
        cursor = ada.get("/v1/players/me/scores?limit=5").json()["next"]
        self.problem(ada.get(f"/v1/players/me/donations?after={cursor}"), 400, "bad-cursor")
        self.problem(ada.get("/v1/players/me/scores?after=x"), 400, "bad-cursor")
        self.problem(ada.get(f"/v1/players/me/scores?after={cursor}&before={cursor}"), 400)
        stolen = eve.get(f"/v1/players/me/scores?after={cursor}")
        self.assertTrue(stolen.status == 400 or all(r["points"] == 5 for r in stolen.json()["rows"]), stolen)
        for limit in ("0", "101", "x", "-1", "", "1.5"):
            self.problem(ada.get(f"/v1/players/me/scores?limit={limit}"), 400)
        self.assertEqual(self.private(self.player("New").get("/v1/players/me/scores"), 200), {"rows": []})

    def test_public_players(self):
        ada = self.player("Seen", email="secret@example.org", country="nz")
        ada.post("solo", 77)
        ada.post("solo", 66)
        answer = client.get(server, f"/v1/players/{ada.id}")
        said = answer.json()
        self.assertEqual(set(said), {"id", "name", "bests", "gifts"})
        self.assertEqual([(b["game"], b["board"], b["points"]) for b in said["bests"]], [("quiz", "solo", 77)])
        self.assertNotIn("secret", answer.text)
        self.assertNotIn(ada.device, answer.text)
        self.assertEqual(ada.get(f"/v1/players/{ada.id}").body, answer.body, "Authorization is ignored")
        for id in ("1", "9007199254740991", "9007199254740992", "0", "-1", "x", "99999999999999999999999", "01", "%31",
                   f"{ada.id}x", f"+{ada.id}"):
            with self.subTest(id=id):
                self.problem(client.get(server, f"/v1/players/{id}"), 404, "not-found")


class Documents(Case):
    def test_games_and_boards(self):
        server.verb("board", "add", "--game", "chess", "lap", "--name", "Lap <1>", "--order", "lowest", "--ties",
                    "shared", "--zone", "Europe/Berlin", "--points-min", "1", "--points-max", "999", "--earns",
                    "fixed:5", "--earn-max", "9", "--earn-day", "50", "--opens", "2026-01-01T00:00:00+01:00",
                    "--closes", "2999-01-01T00:00:00Z")
        games = self.public("/v1/games")
        self.assertEqual(set(games), {"games"})
        self.assertLessEqual([{"slug": "chess", "name": "Chess"}], [g for g in games["games"] if g["slug"] == "chess"])
        self.assertEqual({g["slug"] for g in games["games"]}, {"default", "quiz", "chess"})
        lap = self.public("/v1/games/chess/boards/lap")
        for stamp, instant in (("opens_at", "2025-12-31T23:00:00"), ("closes_at", "2999-01-01T00:00:00")):
            self.assertRegex(lap[stamp], STAMP)
            self.assertTrue(lap[stamp].startswith(instant), lap)
        self.assertEqual(
            lap, {
                "game": "chess", "slug": "lap", "name": "Lap <1>", "season": 1, "order": "lowest", "policy": "best",
                "points_min": 1, "points_max": 999, "zone": "Europe/Berlin", "ties": "shared", "earns": "fixed:5",
                "earn_max": 9, "earn_day": 50, "opens_at": lap["opens_at"], "closes_at": lap["closes_at"],
                "final": False, "seasons": [{"season": 1}]
            })
        bare = {k: v for k, v in lap.items() if k != "seasons"}
        boards = self.public("/v1/games/chess/boards")
        self.assertEqual(set(boards), {"boards"})
        self.assertIn(bare, boards["boards"])
        game = self.public("/v1/games/chess")
        self.assertEqual(game, {"slug": "chess", "name": "Chess", "boards": boards["boards"]})
        for path in ("/v1/games/nope", "/v1/games/nope/boards", "/v1/games/quiz/boards/nope",
                     "/v1/games/nope/boards/solo", "/v1/games/QUIZ", "/v1/games/", "/v1/games/quiz/", "/v1/",
                     "/v1/nope", "/v1/games/quiz/boards/me", "/v1/games/quiz/boards/solo/nope", "/v1/games.json"):
            self.problem(client.get(server, path), 404, "not-found")

    def test_health(self):
        self.assertEqual(client.get(server, "/healthz").text.strip(), "ok")
        self.assertEqual(client.get(server, "/readyz").status, 200)
        answer = client.get(server, "/openapi.yaml")
        self.assertEqual((answer.status, answer.media), (200, "application/yaml"))
        self.assertRegex(answer.text, r"^openapi: ['\"]?3\.")


class Places(Case):
    """rank, percentile, to_next and neighbours on four boards of seven players."""
    POINTS = (50, 40, 40, 40, 30, 20, 20)

    @classmethod
    def setUpClass(cls):
        cls.boards = {}
        for order in ("highest", "lowest"):
            for ties in ("first", "shared"):
                slug = f"{order}-{ties}"
                server.verb("board", "add", "--game", "quiz", slug, "--order", order, "--ties", ties,
                            "--points-min=-1000", "--points-max", "1000")
        cls.players = [v1.Player(server, "quiz", f"p{n}") for n in range(7)]
        for order in ("highest", "lowest"):
            for ties in ("first", "shared"):
                for player, points in zip(cls.players, cls.POINTS):
                    assert player.post(f"{order}-{ties}", points if order == "highest" else -points).status == 201

    def test_places(self):
        percentiles = (92.9, 64.3, 64.3, 64.3, 35.7, 14.3, 14.3)
        for order, sign in (("highest", 1), ("lowest", -1)):
            for ties, ranks, nexts in (("first", (1, 2, 3, 4, 5, 6, 7), (None, 11, 1, 1, 11, 11, 1)),
                                       ("shared", (1, 2, 2, 2, 5, 6, 6), (None, 10, 10, 10, 10, 10, 10))):
                slug = f"{order}-{ties}"
                for n, player in enumerate(self.players):
                    with self.subTest(board=slug, player=n):
                        said = self.public(f"/v1/games/quiz/boards/{slug}/players/{player.id}")
                        wanted = {
                            "player": player.id, "rank": ranks[n], "points": sign * self.POINTS[n], "of": 7,
                            "percentile": percentiles[n]
                        }
                        if nexts[n] is not None:
                            wanted["to_next"] = sign * nexts[n]
                        self.assertEqual(said, wanted)
                        mine = player.get(f"/v1/games/quiz/boards/{slug}/players/me")
                        self.assertEqual(self.private(mine, 200), said)
                rows = self.public(f"/v1/games/quiz/boards/{slug}/top.json")["rows"]
                self.assertEqual([r["rank"] for r in rows], list(ranks))
                self.assertEqual([r["player"] for r in rows], [p.id for p in self.players])

    def test_rank_of_points(self):
        for order, sign in (("highest", 1), ("lowest", -1)):
            for ties in ("first", "shared"):
                for points, first, shared in ((60, 1, 1), (50, 2, 1), (45, 2, 2), (40, 5, 2), (39, 5, 5), (20, 8, 6),
                                              (0, 8, 8)):
                    with self.subTest(order=order, ties=ties, points=points):
                        said = self.public(f"/v1/games/quiz/boards/{order}-{ties}/rank?points={sign * points}")
                        self.assertEqual(
                            said, {"points": sign * points, "rank": first if ties == "first" else shared, "of": 7})
        path = "/v1/games/quiz/boards/highest-first/rank"
        for query in ("", "?points=", "?points=x", "?points=1.5", "?points=99999999999999999999999", "?points=%2B",
                      "?point=4"):
            self.problem(client.get(server, path + query), 400, "malformed")
        for points in (1001, -1001):
            self.problem(client.get(server, f"{path}?points={points}"), 422, "out-of-bounds")
        self.problem(client.get(server, path + "?points=1&window=bad"), 400, "bad-window")
        self.assertEqual(self.public(path + "?points=1&window=yesterday"), {"points": 1, "rank": 1, "of": 0})
        self.problem(client.get(server, "/v1/games/quiz/boards/nope/rank?points=1"), 404, "not-found")

    def test_around(self):
        for limit, n, wanted in ((5, 3, (1, 2, 3, 4, 5)), (5, 0, (0, 1, 2, 3, 4)), (5, 6, (2, 3, 4, 5, 6)),
                                 (5, 1, (0, 1, 2, 3, 4)), (3, 3, (2, 3, 4)), (1, 3, (3,)), (1, 0, (0,)),
                                 (1, 6, (6,)), (7, 0, range(7)), (100, 3, range(7)), (2, 0, (0, 1)), (2, 6, (5, 6)),
                                 (4, 0, (0, 1, 2, 3)), (4, 6, (3, 4, 5, 6)), (6, 3, None), (4, 3, None), (2, 3, None)):
            for slug in ("highest-first", "lowest-shared"):
                with self.subTest(limit=limit, n=n, board=slug):
                    path = f"/v1/games/quiz/boards/{slug}/players/{self.players[n].id}/around.json?limit={limit}"
                    rows = self.public(path)["rows"]
                    seen = [next(i for i, p in enumerate(self.players) if p.id == r["player"]) for r in rows]
                    if wanted is None:      # of an even number, either side may have one more
                        self.assertEqual(len(seen), limit)
                        self.assertEqual(seen, list(range(seen[0], seen[0] + limit)))
                        self.assertLessEqual(abs(seen.index(n) - (limit - 1 - seen.index(n))), 1)
                    else:
                        self.assertEqual(seen, list(wanted))
        five = self.public(f"/v1/games/quiz/boards/highest-first/players/{self.players[3].id}/around")
        self.assertEqual(len(five["rows"]), 5)
        me = self.players[3].get("/v1/games/quiz/boards/highest-first/players/me/around.json")
        self.assertEqual(self.private(me, 200), five)
        for limit in ("0", "101", "x", ""):
            self.problem(
                client.get(
                    server,
                    f"/v1/games/quiz/boards/highest-first/players/{self.players[3].id}/around.json?limit={limit}"), 400)
        for who in ("me", "me/around.json"):
            self.problem(client.get(server, f"/v1/games/quiz/boards/highest-first/players/{who}"), 401, "unauthorized")

    def test_without_a_score(self):
        new = self.player("New")
        base = "/v1/games/quiz/boards/highest-first/players/"
        self.assertEqual(self.public(f"{base}{new.id}"), {"player": new.id, "rank": None, "points": None, "of": 7})
        self.assertEqual(self.private(new.get(base + "me"), 200),
                         {"player": new.id, "rank": None, "points": None, "of": 7})
        self.assertEqual(self.public(f"{base}{new.id}/around.json")["rows"], [])
        self.assertEqual(self.public(f"{base}{new.id}/around.json").get("of"), 7)
        self.assertEqual(self.public(f"{base}{self.players[0].id}?window=yesterday"),
                         {"player": self.players[0].id, "rank": None, "points": None, "of": 0})
        for path in ("12345", "12345/around.json", "x", "x/around.json"):
            self.problem(client.get(server, base + path), 404, "not-found")
        chess = self.player(game="chess")
        self.assertIn(client.get(server, f"{base}{chess.id}").status, (200, 404))

    def test_players_asked_for(self):
        ids = [p.id for p in self.players]
        path = "/v1/games/quiz/boards/highest-shared/top.json?players="
        answer = client.get(server, path + f"{ids[6]},{ids[2]},{ids[1]},12345,{ids[2]}")
        self.assertEqual((answer.status, answer["cache-control"]), (200, "no-store"))
        said = answer.json()
        self.assertEqual(
            [(r["player"], r["rank"], r["among"]) for r in said["rows"]],
            [(ids[1], 2, 1), (ids[2], 2, 1), (ids[6], 6, 3)],
        )
        self.assertEqual(said["of"], 7)
        said = client.get(server, path.replace("shared", "first") + f"{ids[6]},{ids[2]},{ids[1]}").json()
        self.assertEqual([(r["rank"], r["among"]) for r in said["rows"]], [(2, 1), (3, 2), (7, 3)])
        self.assertEqual(client.get(server, path + "12345").json()["rows"], [])
        self.assertEqual(client.get(server, path + ",".join(map(str, range(1, 101)))).status, 200)
        for bad in ("", "x", "1,", ",1", "1,,2", "-1", "1.5", ",".join(map(str, range(1, 102))), "1 2", "me"):
            with self.subTest(bad=bad[:20]):
                self.problem(client.get(server, path + bad.replace(" ", "%20")), 400)

    def test_of_four_cursors_at_most_one(self):
        said = self.public("/v1/games/quiz/boards/highest-first/top.json?limit=2")
        for query in (f"after={said['next']}&from=3", f"after={said['next']}&before={said['next']}",
                      f"from=2&players={self.players[0].id}", f"players=1&after={said['next']}"):
            self.problem(client.get(server, "/v1/games/quiz/boards/highest-first/top.json?" + query), 400, "malformed")
        rows = self.public("/v1/games/quiz/boards/highest-first/top.json?from=3&limit=2")
        self.assertEqual([r["rank"] for r in rows["rows"]], [3, 4])
        self.assertEqual({"next", "prev"} & set(rows), {"next", "prev"})
        rows = self.public("/v1/games/quiz/boards/highest-shared/top.json?from=3&limit=2")
        self.assertEqual([r["player"] for r in rows["rows"]], [self.players[2].id, self.players[3].id])
        self.assertEqual([r["rank"] for r in rows["rows"]], [2, 2],
                         "from counts positions, also where ranks are shared")
        self.assertEqual(self.public("/v1/games/quiz/boards/highest-first/top.json?from=8")["rows"], [])
        for bad in ("0", "-1", "x", "", "1.5", "99999999999999999999999"):
            self.problem(client.get(server, f"/v1/games/quiz/boards/highest-first/top.json?from={bad}"), 400)


class Seasons(Case):
    def test_reset(self):
        server.verb("board", "add", "--game", "quiz", "seasonal")
        ada, bob = self.player(), self.player("Bob")
        id = v1.new_id()
        ada.post("seasonal", 30, id)
        bob.post("seasonal", 20)
        left = ada.left()
        old = self.public("/v1/games/quiz/boards/seasonal/top.json")
        server.verb("board", "reset", "--game", "quiz", "seasonal")
        self.assertEqual(self.public("/v1/games/quiz/boards/seasonal/top.json")["rows"], [])
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
        self.problem(client.get(server, f"{base}/top.json?limit=1&after={page['next']}"), 400, "bad-cursor")
        for season in ("3", "0", "-1", "x", "", "99999999999999"):
            with self.subTest(season=season):
                answer = client.get(server, f"{base}/top.json?season={season}")
                self.assertIn(answer.status, (400, 404), answer)
                self.problem(answer, answer.status)
        for suffix in ("xml", "plist", "csv", "atom", "html"):
            self.assertEqual(client.get(server, f"{base}/top.{suffix}?season=1").status, 200)


class Wire(Case):
    """CORS, caching and the rest that every route has in common."""

    @classmethod
    def setUpClass(cls):
        server.verb("board", "add", "--game", "quiz", "wire")
        cls.ada = v1.Player(server, "quiz", "Wire", image=client.base64_text(client.png(colour=(9, 9, 9))))
        cls.ada.post("wire", 10, "0b6ed5a8-6a2c-4a44-9c5f-7f8a1d4f1f0e")
        cls.ada.give("red-cross", 1, "0b6ed5a8-6a2c-4a44-9c5f-7f8a1d4f1f0f")
        cls.avatar = client.get(server, f"/v1/players/{cls.ada.id}").json()["avatar"]
        cls.public_json = [
            "/v1/games", "/v1/games/quiz", "/v1/games/quiz/boards", "/v1/games/quiz/boards/wire",
            f"/v1/players/{cls.ada.id}", f"/v1/games/quiz/boards/wire/players/{cls.ada.id}",
            "/v1/games/quiz/boards/wire/rank?points=4", "/v1/charities/red-cross"
        ]
        cls.rankings = [
            "/v1/games/quiz/boards/wire/top", f"/v1/games/quiz/boards/wire/players/{cls.ada.id}/around",
            "/v1/charities", "/v1/charities/red-cross/top", "/v1/contributors/top"
        ]
        cls.private_reads = [
            "/v1/players/me", "/v1/players/me/scores", "/v1/players/me/donations",
            "/v1/games/quiz/boards/wire/players/me", "/v1/games/quiz/boards/wire/players/me/around.json",
            score("0b6ed5a8-6a2c-4a44-9c5f-7f8a1d4f1f0e", board="wire"),
            gift("0b6ed5a8-6a2c-4a44-9c5f-7f8a1d4f1f0f")
        ]
        cls.writes = ["/v1/games/quiz/devices/" + cls.ada.device, "/v1/games/quiz/players/u-7"]

    def test_cors(self):
        for path in self.public_json + self.rankings + [self.avatar] + self.private_reads + self.writes + [
                "/v1/games/nope", "/v1/nope"
        ]:
            for method in ("GET", "HEAD", "PUT", "PATCH", "POST", "DELETE"):
                with self.subTest(path=path, method=method):
                    answer = call(server,
                                  method,
                                  path, {} if method in ("PUT", "PATCH", "POST") else None,
                                  headers=[("Origin", "https://game.example")])
                    self.assertLess(answer.status, 500, answer)
                    self.assertEqual(answer["access-control-allow-origin"], "*", answer)
                    self.assertIsNone(answer["access-control-allow-credentials"])
                    exposed = {v.strip().lower() for v in (answer["access-control-expose-headers"] or "").split(",")}
                    self.assertLessEqual({"etag", "date", "retry-after", "location", "idempotent-replayed"}, exposed)
                    if answer.status == 405:
                        self.assertIn("OPTIONS", answer["allow"])
            if "nope" in path:
                continue
            with self.subTest(path=path, method="OPTIONS"):
                answer = client.request(server, "OPTIONS", path,
                                        [("Origin", "https://game.example"), ("Access-Control-Request-Method", "PUT"),
                                         ("Access-Control-Request-Headers", "authorization, content-type")])
                self.assertEqual((answer.status, answer.body), (204, b""))
                self.assertEqual(answer["access-control-allow-origin"], "*")
                self.assertIn("authorization", answer["access-control-allow-headers"].lower(),
                              "a wildcard does not cover Authorization")
                self.assertIn("content-type", answer["access-control-allow-headers"].lower())
                self.assertIn("if-none-match", answer["access-control-allow-headers"].lower())
                allowed = {m.strip() for m in answer["access-control-allow-methods"].split(",")}
                self.assertLessEqual({"PUT"} if path in self.writes else {"GET"}, allowed)

    def test_entities(self):
        for path in self.public_json + [
                f"{p}.{s}" for p in self.rankings for s in ("xml", "json", "plist", "csv", "atom", "html")
        ] + self.rankings:
            with self.subTest(path=path):
                full = client.get(server, path)
                self.assertEqual(full.status, 200)
                self.assertRegex(full["etag"], r'^"[^"]+"$')
                self.assertEqual(full["cache-control"], v1.PUBLIC)
                vary = {v.strip().lower() for v in full["vary"].split(",")}
                self.assertEqual(vary, {"accept-encoding", "accept"} if path in self.rankings else {"accept-encoding"})
                head = client.request(server, "HEAD", path)
                self.assertEqual((head.status, head.body), (200, b""))
                for name in ("etag", "content-type", "content-length", "vary", "cache-control"):
                    self.assertEqual(head[name], full[name], name)
                self.assertEqual(client.get(server, path, If_None_Match=full["etag"]).status, 304)
                self.assertEqual(client.get(server, path, If_None_Match='"x"').status, 200)
                packed = client.get(server, path, Accept_Encoding="gzip")
                if packed["content-encoding"] == "gzip":
                    self.assertEqual(gzip.decompress(packed.body), full.body)
                    self.assertNotEqual(packed["etag"], full["etag"])
                    self.assertEqual(
                        client.get(server, path, Accept_Encoding="gzip", If_None_Match=packed["etag"]).status, 304)
                else:
                    self.assertLess(len(full.body), 1500, "a long document that is not packed")
                self.assertEqual(self.ada.get(path).body, full.body, "public routes ignore Authorization")
                self.assertEqual(self.ada.get(path)["etag"], full["etag"])
                self.assertNotEqual(full["x-content-type-options"], None)

    def test_private(self):
        for path in self.private_reads:
            with self.subTest(path=path):
                answer = self.ada.get(path, headers=[("Accept-Encoding", "gzip")])
                self.assertEqual((answer.status, answer["cache-control"]), (200, v1.PRIVATE))
                head = self.ada.call("HEAD", path)
                self.assertEqual((head.status, head.body), (200, b""))
                self.problem(client.get(server, path), 401, "unauthorized")

    def test_window_is_read_everywhere(self):
        for path in self.rankings[:2] + self.rankings[3:]:
            for window, status in (("today", 200), ("2020-01-01..2020-01-31", 200), ("2026-W47", 200), ("bad", 400),
                                   ("", 400)):
                with self.subTest(path=path, window=window):
                    answer = client.get(server, f"{path}.json?window={window}")
                    self.assertEqual(answer.status, status, answer)
                    if status == 400:
                        self.problem(answer, 400, "bad-window")
                    else:
                        said = answer.json()
                        self.assertLessEqual({"window", "from", "until", "zone", "final", "ties", "of", "rows"},
                                             set(said))
                        if window == "2020-01-01..2020-01-31":
                            self.assertEqual(said["rows"], [])

    def test_zz_nothing_private_was_ever_shown(self):
        for p in self.rankings:
            for s in ("xml", "json", "plist", "csv", "atom", "html"):
                text = client.get(server, f"{p}.{s}?limit=100").text
                for secret in (self.ada.device, self.ada.token, "@example.org", "u-7"):
                    self.assertNotIn(secret, text)
        self.assertEqual(re.findall(r"cb[dk]_[A-Za-z0-9_-]{43}", server.log()), [], "tokens in the log")

    def test_zzz_the_books_balance(self):
        server.audit()


class Limits(Case):
    def test_a_body_over_256_KiB(self):
        ada = self.player()
        for size, status in ((256 * 1024, 201), (256 * 1024 + 1, 413)):
            body = b'{"points":1' + b" " * (size - 12) + b"}"
            self.assertEqual(len(body), size)
            answer = ada.call("PUT", score(v1.new_id()), body)
            self.assertEqual(answer.status, status, answer)
        self.problem(answer, 413, "too-large")

    def test_json_is_made_for_readers_of_doubles(self):
        server.verb("board", "add", "--game", "quiz", "exact")
        ada = self.player()
        ada.post("exact", 2**53 - 1)
        self.problem(ada.post("exact", 2**53), 422, "out-of-bounds")
        self.assertEqual(
            json.loads(client.get(server, "/v1/games/quiz/boards/exact/top.json").text,
                       parse_int=float)["rows"][0]["points"], 2**53 - 1)
