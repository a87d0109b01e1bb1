"""Every v1 ranking in six formats, with the names that break feeds, column by column; and every page by the links that
the formats bring."""
import json
import unicodedata
import unittest
import urllib.parse
import xml.etree.ElementTree as ET

import client
import feeds
import v1
from formats import Page, READ, read_json, second
from server import Server

NAMES = [
    "<&>\"'", "]]>", "<![CDATA[x]]>", "👩\u200d👩\u200d👧\u200d👦", "אבג דהו", "مرحبا", "=1+1", "+1", "-1", "@SUM(A1)",
    "a,b;\"c\"", "\"", "''", "x\u0323" * 32, "e\u0301" * 32, "q" + "\u0316" * 4, "q\ue000\uf8ff", "\ufffd", "&amp;",
    "&#0;", "&#x1;", "</name>", "<script>alert(1)</script>", "-->", "<!--", "<?xml?>", "%s%n%x", "${jndi:ldap://x}",
    "Robert'); DROP TABLE--", "\\u0000", "🇩🇪🇫🇷", "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "👍🏿",
    "क्षि", "𝕏", "ﷺ", "ไทย", "ß", "İ", "two spaces", "{{7*7}}", "null", "NaN", "true", "1. x: 5", "name, points 5",
    "=cmd|'/C calc'!A0", "</bdi></th>", "\"><img src=x onerror=alert(1)>", "https://example.org/?a=1&b=<2>",
    "Ünï\u0307", "0", "1e9"
]
CHARITIES = [
    "A & B <\"'> Öffnung, ]]> 👍", "=SUM(1,2) fund", "<b>bold</b> relief", "שלום fund", "+49 helps",
    "comma, \"quote\" & co", "x-->", "\ue000 private"
]
REFUSED = [
    "a\nb", "a\r\nb", "\n", "a\u2028b", "a\u2029b", "a\u0085b", "a\0b", "a\x1bb", "a\u202eb", "a\u2066b", "a\ufffeb",
    "a\U000e0041b", "\u200b", "x" + "\u0316" * 5, "x" * 33, "\ufeff", "\u200f"
]
server = None
players = []


def setUpModule():
    global server
    server = Server("v1feeds")
    server.verb("game", "add", "quiz", "--name", "Quiz")
    server.verb("board", "add", "--game", "quiz", "first", "--name", "First <&> \"'", "--earns", "fixed:100")
    server.verb("board", "add", "--game", "quiz", "shared", "--ties", "shared", "--order", "lowest", "--zone",
                "Asia/Kathmandu")
    for n, name in enumerate(CHARITIES):
        server.verb("charity", "add", f"c{n}", "--name", name, "--url", f"https://example.org/?a={n}&b=<2>",
                    "--description", "<i>&amp; ]]>, \"x\"", *(["--goal", str(70 + n)] if n % 2 else []))
    connection = client.Connection(server)
    for n, name in enumerate(NAMES):
        picture = {"image": client.base64_text(client.png(colour=(n, 255 - n, 7)))} if n % 3 == 0 else {}
        player = v1.Player(connection, "quiz", name, **picture)
        players.append(player)
        for board in ("first", "shared"):
            assert player.post(board, 5_000 - 13 * (n // 3)).status == 201
        for charity, hidden in (("c0", False), ("c0", n % 4 == 0), (f"c{n % len(CHARITIES)}", n % 5 == 0)):
            assert player.donate(charity, 1 + n // 4, anonymous=hidden).status == 201
    connection.close()


def tearDownModule():
    server.stop()


class Feeds(unittest.TestCase):
    maxDiff = 4000

    def get(self, path):
        answer = client.get(server, path)
        self.assertEqual(answer.status, 200, f"{path}: {answer!r}")
        suffix = urllib.parse.urlsplit(path).path.rpartition(".")[2]
        self.assertIn(answer.media, feeds.MEDIA[suffix])
        return answer

    def compare(self, stem, query=""):
        """All six formats of one page say the same; returns the rows."""
        rows = read_json(self.get(f"{stem}.json{query}").body)
        for suffix in ("xml", "plist", "csv"):
            seen = READ[suffix](self.get(f"{stem}.{suffix}{query}").body)
            self.assertEqual(seen, [{k: r[k] for k in seen[0]} for r in rows] if seen else rows,
                             f"{suffix} {stem}{query}")
        self.compare_html(self.get(f"{stem}.html{query}").body, rows)
        self.compare_atom(self.get(f"{stem}.atom{query}").body, rows)
        return rows

    def compare_html(self, body, rows):
        feeds.rows_html(body)
        page = Page()
        page.feed(body.decode())
        page.close()
        table = list(page.table()) if rows else []
        self.assertEqual(len(table), len(rows))
        for seen, row in zip(table, rows):
            self.assertEqual(seen["name"]["bdi"], row["name"])
            self.assertEqual(seen["name"]["text"], row["name"])
            self.assertEqual(seen["name"]["img"] or None, row["avatar"])
            for column in ("rank", "points", "among", "contributors"):
                if column in seen or row[column] is not None:
                    self.assertEqual(feeds.digits(seen[column]["text"]), row[column], column)
            if "reached at (utc)" in seen:
                self.assertEqual(second(seen["reached at (utc)"]["time"]), row["reached_at"])
        return page

    def compare_atom(self, body, rows):
        feeds.entries_atom(body)
        root = ET.fromstring(body)
        entries = root.findall(feeds.ATOM + "entry")
        self.assertEqual(len(entries), len(rows))
        for entry, row in zip(entries, rows):
            self.assertEqual(entry.findtext(feeds.ATOM + "title"), f"{row['rank']}. {row['name']}: {row['points']}")
            if row["reached_at"]:
                self.assertEqual(second(entry.findtext(feeds.ATOM + "updated")), row["reached_at"])
            who = row["slug"] or row["player"]
            if who:
                self.assertRegex(entry.findtext(feeds.ATOM + "id"), rf"/{who}\b")
        updated = [e.findtext(feeds.ATOM + "updated") for e in entries]
        if updated:
            self.assertEqual(root.findtext(feeds.ATOM + "updated"), max(updated))
        return {l.get("rel", "alternate"): l.get("href") for l in root.findall(feeds.ATOM + "link")}

    def walk(self, stem, query=""):
        """Follows every kind of link to the end and back; all kinds show the same pages."""
        start = f"?limit=7{query}"
        whole = read_json(self.get(f"{stem}.json?limit=100{query}").body)
        pages = {}
        for kind in ("json", "atom", "html"):
            forward, back = [], []
            here = f"{stem}.{kind}{start}"
            for turn, seen in (("next", forward), ("prev", back)):
                while True:
                    answer = self.get(here)
                    if kind == "json":
                        said = answer.json()
                        links = {
                            k: f"{stem}.json{start}&{'after' if k == 'next' else 'before'}={said[k]}"
                            for k in ("next", "prev") if k in said
                        }
                        seen.append(read_json(answer.body))
                        for suffix in ("xml", "plist", "csv"):
                            where = f"{stem}.{suffix}?" + urllib.parse.urlsplit(here).query
                            self.assertEqual([r["name"] for r in READ[suffix](self.get(where).body)],
                                             [r["name"] for r in seen[-1]], where)
                    else:
                        rows = read_json(self.get(here.replace("." + kind + "?", ".json?")).body)
                        seen.append(rows)
                        if kind == "atom":
                            links = self.compare_atom(answer.body, rows)
                            links = {"next": links.get("next"), "prev": links.get("previous", links.get("prev"))}
                        else:
                            links = self.compare_html(answer.body, rows).pages
                    self.assertLess(len(seen), 60, "a walk without an end")
                    if not links.get(turn):
                        break
                    here = links[turn]
            self.assertEqual(back[::-1], forward, f"{kind} of {stem}")
            pages[kind] = forward
            self.assertEqual([r for p in forward for r in p], whole, f"{kind} of {stem}")
            self.assertTrue(all(len(p) == 7 for p in forward[:-1]))
        self.assertEqual(pages["atom"], pages["json"])
        self.assertEqual(pages["html"], pages["json"])
        return whole

    def test_refused_names(self):
        for name in REFUSED:
            with self.subTest(name=name):
                answer = v1.call(server, "PUT", f"/v1/games/quiz/devices/{client.device()}", {"name": name})
                self.assertEqual(answer.status, 422, answer)
        self.assertEqual(len(read_json(self.get("/v1/games/quiz/boards/first/top.json?limit=100").body)), len(NAMES))

    def test_board_top(self):
        rows = self.compare("/v1/games/quiz/boards/first/top", "?limit=100")
        self.assertEqual([r["name"] for r in rows], [unicodedata.normalize("NFC", n) for n in NAMES])
        self.assertEqual([r["player"] for r in rows], [p.id for p in players])
        self.assertEqual([r["rank"] for r in rows], list(range(1, len(NAMES) + 1)))
        rows = self.compare("/v1/games/quiz/boards/shared/top", "?limit=100")
        self.assertEqual(sorted(r["points"] for r in rows), [r["points"] for r in rows])
        for row in rows:
            self.assertEqual(row["rank"], 1 + sum(r["points"] < row["points"] for r in rows))
        for query in ("", "?window=today&limit=9", "?from=5&limit=3", "?window=2020-01", "?season=1&limit=2"):
            self.compare("/v1/games/quiz/boards/shared/top", query)

    def test_contributors(self):
        for stem in ("/v1/charities/c0/top", "/v1/contributors/top", "/v1/charities/c3/top"):
            for query in ("?limit=100", "?from=4&limit=9", "?window=week&limit=20"):
                rows = self.compare(stem, query)
                self.assertTrue(rows)
                for row in rows:
                    if row["name"] == "Anonymous":
                        self.assertIsNone(row["player"])
                        self.assertIsNone(row["avatar"])
                    else:
                        self.assertIsNotNone(row["player"])
        rows = self.compare("/v1/charities/c0/top", "?limit=100")
        hidden = [r for r in rows if r["name"] == "Anonymous"]
        self.assertEqual(len(hidden), len(range(0, len(NAMES), 4)) + len(range(0, len(NAMES), 40)))
        overall = json.loads(self.get("/v1/contributors/top.json?limit=100").body)
        self.assertEqual(sum(r["points"] for r in overall["rows"]), sum(3 * (1 + n // 4) for n in range(len(NAMES))))

    def test_charities(self):
        rows = self.compare("/v1/charities", "?limit=100")
        self.assertEqual({r["name"] for r in rows}, set(CHARITIES))
        self.assertEqual([r["points"] for r in rows], sorted((r["points"] for r in rows), reverse=True))
        self.assertEqual(sum(r["points"] for r in rows), sum(3 * (1 + n // 4) for n in range(len(NAMES))))
        self.assertEqual([r["rank"] for r in rows], list(range(1, len(rows) + 1)))
        self.compare("/v1/charities", "?from=3&limit=2")

    def test_around_in_every_format(self):
        for n in (0, 1, 20, 21, len(NAMES) - 1):
            for board in ("first", "shared"):
                for query in ("", "?limit=4", "?window=month&limit=6", "?limit=100"):
                    with self.subTest(n=n, board=board, query=query):
                        rows = self.compare(f"/v1/games/quiz/boards/{board}/players/{players[n].id}/around", query)
                        self.assertIn(players[n].id, [r["player"] for r in rows])
        links = self.compare_atom(
            self.get(f"/v1/games/quiz/boards/first/players/{players[9].id}/around.atom?limit=3").body,
            read_json(self.get(f"/v1/games/quiz/boards/first/players/{players[9].id}/around.json?limit=3").body))
        self.assertNotIn("next", links)

    def test_players_asked_for_in_every_format(self):
        ids = ",".join(str(players[n].id) for n in (7, 3, 30, 31, 32, 52))
        for board in ("first", "shared"):
            with self.subTest(board=board):
                rows = self.compare(f"/v1/games/quiz/boards/{board}/top", f"?players={ids}")
                self.assertEqual(len(rows), 6)
                self.assertEqual([r["among"] for r in rows][:2],
                                 [1, 2] if rows[0]["points"] != rows[1]["points"] or board == "first" else [1, 1])

    def test_rel_self_is_the_feed_itself(self):
        ids = ",".join(str(players[n].id) for n in (7, 3, 30))
        for stem, query in (("/v1/games/quiz/boards/shared/top", ""), ("/v1/games/quiz/boards/shared/top", "?limit=7"),
                            ("/v1/games/quiz/boards/shared/top",
                             "?limit=7&window=month"), ("/v1/games/quiz/boards/shared/top", "?limit=7&season=1"),
                            ("/v1/contributors/top", "?limit=7"), ("/v1/charities", "?limit=3"),
                            (f"/v1/games/quiz/boards/first/players/{players[9].id}/around", "?limit=3")):
            pages = [query]
            if "limit" in query and "around" not in stem:
                pages += [f"{query}&from=3", f"{query}&after={self.get(f'{stem}.json{query}').json()['next']}"]
            if "boards" in stem and not query:
                pages.append(f"?players={ids}")
            for page in pages:
                with self.subTest(stem=stem, query=page[:40]):
                    answer = self.get(f"{stem}.atom{page}")
                    links = {
                        l.get("rel"): l.get("href") for l in ET.fromstring(answer.body).findall(feeds.ATOM + "link")
                    }
                    self.assertEqual(self.titles(self.get(links["self"])), self.titles(answer), links["self"][:80])

    def titles(self, answer):
        return [e.findtext(feeds.ATOM + "title") for e in ET.fromstring(answer.body).findall(feeds.ATOM + "entry")]

    def test_links_to_other_formats_show_the_same_rows(self):
        of = {
            "application/xml": "xml", "application/json": "json", "application/x-plist": "plist", "text/csv": "csv",
            "application/atom+xml": "atom"
        }
        ids = ",".join(str(players[n].id) for n in (7, 3, 30))
        after = json.loads(self.get("/v1/games/quiz/boards/first/top.json?limit=5").body)["next"]
        for stem, query in (
            ("/v1/games/quiz/boards/first/top", "?limit=5"),
            ("/v1/games/quiz/boards/first/top", "?limit=5&after=" + after),
            ("/v1/games/quiz/boards/first/top", "?from=11&limit=5"),
            ("/v1/games/quiz/boards/first/top", "?window=month&limit=5"),
            ("/v1/games/quiz/boards/first/top", "?season=1&limit=5"),
            ("/v1/games/quiz/boards/first/top", f"?players={ids}"),
            (f"/v1/games/quiz/boards/first/players/{players[9].id}/around", "?limit=3"),
            ("/v1/charities", "?limit=3"),
            ("/v1/contributors/top", "?from=2&limit=3"),
        ):
            rows = read_json(self.get(f"{stem}.json{query}").body)
            page = self.compare_html(self.get(f"{stem}.html{query}").body, rows)
            self.assertEqual(set(page.formats), set(of), "a link to each format")
            with self.subTest(stem=stem, query=query[:30]):
                for media, hrefs in page.formats.items():
                    for href in hrefs:
                        answer = self.get(href)
                        self.assertIn(answer.media, feeds.MEDIA[of[media]])
                        if of[media] in READ:
                            self.assertEqual([r["name"] for r in READ[of[media]](answer.body)],
                                             [r["name"] for r in rows], href)
                        else:
                            self.compare_atom(answer.body, rows)

    def test_walks(self):
        for stem, query in (
            ("/v1/games/quiz/boards/first/top", ""),
            ("/v1/games/quiz/boards/shared/top", ""),
            ("/v1/games/quiz/boards/shared/top", "&window=month"),
            ("/v1/games/quiz/boards/first/top", "&season=1"),
            ("/v1/charities/c0/top", ""),
            ("/v1/contributors/top", "&window=month"),
            ("/v1/contributors/top", ""),
            ("/v1/charities", ""),
        ):
            with self.subTest(stem=stem, query=query):
                self.walk(stem, query)

    def test_a_walk_from_the_middle(self):
        """from= is a page like any other: its links lead both ways."""
        stem = "/v1/games/quiz/boards/shared/top"
        whole = read_json(self.get(f"{stem}.json?limit=100").body)
        said = self.get(f"{stem}.json?limit=10&from=21").json()
        self.assertEqual([r["player"] for r in said["rows"]], [r["player"] for r in whole[20:30]])
        before = self.get(f"{stem}.json?limit=10&before={said['prev']}").json()
        self.assertEqual([r["player"] for r in before["rows"]], [r["player"] for r in whole[10:20]])
        after = self.get(f"{stem}.json?limit=10&after={said['next']}").json()
        self.assertEqual([(r["player"], r["rank"]) for r in after["rows"]],
                         [(r["player"], r["rank"]) for r in whole[30:40]])
        again = self.get(f"{stem}.json?limit=10&before={after['prev']}").json()
        self.assertEqual(again["rows"], said["rows"])
        first = self.get(f"{stem}.json?limit=100&before={said['prev']}").json()
        self.assertEqual([r["player"] for r in first["rows"]], [r["player"] for r in whole[:20]],
                         "before= is the rows before, as many as there are")
        self.assertNotIn("prev", first)
        last = self.get(f"{stem}.json?limit=1&from={len(whole)}").json()
        self.assertNotIn("next", last)
        self.assertIn("prev", last)

    def test_sealed_bytes_are_the_same_every_time(self):
        """The ETag is a hash of the bytes: cursors must not change from one request to the next."""
        for path in ("/v1/games/quiz/boards/first/top.json?limit=5", "/v1/contributors/top.html?limit=5&from=6",
                     "/v1/charities/c0/top.atom?limit=5"):
            self.assertEqual(len({client.get(server, path)["etag"] for _ in range(5)}), 1, path)
        path = "/v1/games/quiz/boards/first/top.json?limit=5"
        before = client.get(server, path)
        server.terminate()
        server.start()
        self.assertEqual(client.get(server, path).body, before.body, "every restart agrees")

    def test_an_html_page_runs_nothing_that_a_name_brought(self):
        for stem in ("/v1/games/quiz/boards/first/top", "/v1/contributors/top", "/v1/charities"):
            answer = self.get(f"{stem}.html?limit=100")
            self.assertNotRegex(answer.text, r"<script>alert|<img src=x|</bdi></th></bdi>")
            self.assertRegex(answer["content-security-policy"] or "none", r"default-src 'none'|none")
