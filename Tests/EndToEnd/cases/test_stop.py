"""SIGTERM while PostgreSQL does not answer, and databases that would lose what is acknowledged."""
import contextlib
import os
import signal
import threading
import unittest

import client
import server as servers
from server import Refused, Server, until

WAITS = True

# The drain, the end of cancelled statements, a shutdown that does not go on, and two signals that are not heeded
BOUND_SECONDS_MAX = 60
server = None


def setUpModule():
    global server
    server = Server("stop")


def tearDownModule():
    server.stop()


class Stop(unittest.TestCase):
    def setUp(self):
        if server.process.poll() is not None:
            server.start()

    def stopped(self):
        """Waits for the end of the process, which has to be an orderly one."""
        server.ended_by_us = True
        server.process.wait(BOUND_SECONDS_MAX)
        self.assertIn(server.process.returncode, (0, 1), f"a trap or a signal\n{server.log()[-2000:]}")
        until(lambda: not server.postgres_processes(), 30, "nothing is left running")
        self.assertNotIn("Fatal error", server.log())

    def test_1_sigterm_ends_a_server_whose_postgresql_hangs(self):
        phones = [client.Phone(server, connection=client.Connection(server, seconds=BOUND_SECONDS_MAX))
                  for _ in range(8)]
        for n, phone in enumerate(phones):
            self.assertEqual(phone.register(f"stop {n}").status, 201)
        hanging = server.postgres_processes()
        for pid in hanging:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGSTOP)

        def ask(phone):
            try:
                phone.post(1)
            except (OSError, client.Broken):
                pass        # the server stopped instead of answering
        threads = [threading.Thread(target=ask, args=(phone,), daemon=True) for phone in phones]
        for thread in threads:
            thread.start()
        waiting = client.Connection(server.admin())
        until(lambda: b"causeboard_pending_writes" in waiting.request("GET", "/metrics").body, 30, "it serves")
        server.process.send_signal(signal.SIGTERM)
        self.stopped()
        for thread in threads:
            thread.join(10)
            self.assertFalse(thread.is_alive())
        last = [line for line in server.log().splitlines() if line.strip()][-1]
        self.assertRegex(last, "stopped")
        server.start()
        server.audit()

    def test_2_a_second_sigterm_leaves_the_last_checkpoint_out(self):
        with open(f"/proc/{server.postmaster()}/task/{server.postmaster()}/children") as f:
            children = [int(pid) for pid in f.read().split()]

        def title(pid):
            try:
                with open(f"/proc/{pid}/cmdline") as f:
                    return f.read()
            except (FileNotFoundError, ProcessLookupError):
                return ""       # it has ended meanwhile
        checkpointer = [pid for pid in children if "checkpointer" in title(pid)][0]
        os.kill(checkpointer, signal.SIGSTOP)
        server.process.send_signal(signal.SIGTERM)
        until(server.postgres_is_stopping, 60, "PostgreSQL is stopping")
        server.process.send_signal(signal.SIGTERM)
        self.stopped()
        self.assertIn("is stopped at once", server.log())
        server.start()
        server.audit()

    def test_3_a_database_that_may_lose_what_is_acknowledged_is_refused(self):
        server.psql("alter system set fsync = off")
        server.psql("alter system set full_page_writes = off")
        server.terminate()
        with self.assertRaises(Refused) as refused:
            server.start()
        for advice in ("set fsync = on", "set full_page_writes = on", "CAUSEBOARD_UNSAFE_DURABILITY"):
            self.assertIn(advice, str(refused.exception))
        done = server.run_verb("check")
        self.assertEqual(done.returncode, 1)
        self.assertIn("set fsync = on", done.stdout)
        server.environment = {"CAUSEBOARD_UNSAFE_DURABILITY": "yes"}
        server.start()
        self.assertIn("fsync is off", server.log())
        server.verb("check")
        server.psql("alter system reset fsync")
        server.psql("alter system reset full_page_writes")
        server.environment = {}
        server.terminate()
        server.start()
