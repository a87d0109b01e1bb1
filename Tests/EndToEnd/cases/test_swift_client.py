"""The library for games against a real server: everything once, and a queue through crashes of both sides."""
import datetime
import os
import random
import socket
import subprocess
import threading
import time
import unittest

import admin
import seeds
from relay import Relay
from repository import ROOT
from server import Server, binary, scratch

GAME = os.path.join(os.path.dirname(binary() or ""), "ExampleGame")
PICTURE = os.path.join(ROOT, "Tests", "Golden", "avatar40.png")
SECONDS_MAX = 60
SEED = seeds.SEED


def setUpModule():
    if not os.access(GAME, os.X_OK):
        raise unittest.SkipTest("there is no ExampleGame beside the server: build all products")


def play(server_port, directory, *arguments):
    """What the game printed, as pairs of name and value."""
    with start(server_port, directory, *arguments) as game:
        out, err = game.communicate(timeout=SECONDS_MAX)
    if game.returncode != 0:
        raise AssertionError(f"the game ended with {game.returncode}: {out[-500:]} {err[-2000:]}")
    return [tuple(line.split(" ", 1)) for line in out.splitlines()]


def start(port, directory, *arguments):
    return subprocess.Popen([GAME, f"http://127.0.0.1:{port}", directory, *map(str, arguments)],
                            env={**os.environ, "PICTURE": PICTURE}, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


class ClientCase(unittest.TestCase):
    """Tests with a server that has the game of the library's example."""

    @classmethod
    def setUpClass(cls):
        cls.server = Server(f"swift-{cls.__name__.lower()}")
        cls.server.verb("game", "add", "maze", "--name", "Maze", "--teams", "codes", "--team-rosters",
                        "public", "--flags", "on", "--friends", "codes", "--challenges", "friends", "--stake-max", "5",
                        "--plans", "on")
        cls.server.verb("board", "add", "--game", "maze", "lap", "--order", "lowest", "--earns", "fixed:10",
                        "--teams", "best:1", "--countries", "best:1")
        cls.server.verb("board", "add", "--game", "maze", "sprint", "--order", "lowest", "--trust", "signed",
                        "--earns", "none")
        cls.server.verb("charity", "add", "tree-fund", "--name", "Tree Fund")
        cls.server.verb("award", "add", "--game", "maze", "first-lap", "--name", "First lap", "--rule", "points",
                        "--board", "lap", "--at-least", "60000")
        operator = admin.Operator(cls.server.admin(), admin.make_key(cls.server))
        today = datetime.datetime.now(datetime.timezone.utc).date()
        for slug, days in (("winter", (-1, 6)), ("past", (-9, -2))):
            first, last = ((today + datetime.timedelta(days=number)).isoformat() for number in days)
            made = operator.add(f"campaigns/{slug}", {
                "charity": "all", "first_day": first, "last_day": last, "goal": 40, "cohort": 20,
                "milestones": [{"points": 3, "name": "A bucket"}, {"points": 10, "name": "A well"}]})
            if made.status != 201:
                raise AssertionError(made)

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()


class Tour(ClientCase):
    def test_everything_once(self):
        told = dict(play(self.server.port, scratch("swift-tour"), "tour"))
        self.assertEqual(told, {
            "player": "Ada", "earned": "10", "signed_rank": "1", "left": "6", "refused": "overspent",
            "top": '["Ada"]', "around": "[1]", "better_rank": "1", "order": "lowest", "charity_points": "[4]",
            "contributors": "[4]", "contributors_of_all": '["Ada"]', "local": '["sent"]',
            "top_rows": '["1 Ada 61500"]', "country": "NZ", "given": "4", "picture": "true",
            "picture_in_feed": "true", "picture_gone": "true", "scores": "[900]", "scores_before": "[61500]",
            "donations": "[4]", "code": "8", "recovery": "26", "signed_anew": "800",
            "no_team": "true", "team": "Red captain 8", "second_team": "in-team", "wrong_team_code": "code-refused",
            "team_renamed": "Redder", "team_members": "1", "teams": '["Redder 61500"]', "team_top": "[1]",
            "any_team_top": "[1]", "donor_teams": "[4]", "left_team": "true", "flag": "DE-BE",
            "second_flag": "flag-fixed", "countries": '["DE"]', "regions": '["DE-BE"]', "of_country": '["DE-BE"]',
            "no_flag": "true", "no_friend": "not-friends", "challenge": "open 2 entered",
            "told": '["open invited"]', "challenges": "1", "no_charity": "field", "entrants": '["Ada 1", "Bob 0"]',
            "standings": '["Ada entered", "Bob left"]', "no_plan": "true", "plan": "true", "plan_in_profile": "true",
            "preview": '["tree-fund 7"]', "unseen_plan": "stale", "changed_plan": "month 0 true",
            "stale_plan": "stale", "ended_plan": "true", "awards": '["First lap 0 61500 60000"]',
            "game_awards": '["first-lap 0"]', "award_count": "0", "campaigns": '["winter open 0", "past over 0"]',
            "no_campaigns": "0", "campaign": "4 10.0 6", "milestones": '["A bucket 3", "A well 10"]',
            "campaign_top": '["Ada 4"]', "campaign_teams": "[4]", "no_cohort": "not-found", "entered": "true",
            "cohort": '["1 1 Ada"]', "past_campaign": "challenge-over", "no_campaign": "not-found",
            "wrong_code": "code-refused", "joined": "Ada", "devices": '["-", "Tablet"]', "cut_off": "tokenRefused",
            "last": "last-device", "exported": "Ada", "not_erased": "confirm", "erased": "36",
            "after": "neverSignedIn",
        })


class Classic(ClientCase):
    def test_the_calls_of_2009(self):
        self.server.verb("game", "set", "default", "--salt", "999888999")
        told = dict(play(self.server.port, scratch("swift-classic"), "classic"))
        self.assertEqual(told, {
            "classic_name": "Tom & Jerry + 100%", "classic_updates": "true", "classic_best": "1500",
            "classic_balance": "1000", "classic_donated": "Tom & Jerry + 100% 500 true",
            "classic_posts": '["Ada 2000", "Tom & Jerry + 100% 1500"]',
        })


class Queue(ClientCase):
    def test_kills_of_the_game_lose_and_double_nothing(self):
        dice = random.Random(SEED)
        directory = scratch("swift-queue")
        play(self.server.port, directory, "play", "Bob", 90_000)
        queued, number = [], 0
        while number < 12 or not queued:
            with start(self.server.port, directory, "queue", 70_000 - number, 80_000 + number) as game:
                # A busy machine takes longer to start the game.
                timer = threading.Timer(dice.uniform(0.02, 0.4 * max(1, number - 10)), game.kill)
                timer.start()
                out, _ = game.communicate(timeout=SECONDS_MAX)
                timer.cancel()
            queued += [line.split()[1] for line in out.splitlines() if line.startswith("queued ")]
            number += 1
        told = play(self.server.port, directory, "play", "Bob")
        self.assertEqual(dict(told)["refused"], "0")
        recorded = [value for name, value in told if name == "score"]
        # A kill may come between the disk and the terminal, so there may be more than the game said.
        self.assertEqual(set(queued) - set(recorded), set(), "what the game queued is recorded")
        self.assertEqual(len(recorded), len(set(recorded)), "and nothing twice")
        self.server.audit()


    def test_kills_of_the_server_lose_and_double_nothing(self):
        dice = random.Random(SEED)
        directory = scratch("swift-kills")
        with Relay(self.server.port) as relay:
            play(relay.port, directory, "play", "Eve", 90_000)
            with start(relay.port, directory, "play", "Eve", *range(80_000, 80_150)) as game:
                for _ in range(2):
                    time.sleep(dice.uniform(0.1, 0.5))      # the load goes on
                    self.server.kill9()
                    self.server.start()
                    relay.target = self.server.port
                out, err = game.communicate(timeout=SECONDS_MAX)
        self.assertEqual(game.returncode, 0, err[:2000])
        told = [tuple(line.split(" ", 1)) for line in out.splitlines()]
        self.assertEqual(dict(told)["refused"], "0")
        recorded = [value for name, value in told if name == "score"]
        self.assertEqual((len(recorded), len(set(recorded))), (151, 151))
        self.assertEqual(dict(told)["points"], "80000")
        self.server.audit()


class Memory(unittest.TestCase):
    ROWS = 100_000

    def feed(self, rows):
        """Serves one feed of so many rows to one client, and returns its port."""
        listener = socket.create_server(("127.0.0.1", 0))
        listener.settimeout(SECONDS_MAX)

        def serve():
            with listener, listener.accept()[0] as connection:
                connection.recv(65536)
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\nConnection: close\r\n\r\n"
                                   b'<?xml version="1.0" encoding="UTF-8"?>\n<customers type="array">\n')
                for first in range(0, rows, 100):
                    connection.sendall("".join(
                        f"  <customer>\n    <name>Ada {n}</name>\n    <image></image>\n"
                        f'    <points type="integer">{n}</points>\n  </customer>\n'
                        for n in range(first, first + 100)).encode())
                connection.sendall(b"</customers>\n")
        threading.Thread(target=serve, daemon=True).start()
        return listener.getsockname()[1]

    @seeds.nightly
    def test_a_feed_of_100_000_rows_takes_no_20_mb_more_than_one_of_100(self):
        few, many = (dict(play(self.feed(rows), scratch("swift-rows"), "rows")) for rows in (100, self.ROWS))
        self.assertEqual((few["rows"], many["rows"]), ("100", str(self.ROWS)))
        self.assertLess(int(many["peak_kib"]) - int(few["peak_kib"]), 20_000)
