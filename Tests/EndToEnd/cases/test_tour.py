"""The printed tours, each run as printed on a server of its own: the ```sh blocks in order in one bash, and what the
document says they print.

A tour is a `##` section with that word in its heading, in README.md or an article. It runs from the top of the checkout
with `causeboard` on PATH, CAUSEBOARD_DATA set to the server's data directory and 127.0.0.1:8080 and :8081 replaced by
the test server's addresses. A line that puts the release build on PATH has been carried out by then and is left out. A
```text, ```xml, ```json, ```csv or ```html block right after an ```sh block is that block's output; `...` or `…` in it
stands for anything.
"""
import os
import re
import subprocess
import unittest

import client
import server as servers
from repository import ARTICLES, ROOT, document
from server import Server

# How many tours each document has; no other document has any.
TOURS = {"README.md": 1, f"{ARTICLES}/API.md": 1, f"{ARTICLES}/ClassicProtocol.md": 1, f"{ARTICLES}/Friends.md": 1,
         f"{ARTICLES}/Challenges.md": 1, f"{ARTICLES}/Moderation.md": 2}


def documents():
    """README.md and every article, as paths from the top of the checkout."""
    articles = sorted(name for name in os.listdir(os.path.join(ROOT, ARTICLES)) if name.endswith(".md"))
    return ["README.md", *(f"{ARTICLES}/{name}" for name in articles)]


def tours(path):
    """[(heading, [(commands, expected output or None)])] of the sections whose headings speak of a tour."""
    lines = document(path).splitlines()
    found, blocks, fence = [], None, None
    for line in lines:
        if fence is None and (heading := re.match(r"##\s+(.*)", line)):
            blocks = [] if "tour" in heading[1].lower() else None
            if blocks is not None:
                found.append((heading[1], blocks))
        elif blocks is None:
            continue
        elif fence is None and (opened := re.match(r"```(\w*)\s*$", line)):
            fence = (opened[1], [])
        elif fence is None and line.strip() and blocks:
            blocks.append(("prose", ""))
        elif fence is not None and line.startswith("```"):
            blocks.append((fence[0], "\n".join(fence[1])))
            fence = None
        elif fence is not None:
            fence[1].append(line)
    return [(heading, steps(blocks)) for heading, blocks in found]


def steps(blocks):
    if not any(kind == "sh" for kind, _ in blocks):
        raise AssertionError("a tour has no ```sh blocks")
    found = []
    for i, (kind, text) in enumerate(blocks):
        if kind == "sh":
            after = blocks[i + 1] if i + 1 < len(blocks) else ("", "")
            found.append((text, after[1] if after[0] in ("text", "xml", "json", "csv", "html") else None))
    return found


def matches(expected, got):
    parts = re.split(r"(\.\.\.|…)", expected.strip())
    pattern = "".join(".*" if part in ("...", "…") else re.escape(part) for part in parts)
    return re.fullmatch(pattern, got.strip(), re.S)


class Tours(unittest.TestCase):
    def test_every_tour_works_as_printed(self):
        found = {name: tours(name) for name in documents()}
        self.assertEqual({name: len(found[name]) for name in found if found[name]}, TOURS)
        printed = [(name, *tour) for name in found for tour in found[name]]
        for number, (name, heading, steps) in enumerate(printed):
            with self.subTest(f"{name}: {heading}"):
                server = Server(f"tour-{number}", start=False)
                try:
                    server.start("--limits", "on")      # as whoever follows it has them
                    self.walk(server, steps)
                    self.assertEqual(client.get(server, "/readyz").status, 200)
                    server.audit()
                finally:
                    server.stop()

    def walk(self, server, steps):
        script, admin = ["set -e"], f"127.0.0.1:{server.admin().port}"
        for n, (commands, _) in enumerate(steps):
            kept = [line for line in commands.splitlines() if not re.match(r"\s*export PATH=", line)]
            for before, line in zip(["", *kept], kept):
                # The server shows within two seconds what another process, such as a command, has written. A reader
                # who types takes longer than it does.
                if line.startswith("curl ") and not before.startswith("curl "):
                    script.append("sleep 0.5")
                script.append(
                    line.replace("127.0.0.1:8080", f"127.0.0.1:{server.port}").replace("127.0.0.1:8081", admin))
            script.append(f"printf '\\n--- end of block {n}\\n'")
        bin = servers.scratch("bin")
        link = os.path.join(bin, "causeboard")
        if not os.path.lexists(link):
            os.symlink(servers.binary(), link)
        path = bin + os.pathsep + os.environ["PATH"]
        done = subprocess.run(
            ["bash", "-c", "\n".join(script)], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100,
            cwd=ROOT, env=servers.clean_environment(CAUSEBOARD_DATA=server.data, PATH=path))
        pieces = re.split(r"\n--- end of block \d+\n", done.stdout.replace("\r", ""))
        # What comes after the block where it stopped did not run.
        for n, (commands, expected) in enumerate(steps[:len(pieces)]):
            with self.subTest(block=n):
                self.assertLess(
                    n, len(pieces) - 1,
                    f"the tour stopped with status {done.returncode} in\n{commands}\nafter printing\n"
                    f"{''.join(pieces[n:n + 1])}{done.stderr[-1500:]}")
                if expected is not None:
                    printed = pieces[n].replace(f"127.0.0.1:{server.port}", "127.0.0.1:8080")
                    lines = lambda text: "\n".join(l.rstrip() for l in text.strip().splitlines())
                    if not matches(lines(expected), lines(printed)):
                        self.assertEqual(lines(printed), lines(expected), f"\nof\n{commands}")
