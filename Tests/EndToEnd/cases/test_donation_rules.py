"""What is told of anonymous donations, and what charities take: donations that turn anonymous or are taken back, and
caps."""
import json
import re
import time
import uuid

import admin
import client
import v1
import v1_case
from admin import Operator
from live import Stream
from server import until
from v1_case import V1Case, donation, score

FORMATS = ("xml", "json", "plist", "csv", "atom", "html")


def setUpModule():
    v1_case.start("giving")


class DonationCase(V1Case):
    def rich(self, name, **fields):
        player = self.player(name, **fields)
        self.assertEqual(player.call("PUT", score(v1.new_id()), {"points": 1_000}).status, 201)
        return player

    def charity(self, *settings):
        """A new charity of its own for a test."""
        slug = "c" + uuid.uuid4().hex[:12]
        self.server.verb("charity", "add", slug, "--name", slug.upper(), *settings)
        return slug


class Unmasking(DonationCase):
    """Attacks by subtraction, by timing and by order."""

    def public_answers(self, charity, players=()):
        """Everything that nobody has to prove anything for."""
        paths = [f"{stem}.{suffix}{query}" for suffix in FORMATS for stem, query in (
            ("/v1/contributors/top", "?limit=100"), (f"/v1/charities/{charity}/top", "?limit=100"),
            (f"/v1/charities/{charity}/top", "?limit=100&window=today"), ("/v1/charities", "?limit=100"),
            ("/v1/donations", ""), (f"/v1/charities/{charity}/donations", ""), ("/books", ""))]
        paths += [f"/v1/charities/{charity}", f"/charities/{charity}", f"/charities/{charity}/contributors",
                  "/charities", "/contributors", "/", f"/embed/charities/{charity}"]
        for player in players:
            paths += [f"/v1/players/{player.id}", f"/players/{player.id}",
                      f"/v1/charities/{charity}/top.json?players={player.id}"]
        answers = {}
        for path in paths:
            answer = client.get(self.server, path)
            if path.startswith("/books") and answer.status == 404:
                continue                            # no day is closed yet
            self.assertEqual(answer.status, 200, f"{path}: {answer!r}")
            answers[path] = answer.text
        return answers

    def test_an_anonymous_donation_changes_nothing_that_names_or_counts_its_donor(self):
        charity = self.charity("--goal", "500")
        ada, bob = self.rich("Ada the donor"), self.rich("Bob the other")
        for player, points in ((ada, 20), (bob, 30)):
            self.assertEqual(player.donate(charity, points).status, 201)
        before = self.public_answers(charity, (ada, bob))
        self.assertEqual(ada.donate(charity, 7, anonymous=True).status, 201)
        after = self.public_answers(charity, (ada, bob))
        self.assertEqual(set(before), set(after))
        for path, text in after.items():
            with self.subTest(path=path):
                for secret in (str(ada.id), ada.name):
                    self.assertEqual(text.count(secret), before[path].count(secret))
                if "players" in path:
                    # Rankings count the row in how many there are.
                    left_out = r'"(next|prev)":"[^"]*"|"of":\d+|of \d+ contributors'
                    self.assertEqual(re.sub(left_out, "", text), re.sub(left_out, "", before[path]))
        said = self.public(f"/v1/charities/{charity}")
        self.assertEqual((said["points"], said["contributors"]), (57, 2))
        self.assertIn(f'"reached_at":"{said["reached_at"]}"', before[f"/v1/charities/{charity}"])
        row = next(r for r in self.public(f"/v1/charities/{charity}/top.json")["rows"] if r["points"] == 7)
        self.assertEqual(set(row), {"rank", "tied", "name", "points", "reached_at"})
        self.assertIn("T00:00:00", row["reached_at"])
        told = self.public(f"/v1/charities/{charity}/donations.json")["rows"]
        self.assertEqual([r["points"] for r in told], [30, 20, 7], "it stands where its day begins")
        # Hiding its donor does not betray it.
        self.server.verb("act", "hide", "--player", str(ada.id), "--reason", "a test")
        until(lambda: [r["points"] for r in self.public(f"/v1/charities/{charity}/top.json")["rows"]] == [30, 7], 2,
              "the donor's named donation is hidden, and the other one is not")

    def test_two_anonymous_donations_of_one_player_are_like_donations_of_two(self):
        ada, bob = self.rich("One donor"), self.rich("Another donor")
        one, two = self.charity(), self.charity()
        for charity, donors in ((one, (ada, ada)), (two, (ada, bob))):
            for player, points in zip(donors, (5, 6)):
                self.assertEqual(player.donate(charity, points, anonymous=True).status, 201)
        answers = []
        for charity in (one, two):
            found = {}
            for path, text in self.public_answers(charity).items():
                if charity in path:
                    text = text.replace(charity, "CHARITY").replace(charity.upper(), "CHARITY")
                    # Cursors are encrypted, ids of entries are hashes of a secret, and one address differs from
                    # another by what is computed of it.
                    found[path.replace(charity, "CHARITY")] = re.sub(
                        r'(next|prev)"?[:=]"[^"]*"|(after|before)=[\w.~-]+|urn:uuid:[0-9a-f-]+|"rank":\d+|'
                        r'/[\w-]{22}(?=(\?[^<]*)?</id>)', "", text)
            answers.append(found)
        self.assertEqual(set(answers[0]), set(answers[1]))
        for path in answers[0]:
            if path.endswith((".json", ".csv", ".xml", ".plist", "today", "limit=100", "donations.atom")):
                # Equal days are in random order among the newest donations.
                one_parts, two_parts = (sorted(re.split(r"[{}\n]", found[path])) for found in answers)
                self.assertEqual(one_parts, two_parts, path)
        rows = self.public(f"/v1/charities/{one}/top.json")["rows"]
        self.assertEqual([r["points"] for r in rows], [6, 5])
        self.assertEqual(self.public(f"/v1/charities/{one}")["contributors"], 0)
        self.assertNotIn("reached_at", self.public(f"/v1/charities/{one}"))

    def test_a_donation_that_turns_anonymous_leaves_no_trace_of_its_donor(self):
        for number in range(12):            # the home page names the best of each board by their scores
            self.rich(f"Ahead {number}")
        charity, ada, id = self.charity(), self.rich("Afterthought"), v1.new_id()
        self.assertEqual(ada.call("PUT", donation(id, charity), {"points": 9}).status, 201)
        self.assertTrue(any(ada.name in text for text in self.public_answers(charity).values()))
        said = ada.call("PATCH", donation(id, charity), {"anonymous": True})
        self.assertEqual((said.status, said.json()["anonymous"], said.json()["rank"]), (200, True, 1))
        for path, text in self.public_answers(charity).items():
            self.assertNotIn(ada.name, text, path)
            self.assertNotIn(str(ada.id), text, path)
        self.assertEqual(self.public(f"/v1/players/{ada.id}")["gifts"], [])
        self.assertIn({"charity": charity, "points": 9, "anonymous": True}, ada.get("/v1/players/me").json()["gifts"])


class Linking(DonationCase):
    """Attacks that compare what is told at one moment: nothing about the donor may move together with the donation."""

    def about(self, player):
        """The answers about a player, with their headers."""
        board = "/v1/games/quiz/boards/solo"
        paths = [f"/v1/players/{player.id}", f"/players/{player.id}", f"/cards/players/{player.id}.png",
                 f"{board}/players/{player.id}", f"{board}/players/{player.id}/around.json",
                 f"{board}/top.json?players={player.id}", "/books", "/games/quiz/boards/solo"]
        paths += [f"{board}/top.{suffix}" for suffix in FORMATS]
        answers = {}
        for path in paths:
            answer = client.get(self.server, path)
            headers = [(name.lower(), value) for name, value in answer.headers
                       if name.lower() not in ("date", "request-id")]
            body = answer.body
            if path == f"/players/{player.id}":
                # Everybody's page says how many rows there are, so its bytes and their tag follow it.
                body = re.sub(rb"of \d+ contributors", b"", body)
                headers = [pair for pair in headers if pair[0] not in ("etag", "content-length")]
            answers[path] = (answer.status, headers, body)
        # Rankings of donations have rows of anonymous donations, which others rank above or below.
        rows = self.public("/v1/contributors/top.json?limit=100")["rows"]
        answers["contributors"] = [(row["player"], row["points"], row["reached_at"]) for row in rows if "player" in row]
        return answers

    def test_no_tag_time_or_byte_about_the_donor_moves_with_the_donation(self):
        charity, ada = self.charity(), self.rich("Ada of the tags")
        self.assertEqual(ada.donate(charity, 20).status, 201)
        until(lambda: self.public(f"/v1/charities/{charity}")["points"] == 20, 3, "the donation is seen")
        before = self.about(ada)
        self.assertIn(b"Ada of the tags", before[f"/v1/players/{ada.id}"][2])
        self.assertEqual(ada.donate(charity, 7, anonymous=True).status, 201)
        until(lambda: self.public(f"/v1/charities/{charity}")["points"] == 27, 3, "the anonymous donation is seen")
        after = self.about(ada)
        for path in before:
            with self.subTest(path=path):
                self.assertEqual(after[path], before[path])

    def test_no_stream_tells_of_the_donor_when_the_donation_comes(self):
        charity, ada, bob = self.charity(), self.rich("Ada on air"), self.rich("Bob on air")
        for player, points in ((ada, 20), (bob, 30)):
            self.assertEqual(player.donate(charity, points).status, 201)
        until(lambda: self.public(f"/v1/charities/{charity}")["points"] == 50, 3, "the donations are seen")
        paths = ["/v1/charities/live", "/v1/contributors/live?limit=100", "/v1/games/quiz/boards/solo/live?limit=100",
                 f"/v1/charities/{charity}/live"]
        streams = {path: Stream(self.server, path, address="127.0.0.8") for path in paths}
        for stream in streams.values():
            self.addCleanup(stream.close)
            self.assertEqual(stream.status, 200)
        told = {path: [] for path in streams}

        def read_until(path, condition):
            stream, deadline = streams[path], time.monotonic() + 10
            while not told[path] or not condition(told[path][-1]):
                self.assertLess(time.monotonic(), deadline, path)
                told[path].append(stream.event())
        for path in streams:
            read_until(path, lambda event: True)
        before = {path: events[-1] for path, events in told.items()}
        self.assertEqual(ada.donate(charity, 7, anonymous=True).status, 201)

        def has_points(event):
            return event["event"] == "charity" and json.loads(event["data"])["points"] == 57
        read_until(f"/v1/charities/{charity}/live", has_points)
        # What comes afterwards by name shows that each stream has nothing more to say of the moment before.
        self.assertEqual(bob.post("solo", 5_000).status, 201)
        self.assertEqual(bob.donate(charity, 400).status, 201)
        for path in streams:
            read_until(path, lambda event: '"points":430' in event["data"] or '"points":5000' in event["data"]
                       or '"points":457' in event["data"] or '"given":430' in event["data"])
        for path, events in told.items():
            for event in events:
                with self.subTest(path=path, event=event["event"]):
                    for secret in (str(ada.id), ada.name):
                        self.assertLessEqual(event["data"].count(secret), before[path]["data"].count(secret) or 1)
        for path in ("/v1/contributors/live?limit=100", "/v1/games/quiz/boards/solo/live?limit=100"):
            def others(event):
                return [{name: value for name, value in row.items() if name not in ("rank", "tied")}
                        for row in json.loads(event["data"])["rows"] if row.get("player", bob.id) != bob.id]
            for event in told[path]:
                self.assertEqual(others(event), others(before[path]), path)

    def test_a_key_that_reads_finds_nobody_behind_a_donation(self):
        charity, ada = self.charity(), self.rich("Ada in the office")
        self.assertEqual(ada.donate(charity, 20).status, 201)
        reader = Operator(self.server.admin(), admin.make_key(self.server, "read"))
        root = Operator(self.server.admin(), admin.make_key(self.server))
        own = Operator(self.server.admin(), admin.make_key(self.server, f"charity:{charity}"))
        about = [f"players/{ada.id}", f"players/{ada.id}/ledger", f"players/{ada.id}/ledger.csv",
                 f"players/{ada.id}/acts", f"players?id={ada.id}", "players?name=Ada%20in%20the%20office", "queue",
                 "erasures"]

        def answers():
            found = {path: reader.get(path) for path in about}
            for path, answer in found.items():
                self.assertEqual(answer.status, 200, path)
            return {path: (answer["etag"], answer.text) for path, answer in found.items()}
        before, stats = answers(), reader.get("stats?days=1").json()["rows"][0]
        id = str(uuid.uuid4())
        self.assertEqual(ada.call("PUT", donation(id, charity), {"points": 7, "anonymous": True}).status, 201)
        self.assertEqual(ada.donate(charity, 21).status, 201)
        self.assertEqual(ada.call("DELETE", donation(id, charity)).status, 422, "it has no cooling off")
        rows = reader.get(f"charities/{charity}/donations").json()["rows"]
        self.assertEqual(own.get(f"charities/{charity}/donations").json()["rows"], rows)
        self.assertEqual([row["points"] for row in rows], [21, 20, 7], "it stands where its day begins, not in between")
        self.assertEqual(set(rows[2]), {"recorded_at", "id", "points", "state", "anonymous"})
        self.assertRegex(rows[2]["recorded_at"], r"T00:00:00(\.0+)?Z$")
        self.assertNotEqual(rows[2]["id"], id)
        self.assertEqual(own.get(f"charities/{charity}/donations?limit=1").json()["rows"], rows[:1])
        pages, after = [], ""
        while after is not None:
            page = own.get(f"charities/{charity}/donations?limit=1{after}").json()
            pages += page["rows"]
            after = f"&after={page['next']}" if "next" in page else None
        self.assertEqual(pages, rows)
        told = answers()
        for path in about:
            if "ledger" not in path and path != f"players/{ada.id}":
                self.assertEqual(told[path], before[path], path)
        record = [json.loads(each[f"players/{ada.id}"][1]) for each in (before, told)]
        self.assertEqual({name: (record[0][name], record[1][name]) for name in record[0]
                          if record[0][name] != record[1][name]},
                         {"given": (20, 41), "left": (record[0]["left"], record[0]["left"] - 21), "donations": (1, 2)})
        counted = reader.get("stats?days=1").json()["rows"][0]
        self.assertEqual({name: counted[name] - stats[name] for name in counted if name != "day"},
                         {"posts": 0, "donations": 2, "players": 0, "earned": 0, "given": 28}, "sums of everybody")
        # Neither does the log, nor what an action answers.
        reversal, undo = str(uuid.uuid4()), str(uuid.uuid4())
        for action, body in ((reversal, {"do": "reverse", "on": {"player": ada.id, "donation": id}}),
                          (undo, {"do": "undo", "on": {"act": reversal}})):
            self.assertEqual(root.call("PUT", f"acts/{action}", {"reason": "Why", **body}).status, 201)
            entry = next(row for row in reader.get("log").json()["rows"] if row["act"] == action)
            self.assertEqual({"on", "values", "reason", "name"} & set(entry), set())
            self.assertEqual(reader.get(f"acts/{action}").status, 403)
            self.assertEqual(reader.get(f"players/{ada.id}/acts").json()["rows"], [])
        for path in ("log?limit=100", "log.csv?limit=100"):
            self.assertNotIn(str(ada.id), reader.get(path).text)


class Changes(DonationCase):
    def test_a_donation_turns_anonymous_for_good(self):
        ada, id = self.rich("Ada"), v1.new_id()
        self.assertEqual(ada.call("PUT", donation(id), {"points": 5}).status, 201)
        self.problem(ada.call("PATCH", donation(id), {"anonymous": False}), 422, "field")
        self.problem(ada.call("PATCH", donation(id), {}), 422, "field")
        self.problem(ada.call("PATCH", donation(v1.new_id()), {"anonymous": True}), 404, "not-found")
        self.problem(ada.call("PATCH", donation(id, "oxfam"), {"anonymous": True}), 404, "not-found")
        self.problem(self.rich("Eve").call("PATCH", donation(id), {"anonymous": True}), 404, "not-found")
        self.problem(self.call("PATCH", donation(id), {"anonymous": True}), 401, "unauthorized")
        for again in (None, "true"):
            answer = ada.call("PATCH", donation(id), {"anonymous": True})
            self.assertEqual((answer.status, answer["idempotent-replayed"]), (200, again))
        again = ada.call("PUT", donation(id), {"points": 5})
        self.assertEqual(again["idempotent-replayed"], "true", "as it was first sent")
        self.problem(ada.call("PUT", donation(id), {"points": 5, "anonymous": True}), 409, "id-reused")

    def test_a_games_key_changes_the_donations_of_its_players(self):
        ada, id = self.rich("Ada of the key"), v1.new_id()
        self.assertEqual(ada.call("PUT", donation(id), {"points": 5}).status, 201)
        weak = self.server.verb("key", "add", "--game", "quiz", "--name", "weak", "--scopes", "post").strip()
        who = {"anonymous": True, "player": ada.id}
        self.problem(self.call("PATCH", donation(id), who, who=weak), 403, "scope")
        self.problem(self.call("PATCH", donation(id), who, who=self.other_key), 404, "not-found")
        self.assertEqual(self.call("PATCH", donation(id), who, who=self.key).status, 200)
        path = f"{donation(id)}?player={ada.id}"
        self.problem(self.call("DELETE", path, who=weak), 403, "scope")
        self.problem(self.call("DELETE", path, who=self.key), 422, "cooling-off-over")

    def test_a_donation_is_taken_back_while_it_cools_off(self):
        charity, ada = self.charity("--cooling-off", "10"), self.rich("Ada")
        kept, taken = v1.new_id(), v1.new_id()
        for id in (kept, taken):
            self.assertEqual(ada.call("PUT", donation(id, charity), {"points": 8}).status, 201)
        for again in (None, "true"):
            answer = ada.call("DELETE", donation(taken, charity))
            said = answer.json()
            self.assertEqual((answer.status, answer["idempotent-replayed"]), (200, again))
            self.assertEqual((said["reversed"], said["points"], said["left"], said["rank"]), (True, 8, 992, 1))
        self.assertEqual(self.public(f"/v1/charities/{charity}")["points"], 8)
        again = ada.call("PUT", donation(taken, charity), {"points": 8})
        self.assertEqual((again.status, again.json()["reversed"]), (200, True))
        self.server.psql(f"update donation set reached_at = reached_at - interval '10 minutes' where id = '{kept}'")
        self.problem(ada.call("DELETE", donation(kept, charity)), 422, "cooling-off-over")
        self.server.psql(f"update donation set reached_at = reached_at + interval '10 minutes' where id = '{kept}'")
        self.server.verb("charity", "close", charity)
        self.problem(ada.call("DELETE", donation(kept, charity)), 422, "cooling-off-over")
        self.assertEqual(ada.call("DELETE", donation(taken, charity)).status, 200, "a repeat is no new action")

    def test_an_operator_turns_a_donation_anonymous_and_nobody_undoes_it(self):
        ada, id, action = self.rich("Regretful"), v1.new_id(), v1.new_id()
        self.assertEqual(ada.call("PUT", donation(id), {"points": 5}).status, 201)
        words = ("--player", str(ada.id), "--donation", id, "--reason", "it was asked for", "--id", action)
        self.server.verb("act", "anonymise", *words)
        self.server.verb("act", "anonymise", *words)
        self.assertTrue(ada.call("GET", donation(id)).json()["anonymous"])
        self.assertEqual(self.public(f"/v1/players/{ada.id}")["gifts"], [])
        undo = self.server.run_verb("act", "undo", action, "--reason", "no")
        self.assertNotEqual(undo.returncode, 0)
        again = self.server.run_verb("act", "anonymise", *words[:-1], v1.new_id())
        self.assertIn(f"Action {action} stands in the way", again.stderr)

    def test_a_banned_player_changes_nothing(self):
        charity, ada, id = self.charity("--cooling-off", "10"), self.rich("Banned"), v1.new_id()
        self.assertEqual(ada.call("PUT", donation(id, charity), {"points": 8}).status, 201)
        self.server.verb("act", "ban", "--player", str(ada.id), "--reason", "a test")
        self.problem(ada.call("DELETE", donation(id, charity)), 403, "banned")
        self.problem(ada.call("PATCH", donation(id, charity), {"anonymous": True}), 403, "banned")

    def test_many_changes_at_once_are_one(self):
        charity, ada, id = self.charity("--cooling-off", "10"), self.rich("Ada"), v1.new_id()
        self.assertEqual(ada.call("PUT", donation(id, charity), {"points": 8}).status, 201)
        answers = []
        client.in_threads(12, lambda n: answers.append(
            ada.call("DELETE", donation(id, charity)) if n % 2 else
            ada.call("PATCH", donation(id, charity), {"anonymous": True})))
        self.assertEqual({a.status for a in answers}, {200})
        self.assertEqual(sum(a["idempotent-replayed"] is None for a in answers), 2)
        self.assertEqual(ada.left(), 1_000)


class Caps(DonationCase):
    def test_no_more_than_the_cap_however_many_donate_at_once(self):
        charity = self.charity("--cap-all", "100", "--cap-day", "90")
        said = self.public(f"/v1/charities/{charity}")
        self.assertEqual((said["cooling_off"], said["cap_day"], said["cap_all"]), (0, 90, 100))
        players = [self.rich(f"Donor {n}") for n in range(16)]
        answers = []
        client.in_threads(16, lambda n: [answers.append(players[n].donate(charity, 7)) for _ in range(3)])
        donated = [a for a in answers if a.status == 201]
        self.assertEqual(len(donated), 12, "12 times 7 is 84, and once more would be 91")
        for answer in answers:
            if answer.status != 201:
                self.problem(answer, 422, "cap-reached")
                self.assertLess(answer.json()["room"], 7)
        refused = players[0].donate(charity, 7).json()
        self.assertEqual((refused["room"], refused["field"]), (6, "points"))
        self.assertRegex(refused["again_at"], r"T00:00:00")
        self.assertNotIn("again_at", players[0].donate(charity, 17).json(), "more than is left in all")
        self.assertEqual(players[0].donate(charity, 6).status, 201)
        self.assertEqual(self.public(f"/v1/charities/{charity}")["points"], 90)

    def test_settings_that_no_charity_has(self):
        for words in (("--cap-all", "0"), ("--cap-day", "-1"), ("--cooling-off", "43201"), ("--cooling-off", "-1")):
            done = self.server.run_verb("charity", "add", "bad", "--name", "Bad", *words)
            self.assertNotEqual(done.returncode, 0, words)
            self.assertIn(words[0], done.stderr)
