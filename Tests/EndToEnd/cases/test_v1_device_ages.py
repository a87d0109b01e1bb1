"""What a thief can do with a stolen token or a device that has just joined: codes end with the token, and for a day a
new device cannot harm older ones."""
import client
import v1
import v1_case
from admin import Operator, make_key
from test_v1_device_codes import Device, code_of, devices_of, id_of
from v1_case import V1Case

DAY_SECONDS = 24 * 60 * 60


def setUpModule():
    v1_case.start("v1ages")


class AgeCase(V1Case):
    def joined(self, player, **fields):
        device = Device(self.server)
        self.private(device.put(code=code_of(player), **fields), 201)
        return device

    def a_day_passes(self, player):
        """Moves the ages of all devices and codes of a player back by a day."""
        day = "interval '1 day'"
        self.server.psql(f"update device set registered_at = registered_at - {day}, owned_since = owned_since - {day} "
                         f"where player_id = {player.id}")
        self.server.psql(f"update code set made_at = made_at - {day} where player_id = {player.id}")

    def cut(self, who, other):
        return who.call("DELETE", f"/v1/players/me/devices/{id_of(other)}")

    def too_new(self, answer):
        self.problem(answer, 403, "device-too-new")
        self.assertIn(int(answer["retry-after"]), range(DAY_SECONDS - 600, DAY_SECONDS + 1))

    def codes_of(self, player):
        return self.private(player.call("GET", "/v1/players/me/devices"), 200)["codes"]


class Codes(AgeCase):
    def test_a_new_token_ends_all_codes_of_the_player(self):
        """A thief with the old token may have made them, on this device or on another one."""
        ada = self.player("Ada")
        pad = self.joined(ada)
        self.a_day_passes(ada)
        for maker in (ada, pad):
            codes = [code_of(maker), code_of(maker, "recovery")]
            old, ada.token = ada.token, v1.token()
            change = {"token": ada.token}
            said = self.private(self.call("PUT", "/v1/players/me/token", change, who=old), 200)
            self.assertEqual(said["codes_ended"], 2)
            for code in codes:
                self.problem(Device(self.server).put(code=code), 422, "code-refused")
            self.assertEqual(self.codes_of(ada), [])
            # Sent again it revokes nothing more.
            kept = code_of(ada, "recovery")
            again = self.private(ada.call("PUT", "/v1/players/me/token", change), 200)
            self.assertEqual(again, {**said, "codes_ended": 0})
            self.assertEqual(Device(self.server).put(code=kept).status, 201)

    def test_the_list_of_devices_shows_codes_and_how_each_device_came(self):
        ada = self.player("Ada")
        self.assertEqual(self.codes_of(ada), [])
        join, recovery = code_of(ada), code_of(ada, "recovery")
        codes = self.codes_of(ada)
        self.assertEqual([(code["kind"], code["by"], "expires_at" in code) for code in codes],
                         [("join", "device", True), ("recovery", "device", False)])
        for code in codes:
            self.assertRegex(code["made_at"], v1_case.STAMP)
        text = ada.get("/v1/players/me/devices").text
        self.assertFalse([code for code in (join, recovery) if code in text])
        self.assertEqual([Device(self.server).put(code=code).status for code in (join, recovery)], [201, 201])
        self.assertEqual([device.get("joined_by") for device in devices_of(ada)], [None, "code", "recovery"])
        operator = Operator(self.server.admin(), make_key(self.server))
        made = operator.call("POST", f"players/{ada.id}/codes").json()["code"]
        self.assertEqual([(code["kind"], code["by"]) for code in self.codes_of(ada)], [("join", "operator")])
        self.assertEqual(ada.get("/v1/players/me/export").json()["codes"], self.codes_of(ada))
        self.assertEqual(Device(self.server).put(code=made).status, 201)
        self.assertEqual(devices_of(ada)[-1]["joined_by"], "operator")
        code_of(ada)
        self.assertEqual([code["by"] for code in self.codes_of(ada)], ["device"], "a code of one's own is not marked")
        self.server.psql(f"update code set expires_at = now() - interval '1 s' where player_id = {ada.id}")
        self.assertEqual(self.codes_of(ada), [], "an expired one is not listed")


class Ages(AgeCase):
    def test_a_new_device_cuts_off_only_what_came_after_it(self):
        ada = self.player("Ada")
        pad = self.joined(ada)
        tv = self.joined(ada)
        self.too_new(self.cut(pad, ada))
        self.assertEqual(self.cut(pad, tv).status, 204)
        self.assertEqual(self.cut(ada, pad).status, 204, "the first device never waits")
        tv = self.joined(ada)
        self.assertEqual(self.cut(tv, tv).status, 204, "a device may leave")
        pad = self.joined(ada)
        self.a_day_passes(ada)
        self.too_new(self.cut(self.joined(ada), pad))
        self.assertEqual(self.cut(pad, ada).status, 204)
        self.problem(ada.call("GET", "/v1/players/me"), 401)

    def test_a_new_device_neither_exports_nor_erases_beside_an_older_one(self):
        ada = self.player("Ada Old", email="ada@example.org")
        pad = self.joined(ada)
        self.too_new(pad.call("GET", "/v1/players/me/export"))
        self.too_new(pad.call("POST", "/v1/players/me/erasure", {"confirm": "Ada Old"}))
        self.assertEqual(ada.call("GET", "/v1/players/me/export").status, 200)
        self.a_day_passes(ada)
        self.assertEqual(pad.call("GET", "/v1/players/me/export").json()["email"], "ada@example.org")
        self.assertEqual(pad.call("POST", "/v1/players/me/erasure", {"confirm": "Ada Old"}).status, 200)
        self.problem(ada.call("GET", "/v1/players/me"), 410, "gone")

    def test_a_new_device_reaches_the_owner_by_no_other_way(self):
        """A merge would take the owner's devices along, and a code of the thief's would replace the owner's."""
        ada, thief = self.player("Ada"), self.player("Thief")
        self.assertEqual(ada.post("solo", 3).status, 201)
        kept = code_of(ada, "recovery")
        new = self.joined(ada)
        self.too_new(new.call("POST", "/v1/players/me/recovery"))
        self.too_new(new.put(code=code_of(thief), merge=True))
        self.assertEqual(len(devices_of(ada)), 2)
        join = code_of(new)
        said = self.private(new.call("PUT", "/v1/players/me/token", {"token": v1.token()}), 200)
        self.assertEqual(said["codes_ended"], 1, "its own one")
        self.problem(Device(self.server).put(code=join), 422, "code-refused")
        self.assertEqual(Device(self.server).put(code=kept).status, 201)

    def test_who_has_one_device_never_waits(self):
        ada = self.player("Ada Alone")
        self.assertEqual(ada.call("GET", "/v1/players/me/export").status, 200)
        self.assertEqual(ada.call("POST", "/v1/players/me/erasure", {"confirm": "Ada Alone"}).status, 200)
        bo = self.player("Bo")
        pad = self.joined(bo)
        self.assertEqual(self.cut(bo, bo).status, 204)
        self.assertEqual(pad.call("GET", "/v1/players/me/export").status, 200, "there is no older device now")

    def test_a_recovery_code_counts_from_when_it_was_made(self):
        """An owner who lost all devices has an old code; a thief makes a new one."""
        ada = self.player("Ada")
        thief = Device(self.server)
        self.assertEqual(thief.put(code=code_of(ada, "recovery")).status, 201)
        self.too_new(self.cut(thief, ada))
        self.too_new(thief.call("GET", "/v1/players/me/export"))
        kept = code_of(ada, "recovery")
        self.a_day_passes(ada)
        found = Device(self.server)
        self.assertEqual(found.put(code=kept).status, 201)
        self.assertEqual(found.call("GET", "/v1/players/me/export").status, 200)
        for lost in (ada, thief):
            self.assertEqual(self.cut(found, lost).status, 204)
        self.assertEqual(len(devices_of(found)), 1)

    def test_a_device_that_brings_its_player_is_new_all_the_same(self):
        """Otherwise a thief could register in advance and wait."""
        ada, thief = self.player("Ada"), self.player("Thief")
        self.assertEqual(thief.post("solo", 3).status, 201)
        beside = self.joined(thief)
        self.a_day_passes(thief)
        path = f"/v1/games/quiz/devices/{thief.device}"
        self.assertEqual(thief.call("PUT", path, {"code": code_of(ada), "merge": True}).status, 201)
        for device in (thief, beside):
            self.too_new(self.cut(device, ada))
            self.too_new(device.call("GET", "/v1/players/me/export"))
        listed = devices_of(ada)
        self.assertEqual([device.get("joined_by") for device in listed], [None, "merge", "merge"])
        self.assertEqual(self.cut(ada, thief).status, 204)
        # A day-old recovery code counts for the device that used it, and not for others that came with it.
        bo = self.player("Bo")
        owner = self.player("Owner")
        self.assertEqual(owner.post("solo", 4).status, 201)
        pad = self.joined(owner)
        code = code_of(bo, "recovery")
        self.a_day_passes(bo)
        path = f"/v1/games/quiz/devices/{owner.device}"
        self.assertEqual(owner.call("PUT", path, {"code": code, "merge": True}).status, 201)
        self.too_new(self.cut(pad, bo))
        self.assertEqual(self.cut(owner, bo).status, 204)
        self.server.audit()
