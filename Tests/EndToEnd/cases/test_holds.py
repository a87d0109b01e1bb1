"""Posts that are held: what their player is told and what everybody sees, verdicts of games, and points that settle."""
import re
import uuid

import client
import v1
import v1_case
from server import until
from v1_case import V1Case, donation, score


def setUpModule():
    v1_case.start("holds")
    server = V1Case.server
    HoldCase.judge = server.verb("key", "add", "--game", "quiz", "--name", "judge", "--scopes", "judge").strip()


class HoldCase(V1Case):
    judge = None        # a key of quiz with the scope

    def board(self, *settings):
        """A new board of its own for a test."""
        slug = "b" + uuid.uuid4().hex[:12]
        self.server.verb("board", "add", "--game", "quiz", slug, *settings)
        return slug

    def set(self, board, *settings):
        self.server.verb("board", "set", "--game", "quiz", board, *settings)

    def rows(self, board, query="?limit=100"):
        rows = self.public(f"/v1/games/quiz/boards/{board}/top.json{query}")["rows"]
        return [(r["player"], r["points"]) for r in rows]

    def listed(self, query):
        answer = self.call("GET", "/v1/games/quiz/held" + query, who=self.judge)
        return self.private(answer, 200)

    def waiting(self):
        return self.listed("?limit=100")["rows"]

    def item(self, id):
        return next(r["item"] for r in self.waiting() if r["score"] == id)

    def say(self, item, verdict, who=None):
        return self.call("PUT", f"/v1/games/quiz/held/{item}", {"verdict": verdict}, who=who or self.judge)

    def post(self, player, board, points, id=None):
        id = id or v1.new_id()
        answer = player.call("PUT", score(id, board=board), {"points": points})
        self.assertEqual(answer.status, 201, answer)
        return id, answer


class Secrecy(HoldCase):
    """What a cheat could find out."""

    def told(self, player, board, id):
        """Everything that a player is told of itself, without what differs between any two players and boards."""
        base = f"/v1/games/quiz/boards/{board}/players/me"
        paths = [score(id, board=board), "/v1/players/me", "/v1/players/me/scores", base, base + "?window=today",
                 base + "?window=week", "/v1/players/me/export"]
        paths += [f"{base}/around.{suffix}?limit={limit}&window={window}" for suffix in ("json", "xml", "csv", "html")
                  for limit in (1, 4, 9) for window in ("all", "today")]
        answers = {}
        for path in paths:
            answer = player.call("GET", path)
            self.assertEqual(answer.status, 200, f"{path}: {answer!r}")
            text = answer.text.replace(board, "BOARD").replace(str(player.id), "PLAYER").replace(player.name, "NAME")
            text = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)|\b\d\d:\d\d\b", "TIME", text)
            text = re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}", "UUID", text)
            text = re.sub(r'"(id|hash|device|tag)":"?[\w-]+"?|urn:[^<"]*', "ID", text)
            # The others on the board are others.
            text = re.sub(r"Other (Low|Mid|High) \w+|\b\d{12,}\b", lambda m: m.group(1) or "N", text)
            answers[path.replace(board, "BOARD").replace(id, "UUID")] = text
        return answers

    def test_until_points_settle_a_player_is_told_what_it_would_be_told_if_the_post_counted(self):
        for policy in ("best", "sum", "latest"):
            with self.subTest(policy=policy):
                told = []
                for settings in ((), ("--judge", "5")):
                    board = self.board("--policy", policy, "--earns", "points", "--settle", "10")
                    for name, points in (("Low", 10), ("Mid", 50), ("High", 90)):
                        self.post(self.player(f"Other {name} {board}"), board, points)
                    player = self.player("Somebody")
                    self.post(player, board, 40)
                    if settings:
                        self.set(board, *settings)
                    answers = {}
                    for points in (60, 30, 95):
                        id, answer = self.post(player, board, points)
                        answers[f"post {points}"] = answer.text
                        answers[f"again {points}"] = player.call("PUT", score(id, board=board), {"points": points}).text
                        for path, text in self.told(player, board, id).items():
                            answers[f"{points} {path}"] = text
                    for points in (226, 225, 1):
                        refused = player.donate("red-cross", points)
                        self.assertEqual(refused.status, 422, refused)
                        problem = refused.json()
                        self.assertEqual(problem["type"].split("/")[-1],
                                         "overspent" if points > 225 else "points-settling")
                        self.assertEqual(refused["retry-after"] is None, points > 225)
                        answers[f"donation of {points}"] = problem["detail"]
                    told.append(answers)
                    shown = dict(self.rows(board))[player.id]
                    self.assertEqual(shown, 40 if settings else {"best": 95, "sum": 225, "latest": 95}[policy])
                self.assertEqual(told[0].keys(), told[1].keys())
                for path, text in told[0].items():
                    self.assertEqual(text, told[1][path], path)

    def test_nobody_else_sees_a_post_that_is_held(self):
        board = self.board()
        ada, bob = self.player("Ada"), self.player("Bob")
        self.post(bob, board, 5)
        self.set(board, "--judge", "5")
        id, _ = self.post(ada, board, 777_001)
        self.assertEqual(self.rows(board), [(bob.id, 5)])
        for path in (f"/v1/players/{ada.id}", f"/players/{ada.id}", f"/v1/games/quiz/boards/{board}/players/{ada.id}",
                     f"/v1/games/quiz/boards/{board}/players/{ada.id}/around.json", f"/boards/quiz/{board}",
                     f"/v1/games/quiz/boards/{board}/top.json?players={ada.id},{bob.id}", "/TopScores.xml"):
            with self.subTest(path=path):
                self.assertNotIn("777001", client.get(self.server, path).text.replace(",", ""))
        self.problem(bob.call("GET", score(id, board=board)), 404, "not-found")
        mine = ada.call("GET", f"/v1/games/quiz/boards/{board}/players/me").json()
        self.assertEqual((mine["rank"], mine["points"], mine["of"]), (1, 777_001, 2))
        self.assertEqual(self.public(f"/v1/games/quiz/boards/{board}/rank?points=6")["rank"], 1)

    def test_a_post_that_is_voided_while_it_is_held_is_told_so_only_when_its_points_would_settle(self):
        board = self.board("--judge", "5")
        ada = self.player("Ada")
        id, first = self.post(ada, board, 50)
        self.assertEqual(self.say(self.item(id), "void").json()["state"], "voided")
        receipt = ada.call("GET", score(id, board=board)).json()
        self.assertNotIn("voided", receipt)
        self.assertNotIn("state", receipt)
        self.assertEqual({k: receipt[k] for k in ("best", "rank", "of", "left")},
                         {k: first.json()[k] for k in ("best", "rank", "of", "left")})
        me = ada.call("GET", "/v1/players/me").json()
        self.assertEqual((me["held"], me["left"], me["settling"]), (0, 50, 50))


class Verdicts(HoldCase):
    def test_a_game_says_once_and_in_time_what_it_thinks_of_a_post(self):
        board = self.board("--judge", "5", "--settle", "0")
        ada = self.player("Ada")
        fair, answer = self.post(ada, board, 50)
        self.assertEqual((answer.json()["state"], answer.json()["left"]), ("in-review", 0))
        foul, _ = self.post(ada, board, 90)
        listed = {r["score"]: r for r in self.waiting()}
        self.assertEqual({k: listed[fair][k] for k in ("board", "player", "points")},
                         {"board": board, "player": ada.id, "points": 50})
        me = ada.call("GET", "/v1/players/me").json()
        self.assertEqual((me["earned"], me["held"], me["left"], me["settling"]), (140, 140, 0, 0))
        item = self.item(fair)
        self.problem(self.say(item, "maybe"), 422, "field")
        self.problem(self.say(item, None), 422, "field")
        said = self.say(item, "clear")
        self.assertEqual(self.private(said, 200), {"item": item, "state": "counted"})
        again = self.say(item, "clear")
        self.assertEqual((again.status, again["idempotent-replayed"]), (200, "true"))
        self.problem(self.say(item, "void"), 409, "act-conflict")
        self.assertEqual(self.private(self.say(self.item(foul), "void"), 200)["state"], "voided")
        self.assertEqual(self.rows(board), [(ada.id, 50)])
        self.assertTrue(ada.call("GET", score(foul, board=board)).json()["voided"])
        me = ada.call("GET", "/v1/players/me").json()
        self.assertEqual((me["earned"], me["held"], me["left"]), (140, 0, 50))
        self.assertEqual(ada.donate("red-cross", 50).status, 201)

    def test_only_a_key_of_the_game_with_the_scope_judges(self):
        board = self.board("--judge", "5")
        id, _ = self.post(self.player("Ada"), board, 50)
        item = self.item(id)
        other = self.server.verb("key", "add", "--game", "chess", "--name", "other", "--scopes", "judge").strip()
        bob = self.player("Bob")
        for who, status, type in ((self.key, 403, "scope"), (other, 403, "forbidden"), (bob.token, 403, "forbidden"),
                                    ("cbk_" + "A" * 43, 401, "unauthorized"), (None, 401, "unauthorized")):
            with self.subTest(who=who):
                self.problem(self.call("GET", "/v1/games/quiz/held", who=who), status, type)
                self.problem(self.call("PUT", f"/v1/games/quiz/held/{item}", {"verdict": "void"}, who=who),
                             status, type)
        self.problem(self.call("PUT", f"/v1/games/chess/held/{item}", {"verdict": "void"}, who=other), 404, "not-found")
        self.problem(self.say(str(uuid.uuid4()), "void"), 404, "not-found")
        self.problem(self.say("x", "void"), 400, "malformed")
        self.problem(self.call("PUT", score(v1.new_id(), board=board), {"points": 1, "player": bob.id}, who=self.judge),
                     403, "scope")
        self.assertEqual(self.item(id), item, "it waits still")

    def test_what_waits_comes_in_pages(self):
        board = self.board("--judge", "5")
        ada = self.player("Ada")
        ids = [self.post(ada, board, n)[0] for n in range(1, 6)]
        found, after = [], ""
        while after is not None:
            page = self.listed(f"?limit=2{after}")
            found += [r["score"] for r in page["rows"]]
            after = f"&after={page['next']}" if "next" in page else None
        self.assertEqual([id for id in found if id in ids], ids)
        self.assertEqual(len(found), len(set(found)))


class Operators(HoldCase):
    def test_rules_hold_and_an_operator_clears_by_the_queue(self):
        board = self.board("--hold-above", "2", "--settle", "0")
        bot = v1.Player(self.server, "quiz", "Many")
        with client.Connection(self.server) as connection:
            for _ in range(1_000):
                v1.call(connection, "PUT", score(v1.new_id(), board=board), {"points": 10}, who=bot.token)
        ada = self.player("Ada")
        self.assertNotIn("state", self.post(ada, board, 20)[1].json())
        _, early = self.post(ada, board, 10_000)
        self.assertNotIn("state", early.json(), "nothing was measured since there are posts enough")
        self.server.verb("act", "void", "--player", str(ada.id), "--reason", "a test")
        self.set(board, "--hold-above", "2")
        cheat = self.player("Cheat")
        id, held = self.post(cheat, board, 21)
        self.assertEqual(held.json()["state"], "in-review")
        queue = self.server.verb("queue", "--kind", "held")
        self.assertIn("above", queue)
        item = next(line.split()[0] for line in queue.splitlines() if str(cheat.id) in line)
        self.server.verb("act", "clear", "--item", item, "--reason", "a test")
        until(lambda: self.rows(board) == [(cheat.id, 21), (bot.id, 10)], 2, "the post is cleared")
        self.assertNotIn("state", cheat.call("GET", score(id, board=board)).json())

    def test_settings_that_no_board_can_have_are_refused(self):
        for settings, word in ((("--hold-above", "0.5"), "1 or more"), (("--hold-above", "0"), "hold-above"),
                               (("--hold-rate", "601"), "--hold-rate"), (("--judge", "0"), "--judge"),
                               (("--settle", "10081"), "--settle"),
                               (("--order", "lowest", "--hold-pace", "5"), "--hold-pace")):
            with self.subTest(settings=settings):
                done = self.server.run_verb("board", "add", "--game", "quiz", "b" + uuid.uuid4().hex[:12], *settings)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(word, done.stderr)
