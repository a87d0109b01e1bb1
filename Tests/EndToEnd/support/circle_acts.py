"""What players, a game's server and operators do at random to ties, teams, flags, posts and donations: through any of
some processes, which may be killed meanwhile, and in a model that says what is answered."""
import contextlib
import time

import client
import v1
from admin import Operator
from circle_model import Board

TEAM_SIZE = 3
MERGES_MAX, HIDDEN_MAX = 3, 2     # at the same time
ANSWER_SECONDS_MAX = 60
BOARDS = {
    "best": Board(teams=2, countries=2),
    "low": Board(lowest=True, ties="shared", zone="Pacific/Kiritimati", teams=2, countries=2),
    "sum": Board("sum", ties="shared", zone="Pacific/Pago_Pago", teams=0, countries=3),
    "last": Board("latest", teams=1, countries=1),
    "purse": Board("sum", earns=True),
}
CHARITIES = ("trees", "seas")
FLAGS = ("DE", "DE-BE", "DE-BY", "FR", "US-CA", "US")
TEAM, FRIENDS, BLOCKS = "/v1/players/me/team", "/v1/players/me/friends", "/v1/players/me/blocks"
API = "/v1/games/maze"


def furnish(server):
    server.verb("game", "add", "maze", "--name", "Maze")
    server.verb("game", "set", "maze", "--friends", "requests", "--teams", "codes", "--team-size", str(TEAM_SIZE),
                "--team-rosters", "public", "--flags", "on")
    for slug, board in BOARDS.items():
        teams = "none" if board.teams is None else f"best:{board.teams}" if board.teams else "sum"
        countries = f"best:{board.countries}" if board.countries else "none"
        server.verb("board", "add", "--game", "maze", slug, "--policy", board.policy, "--order",
                    "lowest" if board.lowest else "highest", "--ties", board.ties, "--zone", board.zone, "--teams",
                    teams, "--countries", countries, *(() if board.earns else ("--earns", "none")))
    for charity in CHARITIES:
        server.verb("charity", "add", charity, "--name", charity.title())


class Acts:
    """For a test case with `processes`, an operator's `key`, a `game_key`, `psql`, a `model` and `dice`."""

    # What is done how often.
    ACTS = {
        "post": 40, "give": 6, "ask_friend": 12, "change_tie": 6, "use_code": 8, "takes_asks": 1, "show_flag": 8,
        "make_team": 5, "join_team": 12, "leave_team": 3, "lead_team": 3, "game_team": 6, "void": 3, "merge": 2,
        "join": 1, "hide": 2, "hide_team": 1, "undo": 3, "erase": 1,
    }

    def begin_acts(self):
        self.players, self.externals, self.teams, self.own_teams = [], {}, [], {}
        self.former_codes, self.actions = [], {}

    # -- asking

    def retried(self, call):
        """Asks one process, and after an answer that is none the other, until one answers."""
        end = time.monotonic() + ANSWER_SECONDS_MAX
        while time.monotonic() < end:
            with contextlib.suppress(OSError, client.Broken, IndexError, ValueError, AssertionError):
                answer = call(self.dice.choice(self.processes))
                if answer.status < 500:
                    return answer
            time.sleep(0.05)
        raise AssertionError("nobody answers")

    def send(self, method, path, body=None, who=None):
        return self.retried(lambda process: v1.call(process, method, path, body, who=who))

    def ask(self, player, method, path, body=None, *, status):
        answer = self.send(method, path, body, player.token)
        allowed = status if isinstance(status, tuple) else (status,)
        self.assertIn(answer.status, allowed, f"{player.name} {method} {path} {body}: {answer!r}")
        return answer

    def act(self, body):
        """An operator's action, which may be done; returns its id."""
        id = v1.new_id()
        answer = self.retried(
            lambda process: Operator(process.admin(), self.key).call("PUT", f"acts/{id}", {"reason": "a test", **body}))
        self.assertIn(answer.status, (200, 201), f"{body}: {answer!r}")
        return id

    # -- what players, the game's server and operators do

    def living(self):
        """Somebody who has not left, mostly one whom nobody is one with."""
        return self.dice.choice([player for player in self.players if not self.model.is_erased(player.id)])

    def two(self):
        one, other = self.living(), self.living()
        return (one, other) if self.model.one(one.id) != self.model.one(other.id) else (None, None)

    def come(self):
        """A new player registers; every third one is known to the game's server, whose code its device brings."""
        number = len(self.players) + 1
        name, device = f"Player {number}", client.device()
        player = v1.Player.__new__(v1.Player)
        player.name, player.game, player.device, player.token = name, "maze", device, v1.token()
        body = {"name": name}
        if number % 3 == 0:
            label = f"u-{number}"
            known = self.send("PUT", f"{API}/players/{label}", {"name": name}, self.game_key)
            self.assertIn(known.status, (200, 201), known)
            code = self.send("POST", f"{API}/players/{label}/codes", who=self.game_key)
            self.assertEqual(code.status, 201, code)
            body = {"code": code.json()["code"]}
            self.externals[label] = known.json()["player"]["id"]
        made = self.ask(player, "PUT", f"{API}/devices/{device}", body, status=(200, 201))
        player.id = made.json()["player"]["id"]
        self.players.append(player)
        self.model.names[player.id] = name

    def post(self):
        player, slug, points = self.living(), self.dice.choice(sorted(BOARDS)), self.dice.randrange(1, 7)
        id, body, who = v1.new_id(), {"points": points}, player.token
        if self.dice.random() < .2:
            body["player"], who = player.id, self.game_key
        answer = self.send("PUT", f"{API}/boards/{slug}/scores/{id}", body, who)
        self.assertIn(answer.status, (200, 201), answer)
        self.model.post(id, player.id, slug, points)

    def give(self):
        player, charity, points = self.living(), self.dice.choice(CHARITIES), self.dice.randrange(1, 4)
        anonymous, may = self.dice.random() < .3, points <= self.model.left(player.id)
        self.ask(player, "PUT", f"/v1/charities/{charity}/donations/{v1.new_id()}",
                 {"points": points, "anonymous": anonymous}, status=(200, 201) if may else 422)
        if may:
            self.model.give(player.id, charity, points, anonymous)

    def ask_friend(self):
        player, other = self.two()
        if player is None:
            return
        asked = sorted(self.model.lists(player.id)["asked"])
        if asked and self.dice.random() < .6:
            other = next(each for each in self.players if each.id == asked[0])
        if self.model.is_hidden(other.id):
            self.ask(player, "PUT", f"{FRIENDS}/{other.id}", status=404)
            return
        self.model.ask(player.id, other.id)
        said = self.ask(player, "PUT", f"{FRIENDS}/{other.id}", status=200).json()
        self.assertEqual(said, {"state": "friends" if self.model.are_friends(player.id, other.id) else "asking"})

    def change_tie(self):
        player, other = self.two()
        if player is None:
            return
        method, path, change = self.dice.choice((
            ("DELETE", FRIENDS, self.model.end), ("PUT", BLOCKS, self.model.block), ("PUT", BLOCKS, self.model.block),
            ("DELETE", BLOCKS, self.model.unblock)))
        # A hidden player is nobody to those who have no tie with it.
        is_nobody = (self.model.is_hidden(other.id) and self.model.says(player.id, other.id) is None
                     and self.model.says(other.id, player.id) != "yes")
        self.ask(player, method, f"{path}/{other.id}", status=404 if is_nobody else 204)
        if not is_nobody:
            change(player.id, other.id)

    def make_code(self):
        player = self.living()
        made = self.ask(player, "POST", f"{FRIENDS}/codes", status=201).json()["code"]
        self.model.make_code(player.id, made, player.id)
        self.former_codes.append((player.id, self.model.codes[self.model.one(player.id)]))

    def use_code(self):
        """Somebody uses a code, mostly a new one."""
        if not self.former_codes or self.dice.random() < .5:
            self.make_code()
        maker, code = self.dice.choice(self.former_codes[-6:])
        player = self.living()
        if self.model.codes.get(self.model.one(maker)) is code or not self.model.is_erased(maker):
            status = self.model.use_code(player.id, maker, code)
            self.ask(player, "POST", FRIENDS, {"code": code.text}, status=(200, 201) if status == 201 else status)

    def takes_asks(self):
        player, takes = self.living(), self.dice.random() < .5
        self.ask(player, "PATCH", "/v1/players/me", {"asks": takes}, status=200)
        self.model.takes_asks[self.model.one(player.id)] = takes

    def show_flag(self):
        player, flag = self.living(), self.dice.choice((*FLAGS, None))
        may = self.model.show_flag(player.id, flag)
        answer = self.ask(player, "PATCH", "/v1/players/me", {"flag": flag}, status=200 if may else 422)
        if not may:
            self.assertEqual(answer.json()["type"], "/problems/flag-fixed", answer)

    def make_team(self):
        player, name = self.living(), f"Team {v1.new_id()[:8]}"
        is_free = self.model.team(player.id) is None
        made = self.ask(player, "PUT", TEAM, {"make": name}, status=(200, 201) if is_free else 409)
        if is_free:
            self.teams.append(made.json()["id"])
            self.model.join(player.id, made.json()["id"])

    def captain(self, team):
        """The captain of a team that players have made; there is one as long as somebody is in it."""
        roster = self.model.roster(team)
        if not roster:
            return None
        found = self.psql.patient(f"select player_id from member where team_id = {team} and captain")
        self.assertEqual(len(found), 1, f"captains of {team}")
        captain = self.model.one(int(found[0][0]))
        self.assertIn(captain, roster)
        return next(player for player in self.players if self.model.one(player.id) == captain)

    def join_team(self):
        if not self.teams:
            return
        player, team = self.living(), self.dice.choice(self.teams[-6:])
        captain = self.captain(team)
        if captain is None:
            return
        code = self.ask(captain, "GET", TEAM, status=200).json().get("code")
        # A captain whose device came with another player has no code yet.
        code = code or self.ask(captain, "PATCH", TEAM, {"code": "new"}, status=200).json()["code"]
        own, is_full = self.model.team(player.id), len(self.model.roster(team)) >= TEAM_SIZE
        status = (422 if self.model.hidden_teams.get(team) else 200 if own == team else 409 if own
                  else 422 if is_full else (200, 201))
        self.ask(player, "PUT", TEAM, {"code": code}, status=status)
        if status == (200, 201):
            self.model.join(player.id, team)

    def leave_team(self):
        player = self.living()
        self.ask(player, "DELETE", TEAM, status=204)
        self.model.leave(player.id)

    def lead_team(self):
        """A captain lets somebody leave, or hands the team over."""
        if not self.teams:
            return
        team = self.dice.choice(self.teams)
        captain = self.captain(team)
        others = captain and self.model.roster(team) - {self.model.one(captain.id)}
        if not others:
            return
        other, change = self.dice.choice(sorted(others)), self.dice.choice(("remove", "captain"))
        # A device that came with a merge is new, and may not hand the team over.
        answer = self.ask(captain, "PATCH", TEAM, {change: other}, status=(200, 403))
        if answer.status == 403:
            self.assertEqual((change, answer.json()["type"]), ("captain", "/problems/device-too-new"))
        elif change == "remove":
            self.model.leave(other)

    def game_team(self):
        """The game's server makes a team, or puts one of its players into one or out of it."""
        name = f"guild-{self.dice.randrange(3)}"
        if name not in self.own_teams:
            made = self.send("PUT", f"{API}/teams/{name}", {"name": name.title()}, self.game_key)
            self.assertIn(made.status, (200, 201), made)
            self.own_teams[name] = made.json()["id"]
            return
        team, (label, player) = self.own_teams[name], self.dice.choice(sorted(self.externals.items()))
        own, puts = self.model.team(player), self.dice.random() < .75
        answer = self.send("PUT" if puts else "DELETE", f"{API}/teams/{name}/members/{label}", who=self.game_key)
        if self.model.is_erased(player):
            self.assertEqual(answer.status, 404, answer)
        elif not puts:
            self.assertIn(answer.status, (204, 404), answer)
            if own == team:
                self.model.leave(player)
        elif own and own != team:
            self.assertEqual(answer.status, 409, answer)
        elif own is None and len(self.model.roster(team)) >= TEAM_SIZE:
            self.assertEqual(answer.status, 422, answer)
        else:
            self.assertIn(answer.status, (200, 201), answer)
            if own is None:
                self.model.join(player, team)

    def void(self):
        found = sorted(id for id, post in self.model.posts.items() if post.counts and not BOARDS[post.board].earns)
        if found:
            id = self.dice.choice(found)
            self.act({"do": "void", "on": {"player": self.model.posts[id].player, "score": id}})
            self.model.posts[id].counts = False

    def merge(self):
        """An operator makes one player of two."""
        player, other = self.two()
        if player is None or player.id in self.model.merged or self.standing("merge") >= MERGES_MAX:
            return
        if len(self.model.group(other.id)) + len(self.model.group(player.id)) > 4:
            return
        survivor = self.model.one(other.id)
        action = self.act({"do": "merge", "on": {"player": player.id}, "into": survivor})
        self.model.merge(player.id, survivor, action)
        self.actions[action] = ("merge", player.id)

    def join(self):
        """A device brings a code of another player, with which its own player becomes one."""
        player, other = self.two()
        if player is None or self.standing("merge") >= MERGES_MAX:
            return
        one, survivor = self.model.one(player.id), self.model.one(other.id)
        if (len(self.model.group(one)) + len(self.model.group(survivor)) > 4
                or not any(self.model.one(post.player) == one for post in self.model.posts.values())):
            return
        made = self.ask(other, "POST", "/v1/players/me/codes", status=(201, 403))
        if made.status == 403:          # a device that came with a merge is new for a day
            return
        body = {"code": made.json()["code"], "merge": True}
        if self.ask(player, "PUT", f"{API}/devices/{player.device}", body, status=(200, 201, 403)).status == 403:
            return
        operator = Operator(self.by_sql.admin(), self.key)
        action, = [row["act"] for row in operator.get(f"players/{one}/acts?limit=1").json()["rows"]]
        self.model.merge(one, survivor, action)
        self.actions[action] = ("merge", one)

    def standing(self, do):
        """How many actions of a kind stand."""
        return sum(done == do and not self.model.is_erased(on) for done, on in self.actions.values())

    def hide(self):
        if self.standing("hide") >= HIDDEN_MAX:
            return
        player = self.living().id
        action = self.act({"do": "hide", "on": {"player": player}})
        self.model.hidden.setdefault(player, set()).add(action)
        self.actions[action] = ("hide", player)

    def hide_team(self):
        every = [*self.teams, *self.own_teams.values()]
        team = every and self.dice.choice(every)
        if team and not self.model.hidden_teams.get(team):
            action = self.act({"do": "hide", "on": {"team": team}})
            self.model.hidden_teams[team] = action
            self.actions[action] = ("hide team", team)

    def undo(self):
        if not self.actions:
            return
        action = self.dice.choice(sorted(self.actions))
        do, on = self.actions[action]
        if do == "merge":
            may = self.model.merged[on][0] == self.model.one(on) and not self.model.is_erased(on)
        else:
            may = do == "hide team" or not self.model.is_erased(on)
        if not may:
            return
        self.act({"do": "undo", "on": {"act": action}})
        del self.actions[action]
        if do == "merge":
            self.model.part(on)
        elif do == "hide":
            self.model.hidden[on].discard(action)
        else:
            self.model.hidden_teams[on] = None

    def erase(self):
        """A player leaves, and another one comes."""
        player = self.living()
        one = self.model.one(player.id)
        name = self.model.names[one]
        if self.dice.random() < .5:
            # A device that came with a merge is new for a day, and may not.
            self.act({"do": "erase", "on": {"player": one}, "confirm": name})
        else:
            self.ask(player, "POST", "/v1/players/me/erasure", {"confirm": name}, status=(200, 403, 410))
            if self.send("GET", "/v1/players/me", who=player.token).status != 410:
                return
        self.model.erase(one)
        self.come()
