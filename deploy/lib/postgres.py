"""PostgreSQL servers of a test's own, beside the embedded ones: a primary, and standbys of it."""
import os
import pwd
import shutil
import signal
import subprocess

import server as servers
from processes import alive
from server import Refused, until

SECONDS_MAX = 180


def programs():
    """The directory of the newest PostgreSQL, or of the one that the environment names."""
    named = os.environ.get("CAUSEBOARD_PG_BIN")
    if named:
        return named
    root = "/usr/lib/postgresql"
    found = sorted((int(major) for major in os.listdir(root) if major.isdigit()), reverse=True) if os.path.isdir(
        root) else []
    for major in found:
        if 15 <= major <= 18 and os.access(f"{root}/{major}/bin/initdb", os.X_OK):
            return f"{root}/{major}/bin"
    return os.path.dirname(shutil.which("initdb") or "/usr/bin/initdb")


class Postgres:
    """One data directory of PostgreSQL and its server, behind a Unix socket."""

    def __init__(self, name, **environment):
        self.environment = environment
        self.home = servers.scratch(name)
        if os.geteuid() == 0:
            account = pwd.getpwnam("postgres")
            os.chown(self.home, account.pw_uid, account.pw_gid)
        self.data = os.path.join(self.home, "data")
        self.log_path = os.path.join(self.home, "log")

    def run(self, program, *arguments):
        command = [os.path.join(programs(), program), *arguments]
        if os.geteuid() == 0:
            command = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", *command]
        done = subprocess.run(command, cwd="/", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=SECONDS_MAX,
                              env=servers.server_environment(**self.environment))
        if done.returncode != 0:
            raise Refused(f"{program}: status {done.returncode}\n{done.stdout[-2000:]}")
        return done.stdout

    def make(self):
        """A new cluster that can be streamed from."""
        self.run("initdb", "--pgdata", self.data, "--auth=trust", "--encoding=UTF8", "--no-sync", "--username=owner")
        return self

    def copy(self, primary):
        """A standby of a running primary."""
        self.run("pg_basebackup", "--pgdata", self.data, "--host", primary.home, "--username=owner", "--no-sync",
                 "--checkpoint=fast", "--write-recovery-conf")
        return self

    def start(self, *options):
        # pg_ctl would hand our descriptors on to the server; its output goes to a file for that reason.
        self.run("pg_ctl", "start", "--wait", f"--timeout={SECONDS_MAX}", "--silent", "--pgdata", self.data,
                 "--log", self.log_path, "--options",
                 f"-c listen_addresses= -c unix_socket_directories={self.home} -c wal_level=logical -c hot_standby=on "
                 "-c max_wal_size=256MB -c shared_buffers=32MB" + "".join(f" -c {option}" for option in options))
        return self

    def stop(self):
        """Ends the server as an operator does: its sessions are cut, and what they did not commit is rolled back."""
        self.run("pg_ctl", "stop", "--wait", "--silent", "--mode=fast", "--pgdata", self.data)

    def promote(self):
        self.run("pg_ctl", "promote", "--wait", "--pgdata", self.data)

    def psql(self, sql, database="postgres"):
        return self.run("psql", "-X", "-At", "-v", "ON_ERROR_STOP=1", "--host", self.home, "--username=owner",
                        "--dbname", database, "--command", sql)

    def running(self):
        """The process id of its server, or None."""
        try:
            with open(os.path.join(self.data, "postmaster.pid")) as f:
                pid = int(f.readline())
        except (OSError, ValueError):
            return None
        return pid if alive(pid) else None

    def crash(self):
        """Ends the server at once; its sessions are lost."""
        pid = self.running()
        if pid is not None:
            os.kill(pid, signal.SIGQUIT)
            until(lambda: not alive(pid), SECONDS_MAX, f"the PostgreSQL of {self.home} is gone")
