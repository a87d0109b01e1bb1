"""The settings of PostgreSQL: `check` says what those of a database elsewhere cost, and an embedded one has its own."""
import os
import re
import subprocess
import unittest

import server as servers
from postgres import Postgres
from server import Server, until

SECRET = "5e" * 32
elsewhere = None


def setUpModule():
    global elsewhere
    elsewhere = Postgres("elsewhere").make().start()
    elsewhere.psql("create database causeboard")
    done = verb("migrate", "owner")
    assert done.returncode == 0, done.stderr


def tearDownModule():
    if elsewhere is not None:
        elsewhere.crash()


def verb(name, login):
    url = f"host={elsewhere.home} user={login} dbname=causeboard"
    return subprocess.run([servers.binary(), name, "--database-url", url], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=servers.VERB_SECONDS_MAX, cwd="/",
                          env=servers.clean_environment(CAUSEBOARD_SECRET=SECRET))


def rows(table):
    """The results of `check` by the name of what is checked."""
    return {name: result for name, result in (re.split(r" {2,}", line, maxsplit=1) for line in table.splitlines()[2:])}


class Elsewhere(unittest.TestCase):
    def check(self, status=0):
        done = verb("check", "causeboard_server")
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return rows(done.stdout)

    def set(self, name, value):
        elsewhere.psql(f"alter system set {name} = '{value}'")
        elsewhere.psql("select pg_reload_conf()")
        until(lambda: elsewhere.psql(f"show {name}").strip() == value, 30, f"{name} is {value}")

    def test_1_each_setting_is_told_with_what_it_costs_and_advice_is_no_trouble(self):
        found = self.check()
        self.assertEqual(found["durability"], "what is committed is on the disk")
        self.assertRegex(found["shared_buffers"], "^32MB: .*35 to 60 us more.*set a quarter.*restart$")
        self.assertRegex(found["max_wal_size"], "^256MB: .*20 KB of log.*set 16GB.*reload$")
        self.assertRegex(found["checkpoint_timeout"], "^5min: .*set 30min")
        self.assertRegex(found["max_slot_wal_keep_size"], "^-1: .*until the disk is full.*reload")
        for good in ("wal_compression", "autovacuum", "jit", "max_replication_slots", "max_wal_senders"):
            self.assertRegex(found[good], "^[a-z0-9]+: good$", good)

    def test_2_what_was_set_as_told_is_good(self):
        self.set("checkpoint_timeout", "30min")
        self.set("max_slot_wal_keep_size", "8GB")
        found = self.check()
        self.assertEqual(found["checkpoint_timeout"], "30min: good")
        self.assertEqual(found["max_slot_wal_keep_size"], "8GB: good")

    def test_3_slots_that_are_taken_leave_none_for_another_server(self):
        for number in range(9):
            elsewhere.psql(f"select pg_create_physical_replication_slot('taken_{number}')")
        found = self.check()
        self.assertRegex(found["max_replication_slots"], "^10: 9 in use, .*set 11 or more")
        self.assertEqual(found["max_wal_senders"], "10: good")

    def test_4_autovacuum_off_is_told_and_an_unsafe_database_is_trouble(self):
        self.set("autovacuum", "off")
        self.assertRegex(self.check()["autovacuum"], "^off: .*every table grows.*set on")
        self.set("full_page_writes", "off")
        self.assertIn("full_page_writes is off", self.check(status=1)["durability"])


class Embedded(unittest.TestCase):
    def ask(self, sql):
        return "".join(value for row in self.server.psql(sql) for value in row)

    def test_its_settings_follow_from_the_machine_and_the_operator_overrides_them(self):
        server = self.server = Server("settings")
        self.addCleanup(server.stop)
        self.assertNotIn("shared_buffers", server.verb("check"), "they are not the operator's to make")
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        shared = int(self.ask("select setting::bigint * 8192 from pg_settings where name = 'shared_buffers'"))
        self.assertGreaterEqual(shared, 128 << 20)
        self.assertLessEqual(shared, max(128 << 20, memory // 4))
        self.assertEqual(self.ask("show checkpoint_timeout"), "30min")
        with open(server.log_path) as log:
            said = [line for line in log if "has settings for this machine" in line]
        self.assertEqual(len(said), 1)
        self.assertIn(f"shared_buffers={shared >> 20}MB", said[0])
        self.ask("alter system set max_wal_size = '600MB'")
        server.terminate()
        server.start()
        self.assertEqual(self.ask("show max_wal_size"), "600MB")
        with open(server.log_path) as log:
            self.assertIn("max_wal_size=600MB (by the operator)", log.read())


if __name__ == "__main__":
    unittest.main()
