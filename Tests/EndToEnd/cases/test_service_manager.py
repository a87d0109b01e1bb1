"""What a service manager, such as systemd, hears from a server: when it serves, reloads, is well and stops."""
import contextlib
import os
import signal
import socket
import unittest

import client
from server import Server, until

SECONDS_MAX = 60
WATCHDOG_SECONDS = 3


def signal_all(pids, number):
    """Sends a signal to processes of PostgreSQL, of which some may have ended since they were listed."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


class Manager:
    """The socket of a service manager."""

    def __init__(self, name):
        self.name = name
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(name.replace("@", "\0", 1))
        self.socket.settimeout(SECONDS_MAX)

    def next(self, skip="WATCHDOG=1"):
        while True:
            said = self.socket.recv(4096).decode()
            if said != skip:
                return said


class ServiceManager(unittest.TestCase):
    def started(self, name, manager, **environment):
        server = Server(name, start=False, environment={"NOTIFY_SOCKET": manager.name, **environment})
        self.addCleanup(server.stop)
        self.addCleanup(manager.socket.close)
        server.start()
        return server

    def test_it_is_ready_when_it_serves_and_says_that_it_reloads_and_stops(self):
        manager = Manager(f"@causeboard-{os.getpid()}")
        server = self.started("managed", manager)
        self.assertEqual(manager.next(), "READY=1")
        self.assertEqual(client.get(server, "/healthz").status, 200)
        server.process.send_signal(signal.SIGHUP)
        self.assertRegex(manager.next(), r"^RELOADING=1\nMONOTONIC_USEC=[1-9]\d+$")
        self.assertEqual(manager.next(), "READY=1")
        server.process.send_signal(signal.SIGTERM)
        self.assertEqual(manager.next(), "STOPPING=1")
        server.ended_by_us = True
        self.assertEqual(server.process.wait(SECONDS_MAX), 0)
        self.assertNotIn("warning", server.log().lower(), "an orderly stop cancels nothing")

    def test_it_says_that_it_is_well_also_while_its_database_is_not(self):
        manager = Manager(f"@causeboard-watchdog-{os.getpid()}")
        server = self.started("watched", manager, WATCHDOG_USEC=str(WATCHDOG_SECONDS * 1_000_000))
        self.assertEqual(manager.next(), "READY=1")
        self.assertEqual(manager.next(skip=None), "WATCHDOG=1")
        stopped = server.postgres_processes()
        self.assertTrue(stopped)
        signal_all(stopped, signal.SIGSTOP)
        try:
            until(lambda: server.probe("/readyz") == 503, SECONDS_MAX, "it knows that its database is silent")
            for _ in range(4):
                self.assertEqual(manager.next(skip=None), "WATCHDOG=1")
        finally:
            signal_all(stopped, signal.SIGCONT)

    def test_a_process_that_another_one_started_is_not_watched(self):
        manager = Manager(f"@causeboard-other-{os.getpid()}")
        server = self.started("unwatched", manager, WATCHDOG_USEC="1000", WATCHDOG_PID="1")
        self.assertEqual(manager.next(skip=None), "READY=1")
        server.process.send_signal(signal.SIGTERM)
        self.assertEqual(manager.next(skip=None), "STOPPING=1")


class Healthy(unittest.TestCase):
    def test_it_asks_the_server_that_the_settings_name(self):
        server = Server("healthy")
        self.addCleanup(server.stop)
        server.environment["CAUSEBOARD_PORT"] = str(server.port)
        for question in ((), ("--ready",)):
            self.assertEqual(server.verb("healthy", *question), "ok\n")
        stopped = server.postgres_processes()
        signal_all(stopped, signal.SIGSTOP)
        try:
            until(lambda: server.probe("/readyz") == 503, SECONDS_MAX, "it knows that its database is silent")
            self.assertEqual(server.verb("healthy"), "ok\n")
            said = server.run_verb("healthy", "--ready")
            self.assertEqual(said.returncode, 1)
            self.assertIn("answers 503", said.stderr)
        finally:
            signal_all(stopped, signal.SIGCONT)
        server.terminate()
        said = server.run_verb("healthy")
        self.assertEqual(said.returncode, 1)
        self.assertIn("does not answer", said.stderr)
