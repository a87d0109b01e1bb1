"""A start prints few lines: what was made, where the server listens, and what to open next."""
import unittest

import client
from server import Server, until

FIRST_LINES_MAX = 10
LATER_LINES_MAX = 6


class Starts(unittest.TestCase):
    def start_and_stop(self, server):
        """What a start and a stop print, apart from the last line."""
        before = len(server.log())
        server.start()
        until(lambda: "standings are loaded" in server.log()[before:], 60, "the standings are loaded")
        self.assertEqual(client.get(server, "/").status, 200)
        server.terminate()
        lines = server.log()[before:].splitlines()
        self.assertIn("stopped", lines[-1])
        return lines[:-1]

    def one(self, lines, words):
        found = [line for line in lines if words in line]
        self.assertEqual(len(found), 1, f"{words}: {lines}")
        return found[0]

    def test_a_first_start_is_quiet_and_a_later_one_more_so(self):
        server = Server("first-start", start=False, template=False)
        self.addCleanup(server.stop)
        lines = self.start_and_stop(server)
        self.assertLessEqual(len(lines), FIRST_LINES_MAX, lines)
        self.assertIn(f"directory={server.data}/", self.one(lines, "making the embedded database"))
        self.assertIn("migrations=", self.one(lines, "migrated"))
        self.assertIn(f"address=http://127.0.0.1:{server.port} ", self.one(lines, "[causeboard] serving"))
        self.assertIn(f"home=http://127.0.0.1:{server.port}/ ", self.one(lines, "open its home page"))
        lines = self.start_and_stop(server)
        self.assertLessEqual(len(lines), LATER_LINES_MAX, lines)
        self.assertIn(f"address=http://127.0.0.1:{server.port} ", self.one(lines, "[causeboard] serving"))
        for words in ("making", "migrated", "home="):
            self.assertFalse([line for line in lines if words in line], lines)

    def test_the_demo_ends_with_the_address_of_the_home_page(self):
        for name, setting, expected in (
            ("port", {"CAUSEBOARD_PORT": "8123", "CAUSEBOARD_HOST": "0.0.0.0"}, "http://127.0.0.1:8123/"),
            ("public", {"CAUSEBOARD_PUBLIC_URL": "https://scores.example.org"}, "https://scores.example.org"),
        ):
            server = Server(f"demo-{name}", start=False, environment=setting)
            self.addCleanup(server.stop)
            printed = server.verb("demo", "--players", "60", "--seed", "7").splitlines()
            self.assertEqual(len(printed), 2, printed)
            self.assertEqual(printed[-1].split()[-1], expected)
