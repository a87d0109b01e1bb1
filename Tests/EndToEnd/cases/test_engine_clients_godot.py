"""The client for Godot 4, of which only the text is looked at."""
import os
import re
import subprocess
import unittest

import packages
import server as servers
from engine_client import CLIENTS

CLIENT = os.path.join(CLIENTS, "causeboard.gd")
# A client is one file, for which the rules of gdlint about small scripts do not fit.
RULES = """max-line-length: 120
max-file-lines: 2000
max-public-methods: 120
max-returns: 12
function-arguments-number: 10
"""


class Godot(unittest.TestCase):
    """There is no Godot 4 to run it with. This says only that it is GDScript, and has what the others have."""

    def check(self, program, *arguments):
        folder = servers.scratch("gdscript")
        with open(os.path.join(folder, "gdlintrc"), "w", encoding="utf-8") as f:
            f.write(RULES)
        programs = packages.installed("test-gdscript", "gdtoolkit==4.5.0")
        done = subprocess.run([os.path.join(programs, program), *arguments, CLIENT], cwd=folder, capture_output=True,
                              text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_it_can_be_parsed(self):
        self.check("gdparse")

    def test_it_keeps_to_the_rules_of_the_language(self):
        self.check("gdlint")

    def test_it_is_formatted(self):
        self.check("gdformat", "--check", "--line-length", "120")

    def test_it_has_every_call_of_the_others(self):
        with open(CLIENT, encoding="utf-8") as f:
            mine = set(re.findall(r"(?m)^(?:static )?func ([a-z]\w*)", f.read()))
        with open(os.path.join(CLIENTS, "causeboard.js"), encoding="utf-8") as f:
            code = f.read().partition("// MARK: sending the queue")[0]
        theirs = set(re.findall(r"(?m)^  (?:static )?(?:async )?([a-z]\w*)\(.*\{", code))
        self.assertGreater(len(theirs), 25)
        snake = {re.sub("([A-Z])", lambda match: "_" + match[1].lower(), name) for name in theirs}
        # A node is closed by freeing it and watched by its signals, only pages follow a ranking or a campaign, and of
        # these clients only the one in JavaScript saves.
        saving = {"saves", "load", "save", "delete_save", "follow_me"}
        following = {"follow", "follow_campaign"}
        self.assertEqual(snake - mine - saving, {"close", "watch", "constructor"} | following)
