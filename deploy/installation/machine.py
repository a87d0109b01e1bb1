"""A Debian machine in a directory: made by debootstrap, run by systemd-nspawn, with a systemd and a network of its own
that has a loopback interface and nothing else."""
import os
import shutil
import subprocess
import tempfile
import time

from installation.deb import ROOT, run

SUITE = "bookworm"
CACHE = os.path.join(ROOT, ".build", "debian")
# What a machine has that starts by itself, and a container has not.
BARE = "systemd-sysv"
START_SECONDS_MAX = 60
COMMAND_SECONDS_MAX = 600
ENVIRONMENT = ["env", "-i", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8",
               "DEBIAN_FRONTEND=noninteractive", "HOME=/root"]


class Failed(Exception):
    """A step of a test did not do what it has to; the text says what it printed."""


def bare(include=BARE):
    """The directory of a system that nobody has installed anything on. It is made once and kept."""
    path = os.path.join(CACHE, f"{SUITE}-{include or 'minimal'}")
    if not os.path.exists(path):
        draft = f"{path}.draft"
        shutil.rmtree(draft, ignore_errors=True)
        os.makedirs(CACHE, exist_ok=True)
        run("debootstrap", "--variant=minbase", *([f"--include={include}"] if include else []), SUITE, draft)
        run("chroot", draft, "apt-get", "clean")
        os.rename(draft, path)
    return path


def copy(of):
    """A machine's own copy of a bare system, in a fresh directory."""
    place = tempfile.mkdtemp(prefix="causeboard-machine-", dir="/tmp")
    path = os.path.join(place, "root")
    run("cp", "-a", "--reflink=auto", of, path)
    return path


def nspawn(root, *command, network=False, options=(), **more):
    """A process in a directory that does not run as a machine. Packages are kept for the next time."""
    archives = os.path.join(CACHE, "archives")
    os.makedirs(archives, exist_ok=True)
    return [
        "systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--console=pipe", f"--directory={root}",
        f"--bind={archives}:/var/cache/apt/archives", *(() if network else ("--private-network",)), *options, *command
    ]


class Machine:
    """A system that has been started, until `stop`."""

    def __init__(self, root):
        self.root = root
        self.log = os.path.join(os.path.dirname(root), "console")
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(nspawn(root, options=["--boot"]), stdin=subprocess.DEVNULL, stdout=log,
                                            stderr=log)
        self.leader = self.wait("its first process", self.find_leader)
        self.wait("its start", lambda: self.run("systemctl", "is-system-running", check=False).strip()
                  in ("running", "degraded"))

    def find_leader(self):
        with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children") as f:
            children = f.read().split()
        # Before it is systemd, the child of nspawn still sets the machine up.
        for child in children:
            try:
                with open(f"/proc/{child}/comm") as f:
                    if f.read().strip() == "systemd":
                        return int(child)
            except OSError:
                continue
        return None

    def wait(self, what, condition, seconds=START_SECONDS_MAX):
        """Returns the first true value of `condition()`."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.process.poll() is not None:
                break
            value = condition()
            if value:
                return value
            time.sleep(0.1)
        with open(self.log, errors="replace") as f:
            raise Failed(f"not within {seconds} s: {what}\n{f.read()[-2000:]}")

    def entering(self, *namespaces):
        return ["nsenter", f"--target={self.leader}", *namespaces]

    def run(self, *command, check=True, input=None):
        """Runs a command in the machine, as its root; returns what it printed."""
        done = subprocess.run([*self.entering("-m", "-p", "-u", "-i", "-n"), *ENVIRONMENT, *command],
                              input=input or "", capture_output=True, text=True, timeout=COMMAND_SECONDS_MAX)
        if check and done.returncode != 0:
            raise Failed(f"{' '.join(command)}: status {done.returncode}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
        return done.stdout

    def causeboard(self, *arguments):
        """A command of the program, as the article says: by the service's user, without any option for it."""
        return self.run("runuser", "-u", "causeboard", "--", "causeboard", *arguments)

    def show(self, *names):
        """Properties of the service, as systemd has them."""
        printed = self.run("systemctl", "show", "causeboard", "-p", ",".join(names))
        return dict(line.partition("=")[::2] for line in printed.splitlines())

    def stop(self):
        if self.process.poll() is None:
            subprocess.run([*self.entering("-m", "-p"), *ENVIRONMENT, "systemctl", "poweroff"],
                           stdin=subprocess.DEVNULL, capture_output=True, timeout=30, check=False)
            try:
                self.process.wait(90)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        shutil.rmtree(os.path.dirname(self.root), ignore_errors=True)
