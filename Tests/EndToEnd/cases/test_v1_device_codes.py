"""A player's devices: codes that bring another one, the list of them, tokens that change, devices that are cut off."""
import contextlib
import unittest

import client
import v1
import v1_case
from joined import Joined
from server import Server, until
from v1_case import V1Case

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
GONE_SECONDS_MAX = 2        # elsewhere a token ends within this time


def setUpModule():
    v1_case.start("v1codes")


class Device:
    """A device with a token of its own, and perhaps a player."""

    def __init__(self, place, game="quiz"):
        self.place = place
        self.game = game
        self.device = client.device()
        self.token = v1.token()

    def call(self, method, path, body=None, **more):
        return v1.call(self.place, method, path, body, who=self.token, **more)

    def put(self, **fields):
        return self.call("PUT", f"/v1/games/{self.game}/devices/{self.device}", fields)


def code_of(player, kind="codes"):
    answer = player.call("POST", f"/v1/players/me/{kind}")
    assert answer.status == 201, answer
    return answer.json()["code"]


def devices_of(player):
    return player.call("GET", "/v1/players/me/devices").json()["devices"]


def id_of(player):
    """The public id of the calling device."""
    return next(device["id"] for device in devices_of(player) if device["this"])


class Codes(V1Case):
    def joined(self, player, **fields):
        device = Device(self.server, player.game)
        self.private(device.put(code=code_of(player), **fields), 201)
        return device

    def refused(self, answer):
        """All refusals of codes read alike, but for the request's own id."""
        problem = self.problem(answer, 422, "code-refused")
        return {name: value for name, value in problem.items() if name != "request"}

    def test_a_code_brings_a_device_to_its_player(self):
        ada = self.player("Ada")
        made = self.private(ada.call("POST", "/v1/players/me/codes"), 201)
        self.assertEqual(set(made), {"code", "expires_at"})
        self.assertRegex(made["code"], f"^[{CROCKFORD}]{{8}}$")
        self.assertRegex(made["expires_at"], v1_case.STAMP)
        pad = Device(self.server)
        answer = pad.put(code=made["code"], device_name="Pad")
        said = self.private(answer, 201)
        self.assertEqual(said["player"], {"id": ada.id, "name": "Ada"})
        self.assertEqual(set(said), {"player", "sign_key"})
        self.assertEqual(answer["location"], f"/v1/players/{ada.id}")
        for _ in range(2):
            again = pad.put(code=made["code"], device_name="Pad")
            self.assertEqual(self.private(again, 200), said)
        self.assertEqual(self.private(pad.call("GET", "/v1/players/me"), 200)["id"], ada.id)
        self.assertEqual(ada.post("solo", 7).status, 201)
        self.assertEqual(pad.call("GET", "/v1/players/me").json()["earned"], 7)
        self.assertEqual(ada.get("/v1/players/me").json()["devices"], 2)
        self.refused(Device(self.server).put(code=made["code"]))

    def test_a_device_without_a_token_gets_one(self):
        ada = self.player("Ada")
        path = f"/v1/games/quiz/devices/{client.device()}"
        made = self.private(self.call("PUT", path, {"code": code_of(ada)}), 201)
        self.assertRegex(made["token"], r"^cbd_[A-Za-z0-9_-]{43}$")
        self.assertEqual(self.call("GET", "/v1/players/me", who=made["token"]).json()["id"], ada.id)
        self.problem(self.call("PUT", path, {"code": code_of(ada)}), 409, "label-taken")

    def test_a_games_own_id_joins_a_player_by_a_code(self):
        ada, own = self.player("Ada"), f"/v1/games/quiz/players/u-{v1.new_id()}"
        self.problem(self.call("GET", own, who=self.key), 404, "not-found")
        code = code_of(ada)
        self.problem(self.call("PUT", own, {"code": code}, who=self.other_key), 403, "forbidden")
        self.refused(self.call("PUT", own, {"code": "0" * 8}, who=self.key))
        self.assertEqual(self.private(self.call("PUT", own, {"code": code}, who=self.key), 201),
                         {"player": {"id": ada.id, "name": "Ada"}})
        for method, body in (("PUT", {"code": code}), ("PUT", {}), ("GET", None)):
            said = self.private(self.call(method, own, body, who=self.key), 200)
            self.assertEqual(said["player"]["id"], ada.id, method)
        path = v1_case.score(v1.new_id())
        self.assertEqual(self.call("PUT", path, {"points": 7, "external": own.rsplit("/", 1)[1]}, who=self.key).status,
                         201)
        self.assertEqual(ada.get("/v1/players/me").json()["earned"], 7)
        self.assertEqual(len(devices_of(ada)), 1, "an id of the game's is no device")
        self.refused(Device(self.server).put(code=code))
        self.problem(self.call("GET", own, who=self.other_key), 403, "forbidden")
        self.problem(ada.call("GET", own), 403, "forbidden")
        self.problem(self.call("GET", own), 401, "unauthorized")

    def test_a_games_own_player_with_a_history_joins_by_a_merge(self):
        ada, own = self.player("Ada"), f"/v1/games/quiz/players/u-{v1.new_id()}"
        eve = self.private(self.call("PUT", own, {"name": "Eve"}, who=self.key), 201)["player"]["id"]
        path = v1_case.score(v1.new_id())
        self.assertEqual(self.call("PUT", path, {"points": 5, "player": eve}, who=self.key).status, 201)
        self.assertEqual(ada.post("solo", 4).status, 201)
        self.problem(self.call("PUT", own, {"code": code_of(ada)}, who=self.key), 409, "has-history")
        said = self.call("PUT", own, {"code": code_of(ada), "merge": True}, who=self.key)
        self.assertEqual(self.private(said, 201)["player"]["id"], ada.id)
        self.assertEqual(self.private(self.call("GET", own, who=self.key), 200)["player"]["id"], ada.id)
        self.assertEqual(ada.get("/v1/players/me").json()["earned"], 9)

    def test_codes_are_read_as_people_type_them(self):
        ada = self.player("Ada")
        for shape in (lambda code: f" {code[:4].lower()}-{code[4:].lower()} ", lambda code: "-".join(code),
                      lambda code: code.replace("0", "O").replace("1", "l")):
            self.assertEqual(Device(self.server).put(code=shape(code_of(ada))).status, 201)
        recovery = code_of(ada, "recovery")
        self.assertRegex(recovery, f"^[{CROCKFORD}]{{26}}$")
        typed = " ".join(recovery[n:n + 5] for n in range(0, 26, 5)).lower().replace("0", "o").replace("1", "i")
        self.assertEqual(Device(self.server).put(code=typed).status, 201)

    def test_every_refusal_of_a_code_reads_alike(self):
        ada, eve = self.player("Ada"), self.player("Eve", "chess")
        used, former = code_of(ada), code_of(ada, "recovery")
        self.assertEqual(Device(self.server).put(code=used).status, 201)
        code_of(ada, "recovery")
        typed = (used, former, "", "x", "0" * 8, "0" * 26, "U" * 8, "%", "\u212a" * 8, "-" * 10_000, code_of(eve))
        texts = [self.refused(Device(self.server).put(code=code)) for code in typed]
        self.assertEqual([text for text in texts if text != texts[0]], [])
        self.problem(Device(self.server).put(code=7), 422, "field")
        self.assertEqual(Device(self.server, "chess").put(code=code_of(eve)).status, 201)

    def test_an_old_code_is_refused(self):
        ada = self.player("Ada")
        code, recovery = code_of(ada), code_of(ada, "recovery")
        self.server.psql(f"update code set expires_at = now() - interval '1 s' where player_id = {ada.id} "
                         "and expires_at is not null")
        self.refused(Device(self.server).put(code=code))
        self.assertEqual(Device(self.server).put(code=recovery).status, 201)

    def test_of_twenty_devices_with_one_code_one_joins(self):
        ada = self.player("Ada")
        code = code_of(ada)
        devices = [Device(self.server) for _ in range(20)]
        for device in devices[:10]:
            self.assertEqual(device.put(name="Own").status, 201)
        answers = [None] * 20

        def put(n):
            answers[n] = devices[n].put(code=code)
        client.in_threads(20, put)
        self.assertEqual(sorted(answer.status for answer in answers), [201] + [422] * 19)
        self.assertEqual(len(devices_of(ada)), 2)

    def test_a_device_with_a_history_stays(self):
        ada, bob = self.player("Ada"), self.player("Bob")
        self.assertEqual(bob.post("solo", 3).status, 201)
        code = code_of(ada)
        path = f"/v1/games/quiz/devices/{bob.device}"
        self.problem(bob.call("PUT", path, {"code": code}), 409, "has-history")
        self.assertEqual(bob.get("/v1/players/me").json()["id"], bob.id)
        self.assertEqual(Device(self.server).put(code=code).status, 201, "the refusal did not use up the code")

    def test_a_device_without_one_moves_and_leaves_no_profile(self):
        ada, bob = self.player("Ada"), self.player("Bob", email="bob@example.org")
        code = code_of(bob)
        answer = bob.call("PUT", f"/v1/games/quiz/devices/{bob.device}", {"code": code_of(ada), "name": "Robert"})
        self.assertEqual(self.private(answer, 201)["player"], {"id": ada.id, "name": "Ada"}, "the name stays")
        self.problem(self.call("GET", f"/v1/players/{bob.id}"), 404)
        self.refused(Device(self.server).put(code=code))
        posted = bob.post("solo", 9)
        self.assertEqual(posted.status, 201)
        self.assertEqual(ada.get("/v1/players/me").json()["earned"], 9)
        self.assertEqual(self.server.psql(f"select count(email) from player where id = {bob.id}"), [["0"]])

    def test_the_list_of_devices(self):
        ada = self.player("Ada", device_name="Phone")
        self.joined(ada)
        pad = self.joined(ada, device_name="Pad")
        listed = self.private(ada.get("/v1/players/me/devices"), 200)["devices"]
        self.assertEqual([device.get("name") for device in listed], ["Phone", None, "Pad"])
        self.assertEqual([device["this"] for device in listed], [True, False, False])
        for device in listed:
            self.assertRegex(device["id"], r"^[0-9a-f]{32}$")
            self.assertRegex(device["joined_at"], v1_case.STAMP)
            self.assertRegex(device["seen_on"], r"^\d{4}-\d\d-\d\d$")
        text = ada.get("/v1/players/me/devices").text
        for secret in (ada.device, ada.token, pad.device, pad.token):
            self.assertNotIn(secret, text)
        self.assertEqual(pad.put(device_name="Tablet").status, 200)
        self.assertEqual(devices_of(pad)[2]["name"], "Tablet")
        self.assertEqual(pad.put().status, 200)
        self.assertEqual(devices_of(pad)[2]["name"], "Tablet", "absent keeps it")
        for name in ("", "\u202eevil", "x" * 33, "a\nb"):
            self.problem(pad.put(device_name=name), 422)

    def test_a_device_is_cut_off(self):
        ada = self.player("Ada")
        pad, tv = self.joined(ada), self.joined(ada)
        kept = code_of(pad)
        number = id_of(pad)
        answer = ada.call("DELETE", f"/v1/players/me/devices/{number}")
        self.assertEqual((answer.status, answer.content), (204, b""))
        for path in ("/v1/players/me", "/v1/players/me/devices"):
            self.problem(pad.call("GET", path), 401, "unauthorized")
        self.problem(pad.call("PUT", v1_case.score(v1.new_id()), {"points": 1}), 401, "unauthorized")
        self.problem(pad.call("PUT", "/v1/players/me/token", {"token": v1.token()}), 401, "unauthorized")
        self.problem(ada.call("DELETE", f"/v1/players/me/devices/{number}"), 404, "not-found")
        self.refused(Device(self.server).put(code=kept))
        self.problem(tv.call("DELETE", f"/v1/players/me/devices/{id_of(ada)}"), 403, "device-too-new")
        self.server.psql(
            f"update device set registered_at = registered_at - interval '1 day' where player_id = {ada.id}")
        self.assertEqual(tv.call("DELETE", f"/v1/players/me/devices/{id_of(ada)}").status, 204)
        self.problem(tv.call("DELETE", f"/v1/players/me/devices/{id_of(tv)}"), 409, "last-device")
        self.assertEqual(tv.call("GET", "/v1/players/me").json()["id"], ada.id)

    def test_nobody_cuts_off_a_stranger(self):
        ada, eve = self.player("Ada"), self.player("Eve")
        self.joined(ada)
        self.joined(eve)
        self.problem(eve.call("DELETE", f"/v1/players/me/devices/{id_of(ada)}"), 404, "not-found")
        for id in ("x", "%00", "0" * 32, "..", "%C3%A9" * 99):
            self.problem(eve.call("DELETE", f"/v1/players/me/devices/{id}"), 404, "not-found")
        self.problem(self.call("DELETE", f"/v1/players/me/devices/{id_of(ada)}"), 401)
        self.problem(self.call("DELETE", f"/v1/players/me/devices/{id_of(ada)}", who=self.key), 403)
        self.assertEqual(len(devices_of(ada)), 2)

    def test_a_token_changes(self):
        ada = self.player("Ada")
        self.assertEqual(ada.post("solo", 5).status, 201)
        old, ada.token = ada.token, v1.token()
        change = {"token": ada.token}
        said = self.private(self.call("PUT", "/v1/players/me/token", change, who=old), 200)
        self.assertRegex(said["sign_key"], r"^cbs_[A-Za-z0-9_-]{43}$")
        for path in ("/v1/players/me", "/v1/players/me/scores"):
            self.problem(self.call("GET", path, who=old), 401, "unauthorized")
        self.problem(self.call("PUT", v1_case.score(v1.new_id()), {"points": 1}, who=old), 401, "unauthorized")
        self.problem(self.call("PUT", "/v1/players/me/token", change, who=old), 401, "unauthorized")
        for _ in range(9):
            self.assertEqual(self.private(ada.call("PUT", "/v1/players/me/token", change), 200), said)
        self.assertEqual(ada.post("solo", 6).status, 201)
        self.assertEqual(self.call("PUT", f"/v1/games/quiz/devices/{ada.device}", {}, who=ada.token).status, 200)
        self.problem(self.call("PUT", f"/v1/games/quiz/devices/{ada.device}", {}, who=old), 409, "label-taken")

    def test_a_token_has_the_form_of_ours_and_is_of_one_device(self):
        ada, eve = self.player("Ada"), self.player("Eve")
        for token in (None, "", "x", 7, "cbk_" + v1.token()[4:], v1.token() + "A", v1.token()[:-1], eve.token):
            problem = self.problem(ada.call("PUT", "/v1/players/me/token", {"token": token}), 422, "field")
            self.assertEqual(problem["field"], "token")
        self.assertEqual(eve.get("/v1/players/me").json()["name"], "Eve")

    def test_of_rotations_at_once_one_holds(self):
        ada = self.player("Ada")
        tokens, answers = [v1.token() for _ in range(12)], [None] * 12

        def put(n):
            answers[n] = ada.call("PUT", "/v1/players/me/token", {"token": tokens[n]})
        client.in_threads(12, put)
        self.assertEqual(sorted(answer.status for answer in answers), [200] + [401] * 11)
        winner = next(n for n, answer in enumerate(answers) if answer.status == 200)
        for n, token in enumerate(tokens):
            self.assertEqual(self.call("GET", "/v1/players/me", who=token).status, 200 if n == winner else 401)
        self.problem(ada.get("/v1/players/me"), 401)

    def test_an_unlisted_player_has_no_profile_and_keeps_its_row(self):
        ada = self.player("Ada Unlisted")
        self.assertEqual(ada.post("solo", 99).status, 201)
        pages = (f"/v1/players/{ada.id}", f"/players/{ada.id}", f"/cards/players/{ada.id}.png")
        self.assertFalse(ada.get("/v1/players/me").json()["unlisted"])
        self.assertTrue(self.private(ada.call("PATCH", "/v1/players/me", {"unlisted": True}), 200)["unlisted"])
        for path in pages:
            self.assertEqual(client.get(self.server, path).status, 404, path)
        self.assertEqual(ada.get(pages[0]).status, 404, "what is public is the same for everybody")
        rows = self.public("/v1/games/quiz/boards/solo/top.json?limit=100")["rows"]
        self.assertIn(ada.id, [row["player"] for row in rows])
        self.assertEqual(self.public(f"/v1/games/quiz/boards/solo/players/{ada.id}")["player"], ada.id)
        self.assertTrue(self.private(ada.call("PATCH", "/v1/players/me", {"country": "nz"}), 200)["unlisted"])
        self.assertFalse(self.private(ada.call("PATCH", "/v1/players/me", {"unlisted": False}), 200)["unlisted"])
        self.public(pages[0])

    def test_reports_are_kept_once(self):
        ada, eve = self.player("Ada"), self.player("Eve")
        path = f"/v1/players/{eve.id}/report"
        for why in ("cheating", "name", "cheating"):
            self.assertEqual(self.private(ada.call("POST", path, {"why": why, "text": "One lap\nin 1 s"}), 202), {})
        kept = self.server.psql(f"select reporter_id, why, length(text) from report where player_id = {eve.id}")
        self.assertEqual(kept, [[str(ada.id), "cheating", "14"]])
        self.assertEqual(self.player("Bob").call("POST", path, {"why": "other"}).status, 202)
        for body in ({}, {"why": "spam"}, {"why": None}, {"why": "name", "text": "x" * 501},
                     {"why": "name", "text": "a\0b"}, {"why": "name", "text": 7}):
            self.problem(self.player("Cy").call("POST", path, body), 422, "field")
        self.problem(ada.call("POST", f"/v1/players/{ada.id}/report", {"why": "name"}), 422, "field")
        self.problem(ada.call("POST", "/v1/players/1/report", {"why": "name"}), 404, "not-found")
        self.problem(self.call("POST", path, {"why": "name"}), 401)
        self.problem(self.call("POST", path, {"why": "name"}, who=self.key), 403)

    def test_other_pages_may_use_delete(self):
        answer = self.call("OPTIONS", f"/v1/players/me/devices/{'0' * 32}")
        self.assertEqual(answer.status, 204)
        self.assertIn("DELETE", answer["access-control-allow-methods"])
        self.problem(self.call("GET", f"/v1/players/me/devices/{'0' * 32}"), 405, "method-not-allowed")


class TwoServers(V1Case):
    """What one process ends is over in the other one too."""

    @classmethod
    def setUpClass(cls):
        cls.second = Joined("v1codes-second", cls.server)
        cls.addClassCleanup(cls.second.stop)

    def posts(self, who):
        return v1.call(self.second, "PUT", v1_case.score(v1.new_id()), {"points": 1}, who=who).status

    def ends(self, token):
        """Reads ask the database; posts know their callers from memory."""
        self.assertEqual(v1.call(self.second, "GET", "/v1/players/me", who=token).status, 401)
        until(lambda: self.posts(token) == 401, GONE_SECONDS_MAX, "the token ends in the other process")

    def test_a_token_that_changed_ends_in_the_other_process(self):
        ada = self.player("Ada")
        self.assertEqual([self.posts(ada.token) for _ in range(5)], [201] * 5)
        old, ada.token = ada.token, v1.token()
        self.assertEqual(self.call("PUT", "/v1/players/me/token", {"token": ada.token}, who=old).status, 200)
        self.ends(old)
        self.assertEqual(self.posts(ada.token), 201)

    def test_a_device_that_was_cut_off_ends_in_the_other_process(self):
        ada, pad = self.player("Ada"), Device(self.second)
        self.assertEqual(pad.put(code=code_of(ada)).status, 201)
        self.assertEqual([self.posts(pad.token) for _ in range(5)], [201] * 5)
        number = id_of(pad)
        self.assertEqual(ada.call("DELETE", f"/v1/players/me/devices/{number}").status, 204)
        self.ends(pad.token)
        self.assertEqual(self.posts(ada.token), 201)


class Limits(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server("v1codelimits")
        cls.addClassCleanup(cls.server.stop)
        cls.server.verb("game", "add", "quiz", "--name", "Quiz")

    @contextlib.contextmanager
    def limited(self, *arguments, **limits):
        self.server.terminate()
        limits = [f"--limit={name.replace('_', '-')}={rate}" for name, rate in limits.items()]
        self.server.start("--limits", "on", *limits, *arguments)
        yield self.server

    def over(self, answer, limit):
        self.assertEqual(answer.status, 429, answer)
        self.assertEqual(answer.json()["limit"], limit)
        self.assertGreater(int(answer["retry-after"]), 0)

    def test_after_many_wrong_codes_an_address_has_none_judged(self):
        with self.limited("--trusted-proxies", "127.0.0.1/32"):
            ada = v1.Player(self.server, "quiz", "Ada")

            def put(address, **fields):
                device = Device(self.server)
                return device.call("PUT", f"/v1/games/quiz/devices/{device.device}", fields,
                                   headers=[("X-Forwarded-For", address)])
            guesser, other = "203.0.113.1", "203.0.113.2"
            self.assertEqual([put(guesser, code=code_of(ada)).status for _ in range(3)], [201] * 3)
            statuses = [put(guesser, code=f"{number:08}").status for number in range(21)]
            self.assertEqual(statuses, [422] * 20 + [429])
            code = code_of(ada)
            self.over(put(guesser, code=code), "failed-codes")
            self.over(put(guesser, code="nonsense"), "failed-codes")
            self.assertEqual(put(guesser, name="Bob").status, 201)
            self.assertEqual(put(other, code=code).status, 201)

    def test_codes_count_by_device_whatever_its_token(self):
        with self.limited(player_codes="4/h"):
            ada = v1.Player(self.server, "quiz", "Ada")
            for kind in ("codes", "recovery"):
                code_of(ada, kind)
            pad, pod = Device(self.server), Device(self.server)
            self.assertEqual(pad.put(code=code_of(ada)).status, 201)
            old, ada.token = ada.token, v1.token()
            change = {"token": ada.token}
            self.assertEqual(v1.call(self.server, "PUT", "/v1/players/me/token", change, who=old).status, 200)
            self.over(ada.call("POST", "/v1/players/me/codes"), "player-codes")
            self.over(ada.call("PUT", "/v1/players/me/token", {"token": v1.token()}), "player-codes")
            self.assertEqual(ada.get("/v1/players/me").status, 200, "the token has not changed")
            code_of(v1.Player(self.server, "quiz", "Bob"))

            self.assertEqual(pod.put(code=code_of(pad)).status, 201)
            for device in (pod, pad, pad):
                code_of(device)
            for device in (pad, pod):
                self.over(device.call("POST", "/v1/players/me/codes"), "player-codes")

    def test_a_new_device_leaves_its_owner_the_limit_on_codes(self):
        with self.limited(player_codes="2/h"):
            ada = v1.Player(self.server, "quiz", "Ada")
            thief = Device(self.server)
            self.assertEqual(thief.put(code=code_of(ada)).status, 201)
            for _ in range(2):
                code_of(thief)
            self.over(thief.call("POST", "/v1/players/me/codes"), "player-codes")
            self.assertEqual(Device(self.server).put(code=code_of(ada)).status, 201)

    def test_reports_are_limited_and_repeats_are_not(self):
        with self.limited(player_reports="2/day"):
            ada, *others = [v1.Player(self.server, "quiz", name) for name in ("Ada", "Bo", "Cy", "Di")]
            paths = [f"/v1/players/{other.id}/report" for other in others]
            for path in (paths[0], paths[0], paths[0], paths[1]):
                self.assertEqual(ada.call("POST", path, {"why": "name"}).status, 202)
            self.over(ada.call("POST", paths[2], {"why": "name"}), "player-reports")
