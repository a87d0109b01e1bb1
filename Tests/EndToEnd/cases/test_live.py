"""Event streams: what is posted moves them, in every process; who does not read costs nobody else; and a server that
stops ends them at once."""
import json
import subprocess
import time
import unittest

import client
import http2
import v1
from joined import Joined
from live import Stream
from promtool import metric
from server import Server, until

OF_ADDRESS = 8
OF_CONNECTION = 30          # streams over HTTP/2; 16 requests are answered at once
SEEN_SECONDS_MAX = 5        # from a post to its event, on an idle machine a quarter of a second
CUT_SECONDS_MAX = 60
STOP_SECONDS_MAX = 4.5      # requests have 5 s to end; streams take none of them
BOARD = "/v1/games/quiz/boards/solo"
first = second = ada = None


def setUpModule():
    global first, second, ada
    first = Server("live")
    first.verb("game", "add", "quiz", "--name", "Quiz")
    for board in ("solo", "crowd", "over"):
        first.verb("board", "add", "--game", "quiz", board, "--policy", "latest", "--earns", "fixed:10")
    first.verb("board", "set", "--game", "quiz", "over", "--closes", "2020-01-01T00:00:00Z")
    first.verb("charity", "add", "trees", "--name", "Trees", "--goal", "1000")
    first.verb("charity", "add", "whales", "--name", "Whales")
    second = Joined("live-second", first)
    ada = v1.Player(first, "quiz", "Ada")
    assert ada.post("solo", 7).status == 201
    for server in (first, second):
        until(lambda: metric(server, "standings_loaded") == 1, 60, "ranks come from memory")


def tearDownModule():
    second.stop()
    try:
        first.audit()
    finally:
        first.stop()


def points(event):
    return [row["points"] for row in json.loads(event["data"])["rows"]]


class Streams(unittest.TestCase):
    def open(self, path, server=None, **more):
        stream = Stream(server or first, path, **more)
        self.addCleanup(stream.close)
        return stream


class Events(Streams):
    def same_as(self, event, path, tags=None):
        """The event has the bytes of a feed; `tags` are those of all documents of its id."""
        feed = client.get(first, path)
        self.assertEqual(event["data"] + "\n", feed.text)
        if tags is not None:
            self.assertEqual(event["id"], ".".join([*tags, feed["etag"].strip('"')]))
        return feed["etag"].strip('"')

    def test_a_post_moves_an_open_stream(self):
        stream = self.open(BOARD + "/live")
        self.assertEqual(stream.status, 200)
        for name, value in {
            "content-type": "text/event-stream", "cache-control": "no-store, no-transform", "x-accel-buffering": "no",
            "transfer-encoding": "chunked", "access-control-allow-origin": "*"
        }.items():
            self.assertEqual(stream.headers[name], value)
        for name in ("content-length", "content-encoding", "etag"):
            self.assertNotIn(name, stream.headers)
        event = stream.event()
        self.assertEqual(stream.retry, "3000")
        self.assertEqual(event["event"], "top")
        self.same_as(event, BOARD + "/top.json", [])
        for score in (11, 12, 13):
            self.assertEqual(ada.post("solo", score).status, 201)
            began = time.monotonic()
            event = stream.until(lambda event: score in points(event))
            self.assertLess(time.monotonic() - began, SEEN_SECONDS_MAX)
            self.same_as(event, BOARD + "/top.json", [])
        self.assertGreaterEqual(metric(first, "live_events_total"), 4)

    def test_a_post_moves_the_streams_of_another_process(self):
        stream = self.open(BOARD + "/live?window=today&limit=5", second)
        stream.event()
        self.assertEqual(ada.post("solo", 21).status, 201)
        event = stream.until(lambda event: 21 in points(event), SEEN_SECONDS_MAX)
        self.same_as(event, BOARD + "/top.json?window=today&limit=5", [])

    def test_no_more_than_four_events_come_in_a_second_and_the_newest_wins(self):
        stream = self.open(BOARD + "/live")
        stream.event()
        began, count = time.monotonic(), 0
        for score in range(1_000, 1_200):
            self.assertEqual(ada.post("solo", score).status, 201)
        while points(stream.event())[0] != 1_199:
            count += 1
        self.assertLessEqual(count, 4 * (time.monotonic() - began) + 2)

    def test_what_the_client_has_is_not_sent_again(self):
        known = self.open(BOARD + "/live").event()["id"]
        stream = self.open(BOARD + "/live", headers=[("Last-Event-ID", known)])
        other = self.open(BOARD + "/live", headers=[("Last-Event-ID", "0" * 32)])
        self.assertEqual(other.event()["id"], known)
        self.assertEqual(ada.post("solo", 31).status, 201)
        self.assertIn(31, points(stream.event()))

    def test_donations_move_charities_contributors_and_the_charity(self):
        trees = "/v1/charities/trees"
        charity, all_of_them = self.open(trees + "/live"), self.open("/v1/charities/live")
        donors = self.open("/v1/contributors/live")
        self.assertEqual([charity.event()["event"], charity.event()["event"]], ["charity", "top"])
        for stream in (all_of_them, donors):
            self.assertEqual(stream.event()["event"], "top")
        self.assertEqual(ada.post("solo", 41).status, 201)
        self.assertEqual(ada.donate("trees", 3).status, 201)
        own = charity.until(lambda event: event["event"] == "charity" and json.loads(event["data"])["points"] >= 3)
        self.assertNotIn("id", own)
        tag = self.same_as(own, trees)
        self.same_as(charity.until(lambda event: event["event"] == "top"), trees + "/top.json", [tag])
        self.same_as(all_of_them.until(lambda event: 3 in points(event)), "/v1/charities.json", [])
        self.same_as(donors.until(lambda event: 3 in points(event)), "/v1/contributors/top.json", [])

    def test_what_there_is_no_stream_of(self):
        for path, status in {
            "/v1/games/quiz/boards/over/live": 204, BOARD + "/live?window=2020-11": 204,
            BOARD + "/live?window=ever": 400, BOARD + "/live?limit=0": 400, "/v1/games/quiz/boards/none/live": 404,
            "/v1/charities/none/live": 404, "/v1/players/7/live": 404, "/v1/charities/live.json": 404
        }.items():
            with self.subTest(path):
                answer = client.get(first, path)
                self.assertEqual(answer.status, status)
                self.assertEqual(answer["cache-control"], "no-store")
        self.assertEqual(client.request(first, "POST", BOARD + "/live").status, 405)
        head = client.request(first, "HEAD", BOARD + "/live")
        self.assertEqual((head.status, head["content-type"]), (200, "text/event-stream"))
        self.assertIsNone(head["content-length"])

    def test_the_bytes_for_a_client_of_http_1_0_are_not_chunked(self):
        stream = self.open(BOARD + "/live", version="1.0")
        self.assertNotIn("transfer-encoding", stream.headers)
        self.assertEqual(stream.headers["connection"], "close")
        self.same_as(stream.event(), BOARD + "/top.json", [])
        self.assertEqual(ada.post("solo", 51).status, 201)
        self.assertIn(51, points(stream.event()))

    def test_a_client_that_has_ended_its_side_gets_the_state_and_the_end(self):
        stream = self.open(BOARD + "/live", version="1.0")
        stream.connection.socket.shutdown(1)
        self.assertEqual(stream.event()["event"], "top")
        self.assertIsNone(stream.event())

    def test_curl_reads_streams_over_http_2(self):
        command = ["curl", "-sN", "--http2-prior-knowledge", "--max-time", "20", "-D", "/dev/stderr"]
        urls = [f"http://127.0.0.1:{first.port}{path}/live" for path in (BOARD, "/v1/charities")]
        with subprocess.Popen([*command, "--parallel", "--parallel-immediate", *urls], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as curl:
            try:
                data = []
                while len(data) < 2:
                    line = curl.stdout.readline().decode()
                    self.assertNotEqual(line, "", curl.stderr)
                    data += [line] if line.startswith("data: ") else []
                self.assertEqual(ada.post("solo", 61).status, 201)
                while not (line.startswith("data: ") and '"points":61' in line):
                    line = curl.stdout.readline().decode()
                    self.assertNotEqual(line, "")
            finally:
                curl.terminate()
            self.assertIn(b"HTTP/2 200", curl.stderr.read())


class EventNetwork(Streams):
    def test_a_network_of_an_event_has_any_number_which_keep_a_connection_from_answering_nothing(self):
        second.terminate()
        second.start("--event-network", "127.0.0.1/32")
        self.addCleanup(second.start)
        self.addCleanup(second.terminate)
        with http2.Connection(second.port) as connection:
            streams = range(1, 2 * OF_CONNECTION + 1, 2)
            for number in streams:
                connection.request(number, "GET", BOARD + "/live")
            connection.request(2 * OF_CONNECTION + 1, "GET", "/readyz")
            answer = connection.answer(2 * OF_CONNECTION + 1)
            self.assertEqual(http2.body(answer), b"ok\n")
            until(lambda: metric(second, "live_streams") == OF_CONNECTION, 30, "all streams are open")
        until(lambda: metric(second, "live_streams") == 0, 30, "the streams end with their connection")


class Bounds(Streams):
    def setUp(self):
        until(lambda: metric(first, "live_streams") == 0, 30, "the streams of other tests have ended")

    def test_an_address_has_as_many_streams_as_it_may_have(self):
        streams = [self.open(BOARD + "/live", address="127.0.0.9") for _ in range(OF_ADDRESS)]
        self.assertTrue(all(stream.status == 200 for stream in streams))
        with client.Connection(first, address="127.0.0.9") as connection:
            refused = connection.get("/v1/charities/live")
            self.assertEqual(refused.status, 429, refused)
            self.assertEqual(refused.json()["limit"], "address-streams")
            self.assertEqual(refused["retry-after"], "15")
            self.assertEqual(connection.get(BOARD + "/top.json").status, 200)
        self.assertEqual(self.open(BOARD + "/live", address="127.0.0.10").status, 200)
        self.assertEqual(metric(first, "live_streams"), OF_ADDRESS + 1)
        streams[0].close()
        until(lambda: metric(first, "live_streams") == OF_ADDRESS, 30, "a stream ends with its connection")
        self.assertEqual(self.open(BOARD + "/live", address="127.0.0.9").status, 200)
        self.assertEqual(metric(first, "live_streams_refused_total"), 1)

    def test_who_does_not_read_is_cut_and_the_others_go_on(self):
        crowd = "/v1/games/quiz/boards/crowd"
        # Names of many bytes, so that an event has some 50 KiB.
        letters = [chr(0x20000 + n) + "\u0301\u0302\u0303\u0308" for n in range(100)]
        players = [v1.Player(first, "quiz", "".join(letters[(n + k) % 100] for k in range(32))) for n in range(100)]
        for player in players:
            self.assertEqual(player.post("crowd", 1).status, 201)
        slow = self.open(crowd + "/live?limit=100", address="127.0.0.11", receive_bytes=4_096)
        other = self.open(crowd + "/live?limit=100", address="127.0.0.12")
        self.assertGreater(len(other.event()["data"].encode()), 40_000)
        cut, score = metric(first, "live_streams_cut_total"), 1

        def post_until_cut():
            nonlocal score
            score += 1
            self.assertEqual(players[0].post("crowd", score).status, 201)
            other.until(lambda event: score in points(event))
            return metric(first, "live_streams_cut_total") > cut
        until(post_until_cut, CUT_SECONDS_MAX, "the client that does not read is cut")
        score += 1
        self.assertEqual(players[0].post("crowd", score).status, 201)
        other.until(lambda event: score in points(event))
        self.assertEqual(metric(first, "live_streams"), 1)
        with self.assertRaises((client.Broken, ConnectionError)):
            while slow.event():
                pass

    def test_a_server_that_stops_ends_its_streams_at_once(self):
        # Streams that took the time of requests would do so each time; a busy machine does not.
        self.assertTrue(any(self.stops_soon() for _ in range(4)), f"no stop took less than {STOP_SECONDS_MAX} s")
        self.assertEqual(self.open(BOARD + "/live", second).event()["event"], "top")

    def stops_soon(self):
        """Whether a server with many streams stopped at once; starts it again."""
        streams = [self.open(BOARD + "/live", second, address=f"127.0.1.{n}") for n in range(1, 40)]
        old = self.open(BOARD + "/live", second, version="1.0")
        for stream in [*streams, old]:
            stream.event()
        newer = http2.Connection(second.port)
        self.addCleanup(newer.socket.close)
        newer.request(1, "GET", BOARD + "/live")
        while newer.next()[0] != http2.DATA:
            pass
        seconds = second.terminate()
        self.assertFalse([kind for kind, *_ in newer.answer(1) if kind == http2.RST_STREAM])
        for stream in [*streams, old]:
            self.assertIsNone(stream.event())
        second.start()
        return seconds < STOP_SECONDS_MAX
