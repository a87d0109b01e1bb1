"""Players who become one: by a code and `merge`, by an action, and apart again; what each id, device and wallet
says."""
import unittest

import admin
import client
import v1
import v1_case
from admin import Operator
from joined import Joined
from server import until
from test_v1_device_codes import Device, code_of
from v1_case import V1Case

SEEN_SECONDS_MAX = 2


def setUpModule():
    v1_case.start("v1merges")


class Merges(V1Case):
    def setUp(self):
        super().setUp()
        self.operator = Operator(self.server.admin(), admin.make_key(self.server))

    def moderate(self, do, on, status=201, **fields):
        answer = self.operator.call("PUT", f"acts/{v1.new_id()}", {"do": do, "on": on, "reason": "a test", **fields})
        self.assertEqual(answer.status, status, answer)
        return answer.json()

    def merging(self, device, player):
        path = f"/v1/games/quiz/devices/{device.device}"
        answer = device.call("PUT", path, {"code": code_of(player), "merge": True})
        self.assertEqual(answer.status, 201, answer)

    def with_history(self, points):
        """A device whose player has a score, and that score's id."""
        device = Device(self.server)
        self.assertEqual(device.put(name="Bo").status, 201)
        id = v1.new_id()
        path = f"/v1/games/quiz/boards/solo/scores/{id}"
        self.assertEqual(device.call("PUT", path, {"points": points}).status, 201)
        return device, path, device.call("GET", "/v1/players/me").json()["id"]

    def me(self, player):
        return player.call("GET", "/v1/players/me").json()

    def test_a_device_brings_its_player_and_everything_that_is_its_own(self):
        ada = self.player("Ada")
        self.assertEqual(ada.post("solo", 5).status, 201)
        device, path, former = self.with_history(9)
        self.problem(device.put(code=code_of(ada)), 409, "has-history")
        self.merging(device, ada)
        self.assertEqual((self.me(device)["id"], self.me(device)["earned"], self.me(device)["devices"]),
                         (ada.id, 14, 2))
        self.assertEqual(self.me(ada)["earned"], 14)
        # Either id answers as the survivor, in profiles, on boards and on pages.
        profile = client.get(self.server, f"/v1/players/{former}")
        self.assertEqual((profile.status, profile.json()["id"]), (200, ada.id))
        self.assertEqual(profile.body, client.get(self.server, f"/v1/players/{ada.id}").body)
        board = "/v1/games/quiz/boards/solo"
        self.assertEqual(client.get(self.server, f"{board}/players/{former}").json()["player"], ada.id)
        for named in (f"players/{former}/around.json?limit=1", f"top.json?players={former},{ada.id}"):
            rows = client.get(self.server, f"{board}/{named}").json()["rows"]
            self.assertEqual([(row["player"], row["points"]) for row in rows], [(ada.id, 9)], named)
        self.assertEqual(client.get(self.server, f"/players/{former}").status, 200)
        # What the device sent before is its receipt, and sent again it is no second score.
        self.assertEqual(device.call("GET", path).json()["points"], 9)
        again = device.call("PUT", path, {"points": 9})
        self.assertEqual((again.status, again["idempotent-replayed"]), (200, "true"))
        self.problem(device.call("PUT", path, {"points": 10}), 409, "id-reused")
        self.assertEqual(self.me(ada)["earned"], 14)
        self.assertEqual(len(ada.get("/v1/players/me/scores").json()["rows"]), 2)
        self.server.audit()

    def test_the_rows_of_the_devices_own_player_come_first(self):
        ada = self.player("Ada")
        device, path, former = self.with_history(9)
        self.assertEqual(ada.call("PUT", path, {"points": 4}).status, 201)
        self.merging(device, ada)
        self.assertEqual(device.call("GET", path).json()["points"], 9)
        self.assertEqual(ada.call("GET", path).json()["points"], 4)
        self.assertEqual(device.call("PUT", path, {"points": 9}).status, 200)
        self.assertEqual(ada.call("PUT", path, {"points": 4}).status, 200)
        self.problem(ada.call("PUT", path, {"points": 9}), 409, "id-reused")

    def test_after_three_merges_a_player_takes_up_nobody(self):
        ada = self.player("Ada")
        for points in (1, 2, 3):
            self.merging(self.with_history(points)[0], ada)
        device, _, former = self.with_history(4)
        code = code_of(ada)
        self.problem(device.put(code=code, merge=True), 422, "merge-limit")
        self.assertEqual(self.me(device)["id"], former)
        # The code is still good for a device without a history.
        self.assertEqual(Device(self.server).put(code=code).status, 201)

    def test_an_operator_makes_two_players_one_and_parts_them_again(self):
        ada, bo = self.player("Ada"), self.player("Bo")
        self.assertEqual((ada.post("solo", 5).status, bo.post("solo", 20).status), (201, 201))
        done = self.moderate("merge", {"player": bo.id}, into=ada.id)
        self.assertEqual((done["before"]["earned"], done["after"]["earned"]), (5, 25))
        self.assertEqual(self.me(bo)["id"], ada.id)
        donation = v1.new_id()
        donated = bo.call("PUT", f"/v1/charities/oxfam/donations/{donation}", {"points": 22})
        self.assertEqual((donated.status, donated.json()["left"]), (201, 3), donated)
        refused = self.moderate("merge", {"player": bo.id}, 409, into=ada.id)
        self.assertEqual(refused["act"], done["id"])
        self.assertEqual(self.operator.get(f"players/{bo.id}").json()["merged_into"], ada.id)
        # What was donated is the survivor's, who has not earned it: it is unfunded.
        undone = self.moderate("undo", {"act": done["id"]})
        self.assertEqual(undone["after"], {"earned": 5, "voided": 0, "held": 0, "left": 0, "given": 22, "funded": 5,
                                           "unfunded": 17})
        self.assertEqual(undone["unfunded"], [{"donation": donation, "charity": "oxfam", "points": 17}])
        self.assertEqual((self.me(bo)["id"], self.me(bo)["earned"], self.me(bo)["left"]), (bo.id, 20, 20))
        self.assertEqual(self.me(ada)["left"], 0)
        self.server.audit()

    def test_nothing_that_was_made_while_players_were_one_leads_to_the_other_one_afterwards(self):
        ada, bo = self.player("Ada"), self.player("Bo")
        self.assertEqual((ada.post("solo", 5).status, bo.post("solo", 20).status), (201, 201))
        own = code_of(ada, "recovery")
        merge = self.moderate("merge", {"player": bo.id}, into=ada.id)
        pad = Device(self.server)
        self.assertEqual(pad.put(code=code_of(bo)).status, 201)
        tv = Device(self.server)
        self.assertEqual(tv.put(code=code_of(pad)).status, 201)
        mine = Device(self.server)
        self.assertEqual(mine.put(code=code_of(ada)).status, 201)
        typed = self.operator.call("POST", f"players/{bo.id}/codes").json()["code"]
        self.assertEqual({self.me(device)["id"] for device in (pad, tv, mine)}, {ada.id})
        self.moderate("undo", {"act": merge["id"]})
        self.assertEqual([self.me(device)["id"] for device in (bo, pad, tv, mine)], [bo.id] * 3 + [ada.id])
        self.problem(Device(self.server).put(code=typed), 422, "code-refused")
        self.assertEqual(Device(self.server).put(code=own).status, 201, "a code of the survivor's own device stays")
        # Codes and devices that the other player's device made during the merge stop working.
        merge = self.moderate("merge", {"player": bo.id}, into=ada.id)
        code = code_of(bo)
        self.moderate("undo", {"act": merge["id"]})
        self.problem(Device(self.server).put(code=code), 422, "code-refused")
        self.server.audit()

    def test_points_that_were_laundered_by_a_merge_are_voided_all_the_same(self):
        cheat, friend = self.player("Cheat"), self.player("Friend")
        score = v1.new_id()
        path = f"/v1/games/quiz/boards/solo/scores/{score}"
        self.assertEqual(cheat.call("PUT", path, {"points": 900}).status, 201)
        self.assertEqual(friend.post("solo", 10).status, 201)
        self.merging(cheat, friend)
        donation = cheat.call("PUT", f"/v1/charities/red-cross/donations/{v1.new_id()}", {"points": 905})
        self.assertEqual(donation.status, 201, donation)
        void = self.moderate("void", {"player": cheat.id, "score": score})
        self.assertEqual((void["after"]["unfunded"], void["after"]["left"]), (895, 0))
        self.assertEqual(client.get(self.server, "/v1/charities/red-cross").json()["points"], 10)
        board = client.get(self.server, "/v1/games/quiz/boards/solo/top.json?limit=100").json()["rows"]
        self.assertEqual([row["points"] for row in board if row["player"] == friend.id], [10])
        self.assertFalse([row for row in board if row["player"] == cheat.id])
        # A ban of either holds for both, also by the other's device.
        ban = self.moderate("ban", {"player": cheat.id})
        for player in (cheat, friend):
            self.problem(player.post("solo", 1), 403, "banned")
        self.moderate("undo", {"act": ban["id"]})
        self.assertEqual(friend.post("solo", 1).status, 201)
        self.server.audit()

    def test_a_banned_player_is_taken_up_by_nobody(self):
        ada = self.player("Ada")
        device, _, former = self.with_history(4)
        self.moderate("ban", {"player": former})
        self.problem(device.put(code=code_of(ada), merge=True), 403, "banned")

    def test_a_merge_is_logged_as_the_players_own_action(self):
        ada = self.player("Ada")
        device, _, former = self.with_history(4)
        self.merging(device, ada)
        entry = self.operator.get("log?limit=1").json()["rows"][0]
        self.assertEqual((entry["do"], entry["by"], entry["on"]), ("merge", "player", f"player={former}"))
        self.moderate("undo", {"act": entry["act"]})
        self.assertEqual(self.me(device)["id"], former)

    def test_every_process_knows_it(self):
        ada, bo = self.player("Ada"), self.player("Bo")
        self.assertEqual(bo.post("solo", 20).status, 201)
        beside = Joined("v1merges-beside", self.server)
        self.addCleanup(beside.stop)

        place = "/v1/games/quiz/boards/solo"

        def seen():
            me = v1.call(beside, "GET", "/v1/players/me", who=bo.token).json()["id"]
            posted = v1.call(beside, "PUT", f"{place}/scores/{v1.new_id()}", {"points": 1}, who=bo.token)
            profile = client.get(beside, f"/v1/players/{bo.id}").json()["id"]
            stands = client.get(beside, f"{place}/players/{bo.id}").json()["player"]
            self.assertEqual(posted.status, 201, posted)
            return {me, profile, stands}
        self.assertEqual(seen(), {bo.id})
        merge = self.moderate("merge", {"player": bo.id}, into=ada.id)
        until(lambda: seen() == {ada.id}, SEEN_SECONDS_MAX, "the other process knows")
        self.moderate("undo", {"act": merge["id"]})
        until(lambda: seen() == {bo.id}, SEEN_SECONDS_MAX, "the other process knows")
        self.server.audit()

    def test_a_games_key_speaks_for_the_survivor(self):
        key = self.server.verb("key", "add", "--game", "quiz", "--name", "server").strip()
        ada, bo = self.player("Ada"), self.player("Bo")
        path = f"/v1/games/quiz/boards/solo/scores/{v1.new_id()}"
        self.assertEqual(v1.call(self.server, "PUT", path, {"points": 7, "player": bo.id}, who=key).status, 201)
        self.moderate("merge", {"player": bo.id}, into=ada.id)
        again = v1.call(self.server, "PUT", path, {"points": 7, "player": bo.id}, who=key)
        self.assertEqual(again.status, 200, again)
        other = v1.call(self.server, "PUT", f"/v1/games/quiz/boards/solo/scores/{v1.new_id()}",
                        {"points": 8, "player": bo.id}, who=key)
        self.assertEqual(other.status, 201, other)
        self.assertEqual(self.me(ada)["earned"], 15)

    def test_players_of_two_games_stay_apart(self):
        ada, eve = self.player("Ada"), self.player("Eve", "chess")
        self.moderate("merge", {"player": ada.id}, 409, into=eve.id)
        self.moderate("merge", {"player": ada.id}, 409, into=ada.id)
        self.moderate("merge", {"player": ada.id}, 404, into=1)


if __name__ == "__main__":
    unittest.main()
