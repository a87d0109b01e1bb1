"""What operators see: the dashboard and the alerts against a real server's figures, `causeboard status`, the log."""
import ast
import contextlib
import json
import os
import shutil
import subprocess
import textwrap
import threading
import unittest

import certificates
import client
import live
import promtool
import psql
import server as servers
import troubles
import v1
from certificates import TLSServer
from server import Server, until

VITALS_SECONDS_MAX = 90     # the server looks at PostgreSQL's statistics every 15 s
server = None


def setUpModule():
    global server
    server = Server("observing", start=False)
    unittest.addModuleCleanup(server.stop)
    server.start("--connections", "2", "--log-format", "json", "--access-log", os.path.join(server.home, "access.log"),
                 "--trace-lines", os.path.join(server.home, "spans"), "--trace-sample", "0",
                 "--trace-otlp", f"http://127.0.0.1:{servers.free_port()}")
    server.verb("game", "add", "quiz", "--name", "Quiz")
    server.verb("board", "add", "--game", "quiz", "solo", "--earns", "fixed:10")
    server.verb("charity", "add", "red-cross", "--name", "Red Cross")


def play(players):
    """A short run of posts and reads."""
    for points, player in enumerate(players):
        assert player.post("solo", points).status == 201
        assert player.donate("red-cross", 1).status == 201
        assert player.get("/v1/players/me").status == 200
        for path in ("/v1/games/quiz/boards/solo/top.json", "/v1/charities/red-cross/top.html", "/v1/nowhere"):
            client.get(server, path)


def need_room(case):
    """Skips a test of a server that is well where the disk of this machine is nearly full, which is no good day."""
    disk = os.statvfs(server.home)
    if disk.f_bavail < 0.12 * disk.f_blocks:
        case.skipTest("the disk is nearly full")


def status(server, *arguments):
    """What `causeboard status` says and its exit status."""
    done = server.run_verb("status", "--admin-listen", f"127.0.0.1:{server.admin().port}", *arguments)
    return done.returncode, done.stdout + done.stderr


def asserted_to_fire(text):
    """The alerts of which a module of tests says that they fire: in `fires`, in the alerts of `check`, and where a name
    is asserted to be among those of `promtool.firing`."""
    def is_call(node):
        return isinstance(node, ast.Call) and ast.unparse(node.func) == "promtool.firing"

    tree = ast.parse(text)
    names = {target.id for node in ast.walk(tree) if isinstance(node, ast.Assign) and is_call(node.value)
             for target in node.targets if isinstance(target, ast.Name)}

    found = set()
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        among = node.args[1] if len(node.args) > 1 else None
        if node.func.attr == "fires":
            said = node.args[1:]
        elif node.func.attr == "check":
            said = node.args[1:2]
        elif node.func.attr in ("assertIn", "assertLessEqual") and (
                is_call(among) or isinstance(among, ast.Name) and among.id in names):
            said = node.args[:1]
        else:
            continue
        found |= {part.value for each in said for part in ast.walk(each)
                  if isinstance(part, ast.Constant) and str(part.value).startswith("Causeboard")}
    return found


@unittest.skipUnless(shutil.which("promtool"), "there is no promtool")
class Files(unittest.TestCase):
    def test_promtool_takes_the_alerts_and_each_fires_in_its_own_test(self):
        done = promtool.run("check", "rules", promtool.ALERTS)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        tests = os.path.join(promtool.OBSERVE, "alerts.test.yaml")
        done = promtool.run("test", "rules", tests)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        with open(promtool.ALERTS) as alerts, open(tests) as tried:
            tried = tried.read()
            for alert in promtool.expressions(alerts.read()):
                self.assertIn(f'alertname="{alert}",alertstate="firing"', tried)

    def test_each_alert_fires_in_a_test_that_causes_its_trouble(self):
        cases = os.path.dirname(__file__)
        fired = set()
        for name in sorted(os.listdir(cases)):
            if name.endswith(".py"):
                with open(os.path.join(cases, name)) as file:
                    fired |= asserted_to_fire(file.read())
        with open(promtool.ALERTS) as alerts:
            self.assertEqual(fired, set(promtool.expressions(alerts.read())))

    def test_what_does_not_fire_counts_for_no_alert(self):
        self.assertEqual(asserted_to_fire(textwrap.dedent('''
            NAMES = ["CauseboardNamed"]
            case.assertNotIn("CauseboardQuiet", promtool.firing(home, scrapes))
            case.assertIn("CauseboardWritten", text)
            # watch.fires(case, "CauseboardCommented")
            trouble.check(case, {"CauseboardOne"}, {"a-cause"})
            watch.fires(case, "CauseboardTwo")
            case.assertIn("CauseboardThree", promtool.firing(home, scrapes))
            fires = promtool.firing(home, scrapes)
            case.assertLessEqual({"CauseboardFour"}, fires)
            ''')), {"CauseboardOne", "CauseboardTwo", "CauseboardThree", "CauseboardFour"})

    def test_a_scrape_is_in_the_format(self):
        text = client.get(server.admin(), "/metrics").text
        done = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True,
                              timeout=promtool.SECONDS_MAX)
        # The lint may wish for other units of names that stay as they are; what it cannot read is an error.
        self.assertNotIn("error", done.stderr.replace("non-fatal", ""), done.stderr)


@unittest.skipUnless(shutil.which("promtool"), "there is no promtool")
class Dashboard(unittest.TestCase):
    def test_every_panel_has_data_after_a_short_run_and_every_metric_exists(self):
        players = [v1.Player(server, "quiz", f"Player {number}") for number in range(3)]
        with contextlib.closing(live.Stream(server, "/v1/games/quiz/boards/solo/live")):
            play(players)
            before = promtool.scrape(server)
            play(players)
            until(lambda: "causeboard_postgres_connections" in promtool.scrape(server), VITALS_SECONDS_MAX, "vitals")
            after = promtool.scrape(server)
        asked = {expression: title for title, expressions in promtool.panels() for expression in expressions}
        self.assertGreater(len(asked), 30)
        nothing = "rate(causeboard_nothing_total[2m])"      # the tool tells what has no data
        empty = promtool.evaluate(server.home, [before, before, after], [*asked, nothing])
        self.assertEqual([nothing], [f"{asked[e]}: {e}" if e in asked else e for e in empty])
        with open(promtool.ALERTS) as alerts, open(promtool.DASHBOARD) as dashboard:
            named = promtool.names_in(alerts.read()) | promtool.names_in(dashboard.read())
        there = {promtool.name(series) for series in after} | {"causeboard_certificate_valid_until_seconds",
                                                             "causeboard_archive_trouble",
                                                             "causeboard_identity_keys_failing"}
        self.assertEqual(named - there - {"causeboard_trace_spans_total"}, set())
        self.assertTrue(any(series.startswith("causeboard_trace_spans_total") for series in after))
        need_room(self)

        def is_good():
            # A pause of the whole machine makes memory stale for a moment.
            return promtool.firing(server.home, [before, before, promtool.scrape(server)]) == set()
        until(is_good, VITALS_SECONDS_MAX, "no alert fires on a good day")

    def test_every_panel_has_data_of_a_benchmark(self):
        """BENCH_SCRAPES is a directory that `deploy/bench --scrapes` has filled. Each panel has to have data of one of
        its servers; new series count from zero, as they did."""
        if "BENCH_SCRAPES" not in os.environ:
            self.skipTest("BENCH_SCRAPES names no directory")
        asked = [expression for _, expressions in promtool.panels() for expression in expressions]
        for _, (begin, end) in promtool.kept_scrapes(os.environ["BENCH_SCRAPES"]):
            begin = {**{series: "0" for series in end}, **begin}
            asked = promtool.evaluate(server.home, [begin, begin, end], asked) if asked else []
        self.assertEqual([], asked)

    def test_the_certificate_has_its_figure(self):
        if not certificates.have_openssl():
            self.skipTest("there is no openssl")
        encrypted = TLSServer("observing-tls")
        self.addCleanup(encrypted.stop)
        encrypted.install(certificates.make(encrypted.home, "short", days=3))
        encrypted.start()
        watch = troubles.Watch(encrypted)
        watch.look()
        watch.scrapes *= 70
        watch.fires(self, "CauseboardCertificateEnds")
        code, said = status(encrypted)
        self.assertEqual(code, 1, said)
        self.assertRegex(said, r"(?m)^BAD +certificate +good for [12] days$")


@unittest.skipUnless(shutil.which("promtool"), "there is no promtool")
class Troubles(unittest.TestCase):
    def test_a_lock_makes_commits_slow_and_exhausts_the_pool(self):
        player = v1.Player(server, "quiz", "Slow")
        hand = psql.Psql(server.conninfo())
        waiting = []
        try:
            hand.run("begin")
            hand.run("lock table score, game in access exclusive mode")
            post = threading.Thread(target=player.post, args=("solo", 1))
            post.start()
            for _ in range(3):
                connection = client.Connection(server)
                connection.send(b"GET /v1/games HTTP/1.1\r\nHost: x\r\n\r\n")
                waiting.append(connection)

            def stuck():
                figures = promtool.scrape(server)
                return figures if (float(figures["causeboard_commit_under_way_seconds"]) > 1
                                   and figures['causeboard_database_waiting{pool="general"}'] != "0") else None
            figures = until(stuck, 60, "a commit hangs and readers wait")
            code, said = status(server, "--json")
            findings = {finding["what"]: finding for finding in json.loads(said)["findings"]}
            self.assertEqual((code, findings["commits"]["well"]), (1, False), said)
            self.assertTrue(findings["commits"]["do"])
        finally:
            hand.run("rollback")
            hand.close()
            for connection in waiting:
                connection.receive("GET")
                connection.close()
            post.join()
        fires = promtool.firing(server.home, [figures, figures])
        self.assertLessEqual({"CauseboardCommitsSlow", "CauseboardPoolExhausted"}, fires)
        until(lambda: promtool.scrape(server)["causeboard_commit_under_way_seconds"] == "0.0", 30, "commits go on")

    def test_a_slot_that_nobody_reads_is_told(self):
        hand = psql.Psql(server.conninfo())
        self.addCleanup(hand.close)
        bound = hand.run("show max_slot_wal_keep_size")
        self.assertTrue(bound)
        hand.run("alter system set max_slot_wal_keep_size = '64MB'")
        hand.run("select pg_reload_conf()")
        try:
            hand.run("select pg_create_physical_replication_slot('idle', true)")
            for _ in range(3):
                hand.run("select pg_logical_emit_message(true, 'test', 'a line of log')")
                hand.run("select pg_switch_wal()")

            def kept():
                figures = promtool.scrape(server)
                kept = float(figures.get("causeboard_postgres_slot_wal_bytes", "0"))
                return figures if kept > float(figures["causeboard_postgres_slot_wal_bytes_max"]) / 2 else None
            figures = until(kept, VITALS_SECONDS_MAX, "the slot keeps half of what it may")
            code, said = status(server)
            self.assertEqual(code, 1, said)
            self.assertRegex(said, r"(?m)^BAD +replication slots +[34]\d MiB of log kept for them of at most 64 MiB")
        finally:
            hand.run("select pg_drop_replication_slot('idle')")
            hand.run("alter system reset max_slot_wal_keep_size")
            hand.run("select pg_reload_conf()")
        self.assertIn("CauseboardSlotBehind", promtool.firing(server.home, [figures, figures]))

    def test_a_disk_that_fills_up_is_told(self):
        folder = servers.scratch("small-disk")
        if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400m,mode=755", "small", folder],
                                               capture_output=True).returncode != 0:
            self.skipTest("mounting is not permitted here")
        self.addCleanup(subprocess.run, ["umount", "--lazy", folder], check=True)
        small = Server("small-disk", start=False, environment={"LD_PRELOAD": ""})
        self.addCleanup(small.stop)
        small.data = os.path.join(folder, "data")
        small.start()
        self.assertNotIn("CauseboardDiskNearlyFull", promtool.firing(small.home, [promtool.scrape(small)] * 2))
        disk = os.statvfs(folder)
        with open(os.path.join(folder, "filler"), "wb") as filler:
            left = disk.f_bavail - disk.f_blocks // 20
            os.posix_fallocate(filler.fileno(), 0, left * disk.f_frsize)
        figures = until(lambda: (found := promtool.scrape(small))["causeboard_disk_reserve_reached"] == "1" and found,
                        60, "the server has looked at its disk")
        self.assertIn("CauseboardDiskNearlyFull", promtool.firing(small.home, [figures, figures]))
        self.assertIn("CauseboardDiskReserve", promtool.firing(small.home, [figures, figures]))
        code, said = status(small)
        self.assertEqual(code, 1, said)
        self.assertRegex(said, r"(?m)^BAD +disk +.* of 400 MiB left$")


class Status(unittest.TestCase):
    def test_a_server_that_is_well_and_one_that_is_not_there(self):
        need_room(self)
        said = until(lambda: (told := status(server))[0] == 0 and told[1], VITALS_SECONDS_MAX, "the server is well")
        self.assertEqual(said.splitlines()[-1], "All is well.", said)
        for what in ("ready", "disk", "commits", "standings", "stream", "replication slots", "database"):
            self.assertRegex(said, rf"(?m)^ok +{what} ")
        done = server.run_verb("status", "--admin-listen", f"127.0.0.1:{servers.free_port()}")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"(?m)^BAD +server +no answer at http://127\.0\.0\.1:\d+$")
        self.assertIn("- server: Start it", done.stdout)

    def test_it_says_that_the_classic_protocol_is_open_until_it_is_closed(self):
        said = "the game default takes posts of the classic protocol without authentication"
        closing = "causeboard game set default --classic off"
        self.assertRegex(status(server)[1], rf"(?m)^ok +classic protocol +{said}; .*{closing}")
        self.assertIn(said, server.verb("check"))
        self.assertEqual(server.log().count(said), 1, "so does the start")
        line = next(line for line in server.log().splitlines() if said in line)
        self.assertIn("notice", line, "nobody comes from elsewhere")
        for classic in ("off", "token"):
            server.verb("game", "set", "default", "--classic", classic)
            self.addCleanup(server.verb, "game", "set", "default", "--classic", "open")
            self.assertNotIn(said, status(server)[1])
            self.assertNotIn(said, server.verb("check"))

    def test_the_server_of_another_installation_is_not_taken_for_ones_own(self):
        other = Server("observing-other")
        self.addCleanup(other.stop)
        done = server.run_verb("status", "--admin-listen", f"127.0.0.1:{other.admin().port}")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertRegex(done.stdout, r"(?m)^BAD +server +http://127\.0\.0\.1:\d+ serves another installation$")
        for path in (("healthy",), ("healthy", "--ready")):
            environment = {**server.environment, "CAUSEBOARD_HOST": "127.0.0.1"}
            for port, code in ((server.port, 0), (other.port, 1)):
                done = server.run_verb(
                    *path, env=servers.server_environment(**environment, CAUSEBOARD_PORT=str(port)))
                self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertIn("another installation", done.stderr)

    def test_it_starts_nothing(self):
        ended = Server("observing-ended")
        self.addCleanup(ended.stop)
        port = ended.admin().port
        ended.terminate()
        done = ended.run_verb("status", "--json", "--admin-listen", f"127.0.0.1:{port}")
        self.assertEqual(done.returncode, 1)
        self.assertFalse(json.loads(done.stdout)["well"])
        self.assertIsNone(ended.postmaster())


class Logs(unittest.TestCase):
    def test_the_log_is_json_and_names_the_request(self):
        player = v1.Player(server, "quiz", "Zelda-Zq")
        hand = psql.Psql(server.conninfo())
        self.addCleanup(hand.close)
        hand.run("alter table save rename to save_gone")
        try:
            answer = player.get("/v1/players/me/saves")
        finally:
            hand.run("alter table save_gone rename to save")
        self.assertEqual(answer.status, 500)
        lines = [json.loads(line) for line in server.log().splitlines()]
        said = [line for line in lines if line.get("request") == answer["request-id"]]
        self.assertIn("the database refused a statement", [line["message"] for line in said])
        self.assertTrue(all(line["level"] == "error" and line["time"].endswith("Z") for line in said))
        for secret in (player.token, "Zelda-Zq", player.device):
            self.assertNotIn(secret, server.log())

    def test_a_format_or_a_share_or_a_collector_that_is_none_is_refused(self):
        for arguments, word in ((("--log-format", "xml"), "text or json"), (("--trace-sample", "2"), "--trace-sample"),
                                (("--trace-otlp", "collector:4318"), "--trace-otlp")):
            done = server.run_verb("serve", *arguments, seconds=10)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(word, done.stderr)
