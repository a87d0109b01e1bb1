"""Real Chromium, driven by Playwright, for what only a browser can tell of a page."""
import contextlib
import glob
import os
import shutil
import sys
import unittest

import packages
import server

PLAYWRIGHT = "playwright==1.55.0"
AXE = "axe-playwright-python==0.1.4"
# Fewer processes, each of which costs at its start and for every context, and letters as wide as on a screen.
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--in-process-gpu", "--disable-site-isolation-trials",
             "--font-render-hinting=none"]
PHONE = {"width": 390, "height": 844}
NARROW = {"width": 320, "height": 640}
DESKTOP = {"width": 1280, "height": 900}


def find_program():
    """The browser that this system has; a test without one is skipped. The first one has no windows, and costs a third
    of the others."""
    for name in ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    raise unittest.SkipTest("there is no chromium")


def import_playwright():
    programs = packages.installed("test-browser", PLAYWRIGHT, AXE)
    for folder in glob.glob(os.path.join(os.path.dirname(programs), "lib", "python3*", "site-packages")):
        if folder not in sys.path:
            sys.path.append(folder)
    from playwright.sync_api import sync_playwright
    return sync_playwright


class Browser:
    """One browser; each page has a context of its own."""

    def __init__(self):
        self.program = find_program()
        self.playwright = import_playwright()().start()
        self.browser = self.playwright.chromium.launch(executable_path=self.program, args=ARGUMENTS)

    def close(self):
        self.browser.close()
        self.playwright.stop()

    @contextlib.contextmanager
    def page(self, viewport=None, scheme="light", locale="en-US", script=True, motion="no-preference",
             touch=False):
        """A page that notes what goes wrong on it: see `Visit`."""
        context = self.browser.new_context(viewport=viewport or DESKTOP,
                                           color_scheme=scheme,
                                           locale=locale,
                                           java_script_enabled=script,
                                           reduced_motion=motion,
                                           has_touch=touch)
        try:
            yield Visit(context.new_page())
        finally:
            context.close()


class Visit:
    """A page, with the errors of its console and every address that it asked for."""

    def __init__(self, page):
        self.page = page
        self.troubles = []
        self.requests = []
        self.seen = None
        page.on("console", lambda message: self.troubles.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("requestfailed", lambda request: self.note_failure(request))

    def note_failure(self, request):
        # A stream ends with its page.
        if "/live" not in request.url and request.failure != "net::ERR_ABORTED":
            self.troubles.append(f"{request.url}: {request.failure}")

    def open(self, place, path, status=200):
        answer = self.page.goto(f"http://127.0.0.1:{place.port}{path}", wait_until="load")
        assert answer.status == status, f"{path}: status {answer.status}"
        return answer

    def until(self, expression, value, seconds=30):
        """Waits until an expression has this value; the page's policy lets no test evaluate it from within."""
        def look():
            self.seen = self.page.evaluate(expression)
            return self.seen == value
        try:
            server.until(look, seconds, expression)
        except AssertionError:
            raise AssertionError(f"not within {seconds} s: {value!r}, but {self.seen!r}") from None

    def width_beyond(self):
        """By how many pixels the page can be scrolled sideways."""
        return self.page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth")

    def violations(self):
        """What axe-core finds, by the rules of WCAG 2.2 AA and its best practices."""
        from axe_playwright_python.sync_playwright import Axe
        found = Axe().run(self.page).response["violations"]
        return [f"{v['id']}: {v['help']}: {[n['html'][:160] for n in v['nodes']][:3]}" for v in found]
