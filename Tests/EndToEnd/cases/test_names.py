"""What games do with names: refused words, names that wait for approval, reports, and e-mail addresses."""
import unittest
import urllib.parse

import admin
import client
import v1
import v1_case
from admin import Operator
from joined import Joined
from server import until
from v1_case import V1Case

SEEN_SECONDS_MAX = 2


def setUpModule():
    v1_case.start("names")


class Names(V1Case):
    def setUp(self):
        super().setUp()
        self.operator = Operator(self.server.admin(), admin.make_key(self.server))
        self.game = f"game-{v1.new_id()[:8]}"
        self.server.verb("game", "add", self.game, "--name", "Game")
        self.server.verb("board", "add", "--game", self.game, "solo")

    def set(self, **fields):
        got = self.operator.get(f"games/{self.game}")
        answer = self.operator.change(f"games/{self.game}", fields, got["etag"])
        self.assertEqual(answer.status, 200, answer)
        return answer.json()

    def clear(self, item, status=201):
        body = {"do": "clear", "on": {"item": item}, "reason": "Fine"}
        answer = self.operator.call("PUT", f"acts/{v1.new_id()}", body)
        self.assertEqual(answer.status, status, answer)
        return answer.json()

    def waiting(self, player, kind="name"):
        rows = self.operator.get(f"queue?kind={kind}&limit=100").json()["rows"]
        return [row for row in rows if row["player"] == player.id]

    def shown(self, process, player):
        return client.get(process, f"/v1/players/{player.id}").json().get("name")

    def on_board(self, process, player):
        rows = client.get(process, f"/v1/games/{self.game}/boards/solo/top.json?limit=100").json()["rows"]
        return next((row["name"] for row in rows if row["player"] == player.id), None)

    def test_refused_words_are_found_however_they_are_written(self):
        said = self.set(names="filtered", refused_words=["heck", "Darn"])
        self.assertEqual((said["names"], said["refused_words"]), ("filtered", ["heck", "Darn"]))
        for name in ("heck", "What the HECK", "h e c k", "h\u0435ck", "da\u0301rn it", "D.a.r.n", "D4RN", "d@rn",
                     "h3ck!", "\u13bb\u13ac\u13df\u13e6"):
            answer = v1.call(self.server, "PUT", f"/v1/games/{self.game}/devices/{client.device()}", {"name": name},
                             who=v1.token())
            self.problem(answer, 422, "name-refused")
        ada = self.player("Ada", self.game)
        self.problem(ada.call("PATCH", "/v1/players/me", {"name": "Heckler"}), 422, "name-refused")
        self.assertEqual(ada.call("PATCH", "/v1/players/me", {"name": "Hector"}).status, 200)
        # What was there before stays, and so does every other game.
        self.set(refused_words=["hector"])
        self.assertEqual(ada.call("PATCH", "/v1/players/me", {"name": "Hector", "country": "NZ"}).status, 200)
        self.assertEqual(self.player("heck").name, "heck")
        for words in (["no"], ["x" * 33], ["..."], "heck " * 1_001, 7, [7]):
            got = self.operator.get(f"games/{self.game}")
            answer = self.operator.change(f"games/{self.game}", {"refused_words": words}, got["etag"])
            self.assertEqual(answer.status, 422, (words, answer))

    def test_one_name_is_stored_found_and_confirmed_however_it_is_typed(self):
        spellings = ("Marlene ", "  Marlene", "Mar\u00adlene", "Marl\u200bene\u00a0", "MARLENE")
        name = f"Marlene {v1.new_id()[:4]}"
        for spelling in spellings[:4]:
            ada = self.player(name.replace("Marlene", spelling), self.game)
            self.assertEqual(ada.get("/v1/players/me").json()["name"], name)
            self.assertEqual(ada.post("solo", 1).status, 201)
        for spelling in spellings:
            typed = urllib.parse.quote(name.replace("Marlene", spelling) + " ")
            found = client.request(self.server, "GET", f"/games/{self.game}/boards/solo?find={typed}")
            self.assertEqual(found.status, 303, spelling)
            rows = self.operator.get(f"players?game={self.game}&name={typed}").json()["rows"]
            self.assertEqual(len(rows), 4, spelling)
            said = self.server.verb("player", "find", "--game", self.game, "--name",
                                    name.replace("Marlene", spelling))
            self.assertIn(str(ada.id), said)
        answer = ada.call("POST", "/v1/players/me/erasure", {"confirm": name.replace("Marlene", "Mar\u00adlene ")})
        self.assertEqual(answer.status, 200, answer)

    def test_a_charitys_name_is_nobodys_however_it_is_drawn(self):
        self.server.verb("charity", "add", f"fund-{v1.new_id()[:8]}", "--name", " Tree  Fund ")
        names = {row["name"] for row in client.get(self.server, "/v1/charities.json").json()["rows"]}
        self.assertIn("Tree Fund", names)
        for name in ("\u13a2ree Fund", "Tre\u212e Fund", "\u0422r\u0435\u0435 Fund", "tree\u00adfund",
                     "\ua4eenonymous", "\u13aanonymous", "\u15e9nonymous"):
            answer = v1.call(self.server, "PUT", f"/v1/games/{self.game}/devices/{client.device()}", {"name": name},
                             who=v1.token())
            self.problem(answer, 422, "name-refused")
        # Digits are no letters here.
        self.player("Tr33 Fund", self.game)

    def test_a_name_is_shown_once_it_is_approved(self):
        beside = Joined("names-beside", self.server)
        self.addCleanup(beside.stop)
        self.set(names="approved")
        ada = self.player("Ada", self.game)
        self.assertEqual(ada.post("solo", 5).status, 201)
        waits = f"Player {ada.id % 10_000:04}"
        me = ada.get("/v1/players/me").json()
        self.assertEqual((me["name"], me["shown_name"]), ("Ada", waits))
        for process in (self.server, beside):
            def is_hidden():
                seen = self.shown(process, ada), self.on_board(process, ada)
                self.assertNotIn("Ada", seen)
                return seen == (waits, waits)
            until(is_hidden, SEEN_SECONDS_MAX, "the name waits")
        item, = self.waiting(ada)
        self.assertEqual((item["why"], item["times"]), ("Ada", 1))
        # Another name is another item.
        self.assertEqual(ada.call("PATCH", "/v1/players/me", {"name": "Ada B"}).status, 200)
        self.clear(item["item"], 404)
        item, = self.waiting(ada)
        self.clear(item["item"])
        self.assertEqual(self.waiting(ada), [])
        self.assertNotIn("shown_name", ada.get("/v1/players/me").json())
        for process in (self.server, beside):
            until(lambda: (self.shown(process, ada), self.on_board(process, ada)) == ("Ada B", "Ada B"),
                  SEEN_SECONDS_MAX, "the name is shown")
        # A later name waits, and the approved one is shown meanwhile; taking it back ends that.
        self.assertEqual(ada.call("PATCH", "/v1/players/me", {"name": "Ada C"}).status, 200)
        self.assertEqual((ada.get("/v1/players/me").json()["name"], self.shown(self.server, ada)), ("Ada C", "Ada B"))
        self.assertEqual(ada.call("PATCH", "/v1/players/me", {"name": "Ada B"}).status, 200)
        self.assertEqual(self.waiting(ada), [])

    def test_after_an_operators_name_the_players_own_waits(self):
        ada = self.player("Ada Rude", self.game)
        body = {"do": "rename", "on": {"player": ada.id}, "name": "Renamed", "reason": "Rude"}
        rename = self.operator.call("PUT", f"acts/{v1.new_id()}", body).json()
        self.assertEqual(ada.call("PATCH", "/v1/players/me", {"name": "Ada Ruder"}).status, 200)
        self.assertEqual((ada.get("/v1/players/me").json()["name"], self.shown(self.server, ada)),
                         ("Ada Ruder", "Renamed"))
        item, = self.waiting(ada)
        self.clear(item["item"])
        self.assertEqual(self.shown(self.server, ada), "Ada Ruder")
        undo = {"do": "undo", "on": {"act": rename["id"]}, "reason": "No"}
        self.assertEqual(self.operator.call("PUT", f"acts/{v1.new_id()}", undo).status, 409)

    def test_a_name_that_waited_waits_again_when_a_rename_is_undone(self):
        self.set(names="approved")
        ada = self.player("Ada Waits", self.game)
        before, item = ada.get("/v1/players/me").json(), self.waiting(ada)
        body = {"do": "rename", "on": {"player": ada.id}, "name": "Renamed", "reason": "A mistake"}
        rename = self.operator.call("PUT", f"acts/{v1.new_id()}", body).json()
        self.assertEqual((self.waiting(ada), self.shown(self.server, ada)), ([], "Renamed"))
        undo = {"do": "undo", "on": {"act": rename["id"]}, "reason": "Another player"}
        self.assertEqual(self.operator.call("PUT", f"acts/{v1.new_id()}", undo).status, 201)
        self.assertEqual((ada.get("/v1/players/me").json(), self.waiting(ada)), (before, item))

    def test_the_queue_is_listed_in_parts(self):
        self.set(names="approved")
        for name in ("First Waits", "Second Waits", "Third Waits"):
            self.player(name, self.game)
        whole = self.server.verb("queue", "--kind", "name", "--limit", "1000").splitlines()[2:]
        listed = []
        for line in whole:
            after = ["--after", listed[-1].split()[0]] if listed else []
            listed += self.server.verb("queue", "--kind", "name", "--limit", "1", *after).splitlines()[2:]
        self.assertEqual([line.split() for line in listed], [line.split() for line in whole])
        self.assertGreaterEqual(len(whole), 3)
        self.assertNotEqual(self.server.run_verb("queue", "--after", v1.new_id()).returncode, 0)

    def test_reports_wait_and_are_dismissed(self):
        ada, bo, cy = (self.player(name, self.game) for name in ("Ada", "Bo", "Cy"))
        for one, why, text in ((bo, "name", "Rude"), (cy, "cheating", None)):
            body = {"why": why, **({"text": text} if text else {})}
            self.assertEqual(one.call("POST", f"/v1/players/{ada.id}/report", body).status, 202)
        item, = self.waiting(ada, "report")
        self.assertEqual((item["times"], item["why"], item["words"]), (2, "cheating name", ["Rude"]))
        self.assertEqual(item["sources"], 1, "both came from one address")
        lesser = Operator(self.server.admin(), admin.make_key(self.server, "read"))
        rows = lesser.get("queue?kind=report&limit=100").json()["rows"]
        self.assertFalse([row for row in rows if "words" in row])
        self.assertIn(item["item"], self.operator.get("queue.csv?limit=100").text)
        done = self.clear(item["item"])
        self.assertEqual(done["on"], {"item": item["item"]})
        self.assertEqual(self.waiting(ada, "report"), [])
        undo = {"do": "undo", "on": {"act": done["id"]}, "reason": "No"}
        self.assertEqual(self.operator.call("PUT", f"acts/{v1.new_id()}", undo).status, 201)
        self.assertEqual(self.waiting(ada, "report"), [item])
        self.assertIn(item["item"], self.server.verb("queue"))
        self.assertEqual(self.operator.get("queue?kind=x").status, 400)

    def test_a_game_that_takes_no_addresses_keeps_none(self):
        kept = self.player("Kept", self.game, email="kept@example.org")
        self.server.verb("game", "set", self.game, "--email", "off")
        ada = self.player("Ada", self.game, email="ada@example.org", send_updates=True)
        self.assertEqual(ada.call("PATCH", "/v1/players/me", {"email": "b@example.org"}).status, 200)
        self.assertEqual(kept.call("PATCH", "/v1/players/me", {"email": "other@example.org"}).status, 200)
        rows = self.server.psql(f"select email from player where id in ({ada.id}, {kept.id}) order by email")
        self.assertEqual(rows, [["kept@example.org"], [""]])
        self.assertEqual(kept.call("PATCH", "/v1/players/me", {"email": None}).status, 200)
        self.assertEqual(self.server.psql(f"select email from player where id = {kept.id}"), [[""]])

    def test_stored_addresses_are_removed_on_record_and_only_those_of_the_game(self):
        def stored():
            return self.server.psql(
                "select count(p.email), count(*) filter (where p.wants_updates or p.updates_since is not null"
                f" or p.updates_source is not null) from player p join game g on g.id = p.game_id"
                f" where g.slug = '{self.game}'")[0]

        def leave(count):
            for number in range(count):
                address = f"m{number}@{self.game}.example"
                self.player(f"Mailed {number}", self.game, email=address, send_updates=number < 2)
        other = self.player("Elsewhere", "quiz", email="elsewhere@example.org", send_updates=True)
        leave(3)
        wish = self.player("Without an address", self.game, send_updates=True)
        refused = self.server.run_verb("game", "set", self.game, "--remove-addresses")
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("--remove-addresses goes together with", refused.stdout + refused.stderr)
        self.assertIn("3 e-mail addresses and 3 wishes", self.server.verb("game", "set", self.game, "--email", "off"))
        self.assertEqual(stored(), ["3", "3"])
        self.assertIn(self.game, self.server.verb("export", "subscribers"))
        said = self.server.verb("game", "set", self.game, "--email", "off", "--remove-addresses")
        self.assertIn(f"3 e-mail addresses and 3 wishes for updates of {self.game} are stored. They are removed.", said)
        self.assertEqual(stored(), ["0", "0"])
        self.assertFalse(wish.get("/v1/players/me").json()["send_updates"])
        exported = self.server.verb("export", "subscribers")
        self.assertNotIn(self.game, exported)
        self.assertIn("elsewhere@example.org", exported)
        self.assertEqual(other.get("/v1/players/me").json()["send_updates"], True)
        entry = self.operator.get("log?limit=1").json()["rows"][0]
        self.assertEqual((entry["do"], entry["on"], entry["values"]),
                         ("PATCH", f"game={self.game}", "addresses=3;email=false;remove_addresses=true;updates=3"))

        # The same over the admin API.
        self.server.verb("game", "set", self.game, "--email", "on")
        leave(2)
        etag = self.operator.get(f"games/{self.game}")["etag"]
        answer = self.operator.change(f"games/{self.game}", {"remove_addresses": True}, etag)
        self.assertEqual((answer.status, answer.json()["field"]), (422, "remove_addresses"))
        counted = self.operator.change(f"games/{self.game}", {"email": False}, etag)
        self.assertEqual([counted.json()[name] for name in ("email", "addresses", "updates")], [False, 2, 2])
        self.assertEqual(stored(), ["2", "2"])
        body = {"email": False, "remove_addresses": True}
        self.assertEqual(self.operator.change(f"games/{self.game}", body, etag).status, 412)
        self.assertEqual(stored(), ["2", "2"], "nothing is removed by a change that was not made")
        done = self.operator.change(f"games/{self.game}", body, counted["etag"])
        self.assertEqual([done.json()[name] for name in ("email", "addresses", "updates")], [False, 2, 2])
        self.assertEqual(stored(), ["0", "0"])
        self.assertNotIn("addresses", self.operator.get(f"games/{self.game}").json())
        self.assertEqual(self.operator.get("log?limit=1").json()["rows"][0]["values"],
                         "addresses=2;email=false;remove_addresses=true;updates=2")
        self.assertNotIn(self.game, self.operator.get("subscribers.csv?limit=100").text)

    def test_a_season_is_begun_by_an_action(self):
        ada = self.player("Ada", self.game)
        self.assertEqual(ada.post("solo", 5).status, 201)
        body = {"do": "reset", "on": {"game": self.game, "board": "solo"}, "reason": "A new year"}
        id = v1.new_id()
        lesser = Operator(self.server.admin(), admin.make_key(self.server, "read,moderate"))
        self.assertEqual(lesser.call("PUT", f"acts/{id}", body).status, 403)
        done = self.operator.call("PUT", f"acts/{id}", body)
        self.assertEqual((done.status, done.json()["on"]), (201, {"game": self.game, "board": "solo"}), done)
        self.assertEqual(self.operator.call("PUT", f"acts/{id}", body).status, 200)
        self.assertEqual(self.operator.get(f"games/{self.game}/boards/solo").json()["season"], 2)
        until(lambda: client.get(self.server, f"/v1/games/{self.game}/boards/solo/top.json").json()["rows"] == [],
              SEEN_SECONDS_MAX, "the season has begun")
        body["on"]["board"] = "none"
        self.assertEqual(self.operator.call("PUT", f"acts/{v1.new_id()}", body).status, 404)
        self.assertIn("season=2", self.server.verb("log", "--limit", "3"))


if __name__ == "__main__":
    unittest.main()
