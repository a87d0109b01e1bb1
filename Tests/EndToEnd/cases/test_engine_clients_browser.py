"""causeboard.js in real Chromium: what is kept in IndexedDB, tabs that share a queue, and pages of other sites."""
import http.server
import threading
import unittest

import browser
import chaos
import client
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


def setUpModule():
    global SERVER, BROWSER
    BROWSER = browser.Browser()
    unittest.addModuleCleanup(BROWSER.close)
    SERVER = Server("engine-clients-browser")
    unittest.addModuleCleanup(finish)
    SERVER.verb("game", "add", "maze", "--name", "Maze")
    SERVER.verb("board", "add", "--game", "maze", "lap")
    SERVER.verb("board", "add", "--game", "maze", "signed", "--trust", "signed")


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

    def open(self, page):
        """The client on a page that comes from the server."""
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
            until(lambda: self.proxy.writes(), 10, "the first was tried")
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
            until(lambda: page.evaluate("board.pending().then((items) => items.length)") == 0, 20, "all is sent")
            self.assertEqual([row["id"] for row in self.own(page)][::-1], ids)
            self.assertEqual(page.evaluate("board.player().then(({ name }) => name)"), "Cleo")

    def test_posts_are_signed(self):
        with BROWSER.page() as visit:
            page = self.open(visit.page)
            page.evaluate("board.signIn('Dora')")
            outcome = page.evaluate("board.post('signed', 5).then((item) => item.settled)")
            self.assertEqual((outcome["state"], outcome["receipt"]["points"]), ("sent", 5))

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
            visit.page.goto(f"http://127.0.0.1:{site.server_address[1]}/")
            server = f"http://127.0.0.1:{SERVER.port}"
            visit.page.evaluate(OPEN, server)
            visit.page.evaluate("board.signIn('Eve')")
            self.assertEqual(self.settled(visit.page, [visit.page.evaluate("post(77)")]), {"sent"})
            rows = client.request(SERVER, "GET", "/v1/games/maze/boards/lap/top.json?limit=100").json()["rows"]
            self.assertIn(("Eve", 77), [(row["name"], row["points"]) for row in rows])
            self.assertEqual(visit.troubles, [])

    def test_a_ranking_is_followed_by_its_stream_and_by_asking_where_there_is_none(self):
        for prepare in (None, "delete window.EventSource"):
            with self.subTest(prepare=prepare), BROWSER.page() as visit:
                if prepare:
                    visit.page.context.add_init_script(prepare)
                visit.page.context.add_init_script(
                    "const wait = setTimeout; window.setTimeout = (work, ms) => wait(work, ms === 15000 ? 100 : ms)")
                page = visit.page
                page.goto(f"http://127.0.0.1:{SERVER.port}/privacy")
                page.evaluate(OPEN, f"http://127.0.0.1:{SERVER.port}")
                page.evaluate("""() => {
                    window.seen = [];
                    window.end = board.follow("lap", (ranking) => seen.push(ranking.of), { limit: 3 });
                }""")
                until(lambda: page.evaluate("seen.length"), 10, "the ranking comes at once")
                before = page.evaluate("seen.at(-1)")
                page.evaluate("board.signIn('Fay')")
                page.evaluate("post(1)")
                until(lambda: page.evaluate("seen.at(-1)") == before + 1, 10, "and again when it has changed")
                page.evaluate("end()")
