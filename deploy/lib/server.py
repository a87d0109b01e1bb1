"""Starts, watches and ends real causeboard processes, and only those it started. Every wait has an end."""
import contextlib
import fcntl
import http.client
import json
import os
import random
import re
import resource
import shutil
import signal
import socket
import subprocess
import tempfile
import time

from processes import alive

START_SECONDS_MAX = 60
STOP_SECONDS_MAX = 10       # the contract: SIGTERM drains requests and stops within 10 s
CHECKPOINT_SECONDS_MAX = 60     # and for as long beyond as the embedded PostgreSQL writes its last checkpoint
VERB_SECONDS_MAX = 60
TEMPLATE_SECONDS_MAX = 120
LOOK_PAUSE_SECONDS_MAX = 0.5
PORTS = 4_000
FIRST_PORT = 11_000 + PORTS * int(os.environ.get("WORKER") or 4)

_binary = None
_work = None
_shared = None      # what is made once for all modules of a run
_hurries = False
_servers = []
_port = random.randrange(PORTS)


class Refused(Exception):
    """The server or a verb did not do what a test needs as its set-up; the text says what it printed."""


def begin(binary, hurries=False):
    """`hurries` for tests, most of which want no more than a server: new data directories are copies of one, in
    TESTS_DIRECTORY of the environment if that names one, and no program waits for a disk. SHARED of the environment is
    a directory that several runs share."""
    global _binary, _work, _shared, _hurries
    _binary, _hurries = binary, hurries
    _work = tempfile.mkdtemp(prefix="causeboard-e2e-", dir=hurries and os.environ.get("TESTS_DIRECTORY") or "/tmp")
    os.chmod(_work, 0o755)      # the embedded PostgreSQL runs as another user when root starts the server
    _shared = os.environ.get("SHARED") or scratch("shared")


def finish(keep_logs):
    for server in list(_servers):
        server.end()
    if _work is None:
        return
    if keep_logs:
        for server in _servers:
            shutil.rmtree(server.data, ignore_errors=True)
        shutil.rmtree(os.path.join(_work, "shared"), ignore_errors=True)
        print(f"logs: {_work}")
    else:
        shutil.rmtree(_work, ignore_errors=True)


def binary():
    return _binary


def scratch(name):
    """A fresh directory that the OS user postgres can enter."""
    path = os.path.join(_work, name)
    os.makedirs(path, exist_ok=True)
    os.chmod(path, 0o755)
    return path


def once(name, make):
    """A file or directory that `make(path)` makes, unless another module of this run has made it or makes it now."""
    path = os.path.join(_shared, name)
    with open(path + ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not os.path.exists(path):
            shutil.rmtree(path + ".new", ignore_errors=True)
            make(path + ".new")
            os.rename(path + ".new", path)
    return path


def library(source):
    """The library that is made of a C file, which a program loads before others; None without a compiler."""
    compiler = shutil.which("cc") or shutil.which("clang")
    if compiler is None:
        return None
    name, _ = os.path.splitext(os.path.basename(source))
    return once(name + ".so", lambda path: subprocess.run(
        [compiler, "-shared", "-fPIC", "-O1", "-o", path, source, "-ldl"], check=True))


def template(environment):
    """A data directory with every migration, which no server has used. CAUSEBOARD_PG_BIN of the environment says which
    version of PostgreSQL made it."""
    programs = {name: environment[name] for name in ("CAUSEBOARD_PG_BIN",) if name in environment}

    def make(path):
        done = subprocess.run([_binary, "migrate", "--data", path], stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=TEMPLATE_SECONDS_MAX, cwd="/", env=server_environment(**programs))
        if done.returncode != 0:
            raise Refused(f"causeboard migrate: status {done.returncode}\n{done.stdout}{done.stderr}")
        os.remove(os.path.join(path, "postgres.log"))
    return once("template" + "".join(programs.values()).replace("/", "-"), make)


def troubles():
    """What the log files of running servers end with, for a failing test's explanation."""
    for server in _servers:
        if server.process is not None:
            if server.process.poll() is not None and not server.ended_by_us:
                yield f"server {server.name} ended with status {server.process.returncode}"
            lines = [line for line in server.log().splitlines() if re.search(r"error|critical|fatal|crash", line, re.I)]
            for line in lines[-5:]:
                yield f"log {server.name}: {line[:400]}"


def until(condition, seconds, what):
    """Returns the first true value of `condition()`; fails loudly after `seconds`. The last look begins after that, so
    that it sees what came while the machine was busy with something else. Between looks it leaves the processor to
    others for twice as long as a look takes, or longer."""
    end = time.monotonic() + seconds
    while True:
        began = time.monotonic()
        is_last = began > end
        value = condition()
        if value:
            return value
        if is_last:
            raise AssertionError(f"not within {seconds} s: {what}")
        time.sleep(min(max(0.02, 2 * (time.monotonic() - began)), LOOK_PAUSE_SECONDS_MAX))


def far_from_midnight(seconds=400):
    """For modules whose tests take today for one and the same day: when less than that is left of it, in UTC, waits for
    the next one."""
    left = 86_400 - time.time() % 86_400
    if left < seconds:
        time.sleep(left + 1)


def clean_environment(**extra):
    """Without the settings of whoever runs the tests. Rates are not limited, because all tests come from one address;
    those that are about rates start their servers with --limits on. Many servers run at once, so none takes the
    standard port of the admin listener by itself."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("CAUSEBOARD_", "PG")) and k != "DATABASE_URL"}
    if "CAUSEBOARD_PG_BIN" in os.environ:       # the version of PostgreSQL that the tests are run with
        env["CAUSEBOARD_PG_BIN"] = os.environ["CAUSEBOARD_PG_BIN"]
    env.update({"CAUSEBOARD_LIMITS": "off", "CAUSEBOARD_ADMIN_LISTEN": "off", **extra})
    return env


def server_environment(**extra):
    """The same for servers and databases, which do not wait for disks. `LD_PRELOAD=""` lets them wait."""
    preloaded = library(os.path.join(os.path.dirname(os.path.abspath(__file__)), "no_sync.c")) if _hurries else None
    return clean_environment(**({"LD_PRELOAD": preloaded} if preloaded else {}) | extra)


def free_port():
    """A port that nothing listens on. It is below those that the system gives to connections, and no other process of
    this run takes one of the same thousands."""
    global _port
    for _ in range(PORTS):
        _port = (_port + 1) % PORTS
        with socket.socket() as s:
            with contextlib.suppress(OSError):
                s.bind(("0.0.0.0", FIRST_PORT + _port))
                return FIRST_PORT + _port
    raise Refused("all ports are taken")


class Admin:
    """The admin listener of a server, for whoever asks a server's port."""

    def __init__(self, port):
        self.port = port


class Server:
    """One data directory and at most one `causeboard serve` on it."""

    def __init__(self, name, start=True, environment=None, template=True):
        """Without `template` the first start makes the database, as an operator's does."""
        self.name = name
        self.template = template
        self.environment = environment or {}
        self.home = os.path.join(_work, f"{len(_servers):02d}-{name}")
        os.mkdir(self.home)
        os.chmod(self.home, 0o755)
        self.data = os.path.join(self.home, "data")
        self.log_path = os.path.join(self.home, "log")
        self.process = None
        self.port = None
        self.ended_by_us = False
        _servers.append(self)
        if start:
            self.start()

    # -- the process

    def start(self, *arguments, files_max=None):
        """Starts `serve` and returns when /readyz says 200. `files_max` is the hard limit of its open files."""
        def limit():
            if files_max is not None:
                resource.setrlimit(resource.RLIMIT_NOFILE, (min(files_max, 256), files_max))
        if _hurries and self.template and not os.path.exists(self.data):
            self.copy(template(self.environment))
        self.port = free_port()
        self.ended_by_us = False
        with open(self.log_path, "ab") as log:
            self.process = subprocess.Popen(
                [
                    _binary, "serve", "--host", "127.0.0.1", "--port", str(self.port), "--data", self.data,
                    "--admin-listen", "127.0.0.1:0", *arguments
                ],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.home,
                env=server_environment(**self.environment), preexec_fn=limit)
        self.wait_ready()
        return self

    def copy(self, data):
        """Begins with a copy of a data directory that no server uses."""
        subprocess.run(["cp", "-a", "--reflink=auto", data, self.data], check=True)

    def furnish(self, name, furniture):
        """Begins with the data of a server that `furniture(server)` has furnished, once for all modules of this run;
        returns what that returned, as JSON keeps it."""
        def make(path):
            server = Server(name)
            said = furniture(server)
            server.terminate()
            os.mkdir(path)
            os.rename(server.data, os.path.join(path, "data"))
            with open(os.path.join(path, "said.json"), "w") as f:
                json.dump(said, f)
        place = once("furnished-" + name, make)
        self.copy(os.path.join(place, "data"))
        with open(os.path.join(place, "said.json")) as f:
            return json.load(f)

    def admin(self):
        """Its admin listener, at the port that the system chose at its last start."""
        said = r'admin"?[=:]"?http://[\d.]+:(\d+)'      # in text or in JSON
        return Admin(int(until(lambda: re.findall(said, self.log()), 30, "its log")[-1]))

    def wait_ready(self, seconds=START_SECONDS_MAX):
        def ready():
            if self.process.poll() is not None:
                raise Refused(f"serve ended with status {self.process.returncode}\n{self.log()[-3000:]}")
            return self.probe("/readyz") == 200
        try:
            until(ready, seconds, "/readyz is 200")
        except AssertionError as e:
            raise Refused(f"{e}\n{self.log()[-3000:]}") from None

    def reaches_database(self):
        """Whether a read that asks the database is answered; /readyz knows what was true a second ago."""
        return self.probe("/v1/players/9007199254740991") == 404 and self.probe("/readyz") == 200

    def probe(self, path):
        """The status of a GET, or None when nobody answers."""
        connection = self.new_connection()
        try:
            connection.request("GET", path)
            return connection.getresponse().status
        except (OSError, http.client.HTTPException):
            return None
        finally:
            connection.close()

    def new_connection(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)

    def rss_mib(self):
        """The memory that the process takes now, in MiB."""
        with open(f"/proc/{self.process.pid}/status") as f:
            return next(int(line.split()[1]) // 1024 for line in f if line.startswith("VmRSS"))

    def terminate(self):
        """SIGTERM; returns how many seconds the server took to end, and fails when that was too long."""
        self.ended_by_us = True
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        return self.wait_end(began)

    def wait_end(self, began):
        """The same for a server that was told to end at `began`."""
        try:
            self.process.wait(max(0.1, began + STOP_SECONDS_MAX - time.monotonic()))
        except subprocess.TimeoutExpired:
            with contextlib.suppress(subprocess.TimeoutExpired):
                if self.postgres_is_stopping():
                    self.process.wait(CHECKPOINT_SECONDS_MAX)
        if self.process.poll() is None:
            self.kill9()
            raise AssertionError(f"serve still runs long after SIGTERM\n{self.log()[-2000:]}")
        return time.monotonic() - began

    def postgres_is_stopping(self):
        """Whether the embedded PostgreSQL writes its last checkpoint."""
        try:
            with open(os.path.join(self.data, "postgres", "postmaster.pid")) as f:
                return "stopping" in f.read()
        except OSError:
            return False

    def kill9(self):
        self.ended_by_us = True
        self.process.kill()
        self.process.wait(10)

    def postmaster(self):
        """The process id of this data directory's PostgreSQL, or None."""
        folder = os.path.join(self.data, "postgres")
        try:
            with open(os.path.join(folder, "postmaster.pid")) as f:
                lines = f.read().splitlines()
            pid = int(lines[0])
        except (OSError, ValueError, IndexError):
            return None
        if len(lines) < 2 or os.path.realpath(lines[1]) != os.path.realpath(folder):
            return None
        return pid if alive(pid) else None

    def postgres_processes(self):
        """The process ids of everything that runs on this data directory's cluster."""
        folder = os.path.realpath(os.path.join(self.data, "postgres"))
        found = []
        for name in os.listdir("/proc"):
            try:
                if name.isdigit() and os.readlink(f"/proc/{name}/cwd") == folder and alive(int(name)):
                    found.append(int(name))
            except OSError:
                continue
        return found

    def end(self):
        """Leaves nothing running that this object started."""
        if self.process is not None and self.process.poll() is None:
            self.ended_by_us = True
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(STOP_SECONDS_MAX + CHECKPOINT_SECONDS_MAX)
            except subprocess.TimeoutExpired:
                self.kill9()
        pid = self.postmaster()
        if pid is not None:
            os.kill(pid, signal.SIGINT)     # PostgreSQL's fast shutdown
            end = time.monotonic() + 10
            while alive(pid) and time.monotonic() < end:
                time.sleep(0.02)
            if alive(pid):
                os.kill(pid, signal.SIGQUIT)

    def stop(self):
        """The end of a module: stops within 10 s or the module fails, and the data goes."""
        if self.process is not None and self.process.poll() is None:
            self.terminate()
        self.end()
        shutil.rmtree(self.data, ignore_errors=True)

    def log(self):
        try:
            with open(self.log_path, errors="replace") as f:
                return f.read()
        except OSError:
            return ""

    # -- the verbs

    def run_verb(self, *arguments, seconds=VERB_SECONDS_MAX, env=None):
        try:
            return subprocess.run([_binary, *arguments, "--data", self.data],
                                  stdin=subprocess.DEVNULL,
                                  capture_output=True,
                                  text=True,
                                  timeout=seconds,
                                  cwd=self.home,
                                  env=env or server_environment(**self.environment))
        except subprocess.TimeoutExpired:
            raise AssertionError(f"causeboard {' '.join(arguments)} ran for more than {seconds} s") from None

    def verb(self, *arguments):
        """Runs a verb that has to succeed; returns what it printed on stdout."""
        done = self.run_verb(*arguments)
        if done.returncode != 0:
            raise Refused(f"causeboard {' '.join(arguments)}: status {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def audit(self):
        """Fails unless the books balance."""
        done = self.run_verb("audit")
        if done.returncode != 0:
            raise AssertionError(f"audit: status {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def conninfo(self):
        return self.verb("check", "--print-database-url").strip()

    def run_psql(self, sql):
        return subprocess.run(
            ["psql", "-X", "-v", "ON_ERROR_STOP=1", "-At", "-F", "\t", "-d",
             self.conninfo(), "-c", sql],
            cwd="/",
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=VERB_SECONDS_MAX,
            env=clean_environment())

    def psql(self, sql):
        """Rows of a query as lists of strings."""
        done = self.run_psql(sql)
        if done.returncode != 0:
            raise Refused(f"psql: {done.stderr}")
        return [line.split("\t") for line in done.stdout.splitlines()]
