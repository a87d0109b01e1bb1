"""The game at /play in real Chromium: by touch and by keys, without a network and with it again, in several tabs."""
import os
import re
import unittest

import browser
import client
from plates import PLATES, SCORE, Plates
from repository import ROOT
from seeds import NIGHTLY
from server import Server, until

HEAVY = True
SLOW = True

SERVER = BROWSER = None
# Whether elements stand within the window.
SEEN = """["start", "score", "time"].every((id) => {
    const box = document.getElementById(id).getBoundingClientRect();
    return box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth; })"""
SEEN_PLAYING = SEEN.replace('"start"', '"field"')
# Takes every plate in the moment in which it hangs.
TAKE_ALL = """void function take() {
    for (const button of document.querySelectorAll("#field button[data-worth]")) button.click();
    if (document.getElementById("start").disabled) requestAnimationFrame(take);
}()"""


def setUpModule():
    global SERVER, BROWSER
    BROWSER = browser.Browser()
    unittest.addModuleCleanup(BROWSER.close)
    Playing.browser = BROWSER
    SERVER = Playing.server = Server("play")
    unittest.addModuleCleanup(finish)
    SERVER.verb("demo", "--players", "60", "--seed", "3")


def finish():
    try:
        SERVER.audit()
    finally:
        SERVER.stop()


class Playing(Plates, unittest.TestCase):
    def test_by_touch_from_the_first_plate_to_a_donation(self):
        with self.page(viewport=browser.PHONE, touch=True) as visit:
            visit.open(SERVER, "/play")
            score = self.take(visit, self.tap)
            self.assertGreaterEqual(score, 60)
            until(lambda: "rank" in visit.page.inner_text("#posted"), 30, "the rank is foretold")
            self.assertIsNone(self.ranked("Touch"))
            self.post(visit, "Touch")
            until(lambda: visit.page.inner_text("#posted").startswith("Posted"), 30, "it is posted")
            self.assertEqual(self.ranked("Touch")["points"], score)
            # The board has moved to the player's own place.
            own = visit.page.locator("#place tr.is-me")
            until(lambda: own.count() == 1 and "Touch" in own.inner_text(), 30, "the own row is shown")
            slug = visit.page.input_value("input[name=charity]:checked")
            before = client.request(SERVER, "GET", f"/v1/charities/{slug}").json()["points"]
            visit.page.fill("#points", str(score + 1))
            visit.page.click("#donate button")
            self.assertIn("Enter a number", visit.page.inner_text("#donated"))
            self.assertEqual(visit.page.get_attribute("#points", "aria-invalid"), "true")
            visit.page.fill("#points", "50")
            visit.page.click("#donate button")
            until(lambda: "Thank you" in visit.page.inner_text("#donated"), 30, "it is given")
            self.assertEqual(client.request(SERVER, "GET", f"/v1/charities/{slug}").json()["points"], before + 50)
            self.assertIn(f"{score - 50}", visit.page.inner_text("#left").replace(",", ""))
            self.assertEqual(visit.troubles, [])
            self.assertEqual(visit.violations(), [])

    def test_by_keys_alone(self):
        with self.page(motion="reduce") as visit:
            visit.open(SERVER, "/play")
            score = self.take(visit, self.walk)
            self.assertEqual(visit.page.evaluate("document.activeElement.id"), "name")
            visit.page.keyboard.type("Keys")
            visit.page.keyboard.press("Enter")
            until(lambda: self.ranked("Keys"), 30, "it is posted")
            self.assertEqual(self.ranked("Keys")["points"], score)
            visit.page.reload()
            until(lambda: visit.page.input_value("#name") == "Keys", 30, "the name is known")
            until(lambda: f"{score}" in visit.page.inner_text("#left").replace(",", ""), 30, "so is what is left")
            self.assertEqual(visit.troubles, [])

    def test_without_a_network_and_back(self):
        with self.page(viewport=browser.PHONE, touch=True) as visit:
            visit.open(SERVER, "/play")
            until(lambda: visit.page.locator("#start").is_enabled(), 30, "it can begin")
            visit.page.context.set_offline(True)
            score = self.take(visit, self.tap)
            self.post(visit, "Tunnel")
            until(lambda: "Kept on this device" in visit.page.inner_text("#posted"), 30, "it is kept")
            self.assertIsNone(self.ranked("Tunnel"))
            visit.page.context.set_offline(False)
            until(lambda: self.ranked("Tunnel"), 30, "it is posted once there is a network")
            until(lambda: visit.page.inner_text("#posted").startswith("Posted"), 30, "and the page says so")
            self.assertEqual(self.ranked("Tunnel")["points"], score)

    def test_a_post_that_waits_outlives_its_page(self):
        with self.page() as visit:
            visit.open(SERVER, "/play")
            visit.page.route("**/v1/games/**", lambda route: route.abort())
            self.take(visit, self.click, enough=1)
            self.post(visit, "Later")
            until(lambda: "Kept on this device" in visit.page.inner_text("#posted"), 30, "it is kept")
            visit.page.goto("about:blank")
            visit.page.unroute("**/v1/games/**")
            self.assertIsNone(self.ranked("Later"))
            visit.open(SERVER, "/play")
            until(lambda: self.ranked("Later"), 30, "it is posted when the page is opened again")

    def test_a_name_that_is_refused_can_be_mended(self):
        with self.page() as visit:
            visit.open(SERVER, "/play")
            self.take(visit, self.click, enough=1)
            self.post(visit, "Anonymous")
            until(lambda: visit.page.get_attribute("#name", "aria-invalid") == "true", 30, "the name is refused")
            self.assertTrue(visit.page.inner_text("#posted"))
            self.post(visit, "Mended")
            until(lambda: self.ranked("Mended"), 30, "the better one is posted")
            self.assertIsNone(visit.page.get_attribute("#name", "aria-invalid"))

    def test_a_plate_that_nobody_takes_drops(self):
        with self.page() as visit:
            visit.open(SERVER, "/play")
            visit.page.click("#start")
            plate = until(lambda: visit.page.evaluate(PLATES), 30, "a plate hangs")[0]
            until(lambda: plate not in visit.page.evaluate(PLATES), 30, "it drops")
            self.assertTrue(visit.page.locator("#start").is_disabled(), "it drops before the game is over")
            self.over(visit)
            self.assertEqual(visit.page.evaluate(SCORE), 0)
            self.assertTrue(visit.page.locator("#post button").is_disabled())


    def test_start_score_and_clock_stand_on_the_first_screen_and_stay_there(self):
        for width, height in ((1280, 800), (1366, 768), (390, 844), (768, 1024), (320, 640)):
            with self.subTest(width=width), BROWSER.page(viewport={"width": width, "height": height}) as visit:
                visit.open(SERVER, "/play")
                until(lambda: visit.page.locator("#start").is_enabled(), 30, "it can begin")
                self.assertTrue(visit.page.evaluate(SEEN), "before")
                visit.page.click("#start")
                until(lambda: visit.page.evaluate(PLATES), 30, "a plate hangs")
                self.assertFalse(visit.page.locator("#start").is_visible())
                self.assertEqual(visit.page.evaluate("Math.round(scrollX)"), 0)
                until(lambda: visit.page.evaluate(SEEN_PLAYING), 30, "score, clock and field are on the screen")

    def test_whoever_takes_every_plate_wins(self):
        with self.page() as visit:
            visit.open(SERVER, "/play")
            visit.page.click("#start")
            visit.page.evaluate(TAKE_ALL)
            self.over(visit)
            score = visit.page.evaluate(SCORE)
            result = visit.page.locator("#result")
            self.assertEqual(int(result.inner_text().replace(",", "")), score)
            until(lambda: "rank" in visit.page.inner_text("#place-foretold"), 30, "the rank stands in the field")
            rank, size = map(int, re.findall(r"\d+", visit.page.inner_text("#place-foretold").replace(",", "")))
            self.assertLessEqual(rank, size // 4, f"{score} points")
            visit.page.click("#to-post")
            self.assertEqual(visit.page.evaluate("document.activeElement.id"), "name")
            self.post(visit, "Perfect")
            until(lambda: self.ranked("Perfect"), 30, "it is posted")
            self.assertEqual(self.ranked("Perfect")["points"], score)

    def test_a_refusal_is_in_the_language_of_the_page(self):
        texts = (("de", "Dieser Name ist vergeben"), ("ar", "هذا الاسم محجوز"), ("ja", "予約されています"),
                 ("es", "Ese nombre está reservado"), ("fr", "Ce nom est réservé"))
        for locale, said in texts if NIGHTLY else texts[:2]:
            with self.subTest(locale=locale), self.page(locale=locale) as visit:
                visit.open(SERVER, "/play")
                self.take(visit, self.click, enough=1)
                self.post(visit, "Anonymous")
                until(lambda: said in visit.page.inner_text("#posted"), 30, "it is said why")
                self.post(visit, "x" * 33)
                until(lambda: said not in visit.page.inner_text("#posted"), 30, "and why this one is refused")
                self.assertNotIn("too long", visit.page.inner_text("#posted"))
                self.assertIsNone(re.search("[a-z]{4}", visit.page.inner_text("#posted")) if locale in ("ar", "ja")
                                  else None)

    def test_points_are_read_as_people_write_them(self):
        with self.page() as visit:
            visit.open(SERVER, "/play")
            self.take(visit, self.click, enough=8)
            self.post(visit, "Writer")
            until(lambda: visit.page.inner_text("#posted").startswith("Posted"), 30, "it is posted")
            left = until(lambda: int(re.sub(r"\D", "", visit.page.inner_text("#left")) or 0), 30, "it can be donated")
            self.assertGreater(left, 1_000)
            self.assertEqual(visit.page.input_value("#points"), f"{left:,}")
            for text, points in (("1,5", None), ("1e3", None), ("-5", None), ("", None), ("1,0", None), ("1 00", None),
                                 ("1,000", 1000), ("٢٠", 20), ("３０", 30), ("۴۰", 40)):
                with self.subTest(text=text):
                    visit.page.fill("#points", text)
                    visit.page.click("#donate button")
                    if points is None:
                        self.assertIn("Enter a number", visit.page.inner_text("#donated"))
                    else:
                        until(lambda: f"{points:,} given" in visit.page.inner_text("#donated"), 30, "it is given")
                        left -= points
                        until(lambda: f"{left:,}" in visit.page.inner_text("#left"), 30, "so much is left")


class Page(unittest.TestCase):
    def test_in_all_languages_it_breaks_no_rule_and_scrolls_no_way(self):
        for locale, how in (("en", {"viewport": browser.PHONE}), ("ar", {"viewport": browser.NARROW}),
                            ("de", {"scheme": "dark"}), ("ja", {"viewport": browser.NARROW, "scheme": "dark"}),
                            ("fr", {"viewport": browser.PHONE}), ("es", {})):
            with self.subTest(locale=locale), BROWSER.page(locale=locale, **how) as visit:
                visit.open(SERVER, "/play")
                until(lambda: visit.page.locator("#start").is_enabled(), 30, "the script runs")
                self.assertEqual(visit.page.evaluate("document.documentElement.lang"), locale)
                self.assertEqual((visit.violations(), visit.troubles), ([], []))
                self.assertLessEqual(visit.width_beyond(), 0)

    def test_without_script_it_says_so_and_leads_to_the_board(self):
        with BROWSER.page(script=False) as visit:
            visit.open(SERVER, "/play")
            self.assertTrue(visit.page.locator("noscript a, .note a").first.is_visible())
            self.assertFalse(visit.page.locator("#post").is_visible())

    def test_the_first_page_leads_to_it(self):
        with BROWSER.page() as visit:
            visit.open(SERVER, "/")
            visit.page.click("a[href='/play']")
            visit.page.wait_for_url("**/play")

    def test_its_policy_is_that_of_every_page(self):
        policy = client.request(SERVER, "GET", "/play")["content-security-policy"]
        self.assertEqual(policy, client.request(SERVER, "GET", "/")["content-security-policy"])
        self.assertNotIn("unsafe", policy)

    def test_it_is_served_in_demo_worlds_or_when_asked_for(self):
        server = Server("no-play")
        self.addCleanup(server.stop)
        self.assertEqual(client.request(server, "GET", "/play").status, 404)
        self.assertNotIn("/play", client.request(server, "GET", "/").text)
        server.terminate()
        server.start("--play")
        self.assertEqual(client.request(server, "GET", "/play").status, 200)
        self.assertIn('href="/play"', client.request(server, "GET", "/").text)

    def test_the_client_is_served_as_it_stands_in_the_tree(self):
        with open(os.path.join(ROOT, "Clients", "causeboard.js"), "rb") as f:
            wanted = f.read()
        answer = client.request(SERVER, "GET", "/causeboard.js")
        self.assertEqual(answer.body, wanted)
        self.assertEqual((answer["cache-control"], answer["access-control-allow-origin"]),
                         ("public, max-age=3600", "*"))
        self.assertRegex(answer["content-type"], r"^text/javascript")
        again = client.request(SERVER, "GET", "/causeboard.js", [("If-None-Match", answer["etag"])])
        self.assertEqual(again.status, 304)
        zipped = client.request(SERVER, "GET", "/causeboard.js", [("Accept-Encoding", "gzip")])
        self.assertEqual((zipped["content-encoding"], zipped.content), ("gzip", wanted))
        self.assertTrue(re.search("Accept-Encoding", zipped["vary"]))
