"""A player with friends, teams, challenges, a flag, awards, a plan and a linked identity: its export has all of it,
without the names of others, and once it has left, a dump has no byte of it."""
import re
import subprocess
import unittest

import admin
import client
import issuer
import v1
from admin import Operator
from server import Server, until

# Nothing else has these, and they are long enough not to come about by chance.
NAME, EXTERNAL, SUBJECT = "Zyxomma Quillfeather", "account-of-zyxomma-4711", "subject-of-zyxomma-0815"
OWN_TEAM, WAITING_TEAM, FLAG = "Zyxommas Menagerie", "Zyxommas Wunderkammer", "PG-NCD"
OTHERS = {name: f"{name} Bandersnatch-Tumblewick" for name in ("Bob", "Cy", "Dee", "Eve", "Fay", "Gus")}
API, ME = "/v1/games/maze", "/v1/players/me"
# Where the id of a player who left stays: sums and rankings go on, and a restored copy has to know who left.
ID_STAYS = {"player", "wallet", "erasure", "score", "standing", "tally", "member", "moderation_action", "log_entry"}
TOKENS = "erased_token"     # for thirty days, so that its devices are told
server = provider = None


def setUpModule():
    global server, provider
    provider = issuer.Issuer(*issuer.separate_network())
    server = Server("circle-erasure", start=False, environment={"CAUSEBOARD_OUTGOING_ALLOW": issuer.NETWORK})
    unittest.addModuleCleanup(server.stop)
    server.verb("game", "add", "maze", "--name", "Maze")
    server.verb("game", "set", "maze", "--friends", "requests", "--teams", "codes", "--flags", "on",
                "--challenges", "friends", "--plans", "on")
    server.verb("charity", "add", "wells", "--name", "Wells")
    server.verb("board", "add", "--game", "maze", "lap", "--teams", "best:3", "--countries", "best:3")
    server.verb("award", "add", "--game", "maze", "five", "--rule", "points", "--board", "lap", "--at-least", "5")
    server.verb("provider", "add", "--game", "maze", "shop", "--kind", "oidc", "--audiences", "game", "--issuer",
                "https://issuer.test", "--jwks", "https://issuer.test/keys")
    server.start()


class Erasure(unittest.TestCase):
    maxDiff = 3000

    def ask(self, player, method, path, body=None, status=200):
        answer = player.call(method, path, body)
        self.assertEqual(answer.status, status, f"{method} {path}: {answer!r}")
        return answer.json() if answer.body else None

    def act(self, body):
        done = Operator(server.admin(), admin.make_key(server)).call("PUT", f"acts/{v1.new_id()}",
                                                                     {"reason": "A test", **body})
        self.assertEqual(done.status, 201, done)

    def tables(self):
        """The rows of each table, as text, of a dump."""
        text = subprocess.run(["pg_dump", server.conninfo()], check=True, capture_output=True, text=True).stdout
        return dict(re.findall(r"^COPY public\.(\w+) .*?;\n(.*?)^\\\.$", text, re.M | re.S))

    def befriended(self, ada, people):
        """Ada has a friend, has asked and was asked, has blocked and is blocked, and has ended a friendship."""
        for other in ("Bob", "Gus"):
            code = self.ask(people[other], "POST", f"{ME}/friends/codes", status=201)["code"]
            self.ask(ada, "POST", f"{ME}/friends", {"code": code}, status=201)
        self.ask(ada, "DELETE", f"{ME}/friends/{people['Gus'].id}", status=204)
        self.ask(people["Cy"], "PUT", f"{ME}/friends/{ada.id}")
        self.ask(ada, "PUT", f"{ME}/friends/{people['Dee'].id}")
        self.ask(ada, "PUT", f"{ME}/blocks/{people['Eve'].id}", status=204)
        self.ask(people["Fay"], "PUT", f"{ME}/blocks/{ada.id}", status=204)
        return {(people["Bob"].id, "yes"), (people["Gus"].id, "no"), (people["Dee"].id, "yes"),
                (people["Eve"].id, "block")}

    def teamed(self, ada, people):
        """Ada was in Bob's team some days ago, and is the captain of another one, whose next name waits."""
        first = self.ask(people["Bob"], "PUT", f"{ME}/team", {"make": "Borogoves"}, status=201)["id"]
        code = self.ask(people["Bob"], "GET", f"{ME}/team")["code"]
        self.ask(ada, "PUT", f"{ME}/team", {"code": code}, status=201)
        self.ask(ada, "DELETE", f"{ME}/team", status=204)
        server.psql(f"update member set first_day = first_day - 5, last_day = last_day - 3 where player_id = {ada.id}")
        own = self.ask(ada, "PUT", f"{ME}/team", {"make": OWN_TEAM}, status=201)["id"]
        code = self.ask(ada, "GET", f"{ME}/team")["code"]
        self.ask(people["Cy"], "PUT", f"{ME}/team", {"code": code}, status=201)
        self.act({"do": "rename", "on": {"team": own}, "name": "Renamed"})
        self.ask(ada, "PATCH", f"{ME}/team", {"name": WAITING_TEAM})
        self.ask(ada, "POST", f"{API}/teams/{first}/report", {"why": "name"}, status=202)
        return first, own

    def challenged(self, ada, people):
        """Ada has challenged Bob, and Bob Ada."""
        made = []
        for maker, other in ((ada, people["Bob"]), (people["Bob"], ada)):
            made.append(v1.new_id())
            body = {"days": 2, "players": [other.id]}
            self.ask(maker, "PUT", f"{API}/boards/lap/challenges/{made[-1]}", body, status=201)
        return {(made[0], True, "entered"), (made[1], False, "invited")}

    def linked(self, ada):
        nonce = self.ask(ada, "POST", f"{API}/sign-ins")["nonce"]
        token = issuer.token(provider.key, issuer.claims(nonce, SUBJECT))
        self.ask(ada, "PUT", f"{ME}/identities/shop", {"token": token, "nonce": nonce}, status=201)

    def test_the_export_has_all_of_it_and_a_dump_nothing(self):
        ada = v1.Player(server, "maze", NAME)
        people = {key: v1.Player(server, "maze", name) for key, name in OTHERS.items()}
        key = v1.make_key(server, "maze")
        code = self.ask(ada, "POST", f"{ME}/codes", status=201)["code"]
        joined = v1.call(server, "PUT", f"{API}/players/{EXTERNAL}", {"code": code}, who=key)
        self.assertEqual((joined.status, joined.json()["player"]["id"]), (201, ada.id), joined)
        for player, points in ((ada, 7), (people["Bob"], 5)):
            self.assertEqual(player.post("lap", points).status, 201)
        self.ask(ada, "PATCH", ME, {"flag": FLAG, "asks": False})
        self.linked(ada)
        planned = ada.call("PUT", f"{ME}/plan", {"shares": [{"charity": "wells", "share": 1}], "every": "month"},
                           headers=[("If-None-Match", "*")])
        self.assertEqual(planned.status, 201, planned)
        ties, (first, own) = self.befriended(ada, people), self.teamed(ada, people)
        challenges = self.challenged(ada, people)
        made = [self.ask(ada, "POST", f"{ME}/{path}", status=201)["code"]
                for path in ("friends/codes", "codes", "recovery")]

        until(lambda: ada.get(ME).json()["awards"] == {"count": 1, "newest": "five"}, 2, "the award is given")
        answer = ada.get(f"{ME}/export")
        kept = answer.json()
        self.assertEqual((kept["name"], kept["flag"], kept["asks"], "flag_at" in kept), (NAME, FLAG, False, True))
        self.assertEqual({(tie["player"], tie["says"]) for tie in kept["ties"]}, ties)
        self.assertEqual({code["kind"] for code in kept["codes"]}, {"friend", "team", "join", "recovery"})
        self.assertEqual([identity["provider"] for identity in kept["identities"]], ["shop"])
        self.assertEqual([(team["team"], team["name"], team["role"], "last_day" in team) for team in kept["teams"]],
                         [(first, "Borogoves", "member", True), (own, WAITING_TEAM, "captain", False)])
        self.assertEqual([report["team"] for report in kept["team_reports"]], [first])
        self.assertEqual({(row["challenge"], row["own"], row["answer"]) for row in kept["challenges"]}, challenges)
        self.assertEqual([award["award"] for award in kept["awards"]], ["five"])
        self.assertEqual([plan["shares"] for plan in kept["plans"]], [[{"charity": "wells", "share": 1}]])
        for name in OTHERS.values():
            self.assertNotIn(name, answer.text)

        hashes = [row[0].removeprefix("\\x") for row in server.psql(
            f"select hash from code where player_id = {ada.id} union select hash from identity where player_id ="
            f" {ada.id} union select hash from device where player_id = {ada.id} union select token_hash from device"
            f" where player_id = {ada.id} and token_hash is not null")]
        self.assertEqual(len(hashes), 4 + 1 + 2 + 1)
        before = self.tables()
        for needle in (NAME, FLAG, WAITING_TEAM, *hashes):
            self.assertTrue(any(needle in rows for rows in before.values()), f"{needle} was there")
        named = {table for table, rows in before.items() if re.search(rf"\b{ada.id}\b", rows)}
        known = {"tie", "code", "identity", "device", "member", "team_report", "challenge", "entry", "award_given",
                 "plan"}
        self.assertLessEqual(known,
                             named)

        self.ask(ada, "POST", f"{ME}/erasure", {"confirm": NAME})
        # After thirty days, when the server cleans up.
        server.psql(f"update {TOKENS} set until = now() - interval '1 hour'")
        server.terminate()
        server.start()
        until(lambda: server.psql(f"select count(*) from {TOKENS}") == [["0"]], 30, "tokens are swept")
        after = self.tables()
        for needle in (NAME, EXTERNAL, SUBJECT, FLAG, WAITING_TEAM, ada.device, ada.token, *made, *hashes):
            self.assertEqual([table for table, rows in after.items() if needle in rows], [], needle)
        self.assertNotIn(NAME, server.log())
        named = {table for table, rows in after.items() if re.search(rf"\b{ada.id}\b", rows)}
        self.assertLessEqual(named, ID_STAYS)
        self.assertIn("member", named, "past days count on for the team")
        # Those who stay see nobody any more, and one of them leads the team.
        for player in people.values():
            self.assertEqual({name: [row["player"] for row in rows] for name, rows in
                              self.ask(player, "GET", f"{ME}/friends").items()},
                             {"friends": [], "asked": [], "asking": [], "blocked": []})
        team = self.ask(people["Cy"], "GET", f"{ME}/team")
        self.assertEqual((team["role"], team["name"], [row["name"] for row in team["members"]]),
                         ("captain", "Renamed", [OTHERS["Cy"]]))
        rows = client.get(server, f"{API}/boards/lap/teams/top.json").json()["rows"]
        self.assertEqual([(row["team"], row["points"]) for row in rows], [(own, 7), (first, 5)])
        server.audit()


if __name__ == "__main__":
    unittest.main()
