"""Troubles of the database, under load: a slow disk, restarts, no memory, no connections, a slot at its limit. Each
shows what players get, what operators read and which alerts fire, and that nothing is lost."""
import os
import shutil
import threading
import time
import unittest

import client
import server as servers
import troubles
from elsewhere import url, verb
from postgres import Postgres
from psql import Psql
from relay import DatabaseRelay
from repository import ROOT
from seeds import nightly
from server import until

CONNECTIONS_MAX = 30
STREAM_SECONDS = 10
TRIES = 5
OPTIONS = (f"max_connections={CONNECTIONS_MAX}", "max_prepared_transactions=2")
postgres = server = relay = psql = still = None


def setUpModule():
    global postgres, server, relay, psql, still
    # Memory is taken from the system at each need of it and given back, so that a session which may have no more has
    # none, whatever it had before.
    postgres = Postgres("troubles", MALLOC_MMAP_THRESHOLD_="8192", **slow_disk()).make().start(*OPTIONS)
    unittest.addModuleCleanup(postgres.crash)
    postgres.psql("create database causeboard")
    done = verb("migrate", "--database-url", url("owner", postgres))
    assert done.returncode == 0, done.stderr
    relay = DatabaseRelay(f"host={postgres.home} port=5432 dbname=causeboard user=causeboard_stream")
    unittest.addModuleCleanup(relay.close)
    server = troubles.Away("troubles-server", url("causeboard_server", postgres), "--connections", "6", "--stream-url",
                           relay.url(), "--admin-listen", "127.0.0.1:0")
    unittest.addModuleCleanup(server.stop)
    server.start()
    psql = Psql(url("owner", postgres))
    unittest.addModuleCleanup(psql.close)
    still = troubles.furnish(server)


def slow_disk():
    """The environment of a PostgreSQL whose disk `sync_takes` slows; empty without a compiler."""
    library = servers.library(os.path.join(ROOT, "Tests", "EndToEnd", "support", "slow_disk.c"))
    if library is None:
        return {}
    speed = os.path.join(servers.scratch("slow-disk"), "milliseconds")
    with open(speed, "w") as file:
        file.write("0")
    return {"LD_PRELOAD": library, "SLOW_DISK": speed}


def sync_takes(milliseconds):
    with open(postgres.environment["SLOW_DISK"], "w") as file:
        file.write(str(milliseconds))


def memory_of(pids, bytes):
    """Lets processes of PostgreSQL have so many bytes, and no more than they have where they have them."""
    for pid in pids:
        try:
            postgres.run("/usr/bin/prlimit", f"--as={bytes}:", "--pid", pid)
        except servers.Refused:
            if servers.alive(int(pid)):
                raise               # a session that has ended meanwhile needs none


def sessions(condition="true"):
    return [pid for pid, in psql.run("select pid from pg_stat_activity where usename = 'causeboard_server'"
                                     f" and {condition}")]


class Database(unittest.TestCase):
    def trouble(self, name, **more):
        return troubles.Trouble(server, still, name, psql=psql, **more)

    def setUp(self):
        self.addCleanup(self.mend)

    def tearDown(self):
        self.assertIsNone(server.process.poll(), "the server lives on")

    def mend(self):
        """Leaves everything as the next test needs it, whatever became of this one."""
        relay.feed()
        if "SLOW_DISK" in postgres.environment:
            sync_takes(0)
        psql.close()                # with the transaction that it may have begun
        if postgres.running() is None:
            postgres.start(*OPTIONS)
        if psql.patient("select 1 from pg_prepared_xacts where gid = 'forgotten'"):
            psql.patient("rollback prepared 'forgotten'")
        psql.patient("drop table if exists heap_of_rows")
        psql.patient("alter system reset max_slot_wal_keep_size")
        psql.patient("select pg_reload_conf()")
        memory_of(sessions(), "unlimited")
        until(server.reaches_database, troubles.RECOVERY_SECONDS_MAX, "the database is reached")

    def test_1_a_slow_disk_makes_posts_slow_and_loses_none(self):
        if "SLOW_DISK" not in postgres.environment:
            self.skipTest("there is no C compiler")
        self.addCleanup(sync_takes, 0)
        with self.trouble("slow") as trouble:
            sync_takes(400)
            trouble.goes_on("on a slow disk", posts=12)
            sync_takes(1_500)
            trouble.has("causeboard_commit_under_way_seconds", lambda age: age > 1, "a commit takes long")
            trouble.reads(self)
            trouble.status(self, commits="oldest commit under way")
            trouble.goes_on("on a very slow disk", posts=4)
            sync_takes(0)
            trouble.goes_on()
        trouble.check(self, {"CauseboardCommitsSlow"})

    def test_2_postgresql_is_restarted_and_killed(self):
        with self.trouble("restarts") as trouble:
            for end in (postgres.stop, postgres.crash):
                psql.close()
                end()
                trouble.refused(self, "database-away", "overloaded")
                trouble.has("causeboard_ready", lambda ready: ready == 0, "operators are told")
                trouble.status(self, ready="database-away", database="cannot be asked")
                postgres.start(*OPTIONS)
                trouble.goes_on()
            trouble.says(self, "the server is not ready", "the server is ready again")
        trouble.check(self, {"CauseboardNotReady", "CauseboardErrors", "CauseboardWritesRefused"}, {"database-away"})

    def test_3_postgresql_has_no_memory(self):
        with self.trouble("memory") as trouble:
            # Those have none either that are opened meanwhile. Sessions that write have ended a transaction last; the
            # others go on, without which a machine that is busy with something else could not answer a read.
            trouble.refused(self, "overloaded", "database-away",
                            meanwhile=lambda: memory_of(sessions("query ~* '^(commit|rollback)'"), 1))
            trouble.reads(self)
            memory_of(sessions(), "unlimited")
            trouble.goes_on()
        trouble.check(self, {"CauseboardWritesRefused"})

    def test_4_a_slot_that_reaches_its_limit_is_lost_and_the_standings_are_found_again(self):
        psql.patient("alter system set max_slot_wal_keep_size = '16MB'")
        psql.run("select pg_reload_conf()")
        hand = Psql(url("owner", postgres))
        self.addCleanup(hand.close)
        with self.trouble("slot") as trouble:
            self.addCleanup(relay.feed)
            self.a_silent_stream_is_told(trouble)
            relay.starve()
            trouble.has("causeboard_standings_loaded", lambda loaded: loaded == 0, "ranks come from SQL")
            for _ in range(4):
                psql.run("select pg_logical_emit_message(false, 'test', 'a line of log'); select pg_switch_wal()")
            # The checkpoint waits for the process that sends the stream, which waits for who does not read it.
            checkpoint = threading.Thread(target=Psql(url("owner", postgres)).run, args=("checkpoint",), daemon=True)
            checkpoint.start()
            self.postgres_says("to release replication slot")
            # Meanwhile an operator locks a table again and again, and readers wait for it.
            wanted = len(trouble.scrapes) + 20
            while len(trouble.scrapes) < wanted:
                hand.run("begin")
                hand.run("lock table standing in access exclusive mode")
                readers = [threading.Thread(target=client.get, args=(server, f"{still}/top.json?limit={limit}"))
                           for limit in (5, 6, 7, 8)]
                for reader in readers:
                    reader.start()
                time.sleep(0.8)
                hand.run("commit")
                for reader in readers:
                    reader.join()
            trouble.goes_on("while ranks come from SQL")
            relay.feed()
            checkpoint.join(troubles.RECOVERY_SECONDS_MAX)
            self.assertFalse(checkpoint.is_alive(), "PostgreSQL goes on")
            trouble.says(self, "standings are loaded")
            trouble.goes_on()
        self.assertEqual(trouble.traffic.unavailable, [], "the stream is no reason to refuse a post")
        self.assertEqual(set(trouble.watcher.statuses), {200}, "nor a read")
        trouble.check(self, {"CauseboardRanksFromSQL", "CauseboardStreamBehind", "CauseboardReadsSlow"})

    def a_silent_stream_is_told(self, trouble):
        """PostgreSQL ends a silent stream after ten seconds, which may be too few for a busy machine to be asked in."""
        for tries_left in reversed(range(TRIES)):
            relay.starve()
            try:
                trouble.status(self, seconds=STREAM_SECONDS, standings="from SQL", stream="latest heartbeat")
                break
            except AssertionError:
                if tries_left == 0:
                    raise
            finally:
                relay.feed()
                trouble.has("causeboard_standings_loaded", lambda loaded: loaded == 1, "ranks come from memory again")

    @nightly
    def test_5_old_transactions_dead_rows_and_hardly_a_connection_left(self):
        psql.run("begin")
        psql.run("insert into game (slug, name, classic, added_at) values ('never', 'Never', 'open', now())")
        psql.run("prepare transaction 'forgotten'")
        # Deleted after the prepared transaction began, these rows stay whatever vacuums the table: even with
        # autovacuum off PostgreSQL vacuums a table whose transaction numbers are this old.
        psql.run("create table heap_of_rows (number bigint) with (autovacuum_enabled = false)")
        psql.run("insert into heap_of_rows select generate_series(1, 1100000)")
        psql.run("delete from heap_of_rows")
        psql.close()
        self.age()
        psql.run("select 1")
        others = []
        with self.trouble("old") as trouble:
            while True:
                other = Psql(url("owner", postgres))
                self.addCleanup(other.close)
                try:
                    other.run("select 1")
                except servers.Refused as refused:
                    self.assertRegex(str(refused), "too many clients|remaining connection slots")
                    break
                others.append(other)
            trouble.has("causeboard_postgres_transaction_age", lambda age: age > 1e9, "the age is told")
            trouble.has('causeboard_postgres_dead_rows{table="heap_of_rows"}', lambda rows: rows > 1e6, "dead rows")
            trouble.has("causeboard_postgres_connections", lambda used: used > 0.9 * CONNECTIONS_MAX, "connections")
            trouble.status(self, **{"PostgreSQL's_connections": "of 30", "transaction_numbers": "1[01].. million",
                                    "dead_rows": "heap_of_rows"})
            trouble.goes_on("on the connections that the server has")
            trouble.lasts(35)
            for other in others:
                other.close()
            psql.patient("rollback prepared 'forgotten'")
            psql.run("drop table heap_of_rows")
            # The slot that waited for the prepared transaction keeps the catalogs back until it has come further.
            until(self.is_young, troubles.RECOVERY_SECONDS_MAX, "all rows are frozen")
            trouble.goes_on()
        trouble.check(self, {"CauseboardConnectionsNearlyUsed", "CauseboardTransactionsOld", "CauseboardDeadRows"})

    def is_young(self):
        psql.run("checkpoint")
        psql.run("vacuum freeze")
        age = psql.run("select age(datfrozenxid) from pg_database where datname = current_database()")[0][0]
        return int(age) < 1e6

    def postgres_says(self, sentence):
        def told():
            with open(postgres.log_path, errors="replace") as file:
                return sentence in file.read()
        until(told, troubles.RECOVERY_SECONDS_MAX, f"PostgreSQL says: {sentence}")

    def age(self):
        """Takes PostgreSQL 1.1 thousand million transactions ahead."""
        next, status_file_bytes = 0x42000000, 256 * 1024
        postgres.stop()
        postgres.run("pg_resetwal", f"--next-transaction-id={next}", "--pgdata", postgres.data)
        path = os.path.join(postgres.data, "pg_xact", f"{next // (status_file_bytes * 4):04X}")
        with open(path, "wb") as file:
            file.write(bytes(status_file_bytes))
        shutil.chown(path, *(("postgres", "postgres") if os.geteuid() == 0 else (os.geteuid(),)))
        postgres.start(*OPTIONS)
        until(server.reaches_database, troubles.RECOVERY_SECONDS_MAX, "the database is reached again")


if __name__ == "__main__":
    unittest.main()
