"""The console as an operator sees it, in real Chromium: a tour from the sign-in to the audit, and every page on a phone
and a desktop, light and dark, with hostile texts in all of them."""
import datetime
import os
import re
import unittest
import uuid

import admin
import browser
import v1
from repository import article
from seeds import NIGHTLY, nightly
from server import Server

HEAVY = True

SERVER = BROWSER = KEY = None
PICTURES = os.environ.get("PICTURES")
HOSTILE = ["<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' autofocus onfocus='alert(1)", "{{name}}",
           "</textarea><b>bold", "x" * 32, "ليلى الحدّاد"]


def setUpModule():
    global SERVER, BROWSER, KEY
    BROWSER = browser.Browser()
    unittest.addModuleCleanup(BROWSER.close)
    SERVER = Server("console")
    unittest.addModuleCleanup(SERVER.stop)
    SERVER.verb("demo", "--players", "60", "--seed", "7")
    SERVER.verb("game", "add", "maze", "--name", "The <b>Maze</b> & Co", "--friends", "requests")
    SERVER.verb("board", "add", "--game", "maze", "lap", "--name", "Lap \"fast\" <i>")
    SERVER.verb("charity", "add", "wells", "--name", "Wells <script>", "--description",
                "</textarea><script>alert(1)</script>")
    KEY = admin.make_key(SERVER)


def sign_in(visit, key=None):
    visit.page.goto(f"http://127.0.0.1:{SERVER.admin().port}/admin")
    visit.page.get_by_label("Admin key").fill(key or KEY)
    visit.page.get_by_role("button", name="Sign in").click()
    visit.troubles.clear()  # the browser notes that the first page was 401


def befriend(one, other):
    for asking, asked in ((one, other), (other, one)):
        assert asking.call("PUT", f"/v1/players/me/friends/{asked.id}").status == 200


def picture(visit, name):
    if PICTURES:
        visit.page.screenshot(path=os.path.join(PICTURES, name + ".png"), full_page=True)


def tour():
    """The steps of the article's tour in the console, each a list of what is done, in its order: ("open", name),
    ("row", text) before what is opened in that row, ("write", text, label), ("press", name) and ("says", text)."""
    text = article("Moderation.md").partition("## The same cheat in the console\n")[2].partition("\n## ")[0]
    steps = [" ".join(step.split()) for step in re.split(r"^\d+\. ", text, flags=re.M)[1:]]
    done = re.compile(r"(?i:\b(open|press)) \*([^*]+)\*|(?i:\b(write)) `([^`]+)` into \*([^*]+)\*"
                      r"|\b(says|row) `([^`]+)`")
    return [[tuple(part for part in found if part) for found in done.findall(step)] for step in steps]


class Tour(unittest.TestCase):
    def test_the_tour_of_the_article_works_as_printed(self):
        mallory = v1.Player(SERVER, "maze", "Mallory")
        for points in (999_999, 21_400):
            self.assertEqual(mallory.post("lap", points).status, 201)
        self.assertEqual(mallory.donate("wells", 5_000).status, 201)
        key = admin.make_key(SERVER, "read,moderate,operate")
        steps = tour()
        self.assertEqual([len(step) for step in steps], [4, 4, 4, 4, 6, 11, 2, 3])
        with BROWSER.page() as visit:
            sign_in(visit, key)
            main = visit.page.locator("main")
            place = visit.page
            for action, what, *label in (action for step in steps for action in step):
                if action == "row":
                    place = main.get_by_role("row").filter(has_text=what)
                elif action.lower() == "open":
                    place.get_by_role("link", name=re.compile(rf"^{re.escape(what)}\b")).first.click()
                    place = visit.page
                elif action.lower() == "press":
                    visit.page.get_by_role("button", name=what, exact=True).click()
                elif action.lower() == "write":
                    visit.page.get_by_label(label[0]).fill(what)
                else:
                    main.get_by_text(re.compile(re.escape(what))).first.wait_for(timeout=60_000)
        self.assertEqual(mallory.post("lap", 1).status, 201, "the ban was undone")
        actions = admin.Operator(SERVER.admin(), key).call("GET", f"players/{mallory.id}/acts").json()["rows"]
        self.assertEqual([action["do"] for action in actions], ["undo"] * 3 + ["ban", "void", "hold"])

    def test_an_operator_finds_a_cheat_voids_bans_undoes_and_audits(self):
        cheat = v1.Player(SERVER, "maze", "QuickFalcon")
        self.assertEqual(cheat.post("lap", 999_999).status, 201)
        self.assertEqual(cheat.post("lap", 21_400).status, 201)
        self.assertEqual(cheat.donate("wells", 5_000).status, 201)
        with BROWSER.page() as visit:
            page = visit.page
            sign_in(visit)
            picture(visit, "overview")
            page.get_by_role("link", name="Players", exact=True).click()
            page.get_by_label("Name or id").fill("quickfalcon")
            page.get_by_role("button", name="Find", exact=True).click()
            picture(visit, "found")
            page.get_by_role("link", name="QuickFalcon").click()
            picture(visit, "player")
            page.get_by_role("link", name="Void score of 999999").click()
            self.assertIn("5,000", page.get_by_role("row", name="Donated").text_content())
            self.assertIn("999,999", page.get_by_role("row", name="Voided").text_content())
            picture(visit, "void")
            page.get_by_label("Reason").fill("More in one post than the maze has")
            page.get_by_role("button", name="Void this score").click()
            self.assertIn("Done", page.get_by_role("status").first.text_content())
            self.assertEqual(page.locator("#ledger .tag").all_text_contents().count("voided"), 1)
            page.get_by_role("link", name="Ban", exact=True).click()
            page.get_by_label("Reason").fill("A <b>bot</b>")
            page.get_by_role("button", name="Ban this player").click()
            self.assertEqual(cheat.post("lap", 1).status, 403)
            self.assertIn("A <b>bot</b>", page.locator("#actions").text_content())
            page.locator("#actions").get_by_role("link", name="Open").first.click()
            picture(visit, "act")
            page.get_by_role("link", name="Undo").click()
            page.get_by_label("Reason").fill("It was a shared machine")
            page.get_by_role("button", name="Undo this action").click()
            self.assertEqual(cheat.post("lap", 1).status, 201)
            page.get_by_role("link", name="Log").click()
            picture(visit, "log")
            self.assertIn("It was a shared machine", page.locator("tbody").text_content())
            page.get_by_role("link", name="Audit", exact=True).click()
            page.get_by_role("button", name="Audit the books").click()
            page.get_by_text("The books balance.").wait_for(timeout=60_000)
            picture(visit, "audit")
            page.get_by_role("button", name="Sign out").click()
            page.goto(f"http://127.0.0.1:{SERVER.admin().port}/admin/log")
            self.assertEqual(page.get_by_role("heading", level=1).text_content(), "Sign in")

    def test_settings_and_keys_are_made_and_changed(self):
        with BROWSER.page() as visit:
            page = visit.page
            sign_in(visit)
            page.get_by_role("link", name="Charities").click()
            page.get_by_role("link", name="Add a charity").click()
            page.get_by_label("Slug").fill("Tree Fund")
            page.get_by_label("What it does").fill("Plants trees")
            page.get_by_role("button", name="Add the charity").click()
            self.assertIn("slug is 1 to 63", page.locator("main").text_content())
            self.assertEqual(page.get_by_label("What it does").input_value(), "Plants trees", "what was typed stays")
            picture(visit, "refused")
            page.get_by_label("Slug").fill("tree-fund")
            page.get_by_label("Name", exact=True).fill("Tree Fund")
            page.get_by_role("button", name="Add the charity").click()
            page.get_by_role("link", name="tree-fund").click()
            page.get_by_label("Goal").fill("5000")
            page.get_by_role("button", name="Save").click()
            self.assertIn("Saved", page.get_by_role("status").text_content())
            self.assertEqual(page.get_by_label("Goal").input_value(), "5000")
            picture(visit, "charity")
            page.get_by_role("link", name="Games and boards").first.click()
            page.get_by_role("link", name="maze").click()
            picture(visit, "game")
            page.get_by_role("link", name="Add a board").click()
            page.get_by_label("Slug").fill("coins")
            page.get_by_role("button", name="Add the board").click()
            page.get_by_role("link", name="coins").click()
            page.get_by_label("Most points of a score").fill("500")
            page.get_by_role("button", name="Save").click()
            picture(visit, "board")
            page.get_by_role("link", name="maze").first.click()
            page.get_by_role("link", name="Add a provider").click()
            page.get_by_label("Slug").fill("apple")
            page.get_by_label("Ids of the game").fill("org.example.maze")
            page.get_by_label("Issuer", exact=True).fill("https://id.example")
            page.get_by_role("button", name="Add the provider").click()
            self.assertIn("issuer is for the kind oidc only", page.locator("main").text_content())
            page.get_by_label("Issuer", exact=True).fill("")
            page.get_by_role("button", name="Add the provider").click()
            picture(visit, "providers")
            page.get_by_role("link", name="apple").click()
            page.get_by_label("Ids of the game").fill("org.example.maze,org.example.web")
            page.get_by_role("button", name="Save").click()
            self.assertIn("Saved", page.get_by_role("status").text_content())
            picture(visit, "provider")
            page.get_by_role("link", name="Remove the provider").click()
            page.get_by_role("button", name="Remove the provider").click()
            self.assertIn("has no sign-in providers", page.locator("main").text_content())
            page.get_by_role("link", name="Keys").click()
            page.get_by_role("link", name="Make a key").click()
            page.get_by_label("Who or what it is for").fill("Opal")
            page.get_by_label("read, of operators").check()
            page.get_by_role("button", name="Make the key").click()
            token = page.locator("pre code").text_content()
            picture(visit, "key")
            self.assertEqual(admin.Operator(SERVER.admin(), token).get("keys").status, 200)
            page.get_by_role("link", name="Keys").first.click()
            picture(visit, "keys")
            page.get_by_role("link", name="End Opal").click()
            page.get_by_role("button", name="End the key").click()
            self.assertEqual(admin.Operator(SERVER.admin(), token).get("keys").status, 401)
            log = admin.Operator(SERVER.admin(), KEY).get("log").json()["rows"]
            self.assertEqual([(row["do"], row["on"].split("=")[0]) for row in log[:2]],
                             [("DELETE", "key"), ("PUT", "key")])
            self.assertIn({"do": "PATCH", "on": "charity=tree-fund", "values": "goal=5000"},
                          [{name: row[name] for name in ("do", "on", "values")} for row in log])


class Names(unittest.TestCase):
    """Whom and what a page is about, in names."""

    def open(self, visit, path):
        visit.page.goto(f"http://127.0.0.1:{SERVER.admin().port}{path}")

    def test_a_new_season_says_of_what_and_what_it_does(self):
        SERVER.verb("game", "add", "garden", "--name", "Garden Party")
        SERVER.verb("board", "add", "--game", "garden", "roses", "--name", "Roses grown")
        for index in range(3):
            v1.Player(SERVER, "garden", f"Gardener {index}").post("roses", index)
        with BROWSER.page() as visit:
            sign_in(visit)
            self.open(visit, "/admin/games/garden/boards/roses")
            visit.page.get_by_role("link", name="Begin a new season").click()
            text = visit.page.locator("body").inner_text()
            self.assertEqual(visit.page.get_by_role("heading", level=1).inner_text(),
                             "Begin season 2 of Roses grown (Garden Party)")
            self.assertIn("3 players start from nothing", text)
            self.assertIn("This cannot be undone", text)
            self.assertNotIn("wallet", text.lower())
            trail = visit.page.locator(".links").first.inner_text()
            self.assertTrue("Garden Party" in trail and "Roses grown" in trail and "Players" not in trail, trail)
            picture(visit, "season")
            visit.page.get_by_label("Reason").fill("Spring")
            visit.page.get_by_role("button", name="Begin a new season").click()
            self.assertIn("season 2", visit.page.locator("body").inner_text())

    def test_what_waits_is_approved_for_what_it_is_and_players_have_names(self):
        SERVER.verb("game", "add", "shop", "--name", "Shop")
        SERVER.verb("board", "add", "--game", "shop", "sales")
        seller, buyer = v1.Player(SERVER, "shop", "Seller"), v1.Player(SERVER, "shop", "Buyer")
        score = str(uuid.uuid4())
        seller.post("sales", 700, score)
        hold = {"do": "hold", "on": {"player": seller.id, "score": score}, "reason": "To look at"}
        root = admin.Operator(SERVER.admin(), KEY)
        self.assertEqual(root.call("PUT", f"acts/{uuid.uuid4()}", hold).status, 201)
        self.assertLess(buyer.call("POST", f"/v1/players/{seller.id}/report", {"why": "other"}).status, 300)
        with BROWSER.page() as visit:
            sign_in(visit)
            self.open(visit, "/admin/queue?kind=held")
            row = visit.page.get_by_role("row").filter(has_text="Seller")
            self.assertEqual(row.get_by_role("link", name="Seller", exact=True).get_attribute("href"),
                             f"/admin/players/{seller.id}")
            self.assertNotIn(f"{seller.id:,}", row.inner_text())
            picture(visit, "queue")
            row.get_by_role("link", name=re.compile("^Approve")).click()
            text = visit.page.locator("body").inner_text()
            self.assertIn("The score counts and ranks", text)
            self.assertNotIn("name is shown", text)
            self.assertIn("Seller", visit.page.get_by_role("heading", level=1).inner_text())
            visit.page.get_by_label("Reason").fill("Fair")
            visit.page.get_by_role("button", name="Approve this").click()
            self.open(visit, "/admin/queue?kind=report")
            row = visit.page.get_by_role("row").filter(has_text="Seller")
            row.get_by_role("link", name=re.compile("^Dismiss")).click()
            self.assertIn("The reports are dismissed", visit.page.locator("body").inner_text())
            self.open(visit, f"/admin/acts?do=ban&player={seller.id}")
            self.assertEqual(visit.page.get_by_role("heading", level=1).inner_text(), "Ban Seller")
            self.assertIn("Seller", visit.page.locator(".links").first.inner_text())
            self.open(visit, "/admin/log")
            self.assertIn("Seller", visit.page.locator("tbody").inner_text())

    def test_ids_are_no_numbers_and_stand_below_names(self):
        donor = v1.Player(SERVER, "maze", "Generous Gus")
        donor.post("lap", 900)
        donor.donate("wells", 11)
        with BROWSER.page() as visit:
            sign_in(visit)
            self.open(visit, "/admin/charities/wells")
            row = visit.page.get_by_role("row").filter(has_text="Generous Gus")
            self.assertEqual(row.get_by_role("link", name="Generous Gus").get_attribute("href"),
                             f"/admin/players/{donor.id}")
            self.assertTrue(str(donor.id) in row.inner_text() and f"{donor.id:,}" not in row.inner_text())
            self.open(visit, "/admin/players?by=name&text=Generous+Gus")
            self.assertIn(str(donor.id), visit.page.locator("#found").inner_text())
            self.assertNotIn(f"{donor.id:,}", visit.page.locator("#found").inner_text())
        # Who may see a charity alone gets no links to pages of players.
        key = admin.make_key(SERVER, "charity:wells")
        with BROWSER.page() as visit:
            sign_in(visit, key)
            self.open(visit, "/admin/charities/wells")
            self.assertEqual(visit.page.locator("a[href^='/admin/players/']").count(), 0)
            self.assertIn("Generous Gus", visit.page.locator("main").inner_text())


class Campaigns(unittest.TestCase):
    def test_an_operator_adds_a_campaign_and_changes_it(self):
        today = datetime.datetime.now(datetime.timezone.utc).date()
        first, last = str(today + datetime.timedelta(days=3)), str(today + datetime.timedelta(days=30))
        with BROWSER.page() as visit:
            page = visit.page
            sign_in(visit)
            page.get_by_role("link", name="Campaigns", exact=True).click()
            page.get_by_role("link", name="Add a campaign").click()
            fields = {"Slug": "spring", "Name": "Spring <b>", "Charity": "nobody", "First day": first, "Last day": last,
                      "Goal": "100", "New milestones": "10:A <i>pump\n20: A well"}
            for label, text in fields.items():
                page.get_by_label(label, exact=True).fill(text)
            button = page.get_by_role("button", name="Add the campaign")
            button.click()
            charity = page.get_by_label("Charity", exact=True)
            self.assertEqual(charity.get_attribute("aria-invalid"), "true")
            charity.fill("wells")
            page.get_by_label("New milestones", exact=True).fill("10")
            button.click()
            self.assertIn("different numbers of points", page.locator("main").inner_text())
            page.get_by_label("New milestones", exact=True).fill(fields["New milestones"])
            button.click()
            row = page.get_by_role("row").filter(has_text="spring")
            self.assertIn("coming", row.inner_text())
            row.get_by_role("link", name="spring").click()
            self.assertEqual(page.get_by_role("heading", level=1).inner_text(), "Spring <b>")
            self.assertEqual(page.locator("#milestones tbody tr").count(), 2)
            page.get_by_label("Goal", exact=True).fill("")
            page.get_by_label("New milestones", exact=True).fill("30:Two wells")
            page.get_by_label("Last day", exact=True).fill(first)
            page.get_by_role("button", name="Save").click()
            self.assertIn("Saved", page.get_by_role("status").first.text_content())
            self.assertEqual(page.locator("#milestones tbody tr").count(), 3)
            page.get_by_label("Last day", exact=True).fill("2020-01-01")
            page.get_by_role("button", name="Save").click()
            self.assertEqual(page.get_by_label("Last day", exact=True).get_attribute("aria-invalid"), "true")
            picture(visit, "campaign")
            visit.troubles.clear()      # the browser notes what was refused
            self.assertEqual(visit.violations(), [])
        campaign = admin.Operator(SERVER.admin(), KEY).get("campaigns/spring").json()
        self.assertEqual((campaign["charity"], campaign["last_day"], campaign.get("goal")), ("wells", first, None))
        self.assertEqual([(each["points"], each["name"]) for each in campaign["milestones"]],
                         [(10, "A <i>pump"), (20, "A well"), (30, "Two wells")])
        with BROWSER.page() as visit:
            sign_in(visit, admin.make_key(SERVER, "read"))
            visit.page.goto(f"http://127.0.0.1:{SERVER.admin().port}/admin/log")
            self.assertEqual(visit.page.get_by_text("campaign spring").count(), 2)
            visit.page.goto(f"http://127.0.0.1:{SERVER.admin().port}/admin/campaigns")
            self.assertEqual(visit.page.get_by_role("link", name="Add a campaign").count(), 0)
            self.assertEqual(visit.page.goto(f"http://127.0.0.1:{SERVER.admin().port}/admin/new/campaign").status, 403)
            visit.troubles.clear()

    def test_an_operator_adds_an_award_for_a_rank_in_a_campaign(self):
        root = admin.Operator(SERVER.admin(), KEY)
        days = {"first_day": "2999-01-01", "last_day": "2999-01-09"}
        self.assertEqual(root.add("campaigns/donors", {"charity": "all", **days}).status, 201)
        with BROWSER.page() as visit:
            page = visit.page
            sign_in(visit)
            page.goto(f"http://127.0.0.1:{SERVER.admin().port}/admin/games/maze")
            page.get_by_role("link", name="Add an award").click()
            page.get_by_label("Rule", exact=True).select_option("rank")
            for label, text in {"Slug": "top-donor", "At least": "3", "Campaign": "nothing"}.items():
                page.get_by_label(label, exact=True).fill(text)
            button = page.get_by_role("button", name="Add the award")
            button.click()
            campaign = page.get_by_label("Campaign", exact=True)
            self.assertEqual(campaign.get_attribute("aria-invalid"), "true")
            campaign.fill("donors")
            button.click()
            page.get_by_role("link", name="top-donor").click()
            self.assertEqual(page.get_by_label("Campaign", exact=True).input_value(), "donors")
            # It becomes one for a board.
            page.get_by_label("Campaign", exact=True).fill("")
            page.get_by_label("Board", exact=True).fill("lap")
            page.get_by_role("button", name="Save").click()
            self.assertIn("Saved", page.get_by_role("status").first.text_content())
            visit.troubles.clear()      # the browser notes what was refused
            self.assertEqual(visit.violations(), [])
        award = root.get("games/maze/awards/top-donor").json()
        self.assertEqual((award["board"], award.get("contest"), award["at_least"]), ("lap", None, 3))


class Friends(unittest.TestCase):
    def test_whoever_may_see_what_is_personal_sees_a_players_friends(self):
        ann, ben, cleo, dora = (v1.Player(SERVER, "maze", f"{name} of the maze")
                                for name in ("Ann", "Ben", "Cleo", "Dora"))
        befriend(ann, ben)
        self.assertEqual(cleo.call("PUT", f"/v1/players/me/friends/{ann.id}").status, 200)
        self.assertEqual(ann.call("PUT", f"/v1/players/me/blocks/{dora.id}").status, 204)
        place = f"http://127.0.0.1:{SERVER.admin().port}/admin/players/{ann.id}"
        with BROWSER.page() as visit:
            page = visit.page
            sign_in(visit)
            page.goto(place)
            fact = page.locator("dt", has_text=re.compile("^Friends$")).locator("xpath=following-sibling::dd")
            self.assertIn("requests received: 1, blocked players: 1", fact.inner_text())
            page.get_by_role("link", name="1 friends of this player").click()
            self.assertEqual(page.get_by_role("heading", level=1).inner_text(), "Friends")
            for part, name in (("friend", ben.name), ("asked", cleo.name), ("blocked", dora.name)):
                row = page.locator(f"#{part} tbody tr")
                self.assertEqual((row.count(), name in row.inner_text()), (1, True), part)
            self.assertEqual(page.locator("#asking tbody tr").count(), 0)
            picture(visit, "friends")
            self.assertEqual(visit.violations(), [])
            page.get_by_role("link", name=ben.name).click()
            self.assertEqual(page.get_by_role("heading", level=1).inner_text(), ben.name)
            page.get_by_role("link", name="Challenges, plan and awards").click()
            main = page.locator("main").inner_text()
            for text in ("no challenges", "no plan", "No plan of this player", "no awards"):
                self.assertIn(text, main)
            self.assertEqual(visit.violations(), [])
        with BROWSER.page() as visit:
            sign_in(visit, admin.make_key(SERVER, "read,moderate"))
            visit.page.goto(place)
            self.assertNotIn("Friends", visit.page.locator("main").inner_text())
            for part in ("friends", "activity"):
                self.assertEqual(visit.page.goto(f"{place}/{part}").status, 403)


class Everywhere(unittest.TestCase):
    """Every page in the light or in the dark; nightly in all ways, also narrow and without scripts. Rules for
    accessible pages are checked with scripts."""

    @classmethod
    def setUpClass(cls):
        root = admin.Operator(SERVER.admin(), KEY)
        cls.players = [v1.Player(SERVER, "maze", name) for name in HOSTILE]
        score = str(uuid.uuid4())
        for player in cls.players:
            assert player.post("lap", 100, score).status == 201
            assert player.donate("wells", 7).status == 201
        cls.cheat = cls.players[0].id
        cls.action = str(uuid.uuid4())
        for reason in HOSTILE[:5]:
            body = {"do": "hold", "on": {"player": cls.cheat, "score": score}, "reason": reason}
            assert root.call("PUT", f"acts/{cls.action}", body).status == 201
            undo = {"do": "undo", "on": {"act": cls.action}, "reason": reason}
            assert root.call("PUT", f"acts/{uuid.uuid4()}", undo).status == 201
            cls.last, cls.action = cls.action, str(uuid.uuid4())
        cls.score = score
        befriend(cls.players[0], cls.players[1])
        for other in cls.players[2:5]:
            assert other.call("PUT", f"/v1/players/me/friends/{cls.cheat}").status == 200
        body = {"name": HOSTILE[0], "text": HOSTILE[4], "charity": "wells", "first_day": "2020-01-01",
                "last_day": "2020-01-31", "milestones": [{"points": 5, "name": HOSTILE[1]}]}
        assert root.add("campaigns/winter", body).status == 201
        key = {"token": admin.token(), "kind": "admin", "name": HOSTILE[1], "scopes": ["read"]}
        assert root.call("PUT", f"keys/{uuid.uuid4()}", key).status == 201

    def paths(self):
        about = f"player={self.cheat}&score={self.score}"
        return [
            "/admin", "/admin/games", "/admin/games/maze", "/admin/games/maze/boards/lap", "/admin/games/maze/new",
            "/admin/new/game", "/admin/charities", "/admin/charities/wells", "/admin/new/charity", "/admin/keys",
            "/admin/queue", "/admin/campaigns", "/admin/campaigns/winter", "/admin/new/campaign",
            "/admin/new/key", "/admin/players", "/admin/players?name=%3Cscript%3Ealert(1)%3C/script%3E",
            "/admin/players?by=name&text=%22%3E%3Cimg+src%3Dx%3E", f"/admin/players/{self.cheat}",
            f"/admin/acts?do=void&{about}", f"/admin/acts?do=correct&{about}",
            f"/admin/acts?do=ban&player={self.cheat}", "/admin/acts?do=reset&game=maze&board=lap",
            f"/admin/acts/{self.last}", "/admin/log", "/admin/audits", "/admin/subscribers",
            f"/admin/players/{self.cheat}/friends", f"/admin/players/{self.cheat}/activity",
        ]

    def look(self, name, turn, **how):
        """`turn` is 0 for every other page from the first on, 1 from the second on."""
        with BROWSER.page(**how) as visit:
            sign_in(visit)
            for number, path in enumerate(self.paths()):
                if not NIGHTLY and number % 2 != turn:
                    continue
                with self.subTest(path=path, **{k: str(v) for k, v in how.items()}):
                    visit.open(SERVER.admin(), path)
                    self.assertEqual(visit.troubles, [])
                    self.assertLessEqual(visit.width_beyond(), 0, "scrolls sideways")
                    self.assertEqual(visit.page.locator("main script, main img[src=x], main [onfocus]").count(), 0)
                    if PICTURES:
                        picture(visit, name + re.sub(r"\W+", "-", path)[:40])
                    if how.get("script", True):
                        self.assertEqual(visit.violations(), [])

    def test_desktop_light(self):
        self.look("dl", 0, viewport=browser.DESKTOP)

    def test_phone_dark(self):
        self.look("pd", 1, viewport=browser.PHONE, scheme="dark")

    @nightly
    def test_narrow_without_script(self):
        self.look("n", 0, viewport=browser.NARROW, script=False)

    def test_pages_without_a_session(self):
        with BROWSER.page() as visit:
            visit.page.goto(f"http://127.0.0.1:{SERVER.admin().port}/admin/keys")
            picture(visit, "sign-in")
            self.assertEqual(visit.violations(), [])
            visit.page.get_by_label("Admin key").fill("cba_wrong")
            visit.page.get_by_role("button", name="Sign in").click()
            picture(visit, "sign-in-refused")
            self.assertIn("This is no admin key", visit.page.locator("main").text_content())
            self.assertEqual(visit.violations(), [])
            visit.page.get_by_label("Admin key").fill(KEY)
            visit.page.get_by_role("button", name="Sign in").click()
            heading = visit.page.get_by_role("heading", level=1).text_content()
            self.assertEqual(heading, "Keys", "where one wanted to go")
            self.assertNotIn(KEY, " ".join(visit.requests))
