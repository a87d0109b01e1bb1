"""The library for games through everything that goes wrong: answers that are lost, doubled, late and cut, a server and
a game that are killed at any moment, a disk that is full, a clock that jumps; and two devices that play without a
network."""
import contextlib
import glob
import json
import os
import random
import subprocess
import threading
import time
import unittest

import chaos
import seeds
import v1
from driven import GAME, Driven, Ended, Failed
from server import Server, scratch, until
from stepping_clock import SteppingClock

SLOW = True

SEED = seeds.SEED
KILLS = seeds.rounds(10, nightly=20)
HISTORIES = seeds.rounds(3, nightly=6)
DAY = 86_400


def setUpModule():
    if not os.access(GAME, os.X_OK):
        raise unittest.SkipTest("there is no ExampleGame beside the server: build all products")


class ClientCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server(f"swift-{cls.__name__.lower()}")
        cls.addClassCleanup(cls.server.stop)
        cls.server.verb("game", "add", "maze", "--name", "Maze")
        cls.server.verb("board", "add", "--game", "maze", "lap")
        cls.server.verb("charity", "add", "tree-fund", "--name", "Tree Fund")

    def setUp(self):
        self.dice = random.Random(SEED)
        self.proxy = chaos.Chaos(self.server.port)
        self.addCleanup(self.proxy.__exit__)

    def open(self, folder, **environment):
        game = Driven(self.proxy.port, folder, **environment)
        self.addCleanup(game.kill)
        return game


class Chaos(ClientCase):
    def small_disk(self):
        """A folder on a disk of its own of 1 MiB, which is taken away after the test."""
        folder = scratch("small-disk")
        if os.geteuid() != 0:
            self.skipTest("only root mounts a small disk")
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder], capture_output=True)
        if mounted.returncode != 0:
            self.skipTest("this machine mounts no small disk")
        self.addCleanup(subprocess.run, ["umount", "-l", folder], check=True)
        return folder

    def test_every_post_and_donation_is_in_the_books_once(self):
        clock = SteppingClock()
        if clock.library is None:
            self.skipTest("there is no C compiler")
        folder = self.small_disk()
        filler = os.path.join(folder, "filler")
        self.jump(clock)
        game = self.open(folder, **clock.environment)
        token = self.signed_in(game, folder)
        posts, donations = [game.post(1_000_000)], []
        game.calm()
        words = [chaos.PASS] * 4 + [chaos.LOSE_REQUEST, chaos.LOSE_ANSWER, chaos.TWICE, chaos.CUT, chaos.LATE]
        self.proxy.decide = lambda seen: self.dice.choice(words) if seen.method == "PUT" else chaos.PASS
        full = 0
        for kill in range(KILLS):
            timer = threading.Timer(self.dice.uniform(0.05, 0.9), game.process.kill)
            timer.start()
            with contextlib.suppress(Ended):
                while True:
                    if self.dice.random() < 0.1:
                        self.fill(filler)
                    try:
                        if self.dice.random() < 0.3:
                            donations.append(game.donate(self.dice.randint(1, 9)))
                        else:
                            posts.append(game.post(self.dice.randint(1, 999)))
                    except Failed as error:
                        self.assertEqual(str(error), "storage")
                        full += 1
                        os.remove(filler)
                    if self.dice.random() < 0.2:
                        self.jump(clock)
                    time.sleep(0.01)
            timer.join()
            if kill % 7 == 3:
                self.proxy.target = None
                self.server.kill9()
                self.server.start()
                self.proxy.target = self.server.port
            with contextlib.suppress(FileNotFoundError):
                os.remove(filler)
            game = self.open(folder, **clock.environment)
        self.proxy.decide = lambda seen: chaos.PASS
        if not full:        # every kill came before the disk was full
            self.fill(filler)
            # What is left of the last page of the queue's file takes some posts.
            with self.assertRaisesRegex(Failed, "^storage$"):
                for _ in range(200):
                    posts.append(game.post(self.dice.randint(1, 999)))
            os.remove(filler)
        self.assertEqual(game.calm(), "0", "nothing was refused")
        scores, donated = self.recorded(token, "scores"), self.recorded(token, "donations")
        for kept, told in ((scores, posts), (donated, donations)):
            ids = [row["id"] for row in kept]
            self.assertEqual(len(ids), len(set(ids)))
            # A kill may come between the disk and the answer, so more may be in the books than the game was told.
            self.assertEqual([id for id in ids if id in set(told)], told, "everything, in its order")
        self.assertEqual(len({seen.id for seen in self.proxy.writes()}), len(scores) + len(donated))
        best = sorted(scores, key=lambda row: -row["points"])[:10]
        self.assertEqual(game.local().split(","), [row["id"] for row in best], "the device's board is the server's")
        self.server.audit()

    def signed_in(self, game, folder):
        game.sign("Ada")
        found = glob.glob(os.path.join(folder, "*", "secrets", "identity*"))
        with open(found[0], encoding="utf-8") as f:
            return json.load(f)["token"]

    def jump(self, clock):
        clock.step(self.dice.randint(-400, 400) * DAY)

    def fill(self, filler):
        with contextlib.suppress(OSError), open(filler, "wb", buffering=0) as f:
            while True:
                f.write(b"x" * 4096)

    def recorded(self, token, kind):
        """What the server has of the player, oldest first."""
        rows, path = [], f"/v1/players/me/{kind}?limit=100"
        while path:
            page = v1.call(self.server, "GET", path, who=token).json()
            rows += page["rows"]
            path = f"/v1/players/me/{kind}?limit=100&after={page['next']}" if "next" in page else None
        return rows[::-1]


class TwoDevices(ClientCase):
    def test_two_devices_that_played_apart_come_to_the_same(self):
        for history in range(HISTORIES):
            with self.subTest(history=history, seed=SEED):
                self.play(history)

    def play(self, history):
        dice = random.Random(SEED + history)
        name = f"Ada {history}"
        devices = [self.open(scratch(f"device-{history}-{number}")) for number in range(2)]
        devices[0].sign(name)
        devices[1].join(devices[0].code())
        level, coins, badges, colour, points = 1, 0, set(), "none", []
        coloured = 0
        for step in range(30):
            device = dice.choice(devices)
            action = dice.choice(["level", "coins", "badge", "colour", "post", "post", "sync"])
            # Most of the time there is no network.
            self.proxy.target = self.server.port if dice.random() < 0.3 else None
            number = dice.randint(1, 99)
            if action == "level":
                device.level(number)
                level = max(level, number)
            elif action == "coins":
                device.coins(number)
                coins += number
            elif action == "badge":
                device.badge(f"b{number % 7}")
                badges.add(f"b{number % 7}")
            elif action == "colour":
                # Either of two in one millisecond may be the last, because devices count milliseconds.
                until(lambda: time.time() >= coloured + 0.002, 60, "the next millisecond")
                device.colour(f"c{step}")
                coloured = time.time()
                colour = f"c{step}"
            elif action == "post":
                device.post(number)
                points.append(number)
            else:
                with contextlib.suppress(Failed):
                    device.sync()
        self.proxy.target = self.server.port
        order = dice.choice([(0, 1, 0), (1, 0, 1), (0, 0, 1, 0), (1, 1, 0, 1)])
        for number in order:
            devices[number].sync()
        for device in devices:
            self.assertEqual(device.calm(), "0")
        said = [device.sync() for device in devices]
        self.assertEqual(said[0], said[1])
        self.assertEqual(said[0].rsplit(" ", 1)[0], f"{level} {coins} {','.join(sorted(badges))}")
        # Colours of one device are newest by its own order; the last of all was set last.
        self.assertEqual(said[0].rsplit(" ", 1)[1], colour)
        rankings = [device.ranking() for device in devices]
        self.assertEqual(rankings[0], rankings[1])
        if points:
            self.assertIn(f"{name} {max(points)}", rankings[0])

    def test_a_name_that_one_device_gave_outlives_the_start_of_the_other(self):
        folder = scratch("renamed")
        first = self.open(folder)
        first.sign("Ada R")
        second = self.open(scratch("renamer"))
        second.join(first.code())
        second.rename("Eve R")
        first.kill()
        first = self.open(folder)
        first.post(5)
        self.assertEqual(first.calm(), "0")
        first.sign("Ada R")     # as games do at each start
        self.assertEqual((first.name(), second.name()), ("Eve R", "Eve R"))
        # A name that was asked for without a network is sent by the queue.
        self.proxy.target = None
        with self.assertRaisesRegex(Failed, "^askAgain$"):
            first.rename("Zoe R")
        self.proxy.target = self.server.port
        first.post(6)
        self.assertEqual(first.calm(), "0")
        self.assertEqual((first.name(), second.name()), ("Zoe R", "Zoe R"))

    def test_a_change_of_one_device_arrives_at_the_other(self):
        devices = [Driven(self.server.port, scratch(f"live-{number}")) for number in range(2)]
        for device in devices:
            self.addCleanup(device.kill)
        devices[0].sign("Eve")
        devices[1].join(devices[0].code())
        devices[1].follow()
        devices[0].level(7)
        devices[0].sync()
        for _ in range(500):
            if devices[1].arrivals() == "1":
                break
            threading.Event().wait(0.02)
        self.assertEqual(devices[1].state(), "7 0  none")
