"""Spans of posts and feeds, as a collector of OpenTelemetry gets them."""
import http.server
import json
import os
import threading
import unittest

import client
import v1
from server import Server, until

TRACE = "0af7651916cd43dd8448eb211c80319c"
server = None
collector = None


class Collector(http.server.BaseHTTPRequestHandler):
    """Takes what is sent, while it is told to."""
    spans = []
    refuses = threading.Event()

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.refuses.is_set():
            self.send_response(503)
            self.send_header("Content-Length", "0")
            return self.end_headers()
        assert self.path == "/v1/traces" and self.headers["Content-Type"] == "application/json"
        document = json.loads(body)
        for resource in document["resourceSpans"]:
            assert {"key": "service.name", "value": {"stringValue": "causeboard"}} in resource["resource"]["attributes"]
            for scope in resource["scopeSpans"]:
                self.spans.extend(scope["spans"])
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):
        pass


def setUpModule():
    global server, collector
    collector = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Collector)
    threading.Thread(target=collector.serve_forever, daemon=True).start()
    unittest.addModuleCleanup(collector.shutdown)
    server = Server("traces", start=False)
    unittest.addModuleCleanup(server.stop)
    # Who asks is believed which trace a request belongs to.
    server.start("--trusted-proxies", "127.0.0.1/32", "--trace-otlp", f"http://127.0.0.1:{collector.server_port}",
                 "--trace-sample", "1", "--trace-lines", os.path.join(server.home, "spans"))
    server.verb("game", "add", "quiz", "--name", "Quiz")
    server.verb("board", "add", "--game", "quiz", "solo", "--earns", "fixed:10")


def trace(root):
    """The spans of the newest trace whose first span has a name, by their names."""
    def found():
        roots = [span for span in Collector.spans if span["name"] == root]
        return [span for span in Collector.spans if roots and span["traceId"] == roots[-1]["traceId"]]
    return until(found, 60, f"the trace of {root}")


def attributes(span):
    return {a["key"]: next(iter(a["value"].values())) for a in span["attributes"]}


class Traces(unittest.TestCase):
    def test_a_post_shows_its_parts(self):
        player = v1.Player(server, "quiz", "Zelda-Zq")
        answer = player.call("PUT", f"/v1/games/quiz/boards/solo/scores/{v1.new_id()}", {"points": 5},
                             headers=[("traceparent", f"00-{TRACE}-b7ad6b7169203331-01")])
        self.assertEqual(answer.status, 201)
        spans = trace("PUT /v1/games/{game}/boards/{board}/scores/{id}")
        by_name = {span["name"]: span for span in spans}
        root = by_name["PUT /v1/games/{game}/boards/{board}/scores/{id}"]
        self.assertEqual((root["traceId"], root["parentSpanId"], root["kind"]), (TRACE, "b7ad6b7169203331", 2))
        self.assertEqual(attributes(root)["http.response.status_code"], "201")
        self.assertEqual(attributes(root)["request"], answer["request-id"])
        for part in ("parse", "queue", "commit", "standings"):
            self.assertEqual(by_name[part]["parentSpanId"], root["spanId"], part)
            self.assertLessEqual(int(root["startTimeUnixNano"]), int(by_name[part]["endTimeUnixNano"]))
        self.assertEqual(attributes(by_name["commit"])["batch.rows"], "1")
        statements = [span["name"] for span in spans if span.get("parentSpanId") == by_name["commit"]["spanId"]]
        self.assertTrue(any(name.startswith("begin, ") for name in statements), statements)
        self.assertTrue(any(name.endswith(", commit") for name in statements), statements)
        text = json.dumps(Collector.spans)
        with open(os.path.join(server.home, "spans")) as lines:
            lines = lines.read()
        self.assertIn(root["spanId"], [json.loads(line)["spanId"] for line in lines.splitlines()])
        for secret in (player.token, player.device, "Zelda-Zq"):
            self.assertNotIn(secret, text)
            self.assertNotIn(secret, lines)

    def test_a_feed_shows_its_statements_and_whether_it_came_from_the_cache(self):
        path = "/v1/games/quiz/boards/solo/top.csv"
        until(lambda: client.get(server.admin(), "/readyz").json()["standings"] == "current", 60, "the standings")
        for _ in range(2):
            self.assertEqual(client.get(server, path).status, 200)
        name = "GET /v1/games/{game}/boards/{board}/top{.format}"

        def both():
            roots = [span for span in Collector.spans if span["name"] == name]
            return roots if [attributes(span).get("cache") for span in roots] == ["miss", "hit"] else None
        miss, _ = until(both, 60, "a miss and a hit")
        below = [span for span in Collector.spans if span.get("parentSpanId") == miss["spanId"]]
        self.assertTrue(below and all(attributes(span)["db.system"] == "postgresql" for span in below), below)

    def test_an_unsampled_trace_is_not_sampled_here(self):
        before = len(trace("GET /healthz") if client.get(server, "/healthz").status == 200 else [])
        self.assertEqual(before, 1)
        client.get(server, "/healthz", traceparent=f"00-{'1' * 32}-b7ad6b7169203331-00")
        client.get(server, "/openapi.yaml", traceparent=f"00-{'2' * 32}-b7ad6b7169203331-01")
        self.assertEqual(trace("GET /openapi.yaml")[-1]["traceId"], "2" * 32)
        self.assertNotIn("1" * 32, [span["traceId"] for span in Collector.spans])

    def test_a_collector_that_refuses_costs_spans_and_nothing_else(self):
        def count(result):
            text = client.get(server.admin(), "/metrics").text
            line = f'causeboard_trace_spans_total{{result="{result}"}} '
            return int(text.partition(line)[2].partition("\n")[0])
        Collector.refuses.set()
        try:
            self.assertEqual(client.get(server, "/v1/games").status, 200)
            until(lambda: count("failed") > 0, 60, "spans are lost")
        finally:
            Collector.refuses.clear()
        sent = count("sent")
        self.assertEqual(client.get(server, "/v1/games").status, 200)
        until(lambda: count("sent") > sent, 60, "spans are taken again")
        self.assertIn("takes no spans", server.log())
