"""Challenges, plans and awards with the clients of Clients: what one player does and others see."""
import shutil
import unittest

import test_engine_clients as clients
import v1
from engine_client import SHOWN_SECONDS_MAX, PlayersCase, start
from server import until

SHARES = [{"charity": "books", "share": 40}, {"charity": "tree-fund", "share": 60}]

server = None


def setUpModule():
    global server
    server = start("engine-clients-contests", "--friends", "codes", "--challenges", "friends", "--stake-max", "10",
                   "--plans", "on")
    for slug, name in (("tree-fund", "Tree Fund"), ("books", "Books")):
        server.verb("charity", "add", slug, "--name", name)


class EngineClient(PlayersCase):
    """What every client has to do."""

    def friends(self):
        ada, bob = self.player("Ada", 70), self.player("Bob", 50)
        bob.befriend(ada.makeFriendCode()["code"])
        return ada, bob

    def states(self, challenge):
        return [(entrant["name"], entrant["state"], entrant.get("rank")) for entrant in challenge["entrants"]]

    def test_friends_challenge_each_other(self):
        (ada, bob), eve = self.friends(), self.player("Eve", 60)
        self.refuses("not-friends", ada.challenge, self.board, [eve.player_id], {"days": 1})
        self.refuses("field", ada.challenge, self.board, [bob.player_id], {"days": 15})
        terms = {"days": 1, "id": v1.new_id()}
        made = ada.challenge(self.board, [bob.player_id], terms)
        self.assertEqual((made["id"], made["state"], made["answer"]), (terms["id"], "open", "entered"))
        self.assertEqual(ada.challenge(self.board, [bob.player_id], terms)["id"], made["id"], "the same again")
        self.refuses("id-reused", ada.challenge, self.board, [bob.player_id], terms | {"days": 2})
        self.refuses("not-found", eve.standings, made)

        told = [(each["id"], each["state"], each["answer"]) for each in bob.profile()["challenges"]]
        self.assertEqual(told, [(made["id"], "open", "invited")])
        listed = bob.challenges({"state": "open"})["rows"]
        self.assertEqual([(each["id"], each["by"]) for each in listed], [(made["id"], ada.player_id)])
        self.assertEqual(bob.challenges({"state": "settled"})["rows"], [])
        until(lambda: self.states(bob.enter(listed[0])) == [("Ada", "entered", 1), ("Bob", "entered", 2)],
              SHOWN_SECONDS_MAX, "both have entered")
        bob.settled(bob.post(self.board, 90))
        until(lambda: self.states(ada.standings(made)) == [("Bob", "entered", 1), ("Ada", "entered", 2)],
              SHOWN_SECONDS_MAX, "Bob leads")
        bob.decline(made)
        self.assertIn(("Bob", "left", None), self.states(ada.standings(made)))

    def test_a_challenge_with_a_stake_ends_with_its_season(self):
        ada, bob = self.friends()
        terms = {"days": 14, "stake": 5, "charity": "tree-fund"}
        self.refuses("field", ada.challenge, self.board, [bob.player_id], terms | {"stake": 11})
        made = ada.challenge(self.board, [bob.player_id], terms)
        self.assertEqual(made["stake"], 5)
        self.refuses("field", bob.enter, made)
        entered = bob.enter(made, {"charity": "books"})
        self.assertEqual({entrant["name"]: entrant["charity"] for entrant in entered["entrants"]},
                         {"Ada": "tree-fund", "Bob": "books"})
        server.verb("board", "reset", "--game", "maze", self.board)
        until(lambda: ada.standings(made)["state"] == "over", SHOWN_SECONDS_MAX, "it is over")
        self.refuses("challenge-over", bob.enter, made, {"charity": "books"})
        self.refuses("challenge-over", bob.decline, made)

    def test_a_player_has_a_plan(self):
        ada = self.player("Ada", 70)
        self.assertIsNone(ada.plan())
        self.refuses("not-found", ada.preview, 100)
        self.refuses("field", ada.setPlan, [{"charity": "nobody", "share": 1}], "day", {})
        made = ada.setPlan(SHARES[::-1], "week", {"keep": 5})
        self.assertEqual((made["shares"], made["every"], made["keep"], made["anonymous"]), (SHARES, "week", 5, False))
        self.assertEqual(ada.plan(), made)
        self.assertEqual(ada.profile()["plan"], {"next_on": made["next_on"]})
        self.assertEqual(ada.preview(100)["gifts"],
                         [{"charity": "books", "points": 40}, {"charity": "tree-fund", "points": 60}])
        self.assertEqual(ada.setPlan(SHARES, "week", {"keep": 5})["etag"], made["etag"], "the same again")
        self.refuses("stale", ada.setPlan, SHARES, "day", {})
        changed = ada.setPlan(SHARES, "day", {"anonymous": True, "etag": made["etag"]})
        self.assertEqual((changed["every"], changed["keep"], changed["anonymous"]), ("day", 0, True))
        self.refuses("stale", ada.endPlan, made["etag"])
        ada.endPlan(changed["etag"])
        self.assertIsNone(ada.plan())
        self.refuses("not-found", ada.endPlan, changed["etag"])

    def test_a_player_gets_an_award(self):
        slug = f"far-{v1.new_id()[:8]}"
        server.verb("award", "add", "--game", "maze", slug, "--name", "Far", "--text", "Reach 100 points.", "--rule",
                    "points", "--board", self.board, "--at-least", "100")
        ada = self.player("Ada", 70)

        def award(awards):
            return next(each for each in awards if each["award"] == slug)
        own = until(lambda: award(ada.awards()), SHOWN_SECONDS_MAX, "the award is there")
        self.assertEqual((own["name"], own["text"], own["times"], own["have"], own["need"]),
                         ("Far", "Reach 100 points.", 0, 70, 100))
        ada.settled(ada.post(self.board, 120))
        until(lambda: award(ada.awards())["times"] == 1, SHOWN_SECONDS_MAX, "she has it")
        self.assertEqual(ada.profile()["awards"], {"count": 1, "newest": slug})
        self.assertEqual([each["award"] for each in self.player("Bob", 50).profile(ada.player_id)["awards"]], [slug])
        until(lambda: award(ada.gameAwards())["given_to"] == 1, SHOWN_SECONDS_MAX, "everybody sees it")


@unittest.skipUnless(shutil.which("node"), "there is no node")
class JavaScript(EngineClient, unittest.TestCase):
    command = clients.JAVASCRIPT


@unittest.skipUnless(clients.HAS_MONO, "there is no mono")
class CSharp(EngineClient, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.command = clients.compile_csharp()
