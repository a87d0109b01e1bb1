"""Every feed in every format, loaded with the names that break feeds, read by parsers that the server's authors did not
write."""
import gzip
import unicodedata
import unittest

import client
import feeds
from server import Server, far_from_midnight

NAMES = [
    "<&>\"'", "]]>", "<![CDATA[x]]>", "👩\u200d👩\u200d👧\u200d👦", "אבג דהו", "مرحبا", "=1+1", "+1", "-1", "@SUM(A1)",
    "a,b;\"c\"", "\"", "''", "x\u0323" * 32, "e\u0301" * 32, "q\ue000\uf8ff", "\ufffd", "&amp;", "&#0;", "&#x1;",
    "</name>", "<script>alert(1)</script>", "-->", "<!--", "<?xml?>", "<!DOCTYPE x>", "%s%n%x", "${jndi:ldap://x}",
    "Robert'); DROP TABLE--", "back\\slash", "\\u0000", "C:\\n", "🇩🇪🇫🇷",
    "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "👍🏿", "क्षि", "q" + "\u0316" * 4, "𝕏", "ﷺ", "ไทย",
    "ﬀ", "ß", "İ", "two spaces", "`ls`", "{{7*7}}", "null", "NaN", "true"
]
CHARITY = "A & B <\"'> Öffnung, ]]> 👍"
server = None
donors = []         # (name, points donated), best first
posts = []          # (name, points)
private = []        # what no public answer may show
seen = []           # every public answer so far


def setUpModule():
    global server
    far_from_midnight()
    server = Server("feeds")
    server.verb("game", "set", "default", "--salt", client.SALT)
    server.verb("charity", "add", "hostile", "--name", CHARITY, "--url", "https://example.org/?a=1&b=<2>",
                "--description", "<b>&amp; ]]>")
    connection = client.Connection(server)
    for n, name in enumerate(NAMES):
        phone = client.Phone(server, connection=connection)
        mail, fb = f"mail{n}x{client.device()[:8]}@example.org", f"fb{client.device()[:16]}"
        private.extend([mail, fb, phone.udid])
        picture = client.base64_text(client.png(colour=(n, 255 - n, 7))) if n % 3 == 0 else ""
        answer = phone.register(name, email=mail, fb_uid=fb, send_updates="1", image=picture)
        assert answer.status == 201, f"{name!r}: {answer!r}"
        answer = phone.post(100_000 - 10 * n)
        assert answer.status == 201, answer
        answer = phone.donate("hostile", 1_000 + n)
        assert answer.status == 201, answer
        stored = unicodedata.normalize("NFC", name)
        donors.insert(0, (stored, 1_000 + n))
        posts.append((stored, 100_000 - 10 * n))
    connection.close()


def tearDownModule():
    server.stop()


def get(path, **headers):
    answer = client.get(server, path, **headers)
    seen.append(answer)
    return answer


BOARD = "/v1/games/default/boards/high-scores/top"
RANKINGS = ("/TopScores", BOARD, "/v1/charities")


class Feeds(unittest.TestCase):
    maxDiff = 3000

    def problem(self, path, status, type=None, **headers):
        answer = get(path, **headers)
        self.assertEqual(answer.status, status, f"{path}: {answer!r}")
        if answer.media == "application/problem+json":
            body = answer.json()
            self.assertTrue(body["type"].startswith("/problems/"), body)
            self.assertTrue(any(isinstance(body.get(k), str) and len(body[k]) > 5 for k in ("detail", "title")), body)
            if type:
                self.assertEqual(body["type"], "/problems/" + type)
        else:
            self.assertEqual(answer.xml().tag, "errors", answer)
        return answer

    def read(self, path, suffix, expected):
        answer = get(f"{path}.{suffix}")
        self.assertEqual(answer.status, 200, answer)
        self.assertIn(answer.media, feeds.MEDIA[suffix])
        feeds.agree(suffix, answer.body, expected)
        return answer

    def test_TopScores_in_every_format(self):
        for suffix in feeds.FORMATS:
            with self.subTest(suffix=suffix):
                self.read("/TopScores", suffix, donors[:50])

    def test_high_scores_in_every_format(self):
        for suffix in feeds.FORMATS:
            with self.subTest(suffix=suffix):
                self.read("/high_scores", suffix, posts[:10])

    def test_board_top_in_every_format(self):
        for suffix in feeds.FORMATS:
            with self.subTest(suffix=suffix):
                answer = get(f"{BOARD}.{suffix}?limit=100")
                self.assertEqual(answer.status, 200, answer)
                feeds.agree(suffix, answer.body, posts)

    def test_charities_in_every_format(self):
        for suffix in feeds.FORMATS:
            with self.subTest(suffix=suffix):
                self.read("/v1/charities", suffix, [(CHARITY, sum(p for _, p in donors))])

    def test_TopScores_xml_streams_in_the_seeds_form(self):
        customers = feeds.sax(get("/TopScores.xml").body)
        self.assertEqual([(c["name"], int(c["points"])) for c in customers], donors[:50])
        import base64
        for c in customers:
            self.assertEqual(set(c), {"name", "image", "points"})
            number = next(n for n, name in enumerate(NAMES) if unicodedata.normalize("NFC", name) == c["name"])
            if number % 3 == 0:
                self.assertEqual(client.png_size(base64.b64decode(c["image"], validate=True)), (40, 40))
            else:
                self.assertEqual(c["image"], "")

    def test_pictures_by_link(self):
        answer = get("/TopScores.xml?image=link")
        links = [c["image"] for c in feeds.sax(answer.body) if c["image"]]
        self.assertTrue(links)
        self.assertTrue(all(link.startswith("/v1/avatars/") and link.endswith(".png") for link in links), links[:3])
        picture = get(links[0])
        self.assertEqual((picture.status, picture.media), (200, "image/png"))
        self.assertEqual(client.png_size(picture.body), (40, 40))
        self.assertIn("max-age=86400", picture["cache-control"])
        import hashlib
        self.assertEqual(links[0], f"/v1/avatars/{hashlib.sha256(picture.body).hexdigest()}.png")
        self.assertIn(get("/v1/avatars/" + "0" * 64 + ".png").status, (404, 410))
        self.problem("/TopScores.json?image=nonsense", 400)

    def test_board_json_says_what_the_contract_says(self):
        board = get(BOARD + ".json?limit=3").json()
        self.assertLessEqual({"board", "window", "rows", "of"}, set(board))
        self.assertEqual(board["of"], len(NAMES))
        row = board["rows"][0]
        self.assertLessEqual({"rank", "player", "name", "points", "reached_at"}, set(row))
        self.assertEqual([r["rank"] for r in board["rows"]], [1, 2, 3])
        self.assertRegex(row["reached_at"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$")

    def test_an_html_page_runs_nothing_that_a_name_brought(self):
        for path in ("/TopScores.html", "/high_scores.html", BOARD + ".html?limit=100", "/v1/charities.html"):
            with self.subTest(path=path):
                answer = get(path)
                self.assertEqual(answer.status, 200, answer)
                self.assertNotIn("<script>alert", answer.text)
                self.assertNotIn("</name>", answer.text)
                feeds.rows_html(answer.body)

    # -- caching

    def test_etag_304_and_head(self):
        paths = [p + "." + s for p in RANKINGS + ("/high_scores",) for s in feeds.FORMATS] + ["/TopScores"]
        for path in paths:
            with self.subTest(path=path):
                full = get(path)
                self.assertEqual(full.status, 200)
                etag = full["etag"]
                self.assertRegex(etag or "", r'^"[^"]+"$', "no strong ETag")
                self.assertEqual(get(path)["etag"], etag)
                self.assertEqual(full["cache-control"], "public, max-age=0, must-revalidate")
                self.assertIn("accept-encoding", full["vary"].lower())
                vary = [v.strip().lower() for v in full["vary"].split(",")]
                self.assertEqual("accept" in vary, path == "/TopScores")
                for condition in (etag, f'"other", {etag}', f'{etag},"x"', "*", "W/" + etag, f'W/"y" , W/{etag}'):
                    answer = get(path, If_None_Match=condition)
                    self.assertEqual((answer.status, answer.body), (304, b""), condition)
                    self.assertEqual(answer["etag"], etag)
                    self.assertEqual(answer["vary"], full["vary"])
                    self.assertEqual(answer["cache-control"], full["cache-control"])
                for condition in ('"other"', etag.strip('"'), etag[:-2] + '"'):
                    self.assertEqual(get(path, If_None_Match=condition).status, 200, condition)
                head = client.request(server, "HEAD", path)
                self.assertEqual((head.status, head.body), (200, b""))
                for name in ("etag", "content-type", "content-length", "vary", "cache-control", "content-encoding"):
                    self.assertEqual(head[name], full[name], name)
                head = client.request(server, "HEAD", path, [("If-None-Match", etag)])
                self.assertEqual(head.status, 304)

    def test_head_leaves_the_connection_usable(self):
        with client.Connection(server) as c:
            for _ in range(3):
                self.assertEqual(c.request("HEAD", "/TopScores.xml").status, 200)
                self.assertEqual(c.request("GET", "/TopScores.xml", [("If-None-Match", "*")]).status, 304)
                self.assertEqual(c.request("GET", "/TopScores.json").status, 200)

    def test_gzip(self):
        for path in ("/TopScores.xml", "/TopScores.json", BOARD + ".json", BOARD + ".html", "/TopScores"):
            with self.subTest(path=path):
                plain = get(path)
                packed = get(path, Accept_Encoding="gzip")
                self.assertIsNone(plain["content-encoding"])
                self.assertEqual(packed["content-encoding"], "gzip")
                self.assertEqual(gzip.decompress(packed.body), plain.body)
                self.assertLess(len(packed.body), len(plain.body))
                self.assertNotEqual(packed["etag"], plain["etag"])
                self.assertRegex(packed["etag"], r'^"[^"]+"$')
                self.assertEqual(get(path, Accept_Encoding="gzip", If_None_Match=packed["etag"]).status, 304)
                self.assertEqual(get(path, If_None_Match=plain["etag"]).status, 304)
                head = client.request(server, "HEAD", path, [("Accept-Encoding", "gzip")])
                self.assertEqual((head["etag"], head["content-encoding"], head["content-length"], head.body),
                                 (packed["etag"], "gzip", packed["content-length"], b""))
                self.assertEqual(get(path, Accept_Encoding="deflate, gzip;q=0.5")["content-encoding"], "gzip")
                for no in ("identity", "gzip;q=0", "br", "gzip;q=0.0, *;q=0.5", ""):
                    answer = get(path, Accept_Encoding=no)
                    self.assertIsNone(answer["content-encoding"], no)
                    self.assertEqual(answer.body, plain.body)

    def test_a_feeds_bytes_change_when_a_shown_row_does_and_never_otherwise(self):
        shown = "/v1/games/default/boards/high-scores/top.json?limit=5"
        before = get(shown)
        below = client.Phone(server)
        below.register("below")
        self.assertEqual(below.post(3).status, 201)
        changed = get(shown)
        self.assertNotEqual(changed["etag"], before["etag"], "`of` changed")
        self.assertEqual(below.post(4).status, 201)
        self.assertEqual(
            get(shown).body, changed.body, "a post of a ranked player below the shown rows changes nothing")
        self.assertEqual(
            get(shown + "&nonsense=1&utm_source=x")["etag"], changed["etag"],
            "unknown query keys are no part of the cache's key")
        NAMES.append("below")
        posts.append(("below", 4))
        top = client.get(server, "/TopScores.xml")
        self.assertEqual(below.donate("hostile", 1).status, 201)
        self.assertEqual(client.get(server, "/TopScores.xml").status, 200)
        self.assertEqual(top.status, 200)
        donors.append(("below", 1))
        donors.sort(key=lambda g: -g[1])

    # -- negotiation

    def test_accept_decides_without_a_suffix(self):
        for path, star in (("/TopScores", "xml"), (BOARD, "json"), ("/v1/charities", "json")):
            for accept, suffix in (
                ("*/*", star), ("application/json", "json"), ("text/html", "html"), ("application/xml", "xml"),
                ("text/csv", "csv"), ("application/atom+xml", "atom"),
                ("text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
                 "html"), ("application/xml;q=0.1, application/json;q=0.9",
                           "json"), ("text/html;q=0, text/csv", "csv"), ("application/json;q=0.5, image/png", "json")):
                with self.subTest(path=path, accept=accept):
                    answer = get(path, Accept=accept)
                    self.assertEqual(answer.status, 200, answer)
                    self.assertIn(answer.media, feeds.MEDIA[suffix])
                    self.assertEqual(answer.body, get(f"{path}.{suffix}").body)
            with self.subTest(path=path, accept=None):
                with client.Connection(server) as c:
                    c.send(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
                    self.assertIn(c.receive("GET").media, feeds.MEDIA[star])

    def test_406_when_nothing_fits(self):
        for path in RANKINGS:
            for accept in ("image/png", "video/*", "application/json;q=0", "text/plain;q=0.3"):
                with self.subTest(path=path, accept=accept):
                    self.assertEqual(get(path, Accept=accept).status, 406)
            self.assertEqual(get(path + ".json", Accept="image/png").status, 200, "a suffix decides")

    def test_an_unknown_suffix_is_404(self):
        for path in RANKINGS + ("/high_scores",):
            for suffix in ("foo", "yaml", "xmlx", "xml.bak", "js", "", "json.xml"):
                with self.subTest(path=f"{path}.{suffix}"):
                    self.assertEqual(get(f"{path}.{suffix}").status, 404)
        for path in ("/v1/games/nope/boards/high-scores/top.json", "/v1/games/default/boards/nope/top.json",
                     "/v1/games/default/boards/HIGH-SCORES/top.json"):
            with self.subTest(path=path):
                self.problem(path, 404, "not-found")

    # -- queries

    def test_limits_are_never_clamped(self):
        for limit in ("0", "51", "abc", "-1", "1.5", "", "99999999999999999999", "0x5", "5 0"):
            with self.subTest(limit=limit):
                for suffix in ("json", "xml"):
                    self.problem(f"/TopScores.{suffix}?limit={limit.replace(' ', '%20')}", 400)
        for limit in ("0", "101", "abc", "-1"):
            with self.subTest(board_limit=limit):
                self.problem(f"{BOARD}.json?limit={limit}", 400)
        for limit in (1, 7, 50):
            feeds.agree("xml", get(f"/TopScores.xml?limit={limit}").body, donors[:limit])
        feeds.agree("json", get(f"{BOARD}.json?limit=100").body, posts)

    def test_windows(self):
        month = get("/healthz")["date"]
        self.assertTrue(month, "no Date header")
        for path, rows in (("/TopScores", donors[:20]), (BOARD, posts[:20])):
            for window in ("all", "today", "week", "month"):
                with self.subTest(path=path, window=window):
                    answer = get(f"{path}.json?window={window}&limit=20")
                    self.assertEqual(answer.status, 200, answer)
                    feeds.agree("json", answer.body, rows)
            for window in ("2020-11", "2020-W47", "2020-11-01..2020-11-20", "yesterday", "2020-02-01..2021-01-31",
                           "2020-W53"):
                with self.subTest(path=path, window=window):
                    answer = get(f"{path}.json?window={window}")
                    self.assertEqual(answer.status, 200, answer)
                    feeds.agree("json", answer.body, [])
            for window in ("bad", "", "2026-13", "2026-00", "2026-W54", "2026-W00", "2021-W53",
                           "2026-11-31..2026-12-01", "2026-11-20..2026-11-01", "2020-01-01..2021-01-01",
                           "2026-11-1..2026-11-2", "0000-01", "99999-01", "2026-11-01..", "TODAY",
                           "2026-11-01..2026-11-02..2026-11-03", "%00"):
                with self.subTest(path=path, window=window):
                    self.problem(f"{path}.json?window={window}", 400, "bad-window")
                    self.problem(f"{path}.xml?window={window}", 400)

    def test_one_charity(self):
        feeds.agree("xml", get("/TopScores.xml?charity=hostile").body, donors[:50])
        for slug in ("nobody", "Hostile%20", "%F0%9F%91%8D", "'"):
            self.assertIn(get(f"/TopScores.xml?charity={slug}").status, (400, 404, 422), slug)

    def test_every_site_may_read(self):
        for path in ("/TopScores.xml", BOARD + ".json", "/v1/charities.json", "/v1/nope"):
            with self.subTest(path=path):
                answer = get(path, Origin="https://game.example")
                self.assertEqual(answer["access-control-allow-origin"], "*")
                self.assertIn("etag", (answer["access-control-expose-headers"] or "").lower())
        answer = client.request(
            server,
            "OPTIONS",
            "/TopScores.xml",
            [("Origin", "https://game.example"), ("Access-Control-Request-Method", "GET")],
        )
        self.assertIn(answer.status, (200, 204))
        self.assertEqual(answer["access-control-allow-origin"], "*")

    def test_public_routes_ignore_authorization_and_host(self):
        for path in RANKINGS:
            plain = get(path + ".atom")
            self.assertEqual(get(path + ".atom", Authorization="Bearer cbd_nonsense").body, plain.body)
            with client.Connection(server) as c:
                c.send(f"GET {path}.atom HTTP/1.1\r\nHost: evil.example\r\n\r\n".encode())
                answer = c.receive("GET")
            self.assertEqual(answer.body, plain.body)
            self.assertNotIn("evil.example", answer.text)

    def test_zz_nothing_private_was_ever_shown(self):
        for path in [f"{p}.{s}" for p in RANKINGS + ("/high_scores",) for s in feeds.FORMATS]:
            get(path)
        for answer in seen:
            text = str(answer.headers) + (answer.content.decode("utf-8", "replace") if answer.body else "")
            for secret in private:
                self.assertNotIn(secret, text)
            self.assertNotIn("@example.org", text)
            self.assertNotIn(client.SALT, text)
