"""Backups and archives as an operator makes and restores them, and what has to be true of a restored server.
deploy/drill runs the same."""
import contextlib
import hashlib
import io
import json
import os
import random
import tarfile
import time

import books
import client
import promtool
import v1
from psql import Psql
from server import Server, until
from traffic import Traffic

# Players of the other game leave; it has no boards.
GAME, OTHER_GAME, BOARDS, CHARITIES = "quiz", "away", ("best", "sum"), ("trees", "seas")
SECONDS_MAX = 60
AGREE_SECONDS_MAX = 60


class Fixture:
    """A server with an archive, a game, boards and charities."""

    def __init__(self, name):
        self.server = Server(name, start=False, template=False)
        self.archive = os.path.join(self.server.home, "archive")
        self.server.start("--archive", self.archive)
        self.server.verb("game", "add", GAME, "--name", "Quiz")
        self.server.verb("game", "add", OTHER_GAME, "--name", "Away")
        for board in BOARDS:
            self.server.verb("board", "add", "--game", GAME, board, "--policy", board, "--earns", "fixed:10")
        for charity in CHARITIES:
            self.server.verb("charity", "add", charity, "--name", charity.title())
        self.psql = Psql(self.server.conninfo())

    def close(self):
        self.psql.close()
        self.server.stop()

    def path(self, name):
        return os.path.join(self.server.home, name)

    @contextlib.contextmanager
    def traffic(self, seed=0, threads=4):
        """Posts and donations that arrive while the body works."""
        with Traffic(self.server, GAME, BOARDS, CHARITIES, threads=threads, players=2, seed=seed,
                     points=10**4) as traffic:
            traffic.flows(40, "posts arrive")
            yield traffic
            traffic.flows(20, "posts still arrive")

    def backup(self, name, *arguments):
        """Makes a backup; returns its path."""
        self.server.verb("backup", self.path(name), "--quiet", *arguments)
        return self.path(name)

    def moment(self):
        """The clock of the database, between two commits."""
        time.sleep(0.01)
        text = self.psql.run("select to_char(clock_timestamp() at time zone 'UTC', "
                             "'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')")[0][0]
        time.sleep(0.01)
        return text

    def archived(self):
        """Returns when all that was committed before is in the archive."""
        name = self.psql.run("select pg_walfile_name(pg_switch_wal())")[0][0]
        path = os.path.join(self.archive, "wal", name + ".gz")
        until(lambda: os.path.exists(path), SECONDS_MAX, f"{name} is archived")

    def has_base(self):
        """Returns when the archive has its first base backup."""
        bases = os.path.join(self.archive, "base")
        until(lambda: any(name.endswith("Z") for name in os.listdir(bases)), SECONDS_MAX, "a base backup is made")


def restore(name, *arguments, seconds=120):
    """Restores into a new data directory; returns the server, which runs."""
    restored = Server(name, start=False)
    done = restored.run_verb("restore", *arguments, "--quiet", seconds=seconds)
    if done.returncode != 0:
        raise AssertionError(f"restore: status {done.returncode}\n{done.stdout}{done.stderr}")
    assert "The books balance." in done.stdout, done.stdout
    return restored.start()


def verify(case, restored, scores, donations, seed=1):
    """A restored server that runs has what was acknowledged, and every feed says what its ledgers say; posts go on."""
    restored.audit()
    psql = Psql(restored.conninfo())
    try:
        books.ledger_holds(case, psql, scores, donations)
        reader = books.Reader(restored)
        books.until_same(AGREE_SECONDS_MAX, "ranks are the ledgers'",
                         lambda: books.compare(reader, psql, random.Random(seed), window_count=2, people=2))
        reader.close()
        with client.Connection(restored) as connection:
            player = v1.Player(connection, GAME, "After all")
            case.assertEqual(player.post("best", 10**6).status, 201)
            said = connection.get(f"/v1/games/{GAME}/boards/best/players/{player.id}").json()
            case.assertEqual((said["rank"], said["points"]), (1, 10**6))
        until(lambda: promtool.metric(restored, "standings_loaded") == 1, AGREE_SECONDS_MAX,
              "standings are loaded again")
        restored.audit()
    finally:
        psql.close()


# -- damage

def parts(path):
    """The parts of a backup: [name, content], in their order."""
    with tarfile.open(path) as tar:
        return [[member.name, tar.extractfile(member).read()] for member in tar.getmembers()]


def written(path, parts):
    """Writes parts as the server does, whatever they are."""
    with tarfile.open(path, "w", format=tarfile.USTAR_FORMAT) as tar:
        for name, content in parts:
            info = tarfile.TarInfo(name)
            info.size, info.mode = len(content), 0o600
            tar.addfile(info, io.BytesIO(content))
    # Python fills tar files up to 10 KiB.
    size = sum(512 + (len(content) + 511) // 512 * 512 for _, content in parts) + 1024
    os.truncate(path, size)
    return path


def with_manifest(parts, change=None):
    """The parts with a manifest that is right about them; `change` edits it first."""
    head = [part for part in parts if not part[0].startswith("manifest")]
    manifest = json.loads(dict(parts)["manifest.json"])
    manifest["parts"] = [{"name": name, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
                         for name, content in head]
    if change:
        change(manifest)
    text = json.dumps(manifest).encode()
    total = f"{hashlib.sha256(text).hexdigest()}  manifest.json\n".encode()
    return head + [["manifest.json", text], ["manifest.json.sha256", total]]


def damaged(path, whole):
    """Makes damaged copies of a backup at `path`, one after the other, and yields what was done and what a refusal has
    to say of it."""
    with open(whole, "rb") as file:
        content = file.read()
    good = parts(whole)
    places = []
    with tarfile.open(whole) as tar:
        places = [(member.name, member.offset, member.offset_data, member.size) for member in tar.getmembers()]

    def write(data):
        with open(path, "wb") as file:
            file.write(data)

    for share in (0, 0.001, 0.3, 0.7, 0.999):
        write(content[:int(len(content) * share)])
        yield f"cut at {share}", "is cut"
    for name, header, start, size in places:
        if size:
            for at in {start, start + size - 1}:
                write(content[:at] + bytes([content[at] ^ 4]) + content[at + 1:])
                yield f"a bit of {name} at {at}", ("backup" if name == "format" else name.removesuffix(".sha256"))
        # One bit of the part's size: it stays a digit, and is another one whatever it was.
        digit = header + 130
        write(content[:digit] + bytes([content[digit] ^ 1]) + content[digit + 1:])
        yield f"the header of {name}", ("no backup" if name == "format" else "in a header")
    write(content + b"more")
    yield "bytes after its end", "follow its end"
    database = [n for n, (name, _) in enumerate(good) if name.startswith("database/")]
    names = [name for name, _ in good]

    def rearranged(order):
        return written(path, [good[n] for n in order])
    rearranged([0, 2, 1, *range(3, len(good))])
    yield "secret and erasures swapped", "where secret should be"
    rearranged([n for n in range(len(good)) if not names[n].startswith("manifest")])
    yield "no manifest", "has no manifest.json"
    rearranged([n for n in range(len(good)) if n != database[0]])
    yield "no database", "database/000001"
    rearranged([n for n in range(len(good)) if n != 1])
    yield "no secret", "where secret should be"
    other = [part if part[0] != "secret" else ["secret", b"0" * 64 + b"\n"] for part in good]
    written(path, other)
    yield "the secret of another", "part secret"
    written(path, with_manifest(good, lambda manifest: manifest.update(format=9)))
    yield "a manifest of another format", "format 9"
    written(path, [["format", b"causeboard backup 2\n"], *good[1:]])
    yield "another format", "format 2"
    written(path, with_manifest(good, lambda manifest: manifest.update(schema=9_999)))
    yield "a newer schema", "migration 9999"
    written(path, with_manifest(other))
    yield "another secret, and a manifest that is right about it", "secret"
    written(path, with_manifest([part if not part[0].startswith("database") else [part[0], part[1][:-700]]
                                 for part in good]))
    yield "a database that is cut, and a manifest that is right about it", "pg_restore failed"
    written(path, with_manifest(good, lambda manifest: manifest["sums"][0].update(rows=12345)))
    yield "other sums", "12345"
