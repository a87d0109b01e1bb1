"""Campaigns over HTTP in two processes: documents, feeds, pages and streams follow settings and donations, and players
who enter are compared in cohorts."""
import datetime
import unittest

import admin
import client
import v1
from joined import Joined
from live import Stream
from promtool import metric
from server import Server, until

SEEN_SECONDS_MAX = 10
CAMPAIGN = "/v1/campaigns/winter"
FORMATS = ("xml", "plist", "json", "csv", "atom", "html")
first = second = root = None


def day(ahead):
    return (datetime.datetime.now(datetime.timezone.utc).date() + datetime.timedelta(days=ahead)).isoformat()


def setUpModule():
    global first, second, root
    first = Server("campaigns")
    first.verb("game", "add", "quiz", "--name", "Quiz", "--teams", "codes")
    first.verb("board", "add", "--game", "quiz", "solo", "--policy", "sum", "--teams", "sum")
    first.verb("charity", "add", "water", "--name", "Water")
    second = Joined("campaigns-beside", first)
    root = admin.Operator(first.admin(), admin.make_key(first, admin.ALL))
    for server in (first, second):
        until(lambda: metric(server, "standings_loaded") == 1, 60, "ranks come from memory")
    settings = {
        "name": "Winter of wells", "text": "For <wells>", "charity": "water", "first_day": day(-1), "last_day": day(1),
        "goal": 40, "milestones": [{"points": 5, "name": "A pump"}, {"points": 20, "name": "A well"}],
    }
    added = root.add("campaigns/winter", settings)
    assert added.status == 201, added
    race = {"game": "quiz", "board": "solo", "first_day": day(-1), "last_day": day(1), "cohort": 2}
    assert root.add("campaigns/race", race).status == 201


def tearDownModule():
    second.stop()
    try:
        first.audit()
    finally:
        first.stop()


def get(path, server=None, status=200):
    answer = client.get(server or second, path)
    assert answer.status == status, answer
    return answer


def change(slug, body):
    path = f"campaigns/{slug}"
    answer = root.change(path, body, root.get(path)["etag"])
    assert answer.status == 200, answer


class Campaigns(unittest.TestCase):
    maxDiff = 3000

    def seen(self, what, is_there):
        for server in (first, second):
            until(lambda: is_there(server), SEEN_SECONDS_MAX, what)

    def donate(self, player, points, **more):
        answer = player.donate("water", points, **more)
        self.assertEqual(answer.status, 201, answer)

    def test_what_everybody_sees_follows_donations_and_settings(self):
        stream = Stream(second, f"{CAMPAIGN}/live")
        self.addCleanup(stream.close)
        ada = v1.Player(first, "quiz", "Ada")
        self.assertEqual(ada.post("solo", 100).status, 201)
        for paths in (CAMPAIGN, f"{CAMPAIGN}/top.json", f"{CAMPAIGN}/teams/top.json"):
            for _ in range(2):
                self.assertIn(client.get(second, paths).status, (200, 404))
        before = get(CAMPAIGN).json()["points"]
        self.donate(ada, 6)
        self.donate(ada, 2, anonymous=True)
        self.seen("the donations", lambda server: get(CAMPAIGN, server).json()["points"] == before + 8)
        self.seen("the pump", lambda server: "reached_at" in get(CAMPAIGN, server).json()["milestones"][0])
        shown = get(CAMPAIGN).json()
        self.assertEqual((shown["state"], shown["progress"], shown["contributors"]), ("open", 20.0, 1))
        self.assertEqual(shown["to_next"], 12)
        self.assertNotIn("reached_at", shown["milestones"][1])
        rows = get(f"{CAMPAIGN}/top.json").json()["rows"]
        self.assertEqual([(row["name"], row["points"]) for row in rows], [("Ada", 6), ("Anonymous", 2)])
        self.assertIn("Winter of wells", get("/campaigns").text)
        self.assertIn("For &lt;wells&gt;", get("/campaigns/winter").text)
        for name in FORMATS:
            self.assertIn("Winter of wells", get(f"/v1/campaigns.{name}").text)
        stream.until(lambda event: event["event"] == "campaign" and f'"points": {before + 8}' in event["data"]
                     or f'"points":{before + 8}' in event["data"])
        stream.until(lambda event: event["event"] == "top" and "Anonymous" in event["data"])
        # Each of them shows other days at once in this process, and soon in the other.
        change("winter", {"last_day": day(3), "goal": 80, "milestones": [{"points": 30, "name": "Two wells"}]})
        self.seen("the other days", lambda server: all((
            get(CAMPAIGN, server).json()["last_day"] == day(3),
            len(get(CAMPAIGN, server).json()["milestones"]) == 3,
            get(f"{CAMPAIGN}/top.json", server).json()["window"].endswith(day(3)),
            get("/v1/campaigns.json", server).json()["rows"][0]["goal"] == 80,
            "Two wells" in get("/campaigns/winter", server).text)))

    def test_players_who_enter_are_compared_in_cohorts(self):
        players = [v1.Player(first, "quiz", name) for name in ("Bob", "Cy", "Dee")]
        for points, player in enumerate(players, 3):
            self.assertEqual(player.post("solo", points).status, 201)
        cohorts = []
        for player in players:
            answer = player.call("PUT", "/v1/campaigns/race/entry")
            self.assertEqual(answer.status, 201, answer)
            cohorts.append((answer.json()["cohort"], answer.json()["of"]))
        self.assertEqual(cohorts, [(1, 2), (1, 2), (2, 2)])
        again = players[0].call("PUT", "/v1/campaigns/race/entry")
        self.assertEqual((again.status, again["idempotent-replayed"]), (200, "true"))
        for server in (first, second):
            found = v1.call(server, "GET", "/v1/campaigns/race/players/me/cohort.json", who=players[0].token).json()
            self.assertEqual([(row["name"], row["among"]) for row in found["rows"]], [("Cy", 1), ("Bob", 2)])
        self.assertEqual(get("/v1/campaigns/race/teams/top.json").json()["rows"], [])
        exported = players[0].get("/v1/players/me/export").json()["cohorts"]
        self.assertEqual([(row["campaign"], row["cohort"], row["of"]) for row in exported], [("race", 1, 2)])
        change("race", {"last_day": day(2), "cohort": None})
        self.assertEqual(v1.Player(first, "quiz", "Eve").call("PUT", "/v1/campaigns/race/entry").status, 403)
        self.assertEqual(players[1].call("PUT", "/v1/campaigns/race/entry").status, 200)


if __name__ == "__main__":
    unittest.main()
