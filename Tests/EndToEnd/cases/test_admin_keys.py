"""Keys: what each scope lets whom do, that no key grants more than it has, and that one that has ended is refused at
once, in every process."""
import datetime
import hashlib
import re
import time
import unittest

import admin
import client
import v1
import v1_case
from admin import Operator
from console import Session
from joined import Joined
from server import Server, until
from v1_case import V1Case, donation, score

AT_ONCE_SECONDS_MAX = 2
SCOPES = ("read", "personal", "moderate", "operate", "charity:red-cross", "charity:oxfam")
UNUSED = "0b6ed5a8-6a2c-4a44-9c5f-7f8a1d4f1f0e"


def setUpModule():
    v1_case.start("adminkeys")


def soon(seconds):
    at = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def routes(player):
    """(method, path, body, scopes of which one suffices, status with it): each route of the document. A scope such as
    `moderate+personal` takes both."""
    lists = [
        ("games", ["read"]), ("games/quiz/boards", ["read"]), ("games/quiz/providers", ["read"]),
        ("games/quiz/teams", ["read"]), ("games/quiz/awards", ["read"]), ("charities", ["read"]),
        ("charities/red-cross/donations", ["read", "charity:red-cross"]), ("keys", ["read"]),
        ("players?name=Ada", ["read"]), (f"players/{player}/ledger", ["read"]), ("stats?days=3", ["read"]),
        ("log", ["read"]), (f"players/{player}/acts", ["read"]), ("subscribers", ["personal"]),
        ("queue", ["read"]), ("erasures", ["read"])
    ]
    for path, scopes in lists:
        for suffix in ("", ".json", ".csv"):
            word, mark, query = path.partition("?")
            yield "GET", word + suffix + mark + query, None, scopes, 200
    for suffix in ("", ".json", ".csv"):
        yield "POST", "players/search" + suffix, {"email": "ada@example.org"}, ["personal"], 200
    yield "GET", f"players/{player}", None, ["read"], 200
    yield "GET", f"players/{player}/friends", None, ["personal"], 200
    yield "GET", f"players/{player}/activity", None, ["personal"], 200
    for path, scopes in (("games/quiz", ["read"]), ("games/quiz/boards/solo", ["read"]),
                         ("charities/red-cross", ["read", "charity:red-cross"])):
        yield "GET", path, None, scopes, 200
        # Who may write is told so before anything else: without a precondition it is 428.
        yield "PUT", path, {}, ["operate"], 428
        yield "PATCH", path, {}, ["operate"], 428
    yield "GET", "games/quiz/providers/none", None, ["read"], 404
    yield "PUT", "games/quiz/providers/none", {}, ["operate"], 428
    yield "PATCH", "games/quiz/providers/none", {}, ["operate"], 428
    yield "DELETE", "games/quiz/providers/none", None, ["operate"], 404
    yield "GET", "games/quiz/awards/none", None, ["read"], 404
    yield "PUT", "games/quiz/awards/none", {}, ["operate"], 428
    yield "PATCH", "games/quiz/awards/none", {}, ["operate"], 428
    yield "GET", "campaigns", None, ["read"], 200
    yield "GET", "campaigns/none", None, ["read"], 404
    yield "PUT", "campaigns/none", {}, ["operate"], 428
    yield "PATCH", "campaigns/none", {}, ["operate"], 428
    yield "PUT", f"keys/{UNUSED}", {}, ["operate"], 422
    yield "PUT", f"acts/{UNUSED}", {}, ["moderate"], 422
    yield "GET", f"acts/{UNUSED}", None, ["read"], 404
    yield "GET", f"audits/{UNUSED}", None, ["operate"], 404
    yield "PUT", f"audits/{v1.new_id()}", None, ["operate"], 202
    yield "POST", f"players/{player}/codes", None, ["moderate+personal"], 201
    yield "DELETE", f"keys/{UNUSED}", None, ["operate"], 404


class Scopes(V1Case):
    def setUp(self):
        self.listener = self.server.admin()
        self.root = Operator(self.listener, admin.make_key(self.server))

    def problem(self, answer, status, type=None):
        """The same as of v1's routes, but that pages of other sites may not read it."""
        self.assertEqual(answer.status, status, answer)
        self.assertEqual(answer.media, "application/problem+json")
        self.assertEqual(answer["cache-control"], v1.PRIVATE)
        body = answer.json()
        if type:
            self.assertEqual(body["type"], "/problems/" + type, body)
        return body

    def test_the_table_has_every_route_of_the_document(self):
        document = client.get(self.server, "/openapi.yaml").text
        promised = set()
        path = None
        for line in document.splitlines():
            if line.startswith("  /"):
                path = line.strip().rstrip(":")
            elif path and path.startswith("/v1/admin/") and re.fullmatch(r"    (get|put|post|patch|delete):", line):
                promised.add((line.strip().rstrip(":").upper(), re.sub(r"\{format\}", "json", path)))
        self.assertGreater(len(promised), 30)
        known = [(method, re.compile(re.sub(r"\\\{\w+\\\}", "[^/.]+", re.escape(path)))) for method, path in promised]
        tried = set()
        for method, path, *_ in routes(7):
            path = "/v1/admin/" + path.partition("?")[0]
            fits = [one for one in known if one[0] == method and one[1].fullmatch(path.replace(".csv", ".json"))]
            self.assertTrue(fits, f"{method} {path} is not in the document")
            tried.update((one[0], one[1].pattern) for one in fits)
        self.assertEqual({(one[0], one[1].pattern) for one in known} - tried, set(), "no test tries these")

    def test_each_scope_alone_on_every_route(self):
        player = self.player().id
        for held in (*SCOPES, "moderate+personal"):
            who = Operator(self.listener, admin.make_key(self.server, held.replace("+", ",")))
            for method, path, body, scopes, status in routes(player):
                with self.subTest(scope=held, route=f"{method} {path}"):
                    answer = who.call(method, path, body)
                    if any(set(scope.split("+")) <= set(held.split("+")) for scope in scopes):
                        self.assertEqual(answer.status, status, answer)
                    else:
                        lacking = [scope for scope in scopes[0].split("+") if scope not in held.split("+")]
                        self.assertEqual(self.problem(answer, 403, "scope")["scope"], lacking[0])
                    self.assertEqual(answer["cache-control"], v1.PRIVATE)
                    self.assertIsNone(answer["access-control-allow-origin"])
                    self.assertIsNone(answer["access-control-expose-headers"])

    def test_nobody_else_is_let_in(self):
        ada = self.player()
        strangers = [None, ada.token, self.key, admin.token(), admin.token()[:-1], "cba_" + ada.token[4:],
                     "cba_" + self.key[4:], "cbk_" + self.root.key[4:]]
        for method, path, body, _, _ in routes(ada.id):
            for number, who in enumerate(strangers):
                with self.subTest(route=f"{method} {path}", stranger=number):
                    answer = Operator(self.listener, who).call(method, path, body)
                    self.problem(answer, 401, "unauthorized")
                    self.assertEqual(answer["www-authenticate"], "Bearer")
        # Nor does an admin key speak for players and games, whatever it says before its bytes.
        for key in (self.root.key, "cbk_" + self.root.key[4:], "cbd_" + self.root.key[4:]):
            for method, path in (("GET", "/v1/players/me"), ("PUT", score(v1.new_id())), ("PUT", donation(v1.new_id())),
                                 ("PUT", "/v1/games/quiz/players/u-1")):
                answer = v1.call(self.server, method, path, {"points": 1, "player": ada.id, "name": "x"}, who=key)
                self.assertIn(answer.status, (401, 403), f"{method} {path}: {answer!r}")

    def test_no_other_site_may_ask(self):
        with client.Connection(self.listener) as c:
            answer = c.request("OPTIONS", "/v1/admin/games",
                               [("Origin", "https://evil.example"), ("Access-Control-Request-Method", "GET")])
            self.assertNotEqual(answer["access-control-allow-origin"], "*")
        answer = client.request(self.listener, "OPTIONS", "/v1/admin/keys/" + UNUSED)
        self.assertEqual((answer.status, answer["allow"]), (204, "PUT, DELETE, OPTIONS"))
        self.assertFalse([name for name, _ in answer.headers if name.lower().startswith("access-control")])

    def test_clients_have_no_admin_api_unless_it_is_public(self):
        for method, path, body, _, _ in routes(7):
            answer = Operator(self.server, self.root.key).call(method, path, body)
            self.problem(answer, 404, "not-found")
            self.assertIsNone(answer["access-control-allow-origin"])
        public = Server("adminpublic", start=False)
        self.addCleanup(public.stop)
        public.start("--admin-public")
        root = Operator(public, admin.make_key(public))
        self.assertEqual(root.get("games").status, 200)
        self.assertIsNone(root.get("games")["access-control-allow-origin"])
        self.problem(Operator(public, None).get("games"), 401, "unauthorized")
        self.assertEqual(Operator(public.admin(), root.key).get("games").status, 200)

    def test_wrong_keys_are_counted_and_good_ones_pass(self):
        limited = Server("adminlimits", start=False, environment={"CAUSEBOARD_LIMITS": "on"})
        self.addCleanup(limited.stop)
        limited.start("--limit", "failed-credentials=3/h:3")
        root = Operator(limited.admin(), admin.make_key(limited))
        wrong = Operator(limited.admin(), admin.token())
        self.assertEqual([wrong.get("games").status for _ in range(5)], [401] * 3 + [429] * 2)
        self.assertEqual(wrong.get("games").json()["limit"], "failed-credentials")
        self.assertEqual({root.get("games").status for _ in range(20)}, {200})

    def test_a_key_grants_only_what_it_has(self):
        for held, given, kind, lacking in [
            ("operate", ["read"], "admin", "read"), ("operate,read", ["read", "personal"], "admin", "personal"),
            ("operate", ["charity:oxfam"], "admin", "charity:oxfam"), ("operate", ["operate"], "admin", None),
            ("operate,read", ["charity:oxfam", "read"], "admin", None),
            ("operate", ["register", "post", "donate", "judge"], "game", None)
        ]:
            with self.subTest(held=held, given=given):
                maker = Operator(self.listener, admin.make_key(self.server, held))
                fields = {"game": "quiz"} if kind == "game" else {}
                id = v1.new_id()
                answer = maker.add_key(id, given, kind, **fields)
                if lacking:
                    self.assertEqual(self.problem(answer, 403, "scope")["scope"], lacking)
                    self.assertNotIn(id, self.root.get("keys?limit=100").text)
                else:
                    self.assertEqual(answer.status, 201, answer)

    def test_a_key_is_made_once(self):
        id, token = v1.new_id(), admin.token()
        made = self.root.add_key(id, ["read", "operate"], key=token, expires_at="2999-01-01T00:00:00Z")
        self.assertEqual(made.status, 201, made)
        self.assertEqual(made["location"], f"/v1/admin/keys/{id}")
        body = made.json()
        self.assertEqual((body["id"], body["kind"], body["scopes"]), (id, "admin", ["operate", "read"]))
        self.assertNotIn(token[4:], made.text)
        again = self.root.add_key(id, ["operate", "read"], key=token, expires_at="2999-01-01T00:00:00Z")
        self.assertEqual((again.status, again["idempotent-replayed"]), (200, "true"))
        self.assertEqual(again.json(), body)
        self.problem(self.root.add_key(id, ["read"], key=token), 409, "id-reused")
        self.problem(self.root.add_key(id, ["read", "operate"]), 409, "id-reused")
        self.assertEqual(self.problem(self.root.add_key(v1.new_id(), ["read"], key=token), 422, "field")["field"],
                         "token")
        twin, token, twins = v1.new_id(), admin.token(), []
        client.in_threads(8, lambda _: twins.append(self.root.add_key(twin, ["read"], key=token)))
        self.assertEqual(sorted(answer.status for answer in twins), [200] * 7 + [201])
        for fields, field in [
            ({"token": "cbd_" + token[4:]}, "token"), ({"token": "cbk_" + token[4:]}, "token"),
            ({"token": token[:-2]}, "token"), ({"kind": "player"}, "kind"), ({"kind": None}, "kind"),
            ({"scopes": []}, "scopes"), ({"scopes": ["post"]}, "scopes"), ({"scopes": ["all"]}, "scopes"),
            ({"scopes": [1]}, "scopes"), ({"scopes": None}, "scopes"), ({"scopes": ["read"] * 300}, "scopes"),
            ({"name": ""}, "name"), ({"name": None}, "name"), ({"game": "quiz"}, "game"),
            ({"expires_at": "2001-01-01T00:00:00Z"}, "expires_at"), ({"expires_at": "soon"}, "expires_at"),
            ({"kind": "game", "token": admin.token("game"), "scopes": ["post"]}, "game"),
            ({"kind": "game", "token": admin.token("game"), "scopes": ["post"], "game": "none"}, "game")
        ]:
            with self.subTest(fields=str(fields)[:60]):
                sent = {"token": admin.token(), "kind": "admin", "name": "n", "scopes": ["read"], **fields}
                answer = self.root.call("PUT", f"keys/{v1.new_id()}", sent)
                self.assertEqual(self.problem(answer, 422, "field")["field"], field)
        self.problem(self.root.call("PUT", "keys/x", {}), 400, "malformed")

    def test_a_key_that_ended_is_refused_at_once(self):
        id, token = v1.new_id(), admin.token()
        self.assertEqual(self.root.add_key(id, ["read"], key=token).status, 201)
        mine = Operator(self.listener, token)
        self.assertEqual(mine.get("games").status, 200)
        ended = self.root.call("DELETE", f"keys/{id}")
        self.assertEqual((ended.status, ended["idempotent-replayed"]), (200, None))
        self.assertRegex(ended.json()["revoked_at"], v1_case.STAMP)
        self.problem(mine.get("games"), 401, "unauthorized")
        again = self.root.call("DELETE", f"keys/{id}")
        self.assertEqual((again.status, again["idempotent-replayed"], again.json()), (200, "true", ended.json()))
        self.problem(self.root.call("DELETE", f"keys/{v1.new_id()}"), 404, "not-found")
        self.problem(mine.get("games"), 401, "unauthorized")
        listed = next(row for row in self.root.get("keys?limit=100").json()["rows"] if row["id"] == id)
        self.assertEqual(listed["last_used_on"], datetime.datetime.now(datetime.timezone.utc).date().isoformat())

    def test_a_key_that_expires(self):
        admin_token, game_token = admin.token(), admin.token("game")
        end = soon(10)
        self.assertEqual(self.root.add_key(v1.new_id(), ["read"], key=admin_token, expires_at=end).status, 201)
        self.assertEqual(
            self.root.add_key(v1.new_id(), ["post", "register", "donate"], "game", game_token, game="quiz",
                              expires_at=end).status, 201)
        mine = Operator(self.listener, admin_token)
        ada = self.player()
        with client.Connection(self.server) as c:
            post = lambda: v1.call(c, "PUT", score(v1.new_id()), {"points": 1, "player": ada.id}, who=game_token)
            self.assertEqual((mine.get("games").status, post().status), (200, 201))
            until(lambda: mine.get("games").status == 401, 30, "the end of the key")
            # The server has known for whom this key speaks all the while, and forgets it by itself.
            self.assertEqual(post().status, 401)
            for path in (donation(v1.new_id()), "/v1/games/quiz/players/u-2"):
                answer = v1.call(c, "PUT", path, {"points": 1, "player": ada.id, "name": "x"}, who=game_token)
                self.assertEqual(answer.status, 401, answer)
            self.assertEqual(v1.call(c, "GET", score(v1.new_id()) + f"?player={ada.id}", who=game_token).status, 401)


class MaskedLog(V1Case):
    """An entry that tells who donated anonymously says so to keys with `personal` alone, also to a patient reader."""

    @staticmethod
    def hash(previous, row, on, values, words):
        lines = [previous, "v1", str(row["n"]), row["at"], row.get("act", "-"), row["by"], row["do"], on, values,
                 words]
        return hashlib.sha256("".join(line + "\n" for line in lines).encode()).hexdigest()

    def test_nobody_finds_who_donated_anonymously_by_trying_all_players(self):
        players = [self.player(name) for name in ("Ada", "Bea", "Cid", "Dora")]
        ada, donated = players[0], v1.new_id()
        ada.post("solo", 5)
        self.assertEqual(ada.donate("red-cross", 3, donated, anonymous=True).status, 201)
        root = Operator(self.server.admin(), admin.make_key(self.server))
        reader = Operator(self.server.admin(), admin.make_key(self.server, "read"))
        reversal, undoing = v1.new_id(), v1.new_id()
        for id, do, on in ((reversal, "reverse", {"player": ada.id, "donation": donated}),
                           (undoing, "undo", {"act": reversal})):
            done = root.call("PUT", f"acts/{id}", {"do": do, "on": on, "reason": "Bot"})
            self.assertEqual(done.status, 201, done)
        known = root.get("log").json()["rows"]
        shown = {row["n"]: row for row in reader.get("log").json()["rows"]}
        for row, before in zip(known[:2], known[1:]):
            self.assertIn(row["act"], (reversal, undoing))
            self.assertEqual(self.hash(before["hash"], row, row["on"], row["values"], row["words"]), row["hash"],
                             "with all of it the hash is known")
            masked = shown[row["n"]]
            for player in players:
                on = row["on"].replace(f"player={ada.id}", f"player={player.id}")
                guess = self.hash(before["hash"], masked, on, row["values"], masked.get("words", "-"))
                self.assertNotEqual(guess, masked["hash"], f"{player.name} is found out")
            self.assertEqual(set(masked), {"n", "at", "act", "by", "do", "hash"})
            console = Session(self.server.admin(), reader.key)
            for told in (reader.get("log.csv"), console.get("/admin/log.csv"), console.get("/admin/log")):
                self.assertEqual(told.status, 200, told)
                self.assertNotIn(row["words"], told.text)


class Games(V1Case):
    def setUp(self):
        self.root = Operator(self.server.admin(), admin.make_key(self.server))

    def key_with(self, *scopes):
        token = admin.token("game")
        answer = self.root.add_key(v1.new_id(), list(scopes), "game", token, game="quiz")
        self.assertEqual(answer.status, 201, answer)
        return token

    def test_a_games_key_does_what_its_scopes_say(self):
        ada = self.player()
        ada.post("solo", 10)
        for held in ("register", "post", "donate", "judge"):
            key = self.key_with(held)
            for scope, path, body in [
                ("register", f"/v1/games/quiz/players/{held}", {"name": "Bob"}),
                ("post", score(v1.new_id()), {"points": 1, "player": ada.id}),
                ("donate", donation(v1.new_id()), {"points": 1, "player": ada.id})
            ]:
                with self.subTest(held=held, needs=scope):
                    for attempt in range(2):    # the second time the server may know the key
                        answer = self.call("PUT", path, body, who=key)
                        if held == scope:
                            self.assertEqual(answer.status, 200 if attempt else 201, answer)
                        else:
                            self.assertEqual(self.problem(answer, 403, "scope")["scope"], scope)

    def test_a_refusal_for_a_scope_records_nothing_and_uses_up_no_id(self):
        ada = self.player()
        posts, donates = self.key_with("post"), self.key_with("donate")
        id = v1.new_id()
        body = {"points": 5, "player": ada.id}
        self.problem(self.call("PUT", score(id), body, who=donates), 403, "scope")
        self.assertEqual(self.call("PUT", score(id), body, who=posts).status, 201)
        self.assertEqual(self.call("PUT", score(id), body, who=posts)["idempotent-replayed"], "true")
        self.problem(self.call("PUT", score(id), body, who=donates), 403, "scope")
        self.assertEqual(self.call("GET", f"{score(id)}?player={ada.id}", who=donates).json()["points"], 5)
        self.assertEqual(ada.left(), 5)
        chess = self.player(game="chess")
        self.problem(self.call("PUT", score(id), {"points": 1, "player": chess.id}, who=posts), 404)
        self.problem(self.call("PUT", score(id, game="chess"), {"points": 1, "player": chess.id}, who=posts), 403,
                     "forbidden")

    def test_keys_of_the_command_line(self):
        made = self.server.verb("key", "add", "--game", "quiz", "--scopes", "post", "--expires",
                                "2999-01-01T00:00:00Z", "--name", "poster").strip()
        ada = self.player()
        self.assertEqual(self.call("PUT", score(v1.new_id()), {"points": 1, "player": ada.id}, who=made).status, 201)
        self.problem(self.call("PUT", donation(v1.new_id()), {"points": 1, "player": ada.id}, who=made), 403, "scope")
        line = next(line for line in self.server.verb("key", "list").splitlines() if "poster" in line)
        self.assertRegex(line, r"game +quiz +poster +post +\S+ +2999-01-01T00:00:00Z +\d{4}-\d\d-\d\d")
        operators = self.server.verb("key", "list", "--admin")
        self.assertNotIn("quiz", operators)
        number = next(line.split()[0] for line in operators.splitlines() if "operate" in line)
        self.assertNotEqual(self.server.run_verb("key", "revoke", "--game", "quiz", number).returncode, 0)
        for arguments in (["--admin"], ["--admin", "--game", "quiz", "--scopes", "read"], [],
                          ["--admin", "--scopes", "post"], ["--game", "quiz", "--scopes", "read"],
                          ["--admin", "--scopes", "read,"], ["--game", "none"],
                          ["--admin", "--scopes", "read", "--expires", "2001-01-01T00:00:00Z"]):
            done = self.server.run_verb("key", "add", *arguments)
            self.assertNotEqual(done.returncode, 0, arguments)
            self.assertNotIn("Fatal", done.stderr)
        doomed = admin.make_key(self.server, "read")
        mine = Operator(self.server.admin(), doomed)
        self.assertEqual(mine.get("games").status, 200)
        number = self.server.verb("key", "list", "--admin").splitlines()[-1].split()[0]
        self.server.verb("key", "revoke", "--admin", number)
        self.assertEqual(mine.get("games").status, 401)


class TwoProcesses(V1Case):
    def test_a_key_that_ended_is_refused_in_every_process(self):
        second = Joined("adminkeys2", self.server)
        self.addCleanup(second.stop)
        root = Operator(self.server.admin(), admin.make_key(self.server))
        ada = self.player()
        admin_id, game_id = v1.new_id(), v1.new_id()
        admin_token, game_token = admin.token(), admin.token("game")
        self.assertEqual(root.add_key(admin_id, ["read"], key=admin_token).status, 201)
        self.assertEqual(root.add_key(game_id, ["post"], "game", game_token, game="quiz").status, 201)
        mine = Operator(second.admin(), admin_token)
        with client.Connection(second) as c:
            post = lambda: v1.call(c, "PUT", score(v1.new_id()), {"points": 1, "player": ada.id}, who=game_token).status
            for _ in range(3):
                self.assertEqual((mine.get("games").status, post()), (200, 201))
            for id in (admin_id, game_id):
                self.assertEqual(root.call("DELETE", f"keys/{id}").status, 200)
            ended = time.monotonic()
            self.assertEqual(mine.get("games").status, 401, "an admin key is asked for each time")
            until(lambda: post() == 401, AT_ONCE_SECONDS_MAX, "the second process refuses the key")
            self.assertLess(time.monotonic() - ended, AT_ONCE_SECONDS_MAX + 1)
            self.assertEqual(post(), 401)
