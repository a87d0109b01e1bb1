"""The verbs, the process and the operator's promises."""
import csv
import io
import os
import signal
import subprocess
import time
import unittest
import uuid

import client
import feeds
import psql
import server as servers
from seeds import NIGHTLY
from server import Server, until

server = None
mails = []


def setUpModule():
    global server
    server = Server("cli", template=False)
    server.verb("game", "set", "default", "--salt", client.SALT)
    server.verb("charity", "add", "red-cross", "--name", "Red Cross")


def tearDownModule():
    server.stop()


def rich(points=1_000, name="rich"):
    phone = client.Phone(server)
    answer = phone.register(name)
    assert answer.status == 201, answer
    answer = phone.post(points)
    assert answer.status == 201, answer
    return phone


class Verbs(unittest.TestCase):
    def test_lists_show_what_there_is(self):
        self.assertIn("default", server.verb("game", "list"))
        self.assertIn("high-scores", server.verb("board", "list", "--game", "default"))
        self.assertIn("red-cross", server.verb("charity", "list"))
        self.assertNotIn(client.SALT, server.verb("game", "list"))

    def test_check_and_audit_while_serving(self):
        server.verb("check")
        self.assertTrue(server.audit().strip(), "audit prints a table")
        url = server.verb("check", "--print-database-url")
        self.assertEqual(len(url.splitlines()), 1, url)

    def test_a_charity_from_add_to_close(self):
        phone = rich()
        self.assertEqual(phone.donate("trees", 1).status, 422)
        server.verb("charity", "add", "trees", "--name", "Trees", "--url", "https://trees.example", "--description",
                    "Plants them", "--goal", "500")
        self.assertEqual(
            phone.donate("trees", 1, id=uuid.uuid4()).status, 201, "a charity counts at once, without a restart")
        self.assertEqual(phone.donate("Trees", 1, id=uuid.uuid4()).status, 201)
        server.verb("charity", "set", "trees", "--name", "Woods")
        self.assertEqual(phone.donate("woods", 1, id=uuid.uuid4()).status, 201)
        self.assertIn(("Woods", 3), feeds.rows_json(client.get(server, "/v1/charities.json").body))
        id = str(uuid.uuid4())
        self.assertEqual(phone.donate("trees", 7, id=id).status, 201)
        server.verb("charity", "close", "trees")
        answer = phone.donate("trees", 8, id=uuid.uuid4())
        self.assertEqual(answer.status, 422, answer)
        answer = phone.donate("trees", 7, id=id)
        self.assertEqual((answer.status, answer["idempotent-replayed"]), (200, "true"),
                         "a retry is harmless also after the charity closed")
        self.assertIn(("Woods", 10), feeds.rows_json(client.get(server, "/v1/charities.json").body))
        self.assertEqual(phone.donate("red-cross", 5, id=uuid.uuid4()).status, 201)

    def test_charities_open_and_close_at_their_instants(self):
        server.verb("charity", "add", "later", "--name", "Later", "--opens", "2999-01-01T00:00:00Z")
        server.verb("charity", "add", "earlier", "--name", "Earlier", "--closes", "2020-01-01T00:00:00Z")
        server.verb("charity", "add", "now", "--name", "Now", "--opens", "2020-01-01T00:00:00Z", "--closes",
                    "2999-01-01T00:00:00Z")
        phone = rich()
        self.assertEqual([phone.donate(c, 1).status for c in ("later", "earlier", "now")], [422, 422, 201])

    def test_bad_arguments_are_refused_with_a_sentence(self):
        for arguments in (
            ["charity", "add", "me", "--name", "x"],
            ["charity", "add", "Upper", "--name", "x"],
            ["charity", "add", "-x"],
            ["charity", "add", "red-cross", "--name", "again"],
            ["charity", "close", "nobody"],
            ["charity", "add", "goal", "--name", "g", "--goal", "-5"],
            ["board", "add", "--game", "nobody", "b"],
            ["board", "add", "--game", "default", "top"],
            ["board", "add", "--game", "default", "bad-zone", "--zone", "Mars/Base"],
            ["board", "add", "--game", "default", "bad-bounds", "--points-min", "5", "--points-max", "4"],
            ["board", "add", "--game", "default", "p", "--policy", "worst"],
            ["board", "add", "--game", "default", "t", "--closes", "tomorrow"],
            ["game", "add", "a" * 64],
            ["game", "set", "nobody", "--salt", "x"],
            ["game", "set", "default", "--classic", "maybe"],
            ["nonsense"],
        ):
            with self.subTest(arguments=arguments):
                done = server.run_verb(*arguments)
                self.assertNotEqual(done.returncode, 0)
                said = done.stderr + done.stdout
                self.assertRegex(said, r"[A-Za-z]{3,} [A-Za-z]+")
                for leak in ("Fatal error", "PostgresError", "SQLSTATE", "insert into", "violates", "constraint"):
                    self.assertNotIn(leak, said)

    def test_a_zone_that_has_no_summer_time_is_refused_with_a_good_one(self):
        things = (["board", "add", "--game", "default"], ["board", "set", "--game", "default"],
                  ["charity", "add", "--name", "x"])
        for index, zone in enumerate(("CET", "MET", "EET", "WET", "EST", "localtime", "posixrules")):
            for thing in things if NIGHTLY else [things[index % len(things)]]:
                done = server.run_verb(*thing, "no-summer", "--zone", zone)
                self.assertNotEqual(done.returncode, 0, zone)
                self.assertIn("such as Europe/Berlin", done.stderr)
        self.assertNotIn("no-summer", server.verb("board", "list"))
        hand = psql.Psql(server.conninfo())
        self.addCleanup(hand.close)
        server.verb("board", "add", "--game", "default", "old-zone", "--zone", "Europe/Paris")
        self.assertNotIn("old-zone", server.verb("check"))
        hand.run("update board set zone = 'CET' where slug = 'old-zone'")
        self.assertIn("default/old-zone counts its days in CET", server.verb("check"))

    def test_where_lowest_is_best_the_least_points_are_0(self):
        def bounds(slug):
            line = next(line for line in server.verb("board", "list", "--game", "default").splitlines() if slug in line)
            return next(word for word in line.split() if "..." in word)
        most = 2**53 - 1
        for slug, options, expected in (
            ("low-plain", ("--order", "lowest"), f"0...{most}"),
            ("low-chosen", ("--order", "lowest", "--points-min=-5"), f"-5...{most}"),
            ("high-plain", (), f"-{most}...{most}"),
        ):
            server.verb("board", "add", "--game", "default", slug, *options)
            self.assertEqual(bounds(slug), expected)
        server.verb("board", "set", "--game", "default", "low-plain", "--points-min=-3")
        self.assertEqual(bounds("low-plain"), f"-3...{most}", "it may be chosen")
        server.verb("board", "set", "--game", "default", "low-plain", "--order", "lowest")
        self.assertEqual(bounds("low-plain"), f"-3...{most}", "and stays")
        server.verb("board", "set", "--game", "default", "high-plain", "--order", "lowest")
        self.assertEqual(bounds("high-plain"), f"0...{most}")

    def test_export_lists_only_those_who_asked(self):
        wanted, unwanted = [], []
        for n in range(6):
            phone = client.Phone(server)
            mail = f"e{n}-{client.device()[:10]}@example.org"
            mails.append((mail, phone.udid))
            yes = n % 2 == 0
            name = ['=HYPER("x")', "Comma, Inc", 'Quo"te', "plain", "日本", "x"][n]
            self.assertEqual(
                phone.register(name, email=mail, send_updates="YES" if yes else "0", fb_uid="123").status, 201)
            (wanted if yes else unwanted).append(mail)
        changed = client.Phone(server)
        mail = f"changed-{client.device()[:10]}@example.org"
        changed.register("changed", email=mail, send_updates="1")
        changed.register("changed", send_updates="0")
        unwanted.append(mail)
        no_mail = client.Phone(server)
        no_mail.register("asked without an address", send_updates="1")
        text = server.verb("export", "subscribers")
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
        self.assertTrue(all(len(r) == len(rows[0]) for r in rows))
        cells = {c for r in rows for c in r}
        for mail in wanted:
            self.assertIn(mail, cells)
        for mail in unwanted:
            self.assertNotIn(mail, text)
        for _, udid in mails:
            self.assertNotIn(udid, text)

    def test_token_leaves_only_high_scores(self):
        phone = rich()
        self.addCleanup(server.verb, "game", "set", "default", "--classic", "open")
        server.verb("game", "set", "default", "--classic", "token")
        before = client.get(server, "/TopScores.xml").body
        for answer in (
            phone.register("x"),
            phone.post(5_001),
            phone.donate("red-cross", 1),
            client.Phone(server).register("new"),
        ):
            self.assertTrue(400 <= answer.status < 500, answer)
        answer = phone.high_score("still", 5_002)
        self.assertEqual((answer.status, answer.body), (200, b""))
        self.assertEqual(phone.high_score("bad", 5_003, auth="0" * 32).status, 422)
        self.assertEqual(client.get(server, "/TopScores.xml").body, before)
        server.verb("game", "set", "default", "--classic", "off")
        self.assertTrue(400 <= phone.high_score("off", 5_004).status < 500)
        server.verb("game", "set", "default", "--classic", "open")
        self.assertEqual(phone.post(5_005).status, 201)
        self.assertEqual(
            server.psql("select points from score where points in (5001, 5002, 5003, 5004, 5005) order by 1"),
            [["5002"], ["5005"]])

    def test_another_salt_counts_at_once(self):
        self.addCleanup(server.verb, "game", "set", "default", "--salt", client.SALT)
        phone = client.Phone(server)
        server.verb("game", "set", "default", "--salt", "another salt")
        self.assertEqual(phone.high_score("x", 61, auth=client.token(61, phone.udid)).status, 422)
        self.assertEqual(phone.high_score("x", 61, auth=client.token(61, phone.udid, "another salt")).status, 200)

    def test_the_servers_own_role_appends_and_cannot_change(self):
        phone = rich(4_321)
        self.assertEqual(phone.donate("red-cross", 1).status, 201)
        for statement in ("update score set points = 1", "delete from score", "truncate score",
                          "update donation set points = 1", "delete from donation", "truncate donation",
                          "update score set points = points where false", "drop table score",
                          "alter table score disable trigger all"):
            with self.subTest(statement=statement):
                done = server.run_psql(f"set role causeboard_server; {statement}")
                self.assertNotEqual(done.returncode, 0)
                self.assertRegex(done.stderr, r"permission denied|must be owner")
        done = server.run_psql("set role causeboard_server; select count(*) from score")
        self.assertEqual(done.returncode, 0, done.stderr)
        server.audit()

    def test_audit_sees_what_does_not_add_up(self):
        rich(900)
        server.psql("update wallet set earned = earned + 1 where player_id = (select min(player_id) from wallet)")
        done = server.run_verb("audit")
        server.psql("update wallet set earned = earned - 1 where player_id = (select min(player_id) from wallet)")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        server.audit()

    def test_postgresql_listens_on_no_network(self):
        postmaster = server.postmaster()
        self.assertIsNotNone(postmaster)
        self.assertEqual(server.psql("show listen_addresses"), [[""]])
        self.assertEqual(server.psql("show data_checksums"), [["on"]])
        self.assertEqual(server.psql("show wal_level"), [["logical"]])

    def test_device_ids_are_stored_nowhere(self):
        phone = rich()
        dump = subprocess.run(["pg_dump", "--data-only", "--inserts", "-d",
                               server.conninfo()],
                              cwd="/",
                              capture_output=True,
                              text=True,
                              timeout=60,
                              env=servers.clean_environment())
        self.assertEqual(dump.returncode, 0, dump.stderr)
        self.assertNotIn(phone.udid, dump.stdout)
        self.assertNotIn(phone.udid.upper(), dump.stdout)
        self.assertIn("rich", dump.stdout)

    def test_zz_the_log_tells_no_secrets(self):
        phone = client.Phone(server)
        mail = "logged-" + client.device()[:10] + "@example.org"
        phone.register("logged", email=mail, fb_uid="fbuid776655")
        phone.register("bad\x01name", email=mail)
        phone.high_score("bad", 3, auth="0" * 32)
        client.get(server, f"/TopScores.xml?phone={phone.udid}&email={mail}")
        client.request(server, "PUT", f"/scores?phone={phone.udid}", body=b"points=1")
        log = server.log()
        with open(os.path.join(server.data, "secret")) as f:
            secret = f.read().strip()
        self.assertRegex(secret, r"^[0-9a-fA-F]{64}$")
        self.assertEqual(os.stat(os.path.join(server.data, "secret")).st_mode & 0o077, 0)
        hidden = [("e-mail", mail), ("e-mail", "@example.org"), ("device id", phone.udid), ("salt", client.SALT),
                  ("secret", secret), ("fb_uid", "fbuid776655")]
        for what, text in hidden + [("device id", udid) for _, udid in mails]:
            self.assertNotIn(text, log, f"{what} in the log")


class Process(unittest.TestCase):
    def test_a_second_serve_on_the_same_data_is_refused(self):
        began = time.monotonic()
        done = server.run_verb("serve", "--host", "127.0.0.1", "--port", str(servers.free_port()), seconds=30)
        self.assertNotEqual(done.returncode, 0)
        self.assertLess(time.monotonic() - began, 20)
        self.assertRegex(done.stderr + done.stdout, r"(?i)another|already|in use|held")
        self.assertNotIn("Fatal error", done.stderr)
        self.assertEqual(client.get(server, "/readyz").status, 200)

    def test_a_port_that_is_taken_is_refused_with_a_sentence(self):
        other = Server("port-taken", start=False)
        self.addCleanup(other.stop)
        done = other.run_verb("serve", "--host", "127.0.0.1", "--port", str(server.port), seconds=40)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(str(server.port), done.stderr + done.stdout)
        self.assertIsNone(other.postmaster(), "its PostgreSQL was left behind")

    def test_verbs_without_a_server_and_a_stop_that_drains(self):
        alone = Server("alone", start=False)
        self.addCleanup(alone.stop)
        self.assertIn("default", alone.verb("game", "list"),
                      "a verb makes and starts the embedded database for as long as it needs it")
        self.assertIsNone(alone.postmaster(), "a verb left its PostgreSQL running")
        alone.verb("charity", "add", "early", "--name", "Early")
        alone.verb("migrate")
        alone.verb("check")
        alone.start()
        self.assertEqual([n for n, _ in feeds.rows_json(client.get(alone, "/v1/charities.json").body)], ["Early"])
        phone = client.Phone(alone)
        # An idle keep-alive connection, too: it must not hold up the stop
        self.assertEqual(phone.register("drained").status, 201)

        body = f"phone={phone.udid}&points=4242".encode()
        with client.Connection(alone) as slow:
            self.assertEqual(slow.request("GET", "/healthz").status, 200)
            slow.send(
                f"PUT /scores HTTP/1.1\r\nHost: x\r\nContent-Type: "
                f"application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n\r\n"
                .encode() + body[:20])
            # Another connection's answer says nothing of this one's event loop, which has to have read the request.
            until(lambda: has_read(alone.port, slow.socket.getsockname()[1]), 30, "the server has read the request")
            self.assertEqual(client.get(alone, "/healthz").status, 200)
            alone.ended_by_us = True
            began = time.monotonic()
            alone.process.send_signal(signal.SIGTERM)
            until(lambda: refuses(alone.port) or time.monotonic() - began > 2, 5, "no new connections are taken")
            slow.send(body[20:])
            answer = slow.receive("PUT")
            self.assertEqual(answer.status, 201, "the request in flight was not drained")
        alone.wait_end(began)
        self.assertIn(alone.process.returncode, (0, -signal.SIGTERM))
        self.assertIsNone(alone.postmaster(), "PostgreSQL still runs after the server stopped")
        self.assertIn("Early", alone.verb("charity", "list"))
        alone.audit()
        alone.verb("export", "subscribers")
        phone.close()
        alone.start()
        answer = phone.post(4242, id=uuid.uuid4())
        self.assertEqual((answer.status, answer.number("best")), (201, 4242))
        alone.terminate()

    def test_a_client_that_says_nothing_does_not_hold_up_the_stop(self):
        quiet = Server("quiet")
        self.addCleanup(quiet.stop)
        with client.Connection(quiet) as idle, client.Connection(quiet) as half:
            idle.open()
            half.send(b"PUT /scores HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nphone=")
            self.assertEqual(client.get(quiet, "/healthz").status, 200)
            quiet.terminate()


def has_read(port, peer):
    """Whether a server has read all that came on its connection with a port of this machine."""
    with open("/proc/net/tcp") as f:
        for line in f:
            _, local, remote, _, queues, *_ = line.split()
            if (local.rpartition(":")[2], remote.rpartition(":")[2]) == (f"{port:04X}", f"{peer:04X}"):
                return int(queues.partition(":")[2], 16) == 0
    return False


def refuses(port):
    import socket
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
        return False
    except OSError:
        return True
