"""What every ranking has to be, by SQL over the tables alone, and the one comparison of all that a server says with it.

The queries are written from the contract, not from the server's: `distinct on` where the server aggregates, window
functions where it counts. `truth` is "ledger" (score and donation), or "rollup" (standing and tally) after somebody has
edited those by hand."""
import csv
import datetime
import io
import json
import time

import client
import feeds
import ranks


class Board:
    """A board as the database has it; every ranking of it by SQL."""

    def __init__(self, psql, fields):
        self.psql = psql
        self.__dict__.update(fields)
        self.better = "asc" if self.lowest_first else "desc"

    def __str__(self):
        return (f"{self.base} season {self.season} ({self.policy}, {'lowest' if self.lowest_first else 'highest'}, "
                f"{self.ties}, {self.zone})")

    def today(self):
        return datetime.date.fromisoformat(self.psql.patient(f"select (now() at time zone '{self.zone}')::date")[0][0])

    def lines(self, span, truth):
        """SQL of a row a player: who, points, reached_at."""
        if truth == "ledger":
            if self.kind == "score":
                posts = f"select player_id as who, points, reached_at from score where board_id = {self.id}"
            else:
                only = "" if self.charity is None else f" where charity_id = {self.charity}"
                posts = ("select coalesce(row_id, player_id) as who, points, case when anonymous then "
                         f"date_trunc('day', reached_at, '{self.zone}') else reached_at end as reached_at "
                         f"from donation{only}")
            days = ""
            if span is not None:
                days = (f" where (reached_at at time zone '{self.zone}')::date "
                        f"between date '{span[0]}' and date '{span[1]}'")
        elif span is None:
            return ("select player_id as who, points::numeric as points, reached_at "
                    f"from standing where board_id = {self.id}")
        else:
            posts = f"select player_id as who, points, reached_at, day from tally where board_id = {self.id}"
            days = f" where day between date '{span[0]}' and date '{span[1]}'"
        posts = f"select who, points, reached_at from ({posts}) p{days}"
        if self.policy == "sum":
            return f"select who, sum(points) as points, max(reached_at) as reached_at from ({posts}) p group by who"
        first = f"reached_at desc, points {self.better}"
        if self.policy == "best":
            first = f"points {self.better}, reached_at"
        return ("select distinct on (who) who, points::numeric as points, reached_at "
                f"from ({posts}) p order by who, {first}")

    def rows(self, span, truth="ledger"):
        """Best first, as a feed in JSON shows them; `key` is the row's own, negative for an anonymous one."""
        place = f"row_number() over (order by l.points {self.better}, l.reached_at, l.who)"
        rank = f"rank() over (order by l.points {self.better})" if self.ties == "shared" else place
        return self.psql.value(f"""
            select coalesce(
                     jsonb_agg(
                       jsonb_build_object(
                         'rank', r.rank, 'tied', r.equals > 1, 'key', r.who, 'name', r.name, 'points', r.points,
                         'reached_at', to_char(r.reached_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
                       order by r.place),
                     '[]')
              from (select l.*, case when l.who < 0 then 'Anonymous' else p.name end as name, {rank} as rank,
                           count(*) over (partition by l.points) as equals, {place} as place
                      from ({self.lines(span, truth)}) l left join player p on p.id = l.who
                     where p.hidden is not true) r""")

    def bounds(self, span):
        """`from` and `until` of a window. (No zone of these tests changes its clocks at midnight.)"""
        if span is None:
            return None
        row = self.psql.patient(f"""
            select to_char(m at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
              from (select d::timestamp at time zone '{self.zone}'
                      from unnest(array[date '{span[0]}', date '{span[1]}' + 1]) d) x(m)
             order by m""")
        return row[0][0], row[1][0]


def boards(psql, seasons=False):
    """Every score and donation board of the database, in the order they were made."""
    over = "" if seasons else " and b.season_ended_at is null"
    found = psql.value(f"""
        select coalesce(
                 jsonb_agg(
                   jsonb_build_object(
                     'id', b.id, 'kind', b.kind, 'slug', b.slug, 'season', b.season,
                     'over', b.season_ended_at is not null, 'policy', b.policy, 'lowest_first', b.lowest_first,
                     'ties', b.ties, 'zone', b.zone, 'points_min', b.points_min, 'points_max', b.points_max,
                     'charity', c.id, 'closed', coalesce(c.closes_at, b.closes_at) <= now(),
                     'base', case when b.kind = 'score' then '/v1/games/' || g.slug || '/boards/' || b.slug
                                  when c.id is null then '/v1/contributors'
                                  else '/v1/charities/' || c.slug end)
                   order by b.id),
                 '[]')
          from board b left join game g on g.id = b.game_id left join charity c on c.board_id = b.id
         where b.kind <> 'charity'{over}""")
    return [Board(psql, b) for b in found]


def charities(psql, truth="ledger"):
    """All charities as `/v1/charities.json` shows them. Hidden players' donations count; who donated anonymously does
    not, nor when."""
    if truth == "ledger":
        line = ("select charity_id, case when not anonymous then player_id end as who, points, "
                "case when not anonymous then reached_at end as reached_at from donation")
    else:
        line = ("select c.id as charity_id, case when s.player_id > 0 then s.player_id end as who, s.points, "
                "case when s.player_id > 0 then s.reached_at end as reached_at "
                "from standing s join charity c on c.board_id = s.board_id")
    return psql.value(f"""
        select coalesce(jsonb_agg(to_jsonb(r) - 'id' order by r.points desc, r.reached_at nulls last, r.id), '[]')
          from (select c.id, c.slug, c.name, coalesce(sum(l.points), 0) as points,
                       count(distinct l.who) as contributors,
                       to_char(max(l.reached_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as reached_at,
                       coalesce(c.closes_at <= now(), false) as final
                  from charity c left join ({line}) l on l.charity_id = c.id group by c.id) r""")


class Reader:
    """Reads as a client with a cache does: it asks with the ETag it has, and believes a 304. So bytes that stay behind
    their ETag are found."""

    def __init__(self, server, seconds=client.SECONDS_MAX):
        self.connection = client.Connection(server, seconds=seconds)
        self.kept = {}      # path -> (etag, body)
        self.reads = 0

    def get(self, path):
        """The body of a 200, as it is now."""
        self.reads += 1
        etag, body = self.kept.get(path, (None, None))
        answer = self.connection.request("GET", path, [("If-None-Match", etag)] if etag else [])
        if answer.status == 304:
            assert etag is not None and answer["etag"] == etag, f"{path}: 304 with {answer['etag']}, asked with {etag}"
            return body
        assert answer.status == 200, f"{path}: {answer!r}"
        if answer["etag"]:
            assert answer["etag"] != etag or answer.body == body, f"{path}: other bytes under the same ETag"
            self.kept[path] = answer["etag"], answer.body
        return answer.body

    def json(self, path):
        return json.loads(self.get(path))

    def close(self):
        self.connection.close()


WINDOWS = ("all", "today", "week", "month", "yesterday")


def windows(board, dice, today, count=None):
    """Every named window and a range of days; `count` of them, `all` and `today` always."""
    early = today - datetime.timedelta(days=dice.randint(0, 12))
    late = min(today, early + datetime.timedelta(days=dice.randint(0, 9)))
    every = [*WINDOWS, f"{early}..{late}"]
    return every if count is None else every[:2] + dice.sample(every[2:], max(0, count - 2))


def compare(reader, psql, dice, truth="ledger", only=None, window_count=None, seasons=False, people=3):
    """All that a server says of the boards, against SQL. Nobody may write meanwhile. Fails with the first difference.
    `only` takes a board and says whether it is compared; returns how many answers were compared."""
    before = reader.reads
    found = [b for b in boards(psql, seasons) if only is None or only(b)]
    for board in found:
        while True:
            today = board.today()
            try:
                for window in windows(board, dice, today, window_count):
                    compare_window(reader, board, window, today, truth, dice, people)
                break
            except AssertionError:
                if board.today() == today:
                    raise               # else midnight came in between: once more
    wanted = charities(psql, truth)
    for n, row in enumerate(wanted, 1):
        row |= {"rank": n, "tied": sum(o["points"] == row["points"] for o in wanted) > 1}
        if row["reached_at"] is None:
            del row["reached_at"]
    said = reader.json("/v1/charities.json")
    same(said["rows"], wanted, f"/v1/charities.json by {truth}")
    same(said["of"], len(wanted), f"/v1/charities.json by {truth}: of")
    for row in wanted:
        same(reader.json(f"/v1/charities/{row['slug']}"), row | {"of": len(wanted), "cooling_off": 0},
             f"/v1/charities/{row['slug']} by {truth}")
    return reader.reads - before


def same(said, wanted, what):
    if said != wanted:
        text = ""
        if isinstance(said, list) and isinstance(wanted, list):
            at = next((n for n, (s, w) in enumerate(zip(said, wanted)) if s != w), min(len(said), len(wanted)))
            text = (f"{len(said)} rows, should be {len(wanted)}; first difference in row {at}:\nsaid   "
                    f"{said[at:at + 2]}\nshould {wanted[at:at + 2]}")
        raise AssertionError(f"{what}: " +
                             (text or f"said {json.dumps(said)[:1500]}\nshould {json.dumps(wanted)[:1500]}"))


def shown(row):
    """A row of SQL as JSON shows it."""
    row = {k: v for k, v in row.items() if k != "key"} | ({"player": row["key"]} if row["key"] > 0 else {})
    return row


def compare_window(reader, board, window, today, truth, dice, people=3):
    span = ranks.days(window, today)
    rows = board.rows(span, truth)
    here = f"{board} {window} by {truth}"
    season = f"&season={board.season}" if board.over else ""

    def path(tail, suffix=""):
        return f"{board.base}/{tail}{'&' if '?' in tail else '?'}window={window}{season}{suffix}"
    wanted = [shown(r) for r in rows]
    bounds = board.bounds(span)
    over = bool(board.over or board.closed
                or (bounds and bounds[1] <= datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")))

    # the whole ranking, page by page, and back
    limit = dice.choice((1, 2, 3, 5, 8, 50, 100)) if len(rows) < 60 else dice.choice((50, 73, 100))
    forward, back, query, turn = [], [], "", "next"
    while True:
        said = reader.json(path(f"top.json?limit={limit}{query}"))
        same((said["of"], said["zone"], said["ties"], said["final"], said["window"]),
             (len(rows), board.zone, board.ties, over, window), f"{here}: of, zone, ties, final, window")
        same((said["from"], said["until"]) if "from" in said else None, bounds, f"{here}: from, until")
        (forward if turn == "next" else back).append(said["rows"])
        if turn == "next" and "next" not in said:
            turn = "prev"
            back.append(forward[-1])
        if turn not in said:
            break
        query = f"&{'after' if turn == 'next' else 'before'}={said[turn]}"
        assert len(forward) + len(back) < 1_000, f"{here}: a walk without an end"
    same([r for page in forward for r in page], wanted, f"{here}: top, pages of {limit}")
    same(back[::-1], forward, f"{here}: the same pages on the way back, pages of {limit}")

    # the same bytes' other forms, which a cache keeps apart
    table = list(csv.reader(io.StringIO(reader.get(path("top.csv?limit=100")).decode("utf-8"))))
    names = table[0]
    got = [dict(zip(names, line)) for line in table[1:]]
    same([(r["rank"], r["tied"], r["player"], r["name"], r["points"], r["reached_at"]) for r in got], [
        (str(r["rank"]), str(r["tied"]).lower(), str(r.get("player", "")), r["name"], str(r["points"]), r["reached_at"])
        for r in wanted[:100]
    ], f"{here}: top.csv")
    if dice.random() < 0.25:
        for suffix in ("xml", "plist", "atom", "html"):
            feeds.agree(suffix, reader.get(path(f"top.{suffix}?limit=100")),
                        [(r["name"], r["points"]) for r in wanted[:100]])
    start = dice.randint(1, max(1, len(rows)))
    same(
        reader.json(path(f"top.json?from={start}&limit=3"))["rows"], wanted[start - 1:start + 2],
        f"{here}: from={start}")
    if board.kind != "score":
        return

    # one player, neighbours, points, some players
    model = ranks.Board(board.policy, "lowest" if board.lowest_first else "highest", board.ties, board.zone)
    simple = [{"rank": r["rank"], "tied": r["tied"], "who": r["key"], "points": r["points"]} for r in rows]
    everybody = [
        int(n) for (n,) in board.psql.patient(
            "select p.id from player p join board b on b.game_id = p.game_id "
            f"where b.id = {board.id} and not p.hidden order by 1")
    ]
    for id in dice.sample(everybody, min(people, len(everybody))):
        rank, points, of, percentile, to_next = model.place(simple, id)
        want = {"player": id, "rank": rank, "points": points, "of": of
                } | {k: v for k, v in (("percentile", percentile), ("to_next", to_next)) if v is not None}
        same(reader.json(path(f"players/{id}")), want, f"{here}: place of {id}")
        limit = dice.randint(1, 9)
        said = reader.json(path(f"players/{id}/around.json?limit={limit}"))
        at = next((n for n, r in enumerate(rows) if r["key"] == id), None)
        first = 0 if at is None else max(0, min(at - (limit - 1) // 2, len(rows) - limit))
        same(said["rows"], [] if at is None else wanted[first:first + limit], f"{here}: {limit} around {id}")
        same(said["of"], len(rows), f"{here}: {limit} around {id}, of")
    some = [r["points"] for r in rows]
    for points in {dice.choice(some) if some else 0, dice.choice(some) + dice.choice((-1, 1)) if some else 1}:
        if board.points_min <= points <= board.points_max:
            same(reader.json(path(f"rank?points={points}")),
                 {"points": points, "rank": model.rank_of(simple, points), "of": len(rows)},
                 f"{here}: rank?points={points}")
    asked = set(dice.sample(everybody, min(7, len(everybody))))
    if asked:
        some = [r for r in wanted if r.get("player") in asked]
        equals = [r["points"] for r in some]
        want = [
            r | {"among": 1 + equals.index(r["points"]) if board.ties == "shared" else n}
            for n, r in enumerate(some, 1)
        ]
        same(
            reader.json(path(f"top.json?players={','.join(map(str, sorted(asked)))}"))["rows"], want,
            f"{here}: players=")


def until_same(seconds, what, check):
    """Runs `check` until it raises no AssertionError; after `seconds` its last one is the failure. Returns how long it
    took."""
    began = time.monotonic()
    while True:
        try:
            check()
            return time.monotonic() - began
        except AssertionError as e:
            if time.monotonic() - began > seconds:
                raise AssertionError(f"{what}, still after {seconds} s: {e}") from e
            time.sleep(0.05)


def ledger_holds(case, psql, scores, donations):
    """What was acknowledged is in the ledgers, once. `scores` and `donations`: id -> points."""
    for table, acknowledged in (("score", scores), ("donation", donations)):
        stored = {}
        for id, points in psql.patient(f"select id, points from {table}"):
            case.assertNotIn(id, stored, f"{table} {id} is there twice")
            stored[id] = int(points)
        lost = [id for id in acknowledged if stored.get(id) != acknowledged[id]]
        case.assertEqual(lost[:5], [], f"{len(lost)} acknowledged and not in {table}")
        if acknowledged is scores:
            case.assertGreater(len(acknowledged), 0)
