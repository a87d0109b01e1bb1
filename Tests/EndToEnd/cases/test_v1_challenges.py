"""Challenges: invitations, answers, stakes, also through another process, and with servers that die meanwhile."""
import json
import random
import shutil
import time
import unittest

import admin
import promtool
import v1
import v1_case
from joined import Joined
from live import Stream
from psql import Psql
from seeds import SEED
from server import until
from v1_case import V1Case

BOARD, MINE = "/v1/games/quiz/boards/solo/challenges", "/v1/players/me/challenges"
SETTLED_SECONDS_MAX = 30    # a server looks for challenges that are over each 15 s
COUNTED_SECONDS_MAX = 60    # it counts them as often, when the database answers in time
CRASHES, CHALLENGES = 6, 12


def setUpModule():
    v1_case.start("v1challenges")
    V1Case.server.verb("game", "set", "quiz", "--friends", "codes", "--challenges", "friends", "--stake-max", "10")


class Challenges(V1Case):
    def friends(self, *names):
        players = [self.player(name) for name in names]
        for index, one in enumerate(players):
            for other in players[:index]:
                code = self.private(one.call("POST", "/v1/players/me/friends/codes"), 201)["code"]
                self.private(other.call("POST", "/v1/players/me/friends", {"code": code}), 201)
        return players

    def challenge(self, maker, *others, days=1, id=None, **fields):
        path = f"{BOARD}/{id or v1.new_id()}"
        made = maker.call("PUT", path, {"days": days, "players": [player.id for player in others], **fields})
        self.assertEqual((made.status, made["location"]), (201, path), made)
        return path

    def enter(self, player, path, **fields):
        return self.private(player.call("PUT", f"{path}/entry", fields), 200)

    def shown(self, player, path, *keys):
        answer = self.private(player.get(path), 200)
        return answer["state"], [tuple(row.get(key) for key in ("name", *keys)) for row in answer["entrants"]]

    def told(self, player):
        return {row["id"]: (row["state"], row["answer"]) for row in player.get("/v1/players/me").json()["challenges"]}

    def end(self, *paths):
        """Lets the days of challenges, and all scores, be some days ago."""
        ids = ", ".join(f"'{path[-36:]}'" for path in paths)
        self.server.psql(
            f"update challenge set first_day = first_day - 5, last_day = last_day - 5 where id in ({ids});"
            " update score set day = day - 5; update tally set day = day - 5 from board b where b.id = board_id"
            " and b.kind = 'score'")

    def test_invite_enter_and_decline(self):
        ada, bob, eve, cy = self.friends("Ada", "Bob", "Eve", "Cy")
        self.assertEqual(ada.post("solo", 5).status, 201)
        id = v1.new_id()
        path = self.challenge(ada, bob, eve, cy, id=id)
        again = ada.call("PUT", path, {"days": 1, "players": [bob.id, eve.id, cy.id]})
        self.assertEqual((again.status, again["idempotent-replayed"]), (200, "true"), again)
        self.problem(ada.call("PUT", path, {"days": 2, "players": [bob.id]}), 409, "id-reused")
        self.assertEqual(self.told(bob), {id: ("open", "invited")})
        entered = self.enter(bob, path)
        self.assertEqual((entered["answer"], entered["by"], entered["stake"]), ("entered", ada.id, 0))
        self.assertEqual(eve.call("DELETE", f"{path}/entry").status, 204)
        self.assertEqual(bob.post("solo", 9).status, 201)
        self.assertEqual(self.shown(bob, path, "rank", "points"), ("open", [("Bob", 1, 9), ("Ada", 2, 5)]))
        self.assertEqual(sorted(self.shown(ada, path, "state")[1]),
                         [("Ada", "entered"), ("Bob", "entered"), ("Cy", "invited"), ("Eve", "declined")])
        self.assertEqual(self.told(eve), {})
        self.assertEqual([row["id"] for row in self.private(eve.get(MINE), 200)["rows"]], [id])
        self.assertEqual(self.private(eve.get(MINE + "?state=settled"), 200)["rows"], [])
        kept = self.private(eve.get("/v1/players/me/export"), 200)["challenges"]
        self.assertEqual([(row["challenge"], row["answer"]) for row in kept], [(id, "declined")])
        stranger = self.player("Dan")
        self.problem(stranger.get(path), 404, "not-found")
        self.problem(stranger.call("PUT", f"{path}/entry", {}), 404, "not-found")
        new = f"{BOARD}/{v1.new_id()}"
        self.problem(ada.call("PUT", new, {"days": 1, "players": [stranger.id]}), 422, "not-friends")
        self.problem(ada.call("PUT", new, {"days": 15, "players": [bob.id]}), 422, "field")
        chess = self.player("Fay", game="chess")
        self.problem(chess.call("PUT", BOARD.replace("quiz", "chess") + f"/{v1.new_id()}",
                                {"days": 1, "players": [chess.id + 1]}), 403, "forbidden")

    def test_a_profile_stream_tells_of_an_invitation(self):
        ada, bob = self.friends("Ada", "Bob")
        with Stream(self.server, "/v1/players/me/live", [("Authorization", "Bearer " + bob.token)]) as stream:
            self.assertEqual(json.loads(stream.event()["data"])["challenges"], [])
            path = self.challenge(ada, bob)
            row = {"id": path[-36:], "state": "open", "answer": "invited"}
            stream.until(lambda event: json.loads(event["data"])["challenges"] == [row])

    def test_stakes_go_to_the_charity_of_the_winner(self):
        ada, bob, cy = self.friends("Ada", "Bob", "Cy")
        for player, points in ((ada, 30), (bob, 20)):
            self.assertEqual(player.post("solo", points).status, 201)
        path = self.challenge(ada, bob, cy, stake=4, charity="red-cross")
        self.problem(bob.call("PUT", f"{path}/entry", {}), 422, "field")
        self.enter(bob, path, charity="oxfam")
        self.enter(cy, path, charity="oxfam")
        self.assertEqual(cy.call("DELETE", f"{path}/entry").status, 204)
        self.end(path)
        self.assertEqual(ada.get(path).json()["state"], "over")
        self.problem(cy.call("PUT", f"{path}/entry", {}), 409, "challenge-over")
        settled = ("settled", [("Ada", 1, 4), ("Bob", 2, 4)])
        until(lambda: self.shown(bob, path, "rank", "gave") == settled, SETTLED_SECONDS_MAX, "it is settled")
        self.assertEqual((ada.left(), bob.left()), (26, 16))
        gifts = self.private(bob.get("/v1/players/me/donations"), 200)["rows"]
        self.assertEqual([(row["charity"], row["points"], row["anonymous"]) for row in gifts],
                         [("red-cross", 4, False)])
        self.assertEqual(self.told(ada), {path[-36:]: ("settled", "entered")})

    def test_operators_see_challenges_that_are_not_settled(self):
        def due():
            return promtool.metric(self.server, "contests_due")
        ada, bob = self.friends("Ada", "Bob")
        path = self.challenge(ada, bob)
        hand = Psql(self.server.conninfo())
        self.addCleanup(hand.close)
        hand.run("begin; lock table entry in share mode")   # settling a challenge writes there
        self.end(path)
        until(lambda: due() == 1, COUNTED_SECONDS_MAX, "it waits")
        if shutil.which("promtool"):
            scrape = promtool.scrape(self.server)
            self.assertIn("CauseboardChallengesWait", promtool.firing(self.server.home, [scrape, scrape, scrape]))
        hand.run("rollback")
        until(lambda: ada.get(path).json()["state"] == "lapsed", SETTLED_SECONDS_MAX, "it is settled")
        until(lambda: due() == 0, COUNTED_SECONDS_MAX, "none waits")

    def test_operators_see_what_a_player_does(self):
        server = self.server
        server.verb("game", "set", "quiz", "--plans", "on")
        server.verb("award", "add", "--game", "quiz", "cave", "--name", "Cave", "--rule", "granted")
        operator = admin.Operator(server.admin(), admin.make_key(server))
        ada, bob = self.friends("Ada", "Bob")
        path = self.challenge(ada, bob, stake=2, charity="oxfam")
        plan = {"shares": [{"charity": "oxfam", "share": 1}], "every": "week", "keep": 3}
        own = self.private(bob.call("PUT", "/v1/players/me/plan", plan, headers=[("If-None-Match", "*")]), 201)
        grant = {"do": "grant", "on": {"player": bob.id}, "award": "cave", "reason": "a test"}
        self.assertEqual(operator.call("PUT", f"acts/{v1.new_id()}", grant).status, 201)
        answer = operator.get(f"players/{bob.id}/activity")
        self.assertEqual((answer.status, answer["cache-control"]), (200, "private, no-store"))
        found = answer.json()
        self.assertEqual(found["challenges"], self.private(bob.get(MINE), 200)["rows"])
        self.assertEqual((found["challenges"][0]["id"], found["plan"], found["runs"]), (path[-36:], own, []))
        self.assertEqual([award["award"] for award in found["awards"]], ["cave"])
        self.assertEqual(operator.get("players/9007199254740991/activity").status, 404)
        printed = server.verb("player", "activity", str(bob.id))
        for text in (path[-36:], "invited", "after each week, with the shares oxfam 1. It keeps 3 points", "Cave"):
            self.assertIn(text, printed)
        printed = server.verb("player", "activity", str(self.player("Cy").id))
        for text in ("no challenges", "no plan", "no awards"):
            self.assertIn(text, printed)

    def test_a_game_for_young_players(self):
        server = self.server
        ada, bob = self.friends("Ada", "Bob")
        server.verb("game", "set", "quiz", "--audience", "young")
        try:
            self.challenge(ada, bob)
            self.problem(ada.call("PUT", f"{BOARD}/{v1.new_id()}",
                                  {"days": 1, "players": [bob.id], "stake": 1, "charity": "oxfam"}), 422, "field")
            self.assertNotEqual(server.run_verb("game", "set", "quiz", "--challenges", "team", "--audience", "young")
                                .returncode, 0)
        finally:
            server.verb("game", "set", "quiz", "--audience", "all")


class OtherProcess(Challenges):
    @classmethod
    def setUpClass(cls):
        cls.second = Joined("v1challenges-second", cls.server)
        cls.addClassCleanup(cls.second.stop)

    test_invite_enter_and_decline = test_a_profile_stream_tells_of_an_invitation = None
    test_stakes_go_to_the_charity_of_the_winner = test_operators_see_challenges_that_are_not_settled = None
    test_operators_see_what_a_player_does = test_a_game_for_young_players = None

    def test_it_shows_what_this_one_has_written(self):
        ada, bob = self.friends("Ada", "Bob")
        path = self.challenge(ada, bob)
        bob.place = self.second
        self.enter(bob, path)
        self.assertEqual(bob.post("solo", 7).status, 201)
        self.assertEqual(self.shown(ada, path, "rank"), ("open", [("Bob", 1), ("Ada", None)]))

    def test_a_server_that_dies_while_it_settles_loses_nothing_and_gives_nothing_twice(self):
        dice = random.Random(SEED)
        ada, bob = self.friends("Ada", "Bob")
        for player in (ada, bob):
            self.assertEqual(player.post("solo", 500).status, 201)
        paths = []
        for maker, other in ((ada, bob), (bob, ada)):
            for _ in range(CHALLENGES // 2):
                paths.append(self.challenge(maker, other, stake=3, charity="oxfam"))
                self.enter(other, paths[-1], charity="oxfam")
        self.second.kill9()
        self.end(*paths)
        for _ in range(CRASHES):
            self.second.launch()
            time.sleep(dice.random() * 1.5)
            self.second.kill9()
        self.second.start()

        def given():
            return [self.server.psql("select state, count(*) from challenge where stake = 3 group by state"),
                    self.server.psql("select gave, count(*) from stake_share where points = 3 group by gave")]
        until(lambda: given() == [[["settled", str(CHALLENGES)]], [["3", str(2 * CHALLENGES)]]], 60, "all is given")
        self.assertEqual((ada.left(), bob.left()), (500 - 3 * CHALLENGES, 500 - 3 * CHALLENGES))
        self.assertEqual(self.server.psql("select count(*), sum(points) from donation where points = 3"),
                         [[str(2 * CHALLENGES), str(6 * CHALLENGES)]])


if __name__ == "__main__":
    unittest.main()
