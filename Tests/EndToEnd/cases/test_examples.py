"""The examples of Clients.md, run as printed where their language is at hand, each against a server with the tour's
game, board and charity.

Of a language that is not installed only its block's presence is checked; the tours are curl's example.
"""
import os
import re
import shutil
import subprocess
import unittest

import client
import server as servers
from server import Server

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
server = None


def setUpModule():
    global server
    server = Server("examples")
    server.verb("game", "add", "maze", "--name", "Maze")
    server.verb("board", "add", "--game", "maze", "lap", "--order", "lowest", "--ties", "shared",
                "--zone", "Europe/Berlin", "--earns", "fixed:10")
    server.verb("charity", "add", "tree-fund", "--name", "Tree Fund")


def tearDownModule():
    server.stop()


def block(language):
    with open(os.path.join(TOP, "Sources", "causeboard", "Causeboard.docc", "Clients.md"), encoding="utf-8") as f:
        found = re.findall(rf"```{language}\n(.*?)```", f.read(), re.S)
    if len(found) != 1:
        raise AssertionError(f"Clients.md has {len(found)} blocks in {language}")
    return found[0].replace("127.0.0.1:8080", f"127.0.0.1:{server.port}")


def run(*command, stdin=None, cwd=None):
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=100, cwd=cwd)
    if done.returncode != 0:
        raise AssertionError(f"{command[0]} ended with {done.returncode}\n{done.stdout[-1000:]}{done.stderr[-2000:]}")
    return done.stdout


class Examples(unittest.TestCase):
    def ranked(self):
        return client.get(server, "/v1/games/maze/boards/lap/top.json").json()["of"]

    def test_javascript(self):
        code = block("js")
        if not shutil.which("node"):
            return
        before = self.ranked()
        printed = run("node", "--input-type=module", "-", stdin=code)
        self.assertRegex(printed, r"^Ada is number 1 of \d+, has 5 points left, and Ada leads\.\n$")
        self.assertEqual(self.ranked(), before + 1)

    def test_csharp(self):
        code = block("csharp")
        if not (shutil.which("mcs") and shutil.which("mono")):
            return
        folder = servers.scratch("csharp")
        with open(os.path.join(folder, "example.cs"), "w", encoding="utf-8") as f:
            f.write(code)
        before = self.ranked()
        run("mcs", "-r:System.Net.Http", "example.cs", cwd=folder)
        printed = run("mono", "example.exe", cwd=folder)
        self.assertRegex(printed, r'"left":5,')
        self.assertEqual(self.ranked(), before + 1)

    def test_gdscript(self):
        code = block("gdscript")
        godot = shutil.which("godot4") or shutil.which("godot")
        if not godot:
            return
        folder = servers.scratch("gdscript")
        with open(os.path.join(folder, "example.gd"), "w", encoding="utf-8") as f:
            f.write(code + "\tget_tree().quit()\n")
        with open(os.path.join(folder, "example.tscn"), "w", encoding="utf-8") as f:
            f.write('[gd_scene load_steps=2 format=3]\n[ext_resource type="Script" path="res://example.gd" id="1"]\n'
                    '[node name="Example" type="Node"]\nscript = ExtResource("1")\n')
        with open(os.path.join(folder, "project.godot"), "w", encoding="utf-8") as f:
            f.write('config_version=5\n[application]\nconfig/name="example"\n'
                    'run/main_scene="res://example.tscn"\n')
        before = self.ranked()
        self.assertIn("61500", run(godot, "--headless", "--path", folder))
        self.assertEqual(self.ranked(), before + 1)
