"""What posts, donations, verdicts and actions of operators make of ledgers, ranks and totals, by hand."""
import copy

BOARDS = ("lap", "total", "trials")     # each post to the last one waits for the verdict of the game
CHARITIES = ("trees", "seas")


class Model:
    """The ledgers, and what follows from them."""

    def __init__(self, names):
        self.players, self.names = list(names), dict(names)
        self.scores, self.donations, self.actions, self.banned, self.hidden = {}, {}, {}, {}, {}
        self.seasons = {board: 1 for board in BOARDS}
        self.merged = {}    # with whom a player became one, and by which action
        self.erased = set()
        self.pictured = set(self.players)
        self.recorded = 0   # scores and donations so far, in whose order they were reached

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

    def add_score(self, id, player, board, points):
        self.recorded += 1
        is_trial = board == "trials"
        self.scores[id] = {"player": self.one(player), "board": board, "points": points, "at": self.recorded,
                           "season": self.seasons[board], "state": "held" if is_trial else "counted",
                           "waits": is_trial, "verdict": None}

    def add_donation(self, id, player, charity, points, day):
        self.recorded += 1
        self.donations[id] = {"player": self.one(player), "charity": charity, "points": points, "reversed": False,
                          "forfeited": 0, "anonymous": False, "day": day, "at": self.recorded}

    def take_back(self, id):
        """The player takes a donation back, of which nothing is forfeited."""
        if not self.donations[id]["reversed"]:
            self.donations[id]["reversed"] = True

    def may_join(self, player, other):
        """What becomes of a device of a player that comes with a code of another one and wants to merge."""
        one, survivor = self.one(player), self.one(other)
        if one == survivor or not (self.of(self.scores, one) or self.of(self.donations, one)):
            return None
        others = sum(self.one(member) == survivor for member in self.players) - 1
        return "merge" if others < 3 else "merge-limit"

    def wallet(self, player):
        scores, donations = self.of(self.scores, player), self.of(self.donations, player)
        earned = sum(row["points"] for row in scores)
        voided = sum(row["points"] for row in scores if row["state"] == "voided")
        voided += sum(row["forfeited"] for row in donations)
        held = sum(row["points"] for row in scores if row["state"] == "held")
        donated = sum(row["points"] for row in donations if not row["reversed"])
        funded = min(donated, earned - voided - held)
        return {"earned": earned, "voided": voided, "held": held, "left": earned - voided - held - funded,
                "given": donated, "funded": funded, "unfunded": donated - funded}

    def funded(self, player):
        """The points that count of each donation: the newest are unfunded first."""
        missing, counted = self.wallet(player)["unfunded"], {}
        for id, row in reversed(list(self.donations.items())):
            if self.one(row["player"]) == self.one(player) and not row["reversed"]:
                counted[id] = row["points"] - min(missing, row["points"])
                missing -= row["points"] - counted[id]
        return counted

    def ranking(self, board):
        """The players of a board with their points, best first; of equal ones whoever had the points first."""
        found = []
        for player in self.players:
            rows = [row for row in self.of(self.scores, player)
                    if self.is_played(row, board) and row["state"] == "counted"]
            if not rows or player in self.merged or self.is_hidden(player):
                continue
            if board == "total":
                points, at = sum(row["points"] for row in rows), max(row["at"] for row in rows)
            else:
                points = max(row["points"] for row in rows)
                at = min(row["at"] for row in rows if row["points"] == points)
            found.append((-points, at, player))
        return [(player, -points) for points, _, player in sorted(found)]

    def charity_ranking(self, charity):
        """The rows of a charity with their points, best first. An anonymous donation was given when its day began."""
        rows, _ = self.donation_rows(self.players)
        order = []
        for (of, key), points in rows.items():
            if of != charity:
                continue
            if key in self.donations:
                at = (self.donations[key]["day"], 0)
            else:
                funded = self.funded(key)
                at = max((row["day"], row["at"]) for id, row in self.donations.items()
                         if row["charity"] == charity and not row["anonymous"] and funded.get(id))
            order.append((-points, at, str(key), key))
        return [(key, -points) for points, _, _, key in sorted(order)]

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
        row["verdict"] = verdict
        return row["state"]

    def donation_rows(self, players):
        """By charity: the points of each player by name and of each anonymous donation, and of all, hidden ones too."""
        rows, totals = {}, {charity: 0 for charity in CHARITIES}
        for player in players:
            for id, points in self.funded(player).items() if player not in self.merged else ():
                charity = self.donations[id]["charity"]
                totals[charity] += points
                if points and self.donations[id]["anonymous"]:
                    rows[charity, id] = points
                elif points and not self.is_hidden(player):
                    rows[charity, player] = rows.get((charity, player), 0) + points
        return rows, totals

    def moderate(self, id, body):
        """Carries out an action; returns whether it may be done. It may not if points would be voided that were voided
        with a donation that was made of them."""
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
            undone = self.actions.get(on["act"])
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
            self.pictured -= self.erased
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
            # What came with a score is nothing of a ranking.
            if "score" not in on:
                if self.one(on["player"]) not in self.pictured:
                    return False
                self.pictured.discard(self.one(on["player"]))
        elif do == "anonymise":
            if self.donations[on["donation"]]["anonymous"]:
                return False
            self.donations[on["donation"]]["anonymous"] = True
        elif do == "correct":
            row = self.scores[on["score"]]
            if row["state"] == "voided":
                return False
            moved = [(on["score"], row["state"], "voided", 0)]
            self.set(on["score"], "voided", 0)
            self.scores[id] = {**row, "points": body["points"], "state": "counted"}
        else:
            rows = self.donations if do == "reverse" else self.scores
            wanted = on.get("donation") or on.get("score")
            to = {"void": "voided", "hold": "held", "clear": "counted", "reverse": "reversed"}[do]
            only = {"hold": "counted", "clear": "held", "reverse": "counted"}.get(do)
            for key, row in rows.items():
                if self.one(row["player"]) != self.one(on["player"]) or (wanted and key != wanted):
                    continue
                was = self.state(key)
                is_games = do == "clear" and wanted and self.is_voided_by_game(key)
                if was != to and (only in (None, was) or is_games):
                    forfeited = self.funded(on["player"])[key] if body.get("void") else 0
                    moved.append((key, was, to, forfeited))
            if not moved:
                return False
            for key, _, became, forfeited in moved:
                self.set(key, became, forfeited)
        self.actions[id] = {"do": do, "moved": moved, "undone": False}
        if do == "merge":
            self.actions[id]["merge"] = (on["player"], into)
        if do == "rename":
            self.actions[id]["rename"] = (former, body["name"], on["player"])
        return True

    def is_voided_by_game(self, score):
        """Whether a score is voided because its game has said so, and not by an action."""
        row = self.scores[score]
        return row["state"] == "voided" and row["verdict"] == "void" and self.standing(score) is None

    def standing(self, row):
        """The last action that moved a row and is not undone."""
        return next((id for id, action in reversed(self.actions.items())
                     if not action["undone"] and action["do"] != "undo"
                     and any(moved[0] == row for moved in action["moved"])),
                    None)

    def state(self, id):
        if id in self.scores:
            return self.scores[id]["state"]
        return "reversed" if self.donations[id]["reversed"] else "counted"

    def set(self, id, state, forfeited):
        if id in self.scores:
            # Once an operator has decided, the game does not any more.
            self.scores[id]["state"], self.scores[id]["waits"] = state, False
        else:
            self.donations[id]["reversed"], self.donations[id]["forfeited"] = state == "reversed", forfeited
