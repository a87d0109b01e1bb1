"""Friends at /play in real Chromium: codes, requests, the board among friends, and challenges."""
import contextlib
import os
import re
import unittest

import browser
import client
import v1
from plates import Plates
from seeds import NIGHTLY
from server import Server, until

HEAVY = True
SLOW = True

PICTURES = os.environ.get("PICTURES")
ANN, BEN = "Ann Plates", "Ben Plates"     # nobody of the demo is called so


def setUpModule():
    Friends.browser = browser.Browser()
    unittest.addModuleCleanup(Friends.browser.close)
    Friends.server = Server("play-friends")
    unittest.addModuleCleanup(Friends.server.stop)
    Friends.server.verb("demo", "--players", "60", "--seed", "3")
    Friends.server.verb("game", "set", "default", "--challenges", "friends")


def picture(visit, name):
    if PICTURES:
        visit.page.screenshot(path=os.path.join(PICTURES, name + ".png"), full_page=True)


class Friends(Plates, unittest.TestCase):
    """Two browsers, each with a player of its own."""

    @contextlib.contextmanager
    def player(self, name, **how):
        """The page of somebody who has posted a score."""
        with self.page(**how) as visit:
            visit.open(self.server, "/play")
            self.take(visit, self.click, enough=2)
            self.post(visit, name)
            until(lambda: visit.page.locator("#make-code").is_visible(), 30, f"{name} may have friends")
            yield visit

    def poll(self, visit):
        """Looks again now, as the page does when it is shown again."""
        visit.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")

    def names(self, visit, part="friends"):
        return visit.page.locator(f"section:has(> #people-{part}) li a").all_inner_texts()

    def own(self, visit):
        """Who the page's player is, for requests without the page."""
        name = visit.page.input_value("#name")
        return until(lambda: self.ranked(name), 30, f"{name} is ranked")["player"]

    def asked_by(self, name, visit):
        other = v1.Player(self.server, "default", name)
        self.assertEqual(other.call("PUT", f"/v1/players/me/friends/{self.own(visit)}").status, 200)
        return other

    def press(self, visit, name):
        """Presses a button by the keyboard alone."""
        visit.page.get_by_role("button", name=name, exact=True).focus()
        visit.page.keyboard.press("Enter")

    def said(self, visit, text):
        """Waits for a sentence, in which marks keep the direction of a name to itself."""
        until(lambda: text in re.sub("[\u2068\u2069]", "", visit.page.inner_text("#befriended")), 30, text)

    def test_two_browsers_befriend_each_other_by_a_code_and_see_the_board_among_them(self):
        with self.player(ANN) as ann, self.player(BEN, viewport=browser.PHONE, touch=True) as ben:
            ann.page.click("#make-code")
            code = until(lambda: ann.page.inner_text("#my-code"), 30, "there is a code")
            self.assertRegex(code, "^[0-9A-HJKMNP-TV-Z]{8}$")
            self.assertRegex(ann.page.inner_text("#code-until"), r"until \w+ \d+, \d{4}, \d+:\d\d")
            ann.page.reload()
            until(lambda: ann.page.inner_text("#my-code") == code, 30, "the page knows it still")
            ben.page.fill("#code", "0000 0000")
            ben.page.keyboard.press("Enter")
            self.said(ben, "This code does not work")
            self.assertEqual(ben.page.get_attribute("#code", "aria-invalid"), "true")
            ben.page.fill("#code", f"{code[:4].lower()}-{code[4:]}")
            ben.page.keyboard.press("Enter")
            self.said(ben, f"You and {ANN} are friends now.")
            self.assertEqual(ben.page.get_attribute("#code", "aria-invalid"), "false")
            until(lambda: self.names(ben) == [ANN], 30, "Ben sees his friend")
            self.poll(ann)
            until(lambda: self.names(ann) == [BEN], 30, "and Ann hers")
            best = sorted((ANN, BEN), key=lambda name: -self.ranked(name)["points"])
            for visit, name in ((ann, ANN), (ben, BEN)):
                visit.page.get_by_label("Friends", exact=True).check()
                rows = visit.page.locator("#place tbody tr")
                until(lambda: rows.locator("bdi").all_inner_texts() == best, 30, "the board is among friends")
                self.assertEqual(rows.locator(".rk").all_inner_texts(), ["1", "2"])
                self.assertEqual(visit.page.locator("#place .is-me bdi").inner_text(), name)
                self.assertEqual(visit.page.locator("#place caption").inner_text(), "You and your friends")
                self.assertEqual((visit.violations(), visit.width_beyond()), ([], 0))
                picture(visit, f"friends-{name}")
            self.press(ann, f"Remove {BEN}")
            self.said(ann, f"You and {BEN} are no longer friends.")
            self.assertEqual(ann.page.evaluate("document.activeElement.id"), "friends-title")
            until(lambda: "None of your friends" in ann.page.inner_text("#alone"), 30, "she stands alone")
            self.poll(ben)
            until(lambda: self.names(ben) == [], 30, "Ben sees it")
            ben.page.get_by_label("Everybody").check()
            until(lambda: ben.page.inner_text("#alone") == "", 30, "the whole board is shown again")
            # The browser notes the code that was wrong.
            self.assertEqual((ann.troubles, len(ben.troubles)), ([], 1), ben.troubles)

    def contest(self, visit):
        """What the page says of its only challenge, without marks of direction."""
        return re.sub("[\u2068\u2069]", "", visit.page.inner_text("#contests"))

    def test_two_browsers_challenge_each_other_and_see_who_has_won(self):
        names = "Kim Plates", "Lou Plates"
        with self.player(names[0]) as kim, self.player(names[1], viewport=browser.PHONE, touch=True) as lou:
            kim.page.click("#make-code")
            lou.page.fill("#code", until(lambda: kim.page.inner_text("#my-code"), 30, "there is a code"))
            lou.page.keyboard.press("Enter")
            self.said(lou, f"You and {names[0]} are friends now.")
            self.poll(kim)
            until(lambda: self.names(kim) == [names[1]], 30, "they are friends")
            self.assertIn("No challenges yet", kim.page.inner_text("#challenges"))
            self.press(kim, f"Challenge {names[1]}")
            self.said(kim, f"You challenged {names[1]}.")
            until(lambda: f"{names[1]} (no answer yet)" in self.contest(kim), 30, "she sees it")
            self.assertRegex(self.contest(kim), r"The best score from .+ \d+, \d{4}.+ until .+ counts\.")
            self.poll(lou)
            until(lambda: "Accept" in self.contest(lou), 30, "he is invited")
            self.press(lou, "Accept")
            until(lambda: lou.page.inner_text("#challenged") == "You take part.", 30, "he has entered")
            best = sorted(names, key=lambda name: self.ranked(name)["rank"])
            rows = [f"{name} {self.ranked(name)['points']}" for name in best]
            self.poll(kim)
            for visit in kim, lou:
                until(lambda: re.search(rf"1\. {rows[0]} · \d\. {rows[1]}\n", self.contest(visit)), 30, "both stand")
                self.assertEqual((visit.violations(), visit.width_beyond()), ([], 0))
                picture(visit, "challenge")
            winners = [name for name in names if f"1. {name}" in self.contest(kim)]
            # Its days, and those of all scores, are some days ago now.
            self.server.psql("update challenge set first_day = first_day - 5, last_day = last_day - 5;"
                             " update score set day = day - 5; update tally set day = day - 5 from board b"
                             " where b.id = board_id and b.kind = 'score'")

            def is_won(visit):
                self.poll(visit)
                return f"Won by {' and '.join(winners)}." in self.contest(visit)
            for visit in kim, lou:
                until(lambda: is_won(visit), 120, "who has won is said")
            self.assertNotIn("Leave", self.contest(kim))
            self.assertEqual((kim.troubles, lou.troubles), ([], []))

    def test_requests_are_accepted_declined_and_blocked_by_keys_alone(self):
        with self.player("Cam Plates") as cam:
            for name in ("Dot", "Eli", "Fin"):
                self.asked_by(name, cam)
            self.poll(cam)
            until(lambda: sorted(self.names(cam, "asked")) == ["Dot", "Eli", "Fin"], 30, "three ask")
            self.press(cam, "Accept Dot")
            self.said(cam, "You and Dot are friends now.")
            self.press(cam, "Decline Eli")
            self.said(cam, "You declined the request of Eli.")
            self.press(cam, "Block Fin")
            self.said(cam, "Fin is blocked")
            self.assertEqual([self.names(cam, part) for part in ("friends", "asked", "blocked")],
                             [["Dot"], [], ["Fin"]])
            self.assertIn("Friends since", cam.page.inner_text("#people"))
            self.assertEqual(cam.violations(), [])
            picture(cam, "requests")
            self.press(cam, "Unblock Fin")
            self.said(cam, "Fin is no longer blocked.")
            self.press(cam, "Remove Dot")
            self.said(cam, "You and Dot are no longer friends.")
            self.assertIn("No friends yet", cam.page.inner_text("#people"))
            self.assertEqual(cam.troubles, [])

    def test_without_a_network_it_says_so_and_the_code_is_still_there(self):
        with self.player("Gus Plates") as gus:
            gus.page.fill("#code", "ABCD2345")
            gus.page.context.set_offline(True)
            gus.page.keyboard.press("Enter")
            self.said(gus, "The server cannot be reached now.")
            self.assertEqual(gus.page.input_value("#code"), "ABCD2345")
            gus.page.context.set_offline(False)

    def test_a_hostile_name_is_a_name(self):
        hostile = "<img src=x onerror=alert(1)>"
        with self.player("Hal Plates") as hal:
            self.asked_by(hostile, hal)
            self.poll(hal)
            until(lambda: self.names(hal, "asked") == [hostile], 30, "it is shown as it stands")
            self.assertEqual(hal.page.locator("main img[src=x]").count(), 0)
            self.press(hal, f"Accept {hostile}")
            self.said(hal, f"You and {hostile} are friends now.")

    def test_it_breaks_no_rule_in_other_languages_and_in_the_dark(self):
        for number, (locale, how) in enumerate((("ar", {"viewport": browser.NARROW}), ("de", {"scheme": "dark"}),
                                                ("ja", {"viewport": browser.PHONE, "scheme": "dark"}),
                                                ("fr", {"viewport": browser.PHONE}), ("es", {}))):
            if number > 1 and not NIGHTLY:
                break
            with self.subTest(locale=locale), self.player(f"Ivy {locale}", locale=locale, **how) as ivy:
                for name in (f"Jo {locale}", "ليلى الحدّاد"):
                    self.asked_by(name, ivy)
                self.poll(ivy)
                until(lambda: len(self.names(ivy, "asked")) == 2, 30, "two ask")
                ivy.page.locator("#people button").first.click()
                until(lambda: len(self.names(ivy)) == 1, 30, "one is accepted")
                ivy.page.click("#make-code")
                until(lambda: ivy.page.locator("#my-code").is_visible(), 30, "there is a code")
                ivy.page.locator("#circle-friends").check()
                rows = ivy.page.locator("#place tbody tr")
                until(lambda: rows.count() == 1 and ivy.page.inner_text("#alone"), 30, "no friend has played yet")
                picture(ivy, f"friends-{locale}")
                self.assertEqual((ivy.violations(), ivy.troubles), ([], []))
                self.assertLessEqual(ivy.width_beyond(), 0)

    def test_a_game_without_friends_or_challenges_has_no_such_section(self):
        def shown():
            page = client.request(self.server, "GET", "/play").text
            return [part for part in ("friends", "challenges") if f'id="{part}"' in page]

        def shows(parts, *settings):
            self.server.verb("game", "set", "default", *settings)
            until(lambda: shown() == parts, 30, f"the page has {parts}")
        shows(["friends"], "--challenges", "off")
        shows(["friends", "challenges"], "--challenges", "friends")
        shows([], "--friends", "off")
        shows(["friends", "challenges"], "--friends", "requests")
