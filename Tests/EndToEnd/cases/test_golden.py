"""Every row of ../Golden/REPLAY.tsv: the captured request goes out byte for byte, but for what the row says to change.

A row is driven by its columns. `set-up` names a stage of one of two fixtures (STAGES below), `change before sending` a
list of the edits in EDITS, `body` one of the checks in check_body. Words that nobody here knows make the row fail.
"""
import base64
import csv
import datetime
import os
import re
import unittest

import client
import feeds
from repository import GOLDEN
from server import Server

CAPTURED_DEVICE = b"2bef0b11cff51cbb2e0730235f5664094b83b487"
FIXTURES = [("player one", 10, "2b6f0cc904d137be2e1730235f5664094b831186"),
            ("player two", 15, "2b6f0ce614c43cbb2e0730235f5664094b83b487"),
            ("player three", 20, "2bef0b11cff51c9c080730235f566401e80bfe1")]


def golden(name):
    with open(os.path.join(GOLDEN, name), "rb") as f:
        return f.read()


with open(os.path.join(GOLDEN, "REPLAY.tsv"), newline="", encoding="utf-8") as f:
    ROWS = list(csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE))
AVATAR = golden("avatar40.png")


class Fixture:
    """A server whose history goes through stages in order; asking for an earlier stage begins it anew."""

    def __init__(self, name, stages):
        self.name = name
        self.stages = stages
        self.server = None
        self.stage = -1
        self.used = set()           # devices that are registered here
        self.phone = None           # a device with points to donate

    def at(self, wanted):
        target = [s.__name__ for s in self.stages].index(wanted)
        if self.server is None or self.stage > target:
            self.stop()
            self.server = Server("golden-" + self.name)
            self.stage, self.used, self.phone = -1, set(), None
        while self.stage < target:
            self.stage += 1
            self.stages[self.stage](self)
        return self

    def stop(self):
        if self.server is not None:
            self.server.stop()
            self.server = None


def ok(answer, *statuses):
    assert answer.status in statuses, f"set-up: {answer!r}"
    return answer


def nothing(fixture):
    fixture.server.verb("game", "set", "default", "--salt", client.SALT)


def post_fixture(fixture, number):
    name, points, udid = FIXTURES[number]
    phone = client.Phone(fixture.server, udid)
    ok(phone.high_score(name, points, encode=client.unescaped), 200)
    phone.close()


def one_post(fixture):
    post_fixture(fixture, 0)


def three_fixtures(fixture):
    post_fixture(fixture, 1)
    post_fixture(fixture, 2)


def posted(_world):
    """Any number of posts may be there."""


def donor(fixture, name, points, charity="red-cross"):
    phone = client.Phone(fixture.server)
    ok(phone.register(name), 201)
    ok(phone.post(points), 201)
    ok(phone.donate(charity, points), 201)
    phone.close()


def one_donor(fixture):
    fixture.server.verb("charity", "add", "red-cross", "--name", "Red Cross")
    donor(fixture, "yarri", 15)


def three_hundred(fixture):
    for n in range(1, 301):
        donor(fixture, f"c{n:04}", n)


def rich_device(fixture):
    fixture.phone = client.Phone(fixture.server)
    ok(fixture.phone.register("giver"), 201)
    ok(fixture.phone.post(10), 201)
    ok(fixture.phone.post(90), 201)


HIGH_SCORES = Fixture("high-scores", [nothing, one_post, three_fixtures, posted])
DONATIONS = Fixture("giving", [nothing, one_donor, three_hundred, rich_device])
STAGES = {
    "no scores": (HIGH_SCORES, "nothing"), "one post": (HIGH_SCORES, "one_post"),
    "the three fixtures of the seed": (HIGH_SCORES, "three_fixtures"), "salt 999888999": (HIGH_SCORES, "posted"),
    "no donations": (DONATIONS, "nothing"), "one donor, 15 points": (DONATIONS, "one_donor"),
    "as ts_one": (DONATIONS, "one_donor"),
    "300 donors with 1 to 300 points": (DONATIONS, "three_hundred"), "-": (DONATIONS, "rich_device"),
    "charity 'Red Cross' (slug red-cross); a device with >= 50 points": (DONATIONS, "rich_device"),
    "as do_put_ok": (DONATIONS, "rich_device"), "a device": (DONATIONS, "rich_device")
}
STAGES_BY_CAPTURE = {"hs_index_304": (HIGH_SCORES, "posted")}      # its set-up is "-" and it reads the plist


def stage_of(row):
    return STAGES_BY_CAPTURE.get(row["capture"]) or STAGES[row["set-up"].strip() or "-"]


def order_of(row):
    try:
        fixture, stage = stage_of(row)
    except KeyError:
        return (9, 9)
    return (0 if fixture is HIGH_SCORES else 1, [s.__name__ for s in fixture.stages].index(stage))


# -- edits

def dechunk(body):
    out = b""
    while True:
        size, body = body.split(b"\r\n", 1)
        if int(size, 16) == 0:
            return out
        out, body = out + body[:int(size, 16)], body[int(size, 16) + 2:]


class Request:
    """A captured request, taken apart only when a change needs it: an unchanged one goes out as the very same bytes."""

    def __init__(self, raw):
        self.head, self.body = raw.split(b"\r\n\r\n", 1)
        self.chunked = b"transfer-encoding: chunked" in self.head.lower()
        if self.chunked:
            self.body = dechunk(self.body)

    @property
    def raw(self):
        if self.chunked:
            pieces = [self.body[i:i + 7] for i in range(0, len(self.body), 7)]
            coded = b"".join(b"%x\r\n%s\r\n" % (len(p), p) for p in pieces) + b"0\r\n\r\n"
            return self.head + b"\r\n\r\n" + coded
        head = re.sub(rb"(?i)(content-length:) *\d+", rb"\1 %d" % len(self.body), self.head)
        return head + b"\r\n\r\n" + self.body


def own_etag(request, fixture):
    path = request.head.split(b" ")[1].decode()
    etag = client.get(fixture.server, path)["etag"]
    assert etag, f"GET {path} has no ETag"
    request.head = re.sub(rb"(?i)(if-none-match:)[^\r]*", lambda m: m[1] + b" " + etag.encode(), request.head)


def image_to_avatar(request, _world):
    request.body, count = re.subn(rb"image=[^&]*", lambda _: b"image=" + base64.b64encode(AVATAR), request.body)
    assert count == 1


def phone_if_absent(request, _world):
    if b"phone=" not in request.body:
        request.body += b"&phone=" + client.device().encode()


def customer_to_phone(request, fixture):
    request.body, count = re.subn(rb"customer_id=1", b"phone=" + fixture.phone.udid.encode(), request.body)
    assert count == 1


def path_to(path):
    def edit(request, _world):
        method, _, rest = request.head.split(b" ", 2)
        request.head = b" ".join([method, path.encode(), rest])
    return edit


EDITS = {"-": lambda *_: None, "image -> avatar40 as base64": image_to_avatar, "phone added if absent": phone_if_absent,
         "customer_id -> phone of that device": customer_to_phone, "customer_id -> phone": customer_to_phone,
         "If-None-Match -> our own ETag": own_etag, "path -> /TopScores.xml": path_to("/TopScores.xml")}


def fresh_device(request, fixture):
    """Set-up "-" of a registration is a device that nobody knows: the first capture keeps its own, the others get one
    as long."""
    phone = re.search(rb"phone=([0-9a-f]{40})$", request.body)
    if phone and phone[1] in fixture.used:
        request.body = request.body.replace(phone[1], client.device().encode())
        phone = re.search(rb"phone=([0-9a-f]{40})$", request.body)
    if phone:
        fixture.used.add(phone[1])


# -- bodies

SENT_NAME = re.compile(rb"(?:^|&)name=(.*?)&email=", re.S)


class Golden(unittest.TestCase):
    maxDiff = None

    @classmethod
    def tearDownClass(cls):
        HIGH_SCORES.stop()
        DONATIONS.stop()

    def replay(self, row):
        words = row["set-up"].strip() or "-"
        self.assertIn(words, STAGES, "this set-up is not known here")
        fixture, stage = stage_of(row)
        fixture.at(stage)
        captured = golden(row["capture"] + ".req")
        request = Request(captured)
        for words in row["change before sending"].split(";"):
            self.assertIn(words.strip(), EDITS, "this change is not known here")
            EDITS[words.strip()](request, fixture)
        if row["capture"].startswith("cu_") and row["expect"] == "201":
            fresh_device(request, fixture)
        if row["change before sending"].strip() == "-" and CAPTURED_DEVICE in request.body and not request.chunked:
            self.assertEqual(request.raw, captured)
        answer = client.raw(fixture.server, request.raw)
        self.assertEqual(answer.status, int(row["expect"]), answer)
        self.check_body(row, request, answer, fixture)

    def check_body(self, row, request, answer, fixture):
        words = row["body"].strip()
        capture = row["capture"]
        if words.startswith("empty"):
            self.assertEqual(answer.body, b"")
            if "ETag as GET" in words:
                path = request.head.split(b" ")[1].decode()
                self.assertEqual(answer["etag"], client.get(fixture.server, path)["etag"])
        elif words.startswith("bytes of "):
            self.assertEqual(answer.body.decode(), golden(words.removeprefix("bytes of ")).decode())
        elif words == "same bytes":
            self.assertEqual(answer.body.decode(), golden(capture + ".xml").decode())
        elif words == "same bytes but for the picture":
            self.assertEqual(without_picture(answer.text), without_picture(golden(capture + ".xml").decode()))
        elif words == "plist300 form":
            self.assertEqual(without_dates(answer.text), without_dates(one_of_plist300()))
            self.check_dates(answer.text)
        elif match := re.fullmatch(r"(plist300_\w+\.xml) but for the dates", words):
            self.assertEqual(without_dates(answer.text), without_dates(golden(match[1]).decode()))
            self.check_dates(answer.text)
        elif words == "same names and points in the same order":
            def rows(body):
                return [(c["name"], c["points"]) for c in feeds.sax(body)]
            self.assertEqual(rows(answer.body), rows(golden(capture + ".xml")))
        elif words == "an <errors> document":
            root = answer.xml()
            self.assertEqual(root.tag, "errors")
            self.assertTrue([e for e in root.findall("error") if (e.text or "").strip()], answer)
        elif words.startswith("<donation>"):
            self.check_fields(answer, "donation", ("id", "charity", "donated-points", "balance"))
            self.assertEqual(answer.number("donated-points"), 50)
            self.assertEqual(answer.number("balance"), 50)
            self.assertIn(answer.field("charity"), ("Red Cross", "red-cross"))
        elif words.startswith("<score>"):
            self.check_fields(answer, "score", ("id", "points", "best", "rank"))
            self.assertEqual((answer.number("points"), answer.number("best")), (1234, 1234))
            self.assertGreaterEqual(answer.number("rank"), 1)
        else:
            self.check_customer(words, request, answer, fixture)

    def check_customer(self, words, request, answer, fixture):
        self.assertRegex(words,
                         r"^(id, name, send-updates|as cu_put_\w+.*|name.*|\+ stays \+.*|send-updates (true|false))$",
                         "this body is not known here")
        self.check_fields(answer, "customer", ("id", "name", "send-updates"))
        sent = SENT_NAME.search(request.body)[1].decode("utf-8")
        self.assertEqual(answer.field("name"), sent)
        updates = "false" if words.endswith("false") else "true"
        self.assertEqual(answer.field("send-updates"), updates)
        self.assertEqual(answer.xml().find("send-updates").get("type"), "boolean")
        self.assertEqual(answer["location"], f"/customers/{answer.number('id')}")
        for private in ("a@b.c", CAPTURED_DEVICE.decode(), "<phone", "<email"):
            self.assertNotIn(private, answer.text)
        if "TopScores" in words or "same stored PNG" in words:
            phone = client.Phone(fixture.server, request.body.rpartition(b"phone=")[2].decode())
            ok(phone.post(100_000), 201)
            ok(phone.donate("red-cross", 100_000), 201)
            name = answer.field("name")
            shown = next(c for c in feeds.sax(client.get(fixture.server, "/TopScores.xml").body) if c["name"] == name)
            picture = base64.b64decode(shown["image"], validate=True)
            self.assertEqual(client.png_size(picture), (40, 40))
            others = getattr(fixture, "pictures", set())
            fixture.pictures = others | {picture}
            self.assertEqual(len(fixture.pictures), 1,
                             "raw and percent-escaped base64 are not stored as the same picture")

    def check_fields(self, answer, tag, wanted):
        root = answer.xml()
        self.assertEqual(root.tag, tag)
        self.assertLessEqual(set(wanted), {child.tag for child in root})
        feeds.well_formed(answer.body)

    def check_dates(self, text):
        now = datetime.datetime.now(datetime.timezone.utc)
        for date in re.findall(r"<date>(.*?)</date>", text):
            at = datetime.datetime.strptime(date, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=datetime.timezone.utc)
            self.assertLess(abs((now - at).total_seconds()), 180, "the server's clock decides")


def without_picture(text):
    return re.sub(r"<image>[^<]*</image>", "<image></image>", text)


def without_dates(text):
    return re.sub(r"<date>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ</date>", "<date/>", text)


def one_of_plist300():
    """The one post is the last entry of the three."""
    text = golden("plist300_three_fixtures.xml").decode()
    entries = re.findall(r"\t<dict>\n.*?\t</dict>\n", text, re.S)
    return text.replace(entries[0] + entries[1], "")


def case(row):
    def test(self):
        self.replay(row)
    test.__doc__ = row["why"]
    return test


for number, row in enumerate(sorted(ROWS, key=order_of)):
    setattr(Golden, f"test_{number:02}_{row['capture']}", case(row))
