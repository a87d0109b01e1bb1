"""From a bare machine to one that has been upgraded and cleared: the life of the package, step by step."""
import json
import os
import shutil
import subprocess
import sys
import time

from installation.machine import ENVIRONMENT, Failed, Machine, bare, copy, nspawn

HERE = os.path.dirname(os.path.abspath(__file__))
PLAYERS = 8
BEFORE_SECONDS, AFTER_SECONDS = 5, 5
WATCHDOG_SECONDS = 6


def say(text):
    print(text, flush=True)


def expect(condition, what):
    if not condition:
        raise Failed(what)


class Posts:
    """The players of posts.py, in the network of a machine."""

    def __init__(self, machine):
        self.process = subprocess.Popen(
            [*machine.entering("-n"), sys.executable, os.path.join(HERE, "posts.py"), str(PLAYERS)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        expect(self.process.stdout.readline() == "posting\n", "the players could not register")

    def end(self):
        printed, _ = self.process.communicate(timeout=600)
        expect(self.process.returncode == 0, "posts.py ended badly")
        return json.loads(printed.splitlines()[-1])


def fetch(root, packages):
    """Puts the packages into a machine that does not run, and fetches what they need: later it has no network."""
    for package in packages:
        shutil.copy(package, os.path.join(root, "srv"))
    names = [f"/srv/{os.path.basename(package)}" for package in packages]
    script = "apt-get -qq update && apt-get -qq --yes --download-only install " + names[0]
    done = subprocess.run(nspawn(root, *ENVIRONMENT, "sh", "-c", script, network=True), stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=600)
    expect(done.returncode == 0, f"fetching: status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return names


def install(machine, package):
    return machine.run("apt-get", "--yes", "install", package)


def process_of(machine):
    return int(machine.show("MainPID")["MainPID"])


def status_of(machine, pid):
    """What the kernel says of a process of the machine."""
    lines = machine.run("cat", f"/proc/{pid}/status").splitlines()
    return {name: value.split() for name, _, value in (line.partition(":") for line in lines)}


def users(machine):
    """The users of all processes of the machine."""
    return set(machine.run("sh", "-c", "stat -c %U /proc/[0-9]* 2>/dev/null || true").split())


def serves(machine):
    return machine.run("runuser", "-u", "causeboard", "--", "causeboard", "healthy", "--ready", check=False) == "ok\n"


def installed(machine, package, version):
    began = time.monotonic()
    install(machine, package)
    say(f"installed {version} in {time.monotonic() - began:.0f} s, with what it needs")
    shown = machine.show("ActiveState", "SubState", "Type", "WatchdogUSec", "User", "NRestarts")
    expect((shown["ActiveState"], shown["SubState"], shown["Type"]) == ("active", "running", "notify"), shown)
    machine.wait("/readyz is 200", lambda: serves(machine))
    status = status_of(machine, process_of(machine))
    expect(status["Uid"][0] != "0" and status["NoNewPrivs"] == ["1"] and status["Seccomp"] == ["2"]
           and status["CapBnd"] == ["0000000000000000"], status)
    say(f"systemd started it: {shown}, without privileges, with a filter of system calls")
    for folder, mode in (("/var/lib/causeboard", "700"), ("/run/causeboard-service", "700"),
                         ("/var/log/causeboard", "750")):
        found = machine.run("stat", "-c", "%U %a", folder).strip()
        expect(found == f"causeboard {mode}", f"{folder}: {found}")
    expect(machine.run("stat", "-c", "%U:%G %a", "/etc/causeboard/causeboard.conf").strip() == "root:causeboard 640",
           "the settings are root's, and the service may read them")
    machine.causeboard("game", "add", "maze", "--name", "Maze")
    machine.causeboard("board", "add", "--game", "maze", "lap", "--earns", "points", "--policy", "latest")
    say(machine.causeboard("check").rstrip())


def upgraded(machine, package, old, new):
    machine.run("sh", "-c", "echo CAUSEBOARD_LIMITS=off >> /etc/causeboard/causeboard.conf")
    machine.run("systemctl", "restart", "causeboard")
    before = process_of(machine)
    posts = Posts(machine)
    time.sleep(BEFORE_SECONDS)
    began = time.monotonic()
    install(machine, package)
    seconds = time.monotonic() - began
    time.sleep(AFTER_SECONDS)
    said = posts.end()
    expect(process_of(machine) != before, "the new version runs")
    found = machine.run("dpkg-query", "-W", "-f", "${Version}", "causeboard")
    expect(found == new, f"{found} is installed, not {new}")
    expect("CAUSEBOARD_LIMITS=off" in machine.run("cat", "/etc/causeboard/causeboard.conf"), "the settings stay")
    ledger = int(machine.run(
        "runuser", "-u", "causeboard", "--", "sh", "-c",
        'psql -XAt "$(causeboard check --print-database-url)" -c "select count(*) from score"'))
    expect(not said["trouble"], said["trouble"])
    expect(said["acknowledged"] > 100, said)
    expect(said["lost"] == 0, said)
    # Each id is in the ledger once. One that was under way when the players stopped is among the acknowledged.
    expect(ledger == said["acknowledged"], f"{ledger} scores in the ledger: {said}")
    audit = machine.causeboard("audit").splitlines()[-1]
    expect(audit == "The books balance.", audit)
    say(f"upgraded {old} to {new} in {seconds:.1f} s while {PLAYERS} players posted: {said}; "
        f"{ledger} scores in the ledger; {audit}")


def watched(machine):
    """A server that was killed, and one that hangs, are started again; SIGHUP is told as a reload."""
    before = process_of(machine)
    machine.run("sh", "-c", f"kill -9 {before}")
    machine.wait("it is started again", lambda: process_of(machine) not in (0, before) and serves(machine))
    say("killed: systemd has started it again")
    machine.run("systemctl", "reload", "causeboard")
    machine.wait("it is running again",
                 lambda: machine.show("ActiveState", "SubState") == {"ActiveState": "active", "SubState": "running"})
    machine.run("mkdir", "-p", "/run/systemd/system/causeboard.service.d")
    machine.run("sh", "-c", f"printf '[Service]\\nWatchdogSec={WATCHDOG_SECONDS}\\n' "
                "> /run/systemd/system/causeboard.service.d/test.conf")
    machine.run("systemctl", "daemon-reload")
    machine.run("systemctl", "restart", "causeboard")
    before = process_of(machine)
    time.sleep(3 * WATCHDOG_SECONDS)
    expect(process_of(machine) == before, "a server that is well is left alone")
    machine.run("sh", "-c", f"kill -STOP {before}")
    machine.wait("it is started again", lambda: process_of(machine) not in (0, before) and serves(machine))
    expect("watchdog" in machine.run("journalctl", "-u", "causeboard", "--no-pager").lower(), "it was the watchdog")
    say(f"hung: with WatchdogSec={WATCHDOG_SECONDS} systemd has ended it and started it again")


def removed(machine, package):
    top = "/v1/games/maze/boards/lap/top.csv"
    read = [sys.executable, "-c",
            f"import urllib.request as r; print(r.urlopen('http://127.0.0.1:8080{top}').read().decode())"]
    ranks = subprocess.run([*machine.entering("-n"), *read], capture_output=True, text=True, check=True).stdout
    machine.run("systemctl", "stop", "causeboard")
    expect("The books balance." in machine.causeboard("audit"), "a command starts the database by itself")
    machine.run("systemctl", "start", "causeboard")
    expect("causeboard" in users(machine), "it runs again")
    machine.run("apt-get", "--yes", "remove", "causeboard")
    expect(machine.run("sh", "-c", "ls /usr/bin/causeboard 2>/dev/null", check=False) == "", "the program is gone")
    expect("causeboard" not in users(machine), "nothing of it runs")
    machine.run("test", "-s", "/var/lib/causeboard/secret")
    machine.run("test", "-f", "/etc/causeboard/causeboard.conf")
    machine.run("apt-get", "--yes", "purge", "causeboard")
    expect(machine.run("sh", "-c", "ls -d /etc/causeboard 2>/dev/null", check=False) == "", "the settings are gone")
    machine.run("test", "-s", "/var/lib/causeboard/secret")
    machine.run("test", "-d", "/var/lib/causeboard/postgres/base")
    say("removed and purged: /var/lib/causeboard has the database and the secret still")
    install(machine, package)
    machine.wait("/readyz is 200", lambda: serves(machine))
    again = subprocess.run([*machine.entering("-n"), *read], capture_output=True, text=True, check=True).stdout
    expect(ranks == again and ranks.count("\n") > PLAYERS, f"{ranks}\n{again}")
    say("installed again: the same ranks")


def lint(package):
    """Fails where Debian's own judge of packages finds an error or a warning."""
    done = subprocess.run(["lintian", "--fail-on", "error,warning", package], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=300)
    expect(done.returncode == 0 and not done.stdout, f"lintian: {done.stdout}")


def test(older, newer):
    """Each argument is a package and its version."""
    lint(newer[0])
    say(f"lintian finds nothing wrong with {newer[1]}")
    root = copy(bare())
    machine = None
    try:
        names = fetch(root, [older[0], newer[0]])
        machine = Machine(root)
        release, packages = machine.run("cat", "/etc/debian_version").strip(), machine.run("dpkg-query", "-W")
        say(f"a bare machine: Debian {release}, {packages.count(chr(10))} packages, systemd is "
            + machine.run("systemctl", "is-system-running").strip())
        installed(machine, names[0], older[1])
        upgraded(machine, names[1], older[1], newer[1])
        watched(machine)
        removed(machine, names[1])
    except BaseException:
        if machine is not None and machine.process.poll() is None:
            say(machine.run("journalctl", "-u", "causeboard", "--no-pager", "-n", "60", check=False))
        raise
    finally:
        if machine is not None:
            machine.stop()
        else:
            shutil.rmtree(os.path.dirname(root), ignore_errors=True)
