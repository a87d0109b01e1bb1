"""The log records every change of a setting: each field of each PUT and PATCH of the admin API leaves a trace that
differs with its value, and free text leaves only a hash. The fields come from openapi.yaml: new ones are tested too."""
import re

import admin
import client
import v1
import v1_case
from admin import Operator
from console import Session
from server import far_from_midnight
from v1_case import V1Case

HASH = r"#[0-9a-f]{16}"
SOON, LATER = "2998-01-01T00:00:00Z", "2999-01-01T00:00:00Z"

# The log has a hash of each of these.
TEXTS = {"name", "url", "description", "salt", "unit", "refused_words", "token"}
# Two values of each field. It is set to the second one, to the first, and to the second again, which stays.
VALUES = {
    "GameSettings": {
        "name": ("Log One", "Log Two"), "classic": ("token", "off"), "salt": ("s3cret one", "s3cret two"),
        "names": ("filtered", "open"), "refused_words": (["darn word", "other"], ["darn word"]), "email": (False, True),
        "friends": ("codes", "requests"), "teams": ("codes", "server"), "team_size": (20, 30),
        "flags": (True, False), "plans": (True, False), "audience": ("young", "all"),
        "challenges": ("friends", "team"), "stake_max": (5, 6),
        "team_rosters": ("public", "members"), "remove_addresses": (True, False),
    },
    "BoardSettings": {
        "name": ("Log One", "Log Two"), "policy": ("sum", "best"), "order": ("lowest", "highest"),
        "points_min": (-7, -8), "points_max": (7_000, 8_000), "zone": ("Europe/Berlin", "UTC"),
        "ties": ("shared", "first"), "earns": ("fixed:10", "points"), "earn_max": (5, 6), "earn_day": (50, 60),
        "display": ("seconds", "number"), "unit": ("laps", "coins"), "trust": ("server", "open"),
        "details": ("private", "public"), "countries": ("none", "best:3"), "teams": ("none", "best:3"),
        "season_every": ("week", "day"),
        "hold_above": (2.5, 10), "hold_rate": (20, 30), "hold_pace": (300, 400), "judge": (5, 6), "settle": (7, 8),
        "opens": ("2020-01-01T00:00:00Z", "2021-01-01T00:00:00Z"), "closes": (SOON, LATER),
    },
    "CharitySettings": {
        "name": ("Log Fund One", "Log Fund Two"), "url": ("https://one.example", "https://two.example"),
        "description": ("Digs wells; one=1", "Digs wells; two=2"), "goal": (500, 600),
        "opens": ("2020-01-01T00:00:00Z", "2021-01-01T00:00:00Z"), "closes": (SOON, LATER),
        "zone": ("Europe/Berlin", "UTC"), "cooling_off": (5, 6), "cap_day": (70, 80), "cap_all": (700, 800),
    },
    "ProviderSettings": {
        "audiences": (["one", "two"], ["one"]), "jwks": ("https://one.example/keys", "https://two.example/keys"),
    },
    "NewProvider": {"kind": ("oidc", "apple"), "issuer": ("https://one.example", "https://two.example")},
    "AwardSettings": {
        "name": ("Log One", "Log Two"), "text": ("Reach one", "Reach two"), "rule": ("points", "rank"),
        "at_least": (5, 6), "board": ("solo", "other"), "season": (1, 2), "contest": ("one", "two"),
        "window": ("day", "season"), "secret": (True, False),
    },
    "NewAward": {},
    "CampaignSettings": {
        "name": ("Log One", "Log Two"), "text": ("For one", "For two"), "first_day": ("2999-01-02", "2999-01-03"),
        "last_day": ("2999-02-01", "2999-02-02"), "goal": (500, 600), "cohort": (5, 6),
        "milestones": ([{"points": 100, "name": "One"}], [{"points": 200, "name": "Two"}]),
    },
    "NewCampaign": {"charity": ("all", "red-cross"), "game": ("quiz", None), "board": ("solo", None)},
    "NewKey": {
        "token": (None, None), "kind": ("admin", "game"), "game": ("quiz", "chess"), "name": ("Log One", "Log Two"),
        "scopes": (["read", "personal"], ["read"]), "expires_at": (SOON, LATER),
    },
}
BESIDE = {("GameSettings", "remove_addresses"): {"email": False}}
# These are set by PUT alone, or have to fit each other.
FIXED = {("CharitySettings", "zone"), ("CampaignSettings", "milestones"),
         *(("AwardSettings", field) for field in ("rule", "at_least", "board", "season", "contest", "window"))}


def setUpModule():
    far_from_midnight()
    v1_case.start("adminlog")


class What(V1Case):
    def setUp(self):
        self.place = self.server.admin()
        self.root = Operator(self.place, admin.make_key(self.server))
        self.reader = Operator(self.place, admin.make_key(self.server, "read"))
        self.document = client.get(self.server, "/openapi.yaml").text

    def fields(self, schema):
        """The properties of a schema of the document, with the text about each."""
        block = re.search(rf"^    {schema}:\n(.*?)^    \w", self.document, re.M | re.S)[1]
        return dict(re.findall(r"^        (\w+): (.*)$", block.partition("      properties:\n")[2], re.M))

    def entry(self):
        return self.reader.get("log?limit=1").json()["rows"][0]

    def set(self):
        """What the newest entry says was set."""
        values = self.entry()["values"]
        if values == "-":
            return {}
        pairs = [pair.partition("=") for pair in values.split(";")]
        self.assertEqual([name for name, _, _ in pairs], sorted(name for name, _, _ in pairs), values)
        return {name: value for name, _, value in pairs}

    def trace(self, schema, field, value):
        """What the newest entry says of a field that was set to this value."""
        said = self.set()
        self.assertIn(field, said, f"{schema}: setting {field} leaves no trace")
        if field in TEXTS:
            self.assertRegex(said[field], f"^{HASH}$")
            for word in value if isinstance(value, list) else [value]:
                self.assertNotIn(str(word), self.entry()["values"])
        return said[field]

    def test_the_document_has_no_settings_but_these(self):
        """Each PUT and PATCH of the admin API that sets something, and each of its fields, is tried below."""
        paths = re.findall(r"^  (/v1/admin/\S+):\n(.*?)(?=^  \S|^\S)", self.document, re.M | re.S)
        bodies = set()
        for path, block in paths:
            for method, text in re.findall(r"^    (put|patch):\n(.*?)(?=^    \S|\Z)", block, re.M | re.S):
                body = re.search(r"requestBody:.*?content: (.*?)$", text, re.M | re.S)
                bodies.update(re.findall(r"schemas/(\w+)'", body[1]) if body else [])
        # An action is logged by its action, and moves what test_admin_moderation looks at.
        self.assertEqual(bodies - {"NewModerationAction"}, set(VALUES))
        for schema, values in VALUES.items():
            self.assertEqual(set(self.fields(schema)), set(values), f"{schema}: say two values of each field")

    def changed(self, path, schema):
        fields = self.fields(schema)
        for field, (one, other) in VALUES[schema].items():
            if (schema, field) in FIXED:
                continue
            with self.subTest(field=field):
                traces = []
                for value in (other, one, other):
                    body = {**BESIDE.get((schema, field), {}), field: value}
                    answer = self.root.change(path, body, self.root.get(path)["etag"])
                    self.assertEqual(answer.status, 200, answer)
                    if value is False and field == "remove_addresses":
                        self.assertNotIn(field, self.set())
                        traces.append(None)
                        continue
                    traces.append(self.trace(schema, field, value))
                self.assertNotEqual(traces[0], traces[1], "it differs with the value")
                self.assertEqual(traces[0], traces[2], "it shows that the value is back")
                if "'null'" in fields[field]:
                    answer = self.root.change(path, {field: None}, self.root.get(path)["etag"])
                    self.assertEqual(answer.status, 200, answer)
                    self.assertEqual(self.set(), {field: "-"})

    def test_every_change_of_a_game_is_told(self):
        self.changed("games/default", "GameSettings")

    def test_every_change_of_a_board_is_told(self):
        self.assertEqual(self.root.add("games/quiz/boards/told").status, 201)
        self.changed("games/quiz/boards/told", "BoardSettings")
        self.assertEqual((self.entry()["do"], self.entry()["on"]), ("PATCH", "board=told;game=quiz"))

    def test_every_change_of_a_charity_is_told(self):
        self.assertEqual(self.root.add("charities/told", {"name": "Told"}).status, 201)
        self.changed("charities/told", "CharitySettings")
        # Texts of a body are never read from an entry: nobody writes an entry of another meaning with one.
        self.root.change("charities/told", {"description": "x;goal=1\nv1"}, self.root.get("charities/told")["etag"])
        self.assertRegex(self.entry()["values"], f"^description={HASH}$")

    def test_every_change_of_a_provider_is_told(self):
        path = "games/quiz/providers/{}"
        beside = {"kind": "oidc", "audiences": ["game"], "issuer": "https://id.example"}
        self.assertEqual(self.root.add(path.format("told"), beside).status, 201)
        self.changed(path.format("told"), "ProviderSettings")
        self.assertEqual((self.entry()["do"], self.entry()["on"]), ("PATCH", "game=quiz;provider=told"))
        for field, values in VALUES["NewProvider"].items():
            traces = []
            for value in values:
                body = {**beside, field: value}
                if body["kind"] == "apple":
                    del body["issuer"]
                self.assertEqual(self.root.add(path.format(f"log-{len(traces)}"), body).status, 201, body)
                traces.append(self.trace("NewProvider", field, value))
                self.assertEqual(self.root.call("DELETE", path.format(f"log-{len(traces) - 1}")).status, 204)
            self.assertNotEqual(*traces)
        self.assertEqual((self.entry()["do"], self.entry()["on"]), ("DELETE", "game=quiz;provider=log-1"))

    def test_every_change_of_an_award_is_told(self):
        path = "games/quiz/awards/told"
        self.assertEqual(self.root.add("games/quiz/boards/other").status, 201)
        self.assertEqual(self.root.add(path, {"rule": "points", "board": "solo", "at_least": 5}).status, 201)
        self.changed(path, "AwardSettings")
        self.assertEqual((self.entry()["do"], self.entry()["on"]), ("PATCH", "award=told;game=quiz"))
        for field in ("rule", "at_least", "board", "season", "window"):
            traces = []
            for value in VALUES["AwardSettings"][field]:
                body = {"rule": "points", "at_least": 7, "board": "solo", "season": 3, "window": "season", field: value}
                if value == "rank":
                    del body["window"]
                self.assertEqual(self.root.change(path, body, self.root.get(path)["etag"]).status, 200, body)
                traces.append(self.trace("AwardSettings", field, value))
            self.assertNotEqual(*traces)
        traces = []
        for value in VALUES["AwardSettings"]["contest"]:
            days = {"first_day": "2999-01-01", "last_day": "2999-02-03"}
            self.assertEqual(self.root.add(f"campaigns/{value}", {"charity": "all", **days}).status, 201)
            body = {"rule": "rank", "at_least": 7, "board": None, "season": None, "contest": value}
            self.assertEqual(self.root.change(path, body, self.root.get(path)["etag"]).status, 200, body)
            traces.append(self.trace("AwardSettings", "contest", value))
        self.assertNotEqual(*traces)

    def test_every_change_of_a_campaign_is_told(self):
        path = "campaigns/{}"
        beside = {"charity": "all", "first_day": "2999-01-01", "last_day": "2999-02-03"}
        self.assertEqual(self.root.add(path.format("told"), beside).status, 201)
        self.changed(path.format("told"), "CampaignSettings")
        self.assertEqual((self.entry()["do"], self.entry()["on"]), ("PATCH", "campaign=told"))
        traces = []
        for value in VALUES["CampaignSettings"]["milestones"]:
            answer = self.root.change(
                path.format("told"), {"milestones": value}, self.root.get(path.format("told"))["etag"])
            self.assertEqual(answer.status, 200, answer)
            traces.append(self.set()["milestones"])
        self.assertNotEqual(*traces)
        for value in VALUES["NewCampaign"]["charity"]:
            self.assertEqual(self.root.add(path.format(f"log-{value}"), {**beside, "charity": value}).status, 201)
            self.assertEqual(self.set()["charity"], value)
            self.assertEqual(client.get(self.server, f"/v1/campaigns/log-{value}").json()["charity"], value)
            self.assertEqual(client.get(self.server, f"/v1/campaigns/log-{value}/top.json").json()["rows"], [])
        days = {"first_day": "2999-01-01", "last_day": "2999-02-03"}
        self.assertEqual(self.root.add(path.format("log-solo"), {**days, "game": "quiz", "board": "solo"}).status, 201)
        self.assertEqual((self.set()["game"], self.set()["board"]), ("quiz", "solo"))

    def test_what_is_made_is_told_with_all_that_it_begins_with(self):
        for schema, path in (("GameSettings", "games/log-{}"), ("BoardSettings", "games/quiz/boards/log-{}"),
                             ("CharitySettings", "charities/log-{}")):
            told = []
            for n, which in (("one", 0), ("two", 1)):
                body = {field: values[which] for field, values in VALUES[schema].items()}
                body["name"] = f"Made {n} of {schema}"
                body.update({"email": False} if "remove_addresses" in body else {})
                body.update({"order": "highest"} if "order" in body else {})
                body.update({"classic": "off"} if "classic" in body else {})
                body.update({"audience": "all"} if "audience" in body else {})
                self.assertEqual(self.root.add(path.format(n), body).status, 201, body)
                for field in body:
                    if body[field] is not False or field == "email":
                        self.trace(schema, field, body[field])
                told.append(self.set())
            same = {field for field in told[0] if told[0][field] == told[1].get(field)}
            self.assertLessEqual(same, {"email", "order", "classic", "audience"}, schema)

    def test_every_field_of_a_key_is_told(self):
        for field, (one, other) in VALUES["NewKey"].items():
            with self.subTest(field=field):
                traces = []
                for value in (one, other):
                    kind = value if field == "kind" else "game" if field == "game" else "admin"
                    body = {"token": admin.token(kind), "kind": kind, "name": "Log", "scopes": ["read"]}
                    body.update({"game": "quiz", "scopes": ["post"]} if kind == "game" else {})
                    body.update({field: value} if field != "token" else {})
                    self.assertEqual(self.root.call("PUT", f"keys/{v1.new_id()}", body).status, 201)
                    traces.append(self.trace("NewKey", field, body[field]))
                self.assertNotEqual(*traces)
        self.assertEqual(set(self.set()), {"token", "kind", "name", "scopes", "expires_at"})

    def test_the_command_line_and_the_console_tell_the_same(self):
        self.assertEqual(self.root.add("games/quiz/boards/ways", {"name": "Ways"}).status, 201)
        page = "/admin/games/quiz/boards/ways"
        session = Session(self.place, self.root.key)
        traces = []
        for trust in ("server", "open"):
            self.server.verb("board", "set", "--game", "quiz", "ways", "--trust", trust, "--name", "Ways")
            self.assertEqual(self.entry()["by"], "cli")
            traces.append(self.set())
            self.assertEqual(traces[-1]["trust"], trust)
        self.assertEqual(traces[0]["name"], traces[1]["name"])
        answer = session.post(page, {"trust": "signed", "name": "Other ways"})
        self.assertEqual(answer.status, 303, answer)
        said = self.set()
        self.assertEqual((set(said), said["trust"]), ({"name", "trust"}, "signed"))
        self.assertNotEqual(said["name"], traces[0]["name"])
        self.assertIn("trust=signed", session.get("/admin/log").text)
        answer = session.post(page, {"name": "Ways"})
        self.assertEqual((answer.status, self.set()), (303, {"name": traces[0]["name"]}))
        for verb, expected in (
            (("game", "set", "default", "--salt", "s3cret one", "--classic", "token"), {"classic", "salt"}),
            (("charity", "add", "cli-fund", "--name", "Cli Fund", "--goal", "7"), {"name", "goal", "zone"}),
            (("charity", "set", "cli-fund", "--url", "https://cli.example"), {"url"}),
            (("charity", "close", "cli-fund"), {"closes"}),
            (("key", "add", "--admin", "--scopes", "read", "--name", "Cli"), {"kind", "name", "scopes", "token"}),
        ):
            self.server.verb(*verb)
            self.assertEqual(set(self.set()), expected, verb)
        self.assertIn("scopes=read;token=#", self.server.verb("log"))
        self.server.audit()
