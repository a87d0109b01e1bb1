"""Ranks of v1: the place of a player, of points and of neighbours, on boards of every order."""

import client
import v1
import v1_case
from server import far_from_midnight
from v1_case import V1Case


def setUpModule():
    far_from_midnight()
    v1_case.start("v1ranks")


class Ranks(V1Case):
    """rank, percentile, to_next and neighbours on four boards of seven players."""
    POINTS = (50, 40, 40, 40, 30, 20, 20)

    @classmethod
    def setUpClass(cls):
        cls.boards = {}
        for order in ("highest", "lowest"):
            for ties in ("first", "shared"):
                slug = f"{order}-{ties}"
                cls.server.verb("board", "add", "--game", "quiz", slug, "--order", order, "--ties", ties,
                                "--points-min=-1000", "--points-max", "1000")
        cls.players = [v1.Player(cls.server, "quiz", f"p{n}") for n in range(7)]
        for order in ("highest", "lowest"):
            for ties in ("first", "shared"):
                for player, points in zip(cls.players, cls.POINTS):
                    assert player.post(f"{order}-{ties}", points if order == "highest" else -points).status == 201

    def test_places(self):
        first = (100.0, 83.3, 66.7, 50.0, 33.3, 16.7, 0.0)
        shared = (100.0, 50.0, 50.0, 50.0, 33.3, 0.0, 0.0)
        for order, sign in (("highest", 1), ("lowest", -1)):
            for ties, percentiles, ranks, nexts in (
                    ("first", first, (1, 2, 3, 4, 5, 6, 7), (None, 11, 1, 1, 11, 11, 1)),
                    ("shared", shared, (1, 2, 2, 2, 5, 6, 6), (None, 10, 10, 10, 10, 10, 10))):
                slug = f"{order}-{ties}"
                for n, player in enumerate(self.players):
                    with self.subTest(board=slug, player=n):
                        said = self.public(f"/v1/games/quiz/boards/{slug}/players/{player.id}")
                        wanted = {
                            "player": player.id, "rank": ranks[n], "points": sign * self.POINTS[n], "of": 7,
                            "percentile": percentiles[n]
                        }
                        if nexts[n] is not None:
                            wanted["to_next"] = sign * nexts[n]
                        self.assertEqual(said, wanted)
                        mine = player.get(f"/v1/games/quiz/boards/{slug}/players/me")
                        self.assertEqual(self.private(mine, 200), said)
                rows = self.public(f"/v1/games/quiz/boards/{slug}/top.json")["rows"]
                self.assertEqual([r["rank"] for r in rows], list(ranks))
                self.assertEqual([r["player"] for r in rows], [p.id for p in self.players])

    def test_the_only_player_has_no_percentile(self):
        self.server.verb("board", "add", "--game", "quiz", "alone")
        player = self.players[0]
        self.assertEqual(player.post("alone", 5).status, 201)
        said = self.public(f"/v1/games/quiz/boards/alone/players/{player.id}")
        self.assertEqual(said, {"player": player.id, "rank": 1, "points": 5, "of": 1})
        self.assertEqual(self.players[1].post("alone", 4).status, 201)
        said = self.public(f"/v1/games/quiz/boards/alone/players/{player.id}?window=today")
        self.assertEqual((said["of"], said["percentile"]), (2, 100.0))

    def test_rank_of_points(self):
        for order, sign in (("highest", 1), ("lowest", -1)):
            for ties in ("first", "shared"):
                for points, first, shared in ((60, 1, 1), (50, 2, 1), (45, 2, 2), (40, 5, 2), (39, 5, 5), (20, 8, 6),
                                              (0, 8, 8)):
                    with self.subTest(order=order, ties=ties, points=points):
                        said = self.public(f"/v1/games/quiz/boards/{order}-{ties}/rank?points={sign * points}")
                        self.assertEqual(
                            said, {"points": sign * points, "rank": first if ties == "first" else shared, "of": 7})
        path = "/v1/games/quiz/boards/highest-first/rank"
        for query in ("", "?points=", "?points=x", "?points=1.5", "?points=99999999999999999999999", "?points=%2B",
                      "?point=4"):
            self.problem(client.get(self.server, path + query), 400, "malformed")
        for points in (1001, -1001):
            self.problem(client.get(self.server, f"{path}?points={points}"), 422, "out-of-bounds")
        self.problem(client.get(self.server, path + "?points=1&window=bad"), 400, "bad-window")
        self.assertEqual(self.public(path + "?points=1&window=yesterday"), {"points": 1, "rank": 1, "of": 0})
        self.problem(client.get(self.server, "/v1/games/quiz/boards/nope/rank?points=1"), 404, "not-found")

    def test_around(self):
        for limit, n, wanted in ((5, 3, (1, 2, 3, 4, 5)), (5, 0, (0, 1, 2, 3, 4)), (5, 6, (2, 3, 4, 5, 6)),
                                 (5, 1, (0, 1, 2, 3, 4)), (3, 3, (2, 3, 4)), (1, 3, (3,)), (1, 0, (0,)),
                                 (1, 6, (6,)), (7, 0, range(7)), (100, 3, range(7)), (2, 0, (0, 1)), (2, 6, (5, 6)),
                                 (4, 0, (0, 1, 2, 3)), (4, 6, (3, 4, 5, 6)), (6, 3, None), (4, 3, None), (2, 3, None)):
            for slug in ("highest-first", "lowest-shared"):
                with self.subTest(limit=limit, n=n, board=slug):
                    path = f"/v1/games/quiz/boards/{slug}/players/{self.players[n].id}/around.json?limit={limit}"
                    rows = self.public(path)["rows"]
                    seen = [next(i for i, p in enumerate(self.players) if p.id == r["player"]) for r in rows]
                    if wanted is None:      # of an even number, either side may have one more
                        self.assertEqual(len(seen), limit)
                        self.assertEqual(seen, list(range(seen[0], seen[0] + limit)))
                        self.assertLessEqual(abs(seen.index(n) - (limit - 1 - seen.index(n))), 1)
                    else:
                        self.assertEqual(seen, list(wanted))
        five = self.public(f"/v1/games/quiz/boards/highest-first/players/{self.players[3].id}/around")
        self.assertEqual(len(five["rows"]), 5)
        me = self.players[3].get("/v1/games/quiz/boards/highest-first/players/me/around.json")
        self.assertEqual(self.private(me, 200), five)
        for limit in ("0", "101", "x", ""):
            self.problem(
                client.get(
                    self.server,
                    f"/v1/games/quiz/boards/highest-first/players/{self.players[3].id}/around.json?limit={limit}"), 400)
        for who in ("me", "me/around.json"):
            answer = client.get(self.server, f"/v1/games/quiz/boards/highest-first/players/{who}")
            self.problem(answer, 401, "unauthorized")

    def test_without_a_score(self):
        new = self.player("New")
        base = "/v1/games/quiz/boards/highest-first/players/"
        self.assertEqual(self.public(f"{base}{new.id}"), {"player": new.id, "rank": None, "points": None, "of": 7})
        self.assertEqual(self.private(new.get(base + "me"), 200),
                         {"player": new.id, "rank": None, "points": None, "of": 7})
        self.assertEqual(self.public(f"{base}{new.id}/around.json")["rows"], [])
        self.assertEqual(self.public(f"{base}{new.id}/around.json").get("of"), 7)
        self.assertEqual(self.public(f"{base}{self.players[0].id}?window=yesterday"),
                         {"player": self.players[0].id, "rank": None, "points": None, "of": 0})
        for path in ("12345", "12345/around.json", "x", "x/around.json"):
            self.problem(client.get(self.server, base + path), 404, "not-found")
        chess = self.player(game="chess")
        self.assertIn(client.get(self.server, f"{base}{chess.id}").status, (200, 404))

    def test_players_asked_for(self):
        ids = [p.id for p in self.players]
        path = "/v1/games/quiz/boards/highest-shared/top.json?players="
        answer = client.get(self.server, path + f"{ids[6]},{ids[2]},{ids[1]},12345,{ids[2]}")
        self.assertEqual((answer.status, answer["cache-control"]), (200, "no-store"))
        said = answer.json()
        self.assertEqual(
            [(r["player"], r["rank"], r["among"]) for r in said["rows"]],
            [(ids[1], 2, 1), (ids[2], 2, 1), (ids[6], 6, 3)],
        )
        self.assertEqual(said["of"], 7)
        said = client.get(self.server, path.replace("shared", "first") + f"{ids[6]},{ids[2]},{ids[1]}").json()
        self.assertEqual([(r["rank"], r["among"]) for r in said["rows"]], [(2, 1), (3, 2), (7, 3)])
        self.assertEqual(client.get(self.server, path + "12345").json()["rows"], [])
        self.assertEqual(client.get(self.server, path + ",".join(map(str, range(1, 101)))).status, 200)
        for bad in ("", "x", "1,", ",1", "1,,2", "-1", "1.5", ",".join(map(str, range(1, 102))), "1 2", "me"):
            with self.subTest(bad=bad[:20]):
                self.problem(client.get(self.server, path + bad.replace(" ", "%20")), 400)

    def test_of_four_cursors_at_most_one(self):
        said = self.public("/v1/games/quiz/boards/highest-first/top.json?limit=2")
        for query in (f"after={said['next']}&from=3", f"after={said['next']}&before={said['next']}",
                      f"from=2&players={self.players[0].id}", f"players=1&after={said['next']}"):
            answer = client.get(self.server, "/v1/games/quiz/boards/highest-first/top.json?" + query)
            self.problem(answer, 400, "malformed")
        rows = self.public("/v1/games/quiz/boards/highest-first/top.json?from=3&limit=2")
        self.assertEqual([r["rank"] for r in rows["rows"]], [3, 4])
        self.assertEqual({"next", "prev"} & set(rows), {"next", "prev"})
        rows = self.public("/v1/games/quiz/boards/highest-shared/top.json?from=3&limit=2")
        self.assertEqual([r["player"] for r in rows["rows"]], [self.players[2].id, self.players[3].id])
        self.assertEqual([r["rank"] for r in rows["rows"]], [2, 2],
                         "from counts positions, also where ranks are shared")
        self.assertEqual(self.public("/v1/games/quiz/boards/highest-first/top.json?from=8")["rows"], [])
        for bad in ("0", "-1", "x", "", "1.5", "99999999999999999999999"):
            self.problem(client.get(self.server, f"/v1/games/quiz/boards/highest-first/top.json?from={bad}"), 400)
