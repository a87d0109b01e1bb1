"""The clients in JavaScript and C# against Tests/Vectors/clients.json, whose head says what a vector is.

No server takes part: a proxy makes all answers up.
"""
import base64
import hashlib
import hmac
import json
import os
import re
import secrets
import shutil
import subprocess
import threading
import unittest
import urllib.parse

import chaos
import seeds
import server as servers
import test_engine_clients as clients
import v1
from engine_client import CLIENTS, EngineClientCase, Refused
from repository import ROOT, article
from server import until

with open(os.path.join(ROOT, "Tests", "Vectors", "clients.json"), encoding="utf-8") as f:
    VECTORS = json.load(f)


APPLE = {"provider": "apple", "nonce": "AAAAAGsBh8DSVloN7iZHdyH8RdtA8Ol_", "token": "eyJhbGciOiJSUzI1NiJ9.e30.c2ln"}
LINKED = {"provider": "apple", "linked_at": "2026-11-21T10:00:00.000000Z", "used_on": "2026-11-21"}

FRIEND = {"player": 12, "name": "Bob", "since": "2026-11-21"}
BLOCKED = {"player": 13, "name": "Mallory", "at": "2026-11-21T10:00:00.000000Z"}
FRIENDS = {"friends": [FRIEND], "asked": [], "asking": [FRIEND | {"player": 14}], "blocked": [BLOCKED]}
ROW = {"rank": 9, "among": 1, "tied": False, "player": 12, "name": "Bob", "points": 5,
       "reached_at": "2026-11-21T10:00:00.000000Z", "flag": "DE-BE"}
FRIENDS_TOP = {"board": "lap", "among": "friends", "of": 2, "rows": [ROW]}

MEMBERSHIP = {"id": 5, "name": "Red", "role": "captain", "first_day": "2026-11-21"}
OWN_TEAM = MEMBERSHIP | {"members": [{"player": 7, "name": "Ada", "role": "captain"}], "code": "7K3MP2QX"}
TEAM = {"id": 5, "name": "Red", "members": 1, "made_at": "2026-11-21T10:00:00.000000Z"}
TEAM_TOP = FRIENDS_TOP | {"among": "team"}
SUM = {"rank": 1, "tied": False, "points": 9, "members": 2, "reached_at": "2026-11-21T10:00:00.000000Z"}
TEAMS_TOP = {"board": "lap", "of": 1, "rows": [SUM | {"team": 5, "name": "Red"}]}
COUNTRIES_TOP = {"board": "lap", "of": 1, "rows": [SUM | {"country": "DE"}]}

CHALLENGE = {"id": "0b7c6f0e-3c8e-4c5a-9c1d-2f4b8a6d1e00", "game": "maze", "board": "lap", "season": 1, "by": 7,
             "from": "2026-11-21T00:00:00.000000Z", "until": "2026-11-24T00:00:00.000000Z",
             "first_day": "2026-11-21", "last_day": "2026-11-23", "state": "open", "stake": 0, "answer": "entered"}
CHALLENGES = {"rows": [CHALLENGE]}
STANDINGS = CHALLENGE | {"entrants": [
    {"player": 12, "name": "Bob", "state": "entered", "rank": 1, "tied": False, "points": 9},
    {"player": 7, "name": "Ada", "state": "entered", "charity": "tree-fund"}]}

SHARES = [{"charity": "tree-fund", "share": 60}, {"charity": "books", "share": 40}]
PLAN = {"shares": SHARES[::-1], "every": "week", "keep": 5, "anonymous": False, "since": "2026-11-21T10:00:00.000000Z",
        "next_on": "2026-11-22"}
PREVIEW = {"points": 100, "gifts": [{"charity": "books", "points": 40}, {"charity": "tree-fund", "points": 60}]}
ETAG = '"7-1"'

AWARD = {"award": "first-lap", "name": "First lap", "text": "Post a lap.", "secret": False,
         "picture": "/games/maze/awards/first-lap.png"}
OWN_AWARDS = {"awards": [AWARD | {"times": 0, "have": 3, "need": 5}]}
PUBLIC = (["games", "maze", "awards"], ["campaigns.json"], ["campaigns", "winter"])
GAME_AWARDS = {"awards": [AWARD | {"given_to": 12}]}

LISTED_CAMPAIGN = {
    "slug": "winter", "name": "Winter of wells", "charity": "tree-fund", "first_day": "2026-12-01",
    "last_day": "2026-12-24", "from": "2026-12-01T00:00:00.000000Z", "until": "2026-12-25T00:00:00.000000Z",
    "state": "open", "final": False, "cohort": 20, "goal": 10_000}
CAMPAIGN = LISTED_CAMPAIGN | {
    "points": 1_200, "progress": 12, "contributors": 3, "to_next": 3_800,
    "milestones": [{"points": 1_000, "name": "A well", "reached_at": "2026-12-01T22:00:00.000000Z"},
                   {"points": 5_000, "name": "A pump"}]}
CAMPAIGNS = {"board": "campaigns", "of": 1, "rows": [LISTED_CAMPAIGN]}
CAMPAIGN_TOP = {"board": "tree-fund", "of": 1, "rows": [
    {name: ROW[name] for name in ("tied", "player", "name", "points", "reached_at")} | {"rank": 1}]}
COHORT = {"cohort": 3, "of": 20}
COHORT_TOP = FRIENDS_TOP | {"among": "cohort"}


def profile(flag):
    return {"id": 7, "name": "Ada", **({"flag": flag} if flag else {})}


def expected(headers):
    """What a request says that is there already, in the words of the vectors."""
    return "new" if headers.get("If-None-Match") == "*" else headers.get("If-Match", "anything").strip('"')


def known(path, query, body, headers):
    """What requests of calls that are not queued are called in the vectors, and what the contract answers."""
    challenge = f"/v1/games/maze/boards/lap/challenges/{CHALLENGE['id']}"
    plan = "/v1/players/me/plan"
    terms = f"challenge {' '.join(map(str, body.get('players', [])))} {body.get('days')}"
    if body.get("stake"):
        terms += f" stake {body['stake']} {body.get('charity')}"
    has_terms = (body.get("shares"), body.get("every"), body.get("keep")) == (SHARES, "week", 5)
    friend = "/v1/players/me/friends/12"
    block = "/v1/players/me/blocks/12"
    team = "/v1/players/me/team"
    board = "/v1/games/maze/boards/lap"
    fund = "/v1/charities/tree-fund"
    winter = "/v1/campaigns/winter"
    empty = 204, {}, b""
    among, code = next(iter(query.items()), ("", ""))
    entry = f"make-team {body['make']}" if "make" in body else f"join-team {body.get('code')}"
    change = " ".join(["change-team", *(f"{name} {value}" for name, value in body.items())])
    flag = body.get("flag")
    return {
        ("GET", "/v1/players/me/friends"): ("friends", reply(200, FRIENDS)),
        ("POST", "/v1/players/me/friends/codes"):
            ("friend-code", reply(201, {"code": "7K3MP2QX", "expires_at": "2026-11-22T12:00:00.000000Z"})),
        ("POST", "/v1/players/me/friends"): (f"befriend {body.get('code')}", reply(201, {"player": 12, "name": "Bob"})),
        ("PUT", friend): ("ask", reply(200, {"state": "friends"})),
        ("DELETE", friend): ("unfriend", empty),
        ("PUT", block): ("block", empty),
        ("DELETE", block): ("unblock", empty),
        ("GET", f"{board}/players/me/friends.json"): ("friends-top", reply(200, FRIENDS_TOP)),
        ("GET", f"{fund}/players/me/friends.json"): ("charity-friends", reply(200, FRIENDS_TOP)),
        ("GET", "/v1/contributors/players/me/friends.json"): ("contributor-friends", reply(200, FRIENDS_TOP)),
        ("GET", team): ("my-team", reply(200, OWN_TEAM)),
        ("PUT", team): (entry, reply(201, MEMBERSHIP)),
        ("PATCH", team): (change, reply(200, OWN_TEAM)),
        ("DELETE", team): ("leave-team", empty),
        ("GET", "/v1/games/maze/teams/5"): ("team", reply(200, TEAM)),
        ("POST", "/v1/games/maze/teams/5/report"): (f"report-team {body.get('why')}", reply(202, {})),
        ("GET", f"{board}/teams/top.json"): ("teams-top", reply(200, TEAMS_TOP)),
        ("GET", f"{board}/players/me/team.json"): ("my-team-top", reply(200, TEAM_TOP)),
        ("GET", f"{board}/top.json"): (f"{among}-board {code}", reply(200, FRIENDS_TOP | {"among": code})),
        ("GET", f"{fund}/teams/top.json"): ("charity-teams", reply(200, TEAMS_TOP)),
        ("GET", "/v1/contributors/teams/top.json"): ("contributor-teams", reply(200, TEAMS_TOP)),
        ("PATCH", "/v1/players/me"): (f"flag {flag or ''}".strip(), reply(200, profile(flag))),
        ("GET", f"{board}/countries/top.json"): (f"countries-top {code}".strip(), reply(200, COUNTRIES_TOP)),
        ("PUT", challenge): (terms, reply(201, STANDINGS)),
        ("GET", challenge): ("standings", reply(200, STANDINGS)),
        ("PUT", f"{challenge}/entry"): (f"enter {body.get('charity', '')}".strip(), reply(200, STANDINGS)),
        ("DELETE", f"{challenge}/entry"): ("decline", empty),
        ("GET", "/v1/players/me/challenges"): (f"challenges {code}".strip(), reply(200, CHALLENGES)),
        ("GET", "/v1/players/me/awards"): ("awards", reply(200, OWN_AWARDS)),
        ("GET", "/v1/games/maze/awards"): ("game-awards", reply(200, GAME_AWARDS)),
        ("GET", "/v1/campaigns.json"): (f"campaigns {code}".strip(), reply(200, CAMPAIGNS)),
        ("GET", winter): ("campaign", reply(200, CAMPAIGN)),
        ("GET", f"{winter}/top.json"): ("campaign-top", reply(200, CAMPAIGN_TOP)),
        ("GET", f"{winter}/teams/top.json"): ("campaign-teams", reply(200, TEAMS_TOP)),
        ("PUT", f"{winter}/entry"): ("enter-campaign", reply(201, COHORT)),
        ("GET", f"{winter}/players/me/cohort.json"): (f"cohort {code}".strip(), reply(200, COHORT_TOP)),
        ("GET", plan): (f"preview {code}", reply(200, PLAN | {"preview": PREVIEW}, ETAG)) if code else
                       ("plan", reply(200, PLAN, ETAG)),
        ("PUT", plan): (f"set-plan {expected(headers) if has_terms else body}", reply(200, PLAN, ETAG)),
        ("DELETE", plan): (f"end-plan {expected(headers)}", empty),
    }


class Script:
    """Answers as a vector has it, and notes what was asked."""

    def __init__(self):
        self.name = "Ada"
        self.key = None
        self.points = {}
        self.faults = []            # what a client must never do
        self.tokens = set()
        self.is_holding = False     # posts get no answer, and registrations are not noted
        self.lock = threading.Lock()
        self.begin([])

    def begin(self, answers, repeats=False, by_name=None):
        with self.lock:
            self.answers, self.repeats, self.by_name = list(answers), repeats, by_name
            self.asked = []

    def decide(self, seen):
        with self.lock:
            return self.answer(seen)

    def answer(self, seen):
        path, _, query = seen.path.partition("?")
        parts = path.split("/")
        body = json.loads(seen.body or b"{}")
        name = body.get("name", "")
        if seen.method == "GET" and (parts[-1] == "top.json" or parts[-2] == "teams" or parts[2:] in PUBLIC):
            if "Authorization" in seen.headers:
                self.faults.append("what everybody sees is asked for with a token")
        else:
            self.tokens.add(seen.headers["Authorization"])
        if len(self.tokens) != 1:
            self.faults.append("the device has another token")
        if parts[-1] == "sign-ins" or "identities" in parts or "identity" in body:
            return self.answer_identity(seen, parts, body)
        query = {name: value for name, value in urllib.parse.parse_qsl(query) if name not in ("limit", "window")}
        if (what := known(path, query, body, seen.headers).get((seen.method, path))) is not None:
            self.asked.append(what[0])
            answer = self.next()
            return what[1] if answer == "good" else made_up(answer)
        if self.is_holding:
            return chaos.LOSE_REQUEST
        if parts[-2] == "devices":
            self.asked.append(f"registration {name}".strip())
        elif seen.method == "GET":
            self.asked.append("receipt")
        else:
            self.asked.append("score" if parts[-2] == "scores" else "donation")
            self.points[parts[-1]] = body["points"]
            self.check_post(seen, body)
        if self.by_name is not None:
            answer = self.by_name.get(name, "good")
        else:
            answer = self.next()
        return self.good(parts, name) if answer == "good" else made_up(answer)

    def answer_identity(self, seen, parts, body):
        name = body.get("name", "")
        if parts[-1] == "sign-ins":
            self.asked.append("nonce")
            good = reply(200, {"nonce": APPLE["nonce"], "expires_at": "2026-11-21T12:10:00.000000Z"})
        elif parts[-1] == "identities":
            self.asked.append("identities")
            good = reply(200, {"identities": [LINKED, LINKED | {"provider": "google"}]})
        elif seen.method == "DELETE":
            self.asked.append("unlink")
            good = (204, {}, b"")
        elif parts[-2] == "identities":
            self.asked.append("link")
            good = reply(201, LINKED)
            self.check_proof(body, {"nonce": APPLE["nonce"], "token": APPLE["token"]})
        else:
            self.asked.append(" ".join(["sign-in", *([name] if name else []), *(["merge"] if "merge" in body else [])]))
            self.check_proof(body["identity"], APPLE)
            good = None
        answer = self.next()
        if answer == "joined":
            return self.good(parts, "Eve", 8)
        if answer == "good":
            return good or self.good(parts, name)
        return made_up(answer)

    def next(self):
        """The answer whose turn it is."""
        if not self.answers:
            return "good"
        return self.answers[0] if self.repeats and len(self.answers) == 1 else self.answers.pop(0)

    def check_proof(self, proof, expected):
        if proof != expected:
            self.faults.append(f"the identity is {proof}")

    def check_post(self, seen, body):
        said = dict(part.split("=", 1) for part in seen.headers["Causeboard-Signature"].split(","))
        digest = hashlib.sha256(seen.body).hexdigest()
        text = "\n".join(["v1", "PUT", seen.path, said["t"], digest])
        key = base64.urlsafe_b64decode(self.key[4:] + "=")
        if hmac.new(key, text.encode(), "sha256").hexdigest() != said["v1"]:
            self.faults.append(f"{self.asked[-1]} is not signed by the newest key")
        if "played_at" not in body and self.asked[-1] == "score":
            self.faults.append("a score does not say when it was played")

    def good(self, parts, name, id=7):
        if parts[-2] == "devices":
            self.name = name or self.name
            self.key = "cbs_" + base64.urlsafe_b64encode(secrets.token_bytes(32)).decode().rstrip("=")
            return reply(200, {"player": {"id": id, "name": self.name}, "sign_key": self.key})
        points = self.points[parts[-1]]
        if parts[-2] == "scores":
            return reply(201, {"points": points, "best": points, "improved": True, "rank": 1, "of": 1, "earned": 0,
                               "left": 0})
        return reply(201, {"charity": parts[-3], "points": points, "left": 0, "rank": 1})


def stake(words):
    return {"stake": whole(words[0]), "charity": words[1]} if len(words) == 2 else {}


def place(words):
    """The query for rows from a place on, if the words name one."""
    return {"from": int(words[0])} if words and (words[0] or "").isdigit() else {}


def whole(text):
    return int(text) if text.isdigit() else text


def reply(status, body, etag=None):
    return status, {"Content-Type": "application/json"} | ({"ETag": etag} if etag else {}), json.dumps(body).encode()


def made_up(answer):
    if answer == "silence":
        return chaos.LOSE_REQUEST
    headers = answer.get("headers", {})
    if "problem" not in answer:
        return answer["status"], {"Content-Type": answer["type"], **headers}, answer["text"].encode()
    status, headers, body = chaos.problem(answer["status"], answer["problem"], **headers)
    return status, headers, json.dumps(json.loads(body) | answer.get("more", {})).encode()


class Vectors(EngineClientCase):
    def setUp(self):
        self.script = Script()
        self.proxy = chaos.Chaos(None, self.script.decide)
        # Mono sends a request again by itself when a connection that it has used before ends without an answer.
        self.proxy.keeps_connections = False
        self.addCleanup(self.proxy.__exit__)

    def fresh(self):
        self.folder = servers.scratch(f"kept-{v1.new_id()}")
        self.script.__init__()
        return self.open()

    def comes_to(self, played, vector):
        """What the call comes to has to be this. `nothing yet` is the player last known, if any."""
        try:
            player = played.call(*vector["call"])
        except Refused as refusal:
            self.assertEqual(f"refused {refusal.type}", vector["comes_to"])
            return
        said = f"player {player['name']}" if player else "none"
        former = "player Ada" if vector["known"] else "none"
        self.assertEqual(said, former if vector["comes_to"] == "nothing yet" else vector["comes_to"])

    def becomes(self, played, id, expected, told_before=0):
        """What becomes of an item has to be this."""
        word, _, problem = expected.partition(" ")
        if word == "stopped":
            told = {"id": None, "state": "stopped", "problem": problem}
            until(lambda: told in played.changes()[told_before:], 30, f"it is told {told}")
            self.assertIn(id, played.pending())
        elif word == "waits":
            self.assertIn(id, played.pending())
        else:
            settled = played.settled(id)
            said = " ".join([settled["state"], *([settled["problem"]["type"]] if settled["problem"] else [])])
            self.assertEqual(said, expected)

    def same(self, vector, asked):
        if "requests" in vector:
            self.assertEqual(asked, vector["requests"])
        self.assertEqual(self.script.faults, [])

    def test_registrations(self):
        for vector in VECTORS["registrations"]:
            with self.subTest(vector["about"], call=vector["call"], answers=vector["answers"]):
                played = self.fresh()
                if vector["known"]:
                    played.signIn("Ada")
                self.script.begin(vector["answers"], vector.get("repeats", False))
                self.comes_to(played, vector)
                self.becomes(played, played.post("lap", 10), vector["post"])
                self.same(vector, self.script.asked)
                if "name" in vector:
                    self.assertEqual(played.player()["name"], vector["name"])
                played.kill()

    def test_posts(self):
        played = self.fresh()
        played.signIn("Ada")
        for vector in VECTORS["posts"]:
            with self.subTest(vector["about"], kind=vector["kind"], answers=vector["answers"]):
                # Both are queued before the first one can be sent.
                self.script.begin(["silence"], repeats=True)
                kinds = {"score": ("post", "lap"), "donation": ("donate", "tree-fund")}
                id = played.call(*kinds[vector["kind"]], 10)
                behind = played.post("lap", 11) if vector.get("behind") else None
                told_before = len(played.changes())
                self.script.begin(vector["answers"])
                self.becomes(played, id, vector["comes_to"], told_before)
                if vector["comes_to"].startswith("stopped"):
                    self.same(vector, self.script.asked)
                    played.retry()
                    self.becomes(played, id, "sent")
                if behind:
                    self.becomes(played, behind, "sent")
                if not vector["comes_to"].startswith("stopped"):
                    self.same(vector, self.script.asked)

    def test_sign_ins(self):
        for vector in VECTORS["sign_ins"]:
            with self.subTest(vector["about"]):
                played = self.fresh()
                if vector["known"]:
                    played.signIn("Ada")
                self.script.begin([], by_name={name: answer for name, answer in vector["answers"].items()})
                said = [f"refused {each['error']['type']}" if "error" in each else f"player {each['value']['name']}"
                        for each in played.together(*vector["calls"])]
                self.assertEqual(said, vector["come_to"])
                self.same(vector, self.script.asked)
                self.assertEqual(played.player()["name"], vector["name"])
                played.kill()

    def test_identities(self):
        self.check_calls(VECTORS["identities"])

    def test_friends(self):
        self.check_calls(VECTORS["friends"])

    def test_teams(self):
        self.check_calls(VECTORS["teams"])

    def test_flags(self):
        self.check_calls(VECTORS["flags"])

    def test_challenges(self):
        self.check_calls(VECTORS["challenges"])

    def test_plans(self):
        self.check_calls(VECTORS["plans"])

    def test_awards(self):
        self.check_calls(VECTORS["awards"])

    def test_campaigns(self):
        self.check_calls(VECTORS["campaigns"])

    def check_calls(self, vectors):
        for vector in vectors:
            with self.subTest(vector["about"], call=vector["call"], answers=vector["answers"]):
                played = self.fresh()
                if vector["known"]:
                    played.signIn("Ada")
                self.script.is_holding = True
                id = played.post("lap", 10)
                self.script.begin(vector["answers"], vector.get("repeats", False))
                self.assertEqual(self.said(played, *vector["call"]), vector["comes_to"])
                asked, self.script.is_holding = self.script.asked, False
                self.script.begin([])
                played.retry()
                self.becomes(played, id, vector["post"])
                self.same(vector, asked)
                self.assertEqual(played.player() and played.player()["name"], vector["name"])
                for name in os.listdir(self.folder):
                    with open(os.path.join(self.folder, name), "rb") as f:
                        self.assertNotIn(APPLE["token"].encode(), f.read())
                played.kill()

    def said(self, played, name, *words):
        """What the call comes to, in the words of the vectors."""
        options = {"merge": True} if "merge" in words else {}
        options |= {"name": words[0]} if words and words[0] else {}
        values = {"signInWith": [APPLE, options], "link": [APPLE], "unlink": ["apple"], "befriend": words,
                  **dict.fromkeys(("friendsTop", "teamsTop", "myTeamTop"), ["lap"]),
                  **dict.fromkeys(("friendContributors", "contributorTeams"), [{"charity": words[0]}] if words else []),
                  **dict.fromkeys(("ask", "unfriend", "block", "unblock"), [12]), "makeTeam": words,
                  "joinTeam": words, "changeTeam": [dict([[words[0], whole(words[1])]])] if len(words) == 2 else [],
                  "team": [5], "reportTeam": [5], "topOfTeam": ["lap", {"team": 5}],
                  "topOfCountry": ["lap", {"country": words[0]}] if words else [],
                  "countriesTop": ["lap", {"of": words[0]} if words else {}],
                  "setFlag": [{"flag": words[0] if words else None}],
                  "challenge": ["lap", [12], {"days": 2, "id": CHALLENGE["id"], **stake(words)}],
                  "challenges": [{"state": words[0]}] if words else [], "standings": [CHALLENGE],
                  "enter": [CHALLENGE, *({"charity": charity} for charity in words)], "decline": [CHALLENGE],
                  "campaigns": [place(words)], "cohort": ["winter", place(words)],
                  **dict.fromkeys(("campaign", "campaignTop", "campaignTeams", "enterCampaign"), ["winter"]),
                  "setPlan": [SHARES, "week", {"keep": 5, **({"etag": f'"{words[0]}"'} if words else {})}],
                  "endPlan": [ETAG], "preview": [100]}.get(name, [])
        try:
            value = played.call({"topOfTeam": "top", "topOfCountry": "top", "setFlag": "update"}.get(name, name),
                                *values)
        except Refused as refusal:
            if refusal.type in ("unreachable", "unusual"):
                return "unanswered"
            again = [] if refusal.again_at is None else ["until", refusal.again_at]
            return " ".join(["refused", refusal.type, *again])
        if name in ("myTeam", "plan") and value is None:
            return "none"
        if name == "signInWith":
            return f"player {value['name']}"
        if name == "ask":
            return value
        if name in ("signInNonce", "makeFriendCode"):
            value = value["nonce" if name == "signInNonce" else "code"]
        good = {"signInNonce": APPLE["nonce"], "link": LINKED, "unlink": None, "makeFriendCode": "7K3MP2QX",
                "identities": [LINKED, LINKED | {"provider": "google"}], "friends": FRIENDS,
                "befriend": {"player": 12, "name": "Bob"}, "unfriend": None, "block": None, "unblock": None,
                "friendsTop": FRIENDS_TOP, "friendContributors": FRIENDS_TOP, "myTeam": OWN_TEAM,
                "makeTeam": MEMBERSHIP, "joinTeam": MEMBERSHIP, "changeTeam": OWN_TEAM, "leaveTeam": None,
                "team": TEAM, "reportTeam": None, "teamsTop": TEAMS_TOP, "myTeamTop": TEAM_TOP,
                "contributorTeams": TEAMS_TOP, "topOfTeam": FRIENDS_TOP | {"among": "5"},
                "topOfCountry": FRIENDS_TOP | {"among": words[0] if words else ""},
                "setFlag": profile(words[0] if words else None), "countriesTop": COUNTRIES_TOP,
                "challenge": STANDINGS, "challenges": CHALLENGES, "standings": STANDINGS, "enter": STANDINGS,
                "decline": None, "plan": PLAN | {"etag": ETAG}, "setPlan": PLAN | {"etag": ETAG}, "endPlan": None,
                "preview": PREVIEW, "awards": OWN_AWARDS["awards"], "gameAwards": GAME_AWARDS["awards"],
                "campaigns": CAMPAIGNS, "campaign": CAMPAIGN, "campaignTop": CAMPAIGN_TOP, "campaignTeams": TEAMS_TOP,
                "enterCampaign": COHORT, "cohort": COHORT_TOP}
        return "done" if value == good[name] else value

    def test_files(self):
        for vector in VECTORS["files"]:
            with self.subTest(vector["about"], text=vector.get("text")):
                played = self.fresh()
                played.signIn("Ada")
                self.script.begin(["silence"], repeats=True)
                ids = [played.post("lap", points) for points in (1, 2, 3)]
                played.kill()
                path = os.path.join(self.folder, {"identity": "identity.json", "queue": "queue.jsonl"}[vector["file"]])
                with open(path, "rb") as f:
                    before = f.read()
                lost = damage(path, vector)
                played = self.open()
                if not vector["opens"]:
                    self.refuses("not-stored", played.player)
                    os.rmdir(path)
                    os.rename(path + ".away", path)
                    with open(path, "rb") as f:
                        self.assertEqual(f.read(), before)
                    played.kill()
                    played = self.open()
                    self.assertEqual((played.player()["name"], played.pending()), ("Ada", ids))
                    continue
                self.assertEqual(played.player() and played.player()["name"], vector["player"])
                self.assertEqual(played.pending(), [ids[points - 1] for points in vector["pending"]])
                self.assertEqual(len(played.damaged()), 0 if vector["damage"] in ("none", "tail") else 1)
                self.script.begin([])
                played.signIn("Ada")
                self.becomes(played, played.post("lap", 4), "sent")
                kept = b""
                for name in os.listdir(self.folder):
                    with open(os.path.join(self.folder, name), "rb") as f:
                        kept += f.read()
                self.assertIn(lost, kept, "what was damaged is still there")
                played.kill()


def damage(path, vector):
    """Damages the file, and returns what of it has to be kept all the same."""
    with open(path, "rb") as f:
        whole = f.read()
    kind, text = vector["damage"], vector.get("text", "").encode()
    lines = whole.splitlines(keepends=True)
    if kind == "none":
        return b""
    if kind == "unreadable":
        os.rename(path, path + ".away")
        os.mkdir(path)
        return b""
    if kind.startswith("line"):
        which = next(number for number, line in enumerate(lines) if b'"points":2' in line.replace(b'\\"', b'"'))
        lost = b"\0" * (len(lines[which]) - 1) if kind == "line zeros" else text
        lines[which] = lost + b"\n"
        now = b"".join(lines)
    elif kind == "tail":
        now, lost = whole[:-3], b""
    else:
        now = {"zeros": b"\0" * len(whole), "half": whole[:len(whole) // 2], "text": text}[kind]
        lost = now
    with open(path, "wb") as f:
        f.write(now)
    return lost


@unittest.skipUnless(shutil.which("node"), "there is no node")
class JavaScript(Vectors, unittest.TestCase):
    command = clients.JAVASCRIPT

    def test_the_example_of_the_article_signs_in(self):
        code = re.search(r"```javascript\n(.*?)```", article("SignIn.md"), re.S)[1]
        folder = servers.scratch("sign-in-example")
        self.script.__init__()
        with open(os.path.join(folder, "example.mjs"), "w", encoding="utf-8") as f:
            f.write(f'''import {{ Causeboard }} from {json.dumps(os.path.join(CLIENTS, "causeboard.js"))};
let given;
const id = {{ initialize: (configuration) => {{ given = configuration; }}, renderButton: () => {{}} }};
const [google, document] = [{{ accounts: {{ id }} }}, {{ getElementById: () => ({{}}) }}];
const server = "http://127.0.0.1:{self.proxy.port}";
const board = await Causeboard.open({{ server, game: "maze", directory: {json.dumps(folder)} }});
{code}
const player = await given.callback({{ credential: {json.dumps(APPLE["token"])} }});
console.log(given.nonce, player.name);
await board.close();
''')
        done = subprocess.run(["node", "example.mjs"], cwd=folder, capture_output=True, text=True, timeout=60)
        self.assertEqual((done.stdout, done.stderr), (f"{APPLE['nonce']} Ada\n", ""))
        self.assertEqual(self.script.asked, ["nonce", "sign-in Ada"])


@unittest.skipUnless(clients.HAS_MONO, "there is no mono")
class CSharp(Vectors, unittest.TestCase):
    if not seeds.NIGHTLY:       # Mono starts for each vector; a push has the posts alone
        test_registrations = test_sign_ins = test_identities = test_friends = test_teams = None
        test_flags = test_challenges = test_plans = test_awards = test_campaigns = test_files = None

    @classmethod
    def setUpClass(cls):
        cls.command = clients.compile_csharp()
