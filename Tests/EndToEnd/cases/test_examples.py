"""The examples of Clients.md and Signing.md, run as printed where their language is at hand, each against a server with
the tour's game, board and charity, and with a board that takes signed posts only.

Of a language that is not installed only its block's presence is checked; the tours are curl's example.
"""
import base64
import glob
import hashlib
import hmac
import json
import os
import re
import shutil
import signal
import subprocess
import unittest

import client
import server as servers
from repository import ROOT, article
from server import Server

server = None


def setUpModule():
    global server
    server = Server("examples")
    server.verb("game", "add", "maze", "--name", "Maze")
    server.verb("board", "add", "--game", "maze", "lap", "--order", "lowest", "--ties", "shared",
                "--zone", "Europe/Berlin", "--earns", "fixed:10")
    server.verb("board", "add", "--game", "maze", "sprint", "--order", "lowest", "--trust", "signed")
    server.verb("charity", "add", "tree-fund", "--name", "Tree Fund")


def tearDownModule():
    server.stop()


def blocks(language, count, name="Clients.md"):
    found = re.findall(rf"```{language}\n(.*?)```", article(name), re.S)
    if len(found) != count:
        raise AssertionError(f"{name} has {len(found)} blocks in {language}")
    return [code.replace("127.0.0.1:8080", f"127.0.0.1:{server.port}") for code in found]


def block(language, name="Clients.md"):
    return blocks(language, 1, name)[0]


def run(*command, stdin=None, cwd=None):
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=300, cwd=cwd)
    # Mono sometimes aborts while it ends its threads, after the program has printed everything.
    if done.returncode != 0 and not (command[0] == "mono" and done.returncode == -signal.SIGABRT):
        raise AssertionError(f"{command[0]} ended with {done.returncode}\n{done.stdout[-1000:]}{done.stderr[-2000:]}")
    return done.stdout


def needs(case, *programs):
    """Skips a test whose programs are not installed, which has found its block before."""
    for program in programs:
        if not shutil.which(program):
            case.skipTest(f"there is no {program}")


class Examples(unittest.TestCase):
    def ranked(self):
        return client.get(server, "/v1/games/maze/boards/lap/top.json").json()["of"]

    def test_javascript(self):
        code = block("js")
        needs(self, "node")
        before = self.ranked()
        printed = run("node", "--input-type=module", "-", stdin=code)
        self.assertRegex(printed, r"^Ada is number 1 of \d+, has 5 points left, and Ada leads\.\n$")
        self.assertEqual(self.ranked(), before + 1)

    def test_the_three_lines_of_the_client(self):
        three, saving = blocks("javascript", 2)
        needs(self, "node")
        before, folder = self.ranked(), servers.scratch("three-lines")
        shutil.copy(os.path.join(ROOT, "Clients", "causeboard.js"), os.path.join(folder, "causeboard.mjs"))
        with open(os.path.join(folder, "example.mjs"), "w", encoding="utf-8") as f:
            f.write('import { Causeboard } from "./causeboard.mjs";\n' + three + saving)
            f.write('while ((await board.pending()).length) await new Promise((done) => setTimeout(done, 50));\n')
            f.write('end(); console.log(await board.saves()); await board.close();\n')
        environment = os.environ | {"HOME": folder}
        done = subprocess.run(["node", "example.mjs"], cwd=folder, env=environment, capture_output=True, text=True,
                              timeout=200)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"slot: 'journey'")
        self.assertEqual(self.ranked(), before + 1)

    def test_csharp(self):
        code = block("csharp")
        needs(self, "mcs", "mono")
        folder = servers.scratch("csharp")
        with open(os.path.join(folder, "example.cs"), "w", encoding="utf-8") as f:
            f.write(code)
        before = self.ranked()
        run("mcs", "-r:System.Net.Http", "example.cs", cwd=folder)
        printed = run("mono", "example.exe", cwd=folder)
        self.assertRegex(printed, r'"left":5,')
        self.assertEqual(self.ranked(), before + 1)

    def test_gdscript(self):
        before = self.ranked()
        run_in_godot(self, block("gdscript"))
        self.assertEqual(self.ranked(), before + 1)


def run_in_godot(case, code):
    """Runs code in Godot, which has to print the points; skips the test when there is none."""
    godot = shutil.which("godot4") or shutil.which("godot")
    if not godot:
        case.skipTest("there is no godot")
    folder = servers.scratch("gdscript")
    with open(os.path.join(folder, "example.gd"), "w", encoding="utf-8") as f:
        f.write(code + "\tget_tree().quit()\n")
    with open(os.path.join(folder, "example.tscn"), "w", encoding="utf-8") as f:
        f.write('[gd_scene load_steps=2 format=3]\n[ext_resource type="Script" path="res://example.gd" id="1"]\n'
                '[node name="Example" type="Node"]\nscript = ExtResource("1")\n')
    with open(os.path.join(folder, "project.godot"), "w", encoding="utf-8") as f:
        f.write('config_version=5\n[application]\nconfig/name="example"\n'
                'run/main_scene="res://example.tscn"\n')
    printed = run(godot, "--headless", "--path", folder)
    if "61500" not in printed:
        raise AssertionError(printed[-2000:])


class SignedExamples(unittest.TestCase):
    """Each posts to a board that refuses what is not signed well. Where the language lets a test add a line, it also
    signs the article's example."""

    def setUp(self):
        self.before = self.ranked()
        found = re.search(
            r"^sign_key +(\S+)\nrequest +(\S+) (\S+)\nbody +(\S+)\nheader +(t=(\d+),v1=\S+)$",
            article("Signing.md"), re.M)
        (self.key, self.method, self.path, self.body, self.header, self.time) = found.groups()

    def ranked(self):
        return client.get(server, "/v1/games/maze/boards/sprint/top.json").json()["of"]

    def test_the_articles_example_is_right(self):
        text = "\n".join(["v1", self.method, self.path, self.time, hashlib.sha256(self.body.encode()).hexdigest()])
        key = base64.urlsafe_b64decode(self.key.removeprefix("cbs_") + "=")
        code = hmac.new(key, text.encode(), hashlib.sha256).hexdigest()
        self.assertEqual(f"t={self.time},v1={code}", self.header)

    def test_javascript(self):
        code = block("js", "Signing.md")
        needs(self, "node")
        code += f"""console.log(await signature("{self.key}", "{self.method}", "{self.path}", {self.time},
          '{self.body}'));\n"""
        self.assertEqual(run("node", "--input-type=module", "-", stdin=code), f"Posted 61500.\n{self.header}\n")
        self.assertEqual(self.ranked(), self.before + 1)

    def test_swift(self):
        """With the modules that were built for the server, as building swift-crypto anew takes minutes."""
        code = block("swift", "Signing.md")
        built = os.path.dirname(servers.binary())
        checkout = os.path.join(ROOT, ".build", "checkouts", "swift-crypto", "Sources", "CCryptoBoringSSL", "include")
        modules = os.path.join(built, "Modules")
        if not (shutil.which("swiftc") and os.path.exists(checkout)
                and os.path.exists(os.path.join(modules, "Crypto.swiftmodule"))):
            self.skipTest("there is no swiftc with the modules of the server")
        folder = servers.scratch("swift")
        with open(os.path.join(folder, "main.swift"), "w", encoding="utf-8") as f:
            key, method, path, body = (json.dumps(text) for text in (self.key, self.method, self.path, self.body))
            f.write(f"{code}print(signature({key}, {method}, {path}, {self.time}, Data({body}.utf8)))\n")
        parts = ("Crypto", "CryptoBoringWrapper", "CCryptoBoringSSL", "CCryptoBoringSSLShims", "CXKCP", "CXKCPShims")
        objects = [path for part in parts
                   for path in glob.glob(os.path.join(built, f"{part}.build", "**", "*.o"), recursive=True)]
        run("swiftc", "-swift-version", "6", "-o", "example", "main.swift", "-I", modules, "-Xcc", f"-I{checkout}",
            *objects, "-lstdc++", cwd=folder)
        self.assertEqual(run(os.path.join(folder, "example")), f"Posted 61500.\n{self.header}\n")
        self.assertEqual(self.ranked(), self.before + 1)

    def test_csharp(self):
        code = block("csharp", "Signing.md")
        needs(self, "mcs", "mono")
        folder = servers.scratch("signed-csharp")
        with open(os.path.join(folder, "example.cs"), "w", encoding="utf-8") as f:
            f.write(code)
        run("mcs", "-r:System.Net.Http", "example.cs", cwd=folder)
        self.assertIn('"points":61500,', run("mono", "example.exe", cwd=folder))
        self.assertEqual(self.ranked(), self.before + 1)

    def test_gdscript(self):
        code = block("gdscript", "Signing.md")
        # All that goes into a signature stands in the code, in its order.
        self.assertRegex(code, r'"\\n"\.join\(\["v1", method, path, str\(time\), body\.sha256_text\(\)\]\)')
        for part in ('"t=%d,v1=%s"', "HASH_SHA256", "base64_to_raw", "hex_encode", "substr(4)",
                     "Causeboard-Signature: "):
            self.assertIn(part, code)
        run_in_godot(self, code)
        self.assertEqual(self.ranked(), self.before + 1)
