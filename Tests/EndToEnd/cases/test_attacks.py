"""Attacks on what belongs to somebody else, and on what is kept and shown, one by one and by their names. What a flood
does to others is in test_floods."""
import csv
import io
import json
import statistics
import struct
import time
import unittest
import uuid
import xml.etree.ElementTree as ET
import zlib

import admin
import client
import feeds
import v1
from admin import Operator
from server import Server
from v1 import call

TOP = "/v1/games/maze/boards/lap/top"

server = mallory = ada = key = other_key = None


def setUpModule():
    global server, mallory, ada, key, other_key
    server = Server("attacks")
    for game in ("maze", "chess"):
        server.verb("game", "add", game, "--name", game.title())
        server.verb("board", "add", "--game", game, "lap", "--earns", "fixed:10")
    server.verb("board", "add", "--game", "maze", "second", "--earns", "fixed:10")
    server.verb("charity", "add", "whales", "--name", "Whales")
    key, other_key = v1.make_key(server, "maze"), v1.make_key(server, "chess")
    ada = v1.Player(server, "maze", "Ada", email="ada@example.org")
    mallory = v1.Player(server, "maze", "Mallory")
    assert ada.post("lap", 50).status == 201
    assert mallory.post("lap", 10).status == 201


def tearDownModule():
    server.audit()
    server.stop()


def score(id=None, game="maze", board="lap"):
    return f"/v1/games/{game}/boards/{board}/scores/{id or uuid.uuid4()}"


def donation(id=None):
    return f"/v1/charities/whales/donations/{id or uuid.uuid4()}"


class Attack(unittest.TestCase):
    def books(self):
        """Everything that an attack must not change of Ada's."""
        me = ada.get("/v1/players/me").json()
        return {name: me[name] for name in ("player", "left") if name in me}, ada.get(
            "/v1/games/maze/boards/lap/players/me").json()["points"]

    def setUp(self):
        self.before = self.books()
        self.addCleanup(lambda: self.assertEqual(self.books(), self.before))

    def refused(self, answer, *statuses):
        self.assertIn(answer.status, statuses, answer)
        return answer


class SomebodyElses(Attack):
    def test_player(self):
        for body in ({"points": 99, "player": ada.id}, {"points": 99, "player": str(ada.id)},
                     {"points": 99, "external": "x"}):
            self.refused(mallory.call("PUT", score(), body), 403)
            self.refused(mallory.call("PUT", donation(), body), 403)
        for path in (f"/v1/players/{ada.id}", f"/v1/games/maze/players/{ada.id}"):
            self.refused(mallory.call("PATCH", path, {"name": "Stolen"}), 401, 403, 404, 405)
            self.refused(mallory.call("PUT", path, {"name": "Stolen"}), 401, 403, 404, 405)

    def test_device(self):
        answer = call(server, "PUT", f"/v1/games/maze/devices/{ada.device}", {"name": "Stolen"}, who=mallory.token)
        self.refused(answer, 401, 403, 409)
        answer = call(server, "PUT", f"/v1/games/maze/devices/{ada.device}", {"name": "Stolen"})
        self.refused(answer, 401, 403, 409)
        self.assertNotIn("token", answer.json())

    def test_score_id(self):
        """An id of one player says nothing about, and costs nothing to, another."""
        id = v1.new_id()
        self.assertEqual(mallory.post("lap", 3, id).status, 201)
        self.assertEqual(call(server, "GET", score(id), who=ada.token).status, 404)
        other = v1.Player(server, "maze", "Bob")
        self.assertEqual(other.post("lap", 4, id).status, 201)
        self.assertEqual(call(server, "GET", score(id), who=other.token).json()["points"], 4)

    def test_board_and_game(self):
        for path in (score(game="chess"), "/v1/games/chess/boards/lap/players/me"):
            self.refused(mallory.call("PUT" if "scores" in path else "GET", path, {"points": 1}), 401, 403, 404)
        self.refused(mallory.call("PUT", score(board="none"), {"points": 1}), 404)

    def test_key_of_another_game(self):
        for path, body in ((score(), {"points": 99, "player": ada.id}), (donation(), {"points": 5, "player": ada.id}),
                           ("/v1/games/maze/players/u-1", {"name": "Eve"})):
            self.refused(call(server, "PUT", path, body, who=other_key), 403, 404)

    def test_invented_keys_and_tokens(self):
        for invented in ("cbk_" + v1.token()[4:], v1.token(), "cbd_", "cbk_" + "A" * 43, key[:-1], key + "A",
                         key.upper(), "Bearer", "null", "\u00e9", key.replace("cbk_", "cbd_")):
            statuses = (401, 403) if invented.isascii() else (400,)
            for path, body in ((score(), {"points": 99, "player": ada.id}),
                               (donation(), {"points": 5, "player": ada.id})):
                self.refused(call(server, "PUT", path, body, who=invented), *statuses)
            self.refused(call(server, "GET", "/v1/players/me", who=invented), *statuses)

    def test_classic_writes_where_classic_is_off(self):
        server.verb("game", "set", "default", "--classic", "off")
        self.addCleanup(server.verb, "game", "set", "default", "--classic", "open")
        phone = client.Phone(server)
        self.assertGreaterEqual(phone.register("Eve").status, 400)
        phone.close()


class Enumeration(Attack):
    def test_e_mails(self):
        """Registering under an address that is taken, or not, is answered alike."""
        answers = [
            call(server, "PUT", f"/v1/games/maze/devices/{client.device()}", {"name": "N", "email": email})
            for email in ("ada@example.org", "nobody@example.org")
        ]
        shapes = [(a.status, sorted(a.json()), sorted(a.json()["player"])) for a in answers]
        self.assertEqual(shapes[0], shapes[1])
        for answer in answers:
            self.assertNotIn("example.org", answer.text)

    def test_devices(self):
        """Who guesses a device id without its token learns no name and no player."""
        answer = call(server, "PUT", f"/v1/games/maze/devices/{ada.device}", {"name": "Guess"}, who=v1.token())
        self.assertGreaterEqual(answer.status, 400)
        self.assertNotIn("Ada", answer.text)
        self.assertNotIn(str(ada.id), answer.text)

    def test_players_ids_cannot_be_walked(self):
        found = [id for id in range(ada.id - 20, ada.id + 21)
                 if id not in (ada.id, mallory.id) and client.get(server, f"/v1/players/{id}").status == 200]
        self.assertEqual(found, [])

    def test_time_of_a_token_tells_nothing(self):
        """A token that shares its beginning with a real one is refused as fast as any other: tokens are looked up by
        their hash. The bound is wide; it finds a comparison that stops at the first difference only when repeated
        guesses could. Others on the machine may slow one of the two down, but hardly three times."""
        near = ada.token[:-4] + ("AAAA" if not ada.token.endswith("AAAA") else "BBBB")
        far = v1.token()

        def ratio():
            times = {near: [], far: []}
            with client.Connection(server) as c:
                for _ in range(60):
                    for token in times:
                        began = time.perf_counter()
                        self.assertIn(call(c, "GET", "/v1/players/me", who=token).status, (401, 429))
                        times[token].append(time.perf_counter() - began)
            middle = [statistics.median(each) for each in times.values()]
            return max(middle) / min(middle)
        ratios = [ratio()]
        while ratios[-1] >= 2 and len(ratios) < 3:
            ratios.append(ratio())
        self.assertLess(ratios[-1], 2, ratios)


class Paths(Attack):
    def test_tricks(self):
        for path in ("//v1/players/me", "/v1//players/me", "/v1/players/./me", "/v1/players/../players/me",
                     "/v1/players/%2e%2e/me", "/v1/players/me/", "/V1/players/me", "/v1/players/me%00",
                     "/v1/players/me;x", "/v1/players/me%2Fscores", "/v1/games/..%2f..%2fetc%2fpasswd", "/%",
                     "/v1/games/%ff/boards/lap/top", "/../../etc/passwd", "/v1/avatars/../../../secret.png"):
            answer = mallory.get(path)
            self.assertIn(answer.status, (400, 404), path)
            self.assertNotIn("root:", answer.text)

    def test_methods_that_are_not_served(self):
        for method in ("TRACE", "TRACK", "DELETE", "PROPFIND", "FOO", "get"):
            self.assertIn(mallory.call(method, "/v1/players/me").status, (400, 404, 405, 501), method)

    def test_a_method_is_not_overridden(self):
        headers = [("X-HTTP-Method-Override", "PATCH"), ("X-Method-Override", "PATCH"), ("X-Original-URL", "/metrics"),
                   ("X-Rewrite-URL", "/metrics"), ("X-Forwarded-Host", "evil.example")]
        plain = client.get(server, TOP + ".json")
        with client.Connection(server) as c:
            answer = c.request("GET", TOP + ".json", headers)
        self.assertEqual((answer.status, answer.body), (plain.status, plain.body))


class Smuggling(Attack):
    """Two readers of one stream of bytes must never see different requests in it."""

    def test_ambiguous_lengths(self):
        hidden = b"PUT /customers HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nname"
        for head in (b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
                     b"Content-Length: 5\r\nContent-Length: 6\r\n",
                     b"Content-Length: 5, 6\r\n", b"Content-Length: +5\r\n", b"Content-Length: 0x5\r\n",
                     b"Content-Length: -1\r\n", b"Content-Length : 5\r\n", b"Transfer-Encoding: xchunked\r\n",
                     b"Transfer-Encoding: chunked, identity\r\n", b"Transfer-Encoding:\x0bchunked\r\n",
                     b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
                     b"X: y\r\n Transfer-Encoding: chunked\r\n", b"Content-Length: 99999999999999999999\r\n"):
            with client.Connection(server, seconds=35) as c:
                c.send(b"PUT /scores HTTP/1.1\r\nHost: a\r\n" + head + b"\r\n0\r\n\r\n" + hidden)
                statuses = []
                try:
                    while len(statuses) < 4:
                        statuses.append(c.receive("PUT").status)
                        if c.socket is None:
                            break
                except (client.Broken, OSError):
                    pass
                self.assertTrue(statuses, head)
                self.assertEqual(statuses[0], 400, head)
                self.assertNotIn(201, statuses, head)
                self.assertEqual(len(statuses), 1, f"{head}: nothing behind it is read")

    def test_line_ends_and_controls(self):
        for raw in (b"GET /healthz HTTP/1.1\nHost: a\n\n", b"GET /healthz HTTP/1.1\r\nHost: a\r\nX: a\x00b\r\n\r\n",
                    b"GET /healthz HTTP/1.1\r\nHost: a\r\nX: a\rInjected: b\r\n\r\n",
                    b"GET /healthz HTTP/9.9\r\nHost: a\r\n\r\n", b"GET /health z HTTP/1.1\r\nHost: a\r\n\r\n",
                    b"GET /healthz\r\n\r\n", b"\r\n\r\n\r\nGET\r\n\r\n",
                    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"):
            with client.Connection(server) as c:
                c.send(raw)
                c.socket.shutdown(1)
                try:
                    answer = c.receive("GET")
                except (client.Broken, OSError):
                    continue
                self.assertIn(answer.status, (200, 400), raw)
                self.assertIsNone(answer["injected"])


class Injection(Attack):
    SQL = "'); drop table score; --"
    XML = "]]><x a='\"'>&amp;&#0;<!ENTITY>"
    HTML = "<script>alert(1)</script>"

    def name_player(self, name):
        return v1.Player(server, "maze", name)

    def test_sql(self):
        players = [self.name_player(self.SQL), self.name_player("a'\"\\;$1")]
        for text in (self.SQL, "1 or 1=1", "$$", "\\", "%27"):
            for path in (f"/v1/games/{text}/boards/lap/top", f"{TOP}?window={text}", f"{TOP}?players={text}",
                         f"{TOP}?after={text}"):
                path = path.replace(" ", "%20").replace('"', "%22").replace("\\", "%5C")
                self.assertIn(client.get(server, path).status, (400, 404), path)
        for player in players:
            self.assertEqual(player.post("second", 5).status, 201)
        self.assertGreaterEqual(int(server.psql("select count(*) from score")[0][0]), 4)

    def test_markup_in_every_format(self):
        names = [self.XML[:30], self.HTML[:32], "\"onload=\"x", "--><b>", "'+alert(1)+'"]
        for points, name in enumerate(names):
            self.assertEqual(self.name_player(name).post("second", 1000 + points).status, 201)
        top = "/v1/games/maze/boards/second/top"
        shown = {row["name"] for row in client.get(server, top + ".json").json()["rows"]}
        self.assertLessEqual(set(names), shown)
        for suffix in (".xml", ".atom", ".plist"):
            texts = set(ET.fromstring(client.get(server, top + suffix).content).itertext())
            for name in names:
                self.assertTrue(any(name in text for text in texts), f"{suffix} {name}")
        page = client.get(server, top + ".html").text
        self.assertNotIn("<script>alert", page)
        self.assertNotIn("<b>", page)

    def test_csv_formulas(self):
        """What a spreadsheet would run is a text there, also where it ends cells at semicolons."""
        formulas = ["=HYPERLINK(\"//e.x\")", "+cmd|'/C calc'!A0", "@SUM(1)", "-2+x|y!A0", "＝SUM(1)", "＠SUM（1）", "=1+1",
                    "+A1", "-2", "@x", "a;=cmd|x;"]
        for points, name in enumerate(formulas):
            self.assertEqual(self.name_player(name).post("second", 5000 + points).status, 201, name)
        self.assertEqual(self.name_player("Mail").call("PATCH", "/v1/players/me",
                                                       {"email": "+1@example.org", "send_updates": True}).status, 200)
        operator = Operator(server.admin(), admin.make_key(server))
        told = {"feed": client.get(server, "/v1/games/maze/boards/second/top.csv").text,
                "admin": operator.get("players.csv?game=maze&name=%3D1%2B1").text,
                "export": server.verb("export", "subscribers")}
        for place, text in told.items():
            for row in csv.reader(io.StringIO(text, newline="")):
                for cell in row:
                    for start in cell.split(";"):
                        self.assertNotRegex(start, r"^[\s\"]*[=+@＝＠]|^[\s\"]*-(?!\d+$)", place)
        cells = {feeds.plain_csv(cell) for row in csv.reader(io.StringIO(told["feed"], newline="")) for cell in row}
        self.assertLessEqual(set(formulas), cells)
        self.assertIn("'-2", told["feed"])
        self.assertIn("'=1+1", told["admin"])
        self.assertIn("'+1@example.org", told["export"])

    def test_log_lines(self):
        before = len(server.log())
        for path in ("/v1/x%0aINFO%20forged", "/x%1b%5b31m", "/%0d%0aSet-Cookie:%20a=b"):
            answer = client.get(server, path)
            self.assertIsNone(answer["set-cookie"])
        call(server, "PUT", score(), {"points": 1, "name": "x\nINFO forged"}, who=mallory.token)
        added = server.log()[before:]
        self.assertNotIn("\x1b", added)
        self.assertFalse([line for line in added.splitlines() if line.startswith("INFO forged")])

    def test_header_values_are_not_echoed_raw(self):
        answer = call(server, "PUT", score(), {"points": 1}, who=mallory.token,
                      headers=[("Origin", "https://evil.example"), ("Request-Id", "a b<script>")])
        for name, value in answer.headers:
            self.assertNotIn("evil.example", value, name)
            self.assertNotIn("<script>", value, name)


class Bombs(Attack):
    def picture(self, data):
        return mallory.call("PATCH", "/v1/players/me", {"image": client.base64_text(data)})

    def test_pictures(self):
        huge = self.flat_png(30_000, 30_000)
        self.assertLess(len(huge), 120_000)
        for bomb in (huge, self.flat_png(1_024, 200_000), self.flat_png(0, 0), self.flat_png(2**31 - 1, 1),
                     client.png()[:-30], client.png()[:33] + b"\0" * 100_000,
                     client.JPEG[:200] + client.JPEG[200:] * 40,
                     b"GIF89a" + b"\xff" * 1000, b"<svg xmlns='http://www.w3.org/2000/svg'/>"):
            answer = self.picture(bomb)
            self.assertIn(answer.status, (200, 413, 422), f"{bomb[:20]!r} {answer!r}")
        self.assertEqual(self.picture(client.png()).status, 200)

    @staticmethod
    def flat_png(width, height):
        """A PNG that claims to be large and holds at most 100 KiB."""
        def chunk(kind, data):
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        rows = zlib.compressobj(9)
        packed = rows.compress(b"\0" * 40_000_000) + rows.flush()
        return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)) +
                chunk(b"IDAT", packed) + chunk(b"IEND", b""))

    def test_a_compressed_body_is_not_inflated(self):
        bomb = zlib.compress(b"\0" * 50_000_000, 9)
        for coding in ("gzip", "deflate", "br"):
            answer = call(server, "PUT", score(), bomb, who=mallory.token, headers=[("Content-Encoding", coding)])
            self.assertIn(answer.status, (400, 413, 415), coding)

    def test_deep_and_wide_json(self):
        wide = b'{"points":1,' + b",".join(b'"k%d":0' % number for number in range(20_000)) + b"}"
        for body in (b'{"points":' + b"[" * 100_000 + b"]" * 100_000 + b"}", b'{"a":' * 40_000,
                     b'{"points":1e99999999999}', b'{"points":' + b"9" * 200_000 + b"}",
                     b'{"name":"' + b"\\ud83d" * 30_000 + b'","points":1}'):
            self.assertIn(call(server, "PUT", score(), body, who=mallory.token).status, (400, 413, 422), body[:30])
        self.assertIn(call(server, "PUT", score(), wide, who=mallory.token).status, (201, 400, 413, 422))

    def test_keys_that_would_collide_in_a_weak_hash(self):
        """Names of one length that differ in two letters which a polynomial hash adds up to the same."""
        names = [""]
        for _ in range(12):
            names = [name + pair for name in names for pair in ("Aa", "BB")]
        body = ("{" + ",".join(f'"{name}":0' for name in names) + ',"points":1}').encode()
        form = "&".join(f"{name}=0" for name in names).encode() + b"&points=1"
        began = time.monotonic()
        for content, type in ((body, "application/json"), (form, "application/x-www-form-urlencoded")):
            self.assertLess(call(server, "PUT", score(), content, who=mallory.token, type=type).status, 500)
        self.assertLess(time.monotonic() - began, 5)


class Cursors(Attack):
    def test_tampering(self):
        for number in range(60):
            assert mallory.post("second", number).status == 201
        for number in range(3):
            assert v1.Player(server, "maze", f"P{number}").post("second", number).status == 201
        page = client.get(server, "/v1/games/maze/boards/second/top.json?limit=1").json()
        cursor = page["next"]
        good = f"/v1/games/maze/boards/second/top.json?limit=1&after={cursor}"
        self.assertEqual(client.get(server, good).status, 200)
        bad = [cursor[:n] + ("A" if cursor[n] != "A" else "B") + cursor[n + 1:] for n in range(0, len(cursor) - 1, 3)]
        for text in (*bad, cursor[:-2], cursor + "AA", cursor * 2, "A" * 5_000, "%00", "=", "-1"):
            answer = client.get(server, f"/v1/games/maze/boards/second/top.json?limit=1&after={text}")
            self.assertIn(answer.status, (400, 414), text[:80])
        for elsewhere in (TOP + ".json", "/v1/contributors/top.json", "/v1/charities.json"):
            self.assertEqual(client.get(server, f"{elsewhere}?after={cursor}").status, 400, elsewhere)


class CachePoisoning(Attack):
    def test_what_is_kept_depends_on_nothing_that_a_stranger_adds(self):
        target = TOP + ".json?limit=7"
        clean = client.get(server, target)
        for headers in ([("Host", "evil.example")], [("X-Forwarded-Host", "evil.example")],
                        [("X-Forwarded-Proto", "javascript")], [("Accept", "text/html")], [("Accept-Language", "zz")],
                        [("Authorization", f"Bearer {mallory.token}")], [("Origin", "https://evil.example")],
                        [("Cookie", "a=b")], [("Range", "bytes=0-1")], [("Accept-Encoding", "gzip")]):
            with client.Connection(server) as c:
                c.send(b"GET " + target.encode() + b" HTTP/1.1\r\n" +
                       ("" if headers[0][0] == "Host" else "Host: a\r\n").encode() +
                       "".join(f"{name}: {value}\r\n" for name, value in headers).encode() + b"\r\n")
                self.assertIn(c.receive("GET").status, (200, 206), headers)
            again = client.get(server, target)
            self.assertEqual((again.status, again.content, again["etag"]), (200, clean.content, clean["etag"]), headers)
            self.assertNotIn("evil", again.text + json.dumps(again.headers))

    def test_unknown_query_keys_show_the_same(self):
        clean = client.get(server, TOP + ".json")
        for query in ("?x=1", "?_=17", "?utm_source=%3Cscript%3E", "?x=1&x=2"):
            answer = client.get(server, TOP + ".json" + query)
            self.assertEqual((answer.status, answer.body), (200, clean.body), query)
            self.assertNotIn("script", answer.text)

    def test_private_answers_are_not_kept(self):
        for path in ("/v1/players/me", "/v1/games/maze/boards/lap/players/me"):
            self.assertEqual(ada.get(path)["cache-control"], v1.PRIVATE)
            self.assertIn(client.get(server, path).status, (401,))
            self.assertNotEqual(mallory.get(path).body, ada.get(path).body)
