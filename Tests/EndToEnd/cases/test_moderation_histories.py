"""Random histories of posts, donations and actions through two processes, either of which is killed again and again:
every answer, ledger, rank and total is what a model by hand says, and the books balance."""
import base64
import datetime
import random
import threading
import time
import unittest

import admin
import client
import v1
from moderation_model import BOARDS, CHARITIES, Model
from admin import Operator
from feeds import table_csv
from joined import Joined
from seeds import SEED, steps
from server import Server, until

STEPS = steps(110, nightly=220)
KILL_SECONDS = 4
ANSWER_SECONDS_MAX = 60
BAN_SECONDS_MAX = 120


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
            first.verb("charity", "add", charity, "--name", charity.title(), "--cooling-off", "600")
        self.judging_key = first.verb("key", "add", "--game", "maze", "--scopes", "judge").strip()
        self.items, self.verdicts = {}, {}
        self.key = admin.make_key(first)
        second = Joined("act-history-beside", first)
        self.addCleanup(second.stop)
        self.processes = [first, second]
        self.subject = {}   # the player of each action
        self.players = [
            v1.Player(first, "maze", f"Player {n}",
                      image=base64.b64encode(client.png(colour=(n * 20, 30, 60))).decode())
            for n in range(9)
        ]
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
                    self.dice.choice((self.post, self.post, self.donate, self.donate, self.moderate, self.moderate,
                                      self.undo, self.judge, self.own_change, self.clear_item, self.join))()
        finally:
            self.stopped.set()
            killer.join(60)
        self.ban_for_a_while()
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
        self.model.add_score(id, player.id, board, points)
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

    def donate(self):
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
            self.model.add_donation(id, player.id, charity, points, datetime.datetime.now(datetime.UTC).date())
            self.assertEqual(answer.json()["left"], self.model.wallet(player.id)["left"], answer)

    def own_change(self):
        """A player turns a donation of its own anonymous, or takes it back."""
        if not self.model.donations:
            return
        id = self.dice.choice(sorted(self.model.donations))
        row = self.model.donations[id]
        player = next(player for player in self.players if player.id == row["player"])
        path = f"/v1/charities/{row['charity']}/donations/{id}"
        takes_back = self.dice.random() < .5
        answer = self.send(lambda process: v1.call(process, "DELETE" if takes_back else "PATCH", path,
                                                   None if takes_back else {"anonymous": True}, who=player.token))
        if player.id in self.model.erased:
            self.assertEqual(answer.status, 410, answer)
        elif self.model.is_banned(player.id):
            self.assertEqual(answer.status, 403, answer)
        else:
            self.assertEqual(answer.status, 200, answer)
            if takes_back:
                self.model.take_back(id)
            else:
                row["anonymous"] = True

    def clear_item(self):
        """An operator decides about something that waits in the queue."""
        rows = self.send(lambda process: Operator(process.admin(), self.key).get("queue?kind=held&limit=100"))
        rows = [row for row in rows.json()["rows"] if row["score"] in self.model.scores]
        if rows:
            row = self.dice.choice(sorted(rows, key=lambda row: row["item"]))
            self.do({"do": "clear", "on": {"item": row["item"]}}, row["player"],
                    {"do": "clear", "on": {"player": row["player"], "score": row["score"]}})

    def join(self):
        """A device comes to another player with a code of that one, and brings its own player along."""
        player, other = self.dice.sample(self.players, 2)
        if any(self.model.is_banned(one.id) or one.id in self.model.erased for one in (player, other)):
            return
        becomes = self.model.may_join(player.id, other.id)
        if becomes is None:
            return
        made = self.send(lambda process: v1.call(process, "POST", "/v1/players/me/codes", who=other.token))
        if made.status == 403:          # a device that came with a merge is new for a day
            self.assertEqual(made.json()["type"], "/problems/device-too-new", made)
            return
        path = f"/v1/games/maze/devices/{player.device}"
        answer = self.write(player, path, {"code": made.json()["code"], "merge": True})
        if answer.status == 403:        # a device that came with a merge is new for a day
            self.assertEqual(answer.json()["type"], "/problems/device-too-new", answer)
            return
        if becomes == "merge-limit":
            self.assertEqual((answer.status, answer.json()["type"]), (422, "/problems/merge-limit"), answer)
            return
        self.assertIn(answer.status, (200, 201), answer)
        one, survivor = self.model.one(player.id), self.model.one(other.id)
        actions = self.send(lambda process: Operator(process.admin(), self.key).get(f"players/{one}/acts?limit=1"))
        newest, = actions.json()["rows"]
        self.assertEqual((newest["do"], newest["by"]), ("merge", "player"), newest)
        self.assertTrue(self.model.moderate(newest["act"], {"do": "merge", "on": {"player": one}, "into": survivor}))
        self.subject[newest["act"]] = survivor

    def ban_for_a_while(self):
        """A ban has an end, at which the server undoes it."""
        left = [player.id for player in self.players if self.model.one(player.id) not in self.model.erased]
        if not left:        # the history has erased everybody
            return
        player = left[0]
        end = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=3)
        body = {"do": "ban", "on": {"player": player}, "until": end.strftime("%Y-%m-%dT%H:%M:%SZ")}
        action = self.do(body)
        root = Operator(self.processes[0].admin(), self.key)
        until(lambda: "undone_by" in root.get(f"acts/{action}").json(), BAN_SECONDS_MAX, "the ban is over")
        self.assertTrue(self.model.moderate(v1.new_id(), {"do": "undo", "on": {"act": action}}))

    def moderate(self):
        player = self.dice.choice(self.players).id
        one = self.model.one
        scores = [id for id, row in self.model.scores.items() if one(row["player"]) == one(player)]
        donations = [id for id, row in self.model.donations.items() if one(row["player"]) == one(player)]
        do = self.dice.choice(("void", "void", "hold", "clear", "reverse", "ban", "all", "merge", "hide", "rename",
                               "correct", "anonymise", "take-down", "picture", "reset"))
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
        elif do in ("reverse", "anonymise") and donations:
            on["donation"] = self.dice.choice(donations)
            if do == "reverse" and self.dice.random() < .5:
                more = {"void": True}
        elif do == "rename":
            more = {"name": f"Somebody {self.dice.randrange(5)}"}
        elif do == "take-down":
            pass    # the picture, of one who has no scores
        elif do == "picture":
            do = "take-down"
        elif do == "ban" and self.dice.random() < .5:
            more = {"until": "2999-01-01T00:00:00Z"}
        elif do == "all":
            do = self.dice.choice(("void", "clear"))
        elif do not in ("ban", "hide"):
            return
        self.do({"do": do, "on": on, **more})

    def undo(self):
        if self.model.actions:
            self.do({"do": "undo", "on": {"act": self.dice.choice(list(self.model.actions)[-12:])}})

    def do(self, body, player=None, modelled=None):
        """Carries out an action, and looks whether it may be done and what it makes of a player's wallet.
        - `player` is whose that is, where the body does not say so, and `modelled` what the model calls the action."""
        id = v1.new_id()
        player = player or body.get("into") or body["on"].get("player") or self.subject.get(body["on"].get("act"))
        before = self.model.wallet(player)
        may = self.model.moderate(id, modelled or body)
        answer = self.send(lambda process: Operator(process.admin(), self.key).call(
            "PUT", f"acts/{id}", {"reason": "a test", **body}))
        self.assertEqual(answer.status in (200, 201), may, (body, answer))
        if may:
            self.subject[id] = player
            said = answer.json()
            if player:
                self.assertEqual((said["before"], said["after"]), (before, self.model.wallet(player)), body)
        return id

    def compare(self):
        ids = self.model.names
        for player in self.players:
            for process in self.processes:
                path = f"/v1/players/{player.id}"
                one = self.model.one(player.id)
                if one in self.model.erased:
                    until(lambda: client.get(process, path).status == 410, 30, f"{path} is gone")
                elif not self.model.is_hidden(one):
                    until(lambda: client.get(process, path).json().get("id") == one, 30, f"{path} is {one}")
        _, totals = self.model.donation_rows(ids)
        for process in self.processes:
            for board in BOARDS:
                wanted, path = self.model.ranking(board), f"/v1/games/maze/boards/{board}"
                self.shows(process, f"{path}/top.json?limit=100", wanted)
                self.shows(process, f"{path}/top.csv?limit=100", wanted)
                self.shows(process, f"{path}/top.json?limit=100&window=month", wanted)
                # Whoever has left stands there, and nobody finds its row by an id.
                some = {row for row, _ in wanted[::2]} - self.model.erased
                if some:
                    self.shows(process, f"{path}/top.json?players={','.join(map(str, some))}", wanted,
                               lambda place, row: row in some)
                for place, row in [(place, row) for place, (row, _) in enumerate(wanted)
                                   if row not in self.model.erased]:
                    first = max(0, min(place - 1, len(wanted) - 3))
                    self.shows(process, f"{path}/players/{row}/around.json?limit=3", wanted,
                               lambda place, row, first=first: first <= place < first + 3)
            for charity in CHARITIES:
                wanted = self.model.charity_ranking(charity)
                self.shows(process, f"/v1/charities/{charity}/top.json?limit=100", wanted)
                self.shows(process, f"/v1/charities/{charity}/top.csv?limit=100", wanted)
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

    def shows(self, process, path, wanted, is_shown=lambda place, row: True):
        """Whether the rows come in their order, each with its rank. A row that is no player's is an anonymous
        donation's."""
        names = {**self.model.names, **{player: "A former player" for player in self.model.erased}}
        wanted = [(place + 1, names.get(row, "Anonymous"), points)
                  for place, (row, points) in enumerate(wanted) if is_shown(place, row)]

        def rows():
            answer = client.get(process, path)
            if ".csv" not in path:
                return answer.json()["rows"]
            head, *rows = table_csv(answer.body)
            return [dict(zip([name.lower() for name in head], row)) for row in rows]

        def seen():
            return [(int(row["rank"]), row["name"], int(row["points"])) for row in rows()]
        until(lambda: seen() == wanted, 30, f"{path} of {process.name}: {seen()} is {wanted}")
