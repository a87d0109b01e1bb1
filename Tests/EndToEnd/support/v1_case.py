"""What the tests of v1's routes share: a server with two games and two charities, and how an answer is checked."""
import unittest

import client
import v1
from server import Server

STAMP = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$"


def start(name):
    """What a module's setUpModule does: starts the server of its tests, which ends after them with balanced books."""
    server = V1Case.server = Server(name, start=False)
    unittest.addModuleCleanup(end, server)
    V1Case.key, V1Case.other_key = server.furnish("v1", furniture)
    server.start()


def furniture(server):
    """Adds what these tests play with; returns the keys of both games."""
    for game in ("quiz", "chess"):
        server.verb("game", "add", game, "--name", game.title())
        server.verb("board", "add", "--game", game, "solo")
    server.verb("charity", "add", "red-cross", "--name", "Red Cross", "--goal", "1000")
    server.verb("charity", "add", "oxfam", "--name", "Oxfam")
    return v1.make_key(server, "quiz"), v1.make_key(server, "chess")


def end(server):
    try:
        server.audit()
    finally:
        server.stop()


def score(id, game="quiz", board="solo"):
    return f"/v1/games/{game}/boards/{board}/scores/{id}"


def donation(id, charity="red-cross"):
    return f"/v1/charities/{charity}/donations/{id}"


class V1Case(unittest.TestCase):
    server = None
    key = None          # of quiz
    other_key = None    # of chess
    maxDiff = 3000

    def player(self, name="Ada", game="quiz", **fields):
        return v1.Player(self.server, game, name, **fields)

    def call(self, method, path, body=None, **more):
        return v1.call(self.server, method, path, body, **more)

    def problem(self, answer, status, type=None):
        self.assertEqual(answer.status, status, answer)
        self.assertEqual(answer.media, "application/problem+json")
        body = answer.json()
        self.assertEqual(body["status"], status)
        self.assertGreater(len(body["detail"]), 10, body)
        self.assertTrue(body["type"].startswith("/problems/"), body)
        self.assertEqual(answer["access-control-allow-origin"], "*")
        self.assertNotRegex(answer.text, r"(?i)select |postgres|sqlstate|\.swift|constraint")
        self.assertNotIn("public", answer["cache-control"] or "", "an error that a cache would keep")
        if type:
            self.assertEqual(body["type"], "/problems/" + type, body)
        if status == 401:
            self.assertRegex(answer["www-authenticate"] or "", r"^Bearer\b")
        return body

    def private(self, answer, status):
        self.assertEqual(answer.status, status, answer)
        self.assertEqual(answer["cache-control"], v1.PRIVATE)
        return answer.json()

    def public(self, path, status=200):
        answer = client.get(self.server, path)
        self.assertEqual(answer.status, status, f"{path}: {answer!r}")
        self.assertEqual(answer["cache-control"], v1.PUBLIC)
        return answer.json()
