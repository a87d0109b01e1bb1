"""Forms as the 2009 clients really write them: unescaped, cut short, with (null) and with other lengths."""
import os
import plistlib

import classic_case
import client
from classic_case import ClassicCase
from client import escaped, unescaped
from repository import GOLDEN


def setUpModule():
    classic_case.start("classicforms")


class Forms(ClassicCase):
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
            answer = self.put("/customers", body)
            self.assertEqual(answer.status, 201, answer)
            stored.append(client.get(self.server, answer["location"]).field("image"))
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
        rows = plistlib.loads(client.get(self.server, "/high_scores.xml").body)
        self.assertIn(("Tom & Jerry", 8_000_000), [(r["player_name"], r["total_score"]) for r in rows])

    def test_a_stray_percent_stands_for_itself(self):
        self.assertEqual(self.name_of(f"name=100%&email=a@b.c&phone={client.device()}"), "100%")
        self.assertEqual(self.name_of(f"name=5% off&phone={client.device()}"), "5% off")
        self.assertEqual(self.name_of(f"name=%zz&phone={client.device()}"), "%zz")
        self.assertEqual(self.name_of(f"name=100%25&phone={client.device()}"), "100%")
        self.assertEqual(self.name_of(f"phone={client.device()}&name=50%"), "50%")

    # -- (null), empty, send_updates

    def test_null_is_absent(self):
        self.refused(self.put("/customers", f"name=(null)&phone={self.phone.udid}"))
        self.refused(self.put("/customers", "name=x&phone=(null)"))
        self.known(name="kept")
        answer = self.put(
            "/customers",
            f"name=(null)&email=(null)&send_updates=(null)&image=(null)&fb_uid=(null)&phone={self.phone.udid}")
        self.assertEqual((answer.status, answer.field("name")), (200, "kept"))
        answer = self.put("/customers", f"name=%28null%29&phone={self.phone.udid}")
        self.assertEqual((answer.status, answer.field("name")), (200, "kept"))
        self.refused(self.put("/scores", f"phone={self.phone.udid}&points=(null)"))

    def test_absent_keeps_and_empty_clears(self):
        mail = client.device()[:12] + "@example.org"
        self.assertEqual(
            self.phone.register("n", email=mail, send_updates="1", image=client.base64_text(client.png())).status, 201)
        answer = self.phone.register("n2")
        self.assertEqual((answer.status, answer.field("send-updates")), (200, "true"))
        self.assertIn(mail, self.server.verb("export", "subscribers"))
        where = f"/customers/{answer.number('id')}"
        self.assertTrue(client.get(self.server, where).field("image"))
        self.refused(self.phone.register(""))
        self.assertEqual(client.get(self.server, where).field("name"), "n2")
        self.assertEqual(self.phone.register("n2", email="", image="").status, 200)
        self.assertNotIn(mail, self.server.verb("export", "subscribers"))
        self.assertFalse(client.get(self.server, where).field("image"))

    def test_spellings_of_send_updates(self):
        yes = ("1", "y", "Y", "yes", "YES", "Yes", "t", "T", "true", "TRUE", "on", "ON", "On")
        no = ("0", "", "n", "no", "NO", "f", "false", "off", "2", "ja", "11", "yess")
        for spelling, wanted in [(s, "true") for s in yes] + [(s, "false") for s in no]:
            with self.subTest(spelling=spelling):
                answer = client.Phone(self.server).register("su", send_updates=spelling)
                self.assertEqual((answer.status, answer.field("send-updates")), (201, wanted))
                self.assertEqual(answer.xml().find("send-updates").get("type"), "boolean")

    # -- Content-Length in UTF-16 units

    def test_what_content_length_says_is_what_is_read(self):
        d = client.device()
        body = f"name=Zoë&phone={d}"
        units = len(body.encode("utf-16-le")) // 2
        answer = self.put("/customers", body, [("Content-Length", str(units))])
        self.assertEqual((answer.status, answer.field("name")), (201, "Zoë"))
        answer = self.put("/customers", f"name=again&phone={d[:-1]}")
        self.assertEqual(answer.status, 200, "not the 39 characters that the header left of the device id were read")
        self.assertEqual(self.put("/customers", f"name=again&phone={d}").status, 201)

    def test_a_cut_multibyte_tail_says_so(self):
        for tail in ("ë", "日", "😀"):
            body = f"phone={client.device()}&name=Zo{tail}"
            for cut in range(1, len(tail.encode())):
                answer = self.put("/customers", body, [("Content-Length", str(len(body.encode()) - cut))])
                text = self.refused(answer, 400)
                self.assertRegex(text.lower(), r"length|cut|truncat|incomplete|ends in the middle")
        body = "high_score[total_score]=1&high_score[player_name]=Zoë".encode()
        answer = client.request(self.server, "POST", "/high_scores", [("Content-Length", str(len(body) - 1))], body)
        self.assertEqual(answer.status, 400)

    def test_malformed_utf8_is_400(self):
        for bad in (b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"a\x80b", b"\xf5\x80\x80\x80"):
            self.refused(self.put("/customers", b"name=" + bad + b"x&phone=" + client.device().encode()), 400)
        self.refused(self.put("/customers", b"name=%ff%fex&phone=" + client.device().encode()), 400)
