"""Random histories of posts, gifts and acts through two processes, either of which is killed again and again: every
answer, ledger, rank and total is what a model by hand says, and the books balance."""
import random
import threading
import time
import unittest

import admin
import client
import v1
from act_model import BOARDS, CHARITIES, Model
from admin import Operator
from joined import Joined
from seeds import SEED, steps
from server import Server, until

STEPS = steps(220)
KILL_SECONDS = 4
ANSWER_SECONDS_MAX = 60


class Histories(unittest.TestCase):
    maxDiff = 3000

    def setUp(self):
        self.dice = random.Random(SEED)
        first = Server("act-history")
        self.addCleanup(first.stop)
        first.verb("game", "add", "maze", "--name", "Maze")
        first.verb("board", "add", "--game", "maze", "lap")
        first.verb("board", "add", "--game", "maze", "total", "--policy", "sum")
        first.verb("board", "add", "--game", "maze", "trials", "--judge", "60", "--settle", "0")
        for charity in CHARITIES:
            first.verb("charity", "add", charity, "--name", charity.title())
        self.judging_key = first.verb("key", "add", "--game", "maze", "--scopes", "judge").strip()
        self.items, self.verdicts = {}, {}
        self.key = admin.make_key(first)
        second = Joined("act-history-beside", first)
        self.addCleanup(second.stop)
        self.processes = [first, second]
        self.subject = {}   # the player of each act
        self.players = [v1.Player(first, "maze", f"Player {n}") for n in range(9)]
        self.model = Model({player.id: player.name for player in self.players})
        self.stopped = threading.Event()

    def kill(self):
        """Kills one process after the other and starts it again."""
        dice = random.Random(SEED + 1)
        while not self.stopped.wait(KILL_SECONDS * dice.random()):
            process = dice.choice(self.processes)
            process.kill9()
            process.start()

    def send(self, ask):
        """Asks one process, and after an answer that is none the other, until one answers."""
        end = time.monotonic() + ANSWER_SECONDS_MAX
        while time.monotonic() < end:
            try:
                answer = ask(self.dice.choice(self.processes))
                if answer.status < 500:
                    return answer
            except (OSError, client.Broken, IndexError, ValueError, AssertionError):
                pass
            time.sleep(0.05)
        raise AssertionError("nobody answers")

    def write(self, player, path, body):
        return self.send(lambda process: v1.call(process, "PUT", path, body, who=player.token))

    def test_whatever_is_done_and_killed(self):
        killer = threading.Thread(target=self.kill, daemon=True)
        killer.start()
        try:
            # What every history has, whatever the dice say.
            for verdict in ("clear", "void"):
                self.post("trials")
                self.judge(verdict)
            leaver = self.dice.choice(self.players).id
            self.do({"do": "erase", "on": {"player": leaver}, "confirm": self.model.names[leaver]})
            self.do({"do": "reset", "on": {"game": "maze", "board": "lap"}})
            for step in range(STEPS):
                with self.subTest(step=step):
                    self.dice.choice((self.post, self.post, self.give, self.give, self.act, self.act, self.undo,
                                      self.judge))()
        finally:
            self.stopped.set()
            killer.join(60)
        self.compare()

    def post(self, board=None):
        player, board = self.dice.choice(self.players), board or self.dice.choice(BOARDS)
        id, points = v1.new_id(), self.dice.randrange(1, 60)
        answer = self.write(player, f"/v1/games/maze/boards/{board}/scores/{id}", {"points": points})
        if player.id in self.model.erased:
            self.assertEqual(answer.status, 410, answer)
            return
        if self.model.is_banned(player.id):
            self.assertEqual(answer.status, 403, answer)
            return
        self.assertIn(answer.status, (200, 201), answer)
        self.model.scores[id] = {"player": self.model.one(player.id), "board": board, "points": points,
                                 "season": self.model.seasons[board],
                                 "state": "held" if board == "trials" else "counted", "waits": board == "trials"}
        said = answer.json()
        self.assertEqual(said["left"], self.model.wallet(player.id)["left"], answer)
        self.assertEqual(said.get("state"), "in-review" if board == "trials" else None, answer)
        if board == "trials":
            self.assertEqual(said["best"], self.model.own_best(player.id), answer)

    def judge(self, verdict=None):
        """The game says what it thinks of a post that waits, or that waited once."""
        listed = self.send(lambda process: v1.call(process, "GET", "/v1/games/maze/held?limit=100",
                                                   who=self.judging_key)).json()["rows"]
        waiting = {id for id, row in self.model.scores.items() if row["waits"]}
        self.assertEqual({row["score"] for row in listed}, waiting)
        self.items.update({row["score"]: row["item"] for row in listed})
        if not self.items:
            return
        id = self.dice.choice(sorted(waiting if waiting and (verdict or self.dice.random() < .8) else self.items))
        verdict = verdict or self.dice.choice(("clear", "clear", "void"))
        state = self.model.judge(id, verdict)
        answer = self.send(lambda process: v1.call(process, "PUT", f"/v1/games/maze/held/{self.items[id]}",
                                                   {"verdict": verdict}, who=self.judging_key))
        if state:
            self.assertEqual((answer.status, answer.json()["state"]), (200, state), answer)
            self.verdicts[id] = verdict
        elif self.verdicts.get(id) == verdict:
            self.assertEqual(answer.status, 200, answer)
        else:
            self.assertEqual(answer.status, 409, answer)

    def give(self):
        player, charity = self.dice.choice(self.players), self.dice.choice(CHARITIES)
        id, points = v1.new_id(), self.dice.randrange(1, 40)
        answer = self.write(player, f"/v1/charities/{charity}/donations/{id}", {"points": points})
        if player.id in self.model.erased:
            self.assertEqual(answer.status, 410, answer)
        elif self.model.is_banned(player.id):
            self.assertEqual(answer.status, 403, answer)
        elif points > self.model.wallet(player.id)["left"]:
            self.assertEqual(answer.status, 422, answer)
        else:
            self.assertIn(answer.status, (200, 201), answer)
            self.model.gifts[id] = {"player": self.model.one(player.id), "charity": charity, "points": points,
                                    "reversed": False, "forfeited": 0, "anonymous": False}
            self.assertEqual(answer.json()["left"], self.model.wallet(player.id)["left"], answer)

    def act(self):
        player = self.dice.choice(self.players).id
        one = self.model.one
        scores = [id for id, row in self.model.scores.items() if one(row["player"]) == one(player)]
        gifts = [id for id, row in self.model.gifts.items() if one(row["player"]) == one(player)]
        do = self.dice.choice(("void", "void", "hold", "clear", "reverse", "ban", "all", "merge", "hide", "rename",
                               "correct", "anonymise", "take-down", "reset"))
        if do == "reset":
            if self.dice.random() < .3:
                self.do({"do": "reset", "on": {"game": "maze", "board": self.dice.choice(BOARDS)}})
            return
        if do == "merge":
            self.do({"do": "merge", "on": {"player": player}, "into": self.dice.choice(self.players).id})
            return
        on = {"player": player}
        if self.dice.random() < .06:
            self.do({"do": "erase", "on": on, "confirm": self.model.names[one(player)]})
            return
        more = {}
        if do in ("void", "hold", "clear", "correct", "take-down") and scores:
            on["score"] = self.dice.choice(scores)
            if do == "correct":
                # Boards earn points here.
                points = self.dice.randrange(1, 60)
                more = {"points": points, "earned": points}
        elif do in ("reverse", "anonymise") and gifts:
            on["donation"] = self.dice.choice(gifts)
            if do == "reverse" and self.dice.random() < .5:
                more = {"void": True}
        elif do == "rename":
            more = {"name": f"Somebody {self.dice.randrange(5)}"}
        elif do == "all":
            do = self.dice.choice(("void", "clear"))
        elif do not in ("ban", "hide"):
            return
        self.do({"do": do, "on": on, **more})

    def undo(self):
        if self.model.acts:
            self.do({"do": "undo", "on": {"act": self.dice.choice(list(self.model.acts)[-12:])}})

    def do(self, body):
        id = v1.new_id()
        player = body.get("into") or body["on"].get("player") or self.subject.get(body["on"].get("act"))
        before = self.model.wallet(player)
        may = self.model.act(id, body)
        answer = self.send(lambda process: Operator(process.admin(), self.key).call(
            "PUT", f"acts/{id}", {"reason": "a test", **body}))
        self.assertEqual(answer.status in (200, 201), may, (body, answer))
        if may:
            self.subject[id] = player
            said = answer.json()
            if player:
                self.assertEqual((said["before"], said["after"]), (before, self.model.wallet(player)), body)

    def compare(self):
        ids = self.model.names
        for player in self.players:
            for process in self.processes:
                path = f"/v1/players/{player.id}"
                one = self.model.one(player.id)
                if one in self.model.erased:
                    until(lambda: client.get(process, path).status == 410, 10, f"{path} is gone")
                elif not self.model.is_hidden(one):
                    until(lambda: client.get(process, path).json().get("id") == one, 10, f"{path} is {one}")
        rows, totals = self.model.giving(ids)
        for process in self.processes:
            for board in BOARDS:
                wanted = self.model.ranking(board, ids)
                self.shows(process, f"/v1/games/maze/boards/{board}/top.json?limit=100", wanted)
                self.shows(process, f"/v1/games/maze/boards/{board}/top.json?limit=100&window=month", wanted)
            for charity in CHARITIES:
                wanted = {player: points for (of, player), points in rows.items() if of == charity}
                self.shows(process, f"/v1/charities/{charity}/top.json?limit=100", wanted)
            said = {row["slug"]: row["points"] for row in client.get(process, "/v1/charities.json").json()["rows"]}
            self.assertEqual(said, totals)
            for player in self.players:
                if player.id in self.model.erased:
                    self.assertEqual(v1.call(process, "GET", "/v1/players/me", who=player.token).status, 410)
                    continue
                me = v1.call(process, "GET", "/v1/players/me", who=player.token).json()
                wallet = self.model.wallet(player.id)
                self.assertEqual({name: me[name] for name in ("earned", "held", "left", "given")},
                                 {name: wallet[name] for name in ("earned", "held", "left", "given")})
                if not self.model.is_hidden(player.id):
                    mine = v1.call(process, "GET", "/v1/games/maze/boards/trials/players/me", who=player.token).json()
                    self.assertEqual(mine["points"], self.model.own_best(player.id), mine)
        self.assertTrue(self.model.erased, "somebody left")
        self.assertEqual(set(self.verdicts.values()), {"clear", "void"}, "the game has judged")
        self.assertEqual(client.get(self.processes[0], "/v1/contributors/top.json?limit=100").body,
                         client.get(self.processes[1], "/v1/contributors/top.json?limit=100").body)
        self.processes[0].audit()

    def shows(self, process, path, wanted):
        names = {**self.model.names, **{player: "A former player" for player in self.model.erased}}
        # A row that is no player's is an anonymous gift's.
        wanted = sorted((names.get(row, "Anonymous"), points) for row, points in wanted.items())

        def seen():
            return sorted((row["name"], row["points"]) for row in client.get(process, path).json()["rows"])
        until(lambda: seen() == wanted, 10, f"{path} of {process.name}: {seen()} is {wanted}")
