"""The fields of the classic protocol and their limits: names, numbers and pictures."""
import base64
import plistlib
import struct
import unicodedata
import zlib

import classic_case
import client
import feeds
from classic_case import ClassicCase
from client import escaped, unescaped


def setUpModule():
    classic_case.start("classicfields")


class Fields(ClassicCase):
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
                    phone = client.Phone(self.server)
                    self.refused(phone.write("PUT", "/customers", {"name": name, "phone": phone.udid}, encode))
        for name in bad:
            with self.subTest(posted=name):
                answer = client.Phone(self.server).high_score(name, 77)
                self.assertEqual((answer.status, answer.body), (422, b""))
        feeds.well_formed(client.get(self.server, "/high_scores.xml").body)

    def test_accepted_names(self):
        for name in [
                "q" * 32, "😀" * 32, "é" * 32, "e\u0301" * 32, "q" + "\u0316" * 4, "x\u0323" * 32,
                "👩\u200d👩\u200d👧\u200d👦" * 32, "q\ue000\uf8ff", "\ufffd", "אבג",
                "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "🇩🇪", "null", "nil", "0", "=1+1",
                "<b>", "&amp;", "admin'--", "me", "Anonymouse"
        ]:
            with self.subTest(name=name):
                phone = client.Phone(self.server)
                answer = phone.register(name)
                self.assertEqual(answer.status, 201, answer)
                self.assertEqual(answer.field("name"), unicodedata.normalize("NFC", name))

    def test_a_name_twice_is_no_problem(self):
        for _ in range(2):
            self.assertEqual(client.Phone(self.server).register("twin").status, 201)

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
        rows = plistlib.loads(client.get(self.server, "/high_scores.xml").body)
        self.assertEqual(rows[0]["total_score"], 2**63 - 1)

    def test_a_wallet_holds_what_it_holds(self):
        self.known()
        self.assertEqual(self.phone.post(2**63 - 1).status, 201)
        self.refused(self.phone.donate("red-cross", 2**53))
        answer = self.phone.donate("red-cross", 2**53 - 1)
        self.assertEqual((answer.status, answer.number("balance")), (201, 0))

    def test_device_ids(self):
        long = client.device() + client.device()
        self.assertEqual(self.put("/customers", f"name=x&phone={long[:64]}").status, 201)
        self.refused(self.put("/customers", f"name=x&phone={long[:65]}"))
        self.refused(self.put("/customers", "name=x&phone="))
        self.refused(self.put("/customers", "name=x"))
        self.refused(self.put("/customers", "name=x&phone=a%00b"))
        self.refused(self.put("/customers", b"name=x&phone=a\x00b"))
        self.refused(self.put("/scores", f"phone={long[:65]}&points=5"))
        answer = client.Phone(self.server, long[:65]).high_score("x", 5)
        self.assertEqual((answer.status, answer.body), (422, b""))

    def test_an_unknown_field_is_ignored(self):
        self.assertEqual(self.name_of(f"foo=bar&name=Al%20B&phone={client.device()}"), "Al B")
        self.assertEqual(self.name_of(f"name=Al%20B&foo=bar&phone={client.device()}"), "Al B")
        self.assertEqual(self.name_of(f"id=1&player_id=2&name=Al%20B&admin=true&phone={client.device()}"), "Al B")

    def test_a_repeated_field_counts_with_its_last_value(self):
        self.assertEqual(self.name_of(f"name=first&name=second&phone={client.device()}"), "second")
        self.known()
        self.assertEqual(self.put("/scores", f"points=5&phone={self.phone.udid}&points=6").number("points"), 6)
        self.refused(self.put("/scores", f"points=5&phone={self.phone.udid}&points=x"))

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
                phone = client.Phone(self.server)
                self.refused(phone.register("pictured", image=image))
                answer = phone.register("pictured")
                self.assertEqual(answer.status, 201, "a refused registration was stored")
                self.assertFalse(client.get(self.server, answer["location"]).field("image"))

    def test_pictures_of_other_sizes_and_jpeg_become_40_by_40_png(self):
        for what, image in [("1x1", client.png(1, 1)), ("1024x1024", client.png(1024, 1024)),
                            ("wide", client.png(300, 3)), ("JPEG", client.JPEG)]:
            with self.subTest(picture=what):
                phone = client.Phone(self.server)
                answer = phone.register("pictured", image=client.base64_text(image))
                self.assertEqual(answer.status, 201, answer)
                shown = client.get(self.server, answer["location"]).field("image")
                self.assertEqual(client.png_size(base64.b64decode(shown, validate=True)), (40, 40))
