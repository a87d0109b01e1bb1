"""The version of the program is the same wherever it is shown, and the list of its packages is true."""
import json
import os
import re
import subprocess
import unittest

import client
import server as servers
from repository import ROOT, document
from server import Server

NUMBER = r"[0-9]+\.[0-9]+\.[0-9]+"


def run(*arguments):
    return subprocess.run([servers.binary(), *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=60)


def key(version):
    return [int(number) for number in version.split(".")]


class Versions(unittest.TestCase):
    def test_one_version_is_shown_everywhere(self):
        version = run("--version").stdout.strip()
        self.assertRegex(version, f"^{NUMBER}$")
        server = Server("version")
        self.addCleanup(server.stop)
        self.assertEqual(client.get(server.admin(), "/readyz").json()["version"], version)
        contract = client.get(server, "/openapi.yaml").text
        self.assertEqual(re.search(r"^info:\n(?:  .*\n)*?  version: (.+)$", contract, re.M)[1], version)
        for path in ("README.md", "Sources/causeboard/Causeboard.docc/Operating.md"):
            shown = re.findall(rf'\b[Vv]ersion"?[: ]+"?({NUMBER})', document(path))
            self.assertEqual(set(shown), {version}, path)

    def test_packages_are_listed_with_their_versions(self):
        first, *lines = run("--version", "--packages").stdout.splitlines()
        self.assertEqual(first, run("--version").stdout.strip())
        packages = dict(line.split(" ") for line in lines)
        self.assertEqual(list(packages), sorted(packages))
        for url, least in re.findall(r'\.package\(url: "([^"]+)", from: "([^"]+)"', document("Package.swift")):
            name = url.rsplit("/", 1)[1].removesuffix(".git").lower()
            self.assertGreaterEqual(key(packages[name]), key(least), name)
        if os.path.exists(os.path.join(ROOT, "Package.resolved")):
            pins = json.loads(document("Package.resolved"))["pins"]
            self.assertEqual(packages, {pin["identity"]: pin["state"]["version"] for pin in pins})

    def test_packages_alone_are_a_mistake_and_nothing_is_help(self):
        done = run("--packages")
        self.assertEqual(done.returncode, 64, done)
        self.assertIn("causeboard --version --packages", done.stderr)
        done = run()
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("USAGE: causeboard", done.stdout)
