"""How the clients in Clients/ handle each response, and what is not a response."""
import json
import shutil
import time
import unittest

import chaos
import test_engine_clients as clients
import v1
from engine_client import EngineClientCase, start
from server import until

WAITS = True

server = None


def setUpModule():
    global server
    server = start("engine-clients-answers")
    server.verb("board", "add", "--game", "maze", "lap")
    server.verb("board", "add", "--game", "maze", "signed", "--trust", "signed")
    server.verb("charity", "add", "tree-fund", "--name", "Tree Fund", "--goal", "1000000")


class EngineClient(EngineClientCase):
    """What every client has to do."""

    def test_retry_after_is_waited_for(self):
        played = self.signed_in()
        for made_up in (chaos.problem(429, "rate-limited", **{"Retry-After": "2"}),
                        chaos.problem(503, "overloaded", **{"Retry-After": "1"})):
            del self.proxy.seen[:]
            self.proxy.decide = lambda seen: made_up if len(self.proxy.writes()) < 2 else chaos.PASS
            self.assertEqual(played.settled(played.post("lap", 4))["state"], "sent")
            first, second = [seen.at for seen in self.proxy.writes()]
            self.assertGreaterEqual(second - first, float(made_up[1]["Retry-After"]))

    def test_waiting_for_no_time_is_no_loop(self):
        played = self.signed_in()
        at_once = chaos.problem(503, "overloaded", **{"Retry-After": "0"})
        past = chaos.problem(429, "rate-limited", **{"Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT"})
        del self.proxy.seen[:]
        self.proxy.decide = lambda seen: (at_once, past, chaos.PASS)[min(len(self.proxy.writes()), 3) - 1]
        self.assertEqual(played.settled(played.post("lap", 4))["state"], "sent")
        times = [seen.at for seen in self.proxy.writes()]
        self.assertEqual(len(times), 3)
        for before, after in zip(times, times[1:]):
            self.assertGreaterEqual(after - before, 1)

    def test_what_is_no_answer_of_the_contract_is_none(self):
        played = self.signed_in()
        for kind, place, points in (("post", "lap", 61), ("donate", "tree-fund", 21)):
            def made_up(status, type, body):
                return status, {"Content-Type": type}, body if isinstance(body, bytes) else json.dumps(body).encode()
            answers = [
                made_up(200, "text/html", b"<h1>Welcome to the hotel</h1>"),
                made_up(403, "text/html", b"<h1>Log in first</h1>"),
                made_up(401, "application/json", {"type": "/problems/unauthorized", "detail": "Log in first."}),
                made_up(200, "application/json", {"status": "maintenance"}),
                made_up(200, "application/json", [points]),
                made_up(200, "application/json", {"points": points + 1, "charity": "tree-fund"}),
                made_up(201, "text/plain", {"points": points, "charity": "tree-fund"}),
                made_up(200, "application/json", b'{"points": '),
                (204, {}, b""),
                (302, {"Location": "/v1/games"}, b""),
            ]
            if kind == "donate":
                answers.append(made_up(200, "application/json", {"points": points, "charity": "other-fund"}))
            with self.subTest(kind):
                del self.proxy.seen[:]
                left = list(answers)
                self.proxy.decide = lambda seen: left.pop(0) if seen.id and left else chaos.PASS
                self.assertEqual(played.settled(getattr(played, kind)(place, points))["receipt"]["points"], points)
                # All but the last were no answer, and the redirection was not followed.
                self.assertEqual([seen.method for seen in self.proxy.seen], ["PUT"] * (len(answers) + 1))
                self.assertIn("left", played.profile())

    def answer_charity(self, points, progress):
        """Every request for charities is answered with one of such a total."""
        row = {"rank": 1, "slug": "tree-fund", "name": "Tree Fund", "points": points, "contributors": 1_024, "goal": 1,
               "progress": progress, "final": False}
        self.proxy.decide = lambda seen: chaos.PASS if "/charities" not in seen.path else (
            200, {"Content-Type": "application/json"},
            json.dumps({"board": "charities", "of": 1, "rows": [row]} if ".json" in seen.path else row).encode())

    def test_a_total_of_more_than_64_bits_is_read_as_a_number_close_to_it(self):
        played = self.signed_in()
        for points in (2**53, 2**63 - 1, 2**63, 10**24):
            self.answer_charity(points, points * 100 + 0.5)
            for row in (played.charities()["rows"][0], played.charity("tree-fund")):
                self.assertEqual(float(row["points"]), float(points))
                self.assertEqual(float(row["progress"]), float(points * 100 + 0.5))

    def test_a_registration_that_is_no_answer_of_the_contract_is_none(self):
        wrong = [(200, {"Content-Type": "application/json"}, json.dumps(body).encode())
                 for body in ({"status": "maintenance"}, {"player": None}, {"player": {"name": "Ada"}})]
        left = [*wrong, (204, {}, b"")]
        self.proxy.decide = lambda seen: left.pop(0) if left else chaos.PASS
        played = self.open()
        self.assertIsNone(played.signIn("Ada"))
        self.assertEqual(played.settled(played.post("lap", 62))["state"], "sent")
        self.assertEqual(left, [])
        self.assertEqual(played.player()["name"], "Ada")

    def test_a_receipt_that_is_none_refuses_nothing(self):
        """Where an id was used already, its receipt is asked for, and what answers that has to be a receipt."""
        played = self.signed_in()
        first = [chaos.problem(409, "id-reused"), (200, {"Content-Type": "application/json"}, b'{"ok": true}')]
        self.proxy.decide = lambda seen: first.pop(0) if seen.id and first else chaos.PASS
        self.assertEqual(played.settled(played.post("lap", 63))["state"], "sent")
        self.assertEqual(first, [])

    def test_an_id_that_was_used_is_compared_with_its_receipt(self):
        self.signed_in().kill()
        self.proxy.decide = lambda seen: chaos.LOSE_REQUEST if seen.id else chaos.PASS
        played = self.open()
        same, other, donation = played.post("lap", 70), played.post("lap", 71), played.donate("tree-fund", 20)
        for id, points in ((same, 70), (other, 7)):
            # The same points and another detail: the body differs, and so the id is refused.
            answer = v1.call(server, "PUT", f"/v1/games/maze/boards/lap/scores/{id}",
                             {"points": points, "detail": {"from": "elsewhere"}}, who=self.token())
            self.assertEqual(answer.status, 201, answer)
        answer = v1.call(server, "PUT", f"/v1/charities/tree-fund/donations/{donation}",
                         {"points": 20, "anonymous": True}, who=self.token())
        self.assertEqual(answer.status, 201, answer)
        self.proxy.decide = lambda seen: chaos.PASS
        self.assertEqual(played.settled(same)["state"], "sent")
        refused = played.settled(other)
        self.assertEqual((refused["state"], refused["problem"]["type"]), ("refused", "id-reused"))
        self.assertEqual(played.settled(donation)["state"], "sent")
        self.assertEqual([row["points"] for row in self.mine()], [70, 7])

    def test_a_donation_that_has_to_settle_waits_and_posts_pass_it(self):
        played = self.signed_in()
        played.settled(played.post("lap", 50))
        settling = chaos.problem(422, "points-settling", **{"Retry-After": "8"})
        tried = []

        def decide(seen):
            if seen.id and "/donations/" in seen.path:
                tried.append(seen)
                return settling if len(tried) == 1 else chaos.PASS
            return chaos.PASS
        self.proxy.decide = decide
        first, second = played.donate("tree-fund", 10), played.donate("tree-fund", 5)
        until(lambda: tried, 30, "the donation was tried")
        self.assertEqual(played.settled(played.post("lap", 60))["state"], "sent")
        self.assertEqual(played.pending(), [first, second])
        self.assertEqual([played.settled(id)["state"] for id in (first, second)], ["sent", "sent"])
        self.assertEqual([seen.id for seen in tried], [first, first, second])
        self.assertGreaterEqual(tried[1].at - tried[0].at, 8)
        self.assertIn({"id": first, "state": "pending", "problem": "points-settling"}, played.changes())

    def test_a_donation_beyond_the_cap_waits_and_posts_pass_it(self):
        def cap(seconds, again_at=None):
            """The problem, and a clock of the server by which that is so many seconds ahead."""
            status, headers, body = chaos.problem(422, "cap-reached", Date="Sun, 06 Nov 1994 08:49:37 GMT")
            at = again_at or f"1994-11-06T08:49:{37 + seconds}Z"
            return status, headers, json.dumps(json.loads(body) | {"room": 0, "again_at": at}).encode()
        played = self.signed_in()
        played.settled(played.post("lap", 50))
        tried, answers = [], [cap(4), cap(-20), cap(-20)]

        def decide(seen):
            if seen.id and "/donations/" in seen.path:
                tried.append(seen)
                return answers.pop(0) if answers else chaos.PASS
            return chaos.PASS
        self.proxy.decide = decide
        first, second = played.donate("tree-fund", 10), played.donate("tree-fund", 5)
        until(lambda: tried, 30, "the donation was tried")
        self.assertEqual(played.settled(played.post("lap", 60))["state"], "sent")
        self.assertEqual(played.pending(), [first, second])
        self.assertEqual([played.settled(id)["state"] for id in (first, second)], ["sent", "sent"])
        self.assertEqual([seen.id for seen in tried], [first] * 4 + [second])
        gaps = [after.at - before.at for before, after in zip(tried, tried[1:])]
        self.assertGreaterEqual(gaps[0], 4)
        self.assertGreaterEqual(min(gaps[1:3]), 1, "a time that has passed makes no loop")
        self.assertIn({"id": first, "state": "pending", "problem": "cap-reached"}, played.changes())
        for unknown in ("soon", 5):
            with self.subTest(unknown):
                del tried[:]
                answers[:] = [cap(0, unknown)]
                last = played.donate("tree-fund", 1)
                until(lambda: tried, 30, "the donation was tried")
                self.assertEqual(played.settled(played.post("lap", 60))["state"], "sent")
                time.sleep(0.5)
                self.assertEqual((len(tried), played.pending()[-1]), (1, last), "a time that is none makes no loop")
                played.kill()
                played = self.open()
                until(lambda: played.pending() == [], 30, "the next start tries again")

    def test_a_donation_beyond_the_cap_for_ever_is_refused(self):
        played = self.signed_in()
        played.settled(played.post("lap", 50))
        self.proxy.decide = lambda seen: chaos.problem(422, "cap-reached") if seen.id else chaos.PASS
        refused = played.settled(played.donate("tree-fund", 10))
        self.assertEqual((refused["state"], refused["problem"]["type"]), ("refused", "cap-reached"))

    def test_a_post_has_nothing_to_wait_for(self):
        """What keeps a donation back is for donations alone: a post that is answered so is refused, once."""
        played = self.signed_in()
        status, headers, body = chaos.problem(422, "cap-reached")
        capped = status, headers, json.dumps(json.loads(body) | {"again_at": "2099-01-01T00:00:00Z"}).encode()
        for answer in (chaos.problem(422, "points-settling", **{"Retry-After": "0"}), capped):
            del self.proxy.seen[:]
            self.proxy.decide = lambda seen: answer if seen.id else chaos.PASS
            self.assertEqual(played.settled(played.post("lap", 64))["state"], "refused")
            self.assertEqual(len(self.proxy.writes()), 1)

    def test_a_clock_that_is_wrong_twice_is_asked_about_again(self):
        played = self.signed_in()
        skew = [chaos.problem(401, "clock-skew") for _ in range(5)]
        del self.proxy.seen[:]
        self.proxy.decide = lambda seen: skew.pop() if seen.id and skew else chaos.PASS
        self.assertEqual(played.settled(played.post("signed", 25))["state"], "sent")
        self.assertEqual([seen.status for seen in self.proxy.writes()], [401] * 5 + [201])
        self.assertNotIn("stopped", [change["state"] for change in played.changes()])


@unittest.skipUnless(shutil.which("node"), "there is no node")
class JavaScript(EngineClient, unittest.TestCase):
    command = clients.JAVASCRIPT


@unittest.skipUnless(clients.HAS_MONO, "there is no mono")
class CSharp(EngineClient, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.command = clients.compile_csharp()

    def test_a_total_as_a_long_stops_at_64_bits(self):
        played = self.signed_in()
        for points, long in ((2**53, 2**53), (2**63 - 1, 2**63 - 1), (2**63, 2**63 - 1), (10**24, 2**63 - 1)):
            self.answer_charity(points, 1)
            self.assertEqual(played.pointsOfCharity("tree-fund"), long)
