"""The admin API: games, boards and charities are made and changed without a change being lost, players are found, and
what is personal is for those alone who may know it."""
import csv
import io
import re

import admin
import client
import v1
import v1_case
from admin import Operator
from joined import Joined
from server import far_from_midnight
from v1_case import V1Case


def setUpModule():
    far_from_midnight()
    v1_case.start("adminsettings")


class AdminCase(V1Case):
    def setUp(self):
        self.root = Operator(self.server.admin(), admin.make_key(self.server))
        self.reader = Operator(self.server.admin(), admin.make_key(self.server, "read"))

    def problem(self, answer, status, type=None):
        self.assertEqual(answer.status, status, answer)
        self.assertEqual(answer.media, "application/problem+json")
        self.assertNotRegex(answer.text, r"(?i)select |postgres|sqlstate|\.swift|constraint")
        body = answer.json()
        if type:
            self.assertEqual(body["type"], "/problems/" + type, body)
        return body

    def pages(self, who, path, **changes):
        """All rows of a list, a few at a time."""
        rows, next = [], None
        mark = "&" if "?" in path else "?"
        while True:
            answer = who.get(f"{path}{mark}limit=2" + (f"&after={next}" if next else ""))
            body = self.private(answer, 200)
            self.assertEqual("link" in [name.lower() for name, _ in answer.headers], "next" in body)
            self.assertLessEqual(len(body["rows"]), 2)
            rows += body["rows"]
            next = body.get("next")
            if next is None:
                return rows


class Settings(AdminCase):
    THINGS = [
        ("games/{}", {"name": "Maze"}, {"name": "Labyrinth"}),
        ("games/quiz/boards/{}", {"order": "lowest", "earns": "fixed:10"}, {"ties": "shared"}),
        ("charities/{}", {"name": "Fund {}", "goal": 10}, {"goal": 20}),
        ("games/quiz/awards/{}", {"rule": "points", "board": "solo", "at_least": 5}, {"text": "Reach 5 points."}),
        ("games/quiz/providers/{}", {"kind": "google", "audiences": ["1234.example"]},
         {"audiences": ["1234.example", "5678.example"]}),
    ]

    def test_things_are_made_and_changed(self):
        for template, settings, change in self.THINGS:
            path = template.format("made")
            settings = {k: v.format("made") if isinstance(v, str) else v for k, v in settings.items()}
            with self.subTest(path):
                self.problem(self.root.get(path), 404, "not-found")
                self.problem(self.root.change(path, change, '"1"'), 404, "not-found")
                self.problem(self.root.call("PUT", path, settings), 428, "precondition")
                self.problem(self.root.call("PUT", path, settings, if_none_match='"1"'), 428, "precondition")
                made = self.root.add(path, settings)
                self.assertEqual(made.status, 201, made)
                self.assertEqual(made["location"], "/v1/admin/" + path)
                self.assertRegex(made["etag"], r'^"[!-~]+"$')
                for name, value in settings.items():
                    self.assertEqual(made.json()[name], value)
                got = self.reader.get(path)
                self.assertEqual((got.json(), got["etag"]), (made.json(), made["etag"]))
                self.assertEqual(self.problem(self.root.add(path, settings), 412, "stale")["current"], made["etag"])
                self.problem(self.root.call("PATCH", path, change), 428, "precondition")
                for tags in ("*", f'{made["etag"]}, "2"', made["etag"].strip('"')):
                    self.problem(self.root.change(path, change, tags), 428, "precondition")
                self.problem(self.root.change(path, change, "W/" + made["etag"]), 412, "stale")
                changed = self.root.change(path, change, made["etag"])
                self.assertEqual(self.private(changed, 200), {**made.json(), **change})
                self.assertNotEqual(changed["etag"], made["etag"])
                late = self.problem(self.root.change(path, change, made["etag"]), 412, "stale")
                self.assertEqual(late["current"], changed["etag"])
                self.assertEqual(self.reader.get(path).json(), changed.json())

    def test_of_changes_at_the_same_moment_one_wins(self):
        second = Joined("adminsettings2", self.server)
        self.addCleanup(second.stop)
        other = Operator(second.admin(), self.root.key)
        for template, settings, _ in self.THINGS[:3]:
            path = template.format("contested")
            settings = {k: v.format("contested") if isinstance(v, str) else v for k, v in settings.items()}
            makers = []
            client.in_threads(8, lambda n: makers.append((self.root, other)[n % 2].add(path, settings).status))
            self.assertEqual(sorted(makers), [201] + [412] * 7, path)
            for _ in range(5):
                etag = self.reader.get(path)["etag"]
                answers = []
                client.in_threads(
                    8, lambda n: answers.append((self.root, other)[n % 2].change(path, {"name": f"Name {n}"}, etag)))
                self.assertEqual(sorted(a.status for a in answers), [200] + [412] * 7, path)
                winner = next(a for a in answers if a.status == 200)
                self.assertEqual(self.reader.get(path).json(), winner.json())
                self.assertEqual({a.json()["current"] for a in answers if a.status == 412}, {winner["etag"]})

    def test_the_command_line_changes_the_version_too(self):
        for path, verb in (("games/chess", ("game", "set", "chess", "--name", "Chess!")),
                           ("games/chess/boards/solo", ("board", "set", "--game", "chess", "solo", "--ties", "shared")),
                           ("charities/oxfam", ("charity", "set", "oxfam", "--name", "Ox Fam"))):
            etag = self.reader.get(path)["etag"]
            self.server.verb(*verb)
            self.problem(self.root.change(path, {"name": "Lost"}, etag), 412, "stale")

    def test_a_provider_is_of_a_kind_and_is_removed(self):
        path = "games/chess/providers/own"
        good = {"kind": "oidc", "audiences": ["game"], "issuer": "https://id.example", "jwks": "https://id.example/keys"}
        for field, wrong in (
                ("kind", {"kind": "steam"}), ("audiences", {"audiences": []}), ("audiences", {"audiences": ["a b"]}),
                ("audiences", {"audiences": [f"a{n}" for n in range(11)]}), ("issuer", {"issuer": "http://id.example"}),
                ("issuer", {"issuer": "https://10.0.0.1"}), ("issuer", {"kind": "apple"}), ("issuer", {"issuer": None}),
                ("jwks", {"jwks": "https://127.0.0.1/keys"})):
            with self.subTest(**wrong):
                answer = self.problem(self.root.add(path, {**good, **wrong}), 422, "field")
                self.assertEqual(answer["field"], field)
        self.assertEqual(self.root.add(path, good).status, 201)
        etag = self.reader.get(path)["etag"]
        for fixed in ("kind", "issuer"):
            self.problem(self.root.change(path, {fixed: good[fixed]}, etag), 422, "field")
        changed = self.root.change(path, {"jwks": None}, etag)
        self.assertEqual((changed.status, "jwks" in changed.json()), (200, False), changed)
        self.assertIn("https://id.example", self.server.verb("provider", "list", "--game", "chess"))
        self.problem(self.reader.call("DELETE", path), 403)
        self.assertEqual(self.root.call("DELETE", path).status, 204)
        self.problem(self.root.call("DELETE", path), 404, "not-found")
        for number in range(10):
            self.server.verb("provider", "add", "--game", "chess", f"p{number}", "--kind", "apple", "--audiences",
                             "org.example.game")
        full = self.server.run_verb("provider", "add", "--game", "chess", "p10", "--kind", "apple", "--audiences", "a")
        self.assertEqual(full.returncode, 1, full.stderr)
        self.problem(self.root.add("games/chess/providers/p10", {"kind": "apple", "audiences": ["a"]}), 422)
        self.server.verb("provider", "set", "--game", "chess", "p0", "--audiences", "org.example.game,org.example.web")
        self.assertEqual(self.reader.get("games/chess/providers/p0").json()["audiences"],
                         ["org.example.game", "org.example.web"])
        for number in range(10):
            self.server.verb("provider", "remove", "--game", "chess", f"p{number}")

    def test_settings_are_those_of_the_command_line(self):
        full = {
            "name": "Full", "policy": "latest", "order": "lowest", "points_min": -5, "points_max": 500,
            "zone": "Europe/Berlin", "ties": "shared", "earns": "fixed:3", "earn_max": 2, "earn_day": 9,
            "display": "milliseconds", "unit": "laps", "trust": "signed", "details": "public", "teams": "best:3",
            "countries": "best:3", "season_every": "none",
            "opens": "2020-01-01T00:00:00Z", "closes": "2999-01-01T00:00:00Z"
        }
        made = self.root.add("games/quiz/boards/full", full)
        self.assertEqual(made.status, 201, made)
        stamps = {name: made.json()[name][:19] + "Z" for name in ("opens", "closes")}
        self.assertEqual({**made.json(), **stamps}, {"game": "quiz", "slug": "full", "season": 1, **full})
        line = next(line for line in self.server.verb("board", "list", "--game", "quiz").splitlines() if "full" in line)
        for word in ("latest", "lowest", "-5...500", "Europe/Berlin", "shared", "fixed:3, 2 a post, 9 a day"):
            self.assertIn(word, line)
        cleared = self.root.change("games/quiz/boards/full",
                                   {name: None for name in ("earn_max", "earn_day", "unit", "opens", "closes")},
                                   made["etag"]).json()
        self.assertEqual(set(made.json()) - set(cleared), {"earn_max", "earn_day", "unit", "opens", "closes"})
        plain = self.root.add("games/quiz/boards/plain").json()
        self.server.verb("board", "add", "--game", "quiz", "typed")
        typed = self.reader.get("games/quiz/boards/typed").json()
        self.assertEqual({**plain, "slug": "typed", "name": "typed"}, typed)
        salted = self.root.change("games/default", {"salt": "s3cret"}, self.reader.get("games/default")["etag"])
        self.assertTrue(salted.json()["has_salt"])
        self.assertNotIn("s3cret", salted.text)
        self.assertFalse(self.root.change("games/default", {"salt": None}, salted["etag"]).json()["has_salt"])

    def test_what_no_setting_can_be(self):
        self.assertEqual(self.root.add("games/quiz/boards/strict").status, 201)
        self.assertEqual(self.root.add("charities/strict", {"name": "Strict"}).status, 201)
        for path, change, field, type in [
            ("games/quiz", {"name": ""}, "name", "field"), ("games/quiz", {"name": None}, "name", "field"),
            ("games/quiz", {"name": 5}, "name", "field"), ("games/quiz", {"classic": "open"}, "classic", "field"),
            ("games/quiz", {"classic": "maybe"}, "classic", "field"),
            ("games/quiz", {"salt": "x" * 1025}, "salt", "field"),
            ("games/quiz", {"salt": "a\0b"}, "salt", "field"),
            ("games/quiz/boards/strict", {"points_min": 5, "points_max": 4}, "points_min", "field"),
            ("games/quiz/boards/strict", {"points_max": -9007199254740992}, "points_min", "field"),
            ("games/quiz/boards/strict", {"points_min": -9223372036854775808}, "points_min", "field"),
            ("games/quiz/boards/strict", {"points_min": 1e99}, "points_min", "field"),
            ("games/quiz/boards/strict", {"points_min": None}, "points_min", "field"),
            ("games/quiz/boards/strict", {"zone": "Mars/Olympus"}, "zone", "field"),
            ("games/quiz/boards/strict", {"zone": "a\0b"}, "zone", "field"),
            ("games/quiz/boards/strict", {"zone": "CET"}, "zone", "field"),
            ("games/quiz/boards/strict", {"zone": "localtime"}, "zone", "field"),
            ("games/quiz/boards/strict", {"earns": "fixed:-1"}, "earns", "field"),
            ("games/quiz/boards/strict", {"earn_max": -1}, "earn_max", "field"),
            ("games/quiz/boards/strict", {"unit": "x" * 17}, "unit", "field"),
            ("games/quiz/boards/strict", {"details": "all"}, "details", "field"),
            ("games/quiz/boards/strict", {"details": "public", "policy": "sum"}, "details", "field"),
            ("games/quiz/boards/strict", {"opens": "soon"}, "opens", "field"),
            ("games/quiz/boards/strict", {"opens": "2020-01-02T00:00:00Z", "closes": "2020-01-01T00:00:00Z"}, "opens",
             "field"),
            ("games/default/boards/high-scores", {"policy": "sum"}, "policy", "field"),
            ("charities/strict", {"goal": 0}, "goal", "field"),
            ("charities/strict", {"url": "javascript:1"}, "url", "field"),
            ("charities/strict", {"description": "x" * 2001}, "description", "field"),
            ("charities/strict", {"description": "a\0b"}, "description", "field"),
            ("charities/strict", {"url": "https://a\0b"}, "url", "field"),
            ("charities/strict", {"name": "Red  CROSS"}, "name", "name-refused"),
            ("charities/strict", {"zone": "UTC"}, "zone", "field")
        ]:
            with self.subTest(path=path, change=str(change)[:60]):
                before = self.reader.get(path)
                answer = self.root.change(path, change, before["etag"])
                self.assertEqual(self.problem(answer, 422, type)["field"], field)
                after = self.reader.get(path)
                self.assertEqual((after.json(), after["etag"]), (before.json(), before["etag"]))
        answer = self.root.add("charities/no-summer", {"name": "No Summer", "zone": "CET"})
        self.assertIn("such as Europe/Berlin", self.problem(answer, 422, "field")["detail"])
        lowest = self.root.add("games/quiz/boards/lowest", {"order": "lowest"}).json()
        self.assertEqual((lowest["points_min"], lowest["points_max"]), (0, 2**53 - 1))
        self.problem(self.root.add("games/none/boards/solo"), 404, "not-found")
        self.problem(self.root.change("games/quiz", b"{", self.reader.get("games/quiz")["etag"]), 400, "malformed")
        ada = self.player()
        self.assertEqual(ada.post("strict", 3).status, 201)
        etag = self.reader.get("games/quiz/boards/strict")["etag"]
        for change in ({"policy": "sum"}, {"order": "lowest"}, {"zone": "Europe/Berlin"}):
            self.problem(self.root.change("games/quiz/boards/strict", change, etag), 422, "field")

    def test_lists_come_in_pages_and_as_csv(self):
        for slug in ("aa", "ab", "ac", "ad"):
            self.assertEqual(self.root.add(f"games/{slug}").status, 201)
            self.assertEqual(self.root.add(f"games/aa/boards/{slug}").status, 201)
        for path in ("games", "games/aa/boards", "charities", "keys"):
            with self.subTest(path):
                rows = self.pages(self.reader, path)
                self.assertEqual(rows, self.private(self.reader.get(path + ".json?limit=100"), 200)["rows"])
                answer = self.reader.get(path + ".csv?limit=100")
                self.assertEqual((answer.status, answer.media), (200, "text/csv"))
                read = list(csv.DictReader(io.StringIO(answer.text)))
                self.assertEqual(len(read), len(rows))
                for row, cells in zip(rows, read):
                    self.assertLessEqual(set(row), set(cells))
                link = self.reader.get(path + ".csv?limit=2")["link"]
                self.assertEqual(link is None, len(rows) <= 2)
                if link is None:
                    continue
                rest = self.reader.get(re.fullmatch(r'</v1/admin/(.*)>; rel="next"', link)[1])
                self.assertEqual(list(csv.DictReader(io.StringIO(rest.text))), read[2:4])
        self.problem(self.reader.get("games?limit=0"), 400, "malformed")
        self.problem(self.reader.get("games?limit=101"), 400, "malformed")
        self.problem(self.reader.get("games?after=x"), 400, "bad-cursor")
        next = self.reader.get("games?limit=1").json()["next"]
        self.problem(self.reader.get(f"charities?after={next}"), 400, "bad-cursor")
        self.problem(self.reader.get("games/none/boards"), 404, "not-found")


class Players(AdminCase):
    def found(self, query, who=None):
        return [row["id"] for row in self.pages(who or self.reader, f"players?{query}")]

    def test_players_are_found(self):
        ada = self.player("Zoë Search", email="Zoe@Example.org", send_updates=True, country="nz")
        twins = [self.player("zoë search", game=game) for game in ("quiz", "quiz", "chess")]
        everybody = sorted([ada.id] + [twin.id for twin in twins])
        self.assertEqual(self.found("name=ZO%C3%8B%20search"), everybody)
        self.assertEqual(self.found("name=Zo%C3%AB%20Search&game=chess"), [twins[2].id])
        self.assertEqual(self.found("name=Zo"), [])
        self.assertEqual(self.found(f"id={ada.id}"), [ada.id])
        self.assertEqual(self.found(f"id={ada.id}&game=chess"), [])
        made = self.call("PUT", "/v1/games/quiz/players/u%3A7", {"name": "Ext"}, who=self.key).json()["player"]["id"]
        self.call("PUT", "/v1/games/chess/players/u%3A7", {"name": "Ext"}, who=self.other_key)
        self.assertEqual(self.found("external=u%3A7&game=quiz"), [made])
        self.assertEqual(len(self.found("external=u%3A7")), 2)
        self.assertEqual(self.found(f"external={ada.device}"), [], "a device is no game's own id")
        for query in ("", "name=a&id=7", "id=x", "id=0", "name=" + "x" * 1025, "name=%00", "external=%20",
                      "game=quiz"):
            self.problem(self.reader.get(f"players?{query}"), 400, "malformed")
        self.problem(self.reader.get("players?name=a&game=none%20"), 404, "not-found")
        for email in ("zoe@example.org", "ZOE@EXAMPLE.ORG"):
            answer = self.root.call("POST", "players/search", {"email": email})
            self.assertEqual([row["id"] for row in self.private(answer, 200)["rows"]], [ada.id])
            self.assertNotIn("@", answer.text)
        self.assertEqual(self.root.call("POST", "players/search", {"email": "no@example.org"}).json()["rows"], [])
        for body in ({}, {"email": ""}, {"email": "no"}, {"email": 5}):
            answer = self.root.call("POST", "players/search", body)
            self.assertEqual(self.problem(answer, 422, "field")["field"], "email")

    def test_what_is_personal_is_for_those_who_may_know_it(self):
        ada = self.player("Private", email="private@example.org", send_updates=True, country="nz")
        self.assertEqual(ada.post("solo", 30).status, 201)
        self.assertEqual(ada.donate("red-cross", 4).status, 201)
        self.assertEqual(ada.donate("red-cross", 5, anonymous=True).status, 201)
        personal = {"email", "country", "send_updates", "updates_since", "updates_source"}
        shown = self.private(self.root.get(f"players/{ada.id}"), 200)
        read = self.private(self.reader.get(f"players/{ada.id}"), 200)
        self.assertEqual(set(shown) - set(read), personal)
        self.assertEqual((shown["email"], shown["country"]), ("private@example.org", "NZ"))
        # Who may not know what was donated anonymously is told sums without it: nothing is left to subtract.
        for seen, donated, count in ((shown, 9, 2), (read, 4, 1)):
            books = {"earned": 30, "voided": 0, "held": 0, "given": donated, "left": 30 - donated, "scores": 1,
                     "donations": count}
            self.assertEqual({name: seen[name] for name in books}, books)
        others = Operator(self.server.admin(), admin.make_key(self.server, "read,moderate,operate"))
        for path in (f"players/{ada.id}", f"players/{ada.id}/ledger", f"players?id={ada.id}", "players?name=Private",
                     "charities/red-cross/donations", "stats", "keys", "games"):
            for who in (self.reader, others):
                self.assertNotIn("@", who.get(path).text, path)
        ledger = self.pages(self.root, f"players/{ada.id}/ledger")
        self.assertEqual([(row["kind"], row["points"], row.get("anonymous")) for row in ledger],
                         [("donation", 5, True), ("donation", 4, False), ("score", 30, None)])
        self.assertEqual(ledger[2]["earned"], 30)
        self.assertEqual(self.pages(self.reader, f"players/{ada.id}/ledger"), [ledger[1], ledger[2]])
        self.problem(self.reader.get("players/9007199254740991"), 404, "not-found")
        self.problem(self.reader.get("players/9007199254740991/ledger"), 404, "not-found")
        with_links = [row for row in self.pages(self.root, "subscribers") if row["player"] == ada.id]
        self.assertEqual([(row["email"], row["game"]) for row in with_links], [("private@example.org", "quiz")])
        exported = list(csv.DictReader(io.StringIO(self.server.verb("export", "subscribers"))))
        listed = list(csv.DictReader(io.StringIO(self.root.get("subscribers.csv?limit=100").text)))
        self.assertEqual(sorted(listed, key=str), sorted(exported, key=str))
        self.assertEqual(client.request(self.server, "POST", with_links[0]["unsubscribe"]).status, 200)
        self.assertEqual([row for row in self.pages(self.root, "subscribers") if row["player"] == ada.id], [])

    def test_a_charity_reads_what_it_received(self):
        ada = self.player("Donor")
        ada.post("solo", 30)
        ids = [v1.new_id() for _ in range(3)]
        for points, id in enumerate(ids, 1):
            self.assertEqual(ada.donate("oxfam", points, id, anonymous=points == 2).status, 201)
        own = Operator(self.server.admin(), admin.make_key(self.server, "charity:oxfam"))
        rows = self.pages(own, "charities/oxfam/donations")
        self.assertEqual([(row["points"], row["state"], row.get("player"), row.get("game")) for row in rows],
                         [(3, "funded", ada.id, "quiz"), (1, "funded", ada.id, "quiz"), (2, "funded", None, None)],
                         "the anonymous one stands where its day begins")
        self.assertEqual([row["id"] for row in rows[:2]], [ids[2], ids[0]])
        self.assertNotIn(rows[2]["id"], ids, "an id of a device's own may have the time in it")
        self.assertNotIn("Donor", own.get("charities/oxfam/donations").text)
        self.assertEqual(own.get("charities/oxfam").json()["slug"], "oxfam")
        self.problem(own.get("charities/red-cross/donations"), 403, "scope")
        self.problem(own.get("charities"), 403, "scope")
        self.problem(self.reader.get("charities/none/donations"), 404, "not-found")

    def test_statistics_count_what_happened(self):
        before = self.reader.get("stats?days=1").json()["rows"][0]
        ada = self.player("Counted")
        for points in (5, 6, 7):
            ada.post("solo", points)
        ada.donate("red-cross", 4)
        rows = self.private(self.reader.get("stats?days=3"), 200)["rows"]
        self.assertEqual(len(rows), 3)
        more = {"posts": 3, "donations": 1, "players": 1, "earned": 18, "given": 4}
        self.assertEqual({name: rows[0][name] - before[name] for name in more}, more)
        self.assertEqual(rows[1]["posts"], 0)
        self.assertEqual(self.pages(self.reader, "stats?days=3"), rows)
        self.assertEqual(len(self.pages(self.reader, "stats?days=366")), 366)
        for days in ("0", "367", "x"):
            self.problem(self.reader.get(f"stats?days={days}"), 400, "malformed")
