"""Every page at every width from a small phone to a large screen, and on paper, with names of wide letters and with the
most points that there are: no name is squeezed, no text leaves its cell, no number is broken, nothing scrolls
sideways."""
import datetime
import unittest

import browser
import v1
from seeds import NIGHTLY
from server import Server

HEAVY = True
SLOW = True

SERVER = BROWSER = None
PLAYERS = []
TEAMS = []
MOST = 2**53 - 1
POINTS = [MOST, MOST - 7, 1_234_567_890, 12_345_678, 100_000, 1_000, 7, 0, -5, -1_234_567, -MOST]
# For each change some, on both sides of where the layouts change; nightly all.
WIDTHS = range(320, 1921, 32) if NIGHTLY else (320, 416, 639, 641, 767, 769, 1023, 1025, 1920)
PAPER = {"width": 718, "height": 1000}      # A4 without its margins

# What is wrong on the page as it is laid out now, a line each.
LOOK = r"""
(() => {
  const troubles = new Set();
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) troubles.add("it scrolls sideways");
  // What only screen readers see, and what scrolls in a box of its own, is nobody's trouble.
  const isClipped = (e) => e.closest(".vh, .scroll")
    || (e.closest("thead") && getComputedStyle(e.closest("thead")).clipPath !== "none");
  const isShown = (e) => {
    const box = e.getBoundingClientRect();
    return box.width > 1 && box.height > 1 && e.checkVisibility({ visibilityProperty: true }) && !isClipped(e);
  };
  const say = (what, e, text) => troubles.add(`${what}: ${e.localName}.${e.className} “${text.trim().slice(0, 24)}”`);
  for (const e of document.querySelectorAll(".who a, .who .name")) {
    if (isShown(e) && e.getBoundingClientRect().width < 60) say("a name is squeezed", e, e.textContent);
  }
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const e = text.parentElement;
    if (!text.data.trim() || e.closest("pre, canvas, select, svg, noscript, script") || !isShown(e)) continue;
    texts.push(text);
  }
  const number = /[\p{Nd}][\p{Nd}.,:\u066b\u066c\u202f\u00a0]*[\p{Nd}]/gu;
  for (const text of texts) {
    const range = document.createRange();
    range.selectNodeContents(text);
    const box = range.getBoundingClientRect();
    // The separators between plates are narrower than their signs.
    let cell = text.parentElement.closest("i") ? text.parentElement.parentElement : text.parentElement;
    while (getComputedStyle(cell).display.startsWith("inline") && cell.parentElement) cell = cell.parentElement;
    const own = cell.getBoundingClientRect();
    if (box.left < own.left - 1.5 || box.right > own.right + 1.5) say("a text leaves its cell", cell, text.data);
    if (box.left < -1 || box.right > root.clientWidth + 1) say("a text leaves the page", cell, text.data);
    if (text.parentElement.closest(".who, code")) continue;
    for (const found of text.data.matchAll(number)) {
      range.setStart(text, found.index);
      range.setEnd(text, found.index + found[0].length);
      const lines = new Set([...range.getClientRects()].map((line) => Math.round(line.top)));
      if (lines.size > 1) say("a number is broken", text.parentElement, found[0]);
    }
  }
  return [...troubles];
})()
"""


def setUpModule():
    global SERVER, BROWSER
    BROWSER = browser.Browser()
    unittest.addModuleCleanup(BROWSER.close)
    SERVER = Server("widths")
    unittest.addModuleCleanup(SERVER.stop)
    SERVER.verb("demo", "--players", "60", "--seed", "7")
    SERVER.verb("game", "add", "wide", "--name", "Wide Games", "--teams", "codes", "--team-rosters", "public",
                "--flags", "on")
    bounds = ["--points-min", str(-MOST), "--points-max", str(MOST)]
    SERVER.verb("board", "add", "--game", "wide", "long", "--name", "A board with a name of many words and a few more",
                *bounds, "--earns", "points", "--teams", "best:2", "--countries", "best:2")
    SERVER.verb("board", "add", "--game", "wide", "low", "--order", "lowest", "--display", "milliseconds", *bounds)
    SERVER.verb("board", "add", "--game", "wide", "unit", "--unit", "seventeen metres", *bounds)
    SERVER.verb("charity", "add", "fund", "--name", "Wide Charity Fund " * 3, "--goal", str(MOST))
    SERVER.verb("charity", "add", "passed", "--name", "W" * 60, "--goal", "1000")
    for index, points in enumerate(POINTS):
        name = "W" * 31 + chr(65 + index) if index % 2 == 0 else "M W " * 7 + chr(65 + index)
        player = v1.Player(SERVER, "wide", name)
        PLAYERS.append(player)
        flag = ("PG-WHM", "GB-SCT", "DE")[index % 3]
        assert player.call("PATCH", "/v1/players/me", {"flag": flag}).status == 200
        for board in ("long", "low", "unit"):
            assert player.post(board, points).status == 201
    TEAMS.append(PLAYERS[0].call("PUT", "/v1/players/me/team", {"make": "W" * 32}).json()["id"])
    for player, points in zip(PLAYERS, (4 * 10**15, 3 * 10**15, 1_000_000_000, 10_000_000)):
        assert player.donate("fund", points).status == 201
        assert player.donate("passed", 900_000).status == 201
    assert PLAYERS[0].donate("fund", 5, anonymous=True).status == 201
    today = datetime.datetime.now(datetime.timezone.utc).date()
    days = ["--first-day", today.isoformat(), "--last-day", (today + datetime.timedelta(days=365)).isoformat()]
    SERVER.verb("campaign", "add", "fund", "--name", "Winter of Wells " * 6, "--charity", "fund", "--goal", str(MOST),
                "--milestone", "1:" + "W" * 60, "--milestone", f"{MOST - 1}:A pump", *days)
    SERVER.verb("campaign", "add", "passed", "--name", "W" * 60, "--charity", "passed", "--goal", "1000",
                "--milestone", "500:Half", *days)
    SERVER.verb("campaign", "add", "long", "--name", "A cup of many words " * 5, "--game", "wide", "--board", "long",
                *days)


def campaigns():
    return ["/campaigns", "/campaigns/fund", "/campaigns/passed", "/campaigns/long", "/embed/campaigns/fund",
            "/embed/campaigns/long", "/overlay/campaigns/fund"]


def groups():
    board = "/games/wide/boards/long"
    return [f"{board}/teams", f"/games/wide/teams/{TEAMS[0]}", f"{board}/countries", f"{board}/countries?of=GB"]


def pages():
    return ["/", "/games/wide", "/games/wide/boards/long", "/games/wide/boards/low", "/games/wide/boards/unit",
            "/games/default/boards/high-scores", *groups(), "/charities", "/charities/fund", "/charities/passed",
            "/contributors", *campaigns(), f"/players/{PLAYERS[0].id}", f"/players/{PLAYERS[-1].id}", "/play", "/books",
            "/privacy",
            "/embed/boards/wide/long", "/embed/boards/wide/low?size=l", "/embed/charities/fund",
            "/overlay/boards/wide/long", "/overlay/charities/fund", "/v1/charities.html",
            "/v1/games/wide/boards/long/top.html"]


class Widths(unittest.TestCase):
    def walk(self, locale, paths):
        with BROWSER.page(locale=locale) as visit:
            for path in paths:
                visit.page.emulate_media(media="screen")
                visit.open(SERVER, path)
                found = {}
                for width in WIDTHS:
                    visit.page.set_viewport_size({"width": width, "height": 800})
                    for trouble in visit.page.evaluate(LOOK):
                        found.setdefault(trouble, []).append(width)
                visit.page.set_viewport_size(PAPER)
                visit.page.emulate_media(media="print")
                for trouble in visit.page.evaluate(LOOK):
                    found.setdefault(trouble, []).append("paper")
                with self.subTest(page=path, locale=locale):
                    self.assertEqual(found, {})

    def test_no_name_is_squeezed_and_no_number_broken_at_any_width(self):
        self.walk("en", pages())

    def test_nor_from_right_to_left(self):
        self.walk("ar", ["/", "/games/wide/boards/long", "/games/wide/boards/low", *groups(), "/charities",
                         "/charities/fund", *campaigns(), f"/players/{PLAYERS[0].id}", "/play",
                         "/overlay/boards/wide/long"])

    def test_what_scrolls_in_a_feed_is_reached_by_keys(self):
        for path in ("/v1/charities.html", "/v1/games/wide/boards/long/top.html"):
            with self.subTest(path=path), BROWSER.page(viewport=browser.PHONE) as visit:
                visit.open(SERVER, path)
                self.assertEqual(visit.violations(), [])
