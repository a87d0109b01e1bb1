"""Actions by the admin API: what they answer, that a repeat is done once, and that whoever reads the log can follow its
chain without the server."""
import csv
import hashlib
import io
import uuid

import admin
import client
import v1
import v1_case
from admin import Operator
from console import Session
from server import until
from v1_case import V1Case, donation, score


def setUpModule():
    v1_case.start("adminacts")


class Moderation(V1Case):
    def setUp(self):
        self.root = Operator(self.server.admin(), admin.make_key(self.server))

    def moderate(self, body, status=201, id=None, query="", who=None):
        answer = (who or self.root).call("PUT", f"acts/{id or uuid.uuid4()}{query}", {"reason": "a test", **body})
        self.assertEqual(answer.status, status, answer)
        return answer.json()

    def rich(self, name="Ada"):
        """A player who earned 50, donated 20 and then 25, with the ids of the score and of the newer donation."""
        player = self.player(name)
        ids = [str(uuid.uuid4()) for _ in range(3)]
        self.assertEqual(player.call("PUT", score(ids[0]), {"points": 50}).status, 201)
        for id, points in ((ids[1], 20), (ids[2], 25)):
            self.assertEqual(player.call("PUT", donation(id), {"points": points}).status, 201)
        return player, ids[0], ids[2]

    def test_an_action_answers_with_what_it_moved_and_an_undo_moves_it_back(self):
        ada, posted, newer = self.rich()
        before = {"earned": 50, "voided": 0, "held": 0, "left": 5, "given": 45, "funded": 45, "unfunded": 0}
        body = {"do": "void", "on": {"player": ada.id, "score": posted}}
        tried = self.moderate(body, 200, query="?dry=true")
        id = str(uuid.uuid4())
        done = self.moderate(body, id=id)
        self.assertEqual(done["before"], before)
        self.assertEqual(done["after"], {**before, "voided": 50, "left": 0, "funded": 0, "unfunded": 45})
        self.assertEqual((tried["before"], tried["after"]), (done["before"], done["after"]))
        self.assertEqual(done["on"], {"player": ada.id, "score": posted})
        self.assertEqual(sorted(change["points"] for change in done["unfunded"]), [20, 25])
        self.assertEqual(self.moderate(body, 200, id=id), done, "a repeat")
        self.assertEqual(self.moderate({**body, "reason": "another"}, 409, id=id)["type"], "/problems/id-reused")
        conflict = self.moderate(body, 409)
        self.assertEqual((conflict["type"], conflict["act"]), ("/problems/act-conflict", id))
        ledger = {row["id"]: row["state"] for row in self.root.call("GET", f"players/{ada.id}/ledger").json()["rows"]}
        self.assertEqual((ledger[posted], ledger[newer]), ("voided", "unfunded"))

        self.assertNotIn("undone_by", self.root.call("GET", f"acts/{id}").json())
        undone = self.moderate({"do": "undo", "on": {"act": id}})
        self.assertEqual((undone["after"], undone["on"]), (before, {"player": ada.id, "act": id}))
        self.assertEqual(sorted(change["points"] for change in undone["unfunded"]), [-25, -20])
        read = self.root.call("GET", f"acts/{id}").json()
        self.assertEqual((read["undone_by"], read["reason"]), (undone["id"], "a test"))
        conflict = self.moderate({"do": "undo", "on": {"act": id}}, 409)
        self.assertEqual((conflict["type"], conflict["act"]), ("/problems/act-conflict", id))
        actions = self.root.call("GET", f"players/{ada.id}/acts").json()["rows"]
        self.assertEqual([row["do"] for row in actions], ["undo", "void"])

    def test_the_command_line_finds_players_by_a_games_own_id_and_lists_in_parts(self):
        external = "of-the-game-" + str(uuid.uuid4())
        made = v1.call(self.server, "PUT", f"/v1/games/quiz/players/{external}", {"name": "Twin"}, who=self.key)
        ids = sorted([made.json()["player"]["id"], *(self.player("Twin").id for _ in range(2))])

        def found(*arguments):
            lines = self.server.verb("player", "find", *arguments).splitlines()
            return [int(line.split()[0]) for line in lines[2:]]
        for arguments in ((), ("--game", "quiz")):
            self.assertEqual(found("--external", external, *arguments), [made.json()["player"]["id"]])
        self.assertEqual(found("--external", external, "--game", "chess"), [])
        self.assertNotEqual(self.server.run_verb("player", "find", "--external", external, "--id", "1").returncode, 0)
        self.assertEqual(found("--name", "twin"), ids)
        self.assertEqual(found("--name", "twin", "--limit", "2"), ids[:2])
        self.assertEqual(found("--name", "twin", "--limit", "2", "--after", str(ids[1])), ids[2:])

        ada, *_ = self.rich("Listed")
        whole = self.server.verb("player", "ledger", str(ada.id)).splitlines()[3:]
        self.assertEqual(len(whole), 3)
        last = whole[0].split()[-1]
        rest = self.server.verb("player", "ledger", str(ada.id), "--after", last).splitlines()[3:]
        self.assertEqual([line.split() for line in rest], [line.split() for line in whole[1:]])
        self.assertNotEqual(
            self.server.run_verb("player", "ledger", str(ada.id), "--after", str(uuid.uuid4())).returncode, 0)

    def test_what_cannot_be_done_says_why_and_changes_nothing(self):
        ada, posted, _ = self.rich("Bea")
        on = {"player": ada.id}
        record = self.root.call("GET", f"players/{ada.id}").json()
        for body, status in (
            ({}, 422), ({"do": "void"}, 422), ({"do": "void", "on": 7}, 422), ({"do": "void", "on": {}}, 422),
            ({"do": "vanish", "on": on}, 422), ({"do": "void", "on": {**on, "score": "x"}}, 422),
            ({"do": "void", "on": {**on, "score": str(uuid.uuid4())}}, 404),
            ({"do": "hide", "on": {"player": 1}}, 404),
            ({"do": "hide", "on": {"player": 2**63}}, 422), ({"do": "hide", "on": {"player": -1}}, 422),
            ({"do": "hide", "on": on, "reason": ""}, 422), ({"do": "hide", "on": on, "reason": "x" * 501}, 422),
            ({"do": "hide", "on": on, "reason": "\u0000"}, 422),
            ({"do": "undo", "on": {"act": str(uuid.uuid4())}}, 404),
            ({"do": "correct", "on": {**on, "score": posted}, "points": 5}, 422),
            ({"do": "correct", "on": {**on, "score": posted}, "points": 5, "earned": -1}, 422),
            ({"do": "correct", "on": {**on, "score": posted}, "points": 2**63 - 1, "earned": 1}, 422),
            ({"do": "correct", "on": {**on, "score": posted}, "points": 5, "earned": 2**53 - 1}, 409),
            ({"do": "void", "on": {**on, "scor": posted}}, 422), ({"do": "void", "on": {**on, "score": None}}, 422),
            ({"do": "void", "on": on, "held_only": "ja"}, 422), ({"do": "hide", "on": on, "until": "x"}, 422),
            ({"do": "void", "on": {**on, "score": posted}, "held_only": True}, 422),
            ({"do": "take-down", "on": on}, 409), ({"do": "clear", "on": on}, 409),
            ({"do": "rename", "on": on, "name": ""}, 422), ({"do": "rename", "on": on, "name": "Red Cross"}, 201),
        ):
            with self.subTest(body=body):
                self.moderate(body, status)
        changed = self.root.call("GET", f"players/{ada.id}").json()
        self.assertEqual({**record, "name": "Red Cross"}, changed)

    def test_the_chain_can_be_followed_by_anybody_who_reads_the_log(self):
        ada, posted, newer = self.rich("Eve")
        for body in ({"do": "hold", "on": {"player": ada.id, "score": posted}, "reason": "a\nb; c=d"},
                     {"do": "reverse", "on": {"player": ada.id, "donation": newer}, "void": True},
                     {"do": "ban", "on": {"player": ada.id}, "until": "2999-01-01T00:00:00Z"},
                     {"do": "rename", "on": {"player": ada.id}, "name": "Someone"}):
            self.moderate(body)
        rows, path = [], "log?limit=2"
        while path:
            page = self.root.call("GET", path).json()
            rows += page["rows"]
            path = f"log?limit=2&after={page['next']}" if "next" in page else None
        rows.reverse()
        self.assertEqual([row["n"] for row in rows], list(range(1, len(rows) + 1)))
        last = "0" * 64
        for row in rows:
            lines = [last, "v1", str(row["n"]), row["at"], row.get("act", "-"), row["by"], row["do"], row["on"],
                     row["values"], row["words"]]
            last = hashlib.sha256("".join(line + "\n" for line in lines).encode()).hexdigest()
            self.assertEqual(row["hash"], last)
        as_csv = list(csv.DictReader(io.StringIO(self.root.call("GET", "log.csv?limit=100").text, newline="")))
        self.assertEqual([row["hash"] for row in as_csv], [row["hash"] for row in reversed(rows)])

    def test_who_donated_anonymously_is_told_to_keys_with_personal_alone(self):
        ada = self.player("Secret")
        posted, donated = str(uuid.uuid4()), str(uuid.uuid4())
        self.assertEqual(ada.call("PUT", score(posted), {"points": 50}).status, 201)
        self.assertEqual(ada.call("PUT", donation(donated), {"points": 37, "anonymous": True}).status, 201)
        moderator = Operator(self.server.admin(), admin.make_key(self.server, "read,moderate"))
        reversal, last = str(uuid.uuid4()), str(uuid.uuid4())
        for id, body in ((reversal, {"do": "reverse", "on": {"player": ada.id, "donation": donated}}),
                         (None, {"do": "undo", "on": {"act": reversal}}),
                         (last, {"do": "void", "on": {"player": ada.id, "score": posted}})):
            self.moderate(body, id=id)
            for path in ("log", f"players/{ada.id}/acts", f"acts/{reversal}", f"acts/{last}", "log.csv",
                         f"players/{ada.id}/ledger", "charities/red-cross/donations"):
                with self.subTest(path=path, do=body["do"]):
                    told = moderator.call("GET", path).text
                    self.assertFalse(donated in told and str(ada.id) in told, told)
                    if "donations" not in path:
                        self.assertNotIn(donated, told)
        self.assertIn(donated, self.root.call("GET", "log").text)
        self.assertIn(donated, self.root.call("GET", f"acts/{last}").text)
        again = {"do": "void", "on": {"player": ada.id, "score": posted}}
        self.assertEqual(self.moderate(again, 409)["act"], last)
        self.assertEqual(self.moderate(again, 409, who=moderator)["act"], last, "it is about a score")
        asked = {"do": "reverse", "on": {"player": ada.id, "donation": donated}}
        self.assertEqual(self.moderate(asked, 404, query="?dry=true", who=moderator)["type"], "/problems/not-found")
        self.moderate({"do": "undo", "on": {"act": reversal}}, 404, query="?dry=true", who=moderator)
        bea, (earned, all) = self.player("Forfeited"), (str(uuid.uuid4()), str(uuid.uuid4()))
        self.assertEqual(bea.call("PUT", score(earned), {"points": 9}).status, 201)
        self.assertEqual(bea.call("PUT", donation(all), {"points": 9, "anonymous": True}).status, 201)
        forfeit = self.moderate({"do": "reverse", "on": {"player": bea.id, "donation": all}, "void": True})["id"]
        void = {"do": "void", "on": {"player": bea.id, "score": earned}}
        self.assertEqual(self.moderate(void, 409)["act"], forfeit)
        self.assertNotIn("act", self.moderate(void, 409, who=moderator), "the action is about an anonymous donation")
        actions = [row["do"] for row in moderator.call("GET", f"players/{ada.id}/acts").json()["rows"]]
        self.assertEqual(actions, ["void"], "neither the reversal nor its undo")
        dry = self.moderate({"do": "undo", "on": {"act": last}}, 200, query="?dry=true", who=moderator)
        self.assertEqual(dry["unfunded"], [])

    def test_what_would_be_unfunded_is_not_told_to_keys_without_personal(self):
        """How much of a donation by name it is tells how much was donated anonymously before."""
        ada = self.player("Discreet")
        moderator = Operator(self.server.admin(), admin.make_key(self.server, "read,moderate"))
        posted = str(uuid.uuid4())
        for id, points in ((str(uuid.uuid4()), 45), (posted, 10)):
            self.assertEqual(ada.call("PUT", score(id), {"points": points}).status, 201)
        self.assertEqual(ada.donate("red-cross", 38, anonymous=True).status, 201)
        self.assertEqual(ada.donate("red-cross", 11).status, 201)
        void = {"do": "void", "on": {"player": ada.id, "score": posted}}
        told = self.moderate(void, 200, query="?dry=true")["unfunded"]
        self.assertEqual([change["points"] for change in told], [4])
        self.assertEqual(self.moderate(void, 200, query="?dry=true", who=moderator)["unfunded"], [])
        done = self.moderate(void, who=moderator)
        self.assertEqual(done["unfunded"], [])
        self.assertEqual(moderator.call("GET", f"acts/{done['id']}").json()["unfunded"], [])

    def test_sums_tell_keys_without_personal_nothing_of_what_was_given_anonymously(self):
        ada, bea = self.player("Secretive"), self.player("Confidante")
        moderator = Operator(self.server.admin(), admin.make_key(self.server, "read,moderate"))
        first, second, third, named = (str(uuid.uuid4()) for _ in range(4))
        for id, points in ((first, 20), (second, 30), (third, 10)):
            self.assertEqual(ada.call("PUT", score(id), {"points": points}).status, 201)
        self.assertEqual(ada.call("PUT", donation(named), {"points": 11}).status, 201)
        self.assertEqual(ada.donate("red-cross", 17, anonymous=True).status, 201)
        taken, forfeited = str(uuid.uuid4()), str(uuid.uuid4())
        self.assertEqual(ada.call("PUT", donation(taken), {"points": 2, "anonymous": True}).status, 201)
        self.assertEqual(ada.call("PUT", donation(forfeited), {"points": 3, "anonymous": True}).status, 201)
        self.moderate({"do": "reverse", "on": {"player": ada.id, "donation": taken}})
        self.moderate({"do": "reverse", "on": {"player": ada.id, "donation": forfeited}, "void": True})
        self.assertEqual(bea.call("PUT", score(str(uuid.uuid4())), {"points": 5}).status, 201)
        self.assertEqual(bea.donate("oxfam", 1).status, 201)
        self.assertEqual(bea.donate("oxfam", 2, anonymous=True).status, 201)

        def sums(earned, voided, donated, unfunded=0):
            return {"earned": earned, "voided": voided, "held": 0, "left": max(0, earned - voided - donated),
                    "given": donated, "funded": donated - unfunded, "unfunded": unfunded}

        def told(action):
            return action["before"], action["after"]
        void = {"do": "void", "on": {"player": ada.id, "score": first}, "reason": "Why"}
        expected = (sums(60, 0, 11), sums(60, 20, 11))
        id = str(uuid.uuid4())
        dry = self.moderate(void, 200, query="?dry=true", who=moderator)
        self.assertEqual((told(dry), dry["unfunded"]), (expected, []))
        self.assertEqual(told(self.moderate(void, id=id, who=moderator)), expected)
        self.assertEqual(told(self.moderate(void, 200, id=id, who=moderator)), expected, "repeated")
        whole = self.root.call("GET", f"acts/{id}").json()
        self.assertEqual(told(whole), (sums(60, 3, 28), sums(60, 23, 28)))

        # What is done afterwards moves neither, but what turns anonymous is among them no more.
        later = str(uuid.uuid4())
        self.assertEqual(ada.call("PUT", donation(later), {"points": 4}).status, 201)
        self.moderate({"do": "reverse", "on": {"player": ada.id, "donation": later}})
        merge = str(uuid.uuid4())
        self.moderate({"do": "merge", "on": {"player": bea.id}, "into": ada.id}, id=merge)
        self.assertEqual(told(moderator.call("GET", f"acts/{id}").json()), expected)
        merged = (sums(60, 20, 11), sums(65, 20, 12))
        self.assertEqual(told(moderator.call("GET", f"acts/{merge}").json()), merged)
        undo = str(uuid.uuid4())
        self.moderate({"do": "undo", "on": {"act": merge}}, id=undo)
        self.assertEqual(told(moderator.call("GET", f"acts/{undo}").json()), merged[::-1])
        self.assertEqual(told(moderator.call("GET", f"acts/{merge}").json()), merged)
        log = moderator.call("GET", f"players/{bea.id}/acts").json()["rows"]
        self.assertEqual([(row["do"], row["values"]) for row in log],
                         [("undo", f"earned=5;from={ada.id}"), ("merge", f"earned=5;into={ada.id}")],
                         "what is donated by a player who is merged may be donated anonymously")
        record = moderator.call("GET", f"players/{ada.id}").json()
        self.assertEqual([record[sum] for sum in ("earned", "voided", "given", "left")], [60, 20, 11, 29])
        self.assertEqual(ada.call("PATCH", donation(named), {"anonymous": True}).status, 200)
        self.assertEqual(told(moderator.call("GET", f"acts/{id}").json()), (sums(60, 0, 0), sums(60, 20, 0)))
        self.assertEqual(told(self.root.call("GET", f"acts/{id}").json()), told(whole))

    def test_the_same_action_many_times_at_once_is_one(self):
        ada, posted, _ = self.rich("Kim")
        id, answers = str(uuid.uuid4()), []
        body = {"do": "void", "on": {"player": ada.id, "score": posted}, "reason": "once"}
        client.in_threads(12, lambda _: answers.append(self.root.call("PUT", f"acts/{id}", body).status))
        self.assertEqual(sorted(answers), [200] * 11 + [201])
        self.assertEqual(self.root.call("GET", f"players/{ada.id}").json()["voided"], 50)


class Audits(V1Case):
    def test_an_audit_tells_how_far_it_is_and_that_the_books_balance(self):
        root = Operator(self.server.admin(), admin.make_key(self.server))
        id = str(uuid.uuid4())
        started = root.call("PUT", f"audits/{id}", {})
        self.assertEqual((started.status, started.json()["id"]), (202, id))
        self.assertGreaterEqual(started.json()["checks"], 11)

        def ended():
            run = root.get(f"audits/{id}").json()
            return run if run["state"] != "running" else None
        run = until(ended, 60, "the audit")
        self.assertEqual((run["state"], run["done"], run["differing"]), ("balanced", run["checks"], 0))
        self.assertEqual(len(run["findings"]), run["checks"])
        again = root.call("PUT", f"audits/{id}", {})
        self.assertEqual((again.status, again["idempotent-replayed"], again.json()), (200, "true", run))
        self.assertEqual(root.get(f"audits/{uuid.uuid4()}").status, 404)

    def test_a_row_that_differs_is_told_to_keys_with_personal_alone(self):
        """It may reveal the donor of an anonymous donation."""
        ada = self.player("Ada Differs")
        self.assertEqual(ada.post("solo", 5).status, 201)
        own, root = [Operator(self.server.admin(), admin.make_key(self.server, scopes))
                     for scopes in ("operate", admin.ALL)]
        id = str(uuid.uuid4())
        self.server.psql(f"update wallet set earned = earned + 1 where player_id = {ada.id}")
        try:
            self.assertEqual(own.call("PUT", f"audits/{id}", {}).status, 202)
            until(lambda: own.get(f"audits/{id}").json()["state"] != "running", 60, "the audit")
            told = [[row.get("example") for row in who.get(f"audits/{id}").json()["findings"] if row["differing"]]
                    for who in (own, root)]
        finally:
            self.server.psql(f"update wallet set earned = earned - 1 where player_id = {ada.id}")
        self.assertEqual(told, [[None], [f"player {ada.id}"]])
        for key, is_told in ((own.key, False), (root.key, True)):
            self.assertEqual(str(ada.id) in Session(self.server.admin(), key).get(f"/admin/audits/{id}").text, is_told)

    def test_a_code_of_an_operator_brings_a_new_device_to_a_player(self):
        root = Operator(self.server.admin(), admin.make_key(self.server))
        ada = self.player("Lost")
        made = root.call("POST", f"players/{ada.id}/codes", {})
        self.assertEqual(made.status, 201, made)
        found = v1.Player(self.server, "quiz", "Lost", code=made.json()["code"])
        self.assertEqual(found.id, ada.id)
        self.assertEqual(root.get(f"players/{ada.id}").json()["devices"], 2)
        # The player and the operators see which device joined by it.
        devices = self.private(found.get("/v1/players/me/devices"), 200)["devices"]
        self.assertEqual([device.get("joined_by") for device in devices], [None, "operator"])
        joined, entry = root.get("log?limit=2").json()["rows"]
        self.assertEqual((entry["do"], entry["on"]), ("POST", f"codes=1;player={ada.id}"))
        self.assertEqual((joined["do"], joined["by"], joined["on"], joined["values"]),
                         ("join", "player", f"device={devices[1]['id']};player={ada.id}", f"code={entry['n']}"))
        self.server.audit()
        self.assertEqual(root.call("POST", "players/1/codes", {}).status, 404)

    def test_who_moderates_alone_does_not_become_a_player_by_a_code_or_a_merge(self):
        """Both would reveal data that only the player sees: the e-mail address, and anonymous donations."""
        root = Operator(self.server.admin(), admin.make_key(self.server))
        moderator = Operator(self.server.admin(), admin.make_key(self.server, "read,moderate"))
        ada, own = self.player(email="ada@example.org"), self.player("Mine")
        merge = {"do": "merge", "on": {"player": ada.id}, "into": own.id, "reason": "r"}
        merged, undone = str(uuid.uuid4()), str(uuid.uuid4())
        undo = {"do": "undo", "on": {"act": merged}, "reason": "r"}

        def refused(method, path, body=None):
            answer = moderator.call(method, path, body)
            problem = answer.json()
            self.assertEqual((answer.status, problem["type"], problem.get("scope")),
                             (403, "/problems/scope", "personal"), path)
        refused("POST", f"players/{ada.id}/codes")
        for id, body in ((merged, merge), (undone, undo)):
            for query in ("?dry=true", ""):
                refused("PUT", f"acts/{id}{query}", body)
            self.assertEqual(root.call("PUT", f"acts/{id}", body).status, 201)
            refused("PUT", f"acts/{id}", body)
        # A merge that was undone does not come back by another undo.
        again = {**undo, "on": {"act": undone}}
        for who in (root, moderator):
            self.assertEqual(who.call("PUT", f"acts/{uuid.uuid4()}", again).status, 409)
        self.assertEqual(moderator.get("log?limit=1").json()["rows"][0]["do"], "undo")
