"""Windows, ranks and neighbours in their simplest form: lists and sorts over a ledger, written from the contract
alone."""
import datetime
from fractions import Fraction
from zoneinfo import ZoneInfo


def days(window, today):
    """The first and last day of a window, None for `all`."""
    day = datetime.timedelta(days=1)
    if window == "all":
        return None
    if window == "today":
        return today, today
    if window == "yesterday":
        return today - day, today - day
    if window == "week":
        first = today - day * today.weekday()
        return first, first + 6 * day
    if window == "month":
        window = today.strftime("%Y-%m")
    if ".." in window:
        return tuple(datetime.date.fromisoformat(d) for d in window.split(".."))
    if "W" in window:
        year, week = window.split("-W")
        first = datetime.date.fromisocalendar(int(year), int(week), 1)
        return first, first + 6 * day
    year, month = map(int, window.split("-"))
    return datetime.date(year, month, 1), datetime.date(year + month // 12, month % 12 + 1, 1) - day


class Board:
    """posts: [(whoever, points, reached_at as a datetime in UTC, number that breaks equals)]."""

    def __init__(self, policy="best", order="highest", ties="first", zone="UTC"):
        self.policy, self.order, self.ties, self.zone = policy, order, ties, zone
        self.sign = 1 if order == "highest" else -1
        self.posts = []

    def now(self):
        return datetime.datetime.now(ZoneInfo(self.zone)).date()

    def bounds(self, window, today):
        """The instants `from` and `until`."""
        span = days(window, today)
        return span and tuple(
            datetime.datetime.combine(d, datetime.time(), ZoneInfo(self.zone)).astimezone(datetime.UTC)
            for d in (span[0], span[1] + datetime.timedelta(days=1)))

    def rows(self, window="all", today=None):
        """Best first: [{rank, tied, who, points, reached_at}]."""
        span = days(window, today or self.now())
        mine = {}
        for who, points, at, number in sorted(self.posts, key=lambda p: p[2]):
            if span and not span[0] <= at.astimezone(ZoneInfo(self.zone)).date() <= span[1]:
                continue
            if who not in mine:
                mine[who] = [points, at, number]
            elif self.policy == "sum":
                mine[who] = [mine[who][0] + points, at, number]
            elif self.policy == "latest" or points * self.sign > mine[who][0] * self.sign:
                mine[who] = [points, at, number]
        order = sorted(mine.items(), key=lambda m: (-self.sign * m[1][0], m[1][1], m[1][2]))
        every = [m[1][0] for m in order]
        return [{
            "rank": every.index(points) + 1 if self.ties == "shared" else place, "tied": every.count(points) > 1,
            "who": who, "points": points, "reached_at": at
        } for place, (who, (points, at, _)) in enumerate(order, 1)]

    def better(self, a, b):
        return a * self.sign > b * self.sign

    def place(self, rows, who):
        """(rank, points, of, percentile, to_next); None where the answer has nothing."""
        at = next((n for n, r in enumerate(rows) if r["who"] == who), None)
        if at is None:
            return None, None, len(rows), None, None
        points = rows[at]["points"]
        worse, others = sum(r["rank"] > rows[at]["rank"] for r in rows), len(rows) - 1
        percentile = int(Fraction(1000 * worse, others) + Fraction(1, 2)) / 10 if others else None
        if self.ties == "shared":
            above = [r["points"] for r in rows if self.better(r["points"], points)]
            to_next = above[-1] - points if above else None
        else:
            to_next = rows[at - 1]["points"] - points + self.sign if at else None
        return rows[at]["rank"], points, len(rows), percentile, to_next

    def rank_of(self, rows, points):
        """The rank that a post made now by somebody new would get."""
        return 1 + sum(
            self.better(r["points"], points) or (self.ties == "first" and r["points"] == points) for r in rows)
