"""Campaigns with the clients of Clients: an operator adds them, and players donate, enter and look."""
import datetime
import shutil
import unittest

import admin
import server as servers
import test_engine_clients as clients
import v1
from engine_client import EngineClientCase
from server import Server, until

SHOWN_SECONDS_MAX = 30

server = operator = None


def setUpModule():
    global server, operator
    server = EngineClientCase.server = Server("engine-clients-campaigns")
    unittest.addModuleCleanup(finish)
    server.verb("game", "add", "maze", "--name", "Maze", "--teams", "codes")
    server.verb("game", "add", "chess", "--name", "Chess")
    server.verb("board", "add", "--game", "chess", "blitz")
    server.verb("charity", "add", "tree-fund", "--name", "Tree Fund")
    operator = admin.Operator(server.admin(), admin.make_key(server))


def finish():
    try:
        server.audit()
    finally:
        server.stop()


def day(number):
    """The day so many days from now, in UTC."""
    return (datetime.datetime.now(datetime.timezone.utc).date() + datetime.timedelta(days=number)).isoformat()


def campaign(first=-1, last=6, **settings):
    """The slug of a new campaign, which is open unless it is said."""
    slug = f"wells-{v1.new_id()[:8]}"
    made = operator.add(f"campaigns/{slug}", {"first_day": day(first), "last_day": day(last)} | settings)
    assert made.status == 201, made
    return slug


class EngineClient(EngineClientCase):
    """What every client has to do."""

    def setUp(self):
        super().setUp()
        self.board = f"lap-{v1.new_id()[:8]}"
        server.verb("board", "add", "--game", "maze", self.board)

    def player(self, name, points):
        played = self.open(servers.scratch(f"kept-{v1.new_id()}"))
        played.player_id = played.signIn(name)["id"]
        played.settled(played.post(self.board, points))
        return played

    def rows(self, read, *names):
        return [tuple(row.get(name) for name in names) for row in read["rows"]]

    def test_donations_move_a_campaign_to_its_milestones(self):
        fund = f"fund-{v1.new_id()[:8]}"
        self.assertEqual(operator.add(f"charities/{fund}", {"name": fund}).status, 201)
        milestones = [{"points": 20, "name": "A bucket"}, {"points": 60, "name": "A pump"}]
        slug = campaign(name="Wells", charity=fund, goal=100, milestones=milestones)
        ada, bob = self.player("Ada", 70), self.player("Bob", 50)
        ada.makeTeam(f"Red {slug}")
        before = until(lambda: ada.campaign(slug), SHOWN_SECONDS_MAX, "the campaign is there")
        self.assertEqual([before[name] for name in ("name", "charity", "state", "final", "goal", "points", "to_next")],
                         ["Wells", fund, "open", False, 100, 0, 20])
        self.assertEqual(before["milestones"], milestones)
        for played, points in ((ada, 30), (bob, 4)):
            self.assertEqual(played.settled(played.donate(fund, points))["state"], "sent")
        now = until(lambda: (seen := bob.campaign(slug))["points"] == 34
                    and seen["milestones"][0].get("reached_at") and seen, SHOWN_SECONDS_MAX, "a milestone is reached")
        self.assertEqual([now[name] for name in ("progress", "contributors", "to_next")], [34, 2, 26])
        self.assertNotIn("reached_at", now["milestones"][1])
        until(lambda: self.rows(ada.campaignTop(slug), "rank", "name", "points") == [(1, "Ada", 30), (2, "Bob", 4)],
              SHOWN_SECONDS_MAX, "who donated is ranked")
        until(lambda: self.rows(bob.campaignTeams(slug), "name", "points") == [(f"Red {slug}", 30)],
              SHOWN_SECONDS_MAX, "and so are teams")
        for call in (ada.campaign, ada.campaignTop, ada.campaignTeams):
            self.refuses("not-found", call, "no-such-wells")

    def test_campaigns_are_listed(self):
        soon, late = campaign(charity="tree-fund"), campaign(first=2, last=300, game="maze", board=self.board)
        ada = self.open()
        page = until(lambda: (page := ada.campaigns())["of"] >= 2 and page, SHOWN_SECONDS_MAX, "both are there")
        found = {row["slug"]: row for row in page["rows"]}
        self.assertEqual((found[soon]["state"], found[soon]["charity"]), ("open", "tree-fund"))
        self.assertEqual([found[late][name] for name in ("state", "game", "board", "season")],
                         ["coming", "maze", self.board, 1])
        self.assertLess(list(found).index(late), list(found).index(soon), "those that end last come first")
        self.assertNotIn("points", found[soon])
        self.assertEqual(ada.campaigns({"from": 2})["rows"], page["rows"][1:])
        self.assertEqual(ada.campaigns({"from": page["of"] + 1})["rows"], [])

    def test_players_are_compared_in_cohorts(self):
        slug = campaign(game="maze", board=self.board, cohort=2)
        ada, bob, eve = self.player("Ada", 70), self.player("Bob", 50), self.player("Eve", 60)
        self.refuses("not-found", ada.cohort, slug)
        self.assertEqual(ada.enterCampaign(slug), {"cohort": 1, "of": 2})
        self.assertEqual(ada.enterCampaign(slug), {"cohort": 1, "of": 2}, "the same place again")
        self.assertEqual(bob.enterCampaign(slug), {"cohort": 1, "of": 2})
        self.assertEqual(eve.enterCampaign(slug), {"cohort": 2, "of": 2})
        until(lambda: self.rows(ada.cohort(slug), "name", "rank", "among") == [("Ada", 1, 1), ("Bob", 3, 2)],
              SHOWN_SECONDS_MAX, "both of the cohort are ranked")
        self.assertEqual(ada.cohort(slug)["among"], "cohort")
        self.assertEqual(self.rows(bob.cohort(slug, {"from": 2}), "name"), [("Bob",)])
        self.assertEqual(self.rows(eve.cohort(slug), "name", "among"), [("Eve", 1)])
        self.refuses("not-found", ada.campaignTeams, slug)

    def test_not_everybody_can_enter(self):
        ada = self.player("Ada", 70)
        self.refuses("not-found", ada.enterCampaign, "no-such-wells")
        self.refuses("forbidden", ada.enterCampaign, campaign(charity="tree-fund"))
        self.refuses("forbidden", ada.enterCampaign, campaign(game="chess", board="blitz", cohort=2))
        self.refuses("challenge-over", ada.enterCampaign, campaign(-9, -2, charity="tree-fund", cohort=2))
        newcomer = self.open()
        self.refuses("signed-out", newcomer.enterCampaign, campaign(charity="tree-fund", cohort=2))


@unittest.skipUnless(shutil.which("node"), "there is no node")
class JavaScript(EngineClient, unittest.TestCase):
    command = clients.JAVASCRIPT


@unittest.skipUnless(clients.HAS_MONO, "there is no mono")
class CSharp(EngineClient, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.command = clients.compile_csharp()
