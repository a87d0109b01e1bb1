"""Signed posts over sockets: by HTTP/1.1 and HTTP/2, from other sites, with a wrong clock, and after a restart."""
import base64
import email.utils
import hashlib
import hmac
import json
import time

import client
import http2
import v1
import v1_case
from v1_case import V1Case, score

BODY = b'{"points": 61500}'


def setUpModule():
    v1_case.start("signatures")
    for trust in ("signed", "server"):
        V1Case.server.verb("board", "add", "--game", "quiz", trust, "--trust", trust)


def signature(key, path, body=BODY, method="PUT", at=None):
    at = int(time.time()) if at is None else at
    text = f"v1\n{method}\n{path}\n{at}\n{hashlib.sha256(body).hexdigest()}"
    secret = base64.urlsafe_b64decode(key.removeprefix("cbs_") + "=")
    return f"t={at},v1={hmac.new(secret, text.encode(), hashlib.sha256).hexdigest()}"


class Signatures(V1Case):
    def registered(self):
        token = v1.token()
        answer = self.call("PUT", f"/v1/games/quiz/devices/{client.device()}", {"name": "Ada"}, who=token)
        return token, self.private(answer, 201)["sign_key"]

    def post(self, token, path, *signatures, body=BODY):
        return self.call("PUT", path, body, who=token, headers=[("causeboard-signature", s) for s in signatures])

    def test_the_settings_tell_of_trust(self):
        for board, trust in (("solo", "open"), ("signed", "signed"), ("server", "server")):
            self.assertEqual(self.public(f"/v1/games/quiz/boards/{board}")["trust"], trust)
        listed = {b["slug"]: b["trust"] for b in self.public("/v1/games/quiz/boards")["boards"]}
        self.assertEqual((listed["signed"], listed["solo"]), ("signed", "open"))
        table = self.server.verb("board", "list", "--game", "quiz")
        self.assertRegex(table.splitlines()[0], r"\btrust\b")
        self.assertRegex(table, r"(?m)^score +quiz +server .*\bserver\b.*\bnumber\b")

    def test_who_posts_where(self):
        token, key = self.registered()
        self.private(self.call("PUT", "/v1/games/quiz/players/u-7", {"name": "Bob"}, who=self.key), 201)
        for board, plain, signed in (("solo", 201, 201), ("signed", 401, 201), ("server", 403, 403)):
            with self.subTest(board=board):
                path = score(v1.new_id(), board=board)
                answer = self.post(token, path)
                self.assertEqual(answer.status, plain, answer)
                if plain != 201:
                    self.problem(answer, plain, "bad-signature" if plain == 401 else "server-only")
                answer = self.post(token, path, signature(key, path))
                self.assertEqual(answer.status, 200 if plain == 201 else signed, answer)
                answer = self.call("PUT", score(v1.new_id(), board=board), {"points": 5, "external": "u-7"},
                                   who=self.key)
                self.private(answer, 201)

    def test_a_retry_signs_again(self):
        token, key = self.registered()
        path = score(v1.new_id(), board="signed")
        first = self.private(self.post(token, path, signature(key, path)), 201)
        self.problem(self.post(token, path), 401, "bad-signature")
        again = self.post(token, path, signature(key, path, at=int(time.time()) - 60))
        self.assertEqual((self.private(again, 200), again["idempotent-replayed"]), (first, "true"))
        other = b'{"points": 1}'
        self.problem(self.post(token, path, signature(key, path, other), body=other), 409, "id-reused")
        self.problem(self.post(token, path, signature(key, path), body=other), 401, "bad-signature")

    def test_a_wrong_clock_is_set_by_date(self):
        token, key = self.registered()
        path = score(v1.new_id(), board="signed")
        for off in (-3600, -130, 130, 86_400):
            answer = self.post(token, path, signature(key, path, at=int(time.time()) + off))
            self.assertIn("Date", self.problem(answer, 401, "clock-skew")["detail"])
        told = int(email.utils.parsedate_to_datetime(answer["date"]).timestamp())
        self.private(self.post(token, path, signature(key, path, at=told)), 201)

    def test_a_signature_is_for_one_request(self):
        (token, key), (other, other_key) = self.registered(), self.registered()
        path = score(v1.new_id(), board="signed")
        good = signature(key, path)
        for what, answer in (
            ("another's token", self.post(other, path, good)),
            ("another's key", self.post(token, path, signature(other_key, path))),
            ("another id", self.post(token, score(v1.new_id(), board="signed"), good)),
            ("another board", self.post(token, path.replace("signed", "solo"), good)),
            ("another body", self.post(token, path, good, body=BODY + b" ")),
            ("a query", self.post(token, path + "?x=1", good)),
            ("twice", self.post(token, path, good, good)),
            ("upper case", self.post(token, path, good[:13] + good[13:].upper())),
        ):
            with self.subTest(what):
                self.problem(answer, 401, "bad-signature")
        self.private(self.post(token, path, good), 201)

    def test_http2_signs_its_path(self):
        token, key = self.registered()
        path = score(v1.new_id(), board="signed") + "?from=h2"
        more = {"authorization": f"Bearer {token}", "content-type": "application/json"}
        with http2.Connection(self.server.port) as c:
            c.request(1, "PUT", path, BODY, **more)
            self.assertIn(b"/problems/bad-signature", http2.body(c.answer(1)))
            c.request(3, "PUT", path, BODY, **more, **{"causeboard-signature": signature(key, path)})
            self.assertEqual(json.loads(http2.body(c.answer(3)))["points"], 61500)

    def test_the_absolute_form_is_signed_without_its_origin(self):
        token, key = self.registered()
        path = score(v1.new_id(), board="signed")
        target = f"http://127.0.0.1:{self.server.port}{path}"
        self.problem(self.post(token, target, signature(key, target)), 401, "bad-signature")
        self.private(self.post(token, target, signature(key, path)), 201)

    def test_other_sites_may_sign(self):
        answer = client.request(self.server, "OPTIONS", score(v1.new_id(), board="signed"),
                                [("Origin", "https://game.example"), ("Access-Control-Request-Method", "PUT"),
                                 ("Access-Control-Request-Headers", "authorization,causeboard-signature")])
        self.assertIn("causeboard-signature", answer["access-control-allow-headers"].lower())
        self.assertIn("date", answer["access-control-expose-headers"].lower())

    def test_zz_the_key_outlives_the_server(self):
        token, key = self.registered()
        self.server.terminate()
        self.server.start()
        path = score(v1.new_id(), board="signed")
        self.private(self.post(token, path, signature(key, path)), 201)

    def test_zz_wrong_signatures_shut_nobody_out(self):
        """`failed-credentials` is 20 an hour, and counts tokens alone."""
        self.server.terminate()
        self.server.start("--limits", "on")
        token, key = self.registered()
        for n in range(25):
            path = score(v1.new_id(), board="signed")
            signed = ("nonsense", signature(key, path, at=1), signature(key, path + "x"))[n % 3]
            answer = self.post(token, path, signed)
            self.problem(answer, 401, "clock-skew" if n % 3 == 1 else "bad-signature")
        statuses = {self.post(v1.token(), score(v1.new_id(), board="signed")).status for _ in range(25)}
        self.assertEqual(statuses, {401, 429}, "tokens that nobody has do count")
        path = score(v1.new_id(), board="signed")
        self.private(self.post(token, path, signature(key, path)), 201)
