"""Friends: codes, asking, blocks, and the boards among friends, also as another process shows them."""
import concurrent.futures
import random
import unittest

import admin
import client
import v1
import v1_case
from joined import Joined
from seeds import SEED
from server import until
from v1_case import V1Case

FRIENDS, BLOCKS = "/v1/players/me/friends", "/v1/players/me/blocks"
BOARD = "/v1/games/quiz/boards/solo/players/me/friends.json"
SHOWN_SECONDS_MAX = 2       # another process shows a tie within this time
RACES, RACING_PAIRS = 1_000, 8


def setUpModule():
    v1_case.start("v1friends")
    V1Case.server.verb("game", "set", "quiz", "--friends", "requests")
    V1Case.server.verb("game", "set", "chess", "--friends", "codes")


class Friends(V1Case):
    def names(self, player, place=None, path=BOARD):
        feed = v1.call(place or self.server, "GET", path, who=player.token)
        said = self.private(feed, 200)
        self.assertEqual(said["among"], "friends")
        self.assertEqual(said["of"], len(said["rows"]))
        self.assertEqual([row["among"] for row in said["rows"]], list(range(1, said["of"] + 1)))
        return [row["name"] for row in said["rows"]]

    def lists(self, player):
        said = self.private(player.get(FRIENDS), 200)
        return {name: [row["name"] for row in rows] for name, rows in said.items() if rows}

    def befriend(self, one, other):
        code = self.private(one.call("POST", f"{FRIENDS}/codes"), 201)["code"]
        self.assertEqual(self.private(other.call("POST", FRIENDS, {"code": code}), 201),
                         {"player": one.id, "name": one.name})

    def test_codes_asks_and_blocks(self):
        ada, bob, eve = self.player("Ada"), self.player("Bob"), self.player("Eve")
        self.befriend(ada, bob)
        self.assertEqual(self.private(eve.call("PUT", f"{FRIENDS}/{ada.id}"), 200), {"state": "asking"})
        self.assertEqual(self.lists(ada), {"friends": ["Bob"], "asked": ["Eve"]})
        self.assertEqual(ada.call("PUT", f"{BLOCKS}/{eve.id}").status, 204)
        self.assertEqual(self.lists(ada), {"friends": ["Bob"], "blocked": ["Eve"]})
        self.assertEqual(self.lists(eve), {"asking": ["Ada"]})
        self.assertEqual(bob.call("DELETE", f"{FRIENDS}/{ada.id}").status, 204)
        self.assertEqual(self.lists(bob), {})
        chess = self.player("Cy", game="chess")
        self.problem(chess.call("PUT", f"{FRIENDS}/{ada.id}"), 403, "forbidden")
        self.problem(ada.call("PUT", f"{FRIENDS}/{chess.id}"), 404, "not-found")
        kept = self.private(ada.get("/v1/players/me/export"), 200)
        self.assertEqual({(row["player"], row["says"]) for row in kept["ties"]},
                         {(bob.id, "yes"), (eve.id, "block")})

    def test_asks_can_be_turned_off(self):
        ada, bob = self.player("Ada"), self.player("Bob")
        self.assertTrue(ada.get("/v1/players/me").json()["asks"])
        changed = self.private(ada.call("PATCH", "/v1/players/me", {"asks": False}), 200)
        self.assertFalse(changed["asks"])
        self.assertEqual(self.private(bob.call("PUT", f"{FRIENDS}/{ada.id}"), 200), {"state": "asking"})
        self.assertEqual(self.lists(ada), {})
        self.private(ada.call("PATCH", "/v1/players/me", {"asks": True}), 200)
        self.assertEqual(self.lists(ada), {"asked": ["Bob"]})

    def test_operators_see_what_the_player_sees(self):
        ada, bob, eve, cy = (self.player(name) for name in ("Ada", "Bob", "Eve", "Cy"))
        self.befriend(ada, bob)
        self.private(eve.call("PUT", f"{FRIENDS}/{ada.id}"), 200)
        self.assertEqual(ada.call("PUT", f"{BLOCKS}/{cy.id}").status, 204)
        operator = admin.Operator(self.server.admin(), admin.make_key(self.server))
        answer = operator.get(f"players/{ada.id}/friends")
        self.assertEqual((answer.status, answer["cache-control"]), (200, "private, no-store"))
        self.assertEqual(answer.json(), ada.get(FRIENDS).json())
        self.assertEqual(operator.get("players/9007199254740991/friends").status, 404)
        printed = [line.split() for line in self.server.verb("player", "friends", str(ada.id)).splitlines()]
        today = answer.json()["friends"][0]["since"]
        self.assertEqual(sorted(printed[2:]), sorted([
            ["friend", str(bob.id), "Bob", today], ["request", "received", str(eve.id), "Eve", today],
            ["blocked", str(cy.id), "Cy", today]]))
        self.assertIn("has no friends", self.server.verb("player", "friends", str(cy.id)))

    def test_a_board_among_friends(self):
        ada, bob, eve = self.player("Ada"), self.player("Bob"), self.player("Eve")
        for player, points in ((ada, 5), (bob, 9), (eve, 7)):
            self.assertEqual(player.post("solo", points).status, 201)
        self.assertEqual(self.names(ada), ["Ada"])
        self.befriend(ada, bob)
        self.assertEqual(self.names(ada), ["Bob", "Ada"])
        self.assertEqual(self.names(bob, path=BOARD + "?window=today"), ["Bob", "Ada"])
        self.assertEqual(self.names(eve), ["Eve"])
        self.assertEqual(ada.donate("red-cross", 2).status, 201)
        for path in ("/v1/charities/red-cross", "/v1/contributors"):
            self.assertEqual(self.names(bob, path=f"{path}/players/me/friends.json"), ["Ada"])


class OtherProcess(Friends):
    @classmethod
    def setUpClass(cls):
        cls.second = Joined("v1friends-second", cls.server)
        cls.addClassCleanup(cls.second.stop)

    test_codes_asks_and_blocks = test_asks_can_be_turned_off = test_a_board_among_friends = None
    test_operators_see_what_the_player_sees = None

    def test_it_shows_what_this_one_has_written(self):
        ada, bob = self.player("Ada"), self.player("Bob")
        for player in (ada, bob):
            self.assertEqual(player.post("solo", 3).status, 201)

        def shows(*names):
            until(lambda: self.names(ada, self.second) == list(names), SHOWN_SECONDS_MAX, f"{names} in the other")

        shows("Ada")
        self.befriend(ada, bob)
        shows("Ada", "Bob")
        self.assertEqual(bob.call("PUT", f"{BLOCKS}/{ada.id}").status, 204)
        shows("Ada")
        self.assertEqual(bob.call("PUT", f"{FRIENDS}/{ada.id}").status, 200)
        shows("Ada", "Bob")
        self.assertEqual(bob.call("POST", "/v1/players/me/erasure", {"confirm": "Bob"}).status, 200)
        shows("Ada")

    def test_no_blocked_pair_is_ever_friends(self):
        """A player blocks another one through one process, who just then becomes its friend through the other one."""
        with concurrent.futures.ThreadPoolExecutor(2 * RACING_PAIRS) as threads:
            outcomes = [outcome for pair in [threads.submit(self.race, number, threads)
                                             for number in range(RACING_PAIRS)] for outcome in pair.result()]
        self.assertEqual(len(outcomes), RACES)
        self.assertEqual(set(outcomes), {"friends", "refused", "asking"}, "each of both was first")
        self.assertEqual(self.server.psql(
            "select count(*) from tie b join tie y on (y.player_id, y.other_id) = (b.other_id, b.player_id)"
            " where b.says = 'block' and y.says = 'yes' and exists (select from friends_of(y.player_id, 500) f"
            " where f.player_id = b.player_id)"), [["0"]])

    def race(self, number, threads):
        dice, outcomes = random.Random(f"{SEED} {number}"), []
        ada, bob = self.player(f"Ada {number}"), self.player(f"Bob {number}")
        with client.Connection(self.server) as one, client.Connection(self.second) as two:
            for player in (ada, bob):
                player.place = one
                self.assertEqual(player.post("solo", 3).status, 201)
            for _ in range(RACES // RACING_PAIRS):
                ada.place, bob.place = one, two
                self.assertEqual(ada.call("DELETE", f"{BLOCKS}/{bob.id}").status, 204)
                code = ada.call("POST", f"{FRIENDS}/codes").json()["code"]
                if dice.random() < .5:
                    self.assertEqual(ada.call("PUT", f"{FRIENDS}/{bob.id}").status, 200)
                ada.place, bob.place = (one, two) if dice.random() < .5 else (two, one)
                by_code = dice.random() < .5
                befriends = threads.submit(
                    bob.call, *(("POST", FRIENDS, {"code": code}) if by_code else ("PUT", f"{FRIENDS}/{ada.id}")))
                self.assertEqual(ada.call("PUT", f"{BLOCKS}/{bob.id}").status, 204)
                answer = befriends.result()
                self.assertIn(answer.status, (200, 201, 422) if by_code else (200,), answer)
                outcomes.append("refused" if answer.status == 422 else answer.json().get("state", "friends"))
                lists = ada.get(FRIENDS).json()
                self.assertEqual(([row["player"] for row in lists["blocked"]], lists["friends"]), ([bob.id], []))
                self.assertEqual(bob.get(FRIENDS).json()["friends"], [])
                self.assertEqual(self.names(ada, ada.place), [ada.name])
            for place in (one, two):
                for player in (ada, bob):
                    until(lambda: self.names(player, place) == [player.name], SHOWN_SECONDS_MAX, "the last race")
        return outcomes


if __name__ == "__main__":
    unittest.main()
