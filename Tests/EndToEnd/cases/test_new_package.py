"""A new package, made in an empty directory of what the library's documentation prints, posts its first score."""
import os
import re
import shutil
import subprocess
import unittest

import client
from repository import ROOT
from server import Server, scratch

ARTICLE = os.path.join(ROOT, "Sources", "CauseboardClient", "CauseboardClient.docc", "GettingStarted.md")
BUILD = os.path.join(ROOT, ".build", "test-new-package")     # kept, because the library's own libraries take minutes
BUILD_SECONDS_MAX = 1_200

MANIFEST = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "game",
    platforms: [.macOS(.v15), .iOS(.v18)],
    dependencies: [PACKAGE],
    targets: [.executableTarget(name: "game", dependencies: [PRODUCT])]
)
"""
MAIN = """import CauseboardClient
import Foundation

let server = URL(string: CommandLine.arguments[1])!
CODE
while await board.queue.pending.count > 0 { try await Task.sleep(for: .milliseconds(20)) }
"""

program = None


def setUpModule():
    """Builds the package."""
    global program
    if shutil.which("swift") is None:
        raise unittest.SkipTest("there is no swift")
    with open(ARTICLE, encoding="utf-8") as f:
        article = f.read()
    package, product = re.search(r"```text\n(\.package\(.*\)),\n(\.product\(.*\)),\n```", article).groups()
    code = re.search(r"```swift\n(.*?)```", article, re.S)[1]
    # The repository is here, under the name that it has elsewhere.
    folder = scratch("new-package")
    os.symlink(ROOT, os.path.join(folder, "causeboard"))
    package = re.sub(r'url: "[^"]*", branch: "main"', 'path: "../causeboard"', package)
    game = os.path.join(folder, "game")
    os.makedirs(os.path.join(game, "Sources", "game"))
    with open(os.path.join(game, "Package.swift"), "w", encoding="utf-8") as f:
        f.write(MANIFEST.replace("PACKAGE", package).replace("PRODUCT", product))
    with open(os.path.join(game, "Sources", "game", "main.swift"), "w", encoding="utf-8") as f:
        f.write(MAIN.replace("CODE", code))
    built = subprocess.run(["swift", "build", "--package-path", game, "--scratch-path", BUILD], capture_output=True,
                           text=True, stdin=subprocess.DEVNULL, timeout=BUILD_SECONDS_MAX)
    if built.returncode != 0:
        raise AssertionError(f"the new package does not build: {built.stdout[-3000:]}{built.stderr[-1000:]}")
    program = os.path.join(BUILD, "debug", "game")


class NewPackage(unittest.TestCase):
    def test_it_posts_its_first_score(self):
        server = Server("new-package-server")
        self.addCleanup(server.stop)
        server.verb("game", "add", "maze", "--name", "Maze")
        server.verb("board", "add", "--game", "maze", "lap")
        home = scratch("home-of-a-player")
        played = subprocess.run([program, f"http://127.0.0.1:{server.port}"], env=os.environ | {"HOME": home},
                                capture_output=True, text=True, timeout=60)
        self.assertEqual(played.returncode, 0, played.stderr[-2000:])
        rows = client.get(server, "/v1/games/maze/boards/lap/top.json").json()["rows"]
        self.assertEqual([(row["name"], row["points"]) for row in rows], [("Ada", 61_500)])
