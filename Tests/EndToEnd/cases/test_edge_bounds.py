"""Hostile texts at the edge: long runs of combining marks, which are slow to normalize, in every field of every route,
and targets, headers, queries, cursors and bodies beyond their bounds. Each is refused with a sentence, and nobody else
waits for it."""
import json
import os
import threading
import time
import urllib.parse
import uuid

import admin
import client
import http2
import v1
import v1_case
from v1_case import V1Case

MARKS = "\u0301\u0323" * 50_000          # 200 KB, whose marks have to be sorted
ESCAPED_MARKS = "%CC%81%CC%A3" * 600     # as many as fit into a target
WORK_SECONDS_MAX = 1.0                   # for one request; the texts made it several
DELAY_SECONDS_MAX = 2.0                  # of work while a post beside waits; the texts made it 5 s each


def setUpModule():
    v1_case.start("edge-bounds")
    V1Case.server.verb("game", "set", "default", "--salt", client.SALT)


def worked(server):
    """For how many seconds the server has had a processor, as the system counts them."""
    with open(f"/proc/{server.process.pid}/stat") as f:
        fields = f.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Polite:
    """A player who posts and donates all the while, and notes for how long the slowest write waited while the server
    worked: on a busy machine it waits for others as well."""

    def __init__(self, case):
        self.case = case
        self.player = case.player("Polite")
        self.stop = threading.Event()
        self.seconds_max = 0
        self.refused = []
        self.count = 0
        self.thread = threading.Thread(target=self.run, daemon=True)

    def run(self):
        with client.Connection(self.case.server) as connection:
            while not self.stop.is_set():
                path = v1_case.score(v1.new_id())
                begun, worked_before = time.monotonic(), worked(self.case.server)
                try:
                    answer = v1.call(connection, "PUT", path, {"points": 1}, who=self.player.token)
                except (OSError, client.Broken) as e:
                    self.refused.append(e)
                    return
                elapsed = time.monotonic() - begun
                self.seconds_max = max(self.seconds_max, min(elapsed, worked(self.case.server) - worked_before))
                self.count += 1
                if answer.status != 201:
                    self.refused.append(answer)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stop.set()
        self.thread.join(30)

    def check(self):
        self.case.assertGreater(self.count, 0)
        self.case.assertEqual(self.refused, [])
        self.case.assertLess(self.seconds_max, DELAY_SECONDS_MAX, "the slowest post beside")


class EdgeBounds(V1Case):
    def refused(self, answer, *statuses):
        """A clear refusal: one of the statuses, with a sentence."""
        self.assertIn(answer.status, statuses, answer)
        if answer.media == "application/problem+json":
            self.assertGreater(len(answer.json()["detail"]), 20, answer)
        elif answer.body:
            self.assertGreater(len(answer.field("error")), 20, answer)
        self.assertLess(len(answer.body), 2_000, "no refusal repeats what was sent")

    def test_texts_of_classic_forms(self):
        phone = client.Phone(self.server)
        self.assertEqual(phone.register("Ada").status, 201)
        base = {"name": "Ada", "phone": phone.udid, "email": "a@example.org", "fb_uid": "1", "image": ""}
        score = {"phone": phone.udid, "points": "1", "board": "high-scores", "id": v1.new_id()}
        donation = {"phone": phone.udid, "charity": "oxfam", "donated_points": "1", "id": v1.new_id()}
        high = {"high_score[auth_token]": "x", "high_score[player_name]": "Ada", "high_score[total_score]": "1",
                "high_score[iphone_udid]": phone.udid}
        routes = [("/customers", base, ("name", "phone", "email", "fb_uid", "image")),
                  ("/scores", score, ("phone", "points", "board", "id")),
                  ("/donations", donation, ("phone", "charity", "donated_points", "id")),
                  ("/high_scores", high, tuple(high))]
        with Polite(self) as polite:
            for path, fields, names in routes:
                for name in names:
                    with self.subTest(path=path, field=name):
                        # What is before the marks is the beginning of a good value.
                        for start in ("", fields[name][:4]):
                            body = client.unescaped({**fields, name: start + MARKS})
                            self.refused(client.request(self.server, "POST", path, (), body), 400, 422)
        polite.check()

    def test_texts_of_v1_bodies(self):
        ada = self.player("Ada")
        device = f"/v1/games/quiz/devices/{client.device()}"
        register = {"name": "Bea", "email": "b@example.org", "country": "NZ", "image": "AAAA"}
        calls = [("PUT", device, register, v1.token(), tuple(register)),
                 ("PATCH", "/v1/players/me", register, ada.token, tuple(register)),
                 ("PUT", "/v1/games/quiz/players/bea", register, self.key, tuple(register)),
                 ("PUT", v1_case.score(v1.new_id()), {"points": 1, "played_at": "2026-11-21T10:00:00Z", "detail": {}},
                  ada.token, ("points", "played_at", "detail")),
                 ("PUT", v1_case.score(v1.new_id()), {"points": 1, "external": "bea"}, self.key,
                  ("player", "external")),
                 ("PUT", v1_case.donation(v1.new_id()), {"points": 1}, ada.token, ("points", "player"))]
        with Polite(self) as polite:
            for method, path, fields, who, names in calls:
                for name in names:
                    with self.subTest(path=path, field=name):
                        body = {**fields, name: str(fields.get(name, ""))[:3] + MARKS}
                        self.refused(self.call(method, path, body, who=who), 400, 422)
                        form = client.unescaped({k: str(v) for k, v in body.items()})
                        answer = self.call(method, path, form, who=who, type="application/x-www-form-urlencoded")
                        self.refused(answer, 400, 422)
            with self.subTest("a name of a member, and a value that nobody asks for"):
                self.refused(self.call("PUT", device, {MARKS: 1}, who=v1.token()), 422)
                self.refused(self.call("PUT", device, {"x": MARKS}, who=v1.token()), 422)
        polite.check()

    def test_targets(self):
        long = "a" * 70_000
        with Polite(self) as polite:
            for path in (f"/{long}", f"/v1/games/{long}", f"/TopScores?{long}", f"/v1/players/me/scores?after={long}",
                         f"/v1/games/quiz/boards/solo/top.json?x={ESCAPED_MARKS * 9}",
                         f"http://127.0.0.1/v1/games/{long}"):
                with self.subTest(path=path[:40]):
                    self.refused(client.get(self.server, path), 414)
            for path in ("/v1/games/é", "/TopScores?charity=" + MARKS[:1_000]):
                with self.subTest(path=path[:40]):
                    answer = client.raw(self.server, f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
                    self.assertEqual(answer.status, 400, answer)
            for method, path, statuses in [
                    ("PUT", f"/v1/games/quiz/devices/{ESCAPED_MARKS}", (400,)),
                    ("PUT", v1_case.score(ESCAPED_MARKS), (400, 401)),
                    ("GET", f"/v1/games/quiz/boards/solo/players/{ESCAPED_MARKS}", (404,)),
                    ("GET", f"/v1/games/{ESCAPED_MARKS}/boards/solo/top.json", (404,)),
                    ("GET", f"/v1/games/quiz/boards/solo/top.{ESCAPED_MARKS}", (404,)),
                    ("GET", f"/v1/avatars/{ESCAPED_MARKS}.png", (404,))]:
                with self.subTest(path=path[:60]):
                    self.refused(self.call(method, path, {} if method == "PUT" else None), *statuses)
        polite.check()

    def test_queries(self):
        board = "/v1/games/quiz/boards/solo"
        with Polite(self) as polite:
            for name in ("window", "season", "limit", "after", "before", "from", "players"):
                for start in ("", "all", "1"):
                    with self.subTest(name=name, start=start):
                        self.refused(client.get(self.server, f"{board}/top.json?{name}={start}{ESCAPED_MARKS}"), 400)
            for query in ("charity=", "image=embed", "window=week"):
                with self.subTest(query=query):
                    answer = client.get(self.server, f"/TopScores.json?{query}{ESCAPED_MARKS}")
                    self.refused(answer, 400, 404)
            self.refused(client.get(self.server, f"{board}/rank?points=1{ESCAPED_MARKS}"), 400)
            self.refused(client.get(self.server, f"{board}/top.json?after={'A' * 8_000}"), 400)
            self.refused(client.get(self.server, f"{board}/top.json?after={'A' * 60_000}"), 414)
            many = "&".join(f"p{n}=1" for n in range(1_500))[:8_000]
            self.refused(client.get(self.server, f"{board}/top.json?{many}"), 400)
            wanted = client.get(self.server, f"{board}/top.json?limit=1")
            self.assertEqual(wanted.status, 200)
            for query in (f"limit=1&x={ESCAPED_MARKS}", f"{urllib.parse.quote('é')}=1&limit=1", "limit=2&limit=1"):
                with self.subTest(query=query[:40]):
                    answer = client.get(self.server, f"{board}/top.json?{query}")
                    self.assertEqual(answer.status, 200, answer)
                    self.assertEqual(answer.json()["rows"], wanted.json()["rows"])
        polite.check()

    def test_headers(self):
        ada = self.player("Ada")
        with Polite(self) as polite:
            for name in ("Accept", "Accept-Encoding", "Accept-Language", "Access-Control-Request-Headers", "If-Match",
                         "If-None-Match", "Authorization", "Causeboard-Signature", "Connection", "Content-Encoding",
                         "Content-Type", "Last-Event-ID", "Origin", "Proxy-Connection", "Sec-Fetch-Site"):
                for value in ("a" * 60_000, "a/b," * 15_000, MARKS[:15_000]):
                    with self.subTest(name=name, value=value[:5]):
                        answer = client.request(self.server, "GET", "/v1/charities", [(name, value)])
                        self.refused(answer, 431)
                with self.subTest(name=name, value="repeated"):
                    answer = client.request(self.server, "GET", "/v1/charities", [(name, "a" * 100)] * 30)
                    self.refused(answer, 431)
            hostile = MARKS[:900]
            for name in ("Accept", "If-Match", "If-None-Match"):
                answer = client.request(self.server, "GET", "/v1/charities", [(name, hostile)])
                self.assertEqual(answer.status, 200, f"{name}: {answer!r}")
            for name in ("Accept-Encoding", "Accept-Language", "Access-Control-Request-Headers", "Authorization",
                         "Causeboard-Signature", "Connection", "Content-Encoding", "Last-Event-ID", "Origin",
                         "Proxy-Connection", "Sec-Fetch-Site"):
                with self.subTest(name=name, value="not ASCII"):
                    answer = client.request(self.server, "GET", "/v1/charities", [(name, hostile)])
                    self.refused(answer, 400)
                    self.assertEqual(answer.json()["field"].lower(), name.lower())
            self.assertEqual(client.get(self.server, "/v1/charities", Cookie="a" * 60_000).status, 200)
            self.assertEqual(ada.get("/v1/players/me", headers=[("X-Unknown", MARKS[:30_000])]).status, 200)
        polite.check()

    def cheap(self, what, ask, *statuses):
        """Sends something hostile and waits for the refusal, which takes the server hardly any work."""
        with self.subTest(what):
            before = worked(self.server)
            self.refused(ask(), *statuses)
            self.assertLess(worked(self.server) - before, WORK_SECONDS_MAX, "what the server worked for it")

    def test_texts_that_are_compared(self):
        """Whatever the server compares is bounded first, or compared by its bytes: comparing 100,000 marks as text
        takes seconds, and some of it would happen in a transaction."""
        ada, eve = self.player("Ada"), self.player("Eve")
        head = MARKS[:36_000]       # as many bytes as fit into a head
        for name in ("Connection", "Proxy-Connection"):
            self.cheap(name, lambda name=name: client.request(self.server, "GET", "/healthz", [(name, head)]), 431)
        body = {"confirm": MARKS}
        self.cheap("confirm", lambda: ada.call("POST", "/v1/players/me/erasure", body), 422)
        base = {"confirm": "Ada" + MARKS[:100_000]}
        self.cheap("confirm of one letter",
                   lambda: ada.call("POST", "/v1/players/me/erasure", base), 422)
        report = f"/v1/players/{eve.id}/report"
        self.cheap("why", lambda: ada.call("POST", report, {"why": MARKS}), 422)
        self.cheap("If-Match", lambda: ada.call("DELETE", "/v1/players/me/saves/a", headers=[("If-Match", head)]), 431)
        self.cheap("device", lambda: ada.call("DELETE", f"/v1/players/me/devices/{ESCAPED_MARKS}"), 404)
        listener = self.server.admin()
        root = admin.Operator(listener, admin.make_key(self.server))
        for name in ("Origin", "Sec-Fetch-Site"):
            self.cheap(f"{name} of operators",
                       lambda name=name: client.request(listener, "GET", "/v1/admin/games", [(name, head)]), 431)
        action = {"do": MARKS, "on": {"player": ada.id}, "reason": "x"}
        self.cheap("do", lambda: root.call("PUT", f"acts/{uuid.uuid4()}", action), 422)
        form = [("Content-Type", "application/x-www-form-urlencoded")]
        key = ("key=\r" + MARKS[:32_000]).encode()
        before = worked(self.server)
        answer = client.request(listener, "POST", "/admin/sign-in", form, key)
        self.assertEqual((answer.status, answer.media), (401, "text/html"))
        self.assertLess(worked(self.server) - before, WORK_SECONDS_MAX, "what a sign-in compares")
        before = worked(self.server)
        with http2.Connection(self.server.port) as connection:
            connection.request(1, "PUT", "/v1/nowhere", body=b"", expect=MARKS[:7_000])
            self.assertIn(b"/problems/header-too-long", http2.body(connection.answer(1)))
        self.assertLess(worked(self.server) - before, WORK_SECONDS_MAX, "what HTTP/2 compares")

    def test_bodies_of_many_fields(self):
        path = v1_case.score(v1.new_id())
        ada = self.player("Ada")
        with Polite(self) as polite:
            members = {f"k{n}": 1 for n in range(20_000)}
            self.refused(self.call("PUT", path, members, who=ada.token), 400)
            same = b"{" + b",".join([b'"points":1'] * 20_000) + b"}"
            self.refused(self.call("PUT", path, same, who=ada.token), 400)
            form = b"points=1&" * 25_000
            self.refused(self.call("PUT", path, form, who=ada.token, type="application/x-www-form-urlencoded"), 400)
            self.refused(client.request(self.server, "PUT", "/donations", (), b"&" * 250_000), 400)
            deep = {"points": 1, "x": [[1] * 20_000, "\\u0301" * 1_000]}
            self.assertEqual(self.call("PUT", path, deep, who=ada.token).status, 201, "nested values are passed over")
            escapes = json.dumps({"points": "\U0001F600" * 18_000}).encode()
            self.refused(self.call("PUT", path, escapes, who=ada.token), 422)
        polite.check()

    def test_pictures_of_nobody(self):
        broken = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAAElFTkSuQmCC"
        for method, path, who in (("PATCH", "/v1/players/me", v1.token()),
                                  ("PUT", "/v1/games/quiz/players/bea", self.other_key)):
            with self.subTest(path=path):
                answer = self.call(method, path, {"name": "Bea", "image": broken}, who=who)
                self.refused(answer, 401, 403)
