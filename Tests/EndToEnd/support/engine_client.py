"""A client from Clients/ in a process of its own, and what its tests share."""
import json
import os
import queue
import signal
import subprocess
import threading
import unittest

import chaos
import server as servers
import v1
from repository import ROOT
from server import Server

CLIENTS = os.path.join(ROOT, "Clients")
PLAYERS = os.path.join(ROOT, "Tests", "EndToEnd", "clients")
ANSWER_SECONDS_MAX = 60
DICE = "0.02"       # of the jitter: waits of 20 ms, 40 ms, … in place of 1 s, 2 s, …
SHOWN_SECONDS_MAX = 30      # until other players see what one did


class Refused(Exception):
    """A call of the client was refused; `type` is the name of the problem."""

    def __init__(self, error):
        super().__init__(str(error))
        self.type = error["type"]
        self.again_at = error.get("again_at")


class Played:
    """A client in a process of its own, which does what it is told and answers, one line of JSON each."""

    def __init__(self, command, folder, port, environment):
        self.folder = folder
        self.process = subprocess.Popen([*command, f"http://127.0.0.1:{port}", "maze", folder], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env=os.environ | {"DICE": DICE} | environment)
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def __getattr__(self, name):
        return lambda *values: self.call(name, *values)

    def call(self, *words):
        self.process.stdin.write(json.dumps(words) + "\n")
        self.process.stdin.flush()
        try:
            line = self.lines.get(timeout=ANSWER_SECONDS_MAX)
        except queue.Empty:
            raise AssertionError(f"no answer to {words}") from None
        if line is None:
            raise AssertionError(f"the client ended at {words}: {self.process.stderr.read()[-2000:]}")
        said = json.loads(line)
        if "error" in said:
            raise Refused(said["error"])
        return said["value"]

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(10)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                stream.close()
            except OSError:
                pass


class EngineClientCase:
    """A mixin: a proxy before the server, and a folder in which the client keeps things."""

    server = None
    command = None          # starts the client; the server's URL, the game and a folder come after it

    def setUp(self):
        self.proxy = chaos.Chaos(self.server.port)
        self.addCleanup(self.proxy.__exit__)
        self.folder = servers.scratch(f"kept-{v1.new_id()}")

    def open(self, folder=None, **environment):
        played = Played(self.command, folder or self.folder, self.proxy.port, environment)
        self.addCleanup(played.kill)
        return played

    def signed_in(self, name="Ada", **environment):
        played = self.open(**environment)
        played.player_id = played.signIn(name)["id"]
        return played

    def token(self):
        with open(os.path.join(self.folder, "identity.json"), encoding="utf-8") as f:
            return json.load(f)["token"]

    def mine(self, kind="scores"):
        """What the server has of the player, oldest first."""
        answer = v1.call(self.server, "GET", f"/v1/players/me/{kind}?limit=100", who=self.token())
        self.assertEqual(answer.status, 200, answer)
        return answer.json()["rows"][::-1]

    def refuses(self, type, call, *values):
        with self.assertRaises(Refused) as caught:
            call(*values)
        self.assertEqual(caught.exception.type, type)


class PlayersCase(EngineClientCase):
    """Several players, each with a client of its own, on a board of the test."""

    board_settings = ()

    def setUp(self):
        super().setUp()
        self.board = f"lap-{v1.new_id()[:8]}"
        self.server.verb("board", "add", "--game", "maze", self.board, *self.board_settings)

    def player(self, name, points):
        played = self.open(servers.scratch(f"kept-{v1.new_id()}"))
        played.player_id = played.signIn(name)["id"]
        played.settled(played.post(self.board, points))
        return played


def start(name, *settings):
    """The server of a module, with the game `maze`. When the module ends, its books must balance."""
    server = EngineClientCase.server = Server(name)

    def finish():
        try:
            server.audit()
        finally:
            server.stop()
    unittest.addModuleCleanup(finish)
    server.verb("game", "add", "maze", "--name", "Maze", *settings)
    return server
