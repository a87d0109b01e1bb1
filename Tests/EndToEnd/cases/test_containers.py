"""Commands in another PID namespace than the server, as `docker run -v data ... audit` has: they cannot see the
processes of PostgreSQL, and never start a second one on the same data."""
import contextlib
import os
import shutil
import signal
import subprocess
import unittest

import client
import server as servers
from postgres import Postgres, programs
from processes import alive
from repository import ROOT
from server import Server, until

PID_NAMESPACE = ["unshare", "--pid", "--fork", "--mount-proc"]
server = None


def setUpModule():
    global server
    server = Server("containers", template=False)
    assert client.Phone(server).register("Ada").status == 201


def tearDownModule():
    server.stop()


def needs(case, *command):
    """Skips the test where this machine does not let us make namespaces."""
    if not shutil.which(command[0]) or subprocess.run([*command, "true"], capture_output=True).returncode != 0:
        case.skipTest(f"{' '.join(command)} is not permitted here")


def run(*command):
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=servers.VERB_SECONDS_MAX, cwd="/", env=servers.clean_environment())


def starts():
    """How often PostgreSQL has been started on the data."""
    with open(os.path.join(server.data, "postgres.log")) as f:
        return f.read().count("starting PostgreSQL")


class Containers(unittest.TestCase):
    def setUp(self):
        self.postmaster = server.postmaster()
        self.starts = starts()
        self.assertIsNotNone(self.postmaster)

    def same(self):
        self.assertEqual(starts(), self.starts, "nobody started a second PostgreSQL")
        self.assertEqual(server.postmaster(), self.postmaster, "postmaster.pid is as it was")
        self.assertEqual(server.probe("/readyz"), 200)
        server.audit()

    def test_1_a_command_that_reaches_the_socket_uses_the_running_postgresql(self):
        needs(self, *PID_NAMESPACE)
        done = run(*PID_NAMESPACE, servers.binary(), "audit", "--data", server.data)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("The books balance.", done.stdout)
        self.same()

    def test_2_a_command_that_does_not_is_refused_and_told_what_to_do(self):
        socket = [part for part in server.conninfo().split() if part.startswith("host=")][0][len("host='"):].rstrip("'")
        if not socket.startswith("/run/"):
            self.skipTest(f"{socket} cannot be hidden here")
        needs(self, *PID_NAMESPACE)
        hide = f"mount -t tmpfs none {os.path.dirname(socket)} && exec \"$0\" \"$@\""
        for verb in (["audit"], ["game", "list"]):
            done = run(*PID_NAMESPACE, "sh", "-c", hide, servers.binary(), *verb, "--data", server.data)
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            self.assertIn("another container", done.stderr)
            self.same()

    def test_3_the_host_does_not_take_a_container_for_a_crash(self):
        needs(self, *PID_NAMESPACE)
        inner = Server("inner", start=False)
        port = servers.free_port()
        with open(inner.log_path, "ab") as log:
            inner.process = subprocess.Popen(
                [*PID_NAMESPACE, "--kill-child", servers.binary(), "serve", "--port", str(port), "--data", inner.data],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=inner.home, env=servers.clean_environment())
        inner.port = port
        inner.wait_ready()
        before = inner.postgres_processes()
        done = run(servers.binary(), "audit", "--data", inner.data)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertTrue(set(before) & set(inner.postgres_processes()), "its PostgreSQL was left in peace")
        self.assertEqual(inner.probe("/readyz"), 200)
        inner.ended_by_us = True
        inner.process.kill()        # the whole namespace goes with its first process
        inner.process.wait(10)
        until(lambda: not inner.postgres_processes(), 30, "the container is gone")
        done = run(servers.binary(), "audit", "--data", inner.data)
        self.assertEqual(done.returncode, 0, f"and its data are free\n{done.stdout}{done.stderr}")
        inner.stop()

    def test_4_after_kill_9_of_everything_the_server_starts(self):
        victims = server.postgres_processes()
        server.kill9()
        for pid in victims:
            with contextlib.suppress(ProcessLookupError):       # the end of one ends others
                os.kill(pid, signal.SIGKILL)
        until(lambda: not any(alive(pid) for pid in victims), 30, "all are gone")
        server.start()
        server.audit()

    def test_5_an_empty_volume_at_the_wrong_place_is_refused_with_the_right_one(self):
        needs(self, "unshare", "--mount")
        data = os.path.join(servers.scratch("volume"), "data")
        mount = f"mkdir -p {data}/postgres && mount -t tmpfs none {data}/postgres && exec \"$0\" \"$@\""
        done = run("unshare", "--mount", "sh", "-c", mount, servers.binary(), "serve", "--port", "0", "--data", data)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn(f"Mount the volume at {data} instead", done.stderr)


class Logins(unittest.TestCase):
    def test_the_passwords_of_the_logins_are_those_of_the_environment_and_no_arguments(self):
        place = Postgres("logins").make().start()
        self.addCleanup(place.crash)
        folder = servers.scratch("logins-programs")
        real, arguments = shutil.which("psql") or os.path.join(programs(), "psql"), os.path.join(folder, "arguments")
        with open(os.path.join(folder, "psql"), "w") as file:
            file.write(f'#!/bin/sh\nprintf "%s\\n" "$@" >{arguments}\nexec {real} "$@"\n')
        os.chmod(os.path.join(folder, "psql"), 0o755)
        words = {"SERVER_PASSWORD": "it's \\ one", "STREAM_PASSWORD": "another; one"}
        done = subprocess.run(
            ["sh", os.path.join(ROOT, "deploy", "container-logins.sh")], stdin=subprocess.DEVNULL, capture_output=True,
            text=True, timeout=60, cwd="/", env=servers.clean_environment(
                PATH=f"{folder}:{os.environ['PATH']}", PGHOST=place.home, POSTGRES_USER="owner", POSTGRES_DB="postgres",
                **words))
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(arguments) as file:
            said = file.read()
        for word in words.values():
            self.assertNotIn(word, said)
        self.assertEqual(place.psql("select count(*) from pg_authid where rolname in ('causeboard_server', "
                                    "'causeboard_stream') and rolpassword like 'SCRAM-SHA-256%'").strip(), "2")
