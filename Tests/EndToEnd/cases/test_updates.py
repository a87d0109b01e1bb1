"""Updates by e-mail: who asked, in the export, and the link that ends them."""

import csv
import io
import unittest

import browser
import client
import v1_case
from v1_case import V1Case

BROWSER = None
PUBLIC_URL = "https://scores.example.org"


def setUpModule():
    global BROWSER
    BROWSER = browser.Browser()
    unittest.addModuleCleanup(BROWSER.close)
    v1_case.start("updates")


class Updates(V1Case):
    def subscribers(self):
        """The rows of the export by the player's id."""
        text = self.server.verb("export", "subscribers", "--public-url", PUBLIC_URL + "/")
        return {int(row["player"]): row for row in csv.DictReader(io.StringIO(text, newline=""), strict=True)}

    def subscriber(self, name):
        """A player who asked for updates, and the target of the link that ends them."""
        player = self.player(name, email="ada@example.org", send_updates=True)
        link = self.subscribers()[player.id]["unsubscribe"]
        self.assertTrue(link.startswith(PUBLIC_URL + "/unsubscribe?t="))
        return player, link.removeprefix(PUBLIC_URL)

    def wants(self, player):
        return player.get("/v1/players/me").json()["send_updates"]

    def test_the_link_asks_and_a_post_acts(self):
        (ada, link), (bob, _) = self.subscriber("Ada"), self.subscriber("Bob")
        for method in ("GET", "HEAD", "OPTIONS"):
            self.assertIn(client.request(self.server, method, link).status, (200, 204))
            self.assertTrue(self.wants(ada), "to look changes nothing")
        for body, type in [
            (b"List-Unsubscribe=One-Click", "application/x-www-form-urlencoded"),
            (b"--x\r\nContent-Disposition: form-data; name=\"List-Unsubscribe\"\r\n\r\nOne-Click\r\n--x--\r\n",
             "multipart/form-data; boundary=x"),
            (b"", None),
        ]:
            with self.subTest(type=type):
                answer = client.request(self.server, "POST", link, [("Content-Type", type)] if type else (), body)
                self.assertEqual(answer.status, 200)
                self.assertFalse(self.wants(ada))
                self.assertIsNone(answer["set-cookie"])
                self.assertEqual(answer["referrer-policy"], "no-referrer")
                self.assertIn("no-store", answer["cache-control"])
                self.assertNotIn("canonical", answer.text)
        self.assertTrue(self.wants(bob), "nobody else's end")
        self.assertNotIn(ada.id, self.subscribers())
        ada.call("PATCH", "/v1/players/me", {"send_updates": True})
        self.assertTrue(self.wants(ada), "who asks again gets them again")
        self.assertEqual(client.request(self.server, "POST", link, body=b"").status, 200)
        self.assertFalse(self.wants(ada), "by the same link")

    def test_a_link_that_is_none_is_refused_and_shown_as_a_page(self):
        ada, link = self.subscriber("Ada")
        changed = link[:-1] + ("A" if link[-1] != "A" else "B")
        for target in ("/unsubscribe", "/unsubscribe?t=", "/unsubscribe?t=A", changed, link + "=", link + "A",
                       "/unsubscribe?t=" + "A" * 4_000):
            for method in ("GET", "POST"):
                with self.subTest(target=target[:60], method=method):
                    self.assertEqual(client.request(self.server, method, target).status, 400)
        page = client.request(self.server, "POST", changed, [("Accept", "text/html")], b"")
        self.assertEqual((page.status, page.media), (400, "text/html"))
        self.assertNotIn(changed.partition("=")[2], page.text, "what a stranger wrote is not repeated")
        self.assertTrue(self.wants(ada))

    def test_a_person_presses_the_button(self):
        for script in (True, False):
            ada, link = self.subscriber("Ada")
            with BROWSER.page(script=script, locale="de") as visit:
                visit.open(self.server, link)
                if script:
                    self.assertEqual(visit.violations(), [])
                visit.page.get_by_role("button").click()
                visit.page.wait_for_selector("text=Keine weiteren Neuigkeiten")
                self.assertFalse(self.wants(ada))
                self.assertEqual(visit.page.get_by_role("button").count(), 0)
                self.assertEqual(visit.troubles, [])
