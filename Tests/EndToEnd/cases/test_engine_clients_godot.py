"""The client for Godot 4, of which only the text is looked at."""
import os
import re
import subprocess
import unittest

import packages
from engine_client import CLIENTS


class Godot(unittest.TestCase):
    """There is no Godot 4 to run it with, so this says only that it is GDScript, and has what the others have."""

    def test_it_can_be_parsed_and_has_every_call_of_the_others(self):
        path = os.path.join(CLIENTS, "causeboard.gd")
        programs = packages.installed("test-gdscript", "gdtoolkit==4.5.0")
        done = subprocess.run([os.path.join(programs, "gdparse"), path], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        with open(path, encoding="utf-8") as f:
            mine = set(re.findall(r"(?m)^(?:static )?func ([a-z]\w*)", f.read()))
        with open(os.path.join(CLIENTS, "causeboard.js"), encoding="utf-8") as f:
            code = f.read().partition("// MARK: sending the queue")[0]
        theirs = set(re.findall(r"(?m)^  (?:static )?(?:async )?([a-z]\w*)\(.*\{", code))
        self.assertGreater(len(theirs), 25)
        snake = {re.sub("([A-Z])", lambda match: "_" + match[1].lower(), name) for name in theirs}
        # A node is closed by freeing it and watched by its signals, only pages follow a ranking, and of these clients
        # only the one in JavaScript saves.
        saving = {"saves", "load", "save", "delete_save", "follow_me"}
        self.assertEqual(snake - mine - saving, {"close", "watch", "follow", "constructor"})
