"""Saves: bytes in a player's slots that its devices share, and the stream that tells them of each other's."""
import base64
import hashlib
import json
import random
import threading
import unittest

import client
import v1
import v1_case
from joined import Joined
from live import Stream
from server import Server, until
from v1_case import V1Case

SLOT = "/v1/players/me/saves/journey"
NEW = [("If-None-Match", "*")]
SAVE_BYTES_MAX = 65_536


def setUpModule():
    v1_case.start("saves")


def seen(etag):
    return [("If-Match", etag)]


def etag_of(body):
    return f'"{hashlib.sha256(body).hexdigest()[:32]}"'


def put(player, body, expected, slot=SLOT):
    return player.call("PUT", slot, body, type="application/octet-stream", headers=expected)


class Saves(V1Case):
    def player(self, name="Ada", **fields):
        """A player who has posted, and so may use all slots."""
        player = super().player(name, **fields)
        self.assertEqual(player.post("solo", 1).status, 201)
        return player

    def second_device(self, player):
        """Another device of the player, with a token of its own."""
        code = player.call("POST", "/v1/players/me/codes").json()["code"]
        token = v1.token()
        path = f"/v1/games/{player.game}/devices/{client.device()}"
        self.assertEqual(self.call("PUT", path, {"code": code}, who=token).status, 201)
        return token

    def test_bytes_come_back_as_they_went(self):
        ada = self.player()
        bodies = [b"", b"\x00\xff" * 17, random.Random(7).randbytes(SAVE_BYTES_MAX), b'{"level": 3}']
        etag = None
        for body in bodies:
            answer = put(ada, body, NEW if etag is None else seen(etag))
            said = self.private(answer, 201 if etag is None else 200)
            etag = etag_of(body)
            self.assertEqual({**said, "saved_at": None}, {"slot": "journey", "etag": etag, "saved_at": None})
            self.assertEqual(answer["etag"], etag)
            got = ada.get(SLOT)
            self.assertEqual((got.status, got.content, got["etag"]), (200, body, etag))
            self.assertEqual((got.media, got["cache-control"]), ("application/octet-stream", v1.PRIVATE))
            self.assertEqual(got["x-content-type-options"], "nosniff")
            self.assertEqual(ada.get(SLOT, headers=[("If-None-Match", etag)]).status, 304)
        listed = self.private(ada.get("/v1/players/me/saves"), 200)["saves"]
        self.assertEqual([(save["slot"], save["etag"], save["bytes"]) for save in listed],
                         [("journey", etag, len(bodies[-1]))])
        self.assertEqual(ada.get("/v1/players/me").json()["saves"], [{"slot": "journey", "etag": etag}])
        versions = self.private(ada.get(SLOT + "/versions"), 200)["versions"]
        self.assertEqual([version["etag"] for version in versions], [etag_of(body) for body in reversed(bodies)])
        for text in (etag_of(bodies[1]), etag_of(bodies[1]).strip('"').upper()):
            self.assertEqual(ada.get(SLOT + "?etag=" + text.replace('"', "%22")).content, bodies[1])
        for text in (etag_of(b"never"), "x", '"', ""):
            self.problem(ada.get(SLOT + "?etag=" + text.replace('"', "%22")), 404, "not-found")

    def test_a_write_says_what_it_has_seen(self):
        ada = self.player()
        self.assertEqual(put(ada, b"one", NEW).status, 201)
        one = etag_of(b"one")
        for headers in ([], seen("*"), seen("one"), NEW + seen(one), [("If-None-Match", one)]):
            self.problem(put(ada, b"two", headers), 428, "precondition")
        for headers in (NEW, seen(etag_of(b"zero")), seen("W/" + one), seen('"x"')):
            self.assertEqual(self.problem(put(ada, b"two", headers), 412, "stale")["current"], one)
        replayed = put(ada, b"one", NEW)
        self.assertEqual((replayed.status, replayed["idempotent-replayed"]), (200, "true"))
        self.assertEqual(put(ada, b"two", seen(one)).status, 200)
        self.problem(put(ada, b"one", seen(one)), 412, "stale")
        self.assertNotIn("current", self.problem(put(ada, b"x", seen(one), SLOT + "-2"), 412, "stale"))
        self.problem(ada.call("DELETE", SLOT), 428, "precondition")
        self.problem(ada.call("DELETE", SLOT, headers=seen(one)), 412, "stale")
        self.assertEqual(ada.call("DELETE", SLOT, headers=seen(etag_of(b"two"))).status, 204)
        self.problem(ada.call("DELETE", SLOT, headers=seen(etag_of(b"two"))), 404, "not-found")
        self.problem(ada.get(SLOT), 404, "not-found")
        self.problem(ada.get(SLOT + "/versions"), 404, "not-found")

    def test_what_a_player_may_fill_is_bounded(self):
        ada = self.player()
        self.problem(put(ada, b"x" * (SAVE_BYTES_MAX + 1), NEW), 413, "too-large")
        for number in range(16):
            self.assertEqual(put(ada, b"x", NEW, f"/v1/players/me/saves/slot-{number}").status, 201)
        self.problem(put(ada, b"x", NEW), 422, "slots-full")
        self.assertEqual(put(ada, b"y", seen(etag_of(b"x")), "/v1/players/me/saves/slot-3").status, 200)
        self.assertEqual(ada.call("DELETE", "/v1/players/me/saves/slot-3", headers=seen(etag_of(b"y"))).status, 204)
        self.assertEqual(put(ada, b"x", NEW).status, 201)
        for slot in ("A", "-a", "a" * 64, "a%00", "%2e%2e"):
            self.assertEqual(put(ada, b"x", NEW, "/v1/players/me/saves/" + slot).status, 404, slot)

    def test_who_has_not_posted_has_one_small_slot(self):
        ada = super().player()
        self.problem(put(ada, b"x" * 4_097, NEW), 422, "post-first")
        self.assertEqual(put(ada, b"x" * 4_096, NEW).status, 201)
        self.problem(put(ada, b"x", NEW, SLOT + "-2"), 422, "post-first")
        self.assertEqual(put(ada, b"y", seen(etag_of(b"x" * 4_096))).status, 200)
        self.assertEqual(ada.post("solo", 1).status, 201)
        self.assertEqual(put(ada, b"x", NEW, SLOT + "-2").status, 201)
        self.assertEqual(put(ada, b"x" * SAVE_BYTES_MAX, seen(etag_of(b"y"))).status, 200)

    def test_nobody_else_reads_or_writes_them(self):
        ada, eve = self.player(), self.player("Eve")
        self.assertEqual(put(ada, b"secret", NEW).status, 201)
        self.problem(eve.get(SLOT), 404, "not-found")
        self.problem(put(eve, b"x", seen(etag_of(b"secret"))), 412, "stale")
        for who, status in ((None, 401), (v1.token(), 401), (self.key, 403)):
            for method in ("GET", "PUT", "DELETE"):
                body = b"x" if method == "PUT" else None
                answer = self.call(method, SLOT, body, who=who, type="application/octet-stream")
                self.assertEqual(answer.status, status, answer)
        self.assertNotIn("secret", self.call("GET", f"/v1/players/{ada.id}").text)

    def test_they_are_in_the_export_and_gone_with_the_player(self):
        ada = self.player("Ada Erased")
        self.assertEqual(put(ada, b"one", NEW).status, 201)
        for number in range(8):
            self.assertEqual(put(ada, b"%d" % number, NEW, f"/v1/players/me/saves/s{number}").status, 201)
        self.assertEqual(put(ada, b"two", seen(etag_of(b"one"))).status, 200)
        kept = ada.get("/v1/players/me/export").json()["saves"]
        self.assertEqual([(save["slot"], base64.b64decode(save["body"])) for save in kept],
                         [("journey", b"one"), ("journey", b"two"), *((f"s{n}", b"%d" % n) for n in range(8))])
        self.assertTrue(all(save["etag"] == etag_of(base64.b64decode(save["body"])) for save in kept))
        self.assertEqual(ada.call("POST", "/v1/players/me/erasure", {"confirm": "Ada Erased"}).status, 200)
        self.problem(ada.get(SLOT), 410, "gone")

    def test_a_device_with_saves_leaves_nobody_behind(self):
        ada, pad = self.player(), super().player("Pad")
        self.assertEqual(put(ada, b"ada", NEW).status, 201)
        self.assertEqual(put(pad, b"pad", NEW).status, 201)
        path = f"/v1/games/quiz/devices/{pad.device}"
        code = ada.call("POST", "/v1/players/me/codes").json()["code"]
        self.problem(pad.call("PUT", path, {"code": code}), 409, "has-history")
        self.assertEqual(pad.post("solo", 1).status, 201)
        self.assertEqual(put(pad, b"own", NEW, SLOT + "-2").status, 201)
        self.assertEqual(pad.call("PUT", path, {"code": code, "merge": True}).status, 201)
        self.assertEqual((pad.get(SLOT).content, ada.get(SLOT + "-2").content), (b"ada", b"own"))

    def test_of_two_devices_that_save_at_once_one_does(self):
        ada = self.player()
        other = self.second_device(ada)
        etag = etag_of(b"0")
        self.assertEqual(put(ada, b"0", NEW).status, 201)
        lost = 0
        for round in range(10):
            bodies = [b"%d %d" % (round, device) for device in range(2)]
            answers = [None, None]

            def save(device, token):
                answers[device] = self.call("PUT", SLOT, bodies[device], who=token, headers=seen(etag),
                                            type="application/octet-stream")
            threads = [threading.Thread(target=save, args=args) for args in enumerate((ada.token, other))]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(sorted(answer.status for answer in answers), [200, 412])
            etag = next(answer["etag"] for answer in answers if answer.status == 200)
            self.assertEqual(next(a.json()["current"] for a in answers if a.status == 412), etag)
            lost += answers[0].status == 412
        self.assertEqual(ada.get(SLOT)["etag"], etag)

    def test_a_player_saves_no_more_often_than_it_may(self):
        server = Server("save-rates", start=False)
        self.addCleanup(server.stop)
        server.start("--limits", "on", "--limit=player-saves=1/h:3")
        server.verb("game", "add", "quiz", "--name", "Quiz")
        ada = v1.Player(server, "quiz", "Ada")
        etag = None
        for number in range(3):
            # What changes nothing counts nothing.
            self.assertEqual(put(ada, b"x", seen(etag_of(b"never"))).status, 412)
            etag = put(ada, b"%d" % number, NEW if etag is None else seen(etag))["etag"]
            self.assertEqual(etag, etag_of(b"%d" % number))
        self.assertEqual(self.problem(put(ada, b"x", seen(etag)), 429, "rate-limited")["limit"], "player-saves")
        self.assertEqual(ada.get(SLOT).content, b"2")


class Behind(v1.Player):
    """A player at an address, behind a trusted proxy."""

    def __init__(self, place, name, address):
        self.address = address
        super().__init__(place, "quiz", name)

    def call(self, method, path, body=None, headers=(), **more):
        return super().call(method, path, body, headers=[*headers, ("X-Forwarded-For", self.address)], **more)


class Room(unittest.TestCase):
    """How the server protects a disk that strangers try to fill."""

    @classmethod
    def setUpClass(cls):
        cls.server = Server("save-room")
        cls.addClassCleanup(cls.server.stop)
        cls.server.verb("game", "add", "quiz", "--name", "Quiz")
        cls.server.verb("board", "add", "--game", "quiz", "solo")
        cls.server.verb("charity", "add", "red-cross", "--name", "Red Cross")

    def restart(self, *arguments):
        self.server.terminate()
        self.server.start(*arguments)

    def test_however_many_players_an_address_makes_it_stores_no_more_than_its_bytes(self):
        self.restart("--trusted-proxies", "127.0.0.1/32", "--limits", "on",
                     f"--limit=address-stored-bytes={1 << 20}/day:{1 << 20}")
        stored, refused = 0, None
        while refused is None:
            self.assertLess(stored, 16)
            player = Behind(self.server, "Filler", "203.0.113.77")
            self.assertEqual(player.post("solo", 1).status, 201)
            answer = put(player, random.Random(stored).randbytes(SAVE_BYTES_MAX), NEW)
            if answer.status == 201:
                stored += 1
            else:
                refused = answer
        self.assertGreater(stored, 13)
        self.assertEqual((refused.status, refused.json()["limit"]), (429, "address-stored-bytes"), refused)
        self.assertGreater(int(refused["retry-after"]), 0)
        self.assertEqual(player.post("solo", 2).status, 201)
        self.assertEqual(self.server.psql("select count(*) from save"), [[str(stored)]])
        other = Behind(self.server, "Honest", "203.0.113.78")
        self.assertEqual(other.post("solo", 1).status, 201)
        self.assertEqual(put(other, b"x" * SAVE_BYTES_MAX, NEW).status, 201)

    def holds_only_scores(self, player):
        """Waits until the server has checked the disk, which it does each second."""
        until(lambda: put(player, b"more", NEW, SLOT + "-2").status == 503, 60, "saves are refused")
        full = put(player, b"more", NEW, SLOT + "-2")
        self.assertEqual((full.json()["type"], full["retry-after"]), ("/problems/full", "300"))
        self.assertEqual(player.post("solo", 5).status, 201)
        self.assertEqual(player.donate("red-cross", 1).status, 201)
        self.assertEqual(player.get(SLOT).content, b"one")
        device = f"/v1/games/quiz/devices/{client.device()}"
        self.assertEqual(v1.call(self.server, "PUT", device, {"name": "New"}).json()["type"], "/problems/full")
        known = f"/v1/games/quiz/devices/{player.device}"
        self.assertEqual(player.call("PUT", known, {"name": player.name}).status, 200)
        self.assertEqual(player.post("solo", 5, detail={"lap": 3}).status, 201)
        done = self.server.run_verb("status", "--admin-listen", f"127.0.0.1:{self.server.admin().port}")
        self.assertRegex(done.stdout, r"(?m)^BAD +room for players ", done)
        self.assertIn("disk-reserve", client.get(self.server.admin(), "/readyz").json()["causes"])

    def test_what_is_left_of_a_disk_is_for_scores_and_donations(self):
        self.restart()
        ada = v1.Player(self.server, "quiz", "Ada")
        self.assertEqual(ada.post("solo", 5).status, 201)
        self.assertEqual(put(ada, b"one", NEW).status, 201)
        with self.subTest("a reserve larger than any disk"):
            self.restart("--disk-reserve", str(1 << 30))
            self.holds_only_scores(ada)
        with self.subTest("a database that has reached its maximum size"):
            self.restart("--database-max", "1")
            self.holds_only_scores(ada)
        self.restart("--disk-reserve", "0")
        self.assertIn(put(ada, b"more", NEW, SLOT + "-2").status, (200, 201))


class Live(V1Case):
    def stream(self, who, **more):
        headers = [("Authorization", "Bearer " + who), *more.pop("headers", [])]
        stream = Stream(self.server, "/v1/players/me/live", headers, **more)
        self.addCleanup(stream.close)
        return stream

    def test_it_tells_what_the_profile_says_whenever_that_changes(self):
        ada = self.player()
        with self.stream(ada.token) as stream:
            self.assertEqual((stream.status, stream.headers["content-type"]), (200, "text/event-stream"))
            self.assertEqual(stream.headers["cache-control"], "no-store, no-transform")
            self.assertEqual(stream.headers["x-accel-buffering"], "no")
            profile = ada.get("/v1/players/me")
            first = stream.event()
            self.assertEqual((first["event"], first["data"] + "\n"), ("me", profile.text))
            self.assertEqual(f'"{first["id"]}"', profile["etag"])
            self.assertEqual(ada.get("/v1/players/me", headers=[("If-None-Match", profile["etag"])]).status, 304)
            changes = [
                lambda: put(ada, b"one", NEW),
                lambda: ada.post("solo", 7),
                lambda: ada.donate("red-cross", 2),
                lambda: ada.call("PATCH", "/v1/players/me", {"country": "NZ"}),
                lambda: ada.call("DELETE", SLOT, headers=seen(etag_of(b"one"))),
            ]
            for number, change in enumerate(changes):
                self.assertIn(change().status, (200, 201, 204), number)
                self.assertEqual(stream.event()["data"] + "\n", ada.get("/v1/players/me").text, number)
            self.player("Bob").post("solo", 9)
        with self.stream(ada.token, headers=[("Last-Event-ID", ada.get("/v1/players/me")["etag"].strip('"'))]) as known:
            ada.post("solo", 1)
            self.assertEqual(json.loads(known.event()["data"])["earned"], 8)

    def test_other_devices_learn_of_a_save_in_every_process(self):
        other = Joined("saves-beside", self.server)
        self.addCleanup(other.stop)
        ada = self.player()
        with Stream(other, "/v1/players/me/live", [("Authorization", "Bearer " + ada.token)]) as stream:
            self.assertEqual(json.loads(stream.event()["data"])["saves"], [])
            etag = put(ada, b"one", NEW)["etag"]
            self.assertEqual(json.loads(stream.event()["data"])["saves"], [{"slot": "journey", "etag": etag}])

    def test_it_ends_with_its_token(self):
        ada = self.player()
        new = v1.token()
        with self.stream(ada.token) as stream:
            stream.event()
            self.assertEqual(ada.call("PUT", "/v1/players/me/token", {"token": new}).status, 200)
            self.assertIsNone(stream.event())
        self.problem(ada.get("/v1/players/me/live"), 401, "unauthorized")
        self.problem(self.call("GET", "/v1/players/me/live"), 401, "unauthorized")
        self.problem(self.call("GET", "/v1/players/me/live", who=self.key), 403, "forbidden")

    def test_a_player_has_four(self):
        ada = self.player()
        streams = [self.stream(ada.token) for _ in range(4)]
        self.assertEqual([stream.status for stream in streams], [200] * 4)
        refused = self.problem(ada.get("/v1/players/me/live"), 429, "rate-limited")
        self.assertEqual(refused["limit"], "player-streams")
        for stream in streams:
            stream.close()
        until(lambda: self.stream(ada.token).status == 200, 30, "a stream that was closed leaves its place")
