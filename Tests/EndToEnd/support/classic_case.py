"""What the tests of the classic protocol share: a server with two charities, a phone, and how a refusal is checked."""
import unittest

import client
import feeds
from server import Server


def start(name):
    """What a module's setUpModule does: starts the server of its tests, which ends after them with balanced books and
    with feeds that can be read."""
    server = ClassicCase.server = Server(name, start=False)
    unittest.addModuleCleanup(end, server)
    server.furnish("classic", furniture)
    server.start()


def furniture(server):
    server.verb("game", "set", "default", "--salt", client.SALT)
    server.verb("charity", "add", "red-cross", "--name", "Red Cross")
    server.verb("charity", "add", "whales", "--name", "Save the Whales")


def end(server):
    try:
        server.audit()
        for path in ("/TopScores.xml", "/high_scores.xml"):
            feeds.well_formed(client.get(server, path).body)
    finally:
        server.stop()


class ClassicCase(unittest.TestCase):
    server = None
    maxDiff = 2000

    def setUp(self):
        self.phone = client.Phone(self.server)
        self.addCleanup(self.phone.close)

    def put(self, path, body, headers=(), method="PUT"):
        if isinstance(body, str):
            body = body.encode("utf-8")
        return client.request(self.server, method, path, headers, body)

    def everything(self):
        """What every public feed shows."""
        return [
            client.get(self.server, p).body
            for p in (
                "/TopScores.xml",
                "/high_scores.xml",
                "/v1/games/default/boards/high-scores/top.json",
                "/v1/charities.json",
            )
        ]

    def known(self, points=0, name="someone"):
        self.assertEqual(self.phone.register(name).status, 201)
        if points:
            self.assertEqual(self.phone.post(points).status, 201)
        return self.phone

    def refused(self, answer, status=422):
        self.assertEqual(answer.status, status, answer)
        root = answer.xml()
        self.assertEqual(root.tag, "errors")
        text = " ".join(e.text or "" for e in root.findall("error"))
        self.assertTrue(text.strip(), answer)
        for leak in ("SQL", "sqlstate", "SELECT", "INSERT", "constraint", "Sources/", ".swift", "relation ",
                     "PostgresError", "libpq"):
            self.assertNotIn(leak, text)
        return text

    def stays_the_same(self, action):
        before = self.everything()
        action()
        self.assertEqual(self.everything(), before)

    def name_of(self, body, path="/customers"):
        answer = self.put(path, body)
        self.assertEqual(answer.status, 201, f"{answer!r} to {body!r}")
        return answer.field("name")
