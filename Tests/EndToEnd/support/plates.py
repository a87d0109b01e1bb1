"""The game at /play as somebody plays it in a browser."""
import contextlib

import client
from seeds import NIGHTLY
from server import until

# Short beside the timeouts of requests, which are not faster than usual.
CLOCK_STEP_MILLISECONDS = 1_000
PLATES = """[...document.querySelectorAll('#field button')].flatMap((button, index) =>
    button.dataset.worth ? [index] : [])"""
SHOWN = "document.querySelector('#score .plates').textContent"     # in the digits of the page
SCORE = "Number(document.querySelector('#score .plates').textContent.replace(/\\D/g, ''))"
FEW_FRAMES = "window.requestAnimationFrame = (draw) => setTimeout(() => draw(performance.now()), 100)"
BOARD = "/v1/games/default/boards/high-scores"


class Plates:
    """Plays on the pages of a browser; a test case gives both."""

    browser = server = None

    def ranked(self, name):
        """The row of a player on the board."""
        rows = client.request(self.server, "GET", f"{BOARD}/top.json?limit=100").json()["rows"]
        return next((row for row in rows if row["name"] == name), None)

    @contextlib.contextmanager
    def page(self, **how):
        """A page whose clock `over` can put forward, with as few frames a second as the game allows."""
        with self.browser.page(**how) as visit:
            if not NIGHTLY:
                visit.page.clock.install()
                visit.page.add_init_script(FEW_FRAMES)
            yield visit

    def middle(self, visit, index):
        box = visit.page.locator("#field").bounding_box()
        return (box["x"] + box["width"] * (index % 4 + 0.5) / 4, box["y"] + box["height"] * (index // 4 + 0.5) / 4)

    def tap(self, visit, index):
        visit.page.touchscreen.tap(*self.middle(visit, index))

    def click(self, visit, index):
        visit.page.mouse.click(*self.middle(visit, index))

    def take(self, visit, hit, enough=3):
        """Starts a game, and takes plates by `hit` until there are enough; returns the score once the game is over."""
        if visit.page.locator("#start").is_disabled():
            raise AssertionError("a game is on already")
        visit.page.focus("#start")
        visit.page.keyboard.press("Enter")
        taken = 0
        while taken < enough:
            plates = until(lambda: visit.page.evaluate(PLATES), 30, "a plate hangs")
            before = visit.page.evaluate(SHOWN)
            hit(visit, plates[-1])
            taken += visit.page.evaluate(SHOWN) != before
        self.over(visit)
        return visit.page.evaluate(SCORE)

    def over(self, visit):
        """Lets the rest of a game pass, nightly as slowly as it does for players."""
        def is_over():
            if visit.page.locator("#start").is_disabled() and not NIGHTLY:
                visit.page.clock.run_for(CLOCK_STEP_MILLISECONDS)
            return visit.page.locator("#start").is_enabled()
        until(is_over, 60, "the game is over")

    def walk(self, visit, index):
        """Goes to a hook by arrow keys, and takes what hangs there."""
        at = visit.page.evaluate("[...document.querySelectorAll('#field button')].indexOf(document.activeElement)")
        for steps, keys in ((index // 4 - at // 4, ("ArrowUp", "ArrowDown")),
                            (index % 4 - at % 4, ("ArrowLeft", "ArrowRight"))):
            for _ in range(abs(steps)):
                visit.page.keyboard.press(keys[steps > 0])
        visit.page.keyboard.press("Space")

    def post(self, visit, name):
        visit.page.fill("#name", name)
        visit.page.click("#post button")
