"""The steps of Dockerfile and compose.yaml in directory trees, for a machine without a container engine.

The second stage of the Dockerfile is carried out line by line in a bare Debian: RUN, COPY from the first stage, USER,
WORKDIR, ENV, CMD. Its first stage is the build of this machine, by the same command. Both services then run in a
network of their own, as compose.yaml says: user, environment, secrets, a read-only root."""
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time

import yaml

from installation import deb
from installation.chain import expect, say
from installation.machine import CACHE, COMMAND_SECONDS_MAX, ENVIRONMENT, bare, copy, nspawn

DOCKERFILE = "deploy/Dockerfile"
COMPOSE = "deploy/compose.yaml"
START_SECONDS_MAX = 90
INSTRUCTIONS = {"RUN", "COPY", "USER", "WORKDIR", "ENV", "EXPOSE", "STOPSIGNAL", "HEALTHCHECK", "ENTRYPOINT", "CMD"}


def stage():
    """The instructions of the Dockerfile's last stage, with what each says."""
    text = re.sub(r"^#.*\n", "", deb.source(DOCKERFILE), flags=re.M).replace("\\\n", " ")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    last = max(number for number, line in enumerate(lines) if line.startswith("FROM "))
    for line in lines[last + 1:]:
        name, _, words = line.partition(" ")
        expect(name in INSTRUCTIONS, f"{DOCKERFILE}: {line}")
        yield name, words.strip()


class Image:
    """What the Dockerfile makes: a directory, and how its program is run."""

    def __init__(self, binary):
        self.root = copy(bare(include=""))
        self.user, self.folder, self.environment, self.entry, self.command, self.health = "root", "/", {}, [], [], []
        for name, words in stage():
            getattr(self, f"do_{name.lower()}", lambda words: None)(words) if name != "COPY" else self.do_copy(
                words, binary)

    def do_run(self, words):
        # Debian's image for containers has fetched no lists either.
        done = subprocess.run(nspawn(self.root, *ENVIRONMENT, "sh", "-ec", words, network=True),
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=COMMAND_SECONDS_MAX)
        expect(done.returncode == 0, f"RUN {words}: {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")

    def do_copy(self, words, binary):
        source, place = re.fullmatch(r"--from=build (\S+) (\S+)", words).groups()
        expect(source == "/causeboard", f"COPY {words}")
        deb.run("strip", "--strip-all", "-o", self.root + place, binary)

    def do_user(self, words):
        self.user = words

    def do_workdir(self, words):
        self.folder = words

    def do_env(self, words):
        self.environment |= dict(word.split("=", 1) for word in shlex.split(words))

    def do_entrypoint(self, words):
        self.entry = json.loads(words)

    def do_cmd(self, words):
        self.command = json.loads(words)

    def do_healthcheck(self, words):
        self.health = json.loads(re.search(r"CMD (\[.*\])", words)[1])


class Network:
    """A network that has a loopback interface alone, for as long as this lives."""

    def __init__(self):
        script = "ip link set lo up && echo up && exec sleep 3600"
        self.holder = subprocess.Popen(["unshare", "--net", "sh", "-c", script],
                                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        expect(self.holder.stdout.readline() == "up\n", "a network of its own")
        self.path = f"/proc/{self.holder.pid}/ns/net"

    def entering(self):
        return ["nsenter", f"--net={self.path}"]

    def end(self):
        self.holder.terminate()
        self.holder.wait()


def compose(secrets):
    """compose.yaml with the secrets put in, as a dictionary."""
    text = deb.source(COMPOSE)
    for name, value in secrets.items():
        text = re.sub(rf"\$\{{{name}:\?[^}}]*\}}", value, text)
    expect("${" not in text, f"{COMPOSE} asks for a secret that its first lines do not name")
    return yaml.safe_load(text)


def secrets_named():
    """The secrets that the first lines of compose.yaml have one make."""
    return re.search(r"^#     for name in (.*); do$", deb.source(COMPOSE), re.M)[1].split()


def inside(network, image, command, environment, **more):
    """A process of the image, as compose.yaml and the Dockerfile have it run."""
    variables = [f"--setenv={name}={value}" for name, value in (image.environment | environment).items()]
    options = [f"--network-namespace-path={network.path}", "--read-only", "--tmpfs=/tmp",
               f"--user={image.user}", f"--chdir={image.folder}", "--no-new-privileges=yes", "--drop-capability=all",
               "--as-pid2", *variables]
    archives = os.path.join(CACHE, "archives")
    base = [word for word in nspawn(image.root, network=True) if archives not in word]
    return subprocess.Popen([*base, *options, *command], stdin=subprocess.DEVNULL, text=True, **more)


class Database:
    """Debian's PostgreSQL 15 of this machine, in the place of the image of that name: its superuser, its script of a
    new database, its arguments."""

    def __init__(self, place, network, service, environment):
        programs, data, password = "/usr/lib/postgresql/15/bin", f"{place}/database", f"{place}/password"
        with open(password, "w") as f:
            f.write(environment["POSTGRES_PASSWORD"])
        os.chmod(place, 0o755)
        os.mkdir(data)
        shutil.chown(data, "postgres", "postgres")
        expect(service["user"] == "postgres" and service["cap_drop"] == ["ALL"] and
               service["security_opt"] == ["no-new-privileges:true"], f"{COMPOSE}: the database has no privilege")
        as_postgres = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", "--no-new-privs",
                       "--inh-caps=-all", "--bounding-set=-all"]
        deb.run(*as_postgres, f"{programs}/initdb", "-D", data, "-U", environment["POSTGRES_USER"], "-A",
                "scram-sha-256", f"--pwfile={password}", cwd="/")
        self.process = subprocess.Popen(
            [*network.entering(), *as_postgres, f"{programs}/postgres", "-D", data, "-c", "unix_socket_directories=",
             "-c", "listen_addresses=127.0.0.1", *service["command"][1:]],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/")
        client = {**os.environ, **environment, "PGHOST": "127.0.0.1", "PGPASSWORD": environment["POSTGRES_PASSWORD"]}
        create = [*network.entering(), "psql", "-X", "-U", environment["POSTGRES_USER"], "-d", "postgres", "-c",
                  f"create database {environment['POSTGRES_DB']}"]
        end = time.monotonic() + START_SECONDS_MAX
        while subprocess.run(create, env=client, capture_output=True).returncode != 0:
            expect(time.monotonic() < end, "PostgreSQL starts")
            time.sleep(0.2)
        scripts = [volume.split(":")[0] for volume in service["volumes"] if "/docker-entrypoint-initdb.d/" in volume]
        expect(len(scripts) == 1, f"one script for a new database: {scripts}")
        script = os.path.join(os.path.dirname(os.path.join(deb.ROOT, COMPOSE)), scripts[0])
        deb.run(*network.entering(), script, env=client)


def test(binary):
    image = Image(binary)
    say(f"built: {image.entry + image.command} as {image.user}, {image.environment}")
    place = os.path.dirname(image.root)
    network, server, database = Network(), None, None
    try:
        services = compose({name: os.urandom(32).hex() for name in secrets_named()})["services"]
        for name in ("migrate", "causeboard"):
            expect(services[name]["read_only"] and services[name]["cap_drop"] == ["ALL"], f"{name}: no rights")
        # In this network every name is one address.
        environments = {name: {key: value.replace("@database/", "@127.0.0.1/")
                               for key, value in service["environment"].items()}
                        for name, service in services.items()}
        database = Database(place, network, services["database"], environments["database"])
        migrate = inside(network, image, image.entry + services["migrate"]["command"], environments["migrate"],
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        said = migrate.communicate(timeout=COMMAND_SECONDS_MAX)[0]
        expect(migrate.returncode == 0, f"migrate: {migrate.returncode}\n{said[-3000:]}")
        environment, end = environments["causeboard"], time.monotonic() + START_SECONDS_MAX
        server = inside(network, image, image.entry + image.command, environment,
                        stdout=open(os.path.join(place, "log"), "w"), stderr=subprocess.STDOUT)
        answered = None
        while time.monotonic() < end and server.poll() is None and answered != "ok\n":
            time.sleep(0.5)
            health = inside(network, image, [*image.health, "--ready"], environment, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE)
            answered = health.communicate(timeout=30)[0]
        with open(os.path.join(place, "log")) as f:
            log = f.read()
        expect(answered == "ok\n", f"the health check says {answered!r}\n{log[-3000:]}")
        say(f"its health check, {image.health}, says {answered.strip()}")
        code = "import urllib.request as r; print(r.urlopen('http://127.0.0.1:8080/v1/games').status)"
        said = deb.run(*network.entering(), sys.executable, "-c", code).strip()
        expect(said == "200", said)
        pids = deb.run("pgrep", "-f", "^causeboard serve$").split()
        users = {deb.run("stat", "-c", "%u", f"/proc/{pid}").strip() for pid in pids
                 if os.readlink(f"/proc/{pid}/ns/net") == os.readlink(network.path)}
        expect(users == {"8080"}, f"its user is {users}")
        say(f"it answers, as user {users.pop()}, from a read-only root without capabilities")
    finally:
        for process in (server, database and database.process):
            if process is not None and process.poll() is None:
                process.terminate()
                try:
                    process.wait(60)
                except subprocess.TimeoutExpired:
                    process.kill()
        network.end()
        shutil.rmtree(place, ignore_errors=True)
