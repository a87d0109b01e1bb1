"""What the clients in Clients/ store: with a full disk, and in the folder that the game names."""
import contextlib
import os
import resource
import shutil
import time
import unittest

import test_engine_clients as clients
import v1
from engine_client import EngineClientCase, start
from server import until

server = None


def setUpModule():
    global server
    server = start("engine-clients-disk")
    server.verb("board", "add", "--game", "maze", "lap")
    server.verb("board", "add", "--game", "maze", "signed", "--trust", "signed")
    server.verb("charity", "add", "tree-fund", "--name", "Tree Fund", "--goal", "1000000")


class EngineClient(EngineClientCase):
    """What every client has to do."""

    @contextlib.contextmanager
    def full_disk(self, played, name, room=0):
        """Until this ends the process cannot make any file longer than this one is, and so many bytes."""
        path = os.path.join(self.folder, name)
        size = os.path.getsize(path) if os.path.exists(path) else 0
        _, most = resource.prlimit(played.process.pid, resource.RLIMIT_FSIZE, (size + room, resource.RLIM_INFINITY))
        try:
            yield
        finally:
            resource.prlimit(played.process.pid, resource.RLIMIT_FSIZE, (most, most))

    def test_a_full_disk_takes_nothing_from_what_comes_after(self):
        self.proxy.target = None
        played = self.open()
        self.assertIsNone(played.signIn("Ada"))
        kept = [played.post("lap", 1)]
        path = os.path.join(self.folder, "queue.jsonl")
        for room in (30, 0, 1):
            before = os.path.getsize(path)
            with self.full_disk(played, "queue.jsonl", room):
                self.refuses("not-stored", played.post, "lap", 2)
                self.assertEqual(os.path.getsize(path), before, "no piece of a line stays")
            kept.append(played.post("lap", 3))
        self.assertEqual(played.pending(), kept)
        played.kill()
        played = self.open()
        self.assertEqual(played.pending(), kept)
        self.proxy.target = server.port
        self.assertEqual([played.settled(played.post("lap", 4))["state"], len(self.mine())], ["sent", 5])

    def test_a_token_that_cannot_be_kept_is_not_used(self):
        played = self.open()
        with self.full_disk(played, "identity.json", 20):
            self.refuses("not-stored", played.signIn, "Ada")
            played.retry()
            time.sleep(0.5)
            self.assertEqual(self.proxy.seen, [])
        self.assertEqual(played.signIn("Ada")["name"], "Ada")
        with open(os.path.join(self.folder, "identity.json"), encoding="utf-8") as f:
            before = f.read()
        with self.full_disk(played, "queue.jsonl", 20):
            self.refuses("not-stored", played.rotateToken)
        with open(os.path.join(self.folder, "identity.json"), encoding="utf-8") as f:
            self.assertEqual(f.read(), before, "the good file is still there")
        self.assertEqual(played.settled(played.post("lap", 5))["state"], "sent")


@unittest.skipUnless(shutil.which("node"), "there is no node")
class JavaScript(EngineClient, unittest.TestCase):
    command = clients.JAVASCRIPT


@unittest.skipUnless(clients.HAS_MONO, "there is no mono")
class CSharp(EngineClient, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.command = clients.compile_csharp()

    def test_the_token_is_kept_where_the_game_says(self):
        self.signed_in().kill()
        file, chest = os.path.join(self.folder, "identity.json"), os.path.join(self.folder, "chest")
        token = self.token()
        played = self.open(SECRETS=chest)
        self.assertEqual(played.player()["name"], "Ada", "the store has taken over what was in the file")
        self.assertFalse(os.path.exists(file))
        played.rotateToken()
        until(lambda: v1.call(server, "GET", "/v1/players/me", who=token).status == 401, 30, "the token has changed")
        played.kill()
        played = self.open(SECRETS=chest)
        self.assertEqual(played.settled(played.post("signed", 26))["state"], "sent")
        self.assertFalse(os.path.exists(file))
        with open(chest, encoding="utf-8") as f:
            self.assertNotIn("cbd_", f.read())

    @unittest.skipUnless(shutil.which("strace"), "there is no strace")
    def test_a_new_file_is_on_the_disk_with_its_name(self):
        self.command = ("strace", "-f", "-y", "-e", "trace=fsync,rename", "-o", f"{self.folder}.calls", *self.command)
        played = self.open()
        self.proxy.target = None
        self.assertIsNone(played.signIn("Ada"))
        played.process.stdin.close()
        played.process.wait(30)
        with open(f"{self.folder}.calls", encoding="utf-8") as f:
            calls = f.read().splitlines()
        for call, on in (("fsync(", "identity.json.new>"), ("rename(", "identity.json.new"),
                         ("fsync(", self.folder + ">")):
            found = next((number for number, line in enumerate(calls) if call in line and on in line), None)
            self.assertIsNotNone(found, f"{call}…{on} after what came before, in {calls}")
            calls = calls[found + 1:]
