"""A trouble under load: what players get, what operators read and which alerts fire while it lasts, and that afterwards
all that was acknowledged is there once, with every rank what SQL makes of the ledger."""
import contextlib
import json
import os
import random
import shutil
import subprocess
import threading
import time

import books
import client
import promtool
import server as servers
from elsewhere import Elsewhere, verb
from psql import Psql
from seeds import SEED, load_pause
from server import until
from traffic import Traffic, Watcher, still_board

RECOVERY_SECONDS_MAX = 60
SCRAPE_SECONDS = 0.25
ANSWER_SECONDS_MAX = 45     # no request waits for longer, whatever happens
PATIENCE_SECONDS = 140      # of a post whose trouble lasts until the test has seen what operators are told
# A scrape counts as one a minute, so that a trouble of seconds lasts for as long as an alert waits.
STEP_SECONDS = 60
BOARDS = {"best": ("--policy", "best", "--ties", "shared"), "sum": ("--policy", "sum", "--zone", "Asia/Kathmandu")}
CHARITIES = ("trees", "seas")


def furnish(server):
    """A game with boards, charities, and a board on which nobody plays; returns the address of that one."""
    server.verb("game", "add", "quiz", "--name", "Quiz")
    for board, arguments in BOARDS.items():
        server.verb("board", "add", "--game", "quiz", board, *arguments, "--earns", "fixed:10")
    for charity in CHARITIES:
        server.verb("charity", "add", charity, "--name", charity.title())
    return still_board(server, "quiz", "still")


class Watch:
    """What operators see of a server, again and again: its figures, and the causes of /readyz."""

    def __init__(self, server):
        self.server = server
        self.admin = server.admin()
        self.connection = client.Connection(self.admin, seconds=5)
        self.scrapes, self.causes = [], set()
        self.stop, self.lock = threading.Event(), threading.Lock()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def run(self):
        while not self.stop.wait(SCRAPE_SECONDS):
            self.look()

    def look(self):
        """One scrape; returns its figures."""
        try:
            with self.lock:
                figures = promtool.figures(self.connection.get("/metrics").text)
                self.causes.update(self.connection.get("/readyz").json().get("causes", []))
        except (OSError, client.Broken):
            figures = {"up": "0"}
        self.scrapes.append({"up": "1", "#clock": repr(time.time()), **figures})
        return self.scrapes[-1]

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stop.set()
        self.thread.join(15)
        with self.lock:
            self.connection.close()

    def figure(self, series, otherwise=0.0):
        return float(self.look().get(series, otherwise))

    def has(self, series, condition, what, seconds=RECOVERY_SECONDS_MAX):
        """Waits until a figure is as it should be."""
        return until(lambda: condition(self.figure(series)), seconds, f"{what}: {series}")

    def lasts(self, minutes):
        """Waits until the trouble has lasted for so many minutes more, by the clock of the alerts."""
        wanted = len(self.scrapes) + minutes * 60 // STEP_SECONDS
        until(lambda: len(self.scrapes) >= wanted, RECOVERY_SECONDS_MAX, f"{minutes} minutes of scrapes")

    def status(self, case, seconds=RECOVERY_SECONDS_MAX, **findings):
        """Waits until `causeboard status` names these as not well, with words that match, and says what to do."""
        found = {}

        def told():
            done = self.server.run_verb("status", "--json", "--admin-listen", f"127.0.0.1:{self.admin.port}")
            found.clear()
            found.update({f["what"].replace(" ", "_"): f for f in json.loads(done.stdout)["findings"]})
            return done.returncode == 1 and all(what in found and not found[what]["well"] for what in findings)
        try:
            until(told, seconds, f"status names {', '.join(findings)}")
        except AssertionError as e:
            said = "\n".join(f"{what}: {finding['says']}" for what, finding in found.items())
            raise AssertionError(f"{e}\n{said}") from None
        for what, words in findings.items():
            case.assertRegex(found[what]["says"], words)
            case.assertTrue(found[what]["do"])

    def fires(self, case, *alerts):
        """Fails unless these alerts fired at some time."""
        if not shutil.which("promtool"):
            # The rest of the test goes on, which says at its end that it was not whole.
            case.addCleanup(case.skipTest, "there is no promtool, so nothing is known of alerts")
            return
        fired = promtool.fired(self.server.home, self.scrapes, STEP_SECONDS)
        case.assertLessEqual(set(alerts), fired)


class Trouble(Watch):
    """`with Trouble(server, still) as trouble:` posts, reads and watches; the body causes the trouble and ends it."""

    def __init__(self, server, still, name, threads=4, away=(503,), psql=None):
        super().__init__(server)
        self.dice = random.Random(f"{SEED} {name}")
        self.traffic = Traffic(server, "quiz", BOARDS, CHARITIES, threads=threads, players=2, seed=f"{SEED} {name}",
                               name=name, seconds=ANSWER_SECONDS_MAX, away=away, pause=load_pause(0.02),
                               patience=PATIENCE_SECONDS)
        self.watcher = Watcher(server, still, growing="/v1/games/quiz/boards/best/rank?points=0")
        self.logged = len(server.log())
        self.psql = psql

    def __enter__(self):
        self.watcher.__enter__()
        self.traffic.__enter__()
        super().__enter__()
        self.goes_on("before")
        return self

    def __exit__(self, *error):
        try:
            super().__exit__(*error)
        finally:
            try:
                self.traffic.__exit__(*error)
            finally:
                self.watcher.__exit__(*error)

    def start(self, **options):
        """Starts the server that has ended."""
        self.server.start(**options)
        self.admin.port = self.server.admin().port

    def goes_on(self, when="again", posts=20):
        self.traffic.flows(posts, f"posts are acknowledged {when}", RECOVERY_SECONDS_MAX)

    def refused(self, case, *types, meanwhile=lambda: None):
        """Waits until posts are refused, and says that nothing else is wrong so far. Calls `meanwhile` all the time."""
        before = len(self.traffic.unavailable)

        def are_refused():
            meanwhile()
            return len(self.traffic.unavailable) > before + 8 or self.traffic.wrong
        until(are_refused, RECOVERY_SECONDS_MAX, "posts are refused")
        case.assertEqual(self.traffic.wrong[:2], [])
        said = {answer.json()["type"] for answer in self.traffic.unavailable}
        case.assertLessEqual(said, {f"/problems/{type}" for type in types})

    def reads(self, case, count=20):
        """Waits until so many more reads were answered with the ranking."""
        wanted = self.watcher.statuses.get(200, 0) + count
        until(lambda: self.watcher.statuses.get(200, 0) >= wanted or self.watcher.wrong, RECOVERY_SECONDS_MAX,
              "rankings are answered")
        case.assertEqual(self.watcher.wrong[:2], [])

    def says(self, case, *sentences):
        """Waits until the log has these sentences."""
        for sentence in sentences:
            until(lambda: sentence in self.server.log()[self.logged:], RECOVERY_SECONDS_MAX, f"the log: {sentence}")

    def check(self, case, alerts=(), causes=(), pid=None):
        """After the trouble: nothing was lost or done twice, nobody waited without end, every ranking is right, and
        operators were told."""
        self.traffic.check(case)
        self.watcher.check(case)
        for who in (self.traffic, self.watcher):
            case.assertEqual(who.silent[:2], [], "requests without an answer")
            case.assertLess(who.seconds_max, ANSWER_SECONDS_MAX)
        until(lambda: self.figure("causeboard_standings_loaded") == 1 and self.figure("causeboard_ready") == 1,
              RECOVERY_SECONDS_MAX, "the server is well again")
        psql = self.psql or Psql(self.server.conninfo())
        try:
            books.ledger_holds(case, psql, self.traffic.scores, self.traffic.donations)
            reader = books.Reader(self.server)
            books.until_same(RECOVERY_SECONDS_MAX, "ranks are the ledgers'",
                             lambda: books.compare(reader, psql, self.dice, window_count=2, people=1))
            reader.close()
        finally:
            if self.psql is None:
                psql.close()
        self.server.audit()
        case.assertLessEqual(set(causes), self.causes)
        if alerts:
            self.fires(case, *alerts)


def small_disk(case, name, mebibytes):
    """A directory on a disk of its own, which is taken away after the test."""
    folder = servers.scratch(name)
    if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={mebibytes}m,mode=755", name, folder],
                                           capture_output=True).returncode != 0:
        case.skipTest("mounting is not permitted here")
    case.addCleanup(subprocess.run, ["umount", "--lazy", folder], check=True)
    return folder


def fill(folder):
    """Takes all that is left of a disk, while others take some of it too; returns the file that does."""
    path = os.path.join(folder, "filler")
    with contextlib.suppress(OSError), open(path, "wb", buffering=0) as filler:
        while True:
            filler.write(bytes(max(4096, os.statvfs(folder).f_bavail * 4096 // 2)))
    return path


class Away(Elsewhere):
    """A server on a database elsewhere, whose verbs use that database too."""

    def run_verb(self, *arguments, seconds=servers.VERB_SECONDS_MAX, env=None):
        return verb(*arguments, "--database-url", self.url)

    def conninfo(self):
        return self.url
