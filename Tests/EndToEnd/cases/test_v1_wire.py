"""What all routes of v1 have in common: CORS, caching, privacy and limits."""
import gzip
import json
import re

import client
import v1
import v1_case
from v1_case import V1Case, donation, score


def setUpModule():
    v1_case.start("v1wire")


class Wire(V1Case):
    """CORS, caching and the rest that every route has in common."""

    @classmethod
    def setUpClass(cls):
        cls.server.verb("board", "add", "--game", "quiz", "wire")
        image = client.base64_text(client.png(colour=(9, 9, 9)))
        cls.ada = v1.Player(cls.server, "quiz", "Wire", email="wire@example.org", image=image)
        cls.ada.post("wire", 10, "0b6ed5a8-6a2c-4a44-9c5f-7f8a1d4f1f0e")
        cls.ada.donate("red-cross", 1, "0b6ed5a8-6a2c-4a44-9c5f-7f8a1d4f1f0f")
        v1.call(cls.server, "PUT", "/v1/games/quiz/players/u-7", {"name": "Seven"}, who=cls.key)
        seven = {"points": 5, "external": "u-7"}
        assert v1.call(cls.server, "PUT", score(v1.new_id(), board="wire"), seven, who=cls.key).status == 201
        cls.avatar = client.get(cls.server, f"/v1/players/{cls.ada.id}").json()["avatar"]
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
            donation("0b6ed5a8-6a2c-4a44-9c5f-7f8a1d4f1f0f")
        ]
        cls.writes = ["/v1/games/quiz/devices/" + cls.ada.device, "/v1/games/quiz/players/u-7"]

    def test_cors(self):
        for path in self.public_json + self.rankings + [self.avatar] + self.private_reads + self.writes + [
                "/v1/games/nope", "/v1/nope"
        ]:
            for method in ("GET", "HEAD", "PUT", "PATCH", "POST", "DELETE"):
                with self.subTest(path=path, method=method):
                    answer = self.call(method,
                                       path, {} if method in ("PUT", "PATCH", "POST") else None,
                                       headers=[("Origin", "https://game.example")])
                    self.assertLess(answer.status, 500, answer)
                    self.assertEqual(answer["access-control-allow-origin"], "*", answer)
                    self.assertIsNone(answer["access-control-allow-credentials"])
                    exposed = {v.strip().lower() for v in (answer["access-control-expose-headers"] or "").split(",")}
                    self.assertEqual({"etag", "date", "retry-after", "location", "idempotent-replayed", "request-id"},
                                     exposed)
                    if answer.status == 405:
                        self.assertIn("OPTIONS", answer["allow"])
            if "nope" in path:
                continue
            with self.subTest(path=path, method="OPTIONS"):
                answer = client.request(self.server, "OPTIONS", path,
                                        [("Origin", "https://game.example"), ("Access-Control-Request-Method", "PUT"),
                                         ("Access-Control-Request-Headers", "authorization, content-type")])
                self.assertEqual((answer.status, answer.body), (204, b""))
                self.assertEqual(answer["access-control-allow-origin"], "*")
                named = {name.strip() for name in answer["access-control-allow-headers"].lower().split(",")}
                # A wildcard does not cover Authorization.
                self.assertEqual({"authorization", "content-type", "if-match", "if-none-match", "last-event-id",
                                  "causeboard-signature"}, named)
                allowed = {m.strip() for m in answer["access-control-allow-methods"].split(",")}
                self.assertLessEqual({"PUT"} if path in self.writes else {"GET"}, allowed)
        for path in ("/v1/players/me/saves/a", "/v1/players/me/devices/1", donation(v1.new_id())):
            answer = client.request(self.server, "OPTIONS", path)
            self.assertIn("DELETE", {m.strip() for m in answer["access-control-allow-methods"].split(",")}, path)

    def test_entities(self):
        for path in self.public_json + [
                f"{p}.{s}" for p in self.rankings for s in ("xml", "json", "plist", "csv", "atom", "html")
        ] + self.rankings:
            with self.subTest(path=path):
                full = client.get(self.server, path)
                self.assertEqual(full.status, 200)
                self.assertRegex(full["etag"], r'^"[^"]+"$')
                self.assertEqual(full["cache-control"], v1.PUBLIC)
                vary = {v.strip().lower() for v in full["vary"].split(",")}
                self.assertEqual(vary, {"accept-encoding", "accept"} if path in self.rankings else {"accept-encoding"})
                head = client.request(self.server, "HEAD", path)
                self.assertEqual((head.status, head.body), (200, b""))
                for name in ("etag", "content-type", "content-length", "vary", "cache-control"):
                    self.assertEqual(head[name], full[name], name)
                self.assertEqual(client.get(self.server, path, If_None_Match=full["etag"]).status, 304)
                self.assertEqual(client.get(self.server, path, If_None_Match='"x"').status, 200)
                packed = client.get(self.server, path, Accept_Encoding="gzip")
                if packed["content-encoding"] == "gzip":
                    self.assertEqual(gzip.decompress(packed.body), full.body)
                    self.assertNotEqual(packed["etag"], full["etag"])
                    self.assertEqual(
                        client.get(self.server, path, Accept_Encoding="gzip", If_None_Match=packed["etag"]).status, 304)
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
                self.problem(client.get(self.server, path), 401, "unauthorized")

    def test_window_is_read_everywhere(self):
        for path in self.rankings[:2] + self.rankings[3:]:
            for window, status in (("today", 200), ("2020-01-01..2020-01-31", 200), ("2026-W47", 200), ("bad", 400),
                                   ("", 400)):
                with self.subTest(path=path, window=window):
                    answer = client.get(self.server, f"{path}.json?window={window}")
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
                text = client.get(self.server, f"{p}.{s}?limit=100").text
                for secret in (self.ada.device, self.ada.token, "@example.org", "u-7"):
                    self.assertNotIn(secret, text)
        self.assertEqual(re.findall(r"cb[dk]_[A-Za-z0-9_-]{43}", self.server.log()), [], "tokens in the log")


class Limits(V1Case):
    def test_a_body_over_256_KiB(self):
        ada = self.player()
        for size, status in ((256 * 1024, 201), (256 * 1024 + 1, 413)):
            body = b'{"points":1' + b" " * (size - 12) + b"}"
            self.assertEqual(len(body), size)
            answer = ada.call("PUT", score(v1.new_id()), body)
            self.assertEqual(answer.status, status, answer)
        self.problem(answer, 413, "too-large")

    def test_json_is_made_for_readers_of_doubles(self):
        self.server.verb("board", "add", "--game", "quiz", "exact")
        ada = self.player()
        ada.post("exact", 2**53 - 1)
        self.problem(ada.post("exact", 2**53), 422, "out-of-bounds")
        self.assertEqual(
            json.loads(client.get(self.server, "/v1/games/quiz/boards/exact/top.json").text,
                       parse_int=float)["rows"][0]["points"], 2**53 - 1)
