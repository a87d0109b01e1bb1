"""A new package, made in an empty directory of what the library's documentation prints: its manifest names a product
that there is, and its code fits the library. Nightly it is built, and posts its first score."""
import json
import os
import re
import shutil
import subprocess
import unittest

import client
import server as servers
from repository import ROOT
from seeds import NIGHTLY
from server import Server, scratch

ARTICLE = os.path.join(ROOT, "Sources", "CauseboardClient", "CauseboardClient.docc", "GettingStarted.md")
BUILD = os.path.join(ROOT, ".build", "test-new-package")     # kept, because the library's own libraries take minutes
BUILD_SECONDS_MAX = 1_200
CHECK_SECONDS_MAX = 200

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

game = None     # the folder of the package


def setUpModule():
    """Writes the package."""
    global game
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


def swift(*arguments, seconds):
    """What a command of the toolchain printed."""
    done = subprocess.run(arguments, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=seconds)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(arguments)}: {done.stdout[-3000:]}{done.stderr[-1000:]}")
    return done.stdout


def manifest(folder):
    # A scratch path of its own, as another program may hold the lock of the usual one.
    return json.loads(swift("swift", "package", "--package-path", folder, "--scratch-path", scratch("manifests"),
                            "dump-package", seconds=CHECK_SECONDS_MAX))


class NewPackage(unittest.TestCase):
    def test_its_manifest_names_a_product_of_the_library(self):
        wanted = [dependency["product"][:2] for dependency in manifest(game)["targets"][0]["dependencies"]]
        products = [product["name"] for product in manifest(ROOT)["products"]]
        self.assertEqual(wanted, [["CauseboardClient", "causeboard"]])
        self.assertIn("CauseboardClient", products)

    def test_its_code_fits_the_library(self):
        modules = os.path.join(os.path.dirname(servers.binary()), "Modules")
        if not os.path.exists(os.path.join(modules, "CauseboardClient.swiftmodule")):
            self.skipTest("the library is not built beside the server")
        swift("swiftc", "-typecheck", "-swift-version", "6", "-I", modules,
              os.path.join(game, "Sources", "game", "main.swift"), seconds=CHECK_SECONDS_MAX)

    if NIGHTLY:
        def test_it_is_built_and_posts_its_first_score(self):
            swift("swift", "build", "--package-path", game, "--scratch-path", BUILD, seconds=BUILD_SECONDS_MAX)
            server = Server("new-package-server")
            self.addCleanup(server.stop)
            server.verb("game", "add", "maze", "--name", "Maze")
            server.verb("board", "add", "--game", "maze", "lap")
            played = subprocess.run([os.path.join(BUILD, "debug", "game"), f"http://127.0.0.1:{server.port}"],
                                    env=os.environ | {"HOME": scratch("home-of-a-player")}, capture_output=True,
                                    text=True, timeout=60)
            self.assertEqual(played.returncode, 0, played.stderr[-2000:])
            rows = client.get(server, "/v1/games/maze/boards/lap/top.json").json()["rows"]
            self.assertEqual([(row["name"], row["points"]) for row in rows], [("Ada", 61_500)])
