"""causeboard.js in real Chromium: what is kept in IndexedDB, tabs that share a queue, and pages of other sites."""
import datetime
import http.server
import os
import threading
import unittest

import browser
import chaos
import client
from engine_client import CLIENTS
from seeds import nightly
from server import Server, until

SERVER = BROWSER = None
OPEN = """async (server) => {
    const { Causeboard } = await import(`${server}/causeboard.js`);
    window.board = await Causeboard.open({ server, game: "maze", random: () => 0.02 });
    window.outcomes = {};
    window.post = async (points) => {
        const item = await board.post("lap", points);
        item.settled.then((outcome) => { outcomes[item.id] = outcome.state; });
        return item.id;
    };
}"""
NO_LOCKS = "Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })"
# The page's clock can be set forward, and what is done each 20 s is done each 50 ms.
CLOCK = """window.ahead = 0;
const [now, repeat] = [Date.now, setInterval];
Date.now = () => now() + window.ahead;
window.setInterval = (work, ms) => repeat(work, ms === 20000 ? 50 : ms)"""
LEASE_LEFT = """async () => {
    const { name } = (await indexedDB.databases()).find(({ name }) => name.startsWith("causeboard"));
    const ended = (request) => new Promise((resolve) => { request.onsuccess = () => resolve(request.result); });
    const database = await ended(indexedDB.open(name));
    const lease = await ended(database.transaction("facts").objectStore("facts").get("lease"));
    database.close();
    return lease.until - Date.now();
}"""


def setUpModule():
    global SERVER, BROWSER
    BROWSER = browser.Browser()
    unittest.addModuleCleanup(BROWSER.close)
    SERVER = Server("engine-clients-browser")
    unittest.addModuleCleanup(finish)
    SERVER.verb("game", "add", "maze", "--name", "Maze")
    SERVER.verb("board", "add", "--game", "maze", "lap")
    SERVER.verb("board", "add", "--game", "maze", "signed", "--trust", "signed")
    SERVER.verb("charity", "add", "tree-fund", "--name", "Tree Fund")
    first = datetime.datetime.now(datetime.timezone.utc).date() - datetime.timedelta(days=1)
    SERVER.verb("campaign", "add", "winter", "--charity", "tree-fund", "--first-day", first.isoformat(), "--last-day",
                (first + datetime.timedelta(days=7)).isoformat())


def finish():
    try:
        SERVER.audit()
    finally:
        SERVER.stop()


class Empty(http.server.BaseHTTPRequestHandler):
    """A page of another site."""

    def do_GET(self):
        page = b"<!doctype html><title>Another site</title>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, *_):
        pass


class BrowserClient(unittest.TestCase):
    def setUp(self):
        self.proxy = chaos.Chaos(SERVER.port)
        self.addCleanup(self.proxy.__exit__)
        self.url = f"http://127.0.0.1:{self.proxy.port}"

    def serve(self, context):
        """Answers with the client of the tree, which is what the tests are of, whatever the server was built with."""
        context.route("**/causeboard.js", lambda route: route.fulfill(
            path=os.path.join(CLIENTS, "causeboard.js"), content_type="text/javascript",
            headers={"Access-Control-Allow-Origin": "*"}))

    def open(self, page):
        """The client on a page that comes from the server."""
        self.serve(page.context)
        page.goto(self.url + "/privacy")
        page.evaluate(OPEN, self.url)
        return page

    def settled(self, page, ids):
        until(lambda: page.evaluate("ids => ids.every((id) => outcomes[id])", ids), 30, "all is settled")
        return {page.evaluate("id => outcomes[id]", id) for id in ids}

    def own(self, page):
        return page.evaluate("board.scores({ limit: 100 })")["rows"]

    def two_tabs(self, prepare=None):
        with BROWSER.page() as visit:
            if prepare:
                visit.page.context.add_init_script(prepare)
            first, second = self.open(visit.page), self.open(visit.page.context.new_page())
            first.evaluate("board.signIn('Ada')")
            self.proxy.decide = lambda seen: chaos.LOSE_REQUEST if seen.id else chaos.PASS
            ids = [page.evaluate("points => post(points)", points)
                   for points in range(1, 11) for page in (first, second)]
            self.assertEqual(first.evaluate("board.pending().then((items) => items.map(({ id }) => id))"), ids)
            until(lambda: self.proxy.writes(), 30, "the first was tried")
            del self.proxy.seen[:]
            self.proxy.decide = lambda seen: chaos.PASS
            self.assertEqual(self.settled(first, ids[0::2]), {"sent"})
            self.assertEqual(self.settled(second, ids[1::2]), {"sent"})
            self.assertEqual([seen.id for seen in self.proxy.writes() if seen.status is not None], ids)
            self.assertEqual(self.proxy.most_at_once, 1)
            self.assertEqual([row["id"] for row in self.own(first)][::-1], ids)

    def test_two_tabs_send_each_post_once(self):
        self.two_tabs()

    def test_two_tabs_without_web_locks_send_each_post_once(self):
        self.two_tabs(NO_LOCKS)

    def test_without_web_locks_a_slow_step_keeps_the_right_to_send(self):
        """A step is up to three requests, each of which may take longer than half of what the right is taken for."""
        with BROWSER.page() as visit:
            visit.page.context.add_init_script(NO_LOCKS + ";" + CLOCK)
            first, second = self.open(visit.page), self.open(visit.page.context.new_page())
            first.evaluate("board.signIn('Abe')")
            answered = threading.Event()
            self.addCleanup(answered.set)

            def decide(seen):
                if seen.id and not answered.is_set():
                    answered.wait(60)
                return chaos.PASS
            self.proxy.decide = decide
            ids = [first.evaluate("post(1)")]
            until(lambda: self.proxy.writes(), 30, "the first is being sent")
            for ahead in range(40_000, 200_001, 40_000):
                for page in (first, second):
                    page.evaluate("ahead => { window.ahead = ahead; }", ahead)
                until(lambda: first.evaluate(LEASE_LEFT) > 60_000, 25, "the right is taken again")
            ids.append(second.evaluate("post(2)"))
            second.wait_for_timeout(1500)       # thrice the time after which it asks whether it may send
            self.assertEqual(len(self.proxy.writes()), 1)
            answered.set()
            self.assertEqual((self.settled(first, ids[:1]), self.settled(second, ids[1:])), ({"sent"}, {"sent"}))
            self.assertEqual(self.proxy.most_at_once, 1)

    def test_a_clock_that_was_set_back_keeps_no_tab_waiting(self):
        with BROWSER.page() as visit:
            visit.page.context.add_init_script(NO_LOCKS + ";" + CLOCK)
            first, second = self.open(visit.page), self.open(visit.page.context.new_page())
            first.evaluate("window.ahead = 86400000")
            first.evaluate("board.signIn('Abi')")
            self.proxy.decide = lambda seen: chaos.LOSE_REQUEST if seen.id else chaos.PASS
            first.evaluate("post(1)")
            until(lambda: self.proxy.writes(), 30, "the first was tried")
            first.close()
            self.proxy.decide = lambda seen: chaos.PASS
            self.assertEqual(self.settled(second, [second.evaluate("post(2)")]), {"sent"})

    def test_online_again_ends_what_being_offline_has_stopped(self):
        """Also after the server has asked for a wait, which is kept to as long as it lasts."""
        with BROWSER.page() as visit:
            page = self.open(visit.page)
            page.evaluate("board.signIn('Gus')")
            overloaded = chaos.problem(503, "overloaded", **{"Retry-After": "1"})
            self.proxy.decide = lambda seen: overloaded if len(self.proxy.writes()) == 1 else chaos.PASS
            self.assertEqual(self.settled(page, [page.evaluate("post(5)")]), {"sent"})
            page.context.set_offline(True)
            until(lambda: not page.evaluate("navigator.onLine"), 30, "the page is offline")
            ids = [page.evaluate("post(6)")]
            self.assertEqual(page.evaluate("board.pending().then((items) => items.length)"), 1)
            page.context.set_offline(False)
            self.assertEqual(self.settled(page, ids), {"sent"})
            del self.proxy.seen[:]
            overloaded[1]["Retry-After"] = "3"
            ids = [page.evaluate("post(7)")]
            until(lambda: self.proxy.writes(), 30, "it was tried")
            page.context.set_offline(True)
            page.context.set_offline(False)
            self.assertEqual(self.settled(page, ids), {"sent"})
            first, second = [seen.at for seen in self.proxy.writes()]
            self.assertGreaterEqual(second - first, 3)

    def test_the_browser_is_asked_once_not_to_throw_the_queue_away(self):
        for answer in ("Promise.resolve(true)", "Promise.reject(new Error('No.'))", "null"):
            with self.subTest(answer), BROWSER.page() as visit:
                visit.page.context.add_init_script("window.asked = 0;" + (
                    f"StorageManager.prototype.persist = () => {{ window.asked++; return {answer}; }}"))
                page = self.open(visit.page)
                page.evaluate("board.signIn('Hal')")
                self.assertEqual(page.evaluate("asked"), 0)
                self.assertEqual(self.settled(page, [page.evaluate("post(1)"), page.evaluate("post(2)")]), {"sent"})
                self.assertEqual((page.evaluate("asked"), visit.troubles), (1, []))

    def test_a_watcher_that_throws_costs_nothing_but_itself(self):
        with BROWSER.page() as visit:
            page = self.open(visit.page)
            page.evaluate("""() => {
                window.errors = [];
                window.addEventListener("error", ({ error }) => errors.push(error.message));
                board.watch(() => { throw new Error("of the game"); });
            }""")
            page.evaluate("board.signIn('Ida')")
            self.assertEqual(self.settled(page, [page.evaluate("post(1)")]), {"sent"})
            self.assertEqual(set(page.evaluate("errors")), {"of the game"})
            self.assertEqual(len(self.proxy.writes()), 1)

    def test_what_a_closed_tab_left_the_other_one_sends(self):
        with BROWSER.page() as visit:
            first, second = self.open(visit.page), self.open(visit.page.context.new_page())
            first.evaluate("board.signIn('Bea')")
            self.proxy.decide = lambda seen: chaos.LOSE_REQUEST if seen.id else chaos.PASS
            ids = [first.evaluate("post(1)"), second.evaluate("post(2)")]
            first.close()
            self.proxy.decide = lambda seen: chaos.PASS
            self.assertEqual(self.settled(second, ids[1:]), {"sent"})
            self.assertEqual([row["id"] for row in self.own(second)][::-1], ids)

    def test_the_queue_and_the_player_outlive_the_page(self):
        with BROWSER.page() as visit:
            page = self.open(visit.page)
            self.proxy.decide = lambda seen: chaos.PASS if seen.method == "GET" else chaos.LOSE_REQUEST
            self.assertIsNone(page.evaluate("board.signIn('Cleo').then((player) => player ?? null)"))
            ids = [page.evaluate("post(3)"), page.evaluate("post(4)")]
            page.reload()
            self.proxy.decide = lambda seen: chaos.PASS
            page.evaluate(OPEN, self.url)
            until(lambda: page.evaluate("board.pending().then((items) => items.length)") == 0, 30, "all is sent")
            self.assertEqual([row["id"] for row in self.own(page)][::-1], ids)
            self.assertEqual(page.evaluate("board.player().then(({ name }) => name)"), "Cleo")

    def test_posts_are_signed(self):
        with BROWSER.page() as visit:
            page = self.open(visit.page)
            page.evaluate("board.signIn('Dora')")
            outcome = page.evaluate("board.post('signed', 5).then((item) => item.settled)")
            self.assertEqual((outcome["state"], outcome["receipt"]["points"]), ("sent", 5))

    @nightly        # test_engine_clients fills the same queue without a browser
    def test_ten_thousand_wait_and_no_more(self):
        with BROWSER.page() as visit:
            page = self.open(visit.page)
            counts = page.evaluate("""async () => {
                const all = await Promise.allSettled(Array.from({ length: 10003 }, (_, n) => board.post("lap", n + 1)));
                const types = all.map(({ reason }) => reason?.type ?? "stored");
                return [types.filter((t) => t === "stored").length, types.filter((t) => t === "queue-full").length];
            }""")
            self.assertEqual(counts, [10_000, 3])
            page.reload()
            page.evaluate(OPEN, self.url)
            self.assertEqual(page.evaluate("board.pending().then((items) => items.length)"), 10_000)
            page.evaluate("board.forget()")
            self.assertEqual(page.evaluate("board.pending().then((items) => items.length)"), 0)

    def test_a_page_of_another_site_plays_too(self):
        site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Empty)
        threading.Thread(target=site.serve_forever, args=(0.02,), daemon=True).start()
        self.addCleanup(site.server_close)
        self.addCleanup(site.shutdown)
        with BROWSER.page() as visit:
            self.serve(visit.page.context)
            visit.page.goto(f"http://127.0.0.1:{site.server_address[1]}/")
            server = f"http://127.0.0.1:{SERVER.port}"
            visit.page.evaluate(OPEN, server)
            visit.page.evaluate("board.signIn('Eve')")
            self.assertEqual(self.settled(visit.page, [visit.page.evaluate("post(77)")]), {"sent"})
            rows = client.request(SERVER, "GET", "/v1/games/maze/boards/lap/top.json?limit=100").json()["rows"]
            self.assertIn(("Eve", 77), [(row["name"], row["points"]) for row in rows])
            self.assertEqual(visit.troubles, [])

    def test_streams_leave_connections_to_posts(self):
        """A browser has six to a server without TLS, over all tabs."""
        with BROWSER.page() as visit:
            tabs = []
            for page in (visit.page, visit.page.context.new_page()):
                self.serve(page.context)
                page.goto(f"http://127.0.0.1:{SERVER.port}/privacy")
                page.evaluate(OPEN, f"http://127.0.0.1:{SERVER.port}")
                tabs.append(page)
            tabs[0].evaluate("board.signIn('Gil')")
            for page in tabs:
                page.evaluate("""() => {
                    window.seen = new Set();
                    for (let limit = 1; limit <= 4; limit++) board.follow("lap", () => seen.add(limit), { limit });
                    board.followMe(() => seen.add("me"));
                }""")
            for page in tabs:
                until(lambda: page.evaluate("seen.size") == 5, 30, "everything that is followed is told")
                self.assertEqual(self.settled(page, [page.evaluate("post(2)")]), {"sent"})

    def test_a_ranking_and_a_campaign_are_followed_by_their_streams_or_by_asking(self):
        for prepare in (None, "delete window.EventSource"):
            with self.subTest(prepare=prepare), BROWSER.page() as visit:
                if prepare:
                    visit.page.context.add_init_script(prepare)
                visit.page.context.add_init_script(
                    "const wait = setTimeout; window.setTimeout = (work, ms) => wait(work, ms === 15000 ? 100 : ms)")
                page = visit.page
                self.serve(page.context)
                page.goto(f"http://127.0.0.1:{SERVER.port}/privacy")
                page.evaluate(OPEN, f"http://127.0.0.1:{SERVER.port}")
                page.evaluate("""() => {
                    window.seen = [];
                    window.end = board.follow("lap", (ranking) => seen.push(ranking.of), { limit: 3 });
                }""")
                until(lambda: page.evaluate("seen.length"), 30, "the ranking comes at once")
                before = page.evaluate("seen.at(-1)")
                page.evaluate("board.signIn('Fay')")
                page.evaluate("post(1)")
                until(lambda: page.evaluate("seen.at(-1)") == before + 1, 30, "and again when it has changed")
                page.evaluate("""() => {
                    window.raised = [];
                    window.endCampaign = board.followCampaign("winter", (campaign) => raised.push(campaign.points));
                }""")
                until(lambda: page.evaluate("raised.length"), 30, "so does a campaign")
                before = page.evaluate("raised.at(-1)")
                page.evaluate("board.donate('tree-fund', 1)")
                until(lambda: page.evaluate("raised.at(-1)") == before + 1, 30, "and again after a donation")
                page.evaluate("end(); endCampaign()")
