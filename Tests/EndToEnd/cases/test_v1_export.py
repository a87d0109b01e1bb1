"""A player's export: everything that is kept of it, as one document that is sent while it is read."""
import base64
import json
import socket
import struct
import unittest

import client
import http2
import v1
import v1_case
from server import Server
from v1_case import V1Case

SLOW = True

EXPORT = "/v1/players/me/export"
SCORES = 40_000
RSS_MIB_MAX = 48        # the document of SCORES scores is larger than that


def setUpModule():
    v1_case.start("v1export")


class Export(V1Case):
    def test_it_has_everything_that_is_kept(self):
        ada = self.player("Ada", email="ada@example.org", send_updates=True, country="nz", device_name="Pad",
                          image=base64.b64encode(client.png()).decode())
        eve = self.player("Eve")
        posts = [(v1.new_id(), points) for points in (7, 3, 9)]
        for id, points in posts:
            self.assertEqual(ada.post("solo", points, id, detail={"level": points}).status, 201)
        donation, hidden = v1.new_id(), v1.new_id()
        self.assertEqual(ada.donate("red-cross", 4, donation).status, 201)
        self.assertEqual(ada.donate("oxfam", 2, hidden, anonymous=True).status, 201)
        code = ada.call("POST", "/v1/players/me/recovery").json()["code"]
        report = ada.call("POST", f"/v1/players/{eve.id}/report", {"why": "name", "text": 'It "hurts"\n\u2028'})
        self.assertEqual(report.status, 202)
        answer = ada.get(EXPORT)
        kept = self.private(answer, 200)
        self.assertEqual(answer.media, "application/json")
        profile = ("id", "game", "name", "country", "email", "unlisted", "hidden")
        self.assertEqual({name: kept[name] for name in profile},
                         {"id": ada.id, "game": "quiz", "name": "Ada", "country": "NZ", "email": "ada@example.org",
                          "unlisted": False, "hidden": False})
        self.assertEqual(kept["wallet"], {"earned": 19, "voided": 0, "held": 0, "given": 6, "left": 13})
        self.assertTrue(kept["send_updates"]["wanted"])
        self.assertRegex(kept["send_updates"]["since"], v1_case.STAMP)
        self.assertIn("/devices/{device}", kept["send_updates"]["source"])
        self.assertEqual(client.png_size(base64.b64decode(kept["image"])), (40, 40))
        self.assertEqual([(device["name"], device["this"]) for device in kept["devices"]], [("Pad", True)])
        self.assertEqual([code["kind"] for code in kept["codes"]], ["recovery"])
        self.assertEqual([(score["id"], score["points"]) for score in kept["scores"]], posts, "the oldest first")
        self.assertEqual([score["detail"]["level"] for score in kept["scores"]], [7, 3, 9])
        self.assertEqual([score["improved"] for score in kept["scores"]], [True, False, True])
        self.assertEqual([(row["id"], row["points"], row["anonymous"]) for row in kept["donations"]],
                         [(donation, 4, False), (hidden, 2, True)])
        self.assertEqual([(row["player"], row["why"], row["text"]) for row in kept["reports"]],
                         [(eve.id, "name", 'It "hurts"\n\u2028')])
        for secret in (ada.device, ada.token, code):
            self.assertNotIn(secret, answer.text)

    def test_of_a_player_who_did_nothing(self):
        kept = self.private(self.player("Bob").get(EXPORT), 200)
        self.assertEqual([kept[name] for name in ("codes", "scores", "donations", "reports", "ties")], [[]] * 5)
        self.assertTrue(kept["asks"])
        self.assertNotIn("email", kept)
        self.assertNotIn("image", kept)

    def test_it_has_what_those_told_of_themselves_who_are_one_with_the_player(self):
        ada, eve = self.player("Ada"), self.player("Eve")
        bo = self.player("Bo", email="bo@example.org", send_updates=True, country="nz",
                         image=base64.b64encode(client.png()).decode())
        self.assertEqual(bo.post("solo", 5).status, 201)
        self.assertEqual(bo.call("POST", f"/v1/players/{eve.id}/report", {"why": "other", "text": "By Bo"}).status, 202)
        self.assertEqual(self.private(ada.get(EXPORT), 200)["merged"], [])
        self.server.verb("act", "merge", "--player", str(bo.id), "--into", str(ada.id), "--reason", "One person")
        kept = self.private(ada.get(EXPORT), 200)
        one, = kept["merged"]
        self.assertEqual({name: one[name] for name in ("id", "game", "name", "email", "country")},
                         {"id": bo.id, "game": "quiz", "name": "Bo", "email": "bo@example.org", "country": "NZ"})
        self.assertTrue(one["send_updates"]["wanted"])
        self.assertEqual(client.png_size(base64.b64decode(one["image"])), (40, 40))
        self.assertEqual([row["text"] for row in kept["reports"]], ["By Bo"])
        self.assertNotIn("email", kept)

    def test_it_tells_of_others_only_what_everybody_may_see(self):
        ada, secret = self.player("Ada"), f"Q{v1.new_id()[:12]}"
        eve, bo = self.player(secret, email=f"{secret}@example.org", country="nz"), self.player(secret)
        for other, why in ((eve, "name"), (bo, "picture")):
            self.assertEqual(ada.call("POST", f"/v1/players/{other.id}/report", {"why": why}).status, 202)
        # Neither names nor anything else that others told of themselves, nor who reported the player.
        self.assertEqual(eve.call("POST", f"/v1/players/{ada.id}/report", {"why": "other", "text": secret}).status, 202)
        answer = ada.get(EXPORT)
        self.assertNotIn(secret, answer.text)
        self.assertEqual([row["player"] for row in answer.json()["reports"]], [eve.id, bo.id])
        # Who is hidden, or is one with somebody who is, is there for nobody.
        self.server.verb("act", "hide", "--player", str(eve.id), "--reason", "A test")
        self.assertEqual([row.get("player") for row in ada.get(EXPORT).json()["reports"]], [None, bo.id])
        cy = self.player("Cy")
        self.server.verb("act", "merge", "--player", str(bo.id), "--into", str(cy.id), "--reason", "A test")
        self.assertEqual([row.get("player") for row in ada.get(EXPORT).json()["reports"]], [None, bo.id])
        self.server.verb("act", "hide", "--player", str(cy.id), "--reason", "A test")
        answer = ada.get(EXPORT)
        self.assertEqual([(row.get("player"), row["why"]) for row in answer.json()["reports"]],
                         [(None, "name"), (None, "picture")])
        for id in (eve.id, bo.id, cy.id):
            self.assertNotIn(str(id), answer.text)

    def test_it_is_the_players_alone(self):
        self.problem(self.call("GET", EXPORT), 401)
        self.problem(self.call("GET", EXPORT, who=v1.token()), 401)
        self.problem(self.call("GET", EXPORT, who=self.key), 403)
        self.problem(self.call("PUT", EXPORT, {}, who=self.player("Ada").token), 405)

    def test_a_classic_player_finds_its_facebook_id(self):
        phone = client.Phone(self.server)
        self.addCleanup(phone.close)
        self.assertEqual(phone.register("Old", fb_uid="1234567").status, 201)
        self.assertEqual(phone.high_score("Other Name", 50).status, 422, "this game has no salt")
        token = v1.token()
        answer = self.call("PUT", f"/v1/games/default/devices/{phone.udid}", {}, who=token)
        self.assertEqual(answer.status, 200)
        self.assertEqual(self.call("GET", EXPORT, who=token).json()["fb_uid"], "1234567")


class LargeExport(unittest.TestCase):
    """The books of this server do not balance: its scores were put there by SQL."""

    @classmethod
    def setUpClass(cls):
        cls.server = Server("v1largeexport")
        cls.addClassCleanup(cls.server.stop)
        cls.server.verb("game", "add", "quiz", "--name", "Quiz")
        cls.server.verb("board", "add", "--game", "quiz", "solo")
        cls.ada = v1.Player(cls.server, "quiz", "Ada")
        assert cls.ada.post("solo", 1).status == 201
        cls.server.psql(
            "insert into score (player_id, id, board_id, points, earned, improved, no_client_id, reached_at,"
            " recorded_at, day) select player_id, gen_random_uuid(), board_id, n, 0, false, false,"
            f" reached_at + n / 7 * interval '1 s', recorded_at, day from score, generate_series(1, {SCORES}) n")
        cls.server.psql(
            "insert into score_note (player_id, id, detail)"
            " select player_id, id, to_json(repeat('x', 1000))::text from score where not improved")

    def setUp(self):
        self.assertEqual(self.ada.get("/v1/players/me").status, 200)

    def complete(self, document):
        scores = document["scores"]
        self.assertEqual(len(scores), SCORES + 1)
        self.assertEqual(len({score["id"] for score in scores}), SCORES + 1)
        stamps = [score["reached_at"] for score in scores]
        self.assertEqual(stamps, sorted(stamps))

    def begun(self, address="127.0.0.1"):
        """A connection on which an export has begun, whose client reads no more."""
        plain = socket.socket()
        plain.bind((address, 0))
        self.addCleanup(plain.close)
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16384)
        plain.settimeout(20)
        plain.connect(("127.0.0.1", self.server.port))
        plain.sendall(f"GET {EXPORT} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {self.ada.token}\r\n\r\n".encode())
        self.assertTrue(plain.recv(4096).startswith(b"HTTP/1.1 200 "))
        return plain

    def test_1_it_comes_whole(self):
        self.complete(self.ada.get(EXPORT).json())

    def test_2_it_comes_whole_over_http2(self):
        room = struct.pack(">HI", http2.INITIAL_WINDOW_SIZE, 2**31 - 1)
        with http2.Connection(self.server.port, room) as connection:
            connection.send(http2.frame(http2.WINDOW_UPDATE, payload=struct.pack(">I", 2**31 - 2**16)))
            connection.request(1, "GET", EXPORT, authorization=f"Bearer {self.ada.token}")
            self.complete(json.loads(http2.body(connection.answer(1, seconds=60))))

    def test_3_clients_that_do_not_read_cost_no_memory(self):
        before = self.server.rss_mib()
        waiting = [self.begun(f"127.0.0.{2 + number // 4}") for number in range(8)]
        with client.Connection(self.server, address="127.0.0.2") as fifth:
            refused = fifth.get(EXPORT, Authorization="Bearer " + self.ada.token)
            self.assertEqual((refused.status, refused.json()["limit"]), (429, "address-exports"))
            self.assertGreaterEqual(int(refused["retry-after"]), 1)
        self.assertEqual(self.ada.get("/v1/players/me").status, 200)
        self.assertLess(self.server.rss_mib() - before, RSS_MIB_MAX)
        for plain in waiting:
            plain.close()
        self.complete(self.ada.get(EXPORT).json())

    def test_4_one_that_the_servers_end_cuts_is_not_taken_for_whole(self):
        plain = self.begun()
        self.server.terminate()
        rest = b""
        try:
            while data := plain.recv(65536):
                rest += data
        except ConnectionError:
            pass
        self.assertFalse(rest.endswith(b"0\r\n\r\n"))
        self.server.start()


class Limits(unittest.TestCase):
    def test_one_an_hour_with_whatever_token(self):
        server = Server("v1exportlimit", start=False)
        self.addCleanup(server.stop)
        server.start("--limits", "on")
        server.verb("game", "add", "quiz", "--name", "Quiz")
        ada, bob = [v1.Player(server, "quiz", name) for name in ("Ada", "Bob")]
        self.assertEqual(ada.get(EXPORT).status, 200)
        old, ada.token = ada.token, v1.token()
        change = {"token": ada.token}
        self.assertEqual(v1.call(server, "PUT", "/v1/players/me/token", change, who=old).status, 200)
        again = ada.get(EXPORT)
        self.assertEqual((again.status, again.json()["limit"]), (429, "player-exports"))
        self.assertEqual(bob.get(EXPORT).status, 200)
