"""A player who leaves: no byte of what told who it was is left, in no table, feed, page, cache or log."""
import base64
import json
import os
import subprocess
import threading
import time
import unittest
import zlib

import admin
import client
import v1
import v1_case
from admin import Operator
from joined import Joined
from psql import Psql
from server import Server, until
from v1_case import V1Case

FORMATS = ("xml", "plist", "json", "csv", "atom", "html")
SEEN_SECONDS_MAX = 3

# Nothing else has these, and they are long enough not to come about by chance.
NAME = "Zyxomma Quillfeather"
RENAMED = "Vexillum Thrumwort"
EMAIL = "zyxomma.quill@example.org"
DEVICE = "device-of-zyxomma-4711-0815"
DEVICE_NAME = "Zyxommas Pocketthing"
COUNTRY_NOTE = "brindled-zorilla-note"
REPORT_WORDS = "snickersnee by the wabe"
REASON = "Because Quillfeather said brabble"
# A device joined by a code and left this player behind.
LEFT_NAME = "Bandersnatch Tumblewick"
LEFT_WORDS = "frumious by the tulgey"


def picture(seed=0):
    """A picture of noise, so that its bytes are nobody else's."""
    def chunk(kind, data):
        return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")
    rows = b"".join(b"\0" + bytes((x * 37 + y * 91 + x * y + seed * (x + 5) * 7) % 251 for x in range(120))
                    for y in range(40))
    head = (40).to_bytes(4, "big") * 2 + b"\x08\x02\0\0\0"
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def setUpModule():
    v1_case.start("erasure")


class Erasure(V1Case):
    def setUp(self):
        super().setUp()
        self.operator = Operator(self.server.admin(), admin.make_key(self.server))

    def leave(self, player, name, status=200):
        answer = player.call("POST", "/v1/players/me/erasure", {"confirm": name})
        self.assertEqual(answer.status, status, answer)
        return answer.json()

    def refused(self, answer, status, type):
        """An answer of the admin API, which no other site may read."""
        self.assertEqual((answer.status, answer.json()["type"]), (status, f"/problems/{type}"), answer)

    def everything_public(self, process, id):
        """The answers of every address that may show a player, with their status."""
        board = "/v1/games/quiz/boards/solo"
        paths = [f"{board}/top.{f}?limit=100" for f in FORMATS] + [f"{board}/top.{f}?window=today" for f in FORMATS]
        paths += [f"{board}/players/{id}", f"{board}/players/{id}/around.json", f"{board}/top.json?players={id}"]
        for charity in ("oxfam", "red-cross"):
            paths += [f"/v1/charities/{charity}/top.{f}" for f in FORMATS]
            paths += [f"/v1/charities/{charity}/donations.json", f"/charities/{charity}"]
        paths += [f"/v1/contributors/top.{f}" for f in FORMATS] + ["/v1/donations.json", "/v1/donations.html"]
        paths += [f"/v1/players/{id}", f"/players/{id}", f"/cards/players/{id}.png", "/", "/games/quiz",
                  "/games/quiz/boards/solo", f"/games/quiz/boards/solo?player={id}", "/contributors", "/charities",
                  "/embed/boards/quiz/solo", "/embed/charities/oxfam", "/cards/boards/quiz/solo.png", "/books"]
        return {path: client.get(process, path) for path in paths}

    def needles(self, *pictures):
        """Each secret in every form in which it may be written."""
        found = {}
        for text in (NAME, RENAMED, EMAIL, DEVICE, DEVICE_NAME, COUNTRY_NOTE, REPORT_WORDS, REASON, LEFT_NAME,
                     LEFT_WORDS):
            raw = text.encode()
            for form, value in (("text", raw), ("hex", raw.hex().encode()), ("base64", base64.b64encode(raw)),
                                ("escaped", json.dumps(text).encode()[1:-1])):
                found[f"{form} of {text}"] = value
        for number, picture_bytes in enumerate(pictures):
            for form, value in (("bytes", picture_bytes[-60:]), ("hex", picture_bytes.hex().encode()[-80:]),
                                ("base64", base64.b64encode(picture_bytes)[60:140])):
                found[f"{form} of picture {number}"] = value
        return found

    def nothing_of(self, needles, haystack, where):
        for form, needle in needles.items():
            self.assertFalse(needle in haystack, f"the {form} is in {where}")

    def test_the_growth_of_a_charity_that_rests_names_nobody_who_left(self):
        """A charity's days are not read again for a while after a slow read, but its largest donation is."""
        page, tallies = "/charities/red-cross", Psql(self.server.conninfo())
        self.addCleanup(tallies.close)

        def names(text):
            return text in client.get(self.server, page).text

        def anonymise(donor, donation):
            return donor.call("PATCH", f"/v1/charities/red-cross/donations/{donation}", {"anonymous": True})

        def hide(donor, _):
            action = {"do": "hide", "on": {"player": donor.id}, "reason": "A test"}
            return self.operator.call("PUT", f"acts/{v1.new_id()}", action)

        def erase(donor, _):
            return donor.call("POST", "/v1/players/me/erasure", {"confirm": donor.name})
        for number, change in enumerate((anonymise, hide, erase)):
            donor, donation = self.player(f"Resting Donor {number}", game="chess"), v1.new_id()
            self.assertEqual(donor.post("solo", 1_000_000).status, 201)
            self.assertEqual(donor.donate("red-cross", 500_000 + number, id=donation).status, 201)
            # Nothing is read again until the next donation. After a read of one second, the pause is twenty seconds.
            tallies.run("begin")
            tallies.run("lock table tally in access exclusive mode")
            reader = threading.Thread(target=lambda: client.get(self.server, page))
            reader.start()
            until(lambda: tallies.run("select count(*) from pg_locks where not granted")[0][0] != "0", 30, "a read")
            time.sleep(1)
            tallies.run("rollback")
            reader.join(30)
            self.assertTrue(names(donor.name))
            done = change(donor, donation)
            self.assertIn(done.status, (200, 201), done)
            until(lambda: not names(donor.name), SEEN_SECONDS_MAX, f"nobody reads the name after {change.__name__}")

    def test_no_byte_is_left(self):
        beside = Joined("erasure-beside", self.server)
        self.addCleanup(beside.stop)
        ada = v1.Player(self.server, "quiz", NAME, device=DEVICE, email=EMAIL, send_updates=True, country="NZ",
                        device_name=DEVICE_NAME, image=base64.b64encode(picture()).decode())
        other = self.player("Somebody else")
        self.assertEqual(ada.post("solo", 70, detail={"note": COUNTRY_NOTE}).status, 201)
        self.assertEqual(ada.post("solo", 50, detail=COUNTRY_NOTE).status, 201)
        self.assertEqual(ada.donate("oxfam", 20).status, 201)
        self.assertEqual(ada.donate("oxfam", 7, anonymous=True).status, 201)
        self.assertEqual(ada.donate("red-cross", 9).status, 201)
        self.assertEqual(ada.call("POST", "/v1/players/me/codes").status, 201)
        self.assertEqual(ada.call("POST", "/v1/players/me/recovery").status, 201)
        for one, another in ((ada, other), (other, ada)):
            reported = one.call("POST", f"/v1/players/{another.id}/report", {"why": "other", "text": REPORT_WORDS})
            self.assertEqual(reported.status, 202, reported)
        for action in ({"do": "rename", "name": RENAMED}, {"do": "hide"}):
            done = self.operator.call("PUT", f"acts/{v1.new_id()}",
                                      {"on": {"player": ada.id}, "reason": REASON, **action})
            self.assertEqual(done.status, 201, done)
        undo = {"do": "undo", "on": {"act": done.json()["id"]}, "reason": REASON}
        self.assertEqual(self.operator.call("PUT", f"acts/{v1.new_id()}", undo).status, 201)
        pngs = [self.shown_picture(ada)]
        for seed in (1, 2):
            changed = ada.call("PATCH", "/v1/players/me", {"image": base64.b64encode(picture(seed)).decode()})
            self.assertEqual(changed.status, 200, changed)
            pngs.append(self.shown_picture(ada))
        pngs += self.joined_device(ada, other)
        self.assertEqual(len(set(pngs)), 5, "each is another picture")
        shown = ada.get("/v1/players/me").json()
        needles = self.needles(*pngs)
        for process in (self.server, beside):
            until(lambda: RENAMED.encode() in client.get(process, "/v1/games/quiz/boards/solo/top.json?limit=100").body,
                  SEEN_SECONDS_MAX, "the name is seen, and in every cache")
            self.everything_public(process, ada.id)
        wallet, before = ada.left(), self.dump()
        self.assertFalse(needles[f"text of {LEFT_NAME}"] in before, "whoever is left behind has no name")
        for form in (f"text of {RENAMED}", f"text of {EMAIL}", f"text of {REPORT_WORDS}", f"text of {REASON}",
                     f"text of {LEFT_WORDS}", *(f"hex of picture {number}" for number in range(5))):
            self.assertTrue(needles[form] in before, f"{form} was there")

        self.problem(ada.call("POST", "/v1/players/me/erasure", {"confirm": NAME}), 422, "confirm")
        self.problem(ada.call("POST", "/v1/players/me/erasure", {}), 422, "confirm")
        receipt = self.leave(ada, RENAMED)["receipt"]

        gone = self.problem(ada.call("POST", "/v1/players/me/erasure", {"confirm": RENAMED}), 410, "gone")
        self.assertEqual(gone["receipt"], receipt)
        self.problem(ada.post("solo", 1), 410, "gone")
        for device in (ada.device, client.device()):
            again = v1.call(self.server, "PUT", f"/v1/games/quiz/devices/{device}", {"name": "Again"}, who=ada.token)
            self.problem(again, 410, "gone")
        self.nothing_of(needles, self.dump(), "the database")
        for process in (self.server, beside):
            until(lambda: client.get(process, f"/v1/players/{ada.id}").status == 410, SEEN_SECONDS_MAX, "gone")

            def is_clean():
                return not any(needle in answer.body + repr(answer).encode()
                               for answer in self.everything_public(process, ada.id).values()
                               for needle in needles.values())
            until(is_clean, SEEN_SECONDS_MAX, "nothing is in any answer")
            answers = self.everything_public(process, ada.id)
            for path, answer in answers.items():
                self.nothing_of(needles, answer.body, path)
                # Nobody finds the rows by the id.
                if not path.startswith(("/cards", "/players")):
                    self.assertNotRegex(answer.body.decode("utf-8", "replace"), rf"\b{ada.id}\b.*A former player")
            self.problem(v1.call(process, "GET", f"/v1/games/quiz/boards/solo/players/{ada.id}"), 410, "gone")
            self.problem(v1.call(process, "GET", "/v1/players/me", who=ada.token), 410, "gone")
            self.assertEqual(answers[f"/players/{ada.id}"].status, 410)
            rows = answers["/v1/games/quiz/boards/solo/top.json?limit=100"].json()["rows"]
            former = [row for row in rows if row["name"] == "A former player"]
            self.assertEqual([(row["points"], "player" in row, "avatar" in row) for row in former],
                             [(70, False, False)])
            self.assertEqual(client.get(process, shown["avatar"]).status in (404, 410), True)
        admin_answers = b"".join(
            self.operator.get(path).body for path in
            (f"players/{ada.id}", f"players/{ada.id}/ledger", f"players/{ada.id}/acts", "log?limit=100", "queue",
             "erasures", "subscribers", f"players?name={NAME.replace(' ', '%20')}", f"players?id={ada.id}"))
        self.nothing_of(needles, admin_answers, "the admin API")
        erased = self.operator.get("erasures?limit=100").json()["rows"]
        self.assertIn((ada.id, receipt), [(row["player"], row["receipt"]) for row in erased])
        # The sums stay, and so do the books.
        record = self.operator.get(f"players/{ada.id}").json()
        self.assertEqual((record["left"], record["earned"]), (wallet, 120))
        self.nothing_of(needles, self.server.log().encode() + beside.log().encode(), "the logs")
        self.server.audit()

    def shown_picture(self, player):
        return client.get(self.server, player.get("/v1/players/me").json()["avatar"]).body

    def joined_device(self, ada, other):
        """A device with a player of its own, without a history, that joins Ada's by a code; that one's pictures."""
        left = v1.Player(self.server, "quiz", LEFT_NAME, image=base64.b64encode(picture(3)).decode())
        pngs = [self.shown_picture(left)]
        changed = left.call("PATCH", "/v1/players/me", {"image": base64.b64encode(picture(4)).decode()})
        self.assertEqual(changed.status, 200, changed)
        pngs.append(self.shown_picture(left))
        third = self.player("A third")
        for one, another in ((left, third), (other, left)):
            reported = one.call("POST", f"/v1/players/{another.id}/report", {"why": "other", "text": LEFT_WORDS})
            self.assertEqual(reported.status, 202, reported)
        code = ada.call("POST", "/v1/players/me/codes").json()["code"]
        joined = left.call("PUT", f"/v1/games/quiz/devices/{left.device}", {"code": code})
        self.assertEqual((joined.status, joined.json()["player"]["id"]), (201, ada.id), joined)
        return pngs

    def dump(self):
        """Everything that is in the database, as it is written to a file."""
        return subprocess.run(["pg_dump", self.server.conninfo()], check=True, capture_output=True).stdout

    def test_a_restored_copy_is_told_again(self):
        ada = self.player("Restored Ada")
        self.leave(ada, "Restored Ada")
        lines = [line for line in self.server.verb("erasures", "list").splitlines() if line.startswith(f"{ada.id} ")]
        self.assertEqual(len(lines), 1)
        # The copy still has the player.
        self.server.psql(f"delete from erasure where player_id = {ada.id}")
        self.server.psql(f"update player set name = 'Restored Ada' where id = {ada.id}")
        path = os.path.join(self.server.home, "erasures")
        with open(path, "w") as file:
            file.write(lines[0] + "\n4711 x y\n")
        self.assertIn("1 erased again, 0 erased already, 1 not there.", self.server.verb("erasures", "apply", path))
        self.assertIn("0 erased again, 1 erased already, 1 not there.", self.server.verb("erasures", "apply", path))
        self.assertEqual(client.get(self.server, f"/v1/players/{ada.id}").status, 410)

    def test_a_key_posts_for_nobody_who_left_wherever_it_asks(self):
        beside = Joined("erasure-keys", self.server)
        self.addCleanup(beside.stop)

        def post(process, id):
            body = {"points": 5, "player": id, "detail": {"note": COUNTRY_NOTE}}
            path = f"/v1/games/chess/boards/solo/scores/{v1.new_id()}"
            return v1.call(process, "PUT", path, body, who=self.other_key)

        def donate(process, id):
            return v1.call(process, "PUT", f"/v1/charities/oxfam/donations/{v1.new_id()}",
                           {"points": 1, "player": id}, who=self.other_key)
        for round in range(8):
            ada = self.player("Absent Ada", game="chess")
            for process in (self.server, beside):
                # Often enough for its process to know the caller from memory.
                for _ in range(3):
                    self.assertEqual(post(process, ada.id).status, 201)
                    self.assertEqual(donate(process, ada.id).status, 201)
            leaves_by, other = (self.server, beside) if round % 2 else (beside, self.server)
            erased = v1.call(leaves_by, "POST", "/v1/players/me/erasure", {"confirm": "Absent Ada"}, who=ada.token)
            self.assertEqual(erased.status, 200, erased)
            for process in (other, leaves_by):
                # At once, and also once the stream has told.
                for _ in range(2):
                    self.assertEqual((post(process, ada.id).status, donate(process, ada.id).status), (404, 404))
            counts = self.server.psql(
                f"select (select count(*) from score_note where player_id = {ada.id}),"
                f" (select count(*) from score where player_id = {ada.id}),"
                f" (select count(*) from donation where player_id = {ada.id})")
            self.assertEqual(counts, [["0", "6", "6"]])

    def test_an_operator_erases_with_the_scope_and_the_name(self):
        ada = self.player("Erased Ada")
        body = {"do": "erase", "on": {"player": ada.id}, "confirm": "Erased Ada", "reason": "She asked"}
        lesser = Operator(self.server.admin(), admin.make_key(self.server, "read,moderate"))
        self.refused(lesser.call("PUT", f"acts/{v1.new_id()}", body), 403, "scope")
        self.refused(self.operator.call("PUT", f"acts/{v1.new_id()}", {**body, "confirm": "Ada"}), 422, "confirm")
        done = self.operator.call("PUT", f"acts/{v1.new_id()}", body)
        self.assertEqual(done.status, 201, done)
        undo = {"do": "undo", "on": {"act": done.json()["id"]}, "reason": "She came back"}
        self.refused(self.operator.call("PUT", f"acts/{v1.new_id()}", undo), 409, "act-conflict")
        self.problem(ada.call("GET", "/v1/players/me"), 410, "gone")
        # No device comes to one who left, by no code.
        made = self.operator.call("POST", f"players/{ada.id}/codes", {})
        self.assertEqual((made.status, made.json()["type"]), (410, "/problems/gone"), made)
        self.server.psql(
            "insert into code (player_id, kind, hash, device, made_at, expires_at) select "
            f"{ada.id}, kind, hash, device, made_at, expires_at from code where player_id = {self.code_maker().id}")
        self.server.psql(f"delete from code where player_id <> {ada.id}")
        device = f"/v1/games/quiz/devices/{client.device()}"
        self.problem(v1.call(self.server, "PUT", device, {"name": "Again", "code": self.code}, who=v1.token()),
                     422, "code-refused")
        self.assertEqual(self.server.psql(f"select name from player where id = {ada.id}"), [[""]])
        # A game's key speaks for nobody who left.
        posted = v1.call(self.server, "PUT", f"/v1/games/quiz/boards/solo/scores/{v1.new_id()}",
                         {"points": 5, "player": ada.id}, who=self.key)
        self.assertEqual(posted.status, 404, posted)

    def code_maker(self):
        """A player who has made a code."""
        maker = self.player("Maker")
        self.code = maker.call("POST", "/v1/players/me/codes").json()["code"]
        return maker

    def test_whoever_calls_in_any_way_is_kept_and_one_who_cannot_be_erased_keeps_nobody_else(self):
        """Some of the players who were last seen long ago call once more, each in one way alone."""
        server = Server("purge")
        self.addCleanup(server.stop)
        server.verb("game", "add", "quiz", "--name", "Quiz")
        server.verb("board", "add", "--game", "quiz", "solo")
        key = v1.make_key(server, "quiz")
        names = ("gone", "stuck", "gone too", "reads", "saves", "changes", "lists", "watches its place", "reports")
        players = {name: v1.Player(server, "quiz", name) for name in names}
        external = v1.call(server, "PUT", "/v1/games/quiz/players/of-the-game", {"name": "of the game"}, who=key)
        self.assertEqual(external.status, 201, external)
        ids = {**{name: player.id for name, player in players.items()},
               "of the game": external.json()["player"]["id"]}
        server.psql("update player set registered_at = registered_at - interval '90 days'")
        server.psql("update device set registered_at = registered_at - interval '90 days', seen_on = seen_on - 90")
        calls = {
            "reads": ("GET", "/v1/players/me", None), "saves": ("PUT", "/v1/players/me/saves/slot", b"x"),
            "changes": ("PATCH", "/v1/players/me", {"country": "NZ"}),
            "lists": ("GET", "/v1/players/me/devices", None),
            "watches its place": ("GET", "/v1/games/quiz/boards/solo/players/me", None),
            "reports": ("POST", f"/v1/players/{ids['reads']}/report", {"why": "other"}),
        }
        for name, (method, path, body) in calls.items():
            headers = [("If-None-Match", "*")] if name == "saves" else []
            answer = players[name].call(method, path, body, headers=headers)
            self.assertIn(answer.status, (200, 201, 202), f"{name}: {answer!r}")
        again = v1.call(server, "PUT", "/v1/games/quiz/players/of-the-game", {}, who=key)
        self.assertEqual(again.status, 200, again)
        server.psql("create function refuse() returns trigger language plpgsql as"
                    " $$ begin raise exception 'not this one'; end $$")
        server.psql(
            "create trigger refuse_trg before update of name on player for each row"
            f" when (old.id = {ids['stuck']}) execute function refuse()")
        server.terminate()
        server.start("--purge-after", "30")

        def erased():
            return {row[0] for row in server.psql("select player_id from erasure")}
        until(lambda: "could not be erased" in server.log(), 60, "the pass is over")
        self.assertEqual(erased(), {str(ids["gone"]), str(ids["gone too"])})


if __name__ == "__main__":
    unittest.main()
