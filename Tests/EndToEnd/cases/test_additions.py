"""What an addition takes: a made-up endpoint and made-up settings, each as a list of places. They take no more places
than the table of "Where to add something" in Architecture.md says. Nightly they are built and served.
"""
import os
import re
import shutil
import subprocess
import unittest
from unittest import mock

import admin
import client
import server as servers
from repository import ROOT, article, document
from seeds import NIGHTLY
from server import Server

BUILD = os.path.join(ROOT, ".build", "test-additions")      # kept, because a build of everything takes minutes
BUILD_SECONDS_MAX = 2_400


class Place:
    """A text to insert after another one, which the file has exactly once."""

    def __init__(self, path, after, text):
        self.path, self.after, self.text = path, after, text

    def added(self, content):
        if content.count(self.after) != 1:
            raise AssertionError(f"{self.path} has this {content.count(self.after)} times, not once: {self.after}")
        return content.replace(self.after, self.after + self.text)


# By the first column of the table, which has some of them in one row.
ROWS = {"a setting of a board": "a setting of a board, charity or game",
        "a setting of a game": "a setting of a board, charity or game"}
ADDITIONS = {
    "an endpoint": [
        Place("Sources/HTTP/Routing/Routes+Clients.swift",
              'let boards = Self.group("/v1/games/{game}/boards", get: RankingHandlers.boards)\n',
              '    let motto = Self.group("/v1/games/{game}/motto", get: RankingHandlers.motto)\n'),
        Place("Sources/HTTP/Rankings/RankingHandlers+Games.swift", "extension RankingHandlers {\n", """\
    /// `GET /v1/games/{game}/motto`
    func motto(_ request: Request, of slug: Slug) async throws -> Response {
        replies.cacheable(request, .object([.init("motto", .text("Play \\(try await listing(of: slug).name)."))]))
    }

"""),
        Place("Sources/HTTP/Contract/openapi.yaml", "\npaths:\n", """\
  /v1/games/{game}/motto:
    x-parameters: [game]
    get:
      operationId: motto
      tags: [games]
      summary: 'The motto of a game'
      x-parameters: [ifNoneMatch]
      responses:
        '200':
          description: 'The motto'
          x-public: {type: object, required: [motto], properties: {motto: {type: string}}}
        '304': $responses/NotModified
        x-problems: [NotFound]
"""),
        Place("Sources/causeboard/Causeboard.docc/API.md", "| `GET /v1/games`, `/v1/games/{game}`, `…/boards`, "
              "`…/boards/{board}` | - | games, with their `friends`, `teams`, `flags` and `plans` settings; boards, "
              "and each board's settings and newest 50 seasons |\n",
              "| `GET /v1/games/{game}/motto` | - | the `motto` of a game |\n"),
    ],
    "a setting of a board": [
        Place("SQL/schema/1_reference.sql", "-- whether rankings show the detail that came with a score\n",
              "  motto           text,\n"),
        Place("Sources/Storage/Admin/BoardSettings.swift",
              "    package static let table = SettingTable(BoardSettings())\n", """
    package let motto = OptionalSetting(
        "motto", .free(.text), label: "Motto", help: "What players read first, or none.")
"""),
        Place("Sources/HTTP/Contract/openapi.yaml", "    AdminBoard:\n      type: object\n      required: [game, slug, "
              "season, name, policy, order, points_min, points_max, zone, ties, earns, display]\n      properties:\n",
              "        motto: {type: string}\n"),
        Place("Sources/HTTP/Contract/openapi.yaml", "    BoardSettings:\n      description: 'order, policy and zone "
              "are fixed from the first post of a season until it ends'\n      type: object\n      properties:\n",
              "        motto: {type: [string, 'null']}\n"),
        Place("Sources/causeboard/Causeboard.docc/Settings.md", "not `public` where `--policy` is `sum` | `private` | "
              "yes |\n", "| `--motto` | what players read first | none | yes |\n"),
    ],
    "a setting of a game": [
        Place("SQL/schema/1_reference.sql", "  takes_email       boolean     not null default true,\n",
              "  is_loud           boolean     not null default false,\n"),
        Place("Sources/Storage/Admin/GameSettings.swift",
              "    package static let table = SettingTable(GameSettings())\n", """
    package let isLoud = Setting(
        "loud", .boolean(column: "is_loud"), label: "Is loud", help: "Whether it is loud: on or off.")
"""),
        Place("Sources/HTTP/Contract/openapi.yaml",
              "        refused_words: {type: array, maxItems: 1000, items: {type: string}}\n",
              "        loud: {type: boolean}\n"),
        Place("Sources/HTTP/Contract/openapi.yaml",
              "        salt: {description: null takes it away, type: [string, 'null'], maxLength: 1024}\n",
              "        loud: $Switch\n"),
        Place("Sources/causeboard/Causeboard.docc/Settings.md",
              "| `--email` | whether players' e-mail addresses are stored: `on` or `off` | `on` | yes |\n",
              "| `--loud` | whether it is loud | off | yes |\n"),
    ],
    "a setting of the server": [
        Place("Sources/causeboard/Settings/SettingList.swift",
              '"play",\n        """\n        Serve the game at /play, which posts to the board high-scores of the game '
              'default; databases that `causeboard \\\n        demo` made have it anyway.\n        """)\n',
              '    let motto = Setting<String?>("motto", value: "text", "What the server says of itself.")\n'),
        Place("Sources/causeboard/Commands/Serve.swift", '        logger.info("stopped")\n',
              '        if let motto = serving.motto { logger.info("\\(motto)") }\n'),
        Place("Sources/causeboard/Causeboard.docc/Settings.md",
              "serve the example game at `/play`, which posts to the board `high-scores` of the game `default` |\n",
              "| `--motto` | `CAUSEBOARD_MOTTO` | none | what the server says of itself |\n"),
    ],
}


def places_in_table(what):
    """The number in the second column of the table's row."""
    return int(re.search(rf"^\| {what} \| (\d+) \|", article("Architecture.md"), re.M)[1])


class Additions(unittest.TestCase):
    def test_they_take_no_more_places_than_the_table_says(self):
        for what, places in ADDITIONS.items():
            with self.subTest(what):
                self.assertLessEqual(len(places), places_in_table(ROWS.get(what, what)))
                self.assertTrue(places)
                for place in places:
                    place.added(document(place.path))

    if NIGHTLY:
        def test_they_are_built_and_served(self):
            tree = os.path.join(BUILD, "tree")
            shutil.rmtree(tree, ignore_errors=True)
            listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                                    capture_output=True, text=True, check=True).stdout
            for path in filter(None, listed.split("\0")):
                target = os.path.join(tree, path)
                os.makedirs(os.path.dirname(target), exist_ok=True)
                shutil.copy2(os.path.join(ROOT, path), target, follow_symlinks=False)
            for place in (place for places in ADDITIONS.values() for place in places):
                path = os.path.join(tree, place.path)
                with open(path, encoding="utf-8") as f:
                    content = place.added(f.read())
                with open(path, "w", encoding="utf-8") as f:
                    f.write(content)
            scratch = os.path.join(BUILD, "scratch")
            done = subprocess.run(["swift", "build", "--package-path", tree, "--scratch-path", scratch, "--product",
                                   "causeboard", "-Xswiftc", "-gnone"], capture_output=True, text=True,
                                  stdin=subprocess.DEVNULL, timeout=BUILD_SECONDS_MAX)
            self.assertEqual(done.returncode, 0, done.stdout[-4000:])
            with mock.patch.object(servers, "_binary", os.path.join(scratch, "debug", "causeboard")):
                server = Server("additions")
                self.addCleanup(server.stop)
                self.check(server)

    def check(self, server):
        """The endpoint answers. The settings go through the command line into the next season and the admin API."""
        server.verb("game", "add", "maze", "--name", "Maze", "--loud", "on")
        server.verb("board", "add", "--game", "maze", "lap", "--motto", "Run!")
        self.assertEqual(client.get(server, "/v1/games/maze/motto").json(), {"motto": "Play Maze."})
        server.verb("board", "reset", "--game", "maze", "lap")
        operator = admin.Operator(server.admin(), admin.make_key(server))
        self.assertEqual(operator.get("games/maze/boards/lap").json()["motto"], "Run!")
        self.assertIs(operator.get("games/maze").json()["loud"], True)
