"""Random histories of posts, gifts and acts through two processes, either of which is killed again and again: every
answer, ledger, rank and total is what a model by hand says, and the books balance."""
import copy
import random
import threading
import time
import unittest

import admin
import client
import v1
from admin import Operator
from joined import Joined
from seeds import SEED, steps
from server import Server, until

STEPS = steps(220)
KILL_SECONDS = 4
ANSWER_SECONDS_MAX = 60
BOARDS = ("lap", "total", "trials")     # each post to the last one waits for the verdict of the game
CHARITIES = ("trees", "seas")


class Model:
    """The ledgers, and what follows from them."""

    def __init__(self, names):
        self.players, self.names = list(names), dict(names)
        self.scores, self.gifts, self.acts, self.banned, self.hidden = {}, {}, {}, {}, {}
        self.seasons = {board: 1 for board in BOARDS}
        self.merged = {}    # with whom a player became one, and by which act
        self.erased = set()

    def one(self, player):
        """Whom a player is by now."""
        while player in self.merged:
            player = self.merged[player][0]
        return player

    def is_banned(self, player):
        return any(self.one(other) == self.one(player) for other in self.banned)

    def is_hidden(self, player):
        return self.is_banned(player) or any(self.one(other) == self.one(player) for other in self.hidden)

    def of(self, rows, player):
        return [row for row in rows.values() if self.one(row["player"]) == self.one(player)]

    def wallet(self, player):
        scores, gifts = self.of(self.scores, player), self.of(self.gifts, player)
        earned = sum(row["points"] for row in scores)
        voided = sum(row["points"] for row in scores if row["state"] == "voided")
        voided += sum(row["forfeited"] for row in gifts)
        held = sum(row["points"] for row in scores if row["state"] == "held")
        given = sum(row["points"] for row in gifts if not row["reversed"])
        funded = min(given, earned - voided - held)
        return {"earned": earned, "voided": voided, "held": held, "left": earned - voided - held - funded,
                "given": given, "funded": funded, "unfunded": given - funded}

    def funded(self, player):
        """The points that count of each gift: the newest are unfunded first."""
        missing, counted = self.wallet(player)["unfunded"], {}
        for id, row in reversed(list(self.gifts.items())):
            if self.one(row["player"]) == self.one(player) and not row["reversed"]:
                counted[id] = row["points"] - min(missing, row["points"])
                missing -= row["points"] - counted[id]
        return counted

    def ranking(self, board, players):
        found = {}
        for player in players:
            points = [row["points"] for row in self.of(self.scores, player)
                      if self.is_played(row, board) and row["state"] == "counted"]
            if points and player not in self.merged and not self.is_hidden(player):
                found[player] = sum(points) if board == "total" else max(points)
        return found

    def is_played(self, row, board):
        """Whether a score is one of the season that is played."""
        return row["board"] == board and row["season"] == self.seasons[board]

    def own_best(self, player):
        """What a player is told of its place on the board where posts wait."""
        return max((row["points"] for row in self.of(self.scores, player)
                    if self.is_played(row, "trials") and row["state"] != "voided"), default=None)

    def judge(self, id, verdict):
        """Takes the game's verdict; returns what the post is then, or nothing if it waits for none."""
        row = self.scores[id]
        if not row["waits"]:
            return None
        row["waits"], row["state"] = False, "counted" if verdict == "clear" else "voided"
        return row["state"]

    def giving(self, players):
        """By charity: the points of each player by name and of each anonymous gift, and of all, hidden ones too."""
        rows, totals = {}, {charity: 0 for charity in CHARITIES}
        for player in players:
            for id, points in self.funded(player).items() if player not in self.merged else ():
                charity = self.gifts[id]["charity"]
                totals[charity] += points
                if points and self.gifts[id]["anonymous"]:
                    rows[charity, id] = points
                elif points and not self.is_hidden(player):
                    rows[charity, player] = rows.get((charity, player), 0) + points
        return rows, totals

    def act(self, id, body):
        """Does an act; returns whether it may be done. It may not if points would be voided that were voided with a
        donation that was made of them."""
        before = copy.deepcopy(vars(self))
        done = self.move(id, body)
        if done:
            for row in self.scores.values():
                wallet = self.wallet(row["player"])
                done = done and wallet["voided"] + wallet["held"] <= wallet["earned"]
        if not done:
            vars(self).update(before)
        return done

    def move(self, id, body):
        do, on = body["do"], body["on"]
        moved = []
        if do == "undo":
            undone = self.acts.get(on["act"])
            if undone is None or undone["undone"]:
                return False
            if undone["do"] in ("undo", "erase", "anonymise", "take-down", "reset"):
                return False
            if any(self.standing(row) != on["act"] for row, _, _, _ in undone["moved"]):
                return False
            if undone["do"] == "merge":
                player, into = undone["merge"]
                if self.merged.get(player) != (into, on["act"]) or self.one(into) != into:
                    return False
                del self.merged[player]
            if undone["do"] == "correct":
                # What took the score's place goes.
                if self.scores[on["act"]]["state"] != "counted":
                    return False
                self.set(on["act"], "voided", 0)
            if undone["do"] == "rename":
                former, name, player = undone["rename"]
                if self.names[self.one(player)] != name:
                    return False
                self.names[self.one(player)] = former
            for row, was, _, _ in undone["moved"]:
                self.set(row, was, 0)
            hides = {player: by - {on["act"]} for player, by in self.hidden.items()}
            self.hidden = {player: by for player, by in hides.items() if by}
            bans = {player: by - {on["act"]} for player, by in self.banned.items()}
            self.banned = {player: by for player, by in bans.items() if by}
            undone["undone"] = True
        elif do == "merge":
            player, into = on["player"], self.one(body["into"])
            if player in self.merged or player == into or self.erased & {player, into}:
                return False
            self.merged[player] = (into, id)
        elif do == "erase":
            if self.one(on["player"]) in self.erased:
                return False
            # What is held is voided; all who are one with the player are gone.
            moved = [(key, "held", "voided", 0) for key, row in self.scores.items()
                     if self.one(row["player"]) == self.one(on["player"]) and row["state"] == "held"]
            for key, _, became, _ in moved:
                self.set(key, became, 0)
            self.erased |= {player for player in self.players if self.one(player) == self.one(on["player"])}
        elif do in ("ban", "hide"):
            whom = self.banned if do == "ban" else self.hidden
            whom[on["player"]] = whom.get(on["player"], set()) | {id}
        elif do == "rename":
            one = self.one(on["player"])
            if one in self.erased or self.names[one] == body["name"]:
                return False
            former, self.names[one] = self.names[one], body["name"]
        elif do == "reset":
            self.seasons[on["board"]] += 1
        elif do == "take-down":
            pass    # what came with a score is nothing of a ranking
        elif do == "anonymise":
            if self.gifts[on["donation"]]["anonymous"]:
                return False
            self.gifts[on["donation"]]["anonymous"] = True
        elif do == "correct":
            row = self.scores[on["score"]]
            if row["state"] == "voided":
                return False
            moved = [(on["score"], row["state"], "voided", 0)]
            self.set(on["score"], "voided", 0)
            self.scores[id] = {**row, "points": body["points"], "state": "counted"}
        else:
            rows = self.gifts if do == "reverse" else self.scores
            wanted = on.get("donation") or on.get("score")
            to = {"void": "voided", "hold": "held", "clear": "counted", "reverse": "reversed"}[do]
            only = {"hold": "counted", "clear": "held", "reverse": "counted"}.get(do)
            for key, row in rows.items():
                if self.one(row["player"]) != self.one(on["player"]) or (wanted and key != wanted):
                    continue
                was = self.state(key)
                if was != to and only in (None, was):
                    forfeited = self.funded(on["player"])[key] if body.get("void") else 0
                    moved.append((key, was, to, forfeited))
            if not moved:
                return False
            for key, _, became, forfeited in moved:
                self.set(key, became, forfeited)
        self.acts[id] = {"do": do, "moved": moved, "undone": False}
        if do == "merge":
            self.acts[id]["merge"] = (on["player"], into)
        if do == "rename":
            self.acts[id]["rename"] = (former, body["name"], on["player"])
        return True

    def standing(self, row):
        """The last act that moved a row and is not undone."""
        return next((id for id, act in reversed(self.acts.items())
                     if not act["undone"] and act["do"] != "undo" and any(moved[0] == row for moved in act["moved"])),
                    None)

    def state(self, id):
        if id in self.scores:
            return self.scores[id]["state"]
        return "reversed" if self.gifts[id]["reversed"] else "counted"

    def set(self, id, state, forfeited):
        if id in self.scores:
            # Once an operator has decided, the game does not any more.
            self.scores[id]["state"], self.scores[id]["waits"] = state, False
        else:
            self.gifts[id]["reversed"], self.gifts[id]["forfeited"] = state == "reversed", forfeited


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
