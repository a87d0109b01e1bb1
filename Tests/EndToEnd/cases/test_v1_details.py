"""The detail of a score in the rows of rankings, where the board says so: in each format, and at once."""
import csv
import io
import json
import plistlib
import re
import unittest
import xml.etree.ElementTree as ET

import admin
import client
import feeds
import v1
import v1_case
from live import Stream
from server import Refused, until
from v1_case import V1Case

AT_ONCE_SECONDS_MAX = 2
HOSTILE = [
    {"car": "red"}, "=HYPERLINK(\"http://x\")", "<script>alert(1)</script>]]>&amp;\"'", -2.5, True, [], {}, "",
    "\u0000\u001f\u007f\u2028\u2029\ufffe\uffff", {"</name>": [None, {"__proto__": "x"}]}, "אבג \u202e", "👩\u200d👧",
    [[[[[[[[[[]]]]]]]]]], 2**70, "@SUM(1)\n+cmd|' /C calc'!A0"
]


def setUpModule():
    v1_case.start("v1details")


class Details(V1Case):
    def board(self, slug, *settings):
        self.server.verb("board", "add", "--game", "quiz", slug, "--details", "public", *settings)
        return f"/v1/games/quiz/boards/{slug}"

    def details(self, path):
        return [row.get("detail", "none") for row in self.public(path)["rows"]]

    def moderate(self, action, player, *more):
        self.server.verb("act", action, "--player", str(player.id), *more, "--reason", "a test")

    def become(self, path, details):
        """Waits until the server has followed what another process committed."""
        until(lambda: self.details(path) == details, AT_ONCE_SECONDS_MAX, f"{path} to show {details}")

    def test_every_format_has_what_was_sent(self):
        base = self.board("cars")
        bare = self.player("bare")
        self.assertEqual(bare.post("cars", 1).status, 201)
        for n, detail in enumerate(HOSTILE):
            self.assertEqual(self.player(f"P{n}").post("cars", 1_000 - n, detail=detail).status, 201)
        answer = client.get(self.server, base + "/top.json")
        self.assertEqual([row.get("detail", "none") for row in answer.json()["rows"]], HOSTILE + ["none"])
        self.assertNotRegex(answer.text, "[<>&\u2028\u2029\x7f]")
        texts = [json.dumps(d, ensure_ascii=False, separators=(",", ":")) for d in HOSTILE] + [None]
        xml = client.get(self.server, base + "/top.xml").body
        feeds.well_formed(xml)
        self.assertEqual([row.findtext("detail") or None for row in ET.fromstring(xml)], [*map(in_xml, texts)])
        plist = client.get(self.server, base + "/top.plist").body
        self.assertEqual([row.get("detail") for row in plistlib.loads(plist)], [*map(in_xml, texts)])
        text = client.get(self.server, base + "/top.csv").text
        table = csv.DictReader(io.StringIO(text, newline=""), strict=True)
        self.assertEqual([feeds.plain_csv(row["detail"]) or None for row in table], texts)
        feeds.entries_atom(client.get(self.server, base + "/top.atom").body)
        self.assertIn("detail {\"car\":\"red\"}", client.get(self.server, base + "/top.atom").text)
        page = client.get(self.server, base + "/top.html").body
        feeds.rows_html(page)
        self.assertNotIn(b'"car"', page)
        # The other ways to the same rows.
        self.assertEqual(self.details(f"{base}/top.json?limit=1&from=2"), HOSTILE[1:2])
        self.assertEqual(self.details(f"{base}/top.json?window=week&limit=1"), HOSTILE[:1])
        self.assertEqual(self.details(f"{base}/players/{bare.id}/around.json?limit=3"), HOSTILE[-2:] + ["none"])
        own = bare.get(f"{base}/players/me/around.json?limit=2").json()["rows"]
        self.assertEqual([row.get("detail", "none") for row in own], [HOSTILE[-1], "none"])
        answer = client.get(self.server, f"{base}/top.json?players={bare.id}")
        self.assertEqual([row.get("detail", "none") for row in answer.json()["rows"]], ["none"])
        stream = Stream(self.server, base + "/live?limit=1")
        self.addCleanup(stream.close)
        self.assertEqual(json.loads(stream.event()["data"])["rows"][0]["detail"], HOSTILE[0])

    def test_it_follows_the_score_at_once(self):
        base = self.board("laps")
        ada, ids = self.player(), [v1.new_id() for _ in range(3)]
        seen = set()

        def shows(detail):
            answer = client.get(self.server, base + "/top.json")
            self.assertEqual([row.get("detail", "none") for row in answer.json()["rows"]], [detail])
            self.assertNotIn(answer["etag"], seen, "the bytes differ, and so does the ETag")
            seen.add(answer["etag"])
            again = client.request(self.server, "GET", base + "/top.json", [("If-None-Match", answer["etag"])])
            self.assertEqual(again.status, 304)

        for n, id in enumerate(ids):
            self.assertEqual(ada.post("laps", 10 + n, id, detail={"n": n}).status, 201)
            shows({"n": n})
        self.assertEqual(ada.post("laps", 11, detail={"n": "worse"}).status, 201)
        self.assertEqual(self.details(base + "/top.json"), [{"n": 2}])
        self.moderate("take-down", ada, "--score", ids[2])
        self.become(base + "/top.json", ["none"])
        shows("none")
        self.moderate("void", ada, "--score", ids[2])
        # The earlier one of two posts of 11 points counts.
        self.become(base + "/top.json", [{"n": 1}])
        self.server.verb("board", "set", "--game", "quiz", "laps", "--details", "private")
        self.become(base + "/top.json", ["none"])
        self.server.verb("board", "set", "--game", "quiz", "laps", "--details", "public")
        self.become(base + "/top.json", [{"n": 1}])
        self.assertEqual(ada.call("POST", "/v1/players/me/erasure", {"confirm": "Ada"}).status, 200)
        self.assertEqual(self.details(base + "/top.json"), ["none"])

    def test_a_merge_keeps_it(self):
        base = self.board("merged")
        ada, eve = self.player("Ada"), self.player("Eve")
        self.assertEqual(ada.post("merged", 9, detail="ada's").status, 201)
        self.assertEqual(eve.post("merged", 5, detail="eve's").status, 201)
        self.moderate("merge", ada, "--into", str(eve.id))
        self.become(base + "/top.json", ["ada's"])
        rows = self.public(base + "/top.json")["rows"]
        self.assertEqual([(row["player"], row["points"]) for row in rows], [(eve.id, 9)])

    def test_a_held_score_shows_it_to_its_player_alone(self):
        base = self.board("held", "--judge", "60")
        ada = self.player()
        self.assertEqual(ada.post("held", 9, detail="secret").status, 201)
        self.assertEqual(self.details(base + "/top.json"), [])
        own = ada.get(f"{base}/players/me/around.json").json()["rows"]
        self.assertEqual([row["detail"] for row in own], ["secret"])

    def test_a_page_has_a_bound(self):
        base = self.board("long")
        for n in range(20):
            self.assertEqual(self.player(f"P{n}").post("long", 100 - n, detail="x" * 1022).status, 201)
        self.assertEqual([len(d) for d in self.details(base + "/top.json")], [1022] * 16 + [4] * 4)
        self.assertEqual([len(d) for d in self.details(base + "/top.json?from=17")], [1022] * 4)

    def test_it_is_private_unless_set_and_never_of_sums(self):
        ada = self.player()
        self.assertEqual(ada.post("solo", 9, detail={"car": "red"}).status, 201)
        for suffix in ("json", "xml", "plist", "csv", "atom", "html"):
            self.assertNotIn('"car"', client.get(self.server, f"/v1/games/quiz/boards/solo/top.{suffix}").text, suffix)
        self.assertEqual(self.public("/v1/games/quiz/boards/solo")["details"], "private")
        for verb in (("board", "add", "--game", "quiz", "sums", "--policy", "sum", "--details", "public"),
                     ("board", "set", "--game", "quiz", "solo", "--policy", "sum", "--details", "public")):
            with self.assertRaisesRegex(Refused, "--details is public only where one score of a player counts"):
                self.server.verb(*verb)
        operator = admin.Operator(self.server.admin(), admin.make_key(self.server))
        answer = operator.add("games/quiz/boards/sums", {"policy": "sum", "details": "public"})
        self.assertEqual((answer.status, answer.json()["field"]), (422, "details"))


def in_xml(text):
    """XML 1.0 has no such characters."""
    return text and re.sub("[\ufffe\uffff]", "\ufffd", text)
