"""Each row of "How the 2009 clients really behave, and what we do", and the limits, as a test of its own."""
import os
import plistlib
import struct
import unicodedata
import unittest
import uuid
import zlib

import client
import feeds
from client import escaped, unescaped
from repository import GOLDEN
from server import Server

server = None


def setUpModule():
    global server
    server = Server("classic")
    server.verb("game", "set", "default", "--salt", client.SALT)
    server.verb("charity", "add", "red-cross", "--name", "Red Cross")
    server.verb("charity", "add", "whales", "--name", "Save the Whales")


def tearDownModule():
    server.stop()


def put(path, body, headers=(), method="PUT"):
    if isinstance(body, str):
        body = body.encode("utf-8")
    return client.request(server, method, path, headers, body)


def everything():
    """What every public feed shows."""
    return [
        client.get(server, p).body
        for p in (
            "/TopScores.xml",
            "/high_scores.xml",
            "/v1/games/default/boards/high-scores/top.json",
            "/v1/charities.json",
        )
    ]


class Classic(unittest.TestCase):
    maxDiff = 2000

    def setUp(self):
        self.phone = client.Phone(server)
        self.addCleanup(self.phone.close)

    def known(self, points=0, name="someone"):
        self.assertEqual(self.phone.register(name).status, 201)
        if points:
            self.assertEqual(self.phone.post(points).status, 201)
        return self.phone

    def refused(self, answer, status=422):
        self.assertEqual(answer.status, status, answer)
        root = answer.xml()
        self.assertEqual(root.tag, "errors")
        text = " ".join(e.text or "" for e in root.findall("error"))
        self.assertTrue(text.strip(), answer)
        for leak in ("SQL", "sqlstate", "SELECT", "INSERT", "constraint", "Sources/", ".swift", "relation ",
                     "PostgresError", "libpq"):
            self.assertNotIn(leak, text)
        return text

    def stays_the_same(self, action):
        before = everything()
        action()
        self.assertEqual(everything(), before)

    def name_of(self, body, path="/customers"):
        answer = put(path, body)
        self.assertEqual(answer.status, 201, f"{answer!r} to {body!r}")
        return answer.field("name")

    # -- no percent-escaping

    def test_plus_stays_in_a_body_that_is_visibly_unescaped(self):
        d = client.device()
        self.assertEqual(self.name_of(f"name=C++ x&email=a@b.c&send_updates=1&image=&fb_uid=0&phone={d}"), "C++ x")

    def test_plus_is_a_space_in_a_body_that_is_visibly_escaped(self):
        self.assertEqual(self.name_of(f"name=a+b%21&phone={client.device()}"), "a b!")
        self.assertEqual(self.name_of(f"name=C%2B%2B+x&phone={client.device()}"), "C++ x")

    def test_a_picture_is_the_same_raw_percent_escaped_or_with_its_plusses_turned_to_spaces(self):
        with open(os.path.join(GOLDEN, "avatar40.png"), "rb") as f:
            image = client.base64_text(f.read())
        bodies = [
            unescaped({"name": "raw", "image": image, "phone": client.device()}),
            escaped({"name": "escaped", "image": image, "phone": client.device()}),
            escaped({"name": "spaces", "image": image.replace("+", " "), "phone": client.device()})
        ]
        stored = []
        for body in bodies:
            answer = put("/customers", body)
            self.assertEqual(answer.status, 201, answer)
            stored.append(client.get(server, answer["location"]).field("image"))
        self.assertEqual(len(set(stored)), 1)
        self.assertTrue(stored[0].startswith("iVBORw0KGgo"))

    def test_ampersand_in_a_name(self):
        self.assertEqual(self.name_of(f"name=Tom & Jerry&email=a@b.c&send_updates=1&phone={client.device()}"),
                         "Tom & Jerry")
        self.assertEqual(self.name_of(f"phone={client.device()}&name=AT&T"), "AT&T")
        self.assertEqual(self.name_of(f"name=a & b & c&phone={client.device()}"), "a & b & c")
        self.assertEqual(self.name_of(f"name=Tom & Jerry = love&phone={client.device()}"), "Tom & Jerry = love")

    def test_ampersand_in_a_posted_name(self):
        answer = self.phone.high_score("Tom & Jerry", 8_000_000, encode=unescaped)
        self.assertEqual(answer.status, 200)
        rows = plistlib.loads(client.get(server, "/high_scores.xml").body)
        self.assertIn(("Tom & Jerry", 8_000_000), [(r["player_name"], r["total_score"]) for r in rows])

    def test_a_stray_percent_stands_for_itself(self):
        self.assertEqual(self.name_of(f"name=100%&email=a@b.c&phone={client.device()}"), "100%")
        self.assertEqual(self.name_of(f"name=5% off&phone={client.device()}"), "5% off")
        self.assertEqual(self.name_of(f"name=%zz&phone={client.device()}"), "%zz")
        self.assertEqual(self.name_of(f"name=100%25&phone={client.device()}"), "100%")
        self.assertEqual(self.name_of(f"phone={client.device()}&name=50%"), "50%")

    # -- (null), empty, send_updates

    def test_null_is_absent(self):
        self.refused(put("/customers", f"name=(null)&phone={self.phone.udid}"))
        self.refused(put("/customers", "name=x&phone=(null)"))
        self.known(name="kept")
        answer = put(
            "/customers",
            f"name=(null)&email=(null)&send_updates=(null)&image=(null)&fb_uid=(null)&phone={self.phone.udid}")
        self.assertEqual((answer.status, answer.field("name")), (200, "kept"))
        answer = put("/customers", f"name=%28null%29&phone={self.phone.udid}")
        self.assertEqual((answer.status, answer.field("name")), (200, "kept"))
        self.refused(put("/scores", f"phone={self.phone.udid}&points=(null)"))

    def test_absent_keeps_and_empty_clears(self):
        mail = client.device()[:12] + "@example.org"
        self.assertEqual(
            self.phone.register("n", email=mail, send_updates="1", image=client.base64_text(client.png())).status, 201)
        answer = self.phone.register("n2")
        self.assertEqual((answer.status, answer.field("send-updates")), (200, "true"))
        self.assertIn(mail, server.verb("export", "subscribers"))
        where = f"/customers/{answer.number('id')}"
        self.assertTrue(client.get(server, where).field("image"))
        self.refused(self.phone.register(""))
        self.assertEqual(client.get(server, where).field("name"), "n2")
        self.assertEqual(self.phone.register("n2", email="", image="").status, 200)
        self.assertNotIn(mail, server.verb("export", "subscribers"))
        self.assertFalse(client.get(server, where).field("image"))

    def test_spellings_of_send_updates(self):
        yes = ("1", "y", "Y", "yes", "YES", "Yes", "t", "T", "true", "TRUE", "on", "ON", "On")
        no = ("0", "", "n", "no", "NO", "f", "false", "off", "2", "ja", "11", "yess")
        for spelling, wanted in [(s, "true") for s in yes] + [(s, "false") for s in no]:
            with self.subTest(spelling=spelling):
                answer = client.Phone(server).register("su", send_updates=spelling)
                self.assertEqual((answer.status, answer.field("send-updates")), (201, wanted))
                self.assertEqual(answer.xml().find("send-updates").get("type"), "boolean")

    # -- Content-Length in UTF-16 units

    def test_what_content_length_says_is_what_is_read(self):
        d = client.device()
        body = f"name=Zoë&phone={d}"
        units = len(body.encode("utf-16-le")) // 2
        answer = put("/customers", body, [("Content-Length", str(units))])
        self.assertEqual((answer.status, answer.field("name")), (201, "Zoë"))
        answer = put("/customers", f"name=again&phone={d[:-1]}")
        self.assertEqual(answer.status, 200, "not the 39 characters that the header left of the device id were read")
        self.assertEqual(put("/customers", f"name=again&phone={d}").status, 201)

    def test_a_cut_multibyte_tail_says_so(self):
        for tail in ("ë", "日", "😀"):
            body = f"phone={client.device()}&name=Zo{tail}"
            for cut in range(1, len(tail.encode())):
                answer = put("/customers", body, [("Content-Length", str(len(body.encode()) - cut))])
                text = self.refused(answer, 400)
                self.assertRegex(text.lower(), r"length|cut|truncat|incomplete|ends in the middle")
        body = "high_score[total_score]=1&high_score[player_name]=Zoë".encode()
        answer = client.request(server, "POST", "/high_scores", [("Content-Length", str(len(body) - 1))], body)
        self.assertEqual(answer.status, 400)

    def test_malformed_utf8_is_400(self):
        for bad in (b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"a\x80b", b"\xf5\x80\x80\x80"):
            self.refused(put("/customers", b"name=" + bad + b"x&phone=" + client.device().encode()), 400)
        self.refused(put("/customers", b"name=%ff%fex&phone=" + client.device().encode()), 400)

    # -- names

    def test_refused_names(self):
        bad = [
            "a\x01b", "a\x00b", "tab\there", "line\nfeed", "cr\rx", "\x7f", "c1\x85x", "x\ufffex", "x\uffffx",
            "x\ufdd0x", "x\U0001fffex", "x\u2028x", "x\u2029x", "x\u202ex", "x\u2066x", "x\u2069x", "tag\U000e0041",
            "\u200b", "\u200b\u200d\u2060", "   ", "\u00a0\u3000", "\ufeff", "q" * 33, "😀" * 33, "q" + "\u0316" * 5,
            "Anonymous", "anonymous", "A former player", "A FORMER PLAYER", "Red Cross", "RED CROSS", "Save the Whales",
            "👩🏻\u200d❤️\u200d💋\u200d👨🏿" * 27
        ]
        for name in bad:
            for encode in (escaped, unescaped):
                with self.subTest(name=name, encode=encode.__name__):
                    phone = client.Phone(server)
                    self.refused(phone.write("PUT", "/customers", {"name": name, "phone": phone.udid}, encode))
        for name in bad:
            with self.subTest(posted=name):
                answer = client.Phone(server).high_score(name, 77)
                self.assertEqual((answer.status, answer.body), (422, b""))
        feeds.well_formed(client.get(server, "/high_scores.xml").body)

    def test_accepted_names(self):
        for name in [
                "q" * 32, "😀" * 32, "é" * 32, "e\u0301" * 32, "q" + "\u0316" * 4, "x\u0323" * 32,
                "👩\u200d👩\u200d👧\u200d👦" * 32, "\ue000\uf8ff", "\ufffd", "אבג",
                "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "🇩🇪", "null", "nil", "0", "=1+1",
                "<b>", "&amp;", "admin'--", "me", "Anonymouse"
        ]:
            with self.subTest(name=name):
                phone = client.Phone(server)
                answer = phone.register(name)
                self.assertEqual(answer.status, 201, answer)
                self.assertEqual(answer.field("name"), unicodedata.normalize("NFC", name))

    def test_a_name_twice_is_no_problem(self):
        for _ in range(2):
            self.assertEqual(client.Phone(server).register("twin").status, 201)

    # -- numbers

    def test_points_of_64_bits_and_no_more(self):
        self.known()
        answer = self.phone.post(2**63 - 1)
        self.assertEqual((answer.status, answer.number("points"), answer.number("best")), (201, 2**63 - 1, 2**63 - 1))
        for points in (2**63, 2**64, 2**64 + 5, 10**30, "9" * 400, 0, -1, -2**63, -2**63 - 1, "", "abc", "1.5", "1,000",
                       "0x10", "NaN", "--5", "١٢"):
            with self.subTest(points=points):
                self.refused(self.phone.post(points))
        answer = self.phone.high_score("big", 2**63 - 1)
        self.assertEqual(answer.status, 200)
        for points in (2**63, 10**30, 0, -1, "abc"):
            with self.subTest(high_score=points):
                answer = self.phone.high_score("big", points)
                self.assertEqual((answer.status, answer.body), (422, b""))
        rows = plistlib.loads(client.get(server, "/high_scores.xml").body)
        self.assertEqual(rows[0]["total_score"], 2**63 - 1)

    def test_a_wallet_holds_what_it_holds(self):
        self.known()
        self.assertEqual(self.phone.post(2**63 - 1).status, 201)
        self.refused(self.phone.give("red-cross", 2**53))
        answer = self.phone.give("red-cross", 2**53 - 1)
        self.assertEqual((answer.status, answer.number("balance")), (201, 0))

    def test_device_ids(self):
        long = client.device() + client.device()
        self.assertEqual(put("/customers", f"name=x&phone={long[:64]}").status, 201)
        self.refused(put("/customers", f"name=x&phone={long[:65]}"))
        self.refused(put("/customers", "name=x&phone="))
        self.refused(put("/customers", "name=x"))
        self.refused(put("/customers", "name=x&phone=a%00b"))
        self.refused(put("/customers", b"name=x&phone=a\x00b"))
        self.refused(put("/scores", f"phone={long[:65]}&points=5"))
        answer = client.Phone(server, long[:65]).high_score("x", 5)
        self.assertEqual((answer.status, answer.body), (422, b""))

    def test_an_unknown_field_is_ignored(self):
        self.assertEqual(self.name_of(f"foo=bar&name=Al%20B&phone={client.device()}"), "Al B")
        self.assertEqual(self.name_of(f"name=Al%20B&foo=bar&phone={client.device()}"), "Al B")
        self.assertEqual(self.name_of(f"id=1&player_id=2&name=Al%20B&admin=true&phone={client.device()}"), "Al B")

    def test_a_repeated_field_counts_with_its_last_value(self):
        self.assertEqual(self.name_of(f"name=first&name=second&phone={client.device()}"), "second")
        self.known()
        self.assertEqual(put("/scores", f"points=5&phone={self.phone.udid}&points=6").number("points"), 6)
        self.refused(put("/scores", f"points=5&phone={self.phone.udid}&points=x"))

    # -- pictures

    def test_a_picture_that_is_none(self):
        good = client.png()
        bomb = client.png(1, 1)
        at = bomb.index(b"IHDR")
        header = b"IHDR" + struct.pack(">IIBBBBB", 60000, 60000, 8, 2, 0, 0, 0)
        bomb = bomb[:at] + header + struct.pack(">I", zlib.crc32(header)) + bomb[at + 4 + 13 + 4:]
        for what, image in [("text", "hello"), ("the capture's", "ab+/cd+/ef=="), ("no base64", "!!!!"),
                            ("cut", client.base64_text(good[:len(good) // 2])), ("bomb", client.base64_text(bomb)),
                            ("too large", client.base64_text(client.png(1025, 40))),
                            ("GIF", client.base64_text(b"GIF89a" + bytes(40))),
                            ("head only", client.base64_text(good[:8])),
                            ("bytes over 128 KiB", client.base64_text(good + bytes(128 * 1024)))]:
            with self.subTest(picture=what):
                phone = client.Phone(server)
                self.refused(phone.register("pictured", image=image))
                answer = phone.register("pictured")
                self.assertEqual(answer.status, 201, "a refused registration was stored")
                self.assertFalse(client.get(server, answer["location"]).field("image"))

    def test_pictures_of_other_sizes_and_jpeg_become_40_by_40_png(self):
        import base64
        for what, image in [("1x1", client.png(1, 1)), ("1024x1024", client.png(1024, 1024)),
                            ("wide", client.png(300, 3)), ("JPEG", client.JPEG)]:
            with self.subTest(picture=what):
                phone = client.Phone(server)
                answer = phone.register("pictured", image=client.base64_text(image))
                self.assertEqual(answer.status, 201, answer)
                shown = client.get(server, answer["location"]).field("image")
                self.assertEqual(client.png_size(base64.b64decode(shown, validate=True)), (40, 40))

    # -- replays, forgeries

    def test_a_replayed_high_score_is_one_post(self):
        for _ in range(5):
            self.assertEqual(self.phone.high_score("replayed", 7_000_007).status, 200)
        rows = plistlib.loads(client.get(server, "/high_scores.xml").body)
        self.assertEqual([r["total_score"] for r in rows].count(7_000_007), 1)

    def test_a_replayed_score_is_one_post(self):
        self.known()
        first = self.phone.post(41)
        again = self.phone.post(41)
        self.assertEqual(first.status, 201)
        self.assertIn(again.status, (200, 201))
        self.assertEqual(first.field("id"), again.field("id"), "the replay is not the post that was recorded")
        self.refused(self.phone.give("red-cross", 42))
        self.assertEqual(self.phone.give("red-cross", 41).status, 201)

    def test_a_replayed_gift_is_one_gift(self):
        self.known(100)
        self.assertEqual(self.phone.give("red-cross", 30).number("balance"), 70)
        again = self.phone.give("red-cross", 30)
        self.assertIn(again.status, (200, 201))
        self.assertEqual(again.number("balance"), 70)

    def test_twin_replays_at_once_are_one_post(self):
        self.known()
        client.in_threads(8, lambda _: client.Phone(server, self.phone.udid).post(50_321))
        self.refused(self.phone.give("red-cross", 50_322))
        self.assertEqual(self.phone.give("red-cross", 50_321).status, 201)
        rows = server.psql("select count(*) from score where points = 50321")
        self.assertEqual(rows, [["1"]])

    def test_equal_scores_earn_once_a_day_and_rank_all_the_same(self):
        self.known()
        for _ in range(3):
            self.assertEqual(self.phone.post(60, id=uuid.uuid4()).status, 201)
        self.refused(self.phone.give("red-cross", 61))
        self.assertEqual(self.phone.give("red-cross", 60).status, 201)

    def test_the_servers_clock_decides(self):
        forged = ("high_score[created_at]", "2001-01-01T00:00:00Z")
        auth = client.token(6_000_001, self.phone.udid)
        fields = [("high_score[auth_token]", auth), ("high_score[player_name]", "clock"),
                  ("high_score[total_score]", 6_000_001), ("high_score[iphone_udid]", self.phone.udid)]
        self.assertEqual(self.phone.write("POST", "/high_scores", [forged, *fields]).status, 200)
        rows = plistlib.loads(client.get(server, "/high_scores.xml").body)
        row = next(r for r in rows if r["total_score"] == 6_000_001)
        self.assertEqual(row["player_name"], "clock")
        self.assertGreater(row["created_at"].year, 2020)

    def test_a_forged_field_between_the_others_is_ignored(self):
        for points, encode in ((6_000_002, escaped), (6_000_003, unescaped)):
            with self.subTest(encode=encode.__name__):
                fields = [("high_score[auth_token]", client.token(points, self.phone.udid)),
                          ("high_score[player_name]", "clock"), ("high_score[created_at]", "2001-01-01"),
                          ("high_score[total_score]", points), ("high_score[iphone_udid]", self.phone.udid)]
                self.assertEqual(self.phone.write("POST", "/high_scores", fields, encode).status, 200)
                rows = plistlib.loads(client.get(server, "/high_scores.xml").body)
                row = next(r for r in rows if r["total_score"] == points)
                self.assertEqual((row["player_name"], row["created_at"].year > 2020), ("clock", True))

    def test_the_query_string_is_ignored_on_writes(self):
        answer = put(f"/customers?name=Evil&phone={client.device()}", f"name=Good&phone={self.phone.udid}")
        self.assertEqual((answer.status, answer.field("name")), (201, "Good"))
        answer = put("/scores?points=999&id=nonsense", f"phone={self.phone.udid}&points=5")
        self.assertEqual((answer.status, answer.number("points")), (201, 5))
        self.refused(put("/scores?points=999", f"phone={self.phone.udid}"))
        self.refused(put("/donations?donated_points=1&charity=red-cross", f"phone={self.phone.udid}"))

    # -- gifts

    def test_gifts_that_are_refused_leave_every_feed_as_it_was(self):
        self.known(100)
        unknown = client.Phone(server)

        def bad_gifts():
            self.refused(unknown.give("red-cross", 1))
            for points in (0, -1, -100, 101, 2**63, -2**63, 10**30, "", "abc", "1.5"):
                with self.subTest(points=points):
                    self.refused(self.phone.give("red-cross", points))
            for charity in ("nobody", "", "(null)", "me", "red cross!", "x" * 300, "red-cross\x00"):
                with self.subTest(charity=charity):
                    self.refused(self.phone.give(charity, 1))
            self.refused(put("/donations", f"phone={self.phone.udid}&donated_points=1"))
            self.refused(put("/donations", f"phone={self.phone.udid}&charity=red-cross"))
            self.refused(put("/donations", "charity=red-cross&donated_points=1"))
        self.stays_the_same(bad_gifts)
        self.assertEqual(self.phone.give("red-cross", 100).number("balance"), 0)
        self.refused(self.phone.give("whales", 1))

    def test_a_charity_goes_by_slug_or_by_name_in_any_case(self):
        self.known(100)
        for left, charity in zip((99, 97, 94, 90), ("red-cross", "Red Cross", "RED CROSS", "red cross")):
            self.assertEqual(self.phone.give(charity, {99: 1, 97: 2, 94: 3, 90: 4}[left]).number("balance"), left)
        self.assertEqual(self.phone.give("SAVE THE WHALES", 5).status, 201)

    # -- customers

    def test_customer_by_number(self):
        answer = self.phone.register("seven")
        where = answer["location"]
        renamed = put(where, f"name=eight&phone={self.phone.udid}")
        self.assertEqual((renamed.status, renamed.field("name")), (200, "eight"))
        self.assertEqual(client.get(server, where).field("name"), "eight")
        wrong = put(where, f"name=thief&phone={client.device()}")
        unknown = put("/customers/1", f"name=thief&phone={client.device()}")
        another = client.Phone(server)
        another.register("another")
        known_but_wrong = put(where, f"name=thief&phone={another.udid}")
        self.refused(wrong)
        self.assertEqual(wrong.status, unknown.status)
        self.assertEqual(wrong.body, unknown.body, "the answers tell a known id from an unknown one")
        self.assertEqual((known_but_wrong.status, known_but_wrong.body), (wrong.status, wrong.body))
        self.refused(put(where, "name=thief"))
        self.assertEqual(client.get(server, where).field("name"), "eight")

    def test_a_customer_nobody_knows(self):
        for number in ("1", "0", "-1", "2147483647", "9007199254740993", "99999999999999999999999", "abc", "1.5"):
            with self.subTest(number=number):
                self.assertEqual(client.get(server, f"/customers/{number}").status, 404)

    def test_post_is_put_and_json_is_answered_to_the_suffix(self):
        answer = put("/customers.json", f"name=jay&phone={self.phone.udid}", method="POST")
        self.assertEqual((answer.status, answer.media), (201, "application/json"))
        self.assertIn("jay", str(answer.json()))
        answer = put("/scores.json", f"phone={self.phone.udid}&points=17", method="POST")
        self.assertEqual((answer.status, answer.media), (201, "application/json"))
        self.assertIn("17", answer.text)
        answer = put("/donations.json", f"phone={self.phone.udid}&charity=red-cross&donated_points=18", method="POST")
        self.assertEqual((answer.status, answer.media), (422, "application/problem+json"))
        problem = answer.json()
        self.assertEqual(problem["type"], "/problems/overspent")
        answer = put("/donations.xml", f"phone={self.phone.udid}&charity=red-cross&donated_points=17", method="POST")
        self.assertEqual((answer.status, answer.xml().tag), (201, "donation"))

    # -- ids

    def test_a_retry_is_200_and_another_body_409(self):
        self.known()
        id = str(uuid.uuid4())
        first = self.phone.post(500, id=id)
        self.assertEqual(first.status, 201, first)
        self.assertEqual(first.field("id").lower(), id)
        self.assertIsNone(first["idempotent-replayed"])
        again = self.phone.post(500, id=id.upper())
        self.assertEqual(again.status, 200, again)
        self.assertEqual(again["idempotent-replayed"], "true")
        self.assertEqual([again.field("id").lower(), again.number("points")], [id, 500])
        self.refused(self.phone.post(501, id=id), 409)
        other = client.Phone(server)
        other.register("other")
        self.assertEqual(other.post(501, id=id).status, 201, "an id names a row of one player, not of the world")
        gift = str(uuid.uuid4())
        self.assertEqual(self.phone.give("red-cross", 5, id=gift).status, 201)
        again = self.phone.give("red-cross", 5, id=gift)
        self.assertEqual((again.status, again["idempotent-replayed"], again.number("balance")), (200, "true", 495))
        self.refused(self.phone.give("red-cross", 6, id=gift), 409)
        self.refused(self.phone.give("whales", 5, id=gift), 409)
        over = str(uuid.uuid4())
        self.refused(self.phone.give("red-cross", 496, id=over))
        self.assertEqual(self.phone.give("red-cross", 495, id=over).status, 201, "a refusal used up the id")
        refused = str(uuid.uuid4())
        self.refused(self.phone.post(0, id=refused))
        self.assertEqual(self.phone.post(9, id=refused).status, 201, "a refusal used up the id")

    def test_a_malformed_uuid_is_400(self):
        self.known(10)
        for id in ("x", "123", "zzzzzzzz-0000-4000-8000-000000000000", str(uuid.uuid4()) + "0",
                   "{" + str(uuid.uuid4()) + "}"):
            self.refused(self.phone.post(5, id=id), 400)
            self.refused(self.phone.give("red-cross", 5, id=id), 400)
        for id in ("00000000-0000-0000-0000-000000000001", str(uuid.uuid1()), "ffffffff-ffff-ffff-ffff-fffffffffffe"):
            self.assertEqual(self.phone.post(5, id=id).status, 201, "UUIDs of any version")

    def test_a_score_of_an_unknown_device_or_board(self):
        self.refused(self.phone.post(5))
        self.known()
        for board in ("nope", "me", "HIGH SCORES", "x" * 200):
            self.refused(self.phone.post(5, board=board))
        self.assertEqual(self.phone.post(5, board="high-scores").status, 201)

    # -- HTTP

    def test_a_body_over_256_KiB_is_413(self):
        self.assertEqual(self.phone.register("fits", image="").status, 201)
        body = b"name=x&phone=" + client.device().encode() + b"&email=" + b"a" * (256 * 1024)
        for attempt in range(3):
            try:
                answer = put("/customers", body)
                break
            except (OSError, client.Broken):
                if attempt == 2:
                    raise
        self.assertEqual(answer.status, 413)

    def test_methods_and_paths_that_are_none(self):
        for method, path in (("DELETE", "/scores"), ("POST", "/TopScores.xml"), ("DELETE", "/high_scores.xml"),
                             ("PATCH", "/customers")):
            with self.subTest(method=method, path=path):
                answer = client.request(server, method, path, body=b"")
                self.assertEqual(answer.status, 405, answer)
                self.assertTrue(answer["allow"])
        for path in ("/", "/nope", "/TopScores/", "/topscores.xml/x", "/customers/7/8", "/v1/nope", "/%00",
                     "/..%2f..%2fetc/passwd", "/TopScores.xml%00"):
            with self.subTest(path=path):
                self.assertIn(client.get(server, path).status, (200, 303, 400, 404) if path == "/" else (400, 404))

    def test_probes(self):
        self.assertEqual(client.get(server, "/healthz").status, 200)
        self.assertEqual(client.get(server, "/readyz").status, 200)

    def test_garbage_on_the_socket_ends_only_its_own_connection(self):
        for data in (b"\r\n\r\n", b"GET\r\n\r\n", b"\x16\x03\x01\x02\x00",
                     b"PUT /scores HTTP/1.1\r\nContent-Length: -5\r\n\r\n",
                     b"PUT /scores HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n",
                     b"PUT /scores HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n",
                     b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n"):
            with client.Connection(server, seconds=3) as c:
                try:
                    c.send(data)
                    self.assertGreaterEqual(c.receive("GET").status, 400)
                except (client.Broken, OSError):
                    pass
        self.assertEqual(client.get(server, "/healthz").status, 200)
        self.assertIsNone(server.process.poll(), "the server ended")

    def test_zz_the_books_balance_after_all_this(self):
        server.audit()
        for path in ("/TopScores.xml", "/high_scores.xml"):
            feeds.well_formed(client.get(server, path).body)
