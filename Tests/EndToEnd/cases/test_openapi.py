"""/openapi.yaml: it is OpenAPI, its numbers are those of Limits.swift, and the server answers as it says whatever is
sent (schemathesis, which tries valid and broken requests to every operation). Its tools come from PyPI into
.build/test-tools, once.
"""
import json
import os
import re
import subprocess
import sys
import unittest
import uuid

import admin
import client
import packages
from repository import ROOT
from seeds import NIGHTLY, nightly, rounds
from server import Server, clean_environment

PACKAGES = ("schemathesis==4.32.5", "openapi-spec-validator==0.9.0", "PyYAML==6.0.3")
CHECKS = ("not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
          "response_schema_conformance")
PASS_SECONDS_MAX = 380      # before the test's own end
KEYED = ["postScore", "score", "donate", "donation"]        # what a player and a game may both call
# Whose answers are not for clients, or have no end.
ENDLESS = ("metrics", "boardLive", "charitiesLive", "charityLive", "contributorsLive", "myLive")

server = None
tools = None        # the folder of their programs
contract = None     # as served
document = None     # as read
player = key = None


def setUpModule():
    global server, tools
    tools = packages.installed("test-tools", *PACKAGES)
    server = Server("openapi")
    try:
        fill()
    except BaseException:       # without this tearDownModule would not run
        server.stop()
        raise


def tearDownModule():
    server.stop()


def tool(name):
    return os.path.join(tools, name)


def fill():
    """Something of everything, so that operations find what they speak of."""
    global contract, document, player, key
    contract = client.get(server, "/openapi.yaml")
    assert (contract.status, contract.media) == (200, "application/yaml"), contract
    with open(os.path.join(server.home, "openapi.yaml"), "wb") as f:
        f.write(contract.content)
    read = subprocess.run(
        [tool("python3"), "-c",
         "import json, sys, yaml; json.dump(yaml.load(sys.stdin, yaml.CSafeLoader), sys.stdout)"],
        input=contract.content,
        capture_output=True,
        timeout=60)
    assert read.returncode == 0, read.stderr.decode()[-2000:]
    document = json.loads(read.stdout)
    server.verb("game", "set", "default", "--salt", client.SALT)
    server.verb("game", "add", "quiz", "--name", "Quiz")
    server.verb("board", "add", "--game", "quiz", "solo", "--details", "public")
    server.verb("board", "add", "--game", "quiz", "lap", "--order", "lowest", "--ties", "shared", "--points-min", "1",
                "--zone", "Europe/Berlin")
    server.verb("charity", "add", "red-cross", "--name", "Red Cross", "--goal", "1000")
    key = server.verb("key", "add", "--game", "quiz").split()[-1]
    registered = put("/v1/games/quiz/devices/device", {"name": "Ada"})
    player = {
        **registered["player"], "token": registered["token"], "id of score": str(uuid.uuid4()),
        "id of donation": str(uuid.uuid4())
    }
    other = put("/v1/games/quiz/players/u-7", {"name": "Bob", "image": client.base64_text(client.png())}, key)["player"]
    player["picture"] = other["avatar"].split("/")[-1].removesuffix(".png")
    put(f"/v1/games/quiz/boards/solo/scores/{player['id of score']}", {"points": 1500, "detail": {"level": 3}},
        player["token"])
    put(f"/v1/games/quiz/boards/solo/scores/{player['id of score']}", {"points": 90, "player": other["id"]}, key)
    put(f"/v1/charities/red-cross/donations/{player['id of donation']}", {"points": 5, "external": "u-7"}, key)
    put(f"/v1/charities/red-cross/donations/{player['id of donation']}", {"points": 5}, player["token"])
    put(f"/v1/charities/red-cross/donations/{uuid.uuid4()}", {"points": 5, "anonymous": True}, player["token"])
    phone = client.Phone(server)
    player["customer"] = phone.register("yarri").number("id")
    assert phone.post(15).status == 201
    assert phone.donate("red-cross", 5).status == 201
    phone.close()


def put(path, body, bearer=None):
    headers = [("Content-Type", "application/json")] + ([("Authorization", f"Bearer {bearer}")] if bearer else [])
    answer = client.request(server, "PUT", path, headers, json.dumps(body).encode())
    assert answer.status == 201, answer
    return answer.json()


def source(path):
    with open(os.path.join(ROOT, "Sources", path), encoding="utf-8") as f:
        return f.read()


def limits():
    """{name: number} of the modules' Limits.swift."""
    found = {}
    modules = ("Domain", "HTTP", "HTTPServer", "Leaderboard", "Storage")
    text_of_all = "\n".join(source(f"{module}/Limits.swift") for module in modules)
    for name, text in re.findall(r"static let (\w+)(?:: \w+)? = ([\d_ *]+)$", text_of_all, re.M):
        number = 1
        for factor in text.split("*"):
            number *= int(factor.strip().replace("_", ""))
        found[name] = number
    return found


def at(place):
    """What stands at `schemas/Slug/maxLength`."""
    value = document["components"]
    for step in place.split("/"):
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value


NUMBERS = {
    "nameCodePointsMax": ["schemas/PlayerName/maxLength"],
    "displayNameBytesMax": ["schemas/ClassicDonationForm/properties/charity/maxLength"],
    "emailBytesMax": ["schemas/Email/maxLength"],
    "deviceCharactersMax": ["schemas/Label/maxLength"], "playerIDMax": ["schemas/PlayerID/maximum"],
    "walletPointsMax": ["schemas/Balance/maximum", "schemas/DonationPoints/anyOf/0/maximum"], "feedRowsMax": [
        "parameters/limit/schema/maximum", "parameters/limitAll/schema/maximum", "parameters/limitAll/schema/default",
        "parameters/limitAround/schema/maximum", "schemas/Standings/properties/rows/maxItems",
        "schemas/Charities/properties/rows/maxItems"
    ], "feedRowsStandard": ["parameters/limit/schema/default"],
    "aroundRowsStandard": ["parameters/limitAround/schema/default"], "topScoresRowsMax": [
        "parameters/limitTopScores/schema/maximum", "parameters/limitTopScores/schema/default",
        "schemas/TopScores/properties/rows/maxItems"
    ],
    "saveBytesMax": ["schemas/SaveVersion/properties/bytes/maximum"],
    "highScoresRowsMax": ["schemas/HighScores/properties/rows/maxItems"],
    "retryAfterSeconds": ["headers/RetryAfter/schema/enum/0"],
    "fullRetryAfterSeconds": ["headers/RetryAfter/schema/enum/1"],
}
# What no keyword of JSON Schema says stands in a sentence.
SENTENCES = {
    "nameCharactersMax": ("schemas/PlayerName", "1 to {} characters as a person counts them"),
    "nameBytesMax": ("schemas/PlayerName", "{} bytes"),
    "nameMarksInARowMax": ("schemas/PlayerName", "at most {} combining marks in a row"),
    "avatarBytesMax": ("schemas/Picture", "at most {} bytes"),
    "avatarPixelsMax": ("schemas/Picture", "{0}x{0}"),
    "detailBytesMax": ("schemas/ScorePost/properties/detail", "at most {} bytes"),
    "detailsOfPageBytesMax": ("schemas/Standings/properties/rows/items/properties/detail", "at most {} bytes"),
    "windowDaysMax": ("schemas/Window", "at most {} days"),
    "playersInQueryMax": ("parameters/players", "1 to {} players"),
    "signatureSkewSecondsMax": ("parameters/signature", "at most {} off the server's"),
    "bodySecondsMax": ("responses/TooSlow", "longer than {} s"),
}


class Contract(unittest.TestCase):
    def test_it_is_openapi(self):
        done = subprocess.run(
            [tool("openapi-spec-validator"), os.path.join(server.home, "openapi.yaml")],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=100)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_it_is_the_file_without_short_forms(self):
        text = contract.content.decode()
        short = re.compile(r"(?:^|[ {])x-[\w-]+: |[ \[]\$[\w/]+(?![\w:])")
        self.assertEqual([line for line in text.splitlines() if short.search(line)], [])
        lines = source("HTTP/Contract/openapi.yaml").partition("\nopenapi: ")[2].splitlines()
        # Beside short forms, also the end of a list that goes on in a second line.
        plain = [line.strip() for line in lines if not short.search(line) and line.count("[") == line.count("]")]
        self.assertGreater(len(plain), 1000)
        self.assertEqual([line for line in plain if line not in text], [])

    def test_a_path_with_a_suffix_is_the_path_in_a_format(self):
        paths = document["paths"]
        names = {path: path.rpartition(".{")[0] for path in paths if path.endswith("}") and ".{" in path}
        twins = {path: name for path, name in names.items() if name in paths and name != "/books"}
        self.assertGreater(len(twins), 20)

        def parameters(path, method):
            listed = paths[path].get("parameters", []) + paths[path][method].get("parameters", [])
            return sorted(json.dumps(one) for one in listed if not one.get("$ref", "").endswith("/accept"))

        for twin, path in twins.items():
            suffix = twin.rpartition("{")[2].rstrip("}")
            for method in [key for key in paths[path] if key in ("get", "put", "post")]:
                with self.subTest(twin, method=method):
                    one, other = paths[path][method], paths[twin][method]
                    self.assertEqual(other["operationId"], one["operationId"] + "As")
                    for key in ("tags", "security", "requestBody"):
                        self.assertEqual(other.get(key), one.get(key), key)
                    self.assertEqual(set(other["responses"]), {*one["responses"], "404"} - {"406"})
                    added = [text for text in parameters(twin, method) if text not in parameters(path, method)]
                    self.assertEqual(len(added), 1, added)
                    self.assertEqual(len(parameters(twin, method)), len(parameters(path, method)) + 1)
                    name = json.loads(added[0])["$ref"].rpartition("/")[2]
                    self.assertEqual(at(f"parameters/{name}/name"), suffix)

    def test_its_numbers_are_the_limits(self):
        known = limits()
        for name, places in NUMBERS.items():
            for place in places:
                with self.subTest(limit=name, place=place):
                    self.assertEqual(at(place), known[name])
        for name, (place, sentence) in SENTENCES.items():
            with self.subTest(limit=name, place=place):
                self.assertIn(sentence.format(known[name]), " ".join(at(place)["description"].split()))
        self.assertIn(f"{known['bodyBytesMax'] // 1024} KiB", at("responses/TooLarge/description"))
        self.assertIn(f"{{0,{known['playersInQueryMax'] - 1}}}", at("parameters/players/schema/pattern"))

    def test_it_knows_every_problem(self):
        cases = re.search(
            r"enum ProblemName: String.*?\n(.*?)\n\s*private static let", source("Contract/Problems.swift"), re.S)[1]
        names = [raw or name for name, raw in re.findall(r'^\s*case (\w+)(?: = "([^"]+)")?$', cases, re.M)]
        self.assertGreater(len(names), 20)
        self.assertEqual(at("schemas/Problem/properties/type/enum"), [f"/problems/{name}" for name in names])

    def test_it_knows_the_methods_of_its_paths(self):
        """None is a path that the server has not, and each has all that may be done there."""
        found = {
            "game": "quiz", "board": "solo", "charity": "red-cross", "player": player["id"], "id": uuid.uuid4(),
            "item": uuid.uuid4(), "slot": "journey", "provider": "apple", "team": 7,
            "award": "first", "campaign": "winter",
            "device": "d", "yours": "y", "format": "json", "suffix": "json", "sha256": player["picture"]
        }
        for path, operations in document["paths"].items():
            with self.subTest(path):
                values = {**found, "id": player["customer"]} if path.startswith("/customers") else found
                listener = server.admin() if "servers" in operations else server
                answer = client.request(listener, "OPTIONS", path.format(**values))
                self.assertEqual(answer.status, 204, answer)
                told = {m for m in answer["allow"].lower().split(", ") if m not in ("head", "options")}
                self.assertEqual({m for m in operations if m in ("get", "put", "post", "patch", "delete")}, told)

    def test_the_server_answers_a_player_as_it_says(self):
        own = ["me", "changeMe", "myScores", "myDonations", "myPlace", "aroundMe", "aroundMeAs", "mySaves", "mySave",
               "save", "deleteSave", "mySaveVersions"]
        self.conforms("player", rounds(1, nightly=3), {player["token"]: own + KEYED, key: ["registerPlayer"]})

    @nightly
    def test_the_server_answers_a_game_as_it_says(self):
        self.conforms("game", rounds(10), {key: KEYED}, only=KEYED)

    @nightly
    def test_the_server_answers_an_operator_as_it_says(self):
        everything = admin.make_key(server, admin.ALL)
        operations = [operation["operationId"] for path, operations in document["paths"].items()
                      if path.startswith("/v1/admin/") for method, operation in operations.items()
                      if method in ("get", "put", "post", "patch", "delete")]
        self.conforms("operator", rounds(3), {everything: operations}, operations, server.admin())

    def conforms(self, name, examples, bearers, only=(), listener=None):
        """Whatever is sent, the answer is one that the document tells of. A server error never is."""
        settings = [
            'warnings = false', '[dictionaries]', 'games = {values = ["quiz", "default"]}',
            'boards = {values = ["solo", "lap", "high-scores"]}', 'charities = {values = ["red-cross"]}',
            f'players = {{values = [{player["id"]}, {player["customer"]}]}}',
            f'customers = {{values = [{player["customer"]}]}}', f'pictures = {{values = ["{player["picture"]}"]}}',
            f'ids = {{values = ["{player["id of score"]}", "{player["id of donation"]}"]}}', '[parameters]',
            *(f'"path.{parameter}" = {{dictionary = "{dictionary}", probability = 0.8}}'
              for parameter, dictionary in (("game", "games"), ("board", "boards"), ("charity", "charities"),
                                            ("player", "players"), ("sha256", "pictures"))), '[[operations]]',
            'include-operation-id = ["postScore", "score", "donate", "donation"]',
            'parameters = {"path.id" = {dictionary = "ids", probability = 0.5}}', '[[operations]]',
            'include-path-regex = "^/customers/"',
            'parameters = {"path.id" = {dictionary = "customers", probability = 0.8}}',
            # Coverage tries what the schema excludes, such as `live`, which is another address.
            '[[operations]]', 'include-operation-id = "charity"', 'phases.coverage.enabled = false',
        ]
        for bearer, operations in bearers.items():
            settings += [
                "[[operations]]", f"include-operation-id = {json.dumps(operations)}",
                f'headers = {{Authorization = "Bearer {bearer}"}}'
            ]
        config = os.path.join(server.home, f"{name}.toml")
        with open(config, "w") as f:
            f.write("\n".join(settings) + "\n")
        phases = "examples,coverage" + (",fuzzing" if NIGHTLY else "")
        command = [
            tool("schemathesis"), "--config-file", config, "run", "openapi.yaml", "--url",
            f"http://127.0.0.1:{(listener or server).port}", "--seed", "20090912", "--max-examples",
            str(examples), "--phases", phases, "--checks", ",".join(CHECKS), "--workers", "1",
            *(word for operation in ENDLESS for word in ("--exclude-operation-id", operation)),
            *(() if listener else ("--exclude-path-regex", "^/v1/admin/")),
            "--no-shrink", "--continue-on-failure", "--suppress-health-check", "all", "--request-timeout", "20"
        ]
        for operation in only:
            command += ["--include-operation-id", operation]
        log = os.path.join(server.home, f"{name}.log")
        with open(log, "w") as f:
            done = subprocess.run(command,
                                  stdin=subprocess.DEVNULL,
                                  stdout=f,
                                  stderr=subprocess.STDOUT,
                                  cwd=server.home,
                                  timeout=PASS_SECONDS_MAX,
                                  env=clean_environment(NO_COLOR="1"))
        with open(log, errors="replace") as f:
            told = f.read()
        self.assertRegex(told, r"\d+ generated", "nothing was tried")
        failures = told[max(0, told.find(" FAILURES ")):]
        self.assertEqual(done.returncode, 0, f"schemathesis as the {name}: {log}\n{failures[:6000]}")

    def test_zz_the_server_lives_and_its_books_balance(self):
        self.assertEqual(client.get(server, "/readyz").status, 200)
        server.audit()
