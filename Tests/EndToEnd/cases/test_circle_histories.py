"""Random histories of ties, codes, blocks, teams, flags, posts, donations and actions through two processes, either of
which is killed again and again, while days pass: every ranking among friends, of teams and of countries is what a model
by hand says, from the memory of both processes and by SQL, which is all that a third one has."""
import contextlib
import datetime
import random
import re
import threading
import time
import unittest

import admin
import client
import v1
from circle_acts import API, BOARDS, CHARITIES, FLAGS, FRIENDS, TEAM_SIZE, Acts, furnish
from circle_model import Model
from joined import Joined
from psql import Psql
from seeds import SEED, rounds, steps
from server import Server, until
from stepping_clock import SteppedCase

ROUNDS = rounds(3, nightly=16)      # after each, all rankings are compared, and a day passes or more
STEPS = steps(70, nightly=120)
PLAYERS = 12
KILL_SECONDS = 8
AGREE_SECONDS_MAX = 30
DAY = 86_400
NOWHERE = "postgresql://nobody@127.0.0.1:1/none"      # no stream comes from there


class Histories(Acts, SteppedCase):
    maxDiff = 3000

    def setUp(self):
        super().setUp()
        self.dice = random.Random(SEED)
        # It is noon, and far from midnight in the zones of all boards.
        self.pass_time(int(DAY + DAY / 2 - time.time() % DAY))
        self.first = self.begin(Server("circles", start=False))
        furnish(self.first)
        self.second = self.begin(Joined("circles-beside", self.first, start=False))
        self.by_sql = self.begin(Joined("circles-by-sql", self.first, start=False), "--stream-url", NOWHERE)
        self.processes = [self.first, self.second]
        self.key = admin.make_key(self.first)
        self.game_key = self.first.verb("key", "add", "--game", "maze", "--scopes", "register,post,groups", "--name",
                                        "game").strip()
        self.psql = Psql(self.first.conninfo())
        self.addCleanup(self.psql.close)
        self.model = Model(BOARDS, TEAM_SIZE, self.now)
        self.begin_acts()
        self.stopped, self.turn = threading.Event(), threading.Lock()
        for _ in range(PLAYERS):
            self.come()

    def now(self):
        return datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=self.ahead)

    def kill(self):
        """Kills one process after the other and starts it again."""
        dice = random.Random(SEED + 1)
        while not self.stopped.wait(KILL_SECONDS * dice.random()):
            with self.turn:
                process = dice.choice(self.processes)
                process.kill9()
                process.start()

    # -- the history

    def test_whatever_is_done_and_killed(self):
        killer = threading.Thread(target=self.kill, daemon=True)
        killer.start()
        try:
            for round in range(ROUNDS):
                acts = self.dice.choices(list(self.ACTS), list(self.ACTS.values()), k=STEPS)
                # What every round has, whatever the dice say.
                acts += ["merge", "erase", *["post"] * PLAYERS, *["show_flag", "use_code", "join_team"] * 4]
                for step, act in enumerate(acts):
                    with self.subTest(round=round, step=step, act=act):
                        getattr(self, act)()
                with self.turn, self.subTest(round=round):
                    self.compare()
                    # After a month, players may show other flags.
                    self.pass_time(DAY * self.dice.choice((1, 1, 2, 31)))
        finally:
            self.stopped.set()
            killer.join(60)
        self.first.audit()

    def compare(self):
        """All three servers say of every ranking what the model does. Whoever reads one finds it soon."""
        wanted = list(self.wanted())
        for server in (*self.processes, self.by_sql):
            has_memory = server is not self.by_sql
            until(lambda: figure(server, "standings_loaded") == has_memory, AGREE_SECONDS_MAX, "what answers")
            with client.Connection(server) as connection:
                for path, player, read, rows in wanted:
                    def seen():
                        answer = v1.call(connection, "GET", path, who=player and player.token)
                        return read(answer.json()) if answer.status == 200 else answer.status

                    with contextlib.suppress(AssertionError):
                        until(lambda: seen() == rows, AGREE_SECONDS_MAX, path)
                    self.assertEqual(seen(), rows, f"{path} of {player and player.name} by {server.name}")
            self.assertEqual(figure(server, "standings_windows") > 0, has_memory)

    def wanted(self):
        """(path, the player who asks, how to read it, what it has to be) of everything that is shown."""
        model = self.model
        living = [player for player in self.players if not model.is_erased(player.id)]
        for player in living:
            yield FRIENDS, player, ids, model.lists(player.id)
        for slug in (*BOARDS, *CHARITIES, None):
            path = f"{API}/boards/{slug}" if slug in BOARDS else f"/v1/charities/{slug}" if slug else "/v1/contributors"
            for window, span in self.windows(model.day(model.board(slug))):
                yield from self.rankings(path, slug, f"?limit=100&window={window}", span, living)

    def rankings(self, path, slug, query, span, living):
        model = self.model
        for player in living:
            friends = model.friends(player.id) | {model.one(player.id)}
            rows = model.among(slug, span, friends)
            yield f"{path}/players/me/friends.json{query}", player, among, rows
        if model.board(slug).teams is not None:
            yield f"{path}/teams/top.json{query}", None, amounts("team"), model.teams(slug, span)
        if slug not in BOARDS:
            return
        for player in living:
            team = model.team(player.id)
            rows = model.among(slug, span, model.roster(team)) if team else 404
            yield f"{path}/players/me/team.json{query}", player, among, rows
        for team in (*self.teams[-6:], *self.own_teams.values()):
            rows = 404 if model.hidden_teams.get(team) else model.among(slug, span, model.roster(team))
            yield f"{path}/top.json{query}&team={team}", None, among, rows
        for code in FLAGS:
            yield f"{path}/top.json{query}&country={code}", None, among, model.country(slug, span, code)
        if model.board(slug).countries:
            for of in (None, "DE", "US", "FR"):
                rows = model.countries(slug, span, of)
                yield f"{path}/countries/top.json{query}{'&of=' + of if of else ''}", None, amounts("country"), rows

    def windows(self, today):
        """All time, and one of today, the day before and some days."""
        first = self.dice.choice([post.day for post in self.model.posts.values()])
        last = first + datetime.timedelta(days=self.dice.randrange(1, 4))
        window, span = self.dice.choice((
            ("today", (today, today)), ("yesterday", (today - datetime.timedelta(days=1),) * 2),
            (f"{first}..{last}", (first, last))))
        return ("all", None), (window, span)


def figure(server, name):
    """A figure of the metrics of a server."""
    return float(re.search(rf"^causeboard_{name} (\S+)$", client.get(server.admin(), "/metrics").text, re.M)[1])


def ids(said):
    return {name: {row["player"] for row in rows} for name, rows in said.items()}


def among(said):
    return [(row["rank"], row["among"], row["tied"], row["player"], row["points"]) for row in said["rows"]]


def amounts(name):
    return lambda said: [(row["rank"], row["tied"], row[name], row["points"], row["members"]) for row in said["rows"]]


if __name__ == "__main__":
    unittest.main()
