"""Players of v1: the own profile and history, and what everybody may see of a player."""

import client
import v1
import v1_case
from v1_case import V1Case


def setUpModule():
    v1_case.start("v1players")


class Players(V1Case):
    def test_profile_and_patch(self):
        ada = self.player(country="nz", email="a@example.org")
        said = self.private(ada.get("/v1/players/me"), 200)
        self.assertEqual(
            said, {
                "id": ada.id, "name": "Ada", "country": "NZ", "send_updates": False, "devices": 1, "unlisted": False,
                "asks": True, "earned": 0, "held": 0, "left": 0, "settling": 0,
                "given": 0, "gifts": [], "awards": {"count": 0}, "saves": [], "challenges": []
            })
        patch = lambda body, type="application/merge-patch+json": ada.call("PATCH", "/v1/players/me", body, type=type)
        said = self.private(patch({"name": "Ada L", "country": None, "send_updates": True}), 200)
        self.assertEqual((said["name"], said["send_updates"], "country" in said), ("Ada L", True, False))
        self.assertEqual(self.private(patch({}), 200), said, "what is absent stays")
        self.assertIn("avatar", patch({"image": client.base64_text(client.png())}).json())
        self.assertNotIn("avatar", patch({"image": None}).json())
        self.assertEqual(patch({"country": "de"}, "application/json").json()["country"], "DE")
        self.assertEqual(
            patch(b"name=Form+Name&country=fr", "application/x-www-form-urlencoded").json()["name"], "Form Name")
        for bad in ({"name": None}, {"name": ""}, {"name": "Anonymous"}, {"country": "xyz"}, {"image": "AAAA"},
                    {"name": 1}):
            body = self.problem(patch(bad), 422)
            self.assertEqual(body.get("field"), list(bad)[0])
        self.problem(patch(b"[1]"), 400)
        self.problem(patch(b"<a/>", "application/xml"), 415)
        self.assertEqual(ada.get("/v1/players/me").json()["name"], "Form Name")
        for method, path in (("GET", "/v1/players/me"), ("PATCH", "/v1/players/me"), ("GET", "/v1/players/me/scores"),
                             ("GET", "/v1/players/me/donations")):
            self.problem(self.call(method, path, {"name": "x"} if method == "PATCH" else None), 401, "unauthorized")
            self.problem(self.call(method, path, {"name": "x"} if method == "PATCH" else None, who=v1.token()), 401,
                         "unauthorized")
        self.problem(ada.call("PUT", "/v1/players/me", {"name": "x"}), 405)

    def test_a_new_name_is_everywhere(self):
        ada = self.player("Before")
        self.server.verb("board", "add", "--game", "quiz", "names")
        ada.post("names", 10)
        ada.donate("oxfam", 1)
        ada.call("PATCH", "/v1/players/me", {"name": "After"})
        self.assertEqual(self.public("/v1/games/quiz/boards/names/top.json")["rows"][0]["name"], "After")
        self.assertEqual(self.public(f"/v1/players/{ada.id}")["name"], "After")
        self.assertIn("After", [r["name"] for r in self.public("/v1/charities/oxfam/top.json?limit=100")["rows"]])

    def pages(self, ada, path, limit):
        """All rows, newest first, forward and then back; fails unless both agree."""
        said = self.private(ada.get(f"{path}?limit={limit}"), 200)
        self.assertNotIn("prev", said)
        forward = [said["rows"]]
        while "next" in said:
            said = self.private(ada.get(f"{path}?limit={limit}&after={said['next']}"), 200)
            self.assertIn("prev", said)
            self.assertTrue(said["rows"], "an empty page after a `next`")
            forward.append(said["rows"])
            self.assertLess(len(forward), 100)
        back = [said["rows"]]
        while "prev" in said:
            said = self.private(ada.get(f"{path}?limit={limit}&before={said['prev']}"), 200)
            self.assertTrue(said["rows"])
            back.append(said["rows"])
            self.assertLess(len(back), 100)
        self.assertEqual(back[::-1], forward)
        self.assertTrue(all(len(p) == limit for p in forward[:-1]))
        return [r for page in forward for r in page]

    def test_history(self):
        ada, eve = self.player(), self.player("Eve")
        eve.post("solo", 5)
        posts, donations = [], []
        for n in range(1, 24):
            id = v1.new_id()
            more = {"played_at": f"2026-11-01T00:00:{n:02}Z", "detail": {"n": n}} if n % 2 else {}
            self.assertEqual(ada.post("solo", n, id, **more).status, 201)
            posts.insert(0, (id, n))
            id = v1.new_id()
            self.assertEqual(ada.donate("red-cross", 1, id, anonymous=n % 3 == 0).status, 201)
            donations.insert(0, (id, n % 3 == 0))
        for limit in (1, 5, 7, 23, 100):
            rows = self.pages(ada, "/v1/players/me/scores", limit)
            self.assertEqual([(r["id"], r["points"]) for r in rows], posts)
            rows = self.pages(ada, "/v1/players/me/donations", limit)
            self.assertEqual([(r["id"], r["anonymous"]) for r in rows], donations)
        rows = ada.get("/v1/players/me/scores").json()["rows"]
        self.assertEqual(set(rows[0]),
                         {"id", "game", "board", "season", "points", "earned", "played_at", "detail", "reached_at"})
        self.assertEqual((rows[0]["game"], rows[0]["board"], rows[0]["detail"]), ("quiz", "solo", {"n": 23}))
        self.assertEqual(set(rows[1]), {"id", "game", "board", "season", "points", "earned", "reached_at"})
        stamps = [r["reached_at"] for r in rows]
        self.assertEqual(stamps, sorted(stamps, reverse=True))
        self.assertEqual(set(ada.get("/v1/players/me/donations").json()["rows"][0]),
                         {"id", "charity", "points", "anonymous", "reached_at"})
        cursor = ada.get("/v1/players/me/scores?limit=5").json()["next"]
        self.problem(ada.get(f"/v1/players/me/donations?after={cursor}"), 400, "bad-cursor")
        self.problem(ada.get("/v1/players/me/scores?after=x"), 400, "bad-cursor")
        self.problem(ada.get(f"/v1/players/me/scores?after={cursor}&before={cursor}"), 400)
        stolen = eve.get(f"/v1/players/me/scores?after={cursor}")
        self.assertTrue(stolen.status == 400 or all(r["points"] == 5 for r in stolen.json()["rows"]), stolen)
        for limit in ("0", "101", "x", "-1", "", "1.5"):
            self.problem(ada.get(f"/v1/players/me/scores?limit={limit}"), 400)
        self.assertEqual(self.private(self.player("New").get("/v1/players/me/scores"), 200), {"rows": []})

    def test_public_players(self):
        ada = self.player("Seen", email="secret@example.org", country="nz")
        ada.post("solo", 77)
        ada.post("solo", 66)
        answer = client.get(self.server, f"/v1/players/{ada.id}")
        said = answer.json()
        self.assertEqual(set(said), {"id", "name", "bests", "gifts", "awards"})
        self.assertEqual([(b["game"], b["board"], b["points"]) for b in said["bests"]], [("quiz", "solo", 77)])
        self.assertNotIn("secret", answer.text)
        self.assertNotIn(ada.device, answer.text)
        self.assertEqual(ada.get(f"/v1/players/{ada.id}").body, answer.body, "Authorization is ignored")
        for id in ("1", "9007199254740991", "9007199254740992", "0", "-1", "x", "99999999999999999999999", "01", "%31",
                   f"{ada.id}x", f"+{ada.id}"):
            with self.subTest(id=id):
                self.problem(client.get(self.server, f"/v1/players/{id}"), 404, "not-found")
