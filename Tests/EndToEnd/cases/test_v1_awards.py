"""Awards: what players are given for, that playing takes none away and a correction does, also by two processes, and
that all of it is what an independent model says."""
import datetime
import random
import unittest

import admin
import award_model
import client
import v1
import v1_case
from admin import Operator
from joined import Joined
from server import far_from_midnight, until
from v1_case import V1Case

MINE, QUIZ = "/v1/players/me/awards", "/v1/games/quiz/awards"
GIVEN_SECONDS_MAX = 1           # an award is there within this time after the post
CORRECTED_SECONDS_MAX = 2       # and gone within this time after a correction
SWEPT_SECONDS_MAX = 10          # and given within this time after it was made
BOARDS = {"sums": ("sum", False), "best": ("best", False), "low": ("best", True), "last": ("latest", False)}
AWARDS = {
    "sum": {"rule": "points", "board": "sums", "at_least": 40},
    "sum-day": {"rule": "points", "board": "sums", "at_least": 30, "window": "day"},
    "best": {"rule": "points", "board": "best", "at_least": 15},
    "low": {"rule": "points", "board": "low", "at_least": 4},
    "last": {"rule": "points", "board": "last", "at_least": 12, "season": 1},
    "day": {"rule": "days", "at_least": 1}, "two-days": {"rule": "streak", "at_least": 2},
    "given": {"rule": "given", "at_least": 15}, "one": {"rule": "charities", "at_least": 1},
    "both": {"rule": "charities", "at_least": 2},
}


def setUpModule():
    far_from_midnight()
    v1_case.start("v1awards")
    for slug, (policy, lowest_first) in BOARDS.items():
        V1Case.server.verb("board", "add", "--game", "chess", slug, "--policy", policy, "--earns", "fixed:1000",
                           "--order", "lowest" if lowest_first else "highest")
    V1Case.award_key = V1Case.server.verb("key", "add", "--game", "quiz", "--scopes", "award,register", "--name",
                                          "a").strip()
    V1Case.root = Operator(V1Case.server.admin(), admin.make_key(V1Case.server))


def microseconds(text):
    return round(datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() * 1_000_000)


class AwardCase(V1Case):
    def add(self, slug, game="quiz", **settings):
        made = self.root.add(f"games/{game}/awards/{slug}", settings)
        self.assertEqual(made.status, 201, made)
        return made

    def moderate(self, do, on, **more):
        id = v1.new_id()
        answer = self.root.call("PUT", f"acts/{id}", {"do": do, "on": on, "reason": "a test", **more})
        self.assertEqual(answer.status, 201, answer)
        return id

    def awards(self, player, place=None):
        answer = client.get(place or self.server, f"/v1/players/{player.id}")
        self.assertEqual(answer.status, 200, answer)
        return {row["award"]: row for row in answer.json()["awards"]}

    def gets(self, player, award, place=None, within=GIVEN_SECONDS_MAX):
        until(lambda: award in self.awards(player, place), within, f"{award} to be given")
        return self.awards(player, place)[award]

    def loses(self, player, award):
        until(lambda: award not in self.awards(player), CORRECTED_SECONDS_MAX, f"{award} to be gone")

    def own(self, player):
        return {row["award"]: row for row in self.private(player.get(MINE), 200)["awards"]}


class Awards(AwardCase):
    def test_points(self):
        self.add("ten", name="Ten", text="Reach 10 points.", rule="points", board="solo", at_least=10)
        ada = self.player("Ada")
        self.assertEqual(self.own(ada)["ten"].get("have"), None)
        self.assertEqual(ada.post("solo", 9).status, 201)
        self.assertEqual((self.own(ada)["ten"]["have"], self.own(ada)["ten"]["need"]), (9, 10))
        score = v1.new_id()
        posted = ada.post("solo", 12, id=score).json()
        given = self.gets(ada, "ten")
        receipt = self.private(ada.get(v1_case.score(score)), 200)
        self.assertEqual((given["name"], given["given_at"]), ("Ten", receipt["reached_at"]), posted)
        self.assertEqual(self.private(ada.get("/v1/players/me"), 200)["awards"], {"count": 1, "newest": "ten"})
        own = self.own(ada)["ten"]
        self.assertEqual((own["given_at"], own["times"], own["text"]), (given["given_at"], 1, "Reach 10 points."))
        listed = {row["award"]: row for row in self.public(QUIZ)["awards"]}["ten"]
        self.assertEqual((listed["given_to"], listed["secret"]), (1, False))
        self.assertEqual(self.private(ada.get("/v1/players/me/export"), 200)["awards"], [given])
        void = self.moderate("void", {"player": ada.id, "score": score})
        self.loses(ada, "ten")
        self.moderate("undo", {"act": void})
        self.assertEqual(self.gets(ada, "ten", within=CORRECTED_SECONDS_MAX), given)
        for path in (listed["picture"], listed["picture"].replace(".png", ".svg")):
            picture = client.get(self.server, path)
            self.assertEqual(picture.status, 200, picture)
        self.assertIn("<title>Ten</title>", picture.text)
        page = client.get(self.server, "/games/quiz/awards")
        self.assertIn("Reach 10 points.", page.text)
        self.assertIn("/games/quiz/awards/ten.svg", client.get(self.server, f"/players/{ada.id}").text)

    def test_an_award_reaches_back(self):
        ada = self.player("Ada")
        self.assertEqual(ada.post("solo", 77).status, 201)
        self.add("seventy", rule="points", board="solo", at_least=70)
        self.gets(ada, "seventy", within=SWEPT_SECONDS_MAX)
        self.add("fifty", rule="points", board="solo", at_least=50, secret=True, text="Hush.")
        self.assertNotIn("text", {row["award"]: row for row in self.public(QUIZ)["awards"]}["fifty"])
        self.gets(ada, "fifty", within=SWEPT_SECONDS_MAX)
        self.assertEqual(self.own(ada)["fifty"]["text"], "Hush.")
        bob = self.own(self.player("Bob"))["fifty"]
        self.assertEqual([name for name in ("text", "have", "need") if name in bob], [])
        etag = self.root.get("games/quiz/awards/fifty")["etag"]
        fixed = self.problem(self.root.change("games/quiz/awards/fifty", {"at_least": 49}, etag), 422, "field")
        self.assertEqual(fixed["field"], "rule")
        self.assertEqual(self.root.change("games/quiz/awards/fifty", {"name": "Fifty"}, etag).status, 200)

    def test_granted(self):
        self.add("cave", rule="granted")
        self.add("not-granted", rule="days", at_least=366)
        registered = self.call("PUT", "/v1/games/quiz/players/u-1", {"name": "Ann"}, who=self.award_key)
        self.assertEqual(registered.status, 201, registered)
        path = "/v1/games/quiz/players/u-1/awards/"
        granted = self.call("PUT", path + "cave", who=self.award_key)
        self.assertEqual(granted.status, 201, granted)
        again = self.call("PUT", path + "cave", who=self.award_key)
        self.assertEqual((again.status, again.json()), (200, granted.json()))
        self.assertEqual(again["idempotent-replayed"], "true")
        refused = self.problem(self.call("PUT", path + "not-granted", who=self.award_key), 422, "field")
        self.assertEqual(refused["field"], "award")
        self.problem(self.call("PUT", path + "none", who=self.award_key), 404, "not-found")
        self.problem(self.call("PUT", path + "cave", who=self.key), 403, "scope")
        self.problem(self.call("PUT", path + "cave", who=self.other_key), 403, "forbidden")
        ada = self.player("Ada")
        self.moderate("grant", {"player": ada.id}, award="cave")
        self.assertIn("cave", self.awards(ada))
        twice = self.root.call("PUT", f"acts/{v1.new_id()}", {
            "do": "grant", "on": {"player": ada.id}, "award": "cave", "reason": "a test"})
        self.assertEqual((twice.status, twice.json()["type"]), (409, "/problems/act-conflict"), twice)
        self.moderate("withdraw", {"player": ada.id}, award="cave")
        self.assertNotIn("cave", self.awards(ada))
        self.assertIn("granted", self.server.verb("award", "list", "--game", "quiz"))

    def test_ranks(self):
        self.add("gold", game="chess", rule="rank", board="solo", at_least=1)
        ada, bob = self.player("Ada", game="chess"), self.player("Bob", game="chess")
        self.assertEqual((ada.post("solo", 9).status, bob.post("solo", 8).status), (201, 201))
        self.moderate("reset", {"game": "chess", "board": "solo"})
        self.assertEqual(self.gets(ada, "gold", within=CORRECTED_SECONDS_MAX)["occasion"], "1")
        self.moderate("hide", {"player": ada.id})
        self.gets(bob, "gold", within=CORRECTED_SECONDS_MAX)

    def test_ranks_in_campaigns(self):
        self.assertEqual(self.root.add("games/chess/boards/cup").status, 201)
        # It begins yesterday, because the test may run at midnight.
        first, last = (str(datetime.date.today() + datetime.timedelta(days=days)) for days in (-1, 9))
        cup = {"name": "The cup", "game": "chess", "board": "cup", "first_day": first, "last_day": last}
        self.assertEqual(self.root.add("campaigns/cup", cup).status, 201)
        made = self.add("won", game="chess", rule="rank", contest="cup", at_least=1)
        self.assertEqual(made.json()["contest"], "cup")
        self.server.verb("award", "add", "--game", "chess", "podium", "--rule", "rank", "--contest", "cup",
                         "--at-least", "2")
        self.assertIn("cup", self.server.verb("award", "list", "--game", "chess"))
        ada, bob, cyd = (self.player(name, game="chess") for name in ("Ada", "Bob", "Cyd"))
        score = v1.new_id()
        self.assertEqual(ada.post("cup", 9, id=score).status, 201)
        self.assertEqual([who.post("cup", points).status for who, points in ((bob, 8), (cyd, 7))], [201, 201])
        # The campaign is over with the season of its board.
        self.moderate("reset", {"game": "chess", "board": "cup"})
        won = self.gets(ada, "won", within=CORRECTED_SECONDS_MAX)
        self.assertEqual(won["occasion"], "cup")
        self.gets(bob, "podium", within=CORRECTED_SECONDS_MAX)
        self.assertIn("The cup", client.get(self.server, f"/players/{ada.id}").text)
        void = self.moderate("void", {"player": ada.id, "score": score})
        self.loses(ada, "won")
        self.gets(bob, "won", within=CORRECTED_SECONDS_MAX)
        self.gets(cyd, "podium", within=CORRECTED_SECONDS_MAX)
        self.moderate("undo", {"act": void})
        self.assertEqual(self.gets(ada, "won", within=CORRECTED_SECONDS_MAX), won)
        self.loses(cyd, "podium")
        path, rank = "games/quiz/awards/bad", {"rule": "rank", "at_least": 1}
        for wrong in ({"contest": "none"}, {"contest": "cup"}, {"contest": "no slug"},
                      {"contest": "cup", "board": "solo"}, {"contest": "cup", "season": 1},
                      {"contest": "cup", "rule": "given"}):
            with self.subTest(**wrong):
                self.assertEqual(self.problem(self.root.add(path, {**rank, **wrong}), 422)["field"], "contest")

    def test_refusals(self):
        path = "games/quiz/awards/bad"
        good = {"rule": "points", "board": "solo", "at_least": 5}
        for field, wrong in (
                ("rule", {"rule": None}), ("rule", {"rule": "luck"}), ("board", {"board": None}),
                ("board", {"board": "none"}), ("at_least", {"at_least": None}), ("at_least", {"at_least": 2 ** 60}),
                ("window", {"rule": "rank", "window": "day"}), ("season", {"season": 0}), ("text", {"text": "a\nb"}),
                ("board", {"rule": "granted"}), ("name", {"name": ""})):
            with self.subTest(**wrong):
                answer = self.problem(self.root.add(path, {**good, **wrong}), 422)
                self.assertEqual(answer["field"], field)
        self.problem(self.root.get(path), 404)

    def problem(self, answer, status, type=None):
        # The admin listener's answers are for no other site.
        self.assertEqual(answer.status, status, answer)
        body = answer.json()
        if type:
            self.assertEqual(body["type"], "/problems/" + type, body)
        return body


class Histories(AwardCase):
    """Players post, donate and are merged at random; scores are voided, donations reversed, and both is undone."""

    @classmethod
    def setUpClass(cls):
        cls.second = Joined("v1awards-second", cls.server)
        cls.addClassCleanup(cls.second.stop)
        for slug, settings in AWARDS.items():
            made = cls.root.add(f"games/chess/awards/{slug}", settings)
            assert made.status == 201, made

    def expected(self, player):
        owners = [other for other in self.players if self.survivor(other) is player]
        posts = [row["post"] for row in self.posts if row["counts"] and row["by"] in owners]
        donations = [row["donation"] for row in self.donations if row["counts"] and row["by"] in owners]
        found = {slug: award_model.since(award, posts, donations, BOARDS) for slug, award in AWARDS.items()}
        return {slug: at for slug, at in found.items() if at is not None}

    def survivor(self, player):
        return self.merged[player][0] if player in self.merged else player

    def compare(self, step):
        for player in self.players:
            if player in self.merged:
                continue
            expected = self.expected(player)

            def found():
                rows = self.awards(player, random.choice((self.server, self.second)))
                return {slug: microseconds(row["given_at"]) for slug, row in rows.items() if slug in AWARDS}
            try:
                until(lambda: found() == expected, CORRECTED_SECONDS_MAX, "the awards of the model")
            except Exception as error:
                raise AssertionError(f"step {step}, {player.name}: {found()} instead of {expected}") from error

    def test_the_model(self):
        self.players, self.posts, self.donations, self.merged, voids = [], [], [], {}, []
        for name in ("Uma", "Vic", "Wes"):
            self.players.append(self.player(name, game="chess"))
            self.post(self.players[-1])
        self.compare("first")
        for step in range(70):
            player = random.choice([player for player in self.players if player not in self.merged])
            act = random.choices(("post", "donate", "void", "reverse", "undo", "merge", "part"),
                                 (10, 6, 4, 3, 3, 2, 2))[0]
            if act == "post":
                self.post(player)
            elif act == "donate":
                self.donate(player)
            elif act in ("void", "reverse"):
                rows = [row for row in (self.posts if act == "void" else self.donations) if row["counts"]]
                if not rows or act == "void" and len(rows) < 8:
                    continue
                row = random.choice(rows)
                key = "score" if act == "void" else "donation"
                if act == "void" and not self.is_funded(row):
                    continue
                voids.append((self.moderate(act, {"player": row["by"].id, key: row["id"]}), row))
                row["counts"] = False
            elif act == "undo" and voids:
                id, row = voids.pop()
                self.moderate("undo", {"act": id})
                row["counts"] = True
            elif act == "merge" and not self.merged:
                other = random.choice([other for other in self.players if other is not player])
                self.merged[player] = (other, self.moderate("merge", {"player": player.id}, into=other.id))
            elif act == "part" and self.merged:
                player, (_, id) = self.merged.popitem()
                self.moderate("undo", {"act": id})
            else:
                continue
            self.compare(f"{step}, {act}")

    def is_funded(self, row):
        """Whether all donations of its player stay funded without this score, whoever is merged."""
        earned = sum(1_000 for other in self.posts if other["counts"] and other["by"] is row["by"] and other is not row)
        return earned >= sum(other["donation"][1] for other in self.donations if other["by"] is row["by"]) + 500

    def post(self, player):
        board, points, id = random.choice(list(BOARDS)), random.randrange(0, 20), v1.new_id()
        self.assertEqual(player.post(board, points, id=id).status, 201)
        receipt = player.get(v1_case.score(id, "chess", board)).json()
        at = microseconds(receipt["reached_at"])
        day = datetime.date.fromisoformat(receipt["reached_at"][:10]).toordinal()
        self.posts.append({"by": player, "id": id, "counts": True, "post": (board, 1, day, points, at)})

    def donate(self, player):
        charity, points, id = random.choice(("red-cross", "oxfam")), random.randrange(1, 9), v1.new_id()
        anonymous = random.random() < 0.3
        answer = player.donate(charity, points, id=id, anonymous=anonymous)
        self.assertEqual(answer.status, 201, answer)
        if anonymous:
            return
        receipt = player.get(v1_case.donation(id, charity)).json()
        donation = (charity, points, microseconds(receipt["reached_at"]))
        self.donations.append({"by": player, "id": id, "counts": True, "donation": donation})


if __name__ == "__main__":
    unittest.main()
