"""A database as the server finds it, with players who post, what SQL says of some of them, and a copy for pgbench."""
import array
import base64
import dataclasses
import hashlib
import hmac
import os
import shutil

from . import database, load, processes

GAME = "/v1/games/default"
BOARD = GAME + "/boards/high-scores"
# So many can post, or a share of all where that is more: the pages of one in 33 are most pages of a table.
POSTERS_LEAST, POSTERS_SHARE = 100_000, 0.03
# A few percent of the players play now. Where posts are skewed, most are theirs.
PLAYING_SHARE, PLAYING_POSTS_PERCENT = 0.02, 95
ASKED_MAX = 1_000_000       # players that are asked for; the load generator keeps their ids in memory
NAME_BYTES = 260            # what --names-memory takes for a player, see README
KNOWN = 100                 # players whose ranks are known beforehand
FRESH_POSTERS = 2_000
# Nobody of the board's first tenth posts, so that the rows and pictures of the feeds stay those of the demo.
FIRST_SHARE = 0.1
PURSE_POINTS = 10**9        # what each poster can donate
CHARITY = "bench"           # the charity of a fresh dataset
FRESH = "fresh"             # the name of a dataset without players
# All that a board may ask of a post, such that each is weighed and none is held.
GUARDED = ("--trust", "signed", "--hold-above", "10", "--hold-rate", "600", "--hold-pace", str(10**15),
           "--settle", "10")
OPEN = ("--trust", "open", "--hold-above", "none", "--hold-rate", "none", "--hold-pace", "none", "--settle", "none")


@dataclasses.dataclass
class Known:
    """A player's rank on the board."""
    player: int
    rank: int
    points: int


def size_name(players):
    """The number as the command line writes it: 10k, 1M."""
    for unit, scale in (("M", 1_000_000), ("k", 1_000)):
        if players % scale == 0:
            return f"{players // scale}{unit}"
    return str(players)


def wal_mebibytes(folder):
    """`max_wal_size` for both sides: a twelfth of the disk's room, because two databases grow there, 1 to 16 GB."""
    return min(max(shutil.disk_usage(folder).free // 12 >> 20, 1024), 16 * 1024)


def token_bytes(poster):
    """The token of poster 1, 2, ...: its number, so that the database can make it too."""
    return poster.to_bytes(32, "big")


TOKEN_BYTES_SQL = "decode(lpad(to_hex(n), 64, '0'), 'hex')"


def bearer(poster):
    return "cbd_" + base64.urlsafe_b64encode(token_bytes(poster)).rstrip(b"=").decode()


class Dataset:
    """A database to measure on. With players it is made by `causeboard demo --seed 1`. Without it is fresh: 2,000 have
    registered and nobody has played, and its tables have never been analysed and will not be."""

    def __init__(self, binary, players, folder, made=None):
        """`made` is a directory with datasets made before by 'causeboard demo --seed 1 --data DIRECTORY/1M', stopped;
        one that is not there is made now."""
        self.binary, self.players, self.folder = binary, players, folder
        # What posts have added to players' points, in the server's database and in the copy.
        self.posts_rising, self.plain_rising = load.Rising(), load.Rising()
        self.data = os.path.join(folder, "data")
        self.cluster = os.path.join(self.data, "postgres")
        before = players and made and os.path.join(made, size_name(players))
        if before and os.path.isdir(before):
            processes.run(["cp", "-a", before, self.data])
        elif players:
            self._verb("demo", "--players", str(players), "--seed", "1")
        else:
            self._verb("charity", "add", CHARITY, "--name", "Bench")
        # The log of the demo's making would take as much of the disk as the dataset does, and its copy again.
        self._database = database.Database(self.cluster, os.path.join(folder, "s"), "max_wal_size=1GB")
        try:
            self._prepare()
        finally:
            self._database.stop()
        self._copy = os.path.join(folder, "copy", "postgres")
        os.mkdir(os.path.dirname(self._copy))
        database.copy(self.cluster, self._copy)
        self._make_plain()

    def __str__(self):
        return size_name(self.players) if self.players else FRESH

    @property
    def skewed(self):
        """Who posts where a few percent of the players play now: the same ones in each run, who are anywhere on the
        board but in its first tenth. Each connection of pgbench has as many of them."""
        each = max(1, round(self.players * PLAYING_SHARE) // load.CONNECTIONS)
        return load.Choice(PLAYING_POSTS_PERCENT, each * load.CONNECTIONS)

    @property
    def names_mebibytes(self):
        """What the server needs to keep everybody's name in memory; the standard is enough for a million players."""
        return max(256, self.players * NAME_BYTES >> 20)

    def _make_plain(self):
        """The tables of one.sql and one_donation.sql on the copy."""
        copy = self.plain()
        try:
            copy.run("plain.sql")
            if self.players:
                copy.sql("vacuum (analyze)")
            copy.sql("checkpoint")
        finally:
            copy.stop()

    def plain(self):
        """A running copy of the database as the server found it, for pgbench alone."""
        return database.Database(self._copy, os.path.join(self.folder, "p"))

    def guard(self, is_guarded):
        """Sets all that the board may ask of a post, or nothing."""
        game, board = (BOARD.split("/")[index] for index in (3, 5))
        self._verb("board", "set", "--game", game, board, *(GUARDED if is_guarded else OPEN))

    def befriend(self, sql, players, friends):
        """Gives each of the first posters so many of the posters as friends; `sql` asks the database that is served."""
        self._verb("game", "set", BOARD.split("/")[3], "--friends", "codes")
        sql("delete from tie")      # the sample data has friends, too
        sql(
            "insert into tie (player_id, other_id, says, at) "
            "select case side when 1 then p.player_id else o.player_id end, "
            "case side when 1 then o.player_id else p.player_id end, 'yes', now() "
            f"from generate_series(1, {players}) n join bench_poster p on p.n = n.n "
            f"cross join generate_series(1, {friends}) f "
            f"join bench_poster o on o.n = {players} + (n.n - 1) * {friends} + f "
            "cross join (values (1), (2)) s (side)")
        sql("vacuum analyze tie")

    def keys(self):
        """A file with the 32 bytes by which poster 1, 2, ... signs: they follow from the secret and the token."""
        with open(os.path.join(self.data, "secret")) as f:
            root = bytes.fromhex(f.read().strip())
        # HKDF (RFC 5869) by SHA-256 without a salt, one block.
        extracted = hmac.digest(bytes(32), root, "sha256")
        signing = hmac.digest(extracted, b"causeboard sign\x01", "sha256")
        path = os.path.join(self.folder, "keys")
        with open(path, "wb") as f:
            for poster in range(1, self.posters + 1):
                f.write(hmac.digest(signing, hashlib.sha256(token_bytes(poster)).digest(), "sha256"))
        return path

    def _verb(self, *words):
        return processes.run([self.binary, *words, "--data", self.data])

    def _sql(self, statement):
        return self._database.sql(statement)

    def _file(self, name, lines):
        path = os.path.join(self.folder, name)
        with open(path, "w") as f:
            f.writelines(line + "\n" for line in lines)
        return path

    def _prepare(self):
        # Ours and the copy with the same one: else each start sizes ours anew, by what is free then.
        self._sql(f"alter system set max_wal_size = '{wal_mebibytes(self.folder)}MB'")
        self.board_id = int(
            self._sql("select b.id from board b join game g on g.id = b.game_id "
                      "where g.slug = 'default' and b.slug = 'high-scores' and b.season_ended_at is null"))
        self.overall_id = int(
            self._sql("select id from board where kind = 'donation' and slug = 'overall' and season_ended_at is null"))
        charity = self._sql(
            "select c.slug, c.id, c.board_id from charity c left join standing s on s.board_id = c.board_id "
            "where coalesce(c.opens_at, '-infinity') < now() "
            "and coalesce(c.closes_at, 'infinity') > now() + interval '1 day' "
            "group by c.id order by count(s.player_id) desc limit 1").split("|")
        self.charity, self.charity_id, self.charity_board_id = charity[0], int(charity[1]), int(charity[2])
        if not self.players:
            self._sql("alter system set autovacuum = off")
            self._sql(
                "insert into player (id, game_id, name, registered_at) "
                "select n * 400000 + floor(random() * 400000), (select id from game where slug = 'default'), "
                "'Bench ' || n, now() "
                f"from generate_series(1, {FRESH_POSTERS}) n")
            self._sql("insert into wallet (player_id) select id from player")
        self._choose_posters()
        if self.players:
            self._read()
            # Autovacuum would do this within minutes of such a fill, but in the middle of a measurement.
            self._sql("vacuum (analyze)")
        self._sql("checkpoint")

    def _choose_posters(self):
        """Gives them a token and something to give. They are the same ones in each dataset of that size."""
        whom = "select id as player_id, 0 as points from player"
        if self.players:
            most = max(POSTERS_LEAST, round(self.players * POSTERS_SHARE))
            whom = f"""
                select s.player_id, s.points from standing s join player p on p.id = s.player_id
                 where s.board_id = {self.board_id} and not p.hidden
                   and s.order_key > (select percentile_disc({FIRST_SHARE}) within group (order by order_key)
                                        from standing where board_id = {self.board_id})
                 order by hashint8extended(s.player_id, 1), s.player_id limit {most}"""
        self._sql("create table bench_poster as "
                  f"select row_number() over ()::int as n, player_id, points::bigint from ({whom}) w")
        self._sql("alter table bench_poster add primary key (n)")
        self._sql("grant select on bench_poster to causeboard_server")
        self._sql(
            "insert into device (hash, player_id, token_hash, registered_at) "
            f"select sha256(convert_to('bench ' || n, 'UTF8')), player_id, sha256({TOKEN_BYTES_SQL}), now() "
            "from bench_poster")
        self._sql(f"update wallet w set earned = w.earned + {PURSE_POINTS} "
                  "from bench_poster b where b.player_id = w.player_id")
        points = array.array("q", map(int, self._sql("select points from bench_poster order by n").split()))
        self.posters, self.points = len(points), os.path.join(self.folder, "points")
        with open(self.points, "wb") as f:
            points.tofile(f)
        self.first_poster = int(self._sql("select player_id from bench_poster where n = 1"))

    def _read(self):
        """What is to be asked for, and what the answers must be. The board's order is the house's: points, then who was
        there first, then id."""
        shown = ("from standing s join player p on p.id = s.player_id "
                 f"where s.board_id = {self.board_id} and not p.hidden")
        asked = self._sql(f"select s.player_id {shown} order by random() limit {ASKED_MAX}")
        self.asked = self._file("asked", asked.split())
        rows = self._sql(
            f"with sample as (select s.player_id {shown} order by random() limit {KNOWN}), "
            "ranked as (select s.player_id, s.points, "
            f"row_number() over (order by s.order_key, s.reached_at, s.player_id) as rank {shown}) "
            "select player_id, rank, points from ranked where player_id in (select player_id from sample)")
        self.known = [Known(*map(int, line.split("|"))) for line in rows.splitlines()]
        # What a server keeps in memory: all time of the seasons that are played.
        self.entries = int(
            self._sql(
                "select count(*) from standing s join board b on b.id = s.board_id where b.season_ended_at is null"))
