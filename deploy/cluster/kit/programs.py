"""The programs of a cluster, and processes that outlive whoever started them: they are ended by their pids, which are
kept in files."""
import contextlib
import importlib.util
import os
import pwd
import shutil
import signal
import stat
import subprocess
import sys
import time

NAMES = ("etcd", "haproxy", "setpriv", "ip", "psql")
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

# Not Debian 12's 3.0.2: after a cut network its former primary takes the lock back from the new one.
PATRONI = ("patroni[etcd3]==4.1.5", "psycopg2-binary==2.9.13")


class KitError(Exception):
    """What is wrong, as a sentence."""


def find(name):
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")


def missing():
    """The programs that this machine lacks."""
    return ([name for name in NAMES if find(name) is None] + ([] if postgres_programs() else ["postgresql"])
            + ([] if importlib.util.find_spec("ensurepip") else ["python3-venv"]))


def require():
    lacking = missing()
    if lacking:
        raise KitError(f"This machine lacks {', '.join(lacking)}: deploy/setup cluster installs them.")


def interpreter():
    """The Python that Patroni runs with, which has to be one that the user postgres may start."""
    return "/usr/bin/python3" if os.geteuid() == 0 and os.access("/usr/bin/python3", os.X_OK) else sys.executable


def patroni():
    """The folder with Patroni's modules, which is filled from PyPI when it lacks them."""
    home = os.path.join(ROOT, ".build", "cluster-tools")
    folder, mark = os.path.join(home, "modules"), os.path.join(home, "installed")
    wanted = "\n".join([interpreter(), *PATRONI])
    if os.path.exists(mark):
        with open(mark) as file:
            if file.read() == wanted:
                return folder
    shutil.rmtree(folder, ignore_errors=True)
    pip = [os.path.join(home, "bin", "python3"), "-m", "pip", "--python", interpreter()]
    for command in ([sys.executable, "-m", "venv", "--clear", home],
                    [*pip, "install", "--quiet", "--target", folder, *PATRONI]):
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
        if done.returncode != 0:
            raise KitError(f"{' '.join(command)}: status {done.returncode}\n{done.stdout}{done.stderr}")
    with open(mark, "w") as file:
        file.write(wanted)
    return folder


def postgres_programs():
    """The directory of the newest PostgreSQL of 15 to 18, or of the one that the environment names."""
    named = os.environ.get("CAUSEBOARD_PG_BIN")
    if named:
        return named
    for major in (18, 17, 16, 15):
        if os.access(f"/usr/lib/postgresql/{major}/bin/initdb", os.X_OK):
            return f"/usr/lib/postgresql/{major}/bin"
    return None


def as_postgres(command):
    """The command, run by the user postgres where root would be refused."""
    if os.geteuid() != 0:
        return command
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", *command]


def give_to_postgres(path):
    if os.geteuid() == 0:
        account = pwd.getpwnam("postgres")
        os.chown(path, account.pw_uid, account.pw_gid)


def own_folder(path):
    """Makes a directory that only this user may write, or takes one that is. What is in it is run, by root where this
    is root, so nobody else may have laid it out, as they could in /tmp."""
    with contextlib.suppress(FileExistsError):
        os.mkdir(path, 0o755)
    about = os.lstat(path)
    if not stat.S_ISDIR(about.st_mode) or about.st_uid != os.geteuid() or about.st_mode & 0o022:
        raise KitError(f"{path} belongs to somebody else, or others may write it: name another one with --dir.")
    os.chmod(path, 0o755)


def environment(**extra):
    """Without the settings of whoever starts the cluster."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("CAUSEBOARD_", "PG", "ETCD", "PATRONI"))}
    kept.pop("DATABASE_URL", None)
    return kept | {"PATH": f"{kept.get('PATH', '')}:/usr/sbin:/sbin"} | extra


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except (OSError, IndexError):
        return False


def start_time(pid):
    """When a process was started, in ticks since the machine was; it tells apart two that had the same pid."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return None


class Program:
    """A process that goes on when the command that started it has ended."""

    def __init__(self, folder, name):
        """`folder`, for its log and its pid, has to be one that only whoever starts it may write."""
        self.name = name
        self.log = os.path.join(folder, f"{name}.log")
        self.pid_file = os.path.join(folder, f"{name}.pid")

    @property
    def pid(self):
        """None when it does not run."""
        try:
            with open(self.pid_file) as file:
                pid, started = file.read().split()
        except (OSError, ValueError):
            return None
        return int(pid) if alive(int(pid)) and start_time(int(pid)) == started else None

    def start(self, command, env=None):
        if self.pid is not None:
            return
        with open(self.log, "ab") as log:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/",
                                       env=env or environment(), start_new_session=True)
        # `ip netns exec` and `setpriv` become the program itself, so the pid stays.
        with open(self.pid_file, "w") as file:
            file.write(f"{process.pid} {start_time(process.pid)}")

    def send(self, number):
        pid = self.pid
        if pid is not None:
            os.kill(pid, number)

    def stop(self, seconds=15):
        """Ends it: by SIGTERM, and by SIGKILL when that takes too long."""
        self.send(signal.SIGTERM)
        end = time.monotonic() + seconds
        while self.pid is not None and time.monotonic() < end:
            time.sleep(0.05)
        self.kill()

    def kill(self):
        self.send(signal.SIGKILL)
        while self.pid is not None:
            time.sleep(0.01)


def until(condition, seconds, what):
    """The first true value of `condition()`."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise KitError(f"not within {seconds} s: {what}")
        time.sleep(0.05)
